"""A bot that wins and declares riichi whenever possible, and else discards the drawn tile (see docs/bots.md)."""

import json
import sys

seat, hand = None, []
for line in sys.stdin:
    for event in json.loads(line):
        kind = event["type"]
        if kind == "start_game":
            seat = event["id"]
        elif kind == "start_kyoku":
            hand = list(event["tehais"][seat])
        elif event.get("actor") == seat:
            if kind == "tsumo":
                hand.append(event["pai"])
            elif kind in ("dahai", "kakan", "nukidora"):
                hand.remove(event["pai"])
            else:
                for tile in event.get("consumed", []):
                    hand.remove(tile)
    answer = {"type": "none"}
    if kind in ("tsumo", "reach") and event["actor"] == seat:
        allowed = [tile for tile in hand if tile not in event.get("cannot_dahai", [])]
        answer = {"type": "dahai", "actor": seat, "pai": allowed[-1], "tsumogiri": allowed[-1] == hand[-1]}
    for action in event.get("possible_actions", []):
        if action["type"] in ("hora", "reach", "nukidora"):
            answer = action
            break
    print(json.dumps(answer), flush=True)

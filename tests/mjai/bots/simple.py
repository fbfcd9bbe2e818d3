"""A bot in plain Python: wins, makes kita and declares riichi whenever possible, else discards the drawn tile.

It follows its own hand from the events and uses no package. With the first argument `lines` there is one event on
each line, otherwise a list of them.
"""

import json
import sys

WANTED = ("hora", "nukidora", "reach")


def remove(hand, tiles):
    for tile in tiles:
        hand.remove(tile)


def main():
    me, hand = None, []
    for line in sys.stdin:
        events = json.loads(line)
        for event in events if isinstance(events, list) else [events]:
            kind = event["type"]
            if kind == "start_game":
                me = event["id"]
            elif kind == "start_kyoku":
                hand = list(event["tehais"][me])
            elif event.get("actor") != me:
                pass
            elif kind == "tsumo":
                hand.append(event["pai"])
            elif kind in ("dahai", "nukidora", "kakan"):
                remove(hand, [event["pai"]])
            elif kind in ("chi", "pon", "daiminkan", "ankan"):
                remove(hand, event["consumed"])
        answer = {"type": "none"}
        possible = {one["type"]: one for one in event.get("possible_actions", [])}
        wanted = [possible[name] for name in WANTED if name in possible]
        if wanted:
            answer = wanted[0]
        elif event.get("actor") == me and kind in ("tsumo", "reach", "pon", "chi"):
            tiles = [one for one in reversed(hand) if one not in event.get("cannot_dahai", [])]
            tsumogiri = kind != "pon" and kind != "chi" and tiles[0] == hand[-1]
            answer = {"type": "dahai", "actor": me, "pai": tiles[0], "tsumogiri": tsumogiri}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

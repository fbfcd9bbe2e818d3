"""A bot that prints a line only when it can act by its own reckoning, in plain Python (quiet.mjs is the same).

It answers every own draw and every tile that it could claim by the shape of its hand, whether it is asked or not: also
the forced discard after riichi, wins without a yaku, and claims that the rules forbid. Some answers come late. It reads
one event or a list of events a line, and writes each answer with the number of its line in the game to a log.

    python quiet.py FOLDER [LATE]      one answer of LATE is late by up to a second (default 0: none)
"""

import json
import os
import sys
import time

RANK = "123456789"
KINDS = [number + suit for suit in "mps" for number in RANK] + list("ESWNPFC")
INDEX = {name: kind for kind, name in enumerate(KINDS)} | {f"5{suit}r": 4 + 9 * at for at, suit in enumerate("mps")}


def sets_alone(counts, sets):
    """Return whether tiles are so many sets."""
    first = next((kind for kind, count in enumerate(counts) if count), None)
    if first is None:
        return sets == 0
    parts = [(first, first, first)] if counts[first] >= 3 else []
    if first < 27 and first % 9 < 7 and counts[first + 1] and counts[first + 2]:
        parts.append((first, first + 1, first + 2))
    for part in parts:
        rest = list(counts)
        for kind in part:
            rest[kind] -= 1
        if sets_alone(rest, sets - 1):
            return True
    return False


def is_complete(counts):
    """Return whether concealed tiles complete a hand by their shape."""
    pairs = [kind for kind, count in enumerate(counts) if count >= 2]
    if sum(counts) == 14 and len(pairs) == 7:
        return True
    for pair in pairs:
        rest = list(counts)
        rest[pair] -= 2
        if sets_alone(rest, sum(rest) // 3):
            return True
    return False


class Seat:
    """The own seat, from the events."""

    def __init__(self):
        self.me, self.players, self.hand, self.riichi, self.draws = 0, 4, [], False, 0

    def hear(self, event):
        """Follow an event."""
        kind = event["type"]
        if kind == "start_game":
            self.me = event["id"]
        elif kind == "start_kyoku":
            self.hand = list(event["tehais"][self.me])
            self.players, self.riichi, self.draws = len(event["tehais"]), False, 0
        elif event.get("actor") == self.me:
            self.riichi |= kind == "reach"
            if kind == "tsumo":
                self.hand.append(event["pai"])
                self.draws += 1
            elif kind in ("dahai", "kakan", "nukidora", "kita"):
                self.hand.remove(event["pai"])
            else:
                for tile in event.get("consumed", []):
                    self.hand.remove(tile)

    def answer(self, event):
        """Return the answer to an event; None if the seat cannot act."""
        if event.get("actor") == self.me:
            return self.own(event) if event["type"] in ("tsumo", "reach", "chi", "pon") else None
        claims = self.claims(event)
        if "possible_actions" in event:
            claims = event["possible_actions"]
        if not claims:
            return None
        wins = [claim for claim in claims if claim["type"] == "hora"]
        if wins:
            return wins[0]
        return claims[0] if self.draws % 5 == 2 else {"type": "none"}

    def own(self, event):
        """Return the answer to an own draw or call."""
        for action in event.get("possible_actions", []):
            if action["type"] in ("hora", "reach", "nukidora", "kita", "ankan") and event["type"] == "tsumo":
                return action
        tiles = [tile for tile in self.hand if tile not in event.get("cannot_dahai", [])]
        if self.riichi and event["type"] == "tsumo":
            tiles = [event["pai"]]
        lonely = min(tiles, key=lambda tile: (self.company(tile), -self.hand.index(tile)))
        tsumogiri = event["type"] == "tsumo" and lonely == event["pai"]
        return {"type": "dahai", "actor": self.me, "pai": lonely, "tsumogiri": tsumogiri}

    def company(self, tile):
        """Return how many tiles of the hand are near a tile."""
        kind = INDEX[tile]
        near = [INDEX[other] for other in self.hand]
        return sum(each == kind or (kind < 27 and each // 9 == kind // 9 and abs(each - kind) < 3) for each in near)

    def claims(self, event):
        """Return what may be claimed by the shape of the hand alone."""
        kind = event["type"]
        if kind not in ("dahai", "kakan", "nukidora", "kita"):
            return []
        counts = [0] * 34
        for tile in self.hand:
            counts[INDEX[tile]] += 1
        tile = INDEX[event["pai"]]
        named = {"actor": self.me, "target": event["actor"], "pai": event["pai"]}
        counts[tile] += 1
        found = [{"type": "hora", **named}] if is_complete(counts) else []
        counts[tile] -= 1
        if kind != "dahai" or self.riichi:
            return found
        if counts[tile] >= 2:
            found.append({"type": "pon", **named, "consumed": [own for own in self.hand if INDEX[own] == tile][:2]})
        if self.players == 4 and (event["actor"] + 1) % 4 == self.me and tile < 27:
            for low, high in ((-2, -1), (-1, 1), (1, 2)):
                runs = tile % 9 + low >= 0 and tile % 9 + high < 9
                if runs and counts[tile + low] and counts[tile + high]:
                    own = [next(o for o in self.hand if INDEX[o] == tile + step) for step in (low, high)]
                    found.append({"type": "chi", **named, "consumed": own})
        return found


def main():
    late = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    seat, number, said = Seat(), 0, 0
    with open(os.path.join(sys.argv[1], f"{os.getpid()}.jsonl"), "w") as log:
        for line in sys.stdin:
            events = json.loads(line)
            events = events if isinstance(events, list) else [events]
            number = 1 if events[0]["type"] == "start_game" else number + 1
            for event in events:
                seat.hear(event)
            answer = seat.answer(events[-1])
            asked = "possible_actions" in events[-1]
            log.write(json.dumps({"line": number, "event": events[-1], "answer": answer, "asked": asked}) + "\n")
            log.flush()
            if answer is None:
                continue
            said += 1
            if late and said % late == 0:
                time.sleep((said // late % 10 + 1) / 10)
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()

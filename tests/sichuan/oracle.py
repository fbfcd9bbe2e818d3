"""Games of an independent program, replayed by our engine: legal actions, moves and payments compared."""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from janshi.sichuan.actions import Action
from janshi.sichuan.rules import SICHUAN_NOVIKOV, Exchange, Rules
from janshi.sichuan.state import Event, Phase
from janshi.table import Table
from janshi.tiles import parse_tiles

#: Folder of the independent data: `hands.json.gz` and `games.jsonl.gz`.
FOLDER = Path(os.environ.get("JANSHI_SICHUAN", Path(__file__).parents[3] / "shared" / "sichuan"))
MISSING = "no hands and games of another program (JANSHI_SICHUAN names their folder)"
_PAYMENTS = int(Event.WIN_PAY)
_KONGS = {"exposed": Event.EXPOSED_KONG, "concealed": Event.CONCEALED_KONG}


def has_data() -> bool:
    """Return whether the data exist."""
    return (FOLDER / "games.jsonl.gz").is_file()


def hands() -> dict[str, Any]:
    """Return all hands."""
    with gzip.open(FOLDER / "hands.json.gz", "rt") as file:
        return dict(json.load(file))


def games() -> list[dict[str, Any]]:
    """Return all games."""
    with gzip.open(FOLDER / "games.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def kinds(text: str) -> list[int]:
    """Return the kinds of tiles in a text."""
    return [int(kind) for kind in parse_tiles(text)]


def kind(text: str) -> int:
    """Return the kind of one tile."""
    return kinds(text)[0]


def rules_of_game(game: dict[str, Any]) -> Rules:
    """Return the rule set of a game."""
    options = game["options"]
    exchange = Exchange.OFF
    if options["exchange"]:
        to = next(event["to"] for event in game["events"] if event["e"] == "exchange")
        exchange = Exchange(to[0])
    return dataclasses.replace(
        SICHUAN_NOVIKOV, name="game", cap=options["cap"], exchange=exchange, flower_pig=options["flower_pig"]
    )


def wall_of_game(game: dict[str, Any]) -> np.ndarray:
    """Return the wall in our order."""
    tiles = [kind for hand in game["deal"] for kind in kinds(hand)]
    tiles += [kind(game["dealer_14th"])] + [kind(tile) for tile in game["wall"]]
    return np.array(tiles, np.int8)


class Player:
    """Plays one game of the other program at our table; `AssertionError` if anything differs."""

    def __init__(self, game: dict[str, Any]) -> None:
        self.game = game
        self.events = [event for event in game["events"] if event["e"] != "refund"]
        self.table = Table(rules_of_game(game), wall=wall_of_game(game))
        self.expected: list[tuple[int, ...]] = []

    def log(self) -> list[tuple[int, ...]]:
        """Return the engine's log so far, without payments."""
        rows = self.table.record["log"].reshape(-1, 4)[: int(self.table.record["logged"])].tolist()
        return [tuple(row) for row in rows if row[0] < _PAYMENTS]

    def done(self) -> bool:
        """Return whether the engine has already made the next, forced action."""
        return len(self.log()) > len(self.expected)

    def legal(self) -> set[int]:
        return set(self.table.legal)

    def play(self) -> None:
        """Play the whole game."""
        for number, event in enumerate(self.events):
            getattr(self, f"on_{event['e']}")(event, number)
            assert self.log()[: len(self.expected)] == self.expected, event

    def expect(self, event: int, seat: int, tile: int, detail: int) -> None:
        self.expected.append((int(event), seat, tile, detail))

    # Before play

    def on_exchange(self, event: dict[str, Any], number: int) -> None:
        for seat, text in enumerate(event["give"]):
            for slot, tile in enumerate(kinds(text)):
                if int(self.table.state.hands[seat].given[slot]) < 0:  # else there was no choice
                    assert self.table.actor == seat
                    self.table.act(tile)
        for seat, text in enumerate(event["give"]):
            for tile in kinds(text):
                self.expect(Event.GIVE, seat, tile, event["to"][seat])

    def on_void(self, event: dict[str, Any], number: int) -> None:
        suit = "mps".index(event["suit"])
        laid = -1 if event["first"] is None else kind(event["first"])
        assert self.table.actor == event["seat"]
        assert int(self.table.state.phase) == Phase.VOID
        self.table.act(laid if laid >= 0 else Action.VOID + suit)
        self.expect(Event.VOID, event["seat"], suit, laid)

    # Own turns

    def on_turn(self, event: dict[str, Any], number: int) -> None:
        self.own_turn(event, self.events[number + 1])

    def on_draw(self, event: dict[str, Any], number: int) -> None:
        self.expect(Event.DRAW, event["seat"], kind(event["tile"]), event["left"])
        self.own_turn(event, self.events[number + 1])

    def on_replace(self, event: dict[str, Any], number: int) -> None:
        self.expect(Event.REPLACE, event["seat"], kind(event["tile"]), event["left"])
        self.own_turn(event, self.events[number + 1])

    def own_turn(self, event: dict[str, Any], following: dict[str, Any]) -> None:
        """Compare the legal actions except discards, and perform the action of the other program's player."""
        can = set()
        for text in event.get("can", []):
            can.add(int(Action.WIN) if text == "win" else Action.OWN_KONG + kind(text.split()[1]))
        if self.done():
            assert not can, f"{event}: our engine had no choice"
            return
        assert self.table.actor == event["seat"], event
        assert {action for action in self.legal() if action >= Action.PUNG} == can, event
        self.table.act(self.own_action(following))

    def own_action(self, event: dict[str, Any]) -> int:
        if event["e"] == "win":
            return int(Action.WIN)
        return kind(event["tile"]) + (Action.OWN_KONG if event["e"] == "kong" else 0)

    def on_discard(self, event: dict[str, Any], number: int) -> None:
        if not self.done():  # after a pung
            assert self.table.actor == event["seat"]
            self.table.act(kind(event["tile"]))
        self.expect(Event.DISCARD, event["seat"], kind(event["tile"]), 1 if event.get("first") else 0)
        self.claims(event, number)

    def on_kong(self, event: dict[str, Any], number: int) -> None:
        tile, seat = kind(event["tile"]), event["seat"]
        if event["kind"] in _KONGS:
            self.expect(_KONGS[event["kind"]], seat, tile, event.get("from", -1))
            return
        self.expect(Event.ADDED_KONG, seat, tile, 1 if event["kind"] == "promoted" else 0)
        self.claims(event, number)

    # Another's tile

    def claims(self, event: dict[str, Any], number: int) -> None:
        """Compare all claims of a tile, and answer like the other program's players."""
        words = {"win": Action.WIN, "kong": Action.EXPOSED_KONG, "pung": Action.PUNG}
        can = {int(seat): {int(words[text]) for text in texts} for seat, texts in event.get("can", {}).items()}
        answers: dict[int, int] = {}
        for following in self.events[number + 1 :]:
            if following["e"] == "win" and following["from"] == event["seat"]:
                answers[following["seat"]] = int(Action.WIN)
                continue
            if following["e"] in ("kong", "pung") and following.get("from") == event["seat"] and not answers:
                answers[following["seat"]] = int(words[following["e"]])
            break
        for step in range(1, 4):
            seat = (event["seat"] + step) % 4
            if seat in can:
                assert self.table.actor == seat, event
                assert int(self.table.state.phase) == Phase.CLAIM
                assert self.legal() - {int(Action.PASS)} == can[seat], event
                self.table.act(answers.get(seat, int(Action.PASS)))

    def on_pung(self, event: dict[str, Any], number: int) -> None:
        self.expect(Event.PUNG, event["seat"], kind(event["tile"]), event["from"])

    def on_win(self, event: dict[str, Any], number: int) -> None:
        tile = kind(event["tile"])
        if "heaven" in event["circ"]:
            # The other program names the highest of fourteen tiles, we the one dealt last: the same win.
            tile = kind(self.game["dealer_14th"])
        self.expect(Event.WIN, event["seat"], tile, -1 if event["from"] is None else event["from"])

    def on_settle(self, event: dict[str, Any], number: int) -> None:
        assert self.table.over
        assert self.log() == self.expected

    # Payments

    def our_payments(self) -> list[Counter[tuple[int, int]]]:
        """Return the net payments after each move: (payer, receiver) with payer < receiver."""
        rows = self.table.record["log"].reshape(-1, 4)[: int(self.table.record["logged"])].tolist()
        groups: list[Counter[tuple[int, int]]] = []
        for event, *rest in rows:
            if event < _PAYMENTS:
                groups.append(Counter())
            else:
                add(groups[-1], rest)
        return groups

    def their_payments(self) -> list[Counter[tuple[int, int]]]:
        """Return the payments of the other program, which pays an added kong and refunds it if it is robbed."""
        groups: list[Counter[tuple[int, int]]] = []
        kong = -1
        for event in self.game["events"]:
            if event["e"] == "refund":
                group = groups[kong] if event["why"] == "robbed" else groups[-1]
                for payment in event["pay"]:
                    add(group, payment)
            elif event["e"] == "settle":
                for name in ("ready_pay", "flower_pig", "refund"):
                    for payment in event[name]:
                        add(groups[-1], payment)
            elif event["e"] == "exchange":
                groups += [Counter() for _ in range(12)]
            elif event["e"] != "turn":
                groups.append(Counter())
                kong = len(groups) - 1 if event["e"] == "kong" else kong
                for payment in event.get("pay", []):
                    add(groups[-1], payment)
        return groups


def add(group: Counter[tuple[int, int]], payment: list[int]) -> None:
    """Add a payment to net amounts; 0 is left out."""
    payer, receiver, points = payment
    pair, amount = ((payer, receiver), points) if payer < receiver else ((receiver, payer), -points)
    group[pair] += amount
    if group[pair] == 0:
        del group[pair]

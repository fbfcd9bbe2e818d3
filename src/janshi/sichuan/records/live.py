"""Events of a Sichuan game in progress: all of them, and those visible to one seat.

Events are mjai's (``start_kyoku``, ``tsumo``, ``dahai``, ``pon``, ``daiminkan``, ``ankan``, ``kakan``, ``end_kyoku``,
``end_game``), and in addition:

=============== ======================================================================================
``lay_aside``   a tile that a seat will give away (``actor``, ``pai``)
``exchange``    three tiles given: ``actor``, ``target``, ``tiles``
``void``        a seat has voided a suit: ``actor``, ``suit``, ``pai`` (the tile face down, or None)
``void_shown``  the suit becomes public: ``actor``, ``suit``
``win``         ``actor``, ``target`` (the actor itself: self-drawn), ``pai``, ``place`` (1 to 3), ``fans``, ``fan``,
                ``points``, ``robbed``
``pay``         ``reason`` and ``payments``: lists of payer, receiver, points
``settlement``  the hand is over: ``reason``, and for every seat ``hands``, ``ready``, ``pigs``
=============== ======================================================================================

>>> from janshi.table import Table
>>> table = Table("sichuan", seed=7)
>>> story = SichuanStory(table.record, table.rules, ["a", "b", "c", "d"])
>>> [event["type"] for event in story.update()]
['start_game', 'start_kyoku']
>>> table.act(table.legal[0])
>>> sichuan_seen_by(story.update()[-1], 1)
{'type': 'void', 'actor': 0, 'suit': '?', 'pai': '?'}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha1
from itertools import groupby
from typing import Any, Final

import numpy as np

from janshi.core.game import points_over_start
from janshi.records.recorder import Recorder
from janshi.records.story import HIDDEN, GameStory
from janshi.sichuan.play.wall import DEALT
from janshi.sichuan.records.jsonl import (
    FORMAT,
    SichuanRecording,
    replay_sichuan,
    write_sichuan,
)
from janshi.sichuan.rules import Rules
from janshi.sichuan.state import Ending, Event, Fan, Phase, Ready
from janshi.tiles import to_mjai

_SUITS: Final = "mps"
_OPEN: Final = {
    *("dahai", "pon", "daiminkan", "ankan", "kakan", "void_shown", "win", "pay"),
    *("settlement", "end_kyoku", "end_game"),
}
#: Calls, with the number of tiles that leave the hand.
_CALLS: Final = {Event.PUNG: ("pon", 2), Event.EXPOSED_KONG: ("daiminkan", 3)}
_REASONS: Final = {
    Event.WIN_PAY: "win",
    Event.KONG_PAY: "kong",
    Event.KONG_DISCARD_REFUND: "kong_discard_refund",
    Event.KONG_TRANSFER: "kong_transfer",
    Event.READY_PAY: "ready",
    Event.PIG_PAY: "pig",
    Event.KONG_REFUND: "kong_refund",
}
#: Payments of the settlement.
_SETTLED: Final = (Event.READY_PAY, Event.PIG_PAY, Event.KONG_REFUND)


def sichuan_seen_by(event: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return the part of an event that is visible to one seat; hidden tiles and suits are ``"?"``.

    `start_game` carries the seat's number (``id``). Raises `ValueError` for an unknown event.
    """
    kind = event["type"]
    if kind in _OPEN:
        return event
    if kind in ("tsumo", "lay_aside"):
        return event if event["actor"] == seat else {**event, "pai": HIDDEN}
    if kind == "void":
        return event if event["actor"] == seat else {**event, "suit": HIDDEN, "pai": HIDDEN}
    if kind == "exchange":
        known = seat in (event["actor"], event["target"])
        return event if known else {**event, "tiles": [HIDDEN] * len(event["tiles"])}
    if kind == "start_kyoku":
        hands = [hand if owner == seat else [HIDDEN] * len(hand) for owner, hand in enumerate(event["tehais"])]
        return {**event, "tehais": hands}
    if kind == "start_game":
        return {**event, "id": seat}
    raise ValueError(f"unknown event {kind!r}: its visible part is undefined")


class SichuanStory(GameStory):
    """Events of a table of Sichuan mahjong from its beginning; see `GameStory` for the arguments."""

    _aside: list[int]  # tiles of each seat
    _suits: list[int]  # voided
    _known: list[bool]  # to everybody
    _settled: bool

    def __init__(self, state: Any, rules: Rules, names: Sequence[str]) -> None:
        super().__init__(state, rules, names, int(Phase.HAND_OVER), SichuanRecording(rules, names))

    def _start_game(self) -> dict[str, Any]:
        return {"type": "start_game", "names": self.names, "rules": self.rules.name, "game": "sichuan"}

    def _begin_hand(self) -> None:
        state = self._state
        self._aside, self._suits = [0] * 4, [-1] * 4
        self._known, self._settled = [False] * 4, False
        dealer, wall = int(state["dealer"]), state["wall"].tolist()
        hands: list[list[int]] = [[] for _ in range(4)]
        for step in range(4):
            hands[(dealer + step) % 4] = wall[DEALT * step : DEALT * (step + 1)]
        hands[dealer] = [*hands[dealer], wall[4 * DEALT]]
        self.events.append(
            {
                "type": "start_kyoku",
                "number": self._hand_number,
                "oya": dealer,
                "scores": state["before"].tolist(),
                "tehais": [[to_mjai(tile) for tile in sorted(hand)] for hand in hands],
                "left": len(wall) - 4 * DEALT - 1,
            }
        )

    def _add_logged(self) -> None:
        self._add_aside()
        rows = self._state["log"].reshape(-1, 4)[self._logged : int(self._state["logged"])].tolist()
        for (event, _), group in groupby(rows, key=_same_event):
            self._add_rows(Event(event), list(group))

    def _add_aside(self) -> None:
        """Add the tiles newly selected for the exchange, in the order of the seats."""
        for step in range(4):
            who = (int(self._state["dealer"]) + step) % 4
            given = [tile for tile in self._state["hands"][who]["given"].tolist() if tile >= 0]
            for tile in given[self._aside[who] :]:
                self.events.append({"type": "lay_aside", "actor": who, "pai": to_mjai(tile)})
            self._aside[who] = len(given)

    def _add_rows(self, event: Event, rows: list[list[int]]) -> None:
        """Add consecutive events of one sort."""
        if event in _REASONS:
            if event in _SETTLED:
                self._settle()
            payments = [row[1:] for row in rows]
            self.events.append({"type": "pay", "reason": _REASONS[event], "payments": payments})
        elif event == Event.GIVE:
            _, giver, _, receiver = rows[0]
            tiles = [to_mjai(tile) for _, _, tile, _ in rows]
            self.events.append({"type": "exchange", "actor": giver, "target": receiver, "tiles": tiles})
        else:
            for _, who, tile, detail in rows:
                self.events.extend(self._own_events(event, who, tile, detail))

    def _own_events(self, event: Event, who: int, tile: int, detail: int) -> list[dict[str, Any]]:
        """Return the events of one row other than a payment or gift."""
        if event == Event.VOID:
            return self._voided(who, tile, detail)
        actor: dict[str, Any] = {"actor": who, "pai": to_mjai(tile)}
        if event in (Event.DRAW, Event.REPLACE):
            return [{"type": "tsumo", **actor, "left": detail}]
        if event == Event.DISCARD:
            shown = [] if self._known[who] else self._show_void(who)
            return [{"type": "dahai", **actor, "tsumogiri": False, "laid": bool(detail)}, *shown]
        if event in _CALLS:
            name, count = _CALLS[event]
            return [{"type": name, **actor, "target": detail, "consumed": [to_mjai(tile)] * count}]
        if event == Event.CONCEALED_KONG:
            return [{"type": "ankan", "actor": who, "consumed": [to_mjai(tile)] * 4}]
        if event == Event.ADDED_KONG:
            return [{"type": "kakan", **actor, "consumed": [to_mjai(tile)] * 3}]
        return [self._win(who, tile, detail)]

    def _voided(self, who: int, suit: int, laid: int) -> list[dict[str, Any]]:
        """Return the events of a voided suit, shown when all have voided or, face down, with the discard."""
        self._suits[who] = suit
        pai = None if laid < 0 else to_mjai(laid)
        events: list[dict[str, Any]] = [{"type": "void", "actor": who, "suit": _SUITS[suit], "pai": pai}]
        if not self.rules.void_face_down and min(self._suits) >= 0:
            events += [event for seat in range(4) for event in self._show_void(seat)]
        return events

    def _show_void(self, who: int) -> list[dict[str, Any]]:
        self._known[who] = True
        return [{"type": "void_shown", "actor": who, "suit": _SUITS[self._suits[who]]}]

    def _win(self, who: int, tile: int, discarder: int) -> dict[str, Any]:
        wins = self._state["wins"]
        number = next(number for number in range(self._winners()) if int(wins[number]["seat"]) == who)
        value = wins[number]["value"]
        times = value["times"].tolist()
        fans = [[fan.name.lower(), times[fan] * getattr(self.rules, fan.name.lower())] for fan in Fan if times[fan]]
        return {
            **{"type": "win", "actor": who, "target": who if discarder < 0 else discarder, "pai": to_mjai(tile)},
            **{"place": number + 1, "fans": fans, "fan": int(value["fan"]), "points": int(value["points"])},
            "robbed": bool(wins[number]["robbed"]),
        }

    def _winners(self) -> int:
        return int(self._state["winners"])

    def _settle(self) -> None:
        """Add the settlement of a hand once: all hands, ready players, flower pigs."""
        if self._settled:
            return
        self._settled = True
        state = self._state
        hands = []
        for hand in state["hands"]:
            tiles = np.repeat(np.arange(27), hand["counts"]).tolist()
            laid = int(hand["laid"])
            hands.append([to_mjai(tile) for tile in sorted([*tiles, laid] if laid >= 0 else tiles)])
        self.events.append(
            {
                "type": "settlement",
                "reason": Ending(int(state["ended"])).name.lower(),
                "hands": hands,
                "ready": (state["seats"]["ready"] == Ready.READY).tolist(),
                "pigs": (state["seats"]["pig"] > 0).tolist(),
            }
        )

    def _end_hand(self) -> None:
        self._settle()
        self._recording.add_hand(self._state)
        self.events.append({"type": "end_kyoku"})
        if int(self._state["phase"]) == Phase.GAME_OVER:
            scores = self._points()
            points = points_over_start(self.rules, scores)
            self.events.append({"type": "end_game", "scores": scores, "points": points})


def _same_event(row: list[int]) -> tuple[int, int]:
    """Return the key of rows that form one event: payments, and the gifts of one seat."""
    return row[0], row[1] if row[0] == Event.GIVE else -1


RECORDER: Final = Recorder(
    format=FORMAT,
    recording=SichuanRecording,
    story=SichuanStory,
    seen_by=sichuan_seen_by,
    replayer=lambda: replay_sichuan,
    fingerprint=lambda game: sha1(write_sichuan(game).encode(), usedforsecurity=False).digest(),
    with_rules=lambda game, rules: replace(game, rules=rules),
)

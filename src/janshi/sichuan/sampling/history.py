"""The beginning of a hand that leads to sampled tiles: its wall, its exchange, and every draw.

Every tile lies in a slot, by which it came to its seat, before it leaves that seat: as a gift, a discard or part of a
meld. A tile of the void suit that leaves after another discard came after it, as tiles of the void suit are discarded
first. The table is then played from its wall by the log of the hand, so that its story and record agree with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.rollout.sampling import SamplingError
from janshi.sichuan.play.wall import DEALT
from janshi.sichuan.records.jsonl import table_of_hand
from janshi.sichuan.records.replay import recorded_action
from janshi.sichuan.rules import Exchange, Rules
from janshi.sichuan.sampling.fitting import first_fit
from janshi.sichuan.state import KINDS, TILES, Event
from janshi.table import Table

#: Tiles that leave the hand with each event.
LAID: Final = {
    Event.DISCARD: 1,
    Event.PUNG: 2,
    Event.EXPOSED_KONG: 3,
    Event.CONCEALED_KONG: 4,
    Event.ADDED_KONG: 1,
}
#: Moments before the first row of a log: nothing has happened, tiles are dealt, and the gifts are chosen.
_BEGIN, _DEAL, _CHOICE = -3, -2, -1
#: The kind of a gift until its receiver's tiles are known.
_GIFT: Final = -1


@dataclass(slots=True)
class _Slots:
    """The slots by which tiles came to a seat."""

    times: list[int]  # row of the log, or a moment before it
    places: list[int]  # slot of the wall; −1: received in the exchange
    kinds: NDArray[np.bool_]  # kinds that each may hold (slots, 27)


@dataclass(frozen=True, slots=True)
class _Tile:
    """A tile that a seat has held: it came after row ``after`` of the log, and before row ``before``."""

    kind: int
    after: int
    before: int


class SeenHand:
    """What a seat has seen of a hand, for `begun` tables with sampled tiles.

    Args:
        rules: rules of the game.
        view: the seat's `janshi.sichuan.state.View`.
        log: the events that the seat has seen (n, 4).
    """

    def __init__(self, rules: Rules, view: Any, log: NDArray[Any]) -> None:
        self._rules, self._view, self._log = rules, view, log
        self._places: dict[int, int] = {}
        """The slot of the wall of each draw, by its row of the log."""
        self._next = 4 * DEALT + 1
        for number, (event, _, _, after) in enumerate(log.tolist()):
            if event == Event.DRAW:
                self._places[number] = self._next
                self._next += 1
            elif event == Event.REPLACE:
                self._places[number] = self._next + after

    def begun(self, sampled: Any, random: np.random.Generator) -> NDArray[Any]:
        """Return the record of a table (1) at the decision, after a hand that leads to sampled tiles.

        ``sampled``: the record of a table with these tiles. Raises `SamplingError` if no such hand is found.
        """
        wall, rows = self._dealt(sampled, random)
        view, rules = self._view, self._rules
        start = int(view["hand_number"]), int(view["dealer"]), sampled["before"].tolist(), wall.tolist()
        table = table_of_hand(rules, *start, seed=int(sampled["seed"]))
        record = table.record
        if rules.exchange == Exchange.DICE:
            record["rules"]["exchange"] = view["direction"]
        while int(record["logged"]) < len(rows):
            action = recorded_action(table.state, rows)
            if action not in table.legal:
                raise SamplingError("no hand fits what was seen")
            table.act(action)
        record["rules"]["exchange"] = rules.exchange
        if not self._agrees(table):
            raise SamplingError("no hand fits what was seen")
        return np.array([record])

    def _agrees(self, table: Table) -> bool:
        """Return whether a table shows what the seat has seen: events, values of wins, and its own hand."""
        seat = int(self._view["seat"])
        view = np.asarray(table.view(seat))
        wins = slice(int(self._view["winners"]))
        return (
            np.array_equal(table.events(seat), self._log)
            and np.array_equal(view["wins"]["value"]["times"][wins], self._view["wins"]["value"]["times"][wins])
            and bool(view["hand"] == self._view["hand"])
            and bool(view["drawn"] == self._view["drawn"])
        )

    def _dealt(self, sampled: Any, random: np.random.Generator) -> tuple[NDArray[np.int8], NDArray[Any]]:
        """Return a wall, and the log of the hand without hidden information."""
        rows = self._log.copy()
        wall = np.full(TILES, -1, np.int8)
        wall[self._next : self._next + int(self._view["left"])] = sampled["wall"][int(sampled["next"]) :]
        for seat in range(4):
            slots = self._slots(seat)
            contents = self._laid(seat, slots, self._tiles(seat, sampled["hands"][seat]), random)
            for time, place, kind in zip(slots.times, slots.places, contents.tolist(), strict=True):
                if time >= 0:
                    rows[time, 2] = kind
                if place >= 0:
                    wall[place] = kind
            voided = rows[self._voided(seat)]
            if voided[2] < 0:
                voided[2:] = sampled["hands"][seat]["void"], sampled["hands"][seat]["laid"]
        for seat in range(4):
            places = np.array(self._dealt_places(seat))
            given = rows[(rows[:, 0] == Event.GIVE) & (rows[:, 1] == seat), 2]
            wall[places[wall[places] == _GIFT]] = random.permutation(given)
        return wall, rows

    def _voided(self, seat: int) -> int:
        """Return the row in which a seat voids a suit."""
        return int(np.flatnonzero((self._log[:, 0] == Event.VOID) & (self._log[:, 1] == seat))[0])

    def _dealt_places(self, seat: int) -> list[int]:
        """Return the slots of the wall that are dealt to a seat."""
        step = (seat - int(self._view["dealer"])) % 4
        return [*range(DEALT * step, DEALT * (step + 1)), *([] if step else [4 * DEALT])]

    def _slots(self, seat: int) -> _Slots:
        """Return the slots of a seat, with what the log shows of the tiles in them."""
        places = self._dealt_places(seat)
        times = [_DEAL] * len(places)
        one, every = np.eye(KINDS, dtype=np.bool_), np.ones(KINDS, np.bool_)
        known = [every] * len(places)
        last = DEALT if len(places) > DEALT else -1  # the slot of the tile just drawn; −1: none
        for number, (event, actor, tile, detail) in enumerate(self._log.tolist()):
            received = event == Event.GIVE and detail == seat
            if received or (event in (Event.DRAW, Event.REPLACE) and actor == seat):
                last = last if received else len(times)
                known.append(one[tile] if tile >= 0 else every)
                times.append(number)
                places.append(self._places.get(number, -1))
            elif actor == seat and event in (Event.PUNG, Event.DISCARD):
                last = -1
            elif actor == seat and last >= 0:
                if (event == Event.WIN and detail < 0) or (event == Event.ADDED_KONG and detail):
                    known[last] = one[tile]
                elif event == Event.ADDED_KONG:
                    known[last] = ~one[tile]
        if last == DEALT and seat == self._view["seat"] == self._view["dealer"]:
            # The dealer's first turn. If the tile was received, the one dealt last was given away.
            known[last] = one[int(self._view["drawn"])] & self._was_dealt(int(self._view["drawn"]))
        return _Slots(times, places, np.array(known))

    def _was_dealt(self, kind: int) -> bool:
        """Return whether the seat holds a tile of a kind that it did not receive in the exchange."""
        hand = self._view["hand"]
        return bool(hand["counts"][kind] > (hand["received"] == kind).sum())

    def _tiles(self, seat: int, hand: Any) -> list[_Tile]:
        """Return the tiles that a seat has held, by its sampled hand."""
        void = int(hand["void"])
        voided = self._voided(seat)
        tiles = []
        last = _BEGIN  # its last discard of another suit

        def add(kind: int, before: int, count: int = 1) -> None:
            tiles.extend([_Tile(kind, last if kind >= 0 and kind // 9 == void else _BEGIN, before)] * count)

        for number, (event, actor, tile, detail) in enumerate(self._log.tolist()):
            if actor != seat:
                continue
            if event == Event.GIVE:
                add(_GIFT, _CHOICE)
            elif event in LAID:
                add(tile, voided if event == Event.DISCARD and detail else number, LAID[Event(event)])
                if event == Event.DISCARD and tile // 9 != void:
                    last = number
        for kind, count in enumerate(hand["counts"].tolist()):
            add(kind, len(self._log), count)
        if int(hand["laid"]) >= 0:
            add(int(hand["laid"]), voided)
        return tiles

    def _laid(self, seat: int, slots: _Slots, tiles: list[_Tile], random: np.random.Generator) -> NDArray[np.int64]:
        """Return the tile in each slot of a seat; the tiles that it received for its own are of one suit."""
        if len(tiles) != len(slots.times):
            raise SamplingError("the view and the log of the hand contradict each other")
        order = random.permutation(len(tiles))
        times = np.array(slots.times)[order][:, None]
        kinds = np.array([tile.kind for tile in tiles])
        allowed = slots.kinds[order]
        fits = (times > [tile.after for tile in tiles]) & (times < [tile.before for tile in tiles])
        # No kind: the tile was given away.
        unknown = allowed.all(axis=1, keepdims=True) | ~allowed.any(axis=1, keepdims=True)
        received = (times >= 0) & (np.array(slots.places)[order] < 0)[:, None]
        for suit in random.permutation(3).tolist():
            fitting = fits & np.where(kinds >= 0, allowed[:, kinds], unknown)
            fitting &= ~received | ~unknown | (kinds // 9 == suit)
            contents = np.full(len(tiles), _GIFT)
            try:
                contents[order[first_fit(fitting, [1] * len(tiles))]] = kinds
            except SamplingError:
                continue
            return contents
        raise SamplingError("no hand fits what was seen")

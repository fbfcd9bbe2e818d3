"""The tiles that a seat has seen in a hand: their places in the wall, and the known tiles of the others' hands.

It is read from the seat's view and its log alone, so that nothing hidden can come in. Each seat's tiles are those of
its *slots*: places in the wall that it was dealt from (13) and drew from, in order. Of every other seat it is known
which tile lay in a slot (drawn and discarded at once), or which tile has left the hand later on and so must have lain
in one of its first slots; the other slots hold the tiles that the seat still conceals.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.games import game_of
from janshi.riichi.actions import Action
from janshi.riichi.state import Event
from janshi.riichi.wall import deal_slots, dora_slot, wall_size
from janshi.table import DecisionBatch
from janshi.tiles import KINDS, NORTH, kind_of, red_of

#: Kinds of the fives, of which there are red ones.
FIVES: Final = (4, 13, 22)


@dataclass(slots=True)
class Known:
    """The known tiles of one seat."""

    seat: int
    own: bool
    """True for the observing seat, whose tiles are all known and whose discards are all in ``left``."""
    slots: list[int]
    """Places in the wall of the tiles dealt and drawn, in order."""
    tiles: list[int]
    """The tile in each; −1: not known."""
    left: list[tuple[int, int]] = field(default_factory=list)
    """Tiles that have left the hand, each with the number of its first slots among which it lay."""
    drawn: bool = False
    """True if the last slot's tile was just drawn."""
    riichi: bool = False
    before: int = 0
    """Kinds discarded up to the riichi discard, as a mask."""
    after: int = 0
    """Kinds discarded after it."""

    @property
    def concealed(self) -> int:
        """Number of tiles in the seat's hand."""
        return self.tiles.count(-1) - len(self.left)

    def draw(self, slot: int, tile: int) -> None:
        """Note a draw."""
        self.slots.append(slot)
        self.tiles.append(tile)
        self.drawn = True

    def leave(self, tile: int, *, kept: bool = False) -> None:
        """Note that a tile leaves the hand; ``kept``: that it is not the one just drawn."""
        self.left.append((tile, len(self.slots) - (kept and self.drawn)))

    def discard(self, tile: int, tsumogiri: bool) -> None:
        """Note a discard."""
        if tsumogiri and not self.own:
            self.tiles[-1] = tile
        else:
            self.leave(tile, kept=not tsumogiri)
        self.drawn = False
        # The riichi discard itself counts among those before.
        if self.riichi:
            self.after |= 1 << kind_of(tile)
        else:
            self.before |= 1 << kind_of(tile)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The tiles seen by the seat that decides, from one decision with the log of its hand."""

    rules: Any
    seat: int
    log: NDArray[np.int8]
    """The log as `janshi.riichi.state.State.log`, as far as it goes; the tiles that others drew are −1."""
    view: NDArray[Any]
    """The seat's view (1)."""
    others: tuple[Known, ...]
    """The other seats, the next one first."""
    wall: NDArray[np.int8]
    """The tile at each place of the wall, −1 where it is not known; those of the other seats' slots are −1."""
    unseen: NDArray[np.int8]
    """The tiles that were not seen, by kind."""

    @classmethod
    def of(cls, batch: DecisionBatch) -> Seen:
        """Return the tiles seen at the first of some decisions, which must have their logs."""
        view = np.asarray(batch.views)[:1]
        events = np.asarray(batch.events)[0]
        log = events["rows"][: 4 * int(events["count"])].copy()
        rules, seat = batch.rules, int(batch.seats[0])
        known = _read_log(log.reshape(-1, 4), seat, rules, int(view["dealer"][0]))
        own = known[seat]
        _place_own_deal(own, view)
        wall = np.full(136, -1, np.int8)
        wall[own.slots] = own.tiles
        for number in range(int(view["shown"][0])):
            wall[dora_slot(rules.players, number)] = view["indicators"][0, number]
        others = tuple(known[(seat + step) % rules.players] for step in range(1, rules.players))
        seen = Counter(wall[wall >= 0].tolist())
        for other in others:
            seen.update(tile for tile in other.tiles if tile >= 0)
            seen.update(tile for tile, _ in other.left)
        unseen = Counter(game_of(rules).wall(rules).tolist())
        unseen.subtract(seen)
        tiles = sorted(unseen.elements(), key=lambda tile: (kind_of(tile), tile))
        return cls(rules, seat, log, view.copy(), others, wall, np.array(tiles, np.int8))


def _read_log(rows: NDArray[np.int8], seat: int, rules: Any, dealer: int) -> list[Known]:
    """Return the tiles of every seat known from a log, without those of the deal."""
    players = rules.players
    known = [
        Known(number, number == seat, slots, [-1] * len(slots))
        for number, slots in enumerate(deal_slots(players, dealer))
    ]
    next_slot, replaced, replaces = wall_size(players) - 1 - 13 * players, 0, False
    declaring = -1
    for event, who, tile, detail in rows.tolist():
        if event == Event.DRAW:
            known[who].draw(replaced ^ 1 if replaces else next_slot, tile if who == seat else -1)
            next_slot, replaced, replaces = next_slot - (not replaces), replaced + replaces, False
        elif event == Event.DISCARD:
            known[who].discard(tile, bool(detail))
            if who == declaring:
                known[who].riichi, declaring = True, -1
        elif event == Event.RIICHI:
            declaring = who
        elif event not in (Event.ACCEPTED, Event.DORA):
            _read_meld(known[who], Event(event), tile, detail, rules)
            replaces = event in (Event.DAIMINKAN, Event.ANKAN, Event.KAKAN, Event.KITA)
    return known


def _read_meld(known: Known, event: Event, tile: int, detail: int, rules: Any) -> None:
    """Note the tiles that a seat lays down or sets aside."""
    kind = kind_of(tile)
    if event == Event.CHII:
        lowest = kind - (detail - Action.CHII) % 3
        red = detail >= Action.CHII_RED
        own = [other for other in range(lowest, lowest + 3) if other != kind]
        tiles = [red_of(other) if red and other in FIVES else other for other in own]
    elif event == Event.PON:
        tiles = _copies(kind, 2, detail - Action.PON)
    elif event in (Event.DAIMINKAN, Event.ANKAN):
        tiles = _copies(kind, 4, int(rules.red_fives[kind // 9]) if kind in FIVES else 0)
        if event == Event.DAIMINKAN:
            tiles.remove(tile)
    else:
        tiles = [NORTH] if event == Event.KITA else [tile]
    if known.riichi and not known.own:
        # Only the tile just drawn lets a seat in riichi do so. Which of four equal tiles it was makes no difference
        # to anybody: a plain one here, never the red five.
        tiles.remove(kind)
        known.tiles[-1] = kind
    for each in tiles:
        known.leave(each, kept=known.riichi and not known.own)
    if event in (Event.CHII, Event.PON, Event.DAIMINKAN):
        known.drawn = False


def _copies(kind: int, count: int, reds: int) -> list[int]:
    """So many tiles of a kind, some of them red fives."""
    return [*([red_of(kind)] * reds if reds else []), *[kind] * (count - reds)]


def _place_own_deal(own: Known, view: NDArray[Any]) -> None:
    """Lay the tiles that the looking seat was dealt into its slots, in any order: what it holds and has let go."""
    hand = view["hand"]
    tiles: Counter[int] = Counter(tile for tile, _ in own.left)
    for kind in range(KINDS):
        tiles[kind] += int(hand["counts"][0, kind])
    for suit, kind in enumerate(FIVES):
        reds = int(hand["reds"][0, suit])
        tiles[kind] -= reds
        tiles[red_of(kind)] += reds
    tiles.subtract(own.tiles[13:])
    own.tiles[:13] = sorted(tiles.elements())

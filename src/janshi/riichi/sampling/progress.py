"""The progress of people's hands: classes of hands, and the share of each class by public information.

The shares were counted from records (``research/count_progress.py``): at each decision on a seat's own turn, the hands
of the other seats not in riichi, by the cell of the public information on the hand's owner (`progress_cell`).
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int64, Record, batched, rule, zeros
from janshi.core.bits import bit_count
from janshi.core.shanten import hand_shanten, waits_mask
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.play.legal import sets_left, value_of_win
from janshi.riichi.state import DiscardFlag, State

#: The file of the counts.
COUNTS: Final = Path(__file__).parent / "progress.json"
#: Cells: turns (discards made, 18 at most), open melds (3 at most), whether another seat is in riichi, and how many of
#: the last discards were tsumogiri without a break (3 at most).
SHAPE: Final = (19, 4, 2, 4)
CELLS: Final = 19 * 4 * 2 * 4
#: Classes of the waits of a tenpai hand: one kind, two kinds, two kinds as a two-sided wait, more kinds.
WAITS: Final = 4
#: Classes of hands: tenpai by its waits where it can win by a discard (it has a yaku and is not furiten by its own
#: discards), tenpai that cannot, then 1 to 5 or more shanten.
CLASSES: Final = WAITS + 6
#: Hands at the shares of the cells with any number of tsumogiri that are added to each cell.
_PRIOR: Final = 20.0
#: Kinds that are the lower one of a two-sided wait: the ranks up to 6 of the suits.
_RUN_WAITS: Final = 0b000111111_000111111_000111111


@rule
def wait_class(waits: Int64) -> Int64:
    """Return the class of waits, given as bits of kinds."""
    kinds = bit_count(int(waits))
    if kinds == 2 and int(waits) & int(waits) >> 3 & _RUN_WAITS:
        return 2
    return min(kinds - 1, 1) if kinds <= 2 else 3


@rule
def hand_class(state: State, tables: ShantenTables, who: Int64) -> Int64:
    """Return the class of a seat's hand of 3n + 1 tiles: see `CLASSES`."""
    seat, hand = state.seats[int(who)], state.hands[int(who)]
    sets, sanma = sets_left(seat), int(state.rules.players) == 3
    shanten = hand_shanten(tables, hand.concealed, sets, sanma)
    if shanten > 0:
        return min(WAITS + shanten, CLASSES - 1)
    waits = waits_mask(tables, hand.concealed, sets, sanma)
    if waits & int(seat.river_mask) == 0:
        for kind in range(34):
            if waits >> kind & 1 and value_of_win(state, int(who), kind, False):
                return wait_class(waits)
    return WAITS


@rule
def progress_cell(state: State, who: Int64) -> Int64:
    """Return the cell of the public information on a seat: an index of an array of `SHAPE`, flattened."""
    seat = state.seats[int(who)]
    discards = int(seat.discards)
    unbroken = 0
    while unbroken < min(discards, 3) and int(seat.marks[discards - 1 - unbroken]) & DiscardFlag.TSUMOGIRI:
        unbroken += 1
    threatened = 0
    for other in range(int(state.rules.players)):
        if other != int(who) and int(state.seats[other].accepted):
            threatened = 1
    return ((min(discards, 18) * 4 + min(int(seat.opened), 3)) * 2 + threatened) * 4 + unbroken


class People(Record):
    """Numbers of people's hands: see `people`."""

    hands: Annotated[NDArray[np.int32], CELLS * CLASSES]  # by cell and class
    riichi: Annotated[NDArray[np.int32], WAITS + 1]  # of hands in riichi by the class of their waits, furiten ones last


class Shares(Record):
    """Shares of the classes of each seat's hand."""

    shares: Annotated[NDArray[np.float64], 4 * CLASSES]


@cache
def people(players: int) -> Batch[People]:
    """Return the counts of people's hands (1)."""
    counts: dict[str, Any] = json.loads(COUNTS.read_text(encoding="utf-8"))
    made = zeros(People, 1)
    record: Any = made[0]
    for name in ("hands", "riichi"):
        record[name][:] = counts[name][str(players)]
    return made


@rule
def write_shares(people: People, cell: int, who: int, written: Shares) -> None:
    """Write the share of each class among people's hands of a cell as those of a seat; none is 0.

    Cells with few hands lean on those with the same turn, melds and riichi, and these on those with the same turn.
    """
    first = CLASSES * who
    for number in range(CLASSES):
        written.shares[first + number] = 1 / CLASSES
    for width in (32, 4, 1):
        begin = cell - cell % width
        total = 0.0
        for number in range(CLASSES):
            around = _PRIOR * written.shares[first + number]
            for each in range(begin, begin + width):
                around += int(people.hands[CLASSES * each + number])
            written.shares[first + number] = around
            total += around
        for number in range(CLASSES):
            written.shares[first + number] /= total


hand_classes = batched(hand_class)
progress_cells = batched(progress_cell)
wait_classes = batched(wait_class)

"""The observation of the `meowjong` papers: 34 kinds × 366 columns of zeros and ones.

Row = kind of tile. A column is kept as one 34-bit mask, and expanded where a network runs (`expand`). Whatever is no
tile (bits of a number, flags) fills all rows of its column alike; numbers have their most significant bit first. It is
made from a `View` alone, so that nothing hidden can get into it. Source: table 3.2 of the dissertation, columns in the
order of the conference paper's table III; sanma leaves the fourth player's columns empty.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, ByteCubes, Bytes, Int64Rows, entry, leaf, rule
from janshi.engine.hand import kind_of_tile
from janshi.engine.shanten import bit_count
from janshi.engine.state import CHII, CLAIM, PON, View
from janshi.tiles import NORTH

#: Columns of an observation.
COLUMNS: Final = 366

# Where the groups of columns begin
TARGET: Final = 0
HAND: Final = 1
REDS: Final = 5
OWN_SETS: Final = 6
OWN_KITAS: Final = 42
OWN_RIVER: Final = 46
DORA: Final = 76
RIICHI: Final = 81
SCORES: Final = 99
ROUND: Final = 143
HONBA: Final = 147
DEPOSITS: Final = 151
WIND: Final = 155
OTHERS: Final = 156
#: Columns of one of the others: sets, kitas, river.
OTHER: Final = 70

_ALL: Final = (1 << 34) - 1
_SET: Final = 9
_RIVER: Final = 30


@rule
def write_bits(columns: Int64Rows, row: int, at: int, number: int, bits: int) -> None:
    """Write a number, most significant bit first, each bit over all rows; what is too large is all ones."""
    number = min(max(number, 0), (1 << bits) - 1)
    for place in range(bits):
        columns[row, at + place] = _ALL if number >> bits - 1 - place & 1 else 0


@rule
def write_player(view: View, who: int, columns: Int64Rows, row: int, sets: int, kitas: int, river: int) -> None:
    """Write what a seat has laid down and discarded."""
    seat = view.seats[who]
    for one in range(int(seat.calls)):
        meld = seat.melds[one]
        low = int(meld.kind)
        at = sets + _SET * one
        if int(meld.form) == CHII:
            columns[row, at] = 0b111 << low
        else:
            for copy in range(3 if int(meld.form) == PON else 4):
                columns[row, at + copy] = 1 << low
        write_bits(columns, row, at + 4, int(meld.turn), 5)
    for one in range(int(seat.kitas)):
        columns[row, kitas + one] = 1 << NORTH
    for one in range(min(int(seat.discards), _RIVER)):
        columns[row, river + one] = 1 << kind_of_tile(int(seat.river[one]))


@rule
def encode(view: View, columns: Int64Rows, row: int) -> None:
    """Write the observation of a view into one row of masks."""
    for column in range(COLUMNS):
        columns[row, column] = 0
    me = int(view.seat)
    players = int(view.rules.players)
    hand = view.hand
    target = int(view.tile) if int(view.phase) == CLAIM else int(view.drawn)
    for copy in range(4):
        columns[row, HAND + copy] = int(hand.held[copy + 1])
    if target >= 0:
        bit = 1 << kind_of_tile(target)
        columns[row, TARGET] = bit
        if int(view.phase) != CLAIM:
            columns[row, HAND + int(hand.counts[kind_of_tile(target)]) - 1] &= ~bit
    for suit in range(3):
        if int(hand.reds[suit]):
            columns[row, REDS] |= 1 << 4 + 9 * suit
    write_player(view, me, columns, row, OWN_SETS, OWN_KITAS, OWN_RIVER)
    for one in range(int(view.shown)):
        columns[row, DORA + one] = 1 << kind_of_tile(int(view.indicators[one]))
    for step in range(1, players):
        who = (me + step) % players
        at = RIICHI + 6 * (step - 1)
        if int(view.seats[who].riichi):
            columns[row, at] = _ALL
            write_bits(columns, row, at + 1, int(view.seats[who].riichi_turn), 5)
        first = OTHERS + OTHER * (step - 1)
        write_player(view, who, columns, row, first, first + 36, first + 40)
    for step in range(players):
        points = int(view.seats[(me + step) % players].points)
        write_bits(columns, row, SCORES + 11 * step, points // 100, 11)
    write_bits(columns, row, ROUND, int(view.kyoku), 4)
    write_bits(columns, row, HONBA, int(view.honba), 4)
    write_bits(columns, row, DEPOSITS, int(view.deposits), 4)
    columns[row, WIND] = 1 << 27 + (me - int(view.dealer)) % players


@entry
def encode_views(views: Batch[View], columns: Int64Rows) -> None:
    """Write the observations of many views."""
    for number in range(len(views)):
        encode(views[number], columns, number)


@entry
def expand_masks(columns: Int64Rows, dense: ByteCubes) -> None:
    """Write masks (n, c) as zeros and ones (n, c, 34): most columns are empty or full, most others hold one bit."""
    for number in range(len(columns)):
        for column in range(columns.shape[1]):
            mask = int(columns[number, column])
            if mask == _ALL:
                for row in range(34):
                    dense[number, column, row] = 1
            else:
                for row in range(34):
                    dense[number, column, row] = 0
                while mask:
                    dense[number, column, bit_count((mask & -mask) - 1)] = 1
                    mask &= mask - 1


@leaf
def swapped(mask: int, low: int, high: int, width: int) -> int:
    """A mask with two blocks of bits of the same width in each other's place."""
    block = (1 << width) - 1
    change = (mask >> low ^ mask >> high) & block
    return mask ^ (change << low | change << high)


@entry
def swap_kinds(columns: Int64Rows, which: Bytes) -> None:
    """Turn observations of sanma into equal ones: bit 0 of ``which`` swaps pin and sou, bit 1 swaps 1m and 9m."""
    for number in range(len(columns)):
        for column in range(columns.shape[1]):
            mask = int(columns[number, column])
            if mask != 0 and mask != _ALL:
                if int(which[number]) & 1:
                    mask = swapped(mask, 9, 18, 9)
                if int(which[number]) & 2:
                    mask = swapped(mask, 0, 8, 1)
                columns[number, column] = mask


def observe(views: Batch[View]) -> NDArray[np.int64]:
    """Return the observations of views as masks: (n, 366), int64, bit k for kind k.

    >>> from janshi.table import Tables
    >>> observe(Tables("tenhou-sanma", 2).views()).shape
    (2, 366)
    """
    columns = np.zeros((len(cast("NDArray[Any]", views)), COLUMNS), np.int64)
    encode_views(views, columns)
    return columns


def expand(columns: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return masks (n, 366 or more) as zeros and ones: (n, 366 …, 34), uint8. The paper's 34 × 366 is its transpose.

    >>> int(expand(np.full((1, 366), 3))[0, 0].sum())
    2
    """
    dense = np.zeros((*columns.shape, 34), np.uint8)
    expand_masks(np.ascontiguousarray(columns, np.int64), dense)
    return dense


def symmetric(columns: NDArray[np.int64], which: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return observations of sanma (n, 366) in which tiles of equal standing have changed places.

    Bit 0 of ``which`` (n) swaps pin and sou, bit 1 swaps 1m and 9m; all green alone tells suits apart. A mask of
    kinds (n, 1), such as a label's, is turned in the same way.

    >>> symmetric(np.full((1, 366), 1 << 9), np.array([3], np.uint8))[0, 0] == 1 << 18
    np.True_
    """
    turned = np.ascontiguousarray(columns, np.int64).copy()
    swap_kinds(turned, which)
    return turned


def column_names() -> list[str]:
    """Return what each of the 366 columns says.

    >>> names = column_names()
    >>> len(names), names[0], names[46], names[-1]
    (366, 'target', 'own discard 1', 'player 3 ahead, discard 30')
    """

    def bits(what: str, count: int) -> list[str]:
        return [f"{what}, bit {2 ** (count - 1 - place)}" for place in range(count)]

    def laid(who: str) -> list[str]:
        names = []
        for number in range(1, 5):
            names += [f"{who} set {number}, {copy} or more" for copy in range(1, 5)]
            names += bits(f"{who} set {number}, turn", 5)
        return names + [f"{who} kita {number}" for number in range(1, 5)]

    names = ["target", *(f"own tiles, {copy} or more" for copy in range(1, 5)), "own red fives", *laid("own")]
    names += [f"own discard {number}" for number in range(1, 31)]
    names += [f"dora indicator {number}" for number in range(1, 6)]
    ahead = [f"player {step} ahead," for step in range(1, 4)]
    for who in ahead:
        names += [f"{who} riichi", *bits(f"{who} riichi turn", 5)]
    for who in ("own", *ahead):
        names += bits(f"{who} score in hundreds", 11)
    for what in ("round", "honba", "deposits"):
        names += bits(what, 4)
    names.append("own wind")
    for who in ahead:
        names += [*laid(who), *(f"{who} discard {number}" for number in range(1, 31))]
    return names

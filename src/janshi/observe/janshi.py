"""Our observation: the 366 columns of the `meowjong` papers, and 35 more that a player would work out from them.

They say nothing that a `View` does not: what a seat may know, put so that a small network need not learn to count.
As in the first 366 a column is a mask of kinds; what is no tile fills all rows alike.

======== ===========================================================================================
columns  what (added to 366)
======== ===========================================================================================
0        own riichi
1        riichi has been declared, its discard is to come
2–7      shanten after the best discard (or of the hand, where no discard is to come): 0, 1, … 5 and more
8        discards that keep it
9        of them, those after which the most tiles are accepted
10–14    of them, those after which at least 4, 8, 12, 16, 24 tiles are accepted
15       kinds accepted after any of column 9, or by the hand as it is
16–19    kinds of which at least 1, 2, 3, 4 tiles cannot be seen
20–25    tiles left to draw: at least 1, 6, 12, 24, 36, 48
26, 27   closed kans and added kans that are possible
28–30    kinds that the others have discarded, next player first
31       a pon would lower the shanten
32       of columns 26 and 27, kans that leave the hand as near to ready as the best discard would
33       of them, those after which it accepts as many tiles at least
34       of columns 26 and 27, the kan of the tile just drawn: of others one has thought before
======== ===========================================================================================
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int64Rows, entry, leaf, rule, zeros
from janshi.engine.hand import kind_of_tile
from janshi.engine.shanten import AS_IT_IS, Ukeire, hand_shanten, ukeire_as_it_is, ukeire_of_discards
from janshi.engine.state import CALLED, CHII, CLAIM, PON, RIICHI_DISCARD, View
from janshi.engine.tables import WEIGHTS, Lookup, lookup
from janshi.observe.meowjong import COLUMNS, encode
from janshi.tiles import NORTH

#: Columns of our observation.
WIDE: Final = COLUMNS + 35

_ALL: Final = (1 << 34) - 1
_OWN_RIICHI: Final = COLUMNS
_DECLARED: Final = COLUMNS + 1
_SHANTEN: Final = COLUMNS + 2
_KEEPS: Final = COLUMNS + 8
_MOST: Final = COLUMNS + 9
_AT_LEAST: Final = COLUMNS + 10
_ACCEPTED: Final = COLUMNS + 15
_UNSEEN: Final = COLUMNS + 16
_LEFT: Final = COLUMNS + 20
_CLOSED_KANS: Final = COLUMNS + 26
_ADDED_KANS: Final = COLUMNS + 27
_RIVERS: Final = COLUMNS + 28
_PON_HELPS: Final = COLUMNS + 31
_KANS_KEEP: Final = COLUMNS + 32
_KANS_ACCEPT: Final = COLUMNS + 33
_KAN_DRAWN: Final = COLUMNS + 34
_TILES: Final = (4, 8, 12, 16, 24)
_WALL: Final = (1, 6, 12, 24, 36, 48)


@rule
def count_visible(view: View, out: Ukeire) -> None:
    """Count the tiles of each kind that the seat can see, into ``out.visible``."""
    for one in range(34):
        out.visible[one] = int(view.hand.counts[one])
    for who in range(int(view.rules.players)):
        seat = view.seats[who]
        out.visible[NORTH] += int(seat.kitas)
        for place in range(int(seat.discards)):
            if not int(seat.marks[place]) & CALLED:
                out.visible[kind_of_tile(int(seat.river[place]))] += 1
        for one in range(int(seat.calls)):
            meld = seat.melds[one]
            low = int(meld.kind)
            if int(meld.form) == CHII:
                for other in range(low, low + 3):
                    out.visible[other] += 1
            else:
                out.visible[low] += 3 if int(meld.form) == PON else 4
    for one in range(int(view.shown)):
        out.visible[kind_of_tile(int(view.indicators[one]))] += 1


@rule
def write_discards(view: View, out: Ukeire, columns: Int64Rows, row: int) -> int:
    """Write what the discards of a hand of 3n + 2 tiles lead to; return the least shanten."""
    held = int(view.hand.held[1])
    least = 127
    most = -1
    for one in range(34):
        if held >> one & 1:
            shanten = int(out.shanten[one])
            if shanten < least:
                least = shanten
                most = -1
            if shanten == least:
                most = max(most, int(out.left[one]))
    for one in range(34):
        if held >> one & 1 and int(out.shanten[one]) == least:
            left = int(out.left[one])
            columns[row, _KEEPS] |= 1 << one
            if left == most:
                columns[row, _MOST] |= 1 << one
                columns[row, _ACCEPTED] |= int(out.accepted[one])
            for step in range(5):
                if left >= _TILES[step]:
                    columns[row, _AT_LEAST + step] |= 1 << one
    return least


@leaf
def pon_shanten(view: View, lookups: Lookup, called: int, sets: int, sanma: bool) -> int:
    """Shanten after a pon of a kind of which the hand holds two or more, and the best discard."""
    hand = view.hand
    weight = 2 * WEIGHTS[called]
    held = int(hand.counts[called])
    bit = 1 << called
    return hand_shanten(
        lookups,
        int(hand.suits[0]) - (weight if called < 9 else 0),
        int(hand.suits[1]) - (weight if 9 <= called < 18 else 0),
        int(hand.suits[2]) - (weight if 18 <= called < 27 else 0),
        int(hand.suits[3]) - (weight if called >= 27 else 0),
        int(hand.held[1]) & ~bit if held == 2 else int(hand.held[1]),
        int(hand.held[2]) & ~bit if held < 4 else int(hand.held[2]),
        sets - 1,
        sanma,
    )


@rule
def write_kans(
    view: View, lookups: Lookup, out: Ukeire, sets: int, sanma: bool, least: int, columns: Int64Rows, row: int
) -> None:
    """Write which kans keep the ``least`` shanten that a discard leaves; ``out`` holds the discards, and is used up."""
    hand = view.hand
    kans = int(view.legal[1]) | int(view.legal[2])
    most = 0
    for one in range(34):
        if int(out.shanten[one]) == least:
            most = max(most, int(out.left[one]))
    for one in range(34):
        if not kans >> one & 1:
            continue
        closed = int(view.legal[1]) >> one & 1
        weight = WEIGHTS[one] * (4 if closed else 1)
        bit = 1 << one
        ukeire_as_it_is(
            lookups,
            int(hand.suits[0]) - (weight if one < 9 else 0),
            int(hand.suits[1]) - (weight if 9 <= one < 18 else 0),
            int(hand.suits[2]) - (weight if 18 <= one < 27 else 0),
            int(hand.suits[3]) - (weight if one >= 27 else 0),
            int(hand.held[1]) & ~bit,
            int(hand.held[2]) & ~bit,
            sets - closed,
            sanma,
            out,
        )
        if int(out.shanten[AS_IT_IS]) <= least:
            columns[row, _KANS_KEEP] |= bit
            if int(out.shanten[AS_IT_IS]) < least or int(out.left[AS_IT_IS]) >= most:
                columns[row, _KANS_ACCEPT] |= bit
    if int(view.drawn) >= 0:
        columns[row, _KAN_DRAWN] = kans & 1 << kind_of_tile(int(view.drawn))


@rule
def encode_more(view: View, lookups: Lookup, out: Ukeire, columns: Int64Rows, row: int) -> None:
    """Write the columns from 366 on of our observation of a view into one row of masks."""
    for column in range(COLUMNS, WIDE):
        columns[row, column] = 0
    me = int(view.seat)
    own = view.seats[me]
    hand = view.hand
    players = int(view.rules.players)
    sanma = players == 3
    sets = 4 - int(own.calls)
    mine = int(view.turn) == me
    man, pin, sou, honours = int(hand.suits[0]), int(hand.suits[1]), int(hand.suits[2]), int(hand.suits[3])
    once, twice = int(hand.held[1]), int(hand.held[2])
    count_visible(view, out)
    if int(view.phase) == CLAIM or not mine:
        ukeire_as_it_is(lookups, man, pin, sou, honours, once, twice, sets, sanma, out)
        shanten = int(out.shanten[AS_IT_IS])
        columns[row, _ACCEPTED] = int(out.accepted[AS_IT_IS])
        called = kind_of_tile(max(0, int(view.tile)))
        claims = int(view.phase) == CLAIM and not mine
        if claims and twice >> called & 1 and pon_shanten(view, lookups, called, sets, sanma) < shanten:
            columns[row, _PON_HELPS] = _ALL
    else:
        ukeire_of_discards(lookups, man, pin, sou, honours, once, twice, sets, sanma, out)
        shanten = write_discards(view, out, columns, row)
        if int(view.legal[1]) | int(view.legal[2]):
            write_kans(view, lookups, out, sets, sanma, shanten, columns, row)
    if int(own.riichi):
        columns[row, _OWN_RIICHI] = _ALL
    if int(view.phase) == RIICHI_DISCARD:
        columns[row, _DECLARED] = _ALL
    columns[row, _SHANTEN + min(max(shanten, 0), 5)] = _ALL
    for one in range(34):
        unseen = 4 - int(out.visible[one])
        for count in range(1, 5):
            if unseen >= count and not (sanma and 1 <= one <= 7):
                columns[row, _UNSEEN + count - 1] |= 1 << one
    for step in range(6):
        if int(view.left) >= _WALL[step]:
            columns[row, _LEFT + step] = _ALL
    columns[row, _CLOSED_KANS] = int(view.legal[1])
    columns[row, _ADDED_KANS] = int(view.legal[2])
    for step in range(1, players):
        columns[row, _RIVERS + step - 1] = int(view.seats[(me + step) % players].river_mask)


@entry
def encode_wide(views: Batch[View], lookups: Batch[Lookup], room: Batch[Ukeire], columns: Int64Rows) -> None:
    """Write our observations of many views; ``room`` is one record to work with."""
    for number in range(len(views)):
        encode(views[number], columns, number)
        encode_more(views[number], lookups[0], room[0], columns, number)


def observe_wide(views: Batch[View]) -> NDArray[np.int64]:
    """Return our observations of views as masks: (n, 401), int64, bit k for kind k; the first 366 are the papers'.

    >>> from janshi.table import Tables
    >>> observe_wide(Tables("tenhou-sanma", 2).views()).shape
    (2, 401)
    """
    columns = np.zeros((len(cast("NDArray[Any]", views)), WIDE), np.int64)
    encode_wide(views, lookup(), zeros(Ukeire, 1), columns)
    return columns


def more_column_names() -> list[str]:
    """Return what each of the columns from 366 on says.

    >>> len(more_column_names())
    35
    """
    names = ["own riichi", "riichi declared", *(f"shanten {one}" for one in range(5)), "shanten 5 or more"]
    names += ["discards that keep the shanten", "discards that accept most"]
    names += [f"discards that accept {count} or more" for count in _TILES]
    names += ["accepted kinds", *(f"{count} or more unseen" for count in range(1, 5))]
    names += [f"{count} or more tiles to draw" for count in _WALL]
    names += ["closed kans", "added kans", *(f"player {step} ahead, discarded kinds" for step in range(1, 4))]
    names += ["a pon lowers the shanten", "kans that keep the shanten", "kans that keep what is accepted"]
    return [*names, "kan of the tile drawn"]

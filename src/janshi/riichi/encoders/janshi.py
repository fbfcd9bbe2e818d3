"""The 366 columns of the `meowjong` papers and 35 derived features, all from a `View`.

The features save a small network from counting. A column is a mask of kinds; values other than tiles fill all rows.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import Int64s, Workspace, leaf, rule
from janshi.core.kinds import ALL_KINDS, kind_of_tile
from janshi.core.shanten import (
    AS_IT_IS,
    NOT_HELD,
    Ukeire,
    fill_slot,
    hand_shanten,
    ukeire_as_it_is,
    ukeire_of_discards,
)
from janshi.core.shanten_tables import ShantenTables
from janshi.encoders.base import Encoder, first_columns
from janshi.riichi.analysis.visible import count_visible, kinds_in_play
from janshi.riichi.encoders.meowjong import COLUMNS, MEOWJONG, write_meowjong
from janshi.riichi.hands.concealed import give, give_all, take, take_all
from janshi.riichi.state import Hand, Phase, View

_TILES: Final = (4, 8, 12, 16, 24)
_WALL: Final = (1, 6, 12, 24, 36, 48)
#: Additional columns by group.
_GROUPS: Final = {
    "riichi": ("own riichi", "riichi declared"),  # declared: its discard is to come
    # After the best discard, or of a hand without a discard
    "shanten": (*(f"shanten {shanten}" for shanten in range(5)), "shanten 5 or more"),
    "keeps": ("discards that keep the shanten",),
    "most": ("discards that accept most",),  # of those that keep it
    "at least": tuple(f"discards that accept {count} or more" for count in _TILES),
    "accepted": ("accepted kinds",),  # after any that accepts most, or by the hand as it is
    "unseen": tuple(f"{count} or more unseen" for count in range(1, 5)),
    "left": tuple(f"{count} or more tiles to draw" for count in _WALL),
    "kans": ("closed kans", "added kans"),
    "rivers": tuple(f"player {step} ahead, discarded kinds" for step in range(1, 4)),
    "pon": ("a pon lowers the shanten",),
    # Kans that keep the shanten of the best discard; those that also accept at least as many tiles; and the kan of the
    # tile just drawn
    "kans keep": ("kans that keep the shanten", "kans that keep what is accepted", "kan of the tile drawn"),
}
_MORE: Final = tuple(name for names in _GROUPS.values() for name in names)
_RIICHI, _SHANTEN, _KEEPS, _MOST, _AT_LEAST, _ACCEPTED, _UNSEEN, _LEFT, _KANS, _RIVERS, _PON_HELPS, _KANS_KEEP = (
    first_columns(_GROUPS, COLUMNS)
)


@leaf
def most_tiles(ukeire: Ukeire, shanten: int) -> int:
    """Return the most tiles accepted after a discard that leaves a shanten; −1 if none does."""
    most = -1
    for kind in range(34):
        if int(ukeire.shanten[kind]) == shanten:
            most = max(most, int(ukeire.left[kind]))
    return most


@rule
def write_discards(ukeire: Ukeire, columns: Int64s) -> int:
    """Write the effects of the discards of a hand of 3n + 2 tiles; return the least shanten."""
    least = NOT_HELD
    for kind in range(34):
        least = min(least, int(ukeire.shanten[kind]))
    most = most_tiles(ukeire, least)
    for kind in range(34):
        if int(ukeire.shanten[kind]) == least:
            left = int(ukeire.left[kind])
            columns[_KEEPS] |= 1 << kind
            if left == most:
                columns[_MOST] |= 1 << kind
                columns[_ACCEPTED] |= int(ukeire.accepted[kind])
            for step in range(5):
                if left >= _TILES[step]:
                    columns[_AT_LEAST + step] |= 1 << kind
    return least


@rule
def shanten_after_call(hand: Hand, tables: ShantenTables, sets: int, sanma: bool, first: int, second: int) -> int:
    """Return the shanten after a call that lays down tiles of two kinds, and the best discard."""
    give(hand, first)
    give(hand, second)
    shanten = hand_shanten(tables, hand.concealed, sets - 1, sanma)
    take(hand, first)
    take(hand, second)
    return shanten


@rule
def write_kans(
    view: View, tables: ShantenTables, ukeire: Ukeire, sets: int, sanma: bool, least: int, columns: Int64s
) -> None:
    """Write the kans that keep the ``least`` shanten after a discard.

    ``ukeire`` holds the effects of the discards; its slot `AS_IT_IS` is overwritten.
    """
    kans = int(view.legal[1]) | int(view.legal[2])
    most = max(most_tiles(ukeire, least), 0)
    for kind in range(34):
        if not kans >> kind & 1:
            continue
        closed = int(view.legal[1]) >> kind & 1
        number = 4 if closed else 1
        give_all(view.hand, kind, number)
        fill_slot(tables, view.hand.concealed, sets - closed, sanma, ukeire, AS_IT_IS)
        take_all(view.hand, kind, number)
        shanten = int(ukeire.shanten[AS_IT_IS])
        if shanten <= least:
            columns[_KANS_KEEP] |= 1 << kind
            if shanten < least or int(ukeire.left[AS_IT_IS]) >= most:
                columns[_KANS_KEEP + 1] |= 1 << kind
    if int(view.drawn) >= 0:
        columns[_KANS_KEEP + 2] = kans & 1 << kind_of_tile(int(view.drawn))


@rule
def write_shanten(view: View, tables: ShantenTables, ukeire: Ukeire, columns: Int64s) -> int:
    """Write the effects of discards, kans or a pon, and the ukeire; return the shanten."""
    own = int(view.seat)
    hand = view.hand
    sanma = int(view.rules.players) == 3
    sets = 4 - int(view.seats[own].calls)
    if int(view.phase) != Phase.CLAIM and int(view.turn) == own:
        ukeire_of_discards(tables, hand.concealed, sets, sanma, ukeire)
        shanten = write_discards(ukeire, columns)
        if int(view.legal[1]) | int(view.legal[2]):
            write_kans(view, tables, ukeire, sets, sanma, shanten, columns)
        return shanten
    ukeire_as_it_is(tables, hand.concealed, sets, sanma, ukeire)
    shanten = int(ukeire.shanten[AS_IT_IS])
    columns[_ACCEPTED] = int(ukeire.accepted[AS_IT_IS])
    if int(view.phase) == Phase.CLAIM and int(view.turn) != own and int(view.tile) >= 0:
        kind = kind_of_tile(int(view.tile))
        has_pair = int(hand.concealed.held[2]) >> kind & 1
        if has_pair and shanten_after_call(hand, tables, sets, sanma, kind, kind) < shanten:
            columns[_PON_HELPS] = ALL_KINDS
    return shanten


@rule
def write_unseen(view: View, ukeire: Ukeire, columns: Int64s, first: int) -> None:
    """Write the kinds with at least 1, 2, 3, 4 unseen tiles; the visible tiles must be counted."""
    kinds = kinds_in_play(view)
    for kind in range(34):
        for count in range(1, 5):
            if 4 - int(ukeire.visible[kind]) >= count and kinds >> kind & 1:
                columns[first + count - 1] |= 1 << kind


@rule
def write_more(view: View, tables: ShantenTables, ukeire: Ukeire, columns: Int64s) -> None:
    """Write the additional columns of a view into one row of masks."""
    own = int(view.seat)
    players = int(view.rules.players)
    count_visible(view, ukeire)
    shanten = write_shanten(view, tables, ukeire, columns)
    if int(view.seats[own].riichi):
        columns[_RIICHI] = ALL_KINDS
    if int(view.phase) == Phase.RIICHI_DISCARD:
        columns[_RIICHI + 1] = ALL_KINDS
    columns[_SHANTEN + min(max(shanten, 0), 5)] = ALL_KINDS
    write_unseen(view, ukeire, columns, _UNSEEN)
    for step in range(6):
        if int(view.left) >= _WALL[step]:
            columns[_LEFT + step] = ALL_KINDS
    columns[_KANS] = int(view.legal[1])
    columns[_KANS + 1] = int(view.legal[2])
    for step in range(1, players):
        columns[_RIVERS + step - 1] = int(view.seats[(own + step) % players].river_mask)


class EncodingWorkspace(Workspace):
    """Workspace of the encoder."""

    ukeire: Ukeire


@rule
def write_janshi(view: View, tables: ShantenTables, workspace: EncodingWorkspace, columns: Int64s) -> None:
    """Write the observation of a view into one row of masks."""
    write_meowjong(view, columns)
    write_more(view, tables, workspace.ukeire, columns)


#: The encoder.
JANSHI: Final = Encoder(
    name="janshi",
    write=write_janshi,
    columns=(*MEOWJONG.columns, *_MORE),
    extends=MEOWJONG.name,
)

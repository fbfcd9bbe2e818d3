"""Shanten, waits and accepted tiles as compiled rules.

Shanten is the number of tiles that a hand needs to become tenpai: 0 is tenpai, −1 complete. A hand is a `Shape`, its
concealed tiles; ``sets`` is the number of sets that they must form: four less the calls and kans.

Seven pairs and thirteen orphans need a hand without calls: they count if ``sets`` is 4. A caller excludes them by
clearing the masks of the shape.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Record, leaf, rule
from janshi.core.bits import bit_count
from janshi.core.kinds import ALL_KINDS, ORPHANS_MASK, SANMA_KINDS
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.core.shape import Shape

#: Slot of `Ukeire` for the hand without a discard, after those of the 34 discards.
AS_IT_IS: Final = 34
#: Value of `Ukeire.shanten` for a kind that is not held.
NOT_HELD: Final = 127


class Ukeire(Record):
    """The ukeire of a hand after each discard (0–33) and without one (slot 34): see `ukeire_of_discards`."""

    visible: Annotated[NDArray[np.int8], 34]
    """Input: tiles of each kind visible to the player, including the player's own hand."""
    shanten: Annotated[NDArray[np.int8], 35]
    """Output: shanten after the discard; `NOT_HELD` for kinds that the hand does not contain."""
    left: Annotated[NDArray[np.int16], 35]  # output: number of tiles of the accepted kinds that are not visible
    accepted: Annotated[NDArray[np.int64], 35]  # output: bit mask of the kinds whose draw lowers the shanten


@leaf
def man_class(tables: ShantenTables, man: int, sanma: bool) -> int:
    """Return the class of the man tiles; with three players 1 and 9 man only, which form no runs."""
    if sanma:
        return int(tables.ends[man % 5 + 5 * (man // WEIGHTS[8])])
    return int(tables.suit[man])


@leaf
def missing_tiles(tables: ShantenTables, x: int, y: int, sets: int) -> int:
    """Return the tiles missing from ``sets`` sets and a pair, for the joined classes of both halves of a hand."""
    return int(tables.missing[(sets << 8 | x) << 8 | y])


@leaf
def standard_shanten(tables: ShantenTables, shape: Shape, sets: int, sanma: bool) -> int:
    """Return the shanten of ``sets`` sets and a pair."""
    man, pin = man_class(tables, int(shape.suits[0]), sanma), int(tables.suit[int(shape.suits[1])])
    sou, honours = int(tables.suit[int(shape.suits[2])]), int(tables.honours[int(shape.suits[3])])
    return missing_tiles(tables, int(tables.joined[man << 8 | pin]), int(tables.joined[sou << 8 | honours]), sets) - 1


@leaf
def pairs_shanten(shape: Shape) -> int:
    """Return the shanten of seven pairs, each of another kind."""
    return 6 - bit_count(int(shape.held[2])) + max(0, 7 - bit_count(int(shape.held[1])))


@leaf
def orphans_shanten(shape: Shape) -> int:
    """Return the shanten of thirteen orphans."""
    pair = 1 if int(shape.held[2]) & ORPHANS_MASK else 0
    return 13 - bit_count(int(shape.held[1]) & ORPHANS_MASK) - pair


@rule
def hand_shanten(tables: ShantenTables, shape: Shape, sets: int, sanma: bool) -> int:
    """Return the least shanten of all forms."""
    least = standard_shanten(tables, shape, sets, sanma)
    if sets == 4:
        least = min(least, pairs_shanten(shape), orphans_shanten(shape))
    return least


@leaf
def pairs_accept(shape: Shape, kinds: int) -> int:
    """Return the kinds that advance seven pairs: those held once, and new ones while fewer than seven are held."""
    once = int(shape.held[1])
    return (once & ~int(shape.held[2])) | (kinds & ~once if bit_count(once) < 7 else 0)


@leaf
def orphans_accept(shape: Shape) -> int:
    """Return the kinds that advance thirteen orphans: the missing ones, and without a pair all thirteen."""
    return ORPHANS_MASK & ~int(shape.held[1]) if int(shape.held[2]) & ORPHANS_MASK else ORPHANS_MASK


@rule
def suit_accepts(tables: ShantenTables, index: int, partner: int, rest: int, sets: int, missing: int) -> int:
    """Return the mask (9 bits) of the kinds of a suit whose draw leaves fewer than ``missing`` tiles missing.

    ``partner`` is the class of the suit joined with this one, ``rest`` the joined class of the other two.
    """
    mask = 0
    above = index
    weight = 1
    for rank in range(9):
        if above % 5 < 4:
            drawn = int(tables.suit[index + weight])
            if missing_tiles(tables, int(tables.joined[drawn << 8 | partner]), rest, sets) < missing:
                mask |= 1 << rank
        above //= 5
        weight *= 5
    return mask


@rule
def honours_accept(tables: ShantenTables, index: int, partner: int, rest: int, sets: int, missing: int) -> int:
    """Like `suit_accepts`, for the honours (7 bits)."""
    mask = 0
    above = index
    weight = 1
    for rank in range(7):
        if above % 5 < 4:
            drawn = int(tables.honours[index + weight])
            if missing_tiles(tables, int(tables.joined[drawn << 8 | partner]), rest, sets) < missing:
                mask |= 1 << rank
        above //= 5
        weight *= 5
    return mask


@rule
def man_accepts(
    tables: ShantenTables, index: int, partner: int, rest: int, sets: int, missing: int, sanma: bool
) -> int:
    """Like `suit_accepts`, for the man tiles: with three players 1 and 9 man only."""
    if not sanma:
        return suit_accepts(tables, index, partner, rest, sets, missing)
    mask = 0
    for rank in range(0, 9, 8):
        weight = WEIGHTS[rank]
        if index // weight % 5 < 4:
            drawn = man_class(tables, index + weight, True)
            if missing_tiles(tables, int(tables.joined[drawn << 8 | partner]), rest, sets) < missing:
                mask |= 1 << rank
    return mask


@rule
def standard_accepts(tables: ShantenTables, shape: Shape, sets: int, missing: int, sanma: bool) -> int:
    """Return the mask of kinds whose draw leaves fewer than ``missing`` tiles missing from sets and pair."""
    man, pin, sou, honours = int(shape.suits[0]), int(shape.suits[1]), int(shape.suits[2]), int(shape.suits[3])
    class_man = man_class(tables, man, sanma)
    class_pin = int(tables.suit[pin])
    class_sou = int(tables.suit[sou])
    class_honours = int(tables.honours[honours])
    man_pin = int(tables.joined[class_man << 8 | class_pin])
    sou_honours = int(tables.joined[class_sou << 8 | class_honours])
    return (
        man_accepts(tables, man, class_pin, sou_honours, sets, missing, sanma)
        | suit_accepts(tables, pin, class_man, sou_honours, sets, missing) << 9
        | suit_accepts(tables, sou, class_honours, man_pin, sets, missing) << 18
        | honours_accept(tables, honours, class_sou, man_pin, sets, missing) << 27
    )


@rule
def accepts(tables: ShantenTables, shape: Shape, sets: int, sanma: bool, shanten: int) -> int:
    """Return the mask of kinds whose draw lowers ``shanten``; 0 if a hand of 3n + 1 tiles has another."""
    mask = 0
    if standard_shanten(tables, shape, sets, sanma) == shanten:
        mask = standard_accepts(tables, shape, sets, shanten + 1, sanma)
    if sets == 4:
        if pairs_shanten(shape) == shanten:
            mask |= pairs_accept(shape, SANMA_KINDS if sanma else ALL_KINDS)
        if orphans_shanten(shape) == shanten:
            mask |= orphans_accept(shape)
    return mask


@rule
def waits_mask(tables: ShantenTables, shape: Shape, sets: int, sanma: bool) -> int:
    """Return the mask of kinds that complete a hand of 3n + 1 tiles in any form; 0 if it is not tenpai.

    A kind of which the hand contains all four tiles concealed is no wait (Tenhou's rule). Tiles in calls do not count:
    the caller decides whether the fourth tile of a called triplet is a wait.
    """
    return accepts(tables, shape, sets, sanma, 0)


@rule
def fill_slot(tables: ShantenTables, shape: Shape, sets: int, sanma: bool, out: Ukeire, slot: int) -> None:
    """Write the ukeire of a hand of 3n + 1 tiles into one slot."""
    shanten = hand_shanten(tables, shape, sets, sanma)
    accepted = accepts(tables, shape, sets, sanma, shanten)
    left = 0
    for kind in range(34):
        left += (accepted >> kind & 1) * (4 - int(out.visible[kind]))
    out.shanten[slot] = shanten
    out.accepted[slot] = accepted
    out.left[slot] = left


@rule
def ukeire_as_it_is(tables: ShantenTables, shape: Shape, sets: int, sanma: bool, out: Ukeire) -> None:
    """Fill slot 34 for a hand of 3n + 1 tiles; mark all discards as not held."""
    for kind in range(34):
        out.shanten[kind] = NOT_HELD
        out.accepted[kind] = 0
        out.left[kind] = 0
    fill_slot(tables, shape, sets, sanma, out, AS_IT_IS)


@rule
def ukeire_of_discards(tables: ShantenTables, shape: Shape, sets: int, sanma: bool, out: Ukeire) -> None:
    """Fill the slots of all discards of a hand of 3n + 2 tiles, and the hand's own shanten in slot 34.

    The shape is restored afterwards.
    """
    out.shanten[AS_IT_IS] = hand_shanten(tables, shape, sets, sanma)
    out.accepted[AS_IT_IS] = 0
    out.left[AS_IT_IS] = 0
    once, twice = int(shape.held[1]), int(shape.held[2])
    for kind in range(34):
        out.shanten[kind] = NOT_HELD
        out.accepted[kind] = 0
        out.left[kind] = 0
        weight = WEIGHTS[kind]
        held = int(shape.suits[kind // 9]) // weight % 5
        if held:
            shape.suits[kind // 9] -= weight
            shape.held[1] = once & ~(1 << kind) if held == 1 else once
            shape.held[2] = twice & ~(1 << kind) if held == 2 else twice
            fill_slot(tables, shape, sets, sanma, out, kind)
            shape.suits[kind // 9] += weight
    shape.held[1] = once
    shape.held[2] = twice

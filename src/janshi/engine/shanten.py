"""Shanten, waits and accepted tiles as compiled rules.

Shanten is the number of tiles that a hand lacks to be ready: −1 complete, 0 ready (tenpai), and so on. A hand
is given by the *indices* of its man, pin, sou and honours (see `janshi.engine.tables`; one tile of a kind adds
``WEIGHTS[kind]``) and by two bit masks over the 34 kinds, ``ge1`` of those held at least once and ``ge2`` of
those held at least twice. All of them count concealed tiles only; ``sets`` is how many sets these tiles must
still make: four less the calls and kans. An engine keeps these six numbers up to date with each tile.

Seven pairs and thirteen orphans need a hand without calls: they count where ``sets`` is 4.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Record, leaf, rule
from janshi.engine.tables import WEIGHTS, Lookup
from janshi.tiles import ORPHANS

#: Bit mask of the thirteen kinds of the thirteen orphans.
ORPHANS_MASK: Final = sum(1 << kind for kind in ORPHANS)
#: Bit masks of the kinds that exist with four players and with three.
ALL_KINDS: Final = (1 << 34) - 1
SANMA_KINDS: Final = ALL_KINDS & ~(0b1111111 << 1)

#: The slot of `Ukeire` for the hand as it is, behind those of the 34 discards.
AS_IT_IS: Final = 34
#: What `Ukeire.shanten` says of a kind that cannot be discarded.
NOT_HELD: Final = 127


class Ukeire(Record):
    """What the hand accepts, after each discard (0–33) and as it is (slot 34): see `ukeire_of_discards`."""

    visible: Annotated[NDArray[np.int8], 34]
    """In: tiles of each kind that the player sees, those in his own hand included."""
    shanten: Annotated[NDArray[np.int8], 35]
    """Out: shanten after the discard; `NOT_HELD` for kinds that the hand does not hold."""
    left: Annotated[NDArray[np.int16], 35]
    """Out: how many tiles of the accepted kinds are not visible."""
    accepted: Annotated[NDArray[np.int64], 35]
    """Out: bit mask of the kinds whose draw lowers the shanten."""


@leaf
def bit_count(mask: int) -> int:
    """Number of bits set in a mask over the 34 kinds."""
    pairs = mask - (mask >> 1 & 0x155555555)
    fours = (pairs & 0x333333333) + (pairs >> 2 & 0x333333333)
    bytes_ = (fours + (fours >> 4)) & 0xF0F0F0F0F
    return (bytes_ * 0x101010101) >> 32 & 0xFF


@leaf
def man_class(lookup: Lookup, man: int, sanma: bool) -> int:
    """Class of the man tiles: with three players 1 and 9 man only, which make no runs."""
    if sanma:
        return int(lookup.ends[man % 5 + 5 * (man // 390625)])
    return int(lookup.suit[man])


@leaf
def missing_tiles(lookup: Lookup, x: int, y: int, sets: int) -> int:
    """Tiles missing from ``sets`` sets and a pair, for the joined classes of the two halves of a hand."""
    return int(lookup.missing[(sets << 8 | x) << 8 | y])


@leaf
def standard_shanten(lookup: Lookup, man: int, pin: int, sou: int, honours: int, sets: int, sanma: bool) -> int:
    """Shanten of ``sets`` sets and a pair."""
    x = int(lookup.joined[man_class(lookup, man, sanma) << 8 | int(lookup.suit[pin])])
    y = int(lookup.joined[int(lookup.suit[sou]) << 8 | int(lookup.honours[honours])])
    return missing_tiles(lookup, x, y, sets) - 1


@leaf
def pairs_shanten(ge1: int, ge2: int) -> int:
    """Shanten of seven pairs, each of another kind."""
    return 6 - bit_count(ge2) + max(0, 7 - bit_count(ge1))


@leaf
def orphans_shanten(ge1: int, ge2: int) -> int:
    """Shanten of thirteen orphans."""
    pair = 1 if ge2 & ORPHANS_MASK else 0
    return 13 - bit_count(ge1 & ORPHANS_MASK) - pair


@rule
def hand_shanten(
    lookup: Lookup, man: int, pin: int, sou: int, honours: int, ge1: int, ge2: int, sets: int, sanma: bool
) -> int:
    """The least shanten of all forms."""
    least = standard_shanten(lookup, man, pin, sou, honours, sets, sanma)
    if sets == 4:
        least = min(least, pairs_shanten(ge1, ge2), orphans_shanten(ge1, ge2))
    return least


@rule
def is_complete(
    lookup: Lookup, man: int, pin: int, sou: int, honours: int, ge1: int, ge2: int, sets: int, sanma: bool
) -> bool:
    """Whether a hand of 3n + 2 tiles is complete in any form."""
    if standard_shanten(lookup, man, pin, sou, honours, sets, sanma) < 0:
        return True
    return sets == 4 and (pairs_shanten(ge1, ge2) < 0 or orphans_shanten(ge1, ge2) < 0)


@leaf
def pairs_accept(ge1: int, ge2: int, kinds: int) -> int:
    """Kinds that bring seven pairs nearer: those held once, and new ones while there are fewer than seven."""
    return (ge1 & ~ge2) | (kinds & ~ge1 if bit_count(ge1) < 7 else 0)


@leaf
def orphans_accept(ge1: int, ge2: int) -> int:
    """Kinds that bring thirteen orphans nearer: the missing ones, and without a pair each of the thirteen."""
    return ORPHANS_MASK & ~ge1 if ge2 & ORPHANS_MASK else ORPHANS_MASK


@rule
def suit_accepts(lookup: Lookup, index: int, partner: int, rest: int, sets: int, missing: int) -> int:
    """Bit mask (9 bits) of the kinds of a suit whose draw leaves fewer than ``missing`` tiles missing.

    ``partner`` is the class of the suit joined with this one, ``rest`` the joined class of the other two.
    """
    mask = 0
    above = index
    weight = 1
    for place in range(9):
        if above % 5 < 4:
            mine = int(lookup.suit[index + weight])
            if missing_tiles(lookup, int(lookup.joined[mine << 8 | partner]), rest, sets) < missing:
                mask |= 1 << place
        above //= 5
        weight *= 5
    return mask


@rule
def honours_accept(lookup: Lookup, index: int, partner: int, rest: int, sets: int, missing: int) -> int:
    """Like `suit_accepts`, for the honours (7 bits)."""
    mask = 0
    above = index
    weight = 1
    for place in range(7):
        if above % 5 < 4:
            mine = int(lookup.honours[index + weight])
            if missing_tiles(lookup, int(lookup.joined[mine << 8 | partner]), rest, sets) < missing:
                mask |= 1 << place
        above //= 5
        weight *= 5
    return mask


@rule
def man_accepts(lookup: Lookup, index: int, partner: int, rest: int, sets: int, missing: int, sanma: bool) -> int:
    """Like `suit_accepts`, for the man tiles: with three players 1 and 9 man only."""
    if not sanma:
        return suit_accepts(lookup, index, partner, rest, sets, missing)
    mask = 0
    for place in range(0, 9, 8):
        weight = 1 if place == 0 else 390625
        if index // weight % 5 < 4:
            mine = man_class(lookup, index + weight, True)
            if missing_tiles(lookup, int(lookup.joined[mine << 8 | partner]), rest, sets) < missing:
                mask |= 1 << place
    return mask


@rule
def standard_accepts(
    lookup: Lookup, man: int, pin: int, sou: int, honours: int, sets: int, missing: int, sanma: bool
) -> int:
    """Bit mask of the kinds whose draw leaves fewer than ``missing`` tiles missing from sets and pair."""
    man_is = man_class(lookup, man, sanma)
    pin_is = int(lookup.suit[pin])
    sou_is = int(lookup.suit[sou])
    honours_are = int(lookup.honours[honours])
    x = int(lookup.joined[man_is << 8 | pin_is])
    y = int(lookup.joined[sou_is << 8 | honours_are])
    return (
        man_accepts(lookup, man, pin_is, y, sets, missing, sanma)
        | suit_accepts(lookup, pin, man_is, y, sets, missing) << 9
        | suit_accepts(lookup, sou, honours_are, x, sets, missing) << 18
        | honours_accept(lookup, honours, sou_is, x, sets, missing) << 27
    )


@rule
def accepts(
    lookup: Lookup, man: int, pin: int, sou: int, honours: int, ge1: int, ge2: int, sets: int, sanma: bool, shanten: int
) -> int:
    """Bit mask of the kinds whose draw lowers a hand of 3n + 1 tiles below ``shanten``; 0 where it is not at that."""
    mask = 0
    if standard_shanten(lookup, man, pin, sou, honours, sets, sanma) == shanten:
        mask = standard_accepts(lookup, man, pin, sou, honours, sets, shanten + 1, sanma)
    if sets == 4:
        if pairs_shanten(ge1, ge2) == shanten:
            mask |= pairs_accept(ge1, ge2, SANMA_KINDS if sanma else ALL_KINDS)
        if orphans_shanten(ge1, ge2) == shanten:
            mask |= orphans_accept(ge1, ge2)
    return mask


@rule
def waits_mask(
    lookup: Lookup, man: int, pin: int, sou: int, honours: int, ge1: int, ge2: int, sets: int, sanma: bool
) -> int:
    """Bit mask of the kinds that complete a hand of 3n + 1 tiles in any form; 0 where it is not ready.

    A kind of which the hand holds all four tiles concealed is no wait (Tenhou's rule). Tiles in calls are not
    looked at: whether a wait on the fourth tile of a called triplet counts is for the caller to say.
    """
    return accepts(lookup, man, pin, sou, honours, ge1, ge2, sets, sanma, 0)


@rule
def fill_slot(
    lookup: Lookup,
    man: int,
    pin: int,
    sou: int,
    honours: int,
    ge1: int,
    ge2: int,
    sets: int,
    sanma: bool,
    out: Ukeire,
    slot: int,
) -> None:
    """Write shanten, accepted kinds and tiles left of a hand of 3n + 1 tiles into one slot."""
    shanten = hand_shanten(lookup, man, pin, sou, honours, ge1, ge2, sets, sanma)
    accepted = accepts(lookup, man, pin, sou, honours, ge1, ge2, sets, sanma, shanten)
    left = 0
    for kind in range(34):
        left += (accepted >> kind & 1) * (4 - int(out.visible[kind]))
    out.shanten[slot] = shanten
    out.accepted[slot] = accepted
    out.left[slot] = left


@rule
def ukeire_as_it_is(
    lookup: Lookup,
    man: int,
    pin: int,
    sou: int,
    honours: int,
    ge1: int,
    ge2: int,
    sets: int,
    sanma: bool,
    out: Ukeire,
) -> None:
    """Fill slot 34 for a hand of 3n + 1 tiles; the discards are marked as not held."""
    for kind in range(34):
        out.shanten[kind] = NOT_HELD
        out.accepted[kind] = 0
        out.left[kind] = 0
    fill_slot(lookup, man, pin, sou, honours, ge1, ge2, sets, sanma, out, AS_IT_IS)


@rule
def ukeire_of_discards(
    lookup: Lookup,
    man: int,
    pin: int,
    sou: int,
    honours: int,
    ge1: int,
    ge2: int,
    sets: int,
    sanma: bool,
    out: Ukeire,
) -> None:
    """Fill the slots of all discards of a hand of 3n + 2 tiles, and the hand's own shanten in slot 34."""
    out.shanten[AS_IT_IS] = hand_shanten(lookup, man, pin, sou, honours, ge1, ge2, sets, sanma)
    out.accepted[AS_IT_IS] = 0
    out.left[AS_IT_IS] = 0
    for kind in range(34):
        out.shanten[kind] = NOT_HELD
        out.accepted[kind] = 0
        out.left[kind] = 0
        bit = 1 << kind
        weight = WEIGHTS[kind]
        index = man if kind < 9 else (pin if kind < 18 else (sou if kind < 27 else honours))
        held = index // weight % 5
        if held:
            fill_slot(
                lookup,
                man - (weight if kind < 9 else 0),
                pin - (weight if 9 <= kind < 18 else 0),
                sou - (weight if 18 <= kind < 27 else 0),
                honours - (weight if kind >= 27 else 0),
                ge1 & ~bit if held == 1 else ge1,
                ge2 & ~bit if held == 2 else ge2,
                sets,
                sanma,
                out,
                kind,
            )

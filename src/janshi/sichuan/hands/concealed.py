"""One seat's concealed tiles: changes, shanten under a void suit, and waits.

Shanten and accepted tiles of sets and a pair come from `janshi.core.shanten`, without the void suit. Unlike in Riichi,
four of a kind are two pairs.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf, rule
from janshi.core.bits import bit_count
from janshi.core.shanten import standard_accepts, standard_shanten
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.core.shape import Shape
from janshi.sichuan.state import KINDS, Hand, Seat

#: The kinds of a suit, those of suit 0.
SUIT: Final = 0b111111111
#: All kinds of the game.
ALL: Final = (1 << 27) - 1


@leaf
def suit_mask(suit: int) -> int:
    """Return the kinds of a suit; 0 for none (−1)."""
    return SUIT << 9 * suit if suit >= 0 else 0


@leaf
def take(hand: Hand, kind: int) -> None:
    """Add a tile to the hand."""
    count = int(hand.counts[kind]) + 1
    hand.counts[kind] = count
    hand.concealed.held[count] = int(hand.concealed.held[count]) | 1 << kind
    hand.concealed.suits[kind // 9] += WEIGHTS[kind]


@leaf
def give(hand: Hand, kind: int) -> None:
    """Remove a tile that the hand holds."""
    count = int(hand.counts[kind])
    hand.counts[kind] = count - 1
    hand.concealed.held[count] = int(hand.concealed.held[count]) & ~(1 << kind)
    hand.concealed.suits[kind // 9] -= WEIGHTS[kind]


@leaf
def holds_void(hand: Hand) -> bool:
    """Return whether a tile of the void suit is concealed, apart from one that lies face down."""
    return int(hand.void) >= 0 and int(hand.concealed.suits[int(hand.void)]) != 0


# ---------------------------------------------------------------------------------------------------------
# Shanten


@leaf
def pairs_of(shape: Shape) -> int:
    """Return the number of pairs; four of a kind are two."""
    return bit_count(int(shape.held[2])) + bit_count(int(shape.held[4]))


@leaf
def odd_kinds(shape: Shape) -> int:
    """Return the kinds held once or three times: each has a tile that is part of no pair."""
    once = int(shape.held[1]) & ~int(shape.held[2])
    return once | int(shape.held[3]) & ~int(shape.held[4])


@leaf
def pairs_shanten(shape: Shape) -> int:
    """Return the shanten of seven pairs; a pair of which no tile is held lacks two."""
    pairs = pairs_of(shape)
    return 6 - pairs + max(7 - pairs - bit_count(odd_kinds(shape)), 0)


@leaf
def pairs_accept(shape: Shape, void: int) -> int:
    """Return the kinds that bring seven pairs nearer: those of odd tiles, all while a pair has no tile."""
    odd = odd_kinds(shape)
    kinds = odd if pairs_of(shape) + bit_count(odd) >= 7 else ALL & ~int(shape.held[4])
    return kinds & ~suit_mask(void)


@rule
def void_shanten(tables: ShantenTables, shape: Shape, sets: int) -> int:
    """Return the shanten of tiles without the void suit, with ``sets`` sets still to make.

    Tiles of the void suit are left out and count as missing.
    """
    least = standard_shanten(tables, shape, sets, False)
    return min(least, pairs_shanten(shape)) if sets == 4 else least


@rule
def void_accepts(tables: ShantenTables, shape: Shape, sets: int, void: int, shanten: int) -> int:
    """Return the kinds whose draw lowers the given shanten; the shape holds no tile of the void suit."""
    mask = 0
    if standard_shanten(tables, shape, sets, False) == shanten:
        mask = standard_accepts(tables, shape, sets, shanten + 1, False) & ALL & ~suit_mask(void)
    if sets == 4 and pairs_shanten(shape) == shanten:
        mask |= pairs_accept(shape, void)
    return mask


# ---------------------------------------------------------------------------------------------------------
# Waits


@leaf
def held_in_full(shape: Shape, pungs: int, kongs: int) -> int:
    """Return the kinds of which a player holds all four, melds included."""
    return int(shape.held[4]) | pungs & int(shape.held[1]) | kongs


@rule
def waits_of(tables: ShantenTables, shape: Shape, void: int, pungs: int, kongs: int) -> int:
    """Return the kinds that complete a hand of 3n + 1 tiles; 0 if it is not ready or has tiles of the void suit.

    A kind of which the player holds all four, melds included, is no wait.
    """
    if void >= 0 and (int(shape.suits[void]) or (pungs | kongs) & suit_mask(void)):
        return 0
    sets = 4 - bit_count(pungs | kongs)
    if void_shanten(tables, shape, sets) != 0:
        return 0
    return void_accepts(tables, shape, sets, void, 0) & ~held_in_full(shape, pungs, kongs)


@rule
def update_waits(hand: Hand, tables: ShantenTables, pungs: int, kongs: int) -> None:
    """Update the waits after a discard or meld (3n + 1 tiles remain).

    A draw lowers the shanten by at most one, so the waits of a hand far from ready are not computed.
    """
    bound = int(hand.shanten) - 1
    hand.waits = 0
    if holds_void(hand):
        hand.shanten = max(bound, 1)
        return
    if bound <= 0:
        bound = void_shanten(tables, hand.concealed, 4 - bit_count(pungs | kongs))
        if bound == 0:
            hand.waits = waits_of(tables, hand.concealed, int(hand.void), pungs, kongs)
    hand.shanten = bound


@leaf
def divides(hand: Hand) -> bool:
    """Return whether concealed tiles divide into pungs and runs, which is unique from the lowest kind up."""
    begun = 0  # runs that began one kind before
    earlier = 0  # … and two kinds
    for kind in range(KINDS):
        if kind % 9 == 0:
            if begun or earlier:
                return False
            begun = earlier = 0
        rest = int(hand.counts[kind]) - begun - earlier
        if rest < 0:
            return False
        earlier = begun
        begun = rest % 3
    return begun == 0 and earlier == 0


@rule
def is_complete(hand: Hand) -> bool:
    """Return whether concealed tiles, with up to five of a kind, are sets and a pair."""
    complete = False
    for pair in range(KINDS):
        if int(hand.counts[pair]) >= 2 and not complete:
            hand.counts[pair] -= 2
            complete = divides(hand)
            hand.counts[pair] += 2
    return complete


@rule
def fifth_waits(seat: Seat, hand: Hand) -> int:
    """Return the kinds that would complete a hand of 3n + 1 tiles, and of which its player holds all four.

    They are no waits; only `Rules.own_fourth_waits` counts such a hand as ready. ``hand.counts`` is restored.
    """
    if (int(hand.concealed.held[1]) | int(seat.kongs)) & suit_mask(int(hand.void)):
        return 0
    full = held_in_full(hand.concealed, int(seat.pungs), int(seat.kongs))
    waits = 0
    for kind in range(KINDS):
        if full >> kind & 1:
            hand.counts[kind] += 1
            if is_complete(hand):
                waits |= 1 << kind
            hand.counts[kind] -= 1
    return waits

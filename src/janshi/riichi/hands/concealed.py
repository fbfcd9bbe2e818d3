"""One seat's concealed tiles: changes and waits."""

from __future__ import annotations

from janshi.compiling import leaf, rule
from janshi.core.kinds import ORPHANS_MASK, kind_of_tile
from janshi.core.shanten import hand_shanten, waits_mask
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.core.shape import clear_shape
from janshi.riichi.state import Hand


@leaf
def clear_hand(hand: Hand) -> None:
    """Take all concealed tiles out of a hand."""
    for kind in range(34):
        hand.counts[kind] = 0
    for suit in range(3):
        hand.reds[suit] = 0
    clear_shape(hand.concealed)


@leaf
def take(hand: Hand, tile: int) -> None:
    """Add a tile to the hand."""
    kind = kind_of_tile(tile)
    count = int(hand.counts[kind]) + 1
    hand.counts[kind] = count
    hand.concealed.held[count] = int(hand.concealed.held[count]) | 1 << kind
    hand.concealed.suits[kind // 9] += WEIGHTS[kind]
    if tile >= 34:
        hand.reds[tile - 34] += 1


@leaf
def give(hand: Hand, tile: int) -> None:
    """Remove a tile that the hand holds."""
    kind = kind_of_tile(tile)
    count = int(hand.counts[kind])
    hand.counts[kind] = count - 1
    hand.concealed.held[count] = int(hand.concealed.held[count]) & ~(1 << kind)
    hand.concealed.suits[kind // 9] -= WEIGHTS[kind]
    if tile >= 34:
        hand.reds[tile - 34] -= 1


@leaf
def take_all(hand: Hand, kind: int, number: int) -> None:
    """Add tiles of a kind to the hand."""
    for _ in range(number):
        take(hand, kind)


@leaf
def give_all(hand: Hand, kind: int, number: int) -> None:
    """Remove tiles of a kind from the hand."""
    for _ in range(number):
        give(hand, kind)


@rule
def update_waits(hand: Hand, tables: ShantenTables, sets: int, sanma: bool) -> None:
    """Update the waits after a discard or meld (3n + 1 tiles remain).

    A draw lowers the shanten by at most one, so the waits of a hand far from tenpai are not computed.
    """
    bound = int(hand.shanten) - 1
    hand.waits = 0
    if bound <= 0:
        bound = hand_shanten(tables, hand.concealed, sets, sanma)
        if bound == 0:
            hand.waits = waits_mask(tables, hand.concealed, sets, sanma)
    hand.shanten = bound


@rule
def tenpai_discards(hand: Hand, tables: ShantenTables, sets: int, sanma: bool) -> int:
    """Return the kinds whose discard leaves the hand (3n + 2 tiles) tenpai."""
    mask = 0
    held = int(hand.concealed.held[1])
    for kind in range(34):
        if held >> kind & 1:
            give(hand, kind)
            if hand_shanten(tables, hand.concealed, sets, sanma) == 0:
                mask |= 1 << kind
            take(hand, kind)
    return mask


@leaf
def orphan_kinds(hand: Hand) -> int:
    """Return the mask of the terminals and honours held."""
    return int(hand.concealed.held[1]) & ORPHANS_MASK


@rule
def kan_keeps_waits(hand: Hand, tables: ShantenTables, kind: int, sets: int, sanma: bool) -> bool:
    """Return whether a closed kan of ``kind``, with the fourth tile just drawn, keeps the waits.

    Source: Tenhou's rule for closed kans after riichi. Its records contain a kan of 2m from 111222333m2233p, although
    the hand could also be read as three runs.
    """
    give_all(hand, kind, 4)
    waits = waits_mask(tables, hand.concealed, sets - 1, sanma)
    take_all(hand, kind, 4)
    return waits == int(hand.waits)

"""One seat's concealed tiles: taking, giving, and what the hand waits for."""

from __future__ import annotations

from janshi.compiling import leaf, rule
from janshi.core.kinds import ORPHANS_MASK, kind_of_tile
from janshi.core.shanten import hand_shanten, waits_mask
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.riichi.state import Hand


@leaf
def take(hand: Hand, tile: int) -> None:
    """Put a tile into the hand."""
    kind = kind_of_tile(tile)
    count = int(hand.counts[kind]) + 1
    hand.counts[kind] = count
    hand.concealed.held[count] = int(hand.concealed.held[count]) | 1 << kind
    hand.concealed.suits[kind // 9] += WEIGHTS[kind]
    if tile >= 34:
        hand.reds[tile - 34] += 1


@leaf
def give(hand: Hand, tile: int) -> None:
    """Take a tile out of the hand, which must hold it."""
    kind = kind_of_tile(tile)
    count = int(hand.counts[kind])
    hand.counts[kind] = count - 1
    hand.concealed.held[count] = int(hand.concealed.held[count]) & ~(1 << kind)
    hand.concealed.suits[kind // 9] -= WEIGHTS[kind]
    if tile >= 34:
        hand.reds[tile - 34] -= 1


@leaf
def take_all(hand: Hand, kind: int, number: int) -> None:
    """Put tiles of a kind into the hand."""
    for _ in range(number):
        take(hand, kind)


@leaf
def give_all(hand: Hand, kind: int, number: int) -> None:
    """Take tiles of a kind out of the hand."""
    for _ in range(number):
        give(hand, kind)


@rule
def update_waits(hand: Hand, tables: ShantenTables, sets: int, sanma: bool) -> None:
    """Bring the waits up to date after a tile has left the hand or a set been laid down (3n + 1 tiles remain).

    One tile gained lowers the shanten by one at most, so nothing is computed for a hand known to be far from tenpai.
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
    """Kinds after whose discard the hand (3n + 2 tiles) is tenpai."""
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
    """Bit mask of the terminals and honours held."""
    return int(hand.concealed.held[1]) & ORPHANS_MASK


@rule
def kan_keeps_waits(hand: Hand, tables: ShantenTables, kind: int, sets: int, sanma: bool) -> bool:
    """Whether a closed kan of ``kind``, of which the fourth tile has just been drawn, leaves the waits alone.

    Source: Tenhou's rule for closed kans after riichi. Its records hold a kan of 2m from 111222333m2233p: that the
    hand could also be read as three runs does not forbid it.
    """
    give_all(hand, kind, 4)
    waits = waits_mask(tables, hand.concealed, sets - 1, sanma)
    take_all(hand, kind, 4)
    return waits == int(hand.waits)

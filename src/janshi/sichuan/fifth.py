"""Waits for a fifth tile: kinds that would complete a hand although its player holds all four.

They are no waits, since nobody can win with them. Only a rule set that counts such a hand as ready asks for them.
"""

from __future__ import annotations

from janshi.compiling import leaf, rule
from janshi.sichuan.hand import held_in_full, suit_mask
from janshi.sichuan.state import KINDS, Hand, Seat


@leaf
def divides(hand: Hand) -> bool:
    """Whether concealed tiles divide into pungs and runs: from the lowest kind up there is one way, pungs first."""
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
    """Whether concealed tiles, of which there may be five of a kind, are sets and a pair."""
    complete = False
    for pair in range(KINDS):
        if int(hand.counts[pair]) >= 2 and not complete:
            hand.counts[pair] -= 2
            complete = divides(hand)
            hand.counts[pair] += 2
    return complete


@rule
def fifth_waits(seat: Seat, hand: Hand) -> int:
    """Kinds that would complete a hand of 3n + 1 tiles whose player holds all four of them, melds included.

    The tiles of ``hand.counts`` are moved about in between, and as they were in the end.
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

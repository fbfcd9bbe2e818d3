"""What a hand accepts under a void suit: for agents, encoders and hand tools."""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Record, leaf, rule
from janshi.core.bits import bit_count
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.core.shape import Shape
from janshi.sichuan.hand import held_in_full, suit_mask, void_accepts, void_shanten
from janshi.sichuan.state import KINDS

#: The slot of `Ukeire` for the hand as it is, behind those of the 27 discards.
AS_IT_IS: Final = 27
#: What `Ukeire.shanten` says of a kind that may not be discarded.
NOT_HELD: Final = 127


class Ukeire(Record):
    """What the hand accepts, after each discard (0–26) and as it is (slot 27): see `ukeire_of_hand`."""

    visible: Annotated[NDArray[np.int8], KINDS]
    """In: tiles of each kind that the player sees, those in his own hand and melds included."""
    shanten: Annotated[NDArray[np.int8], 28]
    """Out: shanten after the discard; `NOT_HELD` for kinds that may not be discarded."""
    left: Annotated[NDArray[np.int16], 28]
    """Out: how many tiles of the accepted kinds are not visible."""
    accepted: Annotated[NDArray[np.int64], 28]
    """Out: bit mask of the kinds whose draw lowers the shanten."""


class VoidHand(Record):
    """A hand without the tiles of its void suit, and its melds."""

    concealed: Shape
    void: Annotated[int, np.int32]
    """The void suit, −1 for none."""
    pungs: Annotated[int, np.int32]
    kongs: Annotated[int, np.int32]


@leaf
def read_shape(shape: Shape, void: int, pungs: int, kongs: int, hand: VoidHand) -> None:
    """Write concealed tiles and melds, the void suit left out."""
    for suit in range(4):
        hand.concealed.suits[suit] = 0 if suit == void else int(shape.suits[suit])
    for count in range(5):
        hand.concealed.held[count] = int(shape.held[count]) & ~suit_mask(void)
    hand.void = void
    hand.pungs = pungs
    hand.kongs = kongs


@rule
def fill_slot(tables: ShantenTables, hand: VoidHand, out: Ukeire, slot: int) -> None:
    """Write shanten, accepted kinds and tiles left of a hand as it is into one slot."""
    pungs, kongs = int(hand.pungs), int(hand.kongs)
    sets = 4 - bit_count(pungs | kongs)
    shanten = void_shanten(tables, hand.concealed, sets)
    accepted = void_accepts(tables, hand.concealed, sets, int(hand.void), shanten)
    accepted &= ~held_in_full(hand.concealed, pungs, kongs)
    left = 0
    for kind in range(KINDS):
        left += (accepted >> kind & 1) * (4 - int(out.visible[kind]))
    out.shanten[slot] = shanten
    out.accepted[slot] = accepted
    out.left[slot] = left


@leaf
def take_out(shape: Shape, kind: int) -> None:
    """Take one tile out of a shape."""
    shape.suits[kind // 9] -= WEIGHTS[kind]
    for count in range(4, 0, -1):
        if int(shape.held[count]) >> kind & 1:
            shape.held[count] = int(shape.held[count]) ^ 1 << kind
            return


@leaf
def put_back(shape: Shape, kind: int) -> None:
    """Put one tile into a shape."""
    shape.suits[kind // 9] += WEIGHTS[kind]
    for count in range(1, 5):
        if not int(shape.held[count]) >> kind & 1:
            shape.held[count] = int(shape.held[count]) | 1 << kind
            return


@rule
def ukeire_of_hand(tables: ShantenTables, hand: VoidHand, out: Ukeire, discards: int) -> None:
    """Fill the slots of the given discards (a mask of kinds), and the hand's own shanten in slot 27.

    Tiles of the void suit are all one: the hand without them is the same whichever goes. The hand is the same
    afterwards. Without discards slot 27 says what the hand accepts, too.
    """
    for kind in range(KINDS):
        out.shanten[kind] = NOT_HELD
        out.accepted[kind] = 0
        out.left[kind] = 0
    fill_slot(tables, hand, out, AS_IT_IS)
    void = suit_mask(int(hand.void))
    for kind in range(KINDS):
        if discards & void & 1 << kind:
            out.shanten[kind] = int(out.shanten[AS_IT_IS])
            out.accepted[kind] = int(out.accepted[AS_IT_IS])
            out.left[kind] = int(out.left[AS_IT_IS])
        elif discards >> kind & 1:
            take_out(hand.concealed, kind)
            fill_slot(tables, hand, out, kind)
            put_back(hand.concealed, kind)

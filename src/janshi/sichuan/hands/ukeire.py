"""Ukeire under a void suit."""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int32, Record, leaf, rule
from janshi.core.bits import bit_count
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.core.shape import Shape
from janshi.sichuan.hands.concealed import held_in_full, suit_mask, void_accepts, void_shanten
from janshi.sichuan.state import KINDS

#: Slot of `Ukeire` for the undiscarded hand, after those of the 27 discards.
AS_IT_IS: Final = 27
#: Value of `Ukeire.shanten` for a kind that may not be discarded.
NOT_HELD: Final = 127


class Ukeire(Record):
    """Ukeire after each discard (slots 0–26) and of the hand itself (slot 27): see `ukeire_of_hand`."""

    visible: Annotated[NDArray[np.int8], KINDS]
    """In: tiles of each kind visible to the player, including the own hand and melds."""
    shanten: Annotated[NDArray[np.int8], 28]
    """Out: shanten after the discard; `NOT_HELD` for kinds that may not be discarded."""
    left: Annotated[NDArray[np.int16], 28]  # out: how many tiles of the accepted kinds are not visible
    accepted: Annotated[NDArray[np.int64], 28]  # out: bit mask of the kinds whose draw lowers the shanten


class VoidHand(Record):
    """A hand without the tiles of its void suit, and its melds."""

    concealed: Shape
    void: Int32  # the void suit, −1 for none
    pungs: Int32
    kongs: Int32


@leaf
def read_shape(shape: Shape, void: int, pungs: int, kongs: int, hand: VoidHand) -> None:
    """Write concealed tiles and melds without the void suit."""
    for suit in range(4):
        hand.concealed.suits[suit] = 0 if suit == void else int(shape.suits[suit])
    for count in range(5):
        hand.concealed.held[count] = int(shape.held[count]) & ~suit_mask(void)
    hand.void = void
    hand.pungs = pungs
    hand.kongs = kongs


@rule
def fill_slot(tables: ShantenTables, hand: VoidHand, out: Ukeire, slot: int) -> None:
    """Write shanten, accepted kinds and tiles left of a hand into one slot."""
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
    """Remove one tile from a shape."""
    shape.suits[kind // 9] -= WEIGHTS[kind]
    for count in range(4, 0, -1):
        if int(shape.held[count]) >> kind & 1:
            shape.held[count] = int(shape.held[count]) ^ 1 << kind
            return


@leaf
def put_back(shape: Shape, kind: int) -> None:
    """Add one tile to a shape."""
    shape.suits[kind // 9] += WEIGHTS[kind]
    for count in range(1, 5):
        if not int(shape.held[count]) >> kind & 1:
            shape.held[count] = int(shape.held[count]) | 1 << kind
            return


@rule
def ukeire_of_hand(tables: ShantenTables, hand: VoidHand, out: Ukeire, discards: int) -> None:
    """Fill the slots of the given discards (a mask of kinds), and slot 27 for the hand itself.

    All tiles of the void suit give the same result. The hand is restored.
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

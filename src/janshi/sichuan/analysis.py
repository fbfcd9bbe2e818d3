"""Analysis of a seat's view of a Sichuan table: visible tiles, values of waits, effects of melds."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Workspace, leaf, rule
from janshi.core.bits import bit_count
from janshi.core.shanten import standard_shanten
from janshi.core.shanten_tables import ShantenTables
from janshi.sichuan.hands.concealed import suit_mask, void_shanten
from janshi.sichuan.hands.scoring import evaluate, hold_with
from janshi.sichuan.hands.ukeire import AS_IT_IS, Ukeire, VoidHand, put_back, read_shape, take_out
from janshi.sichuan.state import KINDS, Value, View, Winning


class TileCounts(Workspace):
    """Tiles of each kind held by and visible to a seat."""

    held: Annotated[NDArray[np.int8], KINDS]  # in the hand, including one that lies face down
    visible: Annotated[NDArray[np.int8], KINDS]  # those, and all in rivers and melds


class HandAnalysis(Workspace):
    """Workspace: a hand, its ukeire and its value."""

    hand: VoidHand
    ukeire: Ukeire
    winning: Winning
    value: Value


@rule
def count_tiles(view: View, tiles: TileCounts) -> None:
    """Write the tiles held by and visible to the seat."""
    for kind in range(KINDS):
        tiles.held[kind] = int(view.hand.counts[kind])
    if int(view.hand.laid) >= 0:
        tiles.held[int(view.hand.laid)] += 1
    for kind in range(KINDS):
        visible = int(tiles.held[kind])
        for who in range(4):
            seat = view.seats[who]
            visible += int(seat.discarded[kind])
            visible += 3 * (int(seat.pungs) >> kind & 1) + 4 * (int(seat.kongs) >> kind & 1)
        tiles.visible[kind] = min(visible, 4)


@leaf
def read_hand(view: View, tiles: TileCounts, analysis: HandAnalysis, void: int) -> None:
    """Write the seat's hand and melds under a void suit, also as those of a win, and the visible tiles."""
    seat = view.seats[int(view.seat)]
    read_shape(view.hand.concealed, void, int(seat.pungs), int(seat.kongs), analysis.hand)
    analysis.winning.pungs = int(seat.pungs)
    analysis.winning.kongs = int(seat.kongs)
    analysis.winning.circumstances = 0
    for kind in range(KINDS):
        analysis.ukeire.visible[kind] = int(tiles.visible[kind])


@rule
def points_left(view: View, analysis: HandAnalysis, accepted: int) -> int:
    """Return the tiles left of the waits of a ready hand, each times the value of a win with it."""
    winning = analysis.winning
    total = 0
    for kind in range(KINDS):
        if accepted >> kind & 1:
            winning.kind = kind
            hold_with(analysis.hand.concealed, kind, winning)
            points = evaluate(view.rules, winning, analysis.value)
            total += (4 - int(analysis.ukeire.visible[kind])) * (points + int(view.rules.base_points))
    return total


@rule
def points_after(view: View, analysis: HandAnalysis, slot: int) -> int:
    """Return `points_left` of the waits after a discard, or of the hand `AS_IT_IS`."""
    discarded = slot != AS_IT_IS and not suit_mask(int(analysis.hand.void)) >> slot & 1
    if discarded:
        take_out(analysis.hand.concealed, slot)
    points = points_left(view, analysis, int(analysis.ukeire.accepted[slot]))
    if discarded:
        put_back(analysis.hand.concealed, slot)
    return points


@rule
def shanten_with(tables: ShantenTables, analysis: HandAnalysis, copies: int, kind: int) -> int:
    """Return the shanten after a meld of ``copies`` tiles of the hand, and the best discard if it is a pung.

    A pung that completes the hand leaves it ready: a tile is still to discard.
    """
    hand = analysis.hand
    for _ in range(copies):
        take_out(hand.concealed, kind)
    sets = 4 - bit_count(int(hand.pungs) | int(hand.kongs) | 1 << kind)
    shanten = max(void_shanten(tables, hand.concealed, sets), 0)
    for _ in range(copies):
        put_back(hand.concealed, kind)
    return shanten


@rule
def shanten_with_own_kong(tables: ShantenTables, analysis: HandAnalysis, kind: int) -> int:
    """Return the shanten of the hand after a concealed or added kong of a kind."""
    copies = 1 if int(analysis.hand.pungs) >> kind & 1 else 4
    return shanten_with(tables, analysis, copies, kind)


@rule
def flush_lacks(tables: ShantenTables, analysis: HandAnalysis, suit: int) -> int:
    """Return the tiles missing from a complete hand of one suit alone; 99 if a meld rules it out."""
    hand = analysis.hand
    melds = int(hand.pungs) | int(hand.kongs)
    if suit == int(hand.void) or melds & ~suit_mask(suit):
        return 99
    suits = hand.concealed.suits
    next_suit, last_suit = (suit + 1) % 3, (suit + 2) % 3
    first, second = int(suits[next_suit]), int(suits[last_suit])
    suits[next_suit] = 0
    suits[last_suit] = 0
    lacking = standard_shanten(tables, hand.concealed, 4 - bit_count(melds), False) + 1
    suits[next_suit] = first
    suits[last_suit] = second
    return lacking

"""Sampling hands by the class of their shanten: a Metropolis walk that swaps tiles, compiled.

Evenly sampled hands are farther from tenpai than people's. The walk swaps hidden tiles among the hands and the tiles
that nobody holds; a swap is taken with the ratio of the weights of the hands' classes
(`janshi.riichi.sampling.progress`). Its hands are distributed as the even ones, times the product of the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int16s, Int64, Record, batched, dtype_of, leaf, rule
from janshi.core.random import Stream, below, philox
from janshi.core.rows import take_rows
from janshi.core.shanten_tables import ShantenTables
from janshi.core.shape import clear_shape
from janshi.riichi.hand import give, take
from janshi.riichi.sampling.progress import CLASSES, class_shares, hand_class, progress_cells
from janshi.riichi.state import Hand, State

#: Swaps of the walks that find the weights, each round before and while the visits are counted.
_ROUNDS: Final = ((0, 200), (200, 300), (300, 500), (300, 500), (500, 2000))
#: Swaps of the walk of a sample.
_STEPS: Final = 2000


class Walk(Record):
    """A walk of the hands of one table."""

    tiles: Annotated[NDArray[np.int8], 136]
    """Tile (0 to 36) of each number in ``labels``."""
    bounds: Annotated[NDArray[np.int64], 8]
    """First and end index of each seat's hand in ``labels``; equal for hands that stay."""
    weights: Annotated[NDArray[np.float64], 4 * CLASSES]
    """Of the classes of each seat's hand."""
    visits: Annotated[NDArray[np.int64], 4 * CLASSES]
    """Steps that each seat's hand was in each class."""
    classes: Annotated[NDArray[np.int64], 4]
    """Class of each seat's hand."""


@leaf
def holder(walk: Walk, place: int) -> int:
    """Return the seat whose hand a place of labels belongs to, or −1."""
    for seat in range(4):
        if int(walk.bounds[2 * seat]) <= place < int(walk.bounds[2 * seat + 1]):
            return seat
    return -1


@leaf
def clear_hand(hand: Hand) -> None:
    """Take all concealed tiles out of a hand."""
    for kind in range(34):
        hand.counts[kind] = 0
    for suit in range(3):
        hand.reds[suit] = 0
    clear_shape(hand.concealed)


@rule
def fill_hands(state: State, tables: ShantenTables, walk: Walk, labels: Int16s) -> None:
    """Fill the hands that do not stay with the tiles at their places."""
    for seat in range(4):
        if int(walk.bounds[2 * seat]) < int(walk.bounds[2 * seat + 1]):
            clear_hand(state.hands[seat])
            for place in range(int(walk.bounds[2 * seat]), int(walk.bounds[2 * seat + 1])):
                take(state.hands[seat], int(walk.tiles[int(labels[place])]))
            walk.classes[seat] = hand_class(state, tables, seat)


@rule
def replace(state: State, tables: ShantenTables, walk: Walk, seat: int, gone: int, come: int) -> float:
    """Replace a tile of a seat's hand (−1: nobody's); return the weight of its class after over that before."""
    if seat < 0:
        return 1.0
    give(state.hands[seat], gone)
    take(state.hands[seat], come)
    before = int(walk.classes[seat])
    after = hand_class(state, tables, seat)
    walk.classes[seat] = after
    ratio: float = walk.weights[CLASSES * seat + after] / walk.weights[CLASSES * seat + before]
    return ratio


@leaf
def restore(state: State, walk: Walk, seat: int, gone: int, come: int, before: int) -> None:
    """Undo `replace`; ``before``: the class before."""
    if seat >= 0:
        give(state.hands[seat], come)
        take(state.hands[seat], gone)
        walk.classes[seat] = before


@rule
def walk_hands(
    state: State, tables: ShantenTables, walk: Walk, labels: Int16s, seed: Int64, steps: int
) -> None:
    """Try swaps of hidden tiles, in place.

    Args:
        state: a table on which all but the other seats' hands is as it was seen; hands are overwritten.
        tables: of shanten.
        walk: whose hands are walked, and the weights.
        labels: numbers of the hidden tiles: the hands' first, then of those that nobody holds.
        seed: of the random numbers.
        steps: swaps that are tried.
    """
    fill_hands(state, tables, walk, labels)
    first, last = len(labels), 0
    for seat in range(4):
        if int(walk.bounds[2 * seat]) < int(walk.bounds[2 * seat + 1]):
            first, last = min(first, int(walk.bounds[2 * seat])), max(last, int(walk.bounds[2 * seat + 1]))
    for step in range(steps if first < last else 0):
        here, there, chance, _ = philox(int(seed), Stream.PLAY, 0, step)
        one, two = first + below(here, last - first), first + below(there, len(labels) - first)
        mine, other = holder(walk, one), holder(walk, two)
        gone, come = int(walk.tiles[int(labels[one])]), int(walk.tiles[int(labels[two])])
        if mine != other and gone != come:
            before, others = int(walk.classes[mine]), int(walk.classes[max(other, 0)])
            ratio = replace(state, tables, walk, mine, gone, come) * replace(state, tables, walk, other, come, gone)
            if chance < ratio * 4294967296.0:
                labels[one], labels[two] = labels[two], labels[one]
            else:
                restore(state, walk, mine, gone, come, before)
                restore(state, walk, other, come, gone, others)
        for seat in range(4):
            walk.visits[CLASSES * seat + int(walk.classes[seat])] += 1


walk_all = batched(walk_hands)


class PeopleHands:
    """Hands of the seats not in riichi, as close to winning as people's are.

    Even hands are walked with weights under which the classes of each seat's hand have the shares that people's hands
    have in the seat's cell. The weights are found by walks too: after each the weight of a class is multiplied by its
    share among people's hands over its share among the visits.

    Args:
        state: a table (1) on which all but the other seats' hands is as it was seen.
        tiles: tile (0 to 36) of each number in ``labels``.
        spans: first and end index of each seat's hand in ``labels``.
        labels: evenly sampled labels (n, places), to find the weights with.
    """

    def __init__(
        self,
        state: NDArray[Any],
        tiles: NDArray[np.int8],
        spans: Mapping[int, tuple[int, int]],
        labels: NDArray[np.int16],
    ) -> None:
        self._state = state
        self._walk: NDArray[Any] = np.zeros(1, dtype_of(Walk))
        self._walk["tiles"][0, : len(tiles)] = tiles
        weights = self._walk["weights"][0].reshape(4, CLASSES)
        weights[:] = 1
        for seat, span in spans.items():
            self._walk["bounds"][0, 2 * seat : 2 * seat + 2] = span
        seats = list(spans)
        cells = progress_cells(take_rows(state, np.zeros(len(seats), np.int64)), np.array(seats, np.int64))
        shares = class_shares(int(state["rules"]["players"][0]))[cells]
        random = np.random.default_rng(0)
        for burn_in, steps in _ROUNDS:
            labels, _ = self._walked(labels, burn_in, random)
            labels, visits = self._walked(labels, steps, random)
            met = visits[seats] + 1.0
            weights[seats] *= shares / (met / met.sum(axis=1, keepdims=True))

    def walked(self, labels: NDArray[np.int16], random: np.random.Generator) -> NDArray[np.int16]:
        """Return evenly sampled labels (n, places) after a walk."""
        return self._walked(labels, _STEPS, random)[0]

    def _walked(
        self, labels: NDArray[np.int16], steps: int, random: np.random.Generator
    ) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        """Return labels after a walk, and the visits of each seat's classes (4, classes)."""
        rows = np.zeros(len(labels), np.int64)
        walks, walked = self._walk[rows], labels.copy()
        walk_all(take_rows(self._state, rows), walks, walked, random.integers(1 << 62, size=len(labels)), steps)
        return walked, walks["visits"].sum(axis=0).reshape(4, CLASSES)

"""Sampling hands by the class of their shanten: a Metropolis walk that swaps tiles, compiled.

Evenly sampled hands are farther from tenpai than people's. The walk swaps hidden tiles among the hands and the tiles
that nobody holds; a swap is taken with the ratio of the weights of the hands' classes
(`janshi.riichi.sampling.progress`). Its hands are distributed as the even ones, times the product of the weights.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int16, Record, leaf, rule
from janshi.core.random import RandomNumbers, Stream, below, next_seed, philox
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.hands.concealed import clear_hand, give, take
from janshi.riichi.sampling.progress import CLASSES, Shares, hand_class
from janshi.riichi.state import State

#: Swaps of the walks that find the weights, each round before and while the visits are counted.
_ROUNDS: Final = ((0, 200), (200, 300), (300, 500), (300, 500), (500, 2000))
#: Number of these walks.
CHAINS: Final = 256
#: Swaps of the walk of a sample.
STEPS: Final = 2000


class Walk(Record):
    """A walk of the hands of one table."""

    tiles: Annotated[NDArray[np.int8], 136]
    """Tile (0 to 36) of each number in ``labels``."""
    labels: Annotated[NDArray[np.int16], 136]
    """Numbers of the hidden tiles: the hands' first, then of those that nobody holds."""
    bounds: Annotated[NDArray[np.int64], 8]
    """First and end index of each seat's hand in ``labels``; equal for hands that stay."""
    weights: Annotated[NDArray[np.float64], 4 * CLASSES]
    """Of the classes of each seat's hand."""
    visits: Annotated[NDArray[np.int64], 4 * CLASSES]
    """Steps that each seat's hand was in each class."""
    classes: Annotated[NDArray[np.int64], 4]
    """Class of each seat's hand."""
    people: Shares
    count: Int16  # hidden tiles


class Chains(Record):
    """Walks by which the weights are found."""

    labels: Annotated[NDArray[np.int16], CHAINS * 136]


@leaf
def holder(walk: Walk, place: int) -> int:
    """Return the seat whose hand a place of labels belongs to, or −1."""
    for seat in range(4):
        if int(walk.bounds[2 * seat]) <= place < int(walk.bounds[2 * seat + 1]):
            return seat
    return -1


@rule
def fill_hands(state: State, tables: ShantenTables, walk: Walk) -> None:
    """Fill the hands that do not stay with the tiles at their places."""
    for seat in range(4):
        if int(walk.bounds[2 * seat]) < int(walk.bounds[2 * seat + 1]):
            clear_hand(state.hands[seat])
            for place in range(int(walk.bounds[2 * seat]), int(walk.bounds[2 * seat + 1])):
                take(state.hands[seat], int(walk.tiles[int(walk.labels[place])]))
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
def walk_hands(state: State, tables: ShantenTables, walk: Walk, seed: int, steps: int) -> None:
    """Try swaps of hidden tiles, in place.

    Args:
        state: a table on which all but the other seats' hands is as it was seen; hands are overwritten.
        tables: of shanten.
        walk: whose hands are walked, and the weights.
        seed: of the random numbers.
        steps: swaps that are tried.
    """
    fill_hands(state, tables, walk)
    first, last = int(walk.count), 0
    for seat in range(4):
        if int(walk.bounds[2 * seat]) < int(walk.bounds[2 * seat + 1]):
            first, last = min(first, int(walk.bounds[2 * seat])), max(last, int(walk.bounds[2 * seat + 1]))
    for step in range(steps if first < last else 0):
        here, there, chance, _ = philox(int(seed), Stream.PLAY, 0, step)
        one, two = first + below(here, last - first), first + below(there, int(walk.count) - first)
        mine, other = holder(walk, one), holder(walk, two)
        gone, come = int(walk.tiles[int(walk.labels[one])]), int(walk.tiles[int(walk.labels[two])])
        if mine != other and gone != come:
            before, others = int(walk.classes[mine]), int(walk.classes[max(other, 0)])
            ratio = replace(state, tables, walk, mine, gone, come) * replace(state, tables, walk, other, come, gone)
            if chance < ratio * 4294967296.0:
                walk.labels[one], walk.labels[two] = int(walk.labels[two]), int(walk.labels[one])
            else:
                restore(state, walk, mine, gone, come, before)
                restore(state, walk, other, come, gone, others)
        for seat in range(4):
            walk.visits[CLASSES * seat + int(walk.classes[seat])] += 1


@rule
def walk_chain(
    state: State, tables: ShantenTables, walk: Walk, chains: Chains, chain: int, seed: int, steps: int
) -> None:
    """Walk the hands of a chain."""
    first = chain * 136
    for place in range(int(walk.count)):
        walk.labels[place] = int(chains.labels[first + place])
    walk_hands(state, tables, walk, seed, steps)
    for place in range(int(walk.count)):
        chains.labels[first + place] = int(walk.labels[place])


@rule
def find_weights(state: State, tables: ShantenTables, walk: Walk, chains: Chains, numbers: RandomNumbers) -> None:
    """Find the weights under which the classes of each seat's hand have the shares of ``walk``.

    Even hands, those of the chains, are walked; after each round the weight of a class is multiplied by its share among
    people's hands over its share among the visits.
    """
    for seat in range(4 * CLASSES):
        walk.weights[seat] = 1.0
    for burn_in, steps in _ROUNDS:
        for chain in range(CHAINS):
            walk_chain(state, tables, walk, chains, chain, next_seed(numbers, Stream.SAMPLES), burn_in)
        for place in range(4 * CLASSES):
            walk.visits[place] = 0
        for chain in range(CHAINS):
            walk_chain(state, tables, walk, chains, chain, next_seed(numbers, Stream.SAMPLES), steps)
        for seat in range(4):
            if int(walk.bounds[2 * seat]) < int(walk.bounds[2 * seat + 1]):
                met = float(CLASSES)
                for number in range(CLASSES):
                    met += int(walk.visits[CLASSES * seat + number])
                for number in range(CLASSES):
                    place = CLASSES * seat + number
                    walk.weights[place] *= walk.people.shares[place] / ((int(walk.visits[place]) + 1) / met)

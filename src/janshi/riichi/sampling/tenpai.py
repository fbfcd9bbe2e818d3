"""Tenpai hands drawn evenly from tiles: each set of physical tiles that is tenpai is as likely as the other.

Hands of sets and a pair are counted, not searched: shanten depends on the *classes* of the four suits alone
(`janshi.core.shanten_tables`), so that the sets of tiles of a suit, weighed by the ways to choose them, are summed by
size and class, then joined in two steps. A hand is drawn down the same way: sizes and classes, then the tiles of each
suit. Seven pairs and thirteen orphans are drawn tile by tile, and those of them left out that the first way finds too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from math import comb
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from janshi.core.shanten_tables import shanten_tables
from janshi.tiles import KINDS, ORPHANS

Ints: TypeAlias = NDArray[np.int64]
Weights: TypeAlias = NDArray[np.float64]

#: ``CHOICES[n, k]``: ways to choose k of n equal tiles.
CHOICES: Final = np.array([[comb(n, k) for k in range(5)] for n in range(5)], np.float64)
#: Most tiles of a hand that waits.
_MOST: Final = 13
_SUITS: Final = ((0, 9), (9, 18), (18, 27), (27, 34))


@dataclass(frozen=True, slots=True, eq=False)
class _Grouped:
    """Things with weights, sorted by a key, to be drawn by their weights within a key."""

    order: Ints
    """The things, by key."""
    keys: Ints
    """Each key once, ascending."""
    first: Ints
    """First index of each key's items, and the end of the last."""
    sums: Weights
    """Sums of the weights before each thing, and in all."""

    @classmethod
    def of(cls, keys: Ints, order: Ints, weights: Weights) -> _Grouped:
        """Group things that are sorted by key; all arrays (n), sorted."""
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        sums = np.concatenate([[0.0], np.cumsum(weights)])
        return cls(order, keys[first], np.append(first, len(keys)), sums)

    @property
    def weights(self) -> Weights:
        """The weight of each key."""
        weights: Weights = np.diff(self.sums[self.first])
        return weights

    def draw(self, numbers: Ints, random: np.random.Generator) -> Ints:
        """Return a thing of each of some keys (numbers in ``keys``), drawn by the weights."""
        low, high = self.sums[self.first[numbers]], self.sums[self.first[numbers + 1]]
        places = np.searchsorted(self.sums, low + random.random(len(numbers)) * (high - low), side="right") - 1
        drawn: Ints = self.order[np.clip(places, self.first[numbers], self.first[numbers + 1] - 1)]
        return drawn


@cache
def _suit_keys(suit: int, sanma: bool) -> tuple[Ints, Ints]:
    """Keys (16 bits: tiles and class) of the sets of tiles of a suit, ascending, and the sets' indices in base 5."""
    tables: Any = shanten_tables()[0]
    length = 2 if suit == 0 and sanma else _SUITS[suit][1] - _SUITS[suit][0]
    classes = tables["ends" if length == 2 else "suit" if length == 9 else "honours"].astype(np.int64)
    digits = np.arange(5)
    sizes = reduce(lambda sums, _: (digits[:, None] + sums).reshape(-1), range(length - 1), digits)
    possible = np.flatnonzero(sizes <= _MOST)
    keys = sizes[possible] << 8 | classes[possible]
    order = np.argsort(keys, kind="stable")
    return keys[order], possible[order]


def _suit(left: NDArray[np.int8], suit: int, sanma: bool) -> _Grouped:
    """The sets of tiles of a suit by size and class, weighed by the ways to choose them from those left (34)."""
    keys, indices = _suit_keys(suit, sanma)
    kinds = (0, 8) if suit == 0 and sanma else range(*_SUITS[suit])
    ways: Weights = np.ones(1)
    for kind in kinds:
        ways = np.multiply.outer(CHOICES[left[kind]], ways).reshape(-1)
    weights = ways[indices]
    there = weights > 0
    return _Grouped.of(keys[there], indices[there], weights[there])


def _all_pairs(rows: int, columns: int) -> tuple[Ints, Ints]:
    """All pairs of numbers below two, in order."""
    return np.repeat(np.arange(rows), columns), np.tile(np.arange(columns), rows)


def _half(first: _Grouped, second: _Grouped) -> _Grouped:
    """Two suits together: pairs of numbers of keys (``a << 16 | b``) by size and joined class."""
    tables: Any = shanten_tables()[0]
    a, b = _all_pairs(len(first.keys), len(second.keys))
    sizes = (first.keys[a] >> 8) + (second.keys[b] >> 8)
    fits = np.flatnonzero(sizes <= _MOST)
    a, b, sizes = a[fits], b[fits], sizes[fits]
    classes = tables["joined"][(first.keys[a] & 255) << 8 | second.keys[b] & 255].astype(np.int64)
    keys = sizes << 8 | classes
    order = np.argsort(keys, kind="stable")
    return _Grouped.of(keys[order], (a << 16 | b)[order], (first.weights[a] * second.weights[b])[order])


class _KindByKind:
    """Hands of no, one or two tiles of each of some kinds, with given numbers of ones and twos."""

    def __init__(self, left: NDArray[np.int8], kinds: Sequence[int], ends: Sequence[tuple[int, int]]) -> None:
        self.kinds = kinds
        self._ways = [CHOICES[left[kind], :3] for kind in kinds]
        # Ways to come to one of the ends, by the number of kinds behind, ones and twos.
        self._ahead = np.zeros((len(kinds) + 1, _MOST + 2, _MOST + 2))
        for ones, twos in ends:
            self._ahead[-1, ones, twos] = 1
        for number in range(len(kinds) - 1, -1, -1):
            after = self._ahead[number + 1]
            none, one, two = self._ways[number]
            self._ahead[number] = none * after
            self._ahead[number, :-1] += one * after[1:]
            self._ahead[number, :, :-1] += two * after[:, 1:]

    @property
    def ways(self) -> float:
        """Number of such hands."""
        return float(self._ahead[0, 0, 0])

    def draw(self, count: int, random: np.random.Generator) -> NDArray[np.int8]:
        """Return ``count`` hands (count, 34)."""
        counts = np.zeros((count, KINDS), np.int8)
        ones, twos = np.zeros(count, np.int64), np.zeros(count, np.int64)
        for number, kind in enumerate(self.kinds):
            after = self._ahead[number + 1]
            none, one, two = self._ways[number]
            weights = np.stack([none * after[ones, twos], one * after[ones + 1, twos], two * after[ones, twos + 1]])
            sums = weights.cumsum(axis=0)
            taken = (random.random(count) * sums[2] >= sums[:2]).sum(axis=0)
            counts[:, kind] = taken
            ones += taken == 1
            twos += taken == 2
        return counts


class TenpaiHands:
    """Tenpai hands of ``size`` tiles (3n + 1) from tiles left, for three or four players.

    ``left`` (34): tiles of each kind that there are. A hand of thirteen tiles may also wait for seven pairs or for
    thirteen orphans.
    """

    def __init__(self, left: NDArray[np.int8], size: int, players: int) -> None:
        self._size = size
        self._sanma = players == 3
        self._suits = [_suit(left, suit, self._sanma) for suit in range(4)]
        self._halves = [_half(*self._suits[:2]), _half(*self._suits[2:])]
        self._whole = self._joined()
        self._others: list[_KindByKind] = []
        if size == _MOST:
            pairs = _KindByKind(left, range(KINDS), [(1, 6)])
            self._others = [pairs, _KindByKind(left, ORPHANS, [(13, 0), (11, 1)])]
        self._ways = np.array([self._whole.sums[-1], *(other.ways for other in self._others)])

    @property
    def ways(self) -> float:
        """Sets of tiles, hands of seven pairs that could be read otherwise counted twice."""
        return float(self._ways.sum())

    def _joined(self) -> _Grouped:
        """Pairs of numbers of keys of the two halves (``a << 16 | b``) that are tenpai together, under one key."""
        tables: Any = shanten_tables()[0]
        x, y = (half.keys for half in self._halves)
        a, b = _all_pairs(len(x), len(y))
        fits = np.flatnonzero((x[a] >> 8) + (y[b] >> 8) == self._size)
        a, b = a[fits], b[fits]
        waits = np.flatnonzero(tables["missing"][self._sets << 16 | (x[a] & 255) << 8 | y[b] & 255] == 1)
        a, b = a[waits], b[waits]
        weights = self._halves[0].weights[a] * self._halves[1].weights[b]
        return _Grouped.of(np.zeros(len(a), np.int64), a << 16 | b, weights)

    @property
    def _sets(self) -> int:
        return self._size // 3

    def draw(self, count: int, random: np.random.Generator) -> NDArray[np.int8]:
        """Return at most ``count`` hands (n, 34), drawn independently; none where there are no ways.

        There are fewer where a hand of seven pairs was drawn that is one of sets too: it is drawn in that way alone.
        """
        if not self._ways.sum():
            return np.zeros((0, KINDS), np.int8)
        counts = np.zeros((count, KINDS), np.int8)
        how = random.choice(len(self._ways), count, p=self._ways / self._ways.sum())
        rows = np.flatnonzero(how == 0)
        counts[rows] = self._of_sets(len(rows), random)
        for number, other in enumerate(self._others, 1):
            rows = np.flatnonzero(how == number)
            counts[rows] = other.draw(len(rows), random)
        kept: NDArray[np.int8] = counts[(how == 0) | ~self._is_of_sets(counts)]
        return kept

    def _of_sets(self, count: int, random: np.random.Generator) -> NDArray[np.int8]:
        """Draw hands that wait for sets and a pair (count, 34)."""
        counts = np.zeros((count, KINDS), np.int8)
        if not count:
            return counts
        whole = self._whole.draw(np.zeros(count, np.int64), random)
        for half, numbers in enumerate((whole >> 16, whole & 0xFFFF)):
            pair = self._halves[half].draw(numbers, random)
            for suit, keys in ((2 * half, pair >> 16), (2 * half + 1, pair & 0xFFFF)):
                index = self._suits[suit].draw(keys, random)
                for kind in self._kinds(suit):
                    counts[:, kind] = index % 5
                    index //= 5
        return counts

    def _kinds(self, suit: int) -> Sequence[int]:
        return (0, 8) if suit == 0 and self._sanma else range(*_SUITS[suit])

    def _is_of_sets(self, counts: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Return whether each hand (n, 34) is tenpai with sets and a pair (n)."""
        tables: Any = shanten_tables()[0]
        classes = []
        for suit, name in enumerate(("ends" if self._sanma else "suit", "suit", "suit", "honours")):
            kinds = list(self._kinds(suit))
            index = counts[:, kinds].astype(np.int64) @ 5 ** np.arange(len(kinds))
            classes.append(tables[name][index].astype(np.int64))
        x = tables["joined"][classes[0] << 8 | classes[1]].astype(np.int64)
        y = tables["joined"][classes[2] << 8 | classes[3]].astype(np.int64)
        waits: NDArray[np.bool_] = tables["missing"][self._sets << 16 | x << 8 | y] == 1
        return waits

"""Tests of significance from the `meowjong` papers, and paired differences on shared walls.

The multinomial test is the conference paper's (section VIII-B, formulas 10 and 11), the sign test the dissertation's
(section 4.2.2, table 4.6). The multinomial test also returns the logarithm of the p-value, which for 15,000 hands is
often far below the smallest float.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from janshi.statistics import Estimate, mean

#: Tolerance of the sum of the four probabilities: the papers print four digits.
_ROUNDING: Final = 1e-3

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tail:
    """Probability of a result at least as good; ``p`` is 0 below the smallest float, but ``log10`` is exact."""

    p: float
    log10: float
    """Decimal logarithm of the probability; −∞ if the result is impossible."""


@dataclass(frozen=True, slots=True)
class SignTest:
    """Counts and result of a sign test."""

    plus: int
    minus: int
    null: int
    n: int
    """Number of pairs, with the ties rounded up to an even number."""
    k: int
    """Number of pairs of the rarer sign, including half of the ties."""
    p: float
    """One-tailed p-value; compare it with half the level for a two-tailed test."""
    log10: float


def multinomial_test(counts: Sequence[int], probabilities: Sequence[float]) -> Tail:
    """Return the probability of a result at least as good by chance alone: the paper's Pr(X ≽ x).

    A result is better if it has more firsts and fewer thirds, or as many of both and more draws. The computation is
    exact and linear in the number of hands: it sums over the thirds, and the remaining sum over the firsts is a
    binomial tail that gains one term with each hand. The relative error is below 10⁻⁹ for 100,000 hands.

    Args:
        counts: numbers of hands that ended first, second, third and drawn.
        probabilities: their probabilities, taken as known without error. Their sum may differ from one by rounding
            (0.001); they are normalised.

    Raises `ValueError` for invalid counts, and for probabilities that are not four or do not sum to one.

    >>> round(multinomial_test((1, 0, 0, 1), (0.25, 0.25, 0.25, 0.25)).p, 9)
    0.125
    >>> multinomial_test((2869, 387, 695, 1042), (0.187, 0.119, 0.2484, 0.4456)).log10 < -311
    True
    """
    firsts, seconds, thirds, draws = _counts(counts)
    n = firsts + seconds + thirds + draws
    p1, p2, p3, drawn = _probabilities(probabilities)
    factorials = gammaln(np.arange(1, n + 2, dtype=np.float64))
    # Fewer thirds (k of them) and, among the other hands, more firsts.
    k = np.arange(thirds)
    fewer = factorials[n] - factorials[k] - factorials[n - k] + xlogy(k, p3) + xlogy(n - k, p1 + p2 + drawn)
    tails = _more_successes(firsts, n, p1, p2 + drawn, factorials)
    # As many of both, and as many seconds or fewer.
    j = np.arange(seconds + 1)
    rest = n - firsts - thirds
    same = factorials[n] - factorials[firsts] - factorials[thirds] - factorials[j] - factorials[rest - j]
    same += xlogy(firsts, p1) + xlogy(thirds, p3) + xlogy(j, p2) + xlogy(rest - j, drawn)
    return _tail(np.concatenate([fewer + tails[n - k], same]))


def _more_successes(successes: int, n: int, yes: float, no: float, factorials: Floats) -> Floats:
    """Return log P(more than ``successes`` of m trials succeed) for m = 0 … n, with odds ``yes`` : ``no``.

    The sum runs over the trial of the success number ``successes`` + 1. All terms are positive, so that no digits
    cancel.
    """
    found = np.full(n + 1, -np.inf)
    if successes < n and yes > 0:
        q, other = yes / (yes + no), no / (yes + no)
        before = np.arange(successes, n)
        terms = factorials[before] - factorials[successes] - factorials[before - successes]
        terms += (successes + 1) * math.log(q) + xlogy(before - successes, other)
        found[successes + 1 :] = np.minimum(np.logaddexp.accumulate(terms), 0)
    return found


def sign_test(plus: int, minus: int, null: int) -> SignTest:
    """Return the dissertation's sign test of pairs: ``plus`` for one, ``minus`` for the other, ``null`` ties.

    The ties are split evenly, rounded up; p is the binomial probability, with a fair coin, of at most as many pairs of
    the rarer sign. Raises `ValueError` for negative counts. Table 4.6, East:

    >>> found = sign_test(513, 545, 3942)
    >>> found.n, found.k, round(found.p, 4)
    (5000, 2484, 0.3305)
    """
    plus, minus, null = _whole((plus, minus, null))
    half = (null + 1) // 2
    n = 2 * half + plus + minus
    k = half + min(plus, minus)
    i = np.arange(k + 1)
    terms = gammaln(n + 1) - gammaln(i + 1) - gammaln(n - i + 1) - n * math.log(2)
    tail = _tail(terms)
    return SignTest(plus, minus, null, n, k, tail.p, tail.log10)


def paired(values_a: NDArray[Any], values_b: NDArray[Any], groups: NDArray[np.int64]) -> Estimate:
    """Return the mean of ``values_a`` − ``values_b`` with its 95 % interval.

    The values of one group (wall) are one observation. Shared luck cancels. All arrays have shape (n,). Raises
    `ValueError` if the lengths differ.

    >>> found = paired(np.array([3, 5, 8, 2]), np.array([1, 5, 5, 1]), np.array([0, 0, 1, 1]))
    >>> found.value, found.count
    (1.5, 2)
    """
    if not len(values_a) == len(values_b) == len(groups):
        raise ValueError(f"pairs need equal lengths: {len(values_a)}, {len(values_b)} and {len(groups)}")
    return mean(np.asarray(values_a, np.float64) - np.asarray(values_b, np.float64), groups)


def _tail(terms: Floats) -> Tail:
    """Sum terms given as natural logarithms."""
    total = min(0.0, float(np.logaddexp.reduce(np.append(terms, -np.inf))))
    return Tail(math.exp(total), total / math.log(10))


def _whole(counts: Sequence[int]) -> list[int]:
    found = [index(one) for one in counts]
    if min(found) < 0:
        raise ValueError(f"counts cannot be below zero: {found}")
    return found


def _counts(counts: Sequence[int]) -> list[int]:
    found = _whole(counts)
    if len(found) != 4:
        raise ValueError(f"four counts: first, second, third, draw; {len(found)} are given")
    return found


def _probabilities(probabilities: Sequence[float]) -> list[float]:
    found = [float(one) for one in probabilities]
    if len(found) != 4 or not all(one >= 0 for one in found):
        raise ValueError(f"four probabilities, none below zero: first, second, third, draw; given are {found}")
    total = math.fsum(found)
    if abs(total - 1) > _ROUNDING:
        raise ValueError(f"probabilities must sum to 1, these to {total:.6g}: {found}")
    return [one / total for one in found]

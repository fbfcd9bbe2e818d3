"""Rates, means and confidence sequences, with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.installing import naming_extra

with naming_extra(__name__):
    from scipy.special import ndtri, stdtrit

_LEVEL: Final = 0.95
#: Minimum number of walls (or other groups) for an interval of a mean: with fewer it would exceed the possible range.
LEAST_GROUPS: Final = 5
#: Minimum number of values for an interval of a confidence sequence: fewer do not determine the standard deviation.
LEAST: Final = 64
#: Number of values at which its intervals are nearly as narrow as possible.
_TUNED: Final = 500


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float
    count: int
    """Number of hands (or games, or walls)."""


def rate(hits: NDArray[np.bool_]) -> Estimate:
    """Return a rate with Wilson's interval."""
    count, number = int(hits.sum()), len(hits)
    if number == 0:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    share = count / number
    # Wilson's score interval is written out because the import of scipy.stats takes longer than many a match.
    z = float(ndtri((1 + _LEVEL) / 2))
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    reach = z / (1 + z * z / number) * ((share * (1 - share) + z * z / (4 * number)) / number) ** 0.5
    # The interval contains the rate itself; at 0 and 1 rounding could exclude it.
    return Estimate(share, min(max(0.0, middle - reach), share), max(min(1.0, middle + reach), share), number)


def mean(values: NDArray[Any], groups: NDArray[np.int64]) -> Estimate:
    """Return a mean with the interval of Student's t over groups, as values on one wall are not independent.

    With fewer than `LEAST_GROUPS` groups the ends of the interval are NaN.
    """
    if len(values) == 0:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    _, group = np.unique(groups, return_inverse=True)
    count = np.bincount(group)
    each = np.bincount(group, weights=values) / count
    middle = float(np.mean(values))
    if len(each) < LEAST_GROUPS:
        return Estimate(middle, float("nan"), float("nan"), len(each))
    # A linearised ratio of sums over the groups: the weight of a group is its size.
    spread = float(np.std((each - middle) * count / count.mean(), ddof=1)) / len(each) ** 0.5
    reach = float(stdtrit(len(each) - 1, (1 + _LEVEL) / 2)) * spread
    return Estimate(middle, middle - reach, middle + reach, len(each))


def within(estimate: Estimate, least: float, most: float) -> Estimate:
    """Return an estimate with its interval clipped to a possible range."""
    if not isfinite(estimate.low):
        return estimate
    return replace(estimate, low=max(least, estimate.low), high=min(most, estimate.high))


# ---------------------------------------------------------------------------------------------------------
# Confidence sequences


@dataclass(frozen=True, slots=True)
class ConfidenceSequence:
    """The confidence sequence of a mean: arrays (n) with the bounds after each value."""

    middle: NDArray[np.float64]
    low: NDArray[np.float64]
    """−∞ after fewer than `LEAST` values; never falls."""
    high: NDArray[np.float64]


def sequence_reach(variance: Any, count: Any, error: float) -> Any:
    """Return half the width of the interval of a confidence sequence after ``count`` values with some variance.

    Numbers or arrays, elementwise. See `confidence_sequence`, whose intervals are the intersections of these.
    """
    doubled = -2 * math.log(error)
    scale = (doubled + math.log(doubled + 1)) / _TUNED
    spread = count * scale + 1
    return np.sqrt(variance * 2 * spread / (count**2 * scale) * np.log(np.sqrt(spread) / error))


def confidence_sequence(values: NDArray[np.float64], error: float) -> ConfidenceSequence:
    """Return the confidence sequence of the mean of independent values (n) with a probability of error.

    With probability 1 − error the mean is in all intervals at once, for any number of looks. Each interval is the
    intersection of those so far. Raises `ValueError` for an error that is not between 0 and 1. Source: Waudby-Smith,
    Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences"
    (arXiv:2103.06476): Robbins' normal mixture with the standard deviation estimated from the same values.

    >>> values = np.random.default_rng(1).normal(0.1, 1, 5000)
    >>> found = confidence_sequence(values, 0.01)
    >>> bool(found.low[-1] < 0.1 < found.high[-1]), bool(found.high[-1] - found.low[-1] < 0.15)
    (True, True)
    """
    if not 0 < error < 1:
        raise ValueError(f"an error rate of {error}: between 0 and 1")
    n = np.arange(1, len(values) + 1, dtype=np.float64)
    middle = np.cumsum(values) / n
    # Sums of squares about the first value, which loses no digits if the mean is large.
    about = values - values[:1].sum()
    variance = np.maximum(np.cumsum(about**2) / n - (np.cumsum(about) / n) ** 2, 0) * n / np.maximum(n - 1, 1)
    reach = sequence_reach(variance, n, error)
    reach[: LEAST - 1] = np.inf
    return ConfidenceSequence(middle, np.maximum.accumulate(middle - reach), np.minimum.accumulate(middle + reach))

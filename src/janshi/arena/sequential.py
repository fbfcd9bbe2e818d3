"""Sequential tests: intervals that hold however often one looks, and the decisions that follow from them.

The intervals are the asymptotic confidence sequences of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas ("Time-uniform
central limit theory and asymptotic confidence sequences", arXiv:2103.06476): Robbins' normal mixture with the standard
deviation estimated from the same values. With probability 1 − error the mean lies in all of them at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

#: Values from which on there is an interval: the standard deviation of fewer is not known well enough.
LEAST: Final = 64
#: Number of values at which the intervals are about as narrow as they can be.
_TUNED: Final = 500


class Answer(StrEnum):
    """What a comparison has decided of its first player."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    """The difference is smaller than the margin, either way."""
    OPEN = "open"
    """Not decided."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """The confidence sequence of a mean: arrays (n), after each value."""

    middle: NDArray[np.float64]
    low: NDArray[np.float64]
    """−∞ after fewer than `LEAST` values; never falls."""
    high: NDArray[np.float64]


def confidence_sequence(values: NDArray[np.float64], error: float) -> Sequence:
    """Return the confidence sequence of the mean of independent values (n), with the given probability of an error.

    Each interval is the intersection of those so far, which holds with the same probability. Raises `ValueError` for an
    error that is not between 0 and 1.

    >>> values = np.random.default_rng(1).normal(0.1, 1, 5000)
    >>> found = confidence_sequence(values, 0.01)
    >>> bool(found.low[-1] < 0.1 < found.high[-1]), bool(found.high[-1] - found.low[-1] < 0.15)
    (True, True)
    """
    if not 0 < error < 1:
        raise ValueError(f"an error rate of {error}: between 0 and 1")
    n = np.arange(1, len(values) + 1, dtype=np.float64)
    middle = np.cumsum(values) / n
    # Sums of squares about the first value: no digits are lost where the mean is large.
    about = values - values[:1].sum()
    variance = np.maximum(np.cumsum(about**2) / n - (np.cumsum(about) / n) ** 2, 0) * n / np.maximum(n - 1, 1)
    doubled = -2 * math.log(error)
    scale = (doubled + math.log(doubled + 1)) / _TUNED
    spread = n * scale + 1
    reach = np.sqrt(variance * 2 * spread / (n**2 * scale) * np.log(np.sqrt(spread) / error))
    reach[: LEAST - 1] = np.inf
    return Sequence(middle, np.maximum.accumulate(middle - reach), np.minimum.accumulate(middle + reach))


def decided(sequence: Sequence, margin: float) -> tuple[Answer, int]:
    """Return the first decision that a confidence sequence allows, and after how many values.

    `Answer.BETTER` or `Answer.WORSE` when the interval no longer holds 0, `Answer.EQUAL` when all of it lies between
    −margin and margin; otherwise `Answer.OPEN` and the number of values.

    >>> values = np.random.default_rng(1).normal(0.5, 1, 500)
    >>> decided(confidence_sequence(values, 0.01), margin=0.02)[0]
    <Answer.BETTER: 'better'>
    """
    conditions = {
        Answer.BETTER: sequence.low > 0,
        Answer.WORSE: sequence.high < 0,
        Answer.EQUAL: (sequence.low > -margin) & (sequence.high < margin),
    }
    firsts = {answer: int(met.argmax()) + 1 for answer, met in conditions.items() if met.any()}
    if not firsts:
        return Answer.OPEN, len(sequence.middle)
    answer = min(firsts, key=firsts.__getitem__)
    return answer, firsts[answer]

"""Confidence sequences: error rate over all looks, and time to a decision."""

import math
from functools import partial

import numpy as np
import pytest

from janshi.arena.sequential import Answer, decided
from janshi.statistics import LEAST, ConfidenceSequence, confidence_sequence


def test_the_mean_is_ever_outside_at_most_with_the_stated_probability() -> None:
    """For mean places over three rotations and for points with a long tail; 1,000 runs of 1,000 looks."""
    random = np.random.default_rng(1)
    places = partial(random.integers, 1, 4)
    for draw, true in ((places, 2.0), (random.exponential, 1.0)):
        outside = 0
        for _ in range(1000):
            found = confidence_sequence(np.asarray(draw(size=(1000, 3))).mean(axis=1), 0.05)
            outside += bool(found.low[-1] > true or found.high[-1] < true)
        assert outside <= 50


def test_intervals_only_shrink_and_wait_for_enough_values() -> None:
    values = np.random.default_rng(2).standard_normal(500) + 1e6
    found = confidence_sequence(values, 0.01)
    assert np.isinf(found.low[: LEAST - 1]).all()
    assert np.isfinite(found.low[LEAST - 1 :]).all()
    assert (np.diff(found.low[LEAST:]) >= 0).all()
    assert (np.diff(found.high[LEAST:]) <= 0).all()
    shifted = confidence_sequence(values - 1e6, 0.01)
    assert found.low[-1] - 1e6 == pytest.approx(shifted.low[-1], abs=1e-6)


def test_the_interval_is_that_of_the_paper() -> None:
    n, error = LEAST, 0.05
    values = np.array([-1.0, 1.0] * (n // 2))
    scale = (-2 * math.log(error) + math.log(-2 * math.log(error) + 1)) / 500
    spread = n * scale + 1
    reach = values.std(ddof=1) * math.sqrt(2 * spread / (n**2 * scale) * math.log(math.sqrt(spread) / error))
    assert confidence_sequence(values, error).high[-1] == pytest.approx(reach)


def test_the_first_decision_counts() -> None:
    low = np.array([-math.inf, -0.5, -0.01, 0.01])
    high = np.array([math.inf, 0.5, 0.015, 0.012])
    sequence = ConfidenceSequence(low, low, high)
    assert decided(sequence, 0.02) == (Answer.EQUAL, 3)
    assert decided(sequence, 0.001) == (Answer.BETTER, 4)
    assert decided(ConfidenceSequence(low, -high, -low), 0.001) == (Answer.WORSE, 4)
    assert decided(ConfidenceSequence(low[:2], low[:2], high[:2]), 0.02) == (Answer.OPEN, 2)


@pytest.mark.parametrize("error", [0.0, 1.0, -1.0])
def test_an_error_rate_lies_between_0_and_1(error: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        confidence_sequence(np.zeros(3), error)

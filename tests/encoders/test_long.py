"""Calls in the arrays of the `long` paper, and predicted yaku. The rest equals `tests.encoders.long_reference`."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.papers.long.encoder import FED_BACK, with_yaku, yaku_names


def test_predictions_follow_the_numbers_ten_times():
    assert FED_BACK == (1, 8, 14, 15, 18, 19, 20, 34, 52)
    assert len(yaku_names()) == 9
    numbers = np.arange(2 * 472).reshape(2, 472) % 5
    probabilities = np.linspace(0, 1, 18).reshape(2, 9)
    array = with_yaku(numbers, probabilities)
    assert array.shape == (2, 481)
    assert (array[:, :472] == numbers).all()
    assert np.allclose(array[:, 472:], 10 * probabilities)
    assert with_yaku(np.zeros((1, 473)), probabilities[:1]).shape == (1, 482)
    for wrong in (np.zeros((2, 471)), np.zeros((1, 472)), np.zeros(472)):
        with pytest.raises(ValueError, match="wanted"):
            with_yaku(wrong, probabilities)

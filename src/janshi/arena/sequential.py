"""Decisions of sequential tests, from confidence sequences (`janshi.statistics`)."""

from __future__ import annotations

from enum import StrEnum

from janshi.statistics import ConfidenceSequence


class Answer(StrEnum):
    """The decision of a comparison about its first player."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    """The absolute difference is smaller than the margin."""
    OPEN = "open"
    """Undecided."""


def decided(sequence: ConfidenceSequence, margin: float) -> tuple[Answer, int]:
    """Return the first decision that a confidence sequence allows, and the number of values until then.

    The decision is `Answer.BETTER` or `Answer.WORSE` when the interval no longer contains 0, and `Answer.EQUAL` when it
    lies between −margin and margin; otherwise `Answer.OPEN` with the number of all values.

    >>> import numpy as np
    >>> from janshi.statistics import confidence_sequence
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

"""Agreement of networks with human decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.arena.significance import sign_test
from janshi.statistics import Estimate, rate

#: Bins of probabilities in calibration errors.
_BINS: Final = 15


@dataclass(frozen=True, slots=True)
class Measured:
    """Agreement of a network with people in one kind of decision, yes or no or one of several options."""

    top: tuple[Estimate, ...]
    """Share of decisions that are its first legal choice; with several options also among its first two and three."""
    illegal: Estimate | None
    """With several options: share of decisions in which its first choice is illegal."""
    loss: float
    """Mean cross-entropy."""
    confusion: tuple[tuple[int, int], tuple[int, int]] | None
    """Of yes and no: rows are the decisions (no, yes), columns the network's answers."""
    unmasked: Estimate | None = None
    """With several options: share of decisions that are its first choice among all actions, legal or not."""
    majority: Estimate | None = None
    """Accuracy of a constant answer with the most frequent class, the baseline of a network."""
    above_majority: float | None = None
    """Decimal logarithm of the one-tailed p-value (McNemar's exact test) against the hypothesis that the network is no
    better than that baseline: below −2, p < 0.01."""
    calibration: float | None = None
    """Expected calibration error of the first choice's probability: see `calibration_error`."""
    calibration_by_chance: float | None = None
    """Expected calibration error of correct probabilities on as many decisions: see `calibration_by_chance`."""


def calibration_error(shares: NDArray[np.floating[Any]], right: NDArray[np.bool_]) -> float:
    """Return the expected calibration error of probabilities (n) of events that happened or not (n).

    The probabilities are sorted into bins of equal width. The error is the absolute difference between the mean
    probability and the frequency of the event in a bin, averaged over the decisions. Source: Guo et al., "On
    Calibration of Modern Neural Networks" (2017), equation 3.

    >>> round(calibration_error(np.array([0.9, 0.9, 0.1, 0.1]), np.array([True, False, False, False])), 3)
    0.25
    """
    apart = np.bincount(_bin_of(shares), shares.astype(np.float64) - right, minlength=_BINS)
    return float(np.abs(apart).sum() / max(1, len(shares)))


def calibration_by_chance(shares: NDArray[np.floating[Any]]) -> float:
    """Return the expected calibration error of correct probabilities (n), which is due to chance alone.

    In each bin, the difference between the number of events and the sum of probabilities is nearly normal with mean 0;
    its mean absolute value is √(2/π) times its standard deviation. A `calibration_error` up to this value is no
    evidence against a network.

    >>> round(calibration_by_chance(np.full(100, 0.5)), 3), round(calibration_by_chance(np.full(10_000, 0.5)), 3)
    (0.04, 0.004)
    """
    exact = shares.astype(np.float64)
    variance = np.bincount(_bin_of(shares), exact * (1 - exact), minlength=_BINS)
    return float(np.sqrt(2 / np.pi * variance).sum() / max(1, len(shares)))


def _bin_of(shares: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Return the index of the bin of each probability (n)."""
    number: NDArray[np.int64] = np.minimum((shares * _BINS).astype(np.int64), _BINS - 1)
    return number


def beside_majority(answers: NDArray[np.int64], labels: NDArray[np.int64]) -> tuple[Estimate, float]:
    """Return the share of the most frequent label, and `Measured.above_majority` of some answers (n).

    >>> answers = labels = np.array([0] * 12 + [1] * 8)
    >>> baseline, log10 = beside_majority(answers, labels)
    >>> baseline.value, round(10**log10, 6) == round(0.5**8, 6)
    (0.6, True)
    """
    always = labels == np.bincount(labels, minlength=1).argmax()
    right = answers == labels
    better, worse = int((right & ~always).sum()), int((always & ~right).sum())
    return rate(always), sign_test(better, worse, 0).log10 if better > worse else 0.0


def cross_entropy(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> float:
    """Return the mean cross-entropy of labels (n) by logits (n, k; −∞ for impossible labels)."""
    if not len(labels):
        return float("nan")
    largest = logits.max(axis=1, initial=-1e30)
    norm = largest + np.log(np.exp(logits - largest[:, None]).sum(axis=1))
    return float((norm - logits[np.arange(len(labels)), labels]).mean())


def measured_yes_no(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> Measured:
    """Return the agreement of logits of no and yes (n, 2) with labels (n).

    >>> measured_yes_no(np.array([[0, 1], [1, 0]], np.float32), np.array([1, 1])).confusion
    ((0, 0), (1, 1))
    """
    answers = logits.argmax(axis=1)
    table = np.bincount(2 * labels + answers, minlength=4).reshape(2, 2)
    confusion = ((int(table[0, 0]), int(table[0, 1])), (int(table[1, 0]), int(table[1, 1])))
    top = (rate(answers == labels),)
    return Measured(top, None, cross_entropy(logits, labels), confusion, None, *beside_majority(answers, labels))


def measured_choice(logits: NDArray[np.float32], labels: NDArray[np.int64], legal: NDArray[np.bool_]) -> Measured:
    """Return the agreement of logits (n, k) of several options, partly ``legal`` (n, k), with labels (n).

    The loss uses the logits without a mask. For a network trained with a mask, pass −∞ for illegal options.
    """
    first = logits.argmax(axis=1)
    illegal = rate(~legal[np.arange(len(labels)), first])
    ranked = np.argsort(-np.where(legal, logits, -np.inf), axis=1, kind="stable")
    top = tuple(rate((ranked[:, :many] == labels[:, None]).any(axis=1)) for many in (1, 2, 3))
    beside = beside_majority(ranked[:, 0], labels)
    return Measured(top, illegal, cross_entropy(logits, labels), None, rate(first == labels), *beside)

"""Agreement of networks with people's decisions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.arena.significance import sign_test
from janshi.statistics import Estimate, rate


@dataclass(frozen=True, slots=True)
class Measured:
    """Agreement of a network with people in one kind of decision."""

    top: tuple[Estimate, ...]
    """The decision is its first choice; of several also: among its first two, first three. Legal choices alone."""
    illegal: Estimate | None
    """Of several: how often its first choice is not legal."""
    loss: float
    """Mean cross-entropy."""
    confusion: tuple[tuple[int, int], tuple[int, int]] | None
    """Of yes and no: rows what was done (no, yes), columns what the network answers."""
    unmasked: Estimate | None = None
    """Of several: how often the decision is the first choice of all, legal or not."""
    majority: Estimate | None = None
    """Accuracy of always answering the most frequent class, the baseline of a network."""
    above_majority: float | None = None
    """Decimal logarithm of the chance (McNemar's exact test, one-tailed) that a network no better than that would be
    as far above it on these situations: below −2 it is better with p < 0.01."""
    calibration: float | None = None
    """Expected calibration error of the first choice's probability: see `calibration_error`."""
    calibration_by_chance: float | None = None
    """Expected calibration error of correct probabilities on as many decisions: see `calibration_by_chance`."""


def calibration_error(shares: NDArray[np.floating[Any]], right: NDArray[np.bool_], bins: int = 15) -> float:
    """Return the expected calibration error of probabilities (n) of something that came true or not (n).

    They are put into ``bins`` of equal width; the error is the mean, over the decisions, of how far the mean
    probability of their bin is from how often it came true. Source: Guo et al., "On Calibration of Modern Neural
    Networks" (2017), equation 3.

    >>> round(calibration_error(np.array([0.9, 0.9, 0.1, 0.1]), np.array([True, False, False, False])), 3)
    0.25
    """
    apart = np.bincount(_bin_of(shares, bins), shares.astype(np.float64) - right, minlength=bins)
    return float(np.abs(apart).sum() / max(1, len(shares)))


def calibration_by_chance(shares: NDArray[np.floating[Any]], bins: int = 15) -> float:
    """Return the calibration error to be expected where each probability (n) is right: that of chance alone.

    What comes true in a bin is then apart from the sum of its probabilities by nearly a normal variable of mean 0, the
    mean size of which is √(2/π) times its standard deviation. A `calibration_error` that is no greater says nothing
    against a network.

    >>> round(calibration_by_chance(np.full(100, 0.5)), 3), round(calibration_by_chance(np.full(10_000, 0.5)), 3)
    (0.04, 0.004)
    """
    exact = shares.astype(np.float64)
    variance = np.bincount(_bin_of(shares, bins), exact * (1 - exact), minlength=bins)
    return float(np.sqrt(2 / np.pi * variance).sum() / max(1, len(shares)))


def _bin_of(shares: NDArray[np.floating[Any]], bins: int) -> NDArray[np.int64]:
    """Return the number of the bin of each probability (n)."""
    number: NDArray[np.int64] = np.minimum((shares * bins).astype(np.int64), bins - 1)
    return number


def beside_majority(answers: NDArray[np.int64], labels: NDArray[np.int64]) -> tuple[Estimate, float]:
    """Return how often the most frequent label is right, and how sure it is that answers (n) are right more often.

    The second is `Measured.above_majority`.

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
    """Return the mean cross-entropy of labels (n) by logits (n, k; −∞ for what is out of the question)."""
    if not len(labels):
        return float("nan")
    largest = logits.max(axis=1, initial=-1e30)
    norm = largest + np.log(np.exp(logits - largest[:, None]).sum(axis=1))
    return float((norm - logits[np.arange(len(labels)), labels]).mean())


def measured_yes_no(logits: NDArray[np.float32], labels: NDArray[np.int64]) -> Measured:
    """Return how logits of no and yes (n, 2) agree with labels (n).

    >>> measured_yes_no(np.array([[0, 1], [1, 0]], np.float32), np.array([1, 1])).confusion
    ((0, 0), (1, 1))
    """
    answers = logits.argmax(axis=1)
    table = np.bincount(2 * labels + answers, minlength=4).reshape(2, 2)
    confusion = ((int(table[0, 0]), int(table[0, 1])), (int(table[1, 0]), int(table[1, 1])))
    top = (rate(answers == labels),)
    return Measured(top, None, cross_entropy(logits, labels), confusion, None, *beside_majority(answers, labels))


def measured_choice(logits: NDArray[np.float32], labels: NDArray[np.int64], legal: NDArray[np.bool_]) -> Measured:
    """Return how logits (n, k) of several options, of which some are ``legal`` (n, k), agree with labels (n).

    The loss is that of the logits as they are, without a mask; put −∞ where one was learned with.
    """
    first = logits.argmax(axis=1)
    illegal = rate(~legal[np.arange(len(labels)), first])
    ranked = np.argsort(-np.where(legal, logits, -np.inf), axis=1, kind="stable")
    top = tuple(rate((ranked[:, :many] == labels[:, None]).any(axis=1)) for many in (1, 2, 3))
    beside = beside_majority(ranked[:, 0], labels)
    return Measured(top, illegal, cross_entropy(logits, labels), None, rate(first == labels), *beside)

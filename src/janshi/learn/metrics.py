"""How often a network agrees with what people did."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from janshi.arena.results import Estimate, rate


@dataclass(frozen=True, slots=True)
class Measured:
    """How often a network agrees with one decision of the players."""

    top: tuple[Estimate, ...]
    """The decision is its first choice; of several also: among its first two, first three. Legal choices alone."""
    illegal: Estimate | None
    """Of several: how often its first choice is not legal."""
    loss: float
    """Mean cross-entropy."""
    confusion: tuple[tuple[int, int], tuple[int, int]] | None
    """Of yes and no: rows what was done (no, yes), columns what the network answers."""


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
    return Measured((rate(answers == labels),), None, cross_entropy(logits, labels), confusion)


def measured_choice(logits: NDArray[np.float32], labels: NDArray[np.int64], legal: NDArray[np.bool_]) -> Measured:
    """Return how logits (n, k) of several options, of which some are ``legal`` (n, k), agree with labels (n).

    The loss is that of the logits as they are, without a mask; put −∞ where one was learned with.
    """
    illegal = rate(~legal[np.arange(len(labels)), logits.argmax(axis=1)])
    ranked = np.argsort(-np.where(legal, logits, -np.inf), axis=1, kind="stable")
    top = tuple(rate((ranked[:, :many] == labels[:, None]).any(axis=1)) for many in (1, 2, 3))
    return Measured(top, illegal, cross_entropy(logits, labels), None)

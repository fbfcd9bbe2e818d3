"""Measures of a classifier: confusion, precision, recall, F1, and the majority baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from janshi.statistics import Estimate, rate


@dataclass(frozen=True, slots=True)
class Classified:
    """Agreement of answers with labels, by class; a rate without samples is None."""

    accuracy: Estimate
    majority: Estimate
    """Accuracy of always answering the most frequent class."""
    confusion: tuple[tuple[int, ...], ...]
    """Rows are the answers, columns the labels."""
    precision: tuple[float | None, ...]
    """Of each class: right answers among its answers."""
    recall: tuple[float | None, ...]
    """Of each class: right answers among its labels."""
    f1: tuple[float | None, ...]
    """Of each class: harmonic mean of precision and recall."""


def classified(answers: NDArray[np.int64], labels: NDArray[np.int64], classes: int) -> Classified:
    """Return the agreement of answers (n) with labels (n), both 0 to ``classes`` − 1.

    >>> result = classified(np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0]), 2)
    >>> result.confusion, result.precision[1], result.recall[1], round(result.f1[1], 3), result.majority.value
    (((2, 0), (1, 1)), 0.5, 1.0, 0.667, 0.75)
    """
    table = np.bincount(classes * answers + labels, minlength=classes * classes).reshape(classes, classes)
    right = np.diag(table)
    precision = _ratios(right, table.sum(axis=1))
    recall = _ratios(right, table.sum(axis=0))
    f1 = _ratios(2 * right, table.sum(axis=0) + table.sum(axis=1))
    majority = rate(labels == int(table.sum(axis=0).argmax()))
    confusion = tuple(tuple(row) for row in table.tolist())
    return Classified(rate(answers == labels), majority, confusion, precision, recall, f1)


def balanced(confusion: Sequence[Sequence[int]]) -> float:
    """Return the mean of the recalls of the classes that have labels.

    >>> balanced([[8, 1], [2, 1]])
    0.65
    """
    recalls = [recall for recall in _recalls(confusion) if recall is not None]
    return sum(recalls) / len(recalls)


def accuracy_at(confusion: Sequence[Sequence[int]], shares: Sequence[float]) -> float:
    """Return the accuracy of answers with the recalls of a table if the classes have other shares.

    >>> accuracy_at([[8, 1], [2, 1]], [0.5, 0.5])
    0.65
    """
    pairs = zip(_recalls(confusion), shares, strict=True)
    return sum(recall * share for recall, share in pairs if recall is not None)


def _recalls(confusion: Sequence[Sequence[int]]) -> list[float | None]:
    """Recall of each class: rows are the answers, columns the labels."""
    columns = enumerate(zip(*confusion, strict=True))
    return [column[place] / sum(column) if sum(column) else None for place, column in columns]


def _ratios(parts: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[float | None, ...]:
    pairs = zip(parts.tolist(), counts.tolist(), strict=True)
    return tuple(part / count if count else None for part, count in pairs)

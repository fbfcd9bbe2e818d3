"""Figures of the `gao` thesis, for comparison with ours; the numbers are in ``figures.toml``.

Source: S. Gao, Study on Imperfect Information Game Record Learning in the Game of Mahjong via Deep Convolutional Neural
Networks, master thesis, University of Tokyo, 2019. Rates are fractions of one.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.papers.data import load_data

#: All figures, as in ``report.json``.
PUBLISHED: Final[dict[str, Any]] = load_data(__package__, "figures.toml")

AGREEMENT: Final[dict[str, tuple[float, ...]]] = PUBLISHED["agreement"]
OTHERS: Final[dict[str, tuple[float, ...]]] = PUBLISHED["others"]
VALIDATION: Final[dict[str, float]] = PUBLISHED["validation"]
CONFUSION: Final[dict[str, tuple[tuple[int, ...], ...]]] = PUBLISHED["confusion"]
TRAINED: Final[dict[str, int]] = PUBLISHED["trained"]
TESTED: Final[dict[str, int]] = PUBLISHED["tested"]
PARAMETERS: Final[dict[str, int]] = PUBLISHED["parameters"]


def accuracy(decision: str) -> float:
    """Return the accuracy of a call network by its table.

    >>> round(accuracy("riichi"), 4), round(accuracy("pon"), 4)
    (0.7685, 0.8832)
    """
    table = CONFUSION[decision]
    return sum(table[place][place] for place in range(len(table))) / sum(map(sum, table))


def majority(decision: str) -> float:
    """Return the accuracy of always giving the most frequent answer on the thesis's test set.

    >>> round(majority("pon"), 3), round(majority("chii"), 3), round(majority("riichi"), 3)
    (0.705, 0.863, 0.695)
    """
    table = CONFUSION[decision]
    return max(map(sum, zip(*table, strict=True))) / sum(map(sum, table))

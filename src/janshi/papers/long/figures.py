"""Figures of the `long` paper, for comparison with ours; the numbers are in ``figures.toml``.

They are those printed in Long and Kaneko, Improving Mahjong Agent by Predicting Types of Yaku (2019; sections 4 and 5,
tables 6 to 10). Rates are fractions of one.
"""

from __future__ import annotations

from typing import Any, Final

from janshi.papers.data import load_data

#: All figures, as in ``report.json``.
PUBLISHED: Final[dict[str, Any]] = load_data(__package__, "figures.toml")

ACCURACY: Final[dict[str, tuple[float, float]]] = PUBLISHED["accuracy"]
FEWER: Final[tuple[int, float]] = PUBLISHED["fewer"]
IN_HAND: Final[float] = PUBLISHED["in hand"]
CONFUSION: Final[dict[str, tuple[tuple[int, int, int, int], ...]]] = PUBLISHED["confusion"]
#: By Tenhou's number.
YAKU: Final[dict[int, tuple[float, float, float, float]]] = {
    int(number): rates for number, rates in PUBLISHED["yaku"].items()
}

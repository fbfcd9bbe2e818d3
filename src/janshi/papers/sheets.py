"""Tables of reports: cells with an interval and the paper's figure, and the words for numbers in them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

#: Digits of a power.
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: ours, its interval, the paper's."""

    text: str
    interval: str = ""
    paper: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of the page."""

    title: str
    columns: tuple[str, ...]
    rows: list[list[Cell]]
    note: str = ""
    words: int = 1
    """Columns from the left that hold words, not numbers."""


# ---------------------------------------------------------------------------------------------------------
# Words for numbers


def number_text(value: float) -> str:
    """Return a number rounded to a whole one, thousands apart."""
    return f"{value:,.0f}"


def percent_text(value: float | None, digits: int = 2) -> str:
    """Return a rate in percent, without the sign; a dash for None."""
    return "–" if value is None else f"{100 * value:.{digits}f}"


def rate_cell(rate: Mapping[str, Any], published: float | None = None) -> Cell:
    """Return a rate in percent with its interval, and the paper's beside it.

    ``rate``: `janshi.arena.results.Estimate` as plain data; ``published``: the paper's, a fraction of one.

    >>> rate_cell({"value": 0.5, "low": 0.4, "high": 0.6, "count": 92}, 0.7)
    Cell(text='50.00', interval='40.00 to 60.00', paper='70.00')
    """
    low, high = rate["low"], rate["high"]
    interval = "" if low is None else f"{percent_text(low)} to {percent_text(high)}"
    return Cell(percent_text(rate["value"]), interval, "" if published is None else percent_text(published))


def mean_cell(mean: Mapping[str, Any]) -> Cell:
    """Return a mean (`janshi.arena.results.Estimate` as plain data) with its sign and interval."""
    if mean["value"] is None:
        return Cell("–")
    interval = "" if mean["low"] is None else f"{signed_text(mean['low'])} to {signed_text(mean['high'])}"
    return Cell(signed_text(mean["value"]), interval)


def chance_text(p: float, log10: float | None) -> str:
    """Return a probability; a tiny one with a power of ten, by its logarithm.

    >>> chance_text(0.25, -0.6), chance_text(0.0, -400.5), chance_text(0.0, None)
    ('0.2500', '3·10⁻⁴⁰¹', '0')
    """
    if log10 is None:
        return "0"
    if p >= 0.0001:
        return f"{p:.4f}"
    power = math.floor(log10)
    digit = round(10 ** (log10 - power))
    if digit == 10:
        digit, power = 1, power + 1
    return f"{digit}·10{str(power).translate(_RAISED)}"


def duration_text(seconds: float) -> str:
    """Return a time in seconds, minutes or hours."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    if seconds < 3600:
        return f"{seconds / 60:.1f} min"
    return f"{seconds / 3600:.1f} h"


def share_text(part: float) -> str:
    """Return a share; a tiny one as one in so many.

    >>> share_text(0.25), share_text(0.00001)
    ('25 %', '1 in 100,000')
    """
    return f"{100 * part:.3g} %" if part >= 0.0001 or part == 0 else f"1 in {1 / part:,.0f}"


def signed_text(value: float, digits: int = 0) -> str:
    """Return a number with its sign.

    >>> signed_text(-1234.5, 1)
    '−1,234.5'
    """
    return f"{value:+,.{digits}f}".replace("-", "−")


def word_cells(*texts: str) -> list[Cell]:
    """Return plain cells."""
    return [Cell(text) for text in texts]


def counted_cell(rate: Mapping[str, Any], published: float | None = None) -> Cell:
    """Return a rate as `rate_cell` does, and over how many it was counted."""
    cell = rate_cell(rate, published)
    return dataclasses.replace(cell, interval=f"{cell.interval}, n {rate['count']:,}")

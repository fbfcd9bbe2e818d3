"""Tables of reports: cells with an interval and the paper's figure, and the text of numbers."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from janshi.arena.figures import line_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Points below the lowest end of a learning curve at which its axis begins.
_BELOW: Final = 15
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


def sheet(title: str, columns: str, rows: Iterable[Sequence[Any]], note: str = "", words: int = 1) -> Sheet:
    """Return a table; ``columns``: their names between bars.

    Values of ``rows`` become cells: text as it is, whole numbers with their thousands apart, None as a dash, and an
    estimate (`janshi.arena.results.Estimate` as plain data) as a rate in percent with its interval. A short row ends
    in dashes.

    >>> sheet("Games", "who | games | wins, %", [["you", 1200]]).rows
    [[Cell(text='you', interval='', paper=''), Cell(text='1,200', interval='', paper=''), \
Cell(text='–', interval='', paper='')]]
    """
    names = tuple(name.strip() for name in columns.split("|"))
    filled = [[*row, *[None] * (len(names) - len(row))] for row in rows]
    return Sheet(title, names, [[_cell(value) for value in row] for row in filled], note, words)


def _cell(value: Any) -> Cell:
    if isinstance(value, Cell):
        return value
    if isinstance(value, Mapping):
        return rate_cell(value)
    if value is None:
        return Cell("–")
    return Cell(value if isinstance(value, str) else number_text(value))


# ---------------------------------------------------------------------------------------------------------
# Cells


def count_cell(value: float, published: float | None = None) -> Cell:
    """Return a whole number, and the paper's beside it."""
    return Cell(number_text(value), paper="" if published is None else number_text(published))


def percent_cell(value: float | None, published: float | None = None) -> Cell:
    """Return a rate in percent, and the paper's beside it."""
    return Cell(percent_text(value), paper="" if published is None else percent_text(published))


def rate_cell(rate: Mapping[str, Any], published: float | None = None) -> Cell:
    """Return a rate in percent with its interval, and the paper's beside it.

    ``rate``: `janshi.arena.results.Estimate` as plain data; ``published``: the paper's, a fraction of one.

    >>> rate_cell({"value": 0.5, "low": 0.4, "high": 0.6, "count": 92}, 0.7)
    Cell(text='50.00', interval='40.00 to 60.00', paper='70.00')
    """
    low, high = rate["low"], rate["high"]
    interval = "" if low is None else f"{percent_text(low)} to {percent_text(high)}"
    return dataclasses.replace(percent_cell(rate["value"], published), interval=interval)


def counted_cell(rate: Mapping[str, Any], published: float | None = None) -> Cell:
    """Return a rate as `rate_cell` does, and its number of samples."""
    cell = rate_cell(rate, published)
    return dataclasses.replace(cell, interval=f"{cell.interval}, n {rate['count']:,}")


def mean_cell(
    mean: Mapping[str, Any], published: float | None = None, *, digits: int = 0, factor: float = 1, printed: int = 2
) -> Cell:
    """Return a mean (an estimate as plain data) with its sign and interval, and the paper's beside it.

    ``factor``: multiplies ours; ``printed``: digits of the paper's.

    >>> mean_cell({"value": -0.5, "low": -1.0, "high": 0.0, "count": 9}, 5.0, digits=2, printed=1)
    Cell(text='−0.50', interval='−1.00 to +0.00', paper='+5.0')
    """
    if mean["value"] is None:
        return Cell("–")
    ends = () if mean["low"] is None else (mean["low"], mean["high"])
    interval = " to ".join(signed_text(factor * end, digits) for end in ends)
    text = signed_text(factor * mean["value"], digits)
    return Cell(text, interval, "" if published is None else signed_text(published, printed))


# ---------------------------------------------------------------------------------------------------------
# Text of numbers


def number_text(value: float) -> str:
    """Return a number rounded to a whole one, thousands apart."""
    return f"{value:,.0f}"


def percent_text(value: float | None, digits: int = 2) -> str:
    """Return a rate in percent, without the sign; a dash for None."""
    return "–" if value is None else f"{100 * value:.{digits}f}"


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


def speed_text(seconds: float, count: int, digits: str = ".3g") -> str:
    """Return a time, and the time per situation of ``count``."""
    return f"{duration_text(seconds)}, {1000 * seconds / max(1, count):{digits}} ms a situation"


def share_text(part: float) -> str:
    """Return a share; a tiny one as ``1 in N``.

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


def verdict_text(rate: Mapping[str, Any], published: float) -> str:
    """Compare a rate (an estimate as plain data) with the paper's.

    >>> verdict_text({"value": 0.5, "low": 0.4, "high": 0.6, "count": 92}, 0.55)
    'within the interval'
    >>> verdict_text({"value": 0.5, "low": 0.45, "high": 0.54, "count": 360}, 0.55)
    'below by 5.0 points'
    """
    if rate["value"] >= published:
        return "reached"
    if rate["high"] is not None and rate["high"] >= published:
        return "within the interval"
    return f"below by {100 * (published - rate['value']):.1f} points"


def verdict_row(
    name: str, ours: Mapping[str, Any], printed: float, seen: int, majority: Any, *, same: bool = True
) -> list[Any]:
    """Return a network's row of `verdicts`: its agreement (an estimate as plain data) beside the paper's.

    ``seen``: situations learned from; ``majority``: agreement of the most frequent answer; ``same``: whether
    the network has the printed layers.
    """
    title = name if same else f"{name} (not the printed layers)"
    return [title, counted_cell(ours), percent_text(printed), verdict_text(ours, printed), seen, majority]


def verdicts(rows: Iterable[Sequence[Any]], note: str) -> Sheet:
    """Return the summary of a report: rows of `verdict_row`."""
    columns = "network | here, % | printed, % | verdict | situations learned from | always the most frequent answer, %"
    note = f"Agreement of first choices with its 95 % interval and number of situations. {note}"
    return sheet("Agreement with the players of the test games", columns, rows, note)


# ---------------------------------------------------------------------------------------------------------
# Learning curves


def agreement_plot(
    series: Mapping[str, tuple[list[float], list[float]]], title: str, levels: Mapping[str, float]
) -> Figure:
    """Return curves of agreement in percent by situations learned from, with lines at printed values.

    The beginnings of curves far below are cut off, so that their ends can be told apart.
    """
    figure = line_plot(series, title, "situations learned from", "agreement, %", levels=levels)
    axes = figure.axes[0]
    lowest = min([up[-1] for _, up in series.values()] + list(levels.values()))
    axes.set_ylim(bottom=max(axes.get_ylim()[0], lowest - _BELOW))
    return figure


def measured(curve: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the points of a curve with a measurement on the games held out."""
    return [point for point in curve if point.get("development")]


def along(points: Iterable[Mapping[str, Any]], x: str, *y: str, factor: float = 1) -> tuple[list[float], list[float]]:
    """Return two columns of points for a plot: ``x``, and the value at the path of names ``y``, times a factor.

    >>> along([{"samples": 10, "development": {"pon": 0.5}}], "samples", "development", "pon", factor=100)
    ([10], [50.0])
    """
    columns: tuple[list[float], list[float]] = ([], [])
    for point in points:
        value: Any = point
        for name in y:
            value = value[name]
        columns[0].append(point[x])
        columns[1].append(factor * value)
    return columns

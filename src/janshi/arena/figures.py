"""Figures for reports: box plots, lines with bands, heat maps, bars; as SVG text or as files.

Figures are at most 720 pixels wide. Series differ in colour (Okabe and Ito's palette for colour-blind readers) and, for
grey prints, in line style, marker or hatching. matplotlib is imported by the first figure; its ``pyplot`` is not used,
so that there are no windows and no global state.
"""

from __future__ import annotations

import io
import re
import textwrap
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from janshi.files import replacing
from janshi.installing import lacking
from janshi.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

#: Blue, orange, green, vermilion, purple, light blue, black, yellow.
PALETTE: Final = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#F0E442")
_DASHES: Final = ("-", "--", "-.", ":")
_MARKERS: Final = "osD^vPX*"
#: Fields of an estimate.
_ENDS: Final = ("value", "low", "high")
#: Only strokes: dots and rings make a file ten times as long.
_HATCHES: Final = ("", "//", "\\\\", "xx", "--", "||", "++", "/")
#: Points of 1/72 inch are 4/3 pixels of a screen: 7.5 inches are 720 pixels.
_WIDTH: Final = 7.5
#: Letters of a title that fit into a line.
_TITLE: Final = 68
_STYLE: Final[dict[Any, Any]] = {
    "figure.dpi": 96,
    "font.family": "sans-serif",
    "font.size": 10.5,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.8,
    "hatch.linewidth": 0.6,
    # A dollar in a name does not start a formula.
    "text.parse_math": False,
    "legend.frameon": False,
    # Text stays text that can be searched, read aloud and copied.
    "svg.fonttype": "none",
    # Ids inside the file are hashes of content and this salt, not random.
    "svg.hashsalt": "janshi",
    "svg.image_inline": True,
}


class FigureError(ValueError):
    """Raised for figures that cannot be drawn: without data, with inconsistent data, or without matplotlib."""


def check_matplotlib() -> None:
    """Raise `FigureError` if matplotlib is not installed; call it before work whose results are drawn."""
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError as error:
        raise FigureError(f"drawing {lacking(error.name or 'matplotlib', 'report')}") from None


@contextmanager
def _styled() -> Iterator[None]:
    check_matplotlib()
    from matplotlib import rc_context, style

    with style.context("default"), rc_context(_STYLE):
        yield


def _axes(title: str, height: float, x_label: str = "", y_label: str = "") -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height), layout="constrained", label=title)
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.set_title("\n".join(textwrap.wrap(title, _TITLE)))
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    return figure, axes


def _laid_out(figure: Figure) -> Figure:
    """Fix the layout of a figure, which each drawing would otherwise change slightly."""
    for _ in range(2):
        figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure


def _thousands(axes: Axes, *which: str) -> None:
    """Write numbers of four digits and more with commas."""
    from matplotlib.ticker import FuncFormatter

    written = FuncFormatter(lambda value, _: f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}")
    for name in which:
        getattr(axes, f"{name}axis").set_major_formatter(written)


def box_plot(
    groups: Mapping[str, NDArray[Any]],
    title: str,
    *,
    families: Sequence[str] | None = None,
) -> Figure:
    """Return horizontal box plots, one a group, from the top down: figures 8 and 9 of the conference paper.

    A box shows the quartiles, with the median as a line and the mean as a diamond. Whiskers extend from the 5th to the
    95th percentile. Each distinct value beyond is one point: thousands of hands have only a few different scores.

    Args:
        groups: name and values, any number type, at least one each.
        title: title above the figure.
        families: meaning of each group's colour, shown in the legend; default: one colour for all.

    Raises `FigureError` without groups, for an empty group, or for a wrong number of families.

    >>> figure = box_plot({"East": np.array([0, 0, 8000]), "South": np.array([0, -2000])}, "Scores")
    >>> svg(figure).count("<svg")
    1
    """
    if not groups or not all(len(values) for values in groups.values()):
        raise FigureError("box plots need one group at least and values in each")
    kinds = [""] * len(groups) if families is None else list(families)
    if len(kinds) != len(groups):
        raise FigureError(f"{len(groups)} groups, but {len(kinds)} families")
    with _styled():
        figure, axes = _axes(title, 1.3 + 0.34 * len(groups), "change of points a hand")
        colours = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
        legend: dict[str, Rectangle] = {}
        for place, (kind, values) in enumerate(zip(kinds, groups.values(), strict=True)):
            legend.setdefault(kind, _draw_box(axes, -place, np.asarray(values), colours[kind]))
        axes.set_yticks(-np.arange(len(groups)), list(groups))
        axes.set_ylim(0.6 - len(groups), 0.6)
        axes.grid(axis="y", visible=False)
        axes.axvline(0, color="#555555", linewidth=0.8, zorder=0)
        _thousands(axes, "x")
        if len(legend) > 1:
            figure.legend(list(legend.values()), list(legend), loc="outside lower center", ncols=min(4, len(legend)))
        return _laid_out(figure)


def _draw_box(axes: Axes, at: float, values: NDArray[Any], colour: int) -> Rectangle:
    """Draw one box with its whiskers at a height; return its handle for a legend."""
    low, first, middle, third, high = np.percentile(values, [5, 25, 50, 75, 95])
    beyond = np.unique(values[(values < low) | (values > high)])
    axes.plot(beyond, np.full(len(beyond), at), linestyle="", marker="|", markersize=5, color="#777777")
    axes.plot([low, high], [at, at], color="black", linewidth=1, marker="|", markersize=9)
    fill, hatch = _light(colour), _HATCHES[colour % len(_HATCHES)]
    bars = axes.barh([at], [third - first], 0.62, [first], color=fill, hatch=hatch, edgecolor="black", zorder=2.1)
    axes.plot([middle, middle], [at - 0.31, at + 0.31], color="black", linewidth=2, zorder=3)
    axes.plot([values.mean()], [at], marker="D", color="white", markeredgecolor="black", markersize=5, zorder=3)
    return bars.patches[0]


def _light(number: int) -> tuple[float, float, float]:
    """Return a colour of the palette mixed with white, as a background."""
    from matplotlib.colors import to_rgb

    red, green, blue = to_rgb(PALETTE[number % len(PALETTE)])
    return (1 + red) / 2, (1 + green) / 2, (1 + blue) / 2


def line_plot(
    series: Mapping[str, tuple[ArrayLike, ArrayLike]],
    title: str,
    x_label: str,
    y_label: str,
    *,
    bands: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
    levels: Mapping[str, float] | None = None,
) -> Figure:
    """Return lines with a legend.

    Args:
        series: name, and x and y of its points (n,) each.
        title: title above the figure.
        x_label: label of the horizontal axis.
        y_label: label of the vertical axis.
        bands: intervals for some of the series, low and high (n,), drawn as a shade around the line.
        levels: name and y of horizontal lines, such as a value in print.

    Raises `FigureError` without series, for inconsistent points, and for a band of an unknown series.

    >>> figure = line_plot({"loss": ([1, 2, 3], [0.9, 0.5, 0.4])}, "Training", "epoch", "loss")
    >>> "Training" in svg(figure)
    True
    """
    if not series:
        raise FigureError("a line plot needs one series at least")
    around = dict(bands or {})
    if unknown := [name for name in around if name not in series]:
        raise FigureError(f"bands without a line: {', '.join(unknown)}")
    with _styled():
        figure, axes = _axes(title, 3.9, x_label, y_label)
        for number, (name, (x, y)) in enumerate(series.items()):
            colour = PALETTE[number % len(PALETTE)]
            across, up = np.asarray(x), np.asarray(y)
            if name in around:
                low, high = map(np.asarray, around[name])
                _fit(name, across, low, high)
                axes.fill_between(across, low, high, color=colour, alpha=0.2, linewidth=0)
            _fit(name, across, up)
            dashes = _DASHES[number % len(_DASHES)]
            marker = _MARKERS[number % len(_MARKERS)]
            every = max(1, len(across) // 12)
            axes.plot(across, up, dashes, color=colour, marker=marker, markersize=5, markevery=every, label=name)
        for number, (name, level) in enumerate((levels or {}).items()):
            axes.axhline(level, color="grey", linestyle=_DASHES[1 + number % (len(_DASHES) - 1)], label=name)
        _thousands(axes, "x", "y")
        names = [*series, *(levels or ())]
        if len(names) > 1:
            # Long names have fewer columns: the legend would be cut off.
            columns = max(1, min(4, len(names), 84 // (max(map(len, names)) + 10)))
            figure.legend(loc="outside lower center", ncols=columns, handlelength=3.2)
        return _laid_out(figure)


def _fit(name: str, *parts: NDArray[Any]) -> None:
    shapes = [part.shape for part in parts]
    if len(set(shapes)) > 1 or parts[0].ndim != 1:
        raise FigureError(f"{name}: points that do not fit: shapes {', '.join(map(str, shapes))}")


def heat_map(
    values: ArrayLike,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    *,
    x_label: str = "",
    y_label: str = "",
) -> Figure:
    """Return a table of shaded cells with their numbers; higher values are darker, NaN is white.

    Args:
        values: values (rows, columns).
        rows: labels of the rows, from the top.
        columns: labels of the columns.
        title: title above the figure.
        x_label: label of the columns' axis.
        y_label: label of the rows' axis.

    Raises `FigureError` if the numbers of values and labels differ.

    >>> figure = heat_map([[0.61, 0.62], [0.64, np.nan]], ["2", "3"], ["2", "3"], "Accuracy by kernel size")
    >>> ">0.64<" in svg(figure)
    True
    """
    table = np.asarray(values, np.float64)
    if table.shape != (len(rows), len(columns)) or table.size == 0:
        raise FigureError(f"values of shape {table.shape}, {len(rows)} rows and {len(columns)} columns")
    with _styled():
        from matplotlib import colormaps

        figure, axes = _axes(title, 1.3 + 0.5 * len(rows), x_label, y_label)
        shades = colormaps["Blues"].with_extremes(bad="white")
        shown = np.ma.masked_invalid(table)
        axes.pcolormesh(np.flipud(shown), cmap=shades, edgecolors="white", linewidth=2)
        low, high = (float(shown.min()), float(shown.max())) if shown.count() else (0.0, 0.0)
        for (row, column), value in np.ndenumerate(table):
            dark = high > low and value - low > 0.55 * (high - low)
            text = "–" if np.isnan(value) else f"{value:.2f}"
            place = (column + 0.5, len(rows) - row - 0.5)
            axes.text(*place, text, ha="center", va="center", color="white" if dark else "black")
        axes.set_xticks(np.arange(len(columns)) + 0.5, columns)
        axes.set_yticks(np.arange(len(rows))[::-1] + 0.5, rows)
        axes.tick_params(length=0)
        axes.grid(visible=False)
        for side in axes.spines.values():
            side.set_visible(False)
        return _laid_out(figure)


def bar_plot(
    series: Mapping[str, ArrayLike],
    labels: Sequence[str],
    title: str,
    y_label: str,
    *,
    x_label: str = "",
) -> Figure:
    """Return bars, one group for each label with one bar for each series.

    Args:
        series: name and heights (n,).
        labels: labels of the n groups.
        title: title above the figure.
        y_label: label of the vertical axis.
        x_label: label of the horizontal axis.

    Raises `FigureError` without series, and for a wrong number of heights.

    >>> figure = bar_plot({"A": [70, 20], "B": [40, 30]}, ["1st", "2nd"], "Places", "%")
    >>> "Places" in svg(figure)
    True
    """
    if not series or not len(labels):
        raise FigureError("a bar plot needs one series and one label at least")
    groups = np.arange(len(labels))
    width = 0.8 / len(series)
    with _styled():
        figure, axes = _axes(title, 3.6, x_label, y_label)
        for number, (name, heights) in enumerate(series.items()):
            tall = np.asarray(heights, np.float64)
            _fit(name, groups, tall)
            at = groups + (number - (len(series) - 1) / 2) * width
            hatch = _HATCHES[number % len(_HATCHES)]
            axes.bar(at, tall, width, label=name, color=_light(number), hatch=hatch, edgecolor="black", linewidth=0.8)
        axes.set_xticks(groups, labels)
        axes.grid(axis="x", visible=False)
        _thousands(axes, "y")
        if len(series) > 1:
            figure.legend(loc="outside lower center", ncols=min(4, len(series)))
        return _laid_out(figure)


def interval_plot(values: Mapping[str, Estimate], title: str, label: str) -> Figure:
    """Return estimates as dots with their intervals, one row each, from the top down.

    Raises `FigureError` without estimates.

    >>> figure = interval_plot({"A": Estimate(120, 90, 150, 40), "B": Estimate(0, 0, 0, 40)}, "Ratings", "rating")
    >>> "Ratings" in svg(figure)
    True
    """
    if not values:
        raise FigureError("a plot of intervals needs one estimate at least")
    with _styled():
        figure, axes = _axes(title, 1.2 + 0.3 * len(values), label)
        at = -np.arange(len(values))
        middle, low, high = (np.array([getattr(each, end) for each in values.values()]) for end in _ENDS)
        axes.errorbar(middle, at, xerr=[middle - low, high - middle], fmt="o", color=PALETTE[0], capsize=3)
        axes.set_yticks(at, list(values))
        axes.set_ylim(0.6 - len(values), 0.6)
        _thousands(axes, "x")
        return _laid_out(figure)


def svg(figure: Figure) -> str:
    """Return a figure as SVG for an HTML page, as wide as the column and at most 720 pixels.

    The same figure always gives the same text.
    """
    text = _svg_file(figure)
    text = text[text.index("<svg") :]
    # Only referenced elements keep an id, made unique for this figure: a page may contain several.
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', text))
    mine = f"f{zlib.crc32(text.encode()):08x}"
    text = re.sub(r' id="([^"]*)"', lambda name: f' id="{mine}{name[1]}"' if name[1] in used else "", text)
    text = re.sub(r'(url\(#|href="#)', rf"\g<1>{mine}", text)
    opening, rest = text.split(">", 1)
    opening = re.sub(r' (?:width|height)="[^"]*"', "", opening)
    width = round(figure.get_size_inches()[0] * 96)
    return f'{opening} role="img" style="width:100%;max-width:{width}px;height:auto">{rest}'


def _svg_file(figure: Figure) -> str:
    with _styled():
        file = io.BytesIO()
        # Screen readers read the title.
        about = {"Title": str(figure.get_label()), "Date": None, "Creator": None}
        figure.savefig(file, format="svg", metadata=about)
        return file.getvalue().decode()


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure to a file, as SVG or PNG (1,200 pixels wide) by its suffix.

    Raises `FigureError` for another suffix, `OSError` if the file cannot be written.
    """
    path = Path(path)
    if path.suffix not in (".svg", ".png"):
        raise FigureError(f"{path.name}: figures are written as .svg or .png")
    with replacing(path) as part:
        if path.suffix == ".svg":
            part.write_text(_svg_file(figure), encoding="utf-8")
        else:
            with _styled():
                figure.savefig(part, format="png", dpi=160, metadata={"Software": None})

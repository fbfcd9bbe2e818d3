"""The 34 × 366 columns of an observation as a picture (PNG or SVG, with matplotlib).

Three bands lie below each other: what the seat has and what all share (columns 0–155), the next two players (156–295),
and the third beside the position in words. Blue cells are tiles; amber columns are set in all rows and are bits of the
numbers written below them; bits that are not set are pale.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from janshi.drawing.observation import GROUPS, ObservationReading, describe, masks_of, read_columns
from janshi.drawing.snapshot import round_text
from janshi.encoders.meowjong import DEPOSITS, HONBA, OTHER, OTHERS, OWN_SETS, RIICHI, ROUND, SCORES
from janshi.files import replacing
from janshi.rollout.positions import PlayedHand, Position, PositionError
from janshi.tiles import tile_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Endings of picture files.
FORMATS: Final = ("png", "svg")

_ALL: Final = (1 << 34) - 1
_BANDS: Final = ((0, OTHERS), (OTHERS, OTHERS + 2 * OTHER), (OTHERS + 2 * OTHER, OTHERS + 3 * OTHER))
_CELL: Final = 0.11  # inches
_LEGEND: Final = "blue: tiles; amber: bits of a number, set in all rows; pale: bits that are not set"
_TILE, _BIT, _PALE, _LINE = "#1f4e79", "#d98218", "#fbf1e2", "#444444"
#: Where the sets of the four players begin.
_SETS: Final = (OWN_SETS, OTHERS, OTHERS + OTHER, OTHERS + 2 * OTHER)


def draw(hand: PlayedHand, position: Position, path: Path, dpi: int = 130) -> None:
    """Write a picture of a position's columns; the file's ending (.png or .svg) says which format.

    Raises `PositionError` for another ending and for a folder that there is not, `ModuleNotFoundError` without
    matplotlib, and `OSError` where the file cannot be written.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise PositionError(f"{path}: a picture's file ends in .png or .svg")
    if not path.parent.is_dir():
        raise PositionError(f"{path}: there is no folder {path.parent}")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    masks = masks_of(position).tolist()
    reading = read_columns(masks)
    wide, high = _BANDS[0][1] * _CELL, 34 * _CELL
    left, right, above, below, title = 0.45, 0.65, 0.85, 0.4, 0.6
    full = (left + wide + right, title + 3 * (above + high + below))
    figure = Figure(figsize=full, facecolor="white")
    FigureCanvasAgg(figure)
    words = describe(hand, position).splitlines()
    heading = f"{Path(hand.source).name}, hand {hand.number} · {words[1]}"
    figure.text(left / full[0], 1 - 0.3 / full[1], heading, fontsize=13, weight="bold")
    figure.text(left / full[0], 1 - 0.52 / full[1], _LEGEND, fontsize=8.5, color="#666666")
    for number, (first, last) in enumerate(_BANDS):
        bottom = full[1] - title - (number + 1) * (above + high + below) + below
        size = ((last - first) * _CELL / full[0], high / full[1])
        axes = figure.add_axes((left / full[0], bottom / full[1], *size))
        _draw_band(axes, masks, first, last)
        if number == 2 and hand.rules.players == 3:
            axes.text(first + OTHER / 2, 17, "nobody sits there", fontsize=12, color="#666666", ha="center")
        for column, count, text in _numbers(reading, hand.rules.players):
            if first <= column < last:
                axes.text(column + count / 2, 34.5, text, fontsize=6.5, ha="center", va="top", color="#8a4f05")
    beside = left + OTHER * _CELL + 0.3
    _write_words(figure, words, beside / full[0], (below + high + 0.25) / full[1])
    with replacing(path) as part:
        figure.savefig(part, format=ending, dpi=dpi)


def _write_words(figure: Figure, words: Sequence[str], x: float, y: float) -> None:
    """Write the position in words from (``x``, ``y``) downwards."""
    lines: list[str] = []
    for line in words[2:]:
        lines += textwrap.wrap(line, 118, subsequent_indent=" " * 12, drop_whitespace=False) or [""]
    figure.text(x, y, "\n".join(lines), fontsize=7.5, family="monospace", va="top", linespacing=1.3)


def _draw_band(axes: Axes, masks: Sequence[int], first: int, last: int) -> None:
    """Draw columns ``first`` to ``last``: cells, rows of tiles, groups with their names."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    axes.set_xlim(first, last)
    axes.set_ylim(34, 0)
    numbers = [column for column in range(first, last) if _is_number(column)]
    axes.add_collection(
        PatchCollection([Rectangle((column, 0), 1, 34) for column in numbers], color=_PALE, lw=0, zorder=0.5)
    )
    axes.vlines(range(first, last + 1), 0, 34, color="#e4e4e4", lw=0.4, zorder=0.8)
    axes.hlines(range(35), first, last, color="#e4e4e4", lw=0.4, zorder=0.8)
    bits = [Rectangle((column, 0), 1, 34) for column in numbers if masks[column]]
    tiles = [
        Rectangle((column, row), 1, 1)
        for column in range(first, last)
        if column not in numbers
        for row in range(34)
        if masks[column] >> row & 1
    ]
    for patches, colour in ((bits, _BIT), (tiles, _TILE)):
        axes.add_collection(PatchCollection(patches, facecolor=colour, edgecolor="white", lw=0.3))
    axes.hlines((9, 18, 27), first, last, color=_LINE, lw=0.8, linestyles="dotted")
    parts = [column for column in _parts() if first < column < last]
    axes.vlines(parts, 0, 34, color=_LINE, lw=0.5, linestyles="dashed")
    _name_groups(axes, first, last)
    axes.set_yticks([row + 0.5 for row in range(34)], [tile_text(row) for row in range(34)], fontsize=6)
    axes.tick_params(length=0, pad=2)


def _name_groups(axes: Axes, first: int, last: int) -> None:
    """Separate the groups of a band, and write name and first column above each."""
    inside = [group for group in GROUPS if first <= group[1] < last]
    axes.vlines([column for _, column, _ in inside], -1.2, 34, color=_LINE, lw=1.1, clip_on=False)
    for name, column, count in inside:
        axes.text(column + 0.15, -0.3, str(column), fontsize=6, color="#666666", va="bottom")
        if count >= 18:
            axes.text(column + count / 2, -1.6, name, fontsize=9, ha="center", va="bottom")
        else:
            short = name.partition(", ")[2] or name
            axes.text(column + count / 2, -1.6, short, fontsize=8, rotation=35, ha="left", va="bottom")
    axes.set_xticks([])


def _is_number(column: int) -> bool:
    """Whether a column is a flag or a bit of a number, not tiles."""
    in_set = any(first <= column < first + 36 and (column - first) % 9 >= 4 for first in _SETS)
    return in_set or RIICHI <= column < DEPOSITS + 4


def _parts() -> Iterator[int]:
    """Yield where the parts of a group begin: the second set, the second player's riichi, and so on."""
    for first in _SETS:
        yield from range(first + 9, first + 36, 9)
    yield from range(RIICHI + 6, RIICHI + 18, 6)
    yield from range(SCORES + 11, SCORES + 44, 11)


def _numbers(reading: ObservationReading, players: int) -> Iterator[tuple[int, int, str]]:
    """What the columns of numbers say: first column, how many, text."""
    for first, player in zip(_SETS, (reading.own, *reading.others), strict=True):
        for number, meld in enumerate(player.sets):
            yield first + 9 * number + 4, 5, f"turn {meld.turn}"
    for ahead, turn in enumerate(reading.riichi[: players - 1]):
        yield RIICHI + 6 * ahead, 6, "none" if turn is None else f"turn {turn}"
    for step, points in enumerate(reading.scores[:players]):
        yield SCORES + 11 * step, 11, f"{points:,}"
    yield ROUND, 4, round_text(reading.round).replace("East ", "E").replace("South ", "S").replace("West ", "W")
    yield HONBA, 4, str(reading.honba)
    yield DEPOSITS, 4, str(reading.deposits)

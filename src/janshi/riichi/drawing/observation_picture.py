"""An observation of the `meowjong` papers as a picture, by matplotlib.

Three bands of columns: the own tiles, the next two players, and the previous player with the position in words. Blue
cells are tiles; amber columns, set in all rows, are bits of the numbers written below them; unset bits are pale.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final

import numpy as np

from janshi.files import replacing
from janshi.records.positions import PlayedHand, Position, PositionError
from janshi.riichi.drawing.observation import (
    ObservationReading,
    as_json,
    describe,
    describe_list,
    describe_raw,
    list_json,
    masks_of,
    read_columns,
)
from janshi.riichi.drawing.snapshot import round_text
from janshi.riichi.encoders.meowjong import DEPOSITS, GROUPS, HONBA, OTHER, OTHERS, OWN_SETS, RIICHI, ROUND, SCORES
from janshi.riichi.positions import hand_of_game, nth_game, random_hand
from janshi.tiles import tile_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Extensions of picture files.
FORMATS: Final = ("png", "svg")

_BANDS: Final = ((0, OTHERS), (OTHERS, OTHERS + 2 * OTHER), (OTHERS + 2 * OTHER, OTHERS + 3 * OTHER))
_CELL: Final = 0.11  # inches
_LEGEND: Final = "blue: tiles; amber: bits of a number, set in all rows; pale: unset bits"
#: Colours of empty cells, unset bits, set bits and tiles.
_COLOURS: Final = ("white", "#fbf1e2", "#d98218", "#1f4e79")
#: First columns of the sets of the four players.
_SETS: Final = (OWN_SETS, OTHERS, OTHERS + OTHER, OTHERS + 2 * OTHER)
#: Columns of flags and bits of numbers.
_NUMBERS: Final = frozenset(
    [
        *range(RIICHI, DEPOSITS + 4),
        *(first + 9 * meld + bit for first in _SETS for meld in range(4) for bit in range(4, 9)),
    ]
)
#: First columns of the parts of groups: the second set, the second player's riichi, and so on.
_PARTS: Final = [
    *(first + 9 * meld for first in _SETS for meld in (1, 2, 3)),
    *(RIICHI + 6, RIICHI + 12),
    *(SCORES + 11, SCORES + 22, SCORES + 33),
]


def draw(hand: PlayedHand, position: Position, path: Path, dpi: int = 130) -> None:
    """Write a picture of a position's columns as .png or .svg, by the file's extension.

    Raises `PositionError` for another extension or a missing folder, `ModuleNotFoundError` without matplotlib, and
    `OSError` if the file cannot be written.
    """
    ending = path.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise PositionError(f"{path}: a picture's file ends in .png or .svg")
    if not path.parent.is_dir():
        raise PositionError(f"{path}: there is no folder {path.parent}")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    masks, players = masks_of(position), hand.rules.players
    cells = (masks >> np.arange(34)[:, None]) & 1
    numbers = np.isin(np.arange(len(masks)), list(_NUMBERS))
    cells = np.where(numbers, 1 + cells, 3 * cells)
    figure = Figure(figsize=(_BANDS[0][1] * _CELL + 1.1, 16), facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    words = describe(hand, position).splitlines()
    title = f"{Path(hand.source).name}, hand {hand.number} · {words[1]}\n{_LEGEND}"
    figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    grid = figure.add_gridspec(3, 2, width_ratios=(OTHER, _BANDS[0][1] - OTHER))
    for number, (first, last) in enumerate(_BANDS):
        axes = figure.add_subplot(grid[number, :] if number < 2 else grid[2, 0])
        _draw_band(axes, cells[:, first:last], first, last)
        for column, count, text in _numbers(read_columns(masks), players):
            if first <= column < last:
                axes.text(column + count / 2, 34.5, text, fontsize=6.5, ha="center", va="top", color="#8a4f05")
    if players == 3:
        axes.text(first + OTHER / 2, 17, "nobody sits there", fontsize=12, color="#666666", ha="center")
    beside = figure.add_subplot(grid[2, 1])
    beside.axis("off")
    lines = [line for text in words[2:] for line in textwrap.wrap(text, 118, subsequent_indent=" " * 12) or [""]]
    beside.text(0, 1, "\n".join(lines), fontsize=7.5, family="monospace", va="top", linespacing=1.3)
    with replacing(path) as part:
        figure.savefig(part, format=ending, dpi=dpi)


def _draw_band(axes: Axes, cells: np.ndarray[tuple[int, int], np.dtype[np.int64]], first: int, last: int) -> None:
    """Draw columns ``first`` to ``last``: cells, rows of tiles, groups with their names."""
    from matplotlib.colors import ListedColormap

    axes.pcolormesh(
        np.arange(first, last + 1), np.arange(35), cells, cmap=ListedColormap(_COLOURS), vmin=0, vmax=3,
        edgecolors="#e4e4e4", linewidth=0.3,
    )  # fmt: skip
    axes.set_ylim(34, 0)
    axes.hlines((9, 18, 27), first, last, color="#444444", lw=0.8, linestyles="dotted")
    axes.vlines([column for column in _PARTS if first < column < last], 0, 34, color="#444444", lw=0.5, ls="dashed")
    for name, column, count in GROUPS:
        if first <= column < last:
            axes.vlines(column, -1.2, 34, color="#444444", lw=1.1, clip_on=False)
            axes.text(column + 0.15, -0.3, str(column), fontsize=6, color="#666666", va="bottom")
            middle = column + count / 2
            if count >= 18:
                axes.text(middle, -1.6, name, fontsize=9, ha="center")
            else:
                axes.text(middle, -1.6, name.partition(", ")[2] or name, fontsize=8, rotation=35, ha="left")
    axes.set_xticks([])
    axes.set_yticks([row + 0.5 for row in range(34)], [tile_text(row) for row in range(34)], fontsize=6)
    axes.tick_params(length=0, pad=2)


def _numbers(reading: ObservationReading, players: int) -> Iterator[tuple[int, int, str]]:
    """Yield the contents of the columns of numbers: first column, count, text."""
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


def _hand_of_record(record: Path, game: int, hand: int) -> PlayedHand:
    return hand_of_game(nth_game(record, game), hand)


#: The facet ``"observation"``, for ``janshi show-observation``.
OBSERVATION: Final = SimpleNamespace(
    describe=describe,
    describe_list=describe_list,
    describe_raw=describe_raw,
    as_json=as_json,
    list_json=list_json,
    of_record=_hand_of_record,
    at_random=random_hand,
    draw=draw,
)

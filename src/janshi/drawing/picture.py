"""Parts of pictures and texts of tables: hands, melds, rivers and the surrounding document.

A game converts its states to `SeatPicture`s and draws the middle of the table; this module draws the rest. Seats
follow each other anticlockwise. Rivers have rows of six tiles. A shaded tile was discarded as drawn, a pale one was
called. The called tile of a meld lies sideways, on the side of the seat that discarded it. No fonts are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from io import BytesIO
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from janshi.drawing.letters import number
from janshi.drawing.tiles import HEIGHT, NAMES, WIDTH, XMLNS, symbols
from janshi.installing import lacking
from janshi.tiles import format_tiles, tile_text

#: A tile face down, the only information in a view about a hidden tile.
HIDDEN: Final = -1
#: Width and height of a table's picture in its own units.
SIZE: Final = 900
MIDDLE: Final = SIZE / 2
#: Half the width of the middle.
PANEL: Final = 112

_OWN, _OTHERS, _RIVER, _MELD = 50, 40, 37, 36.0  # widths of tiles
_ASIDE: Final = 0.85  # of a meld's tile
_GAP: Final = 7  # between melds
_MELD_SPACE: Final = 580  # for melds and tiles laid aside
_CORNER: Final = 60  # where the neighbour's melds begin
_APART: Final = 0.3  # between a hand and the tile just drawn, in tiles
_ROW: Final = 6  # tiles in a row of a river
_ROWS: Final = 4  # rows of a river; further discards extend the last one
_TURNS: Final = (0, -90, 180, 90)  # rotations of the seats below, on the right, above, on the left
_FELT, _RIM, _DARK, LIGHT, AMBER = "#23614f", "#174236", "#12302a", "#f4f0e3", "#f6b73c"


class RenderError(RuntimeError):
    """Raised for a missing package for pixel images; the message names the command that installs it."""


class MeldTile(NamedTuple):
    """A tile of a meld, from left to right."""

    tile: int
    turned: bool = False  # the called tile, and the one added to it
    stacked: bool = False  # lies on the one before it


class RiverTile(NamedTuple):
    """A tile in a river."""

    tile: int
    from_draw: bool = False
    turned: bool = False  # lies sideways
    called: bool = False
    offered: bool = False  # framed: the tile that the table asks about
    marks: str = ""  # behind the tile in texts


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPicture:
    """The tiles before one seat."""

    seat: int
    side: int  # 0 below, 1 on the right, 2 above, 3 on the left
    hand: tuple[int, ...]  # sorted, without the tile just drawn
    drawn: int | None
    melds: tuple[tuple[MeldTile, ...], ...]
    aside: tuple[int, ...] = ()  # laid aside beside the melds
    river: tuple[RiverTile, ...]


def one_record(record: Any) -> Any:
    """Return the one record of an array. Raises `TypeError` if there are several, or none."""
    array = np.asarray(record)
    if array.dtype.names is None or array.size != 1:
        raise TypeError("a table is drawn from one View (Table.view(seat), or one of Tables.views())")
    return array.reshape(())


def check_seat(seat: int, players: int) -> None:
    """Raise `ValueError` if there is no such seat."""
    if not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat} at a table of {players}")


def laid(held: Sequence[int], called: int, ahead: int, players: int, added: int | None = None) -> tuple[MeldTile, ...]:
    """Return a called meld from left to right; the called tile lies on the side of the seat ``ahead`` turns later.

    ``added``: a tile on the called one.
    """
    index = len(held) if ahead == 1 else 0 if ahead == players - 1 else 1
    tiles = [MeldTile(tile) for tile in held]
    stacked = [] if added is None else [MeldTile(added, True, True)]
    return (*tiles[:index], MeldTile(called, True), *stacked, *tiles[index:])


def table_pixels(svg: str, width: int = 800) -> NDArray[np.uint8]:
    """Return an SVG document as pixels (height, width, 3; uint8).

    Raises `RenderError` if resvg-py or Pillow is not installed, and `ValueError` if the text is no SVG.
    """
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError as error:
        raise RenderError(f"a table as pixels {lacking(error.name or 'resvg_py', 'render')}") from None
    try:
        png = bytes(svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))
    except ValueError as error:
        raise ValueError(f"the text to be drawn is no SVG: {error}") from None
    return np.asarray(Image.open(BytesIO(png)).convert("RGB"))


# ---------------------------------------------------------------------------------------------------------
# SVG


def document(title: str, body: str, *, numerals: bool = False, tiles: Iterable[str] | None = None) -> str:
    """Return the SVG document of a table with a title and a body.

    ``tiles`` names the drawings to define; default: those that the body uses.
    """
    wanted = {name for name in NAMES if f'"#tile-{name}"' in body} if tiles is None else set(tiles)
    return (
        f'<svg {XMLNS} viewBox="0 0 {SIZE} {SIZE}" width="640" height="640" role="img"><title>{escape(title)}</title>'
        f"{_symbols(tuple(name for name in NAMES if name in wanted), numerals)}"
        f'<rect width="{SIZE}" height="{SIZE}" rx="18" fill="{_RIM}"/>'
        f'<rect x="6" y="6" width="{SIZE - 12}" height="{SIZE - 12}" rx="13" fill="{_FELT}"/><g>{body}</g></svg>'
    )


@cache
def _symbols(names: tuple[str, ...], numerals: bool) -> str:
    return symbols(names, numerals=numerals)


def empty_panel() -> str:
    """Return the empty middle of a table."""
    corner = MIDDLE - PANEL
    return f'<rect x="{corner:g}" y="{corner:g}" width="{2 * PANEL}" height="{2 * PANEL}" rx="12" fill="{_DARK}"/>'


def asked_bar(y: float) -> str:
    """Return the bar on a seat's edge of the middle that marks its pending decision."""
    return f'<rect x="{MIDDLE - 70:g}" y="{y:g}" width="140" height="4.5" rx="2.2" fill="{AMBER}"/>'


def tile_at(tile: int, x: float, y: float, width: float, *, turned: bool = False, more: str = "") -> str:
    """Return a tile, upright or sideways, with its upper left corner at (``x``, ``y``)."""
    name = "back" if tile == HIDDEN else tile_text(tile)
    position = (
        f'transform="translate({number(x)} {number(y + width)})rotate(-90)"'
        if turned
        else f'x="{number(x)}" y="{number(y)}"'
    )
    return f'<use href="#tile-{name}" {position} width="{number(width)}" height="{number(_high(width))}"{more}/>'


def _high(width: float) -> float:
    return width * HEIGHT / WIDTH


def side(seat: SeatPicture, strip: str) -> str:
    """Return all parts of a seat, drawn as for the seat below; ``strip``: content of its edge of the middle."""
    melds, left = _melds(seat)
    return (
        f'<g data-seat="{seat.seat}" transform="rotate({_TURNS[seat.side]} {MIDDLE:g} {MIDDLE:g})">'
        f"{strip}{_river(seat.river)}{melds}{_hand(seat, left)}</g>"
    )


def _hand(seat: SeatPicture, limit: float) -> str:
    """Return the concealed tiles, which end to the left of ``limit``."""
    tiles = len(seat.hand) + (1 + _APART if seat.drawn is not None else 0)
    # Beside many melds and tiles laid aside the hand is smaller, and leaves the left neighbour's corner free.
    width = min(_OWN if seat.side == 0 else _OTHERS, (limit - 10 - _CORNER) / tiles)
    x = min(MIDDLE - (7 + _APART / 2) * width, limit - 10 - tiles * width)
    y = SIZE - 10 - _high(width)
    drawn = "".join(tile_at(tile, x + index * width, y, width) for index, tile in enumerate(seat.hand))
    if seat.drawn is not None:
        drawn += tile_at(seat.drawn, x + (len(seat.hand) + _APART) * width, y, width)
    return drawn


def _melds(seat: SeatPicture) -> tuple[str, float]:
    """Return melds and tiles laid aside from the right corner to the left, and their left end."""
    # They begin beyond the height of the hand of the seat on whose left they lie.
    bottom, right = SIZE - 10.0, SIZE - 78.0
    # Four kans and four tiles aside would leave no room for the hand and are drawn smaller.
    natural = sum(_long(meld, _MELD) + _GAP for meld in seat.melds) + len(seat.aside) * _ASIDE * _MELD
    width = _MELD * min(1.0, _MELD_SPACE / natural) if natural else _MELD
    drawn = ""
    for meld in seat.melds:
        right -= _long(meld, width)
        drawn += _meld(meld, right, bottom, width)
        right -= _GAP
    for tile in seat.aside:
        right -= _ASIDE * width
        drawn += tile_at(tile, right, bottom - _high(_ASIDE * width), _ASIDE * width)
    return drawn, right


def _long(meld: tuple[MeldTile, ...], width: float) -> float:
    return sum(0.0 if tile.stacked else _high(width) if tile.turned else width for tile in meld)


def _meld(meld: tuple[MeldTile, ...], x: float, bottom: float, width: float) -> str:
    drawn = ""
    for tile, turned, stacked in meld:
        wide = _high(width) if turned else width
        if stacked:
            drawn += tile_at(tile, x - wide, bottom - 2 * width, width, turned=True)
            continue
        drawn += tile_at(tile, x, bottom - (width if turned else _high(width)), width, turned=turned)
        x += wide
    return drawn


def _river(river: tuple[RiverTile, ...]) -> str:
    drawn = ""
    left = MIDDLE - 3 * _RIVER
    x = left
    for index, discard in enumerate(river):
        row = min(index // _ROW, _ROWS - 1)
        if index % _ROW == 0 and index < _ROW * _ROWS:
            x = left
        wide, high = (_high(_RIVER), _RIVER) if discard.turned else (_RIVER, _high(_RIVER))
        y = MIDDLE + PANEL + 12 + row * (_high(_RIVER) + 2) + (_high(_RIVER) - high)
        pale = ' opacity=".42"' if discard.called else ""
        drawn += tile_at(discard.tile, x, y, _RIVER, turned=discard.turned, more=pale)
        cover = f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" rx="3.6" '
        if discard.from_draw and not discard.called:
            drawn += f'{cover}fill="#16211e" fill-opacity=".26"/>'
        if discard.offered:
            drawn += f'{cover}fill="none" stroke="{AMBER}" stroke-width="3"/>'
        x += wide
    return drawn


# ---------------------------------------------------------------------------------------------------------
# Text


def hand_text(seat: SeatPicture) -> str:
    """Return the concealed tiles with the one just drawn after ``+``, or the number of hidden tiles."""
    if HIDDEN in seat.hand:
        return f"{len(seat.hand)} tiles" + (" + 1" if seat.drawn is not None else "")
    return format_tiles(seat.hand) + (f" + {tile_text(seat.drawn)}" if seat.drawn is not None else "")


def meld_text(meld: tuple[MeldTile, ...], source: str) -> str:
    """Return a meld in brackets with its source; a concealed kan shows two of its tiles."""
    faces = [part.tile for part in meld if part.tile != HIDDEN]
    if len(faces) < len(meld):
        faces += [min(faces)] * 2
    return f"[{format_tiles(faces)} {source}]"


def river_text(river: tuple[RiverTile, ...]) -> str:
    """Return a river's tiles with their marks."""
    return " ".join(tile_text(discard.tile) + discard.marks for discard in river) or "–"

"""A table as one picture: SVG, pixels, and text for a terminal.

`table_svg` draws what one seat may see, that seat below; `open_table_svg` draws all hands open. The seats sit in turn
anticlockwise; at a table of three nobody sits above. Rivers lie in rows of six, the riichi discard sideways; a tile
discarded as drawn is shaded, a called one is pale; of a meld the called tile lies sideways, on the side of the seat it
came from. A bar beside a seat's points says that the table waits for it. No fonts are needed.

>>> from janshi.table import Table
>>> table = Table("tenhou-sanma", seed=1)
>>> table_svg(table.view(0)).count('href="#tile-back"')  # 26 tiles of the others, 4 indicators
30
>>> print(table_text(table.view(0)).splitlines()[0])
East 1, 54 tiles left, dora indicator 1s
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from io import BytesIO
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.drawing.brush import number, outline
from janshi.drawing.kanji import WINDS
from janshi.drawing.letters import lettering
from janshi.drawing.snapshot import (
    HIDDEN,
    WIND_NAMES,
    Discard,
    MeldTile,
    SeatSnapshot,
    TableSnapshot,
    round_text,
    snapshot_of_table,
    snapshot_of_view,
)
from janshi.drawing.tiles import HEIGHT, NAMES, WIDTH, XMLNS, symbols
from janshi.installing import lacking
from janshi.riichi.state import State
from janshi.table import Table
from janshi.tiles import NORTH, format_tiles, tile_text

#: Width and height of a table's picture, in its own units.
SIZE: Final = 900

_MIDDLE: Final = SIZE / 2
#: Half the width of the middle.
PANEL: Final = 112
_OWN, _OTHERS, _RIVER, _MELD = 50, 40, 37, 36.0  # widths of tiles
_KITA: Final = 0.85  # of a meld's tile
_GAP: Final = 7  # between melds
_MELD_SPACE: Final = 580  # for melds and kitas
_CORNER: Final = 60  # where the neighbour's melds begin
_APART: Final = 0.3  # between a hand and the tile just drawn, in tiles
_ROW: Final = 6  # tiles in a row of a river
_ROWS: Final = 4  # rows of a river; the last goes on to the right
_TURNS: Final = (0, -90, 180, 90)  # of the seat below, on the right, above, on the left
_FELT, _RIM, _DARK, LIGHT, AMBER, _DIM = "#23614f", "#174236", "#12302a", "#f4f0e3", "#f6b73c", "#9fc4b6"


class RenderError(RuntimeError):
    """What pixels need is not installed: says in one line what to do."""


def table_svg(view: Any, *, numerals: bool = False) -> str:
    """Return what a seat may see (a `janshi.riichi.state.View`, or an array of one) as an SVG document.

    ``numerals`` puts digits and letters on the tiles and in place of the winds' characters.
    """
    return _document(snapshot_of_view(view), numerals)


def open_table_svg(table: Table | State, *, seat: int = 0, numerals: bool = False) -> str:
    """Return a table (or its `janshi.riichi.state.State`) with all hands open as an SVG document, ``seat`` below.

    Raises `ValueError` where there is no such seat.
    """
    return _document(snapshot_of_table(table, seat), numerals)


def table_pixels(svg: str, width: int = 800) -> NDArray[np.uint8]:
    """Return an SVG document as pixels (height, width, 3; uint8).

    Raises `RenderError` where resvg-py or Pillow is not installed, and `ValueError` where the text is no SVG.
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


def _document(table: TableSnapshot, numerals: bool) -> str:
    return document(heading(table), body_of(table, numerals=numerals), numerals=numerals)


def body_of(table: TableSnapshot, *, numerals: bool = False) -> str:
    """Return all that lies on a table, as elements without text between them; their tiles are used, not defined."""
    return _panel(table, numerals) + _dora(table) + "".join(side(seat, _strip(seat, numerals)) for seat in table.seats)


def document(title: str, body: str, *, numerals: bool = False, tiles: Iterable[str] | None = None) -> str:
    """Return the SVG document of a table with a title and a body (`body_of`).

    ``tiles`` names the drawings that it defines; without them those that the body uses.
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


def _name(tile: int) -> str:
    return "back" if tile == HIDDEN else tile_text(tile)


def tile_at(tile: int, x: float, y: float, width: float, *, turned: bool = False, more: str = "") -> str:
    """Return a tile whose upper left corner, also of one that lies sideways, is at (``x``, ``y``)."""
    high = width * HEIGHT / WIDTH
    position = (
        f'transform="translate({number(x)} {number(y + width)})rotate(-90)"'
        if turned
        else f'x="{number(x)}" y="{number(y)}"'
    )
    return f'<use href="#tile-{_name(tile)}" {position} width="{number(width)}" height="{number(high)}"{more}/>'


def _high(width: float) -> float:
    return width * HEIGHT / WIDTH


def side(seat: SeatSnapshot, strip: str) -> str:
    """Return all that belongs to a seat, drawn as if it sat below; ``strip``: what stands on its edge of the middle."""
    melds, left = _melds(seat)
    return (
        f'<g data-seat="{seat.seat}" transform="rotate({_TURNS[seat.side]} {_MIDDLE:g} {_MIDDLE:g})">'
        f"{strip}{_river(seat.river)}{melds}{_hand(seat, left)}</g>"
    )


def _hand(seat: SeatSnapshot, limit: float) -> str:
    """Return the concealed tiles, which end to the left of ``limit``."""
    tiles = len(seat.hand) + (1 + _APART if seat.drawn is not None else 0)
    # Beside many melds and kitas the hand gets smaller, and stays clear of the left neighbour's corner.
    width = min(_OWN if seat.side == 0 else _OTHERS, (limit - 10 - _CORNER) / tiles)
    x = min(_MIDDLE - (7 + _APART / 2) * width, limit - 10 - tiles * width)
    y = SIZE - 10 - _high(width)
    drawn = "".join(tile_at(tile, x + index * width, y, width) for index, tile in enumerate(seat.hand))
    if seat.drawn is not None:
        drawn += tile_at(seat.drawn, x + (len(seat.hand) + _APART) * width, y, width)
    return drawn


def _melds(seat: SeatSnapshot) -> tuple[str, float]:
    """Return melds and kitas from the right corner to the left, and where they end."""
    bottom, right = SIZE - 10.0, SIZE - 72.0
    # Four kans and four kitas of one seat would leave no room for its hand: they get smaller.
    natural = sum(_long(meld, _MELD) + _GAP for meld in seat.melds) + seat.kitas * _KITA * _MELD
    width = _MELD * min(1.0, _MELD_SPACE / natural) if natural else _MELD
    drawn = ""
    for meld in seat.melds:
        right -= _long(meld, width)
        drawn += _meld(meld, right, bottom, width)
        right -= _GAP
    for _ in range(seat.kitas):
        right -= _KITA * width
        drawn += tile_at(NORTH, right, bottom - _high(_KITA * width), _KITA * width)
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


def _river(river: tuple[Discard, ...]) -> str:
    drawn = ""
    left = _MIDDLE - 3 * _RIVER
    x = left
    for index, discard in enumerate(river):
        row = min(index // _ROW, _ROWS - 1)
        if index % _ROW == 0 and index < _ROW * _ROWS:
            x = left
        wide, high = (_high(_RIVER), _RIVER) if discard.riichi else (_RIVER, _high(_RIVER))
        y = _MIDDLE + PANEL + 12 + row * (_high(_RIVER) + 2) + (_high(_RIVER) - high)
        pale = ' opacity=".42"' if discard.called else ""
        drawn += tile_at(discard.tile, x, y, _RIVER, turned=discard.riichi, more=pale)
        cover = f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" rx="3.6" '
        if discard.from_draw and not discard.called:
            drawn += f'{cover}fill="#16211e" fill-opacity=".26"/>'
        if discard.offered:
            drawn += f'{cover}fill="none" stroke="{AMBER}" stroke-width="3"/>'
        x += wide
    return drawn


def _strip(seat: SeatSnapshot, numerals: bool) -> str:
    """Return a seat's wind, points and riichi stick on its edge of the middle panel."""
    y = _MIDDLE + PANEL
    colour = AMBER if seat.wind == 0 else LIGHT
    drawn = _wind(seat.wind, _MIDDLE - 70, y - 37, 23, colour, numerals)
    drawn += lettering(f"{seat.points:,}", _MIDDLE + 17, y - 33.5, 17, LIGHT, centred=True)
    if seat.riichi:
        drawn += _stick(_MIDDLE - 50, y + 0.5, 100, 8, "#d4242e", 1)
    if seat.asked:
        drawn += f'<rect x="{_MIDDLE - 70:g}" y="{y - 9.5:g}" width="140" height="4.5" rx="2.2" fill="{AMBER}"/>'
    return drawn


@cache
def _wind(wind: int, x: float, y: float, size: float, colour: str, numerals: bool) -> str:
    if numerals:
        return lettering("ESWN"[wind], x + size / 2, y + size * 0.12, size * 0.8, colour, centred=True)
    return f'<path fill="{colour}" d="{outline(WINDS[wind], (x, y, size, size * 1.08), size * 0.135)}"/>'


def _stick(x: float, y: float, wide: float, high: float, colour: str, dots: int) -> str:
    middle, step = x + wide / 2, 0.62 * high
    marks = "".join(
        f'<circle cx="{number(middle + (dot - (dots - 1) / 2) * step)}" cy="{number(y + high / 2)}" '
        f'r="{number(0.3 * high if dots == 1 else 0.2 * high)}" fill="{colour}"/>'
        for dot in range(dots)
    )
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(wide)}" height="{number(high)}" '
        f'rx="{number(high / 2.6)}" fill="{LIGHT}"/>{marks}'
    )


def empty_panel() -> str:
    """Return the middle of a table without anything on it."""
    corner = _MIDDLE - PANEL
    return f'<rect x="{corner:g}" y="{corner:g}" width="{2 * PANEL}" height="{2 * PANEL}" rx="12" fill="{_DARK}"/>'


def _panel(table: TableSnapshot, numerals: bool) -> str:
    """Return the middle of the table: the round, tiles left, honba and deposits."""
    drawn = empty_panel()
    drawn += _wind(table.kyoku // 4 % 4, _MIDDLE - 37, _MIDDLE - 50, 40, LIGHT, numerals)
    drawn += lettering(str(table.kyoku % 4 + 1), _MIDDLE + 13, _MIDDLE - 46, 34, LIGHT)
    left, y = _MIDDLE - 54, _MIDDLE + 36
    drawn += f'<rect x="{_MIDDLE - 25:g}" y="{_MIDDLE + 7:g}" width="11" height="15" rx="2" fill="#5a80bd"/>'
    drawn += lettering(str(table.left), _MIDDLE - 6, _MIDDLE + 8, 13, LIGHT)
    for x, count, colour, dots in ((left, table.deposits, "#d4242e", 1), (left + 62, table.honba, "#1c1f26", 4)):
        drawn += _stick(x, y + 1.5, 28, 7, colour, dots)
        drawn += lettering(str(count), x + 33, y, 10, LIGHT if count else _DIM)
    return drawn


def _dora(table: TableSnapshot) -> str:
    """Return the dora indicators, those not turned over from behind."""
    tiles = (*table.indicators, *(HIDDEN,) * (5 - len(table.indicators)))
    drawn = "".join(tile_at(tile, 92 + 31 * index, 92, 31) for index, tile in enumerate(tiles))
    return f'<g data-part="dora">{drawn}</g>'


# ---------------------------------------------------------------------------------------------------------
# Text


def table_text(view: Any) -> str:
    """Return what a seat may see as lines for a terminal, the seat itself last; tiles as ``123p0s77z``.

    In a river ``'`` marks a tile discarded as drawn, ``!`` the riichi discard, ``^`` a called one; ``>`` stands
    before the seat that the table waits for.
    """
    return text_of(snapshot_of_view(view))


def text_of(table: TableSnapshot) -> str:
    """Return a table as `table_text` does."""
    lines = [heading(table)]
    for seat in (*table.seats[1:], table.seats[0]):
        riichi = ", riichi" if seat.riichi else ""
        lines.append(
            f"{'>' if seat.asked else ' '} {WIND_NAMES[seat.wind]:5} seat {seat.seat}  {seat.points:>7,}{riichi}  "
            + "  ".join(part for part in (_hand_text(seat), *_melds_text(seat)) if part)
        )
        lines.append(f"    river {_river_text(seat.river)}")
    return "\n".join(lines)


def heading(table: TableSnapshot) -> str:
    """Return in one line what all share: round, sticks, tiles left, dora indicators."""
    parts = [round_text(table.kyoku)]
    if table.honba:
        parts.append(f"{table.honba} honba")
    if table.deposits:
        parts.append(f"{table.deposits} riichi stick{'s' if table.deposits > 1 else ''}")
    parts.append(f"{table.left} tiles left")
    many = "s" if len(table.indicators) > 1 else ""
    parts.append(f"dora indicator{many} {' '.join(tile_text(tile) for tile in table.indicators)}")
    return ", ".join(parts) + (", hand over" if table.over else "")


def _hand_text(seat: SeatSnapshot) -> str:
    if HIDDEN in seat.hand:
        return f"{len(seat.hand)} tiles" + (" + 1" if seat.drawn is not None else "")
    return format_tiles(seat.hand) + (f" + {tile_text(seat.drawn)}" if seat.drawn is not None else "")


def _melds_text(seat: SeatSnapshot) -> list[str]:
    texts = []
    for meld, discarder in zip(seat.melds, seat.discarders, strict=True):
        faces = [part.tile for part in meld if part.tile != HIDDEN]
        if len(faces) < len(meld):  # a closed kan: its outer tiles lie face down
            faces += [min(faces)] * 2
        origin = "closed" if discarder == seat.seat else f"from {discarder}"
        texts.append(f"[{format_tiles(faces)} {origin}]")
    return texts + ([f"[kita {seat.kitas}]"] if seat.kitas else [])


def _river_text(river: tuple[Discard, ...]) -> str:
    texts = []
    for discard in river:
        marks = "'" * discard.from_draw + "!" * discard.riichi + "^" * discard.called
        texts.append(tile_text(discard.tile) + marks)
    return " ".join(texts) or "–"

"""Tile faces as SVG, drawn for this package with paths and circles only, so that they look the same everywhere.

A tile is 60 wide and 80 high. The names are those of tile text: ``1m`` … ``9s``, ``0m 0p 0s`` for the red fives, ``1z``
… ``7z`` for East, South, West, North, white, green, red; ``back`` is the back of a tile. With numerals each face has a
small 1–9, E S W N, P F C (white, green, red, as in mjai) in its corner, for players who do not read Chinese.

The drawings are in ``tiles.svg``, and the winds of a table's middle in ``winds.svg``, beside this module.

>>> tile_svg("0p").startswith("<svg")
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from janshi.tiles import TILES, TileError, tile_text

WIDTH: Final = 60
HEIGHT: Final = 80

#: Names of all drawings: the 37 tiles, then the back.
NAMES: Final = (*(tile_text(tile) for tile in range(TILES)), "back")

XMLNS: Final = 'xmlns="http://www.w3.org/2000/svg"'
_FOLDER: Final = Path(__file__).parent
_SYMBOL: Final = re.compile(r'<symbol id="tile-(\w+)"[^>]*>(.*?)</symbol>')
#: Common parts of several drawings, by id.
_SHARED: Final = re.compile(r'<g id="([\w-]+)">(.*?)</g>(?=<g id=|</defs>)')
#: A face with its numeral.
_NUMBERED: Final = re.compile(r'<g class="tile-picture"[^>]*>(.*)</g><g class="tile-index".*')
_WIND: Final = re.compile(r'<path id="wind-\d" d="([^"]+)"')


def tile_svg(tile: str, *, numerals: bool = False) -> str:
    """Return the drawing of a tile (``"5p"``, ``"0s"``, ``"back"``) as an SVG document.

    Raises `janshi.tiles.TileError` for a name that is not in `NAMES`.
    """
    drawing = _drawing(tile, numerals)
    for name, element in _read(_SHARED).items():
        drawing = drawing.replace(f'<use href="#{name}"/>', element)
    return f'<svg {XMLNS} viewBox="0 0 {WIDTH} {HEIGHT}">{drawing}</svg>'


def sprite(*, numerals: bool = True) -> str:
    """Return all drawings in one SVG document, each a symbol ``tile-NAME`` for ``<use href="#tile-5p">``.

    With numerals each symbol contains a group of class ``tile-picture``, scaled by a transform, and a group of class
    ``tile-index``. Selectors that begin outside of a symbol do not match inside it, but it inherits variables. This
    style sheet hides the numerals by default and shows them in elements of class ``numerals``::

        .tile-index {display: var(--tile-index, none)}
        .tile-picture {transform: var(--tile-picture, none)}
        .numerals {--tile-index: inline; --tile-picture: translate(9px, 11.6px) scale(.84)}
    """
    return f'<svg {XMLNS} width="0" height="0" aria-hidden="true">{symbols(NAMES, numerals=numerals)}</svg>\n'


def symbols(names: Iterable[str], *, numerals: bool = False) -> str:
    """Return the symbols of some drawings and their common parts, for the ``defs`` of an SVG document."""
    drawn = "".join(
        f'<symbol id="tile-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{_drawing(name, numerals)}</symbol>' for name in names
    )
    shared = "".join(
        f'<g id="{name}">{element}</g>' for name, element in _read(_SHARED).items() if f'<use href="#{name}"/>' in drawn
    )
    return f"<defs>{shared}</defs>{drawn}" if shared else drawn


@cache
def wind_paths() -> list[str]:
    """Return the path data of East, South, West and North in a box of 100 × 108."""
    return _WIND.findall((_FOLDER / "winds.svg").read_text(encoding="utf-8"))


@cache
def _read(pattern: re.Pattern[str]) -> dict[str, str]:
    return dict(pattern.findall((_FOLDER / "tiles.svg").read_text(encoding="utf-8")))


@cache
def _drawing(tile: str, numerals: bool) -> str:
    if tile not in NAMES:
        raise TileError(f"{tile!r} is no tile: there are {', '.join(NAMES)}")
    drawing = _read(_SYMBOL)[tile]
    return drawing if numerals else _NUMBERED.sub(r"\1", drawing)

"""Tile faces as SVG: our own drawings, paths and circles alone, so that they look the same on every machine.

A tile is 60 wide and 80 high and named as in tile text: ``1m`` … ``9s``, ``0m 0p 0s`` the red fives, ``1z`` … ``7z``
East, South, West, North, white, green, red; ``back`` is a tile seen from behind. With numerals each face bears a small
1–9, E S W N, P F C (white, green, red, as in mjai) in its corner, for those who do not read Chinese.

>>> tile_svg("0p").startswith("<svg")
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from janshi.drawing.brush import number, outline
from janshi.drawing.kanji import GREEN, NUMBERS, RED, TEN_THOUSAND, WINDS
from janshi.drawing.letters import LETTERS
from janshi.tiles import TILES, TileError, tile_text

WIDTH: Final = 60
HEIGHT: Final = 80

#: Names of all drawings: the 37 tiles, then the back.
NAMES: Final = (*(tile_text(tile) for tile in range(TILES)), "back")

XMLNS: Final = 'xmlns="http://www.w3.org/2000/svg"'
_INK, _CRIMSON, _LEAF, _SEA = "#23262f", "#c8202a", "#14713f", "#1f4f94"
_SCARLET: Final = "#e0162b"  # of the red fives
_IVORY, _EDGE, _PALE = "#fffcf2", "#cfc4a4", "#ffefe9"

#: Where the circles of 2–9 pin lie (x, y, colour: b blue, g green, r red), and how large they are.
_PINS: Final = (
    (13.6, "30,21.5,g 30,56.5,b"),
    (11, "15.6,16,b 30,39,r 44.4,62,g"),
    (11.8, "17.2,22,b 42.8,22,g 17.2,56,g 42.8,56,b"),
    (10.4, "16,17.4,b 44,17.4,g 30,39,r 16,60.6,g 44,60.6,b"),
    (9.8, "18.8,15.6,g 41.2,15.6,g 18.8,40.4,r 41.2,40.4,r 18.8,62.4,r 41.2,62.4,r"),
    (8.6, "12.8,12.4,g 30,18.8,g 47.2,25.2,g 19.4,45,r 40.6,45,r 19.4,64.6,r 40.6,64.6,r"),
    (8.5, "19.2,11.7,b 40.8,11.7,b 19.2,29.9,b 40.8,29.9,b 19.2,48.1,b 40.8,48.1,b 19.2,66.3,b 40.8,66.3,b"),
    (8.3, "12,14.6,g 30,14.6,g 48,14.6,g 12,39,r 30,39,r 48,39,r 12,63.4,b 30,63.4,b 48,63.4,b"),
)

#: Where the sticks of 2–9 sou lie (x, y, colour, and how far they lean), how long they are and how thick.
_STICKS: Final = (
    (31, 9, "30,21,g 30,57,g"),
    (31, 9, "30,21,g 17,57,g 43,57,g"),
    (31, 9, "17,21,g 43,21,g 17,57,g 43,57,g"),
    (31, 8.6, "13,21,g 47,21,g 30,39,r 13,57,g 47,57,g"),
    (31, 8.4, "12.6,21,g 30,21,g 47.4,21,g 12.6,57,g 30,57,g 47.4,57,g"),
    (20.4, 8.4, "30,14.2,r 12.6,39,g 30,39,g 47.4,39,g 12.6,63.8,g 30,63.8,g 47.4,63.8,g"),
    (31, 6.8, "9.6,21,g 50.4,21,g 23,20.8,g,-37 37,20.8,g,37 9.6,57,g 50.4,57,g 23,57.2,g,37 37,57.2,g,-37"),
    (20.4, 8.4, "12.6,14.2,g 30,14.2,r 47.4,14.2,g 12.6,39,g 30,39,r 47.4,39,g 12.6,63.8,g 30,63.8,r 47.4,63.8,g"),
)

_COLOURS: Final = {"b": _SEA, "g": _LEAF, "r": _CRIMSON}


def tile_svg(tile: str, *, numerals: bool = False) -> str:
    """Return the drawing of a tile (``"5p"``, ``"0s"``, ``"back"``) as a whole SVG document.

    Raises `janshi.tiles.TileError` for a name that is not in `NAMES`.
    """
    return f'<svg {XMLNS} viewBox="0 0 {WIDTH} {HEIGHT}">{_drawing(tile, numerals)}</svg>'


def sprite(*, numerals: bool = True) -> str:
    """Return all drawings in one SVG document, a symbol ``tile-NAME`` each, shown by ``<use href="#tile-5p">``.

    With numerals each symbol holds a group of class ``tile-picture``, made smaller by a transform, and a group of class
    ``tile-index``. What `use` shows hears no selectors that begin outside of the symbol, but it inherits variables, so
    a page that leaves the numerals away by default, and shows them below what sets both variables, says::

        .tile-index {display: var(--tile-index, none)}
        .tile-picture {transform: var(--tile-picture, none)}
        .numerals {--tile-index: inline; --tile-picture: translate(9px, 11.6px) scale(.84)}
    """
    return f'<svg {XMLNS} width="0" height="0" aria-hidden="true">{symbols(NAMES, numerals=numerals)}</svg>\n'


def symbols(names: Iterable[str], *, numerals: bool = False) -> str:
    """Return the symbols of some drawings, and what they share, for the ``defs`` of an SVG document."""
    drawn = "".join(
        f'<symbol id="tile-{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{_drawing(name, numerals)}</symbol>' for name in names
    )
    shared = ""
    for name, element in _SHARED.items():
        if element in drawn:
            drawn = drawn.replace(element, f'<use href="#{name}"/>')
            shared += f'<g id="{name}">{element}</g>'
    return f"<defs>{shared}</defs>{drawn}" if shared else drawn


@cache
def _drawing(tile: str, numerals: bool) -> str:
    if tile not in NAMES:
        raise TileError(f"{tile!r} is no tile: there are {', '.join(NAMES)}")
    if tile == "back":
        return _BACK
    red = tile[0] == "0"
    picture = {"m": _man, "p": _pin, "s": _sou, "z": _honour}[tile[1]](int(tile[0]) or 5, red)
    if numerals:
        picture = f'<g class="tile-picture" transform="translate(9 11.6)scale(.84)">{picture}</g>{_index(tile)}'
    return (_RED_FACE if red else _FACE) + picture


def _index(tile: str) -> str:
    """Return the numeral of a tile."""
    letter = "ESWNPFC"[int(tile[0]) - 1] if tile[1] == "z" else "5" if tile[0] == "0" else tile[0]
    colour = _SCARLET if tile[0] == "0" else {"m": _INK, "p": _SEA, "s": _LEAF, "z": _INK}[tile[1]]
    return (
        '<g class="tile-index" transform="translate(5 4.6)" fill="none" stroke-linecap="round">'
        f'<path d="{LETTERS[letter]}" stroke="{colour}" stroke-width="2.2"/></g>'
    )


def _ground(edge: str, ivory: str) -> str:
    return (
        f'<rect width="60" height="80" rx="6.5" fill="{edge}"/>'
        f'<rect x="1.2" y="1" width="57.6" height="76" rx="5.6" fill="{ivory}"/>'
    )


_FACE: Final = _ground(_EDGE, _IVORY)
_RED_FACE: Final = _ground(_EDGE, _PALE) + f'<circle cx="54.2" cy="5.8" r="2.3" fill="{_SCARLET}"/>'
_BACK: Final = (
    _ground("#1d3157", "#3b5f9e")
    + '<g fill="none" stroke="#8fb0e0" stroke-width="1.8"><rect x="6" y="5.8" width="48" height="66.4" rx="3.4"/>'
    + '<path d="M30 10 50 39 30 68 10 39ZM30 24.5 40 39 30 53.5 20 39Z" stroke-linejoin="round"/></g>'
)

#: What stands on many tiles: a document with many of them holds it once.
_TEN_THOUSAND: Final = f'<path d="{outline(TEN_THOUSAND, (9, 36, 42, 36), 3.7)}"/>'
_SHARED: Final = {"tile-face": _FACE, "tile-red-face": _RED_FACE, "tile-man": _TEN_THOUSAND}


def _ink(strokes: tuple[str, ...], box: tuple[float, float, float, float], width: float, colour: str) -> str:
    return f'<path fill="{colour}" d="{outline(strokes, box, width)}"/>'


def _man(rank: int, red: bool) -> str:
    colour = _SCARLET if red else _INK
    return (
        _ink(NUMBERS[rank - 1], (8, 7, 44, 24.5), 6.2, colour)
        + f'<g fill="{_SCARLET if red else _CRIMSON}">{_TEN_THOUSAND}</g>'
    )


def _honour(rank: int, _: bool) -> str:
    if rank <= 4:
        return _ink(WINDS[rank - 1], (7, 9, 46, 60), 5.6, _INK)
    if rank == 5:
        return (
            f'<g fill="none" stroke="{_SEA}"><rect x="9" y="9" width="42" height="60" rx="2.5" stroke-width="3.4"/>'
            '<rect x="13.6" y="13.6" width="32.8" height="50.8" rx="1" stroke-width="1.1"/></g>'
        )
    return _ink(GREEN, (7, 8.5, 46, 61), 4.8, _LEAF) if rank == 6 else _ink(RED, (9, 9, 42, 60), 7, _CRIMSON)


def _dots(places: Iterable[tuple[float, float]], radius: float, colour: str) -> str:
    """Return discs as one path: lines of no length with round ends."""
    path = "".join(f"M{number(x)} {number(y)}h0" for x, y in places)
    return f'<path d="{path}" stroke="{colour}" stroke-width="{number(2 * radius)}"/>'


def _pin(rank: int, red: bool) -> str:
    if rank == 1:
        return _great_circle()
    radius, text = _PINS[rank - 2]
    places: dict[str, list[tuple[float, float]]] = {}
    for x, y, own in _split(text):
        places.setdefault(_SCARLET if red else _COLOURS[own], []).append((float(x), float(y)))
    centres = [centre for group in places.values() for centre in group]
    drawn = ""
    for part in (1.0, 0.6):  # a disc with an ivory ring in it, and another in its middle
        drawn += "".join(_dots(group, part * radius, colour) for colour, group in places.items())
        drawn += _dots(centres, (0.77 if part == 1.0 else 0.22) * radius, _IVORY)
    return f'<g stroke-linecap="round">{drawn}</g>'


def _split(text: str) -> list[list[str]]:
    return [item.split(",") for item in text.split()]


def _great_circle() -> str:
    def ring(radius: float, width: float, colour: str, more: str = "") -> str:
        return f'<circle cx="30" cy="39" r="{number(radius)}" stroke="{colour}" stroke-width="{number(width)}"{more}/>'

    petals = "".join(
        f'<path d="M30 39q5-6.5 0-12.5q-5 6 0 12.5" transform="rotate({turn} 30 39)"/>' for turn in range(0, 360, 60)
    )
    beads = f' stroke-linecap="round" stroke-dasharray="0 {2 * math.pi * 18.2 / 16:.4f}"'
    return (
        f'<g fill="none">{ring(22.8, 2.6, _SEA)}{ring(18.2, 4.2, _LEAF, beads)}</g>'
        f'<circle cx="30" cy="39" r="14.4" fill="{_SEA}"/><g fill="{_IVORY}">{petals}</g>'
        f'<circle cx="30" cy="39" r="4" fill="{_CRIMSON}"/>'
    )


def _sou(rank: int, red: bool) -> str:
    if rank == 1:
        return _BIRD
    length, thick, text = _STICKS[rank - 2]
    bodies: dict[str, str] = {}
    joints: dict[str, str] = {}
    shine = ""
    for x, y, own, *lean in _split(text):
        colour = _SCARLET if red else _COLOURS[own]
        turn = math.radians(float(lean[0]) if lean else 0)
        line = _Line(float(x), float(y), -math.sin(turn), math.cos(turn))
        half, side = length / 2, thick / 2 - 1
        bodies[colour] = bodies.get(colour, "") + line.between(thick / 2 - half, half - thick / 2)
        for along in (1.4 - half, 0, half - 1.4):
            joints[colour] = joints.get(colour, "") + line.across(along, side)
        shine += line.between(4.6 - half, -3.2) + line.between(3.2, half - 4.6)
    shade = "#ffb3b0" if red else "#a9d6b8"
    drawn = "".join(
        f'<g stroke="{colour}"><path stroke-width="{number(thick - 1.8)}" d="{bodies[colour]}"/>'
        f'<path stroke-width="2.8" d="{joints[colour]}"/></g>'
        for colour in bodies
    )
    return f'<g stroke-linecap="round">{drawn}<path stroke="{shade}" stroke-width="1.2" d="{shine}"/></g>'


class _Line(NamedTuple):
    """A point and a direction, and path data of lines along and across it."""

    x: float
    y: float
    dx: float
    dy: float

    def between(self, first: float, last: float) -> str:
        ends = [(self.x + along * self.dx, self.y + along * self.dy) for along in (first, last)]
        return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in ends)

    def across(self, along: float, side: float) -> str:
        middle = _Line(self.x + along * self.dx, self.y + along * self.dy, self.dy, -self.dx)
        return middle.between(-side, side)


#: One sou: a bird on a twig, looking to the left.
_BIRD: Final = (
    # tail
    f'<path fill="{_SEA}" d="M34 46C42 52 50 62 53 73C45 70 36 62 30 52Z"/>'
    f'<path fill="{_CRIMSON}" d="M30 48C37 56 42 65 43 74C36 70 29 62 26 52Z"/>'
    f'<path fill="{_LEAF}" d="M38 40C47 44 53 52 56 62C47 60 38 54 33 48Z"/>'
    # body
    f'<path fill="{_LEAF}" d="M14 18C16 9 29 8 31 18C32 23 36 27 40 32C47 41 42 54 31 54C19 54 12 45 14 34'
    'C15 28 13 23 14 18Z"/>'
    # wing
    f'<path fill="{_SEA}" d="M26 30C36 30 43 38 49 50C38 51 26 46 23 37C22 33 23 30 26 30Z"/>'
    f'<path fill="none" stroke="{_IVORY}" stroke-width="1.4" stroke-linecap="round" '
    'd="M28 35C34 37 38 41 42 46M27 40C31 43 34 45 38 47"/>'
    # head
    f'<path fill="{_CRIMSON}" d="M18 12C16 7 19 4 22 4C21 6 23 7 24 5C26 5 27 8 26 12Z"/>'
    f'<path fill="#d98b1c" d="M15 17 5.5 21 15 23.5Z"/>'
    f'<circle cx="20.5" cy="18" r="3" fill="{_IVORY}"/><circle cx="20.2" cy="18" r="1.5" fill="{_INK}"/>'
    # breast, legs and twig
    f'<path fill="{_IVORY}" d="M16.5 33C18 40 22 46 29 49C20 50 15 42 16.5 33Z"/>'
    f'<path fill="none" stroke="{_INK}" stroke-width="2" stroke-linecap="round" d="M21 53V65M27 54V65"/>'
    f'<path fill="none" stroke="{_LEAF}" stroke-width="4" stroke-linecap="round" d="M9 67H38"/>'
)

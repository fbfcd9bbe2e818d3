"""Tiles and their numberings.

There are three numberings, each a plain ``int``:

* a **kind** (0–33) is the face of a tile: 0–8 are 1–9 man, 9–17 pin, 18–26 sou, 27–30 East South West North, 31–33
  white green red;
* a **tile** (0–36) is a kind, or one of the red fives: 34 red 5m, 35 red 5p, 36 red 5s;
* an **id** (0–135) is a physical tile in Tenhou's numbering: ``id // 4`` is the kind, and the first of the four fives
  of a suit (16, 52, 88) is the red one if the rules have red fives.

Text is the usual ``123p0s77z``: digits, then the suit; ``0`` is a red five; ``1z``–``7z`` are East, South,
West, North, white, green, red.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

KINDS: Final = 34
TILES: Final = 37
IDS: Final = 136

EAST: Final = 27
SOUTH: Final = 28
WEST: Final = 29
NORTH: Final = 30
WHITE: Final = 31
GREEN: Final = 32
RED: Final = 33

RED_5M: Final = 34
RED_5P: Final = 35
RED_5S: Final = 36

#: Kinds of the thirteen orphans: the six terminals and the seven honours.
ORPHANS: Final = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)

_SUITS: Final = "mpsz"
_MJAI_HONOURS: Final = "ESWNPFC"


class TileError(ValueError):
    """Raised for a text or number that is not a tile."""


def kind_of(tile: int) -> int:
    """Return the kind (0–33) of a tile (0–36).

    >>> kind_of(RED_5P) == kind_of(13) == 13
    True
    """
    return tile if tile < KINDS else 4 + 9 * (tile - KINDS)


def kinds_of(tiles: NDArray[Any]) -> NDArray[np.int64]:
    """Return the kinds (int64, of any shape) of tiles (0–36); negative numbers are unchanged.

    >>> kinds_of(np.array([RED_5P, 13, -1])).tolist()
    [13, 13, -1]
    """
    many = np.asarray(tiles, np.int64)
    return np.where(many < KINDS, many, 4 + 9 * (many - KINDS))


def is_red(tile: int) -> bool:
    """Return whether a tile (0–36) is a red five."""
    return tile >= KINDS


def red_of(kind: int) -> int:
    """Return the red five (34–36) of a five's kind (4, 13 or 22)."""
    if kind not in (4, 13, 22):
        raise TileError(f"kind {kind} is no five, so it has no red tile")
    return KINDS + kind // 9


def tile_of_id(identity: int, reds: bool | Sequence[int] = True) -> int:
    """Return the tile (0–36) of an id (0–135), with or without red fives, or with a number of them for each suit.

    >>> tile_of_id(52), tile_of_id(53), tile_of_id(52, reds=False), tile_of_id(52, (1, 0, 1))
    (35, 13, 13, 13)
    """
    if not 0 <= identity < IDS:
        raise TileError(f"{identity} is no tile id: ids run from 0 to 135")
    kind = identity // 4
    if identity not in (16, 52, 88) or not reds or (reds is not True and not reds[kind // 9]):
        return kind
    return red_of(kind)


def tile_text(tile: int) -> str:
    """Return the text of one tile: ``5p``, ``0p``, ``7z``.

    >>> tile_text(13), tile_text(35), tile_text(33)
    ('5p', '0p', '7z')
    """
    if not 0 <= tile < TILES:
        raise TileError(f"{tile} is no tile: tiles run from 0 to 36")
    if tile >= KINDS:
        return "0" + _SUITS[tile - KINDS]
    return str(tile % 9 + 1) + _SUITS[tile // 9]


def parse_tiles(text: str) -> list[int]:
    """Return the tiles (0–36) of a text in the written order; blanks are allowed between groups.

    Raises `TileError` for an invalid text.

    >>> parse_tiles("19m 0p 7z")
    [0, 8, 35, 33]
    """
    tiles: list[int] = []
    pending: list[str] = []
    for place, char in enumerate(text, start=1):
        if char.isspace():
            if pending:
                raise TileError(f"tiles {''.join(pending)!r} in {text!r} have no suit (m, p, s or z) behind them")
        elif char in "0123456789":
            pending.append(char)
        elif char in _SUITS:
            if not pending:
                raise TileError(f"suit {char!r} at place {place} of {text!r} has no numbers before it")
            tiles.extend(_tile(digit, char, text) for digit in pending)
            pending.clear()
        else:
            raise TileError(f"{char!r} at place {place} of {text!r} is neither a digit nor a suit (m, p, s, z)")
    if pending:
        raise TileError(f"tiles {''.join(pending)!r} at the end of {text!r} have no suit (m, p, s or z) behind them")
    return tiles


def _tile(digit: str, suit: str, text: str) -> int:
    number = int(digit)
    if suit == "z":
        if not 1 <= number <= 7:
            raise TileError(f"{digit}z in {text!r} is no tile: honours are 1z to 7z")
        return EAST + number - 1
    base = _SUITS.index(suit)
    return KINDS + base if number == 0 else 9 * base + number - 1


def sort_key(tile: int) -> float:
    """Return the key that sorts tiles as in a hand: by kind, the red five before the plain ones."""
    return kind_of(tile) - (0.5 if tile >= KINDS else 0.0)


def format_tiles(tiles: Iterable[int]) -> str:
    """Return tiles (0–36) as sorted text: ``format_tiles([33, 35, 0]) == "1m0p7z"``.

    >>> format_tiles(parse_tiles("7z1s406p"))
    '406p1s7z'
    """
    text = ""
    last = ""
    for tile in sorted(tiles, key=sort_key):
        name = tile_text(tile)
        if last and last != name[1]:
            text += last
        text += name[0]
        last = name[1]
    return text + last


def from_tenhou(number: int) -> int:
    """Return the tile of a number in Tenhou's JSON: 11–19, 21–29, 31–39, 41–47, and 51–53 for red fives.

    >>> from_tenhou(52) == RED_5P
    True
    """
    suit, rank = divmod(number, 10)
    if suit == 5 and 1 <= rank <= 3:
        return KINDS + rank - 1
    if 1 <= suit <= 3 and 1 <= rank <= 9:
        return 9 * (suit - 1) + rank - 1
    if suit == 4 and 1 <= rank <= 7:
        return EAST + rank - 1
    raise TileError(f"{number} is no tile of Tenhou's JSON")


def to_tenhou(tile: int) -> int:
    """Return the number of a tile (0–36) in Tenhou's JSON."""
    if tile >= KINDS:
        return 51 + tile - KINDS
    return 10 * (tile // 9 + 1) + tile % 9 + 1


def from_mjai(name: str) -> int:
    """Return the tile of an mjai name: ``5p``, ``5pr``, ``E S W N P F C``.

    >>> from_mjai("5sr") == RED_5S and from_mjai("C") == RED
    True
    """
    if len(name) == 1 and name in _MJAI_HONOURS:
        return EAST + _MJAI_HONOURS.index(name)
    if name in ("5mr", "5pr", "5sr"):
        return KINDS + _SUITS.index(name[1])
    if len(name) == 2 and name[0] in "123456789" and name[1] in "mps":
        return 9 * _SUITS.index(name[1]) + int(name[0]) - 1
    raise TileError(f"{name!r} is no tile name of mjai")


def to_mjai(tile: int) -> str:
    """Return the mjai name of a tile (0–36)."""
    if tile >= KINDS:
        return f"5{_SUITS[tile - KINDS]}r"
    if tile >= EAST:
        return _MJAI_HONOURS[tile - EAST]
    return tile_text(tile)

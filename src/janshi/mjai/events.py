"""mjai events of a hand, read as the engine logs them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from janshi.records.story import HIDDEN
from janshi.riichi.actions import Action
from janshi.riichi.state import Event
from janshi.tiles import EAST, NORTH, TileError, from_mjai, kind_of, parse_tiles, tile_text

#: Both names of a North set aside; ours is the first.
KITA_NAMES: Final = ("nukidora", "kita")

_SIMPLE: Final = {"reach": Event.RIICHI, "reach_accepted": Event.ACCEPTED, "dora": Event.DORA}
#: Calls, and how many tiles each lays down.
_CALLS: Final = {"chi": (Event.CHII, 2), "pon": (Event.PON, 2), "daiminkan": (Event.DAIMINKAN, 3)}
#: Types of the events of a hand between its deal and its end.
HAND_EVENTS: Final = frozenset(("tsumo", "dahai", "ankan", "kakan", *KITA_NAMES, *_CALLS, *_SIMPLE))


class MjaiError(ValueError):
    """An event or answer that cannot be: says in one line what is wrong with it."""


class HandEvent(NamedTuple):
    """An event of a hand, as a row of `janshi.riichi.state.State.log`, and the tiles (0–36) that leave the hand."""

    event: Event
    seat: int
    tile: int
    """−1 for none, and for a hidden draw."""
    detail: int
    laid: tuple[int, ...] = ()


def tile_named(name: object) -> int:
    """Return the tile (0–36) of a name: mjai's (``5pr``, ``E``), or as text has it (``0p``, ``1z``).

    Raises `MjaiError` where it names none.

    >>> tile_named("5sr") == tile_named("0s") == 36
    True
    """
    if isinstance(name, str):
        try:
            return from_mjai(name)
        except TileError:
            pass
        try:
            (tile,) = parse_tiles(name)
            return tile
        except ValueError:
            pass
    raise MjaiError(f"{name!r} names no tile")


def number_in(event: dict[str, Any], name: str, below: int) -> int:
    """Return a field that holds a whole number from 0 to ``below`` − 1. Raises `MjaiError` where it does not."""
    value = event.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < below:
        raise MjaiError(f"{event.get('type')!r} with {name} {value!r}, where 0 to {below - 1} can be")
    return value


def tiles_in(event: dict[str, Any], name: str, count: int) -> list[int]:
    """Return a field that lists so many tiles. Raises `MjaiError` where it does not."""
    value = event.get(name)
    if not isinstance(value, list) or len(value) != count:
        raise MjaiError(f"{event.get('type')!r} with {name} {value!r}, where {count} tiles should be")
    return [tile_named(tile_name) for tile_name in value]


def chii_action(called: int, own: Sequence[int]) -> int:
    """Return the action that calls a tile with two of one's own (tiles 0–36).

    >>> Action(chii_action(0, [1, 2])).name, chii_action(3, [34, 5])
    ('CHII', 42)
    """
    below = sum(kind_of(tile) < kind_of(called) for tile in own)
    return (Action.CHII_RED if max(own) >= 34 else Action.CHII) + below


def read_hand_event(event: dict[str, Any], players: int) -> HandEvent:
    """Return what an event of a hand is (its type is one of `HAND_EVENTS`). Raises `MjaiError` where it is damaged.

    >>> read_hand_event({"type": "pon", "actor": 2, "target": 0, "pai": "P", "consumed": ["P", "P"]}, 4)
    HandEvent(event=<Event.PON: 3>, seat=2, tile=31, detail=45, laid=(31, 31))
    """
    kind = event["type"]
    if kind == "dora":
        return HandEvent(Event.DORA, -1, tile_named(event.get("dora_marker")), 0)
    seat = number_in(event, "actor", players)
    if kind in _SIMPLE:
        return HandEvent(_SIMPLE[kind], seat, -1, 0)
    if kind in KITA_NAMES:
        return HandEvent(Event.KITA, seat, NORTH, 0, (NORTH,))
    if kind == "ankan":
        own = tiles_in(event, "consumed", 4)
        _check_same_kind(own)
        return HandEvent(Event.ANKAN, seat, kind_of(own[0]), Action.ANKAN + kind_of(own[0]), tuple(own))
    if kind == "tsumo":
        hidden = event.get("pai", HIDDEN) == HIDDEN
        return HandEvent(Event.DRAW, seat, -1 if hidden else tile_named(event["pai"]), 0)
    tile = tile_named(event.get("pai"))
    if kind == "dahai":
        return HandEvent(Event.DISCARD, seat, tile, 1 if event.get("tsumogiri") else 0, (tile,))
    if kind == "kakan":
        return HandEvent(Event.KAKAN, seat, tile, Action.KAKAN + kind_of(tile), (tile,))
    return _read_call(event, seat, tile)


def _read_call(event: dict[str, Any], seat: int, tile: int) -> HandEvent:
    """Read a chii, pon or open kan of a tile."""
    form, count = _CALLS[event["type"]]
    own = tiles_in(event, "consumed", count)
    if form == Event.CHII:
        low, *higher = sorted(kind_of(tile) for tile in (tile, *own))
        if higher != [low + 1, low + 2] or low // 9 != higher[1] // 9 or low >= EAST:
            raise MjaiError(f"{tiles_text([tile, *own])} is no run")
        return HandEvent(form, seat, tile, chii_action(tile, own), tuple(own))
    _check_same_kind([tile, *own])
    reds = sum(laid >= 34 for laid in own)
    return HandEvent(form, seat, tile, Action.PON + reds if form == Event.PON else int(Action.DAIMINKAN), tuple(own))


def _check_same_kind(tiles: Sequence[int]) -> None:
    if len({kind_of(tile) for tile in tiles}) > 1:
        raise MjaiError(f"{tiles_text(tiles)} is no set of a kind")


def tiles_text(tiles: Sequence[int]) -> str:
    """Return tiles as text, with spaces between them."""
    return " ".join(tile_text(tile) for tile in tiles)

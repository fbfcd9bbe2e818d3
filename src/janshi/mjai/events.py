"""Conversion of a hand's mjai events to the form of the engine's log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from janshi.records.story import HIDDEN
from janshi.riichi.actions import Action
from janshi.riichi.records.mjai import KITA_NAMES as KITA_NAMES
from janshi.riichi.state import Event
from janshi.tiles import EAST, NORTH, TileError, from_mjai, kind_of, parse_tiles, tile_text

_RIICHI: Final = {"reach": Event.RIICHI, "reach_accepted": Event.ACCEPTED}
#: Events that form a set, and the number of tiles in their ``consumed``.
_SETS: Final = {
    "chi": (Event.CHII, 2),
    "pon": (Event.PON, 2),
    "daiminkan": (Event.DAIMINKAN, 3),
    "ankan": (Event.ANKAN, 4),
}
#: Types of the events of a hand between its deal and its end.
HAND_EVENTS: Final = frozenset(("tsumo", "dahai", "dora", "kakan", *KITA_NAMES, *_SETS, *_RIICHI))

#: Kinds of the fives, which may be red.
FIVES: Final = (4, 13, 22)


class MjaiError(ValueError):
    """Raised for a damaged or impossible event or answer; the message names the fault in one line."""


class HandEvent(NamedTuple):
    """An event of a hand, as a row of `janshi.riichi.state.State.log`, and the tiles (0–36) that leave the hand."""

    event: Event
    seat: int
    tile: int
    """−1 for none, and for a hidden draw."""
    detail: int
    laid: tuple[int, ...] = ()


def tile_named(name: object) -> int:
    """Return the tile (0–36) of a name in mjai's form (``5pr``, ``E``) or the text form (``0p``, ``1z``).

    Raises `MjaiError` for any other name.

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
    raise MjaiError(f"{name!r} is not a tile")


def number_in(event: dict[str, Any], name: str, below: int) -> int:
    """Return an integer field between 0 and ``below`` − 1. Raises `MjaiError` for any other value."""
    value = event.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < below:
        raise MjaiError(f"{event.get('type')!r} with {name} {value!r}, which must be 0 to {below - 1}")
    return value


def tiles_in(event: dict[str, Any], name: str, count: int) -> list[int]:
    """Return a field that lists ``count`` tiles (0–36). Raises `MjaiError` for any other value."""
    value = event.get(name)
    if not isinstance(value, list) or len(value) != count:
        raise MjaiError(f"{event.get('type')!r} with {name} {value!r}, which must be {count} tiles")
    return [tile_named(tile_name) for tile_name in value]


def tiles_of(hand: Any) -> list[int]:
    """Return the concealed tiles (0–36) of a `janshi.riichi.state.Hand` (one record), the red fives first."""
    counts, reds = hand["counts"].tolist(), hand["reds"].tolist()
    tiles = [34 + suit for suit in range(3) for _ in range(reds[suit])]
    for kind, count in enumerate(counts):
        tiles += [kind] * (count - reds[kind // 9] if kind in FIVES else count)
    return tiles


def chii_action(called: int, own: Sequence[int]) -> int:
    """Return the action that calls a tile with two of the hand (tiles 0–36).

    >>> Action(chii_action(0, [1, 2])).name, chii_action(3, [34, 5])
    ('CHII', 42)
    """
    below = sum(kind_of(tile) < kind_of(called) for tile in own)
    return (Action.CHII_RED if max(own) >= 34 else Action.CHII) + below


def set_event(form: Event, seat: int, tile: int, own: Sequence[int]) -> HandEvent:
    """Return the event of a call, a kan or a kita; the tiles ``own`` (0–36) leave the hand.

    ``tile`` is the called or added tile, or the kind of a closed kan. Raises `MjaiError` if the tiles do not form a
    set.

    >>> set_event(Event.PON, 2, 31, [31, 31])
    HandEvent(event=<Event.PON: 3>, seat=2, tile=31, detail=45, laid=(31, 31))
    """
    tiles = " ".join(map(tile_text, (tile, *own) if form < Event.ANKAN else own))
    low, *higher = sorted(kind_of(each) for each in (tile, *own))
    if form == Event.CHII:
        if higher != [low + 1, low + 2] or low // 9 != higher[1] // 9 or low >= EAST:
            raise MjaiError(f"{tiles} is not a run")
        return HandEvent(form, seat, tile, chii_action(tile, own), tuple(own))
    if low != higher[-1] or (form == Event.KITA and low != NORTH):
        raise MjaiError(f"{tiles} is not a set of one kind")
    details = {
        Event.PON: Action.PON + sum(laid >= 34 for laid in own),
        Event.DAIMINKAN: Action.DAIMINKAN,
        Event.ANKAN: Action.ANKAN + low,
        Event.KAKAN: Action.KAKAN + low,
    }
    return HandEvent(form, seat, tile, int(details.get(form, 0)), tuple(own))


def read_hand_event(event: dict[str, Any], players: int) -> HandEvent:
    """Return a hand's event, whose type is one of `HAND_EVENTS`. Raises `MjaiError` if it is damaged.

    >>> read_hand_event({"type": "pon", "actor": 2, "target": 0, "pai": "P", "consumed": ["P", "P"]}, 4).detail
    45
    """
    kind = event["type"]
    if kind == "dora":
        return HandEvent(Event.DORA, -1, tile_named(event.get("dora_marker")), 0)
    seat = number_in(event, "actor", players)
    if kind in _RIICHI:
        return HandEvent(_RIICHI[kind], seat, -1, 0)
    if kind in KITA_NAMES:
        return set_event(Event.KITA, seat, NORTH, [NORTH])
    if kind == "tsumo":
        hidden = event.get("pai", HIDDEN) == HIDDEN
        return HandEvent(Event.DRAW, seat, -1 if hidden else tile_named(event["pai"]), 0)
    if kind == "ankan":
        own = tiles_in(event, "consumed", 4)
        return set_event(Event.ANKAN, seat, kind_of(own[0]), own)
    tile = tile_named(event.get("pai"))
    if kind == "dahai":
        return HandEvent(Event.DISCARD, seat, tile, int(bool(event.get("tsumogiri"))), (tile,))
    if kind == "kakan":
        return set_event(Event.KAKAN, seat, tile, [tile])
    form, count = _SETS[kind]
    return set_event(form, seat, tile, tiles_in(event, "consumed", count))

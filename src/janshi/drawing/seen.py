"""What a picture of a table shows, read from a seat's view or from a whole table: the same for SVG and for text.

A hidden tile is `HIDDEN`; from a view nothing else is known of it, so that nothing else can be drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from janshi.engine.state import (
    ANKAN,
    CALLED,
    CALLED_DISCARD,
    CHII,
    CLAIM,
    DAIMINKAN,
    DECLARES_RIICHI,
    HAND_OVER,
    KAKAN,
    ON_DISCARD,
    RIICHI_DISCARD,
    TSUMOGIRI,
    TURN,
    State,
)
from janshi.table import Table
from janshi.tiles import red_of, sort_key

#: A tile seen from behind.
HIDDEN: Final = -1

_FIVES: Final = (4, 13, 22)


class Laid(NamedTuple):
    """A tile of a meld, from left to right."""

    tile: int
    turned: bool = False  # the called one, and what is added to it
    stacked: bool = False  # lies on the one before it


class Discard(NamedTuple):
    """A tile in a river."""

    tile: int
    from_draw: bool
    riichi: bool  # lies sideways: the seat declared with it, or with one that was called
    called: bool
    offered: bool  # the tile that the table asks about


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """One seat's part of the table."""

    seat: int
    place: int  # 0 below, 1 on the right, 2 above, 3 on the left
    wind: int  # 0 East … 3 North
    points: int
    riichi: bool  # its stick is on the table
    asked: bool  # the table waits for it
    hand: tuple[int, ...]  # sorted, without the tile just drawn
    drawn: int | None
    melds: tuple[tuple[Laid, ...], ...]
    feeders: tuple[int, ...]  # seat from which each meld's tile was called; of a closed kan the seat itself
    kitas: int
    river: tuple[Discard, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A table as one seat, or nobody in particular, sees it."""

    players: int
    kyoku: int
    honba: int
    deposits: int
    left: int
    indicators: tuple[int, ...]
    over: bool
    seats: tuple[SeatSeen, ...]  # the one below first, then in turn


def seen_by(view: Any) -> Seen:
    """Read a seat's view: a `janshi.engine.state.View`, or an array of one."""
    one = _record(view)
    own = int(one["seat"])
    hands: list[list[int]] = [[] for _ in range(4)]
    hands[own] = _concealed(one["hand"])
    return _read(one, own, hands, int(one["drawn"]))


def seen_open(table: Table | State, seat: int = 0) -> Seen:
    """Read a table with all hands open, ``seat`` below. Raises `ValueError` where there is no such seat."""
    one = _record(table.state if isinstance(table, Table) else table)
    players = int(one["rules"]["players"])
    if not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat} at a table of {players}")
    return _read(one, seat, [_concealed(hand) for hand in one["hands"]], int(one["drawn"]))


def _record(record: Any) -> Any:
    array = np.asarray(record)
    if array.dtype.names is None or array.size != 1:
        raise TypeError("a table is drawn from one View (Table.view(seat), or one of Tables.views())")
    return array.reshape(())


def _concealed(hand: Any) -> list[int]:
    tiles: list[int] = []
    for kind, count in enumerate(hand["counts"].tolist()):
        reds = int(hand["reds"][kind // 9]) if kind in _FIVES else 0
        tiles += _copies(kind, count, reds)
    return tiles


def _copies(kind: int, count: int, reds: int) -> list[int]:
    return ([red_of(kind)] * reds if reds else []) + [kind] * (count - reds)


def _read(one: Any, below: int, hands: list[list[int]], drawn: int) -> Seen:
    players = int(one["rules"]["players"])
    order = [(below + step) % players for step in range(players)]
    places = (0, 1, 2, 3) if players == 4 else (0, 1, 3)
    return Seen(
        players,
        int(one["kyoku"]),
        int(one["honba"]),
        int(one["deposits"]),
        int(one["left"]),
        tuple(one["indicators"][: int(one["shown"])].tolist()),
        int(one["phase"]) >= HAND_OVER,
        tuple(_seat(one, who, place, hands[who], drawn) for who, place in zip(order, places, strict=True)),
    )


def _seat(one: Any, who: int, place: int, hand: list[int], drawn: int) -> SeatSeen:
    seat, phase, players = one["seats"][who], int(one["phase"]), int(one["rules"]["players"])
    melds = [seat["melds"][number] for number in range(int(seat["calls"]))]
    mine = int(one["turn"]) == who
    # At the end of a hand no tile lies on offer only after a self-draw or an abort on one's own turn.
    full = mine and (phase in (TURN, CALLED_DISCARD, RIICHI_DISCARD) or (phase >= HAND_OVER and int(one["tile"]) < 0))
    apart = drawn if full and phase != CALLED_DISCARD and (not hand or drawn in hand) else None
    if not hand:
        hand = [HIDDEN] * (13 - 3 * len(melds) + (1 if full else 0))
        apart = HIDDEN if apart is not None else None
    shown = sorted(hand, key=sort_key)
    if apart is not None:
        shown.remove(apart)
    offered = mine and phase == CLAIM and int(one["claimed"]) == ON_DISCARD
    return SeatSeen(
        who,
        place,
        (who - int(one["dealer"])) % players,
        int(seat["points"]),
        bool(seat["accepted"]),
        # Who is asked about a tile is told to nobody but him: it would say something of his hand.
        int(one["actor"]) == who and (phase < CLAIM or (phase == CLAIM and HIDDEN not in shown)),
        tuple(shown),
        apart,
        tuple(_meld(meld, who, players) for meld in melds),
        tuple(int(meld["feeder"]) for meld in melds),
        int(seat["kitas"]),
        _river(seat, offered),
    )


def _river(seat: Any, offered: bool) -> tuple[Discard, ...]:
    found: list[Discard] = []
    sideways = False
    count = int(seat["discards"])
    for place in range(count):
        marks = int(seat["marks"][place])
        sideways = sideways or bool(marks & DECLARES_RIICHI)
        called = bool(marks & CALLED)
        last = place == count - 1
        found.append(Discard(int(seat["river"][place]), bool(marks & TSUMOGIRI), sideways, called, offered and last))
        sideways = sideways and called
    return tuple(found)


def _meld(meld: Any, who: int, players: int) -> tuple[Laid, ...]:
    """Return a meld's tiles from left to right.

    Which tile of an added kan was added is not told apart: a red five that was not called lies in the pon.
    """
    form, kind, called, reds = (int(meld[name]) for name in ("form", "kind", "tile", "reds"))
    if form == CHII:
        kinds = [kind, kind + 1, kind + 2]
        tiles = [red_of(one) if reds and one in _FIVES else one for one in kinds]
    else:
        count = 4 if form in (DAIMINKAN, ANKAN, KAKAN) else 3
        tiles = _copies(kind, count, reds)
    if form == ANKAN:
        # The outer two lie face down; a red five is shown.
        return (Laid(HIDDEN), Laid(tiles[0]), Laid(tiles[1]), Laid(HIDDEN))
    tiles.remove(called)
    added = [Laid(tiles.pop(), True, True)] if form == KAKAN else []
    ahead = (int(meld["feeder"]) - who) % players
    laid = [Laid(tile) for tile in tiles]
    at = len(laid) if ahead == 1 else 0 if ahead == players - 1 else 1
    return (*laid[:at], Laid(called, True), *added, *laid[at:])

"""The events of a table as records, for any game: `EventFields`, which games fill from a table's state and its log.

The names are mjai's, with further ones of Sichuan mahjong (`janshi.sichuan.records.live`). A field that an event does
not have is left out; `clear` marks all fields so.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Int16, Int32, Int64, Record, Rows, leaf
from janshi.say.records import OwnHand
from janshi.say.words import ABSENT, Flag, Lists, Name, NamesOf, Number, Optional, Thousandths
from janshi.tiles import TILES, to_mjai

#: Names of events; numbers in records are places in it.
EVENTS: Final = (
    *("start_kyoku", "tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "nukidora"),
    *("reach", "reach_accepted", "dora", "hora", "ryukyoku"),
    *("lay_aside", "exchange", "void", "void_shown", "win", "pay", "settlement"),
    *("end_kyoku", "end_game"),
)
START_HAND: Final = EVENTS.index("start_kyoku")
DRAW: Final = EVENTS.index("tsumo")
DISCARD: Final = EVENTS.index("dahai")
END_HAND: Final = EVENTS.index("end_kyoku")
END_GAME: Final = EVENTS.index("end_game")
#: Names of tiles in events; the last one stands for a tile that a seat does not see.
TILE_NAMES: Final = (*(to_mjai(tile) for tile in range(TILES)), "?")
#: Names of suits in events, then of one that a seat does not see.
SUIT_NAMES: Final = "mps?"
#: Fields of events that only their actor, or their target, sees.
HIDDEN_FIELDS: Final = {
    "tsumo": ("pai",),
    "lay_aside": ("pai",),
    "void": ("suit", "pai"),
    "exchange": ("tiles",),
}
#: Place of the hidden tile in `TILE_NAMES`.
HIDDEN_TILE: Final = TILES
#: Most tiles of a hand, most payments of an event, most events that a step causes.
_HAND: Final = 14
_PAYMENTS: Final = 48
_EVENTS: Final = 32
#: Most events that a row of a log, or the end of a hand, adds.
_AT_ONCE: Final = 6


class HandRow(Record):
    """Tiles of a hand."""

    tiles: Annotated[NDArray[np.int8], _HAND, NamesOf("tile")]


class SourceRow(Record):
    """A yaku or another source of han or fan, by name."""

    name: Annotated[Int8, Name("fan")]
    han: Int16


class NumberedRow(Record):
    """A yaku by number."""

    number: Int8
    han: Int16


class FuRow(Record):
    """A source of fu, and the kind of its set or pair."""

    source: Annotated[Int8, Name("fu")]
    fu: Int8
    tile: Annotated[Int8, Name("tile")]


class PaymentRow(Record):
    """A payment."""

    payer: Int8
    receiver: Int8
    points: Int32


class OwnFields(Record):
    """Fields that mjai does not have: the object ``janshi`` of an event."""

    yaku: Annotated[Rows[NumberedRow], 20, Lists()]
    yaku_count: Int8
    limit: Annotated[Int8, Number(absent=True)]
    yakuman: Annotated[NDArray[np.int8], 8]
    yakuman_count: Int8
    fu_parts: Annotated[Rows[FuRow], 8, Lists()]
    fu_parts_count: Int8
    points: Annotated[NDArray[np.int32], 4, Thousandths()]
    points_count: Int8


class EventFields(Record):
    """One event. Fields that it does not have are left out."""

    scores: Annotated[NDArray[np.int32], 4]
    deltas: Annotated[NDArray[np.int32], 4]
    points_: Annotated[NDArray[np.int32], 4]  # results at the end of a game
    payments: Annotated[Rows[PaymentRow], _PAYMENTS, Lists()]
    hora_points: Annotated[Int32, Number(absent=True)]
    points: Annotated[Int32, Number(absent=True)]
    number: Annotated[Int32, Number(absent=True)]
    honba: Annotated[Int32, Number(absent=True)]
    kyotaku: Annotated[Int32, Number(absent=True)]
    fan: Annotated[Int16, Number(absent=True)]
    han: Annotated[Int16, Number(absent=True)]
    fu: Annotated[Int16, Number(absent=True)]
    left: Annotated[Int16, Number(absent=True)]
    yaku: Annotated[Rows[SourceRow], 20, Lists()]
    fans: Annotated[Rows[SourceRow], 20, Lists()]
    type: Annotated[Int8, Name("event")]
    actor: Annotated[Int8, Number(absent=True)]
    target: Annotated[Int8, Number(absent=True)]
    pai: Annotated[Int8, Name("tile", absent=True)]
    dora_marker: Annotated[Int8, Name("tile", absent=True)]
    suit: Annotated[Int8, Name("suit", absent=True)]
    reason: Annotated[Int8, Name("reason", absent=True)]
    bakaze: Annotated[Int8, Name("wind", absent=True)]
    kyoku: Annotated[Int8, Number(absent=True)]
    oya: Annotated[Int8, Number(absent=True)]
    place: Annotated[Int8, Number(absent=True)]
    pao: Annotated[Int8, Number(absent=True)]
    tsumogiri: Annotated[Int8, Flag(absent=True)]
    laid: Annotated[Int8, Flag(absent=True)]
    robbed: Annotated[Int8, Flag(absent=True)]
    consumed: Annotated[NDArray[np.int8], 4, NamesOf("tile", absent=True)]
    tiles: Annotated[NDArray[np.int8], 4, NamesOf("tile", absent=True)]
    ura_markers: Annotated[NDArray[np.int8], 5, NamesOf("tile", absent=True)]
    hora_tehais: Annotated[NDArray[np.int8], _HAND, NamesOf("tile", absent=True)]
    tehais: Annotated[Rows[HandRow], 4, Lists()]
    hands: Annotated[Rows[HandRow], 4, Lists()]
    tenpais: Annotated[NDArray[np.int8], 4, Flag()]
    ready: Annotated[NDArray[np.int8], 4, Flag()]
    pigs: Annotated[NDArray[np.int8], 4, Flag()]
    janshi: Annotated[Rows[OwnFields], 1, Optional()]
    scores_count: Int8
    deltas_count: Int8
    points__count: Int8
    payments_count: Int8
    yaku_count: Int8
    fans_count: Int8
    tehais_count: Int8
    hands_count: Int8
    tenpais_count: Int8
    ready_count: Int8
    pigs_count: Int8
    janshi_count: Int8


class StoryProgress(Record):
    """How far the events of a table have been written; all zeros before its first hand."""

    hand: Int64  # number of the last hand, from 1; 0: none
    logged: Int32  # rows of its log
    ended: Int8  # whether its end was written
    settled: Int8  # whether its settlement was written
    discarder: Int8  # seat of the last discard
    aside: Annotated[NDArray[np.int8], 4]  # tiles of each seat that were set aside for the exchange
    suits: Annotated[NDArray[np.int8], 4]  # suit that each seat has voided, −1: none
    shown: Annotated[NDArray[np.int8], 4]  # whether everybody knows it
    own: Int8  # the seat whose knowledge of its hand is written with the events, from 1; 0: nobody's


class NewEvents(Record):
    """The events since the last call, as many as there is room for; none if there are no more."""

    events: Annotated[Rows[EventFields], _EVENTS]
    events_count: Int8
    own: Annotated[Rows[OwnHand], _EVENTS]  # what the seat knows after each
    own_count: Int8


@leaf
def clear(event: EventFields) -> None:
    """Leave out all fields of an event."""
    event.hora_points = ABSENT
    event.points = ABSENT
    event.number = ABSENT
    event.honba = ABSENT
    event.kyotaku = ABSENT
    event.fan = ABSENT
    event.han = ABSENT
    event.fu = ABSENT
    event.left = ABSENT
    event.actor = ABSENT
    event.target = ABSENT
    event.pai = ABSENT
    event.dora_marker = ABSENT
    event.suit = ABSENT
    event.reason = ABSENT
    event.bakaze = ABSENT
    event.kyoku = ABSENT
    event.oya = ABSENT
    event.place = ABSENT
    event.pao = ABSENT
    event.tsumogiri = ABSENT
    event.laid = ABSENT
    event.robbed = ABSENT
    event.scores_count = -1
    event.deltas_count = -1
    event.points__count = -1
    event.payments_count = -1
    event.yaku_count = -1
    event.fans_count = -1
    event.tehais_count = -1
    event.hands_count = -1
    event.tenpais_count = -1
    event.ready_count = -1
    event.pigs_count = -1
    event.janshi_count = -1
    for place in range(4):
        event.consumed[place] = ABSENT
        event.tiles[place] = ABSENT
    event.ura_markers[0] = ABSENT
    event.hora_tehais[0] = ABSENT


@leaf
def has_room(added: NewEvents) -> bool:
    """Return whether another row of a log, or the end of a hand, has room; if not, the next call continues."""
    return int(added.events_count) <= _EVENTS - _AT_ONCE


@leaf
def add(added: NewEvents, name: int) -> int:
    """Add an event without fields; return its place."""
    place = min(int(added.events_count), _EVENTS - 1)
    clear(added.events[place])
    added.events[place].type = name
    added.own[place].known = 0
    added.events_count = place + 1
    added.own_count = place + 1
    return place


"""The state of a Sichuan table as records: first the public part, then the hidden one.

Kinds are 0–26: characters (man) 0–8, dots (pin) 9–17, bamboo (sou) 18–26; −1 means none. Suits are 0, 1, 2. Seats are
0 to 3, in turn order. Masks have one bit per kind. `Public` is visible to every player; `State` adds the hidden part,
`View` the hidden part of one seat.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Int16, Int32, Int64, Record, Rows, leaf, specialised
from janshi.core import turns
from janshi.core.play import GameTable
from janshi.core.shape import Shape
from janshi.sichuan.rules.record import RulesRecord

#: Kinds of tiles, four of each.
KINDS: Final = 27
#: Tiles of the wall, including those dealt.
TILES: Final = 108
#: Slots of a seat's river. The last two players share 55 draws; pungs can add a few.
RIVER: Final = 44
#: Rows of `State.log`; a hand has at most 320 events, with all possible pungs and kongs.
EVENTS: Final = 384


class MeldForm(IntEnum):
    """Form of a `Meld`; 0 is none."""

    PUNG = 1
    EXPOSED_KONG = 2
    CONCEALED_KONG = 3
    ADDED_KONG = 4


class DiscardFlag(IntEnum):
    """Bit flags of a tile in the river."""

    CALLED = 1  # part of another seat's meld
    WON_ON = 2
    ROBBED = 4  # not discarded, but added to a pung and won on


class Phase(IntEnum):
    """Phase of a table (`Public.phase`)."""

    EXCHANGE = 0  # a seat gives tiles away
    VOID = 1  # a seat voids a suit
    TURN = 2  # a seat holds 3n + 2 tiles, the last one just drawn
    CALLED_DISCARD = 3  # a seat has made a pung
    CLAIM = 4  # a seat may claim another's tile
    HAND_OVER = 5
    GAME_OVER = 6


class Offer(IntEnum):
    """Source of the tile that may be claimed (`Public.claimed`)."""

    DISCARD = 0
    ADDED_KONG = 1


class Ending(IntEnum):
    """Endings of a hand (`Public.ended`)."""

    NOT_ENDED = -1
    WALL_EMPTY = 0
    THREE_WINS = 1


class Ready(IntEnum):
    """State of a seat at the end of a hand (`Seat.ready`)."""

    UNKNOWN = 0
    NOT_READY = 1
    READY = 2


class Fan(IntEnum):
    """Sources of fan, in the order of `Value.times`."""

    ALL_PUNGS = 0
    FULL_FLUSH = 1
    SEVEN_PAIRS = 2
    GOLDEN_WAIT = 3
    KONG = 4
    ROOT = 5
    AFTER_KONG = 6
    KONG_DISCARD = 7
    ROBBING = 8
    LAST_TILE = 9
    HEAVEN = 10
    EARTH = 11
    # Counted at some tables only: none of them where the rules give no fan
    TERMINALS = 12
    JIANG = 13
    ALL_SIMPLES = 14
    CONCEALED = 15
    SELF_DRAW = 16


class Event(IntEnum):
    """Event of a hand: the first number of a row of `State.log`, the other three in the comments."""

    GIVE = 0  # seat, tile, to whom
    VOID = 1  # seat, suit, tile laid face down (−1: none)
    DRAW = 2  # seat, tile, tiles left
    REPLACE = 3  # seat, tile, tiles left
    DISCARD = 4  # seat, tile, 1 where it is the tile that lay face down
    PUNG = 5  # seat, tile, from whom
    EXPOSED_KONG = 6  # seat, tile, from whom
    CONCEALED_KONG = 7  # seat, tile, −1
    ADDED_KONG = 8  # seat, tile, 1 where the tile was just drawn
    WIN = 9  # seat, tile, from whom (−1: self-drawn)
    WIN_PAY = 10  # payer, receiver, points, as for all that follow
    KONG_PAY = 11
    KONG_DISCARD_REFUND = 12
    READY_PAY = 13
    PIG_PAY = 14
    KONG_REFUND = 15
    KONG_TRANSFER = 16


class Meld(Record):
    """A pung or a kong."""

    form: Int8
    kind: Int8
    discarder: Int8  # seat whose discard it was (concealed kong: the seat itself)


class Seat(Record):
    """Public part of a seat."""

    points: Int32
    melds: Annotated[Rows[Meld], 4]
    calls: Int8  # melds made
    void: Int8  # the voided suit, −1 while hidden from the others
    won: Int8  # 1 to 3: order of its win; 0: still in
    discards: Int8  # slots of the river in use
    pungs: Int32  # kinds of its pungs
    kongs: Int32  # kinds of its kongs
    river: Annotated[NDArray[np.int8], RIVER]  # discarded tiles in order, called ones included
    marks: Annotated[NDArray[np.uint8], RIVER]  # the `DiscardFlag`s of each
    discarded: Annotated[NDArray[np.int8], KINDS]  # tiles of each kind in the river that were not called
    ready: Int8  # a `Ready`, once the hand is over
    pig: Int8  # whether it is a flower pig, once the hand is over


class Hand(Record):
    """Hidden part of a seat."""

    counts: Annotated[NDArray[np.int8], KINDS]
    """Concealed tiles of each kind with the tile just drawn, without one that lies face down."""
    concealed: Shape  # the same tiles, for shanten
    waits: Int64  # kinds that complete the hand without the tile just drawn; 0 while it holds tiles of the void suit
    shanten: Int32  # a lower bound of the shanten after the last discard
    passed: Int32  # value of the best win passed since its last draw, 0 for none
    void: Int8  # the suit voided, −1 before
    laid: Int8  # tile of the void suit that lies face down, −1 for none
    given: Annotated[NDArray[np.int8], 3]  # tiles given away in the exchange, −1 for none
    received: Annotated[NDArray[np.int8], 3]  # tiles received for them, −1 for none


class Winning(Record):
    """A complete hand and the circumstances of its win, which determine its value."""

    held: Annotated[NDArray[np.int64], 5]
    """``held[n]``: kinds of which at least n are concealed (n = 1 … 4), the winning tile included."""
    pungs: Int32
    kongs: Int32
    kind: Int32  # the winning tile
    circumstances: Int32  # bits of `Fan.AFTER_KONG` … `Fan.EARTH`, `Fan.CONCEALED` and `Fan.SELF_DRAW`


class Value(Record):
    """Value of a winning hand."""

    times: Annotated[NDArray[np.int8], 17]  # how often each `Fan` counts
    fan: Int16  # total fan, before the cap
    points: Int32  # base times two to the power of the fan, capped


class Win(Record):
    """One seat's win."""

    value: Value
    seat: Int8
    discarder: Int8  # seat whose tile it was, −1 for a self-draw
    slot: Int8  # slot of that seat's river in which the tile lies, −1 for a self-draw
    tile: Int8
    robbed: Int8  # whether the tile was added to a pung


class Public(Record):
    """Public part of a table."""

    rules: RulesRecord
    seats: Annotated[Rows[Seat], 4]
    wins: Annotated[Rows[Win], 3]  # wins so far, in order
    kong_money: Annotated[NDArray[np.int32], 16]  # points of seat ``i`` from seat ``j`` for kongs, at ``4 * i + j``
    winners: Int8  # rows of ``wins`` that count
    left: Int8  # tiles left in the wall
    dealer: Int8
    phase: Int8  # a `Phase`
    turn: Int8  # seat to move; in `Phase.CLAIM` the seat whose tile may be claimed
    actor: Int8  # seat that the table waits for
    tile: Int8  # tile that may be claimed, else −1
    claimed: Int8  # an `Offer`: the source of that tile
    direction: Int8  # distance of the exchange in seats, 1 to 3; 0 before it or without one
    replaced: Int8  # whether the drawn or offered tile follows a kong
    called: Int8  # whether anybody has made a pung or an exposed kong
    ended: Int8  # an `Ending`


class View(Public):
    """Information of one seat: `Public` and its own hand."""

    hand: Hand
    drawn: Int8  # tile just drawn, −1 if there is none or another seat drew it
    seat: Int8  # seat of the view
    hand_number: Int32  # hands begun in this game, less one
    legal: Int64  # legal actions if the table waits for this seat, see `janshi.sichuan.actions`


class State(GameTable, Public):
    """One table."""

    hands: Annotated[Rows[Hand], 4]
    wall: Annotated[NDArray[np.int8], TILES]
    """Thirteen tiles for each seat from the dealer on, the dealer's fourteenth, then the draws; replacement tiles come
    from the end."""
    next: Int16  # slot of the next tile to draw; `Public.left` tiles from there on are left
    log: Annotated[NDArray[np.int32], 4 * EVENTS]  # events of this hand, four numbers each: see `Event`
    logged: Int32  # events in the log
    winning: Winning  # the hand valued last
    value: Value  # value of the hand valued last
    before: Annotated[NDArray[np.int32], 4]  # points at the deal
    last_kong: Annotated[NDArray[np.int32], 4]  # payment of each seat for the last kong
    answers: Annotated[NDArray[np.int8], 4]  # actions of the seats asked about a tile, −1 if not asked
    passable: Annotated[NDArray[np.int32], 4]  # value of the win that each seat asked about a tile could claim
    legal: Int64
    drawn: Int8
    to_ask: Int8  # bits of the seats still to ask about a tile


class Events(Record):
    """Events of a hand visible to one seat: see `State.log`."""

    rows: Annotated[NDArray[np.int32], 4 * EVENTS]
    """Four numbers an event; tiles and suits that the seat does not know are −1."""
    count: Int32  # events


log_event = leaf(specialised(turns.log_event, __name__, State=State, EVENTS=EVENTS))

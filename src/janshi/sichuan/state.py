"""The state of a Sichuan table as records: what everybody sees first, then what is hidden.

Kinds are 0–26: characters (man) 0–8, dots (pin) 9–17, bamboo (sou) 18–26; −1 means none. Suits are 0, 1, 2. Seats are
0 to 3, play goes 0, 1, 2, 3. Masks have one bit per kind. `Public` is all that every player may know; `State` adds the
hidden part, `View` the hidden part of one seat alone.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Record, Rows, leaf, specialised
from janshi.core import turns
from janshi.core.play import GameTable
from janshi.core.shape import Shape
from janshi.sichuan.rules_record import RulesRecord

#: Kinds of tiles, four of each.
KINDS: Final = 27
#: Tiles of the wall, the dealt ones included.
TILES: Final = 108
#: Slots of a seat's river. Two players who are left share 55 draws; pungs can add a few to one of them.
RIVER: Final = 44
#: Rows of `State.log`: with every pung and kong that there can be, 320 happen at most.
EVENTS: Final = 384


class MeldForm(IntEnum):
    """Form of a `Meld`; 0 stands for none."""

    PUNG = 1
    EXPOSED_KONG = 2
    CONCEALED_KONG = 3
    ADDED_KONG = 4


class DiscardFlag(IntEnum):
    """Flags of a tile in the river, to be added up."""

    CALLED = 1  # it lies in another's meld now
    WON_ON = 2
    ROBBED = 4  # not discarded: added to a pung, and another won on it


class Phase(IntEnum):
    """What the table waits for (`Public.phase`)."""

    EXCHANGE = 0  # a seat gives tiles away
    VOID = 1  # a seat voids a suit
    TURN = 2  # a seat holds 3n + 2 tiles, the last one just drawn
    CALLED_DISCARD = 3  # a seat has made a pung
    CLAIM = 4  # a seat may claim another's tile
    HAND_OVER = 5
    GAME_OVER = 6


class Offer(IntEnum):
    """Where the tile comes from that may be claimed (`Public.claimed`)."""

    DISCARD = 0
    ADDED_KONG = 1


class Ending(IntEnum):
    """How a hand ended (`Public.ended`)."""

    NOT_ENDED = -1
    WALL_EMPTY = 0
    THREE_WINS = 1


class Ready(IntEnum):
    """What the end of a hand has found of a seat (`Seat.ready`)."""

    UNKNOWN = 0
    NOT_READY = 1
    READY = 2


class Fan(IntEnum):
    """What brings fan, in the order of `Value.times`."""

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


class Event(IntEnum):
    """What happens in a hand: the first number of a row of `State.log`. The other three are said behind each."""

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
    WIN_PAY = 10  # payer, receiver, points; so are those that follow
    KONG_PAY = 11
    KONG_DISCARD_REFUND = 12
    READY_PAY = 13
    PIG_PAY = 14
    KONG_REFUND = 15


class Meld(Record):
    """A pung or a kong."""

    form: Annotated[int, np.int8]
    kind: Annotated[int, np.int8]
    discarder: Annotated[int, np.int8]
    """Seat whose discard it was (concealed kong: the seat itself)."""


class Seat(Record):
    """What everybody sees of a seat."""

    points: Annotated[int, np.int32]
    melds: Annotated[Rows[Meld], 4]
    calls: Annotated[int, np.int8]
    """Melds made."""
    void: Annotated[int, np.int8]
    """The suit that it has voided, −1 where the others do not know."""
    won: Annotated[int, np.int8]
    """1 to 3: it was the first, second, third to win; 0: it is still in."""
    discards: Annotated[int, np.int8]
    """Slots of the river in use."""
    pungs: Annotated[int, np.int32]
    """Kinds of its pungs."""
    kongs: Annotated[int, np.int32]
    """Kinds of its kongs."""
    river: Annotated[NDArray[np.int8], RIVER]
    """Tiles discarded, in order, the called ones too."""
    marks: Annotated[NDArray[np.uint8], RIVER]
    """The `DiscardFlag`s of each."""
    discarded: Annotated[NDArray[np.int8], KINDS]
    """Tiles of each kind in the river that nobody has called."""
    ready: Annotated[int, np.int8]
    """A `Ready`, when the hand is over."""
    pig: Annotated[int, np.int8]
    """Whether it is a flower pig, when the hand is over."""


class Hand(Record):
    """What only the seat itself knows."""

    counts: Annotated[NDArray[np.int8], KINDS]
    """Concealed tiles of each kind, the tile just drawn included, one that lies face down not."""
    concealed: Shape
    """The same tiles in the form that shanten is computed from."""
    waits: Annotated[int, np.int64]
    """Kinds that complete the hand without the tile just drawn; 0 while it holds tiles of the void suit."""
    shanten: Annotated[int, np.int32]
    """A lower bound of the shanten after the last discard."""
    passed: Annotated[int, np.int32]
    """Value of the best win that it has let pass since its last draw, 0 for none."""
    void: Annotated[int, np.int8]
    """The suit voided, −1 before."""
    laid: Annotated[int, np.int8]
    """Tile of the void suit that lies face down, −1 for none."""
    given: Annotated[NDArray[np.int8], 3]
    """Tiles given away in the exchange, −1 for none."""
    received: Annotated[NDArray[np.int8], 3]
    """Tiles got for them, −1 for none."""


class Winning(Record):
    """A complete hand and the circumstances of its win: all that its value depends on."""

    held: Annotated[NDArray[np.int64], 5]
    """``held[n]``: kinds of which at least n are concealed (n = 1 … 4), the winning tile included."""
    pungs: Annotated[int, np.int32]
    kongs: Annotated[int, np.int32]
    kind: Annotated[int, np.int32]
    """The winning tile."""
    circumstances: Annotated[int, np.int32]
    """Bits of `Fan.AFTER_KONG` … `Fan.EARTH`."""


class Value(Record):
    """What a winning hand is worth."""

    times: Annotated[NDArray[np.int8], 12]
    """How often each `Fan` counts."""
    fan: Annotated[int, np.int16]
    """Fan of all, before the cap."""
    points: Annotated[int, np.int32]
    """Base times two to the power of the fan, capped."""


class Win(Record):
    """One seat's win."""

    value: Value
    seat: Annotated[int, np.int8]
    discarder: Annotated[int, np.int8]
    """Seat whose tile it was, −1 for a self-draw."""
    slot: Annotated[int, np.int8]
    """Slot of that seat's river in which the tile lies, −1 for a self-draw."""
    tile: Annotated[int, np.int8]
    robbed: Annotated[int, np.int8]
    """Whether the tile was added to a pung."""


class Public(Record):
    """What everybody at the table knows."""

    rules: RulesRecord
    seats: Annotated[Rows[Seat], 4]
    wins: Annotated[Rows[Win], 3]
    """Wins so far, in order."""
    kong_money: Annotated[NDArray[np.int32], 16]
    """What seat ``i`` has got from seat ``j`` for kongs, at ``4 * i + j``."""
    winners: Annotated[int, np.int8]
    """Rows of ``wins`` that count."""
    left: Annotated[int, np.int8]
    """Tiles left in the wall."""
    dealer: Annotated[int, np.int8]
    phase: Annotated[int, np.int8]
    """A `Phase`."""
    turn: Annotated[int, np.int8]
    """Seat whose turn it is; while claims are asked, the seat whose tile may be claimed."""
    actor: Annotated[int, np.int8]
    """Seat that the table waits for."""
    tile: Annotated[int, np.int8]
    """Tile that may be claimed, else −1."""
    claimed: Annotated[int, np.int8]
    """Where that tile comes from: an `Offer`."""
    direction: Annotated[int, np.int8]
    """Seats on, to whom tiles were given: 1 to 3; 0 where none were (yet)."""
    replaced: Annotated[int, np.int8]
    """Whether the tile in hand, or the one that may be claimed, follows a kong."""
    called: Annotated[int, np.int8]
    """Whether anybody has made a pung or an exposed kong."""
    ended: Annotated[int, np.int8]
    """An `Ending`."""


class View(Public):
    """What one seat may know: see `Public`, and its own hand."""

    hand: Hand
    drawn: Annotated[int, np.int8]
    """Tile just drawn, −1 where there is none (or it is another's)."""
    seat: Annotated[int, np.int8]
    """Whose view this is."""
    legal: Annotated[int, np.int64]
    """Legal actions where this seat is asked, see `janshi.sichuan.actions`."""


class State(GameTable, Public):
    """One table."""

    hands: Annotated[Rows[Hand], 4]
    wall: Annotated[NDArray[np.int8], TILES]
    """Thirteen tiles for each seat from the dealer on, the dealer's fourteenth, then the draws; replacement tiles are
    taken from the end."""
    next: Annotated[int, np.int16]
    """Slot of the next tile to draw; `Public.left` tiles from there on are left."""
    log: Annotated[NDArray[np.int32], 4 * EVENTS]
    """What has happened in this hand, four numbers each: see `Event`."""
    logged: Annotated[int, np.int32]
    """Events in the log."""
    winning: Winning
    """The hand valued last."""
    value: Value
    """What the hand valued last is worth."""
    before: Annotated[NDArray[np.int32], 4]
    """Points at the deal."""
    last_kong: Annotated[NDArray[np.int32], 4]
    """What each seat has paid for the last kong."""
    answers: Annotated[NDArray[np.int8], 4]
    """What the seats asked about a tile have answered, −1 for not asked (yet)."""
    passable: Annotated[NDArray[np.int32], 4]
    """What each seat that is asked about a tile would win with it."""
    legal: Annotated[int, np.int64]
    drawn: Annotated[int, np.int8]
    to_ask: Annotated[int, np.int8]
    """Bits of the seats still to be asked about a tile."""


class Events(Record):
    """What has happened in a hand, as one seat may know it: see `State.log`."""

    rows: Annotated[NDArray[np.int32], 4 * EVENTS]
    """Four numbers an event; tiles and suits that the seat does not know are −1."""
    count: Annotated[int, np.int32]
    """Events."""


log_event = leaf(specialised(turns.log_event, __name__, State=State, EVENTS=EVENTS))

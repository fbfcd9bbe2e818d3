"""The state of a table as records: what everybody sees first, then what is hidden.

Kinds are 0–33, tiles 0–36 (see `janshi.tiles`), −1 means none. Seats are 0 to 3 (three players: 0 to 2) and
stay the same through a game; seat 0 deals first. Masks have one bit per kind. `Public` is all that every player
may know; `State` adds the hidden part, `View` the hidden part of one seat alone.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Record, Rows, Workspace, leaf, specialised
from janshi.core import turns
from janshi.core.play import GameTable
from janshi.core.shape import Shape
from janshi.riichi.rules_record import RulesRecord

#: Slots of a seat's river: nobody can discard more often in one hand, calls that pass the others over included.
RIVER: Final = 32


class MeldForm(IntEnum):
    """Form of a `Meld`; 0 stands for none."""

    CHII = 1
    PON = 2
    DAIMINKAN = 3
    ANKAN = 4
    KAKAN = 5


class DiscardFlag(IntEnum):
    """Flags of a discard in the river, to be added up."""

    TSUMOGIRI = 1
    DECLARES_RIICHI = 2
    CALLED = 4


class Phase(IntEnum):
    """What the table waits for (`Public.phase`)."""

    TURN = 0  # a seat holds 3n + 2 tiles, the last one just drawn
    CALLED_DISCARD = 1  # a seat has called and must discard
    RIICHI_DISCARD = 2  # a seat has declared riichi and must discard so that it is tenpai
    CLAIM = 3  # a seat may claim another's tile
    HAND_OVER = 4
    GAME_OVER = 5


class Offer(IntEnum):
    """Where the tile comes from that may be claimed (`Public.claimed`)."""

    DISCARD = 0
    KITA = 1
    KAKAN = 2
    ANKAN = 3


class Ending(IntEnum):
    """How a hand ended (`State.ended`); the draws come first, 0 to 6."""

    NOT_ENDED = -1
    EXHAUSTIVE = 0
    KYUUSHU_KYUUHAI = 1
    FOUR_WINDS = 2
    FOUR_RIICHI = 3
    FOUR_KANS = 4
    TRIPLE_RON = 5
    NAGASHI_MANGAN = 6
    TSUMO = 7
    RON = 8


class Event(IntEnum):
    """What happens in a hand, as it stands in `State.log` and in the records' event rows."""

    DRAW = 0
    DISCARD = 1
    CHII = 2
    PON = 3
    DAIMINKAN = 4
    ANKAN = 5
    KAKAN = 6
    KITA = 7
    RIICHI = 8
    ACCEPTED = 9  # the riichi stick is on the table
    DORA = 10


#: Rows of `State.log`: 70 draws, each with its discard, calls, riichi and indicators stay below.
EVENTS: Final = 256


class Meld(Record):
    """A called set or a kan."""

    form: Annotated[int, np.int8]
    kind: Annotated[int, np.int8]
    """Its lowest kind."""
    tile: Annotated[int, np.int8]
    """The called tile (closed kan: −1)."""
    discarder: Annotated[int, np.int8]
    """Seat that discarded it (closed kan: the seat itself)."""
    reds: Annotated[int, np.int8]
    """Red fives in it."""
    turn: Annotated[int, np.int8]
    """Turn number of the call (of a kan added to a pon: that of the pon)."""
    after: Annotated[int, np.int8]
    """The caller's discards before it."""


class Seat(Record):
    """What everybody sees of a seat."""

    melds: Annotated[Rows[Meld], 4]
    river: Annotated[NDArray[np.int8], RIVER]
    """Tiles discarded, in order, the called ones too."""
    marks: Annotated[NDArray[np.uint8], RIVER]
    """The `DiscardFlag`s of each discard."""
    points: Annotated[int, np.int32]
    river_mask: Annotated[int, np.int64]
    """Kinds in the river."""
    passed: Annotated[int, np.int64]
    """Kinds of others' tiles that were not claimed since its riichi: it cannot win by one of these any more."""
    calls: Annotated[int, np.int8]
    """Melds made."""
    opened: Annotated[int, np.int8]
    """Of them, other than closed kans."""
    discards: Annotated[int, np.int8]
    kitas: Annotated[int, np.int8]
    riichi: Annotated[int, np.int8]
    """0 no, 1 riichi, 2 double riichi; from the declaration on."""
    riichi_turn: Annotated[int, np.int8]
    accepted: Annotated[int, np.int8]
    """Whether the riichi stick is on the table."""
    ippatsu: Annotated[int, np.int8]
    """Whether a win now would be ippatsu."""
    nagashi: Annotated[int, np.int8]
    """Whether all discards are terminals and honours and none was called."""
    pao_dragons: Annotated[int, np.int8]
    """Seat whose discard completed the third set of dragons (pao), or −1."""
    pao_winds: Annotated[int, np.int8]
    """… the fourth set of winds."""
    pao_kans: Annotated[int, np.int8]
    """… the fourth kan."""


class Hand(Record):
    """What only the seat itself knows."""

    counts: Annotated[NDArray[np.int8], 34]
    """Concealed tiles of each kind, red fives as fives, the tile just drawn included."""
    reds: Annotated[NDArray[np.int8], 3]
    """Concealed red 5m, 5p, 5s."""
    concealed: Shape
    """The same tiles in the form that shanten is computed from."""
    waits: Annotated[int, np.int64]
    """Kinds that complete the hand without the tile just drawn."""
    shanten: Annotated[int, np.int32]
    """A lower bound of the shanten after the last discard."""
    missed: Annotated[int, np.int8]
    """Temporary furiten: 1 until the next own discard, 2 to the end of the hand (after riichi)."""


class Value(Record):
    """What a winning hand is worth."""

    yaku: Annotated[int, np.int64]
    """One bit per yaku, at Tenhou's number (0–51)."""
    han: Annotated[int, np.int32]
    """All han, dora included; 0 for a yakuman."""
    fu: Annotated[int, np.int32]
    yakuman: Annotated[int, np.int32]
    """How many yakuman, a double one counting two; 0 for a counted yakuman."""
    dora: Annotated[int, np.int32]
    """Han of dora indicators and kitas."""
    ura: Annotated[int, np.int32]
    red: Annotated[int, np.int32]
    basic: Annotated[int, np.int32]
    """Basic points (kihonten): a non-dealer's ron is four times as much, rounded up to hundreds."""


class Winning(Record):
    """A complete hand and the circumstances of its win: all that its value depends on."""

    counts: Annotated[NDArray[np.int8], 34]
    """Concealed tiles, the winning tile included."""
    forms: Annotated[NDArray[np.int8], 4]
    """`MeldForm`s of the melds; those from number ``calls`` on do not count."""
    kinds: Annotated[NDArray[np.int8], 4]
    """Lowest kinds of the melds."""
    dora: Annotated[NDArray[np.int8], 5]
    """Kinds of the indicators turned over, −1 for none."""
    ura: Annotated[NDArray[np.int8], 5]
    """Kinds of those under them, where the winner may count them; −1 for none."""
    calls: Annotated[int, np.int8]
    """Melds, closed kans included."""
    kind: Annotated[int, np.int8]
    """The winning tile's kind."""
    seat_wind: Annotated[int, np.int8]
    """Kind of the own wind (27 East …)."""
    round_wind: Annotated[int, np.int8]
    reds: Annotated[int, np.int8]
    """Red fives in the hand and its melds."""
    kitas: Annotated[int, np.int8]
    tsumo: Annotated[int, np.int8]
    riichi: Annotated[int, np.int8]
    """0 no, 1 riichi, 2 double riichi."""
    ippatsu: Annotated[int, np.int8]
    rinshan: Annotated[int, np.int8]
    """A self-draw of a replacement tile."""
    chankan: Annotated[int, np.int8]
    last: Annotated[int, np.int8]
    """The last tile of the wall (haitei), or the last discard (houtei)."""
    first: Annotated[int, np.int8]
    """Won in the first turn, nothing called: a heavenly or earthly hand, by ron renhou."""


class Reading(Workspace):
    """One division of a winning hand into sets and a pair, while it is valued: see `janshi.riichi.scoring`."""

    # The same for every reading of the hand
    common: Annotated[int, np.int64]
    """Yaku that no reading changes."""
    present: Annotated[int, np.int64]
    """Kinds that the hand holds, melds included."""
    called_triplets: Annotated[int, np.int64]
    """Kinds of the triplets and kans among the melds."""
    called_runs: Annotated[int, np.int64]
    """Lowest kinds of the runs among the melds."""
    called_fu: Annotated[int, np.int32]
    """Fu of the melds."""
    dora: Annotated[int, np.int32]
    """Han of dora, ura-dora and red fives."""
    kans: Annotated[int, np.int8]
    closed_kans: Annotated[int, np.int8]
    closed: Annotated[int, np.int8]
    """Whether nothing was called but closed kans."""

    # This reading: the concealed tiles
    pair: Annotated[int, np.int8]
    equal_runs: Annotated[int, np.int8]
    """Pairs of equal runs."""
    triplets: Annotated[int, np.int64]
    runs: Annotated[int, np.int64]
    """Lowest kinds of the runs."""


class Win(Record):
    """One seat's win."""

    value: Value
    change: Annotated[NDArray[np.int32], 4]
    """Change of every seat's points, honba and deposits included."""
    seat: Annotated[int, np.int8]
    discarder: Annotated[int, np.int8]
    """Seat that discarded the tile; the winner himself on a self-draw."""
    pao: Annotated[int, np.int8]
    """Seat that is liable for the win (pao), or −1."""
    tile: Annotated[int, np.int8]
    points: Annotated[int, np.int32]
    """Value of the hand, all payers together, without honba and deposits."""
    honba: Annotated[int, np.int32]
    deposits: Annotated[int, np.int32]
    """Riichi sticks taken."""


class Public(Record):
    """What everybody at the table knows."""

    rules: RulesRecord
    seats: Annotated[Rows[Seat], 4]
    indicators: Annotated[NDArray[np.int8], 5]
    """Dora indicators turned over (tiles); −1: not yet."""
    kyoku: Annotated[int, np.int32]
    """0–3 East, 4–7 South, 8–11 West; four to a wind also with three players (the fourth is skipped)."""
    honba: Annotated[int, np.int32]
    deposits: Annotated[int, np.int32]
    """Riichi sticks on the table."""
    turns: Annotated[int, np.int32]
    """Turn number: how often the turn has come round to the dealer."""
    left: Annotated[int, np.int16]
    """Tiles left to draw."""
    shown: Annotated[int, np.int8]
    """Dora indicators turned over."""
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
    kans: Annotated[int, np.int8]
    """Kans made by all."""
    interrupted: Annotated[int, np.int8]
    """Whether anything was called or set aside: no first-turn yaku any more."""


class View(Public):
    """What one seat may know: see `Public`, and its own hand."""

    hand: Hand
    drawn: Annotated[int, np.int8]
    """Tile just drawn, −1 where there is none (or it is another's)."""
    seat: Annotated[int, np.int8]
    """Whose view this is."""
    forbidden: Annotated[int, np.int64]
    """Kinds that may not be discarded after the call (kuikae)."""
    legal: Annotated[NDArray[np.int64], 3]
    """Legal actions where this seat is asked, see `janshi.riichi.actions`."""


class State(GameTable, Public):
    """One table."""

    hands: Annotated[Rows[Hand], 4]
    wall: Annotated[NDArray[np.int8], 136]
    """Tiles in Tenhou's order: drawn from the end; the dead wall is the beginning."""
    log: Annotated[NDArray[np.int8], 4 * EVENTS]
    """What has happened in this hand, four numbers each: event, seat, tile, and of a discard whether it was the tile
    just drawn, of a call the action."""
    logged: Annotated[int, np.int32]
    """Events in the log."""
    wins: Annotated[Rows[Win], 3]
    winning: Winning
    """The hand valued last."""
    reading: Reading
    """Workspace of `janshi.riichi.scoring`."""
    value: Value
    """What the hand valued last is worth."""
    legal: Annotated[NDArray[np.int64], 3]
    change: Annotated[NDArray[np.int32], 4]
    """Change of every seat's points in the hand that is over."""
    answers: Annotated[NDArray[np.int16], 4]
    """What the seats asked about a tile have answered, −1 for not asked (yet)."""
    forbidden: Annotated[int, np.int64]
    wall_size: Annotated[int, np.int16]
    next: Annotated[int, np.int16]
    """Slot in ``wall`` of the next tile to draw."""
    replaced: Annotated[int, np.int8]
    """Replacement tiles drawn."""
    pending: Annotated[int, np.int8]
    """Indicators of kans still to be turned over."""
    drawn: Annotated[int, np.int8]
    rinshan: Annotated[int, np.int8]
    """Whether the tile in hand is a replacement."""
    declared: Annotated[int, np.int8]
    """Seat whose riichi stick is not on the table yet, or −1."""
    to_ask: Annotated[int, np.int8]
    """Bits of the seats still to be asked about a tile."""
    ended: Annotated[int, np.int8]
    """An `Ending`."""
    winners: Annotated[int, np.int8]
    """Rows of ``wins`` that count."""
    over: Annotated[int, np.int8]
    """Whether the game ends with this hand."""


class Events(Record):
    """What has happened in a hand, as one seat may know it: see `State.log`."""

    rows: Annotated[NDArray[np.int8], 4 * EVENTS]
    """Four numbers an event; the tiles that others have drawn are −1."""
    count: Annotated[int, np.int32]
    """Events."""


class OtherHands(Record):
    """What the other seats hold, the next one first: what a seat may not see."""

    counts: Annotated[NDArray[np.int8], 3 * 34]
    """Concealed tiles of each kind, red fives as fives; nothing for an absent seat."""


log_event = leaf(specialised(turns.log_event, __name__, State=State, EVENTS=EVENTS))

"""The state of a table as records: first the public part, then the hidden one.

Kinds are 0–33, tiles 0–36 (see `janshi.tiles`), −1 means none. Seats are 0 to 3 (three players: 0 to 2) and
stay the same through a game; seat 0 deals first. Masks have one bit per kind. `Public` is visible to every player;
`State` adds the hidden part, `View` the hidden part of one seat.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Int16, Int32, Int64, Record, Rows, Workspace, leaf, specialised
from janshi.core import turns
from janshi.core.play import GameTable
from janshi.core.shape import Shape
from janshi.riichi.rules.record import RulesRecord

#: Slots of a seat's river: most discards of a seat in one hand, even if calls skip the others.
RIVER: Final = 32


class MeldForm(IntEnum):
    """Form of a `Meld`; 0 is none."""

    CHII = 1
    PON = 2
    DAIMINKAN = 3
    ANKAN = 4
    KAKAN = 5


class DiscardFlag(IntEnum):
    """Bit flags of a discard in the river."""

    TSUMOGIRI = 1
    DECLARES_RIICHI = 2
    CALLED = 4


class Phase(IntEnum):
    """Phase of a table (`Public.phase`)."""

    TURN = 0  # a seat holds 3n + 2 tiles, the last one just drawn
    CALLED_DISCARD = 1  # a seat has called and must discard
    RIICHI_DISCARD = 2  # a seat has declared riichi and must keep tenpai with its discard
    CLAIM = 3  # a seat may claim another's tile, or show its hand at a draw
    HAND_OVER = 4
    GAME_OVER = 5


class Offer(IntEnum):
    """What the seats are asked about in `Phase.CLAIM` (`Public.claimed`): the source of a tile, or a draw."""

    DISCARD = 0
    KITA = 1
    KAKAN = 2
    ANKAN = 3
    DRAW = 4  # an exhaustive draw, at which a tenpai seat may show its hand (`Rules.tenpai_by_choice`)


class Ending(IntEnum):
    """Endings of a hand (`State.ended`); draws are 0 to 6."""

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
    """Event of a hand, in `State.log` and in the event rows of records."""

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


#: Rows of `State.log`, more than 70 draws with their discards, calls, riichi and indicators.
EVENTS: Final = 256


class Meld(Record):
    """A called set or a kan."""

    form: Int8
    kind: Int8  # its lowest kind
    tile: Int8  # the called tile (closed kan: −1)
    discarder: Int8  # seat that discarded it (closed kan: the seat itself)
    reds: Int8  # red fives in it
    turn: Int8  # turn number of the call (of a kan added to a pon: that of the pon)
    after: Int8  # the caller's discards before it


class Seat(Record):
    """Public part of a seat."""

    melds: Annotated[Rows[Meld], 4]
    river: Annotated[NDArray[np.int8], RIVER]  # discarded tiles in order, called ones included
    marks: Annotated[NDArray[np.uint8], RIVER]  # the `DiscardFlag`s of each discard
    points: Int32
    river_mask: Int64  # kinds in the river
    passed: Int64
    """Kinds passed since its riichi, on which it can no longer win."""
    calls: Int8  # melds made
    opened: Int8  # melds other than closed kans
    discards: Int8
    kitas: Int8
    riichi: Int8  # 0 no, 1 riichi, 2 double riichi; from the declaration on
    riichi_turn: Int8
    accepted: Int8  # whether the riichi stick is on the table
    ippatsu: Int8  # whether a win now would be ippatsu
    nagashi: Int8  # whether all discards are terminals and honours and none was called
    pao_dragons: Int8  # seat whose discard completed the third set of dragons (pao), or −1
    pao_winds: Int8  # … the fourth set of winds
    pao_kans: Int8  # … the fourth kan


class Hand(Record):
    """Hidden part of a seat."""

    counts: Annotated[NDArray[np.int8], 34]
    """Concealed tiles of each kind with the tile just drawn; red fives count as fives."""
    reds: Annotated[NDArray[np.int8], 3]  # concealed red 5m, 5p, 5s
    concealed: Shape  # the same tiles, for shanten
    waits: Int64  # kinds that complete the hand without the tile just drawn
    shanten: Int32  # a lower bound of the shanten after the last discard
    missed: Int8  # temporary furiten: 1 until the next own discard, 2 to the end of the hand (after riichi)


class Value(Record):
    """Value of a winning hand."""

    yaku: Int64  # one bit per yaku, at Tenhou's number (0–51)
    han: Int32  # all han, dora included; 0 for a yakuman
    fu: Int32
    yakuman: Int32  # number of yakuman, double ones counting two; 0 for a counted yakuman
    dora: Int32  # han of dora indicators and kitas
    ura: Int32
    red: Int32
    basic: Int32  # basic points (kihonten): a non-dealer's ron is four times as much, rounded up to hundreds


class Winning(Record):
    """A complete hand and the circumstances of its win, which determine its value."""

    counts: Annotated[NDArray[np.int8], 34]  # concealed tiles, the winning tile included
    forms: Annotated[NDArray[np.int8], 4]  # `MeldForm`s of the melds; those from number ``calls`` on do not count
    kinds: Annotated[NDArray[np.int8], 4]  # lowest kinds of the melds
    dora: Annotated[NDArray[np.int8], 5]  # kinds of the indicators turned over, −1 for none
    ura: Annotated[NDArray[np.int8], 5]  # kinds of the ura indicators that the winner may count, −1 for none
    calls: Int8  # melds, closed kans included
    kind: Int8  # the winning tile's kind
    seat_wind: Int8  # kind of the own wind (27 East …)
    round_wind: Int8
    reds: Int8  # red fives in the hand and its melds
    kitas: Int8
    tsumo: Int8
    riichi: Int8  # 0 no, 1 riichi, 2 double riichi
    ippatsu: Int8
    rinshan: Int8  # a self-draw of a replacement tile
    chankan: Int8
    last: Int8  # the last tile of the wall (haitei), or the last discard (houtei)
    first: Int8  # won in the first turn, nothing called: a heavenly or earthly hand, by ron renhou


class Reading(Workspace):
    """One division of a winning hand into sets and a pair: see `janshi.riichi.hands.scoring`."""

    # The same for every reading of the hand
    common: Int64  # yaku common to all readings
    present: Int64  # kinds of the hand and its melds
    called_triplets: Int64  # kinds of the triplets and kans among the melds
    called_runs: Int64  # lowest kinds of the runs among the melds
    called_fu: Int32  # fu of the melds
    dora: Int32  # han of dora, ura-dora and red fives
    kans: Int8
    closed_kans: Int8
    closed: Int8  # whether the hand has no melds except closed kans

    # This reading: the concealed tiles
    pair: Int8
    equal_runs: Int8  # pairs of equal runs
    triplets: Int64
    runs: Int64  # lowest kinds of the runs

    # The best reading so far
    best_triplets: Int64
    best_pair: Int8
    best_part: Int8  # the part completed by the winning tile, 0 for a hand without sets


class FuSource(IntEnum):
    """Source of fu: see `janshi.riichi.hands.fu`."""

    BASE = 0
    CHIITOITSU = 1
    PINFU_TSUMO = 2
    CLOSED_RON = 3
    TSUMO = 4
    OPEN_TRIPLET = 5
    CLOSED_TRIPLET = 6
    OPEN_KAN = 7
    CLOSED_KAN = 8
    PAIR = 9
    PAIR_WAIT = 10
    CLOSED_WAIT = 11
    EDGE_WAIT = 12
    OPEN_PINFU = 13


#: Most sources of a hand: base, kind of win, four sets, pair and wait.
FU_SOURCES: Final = 8


class FuParts(Record):
    """Sources of the fu of a hand, in the order in which they are counted."""

    sources: Annotated[NDArray[np.int8], FU_SOURCES]  # `FuSource`s
    kinds: Annotated[NDArray[np.int8], FU_SOURCES]  # kinds of sets and pair, −1 for other sources
    fu: Annotated[NDArray[np.int8], FU_SOURCES]
    count: Int8  # sources of this hand


class Win(Record):
    """One seat's win."""

    value: Value
    change: Annotated[NDArray[np.int32], 4]  # change of every seat's points, honba and deposits included
    seat: Int8
    discarder: Int8  # seat that discarded the tile; the winner on a self-draw
    pao: Int8  # seat liable for the win (pao), or −1
    tile: Int8
    points: Int32  # value of the hand, all payers together, without honba and deposits
    honba: Int32
    deposits: Int32  # riichi sticks taken


class Public(Record):
    """Public part of a table."""

    rules: RulesRecord
    seats: Annotated[Rows[Seat], 4]
    indicators: Annotated[NDArray[np.int8], 5]  # dora indicators turned over (tiles); −1: not yet
    kyoku: Int32  # 0–3 East, 4–7 South, 8–11 West; four to a wind also with three players (the fourth is skipped)
    honba: Int32
    deposits: Int32  # riichi sticks on the table
    turns: Int32  # turn number: turns of the dealer so far
    left: Int16  # tiles left to draw
    shown: Int8  # dora indicators turned over
    dealer: Int8
    phase: Int8  # a `Phase`
    turn: Int8  # seat to move; in `Phase.CLAIM` the seat whose tile may be claimed
    actor: Int8  # seat that the table waits for
    tile: Int8  # tile that may be claimed, else −1
    claimed: Int8  # an `Offer`: the source of that tile, or an exhaustive draw
    kans: Int8  # kans made by all
    interrupted: Int8  # whether a call or kita has ended the first-turn yaku
    rinshan: Int8  # whether the tile in the hand of the seat to move is a replacement


class View(Public):
    """Information of one seat: `Public` and its own hand."""

    hand: Hand
    drawn: Int8  # tile just drawn, −1 if there is none or another seat drew it
    seat: Int8  # seat of the view
    forbidden: Int64  # kinds that may not be discarded after the call (kuikae)
    legal: Annotated[NDArray[np.int64], 3]  # legal actions if the table waits for this seat


class State(GameTable, Public):
    """One table."""

    hands: Annotated[Rows[Hand], 4]
    wall: Annotated[NDArray[np.int8], 136]
    """Tiles in Tenhou's order: drawn from the end; the dead wall is the beginning."""
    log: Annotated[NDArray[np.int8], 4 * EVENTS]
    """Events of this hand, four numbers each: event, seat, tile, and whether a discard was just drawn, or the action of
    a call."""
    logged: Int32  # events in the log
    wins: Annotated[Rows[Win], 3]
    winning: Winning  # the hand valued last
    reading: Reading  # workspace of `janshi.riichi.hands.scoring`
    value: Value  # value of the hand valued last
    legal: Annotated[NDArray[np.int64], 3]
    change: Annotated[NDArray[np.int32], 4]  # change of every seat's points in the hand that is over
    answers: Annotated[NDArray[np.int16], 4]  # actions of the seats asked about a tile, −1 if not asked
    forbidden: Int64
    wall_size: Int16
    next: Int16  # slot in ``wall`` of the next tile to draw
    replaced: Int8  # replacement tiles drawn
    pending: Int8  # whether the indicator of a kan is still to turn over
    drawn: Int8
    kan_discarder: Int8  # of a replacement: the seat that discarded the tile of an open kan, or −1
    declared: Int8  # seat with a declared but not accepted riichi, or −1
    to_ask: Int8  # bits of the seats still to ask about a tile
    ended: Int8  # an `Ending`
    winners: Int8  # rows of ``wins`` that count
    over: Int8  # whether the game ends with this hand


class Events(Record):
    """Events of a hand visible to one seat: see `State.log`."""

    rows: Annotated[NDArray[np.int8], 4 * EVENTS]  # four numbers an event; tiles drawn by others are −1
    count: Int32  # events


log_event = leaf(specialised(turns.log_event, __name__, State=State, EVENTS=EVENTS))

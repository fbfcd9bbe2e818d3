"""Records of what a seat knows and may do, for any game.

`janshi.say.words.in_words` turns a record into plain data of the same names. A field ``…_count`` is the number of rows
in use of the field before it. The fields of a single record inside another are among those of the outer one.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Int16, Int32, Record, Rows
from janshi.say.words import BySeat, Flag, Internal, Name, NamesOf, Optional, OrNone, Pairs

#: Most tiles of a hand, so most of its discards.
DISCARDS: Final = 14
#: Most waits of a hand: those of thirteen orphans.
WAITS: Final = 13
#: Most kinds of tiles.
KINDS: Final = 34
#: Most yaku, or other sources of han and fan, of a hand.
SOURCES: Final = 20
#: Most options of a decision, and most calls and kans among them.
OPTIONS: Final = 64
CALLS: Final = 24


class AcceptedRow(Record):
    """A kind that lowers the shanten or completes the hand."""

    tile: Annotated[Int8, Name("tile")]
    left: Int8  # tiles of it that the seat does not see


class FanRow(Record):
    """A yaku, or another source of han or fan."""

    name: Annotated[Int8, Name("fan")]
    fan: Int16


class WorthRow(Record):
    """The value of a hand completed by a tile: see `janshi.review.model.Worth`."""

    points: Int32
    each: Int32
    fans: Annotated[Rows[FanRow], SOURCES]
    fan: Int16
    fans_count: Int8
    tile: Annotated[Int8, Name("tile")]


class Waiting(Record):
    """The waits of a hand, and its value with each."""

    waits: Annotated[Rows[AcceptedRow], WAITS]
    waits_count: Int8
    furiten: Annotated[Int8, Flag()]
    worth: Annotated[Rows[WorthRow], WAITS]
    worth_count: Int8


class OwnHand(Record):
    """A seat's knowledge of its own hand between decisions."""

    shanten: Int8
    waiting: Waiting
    known: Annotated[Int8, Flag()]  # False while a discard is due that no draw preceded, and between hands: nothing new


class OptionRow(Record):
    """A legal action with its tiles: see `janshi.review.model.Option`."""

    action: Int16
    name: Annotated[Int8, Name("action")]
    tile: Annotated[Int8, Name("tile")]
    tiles: Annotated[NDArray[np.int8], 4, NamesOf("tile")]
    tsumogiri: Annotated[Int8, Flag()]


class DiscardRow(Record):
    """A discard that leaves the hand tenpai."""

    tile: Annotated[Int8, Name("tile")]
    waiting: Waiting


class CallRow(Record):
    """A call or kan that leaves the hand tenpai, with the discard after it that has the best chance to win."""

    action: Int16
    discard: Annotated[Int8, Name("tile")]
    waiting: Waiting


class DecisionOptions(Record):
    """A decision: its options with what they lead to."""

    options: Annotated[Rows[OptionRow], OPTIONS]
    options_count: Int8
    discards: Annotated[Rows[DiscardRow], DISCARDS]
    discards_count: Int8
    win: Annotated[Rows[WorthRow], 1, Optional()]
    win_count: Int8
    calls: Annotated[Rows[CallRow], CALLS]
    calls_count: Int8


class Accepts(Record):
    """The ukeire of a hand, or the waits of a tenpai hand."""

    accepts: Annotated[Rows[AcceptedRow], KINDS]
    accepts_count: Int8
    left: Int16


class CandidateRow(Record):
    """A possible discard by kind: see `janshi.review.model.Candidate`."""

    tile: Annotated[Int8, Name("tile")]
    actions: Annotated[NDArray[np.int16], 4]
    actions_count: Int8
    shanten: Int8
    ukeire: Accepts
    furiten: Annotated[Int8, Flag()]
    safety: Annotated[NDArray[np.int8], 4, BySeat("safety")]
    worth: Annotated[Rows[WorthRow], WAITS]
    worth_count: Int8


class AfterRow(Record):
    """The hand after a call, a kan or a kita: see `janshi.review.model.After`."""

    action: Int16
    discard: Annotated[Int8, Name("tile")]
    shanten: Int8
    ukeire: Accepts


class RiskRow(Record):
    """The deal-in rate of an action."""

    action: Int16
    risk: Annotated[float, np.float64]


class VoidRow(Record):
    """The hand after the choice of a void suit: see `janshi.review.model.VoidSuit`."""

    suit: Annotated[Int8, Name("suit")]
    tiles: Int8
    shanten: Int8


class AdviceNumbers(Record):
    """The numbers of an advice: see `janshi.review.model.Advice`."""

    shanten: Int8
    candidates: Annotated[Rows[CandidateRow], DISCARDS]
    candidates_count: Int8
    after: Annotated[Rows[AfterRow], CALLS]
    after_count: Int8
    risk: Annotated[Rows[RiskRow], 3 * DISCARDS, Pairs()]
    risk_count: Int8  # −1: nothing threatens, or nothing is discarded
    voids: Annotated[Rows[VoidRow], 3]
    voids_count: Int8
    spare: Annotated[Rows[CandidateRow], 1, Internal()]  # workspace


class NeedRow(Record):
    """What a win in the last hand has to be worth for a better place: see `janshi.review.model.Need`."""

    place: Int8
    ron: Annotated[Int32, OrNone()]
    direct: Annotated[Int32, OrNone()]
    tsumo: Annotated[Int32, OrNone()]


class DecisionStakes(Record):
    """What a decision is about beside the tiles: see `janshi.review.model.Stakes`."""

    needs: Annotated[Rows[NeedRow], 3]
    needs_count: Int8
    yakuless: Annotated[NDArray[np.int16], 3 * DISCARDS]
    yakuless_count: Int8

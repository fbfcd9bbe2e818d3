"""What choices cost: the loss of a decision with its reasons, and the summary of a game."""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int8, Int32, Int32s, Record, Rows, batched, copy_record, entry, leaf, rule
from janshi.say.ends import OptionFigures, rounded
from janshi.say.names import ACTION_NAMES, MISTAKES
from janshi.say.reasons import DEAL_IN, PRICE, VALUE, WIN, Reasons, TwoOptions, apart, option_at, write_reasons
from janshi.say.words import Flag, Name

#: Decisions named in a summary at most.
MOMENTS: Final = 10


def _bits(*names: str) -> int:
    return sum(1 << ACTION_NAMES.index(name) for name in names)


#: Bits of the actions that win or end the hand, of those that call, meld or decline, of those before play, and of
#: discards.
_WINS: Final = _bits("tsumo", "ron", "win", "kyuushu_kyuuhai")
_CALLS: Final = _bits("chi", "pon", "daiminkan", "ankan", "kakan", "kita", "pass")
_BEFORE_PLAY: Final = _bits("give", "lay", "void_m", "void_p", "void_s")
_DISCARD: Final = _bits("discard")

_WIN: Final = MISTAKES.index("win")
_DECLARATION: Final = MISTAKES.index("declaration")
_CALL: Final = MISTAKES.index("call")
_SETUP: Final = MISTAKES.index("before_play")
_PUSHED: Final = MISTAKES.index("pushed")
_FOLDED: Final = MISTAKES.index("folded")
_SHAPE: Final = MISTAKES.index("shape")
_LESS: Final = MISTAKES.index("value")
_PLACEMENT: Final = MISTAKES.index("placement")


class LossNumbers(Record):
    """The loss by a choice: see `janshi.review.model.Loss`."""

    lost: Annotated[float, np.float64]
    low: Annotated[float, np.float64]
    high: Annotated[float, np.float64]
    certain: Annotated[Int8, Flag()]
    samples: Int32
    why: Reasons
    kind: Annotated[Int8, Name("mistake")]


class MeasuredRow(Record):
    """The loss of a decision of a game."""

    number: Int32
    lost: Annotated[float, np.float64]
    certain: Int8
    kind: Int8  # of the mistake; −1: none


class MistakesRow(Record):
    """See `janshi.review.model.Mistakes`."""

    kind: Annotated[Int8, Name("mistake")]
    number: Int32
    lost: Annotated[float, np.float64]


class LossesNumbers(Record):
    """Summary of the measured losses of a game: see `janshi.review.model.Losses`."""

    measured: Int32
    worse: Int32
    better: Int32
    lost: Annotated[float, np.float64]
    kinds: Annotated[Rows[MistakesRow], len(MISTAKES)]
    kinds_count: Int8
    moments: Annotated[NDArray[np.int32], MOMENTS]  # numbers of the certainly worse choices, the costliest first
    moments_count: Int8


class DifferenceRow(Record):
    """A decision in which the player and the reviewer differ."""

    number: Int32
    done: Annotated[float, np.float64]  # what the choice taken promises by a model, and what the reviewer's
    best: Annotated[float, np.float64]


# ---------------------------------------------------------------------------------------------------------
# One decision


@leaf
def mistake_of(done: int, best: int, reason: int, risk: float) -> int:
    """Return the kind of a mistake.

    Args:
        done: name of the choice taken.
        best: name of the better one.
        reason: the most important figure in which the latter is better.
        risk: its deal-in rate minus that of the choice, 0 if chance may explain the difference.
    """
    names = 1 << done | 1 << best
    if names & _WINS:
        return _WIN
    if names & _CALLS:
        return _CALL
    if names & _BEFORE_PLAY:
        return _SETUP
    if names != _DISCARD:
        return _DECLARATION
    if reason in (DEAL_IN, PRICE):
        return _PUSHED
    if risk > 0:
        return _FOLDED
    if reason == WIN:
        return _SHAPE
    return _LESS if reason == VALUE else _PLACEMENT


@rule
def write_loss(pair: TwoOptions, out: LossNumbers) -> None:
    """Write the loss by a choice; if it is decided, with reasons, and the kind of the mistake if it is one."""
    done, best = pair.figures[0], pair.figures[1]
    worse = best.difference.value == 0
    out.why.worse = 1 if worse else 0
    out.lost = rounded(-done.difference.value if worse else best.difference.value, 1e4)
    out.low = rounded(-done.difference.high if worse else best.difference.low, 1e4)
    out.high = rounded(-done.difference.low if worse else best.difference.high, 1e4)
    out.certain = int(pair.decided)
    out.samples = int(done.win.count)
    out.why.reasons_count = 0
    out.kind = -1
    if int(pair.decided):
        write_reasons(pair, out.why)
        if worse:
            options = pair.question.options
            first = option_at(pair.question, int(pair.actions[0]))
            second = option_at(pair.question, int(pair.actions[1]))
            reason, risk = int(out.why.reasons[0].kind), apart(done.deal_in, best.deal_in)
            out.kind = mistake_of(int(options[first].name), int(options[second].name), reason, risk)


loss_numbers = batched(write_loss, brief=True)


@entry(brief=True)
def goes_on(options: Batch[OptionFigures], decided: int) -> int:
    """Return 1 if the first of two options looks worse, by a standard error at least, and is not decided, else 0."""
    done = options[0].difference
    return 1 if decided == 0 and -done.value > (done.high - done.low) / 4 else 0


# ---------------------------------------------------------------------------------------------------------
# A game


@leaf
def is_worse(row: MeasuredRow) -> bool:
    """Return whether a choice is certainly worse."""
    return int(row.certain) == 1 and row.lost > 0


@leaf
def is_dearer(one: MeasuredRow, other: MeasuredRow) -> bool:
    """Return whether a decision cost more than another one, or came first if they cost the same."""
    return one.lost > other.lost or (one.lost == other.lost and int(one.number) < int(other.number))


@rule
def next_moment(rows: Batch[MeasuredRow], last: int) -> int:
    """Return the row of the costliest certainly worse choice after that of row ``last`` (−1: none); −1: none."""
    found = -1
    for row in range(len(rows)):
        follows = last < 0 or is_dearer(rows[last], rows[row])
        if is_worse(rows[row]) and follows and (found < 0 or is_dearer(rows[row], rows[found])):
            found = row
    return found


@rule
def add_kind(rows: Batch[MeasuredRow], first: int, out: LossesNumbers) -> None:
    """Add the certain mistakes of the kind of row ``first``, unless an earlier row has it, by their loss."""
    kind = int(rows[first].kind)
    number = 0
    lost = 0.0
    for row in range(len(rows)):
        if int(rows[row].certain) and int(rows[row].kind) == kind:
            if row < first:
                return
            number += 1
            lost += rows[row].lost
    lost = rounded(lost, 1e3)
    place = int(out.kinds_count)
    while place > 0 and lost > out.kinds[place - 1].lost:
        copy_record(out.kinds[place - 1], out.kinds[place])
        place -= 1
    out.kinds[place].kind = kind
    out.kinds[place].number = number
    out.kinds[place].lost = lost
    out.kinds_count += 1


@entry(brief=True)
def summarise(rows: Batch[MeasuredRow], summaries: Batch[LossesNumbers]) -> None:
    """Write the summary of the measured losses of a game."""
    out = summaries[0]
    out.measured = len(rows)
    out.worse = 0
    out.better = 0
    out.kinds_count = 0
    lost = 0.0
    for row in range(len(rows)):
        if is_worse(rows[row]):
            out.worse += 1
            lost += rows[row].lost
        elif int(rows[row].certain):
            out.better += 1
        if int(rows[row].certain) and int(rows[row].kind) >= 0:
            add_kind(rows, row, out)
    out.lost = rounded(lost, 1e3)
    out.moments_count = 0
    moment = next_moment(rows, -1)
    while moment >= 0 and int(out.moments_count) < MOMENTS:
        out.moments[int(out.moments_count)] = int(rows[moment].number)
        out.moments_count += 1
        moment = next_moment(rows, moment)


@leaf
def promises_more(one: DifferenceRow, other: DifferenceRow) -> bool:
    """Return whether the reviewer's choice gains more in a decision than in another one, or as much and comes first."""
    gain, least = one.best - one.done, other.best - other.done
    return gain > least or (gain == least and int(one.number) < int(other.number))


@entry(brief=True)
def order_by_gain(rows: Batch[DifferenceRow], order: Int32s) -> None:
    """Write the places of the rows in the order of what the reviewer's choice gains, most first."""
    for row in range(len(rows)):
        place = row
        while place > 0 and promises_more(rows[row], rows[order[place - 1]]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = row

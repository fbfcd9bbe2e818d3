"""Reasons for one of two options, from the ends of played hands after both, and what the reasons come from.

Figures count where their 95 % intervals differ, and causes where they speak for the better option. Nothing else is
claimed. `write_reasons` fills the reasons of a `janshi.say.losses.LossNumbers`.
"""

from __future__ import annotations

import math
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Record, Rows, copy_record, leaf, rule
from janshi.say.ends import DEALT_TO, HAN_SOURCES, SOURCE, EstimateRow, FiguresRow, OptionFigures, rounded
from janshi.say.names import ACTION_NAMES, CAUSES, REASONS
from janshi.say.records import AdviceNumbers, CandidateRow, DecisionOptions, DecisionStakes, NeedRow
from janshi.say.words import ABSENT, Internal, Name, NamesOrNone, Optional, OrNone

#: Share of the most important reason below which another one is left out.
_MINOR: Final = 0.25
#: Above every final place.
_ANY_PLACE: Final = 127
_NOTHING: Final = math.nan

WIN: Final = REASONS.index("win")
VALUE: Final = REASONS.index("value")
DEAL_IN: Final = REASONS.index("deal_in")
PRICE: Final = REASONS.index("price")
DRAW: Final = REASONS.index("draw")
OTHERS: Final = REASONS.index("others")
POINTS: Final = REASONS.index("points")
PLACE: Final = REASONS.index("place")

_YAKULESS: Final = CAUSES.index("yakuless")
_FURITEN: Final = CAUSES.index("furiten")
_SHANTEN: Final = CAUSES.index("shanten")
_WAIT: Final = CAUSES.index("wait")
_UKEIRE: Final = CAUSES.index("ukeire")
_YAKU: Final = CAUSES.index("yaku")
_HAN: Final = CAUSES.index("han")
_SEAT: Final = CAUSES.index("seat")
_SAFETY: Final = CAUSES.index("safety")
_TENPAI: Final = CAUSES.index("tenpai")
_FIXES: Final = CAUSES.index("fixes")
_NEEDS: Final = CAUSES.index("needs")

_PASS: Final = ACTION_NAMES.index("pass")
#: Bits of the actions that win.
_WINS: Final = sum(1 << ACTION_NAMES.index(name) for name in ("tsumo", "ron", "win"))


class CauseRow(Record):
    """See `janshi.review.model.Cause`."""

    kind: Annotated[Int8, Name("cause")]
    done: Annotated[float, np.float64, OrNone()]
    best: Annotated[float, np.float64, OrNone()]
    name: Annotated[Int8, Name("fan")]
    seat: Annotated[Int8, OrNone()]
    safety: Annotated[NDArray[np.int8], 2, NamesOrNone("safety")]
    need: Annotated[Rows[NeedRow], 1, Optional()]
    need_count: Int8


class ReasonRow(Record):
    """See `janshi.review.model.Reason`."""

    kind: Annotated[Int8, Name("reason_kind")]
    done: Annotated[float, np.float64]
    best: Annotated[float, np.float64]
    causes: Annotated[Rows[CauseRow], 3]
    causes_count: Int8


class Reasons(Record):
    """At most two reasons, the most important first."""

    reasons: Annotated[Rows[ReasonRow], 2]
    reasons_count: Int8
    worse: Annotated[Int8, Internal()]  # the second option is the better one


class TwoOptions(Record):
    """A decision, and the ends of hands after the choice taken and after the reviewer's."""

    figures: Annotated[Rows[OptionFigures], 2]
    question: DecisionOptions
    advice: AdviceNumbers
    stakes: DecisionStakes
    actions: Annotated[NDArray[np.int16], 2]
    dora: Annotated[NDArray[np.int8], 2]  # of the sources of han counted by tiles the first, and the one after the last
    placed: Int8  # options are compared by minus the final place
    decided: Int8  # see `janshi.say.ends.sum_up`
    both: Annotated[Rows[FiguresRow], 2, Internal()]  # workspace


# ---------------------------------------------------------------------------------------------------------
# Figures of both options


@rule
def apart(done: EstimateRow, best: EstimateRow) -> float:
    """Return the difference of two figures, 0 if chance may explain it or one is missing."""
    difference = best.value - done.value
    first, second = done.high - done.low, best.high - best.low
    return difference if abs(difference) > math.sqrt(first * first + second * second) / 2 else 0.0


@leaf
def between(done: EstimateRow, best: EstimateRow) -> float:
    """Return the mean of two figures, without one that is missing; 0 without both."""
    if math.isnan(done.value):
        return 0.0 if math.isnan(best.value) else best.value
    return done.value if math.isnan(best.value) else (done.value + best.value) / 2


@leaf
def part_of(done: OptionFigures, best: OptionFigures, kind: int) -> float:
    """Return the points of the hand that the difference of a figure is worth to the second option.

    A difference of chances counts with the mean of what they bring, and a difference of what they bring with the mean
    of the chances.
    """
    if kind == WIN:
        return apart(done.win, best.win) * between(done.value, best.value)
    if kind == VALUE:
        return apart(done.value, best.value) * between(done.win, best.win)
    if kind == DEAL_IN:
        return -apart(done.deal_in, best.deal_in) * between(done.price, best.price)
    if kind == PRICE:
        return -apart(done.price, best.price) * between(done.deal_in, best.deal_in)
    if kind == DRAW:
        return apart(done.draw_points, best.draw_points) * between(done.draw, best.draw)
    return apart(done.others, best.others) * between(done.others_points, best.others_points)


@rule
def figure_of(option: OptionFigures, kind: int) -> float:
    """Return the rounded figure of an option that a reason names."""
    if kind in (WIN, DEAL_IN, OTHERS):
        chance = option.win if kind == WIN else option.deal_in if kind == DEAL_IN else option.others
        return rounded(chance.value, 1e4)
    if kind == PLACE:
        return rounded(-option.worth.value, 1e4)
    if kind == VALUE:
        return rounded(option.value.value, 1.0)
    if kind == PRICE:
        return rounded(option.price.value, 1.0)
    return rounded(option.draw_points.value if kind == DRAW else option.points.value, 1.0)


@rule
def read_both(pair: TwoOptions, what: int, key: int) -> None:
    """Write the figures of a source of han or of a seat dealt in to (`SOURCE`, `DEALT_TO`), by option, to ``both``."""
    for number in range(2):
        option, out = pair.figures[number], pair.both[number]
        copy_record(option.never_won if what == SOURCE else option.never, out.share)
        copy_record(out.share, out.average)
        for row in range(int(option.sources_count) if what == SOURCE else int(option.dealt_to_count)):
            found = option.sources[row] if what == SOURCE else option.dealt_to[row]
            if int(found.key) == key:
                copy_record(found, out)


# ---------------------------------------------------------------------------------------------------------
# The decision


@rule
def option_at(question: DecisionOptions, action: int) -> int:
    """Return the row of the first option with an action."""
    for number in range(int(question.options_count)):
        if int(question.options[number].action) == action:
            return number
    return 0


@leaf
def wins(question: DecisionOptions, action: int) -> bool:
    """Return whether an action wins the hand."""
    return _WINS >> int(question.options[option_at(question, action)].name) & 1 == 1


@rule
def is_discarded(row: CandidateRow, action: int) -> bool:
    """Return whether an action is among those that discard a kind."""
    found = False
    for number in range(int(row.actions_count)):
        found = found or int(row.actions[number]) == action
    return found


@rule
def hand_after(pair: TwoOptions, action: int) -> tuple[int, int, int]:
    """Return shanten, tiles left (−1: the hand is unknown) and furiten of the hand after an action.

    A declaration without a tile, as of riichi, is followed by the discard that keeps the widest wait.
    """
    advice = pair.advice
    option = pair.question.options[option_at(pair.question, action)]
    passes = int(option.name) == _PASS
    declares = int(option.tile) < 0 and not passes and not _WINS >> int(option.name) & 1
    for number in range(int(advice.candidates_count)):
        row = advice.candidates[number]
        if is_discarded(row, action) or (declares and int(row.shanten) == 0):
            return int(row.shanten), int(row.ukeire.left), int(row.furiten)
    for number in range(int(advice.after_count)):
        if int(advice.after[number].action) == action:
            return int(advice.after[number].shanten), int(advice.after[number].ukeire.left), 0
    return int(advice.shanten), 0 if passes else -1, 0


@rule
def safety_of(advice: AdviceNumbers, action: int, seat: int) -> int:
    """Return the safety of a discard against a seat; −1 for other actions and seats that it is not told of."""
    for number in range(int(advice.candidates_count)):
        if is_discarded(advice.candidates[number], action):
            return int(advice.candidates[number].safety[seat])
    return -1


@rule
def is_yakuless(stakes: DecisionStakes, action: int) -> bool:
    """Return whether an action leaves a tenpai hand which cannot win by ron for want of a yaku."""
    found = False
    for number in range(int(stakes.yakuless_count)):
        found = found or int(stakes.yakuless[number]) == action
    return found


@rule
def place_fixed(pair: TwoOptions, number: int) -> int:
    """Return the final place that an option fixes by a win, else 0."""
    worth = pair.figures[number].worth
    sure = int(pair.placed) == 1 and worth.low == worth.high and worth.value == np.rint(worth.value)
    return int(-worth.value) if sure and wins(pair.question, int(pair.actions[number])) else 0


# ---------------------------------------------------------------------------------------------------------
# Causes


@rule
def add_cause(out: ReasonRow, kind: int, done: float, best: float) -> None:
    """Add a cause with figures of both options, NaN for none."""
    row = out.causes[int(out.causes_count)]
    out.causes_count += 1
    row.kind = kind
    row.done = done
    row.best = best
    row.name = -1
    row.seat = ABSENT
    row.safety[0] = -1
    row.safety[1] = -1
    row.need_count = 0


@rule
def add_higher(out: ReasonRow, kind: int, sign: int, done: EstimateRow, best: EstimateRow) -> None:
    """Add a figure of both options if the better option's is higher by more than chance."""
    if sign * apart(done, best) > 0:
        add_cause(out, kind, rounded(done.value, 1e4), rounded(best.value, 1e4))


@rule
def write_speed(pair: TwoOptions, sign: int, out: ReasonRow) -> None:
    """Write by what the hand after the better option is faster, most important first."""
    first, second = int(pair.actions[0]), int(pair.actions[1])
    lesser, better = (first, second) if sign > 0 else (second, first)
    if is_yakuless(pair.stakes, lesser) and not is_yakuless(pair.stakes, better):
        add_cause(out, _YAKULESS, _NOTHING, _NOTHING)
    done_shanten, done_left, done_furiten = hand_after(pair, first)
    best_shanten, best_left, best_furiten = hand_after(pair, second)
    if done_left < 0 or best_left < 0:
        return
    if sign * (done_furiten - best_furiten) > 0:
        add_cause(out, _FURITEN, _NOTHING, _NOTHING)
    if sign * (done_shanten - best_shanten) > 0:
        add_cause(out, _SHANTEN, float(done_shanten), float(best_shanten))
    elif done_shanten == best_shanten and sign * (best_left - done_left) > 0 and min(done_left, best_left) > 0:
        add_cause(out, _UKEIRE if done_shanten else _WAIT, float(done_left), float(best_left))


@rule
def gain_by_source(pair: TwoOptions, sign: int, source: int) -> float:
    """Return by how many han a source makes the better option's wins worth more; 0 if chance may explain it."""
    read_both(pair, SOURCE, source)
    if apart(pair.both[0].share, pair.both[1].share) == 0:
        return 0.0
    return sign * apart(pair.both[0].average, pair.both[1].average)


@rule
def add_yaku(pair: TwoOptions, source: int, out: ReasonRow) -> None:
    """Add a source of han with its share of the wins, dora with their mean number."""
    read_both(pair, SOURCE, source)
    done, best = pair.both[0], pair.both[1]
    if int(pair.dora[0]) <= source < int(pair.dora[1]):
        add_cause(out, _YAKU, rounded(done.average.value, 1e4), rounded(best.average.value, 1e4))
    else:
        add_cause(out, _YAKU, rounded(done.share.value, 1e4), rounded(best.share.value, 1e4))
    out.causes[int(out.causes_count) - 1].name = source


@rule
def write_yaku(pair: TwoOptions, sign: int, out: ReasonRow) -> None:
    """Write the two sources of han that make the better option's wins worth most more, or their han."""
    first = second = -1
    most = next_most = 0.0
    for source in range(HAN_SOURCES):
        gain = gain_by_source(pair, sign, source)
        if gain > most:
            second, next_most = first, most
            first, most = source, gain
        elif gain > next_most:
            second, next_most = source, gain
    if first < 0:
        add_higher(out, _HAN, sign, pair.figures[0].han, pair.figures[1].han)
        return
    add_yaku(pair, first, out)
    if second >= 0:
        add_yaku(pair, second, out)


@rule
def write_dealt_to(pair: TwoOptions, sign: int, out: ReasonRow) -> None:
    """Write to whom the worse option deals in more often, and the safety of the two discards against that seat."""
    seat = -1
    most = 0.0
    for each in range(4):
        read_both(pair, DEALT_TO, each)
        more = -sign * apart(pair.both[0].share, pair.both[1].share)
        if more > most:
            seat, most = each, more
    if seat < 0:
        return
    read_both(pair, DEALT_TO, seat)
    add_cause(out, _SEAT, rounded(pair.both[0].share.value, 1e4), rounded(pair.both[1].share.value, 1e4))
    out.causes[0].seat = seat
    done = safety_of(pair.advice, int(pair.actions[0]), seat)
    best = safety_of(pair.advice, int(pair.actions[1]), seat)
    if done >= 0 and best >= 0 and sign * (done - best) > 0:
        add_cause(out, _SAFETY, _NOTHING, _NOTHING)
        out.causes[1].seat = seat
        out.causes[1].safety[0] = done
        out.causes[1].safety[1] = best


@rule
def add_need(stakes: DecisionStakes, held: int, out: ReasonRow) -> None:
    """Add what the place better than the present one, or than one held, needs."""
    for number in range(int(stakes.needs_count)):
        if int(stakes.needs[number].place) < held:
            add_cause(out, _NEEDS, _NOTHING, _NOTHING)
            row = out.causes[int(out.causes_count) - 1]
            copy_record(stakes.needs[number], row.need[0])
            row.need_count = 1
            return


@rule
def write_placement(pair: TwoOptions, out: ReasonRow) -> None:
    """Write the places that a win fixes, and in the last hand what the next better place needs."""
    done, best = place_fixed(pair, 0), place_fixed(pair, 1)
    held = min(done if done else _ANY_PLACE, best if best else _ANY_PLACE)
    if held < _ANY_PLACE:
        add_cause(out, _FIXES, float(done) if done else _NOTHING, float(best) if best else _NOTHING)
    add_need(pair.stakes, held, out)


# ---------------------------------------------------------------------------------------------------------
# Reasons


@rule
def write_reason(pair: TwoOptions, sign: int, kind: int, out: ReasonRow) -> None:
    """Write a reason with its causes."""
    done, best = pair.figures[0], pair.figures[1]
    out.kind = kind
    out.done = figure_of(done, kind)
    out.best = figure_of(best, kind)
    out.causes_count = 0
    if kind == WIN:
        write_speed(pair, sign, out)
    elif kind == VALUE:
        write_yaku(pair, sign, out)
        add_need(pair.stakes, _ANY_PLACE, out)
    elif kind == DEAL_IN:
        write_dealt_to(pair, sign, out)
    elif kind == DRAW:
        add_higher(out, _TENPAI, sign, done.tenpai, best.tenpai)
    elif kind in (POINTS, PLACE):
        write_placement(pair, out)


@rule
def write_reasons(pair: TwoOptions, out: Reasons) -> None:
    """Write at most two figures that explain why one of two options is better, with their causes.

    If no figure differs, the difference in points or place itself is the reason. A win that fixes the final place comes
    first.
    """
    sign = 1 if int(out.worse) else -1
    done, best = pair.figures[0], pair.figures[1]
    first = second = -1
    most = next_most = 0.0
    for kind in range(OTHERS + 1):
        gain = sign * part_of(done, best, kind)
        if gain > most:
            second, next_most = first, most
            first, most = kind, gain
        elif gain > next_most:
            second, next_most = kind, gain
    if next_most < _MINOR * most:
        second = -1
    if first < 0:
        first = PLACE if int(pair.placed) and sign * apart(done.points, best.points) <= 0 else POINTS
    if first != PLACE and (place_fixed(pair, 0) or place_fixed(pair, 1)):
        first, second = PLACE, first
    write_reason(pair, sign, first, out.reasons[0])
    out.reasons_count = 1
    if second >= 0:
        write_reason(pair, sign, second, out.reasons[1])
        out.reasons_count = 2

"""Reasons for a choice: figures that differ beyond chance, what they come from, and their words."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest

from janshi.compiling import zeros
from janshi.games import rules_of
from janshi.review.model import (
    Accepted,
    Advice,
    After,
    Candidate,
    Cause,
    DealtInTo,
    Decision,
    Need,
    Option,
    Reason,
    Stakes,
    WonOn,
    WonWith,
)
from janshi.review.reasons import Pair, ends_of, reasons_of
from janshi.review.words import reason_words
from janshi.riichi.rules.yaku import DORA, YakuId
from janshi.rollout.ends import HandEnds, SeatDealtTo, SourceOfWins
from janshi.rollout.playouts import OptionResult, PlayoutPlan, figures_of
from janshi.say.ends import HandEnd
from janshi.say.names import Safety
from janshi.statistics import Estimate

DONE, BEST, RIICHI, PON, PASS, RON = 1, 2, 38, 3, 4, 5
OPTIONS = [
    Option(DONE, "discard", "1m"),
    Option(BEST, "discard", "2m"),
    Option(RIICHI, "riichi"),
    Option(PON, "pon", "E", ["E", "E"]),
    Option(PASS, "pass"),
    Option(RON, "ron", "3p"),
]


def estimate(value: float, reach: float = 0.0) -> Estimate:
    return Estimate(value, value - reach, value + reach, 100)


NOTHING = HandEnds(
    han=estimate(0.0),
    sources={},
    tiles={},
    dealt_to={},
    draw=estimate(0.0),
    tenpai=estimate(math.nan),
    draw_points=estimate(math.nan),
    others=estimate(0.0),
    others_points=estimate(math.nan),
    words={},
)


def option(action: int, ends: HandEnds = NOTHING, **figures: tuple[float, float]) -> OptionResult:
    """Return a result with some figures and half intervals, other figures 0."""
    names = ("win", "tsumo", "ron", "value", "deal_in", "price", "points", "placement", "difference")
    return OptionResult(
        action, "", **{name: estimate(*figures.get(name, (0.0, 0.0))) for name in names}, ends=ends
    )


def candidate(action: int, shanten: int, left: int, furiten: bool = False, **safety: Safety) -> Candidate:
    tile = f"{action}m"
    seats = {name.removeprefix("seat"): level for name, level in safety.items()}
    return Candidate(tile, [action], shanten, [Accepted("9s", left)], left, furiten, seats)


def decision(*candidates: Candidate, done: int = DONE, best: int = BEST, after: tuple[After, ...] = ()) -> Decision:
    advice = Advice("sl", best, [], 1, list(candidates), list(after))
    return Decision(0, 0, 0, OPTIONS, done, advice, False, 0.5, "middle")


def reasons(
    done: OptionResult,
    best: OptionResult,
    worse: bool = True,
    asked: Decision | None = None,
    **stakes: Any,
) -> list[Reason]:
    return reasons_of(Pair(done, best, worse), asked or decision(done=done.action, best=best.action), Stakes(**stakes))


# ---------------------------------------------------------------------------------------------------------
# Figures


def test_reasons_are_differences_beyond_chance_with_the_most_important_first() -> None:
    done = option(
        DONE, win=(0.2, 0.02), value=(5000, 200), deal_in=(0.15, 0.02), price=(6000, 300), points=(-500, 100)
    )
    best = option(
        BEST, win=(0.4, 0.02), value=(5100, 200), deal_in=(0.10, 0.02), price=(6000, 300), points=(900, 100)
    )
    # 1,010 points by wins, 300 by deal-ins; the difference in value may be chance.
    assert reasons(done, best) == [Reason("win", 0.2, 0.4), Reason("deal_in", 0.15, 0.1)]
    few = dataclasses.replace(best, deal_in=estimate(0.12, 0.01))
    assert reasons(done, few) == [Reason("win", 0.2, 0.4)], "180 points are a minor reason"
    assert reasons(best, done, worse=False) == [Reason("win", 0.4, 0.2), Reason("deal_in", 0.1, 0.15)]
    equal = dataclasses.replace(done, points=best.points)
    assert reasons(done, equal) == [Reason("points", -500, 900)]
    placed = dataclasses.replace(done, placement=estimate(-2.25))
    assert reasons(done, placed) == [Reason("place", 0.0, 2.25)]


def test_values_are_reasons_by_how_often_they_count() -> None:
    done = option(DONE, win=(0.5, 0.01), value=(2000, 100), deal_in=(0.1, 0.01), price=(9000, 100))
    best = option(BEST, win=(0.5, 0.01), value=(4000, 100), deal_in=(0.1, 0.01), price=(5000, 100))
    assert reasons(done, best) == [Reason("value", 2000, 4000), Reason("price", 9000, 5000)]
    never = dataclasses.replace(done, win=estimate(0.0), value=estimate(math.nan))
    assert reasons(never, best)[0] == Reason("win", 0.0, 0.5)


def test_payments_at_draws_and_wins_of_others_are_reasons() -> None:
    noten = dataclasses.replace(NOTHING, draw=estimate(0.5), draw_points=estimate(-1000), tenpai=estimate(0.2, 0.1))
    tenpai = dataclasses.replace(noten, draw_points=estimate(600), tenpai=estimate(0.8, 0.1))
    (draw,) = reasons(option(DONE, noten), option(BEST, tenpai))
    assert draw == Reason("draw", -1000, 600, [Cause("tenpai", 0.2, 0.8)])
    slow = dataclasses.replace(NOTHING, others=estimate(0.5, 0.01), others_points=estimate(-2000))
    fast = dataclasses.replace(slow, others=estimate(0.3, 0.01))
    assert reasons(option(DONE, slow), option(BEST, fast)) == [Reason("others", 0.5, 0.3)]


# ---------------------------------------------------------------------------------------------------------
# Causes

FEWER_WINS = option(DONE, win=(0.2, 0.01), value=(5000, 9))
MORE_WINS = option(BEST, win=(0.4, 0.01), value=(5000, 9))


@pytest.mark.parametrize(
    ("done", "best", "causes"),
    [
        (candidate(DONE, 2, 40), candidate(BEST, 1, 12), [Cause("shanten", 2, 1)]),
        (candidate(DONE, 1, 8), candidate(BEST, 1, 12), [Cause("ukeire", 8, 12)]),
        (candidate(DONE, 0, 3), candidate(BEST, 0, 7), [Cause("wait", 3, 7)]),
        (candidate(DONE, 0, 7, furiten=True), candidate(BEST, 0, 3), [Cause("furiten")]),
        (candidate(DONE, 1, 12), candidate(BEST, 1, 8), []),
        (candidate(DONE, 0, 3), candidate(BEST, 1, 12), []),
    ],
)
def test_wins_come_from_shanten_ukeire_and_waits(done: Candidate, best: Candidate, causes: list[Cause]) -> None:
    assert reasons(FEWER_WINS, MORE_WINS, asked=decision(done, best))[0].causes == causes


def test_tenpai_without_a_yaku_is_named_first() -> None:
    asked = decision(candidate(DONE, 0, 3), candidate(BEST, 0, 4))
    (reason,) = reasons(FEWER_WINS, MORE_WINS, asked=asked, yakuless=[DONE])
    assert reason.causes == [Cause("yakuless"), Cause("wait", 3, 4)]
    (reason,) = reasons(FEWER_WINS, MORE_WINS, asked=asked, yakuless=[DONE, BEST])
    assert reason.causes == [Cause("wait", 3, 4)]


def test_riichi_has_the_wait_of_its_discard_and_calls_their_own() -> None:
    asked = decision(candidate(BEST, 0, 6), candidate(DONE, 1, 9), best=RIICHI)
    assert reasons(FEWER_WINS, dataclasses.replace(MORE_WINS, action=RIICHI), asked=asked)[0].causes == [
        Cause("shanten", 1, 0)
    ]
    called = decision(best=PON, done=PASS, after=(After(PON, None, 0, [], 5),))
    passed = dataclasses.replace(FEWER_WINS, action=PASS)
    assert reasons(passed, dataclasses.replace(MORE_WINS, action=PON), asked=called)[0].causes == [
        Cause("shanten", 1, 0)
    ], "a pass leaves the hand as it is"


def test_values_come_from_yaku_and_dora() -> None:
    def ends(**sources: tuple[float, float]) -> HandEnds:
        made = {name: SourceOfWins(estimate(each[0], 0.05), estimate(each[1], 0.05)) for name, each in sources.items()}
        return dataclasses.replace(NOTHING, sources=made, han=estimate(sum(han for _, han in sources.values()), 0.1))

    plain, rich = ends(tanyao=(0.9, 0.9), dora=(0.3, 0.4)), ends(riichi=(0.8, 0.8), tanyao=(0.9, 0.9), dora=(0.7, 1.3))
    low, high = option(DONE, plain, win=(0.3, 0), value=(2000, 9)), option(BEST, rich, win=(0.3, 0), value=(5000, 9))
    assert reasons(low, high) == [
        Reason("value", 2000, 5000, [Cause("yaku", 0.4, 1.3, "dora"), Cause("yaku", 0.0, 0.8, "riichi")])
    ]
    assert reasons(high, low, worse=False)[0].causes == [
        Cause("yaku", 1.3, 0.4, "dora"),
        Cause("yaku", 0.8, 0.0, "riichi"),
    ]
    unnamed = dataclasses.replace(low, ends=dataclasses.replace(plain, han=estimate(1.0)))
    assert reasons(unnamed, dataclasses.replace(high, ends=plain))[0].causes == [Cause("han", 1.0, 1.3)]


def test_deal_ins_name_the_seat_and_the_safety_of_the_discards() -> None:
    def dealing(**rates: float) -> HandEnds:
        made = {int(seat[-1]): SeatDealtTo(estimate(rate, 0.01), estimate(8000)) for seat, rate in rates.items()}
        return dataclasses.replace(NOTHING, dealt_to=made)

    pushed = option(DONE, dealing(seat1=0.12, seat3=0.03), deal_in=(0.15, 0.01), price=(8000, 9))
    folded = option(BEST, dealing(seat3=0.02), deal_in=(0.02, 0.01), price=(8000, 9))
    asked = decision(candidate(DONE, 1, 9, seat1="open"), candidate(BEST, 2, 20, seat1="safe"))
    (reason,) = reasons(pushed, folded, asked=asked)
    assert reason.causes == [Cause("seat", 0.12, 0.0, seat=1), Cause("safety", seat=1, safety=["open", "safe"])]
    same = decision(candidate(DONE, 1, 9, seat1="suji"), candidate(BEST, 2, 20, seat1="suji"))
    assert reasons(pushed, folded, asked=same)[0].causes == [Cause("seat", 0.12, 0.0, seat=1)]


def test_a_win_that_fixes_the_place_comes_first_with_what_the_next_needs() -> None:
    passed = option(PASS, win=(0.2, 0.01), value=(9000, 9), placement=(-3.4, 0.1))
    won = option(RON, win=(1.0, 0.0), value=(3900, 0), placement=(-3.0, 0.0))
    second, first = Need(2, 8000, 5200, 8000), Need(1, None, 12000, None)
    needs = [Need(3, 1000, 1000, 1000), second, first]
    place, win = reasons(passed, won, needs=needs)
    assert place == Reason("place", 3.4, 3.0, [Cause("fixes", None, 3), Cause("needs", need=second)])
    assert win.kind == "win"
    unsure = dataclasses.replace(won, placement=estimate(-3.0, 0.1))
    assert [reason.kind for reason in reasons(passed, unsure, needs=needs)] == ["win"]
    place, _ = reasons(won, dataclasses.replace(passed, placement=estimate(-2.5, 0.1)), worse=True, needs=needs)
    assert place.causes[0] == Cause("fixes", 3, None)


# ---------------------------------------------------------------------------------------------------------
# Ends of hands


def test_ends_count_how_played_hands_end() -> None:
    hands = np.asarray(zeros(HandEnd, 6))
    hands["won"] = [1, 1, 0, 0, 0, 0]
    hands["self_drawn"] = [1, 0, 0, 0, 0, 0]
    hands["value"] = [8000, 2000, 0, 0, 0, 0]
    hands["drawn"] = [0, 0, 0, 0, 1, 1]
    hands["tenpai"] = [0, 0, 0, 0, 1, 0]
    hands["tile"] = [4, 7, -1, -1, -1, -1]
    hands["han"][:2, [YakuId.RIICHI, DORA]] = [[1, 3], [1, 0]]
    hands["dealt_to"] = [0, 0, 0b10, 0, 0, 0]
    hands["points"] = [8000, 2000, -3900, -1000, 1500, -1500]
    hands["worth"] = -2.5
    plan = PlayoutPlan(scale="place")
    (result,) = figures_of(rules_of("tenhou-sanma"), [DONE], hands[:, None], plan)["options"]
    ends = ends_of(result)
    assert (ends.win, ends.value, ends.samples) == (round(1 / 3, 4), 5000, 6)
    assert ends.yaku == [WonWith("riichi", 1.0, 1.0), WonWith("dora", 0.5, 1.5)]
    assert ends.tiles == [WonOn("5m", 0.5, 8000), WonOn("8m", 0.5, 2000)]
    assert ends.to == [DealtInTo(1, round(1 / 6, 4), 3900)]
    assert (ends.han, ends.draw, ends.tenpai, ends.draw_points) == (2.5, round(1 / 3, 4), 0.5, 0)
    assert (ends.others, ends.others_points, ends.place) == (round(1 / 6, 4), -1000, 2.5)


# ---------------------------------------------------------------------------------------------------------
# Words


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (Reason("win", 0.274, 0.44), "wins 27 % instead of 44 %"),
        (Reason("deal_in", 0.2, 0.125), "deals in 20 % instead of 12 %"),
        (Reason("value", 3900, 5200), "a win is worth 3,900 points instead of 5,200"),
        (Reason("price", 7700, 5200), "a deal-in costs 7,700 points instead of 5,200"),
        (Reason("draw", -1000, 600), "−1,000 points at a draw instead of 600"),
        (Reason("others", 0.5, 0.3), "others win 50 % instead of 30 %"),
        (Reason("points", -400, 600), "−400 points instead of 600"),
        (Reason("place", 2.41, 2.3), "final place 2.41 instead of 2.30"),
    ],
)
def test_reasons_in_words(reason: Reason, words: str) -> None:
    assert reason_words(reason) == words


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (Cause("yakuless"), "the tenpai hand has no yaku"),
        (Cause("furiten"), "furiten"),
        (Cause("shanten", 2, 1), "2-shanten instead of 1-shanten"),
        (Cause("shanten", 1, 0), "1-shanten instead of tenpai"),
        (Cause("ukeire", 8, 12), "accepts 8 tiles instead of 12"),
        (Cause("yaku", 0.0, 0.81, "riichi"), "riichi in 0 % of the wins instead of 81 %"),
        (Cause("yaku", 0.42, 1.3, "dora"), "0.4 dora a win instead of 1.3"),
        (Cause("han", 2.0, 3.5), "2.0 han a win instead of 3.5"),
        (Cause("seat", 0.12, 0.02, seat=3), "to seat 3 12 % instead of 2 %"),
        (Cause("safety", seat=1, safety=["open", "one_chance"]), "not safe instead of one chance against seat 1"),
        (Cause("tenpai", 0.2, 0.8), "tenpai at 20 % of the draws instead of 80 %"),
        (Cause("fixes", 3, None), "the win fixes place 3"),
        (Cause("needs", need=Need(1, None, None, None)), "no hand reaches place 1"),
    ],
)
def test_causes_in_words(cause: Cause, words: str) -> None:
    assert reason_words(Reason("points", 0, 1, [cause])) == f"0 points instead of 1 ({words})"

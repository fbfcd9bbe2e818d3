"""Reasons for a choice: figures that differ beyond chance, what they come from, and their words."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

from janshi.compiling import zeros
from janshi.games import GAMES, rules_of
from janshi.review.model import Cause, DealtInTo, Need, Reason, WonOn, WonWith
from janshi.review.reasons import REASON_MODELS, ends_of
from janshi.review.words import reason_words
from janshi.riichi.rules.yaku import DORA, YakuId
from janshi.rollout.playouts import PlayoutPlan, figures_of
from janshi.say import say_of
from janshi.say.ends import HandEnd, OptionFigures
from janshi.say.losses import LossNumbers, loss_numbers
from janshi.say.names import ACTION_NAMES, SAFETY, Safety
from janshi.say.reasons import TwoOptions
from janshi.say.words import ABSENT, in_words

DONE, BEST, RIICHI, PON, PASS, RON = 1, 2, 38, 3, 4, 5
#: Action, name, tile.
OPTIONS = [
    *((DONE, "discard", 0), (BEST, "discard", 1), (RIICHI, "riichi", -1)),
    *((PON, "pon", 27), (PASS, "pass", -1), (RON, "ron", 11)),
]
SAY = say_of(GAMES["riichi"])


class Played(NamedTuple):
    """An option with the figures of the hands after it, an `OptionFigures` record."""

    action: int
    figures: Any


def write(row: Any, value: float, reach: float = 0.0) -> None:
    """Write a figure with half of its interval."""
    row["value"], row["low"], row["high"], row["count"] = value, value - reach, value + reach, 100


def changed(
    option: Played,
    action: int | None = None,
    sources: Mapping[str, tuple[float, float]] | None = None,
    dealt_to: Mapping[int, float] | None = None,
    **figures: tuple[float, ...],
) -> Played:
    """Return a copy of an option with some figures and half intervals.

    ``sources``: shares and mean han of sources of han; ``dealt_to``: rates by seat.
    """
    made = option.figures.copy()
    for name, given in figures.items():
        write(made[name], *given)
    for row, (name, (share, han)) in enumerate((sources or {}).items()):
        made["sources"][row]["key"] = SAY.names["fan"].index(name)
        write(made["sources"][row]["share"], share, 0.05)
        write(made["sources"][row]["average"], han, 0.05)
    for row, (seat, rate) in enumerate((dealt_to or {}).items()):
        made["dealt_to"][row]["key"] = seat
        write(made["dealt_to"][row]["share"], rate, 0.01)
    if sources is not None:
        made["sources_count"] = len(sources)
    if dealt_to is not None:
        made["dealt_to_count"] = len(dealt_to)
    return Played(option.action if action is None else action, made)


def option(action: int, **figures: Any) -> Played:
    """Return an option with some figures, other figures 0."""
    nothing = Played(action, np.asarray(zeros(OptionFigures, 1))[0])
    never = dict.fromkeys(("tenpai", "draw_points", "others_points"), (math.nan,))
    return changed(changed(nothing, **never), **figures)


def candidate(action: int, shanten: int, left: int, furiten: bool = False, **safety: Safety) -> dict[str, Any]:
    """Return a discard as fields of a `CandidateRow`."""
    seats = [SAFETY.index(safety[name]) if (name := f"seat{seat}") in safety else -1 for seat in range(4)]
    hand = {"shanten": shanten, "left": left, "furiten": furiten, "safety": seats}
    return {"actions": action, "actions_count": 1, **hand}


def reasons(
    done: Played,
    best: Played,
    worse: bool = True,
    candidates: Sequence[dict[str, Any]] = (),
    after: int | None = None,
    yakuless: Sequence[int] = (),
    needs: Sequence[Need] = (),
) -> list[Reason]:
    """Return the reasons of a decision; ``after``: the action that leaves the hand tenpai, waiting for five tiles."""
    asked, found = zeros(TwoOptions, 1), zeros(LossNumbers, 1)
    (row,) = np.asarray(asked)
    row["figures"] = [done.figures, best.figures]
    write(row["figures"][0 if worse else 1]["difference"], -1)
    row["actions"], row["placed"], row["decided"] = (done.action, best.action), 1, 1
    row["dora"] = SAY.dora.start, SAY.dora.stop
    row["question"]["options_count"] = len(OPTIONS)
    for place, (action, name, tile) in enumerate(OPTIONS):
        written = row["question"]["options"][place]
        written["action"], written["name"], written["tile"] = action, ACTION_NAMES.index(name), tile
    advice = row["advice"]
    advice["shanten"], advice["candidates_count"] = 1, len(candidates)
    for place, fields in enumerate(candidates):
        for name, value in fields.items():
            (advice["candidates"][place]["ukeire"] if name == "left" else advice["candidates"][place])[name] = value
    if after is not None:
        advice["after_count"], advice["after"][0]["action"], advice["after"][0]["ukeire"]["left"] = 1, after, 5
    stakes = row["stakes"]
    stakes["yakuless"][: len(yakuless)], stakes["yakuless_count"] = yakuless, len(yakuless)
    stakes["needs_count"] = len(needs)
    for place, need in enumerate(needs):
        for name in ("place", "ron", "direct", "tsumo"):
            value = getattr(need, name)
            stakes["needs"][place][name] = ABSENT if value is None else value
    loss_numbers(asked, found)
    named: list[Reason] = in_words(np.asarray(found)[0], LossNumbers, SAY.names, REASON_MODELS)["reasons"]
    return named


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
    few = changed(best, deal_in=(0.12, 0.01))
    assert reasons(done, few) == [Reason("win", 0.2, 0.4)], "180 points are a minor reason"
    assert reasons(best, done, worse=False) == [Reason("win", 0.4, 0.2), Reason("deal_in", 0.1, 0.15)]
    equal = changed(done, points=(900, 100))
    assert reasons(done, equal) == [Reason("points", -500, 900)]
    placed = changed(done, worth=(-2.25,))
    assert reasons(done, placed) == [Reason("place", 0.0, 2.25)]


def test_values_are_reasons_by_how_often_they_count() -> None:
    done = option(DONE, win=(0.5, 0.01), value=(2000, 100), deal_in=(0.1, 0.01), price=(9000, 100))
    best = option(BEST, win=(0.5, 0.01), value=(4000, 100), deal_in=(0.1, 0.01), price=(5000, 100))
    assert reasons(done, best) == [Reason("value", 2000, 4000), Reason("price", 9000, 5000)]
    never = changed(done, win=(0.0,), value=(math.nan,))
    assert reasons(never, best)[0] == Reason("win", 0.0, 0.5)


def test_payments_at_draws_and_wins_of_others_are_reasons() -> None:
    noten = option(DONE, draw=(0.5,), draw_points=(-1000,), tenpai=(0.2, 0.1))
    (draw,) = reasons(noten, changed(noten, BEST, draw_points=(600,), tenpai=(0.8, 0.1)))
    assert draw == Reason("draw", -1000, 600, [Cause("tenpai", 0.2, 0.8)])
    slow = option(DONE, others=(0.5, 0.01), others_points=(-2000,))
    assert reasons(slow, changed(slow, BEST, others=(0.3, 0.01))) == [Reason("others", 0.5, 0.3)]


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
def test_wins_come_from_shanten_ukeire_and_waits(
    done: dict[str, Any], best: dict[str, Any], causes: list[Cause]
) -> None:
    assert reasons(FEWER_WINS, MORE_WINS, candidates=[done, best])[0].causes == causes


def test_tenpai_without_a_yaku_is_named_first() -> None:
    asked = [candidate(DONE, 0, 3), candidate(BEST, 0, 4)]
    (reason,) = reasons(FEWER_WINS, MORE_WINS, candidates=asked, yakuless=[DONE])
    assert reason.causes == [Cause("yakuless"), Cause("wait", 3, 4)]
    (reason,) = reasons(FEWER_WINS, MORE_WINS, candidates=asked, yakuless=[DONE, BEST])
    assert reason.causes == [Cause("wait", 3, 4)]


def test_riichi_has_the_wait_of_its_discard_and_calls_their_own() -> None:
    (reason,) = reasons(
        FEWER_WINS, changed(MORE_WINS, RIICHI), candidates=[candidate(BEST, 0, 6), candidate(DONE, 1, 9)]
    )
    assert reason.causes == [Cause("shanten", 1, 0)]
    (reason,) = reasons(changed(FEWER_WINS, PASS), changed(MORE_WINS, PON), after=PON)
    assert reason.causes == [Cause("shanten", 1, 0)], "a pass leaves the hand as it is"


def test_values_come_from_yaku_and_dora() -> None:
    plain = option(
        DONE, win=(0.3,), value=(2000, 9), sources={"tanyao": (0.9, 0.9), "dora": (0.3, 0.4)}, han=(1.3, 0.1)
    )
    sources = {"riichi": (0.8, 0.8), "tanyao": (0.9, 0.9), "dora": (0.7, 1.3)}
    rich = option(BEST, win=(0.3,), value=(5000, 9), sources=sources, han=(3.0, 0.1))
    assert reasons(plain, rich) == [
        Reason("value", 2000, 5000, [Cause("yaku", 0.4, 1.3, "dora"), Cause("yaku", 0.0, 0.8, "riichi")])
    ]
    assert reasons(rich, plain, worse=False)[0].causes == [
        Cause("yaku", 1.3, 0.4, "dora"),
        Cause("yaku", 0.8, 0.0, "riichi"),
    ]
    alike = changed(rich, sources={"tanyao": (0.9, 0.9), "dora": (0.3, 0.4)}, han=(1.3, 0.1))
    assert reasons(changed(plain, han=(1.0,)), alike)[0].causes == [Cause("han", 1.0, 1.3)]
    tied = changed(rich, sources={"tanyao": (0.9, 0.9), "dora": (0.3, 0.4), "chanta": (0.5, 0.5), "riichi": (0.5, 0.5)})
    assert [cause.name for cause in reasons(plain, tied)[0].causes] == ["riichi", "chanta"], "by their numbers"


def test_deal_ins_name_the_seat_and_the_safety_of_the_discards() -> None:
    pushed = option(DONE, dealt_to={1: 0.12, 3: 0.03}, deal_in=(0.15, 0.01), price=(8000, 9))
    folded = option(BEST, dealt_to={3: 0.02}, deal_in=(0.02, 0.01), price=(8000, 9))
    asked = [candidate(DONE, 1, 9, seat1="open"), candidate(BEST, 2, 20, seat1="safe")]
    (reason,) = reasons(pushed, folded, candidates=asked)
    assert reason.causes == [Cause("seat", 0.12, 0.0, seat=1), Cause("safety", seat=1, safety=["open", "safe"])]
    same = [candidate(DONE, 1, 9, seat1="suji"), candidate(BEST, 2, 20, seat1="suji")]
    assert reasons(pushed, folded, candidates=same)[0].causes == [Cause("seat", 0.12, 0.0, seat=1)]


def test_a_win_that_fixes_the_place_comes_first_with_what_the_next_needs() -> None:
    passed = option(PASS, win=(0.2, 0.01), value=(9000, 9), worth=(-3.4, 0.1))
    won = option(RON, win=(1.0, 0.0), value=(3900, 0), worth=(-3.0, 0.0))
    second, first = Need(2, 8000, 5200, 8000), Need(1, None, 12000, None)
    needs = [Need(3, 1000, 1000, 1000), second, first]
    place, win = reasons(passed, won, needs=needs)
    assert place == Reason("place", 3.4, 3.0, [Cause("fixes", None, 3), Cause("needs", need=second)])
    assert win.kind == "win"
    unsure = changed(won, worth=(-3.0, 0.1))
    assert [reason.kind for reason in reasons(passed, unsure, needs=needs)] == ["win"]
    place, _ = reasons(won, changed(passed, worth=(-2.5, 0.1)), worse=True, needs=needs)
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

"""What a decision is about: wins that the last hand needs, and tenpai hands without a yaku."""

from typing import Any

import numpy as np
import pytest

from janshi.compiling import Int64, Int64s, batched, rule, zeros
from janshi.review.advising import MODELS, facts_of
from janshi.review.model import Need
from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.rules import preset
from janshi.riichi.say.stakes import ALL_PAY, after_win
from janshi.riichi.state import Ending, View
from janshi.rollout.driver import Driver, Seating
from janshi.say.records import DecisionStakes
from janshi.say.words import in_words
from janshi.table import DecisionBatch, Tables
from tests.rules.tables import make_table

SOUTH_4, SOUTH_3, WEST_1 = 7, 6, 8


def stakes_of(batch: DecisionBatch) -> dict[str, Any]:
    """Return what a decision is about beside the tiles."""
    *_, stakes = facts_of(batch)
    return in_words(np.asarray(stakes)[0], DecisionStakes, {}, MODELS)


def needs(
    points: list[int], seat: int = 0, kyoku: int = SOUTH_4, dealer: int = 3, rules: str = "tenhou", **fields: Any
) -> list[Need]:
    """Return what a seat needs with the points of all, by fields of the state."""
    tables = Tables(rules, 1)
    state: Any = np.asarray(tables.states)[0]
    state["seats"]["points"][: len(points)] = points
    state["kyoku"], state["dealer"] = kyoku, dealer
    for name, value in fields.items():
        state[name] = value
    batch = tables.decisions()
    np.asarray(batch.views)["seat"] = seat
    return stakes_of(batch)["needs"]


def test_a_better_place_needs_less_from_its_seat_and_by_tsumo() -> None:
    # 7,800 behind: a mangan by ron, 3,900 from the seat itself, 1,300 and 2,600 by tsumo, as it deals.
    assert needs([22_000, 40_000, 8_200, 29_800])[0] == Need(2, 8000, 3900, 5200)


def test_a_tie_is_decided_by_the_first_seats() -> None:
    ahead = needs([22_000, 40_000, 8_100, 30_000])[0]
    assert ahead.ron == 8000, "level with a later seat"
    behind = needs([30_000, 40_000, 8_000, 22_000], seat=3, dealer=2)[0]
    assert (behind.place, behind.ron) == (2, 12000), "level with an earlier seat"


def test_honba_and_deposits_count() -> None:
    assert needs([22_000, 40_000, 8_000, 30_000])[0].ron == 8000
    assert needs([22_000, 40_000, 8_000, 30_000], honba=1)[0].ron == 7700
    assert needs([22_000, 40_000, 8_000, 30_000], deposits=1)[0].ron == 7100


def test_no_hand_below_a_double_yakuman_may_be_enough() -> None:
    assert needs([1_000, 2_000, 5_000, 92_000])[-1] == Need(1, None, None, None)


def test_only_the_last_hand_needs_a_win() -> None:
    points = [22_000, 40_000, 8_000, 30_000]
    assert needs(points, kyoku=SOUTH_3) == []
    assert needs(points, rules="tenhou-hand") == []
    assert needs(points, kyoku=WEST_1)[0].place == 2
    assert needs(points, seat=1) == [], "the first place has no better one"


def test_a_dealer_stops_only_in_the_lead_and_where_the_rules_let_it() -> None:
    points = [26_000, 24_000, 29_000, 21_000]
    third, second, first = needs(points, seat=3)
    assert third.ron == second.ron == first.ron, "with less the game goes on"
    assert needs(points, seat=3, rules="m-league") == []


def test_without_the_target_the_game_goes_on() -> None:
    assert needs([25_000, 26_000, 24_500, 24_500])[0].ron == 5200, "30,000 are wanted, 1,300 would pass the second"


@rule
def write_points(view: View, payer: Int64, basic: Int64, points: Int64s) -> None:
    """Write the points of all seats after a win of the view's seat."""
    for seat in range(int(view.rules.players)):
        points[seat] = after_win(view, payer, basic, seat)


@pytest.mark.parametrize("name", ["tenhou", "tenhou-sanma"])
def test_points_after_wins_are_those_of_the_engine(name: str) -> None:
    rules = preset(name)
    tables = Tables(rules, 400, auto_reset=False)
    Driver(tables, Seating.same([EfficientAgent()] * rules.players, len(tables)), next_hands=False).run()
    states: Any = np.asarray(tables.states)
    states = states[(states["winners"] == 1) & (states["wins"]["pao"][:, 0] < 0)]
    assert len(states) > 200
    win, after = states["wins"][:, 0], states["seats"]["points"][:, : rules.players]
    views: Any = zeros(View, len(states))
    for field in ("rules", "dealer"):
        views[field] = states[field]
    for field in ("seat", "honba", "deposits"):
        views[field] = win[field]
    views["seats"]["points"][:, : rules.players] = after - win["change"][:, : rules.players]
    payer = np.where(states["ended"] == Ending.TSUMO, ALL_PAY, win["discarder"]).astype(np.int64)
    points = np.zeros((len(states), rules.players), np.int64)
    batched(write_points)(views, payer, win["value"]["basic"].astype(np.int64), points)
    assert (points == after).all()


def test_tenpai_hands_without_a_yaku_are_named() -> None:
    table = make_table("tenhou", ["123m13456p789s33s"], "1z", dora="9m")
    assert stakes_of(table.decision())["yakuless"] == [Action.TSUMOGIRI]
    table.state.seats[0].riichi = 1
    assert stakes_of(table.decision())["yakuless"] == []

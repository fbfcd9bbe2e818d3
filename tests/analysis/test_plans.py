"""Chances by plans: of hands that anybody can judge, and how they hold against playouts."""

import json

import numpy as np
import pytest

from janshi.agents import PlannerAgent
from janshi.analysis import plans as module
from janshi.analysis.plans import (
    CLOSED,
    NOTEN_TERMS,
    PLANS,
    SLOTS,
    SOU_FLUSH,
    TANYAO,
    TENPAI_TERMS,
    TRIPLETS,
    YAKUHAI,
    YAKUHAI_PAIR,
    PlanEvaluation,
    PlanWeights,
    PlanWorkspace,
    look_ahead,
    plan_weights,
    read_view,
    weigh,
    weigh_discards,
)
from janshi.arena import single_hand
from janshi.compiling import Int64, Record, batched, copy_record, rule, zeros
from janshi.core.kinds import ALL_KINDS
from janshi.core.shanten import AS_IT_IS
from janshi.core.shanten_tables import ShantenTables
from janshi.encoders import encoder
from janshi.encoders.symmetry import turned
from janshi.learn.playouts import Playouts
from janshi.riichi.actions import Action
from janshi.riichi.rules import TENHOU_SANMA
from janshi.riichi.state import View
from janshi.table import Tables
from tests.rules.tables import make_table, offer, pass_all, throw


@rule
def weigh_view(
    view: View,
    tables: ShantenTables,
    weights: PlanWeights,
    plans: PlanWorkspace,
    discards: Int64,
    evaluation: PlanEvaluation,
) -> None:
    """Weigh some discards of a view; 0: the hand as it is."""
    read_view(view, plans)
    weigh(plans, tables, weights, discards, plans.evaluation.turns)
    copy_record(plans.evaluation, evaluation)


weigh_views = batched(weigh_view)


def weighed(table, seat, discards=ALL_KINDS):
    evaluation = zeros(PlanEvaluation, 1)
    weigh_views(np.asarray(table.view(seat)).reshape(1), np.array([discards]), evaluation)
    return np.asarray(evaluation)[0]


def near(plans, plan, slot=AS_IT_IS):
    return int(plans["shanten"].reshape(PLANS, SLOTS)[plan, slot])


def test_how_far_each_plan_is():
    table = make_table(TENHOU_SANMA, ["", "1199p333588s119m"], "1p")
    offer(table, 0, "1p")
    plans = weighed(table, 1, 0)
    assert near(plans, TRIPLETS) == 2, "a triplet and five pairs"
    assert near(plans, TANYAO) == 7, "333588s: eight tiles of fourteen are missing"
    assert near(plans, YAKUHAI) == near(plans, YAKUHAI_PAIR) == -1, "nothing called, no yakuhai"
    assert near(plans, CLOSED) == 2


def test_a_flush_discards_the_other_suit():
    table = make_table(TENHOU_SANMA, ["123456789s22z34p"], "2z")
    plans = weighed(table, 0)
    assert near(plans, SOU_FLUSH, 11) == near(plans, SOU_FLUSH, 12) == 1, "3p or 4p away: four sets, no pair"
    assert plans["values"][11] > plans["values"][18], "1s away"


def test_a_closed_kan_of_a_terminal_leaves_no_tanyao():
    table = make_table(TENHOU_SANMA, ["1111p234567s678p"], "5s", replacements="6s")
    assert near(weighed(table, 0), TANYAO, 9) >= 0, "1p can be discarded"
    table.act(Action.ANKAN + 9)
    pass_all(table)
    plans = weighed(table, 0)
    held = np.flatnonzero(table.view(0).hand.counts).tolist()
    assert all(near(plans, TANYAO, kind) == -1 for kind in held)
    assert any(near(plans, CLOSED, kind) == 0 for kind in held)


def power(plans, plan, slot=AS_IT_IS):
    return float(plans["power"].reshape(PLANS, SLOTS)[plan, slot])


def after_throwing(hand, tile):
    """What the dealer's hand is worth after it has drawn and thrown a tile."""
    table = make_table(TENHOU_SANMA, [hand], tile)
    table.act(Action.TSUMOGIRI)
    pass_all(table)
    return weighed(table, 0, 0)


def test_furiten_by_a_tile_that_does_not_serve_the_plan():
    hand = "234345p66p23678s"  # waits for 1s and 4s; with tanyao 4s alone wins
    assert power(after_throwing(hand, "9m"), TANYAO) == 12, "four tiles, three times in a round of the table"
    assert power(after_throwing(hand, "1s"), TANYAO) == 4, "furiten: by a draw of its own alone"


def test_triplets_are_furiten_by_a_run_too():
    hand = "111666999p5777s"  # waits for 5s, and for 6s, with which it has no four triplets
    assert power(after_throwing(hand, "9m"), TRIPLETS) == 9
    assert power(after_throwing(hand, "6s"), TRIPLETS) == 3


def test_who_waits_for_what_cannot_come_is_not_tenpai():
    table = make_table(TENHOU_SANMA, ["123456789p111s5z", "5z", "5z"], "9m1z2z9m", dora="5z")
    assert near(weighed(table, 0), CLOSED, 8) == 0
    for seat, tile in ((0, "9m"), (1, "5z"), (2, "5z")):
        throw(table, seat, tile)
    assert near(weighed(table, 0), CLOSED, 8) == 1


@pytest.mark.parametrize(("thrown", "declares"), [("9m", True), ("8p", False)])
def test_no_riichi_in_furiten_where_the_hand_can_change(thrown, declares):
    table = make_table(TENHOU_SANMA, ["34567p4567789s2z"], f"{thrown}1z1z2z")
    for _ in range(3):
        table.act(Action.TSUMOGIRI)
        pass_all(table)
    assert Action.RIICHI in table.legal
    assert (PlannerAgent().act(table.decision())[0] == Action.RIICHI) == declares


def test_more_time_and_more_tiles_are_better():
    early = make_table(TENHOU_SANMA, ["23456p456678s99m1z"], "1z")
    late = make_table(TENHOU_SANMA, ["23456p456678s99m1z"], "1z")
    while late.state.left > 20:
        late.act(Action.PASS if Action.PASS in late.legal else Action.TSUMOGIRI)
    while late.actor != 0:
        late.act(Action.PASS if Action.PASS in late.legal else Action.TSUMOGIRI)
    assert weighed(early, 0)["values"][27] > weighed(late, 0)["values"].max()
    plans = weighed(early, 0)
    assert plans["values"][27] > plans["values"][10], "a wind away or a tile of a run"


def test_suits_and_terminals_are_alike():
    tables = Tables(TENHOU_SANMA, 60, 4)
    tables.play_random(30)
    plain = encoder("janshi-plans").encode(tables.decisions())
    # Columns of dora and of visible tiles turn with the tiles; what follows from them has to turn as well.
    for way in range(4):
        other = turned(plain, np.full(60, way, np.uint8))
        assert (np.bitwise_count(other.astype(np.uint64)) == np.bitwise_count(plain.astype(np.uint64))).all()


class Before(Record):
    """What a workspace holds of a hand, before and after."""

    first: PlanWorkspace
    last: PlanWorkspace


@rule
def look_at_everything(
    view: View, tables: ShantenTables, weights: PlanWeights, plans: PlanWorkspace, before: Before
) -> None:
    """Look one round further at every discard and at the hand as it is."""
    read_view(view, plans)
    copy_record(plans, before.first)
    weigh_discards(plans, tables, weights, ALL_KINDS, True)
    look_ahead(plans, tables, weights, -1)
    copy_record(plans, before.last)


look_at_views = batched(look_at_everything)


def test_looking_ahead_leaves_the_hand_as_it_was():
    tables = Tables(TENHOU_SANMA, 50, 2)
    tables.play_random(40)
    views = tables.views()
    looked = zeros(Before, 50)
    look_at_views(views, looked)
    first, last = np.asarray(looked)["first"], np.asarray(looked)["last"]
    seen = np.asarray(views)
    seats = seen["seats"][np.arange(50), seen["seat"]]
    assert (last["counts"] == seen["hand"]["counts"]).all()
    assert (last["sets"] == 4 - seats["calls"]).all()
    assert (last["opened"] == seats["opened"]).all()
    for name in ("counts", "sets", "opened", "meld_kinds", "meld_triplets", "runs", "river", "yakuhai"):
        assert (first[name] == last[name]).all(), name
    assert (first["ukeire"]["visible"] == last["ukeire"]["visible"]).all()


def test_the_best_discard_is_the_planners_and_those_nearly_as_good_are_around_it():
    batch = Tables(TENHOU_SANMA, 100, 3)
    batch.play_random(20)
    decisions = batch.decisions()
    shown = encoder("janshi-plans")
    columns = dict(zip(shown.columns, shown.encode(decisions).T, strict=True))
    best = columns["best discard"]
    own = best != 0
    assert own.any()
    actions = PlannerAgent().act(decisions)
    discards = own & (actions < 34)
    assert (best[discards] == 1 << actions[discards].astype(np.int64)).mean() > 0.9, "but where it folds"
    for less, more in zip((1, 2, 4, 8), (2, 4, 8, 16), strict=True):
        near, far = (columns[f"discards within {points} points of it"] for points in (less, more))
        assert (near & ~far == 0).all()
        assert (best & ~near == 0).all()


def test_the_weights_are_those_of_the_file():
    values = json.loads(module.WEIGHTS_FILE.read_text())
    weights = np.asarray(plan_weights())[0]
    assert weights["noten"].shape == (PLANS - 1, len(NOTEN_TERMS))
    assert weights["tenpai"].shape == (PLANS, len(TENPAI_TERMS))
    assert weights["noten"].tolist() == values["noten"]
    assert weights["tenpai"].tolist() == values["tenpai"]
    assert weights["exponent"] == values["exponent"]
    assert (weights["noten"][2] == weights["noten"][3]).all(), "both flushes are alike"


def test_chances_hold_against_playouts():
    rules = single_hand(TENHOU_SANMA)
    tables = Tables(rules, 60, 11, auto_reset=False)
    player = PlannerAgent(looks_ahead=False)
    for _ in range(14):
        batch = tables.decisions()
        actions = np.full(60, -1, np.int16)
        actions[batch.tables] = player.act(batch)
        tables.step(actions)
    batch = tables.decisions()
    which, views, legal = batch.tables, np.asarray(batch.views), batch.legal
    simple = (views["phase"] == 0) & (views["drawn"] >= 0) & legal[:, Action.TSUMOGIRI]
    simple &= ~legal[:, Action.RIICHI] & (views["seats"]["riichi"].max(axis=1) == 0)
    evaluations = zeros(PlanEvaluation, len(which))
    weigh_views(batch.views, np.full(len(which), ALL_KINDS), evaluations)
    values = np.asarray(evaluations)["values"]
    drawn = views["drawn"].astype(np.int64)
    kinds = np.where(drawn >= 34, 4 + 9 * (drawn - 34), drawn)
    chances = 1 / (1 + np.exp(-values[np.arange(len(which)), kinds]))
    options = np.full((len(which), 1), Action.TSUMOGIRI, np.int16)
    won = Playouts(100).shares(tables.states, which, options, 5)[:, 0]
    rows = np.flatnonzero(simple)
    assert len(rows) > 15
    assert np.abs(chances[rows] - won[rows]).mean() < 0.12
    assert np.corrcoef(chances[rows], won[rows])[0, 1] > 0.7

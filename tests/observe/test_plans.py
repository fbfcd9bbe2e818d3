"""Chances by plans: what they say of hands that anybody can judge, and how they hold against playouts."""

import numpy as np
import pytest

from janshi.agents.planner import Intent, PlannerAgent, planner_actions
from janshi.arena import single_hand
from janshi.compiling import Batch, Int64s, entry, zeros
from janshi.engine import actions
from janshi.engine.shanten import ALL_KINDS, AS_IT_IS
from janshi.engine.state import View
from janshi.engine.tables import Lookup, lookup
from janshi.learn.playouts import Playouts
from janshi.observe import PLANNED, WIDE, observe_planned, observe_wide
from janshi.observe.meowjong import symmetric
from janshi.observe.planned import planned_column_names
from janshi.observe.plans import (
    CLOSED,
    HOPING,
    OPEN,
    PLANS,
    SIMPLES,
    SLOTS,
    SOUS,
    TRIPLETS,
    Plans,
    begin,
    look_ahead,
    weigh,
    weigh_discards,
)
from janshi.rules import TENHOU, TENHOU_SANMA
from janshi.table import Tables
from tests.rules.tables import make_table, offer, pass_all, throw


@entry
def weigh_views(views: Batch[View], lookups: Batch[Lookup], plans: Batch[Plans], discards: Int64s) -> None:
    """Weigh some discards of each view; 0: the hand as it is."""
    for number in range(len(views)):
        begin(views[number], plans[number])
        weigh(plans[number], lookups[0], int(discards[number]), plans[number].turns)


@entry
def look_at_views(views: Batch[View], lookups: Batch[Lookup], plans: Batch[Plans]) -> None:
    """Look one round further at everything."""
    for number in range(len(views)):
        begin(views[number], plans[number])
        weigh_discards(plans[number], lookups[0], ALL_KINDS, True)
        look_ahead(plans[number], lookups[0], -1)


def weighed(table, seat, discards=ALL_KINDS):
    plans = zeros(Plans, 1)
    weigh_views(np.asarray(table.view(seat)).reshape(1), lookup(), plans, np.array([discards], np.int64))
    return np.asarray(plans)[0]


def near(plans, plan, slot=AS_IT_IS):
    return int(plans["near"].reshape(PLANS, SLOTS)[plan, slot])


def test_how_far_each_plan_is():
    table = make_table(TENHOU_SANMA, ["", "1199p333588s119m"], "1p")
    offer(table, 0, "1p")
    plans = weighed(table, 1, 0)
    assert near(plans, TRIPLETS) == 2, "a triplet and five pairs"
    assert near(plans, SIMPLES) == 7, "333588s: eight tiles of fourteen are missing"
    assert near(plans, OPEN) == near(plans, HOPING) == -1, "nothing called, no yakuhai"
    assert near(plans, CLOSED) == 2


def test_a_flush_throws_the_other_suit():
    table = make_table(TENHOU_SANMA, ["123456789s22z34p"], "2z")
    plans = weighed(table, 0)
    assert near(plans, SOUS, 11) == near(plans, SOUS, 12) == 1, "3p or 4p away: four sets, no pair"
    assert plans["values"][11] > plans["values"][18], "1s away"


def test_a_closed_kan_of_an_end_is_no_hand_of_simples():
    table = make_table(TENHOU_SANMA, ["1111p234567s678p"], "5s", replacements="6s")
    assert near(weighed(table, 0), SIMPLES, 9) >= 0, "1p can be thrown away"
    table.act(actions.ANKAN + 9)
    pass_all(table)
    plans = weighed(table, 0)
    held = [kind for kind in range(34) if plans["counts"][kind]]
    assert all(near(plans, SIMPLES, kind) == -1 for kind in held)
    assert any(near(plans, CLOSED, kind) == 0 for kind in held)


def power(plans, plan, slot=AS_IT_IS):
    return float(plans["power"].reshape(PLANS, SLOTS)[plan, slot])


def after_throwing(hand, tile):
    """What the dealer's hand is worth after it has drawn and thrown a tile."""
    table = make_table(TENHOU_SANMA, [hand], tile)
    table.act(actions.TSUMOGIRI)
    pass_all(table)
    return weighed(table, 0, 0)


def test_furiten_by_a_tile_that_does_not_serve_the_plan():
    hand = "234345p66p23678s"  # waits for 1s and 4s; of simples 4s alone wins
    assert power(after_throwing(hand, "9m"), SIMPLES) == 12, "four tiles, three times in a round of the table"
    assert power(after_throwing(hand, "1s"), SIMPLES) == 4, "furiten: by a draw of its own alone"


def test_triplets_are_furiten_by_a_run_too():
    hand = "111666999p5777s"  # waits for 5s, and for 6s, with which it is no hand of triplets
    assert power(after_throwing(hand, "9m"), TRIPLETS) == 9
    assert power(after_throwing(hand, "6s"), TRIPLETS) == 3


def test_who_waits_for_what_cannot_come_is_not_ready():
    table = make_table(TENHOU_SANMA, ["123456789p111s5z", "5z", "5z"], "9m1z2z9m", dora="5z")
    assert near(weighed(table, 0), CLOSED, 8) == 0
    for seat, tile in ((0, "9m"), (1, "5z"), (2, "5z")):
        throw(table, seat, tile)
    assert near(weighed(table, 0), CLOSED, 8) == 1


@pytest.mark.parametrize(("thrown", "declares"), [("9m", True), ("8p", False)])
def test_no_riichi_in_furiten_where_the_hand_can_change(thrown, declares):
    table = make_table(TENHOU_SANMA, ["34567p4567789s2z"], f"{thrown}1z1z2z")
    for _ in range(3):
        table.act(actions.TSUMOGIRI)
        pass_all(table)
    assert actions.RIICHI in table.legal
    view = np.asarray(table.view(0)).reshape(1)
    chosen = PlannerAgent().act(view, np.zeros((1, actions.ACTIONS), np.bool_), np.zeros(1, np.int64))[0]
    assert (chosen == actions.RIICHI) == declares


def test_more_time_and_more_tiles_are_better():
    early = make_table(TENHOU_SANMA, ["23456p456678s99m1z"], "1z")
    late = make_table(TENHOU_SANMA, ["23456p456678s99m1z"], "1z")
    while late.state.left > 20:
        late.act(actions.PASS if actions.PASS in late.legal else actions.TSUMOGIRI)
    while late.actor != 0:
        late.act(actions.PASS if actions.PASS in late.legal else actions.TSUMOGIRI)
    assert weighed(early, 0)["values"][27] > weighed(late, 0)["values"].max()
    plans = weighed(early, 0)
    assert plans["values"][27] > plans["values"][10], "a wind away or a tile of a run"


def test_suits_and_ends_are_alike():
    tables = Tables(TENHOU_SANMA, 60, 4)
    tables.play_random(30)
    plain = observe_planned(tables.views())
    # Columns of dora and of visible tiles turn with the tiles; what follows from them has to turn as well.
    for way in range(4):
        turned = symmetric(plain, np.full(60, way, np.uint8))
        assert (np.bitwise_count(turned.astype(np.uint64)) == np.bitwise_count(plain.astype(np.uint64))).all()


def test_thinking_leaves_the_hand_as_it_was():
    tables = Tables(TENHOU_SANMA, 50, 2)
    tables.play_random(40)
    views = tables.views()
    plans = zeros(Plans, 50)
    look_at_views(views, lookup(), plans)
    records, seen = np.asarray(plans), np.asarray(views)
    seats = seen["seats"][np.arange(50), seen["seat"]]
    assert (records["counts"] == seen["hand"]["counts"]).all()
    assert (records["sets"] == 4 - seats["calls"]).all()
    assert (records["opened"] == seats["opened"]).all()
    fresh = zeros(Plans, 50)
    weigh_views(views, lookup(), fresh, np.full(50, ALL_KINDS))
    for name in ("laid", "tripled"):
        assert (records[name] == np.asarray(fresh)[name]).all()
    assert (records["ukeire"]["visible"] == np.asarray(fresh)["ukeire"]["visible"]).all()


def test_the_observation_begins_with_ours_and_names_its_columns():
    tables = Tables(TENHOU_SANMA, 100, 3)
    tables.play_random(20)
    columns = observe_planned(tables.views())
    assert columns.shape == (100, PLANNED)
    assert (columns[:, :WIDE] == observe_wide(tables.views())).all()
    names = planned_column_names()[WIDE - 366 :]
    assert len(names) == PLANNED - WIDE
    added = dict(zip(names, columns[:, WIDE:].T, strict=True))
    best = added["best discard"]
    own = best != 0
    assert own.any()
    chosen = np.zeros(100, np.int16)
    planner_actions(tables.views(), lookup(), zeros(Intent, 1), True, chosen)
    discards = own & (chosen < 34)
    assert (best[discards] == 1 << chosen[discards].astype(np.int64)).mean() > 0.9, "but where it gives up"
    for less, more in zip((1, 2, 4, 8), (2, 4, 8, 16), strict=True):
        near, far = (added[f"discards within {points} points of it"] for points in (less, more))
        assert (near & ~far == 0).all()
        assert (best & ~near == 0).all()


def test_four_players_have_no_chances():
    with pytest.raises(ValueError, match="four players"):
        observe_planned(Tables(TENHOU, 1, 1).views())


def test_chances_hold_against_playouts():
    rules = single_hand(TENHOU_SANMA)
    tables = Tables(rules, 60, 11, auto_reset=False)
    player = PlannerAgent(looks=False)
    for _ in range(14):
        legal = tables.legal()
        done = player.act(tables.views(), legal, np.zeros(60, np.int64))
        tables.step(done)
    which = np.flatnonzero(tables.actors >= 0)
    views, legal = np.asarray(tables.views(which)), tables.legal(which)
    simple = (views["phase"] == 0) & (views["drawn"] >= 0) & legal[:, actions.TSUMOGIRI]
    simple &= ~legal[:, actions.RIICHI] & (views["seats"]["riichi"].max(axis=1) == 0)
    plans = zeros(Plans, len(which))
    weigh_views(tables.views(which), lookup(), plans, np.full(len(which), ALL_KINDS))
    values = np.asarray(plans)["values"]
    drawn = views["drawn"].astype(np.int64)
    kinds = np.where(drawn >= 34, 4 + 9 * (drawn - 34), drawn)
    chances = 1 / (1 + np.exp(-values[np.arange(len(which)), kinds]))
    options = np.full((len(which), 1), actions.TSUMOGIRI, np.int16)
    worth = Playouts(rules).worth(tables.states, which, options, 100, 5)[:, 0]
    some = np.flatnonzero(simple)
    assert len(some) > 15
    assert np.abs(chances[some] - worth[some]).mean() < 0.12
    assert np.corrcoef(chances[some], worth[some])[0, 1] > 0.7

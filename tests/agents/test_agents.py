"""The agents do what they say, and nothing that is not legal."""

import numpy as np
import pytest

from janshi.agents import AgentError, agent, check_seats
from janshi.engine import actions
from janshi.rules import MAHJONG_SOUL_SANMA, TENHOU, TENHOU_SANMA
from janshi.table import Table, Tables
from tests.rules.tables import make_table, offer, texts


def ask(name: str, table) -> int:
    views = table._states  # one table
    from janshi.table import views_of

    seat = np.array([table.actor], np.int8)
    legal = np.zeros((1, actions.ACTIONS), bool)
    legal[0, table.legal] = True
    return int(agent(name).act(views_of(views, np.zeros(1, np.int64), seat), legal, np.array([12345]))[0])


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("random", TENHOU_SANMA),
        ("random", TENHOU),
        ("efficient", TENHOU_SANMA),
        ("efficient", TENHOU),
        ("planner", TENHOU_SANMA),
        ("planner", MAHJONG_SOUL_SANMA),
    ],
    ids=lambda one: getattr(one, "name", one),
)
def test_only_legal_actions(name, rules):
    tables = Tables(rules, 200, 1)
    player = agent(name)
    keys = np.random.default_rng(1)
    for _ in range(300):
        legal = tables.legal()
        chosen = player.act(tables.views(), legal, keys.integers(1 << 62, size=len(tables)))
        assert legal[np.arange(len(tables)), chosen].all()
        tables.step(chosen)


def test_random_takes_each_tile_as_often_and_other_choices_by_a_fair_coin():
    tables = Tables(TENHOU_SANMA, 1, 5)
    legal = np.repeat(tables.legal(), 20_000, axis=0)
    views = np.repeat(tables.views(), 20_000)
    chosen = agent("random").act(views, legal, np.random.default_rng(3).integers(1 << 62, size=20_000))
    discards = chosen[chosen <= actions.TSUMOGIRI]
    hand = views["hand"]["counts"][0]
    drawn = int(views["drawn"][0])
    for tile in range(34):
        held = int(hand[tile]) - (drawn == tile)
        if held and tile not in (4, 13, 22) and legal[0, tile]:
            share = (discards == tile).mean()
            assert abs(share - held / 14) < 0.012
    assert abs((discards == actions.TSUMOGIRI).mean() - 1 / 14) < 0.01
    if legal[0, actions.KITA]:
        assert abs((chosen == actions.KITA).mean() - 0.5) < 0.02


def test_everybody_wins_whenever_he_can():
    for name in ("random", "efficient"):
        assert ask(name, make_table(TENHOU, ["234m567p345s11z999s"[:18] + "s"], "1z")) is not None
        table = make_table(TENHOU, ["", "46s234m567p11m555z"], "5s")
        offer(table, 0, "5s")
        assert ask(name, table) == actions.RON


def test_efficient_throws_what_leaves_it_nearest():
    table = make_table(TENHOU, ["234m567p345s1199s"], "7z")
    assert ask("efficient", table) == actions.RIICHI
    table = make_table(TENHOU, ["234m567p345s19s99m"], "7z")
    # Ready with 1s or 9s alone or 7z: honour or end, each leaves three tiles; never a set.
    assert ask("efficient", table) in (actions.RIICHI, actions.TSUMOGIRI, 18, 26)


def test_efficient_calls_dragons_and_lets_useless_tiles_pass():
    table = make_table(TENHOU, ["", "55z234m567p2499s1p"], "5z")
    offer(table, 0, "5z")
    assert ask("efficient", table) == actions.PON
    table = make_table(TENHOU, ["", "33z234m567p2499s1p"], "3z")
    offer(table, 0, "3z")
    assert "pon" in texts(table)
    assert ask("efficient", table) == actions.PASS


def test_efficient_gives_up_against_riichi_when_it_is_far():
    table = make_table(TENHOU, ["234m567p345s11z99s", "159m159p159s2346z"], "5z7z")
    table.act(actions.RIICHI)
    while table.actor != 1:
        table.act(actions.PASS if actions.PASS in table.legal else actions.TSUMOGIRI)
    table.state.seats[0].river_mask = int(table.state.seats[0].river_mask) | 1 << 4
    assert ask("efficient", table) == 4, "5m lies in the declarer's river: nothing is safer"


@pytest.mark.parametrize(
    ("hand", "tile"), [("1199p333588s119m", "1p"), ("2288p333667s44p", "2p")], ids=["triplets", "all simples"]
)
def test_planner_calls_where_a_plan_has_its_yaku_and_efficient_waits(hand, tile):
    table = make_table(TENHOU_SANMA, ["", hand], tile)
    offer(table, 0, tile)
    assert ask("planner", table) == actions.PON
    assert ask("efficient", table) == actions.PASS


def test_planner_lets_pass_what_would_leave_it_without_a_yaku():
    table = make_table(TENHOU_SANMA, ["", "99p1467p234s678s1m"], "9p")
    offer(table, 0, "9p")
    assert ask("planner", table) == actions.PASS


def test_planner_keeps_the_dragons_that_its_open_hand_lives_on():
    table = make_table(TENHOU_SANMA, ["", "99p5567p23s555z19s"], "9p")
    offer(table, 0, "9p")
    table.act(actions.PON)
    legal = np.zeros((1, actions.ACTIONS), np.bool_)
    legal[0, table.legal] = True
    shares = agent("planner").preferences(np.asarray(table.view(1)).reshape(1), legal)[0]
    assert shares[31] < 0.01
    assert shares.argmax() in (18, 26), "1s or 9s, which nothing is for"


@pytest.mark.parametrize("name", ["planner", "sl", "rl"])
def test_players_of_three_do_not_sit_down_with_four(name):
    if name != "planner":
        pytest.importorskip("onnxruntime")
    player = agent(name)
    check_seats([player] * 3, TENHOU_SANMA)
    with pytest.raises(AgentError, match=f"'{name}' is for three players and does not play with four"):
        check_seats([agent("random"), player, agent("efficient"), player], TENHOU)
    with pytest.raises(AgentError, match="does not play with four"):
        ask(name, Table(TENHOU, seed=1))


def test_as_many_as_the_rules_seat():
    with pytest.raises(AgentError, match="seat 4 players, 3 are named"):
        check_seats([agent("random")] * 3, TENHOU)


def test_unknown_agents_are_named():
    with pytest.raises(AgentError, match="no agent 'nobody': there are random, efficient, planner"):
        agent("nobody")

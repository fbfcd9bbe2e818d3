"""Agents act as described and only legally."""

import numpy as np
import pytest

from janshi.agents import AgentError, Reviewer, agent, check_seats
from janshi.riichi.actions import Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.table import DecisionBatch, Table, Tables
from tests.rules.tables import make_table, offer, texts


def ask(name: str, table: Table) -> int:
    return int(agent(name).act(table.decision())[0])


PLAYERS = [
    *(("random", TENHOU_SANMA), ("random", TENHOU), ("efficient", TENHOU_SANMA), ("efficient", TENHOU)),
    *(("sl", TENHOU_SANMA), ("sl4", TENHOU), ("sl-2026-11", TENHOU_SANMA)),
]


@pytest.mark.parametrize(("name", "rules"), PLAYERS, ids=lambda value: getattr(value, "name", value))
def test_actions_are_legal_and_the_most_probable_ones_of_reviewers(name, rules):
    if name.startswith("sl"):
        pytest.importorskip("onnxruntime")
    tables, player, other = Tables(rules, 40, 1), agent(name), agent("random")
    assert isinstance(player, Reviewer) == (name != "random")
    for step in range({"random": 300, "efficient": 60}.get(name, 20)):
        batch = tables.decisions()
        actions = player.act(batch)
        assert actions.dtype == np.int16
        assert batch.legal[np.arange(len(tables)), actions].all()
        if isinstance(player, Reviewer):
            shares = player.preferences(batch)
            assert (shares.dtype, shares.shape) == (np.float32, batch.legal.shape)
            assert (shares.argmax(axis=1) == actions).all()
            assert np.abs(shares.sum(axis=1) - 1).max() < 1e-5
            assert (shares >= 0).all()
            assert (shares[~batch.legal] == 0).all()
        if name == "efficient":
            assert (shares[batch.legal.sum(axis=1) > 1].max(axis=1) < 0.95).all(), "no review costs everything"
        tables.step(actions if step % 2 else other.act(batch))


@pytest.mark.parametrize("name", ["random", "efficient"])
def test_actions_depend_only_on_the_decision(name):
    """Other decisions of the batch and earlier calls do not matter."""
    tables = Tables(TENHOU_SANMA, 20, 3)
    for _ in range(10):
        batch = tables.decisions()
        actions = agent(name).act(batch)
        order = np.random.default_rng(1).permutation(20)
        assert (agent(name).act(batch.part(order)) == actions[order]).all()
        assert agent(name).act(batch.part([7]))[0] == actions[7]
        tables.step(actions)
    assert len(agent(name).act(batch.part(np.zeros(0, np.int64)))) == 0


def test_random_takes_each_tile_as_often_and_other_choices_by_a_fair_coin():
    count = 20_000
    one = Tables(TENHOU_SANMA, 1, 5).decisions()
    words = np.random.default_rng(3).integers(1 << 62, size=count)
    batch = DecisionBatch(one.rules, np.repeat(one.views, count), np.repeat(one.legal, count, axis=0), random=words)
    actions = agent("random").act(batch)
    discards = actions[actions <= Action.TSUMOGIRI]
    hand = one.views["hand"]["counts"][0]
    drawn = int(one.views["drawn"][0])
    for tile in range(34):
        held = int(hand[tile]) - (drawn == tile)
        if held and tile not in (4, 13, 22) and one.legal[0, tile]:
            share = (discards == tile).mean()
            assert abs(share - held / 14) < 0.012
    assert abs((discards == Action.TSUMOGIRI).mean() - 1 / 14) < 0.01
    if one.legal[0, Action.KITA]:
        assert abs((actions == Action.KITA).mean() - 0.5) < 0.02


def test_agents_win_whenever_possible():
    for name in ("random", "efficient"):
        assert ask(name, make_table(TENHOU, ["234m567p345s11z999s"[:18] + "s"], "1z")) is not None
        table = make_table(TENHOU, ["", "46s234m567p11m555z"], "5s")
        offer(table, 0, "5s")
        assert ask(name, table) == Action.RON


def test_efficient_discards_for_the_lowest_shanten():
    table = make_table(TENHOU, ["234m567p345s1199s"], "7z")
    assert ask("efficient", table) == Action.RIICHI
    table = make_table(TENHOU, ["234m567p345s19s99m"], "7z")
    # Tenpai by a discard of 1s, 9s or 7z, each of which leaves three tiles; never a tile of a set.
    assert ask("efficient", table) in (Action.RIICHI, Action.TSUMOGIRI, 18, 26)


def test_efficient_calls_dragons_and_lets_useless_tiles_pass():
    table = make_table(TENHOU, ["", "55z234m567p2499s1p"], "5z")
    offer(table, 0, "5z")
    assert ask("efficient", table) == Action.PON
    table = make_table(TENHOU, ["", "33z234m567p2499s1p"], "3z")
    offer(table, 0, "3z")
    assert "pon" in texts(table)
    assert ask("efficient", table) == Action.PASS


def test_efficient_folds_against_riichi_with_a_distant_hand():
    table = make_table(TENHOU, ["234m567p345s11z99s", "159m159p159s2346z"], "5z7z")
    table.act(Action.RIICHI)
    while table.actor != 1:
        table.act(Action.PASS if Action.PASS in table.legal else Action.TSUMOGIRI)
    table.state.seats[0].river_mask = int(table.state.seats[0].river_mask) | 1 << 4
    assert ask("efficient", table) == 4, "5m lies in the declarer's river: nothing is safer"
    shares = agent("efficient").preferences(table.decision())[0]
    assert shares[13] < shares[4] / 4, "danger halves the share: 5p is not in the river"


@pytest.mark.parametrize("name", ["sl", "sl-2026-11"])
def test_players_for_three_refuse_games_of_four(name):
    pytest.importorskip("onnxruntime")
    player = agent(name)
    check_seats([player] * 3, TENHOU_SANMA)
    with pytest.raises(AgentError, match=f"'{name}' is for three players and does not play with four"):
        check_seats([agent("random"), player, agent("efficient"), player], TENHOU)
    with pytest.raises(AgentError, match="does not play with four"):
        ask(name, Table(TENHOU, seed=1))
    with pytest.raises(AgentError, match="seat 4 players, 3 are named"):
        check_seats([agent("random")] * 3, TENHOU)


def test_agents_use_the_second_shanten_step_only_on_request():
    tables = Tables(TENHOU_SANMA, 100, 9)
    differ = 0
    for _ in range(20):
        batch = tables.decisions()
        further, shallow = EfficientAgent().act(batch), EfficientAgent(looks_ahead=0).act(batch)
        differ += int((further != shallow).sum())
        tables.step(further)
    assert differ > 20

"""The four-player player that ships: its file, and what it answers."""

from __future__ import annotations

import numpy as np
import pytest

from janshi.agents import Reviewer
from janshi.agents.policy import PolicyAgent
from janshi.arena import play_match
from janshi.players import PLAYERS
from janshi.registry import agent, best_reviewer
from janshi.review import advise
from janshi.riichi.actions import Action
from janshi.riichi.rules import TENHOU, preset
from janshi.table import Tables
from tests.rules.tables import do, drift, make_table, offer, pass_all

pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module")
def player() -> PolicyAgent:
    made = agent("sl4")
    assert isinstance(made, PolicyAgent)
    return made


def answer(player: PolicyAgent, table) -> int:
    return int(player.act(table.decision())[0])


def test_its_file_is_small_and_says_what_it_is(player):
    assert PLAYERS["sl4"].stat().st_size <= 8_000_000
    assert player.network.encoder.name == "table"
    assert (player.name, player.players, player.games) == ("sl4", {4}, {"riichi"})
    assert best_reviewer(4) == "sl4"


def test_its_shares_are_those_of_legal_actions_and_its_choice_is_the_greatest(player):
    assert isinstance(player, Reviewer)
    tables = Tables(TENHOU, 30, 6)
    for _ in range(25):
        batch = tables.decisions()
        actions, shares = player.act(batch), player.preferences(batch)
        assert batch.legal[np.arange(len(batch)), actions].all()
        assert (shares.argmax(axis=1) == actions).all()
        assert (shares[~batch.legal] == 0).all()
        assert np.abs(shares.sum(axis=1) - 1).max() < 1e-5
        tables.step(actions)


def test_it_takes_wins(player):
    table = make_table(TENHOU, ["123456p789s55z79p"], "8p", dora="9s")
    assert answer(player, table) == Action.TSUMO
    ron = make_table(TENHOU, ["", "123456p789s55z79p"], "8p", dora="9s")
    offer(ron, 0, "8p")
    assert answer(player, ron) == Action.RON


def test_it_keeps_a_hand_that_is_nearly_there(player):
    """A guest wind that fits nothing goes, whatever wind it is; no run is broken."""
    for wind in ("2z", "3z", "4z"):
        table = make_table(TENHOU, ["234m567p34678s55p"], wind, dora="9m")
        assert answer(player, table) in (Action.TSUMOGIRI, Action.RIICHI)


def rounds(table, until: int) -> None:
    """Everybody discards what is drawn, until so few tiles are left and seat 0 has drawn."""
    while int(table.state.left) > until or table.actor != 0:
        drift(table, int(table.state.left) - 1)


def test_it_declares_riichi_with_two_sides_open_and_time_left(player):
    table = make_table(TENHOU, ["234m567p34678s99p"], dora="9m")
    rounds(table, 50)
    assert {Action.RIICHI, Action.TSUMOGIRI} <= set(table.legal)
    assert answer(player, table) == Action.RIICHI


def test_it_folds_a_hand_far_from_tenpai_to_a_riichi(player):
    """Of a hand three away it discards what the riichi cannot win by."""
    table = make_table(TENHOU, ["234m567p34678s99p", "1479m28p1479s134z"], dora="9m")
    rounds(table, 50)
    do(table, 0, Action.RIICHI)
    do(table, 0, Action.TSUMOGIRI)
    pass_all(table)
    decision = table.decision()
    advice = advise(decision, player)
    safe = [action for each in advice.candidates if each.safety == {"0": "safe"} for action in each.actions]
    assert advice.by == "sl4"
    assert 0 < len(safe) < int(decision.legal.sum())
    assert answer(player, table) in safe


def test_it_does_not_call_without_a_yaku(player):
    table = make_table(TENHOU, ["", "123m456p78s11z99m4z"], "9m", dora="9s")
    offer(table, 0, "9m")
    assert Action.PON in table.legal
    assert answer(player, table) == Action.PASS


def test_a_review_by_rules_never_costs_everything(player):
    tables = Tables(TENHOU, 30, 6)
    by_rules = agent("efficient")
    for _ in range(25):
        batch = tables.decisions()
        several = batch.legal.sum(axis=1) > 1
        assert (by_rules.preferences(batch)[several].max(axis=1) < 0.95).all()
        tables.step(by_rules.act(batch))


@pytest.mark.long
def test_it_beats_three_that_play_by_rules():
    agents = [agent("sl4"), *(agent("efficient") for _ in range(3))]
    match = play_match(agents, preset("tenhou"), 100, seed=31)
    places = 1 + np.argsort(np.argsort(-match.final, axis=1, kind="stable"), axis=1)
    own = places[np.arange(len(places)), match.game_rotation % 4]
    assert own.mean() < 2.4, "400 games"

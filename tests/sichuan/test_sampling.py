"""Sampling of the hidden tiles of Sichuan mahjong: samples agree with the view, and are as ready as the real hands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from janshi.agents import agent
from janshi.rollout.playouts import PlayoutPlan, playouts
from janshi.rollout.sampling import Belief, SamplingError
from janshi.sichuan.sampling.hidden import HiddenHands
from janshi.sichuan.state import Phase
from janshi.table import DecisionBatch, Tables
from tests.cluster.jobs import Backwards

RULES = ("sichuan", "sichuan-exchange", "sichuan-novikov")


def played(rules: str, count: int, seed: int) -> list[tuple[DecisionBatch, Any]]:
    """Return decisions after the void suits in games of two sorts of players, with the tables' records."""
    tables = Tables(f"{rules}-hand", count, seeds=seed, auto_reset=False)
    players = [agent("efficient"), agent("random")]
    found = []
    turn = 0
    while len(open_tables := np.flatnonzero(tables.actors >= 0)):
        batch = tables.decisions(open_tables).with_events()
        states = np.asarray(tables.states)[open_tables].copy()
        found += [(batch.part([row]), states[row]) for row in range(len(batch)) if states["phase"][row] >= Phase.TURN]
        actions = players[turn % 5 == 0].act(batch)
        tables.step_some(open_tables, actions)
        turn += 1
    return found


@pytest.mark.parametrize("rules", RULES)
def test_samples_agree_with_the_view(rules: str) -> None:
    draw = np.random.default_rng(1)
    positions = played(rules, 12, seed=3)
    chosen = [positions[index] for index in draw.choice(len(positions), 60, replace=False)]
    for batch, state in chosen:
        seat = int(batch.seats[0])
        sample = HiddenHands(batch).sample(8, draw)
        check_tiles(sample.states)
        tables = Tables(batch.rules, 8, auto_reset=False)
        np.asarray(tables.states)[:] = sample.states
        while len(others := np.flatnonzero(tables.actors != seat)):
            assert state["phase"] == Phase.CLAIM
            tables.step_some(others, agent("efficient").act(tables.decisions(others)))
        again = tables.decisions()
        assert (again.legal == batch.legal).all()
        views, view = np.asarray(again.views), np.asarray(batch.views)[0]
        for name in view.dtype.names:
            if name != "wins":  # rows of the wins after the last one are not cleared
                assert (views[name] == view[name]).all(), name
        logs, log = np.asarray(again.events), np.asarray(batch.events)[0]
        known = log["rows"] != -1
        assert (logs["rows"][:, known] == log["rows"][known]).all()


def check_tiles(states: Any) -> None:
    """Check that there are four tiles of each kind."""
    for state in states:
        tiles = np.bincount(state["wall"][state["next"] : state["next"] + state["left"]], minlength=27)
        tiles += state["hands"]["counts"].sum(axis=0)
        laid = state["hands"]["laid"]
        np.add.at(tiles, laid[laid >= 0], 1)
        kinds = np.arange(27)
        for seat in state["seats"]:
            tiles += seat["discarded"]
            tiles += 3 * (int(seat["pungs"]) >> kinds & 1) + 4 * (int(seat["kongs"]) >> kinds & 1)
        assert (tiles == 4).all()


def test_sampled_hands_obey_void_suits_and_keep_gifts() -> None:
    draw = np.random.default_rng(2)
    for batch, state in played("sichuan-exchange", 10, seed=5)[::7]:
        hidden = HiddenHands(batch)
        sample = hidden.sample(4, draw)
        for other in hidden.others:
            hands = sample.states["hands"]["counts"][:, other.seat]
            true = state["hands"]["counts"][other.seat].astype(np.int64)
            if state["hands"]["laid"][other.seat] >= 0:
                true[state["hands"]["laid"][other.seat]] += 1
            assert (true >= other.kept).all()
            if other.barred >= 0:
                assert true.reshape(3, 9)[other.barred].sum() == 0
                assert hands.reshape(4, 3, 9)[:, other.barred].sum() == 0


def test_sampled_hands_are_as_ready_as_real_ones() -> None:
    tables = Tables("sichuan-hand", 60, seeds=11, auto_reset=False)
    player, draw = agent("sichuan"), np.random.default_rng(4)
    real, sampled = [], []
    while len(open_tables := np.flatnonzero(tables.actors >= 0)):
        batch = tables.decisions(open_tables).with_events()
        for row in draw.choice(len(batch), min(2, len(batch)), replace=False):
            state = np.asarray(tables.states)[open_tables[row]]
            if state["phase"] < Phase.TURN:
                continue
            others = [who for who in range(4) if who != batch.seats[row] and not state["seats"]["won"][who]]
            found = HiddenHands(batch.part([int(row)])).sample(8, draw).states
            real += [state["hands"]["waits"][who] != 0 for who in others]
            sampled += [(found["hands"]["waits"][:, who] != 0).mean() for who in others]
        tables.step_some(open_tables, player.act(batch))
    assert len(real) > 250
    error = np.mean(real) * (1 - np.mean(real)) / len(real)
    assert abs(np.mean(real) - np.mean(sampled)) < 4 * error**0.5 + 0.02


def test_playouts_prefer_a_win() -> None:
    for batch, _ in played("sichuan", 30, seed=8):
        if batch.legal[0, 32] and np.asarray(batch.views)["phase"][0] == Phase.TURN and len(batch.events):
            other = int(np.flatnonzero(batch.legal[0])[0])
            result = playouts(batch, [32, other], players="efficient", samples=256, plan=PlayoutPlan(level=0.01))
            assert result.best.action == 32
            return
    raise AssertionError("no win was possible")


def test_the_same_seed_gives_the_same_playouts_in_any_order_of_its_parts() -> None:
    batch, _ = played("sichuan-exchange", 4, seed=2)[40]
    one, two = (playouts(batch, players="efficient", samples=96, seed=3, processes=team) for team in (1, Backwards()))
    assert repr(one.options) == repr(two.options)  # figures of few hands are NaN


def test_weights_by_a_players_actions_are_refused() -> None:
    batch, _ = played("sichuan", 2, seed=1)[0]
    with pytest.raises(SamplingError, match="cannot be weighted"):
        HiddenHands(batch).sample(2, np.random.default_rng(0), Belief(agent("efficient")))

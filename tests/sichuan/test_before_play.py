"""Sampled hands for decisions before play agree with what the seat has seen, and lead to the decision."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from janshi.agents import agent
from janshi.rollout.playouts import playouts
from janshi.rollout.sampling import Belief, SamplingError
from janshi.sichuan.records.jsonl import SichuanGame, play_random_game, replay_watched
from janshi.sichuan.rules import preset
from janshi.sichuan.sampling.before_play import WholeHands
from janshi.sichuan.sampling.hidden import SAMPLING, sampled_table
from janshi.sichuan.state import Phase
from janshi.table import DecisionBatch, Table, Tables
from tests.cases import mostly_long
from tests.sichuan.test_sampling import check_tiles

RULES = ("sichuan", "sichuan-exchange", "sichuan-novikov")


def before_play(rules: str, seed: int, player: str = "efficient") -> list[DecisionBatch]:
    """Return the decisions before play of a hand; those of a later hand for odd seeds."""
    table = Table(dataclasses.replace(preset(rules), hands=4), seed=seed)
    chooser = agent(player)
    if seed % 2:
        while not table.hand_over:
            table.act(int(chooser.act(table.decision())[0]))
        table.next_hand()
    found = []
    while table.state.phase < Phase.TURN:
        found.append(table.decision().with_events())
        table.act(int(chooser.act(found[-1])[0]))
    return found


def check_sample(batch: DecisionBatch, states: Any) -> None:
    """Check that tables wait for a decision, and that the seat sees there what it has seen."""
    check_tiles_before_play(states)
    tables = Tables(batch.rules, len(states), auto_reset=False)
    np.asarray(tables.states)[:] = states
    again = tables.decisions().with_events()
    assert (again.seats == batch.seats).all()
    assert (again.legal == batch.legal).all()
    views, view = np.asarray(again.views), np.asarray(batch.views)[0]
    for name in view.dtype.names:
        assert (views[name] == view[name]).all(), name
    logs, log = np.asarray(again.events), np.asarray(batch.events)[0]
    assert (logs["rows"] == log["rows"]).all()
    assert (logs["count"] == log["count"]).all()


def check_tiles_before_play(states: Any) -> None:
    """Check that there are four tiles of each kind, those set aside for the exchange included."""
    whole = states.copy()
    for state in whole:
        given = state["hands"]["given"] if state["phase"] == Phase.EXCHANGE else np.array([])
        for seat, tiles in enumerate(given):
            np.add.at(state["hands"]["counts"][seat], tiles[tiles >= 0], 1)
    check_tiles(whole)


@pytest.mark.parametrize("player", ["efficient", "random"])
@pytest.mark.parametrize("seed", mostly_long(range(40), lambda seed: seed < 2))
@pytest.mark.parametrize("rules", RULES)
def test_samples_agree_with_the_view_at_every_decision(rules: str, seed: int, player: str) -> None:
    draw = np.random.default_rng(seed)
    found = before_play(rules, seed, player)
    assert len(found) >= 4
    for batch in found:
        check_sample(batch, WholeHands(batch).sample(8, draw).states)
        check_sample(batch, sampled_table(batch, draw))


def test_samples_of_a_record_agree_with_its_decisions_and_do_not_know_the_dice() -> None:
    game = play_random_game("sichuan-exchange-hand", seed=4)
    found = decisions_of(game)
    assert {int(np.asarray(batch.views)["phase"][0]) for batch in found} == {Phase.EXCHANGE, Phase.VOID}
    for batch in found:
        states = WholeHands(batch).sample(64, np.random.default_rng(2)).states
        assert (states["rules"]["exchange"] == batch.rules.exchange).all()
        in_exchange = np.asarray(batch.views)["phase"][0] == Phase.EXCHANGE
        assert len(np.unique(directions(batch, states))) == (3 if in_exchange else 1)


def decisions_of(game: SichuanGame) -> list[DecisionBatch]:
    """Return the decisions before play of a recorded game."""
    found: list[DecisionBatch] = []

    def watch(table: Table, action: int) -> None:
        if action >= 0 and table.state.phase < Phase.TURN:
            found.append(table.decision().with_events())

    assert not replay_watched(game, watch).mismatches
    return found


def directions(batch: DecisionBatch, states: Any) -> Any:
    """Return the direction of the exchange at tables, once it is known."""
    tables = Tables(batch.rules, len(states), auto_reset=False)
    np.asarray(tables.states)[:] = states
    while len(which := np.flatnonzero(np.asarray(tables.states)["phase"] == Phase.EXCHANGE)):
        tables.step_some(which, agent("efficient").act(tables.decisions(which)))
    return np.asarray(tables.states)["direction"]


def test_the_giver_of_the_received_tiles_would_choose_them_too() -> None:
    found = before_play("sichuan-exchange", 2)
    batch = next(each for each in found if each.legal[0, 27])
    view = np.asarray(batch.views)[0]
    hand, seat = view["hand"], int(view["seat"])
    giver = (seat - int(view["direction"])) % 4
    for state in WholeHands(batch).sample(8, np.random.default_rng(0)).states:
        table = Table(batch.rules, wall=state["wall"].tolist())
        while table.state.phase == Phase.EXCHANGE:
            given = sum(tile >= 0 for tile in table.state.hands[table.actor].given)
            chosen = int(agent("efficient").act(table.decision())[0])
            if table.actor == giver:
                assert chosen in hand["received"][given:]
                chosen = int(hand["received"][given])
            table.act(int(hand["given"][given]) if table.actor == seat else chosen)


def test_other_samples_give_other_hands() -> None:
    batch = before_play("sichuan", 2)[0]
    states = WholeHands(batch).sample(16, np.random.default_rng(0)).states
    assert len(np.unique(states["hands"]["counts"][:, 1], axis=0)) == 16
    assert len(np.unique(states["seed"])) == 16


def test_a_hand_given_by_its_tiles_is_the_dealers() -> None:
    tiles = "111222333m44p556s"
    for rules in RULES:
        first, same, other = (SAMPLING.dealt(Table(rules).rules, tiles, seed) for seed in (0, 0, 1))
        held = np.asarray(first.views)["hand"]["counts"][0]
        assert (np.flatnonzero(held).tolist(), held.sum()) == ([0, 1, 2, 12, 22, 23], 14)
        assert first.seats.tolist() == [0]
        assert (first.legal == same.legal).all()
        assert (other.legal == first.legal).all()


@pytest.mark.parametrize(("tiles", "words"), [("123m", "14 tiles, these are 3"), ("111222333m44p55z", "no tiles")])
def test_tiles_that_are_no_hand_are_refused(tiles: str, words: str) -> None:
    with pytest.raises(SamplingError, match=words):
        SAMPLING.dealt(Table("sichuan").rules, tiles, 0)


def test_voiding_the_suit_of_a_good_hand_is_worse() -> None:
    decision = SAMPLING.dealt(Table("sichuan").rules, "111222333m45p556s", 0)
    result = playouts(decision, players="efficient", samples=128)
    assert result.best.action != 27
    assert result.options[0].points.value < result.best.points.value - 2


def test_a_view_that_contradicts_itself_is_refused() -> None:
    batch = before_play("sichuan", 0)[1]
    np.asarray(batch.views)["hand"]["counts"][0, 3] += 1
    with pytest.raises(SamplingError, match="contradicts itself"):
        WholeHands(batch)


def test_weights_by_a_players_actions_are_refused() -> None:
    with pytest.raises(SamplingError, match="cannot be weighted"):
        WholeHands(before_play("sichuan", 0)[0]).sample(2, np.random.default_rng(0), Belief(agent("efficient")))

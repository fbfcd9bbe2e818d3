"""Results of hands for each seat, and consequences of actions."""

import numpy as np
import pytest

from janshi.agents import RandomAgent
from janshi.agents.exploring import ExploringAgent
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import decisions
from janshi.riichi.dataset.hands import HandSet, load_hands
from janshi.riichi.dataset.selfplay import play_games, play_store
from janshi.riichi.endings import SeatEnding
from janshi.riichi.outcomes import PARTS, outcomes_of
from janshi.riichi.rules import preset
from janshi.riichi.state import Phase
from janshi.tiles import kinds_of

RULES = preset("tenhou-sanma")


@pytest.fixture(scope="module")
def hands() -> HandSet:
    return play_games([EfficientAgent()] * 3, RULES, np.arange(6)).with_places()


def test_results_of_a_hand_fit_together(hands):
    batch = decisions(hands)
    for hand in range(len(hands)):
        rows = np.flatnonzero(batch.hand == hand)
        results = {
            int(seat): SeatEnding(int(batch.result[rows[batch.seat[rows] == seat][0]]))
            for seat in np.unique(batch.seat[rows])
        }
        found = list(results.values())
        if SeatEnding.TSUMO in found:
            assert set(found) <= {SeatEnding.TSUMO, SeatEnding.TSUMO_LOSS}
        if SeatEnding.RON in found:
            assert set(found) <= {SeatEnding.RON, SeatEnding.DEAL_IN, SeatEnding.OTHERS_RON}
            assert found.count(SeatEnding.DEAL_IN) <= 1
        if SeatEnding.NOTEN in found:
            assert set(found) <= {SeatEnding.NOTEN, SeatEnding.TENPAI}


def test_every_ron_has_one_action_that_dealt_in_unless_the_discard_was_forced(hands):
    batch = decisions(hands)
    given = np.flatnonzero(batch.deals_in)
    assert len(given) == len(np.unique(batch.hand[given]))
    assert (batch.result[given] == SeatEnding.DEAL_IN).all()
    assert (batch.action[given] != Action.PASS).all()
    for hand in set(batch.hand[batch.result == SeatEnding.RON].tolist()) - set(batch.hand[given].tolist()):
        own_turn = (batch.hand == hand) & (batch.phase != Phase.CLAIM) & (batch.result == SeatEnding.DEAL_IN)
        assert batch.riichi[own_turn][-1] or batch.phase[own_turn][-1] == Phase.RIICHI_DISCARD


def test_discards_that_deal_in_are_dangerous_ones(hands):
    batch = decisions(hands)
    discards = (batch.phase != Phase.CLAIM) & (batch.action <= Action.TSUMOGIRI)
    kinds = kinds_of(np.where(batch.action == Action.TSUMOGIRI, batch.drawn, batch.action)[discards])
    dangerous = batch.dangerous[discards] >> kinds & 1 > 0
    assert (dangerous == batch.deals_in[discards]).all()
    assert dangerous.any()


def test_winners_and_discarders_have_the_value_of_the_hand(hands):
    batch = decisions(hands)
    paid = np.isin(batch.result, (SeatEnding.TSUMO, SeatEnding.RON, SeatEnding.DEAL_IN))
    assert (batch.value[paid] >= 1000).all()
    assert (batch.value[~paid] == 0).all()
    assert (batch.won == np.isin(batch.result, (SeatEnding.TSUMO, SeatEnding.RON))).all()


def test_selfplay_is_determined_by_its_seed(hands):
    again = play_games([EfficientAgent()] * 3, RULES, np.arange(3, 6))
    later = hands.part(np.flatnonzero(np.isin(hands.games, (3, 4, 5))))
    assert (again.walls == later.walls).all()
    assert (again.taken == later.taken).all()
    assert (again.starts == later.starts).all()


def test_selfplay_resumes_after_the_stored_games(tmp_path, monkeypatch):
    monkeypatch.setattr("janshi.riichi.dataset.selfplay._TOGETHER", 2)
    whole = play_store("random", RULES, 4, folder=tmp_path / "whole")

    def interrupt(over: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_store("random", RULES, 4, folder=tmp_path / "part", progress=interrupt)
    assert not (tmp_path / "part" / "hands.parquet").exists()
    resumed = play_store("random", RULES, 4, folder=tmp_path / "part")
    assert (resumed.taken == whole.taken).all()
    assert resumed.names == whole.names
    stored = load_hands(tmp_path / "part")
    assert (stored.walls == whole.walls).all()


def test_an_exploring_agent_samples_the_given_share(hands):
    plain = decisions(hands)
    other = decisions(play_games([ExploringAgent(EfficientAgent(), 1.0)] * 3, RULES, np.arange(2)))
    assert len(np.unique(other.action)) > 10
    same = play_games([ExploringAgent(EfficientAgent(), 0.0)] * 3, RULES, np.arange(6))
    assert (same.taken == hands.taken).all()
    assert len(plain) == len(same.taken)


def test_sets_of_hands_are_joined_with_their_rules_and_games(hands):
    east = play_games([RandomAgent()] * 3, preset("tenhou-sanma-east"), np.arange(1))
    joined = HandSet.joined([hands, east])
    assert len(joined) == len(hands) + len(east)
    assert [rules.name for rules in joined.rules] == ["tenhou-sanma", "tenhou-sanma-east"]
    assert (decisions(joined.part(np.arange(len(hands), len(joined)))).action == decisions(east).action).all()


def test_outcomes_are_probabilities_by_action():
    random = np.random.default_rng(0)
    legal = random.random((5, ACTIONS)) < 0.2
    legal[:, 0] = True
    found = outcomes_of(random.normal(size=(5, sum(PARTS.values()) * ACTIONS)).astype(np.float32), legal, 3)
    np.testing.assert_allclose(found.results.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(found.places.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(found.policy.sum(axis=1), 1, atol=1e-5)
    assert (found.policy[~legal] == 0).all()
    assert found.places.shape == (5, 3, ACTIONS)
    assert ((found.placement(np.array([1, 2, 3])) >= 1) & (found.placement(np.array([1, 2, 3])) <= 3)).all()
    np.testing.assert_allclose(found.mean(found.results).sum(axis=1), 1, atol=1e-5)

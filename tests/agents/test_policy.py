"""`Policy`: a distribution from logits and legal actions."""

import numpy as np
import pytest

from janshi.agents import AgentError, Reviewer
from janshi.agents.policy import Policy, PolicyAgent, best_first
from janshi.encoders import encoder
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.table import Tables


def made(rows=200, actions=122, seed=0):
    rng = np.random.default_rng(seed)
    legal = rng.random((rows, actions)) < 0.1
    legal[np.arange(rows), rng.integers(actions, size=rows)] = True
    return rng.normal(size=(rows, actions)).astype(np.float32) * 3, legal


def test_log_probabilities_are_those_of_the_legal_actions_and_sum_to_one():
    logits, legal = made()
    policy = Policy(logits, legal)
    logs, shares = policy.log_probabilities(), policy.probabilities()
    assert np.allclose(shares.sum(axis=1), 1)
    assert (shares[~legal] == 0).all()
    assert (logs[~legal] == -np.inf).all()
    assert np.allclose(np.exp(logs), shares)
    for row in range(0, 200, 20):
        weights = np.exp(logits[row, legal[row]].astype(np.float64))
        assert np.allclose(shares[row, legal[row]], weights / weights.sum())


def test_logits_of_illegal_actions_do_not_matter():
    logits, legal = made()
    plain = Policy(logits, legal)
    logits[~legal] = np.nan
    other = Policy(logits, legal)
    assert (plain.probabilities() == other.probabilities()).all()
    assert (plain.entropy() == other.entropy()).all()
    assert (plain.best() == other.best()).all()


def test_large_logits_do_not_overflow():
    logits = np.array([[1000.0, 999.0, -1e30], [-1000.0, -1001.0, 5.0]])
    policy = Policy(logits, np.array([[True, True, True], [True, True, False]]))
    assert np.allclose(policy.probabilities()[:, 0], 1 / (1 + np.exp(-1)))
    assert np.isfinite(policy.entropy()).all()


def test_entropy_is_that_of_the_distribution():
    logits, legal = made()
    policy = Policy(logits, legal)
    shares = policy.probabilities()
    expected = [-(row[row > 0] * np.log(row[row > 0])).sum() for row in shares]
    assert np.allclose(policy.entropy(), expected)
    even = Policy(np.zeros((1, 8)), np.array([[True] * 5 + [False] * 3]))
    assert even.entropy()[0] == pytest.approx(np.log(5))
    assert Policy(np.zeros((1, 3)), np.array([[False, True, False]])).entropy()[0] == 0


def test_the_best_action_is_legal_and_the_first_of_equal_ones():
    logits, legal = made()
    best = Policy(logits, legal).best()
    assert best.dtype == np.int16
    assert (best == np.where(legal, logits, -np.inf).argmax(axis=1)).all()
    assert Policy(np.zeros((1, 4)), np.array([[False, True, True, False]])).best()[0] == 1


def test_samples_come_as_often_as_their_probability():
    logits = np.array([[0.0, 2.0, 5.0, 1.0, -1.0]])
    legal = np.array([[True, True, False, True, True]])
    count = 40_000
    policy = Policy(np.repeat(logits, count, axis=0), np.repeat(legal, count, axis=0))
    words = np.random.default_rng(5).integers(1 << 63, size=count, dtype=np.uint64).astype(np.int64)
    actions = policy.sample(words)
    assert actions.dtype == np.int16
    shares = np.bincount(actions, minlength=5) / count
    expected = Policy(logits, legal).probabilities()[0]
    assert (np.abs(shares - expected) < 4 * np.sqrt(expected * (1 - expected) / count) + 1e-12).all()


def test_samples_are_legal_for_every_random_word():
    logits, legal = made(2000)
    for word in (0, 1, (1 << 63) - 1, 1 << 62):
        actions = Policy(logits, legal).sample(np.full(2000, word, np.int64))
        assert legal[np.arange(2000), actions].all()
    only = Policy(np.array([[0.0, -5000.0]]), np.array([[True, True]]))
    assert only.sample(np.array([(1 << 63) - 1]))[0] in (0, 1), "the second has no probability left"
    assert only.sample(np.array([0]))[0] == 0


def test_the_same_word_draws_the_same_action_in_any_batch():
    logits, legal = made(50)
    words = np.random.default_rng(1).integers(1 << 62, size=50)
    every = Policy(logits, legal).sample(words)
    assert every[20] == Policy(logits[20:21], legal[20:21]).sample(words[20:21])[0]


@pytest.mark.parametrize("temperature", [0.1, 0.5, 3.0])
def test_a_temperature_sharpens_or_flattens_and_changes_no_best_action(temperature):
    logits, legal = made()
    plain, divided = Policy(logits, legal), Policy(logits, legal, temperature)
    assert (plain.best() == divided.best()).all()
    several = legal.sum(axis=1) > 1
    sharper = divided.entropy()[several] < plain.entropy()[several]
    assert sharper.all() if temperature < 1 else not sharper.any()


@pytest.mark.parametrize(
    ("logits", "legal", "temperature", "match"),
    [
        (np.zeros((2, 3)), np.ones((2, 4), bool), 1.0, "one shape"),
        (np.zeros(3), np.ones(3, bool), 1.0, "one shape"),
        (np.zeros((2, 3)), np.array([[True, False, False], [False] * 3]), 1.0, "without any legal action"),
        (np.full((1, 3), np.nan), np.ones((1, 3), bool), 1.0, "finite"),
        (np.array([[0.0, np.inf]]), np.ones((1, 2), bool), 1.0, "finite"),
        (np.array([[0.0, -np.inf]]), np.ones((1, 2), bool), 1.0, "finite"),
        (np.zeros((1, 3)), np.ones((1, 3), bool), 0.0, "above 0"),
        (np.zeros((1, 3)), np.ones((1, 3), bool), -1.0, "above 0"),
    ],
)
def test_invalid_policies_are_refused(logits, legal, temperature, match):
    with pytest.raises(ValueError, match=match):
        Policy(logits, legal, temperature)


class Network:
    """A network with random logits that depend only on the observation."""

    encoder = encoder("janshi")

    def logits(self, packed):
        seeds = packed.sum(axis=1).astype(np.uint64)
        return np.stack([np.random.default_rng(seed).normal(size=122) for seed in seeds]).astype(np.float32)


def test_an_agent_of_a_network_plays_the_best_legal_action_or_samples_by_the_random_words():
    player, sampling = (PolicyAgent(Network(), "network", frozenset({3}), samples=samples) for samples in (False, True))
    assert isinstance(player, Reviewer)
    batch = Tables(TENHOU_SANMA, 200, 1).decisions()
    best, drawn = player.act(batch), sampling.act(batch)
    for actions in (best, drawn):
        assert batch.legal[np.arange(200), actions].all()
    assert (player.preferences(batch).argmax(axis=1) == best).all()
    assert (drawn == sampling.act(batch)).all()
    assert (drawn != best).any()
    with pytest.raises(AgentError, match="does not play with four"):
        player.act(Tables(TENHOU, 2).decisions())


def test_the_action_taken_has_the_highest_probability():
    shares = np.array([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]], np.float32)
    result = best_first(shares, np.array([1, 2], np.int16))
    assert result.argmax(axis=1).tolist() == [1, 2]
    assert np.allclose(result, [[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])

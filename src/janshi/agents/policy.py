"""From logits to decisions: a masked policy over a game's actions.

`Policy` converts a network's logits into a distribution over the legal actions, with log-probabilities, entropy,
samples and the best action. Players, reviews and self-play of networks over whole action spaces use it.

>>> policy = Policy(np.array([[2.0, 1.0, 3.0]]), np.array([[True, True, False]]))
>>> policy.best().tolist(), policy.probabilities().round(3).tolist()
([0], [[0.731, 0.269, 0.0]])
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import AgentError, check_agent
from janshi.encoders.base import Encoder
from janshi.table import DecisionBatch

#: Number of bits of a random word.
_WORD_BITS: Final = 63


class Policy:
    """A distribution over legal actions for each of n decisions.

    ``logits`` (n, actions; any floats) and ``legal`` (n, actions; bool, at least one in each row). A ``temperature``
    below 1 sharpens the distribution, above 1 it flattens it; the best action does not change. Raises `ValueError` if
    shapes differ, a row has no legal action, a legal action's logit is not finite, or the temperature is not positive.
    """

    def __init__(self, logits: NDArray[Any], legal: NDArray[np.bool_], temperature: float = 1.0) -> None:
        if logits.shape != legal.shape or logits.ndim != 2:
            raise ValueError(f"logits {logits.shape} and legal actions {legal.shape} must have one shape (n, actions)")
        if not legal.any(axis=1).all():
            raise ValueError("a decision without any legal action")
        if not temperature > 0:
            raise ValueError(f"temperature {temperature}: it must be above 0")
        if not np.isfinite(logits[legal]).all():
            raise ValueError("the logits of legal actions must be finite numbers")
        self.legal = legal
        masked = np.where(legal, logits.astype(np.float64) / temperature, -np.inf)
        shifted = masked - masked.max(axis=1, keepdims=True)
        self._log: NDArray[np.float64] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

    def log_probabilities(self) -> NDArray[np.float64]:
        """Return the logarithms of the probabilities (n, actions), −∞ for illegal actions."""
        return self._log

    def probabilities(self) -> NDArray[np.float64]:
        """Return the probabilities (n, actions); each row's sum is 1."""
        probabilities: NDArray[np.float64] = np.exp(self._log)
        return probabilities

    def entropy(self) -> NDArray[np.float64]:
        """Return the entropy of each row in nats (n)."""
        entropy: NDArray[np.float64] = -(np.exp(self._log) * np.where(self.legal, self._log, 0.0)).sum(axis=1)
        return entropy

    def best(self) -> NDArray[np.int16]:
        """Return the most probable action of each row (n), the first of equal ones."""
        actions: NDArray[np.int16] = self._log.argmax(axis=1).astype(np.int16)
        return actions

    def sample(self, random: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return an action of each row (n), sampled with its probability by a 63-bit random word (n)."""
        uniform = random.astype(np.float64) / float(1 << _WORD_BITS)
        below = np.exp(self._log).cumsum(axis=1)
        drawn = (below <= (uniform * below[:, -1])[:, None]).sum(axis=1)
        last = self.legal.shape[1] - 1 - self.legal[:, ::-1].argmax(axis=1)
        actions: NDArray[np.int16] = np.minimum(drawn, last).astype(np.int16)
        return actions


def softmax(logits: NDArray[np.floating[Any]]) -> NDArray[Any]:
    """Return probabilities (n, k, …) of logits (n, k, …; −∞: impossible) along axis 1, in the logits' own precision.

    >>> softmax(np.array([[1.0, 1.0, -np.inf]])).tolist()
    [[0.5, 0.5, 0.0]]
    """
    weights: NDArray[Any] = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights


def best_first(shares: NDArray[np.float32], actions: NDArray[np.int16]) -> NDArray[np.float32]:
    """Return probabilities (n, actions) in which that of each row's action (n) is the greatest, raised if necessary.

    Rounding may make two probabilities equal; the agent's action must come first.
    """
    rows = np.flatnonzero(shares.argmax(axis=1) != actions)
    shares[rows, actions[rows]] = np.nextafter(shares[rows].max(axis=1), np.float32(2))
    return shares


#: Share of a rule-based agent's probabilities that is distributed evenly over all legal actions.
_SMOOTHING: Final = 0.2


def smoothed(shares: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return the probabilities (n, actions) of a rule-based agent, smoothed over its legal actions.

    Rules give no confidence. A fifth of the probability is distributed evenly over all legal actions, so that no other
    action has the full cost in a review. The order does not change.

    >>> shares = smoothed(np.array([[1.0, 0.0, 0.0]], np.float32), np.array([[True, True, False]]))
    >>> shares.astype(float).round(3).tolist()
    [[0.9, 0.1, 0.0]]
    """
    evenly = legal / legal.sum(axis=1, keepdims=True)
    mixed: NDArray[np.float32] = ((1 - _SMOOTHING) * shares + _SMOOTHING * evenly).astype(np.float32)
    return best_first(mixed, shares.argmax(axis=1).astype(np.int16))


class PolicyNetwork(Protocol):
    """A network with outputs for a game's whole action space."""

    encoder: Encoder

    def logits(self, packed: NDArray[Any]) -> NDArray[np.float32]:
        """Return the logits of all actions (n, actions) for observations of `Encoder.encode` (n, …)."""
        ...


class PolicyAgent:
    """Plays the best action of a `PolicyNetwork`, or with ``samples`` one sampled by its probability."""

    def __init__(
        self,
        network: PolicyNetwork,
        name: str,
        players: frozenset[int],
        *,
        temperature: float = 1.0,
        samples: bool = False,
    ) -> None:
        self.network = network
        self.name = name
        self.players = players
        self.games = frozenset({network.encoder.game})
        self.temperature = temperature
        self.samples = samples

    def policy(self, batch: DecisionBatch) -> Policy:
        """Return the distribution over the legal actions of decisions."""
        check_agent(self, batch.rules)
        return Policy(self.network.logits(self.network.encoder.encode(batch)), batch.legal, self.temperature)

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        policy = self.policy(batch)
        return policy.sample(batch.random) if self.samples else policy.best()

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the probability of each action: see `janshi.agents.protocol.Reviewer`."""
        policy = self.policy(batch)
        return best_first(policy.probabilities().astype(np.float32), policy.best())


def policy_player(networks: Mapping[str, Any], name: str) -> PolicyAgent:
    """Return the player of one `PolicyNetwork` that knows its ``players``: see `janshi.agents.registry.ANSWERS`."""
    if set(networks) != {""}:
        raise AgentError("a player by actions has one network for all decisions")
    return PolicyAgent(networks[""], name, networks[""].players)

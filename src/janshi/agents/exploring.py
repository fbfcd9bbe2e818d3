"""An agent that samples a share of its actions, so that its games contain other actions than its best."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import Policy
from janshi.agents.protocol import Reviewer, games_of, preferences_of
from janshi.table import DecisionBatch

#: Bits of a decision's random word that determine whether the action is sampled; the others sample it.
_BITS: Final = 20


class ExploringAgent:
    """Plays like another agent, except for a share of actions sampled from the agent's flattened preferences.

    Args:
        agent: the agent, with preferences.
        share: share of sampled decisions, 0 to 1.
        temperature: values above 1 flatten the preferences.

    >>> from janshi.riichi.agents import EfficientAgent
    >>> ExploringAgent(EfficientAgent(), 0.05).name
    'efficient, 5 % drawn'
    """

    def __init__(self, agent: Reviewer, share: float, temperature: float = 2.0) -> None:
        self.agent = agent
        self.share = share
        self.temperature = temperature
        self.name = f"{agent.name}, {100 * share:g} % drawn"
        self.players = agent.players
        self.games = games_of(agent)

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        preferences = preferences_of(self.agent, batch)
        actions: NDArray[np.int16] = preferences.argmax(axis=1).astype(np.int16)
        drawn = np.flatnonzero((batch.random & ((1 << _BITS) - 1)) < self.share * (1 << _BITS))
        if len(drawn):
            legal = batch.legal[drawn]
            logits = np.where(legal, np.log(np.maximum(preferences[drawn], np.float32(1e-6))), 0)
            words = batch.random[drawn] >> _BITS << _BITS
            actions[drawn] = Policy(logits, legal, self.temperature).sample(words)
        return actions

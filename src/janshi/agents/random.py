"""The random agent for any game.

A game may define its choice in the facet ``"agents"``; otherwise all legal actions have the same probability.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import ANY_NUMBER, check_agent
from janshi.compiling import Bools, Int16, Int64, batched, rule
from janshi.core.game import Game
from janshi.core.random import Stream, below, philox
from janshi.table import DecisionBatch


@rule
def random_legal_action(legal: Bools, random: Int64) -> Int16:
    """Return a legal action, sampled uniformly by a 63-bit random word."""
    count = 0
    for action in range(len(legal)):
        count += 1 if legal[action] else 0
    word, _b, _c, _d = philox(random, Stream.RANDOM_AGENT, 0, 0)
    index = below(word, count)
    chosen = 0
    for action in range(len(legal)):
        if legal[action]:
            if index == 0:
                chosen = action
            index -= 1
    return chosen


random_legal_actions = batched(random_legal_action, brief=True)


class RandomAgent:
    """See the module."""

    players = ANY_NUMBER
    games = None
    description = "random legal actions; takes every win"

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        check_agent(self, batch.rules)
        own = _own_choice(batch.game)
        if own is not None:
            return cast("NDArray[np.int16]", own.act(batch))
        return cast("NDArray[np.int16]", random_legal_actions(batch.legal, batch.random))


@cache
def _own_choice(game: Game) -> Any:
    """Return a game's own random choice; None if legal actions are sampled uniformly."""
    own = game.facet("agents").get("random") if "agents" in game.facets else None
    return None if own is None else own()

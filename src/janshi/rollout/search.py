"""A player that plays close decisions on before it decides.

Most decisions are those of another player. If that player's second choice is plausible, and its first two choices are
not both plain discards, both are played on with the same samples of the hidden tiles (`janshi.rollout.playouts`). The
second choice is taken if it is better by more than chance makes likely.

>>> from janshi.table import Table
>>> search = SearchAgent(agent("sl-int8"))
>>> search.act(Table("tenhou-sanma", seed=3).decision()).tolist()
[29]
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents import Loader, agent
from janshi.agents.protocol import Agent, AgentError, Reviewer, games_of, preferences_of
from janshi.rollout.playouts import PlayoutPlan, playouts
from janshi.rollout.sampling import SamplingError
from janshi.table import DecisionBatch
from janshi.worth.placement import PlacementError, PlacementModel

PREFIX: Final = "search:"
#: Samples of each decision: about half a second of a core in the middle of a hand.
SAMPLES: Final = 128
#: Least probability of a second choice that is played on.
LEAST: Final = 0.05
#: Share of the width of the 95 % interval by which the second choice must be better. The first choice is better on
#: average (``results/worth.md``), so a smaller difference is more likely to be chance.
MARGIN: Final = 1 / 16


class SearchAgent:
    """Decides as ``player``, except close decisions other than between discards, by playouts in which it has all seats.

    The same decision with the same random word gives the same action. Raises `AgentError` for a player without
    probabilities.
    """

    def __init__(self, player: Agent) -> None:
        if not isinstance(player, Reviewer):
            raise AgentError(f"player {player.name!r} cannot search: it gives no probabilities of actions")
        self.player = player
        self.name = f"{PREFIX}{player.name}"
        self.players = player.players
        self.games = games_of(player)

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return an action for each decision (n): see `janshi.agents.Agent.act`."""
        shares = preferences_of(self.player, batch)
        choices = np.argsort(-shares, axis=1, kind="stable")[:, :2]
        second = np.take_along_axis(shares, choices, axis=1)[:, 1]
        actions: NDArray[np.int16] = choices[:, 0].astype(np.int16)  # those of the player: see `Reviewer`
        for row in np.flatnonzero((second >= LEAST) & (choices.max(axis=1) >= batch.game.discards)).tolist():
            if self._is_better(batch.part(np.array([row])), choices[row].tolist()):
                actions[row] = choices[row, 1]
        return actions

    def _is_better(self, decision: DecisionBatch, choices: list[int]) -> bool:
        """Return whether the second choice of a decision is better."""
        seed = int(decision.random[0])
        plan = PlayoutPlan(scale=_scale(decision.rules), level=0)
        try:
            result = playouts(
                decision.with_events(), choices, players=self.player, samples=SAMPLES, seed=seed, plan=plan
            )
        except SamplingError:
            return False
        behind = result.options[0].difference
        return -behind.value > MARGIN * (behind.high - behind.low)


@lru_cache(maxsize=8)
def _scale(rules: Any) -> str | None:
    """Return the scale of results: the place, or without a placement model the points."""
    try:
        PlacementModel(rules)
    except PlacementError:
        return None
    return "place"


def _load(name: str) -> SearchAgent:
    return SearchAgent(agent(name.removeprefix(PREFIX)))


LOADER: Final = Loader(lambda name: name.startswith(PREFIX), _load)

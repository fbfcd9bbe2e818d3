"""Consequences of actions: the outputs of an outcome model for every action of Riichi.

A network's outputs hold the `PARTS` in their order, each as blocks of all 122 actions. `outcomes_of` turns them into
probabilities and points.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import softmax
from janshi.installing import naming_extra
from janshi.riichi.actions import ACTIONS
from janshi.riichi.endings import SeatEnding
from janshi.worth.outcomes import OutcomeFacet

with naming_extra(__name__):
    from scipy.special import expit

#: Parts of the outputs in their order, and the numbers that each has for each action.
PARTS: Final = {
    "actions": 1,
    "results": len(SeatEnding),
    "deals in": 1,
    "win": 1,
    "price": 1,
    "change": 1,
    "places": 4,
}
#: Points (a mangan) that the network's points are counted in.
UNIT: Final = 8000


@dataclass(frozen=True, slots=True)
class Predictions:
    """Predicted consequences of actions for the seat that decides; each array has one row a decision."""

    policy: NDArray[np.float32]
    """Probability of each action in the games that were learned from (n, actions); 0 if not legal."""
    results: NDArray[np.float32]
    """Probability of each `SeatEnding` after each action (n, results, actions)."""
    deals_in: NDArray[np.float32]
    """Probability that another seat wins by the tile of this very action (n, actions)."""
    win: NDArray[np.float32]
    """Points of the hand where it wins (n, actions), without honba and deposits."""
    price: NDArray[np.float32]
    """Points of the hand that it deals in to where it does (n, actions), without honba and deposits."""
    change: NDArray[np.float32]
    """Expected change of the seat's points in this hand, from its beginning (n, actions)."""
    places: NDArray[np.float32]
    """Probability of each final place of the game, the first one first (n, players, actions)."""

    def mean(self, values: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Return values of all actions (n, …, actions) as those of the position (n, …), weighted by the policy."""
        policy = self.policy.reshape(len(self.policy), *[1] * (values.ndim - 2), ACTIONS)
        mean: NDArray[np.float32] = (values * policy).sum(axis=-1)
        return mean

    @property
    def wins(self) -> NDArray[np.float32]:
        """Probability to win the hand, by self-draw or ron (n, actions)."""
        wins: NDArray[np.float32] = self.results[:, SeatEnding.TSUMO] + self.results[:, SeatEnding.RON]
        return wins

    @property
    def deal_ins(self) -> NDArray[np.float32]:
        """Probability to deal in, by this or a later action of the hand (n, actions)."""
        deal_ins: NDArray[np.float32] = self.results[:, SeatEnding.DEAL_IN]
        return deal_ins

    @property
    def draws(self) -> NDArray[np.float32]:
        """Probability of a drawn or aborted hand (n, actions)."""
        draws: NDArray[np.float32] = self.results[:, SeatEnding.TENPAI :].sum(axis=1)
        return draws

    def placement(self, points: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
        """Return the expected points of the final place after each action (n, actions), by those of places (players).

        With ``points`` 1, 2, 3 … it is the expected place.
        """
        expected: NDArray[np.float32] = np.einsum("npa,p->na", self.places, points.astype(np.float32))
        return expected


def outcomes_of(outputs: NDArray[np.float32], legal: NDArray[np.bool_], players: int) -> Predictions:
    """Return the consequences of every action from a network's outputs (n, 17 · actions).

    Args:
        outputs: of the network, the parts of `PARTS` in their order.
        legal: actions (n, actions).
        players: seats of the game: further places are impossible.
    """
    blocks = outputs.reshape(len(outputs), sum(PARTS.values()), ACTIONS)
    first = dict(zip(PARTS, np.cumsum([0, *PARTS.values()]).tolist(), strict=False))
    part = {name: blocks[:, first[name] : first[name] + width] for name, width in PARTS.items()}
    return Predictions(
        policy=softmax(np.where(legal, part["actions"][:, 0], -np.inf)),
        results=softmax(part["results"]),
        deals_in=expit(part["deals in"][:, 0]),
        win=np.maximum(part["win"][:, 0], 0) * UNIT,
        price=np.maximum(part["price"][:, 0], 0) * UNIT,
        change=part["change"][:, 0] * UNIT,
        places=softmax(part["places"][:, :players]),
    )


def _weights(players: int) -> Path:
    return Path(__file__).parents[1] / "players" / "worth" / f"outcomes-{players}.onnx"


#: The game's facet ``"outcomes"``.
OUTCOMES: Final = OutcomeFacet(_weights, ACTIONS * sum(PARTS.values()), outcomes_of)

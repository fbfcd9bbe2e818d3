"""A player that improves by its own games in points: proximal policy optimisation with a learned value.

Beside `janshi.learn.reinforce.SteadyReinforce`, of which it is a variant: what a decision gains is not the whole hand's
result but the points that follow it, discounted towards the network's own value of later positions (generalised
advantage estimation), so that much less luck is in it. Source: Schulman et al., 2015 and 2017.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.learn.configs import SteadyConfig, option
from janshi.learn.evaluate import evaluate
from janshi.learn.losses import clipped_policy_gradient
from janshi.learn.reinforce import SteadyReinforce
from janshi.learn.selfplay import Played, Trajectories, collect

#: Added to a deviation that is divided by.
_EPSILON: Final = 1e-6


@dataclass(frozen=True, slots=True)
class ActorCriticConfig(SteadyConfig):
    """How the player learns."""

    reward: str = option("points", "Points; what a decision gains are those that follow it.")
    unit: float = option(8.0, "Points that a reward, and the network's value, of 1 stands for.")
    gae_lambda: float = option(
        0.95, "λ of generalised advantage estimation: 1 counts the points that follow alone, 0 the next value."
    )
    passes: int = option(2, "Times that the decisions of an episode are learned from.", min=1)
    evaluate_against: str = option("", "Opponent of evaluations: a name among the opponents; random agents by default.")


class ActorCritic(SteadyReinforce):
    """See the module."""

    kind: ClassVar[str] = "actor critic"
    config: ActorCriticConfig

    def episode(self, seeds: NDArray[np.int64]) -> Played:
        """See `janshi.learn.runs.Run`."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.learning_rate * (1 - 0.9 * self.done / self.config.episodes)
        found, played = collect(self.policy, self.setting, seeds, with_values=True)
        for _ in range(self.config.passes):
            self.learn(found)
        return played

    def gains(self, found: Trajectories) -> NDArray[np.float32]:
        """Return what the value of each decision's position should have been."""
        return found.value + advantages(found, self.config.unit, self.config.gae_lambda)

    def loss(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor) -> Tensor:
        """See `janshi.learn.reinforce.PolicyGradient`: the gain is the difference to the value when it was drawn."""
        outputs = self.outputs(found, rows)
        log, entropy = self.drawn(found, rows, outputs)
        noted = torch.from_numpy(np.stack((found.log[rows], found.value[rows]))).to(self.device)
        advantage = gains - noted[1]
        advantage = advantage / (advantage.std(correction=0) + _EPSILON)
        loss = 0.5 * nn.functional.mse_loss(self.policy.value(outputs), gains)
        loss = loss + clipped_policy_gradient(log, noted[0], advantage, self.config.clip)
        total: Tensor = loss - self.config.entropy * entropy.mean()
        return total

    def _evaluate(self) -> None:
        against = self.setting.agents.get(self.config.evaluate_against)
        results = evaluate(self.player(), self.rules, self.config.evaluate_hands, self.config.seed, against)
        point: dict[str, Any] = {"episode": self.done, **results}
        self.curve.append(point)
        self.log(point, self.done)


def advantages(found: Trajectories, unit: float, gae_lambda: float) -> NDArray[np.float32]:
    """Return by how much each decision did better than its position's value (n), in units of so many points.

    The temporal difference of a decision is what was won until the hand's next decision, and the value there, less the
    value here; those of later decisions count ``gae_lambda`` times as much with each. Source: Schulman et al., 2015,
    equation 16, without a discount.
    """
    order = np.lexsort((-found.after, found.hand))
    points = found.points[order].astype(np.float64)
    value = found.value[order].astype(np.float64)
    last = found.after[order] == 0
    following = np.where(last, found.final[order], np.append(points[1:], 0))
    difference = (following - points) / unit + np.where(last, 0.0, np.append(value[1:], 0)) - value
    # Backwards through the longest hand: the decisions that have so many after them, all hands at once.
    advantage = difference.copy()
    after = found.after[order]
    by_after = np.argsort(after, kind="stable")
    bounds = np.searchsorted(after[by_after], np.arange(1, int(after.max(initial=0)) + 2))
    for first, end in pairwise(bounds.tolist()):
        rows = by_after[first:end]
        advantage[rows] += gae_lambda * advantage[rows + 1]
    result = np.empty(len(order), np.float32)
    result[order] = advantage
    return result

"""Policy gradient learning from self-play: actions before a good result become more probable.

An episode plays hands with decisions sampled from the network, and then updates the network. `SteadyReinforce` is
REINFORCE with a learned baseline, entropy, and a bound on the change in an episode. `ActorCritic` is a variant: the
gain of a decision is not the result of the whole hand but the points after it, discounted towards the network's value
of later positions (generalised advantage estimation), which reduces the variance. Sources: Williams, 1992; Schulman et
al., 2015 and 2017.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import pairwise
from typing import ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.learn.configs import ActorCriticConfig
from janshi.learn.inference import mixed_precision, to_input
from janshi.learn.networks import encoder_of
from janshi.learn.runs import SelfPlayRun
from janshi.learn.selfplay import EpisodeSummary, Trajectories, collect

#: Decisions in a batch of the network; larger steps accumulate gradients.
TOGETHER: Final = 1024
#: Added to a standard deviation before a division.
_EPSILON: Final = 1e-6


class PolicyGradient(SelfPlayRun):
    """Base class of the learners: one pass over the decisions of an episode, a batch a step."""

    def episode(self, seeds: NDArray[np.int64]) -> EpisodeSummary:
        """See `SelfPlayRun`."""
        found, played = collect(self.policy, self.setting, seeds)
        self.learn(found)
        return played

    def learn(self, found: Trajectories) -> None:
        """Make one pass over the decisions of an episode."""
        if not len(found):
            return
        order = np.random.default_rng([self.config.seed, 3, self.done]).permutation(len(found))
        order = self.chosen(found, order)
        gains = torch.from_numpy(self.gains(found)).to(self.device)
        # Normalisation keeps its statistics: sampling and learning must use the same network.
        self.policy.network.eval()
        for first in range(0, len(order), self.config.batch):
            step = order[first : first + self.config.batch]
            self.optimizer.zero_grad(set_to_none=True)
            for row in range(0, len(step), TOGETHER):
                rows = step[row : row + TOGETHER]
                loss = self.loss(found, rows, gains[torch.from_numpy(rows).to(self.device)])
                (loss * (len(rows) / len(step))).backward()  # type: ignore[no-untyped-call]
            self.limit()
            self.optimizer.step()

    def outputs(self, found: Trajectories, rows: NDArray[np.int64]) -> Tensor:
        """Return the network's current outputs (n, outputs; float32)."""
        network = self.policy.network
        with mixed_precision(self.device):
            outputs: Tensor = network(to_input(encoder_of(network), found.packed[rows], self.device))
        return outputs.float()

    def drawn(self, found: Trajectories, rows: NDArray[np.int64], outputs: Tensor) -> tuple[Tensor, Tensor]:
        """Return the current log-probabilities of the sampled choices (n), and entropies."""
        choices = {name: column[rows] for name, column in found.choices.items()}
        return self.policy.log_probability(outputs, choices)

    def chosen(self, found: Trajectories, order: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the decisions to learn from, in the given order: all."""
        return order

    def limit(self) -> None:
        """Bound the gradients of a step."""

    @abstractmethod
    def gains(self, found: Trajectories) -> NDArray[np.float32]:
        """Return the gain of each decision (n)."""

    @abstractmethod
    def loss(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor) -> Tensor:
        """Return the loss of some decisions with their gains (n)."""


class SteadyReinforce(PolicyGradient):
    """REINFORCE with a baseline, a bound and entropy."""

    kind: ClassVar[str] = "steady reinforce"

    def gains(self, found: Trajectories) -> NDArray[np.float32]:
        """Return the rewards in units of their standard deviation."""
        return found.reward / (float(found.reward.std()) + _EPSILON)

    def chosen(self, found: Trajectories, order: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the decisions that were not nearly certain."""
        if self.config.max_probability >= 1:
            return order
        uncertain: NDArray[np.bool_] = found.log[order] <= np.log(self.config.max_probability)
        return order[uncertain]

    def limit(self) -> None:
        """Bound the gradients of a step."""
        nn.utils.clip_grad_norm_(self.policy.network.parameters(), 1.0)

    def loss(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor) -> Tensor:
        """See `PolicyGradient`; with advantages over a jointly learned value."""
        outputs = self.outputs(found, rows)
        log, entropy = self.drawn(found, rows, outputs)
        value = self.policy.value(outputs)
        before = torch.from_numpy(found.log[rows]).to(self.device)
        loss = 0.5 * nn.functional.mse_loss(value, gains)
        loss = loss + clipped_policy_gradient(log, before, self.advantage(found, rows, gains, value), self.config.clip)
        total: Tensor = loss - self.config.entropy * entropy.mean()
        return total

    def advantage(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor, value: Tensor) -> Tensor:
        """Return the gains of decisions over their positions' values by the current network."""
        return gains - value.detach()


def clipped_policy_gradient(log: Tensor, before: Tensor, gain: Tensor, clip: float) -> Tensor:
    """Return PPO's loss, in which ratios of probabilities beyond 1 ± ``clip`` gain nothing more.

    ``before`` (n): log-probabilities with which the actions were sampled.

    >>> log, gain = torch.log(torch.tensor([0.9, 0.5])), torch.tensor([1.0, -1.0])
    >>> round(float(clipped_policy_gradient(log, torch.log(torch.tensor([0.5, 0.5])), gain, 0.2)), 3)
    -0.1
    """
    ratio = torch.exp(log - before)
    bounded = ratio.clamp(1 - clip, 1 + clip)
    return -torch.minimum(ratio * gain, bounded * gain).mean()


class ActorCritic(SteadyReinforce):
    """Proximal policy optimisation with a learned value: see the module."""

    kind: ClassVar[str] = "actor critic"
    config: ActorCriticConfig

    def episode(self, seeds: NDArray[np.int64]) -> EpisodeSummary:
        """See `SelfPlayRun`."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.config.learning_rate * (1 - 0.9 * self.done / self.config.episodes)
        found, played = collect(self.policy, self.setting, seeds, with_values=True)
        for _ in range(self.config.passes):
            self.learn(found)
        return played

    def gains(self, found: Trajectories) -> NDArray[np.float32]:
        """Return the target value of each decision's position."""
        return found.value + advantages(found, self.config.unit, self.config.gae_lambda)

    def advantage(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor, value: Tensor) -> Tensor:
        """See `SteadyReinforce`; with the values at sampling time, in units of their standard deviation."""
        advantage = gains - torch.from_numpy(found.value[rows]).to(self.device)
        return advantage / (advantage.std(correction=0) + _EPSILON)


def advantages(found: Trajectories, unit: float, gae_lambda: float) -> NDArray[np.float32]:
    """Return the advantage of each decision over its position's value (n), in units of ``unit`` points.

    The temporal difference of a decision is the points won until the hand's next decision, plus the value there, minus
    the value here. The weight of later ones decreases by the factor ``gae_lambda`` with each decision. Source: Schulman
    et al., 2015, equation 16, without a discount.
    """
    order = np.lexsort((-found.after, found.hand))
    points = found.points[order].astype(np.float64)
    value = found.value[order].astype(np.float64)
    last = found.after[order] == 0
    following = np.where(last, found.final[order], np.append(points[1:], 0))
    difference = (following - points) / unit + np.where(last, 0.0, np.append(value[1:], 0)) - value
    # Backwards from the last decision, all hands at once.
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

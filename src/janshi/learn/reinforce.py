"""Players that improve by playing: what was followed by a good result becomes more likely.

An episode plays hands, in which the learner's decisions are drawn from its network, and then moves the network.
`SteadyReinforce` is REINFORCE with a learned baseline, entropy, and a bound on how far one episode moves. `ActorCritic`
is a variant of it: what a decision gains is not the whole hand's result but the points that follow it, discounted
towards the network's own value of later positions (generalised advantage estimation), so that much less luck is in it.
Sources: Williams, 1992; Schulman et al., 2015 and 2017.
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
from janshi.learn.inference import to_input
from janshi.learn.networks import encoder_of
from janshi.learn.runs import SelfPlayRun
from janshi.learn.selfplay import EpisodeSummary, Trajectories, collect

#: Decisions that go through the network together; more make one step by adding up their gradients.
TOGETHER: Final = 1024
#: Added to a deviation that is divided by.
_EPSILON: Final = 1e-6


class PolicyGradient(SelfPlayRun):
    """Base of the learners: one pass over the decisions of an episode, a batch a step."""

    def episode(self, seeds: NDArray[np.int64]) -> EpisodeSummary:
        """See `SelfPlayRun`."""
        found, played = collect(self.policy, self.setting, seeds)
        self.learn(found)
        return played

    def learn(self, found: Trajectories) -> None:
        """One pass over the decisions of an episode."""
        if not len(found):
            return
        order = np.random.default_rng([self.config.seed, 3, self.done]).permutation(len(found))
        order = self.chosen(found, order)
        gains = torch.from_numpy(self.gains(found)).to(self.device)
        # Normalisation keeps its statistics: what is drawn and what is learned must come from the same network.
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
        """Return the network's present outputs (n, outputs; float32)."""
        network = self.policy.network
        with torch.autocast(self.device.type, torch.bfloat16):
            outputs: Tensor = network(to_input(encoder_of(network), found.packed[rows], self.device))
        return outputs.float()

    def drawn(self, found: Trajectories, rows: NDArray[np.int64], outputs: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logarithms of the probabilities of what was drawn (n), and entropies, by the network as it is."""
        choices = {name: column[rows] for name, column in found.choices.items()}
        return self.policy.log_probability(outputs, choices)

    def chosen(self, found: Trajectories, order: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the decisions that are learned from, in the order given: all."""
        return order

    def limit(self) -> None:
        """Bound the gradients of a step."""

    @abstractmethod
    def gains(self, found: Trajectories) -> NDArray[np.float32]:
        """Return the gain of each decision (n)."""

    @abstractmethod
    def loss(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor) -> Tensor:
        """Return the loss of some decisions, given their gains (n)."""


class SteadyReinforce(PolicyGradient):
    """REINFORCE with a baseline, a bound and entropy."""

    kind: ClassVar[str] = "steady reinforce"

    def gains(self, found: Trajectories) -> NDArray[np.float32]:
        """Return the rewards in units of their spread."""
        return found.reward / (float(found.reward.std()) + _EPSILON)

    def chosen(self, found: Trajectories, order: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return those that were not nearly certain."""
        if self.config.max_probability >= 1:
            return order
        uncertain: NDArray[np.bool_] = found.log[order] <= np.log(self.config.max_probability)
        return order[uncertain]

    def limit(self) -> None:
        """Bound the gradients of a step."""
        nn.utils.clip_grad_norm_(self.policy.network.parameters(), 1.0)

    def loss(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor) -> Tensor:
        """See `PolicyGradient`: advantages over a value that is learned beside."""
        outputs = self.outputs(found, rows)
        log, entropy = self.drawn(found, rows, outputs)
        value = self.policy.value(outputs)
        before = torch.from_numpy(found.log[rows]).to(self.device)
        loss = 0.5 * nn.functional.mse_loss(value, gains)
        loss = loss + clipped_policy_gradient(log, before, self.advantage(found, rows, gains, value), self.config.clip)
        total: Tensor = loss - self.config.entropy * entropy.mean()
        return total

    def advantage(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor, value: Tensor) -> Tensor:
        """Return by how much decisions gained more than their positions' value: here by the network as it is."""
        return gains - value.detach()


def clipped_policy_gradient(log: Tensor, before: Tensor, gain: Tensor, clip: float) -> Tensor:
    """Return PPO's loss: probabilities that have moved by more than a ratio of 1 ± ``clip`` gain nothing more.

    ``before`` (n): the logarithms with which actions were drawn.

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
        """Return what the value of each decision's position should have been."""
        return found.value + advantages(found, self.config.unit, self.config.gae_lambda)

    def advantage(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor, value: Tensor) -> Tensor:
        """See `SteadyReinforce`: here by the values when the decisions were drawn, in units of their spread."""
        advantage = gains - torch.from_numpy(found.value[rows]).to(self.device)
        return advantage / (advantage.std(correction=0) + _EPSILON)


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

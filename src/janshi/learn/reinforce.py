"""REINFORCE: a player that improves by playing, and what makes that steady.

An episode plays hands, in which the learner's decisions are drawn from its network, and then moves the network towards
what was followed by a good result. `Reinforce` is the algorithm as it is, in the setting of the `meowjong` papers: one
hand an episode against itself, the hand's points as the reward, discounted. `SteadyReinforce` is ours: many hands an
episode, places as the reward, a learned baseline, entropy, and a bound on how far one episode moves.
Source: dissertation, section 3.4; conference paper, section VI.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.learn.inference import to_input
from janshi.learn.losses import clipped_policy_gradient, policy_gradient
from janshi.learn.networks import encoder_of
from janshi.learn.runs import Run
from janshi.learn.selfplay import Played, Trajectories, collect

#: Decisions that go through the network together; more make one step by adding up their gradients.
TOGETHER: Final = 1024


class PolicyGradient(Run):
    """What both have: one pass over the decisions of an episode, a batch a step."""

    def episode(self, seeds: NDArray[np.int64]) -> Played:
        """See `Run`."""
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
        """Return what the network answers now (n, outputs; float32)."""
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
        """Return what each decision was followed by (n)."""

    @abstractmethod
    def loss(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor) -> Tensor:
        """Return the loss of some decisions: what they were followed by, weighted with how likely they now are."""


class Reinforce(PolicyGradient):
    """REINFORCE as it is."""

    kind: ClassVar[str] = "reinforce"

    def gains(self, found: Trajectories) -> NDArray[np.float32]:
        """Return the discounted rewards."""
        gains: NDArray[np.float32] = found.reward * self.config.discount ** found.after.astype(np.float32)
        return gains

    def loss(self, found: Trajectories, rows: NDArray[np.int64], gains: Tensor) -> Tensor:
        """See `PolicyGradient`."""
        log, _ = self.drawn(found, rows, self.outputs(found, rows))
        return policy_gradient(log, gains)


class SteadyReinforce(PolicyGradient):
    """REINFORCE with a baseline, a bound and entropy."""

    kind: ClassVar[str] = "steady reinforce"

    def gains(self, found: Trajectories) -> NDArray[np.float32]:
        """Return the rewards in units of their spread."""
        return found.reward / (float(found.reward.std()) + 1e-6)

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
        """See `PolicyGradient`: the gain is the difference to the value, which is learned beside."""
        outputs = self.outputs(found, rows)
        log, entropy = self.drawn(found, rows, outputs)
        value = self.policy.value(outputs)
        before = torch.from_numpy(found.log[rows]).to(self.device)
        loss = 0.5 * nn.functional.mse_loss(value, gains)
        loss = loss + clipped_policy_gradient(log, before, gains - value.detach(), self.config.clip)
        total: Tensor = loss - self.config.entropy * entropy.mean()
        return total

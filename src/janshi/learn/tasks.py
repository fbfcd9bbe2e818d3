"""What is learned from decisions: which rows, their targets, the loss, and how agreement is measured.

A `Task` is a part of a training's configuration. `PolicyTask` is ours: every decision of the game by one masked policy.
Those of papers are beside their networks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.encoders.symmetry import turned
from janshi.learn.augmentation import turned_actions, turned_legal
from janshi.learn.configs import PolicyConfig, SuitConfig, option
from janshi.learn.dataset import Decisions, HandSet, decisions, legal_mask
from janshi.learn.inference import TOGETHER, answers
from janshi.learn.measuring import measured_policy, policy_targets
from janshi.learn.metrics import Measured
from janshi.learn.networks import PLACES, encoder_of
from janshi.learn.policy import Policy
from janshi.riichi.actions import ACTIONS
from janshi.tiles import KINDS

#: Hands that are measured together.
_HANDS: Final = 64
#: Points (a mangan) that `PolicyTask.outcome` is counted in; what a hand brings beyond counts no more.
_OUTCOME_UNIT: Final = 8000


@dataclass(slots=True)
class Examples:
    """What a network learns from: observations as their encoder keeps them, and targets by name, one row each."""

    packed: NDArray[Any]
    targets: dict[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.packed)

    def part(self, rows: NDArray[Any]) -> Examples:
        """Return some of the examples, in that order."""
        return Examples(self.packed[rows], {name: target[rows] for name, target in self.targets.items()})

    def tensors(self, device: torch.device) -> dict[str, Tensor]:
        """Return the targets on a device."""
        return {
            name: torch.from_numpy(np.ascontiguousarray(target)).to(device) for name, target in self.targets.items()
        }


class Loss(NamedTuple):
    """The loss of a step, and how often the first choice was right."""

    loss: Tensor
    right: int
    counted: int


class Task(Protocol):
    """What is learned: a frozen dataclass, a part of `janshi.learn.trainer.TrainConfig`."""

    kind: ClassVar[str]
    """Its name in checkpoints."""

    @property
    def network(self) -> Any:
        """The configuration of the network."""
        ...

    def examples(self, batch: Decisions) -> Examples:
        """Return what is learned from decisions."""
        ...

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """Return examples of sanma with suits changed: see `janshi.encoders.symmetry`."""
        ...

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> Loss:
        """Return the mean loss of a network's outputs (n, …; float32)."""
        ...

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """Return how a network agrees with hands, by kind of decision; ``most`` situations of each at most."""
        ...

    def metadata(self) -> dict[str, Any]:
        """Return what ``player.json`` says besides."""
        ...


def answered(
    network: nn.Module,
    hands: HandSet,
    device: torch.device,
    examples_of: Callable[[Decisions], Examples],
    most: int | None,
) -> Iterator[tuple[Examples, NDArray[np.float32]]]:
    """Yield examples and what a network answers to them, of some hands at a time.

    All hands in their order, or with ``most`` from all over the set; whoever has enough stops asking.
    """
    order = np.arange(len(hands)) if most is None else np.random.default_rng(0).permutation(len(hands))
    was_training = network.training
    network.eval()
    try:
        for first in range(0, len(order), _HANDS):
            chosen = order[first : first + _HANDS]
            examples = examples_of(decisions(hands, chosen, encoder=encoder_of(network), lazy=True))
            if len(examples):
                parts = [
                    answers(network, examples.packed[row : row + TOGETHER], device)
                    for row in range(0, len(examples), TOGETHER)
                ]
                yield examples, np.concatenate(parts)
    finally:
        network.train(was_training)


# ---------------------------------------------------------------------------------------------------------
# The whole action space


@dataclass(frozen=True, slots=True)
class PolicyTask:
    """Every decision of the game, by one policy over its whole action space.

    Answers to claims that nobody saw are left out. The value learns whether the seat wins the hand; a network that
    answers final places (`janshi.learn.networks.SuitNetwork`) learns in which the seat ends the game, one that answers
    dangerous kinds which of them complete another seat's hand. With ``outcome`` each decision's cross-entropy counts
    exp(outcome · points / 8,000) times, by the points that the hand brought its seat (at most a mangan either way; the
    weights of a batch have the mean 1): reward-weighted regression (Peters and Schaal, 2007).
    """

    network: PolicyConfig | SuitConfig = field(default_factory=PolicyConfig)
    value_weight: float = option(0.5, "Weight of the squared error of the value.", min=0)
    place_weight: float = option(0.05, "Weight of the cross-entropy of the final place, where it is answered.", min=0)
    danger_weight: float = option(1.0, "Weight of the cross-entropy of dangerous kinds, where answered.", min=0)
    outcome: float = option(
        0.0, "How much more decisions of hands that went well count: exp(this · points won or lost / 8,000).", min=0
    )
    kind: ClassVar[str] = "actions"

    def examples(self, batch: Decisions) -> Examples:
        """See `Task`: targets are ``action``, ``legal`` (words), ``won``, ``place``, ``danger`` and ``change``."""
        seen = batch.part(np.flatnonzero(batch.observed))
        assert seen.packed is not None, "decisions of a training are encoded"
        targets = {"action": seen.action, "legal": seen.legal, "won": seen.won, "place": seen.place}
        targets |= {"danger": seen.danger, "change": seen.change}
        return Examples(seen.packed, {name: np.ascontiguousarray(target) for name, target in targets.items()})

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """See `Task`."""
        targets = examples.targets | {
            "action": turned_actions(examples.targets["action"], turns),
            "legal": turned_legal(examples.targets["legal"], turns),
            "danger": turned(examples.targets["danger"][:, None], turns)[:, 0],
        }
        return Examples(turned(examples.packed, turns), targets)

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> Loss:
        """See `Task`: the policy's cross-entropy, the value's squared error, what auxiliary targets say."""
        legal = torch.from_numpy(legal_mask(targets["legal"].cpu().numpy())).to(outputs.device)
        policy = Policy(outputs[:, : legal.shape[1]], legal)
        actions = targets["action"].long()
        loss = -(policy.log_probability(actions) * self.weights(targets)).mean()
        loss = loss + self.value_weight * nn.functional.mse_loss(outputs[:, -1], targets["won"].float())
        auxiliary = outputs[:, legal.shape[1] : -1]
        known = targets["place"] >= 0
        if auxiliary.shape[1] and bool(known.any()):
            places = auxiliary[known, :PLACES]
            wrong = nn.functional.cross_entropy(places, targets["place"][known].long(), reduction="sum")
            loss = loss + self.place_weight * wrong / len(actions)
        danger = auxiliary[:, PLACES:]
        if danger.shape[1]:
            kinds = targets["danger"][:, None] >> torch.arange(KINDS, device=outputs.device) & 1
            loss = loss + self.danger_weight * nn.functional.binary_cross_entropy_with_logits(danger, kinds.float())
        return Loss(loss, int((policy.best() == actions).sum()), len(actions))

    def weights(self, targets: dict[str, Tensor]) -> Tensor:
        """Return the weights of decisions (n; mean 1) by how the hand changed their seats' points."""
        weights = torch.exp(self.outcome * (targets["change"].float() / _OUTCOME_UNIT).clamp(-1, 1))
        return weights / weights.mean()

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `Task`: the decisions of `janshi.learn.measuring`. Losses are the masked policy's."""
        parts: list[tuple[NDArray[np.float32], dict[str, NDArray[Any]]]] = []
        count = 0
        for examples, outputs in answered(network, hands, device, _labelled, most):
            parts.append((outputs[:, :ACTIONS], examples.targets))
            count += len(examples)
            if most is not None and count >= most:
                break
        if not parts:
            return {}
        logits = np.concatenate([part for part, _ in parts])
        targets = {name: np.concatenate([part[name] for _, part in parts]) for name in parts[0][1]}
        return measured_policy(logits, targets)

    def metadata(self) -> dict[str, Any]:
        """See `Task`: nothing."""
        return {}


def _labelled(batch: Decisions) -> Examples:
    """Decisions that somebody saw, with what they say of each decision that is measured."""
    seen = batch.part(np.flatnonzero(batch.observed))
    assert seen.packed is not None, "decisions to measure on are encoded"
    return Examples(seen.packed, policy_targets(seen))

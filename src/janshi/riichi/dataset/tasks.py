"""Imitation of every decision of Riichi by one masked policy, as a task of `janshi.learn.trainer`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.learn.configs import option
from janshi.learn.metrics import Measured
from janshi.learn.networks import ActionNetwork
from janshi.learn.tasks import Examples, StepLoss, Task, answered, masked_logits
from janshi.riichi.actions import ACTIONS
from janshi.riichi.dataset.augmentation import turned_actions, turned_legal
from janshi.riichi.dataset.hands import Decisions, HandSet, legal_mask
from janshi.riichi.dataset.measuring import measured_policy, policy_targets
from janshi.riichi.encoders.symmetry import turned
from janshi.riichi.networks import SuitConfig

#: Unit and limit of points in `PolicyTask.outcome` (a mangan).
_OUTCOME_UNIT: Final = 8000


@dataclass(frozen=True, slots=True)
class PolicyTask(Task):
    """Every decision of the game, by one policy over its whole action space.

    Unobserved answers to claims are left out. The value learns whether the seat wins the hand; a network that
    answers final places (`janshi.riichi.networks.SuitNetwork`) learns the seat's place at the end of the game. With
    ``outcome`` each decision's cross-entropy counts
    exp(outcome · points / 8,000) times, by the points that the hand brought its seat (at most a mangan either way; the
    weights of a batch have the mean 1): reward-weighted regression (Peters and Schaal, 2007).
    """

    network: Any = field(default_factory=SuitConfig)
    value_weight: float = option(0.5, "Weight of the squared error of the value.", min=0)
    place_weight: float = option(0.05, "Weight of the cross-entropy of the final place, where it is answered.", min=0)
    outcome: float = option(
        0.0, "How much more decisions of hands that went well count: exp(this · points won or lost / 8,000).", min=0
    )
    kind: ClassVar[str] = "actions"

    def prepared(self, hands: HandSet) -> HandSet:
        """Return the hands with the final places of their games: see `Task`."""
        return hands.with_places()

    def examples(self, batch: Decisions) -> Examples:
        """Return examples with the targets action, legal (words), won, place and change: see `Task`."""
        seen = batch.part(np.flatnonzero(batch.observed))
        assert seen.packed is not None, "decisions of a training are encoded"
        targets = {"action": seen.action, "legal": seen.legal, "won": seen.won, "place": seen.place}
        targets |= {"change": seen.change}
        return Examples(seen.packed, {name: np.ascontiguousarray(target) for name, target in targets.items()})

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """Return examples with suits exchanged: see `Task`."""
        targets = examples.targets | {
            "action": turned_actions(examples.targets["action"], turns),
            "legal": turned_legal(examples.targets["legal"], turns),
        }
        return Examples(turned(examples.packed, turns), targets)

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> StepLoss:
        """Return the policy's cross-entropy, the value's squared error and the auxiliary losses: see `Task`."""
        parts = cast("ActionNetwork", network).outputs
        legal = torch.from_numpy(legal_mask(targets["legal"].cpu().numpy())).to(outputs.device)
        logits = masked_logits(outputs[:, parts.columns("actions")], legal)
        actions = targets["action"].long()
        loss = (nn.functional.cross_entropy(logits, actions, reduction="none") * self.weights(targets)).mean()
        if "value" in parts:
            value = outputs[:, parts.columns("value")][:, 0]
            loss = loss + self.value_weight * nn.functional.mse_loss(value, targets["won"].float())
        known = targets["place"] >= 0
        if "places" in parts and bool(known.any()):
            places = outputs[known, parts.columns("places")]
            wrong = nn.functional.cross_entropy(places, targets["place"][known].long(), reduction="sum")
            loss = loss + self.place_weight * wrong / len(actions)
        return StepLoss(loss, int((logits.argmax(1) == actions).sum()), len(actions))

    def weights(self, targets: dict[str, Tensor]) -> Tensor:
        """Return the weights of decisions (n; mean 1) by how the hand changed their seats' points."""
        weights = torch.exp(self.outcome * (targets["change"].float() / _OUTCOME_UNIT).clamp(-1, 1))
        return weights / weights.mean()

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """Return the agreement by decision (`janshi.riichi.dataset.measuring`); losses are the masked policy's."""
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


def _labelled(batch: Decisions) -> Examples:
    """Return the observed decisions with the labels of each decision that is measured."""
    seen = batch.part(np.flatnonzero(batch.observed))
    assert seen.packed is not None, "decisions to measure on are encoded"
    return Examples(seen.packed, policy_targets(seen))

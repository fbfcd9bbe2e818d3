"""Training tasks of the paper's networks: one decision each, or the yaku of winners."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from janshi.installing import naming_extra
from janshi.learn.configs import option
from janshi.learn.datasets import RecordedHands
from janshi.learn.metrics import Measured, cross_entropy
from janshi.learn.tasks import Examples, StepLoss, Task
from janshi.papers.long.encoder import HAND, SUITS, exchanged_kinds, with_suits_exchanged
from janshi.papers.long.labels import CLASSES, kept_of, labels, winning_positions
from janshi.papers.long.networks import LongConfig, YakuConfig, class_logits
from janshi.papers.tasks import Columns, DecisionTask, collected
from janshi.riichi.dataset import Decisions, HandSet
from janshi.riichi.hands.yaku import YAKU
from janshi.statistics import rate
from janshi.tiles import KINDS

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn


class ExchangesSuits(Task):
    """A task whose arrays have equivalent forms, one for each order of the suits."""

    __slots__ = ()

    def turns(self, hands: RecordedHands) -> int:
        """See `janshi.learn.tasks.Task`."""
        return len(SUITS)

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """See `janshi.learn.tasks.Task`."""
        return Examples(with_suits_exchanged(examples.packed, turns), examples.targets)


@dataclass(frozen=True, slots=True)
class LongTask(ExchangesSuits, DecisionTask):
    """One decision of the paper, by its network."""

    network: LongConfig = field(default_factory=LongConfig)
    kept: float = option(1.0, "Share of the situations without a call that are learned from.", min=0, max=1)
    kind: ClassVar[str] = "long"
    classes = CLASSES

    def examples(self, batch: Decisions) -> Examples:
        """See `janshi.learn.tasks.Task`: targets are ``label`` (`janshi.papers.long.labels.labels`) and ``hand``."""
        label = labels(batch, self.network.decision)
        rows = np.flatnonzero(label >= 0)
        asked = batch.part(rows)
        assert asked.packed is not None, "decisions of a training are encoded"
        examples = Examples(asked.packed, {"label": label[rows], "hand": asked.hand})
        if self.kept == 1:
            return examples
        return examples.part(np.flatnonzero((label[rows] > 0) | kept_of(asked.packed, self.kept)))

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """See `janshi.learn.tasks.Task`."""
        result = ExchangesSuits.turned(self, examples, turns)
        if self.network.decision == "discard":
            labels = exchanged_kinds(turns)[np.arange(len(turns)), examples.targets["label"]]
            result.targets = examples.targets | {"label": labels}
        return result

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> StepLoss:
        """Return the cross-entropy, and how many first choices were right."""
        return DecisionTask.loss(self, network, class_logits(self.network.decision, outputs), targets)

    def columns(self, examples: Examples, outputs: NDArray[np.float32], chunk: int) -> Columns:
        """See `DecisionTask`; marked with the number of their hand."""
        logits = class_logits(self.network.decision, torch.from_numpy(outputs)).numpy()
        held = examples.packed[:, HAND : HAND + KINDS] > 0
        possible = held if self.network.decision == "discard" else np.ones(logits.shape, np.bool_)
        return logits, examples.targets["label"], possible, examples.targets["hand"] + (np.int64(chunk) << 32)


@dataclass(frozen=True, slots=True)
class YakuTask(ExchangesSuits):
    """The yaku of winners' hands, by a predictor for each yaku."""

    network: YakuConfig = field(default_factory=YakuConfig)
    kind: ClassVar[str] = "long-yaku"

    def examples(self, batch: Decisions) -> Examples:
        """See `janshi.learn.tasks.Task`: target is ``yaku`` (n, yaku; 0 and 1)."""
        winning = batch.part(np.flatnonzero(winning_positions(batch)))
        assert winning.packed is not None, "decisions of a training are encoded"
        scored = winning.yaku[:, None] >> np.array(self.network.yaku, np.int64) & 1
        return Examples(winning.packed, {"yaku": scored.astype(np.uint8)})

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> StepLoss:
        """Return the sum of the predictors' cross-entropies, each a mean and independent of the others."""
        scored = targets["yaku"].float()
        loss = nn.functional.binary_cross_entropy_with_logits(outputs, scored) * outputs.shape[1]
        return StepLoss(loss, int(((outputs > 0) == (scored > 0)).sum()), scored.numel())

    def answers(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Return logits and the yaku scored (n, yaku each), of ``most`` positions at most."""
        count = len(self.network.yaku)
        empty = np.zeros((0, count), np.float32), np.zeros((0, count), np.uint8)
        logits, scored = collected(network, hands, device, most, self, self._columns, empty)
        return logits, scored

    def _columns(self, examples: Examples, outputs: NDArray[np.float32], chunk: int) -> Columns:
        return outputs, examples.targets["yaku"]

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `janshi.learn.tasks.Task`: of each yaku by its name."""
        logits, scored = self.answers(network, hands, device, most)
        if not len(logits):
            return {}
        measured = {}
        for column, number in enumerate(self.network.yaku):
            yes, wanted = logits[:, column], scored[:, column].astype(np.int64)
            both = np.stack((np.zeros_like(yes), yes), axis=1)
            right = rate((yes > 0) == (wanted > 0))
            measured[YAKU[number].name] = Measured((right,), None, cross_entropy(both, wanted), None)
        return measured

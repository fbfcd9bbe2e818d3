"""What the paper's networks learn from records: one decision each, or the yaku of those who win."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.arena.results import rate
from janshi.learn.configs import option
from janshi.learn.metrics import Measured, cross_entropy
from janshi.learn.tasks import Examples, Loss, Task, answered
from janshi.papers.long.encoder import HAND
from janshi.papers.long.labels import kept_of, labels, winning_positions
from janshi.papers.long.networks import OUTPUTS, LongConfig, LongNetwork, YakuConfig, class_logits
from janshi.riichi.dataset import Decisions, HandSet
from janshi.riichi.yaku import YAKU


@dataclass(slots=True)
class Answers:
    """What a network answers to situations."""

    logits: NDArray[np.float32]
    """Over the classes (n, k)."""
    labels: NDArray[np.int64]
    """What was done (n)."""
    hands: NDArray[np.int8]
    """Tiles in the hand (n, 34)."""
    groups: NDArray[np.int64]
    """Number of the situation's hand of the game (n)."""

    @property
    def first(self) -> NDArray[np.int64]:
        """The first choice, whether it is in the hand or not (n)."""
        choices: NDArray[np.int64] = self.logits.argmax(axis=1).astype(np.int64)
        return choices

    @property
    def in_hand(self) -> NDArray[np.bool_]:
        """Of discards: whether the first choice is a tile of the hand (n)."""
        held: NDArray[np.bool_] = self.hands[np.arange(len(self.labels)), self.first] > 0
        return held

    @property
    def first_held(self) -> NDArray[np.int64]:
        """Of discards: the best choice among the tiles of the hand (n)."""
        choices: NDArray[np.int64] = np.where(self.hands > 0, self.logits, -np.inf).argmax(axis=1).astype(np.int64)
        return choices


@dataclass(frozen=True, slots=True)
class LongTask(Task):
    """One decision of the paper, by its network. First choices count as they are, without a mask, as in the paper."""

    network: LongConfig = field(default_factory=LongConfig)
    kept: float = option(1.0, "Share of the situations without a call that are learned from.", min=0, max=1)
    kind: ClassVar[str] = "long"

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
        """Return them as they are: the encoders are not symmetric."""
        return examples

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> Loss:
        """Return the cross-entropy (of discards with the regulariser), and how many first choices were right."""
        assert isinstance(network, LongNetwork)
        wanted = targets["label"].long()
        logits = class_logits(self.network.decision, outputs)
        loss = nn.functional.cross_entropy(logits, wanted)
        if network.widest is not None:
            loss = loss + network.penalty()
        return Loss(loss, int((logits.argmax(1) == wanted).sum()), len(wanted))

    def answers(self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None) -> Answers:
        """Return what a network answers to the situations of hands; ``most`` of them at most."""
        classes = max(2, OUTPUTS[self.network.decision])
        nothing = np.zeros(0, np.int64)
        parts = [Answers(np.zeros((0, classes), np.float32), nothing, np.zeros((0, 34), np.int8), nothing)]
        count = before = 0
        for examples, outputs in answered(network, hands, device, self.examples, most):
            logits = class_logits(self.network.decision, torch.from_numpy(outputs)).numpy()
            held = examples.packed[:, HAND : HAND + 34]
            groups = before + examples.targets["hand"].astype(np.int64)
            parts.append(Answers(logits, examples.targets["label"], held, groups))
            count, before = count + len(examples), int(groups.max()) + 1
            if most is not None and count >= most:
                break
        columns = (column.name for column in fields(Answers))
        return Answers(*(np.concatenate([getattr(part, name) for part in parts])[:most] for name in columns))

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `janshi.learn.tasks.Task`."""
        result = self.answers(network, hands, device, most)
        if not len(result.labels):
            return {}
        loss = cross_entropy(result.logits, result.labels)
        illegal = rate(~result.in_hand) if self.network.decision == "discard" else None
        right = rate(result.first == result.labels)
        return {self.network.decision: Measured((right,), illegal, loss, None)}


@dataclass(frozen=True, slots=True)
class YakuTask(Task):
    """What the hands of winners score, by a predictor for each yaku."""

    network: YakuConfig = field(default_factory=YakuConfig)
    kind: ClassVar[str] = "long-yaku"

    def examples(self, batch: Decisions) -> Examples:
        """See `janshi.learn.tasks.Task`: target is ``yaku`` (n, yaku; 0 and 1)."""
        winning = batch.part(np.flatnonzero(winning_positions(batch)))
        assert winning.packed is not None, "decisions of a training are encoded"
        scored = winning.yaku[:, None] >> np.array(self.network.yaku, np.int64) & 1
        return Examples(winning.packed, {"yaku": scored.astype(np.uint8)})

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """Return them as they are: the encoder is not symmetric."""
        return examples

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> Loss:
        """Return the sum of the predictors' cross-entropies, each a mean: none of them has a part in another's."""
        scored = targets["yaku"].float()
        loss = nn.functional.binary_cross_entropy_with_logits(outputs, scored) * outputs.shape[1]
        return Loss(loss, int(((outputs > 0) == (scored > 0)).sum()), scored.numel())

    def answers(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Return logits and what was scored (n, yaku each), of ``most`` positions at most."""
        logits: list[NDArray[np.float32]] = [np.zeros((0, len(self.network.yaku)), np.float32)]
        scored: list[NDArray[np.uint8]] = [np.zeros((0, len(self.network.yaku)), np.uint8)]
        for examples, outputs in answered(network, hands, device, self.examples, most):
            logits.append(outputs)
            scored.append(examples.targets["yaku"])
            if most is not None and sum(map(len, scored)) >= most:
                break
        return np.concatenate(logits)[:most], np.concatenate(scored)[:most]

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

"""What the networks of the `gao` thesis learn: one decision each, or the discards of a hand as a sequence."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.learn.metrics import Measured, measured_choice
from janshi.learn.tasks import Examples, Loss, Task, answered
from janshi.learn.trainer import TrainConfig
from janshi.papers.gao.decisions import Decision
from janshi.papers.gao.encoder import CELLS, STEP, STEPS
from janshi.papers.gao.labels import Choice, one_a_hand, situations
from janshi.papers.gao.networks import GaoConfig, GaoSequenceConfig
from janshi.riichi.dataset import Decisions, HandSet
from janshi.riichi.dataset.answers import discard_masks

#: No label: a padded step, or one without a decision.
NONE: Final = -100


def _no_turns() -> NotImplementedError:
    return NotImplementedError("suits change places in sanma alone; these planes are for games of four")


@dataclass(frozen=True, slots=True)
class GaoTask(Task):
    """One of the four decisions, situation by situation."""

    network: GaoConfig = field(default_factory=GaoConfig)
    choice: Choice = field(default_factory=Choice)
    kind: ClassVar[str] = "gao"

    def examples(self, batch: Decisions) -> Examples:
        """See `janshi.learn.tasks.Task`: targets are ``label``, ``legal`` (masks of kinds) and ``alone``.

        ``alone``: whether it is the one situation of its hand that stands for it in a test.
        """
        rows, label = situations(batch, self.network.decision, self.choice)
        part = batch.part(rows)
        assert part.packed is not None, "decisions of a training are encoded"
        alone = np.isin(rows, one_a_hand(batch, rows, self.choice.seed))
        targets = {"label": label.astype(np.int64), "legal": discard_masks(part.legal, part.drawn), "alone": alone}
        return Examples(part.packed, targets)

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """See `janshi.learn.tasks.Task`: raises `NotImplementedError`, the thesis is about games of four."""
        raise _no_turns()

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> Loss:
        """Return the cross-entropy, and how many were right."""
        label = targets["label"]
        loss = nn.functional.cross_entropy(outputs, label)
        return Loss(loss, int((outputs.argmax(1) == label).sum()), len(label))

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `janshi.learn.tasks.Task`: of the unmasked first choice."""
        answers = Answers.of(self, network, hands, device, most)
        return {self.network.decision: answers.measured()} if len(answers) else {}


@dataclass(frozen=True, slots=True)
class GaoSequenceTask(Task):
    """The discards of a hand, as one sequence of situations.

    As in the thesis, padded steps are learned from too, with the label of a padded row, 1m (where
    ``network.padding``); measured are those that there are.
    """

    network: GaoSequenceConfig = field(default_factory=GaoSequenceConfig)
    choice: Choice = field(default_factory=Choice)
    kind: ClassVar[str] = "gao sequence"

    def examples(self, batch: Decisions) -> Examples:
        """See `janshi.learn.tasks.Task`: one for each hand and player.

        Targets are ``label`` (n, 22; `NONE` for no label), ``there`` (n, 22) and, for steps that have a label,
        ``legal`` (n, 22; masks of kinds) and ``alone`` (n, 22).
        """
        rows, label = situations(batch, Decision.DISCARD, self.choice)
        part = batch.part(rows)
        assert part.packed is not None, "decisions of a training are encoded"
        steps = (part.packed[:, :: CELLS * STEP] != 0).sum(axis=1) - 1
        player = part.hand.astype(np.int64) * 4 + part.seat
        order = np.lexsort((rows, player))
        # Of a hand longer than 22 steps those behind the first 22 are left out.
        again = (np.diff(steps[order]) == 0) & (np.diff(player[order]) == 0)
        order = order[np.concatenate([[True], ~again])[: len(rows)]]
        rows, label, steps, player = rows[order], label[order], steps[order], player[order]
        _, last, place = np.unique(player[::-1], return_index=True, return_inverse=True)
        sequences = len(player) - 1 - last
        place = place[::-1]
        targets = _empty_targets(len(sequences))
        targets["label"][place, steps] = label
        sequence = batch.part(rows)
        targets["legal"][place, steps] = discard_masks(sequence.legal, sequence.drawn)
        targets["alone"][place, steps] = np.isin(rows, one_a_hand(batch, np.sort(rows), self.choice.seed))
        packed = part.packed[order[sequences]]
        targets["there"][:] = packed[:, :: CELLS * STEP] != 0
        if self.network.padding:
            targets["label"][~targets["there"]] = 0
        return Examples(packed, targets)

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """See `janshi.learn.tasks.Task`: raises `NotImplementedError`, the thesis is about games of four."""
        raise _no_turns()

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> Loss:
        """Return the cross-entropy over the steps with a label; how many of those that there are were right."""
        label = targets["label"].flatten()
        logits = outputs.flatten(0, 1)
        loss = nn.functional.cross_entropy(logits, label, ignore_index=NONE)
        there = targets["there"].flatten() & (label != NONE)
        return Loss(loss, int((logits.argmax(1) == label)[there].sum()), int(there.sum()))

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `janshi.learn.tasks.Task`: of steps that there are; with padding also as the thesis validates."""
        answers = Answers.of(self, network, hands, device, most)
        if not len(answers):
            return {}
        measured = {"discard": answers.measured()}
        if self.network.padding:
            padded = Answers.of(self, network, hands, device, most, padding=True)
            measured["discard with padding"] = padded.measured()
        return measured


def _empty_targets(count: int) -> dict[str, NDArray[Any]]:
    shape = (count, STEPS)
    return {
        "label": np.full(shape, NONE, np.int64),
        "legal": np.zeros(shape, np.int64),
        "alone": np.zeros(shape, np.bool_),
        "there": np.zeros(shape, np.bool_),
    }


@dataclass(frozen=True, slots=True)
class Answers:
    """What a network answers to situations: ``logits`` (n, k), ``label`` (n), ``legal`` (n; masks), ``alone`` (n)."""

    logits: NDArray[np.float32]
    label: NDArray[np.int64]
    legal: NDArray[np.int64]
    alone: NDArray[np.bool_]
    discards: bool

    def __len__(self) -> int:
        return len(self.label)

    @classmethod
    def of(
        cls,
        task: GaoTask | GaoSequenceTask,
        network: nn.Module,
        hands: HandSet,
        device: torch.device,
        most: int | None = None,
        *,
        padding: bool = False,
    ) -> Answers:
        """Return what a network answers to the situations of hands, of ``most`` at most from all over the set.

        ``padding``: of sequences, steps that there are not count as 1m.
        """
        parts: list[tuple[NDArray[Any], ...]] = []
        count = 0
        for examples, outputs in answered(network, hands, device, task.examples, most):
            targets = examples.targets
            label = targets["label"].reshape(-1)
            asked = label != NONE
            if "there" in targets and not padding:
                asked &= targets["there"].reshape(-1)
            logits = outputs.reshape(len(label), -1)
            kept = (logits, label, targets["legal"].reshape(-1), targets["alone"].reshape(-1))
            parts.append(tuple(values[asked] for values in kept))
            count += int(asked.sum())
            if most is not None and count >= most:
                break
        discards = task.network.decision == Decision.DISCARD
        if not parts:
            empty = np.zeros(0, np.int64)
            return cls(np.zeros((0, 1), np.float32), empty, empty, np.zeros(0, np.bool_), discards)
        logits, label, legal, alone = (np.concatenate(columns)[:most] for columns in zip(*parts, strict=True))
        return cls(logits, label, legal, alone, discards)

    def part(self, which: NDArray[Any]) -> Answers:
        """Return some of them."""
        return Answers(self.logits[which], self.label[which], self.legal[which], self.alone[which], self.discards)

    def legal_kinds(self) -> NDArray[np.bool_]:
        """Return which classes are possible (n, k): of discards the kinds, else all."""
        if not self.discards:
            return np.ones(self.logits.shape, np.bool_)
        mask: NDArray[np.bool_] = (self.legal[:, None] >> np.arange(self.logits.shape[1]) & 1) > 0
        return mask

    def measured(self, *, masked: bool = False) -> Measured:
        """Return how often the label is among the first 1, 2, 3 choices; ``masked``: among those possible.

        Of discards also how often the first choice is not possible.
        """
        legal = self.legal_kinds()
        every = legal if masked else np.ones_like(legal)
        choice = measured_choice(self.logits, self.label, every)
        illegal = measured_choice(self.logits, self.label, legal).illegal if self.discards else None
        return Measured(choice.top[: max(1, self.logits.shape[1] - 1)], illegal, choice.loss, None)


def paper_config(task: GaoTask | GaoSequenceTask, **changes: Any) -> TrainConfig:
    """Return the thesis's setting: Adam 10⁻³, batches of 256, a tenth held out. Source: sections 4.2 and 6.2.

    >>> paper_config(GaoTask()).batch
    256
    """
    setting: dict[str, Any] = {
        "task": task,
        "batch": 256,
        "learning_rate": 1e-3,
        "weight_decay": 0.0,
        "cosine": False,
        "development": 0.1,
    }
    return TrainConfig(**(setting | changes))

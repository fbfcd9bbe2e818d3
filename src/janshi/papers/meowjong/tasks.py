"""The training task of the papers' networks: one of the five decisions each."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from janshi.installing import naming_extra
from janshi.learn.configs import option
from janshi.learn.metrics import Measured, measured_choice, measured_yes_no
from janshi.learn.tasks import Examples, StepLoss, Task, answered
from janshi.learn.trainer import TrainConfig
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.labels import labelled
from janshi.papers.meowjong.networks import MeowjongConfig, outputs_of
from janshi.riichi.dataset import Decisions, HandSet
from janshi.riichi.encoders.symmetry import turned, turned_kinds
from janshi.tiles import KINDS

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn


def _examples(batch: Decisions, decision: str) -> Examples:
    """Situations with a decision: ``label`` (kind, or 0 and 1) and ``legal`` (masks of kinds)."""
    found = labelled(batch, decision)
    assert found.packed is not None, "decisions of a training are encoded"
    return Examples(found.packed, {"label": found.labels[:, DECISIONS.index(decision)], "legal": found.legal})


@dataclass(frozen=True, slots=True)
class OneDecision(Task):
    """One of the five decisions, by a network of the papers."""

    network: MeowjongConfig = field(default_factory=MeowjongConfig)
    held_examples: float = option(
        0.0, "Share of the situations, of whatever hand, that are measured on and not learned from.", min=0, max=0.9
    )
    kind: ClassVar[str] = "one decision"

    def examples(self, batch: Decisions) -> Examples:
        """See `janshi.learn.tasks.Task`."""
        every = _examples(batch, self.network.decision)
        return every if not self.held_examples else every.part(np.flatnonzero(~held(every.packed, self.held_examples)))

    def held(self, batch: Decisions) -> Examples:
        """Return the situations that are measured on: all, or those held out by example."""
        every = _examples(batch, self.network.decision)
        return every if not self.held_examples else every.part(np.flatnonzero(held(every.packed, self.held_examples)))

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """See `janshi.learn.tasks.Task`."""
        targets = dict(examples.targets, legal=turned(examples.targets["legal"][:, None], turns)[:, 0])
        if self.network.decision == "discard":
            targets["label"] = turned_kinds(targets["label"], turns)
        return Examples(turned(examples.packed, turns), targets)

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> StepLoss:
        """Return the cross-entropy of the decision, and how many were right."""
        label = targets["label"].long()
        right = int((outputs.argmax(1) == label).sum())
        return StepLoss(nn.functional.cross_entropy(outputs, label), right, len(label))

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `janshi.learn.tasks.Task`."""
        parts: list[tuple[NDArray[Any], ...]] = []
        for part, outputs in answered(network, hands, device, self.held, most):
            parts.append((outputs, part.targets["label"].astype(np.int64), part.targets["legal"]))
            if most is not None and sum(len(chunk[1]) for chunk in parts) >= most:
                break
        if not parts:
            return {}
        logits, labels, masks = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        if self.network.decision == "discard":
            return {"discard": measured_choice(logits, labels, (masks[:, None] >> np.arange(KINDS) & 1) > 0)}
        return {self.network.decision: measured_yes_no(logits, labels)}


def paper_config(decision: str, **changes: Any) -> TrainConfig:
    """Return the papers' setting for a decision with its network, and with changes to it.

    Adam 10⁻³, 200 epochs of batches of 64 for discards, else 500 of 32.

    Raises `ValueError` for an unknown decision.

    >>> paper_config("kan").batch, paper_config("kan", batch=8).batch
    (32, 8)
    """
    outputs_of(decision)
    epochs, batch = (200.0, 64) if decision == "discard" else (500.0, 32)
    setting = TrainConfig(
        task=OneDecision(MeowjongConfig(decision)),
        epochs=epochs,
        batch=batch,
        learning_rate=1e-3,
        weight_decay=0.0,
        cosine=False,
        development=0.1,
        measure_every=1.0,
    )
    return dataclasses.replace(setting, **changes)


def held(packed: NDArray[Any], share: float) -> NDArray[np.bool_]:
    """Return the mask of observations (n, columns; masks) held out by example: by their content, not their hand.

    The papers divide their examples so, stratified by class; here every class has its share up to chance.

    >>> observations = np.random.default_rng(0).integers(0, 1 << 34, (1000, 366))
    >>> bool(80 < held(observations, 0.1).sum() < 120)
    True
    """
    weights = np.random.default_rng(5).integers(0, 1 << 63, packed.shape[1], np.uint64) | np.uint64(1)
    mixed = (packed.astype(np.uint64) * weights).sum(axis=1, dtype=np.uint64)
    mixed = (mixed ^ mixed >> np.uint64(32)) * np.uint64(0x9E3779B97F4A7C15)
    below: NDArray[np.bool_] = (mixed >> np.uint64(11)).astype(np.float64) / float(1 << 53) < share
    return below

"""What networks of the five decisions learn from records: ours all five at once, the papers' one each."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.learn.configs import option
from janshi.learn.metrics import Measured, measured_choice, measured_yes_no
from janshi.learn.tasks import Examples, Loss, Task, answered
from janshi.learn.trainer import TrainConfig
from janshi.papers.meowjong.configs import KAN_WEIGHT, MeowjongConfig, ResidualConfig, paper_settings
from janshi.papers.meowjong.decisions import DECISIONS, Decision
from janshi.papers.meowjong.labels import labelled
from janshi.papers.meowjong.networks import PEOPLE, SHARPEN, WINNERS, logits_of, outputs_of
from janshi.riichi.dataset import Decisions, HandSet
from janshi.riichi.encoders.symmetry import turned, turned_kinds

_KINDS: Final = 34


def _examples(batch: Decisions, decision: str | None) -> Examples:
    """Situations with any of the five decisions, or with one: ``labels``, ``legal`` (masks of kinds) and ``won``."""
    found = labelled(batch, decision)
    assert found.packed is not None, "decisions of a training are encoded"
    targets: dict[str, NDArray[Any]] = {"labels": found.labels, "legal": found.legal, "won": found.decisions.won}
    return Examples(found.packed, targets)


def _turned(examples: Examples, turns: NDArray[np.uint8]) -> Examples:
    """Examples of sanma with suits changed."""
    labels = examples.targets["labels"].copy()
    discards = np.flatnonzero(labels[:, Decision.DISCARD] >= 0)
    labels[discards, Decision.DISCARD] = turned_kinds(labels[discards, Decision.DISCARD], turns[discards])
    legal = turned(examples.targets["legal"][:, None], turns)[:, 0]
    return Examples(turned(examples.packed, turns), examples.targets | {"labels": labels, "legal": legal})


@dataclass(frozen=True, slots=True)
class FiveDecisions(Task):
    """All five decisions at once: what people do, and what those do who win the hand."""

    network: ResidualConfig = field(default_factory=ResidualConfig)
    kan_weight: float = option(
        KAN_WEIGHT, "How much a kan that was possible counts beside the other decisions: it is one in a hundred.", min=0
    )
    kind: ClassVar[str] = "five decisions"

    def examples(self, batch: Decisions) -> Examples:
        """See `janshi.learn.tasks.Task`."""
        return _examples(batch, None)

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """See `janshi.learn.tasks.Task`."""
        return _turned(examples, turns)

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> Loss:
        """Return the cross-entropy of the decisions there were; of discards how many were right, and all."""
        labels, won = targets["labels"].long(), targets["won"]
        total = outputs.new_zeros(())
        right = counted = 0
        for column, name in enumerate(DECISIONS):
            there = labels[:, column] >= 0
            for whose, which in ((PEOPLE, there), (WINNERS, there & won)):
                if not bool(which.any()):
                    continue
                logits = logits_of(network, outputs[which], name, whose)
                loss = nn.functional.cross_entropy(logits, labels[which, column], reduction="sum")
                total = total + loss * (self.kan_weight if name == "kan" else 1.0)
                if name == "discard" and whose == PEOPLE:
                    right = int((logits.argmax(1) == labels[which, column]).sum())
                    counted = len(logits)
        return Loss(total / len(labels), right, counted)

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `janshi.learn.tasks.Task`."""
        return measure(network, hands, device, None, most)

    def metadata(self) -> dict[str, Any]:
        """Return how far its player goes towards what winners do."""
        return {"sharpen": SHARPEN}


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
        return _turned(examples, turns)

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> Loss:
        """Return the cross-entropy of the decision, and how many were right."""
        labels = targets["labels"][:, DECISIONS.index(self.network.decision)].long()
        loss = nn.functional.cross_entropy(outputs, labels, reduction="sum") / len(labels)
        return Loss(loss, int((outputs.argmax(1) == labels).sum()), len(labels))

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `janshi.learn.tasks.Task`."""
        return measure(network, hands, device, self.network.decision, most, examples=self.held)

    def metadata(self) -> dict[str, Any]:
        """Return that nothing is sharpened."""
        return {"sharpen": {}}


def paper_config(decision: str, **changes: Any) -> TrainConfig:
    """Return the papers' setting for a decision (`paper_settings`) with its network, and with changes to it.

    Raises `ValueError` for an unknown decision.

    >>> paper_config("kan").batch, paper_config("kan", batch=8).batch
    (32, 8)
    """
    outputs_of(decision)
    setting = dataclasses.asdict(paper_settings(decision))
    return TrainConfig(**(setting | {"task": OneDecision(MeowjongConfig(decision))} | changes))


def held(packed: NDArray[Any], share: float) -> NDArray[np.bool_]:
    """Return which observations (n, columns; masks) are held out by example: by what they hold, whatever hand it is.

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


def measure(
    network: nn.Module,
    hands: HandSet,
    device: torch.device,
    decision: str | None = None,
    most: int | None = None,
    *,
    examples: Callable[[Decisions], Examples] | None = None,
) -> dict[str, Measured]:
    """Return how a network agrees with hands, for all five decisions or one; ``most`` situations of each at most.

    With ``most`` hands are taken from all over the set until there are enough. ``examples``: which situations count, by
    default all.
    """
    counted = partial(_examples, decision=decision) if examples is None else examples
    wanted = [name for name in DECISIONS if decision in (None, name)]
    rows: dict[str, list[tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]]] = {n: [] for n in wanted}
    for part, outputs in answered(network, hands, device, counted, most):
        for name in wanted:
            labels = part.targets["labels"][:, DECISIONS.index(name)].astype(np.int64)
            which = np.flatnonzero(labels >= 0)
            logits = logits_of(network, torch.from_numpy(outputs[which]), name).numpy()
            rows[name].append((logits, labels[which], part.targets["legal"][which]))
        if most is not None and max(sum(len(chunk[1]) for chunk in parts) for parts in rows.values()) >= most:
            break
    return {name: _measured(name, parts) for name, parts in rows.items() if parts}


def _measured(name: str, parts: list[tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]]) -> Measured:
    logits, labels, masks = (np.concatenate([part[column] for part in parts]) for column in range(3))
    if name != "discard":
        return measured_yes_no(logits, labels)
    return measured_choice(logits, labels, (masks[:, None] >> np.arange(_KINDS) & 1) > 0)

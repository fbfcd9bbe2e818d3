"""Training tasks of the `gao` thesis: one decision each, or the discards of a hand as a sequence."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from janshi.installing import naming_extra
from janshi.learn.metrics import Measured
from janshi.learn.tasks import Examples, StepLoss
from janshi.papers.gao.encoder import STEPS
from janshi.papers.gao.labels import CLASSES, Selection, one_a_hand, situations
from janshi.papers.gao.networks import GaoConfig, GaoSequenceConfig, held_steps
from janshi.papers.tasks import Columns, DecisionTask
from janshi.riichi.dataset import Decisions, HandSet
from janshi.riichi.dataset.answers import discard_masks
from janshi.tiles import KINDS

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: No label: a padded step, or one without a decision.
NONE: Final = -100


@dataclass(frozen=True, slots=True)
class GaoTask(DecisionTask):
    """One of the four decisions, situation by situation."""

    network: GaoConfig = field(default_factory=GaoConfig)
    choice: Selection = field(default_factory=Selection)
    kind: ClassVar[str] = "gao"
    classes = CLASSES

    def examples(self, batch: Decisions) -> Examples:
        """See `janshi.learn.tasks.Task`: targets are ``label``, ``legal`` (masks of kinds) and ``alone``.

        ``alone``: whether it is the one situation that represents its hand in a test.
        """
        rows, label = situations(batch, self.network.decision, self.choice)
        part = batch.part(rows)
        assert part.packed is not None, "decisions of a training are encoded"
        alone = np.isin(rows, one_a_hand(batch, rows, self.choice.seed))
        targets = {"label": label.astype(np.int64), "legal": discard_masks(part.legal, part.drawn), "alone": alone}
        return Examples(part.packed, targets)

    def columns(self, examples: Examples, outputs: NDArray[np.float32], chunk: int) -> Columns:
        """See `DecisionTask`; marks are the situations that represent their hand."""
        targets = examples.targets
        possible = possible_kinds(targets["legal"]) if outputs.shape[1] == KINDS else np.ones(outputs.shape, np.bool_)
        return outputs, targets["label"], possible, targets["alone"]


@dataclass(frozen=True, slots=True)
class GaoSequenceTask(DecisionTask):
    """The discards of a hand, as one sequence of situations.

    As in the thesis, padded steps are learned from too, with the label of a padded row, 1m (where
    ``network.padding``); only existing steps are measured.
    """

    network: GaoSequenceConfig = field(default_factory=GaoSequenceConfig)
    choice: Selection = field(default_factory=Selection)
    kind: ClassVar[str] = "gao sequence"
    classes = CLASSES

    def examples(self, batch: Decisions) -> Examples:
        """See `janshi.learn.tasks.Task`: one for each hand and player.

        Targets are ``label`` (n, 22; `NONE` for no label), ``there`` (n, 22) and, for steps that have a label,
        ``legal`` (n, 22; masks of kinds) and ``alone`` (n, 22).
        """
        rows, label = situations(batch, self.network.decision, self.choice)
        part = batch.part(rows)
        assert part.packed is not None, "decisions of a training are encoded"
        steps = held_steps(part.packed).sum(axis=1) - 1
        player = part.hand.astype(np.int64) * 4 + part.seat
        order = np.lexsort((rows, player))
        # Of a hand longer than 22 steps those behind the first 22 are left out.
        again = (np.diff(steps[order]) == 0) & (np.diff(player[order]) == 0)
        order = order[np.concatenate([[True], ~again])[: len(rows)]]
        rows, label, steps, player = rows[order], label[order], steps[order], player[order]
        _, last, place = np.unique(player[::-1], return_index=True, return_inverse=True)
        sequences = len(player) - 1 - last
        place = place[::-1]
        packed = part.packed[order[sequences]]
        legal = discard_masks(part.legal[order], part.drawn[order])
        alone = np.isin(rows, one_a_hand(batch, np.sort(rows), self.choice.seed))
        targets = {"there": held_steps(packed)}
        for name, values, nothing in (
            ("label", label.astype(np.int64), NONE),
            ("legal", legal, 0),
            ("alone", alone, 0),
        ):
            targets[name] = np.full((len(sequences), STEPS), nothing, values.dtype)
            targets[name][place, steps] = values
        if self.network.padding:
            targets["label"][~targets["there"]] = 0
        return Examples(packed, targets)

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> StepLoss:
        """Return the cross-entropy over the steps with a label; and how many existing steps were right."""
        label = targets["label"].flatten()
        logits = outputs.flatten(0, 1)
        loss = nn.functional.cross_entropy(logits, label, ignore_index=NONE)
        there = targets["there"].flatten() & (label != NONE)
        return StepLoss(loss, int((logits.argmax(1) == label)[there].sum()), int(there.sum()))

    def columns(
        self, examples: Examples, outputs: NDArray[np.float32], chunk: int, *, padding: bool = False
    ) -> Columns:
        """See `GaoTask.columns`; ``padding``: padded steps count too, as 1m."""
        targets = examples.targets
        asked = (targets["label"] != NONE) & (targets["there"] | padding)
        return outputs[asked], targets["label"][asked], possible_kinds(targets["legal"][asked]), targets["alone"][asked]

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `janshi.learn.tasks.Task`: over existing steps; with padding also as the thesis validates."""
        measured = DecisionTask.measure(self, network, hands, device, most)
        if measured and self.network.padding:
            padded = self.answers(network, hands, device, most, partial(self.columns, padding=True))
            measured["discard with padding"] = padded.measured()
        return measured


def possible_kinds(masks: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return masks of kinds (n) as rows (n, 34)."""
    kinds: NDArray[np.bool_] = (masks[:, None] >> np.arange(KINDS) & 1) > 0
    return kinds

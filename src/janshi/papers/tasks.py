"""Tasks of networks that answer one decision each, and their answers to the situations of a set of hands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from janshi.installing import naming_extra
from janshi.learn.metrics import Measured, measured_choice
from janshi.learn.tasks import Examples, StepLoss, Task, answered
from janshi.riichi.dataset import HandSet
from janshi.tiles import KINDS

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: Columns (n, …) of situations.
Columns = tuple[NDArray[Any], ...]
#: Takes examples, the network's outputs for them, and their chunk: hands are numbered from 0 in each.
ColumnsOf = Callable[[Examples, NDArray[np.float32], int], Columns]


@dataclass(frozen=True, slots=True)
class NetworkAnswers:
    """A network's outputs for situations, and the people's actions."""

    logits: NDArray[np.float32]
    """Of each class (n, k)."""
    labels: NDArray[np.int64]
    """Class of the action taken (n)."""
    possible: NDArray[np.bool_]
    """Classes that were possible (n, k): kinds that could be discarded; every class of a call."""
    marks: NDArray[Any]
    """A further column of the task (n)."""

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def first(self) -> NDArray[np.int64]:
        """First choice of all classes (n)."""
        choices: NDArray[np.int64] = self.logits.argmax(axis=1)
        return choices

    @property
    def first_is_possible(self) -> NDArray[np.bool_]:
        """Return whether the first choice is possible (n)."""
        return self.possible[np.arange(len(self)), self.first]

    @property
    def first_possible(self) -> NDArray[np.int64]:
        """First choice of the possible classes (n)."""
        choices: NDArray[np.int64] = np.where(self.possible, self.logits, -np.inf).argmax(axis=1)
        return choices

    def part(self, which: NDArray[np.int64]) -> NetworkAnswers:
        """Return some of the answers."""
        return NetworkAnswers(self.logits[which], self.labels[which], self.possible[which], self.marks[which])

    def measured(self, *, masked: bool = False) -> Measured:
        """Return the rates of labels among the first one, two, three choices, for discards also the illegal share.

        ``masked``: choices of the possible classes alone.
        """
        choice = measured_choice(self.logits, self.labels, self.possible | (not masked))
        classes = self.logits.shape[1]
        illegal = measured_choice(self.logits, self.labels, self.possible).illegal if classes == KINDS else None
        return Measured(choice.top[: classes - 1], illegal, choice.loss, None)


def collected(
    network: nn.Module,
    hands: HandSet,
    device: torch.device,
    most: int | None,
    task: Task,
    columns_of: ColumnsOf,
    empty: Columns,
) -> Columns:
    """Return the columns of all situations of hands, or of ``most`` from all over the set; ``empty``: with no row."""
    parts, count = [empty], 0
    for chunk, (examples, outputs) in enumerate(answered(network, hands, device, task.examples, most)):
        parts.append(columns_of(examples, outputs, chunk))
        count += len(parts[-1][0])
        if most is not None and count >= most:
            break
    return tuple(np.concatenate(columns)[:most] for columns in zip(*parts, strict=True))


class DecisionTask(Task):
    """One decision by one network. First choices count without a mask, as in the papers."""

    __slots__ = ()

    classes: ClassVar[Mapping[str, int]]
    """Number of classes by decision."""

    def columns(self, examples: Examples, outputs: NDArray[np.float32], chunk: int) -> Columns:
        """Return the fields of `NetworkAnswers`: see `ColumnsOf`."""
        raise NotImplementedError

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> StepLoss:
        """Return the cross-entropy of logits (n, k), and how many first choices were right."""
        label = targets["label"].long()
        loss = nn.functional.cross_entropy(outputs, label)
        return StepLoss(loss, int((outputs.argmax(1) == label).sum()), len(label))

    def answers(
        self,
        network: nn.Module,
        hands: HandSet,
        device: torch.device,
        most: int | None = None,
        columns_of: ColumnsOf | None = None,
    ) -> NetworkAnswers:
        """Return a network's answers to the situations of hands; ``most`` of them at most."""
        classes = self.classes[self.network.decision]
        none = np.zeros(0, np.int64)
        empty = (np.zeros((0, classes), np.float32), none, np.zeros((0, classes), np.bool_), none)
        return NetworkAnswers(*collected(network, hands, device, most, self, columns_of or self.columns, empty))

    def measure(
        self, network: nn.Module, hands: HandSet, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """See `janshi.learn.tasks.Task`: the first choice of all classes."""
        found = self.answers(network, hands, device, most)
        return {self.network.decision: found.measured()} if len(found) else {}

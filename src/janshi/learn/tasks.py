"""Tasks of supervised learning: the examples of decisions, their targets, the loss, and measures of agreement.

A `Task` is a part of a training's configuration. The ordinary one of a game, every decision by one masked policy, is
named by its facet ``"dataset"`` (`janshi.learn.datasets`); those of papers are beside their networks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.encoders import ENCODERS
from janshi.learn.datasets import Hands, dataset_of
from janshi.learn.inference import many_answers
from janshi.learn.metrics import Measured
from janshi.learn.networks import encoder_of, kind_of
from janshi.registries import load

#: Hands that are measured together.
_HANDS: Final = 64


@dataclass(slots=True)
class Examples:
    """Observations as their encoder keeps them, and targets by name, one row an example."""

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


def joined(parts: Sequence[Examples]) -> Examples:
    """Return the examples of one or more parts, one after another."""
    first, *more = parts
    if not more:
        return first
    targets = {name: np.concatenate([part.targets[name] for part in parts]) for name in first.targets}
    return Examples(np.concatenate([part.packed for part in parts]), targets)


class Loss(NamedTuple):
    """The loss of a step, and counts of the first choices: right ones, and all."""

    loss: Tensor
    right: int
    counted: int


class Task:
    """Base of all tasks: a frozen dataclass, a part of `janshi.learn.trainer.TrainConfig`.

    ``batch`` and ``hands`` are of the types of its game's `janshi.learn.datasets.Dataset`.
    """

    __slots__ = ()

    kind: ClassVar[str]
    """Its name in checkpoints."""
    network: Any
    """The configuration of the network."""

    def prepared(self, hands: Any) -> Any:
        """Return hands with whatever else the task needs of them: by default as they are."""
        return hands

    def examples(self, batch: Any) -> Examples:
        """Return the examples of a batch of decisions."""
        raise NotImplementedError

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """Return examples turned: see `janshi.learn.datasets.Hands.turns`."""
        raise NotImplementedError

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> Loss:
        """Return the mean loss of a network's outputs (n, …; float32)."""
        raise NotImplementedError

    def measure(
        self, network: nn.Module, hands: Any, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """Return how a network agrees with hands, by kind of decision; ``most`` situations of each at most."""
        raise NotImplementedError

    def metadata(self) -> dict[str, Any]:
        """Return further entries of ``player.json``."""
        return {}


def task_of(shape: Any, **options: Any) -> Task:
    """Return the task that a network of that shape learns: its kind's own, or every decision of its encoder's game."""
    kind = kind_of(shape)
    make = load(kind.task) if kind.task else dataset_of(ENCODERS[shape.encoder].game).task
    task: Task = make(shape, **options)
    return task


def answered(
    network: nn.Module,
    hands: Hands,
    device: torch.device,
    examples_of: Callable[[Any], Examples],
    most: int | None,
) -> Iterator[tuple[Examples, NDArray[np.float32]]]:
    """Yield examples and a network's answers to them, some hands at a time.

    All hands in their order, or with ``most`` in a random order, so that the caller may stop early.
    """
    order = np.arange(len(hands)) if most is None else np.random.default_rng(0).permutation(len(hands))
    was_training = network.training
    network.eval()
    try:
        for first in range(0, len(order), _HANDS):
            chosen = order[first : first + _HANDS]
            examples = examples_of(hands.decisions(chosen, encoder_of(network)))
            if len(examples):
                yield examples, many_answers(network, examples.packed, device)
    finally:
        network.train(was_training)

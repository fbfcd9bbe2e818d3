"""What is learned from decisions: which rows, their targets, the loss, and how agreement is measured.

A `Task` is a part of a training's configuration. The ordinary one of a game, every decision by one masked policy, is
what its facet ``"dataset"`` names (`janshi.learn.datasets`); those of papers are beside their networks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.learn.datasets import Hands
from janshi.learn.inference import TOGETHER, answers
from janshi.learn.metrics import Measured
from janshi.learn.networks import encoder_of

#: Hands that are measured together.
_HANDS: Final = 64


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


class Task:
    """What is learned: a frozen dataclass, a part of `janshi.learn.trainer.TrainConfig`; the base of all tasks.

    What it learns from, ``batch`` and ``hands``, are of its game's `janshi.learn.datasets.Dataset`.
    """

    __slots__ = ()

    kind: ClassVar[str]
    """Its name in checkpoints."""
    network: Any
    """The configuration of the network."""

    def prepared(self, hands: Any) -> Any:
        """Return hands with what the task wants to know of them besides."""
        return hands

    def examples(self, batch: Any) -> Examples:
        """Return what is learned from decisions."""
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
        """Return what ``player.json`` says besides."""
        return {}


def answered(
    network: nn.Module,
    hands: Hands,
    device: torch.device,
    examples_of: Callable[[Any], Examples],
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
            examples = examples_of(hands.decisions(chosen, encoder_of(network)))
            if len(examples):
                parts = [
                    answers(network, examples.packed[row : row + TOGETHER], device)
                    for row in range(0, len(examples), TOGETHER)
                ]
                yield examples, np.concatenate(parts)
    finally:
        network.train(was_training)

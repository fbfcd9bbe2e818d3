"""Tasks of supervised learning: examples of decisions, targets, loss, and measures of agreement.

A `Task` is part of a training's configuration. The default task of a game, one masked policy for every decision, is
given by its facet ``"dataset"`` (`janshi.learn.datasets`). The tasks of papers are beside their networks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from janshi.encoders import ENCODERS
from janshi.installing import naming_extra
from janshi.learn.datasets import RecordedHands, dataset_of
from janshi.learn.inference import many_answers
from janshi.learn.metrics import Measured
from janshi.learn.networks import ActionNetwork, NetworkError, encoder_of, kind_of
from janshi.registries import load

with naming_extra(__name__):
    import torch
    from torch import Tensor, nn

#: Hands in a batch of measurements.
_HANDS: Final = 64
#: Logit of illegal actions: far below all others, without the NaN gradients of −∞.
_NEVER: Final = -1e9


@dataclass(slots=True)
class Examples:
    """Packed observations, and targets by name, one row an example."""

    packed: NDArray[Any]
    targets: dict[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.packed)

    def part(self, rows: NDArray[Any]) -> Examples:
        """Return some of the examples in the given order."""
        return Examples(self.packed[rows], {name: target[rows] for name, target in self.targets.items()})

    def tensors(self, device: torch.device) -> dict[str, Tensor]:
        """Return the targets on a device."""
        return {
            name: torch.from_numpy(np.ascontiguousarray(target)).to(device) for name, target in self.targets.items()
        }


def joined(parts: Sequence[Examples]) -> Examples:
    """Return the concatenated examples of one or more parts."""
    first, *more = parts
    if not more:
        return first
    targets = {name: np.concatenate([part.targets[name] for part in parts]) for name in first.targets}
    return Examples(np.concatenate([part.packed for part in parts]), targets)


class StepLoss(NamedTuple):
    """The loss of a step, and counts of the first choices: correct ones, and all."""

    loss: Tensor
    right: int
    counted: int


def masked_logits(logits: Tensor, legal: Tensor) -> Tensor:
    """Return logits (n, actions) with those of illegal actions (n, actions; bool: legal) far below all others."""
    return logits.masked_fill(~legal, _NEVER)


class Task:
    """Base class of tasks: a frozen dataclass, part of `janshi.learn.trainer.TrainConfig`.

    ``batch`` and ``hands`` have the types of its game's `janshi.learn.datasets.Dataset`.
    """

    __slots__ = ()

    kind: ClassVar[str]
    """Name in checkpoints."""
    network: Any
    """Configuration of the network."""

    def prepared(self, hands: Any) -> Any:
        """Return hands with further data that the task needs; by default unchanged."""
        return hands

    def examples(self, batch: Any) -> Examples:
        """Return the examples of a batch of decisions."""
        raise NotImplementedError

    def turns(self, hands: RecordedHands) -> int:
        """Return the number of equivalent forms of an example; 1 if there is no other."""
        return hands.turns(ENCODERS[self.network.encoder])

    def turned(self, examples: Examples, turns: NDArray[np.uint8]) -> Examples:
        """Return examples in equivalent forms: ``turns`` (n) are numbers below `turns`."""
        raise NotImplementedError

    def loss(self, network: nn.Module, outputs: Tensor, targets: dict[str, Tensor]) -> StepLoss:
        """Return the mean loss of a network's outputs (n, …; float32)."""
        raise NotImplementedError

    def measure(
        self, network: nn.Module, hands: Any, device: torch.device, most: int | None = None
    ) -> dict[str, Measured]:
        """Return the agreement of a network with hands by kind of decision, each on at most ``most`` situations."""
        raise NotImplementedError

    def metadata(self) -> dict[str, Any]:
        """Return further entries of ``player.json``."""
        return {}


def task_of(shape: Any, **options: Any) -> Task:
    """Return the task of a network's configuration: that of its kind, or the default of its encoder's game.

    Raises `NetworkError` for a paper's network of single decisions, which has neither.
    """
    kind = kind_of(shape)
    if not kind.task and isinstance(kind.build, type) and not issubclass(kind.build, ActionNetwork):
        raise NetworkError(f"network {kind.name!r} does not answer every action: a paper's trains by janshi reproduce")
    make = load(kind.task) if kind.task else dataset_of(ENCODERS[shape.encoder].game).task
    task: Task = make(shape, **options)
    return task


def answered(
    network: nn.Module,
    hands: RecordedHands,
    device: torch.device,
    examples_of: Callable[[Any], Examples],
    most: int | None,
) -> Iterator[tuple[Examples, NDArray[np.float32]]]:
    """Yield examples and a network's outputs for them, in batches of hands.

    The hands are in order, or with ``most`` in random order so that the caller may stop early.
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

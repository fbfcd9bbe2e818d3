"""Configurations of trainings and runs: dataclasses whose fields are the command line's options.

They need nothing but Python, so that a command shows its help without waiting for PyTorch.

>>> TrainSettings(epochs=2.0).batch
256
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

#: Hands that are encoded together.
CHUNK: Final = 384
#: Precisions of numbers in training: products of 16 bits with weights of 32, or all of 32.
PRECISIONS: Final = ("bf16-mixed", "32-true")


def option(default: Any, text: str, **bounds: float) -> Any:
    """Return a dataclass field with a default and a line of help, which the command line shows, and its bounds."""
    return field(default=default, metadata={"help": text, "typer": bounds})


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """Options of a training, without its task: see `janshi.learn.trainer.TrainConfig`."""

    epochs: float = option(4.0, "Times through the hands.", min=1e-6)
    batch: int = option(256, "Situations a step, over all devices.", min=2)
    learning_rate: float = option(2e-3, "Step size.")
    weight_decay: float = option(1e-2, "Weight decay of AdamW; 0: Adam.")
    cosine: bool = option(True, "Learning rate up in the first 2 % and down to nothing along a cosine; else it stays.")
    seed: int = option(0, "Decides the split, the order and the first weights.", min=0)
    development: float = option(0.05, "Share of the games held out.", min=0, max=0.9)
    share: float = option(1.0, "Share of the other games learned from: whole games of each archive.", min=1e-6, max=1)
    augment: bool = option(False, "Swap pin and sou, 1m and 9m at random (sanma).")
    chunk: int = option(CHUNK, "Hands that are encoded and shuffled together.", min=1)
    measure_every: float = option(0.5, "Epochs between two measurements on the games held out.")
    measure_most: int = option(8000, "Situations of them measured each time.", min=1)
    patience: int = option(0, "Measurements without a smaller loss after which the training stops; 0: never.", min=0)
    average: float = option(
        0.0, "What a step keeps of a moving mean of the weights, which is then what plays; 0: no mean.", min=0, max=1
    )
    renormalise: int = option(
        0,
        "Situations learned from last over which batch normalisation's means are worked out anew before each "
        "measurement; 0: the moving means stay.",
        min=0,
    )
    compile: bool = option(False, "Compile the network for whole batches: a C++ compiler is needed.")
    precision: str = option("bf16-mixed", "Precision of numbers: bf16-mixed or 32-true.")
    devices: int = option(1, "GPUs, where there are any.", min=1)


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Options of every run."""

    episodes: int = option(200, "Updates.", min=1)
    hands: int = option(960, "Hands played for each update.", min=1)
    opponents: tuple[str, ...] = option(
        ("self",), "Who sits at the hands of an episode, in turn: self (the learner in every seat), or agents' names."
    )
    reward: str = option("place", "points: the change in hundreds; place: 1 for the first, −1 for the last.")
    learning_rate: float = option(1e-3, "Step size.")
    evaluate_every: int = option(10, "Episodes between two evaluations.", min=1)
    evaluate_hands: int = option(500, "Hands in each seat against random players.", min=1)
    seed: int = option(0, "Decides all hands and draws.", min=0)


@dataclass(frozen=True, slots=True)
class SteadyConfig(RunConfig):
    """Options of steady REINFORCE."""

    hands: int = option(1280, "Hands played for each update.", min=1)
    opponents: tuple[str, ...] = option(
        ("self", "random"),
        "Who sits at the hands of an episode, in turn: self (the learner in every seat), or agents' names.",
    )
    learning_rate: float = option(2e-4, "Step size.")
    entropy: float = option(0.005, "Weight of the entropy.")
    clip: float = option(0.2, "Most by which a probability may change in an episode (a ratio).")
    max_probability: float = option(
        0.97, "Decisions drawn with more than this are not learned from: they say next to nothing.", max=1
    )
    batch: int = option(1024, "Decisions a step.", min=1)


@dataclass(frozen=True, slots=True)
class ActorCriticConfig(SteadyConfig):
    """Options of `ActorCritic`."""

    reward: str = option("points", "Points; what a decision gains are those that follow it.")
    unit: float = option(8.0, "Points that a reward, and the network's value, of 1 stands for.")
    gae_lambda: float = option(
        0.95, "λ of generalised advantage estimation: 1 counts the points that follow alone, 0 the next value."
    )
    passes: int = option(2, "Times that the decisions of an episode are learned from.", min=1)
    evaluate_against: str = option("", "Opponent of evaluations: a name among the opponents; random agents by default.")

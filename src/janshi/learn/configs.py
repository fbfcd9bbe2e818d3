"""Configurations of trainings and runs: dataclasses whose fields are the command line's options.

They need only Python, so that a command shows its help without importing PyTorch.

>>> TrainSettings(epochs=2.0).batch
256
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

#: Hands encoded together.
CHUNK: Final = 384
#: Greatest learning rate and number of epochs.
MOST_RATE: Final = 10.0
MOST_EPOCHS: Final = 1e6
#: Precisions of training: 16-bit products with 32-bit weights, 32 bits throughout, or the first where the hardware has
#: bfloat16 and the second elsewhere.
PRECISIONS: Final = ("auto", "bf16-mixed", "32-true")


def option(default: Any, text: str, **bounds: float) -> Any:
    """Return a dataclass field with a default, a line of help for the command line, and bounds."""
    return field(default=default, metadata={"help": text, "typer": bounds})


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """Options of a training without its task: see `janshi.learn.trainer.TrainConfig`."""

    epochs: float = option(4.0, "Epochs.", min=1e-6, max=MOST_EPOCHS)
    batch: int = option(256, "Batch size over all devices.", min=2)
    learning_rate: float = option(2e-3, "Learning rate.", min=0, max=MOST_RATE)
    weight_decay: float = option(1e-2, "Weight decay of AdamW; 0 selects Adam.", min=0, max=1)
    cosine: bool = option(True, "Warm up in the first 2 %, then follow a cosine schedule to zero; otherwise constant.")
    seed: int = option(0, "Random seed of the order and the initial weights.", min=0)
    development: float = option(0.05, "Share of the games to hold out.", min=0, max=0.9)
    share: float = option(1.0, "Share of the other games to train on: whole games of each archive.", min=1e-6, max=1)
    augment: bool = False
    """True to swap pin and sou, 1m and 9m at random (sanma)."""
    chunk: int = option(CHUNK, "Hands encoded and shuffled together.", min=1)
    measure_every: float = option(0.5, "Epochs between measurements on the held-out games.", min=1e-6)
    measure_most: int = option(8000, "Maximum decisions per measurement.", min=1)
    patience: int = option(0, "Stop after this many measurements without improvement; 0: never.", min=0)
    average: float = option(
        0.0, "Decay of the exponential moving average of the weights that is saved; 0: no average.", min=0, max=1
    )
    renormalise: int = option(
        0,
        "Recompute batch-normalisation statistics over this many situations before each measurement; 0: use the "
        "moving averages.",
        min=0,
    )
    compile: bool = option(False, "Compile the training step (needs a C++ compiler).")
    precision: str = option(
        "auto", "Numerical precision: bf16-mixed, 32-true, or auto: bf16-mixed where the hardware has bfloat16."
    )
    devices: int = option(1, "Number of GPUs, if available.", min=1)


@dataclass(frozen=True, slots=True)
class LearnConfig:
    """Options of ``janshi learn``."""

    rules: str = option(
        "",
        "Rules of the games, several separated by commas: an update each in turn, matches by the first (default: those "
        "of the game by the start's number of players).",
    )
    begin: str = option("", "Folder of a run of the same start with whose policy this one begins.")
    updates: int = option(100, "Number of updates.", min=1)
    games: int = option(512, "Whole games per update.", min=1)
    games_together: int = option(256, "Games played side by side: one job of a process.", min=1)
    train_blocks: int = option(
        0, "Blocks that are trained beside the output layers; 0: output layers alone, -1: the whole network.", min=-1
    )
    against_start: float = option(
        0.25,
        "Share of the games with one learner and the start, or one of the opponents in turn, in every other seat.",
        min=0,
        max=1,
    )
    opponents: str = option("", "Further players that the learner meets, as in janshi arena, separated by commas.")
    temperature: float = option(2.0, "Temperature of the probabilities by which other actions are drawn.", min=1e-6)
    least: float = option(0.01, "Least probability, at this temperature, of another action to be played out.", min=0)
    discards: float = option(0.25, "Share of the decisions between two discards that are compared.", min=0, max=1)
    scale: str = option("place", "What the places are worth: a scale of janshi.worth.")
    unit: float = option(8.0, "Points per unit of gain, in games without a placement model.", min=1e-6)
    kl: float = option(
        0.02, "Weight of the divergence from the playing version: gain that is worth one unit of logit.", min=1e-6
    )
    learning_rate: float = option(3e-4, "Learning rate.", min=0, max=MOST_RATE)
    batch: int = option(2048, "Batch size in decisions.", min=1)
    passes: int = option(1, "Passes over the decisions of an update.", min=1)
    average: float = option(
        0.8,
        "Decay, per update, of the moving average of the network that plays and is saved; 0: no average.",
        min=0,
        max=1,
    )
    gate_every: int = option(10, "Updates between matches against the start player.", min=1)
    gate_walls: int = option(200, "Walls of such a match, each played in every seat.", min=1)
    patience: int = option(2, "Stop after this many matches in a row that are lost; 0: never.", min=0)
    seed: int = option(0, "Random seed.", min=0)

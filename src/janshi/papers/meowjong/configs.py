"""Configurations of this paper's networks and runs: see `janshi.learn.configs`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from janshi.learn.configs import RunConfig, SteadyConfig, TrainSettings, option
from janshi.papers.meowjong.decisions import DECISIONS

#: Rows and columns of what a paper's network is shown: kinds, and the columns of the encoder ``meowjong``.
OBSERVATION: Final = (34, 366)
#: How much a kan that was possible counts beside the other decisions.
KAN_WEIGHT: Final = 1.0


@dataclass(frozen=True, slots=True)
class ResidualConfig:
    """Shape of a `ResidualNetwork`."""

    encoder: str = option("janshi", "Name of the encoder.")
    channels: int = option(96, "Width of the network.", min=1)
    blocks: int = option(6, "Its depth: residual blocks.", min=0)
    hidden: int = option(64, "Units of the layer before decisions of yes and no.", min=1)


@dataclass(frozen=True, slots=True)
class MeowjongConfig:
    """Shape of a `MeowjongNetwork`."""

    decision: str = option("discard", "The decision that it answers.")
    kernel: tuple[int, int] | None = option(None, "Rows and columns of every kernel; by default the papers' best.")
    filters: tuple[int, int, int, int] = option((64, 64, 64, 32), "Filters of the four convolutions.")
    dense: int = option(256, "Units of the dense layer.")
    dropout: float = option(0.5, "Share of the values that are dropped in training.")
    scale: tuple[float, float] | None = option(
        None, "Mean and deviation of the standardised input; by default it stays."
    )
    encoder: ClassVar[str] = "meowjong"

    def __post_init__(self) -> None:
        """Raise `ValueError` for a shape that no network can have."""
        if min(*self.filters, self.dense) < 1:
            raise ValueError(f"{self.filters} filters and {self.dense} dense units: one of each at least")
        for extent, size in zip(self.kernel or (1, 1), OBSERVATION, strict=True):
            if not 1 <= extent <= (size + 3) // 4:
                rows, columns = OBSERVATION
                raise ValueError(f"kernel {self.kernel}: four of them do not fit into {rows} × {columns}")


@dataclass(frozen=True, slots=True)
class PaperReinforceConfig(RunConfig):
    """REINFORCE in the papers' setting."""

    episodes: int = option(400, "Updates.", min=1)
    hands: int = option(1, "Hands played for each update.", min=1)
    reward: str = option("points", "points: the change in hundreds; place: 1 for the first, −1 for the last.")
    learning_rate: float = option(1e-3, "Step size.")
    discount: float = option(0.99, "What a decision counts less than the next one of the hand.")
    batch: int = option(1024, "Decisions a step.", min=1)
    decisions: tuple[str, ...] = option(
        ("discard",), "Decisions that are drawn and learned; the others are done as the network thinks best."
    )
    legal_only: bool = option(
        False, "Draw from what is possible alone; else a hand in which something impossible is drawn is skipped."
    )


@dataclass(frozen=True, slots=True)
class PaperSteadyConfig(SteadyConfig):
    """REINFORCE steadied, of all five decisions."""

    decisions: tuple[str, ...] = option(
        DECISIONS, "Decisions that are drawn and learned; the others are done as the network thinks best."
    )
    legal_only: bool = option(
        True, "Draw from what is possible alone; else a hand in which something impossible is drawn is skipped."
    )


def paper_settings(decision: str) -> TrainSettings:
    """Return how the papers train: Adam 10⁻³, 200 epochs of batches of 64 for discards, else 500 of 32.

    >>> paper_settings("kan").batch, paper_settings("discard").epochs
    (32, 200.0)
    """
    epochs, batch = (200.0, 64) if decision == "discard" else (500.0, 32)
    return TrainSettings(
        epochs=epochs,
        batch=batch,
        learning_rate=1e-3,
        weight_decay=0.0,
        cosine=False,
        development=0.1,
        measure_every=1.0,
    )

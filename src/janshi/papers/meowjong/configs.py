"""Configurations of this paper's networks and runs: see `janshi.learn.configs`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from janshi.learn.configs import TrainSettings, option

#: Rows and columns of a paper's network's input: kinds, and the columns of the encoder ``meowjong``.
OBSERVATION: Final = (34, 366)


@dataclass(frozen=True, slots=True)
class MeowjongConfig:
    """Shape of a `MeowjongNetwork`."""

    decision: str = option("discard", "Decision that the network answers.")
    kernel: tuple[int, int] | None = option(None, "Rows and columns of the kernels (default: the papers' best).")
    filters: tuple[int, int, int, int] = option((64, 64, 64, 32), "Filters of the four convolutions.")
    dense: int = option(256, "Units of the dense layer.")
    dropout: float = option(0.5, "Dropout rate.")
    scale: tuple[float, float] | None = option(
        None, "Mean and standard deviation of the standardised input (default: not standardised)."
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
class PaperReinforceConfig:
    """REINFORCE in the papers' setting."""

    episodes: int = option(400, "Number of updates.", min=1)
    hands: int = option(1, "Hands per update.", min=1)
    opponents: tuple[str, ...] = option(
        ("self",), "Opponents in turn: self (the learner in every seat), or names of agents."
    )
    reward: str = option("points", "Reward: points (change in hundreds), or place (1 for first, −1 for last).")
    learning_rate: float = option(1e-3, "Learning rate.")
    discount: float = option(0.99, "Discount factor per decision.")
    batch: int = option(1024, "Batch size in decisions.", min=1)
    evaluate_every: int = option(10, "Episodes between evaluations.", min=1)
    evaluate_hands: int = option(500, "Hands per seat against random players in an evaluation.", min=1)
    seed: int = option(0, "Random seed.", min=0)


def paper_settings(decision: str) -> TrainSettings:
    """Return the papers' settings: Adam 10⁻³, 200 epochs of batches of 64 for discards, else 500 of 32.

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

"""How much of the paper's work is done: four sizes, each one frozen set of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Scale:
    """Size of a reproduction."""

    name: str
    description: str
    """How long it takes, and where."""
    disk: str
    """What the folder needs at its largest."""

    pair_walls: int
    """Walls of each pair of parameters, each played four times (paper: 10,000 games)."""

    # Training
    games: int
    """Games of the training (paper: 100,000)."""
    tables: int
    """Games side by side (paper: 1)."""
    updates: float
    """Steps of the optimiser for each decision (paper: 1)."""
    segment: int
    """Games after which a checkpoint is written."""
    evaluate_every: int
    """Games between two points of the learning curve."""
    evaluate_walls: int
    """Walls of each point."""

    match_walls: int
    """Walls of tables 5 to 7, each played in every rotation (paper: 10,000 games)."""


TINY: Final = Scale(
    name="tiny",
    description="under a minute: tries every stage, and says nothing",
    disk="5 MB",
    pair_walls=25,
    games=60,
    tables=8,
    updates=0.5,
    segment=20,
    evaluate_every=20,
    evaluate_walls=10,
    match_walls=25,
)

SMALL: Final = Scale(
    name="small",
    description="10 minutes on two cores: the paper's matches in full, 20,000 games of training with a step for every "
    "fourth decision",
    disk="5 MB",
    pair_walls=2_500,
    games=20_000,
    tables=16,
    updates=0.25,
    segment=1_000,
    evaluate_every=2_000,
    evaluate_walls=1_000,
    match_walls=2_500,
)

MEDIUM: Final = Scale(
    name="medium",
    description="half an hour on two cores: 100,000 games of training with a step for every fourth decision",
    disk="5 MB",
    pair_walls=2_500,
    games=100_000,
    tables=16,
    updates=0.25,
    segment=1_000,
    evaluate_every=10_000,
    evaluate_walls=500,
    match_walls=2_500,
)

FULL: Final = Scale(
    name="full",
    description="hours on two cores: the paper's schedule, one game after the other and a step after each decision",
    disk="5 MB",
    pair_walls=25_000,
    games=100_000,
    tables=1,
    updates=1.0,
    segment=1_000,
    evaluate_every=5_000,
    evaluate_walls=2_500,
    match_walls=2_500,
)

SCALES: Final = {scale.name: scale for scale in (TINY, SMALL, MEDIUM, FULL)}

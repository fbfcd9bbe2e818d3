"""The `sichuan` paper, as ``janshi reproduce sichuan`` does it. The scales are in ``scales.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.papers.data import Scale, load_scales
from janshi.papers.runner import Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class SichuanScale(Scale):
    """Size of a reproduction; the training's defaults are the paper's."""

    pair_walls: int
    """Walls of each pair of parameters, each played four times (paper: 10,000 games)."""
    games: int = 100_000
    """Games of the training."""
    tables: int = 1
    """Games side by side."""
    updates: float = 1.0
    """Steps of the optimiser for each decision."""
    segment: int = 1_000
    """Games after which a checkpoint is written."""
    imitated: int
    """Games of the heuristic agent that the variant `imitation` imitates first."""
    evaluate_every: int
    """Games between two points of the learning curve."""
    evaluate_walls: int
    """Walls of each point."""
    match_walls: int = 2_500
    """Walls of tables 5 to 7, each played in every rotation (paper: 10,000 games)."""


SCALES: Final = load_scales(__package__, SichuanScale)
PAPER: Final = Paper(
    "sichuan",
    "Sichuan",
    "janshi.papers.sichuan.stages:STAGES",
    SCALES,
    "janshi.papers.sichuan.report:REPORT",
    needs_records=False,
)

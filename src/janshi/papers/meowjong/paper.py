"""The `meowjong` papers, as ``janshi reproduce meowjong`` does them. The scales are in ``scales.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.papers.data import RecordScale, load_scales
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.runner import Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class MeowjongScale(RecordScale):
    """Size of a reproduction; the defaults of networks and training are the papers'."""

    check: int = 1000
    """Observations of each decision whose deviation is computed directly (table 3.4)."""
    side_by_side: bool = False
    """True to train the papers' networks in parallel processes that share the cores."""

    # Kernel-size search
    search_decisions: tuple[str, ...] = DECISIONS
    """Decisions whose kernels are searched."""
    search_sizes: tuple[tuple[int, int], ...] | None = None
    """Rows and columns of the kernels that are tried; None: all sixteen."""
    search_epochs: float
    """Times through the situations, for each kernel."""
    search_width: float = 1.0
    """Filters of a searched network, as a share of the papers'."""
    search_samples: int | None = None
    """Situations that a searched network is trained on in each epoch."""
    search_measured: int
    """Situations held out on which it is measured, at most."""

    # The papers' networks
    tied_decisions: tuple[str, ...] = DECISIONS
    """Decisions of which all kernels that tie in the search are trained; of others the one of the smallest loss."""
    filters: tuple[int, int, int, int] = (64, 64, 64, 32)
    """Filters of the convolutions."""
    dense: int = 256
    """Units of the dense layer."""
    dropout: float = 0.5
    """Share dropped."""
    batch: int | None = None
    """Situations a step; None: as in the papers 64 for discards, else 32."""
    learning_rate: float = 1e-3
    """Step size."""
    renormalise: int = 0
    """Situations over which batch-normalisation statistics are recomputed before a network is measured; 0: the moving
    means stay, as in the papers."""
    cosine: bool = False
    precision: str = "32-true"
    """Numerical precision: bf16-mixed, or 32-true, which is faster on hardware without bfloat16."""
    samples: tuple[int, ...] | None = None
    """Situations that the networks of discard, pon, kan, kita and riichi are trained on; None: the papers' epochs."""
    scaled_share: float = 1.0
    """Share of these that the standardised networks are trained on."""
    example_splits: tuple[str, ...]
    """Decisions of which one more network is trained with examples, not games, held out."""

    # REINFORCE
    paper_episodes: int = 400
    """Episodes in the papers' setting."""
    discounts: tuple[float, ...]
    """Discounts that are searched; none: no search."""
    learning_rates: tuple[float, ...]
    """Learning rates that are searched."""
    search_episodes: int
    """Episodes of each of their combinations."""
    evaluate_every: int
    """Episodes between two evaluations."""
    evaluate_hands: int
    """Hands of an evaluation in each seat, against two Random players."""

    paper_walls: int
    """Walls of matches of the papers' networks, which are many times slower; ``walls`` are those of shipped players."""


SCALES: Final = load_scales(__package__, MeowjongScale)
PAPER: Final = Paper(
    "meowjong",
    "Meowjong",
    "janshi.papers.meowjong.stages:STAGES",
    SCALES,
    "janshi.papers.meowjong.report:REPORT",
)

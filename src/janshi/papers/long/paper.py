"""The `long` paper, as ``janshi reproduce long`` does it. The scales are in ``scales.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.papers.data import RecordScale, load_scales
from janshi.papers.runner import Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class LongScale(RecordScale):
    """Size of a reproduction; the defaults of networks are the paper's."""

    side_by_side: bool = False
    """True to train networks in parallel processes that share the cores."""
    discard: tuple[int, ...] | None = None
    """Units of the layers of the networks of discards."""
    pon: tuple[int, ...] | None = None
    """… of pon."""
    chii: tuple[int, ...] | None = None
    """… of chii."""
    yaku: tuple[int, ...] = (512, 512, 256, 256, 256, 64)
    """… of the predictors of yaku."""
    discard_samples: int
    """Situations that each network of discards learns from, one epoch or many."""
    call_samples: int
    """… each network of pon and of chii."""
    yaku_samples: int
    """… the predictors of yaku."""
    discard_batch: int
    """Situations a step, of discards."""
    call_batch: int
    """… of pon and chii."""
    yaku_batch: int
    """… of yaku."""
    chii_decay: float = 0.0
    """Weight decay of the networks of chii, which overfit without it."""
    patience: int = 0
    """Measurements without a smaller loss on the development set after which a training stops; 0: never."""
    fewer: float | None = None
    """Share of the games that one more network of discards learns from (paper: 800,000 of 1,400,000 situations)."""


SCALES: Final = load_scales(__package__, LongScale)
PAPER: Final = Paper(
    "long",
    "Long",
    "janshi.papers.long.stages:STAGES",
    SCALES,
    "janshi.papers.long.report:REPORT",
)

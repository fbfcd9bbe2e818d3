"""The `gao` thesis, as ``janshi reproduce gao`` does it. The scales are in ``scales.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from janshi.papers.data import RecordScale, load_scales
from janshi.papers.runner import Paper


@dataclass(frozen=True, slots=True, kw_only=True)
class GaoScale(RecordScale):
    """Size of a reproduction; the defaults of networks and training are the thesis's."""

    side_by_side: bool = False
    """True to train networks in parallel processes that share the cores."""
    all_players: tuple[str, ...] = ("off-table-86",)
    """Networks of discards that are also trained on all players of a hand."""
    filters: int = 100
    """Filters of each convolution."""
    dense: int = 300
    """Units of the tile model's dense layer."""
    sequence_filters: int = 128
    """Filters of the sequential model."""
    units: int = 256
    """Units of its GRU."""
    dropout: float = 0.5
    """Share dropped."""
    all_dropout: float = 0.5
    """Share dropped in networks of all players of a hand, which see three times the situations."""
    learning_rate: float = 1e-3
    """Step size, of single discards."""
    batch: int = 256
    """Situations a step, of discards."""
    sequence_rate: float = 1e-3
    """Step size, of sequences."""
    sequences: int
    """Sequences a step."""
    discards: int
    """Situations that each network of discards is trained on."""
    sequence_discards: int
    """Situations in the sequences that each sequential model is trained on."""
    call_rate: float = 1e-3
    """Step size, of pon, chii and riichi."""
    call_batch: int = 256
    """Situations a step, of pon, chii and riichi."""
    calls: int
    """Situations that each of the networks of pon, chii and riichi is trained on."""
    ablations: int
    """Situations that each network of an ablation is trained on; 0: no ablations."""


SCALES: Final = load_scales(__package__, GaoScale)
PAPER: Final = Paper(
    "gao",
    "Gao",
    "janshi.papers.gao.stages:STAGES",
    SCALES,
    "janshi.papers.gao.report:REPORT",
)

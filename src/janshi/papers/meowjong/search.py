"""Search for kernel sizes: all sixteen from 2 × 2 to 5 × 5, for each decision, compared on games held out.

Each candidate is the papers' network with that kernel; its best measurement on the development set counts. Source:
dissertation, section 3.3.2. At small scales the search has few filters and few hands: its winner need not win at
full width.
"""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from janshi.learn.trainer import TrainConfig, Trainer
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import MeowjongConfig
from janshi.papers.meowjong.tasks import OneDecision, paper_config
from janshi.riichi.dataset import HandSet
from janshi.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Rows and columns that a kernel may have.
EDGES: Final = (2, 3, 4, 5)
SIZES: Final = tuple((rows, columns) for rows in EDGES for columns in EDGES)
#: Difference of accuracies below which kernels tie.
_TIED: Final = 0.001
#: Situations over which batch-normalisation statistics are recomputed before a candidate is measured: after a short
#: training the moving means, as Keras keeps them, are still those of the initial weights.
NORMALISED: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchConfig:
    """Settings of the training of a search's candidates; defaults are the papers'."""

    epochs: float = 20.0
    """Times through the hands."""
    width: float = 1.0
    """Share of the papers' filters and dense units; one of each at least."""
    measure_most: int = 2000
    """Situations held out that a candidate is measured on."""
    seed: int = 0
    """Decides the split, the order and the initial weights."""
    batch: int | None = None
    """Situations a step (None: the papers' 64 for discards, else 32)."""
    precision: str = "auto"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of one candidate."""

    decision: str
    rows: int
    columns: int
    accuracy: Estimate
    """Agreement with the players on the development set (of discards: among the legal ones), by its best weights."""
    loss: float
    """Mean cross-entropy there."""
    samples: int
    """Situations trained on."""
    seconds: float
    """Time of the training, measurements on the development set included."""

    @classmethod
    def of(cls, row: dict[str, Any]) -> SearchResult:
        """Return a result from plain data."""
        return cls(**(row | {"accuracy": Estimate(**row["accuracy"])}))


def candidate(config: SearchConfig, decision: str, rows: int, columns: int) -> TrainConfig:
    """Return the training of a candidate: the papers' setting with that kernel, at the search's width.

    >>> candidate(SearchConfig(width=0.05), "pon", 2, 5).task.network.filters
    (3, 3, 3, 2)
    """
    paper = MeowjongConfig(decision)
    narrow = [max(1, round(config.width * many)) for many in (*paper.filters, paper.dense)]
    network = dataclasses.replace(
        paper, kernel=(rows, columns), filters=(narrow[0], narrow[1], narrow[2], narrow[3]), dense=narrow[4]
    )
    setting = paper_config(decision)
    return dataclasses.replace(
        setting,
        task=OneDecision(network),
        batch=config.batch or setting.batch,
        epochs=config.epochs,
        seed=config.seed,
        measure_most=config.measure_most,
        renormalise=NORMALISED,
        precision=config.precision,
        # Of discards there are dozens a hand: few hands at a time, so that checkpoints do not lie hours apart.
        chunk=32 if decision == "discard" else 384,
    )


def try_kernel(
    config: SearchConfig,
    decision: str,
    kernel: tuple[int, int],
    sets: tuple[HandSet, HandSet],
    folder: Path,
) -> dict[str, Any]:
    """Train a candidate in a folder and return its `SearchResult` as plain data.

    Weights (up to 1.4 GB with the optimiser's, at full width) stay in the folder until the candidate is measured.
    ``sets``: hands to learn from and hands to measure on.
    """
    rows, columns = kernel
    learned, held = sets
    trainer = Trainer(candidate(config, decision, rows, columns), learned, folder, development=held)
    trainer.train()
    found = trainer.measure(most=config.measure_most)[decision]
    shutil.rmtree(folder)
    result = SearchResult(decision, rows, columns, found.top[0], found.loss, trainer.samples, trainer.seconds)
    return dataclasses.asdict(result)


# ---------------------------------------------------------------------------------------------------------
# Results


def best_kernels(results: Iterable[SearchResult]) -> dict[str, tuple[int, int]]:
    """Return rows and columns of the best kernel of each decision: table 3.6 of the dissertation.

    The highest accuracy; of equals the smaller loss, then the smaller kernel.

    >>> half = Estimate(0.5, 0.4, 0.6, 100)
    >>> best_kernels([SearchResult("pon", 2, 3, half, 0.9, 50, 1.0), SearchResult("pon", 5, 4, half, 0.8, 50, 2.0)])
    {'pon': (5, 4)}
    """
    best = tied_kernels(results, most=1)
    return {name: (best[name][0][0], best[name][0][1]) for name in DECISIONS if name in best}


def tied_kernels(results: Iterable[SearchResult], most: int = 2) -> dict[str, list[list[int]]]:
    """Return rows and columns of the kernels of each decision among which full-length training chooses.

    The best one, and those whose accuracy is at most 0.1 points below it: ``most`` in all, in their order. The
    papers found two for kan and two for riichi. Source: dissertation, section 3.3.2.

    >>> half = Estimate(0.5, 0.4, 0.6, 100)
    >>> tied_kernels([SearchResult("pon", 2, 3, half, 0.9, 50, 1.0), SearchResult("pon", 5, 4, half, 0.8, 50, 2.0)])
    {'pon': [[5, 4], [2, 3]]}
    """
    tied: dict[str, list[list[int]]] = {}
    best: dict[str, float] = {}
    for result in sorted(results, key=_rank):
        kernels = tied.setdefault(result.decision, [])
        least = best.setdefault(result.decision, result.accuracy.value) - _TIED
        if len(kernels) < most and result.accuracy.value >= least:
            kernels.append([result.rows, result.columns])
    return tied


def _rank(result: SearchResult) -> tuple[float, ...]:
    return (-result.accuracy.value, result.loss, result.rows * result.columns, result.rows)


def search_table(results: Iterable[SearchResult]) -> dict[str, list[list[float | None]]]:
    """Return for each decision the accuracies (4 rows of a kernel, 4 columns; from 2 to 5), None where not tried.

    >>> search_table([SearchResult("kan", 2, 3, Estimate(0.9, 0.8, 0.95, 100), 0.3, 50, 1.0)])["kan"][0]
    [None, 0.9, None, None]
    """
    tables: dict[str, list[list[float | None]]] = {}
    for result in results:
        table = tables.setdefault(result.decision, [[None] * len(EDGES) for _ in EDGES])
        table[EDGES.index(result.rows)][EDGES.index(result.columns)] = result.accuracy.value
    return tables


def search_figures(results: Sequence[SearchResult]) -> dict[str, Figure]:
    """Return a heat map for each decision: accuracy in percent by the kernel's rows and columns.

    Raises `janshi.arena.figures.FigureError` without matplotlib.

    >>> figures = search_figures([SearchResult("kan", 2, 3, Estimate(0.9, 0.8, 0.95, 100), 0.3, 50, 1.0)])
    >>> figures["kan"].get_label()
    'kan: agreement in % by kernel size (100 situations held out)'
    """
    from janshi.arena.figures import heat_map

    figures: dict[str, Figure] = {}
    counts = {result.decision: result.accuracy.count for result in results}
    edges = [str(edge) for edge in EDGES]
    for name, table in search_table(results).items():
        title = f"{name}: agreement in % by kernel size ({counts[name]:,} situations held out)"
        percent = 100 * np.array(table, np.float64)
        figures[name] = heat_map(percent, edges, edges, title, x_label="columns", y_label="rows")
    return figures

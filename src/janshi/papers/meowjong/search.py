"""Search for kernel sizes: all sixteen from 2 × 2 to 5 × 5, for each decision, compared on games held out.

Each candidate is the papers' network with that kernel, trained for 20 epochs and judged by the best it was on the
development set meanwhile. Source: dissertation, section 3.3.2. On a small machine the search is made with few filters
and few hands (`SearchConfig.width`, `SearchConfig.hands`); what wins there need not win at full width.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from janshi.files import save_text
from janshi.learn.checkpoints import CheckpointError, config_json
from janshi.learn.configs import option
from janshi.learn.trainer import TrainConfig, Trainer, TrainingProgress
from janshi.papers.meowjong.configs import MeowjongConfig
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.labels import sizes
from janshi.papers.meowjong.tasks import OneDecision, paper_config
from janshi.riichi.dataset import DatasetError, HandSet
from janshi.statistics import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Rows and columns that a kernel may have.
EDGES: Final = (2, 3, 4, 5)
SIZES: Final = tuple((rows, columns) for rows in EDGES for columns in EDGES)
SEARCH_FILE: Final = "search.json"
#: Version of the file's layout.
FORMAT: Final = 2
#: Share of the games that the candidates are compared on.
HELD: Final = 0.1
#: Situations over which normalisation is worked out anew before a candidate is measured: its training may be so short
#: that the moving means, as Keras keeps them, are still those of the first weights.
NORMALISED: Final = 256


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """What is searched, and how; the fields are the options of ``janshi search``.

    Raises `ValueError` for a decision or a size that there is none of, and for nothing to train.
    """

    decisions: tuple[str, ...] = option(DECISIONS, "Decisions whose kernels are searched.")
    epochs: float = option(20.0, "Times through the hands, for each candidate.", min=1e-6)
    width: float = option(1.0, "Share of the papers' filters and dense units; one of each at least.", min=1e-6)
    hands: int | None = option(None, "Most hands used, training and development together; by default all.", min=2)
    measure_most: int = option(2000, "Situations held out that a candidate is judged by.", min=1)
    seed: int = option(0, "Decides the split, the order and the first weights.", min=0)
    sizes: tuple[tuple[int, int], ...] = option(SIZES, "Rows and columns of the kernels tried.")
    batch: int | None = option(None, "Situations a step; by default the papers': 64 of discards, else 32.", min=2)
    precision: str = option("bf16-mixed", "Precision of numbers: bf16-mixed or 32-true.")

    def __post_init__(self) -> None:
        for decision in self.decisions:
            if decision not in DECISIONS:
                raise ValueError(f"no decision {decision!r}: there are {', '.join(DECISIONS)}")
        for size in self.sizes:
            if size not in SIZES:
                raise ValueError(f"no kernel size {size}: rows and columns are from {EDGES[0]} to {EDGES[-1]}")
        if not self.decisions or not self.sizes:
            raise ValueError("a search needs one decision and one kernel size at least")
        if self.epochs <= 0 or self.width <= 0 or self.measure_most < 1 or (self.hands is not None and self.hands < 2):
            raise ValueError("epochs and width are above 0, situations to measure 1 or more, hands 2 or more")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """How one candidate did."""

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
    """Time it took to train, measurements on the development set included."""

    @classmethod
    def of(cls, row: dict[str, Any]) -> SearchResult:
        """Return a result from plain data."""
        return cls(**(row | {"accuracy": Estimate(**row["accuracy"])}))


def candidate(config: SearchConfig, decision: str, rows: int, columns: int) -> TrainConfig:
    """Return how a candidate is trained: the papers' setting with that kernel, at the search's width.

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


def kernel_search(
    config: SearchConfig,
    hands: HandSet,
    folder: Path,
    progress: Callable[[SearchResult, int, int], None] | None = None,
    *,
    training: Callable[[str, TrainingProgress], None] | None = None,
) -> list[SearchResult]:
    """Train and compare every candidate, in the order of ``config.decisions`` and ``config.sizes``.

    What is done is kept in ``folder/search.json``. Run again with the same configuration and hands, it goes on, within
    a candidate from the last checkpoint; on a processor it ends with the same results as without the interruption.
    All candidates have the same training and development hands, no game in both. The weights of a candidate (up to
    1.4 GB with the optimiser's, at full width) lie in a folder of their own until it is measured and are then deleted.

    Args:
        config: what is searched.
        hands: training and development hands together.
        folder: for ``search.json``; made where there is none.
        progress: called with every result, how many there are now and will be; first with those of an earlier run.
        training: called with a candidate's name (``pon 2 × 5``) after each of its chunks of hands.

    Raises `CheckpointError` where the folder holds a search of something else, `DatasetError` where the hands lack one
    of the decisions.
    """
    used = _used(hands, config)
    learned, held = used.split(HELD, config.seed)
    _check(config.decisions, learned, held)
    origin = {"format": FORMAT, "config": config_json(config), "hands": _digest(used)}
    path = folder / SEARCH_FILE
    if not path.exists():
        for left in folder.glob("candidate-*"):
            shutil.rmtree(left)
        _save(path, origin, [])
    results = _load(path, origin)
    candidates = [(decision, *size) for decision in config.decisions for size in config.sizes]
    done = [(result.decision, result.rows, result.columns) for result in results]
    if done != candidates[: len(done)]:
        raise CheckpointError(f"{path} is damaged: name another folder, or delete it")
    for number, (decision, rows, columns) in enumerate(candidates, start=1):
        place = folder / f"candidate-{decision}-{rows}x{columns}"
        if number > len(results):
            trainer = Trainer(candidate(config, decision, rows, columns), learned, place, development=held)
            trainer.train(None if training is None else partial(training, f"{decision} {rows} × {columns}"))
            found = trainer.measure(most=config.measure_most)[decision]
            known = found.top[0], found.loss, trainer.samples, trainer.seconds
            results.append(SearchResult(decision, rows, columns, *known))
            _save(path, origin, results)
        shutil.rmtree(place, ignore_errors=True)
        if progress is not None:
            progress(results[number - 1], number, len(candidates))
    return results


def _used(hands: HandSet, config: SearchConfig) -> HandSet:
    """The hands that are used: as many as may be, from all over the set."""
    if config.hands is None or config.hands >= len(hands):
        return hands
    chosen = np.random.default_rng([config.seed, 4]).permutation(len(hands))[: config.hands]
    return hands.part(np.sort(chosen))


def _check(decisions: Sequence[str], learned: HandSet, held: HandSet) -> None:
    for name, part in (("learned from", learned), ("held out", held)):
        counts = sizes(part) if len(part) else {}
        for decision in decisions:
            if decision not in counts or not counts[decision].examples:
                raise DatasetError(f"no situation with a {decision} in the {len(part):,} hands {name}: give more hands")


def _digest(hands: HandSet) -> str:
    """A text that tells sets of hands apart."""
    digest = hashlib.blake2b(repr(hands.rules).encode(), digest_size=16)
    for part in (hands.walls, hands.starts, hands.taken, hands.bounds, hands.games, hands.rule):
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()


def _save(path: Path, origin: dict[str, Any], results: list[SearchResult]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    save_text(json.dumps({**origin, "results": [dataclasses.asdict(result) for result in results]}, indent=1), path)


def _load(path: Path, origin: dict[str, Any]) -> list[SearchResult]:
    """The results of an earlier run."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        rows = stored.pop("results")
        results = [SearchResult.of(row) for row in rows]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CheckpointError(f"{path} holds no search that can be read: name another folder, or delete it") from None
    if stored != origin:
        raise CheckpointError(
            f"{path.parent} holds a search with other options or records: name another folder, or delete {path.name}"
        )
    return results


# ---------------------------------------------------------------------------------------------------------
# What came out


def best_kernels(results: Iterable[SearchResult]) -> dict[str, tuple[int, int]]:
    """Return rows and columns of the best kernel of each decision: table 3.6 of the dissertation.

    The highest accuracy; of equals the smaller loss, then the smaller kernel.

    >>> half = Estimate(0.5, 0.4, 0.6, 100)
    >>> best_kernels([SearchResult("pon", 2, 3, half, 0.9, 50, 1.0), SearchResult("pon", 5, 4, half, 0.8, 50, 2.0)])
    {'pon': (5, 4)}
    """
    best = tied_kernels(results, most=1)
    return {name: (best[name][0][0], best[name][0][1]) for name in DECISIONS if name in best}


def tied_kernels(results: Iterable[SearchResult], most: int = 2, within: float = 0.001) -> dict[str, list[list[int]]]:
    """Return rows and columns of the kernels of each decision that full-length training has to choose among.

    The best one, and those whose accuracy is no further below it than ``within``: ``most`` in all, in their order. The
    papers found two for kan and two for riichi. Source: dissertation, section 3.3.2.

    >>> half = Estimate(0.5, 0.4, 0.6, 100)
    >>> tied_kernels([SearchResult("pon", 2, 3, half, 0.9, 50, 1.0), SearchResult("pon", 5, 4, half, 0.8, 50, 2.0)])
    {'pon': [[5, 4], [2, 3]]}
    """
    tied: dict[str, list[list[int]]] = {}
    best: dict[str, float] = {}
    for result in sorted(results, key=_rank):
        kernels = tied.setdefault(result.decision, [])
        least = best.setdefault(result.decision, result.accuracy.value) - within
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

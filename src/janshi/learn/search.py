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

from janshi.arena.results import Estimate
from janshi.files import save_text
from janshi.learn.dataset import DatasetError, HandSet, sizes
from janshi.learn.networks import MeowjongConfig
from janshi.learn.trainer import CheckpointError, Progress, TrainConfig, Trainer, config_json, paper_config
from janshi.observe.decisions import DECISIONS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Rows and columns that a kernel may have.
EDGES: Final = (2, 3, 4, 5)
SIZES: Final = tuple((rows, columns) for rows in EDGES for columns in EDGES)
SEARCH_FILE: Final = "search.json"
#: Version of the file's layout.
FORMAT: Final = 1
#: Share of the games that the candidates are compared on.
HELD: Final = 0.1


@dataclass(frozen=True, slots=True)
class SearchConfig:
    """What is searched, and how; the fields are the options of ``janshi search``.

    Raises `ValueError` for a decision or a size that there is none of, and for nothing to train.
    """

    decisions: tuple[str, ...] = DECISIONS
    epochs: float = 20.0
    """Times through the hands, for each candidate."""
    width: float = 1.0
    """Share of the papers' filters and dense units; one of each at least."""
    hands: int | None = None
    """Most hands used, training and development together; None: all."""
    measure_most: int = 2000
    """Situations held out that a candidate is judged by."""
    seed: int = 0
    sizes: tuple[tuple[int, int], ...] = SIZES
    """Rows and columns of the kernels tried."""

    def __post_init__(self) -> None:
        for one in self.decisions:
            if one not in DECISIONS:
                raise ValueError(f"no decision {one!r}: there are {', '.join(DECISIONS)}")
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
    """Time it took to train, looks at the development set included."""


def candidate(config: SearchConfig, decision: str, rows: int, columns: int) -> TrainConfig:
    """Return how a candidate is trained: the papers' setting with that kernel, at the search's width.

    >>> candidate(SearchConfig(width=0.05), "pon", 2, 5).network.filters
    (3, 3, 3, 2)
    """
    whole = MeowjongConfig(decision)
    narrow = [max(1, round(config.width * many)) for many in (*whole.filters, whole.dense)]
    network = dataclasses.replace(
        whole, kernel=(rows, columns), filters=(narrow[0], narrow[1], narrow[2], narrow[3]), dense=narrow[4]
    )
    return paper_config(
        decision,
        network=network,
        epochs=config.epochs,
        seed=config.seed,
        measure_most=config.measure_most,
        # Of discards there are dozens a hand: few hands at a time, so that checkpoints do not lie hours apart.
        chunk=32 if decision == "discard" else 384,
    )


def kernel_search(
    config: SearchConfig,
    hands: HandSet,
    folder: Path,
    progress: Callable[[SearchResult, int, int], None] | None = None,
    *,
    training: Callable[[str, Progress], None] | None = None,
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
    some = _some(hands, config)
    learned, held = some.split(HELD, config.seed)
    _check(config.decisions, learned, held)
    about = {"format": FORMAT, "config": config_json(config), "hands": _digest(some)}
    path = folder / SEARCH_FILE
    begun = path.exists()
    done = _load(path, about) if begun else []
    wanted = [(decision, *size) for decision in config.decisions for size in config.sizes]
    if [(one.decision, one.rows, one.columns) for one in done] != wanted[: len(done)]:
        raise CheckpointError(f"{path} is damaged: name another folder, or delete it")
    folder.mkdir(parents=True, exist_ok=True)
    if not begun:
        _save(path, about, done)
    # What a search that was deleted or killed may have left: weights of others, and of candidates that are done.
    current = _place(folder, *wanted[len(done)]) if begun and len(done) < len(wanted) else None
    for left in folder.glob("candidate-*"):
        if left != current:
            shutil.rmtree(left)
    for number, result in enumerate(done):
        if progress is not None:
            progress(result, number + 1, len(wanted))
    for decision, rows, columns in wanted[len(done) :]:
        place = _place(folder, decision, rows, columns)
        trainer = Trainer(candidate(config, decision, rows, columns), learned, place, development=held)
        name = f"{decision} {rows} × {columns}"
        trainer.train(None if training is None else partial(training, name))
        found = trainer.measure(most=config.measure_most)[decision]
        result = SearchResult(decision, rows, columns, found.top[0], found.loss, trainer.samples, trainer.seconds)
        done.append(result)
        _save(path, about, done)
        shutil.rmtree(place)
        if progress is not None:
            progress(result, len(done), len(wanted))
    return done


def _some(hands: HandSet, config: SearchConfig) -> HandSet:
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


def _place(folder: Path, decision: str, rows: int, columns: int) -> Path:
    return folder / f"candidate-{decision}-{rows}x{columns}"


def _digest(hands: HandSet) -> str:
    """A text that tells sets of hands apart."""
    whole = hashlib.blake2b(repr(hands.rules).encode(), digest_size=16)
    for part in (hands.walls, hands.starts, hands.taken, hands.bounds, hands.games, hands.rule):
        whole.update(np.ascontiguousarray(part).tobytes())
    return whole.hexdigest()


def _save(path: Path, about: dict[str, Any], results: list[SearchResult]) -> None:
    save_text(json.dumps({**about, "results": [dataclasses.asdict(one) for one in results]}, indent=1), path)


def _load(path: Path, about: dict[str, Any]) -> list[SearchResult]:
    """The results of an earlier run."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        results = said.pop("results")
        found = [SearchResult(**(one | {"accuracy": Estimate(**one["accuracy"])})) for one in results]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise CheckpointError(f"{path} holds no search that can be read: name another folder, or delete it") from None
    if said != about:
        raise CheckpointError(
            f"{path.parent} holds a search with other options or records: name another folder, or delete {path.name}"
        )
    return found


# ---------------------------------------------------------------------------------------------------------
# What came out


def best_kernels(results: Iterable[SearchResult]) -> dict[str, tuple[int, int]]:
    """Return rows and columns of the best kernel of each decision: table 3.6 of the dissertation.

    The highest accuracy; of equals the smaller loss, then the smaller kernel.

    >>> half = Estimate(0.5, 0.4, 0.6, 100)
    >>> best_kernels([SearchResult("pon", 2, 3, half, 0.9, 50, 1.0), SearchResult("pon", 5, 4, half, 0.8, 50, 2.0)])
    {'pon': (5, 4)}
    """
    ranked = sorted(results, key=lambda one: (-one.accuracy.value, one.loss, one.rows * one.columns, one.rows))
    # The last of a key stays in a dictionary.
    best = {one.decision: (one.rows, one.columns) for one in reversed(ranked)}
    return {name: best[name] for name in DECISIONS if name in best}


def search_table(results: Iterable[SearchResult]) -> dict[str, list[list[float | None]]]:
    """Return for each decision the accuracies (4 rows of a kernel, 4 columns; from 2 to 5), None where not tried.

    >>> found = search_table([SearchResult("kan", 2, 3, Estimate(0.9, 0.8, 0.95, 100), 0.3, 50, 1.0)])
    >>> found["kan"][0]
    [None, 0.9, None, None]
    """
    tables: dict[str, list[list[float | None]]] = {}
    for one in results:
        table = tables.setdefault(one.decision, [[None] * len(EDGES) for _ in EDGES])
        table[EDGES.index(one.rows)][EDGES.index(one.columns)] = one.accuracy.value
    return tables


def search_figures(results: Sequence[SearchResult]) -> dict[str, Figure]:
    """Return a heat map for each decision: accuracy in percent by the kernel's rows and columns.

    Raises `janshi.arena.figures.FigureError` without matplotlib.

    >>> found = search_figures([SearchResult("kan", 2, 3, Estimate(0.9, 0.8, 0.95, 100), 0.3, 50, 1.0)])
    >>> found["kan"].get_label()
    'kan: agreement in % by kernel size (100 situations held out)'
    """
    from janshi.arena.figures import heat_map

    figures: dict[str, Figure] = {}
    counts = {one.decision: one.accuracy.count for one in results}
    edges = [str(edge) for edge in EDGES]
    for name, table in search_table(results).items():
        title = f"{name}: agreement in % by kernel size ({counts[name]:,} situations held out)"
        percent = 100 * np.array(table, np.float64)
        figures[name] = heat_map(percent, edges, edges, title, x_label="columns", y_label="rows")
    return figures

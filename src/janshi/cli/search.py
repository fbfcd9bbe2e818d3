"""``janshi search``: which kernel sizes suit the papers' networks."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table

from janshi.cli.failing import failing, needing
from janshi.cli.options import argument, option
from janshi.cli.progress import timed_bar

if TYPE_CHECKING:
    from janshi.papers.meowjong.search import SearchResult


@dataclass(frozen=True)
class SearchOptions:
    """Options of ``janshi search``."""

    paths: list[Path] = argument("Records: files, folders, .zip, .gz; or a folder of janshi dataset.")
    out: Path = option("Folder for the results; an unfinished search there goes on.")
    decision: str = option("all, or one of discard, pon, kan, kita, riichi.", default="all")
    epochs: float = option("Times through the hands, for each candidate.", default=20.0, min=1e-6)
    width: float = option("Share of the papers' filters and dense units.", default=1.0, min=1e-6)
    hands: int | None = option("Most hands used (default: all).", default=None, min=2)
    players: int = option("Three (sanma) or four.", default=3, min=3, max=4)
    seed: int = option("Decides the split, the order and the first weights.", default=0, min=0)
    as_json: bool = option("Print JSON instead.", "--json", default=False)


def search_kernels(options: SearchOptions) -> None:
    """Train the papers' network with each of 16 kernel sizes and compare them. Ctrl-C can be resumed.

    At full width on many records this is work for a GPU; --width 0.1 --hands 1000 --epochs 2 shows a tendency on
    any machine.
    """
    with needing("search", "learn"):
        from janshi.arena.figures import check_matplotlib, save
        from janshi.cli.reading import reading
        from janshi.files import working_in
        from janshi.learn.checkpoints import CheckpointError
        from janshi.learn.dataset import DatasetError
        from janshi.learn.trainer import Progress
        from janshi.papers.meowjong.decisions import DECISIONS
        from janshi.papers.meowjong.search import SearchConfig, kernel_search, search_figures
    # There is no kita with four players.
    possible = tuple(decision for decision in DECISIONS if options.players == 3 or decision != "kita")
    with failing(
        "search",
        DatasetError,
        CheckpointError,
        ValueError,
        interrupted="interrupted; the same command goes on where it was",
    ):
        check_matplotlib()
        if options.decision == "kita" and options.players == 4:
            raise DatasetError("there is no kita with four players")
        config = SearchConfig(
            decisions=possible if options.decision == "all" else (options.decision,),
            epochs=options.epochs,
            width=options.width,
            hands=options.hands,
            seed=options.seed,
        )
        with working_in(options.out), timed_bar(options.as_json) as bar:
            hands = reading(bar, options.paths, options.players)
            candidates = bar.add_task("candidates", total=len(config.decisions) * len(config.sizes))
            training = bar.add_task("training", total=None)

            def show(result: SearchResult, done: int, total: int) -> None:
                bar.update(candidates, completed=done, total=total, description=f"{done} of {total} candidates")

            def step(name: str, state: Progress) -> None:
                text = f"{name}, loss {state.loss:.3f}"
                bar.update(training, completed=state.hands, total=state.total, description=text)

            results = kernel_search(config, hands, options.out, show, training=step)
        for name, figure in search_figures(results).items():
            save(figure, options.out / f"search-{name}.svg")
    _report(results, options)


def _report(results: list[SearchResult], options: SearchOptions) -> None:
    """Print what was found, as tables or as JSON."""
    from janshi.papers.meowjong.search import best_kernels, search_table

    best = best_kernels(results)
    if options.as_json:
        listed = [dataclasses.asdict(result) for result in results]
        typer.echo(json.dumps({"best": best, "accuracy": search_table(results), "results": listed}, indent=1))
        return
    print_search(results, best)
    typer.echo(f"saved in {options.out}")


def print_search(results: list[SearchResult], best: dict[str, tuple[int, int]]) -> None:
    """Print a table of accuracies for each decision, and the best kernels beside the papers'."""
    from janshi.papers.meowjong.networks import KERNELS
    from janshi.papers.meowjong.search import EDGES, search_table

    console = Console()
    by_kernel = {(result.decision, result.rows, result.columns): result for result in results}
    for decision, accuracies in search_table(results).items():
        rows, columns = best[decision]
        accuracy = by_kernel[decision, rows, columns].accuracy
        interval = f"{100 * accuracy.low:.1f} to {100 * accuracy.high:.1f}"
        caption = f"of {accuracy.count:,} situations held out; 95 % interval of the best {interval}"
        header = [f"{edge} columns" for edge in EDGES]
        shown = Table("rows", *header, title=f"{decision}: agreement in %", caption=caption)
        for edge, line in zip(EDGES, accuracies, strict=True):
            cells = ["–" if value is None else f"{100 * value:.2f}" for value in line]
            if edge == rows:
                cells[EDGES.index(columns)] = f"[bold]{cells[EDGES.index(columns)]} *[/bold]"
            shown.add_row(str(edge), *cells)
        for column in shown.columns:
            column.justify = "right"
        console.print(shown)
    for decision, (rows, columns) in best.items():
        published = KERNELS[decision]
        typer.echo(f"{decision}: {rows} × {columns} (papers {published[0]} × {published[1]})")

"""``janshi search``: which kernel sizes suit the papers' networks."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from janshi.learn.search import SearchResult


def search_kernels(
    paths: Annotated[
        list[Path], typer.Argument(help="Records: files, folders, .zip, .gz; or a folder of janshi dataset.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the results; an unfinished search there goes on.")],
    decision: Annotated[str, typer.Option(help="all, or one of discard, pon, kan, kita, riichi.")] = "all",
    epochs: Annotated[float, typer.Option(help="Times through the hands, for each candidate.", min=1e-6)] = 20.0,
    width: Annotated[float, typer.Option(help="Share of the papers' filters and dense units.", min=1e-6)] = 1.0,
    hands: Annotated[int | None, typer.Option(help="Most hands used (default: all).", min=2)] = None,
    players: Annotated[int, typer.Option(help="Three (sanma) or four.", min=3, max=4)] = 3,
    seed: Annotated[int, typer.Option(min=0, help="Decides the split, the order and the first weights.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Train the papers' network with each of 16 kernel sizes and compare them. Ctrl-C can be resumed.

    At full width on many records this is work for a GPU; --width 0.1 --hands 1000 --epochs 2 shows a tendency on
    any machine.
    """
    try:
        from janshi.arena.figures import check_matplotlib, save
        from janshi.cli.train import progress_bar, reading
        from janshi.files import check_folder
        from janshi.learn.dataset import DatasetError
        from janshi.learn.search import SearchConfig, best_kernels, kernel_search, search_figures, search_table
        from janshi.learn.trainer import CheckpointError, Progress
        from janshi.observe.decisions import DECISIONS
    except ModuleNotFoundError as error:
        typer.echo(f"janshi search: needs {error.name}: pip install 'janshi[learn]'", err=True)
        raise typer.Exit(2) from None
    # There is no kita with four players.
    every = tuple(one for one in DECISIONS if players == 3 or one != "kita")
    try:
        check_matplotlib()
        check_folder(out)
        if decision == "kita" and players == 4:
            raise DatasetError("there is no kita with four players")
        decisions = every if decision == "all" else (decision,)
        config = SearchConfig(decisions=decisions, epochs=epochs, width=width, hands=hands, seed=seed)
        with progress_bar(as_json) as bar:
            read = reading(bar, paths, players)
            whole = bar.add_task("candidates", total=len(config.decisions) * len(config.sizes))
            one = bar.add_task("training", total=None)

            def tell(result: SearchResult, done: int, total: int) -> None:
                bar.update(whole, completed=done, total=total, description=f"{done} of {total} candidates")

            def step(name: str, stand: Progress) -> None:
                bar.update(one, completed=stand.hands, total=stand.total, description=f"{name}, loss {stand.loss:.3f}")

            results = kernel_search(config, read, out, tell, training=step)
        for name, figure in search_figures(results).items():
            save(figure, out / f"search-{name}.svg")
    except KeyboardInterrupt:
        typer.echo("janshi search: interrupted; the same command goes on where it was", err=True)
        raise typer.Exit(130) from None
    except (DatasetError, CheckpointError, OSError, ValueError) as error:
        typer.echo(f"janshi search: {error}", err=True)
        raise typer.Exit(2) from None
    best = best_kernels(results)
    if as_json:
        found = [dataclasses.asdict(result) for result in results]
        typer.echo(json.dumps({"best": best, "accuracy": search_table(results), "results": found}, indent=1))
        return
    print_search(results, best)
    typer.echo(f"saved in {out}")


def print_search(results: list[SearchResult], best: dict[str, tuple[int, int]]) -> None:
    """Print a table of accuracies for each decision, and the best kernels beside the papers'."""
    from rich.console import Console
    from rich.table import Table

    from janshi.learn.networks import KERNELS
    from janshi.learn.search import EDGES, search_table

    console = Console()
    winners = {(one.decision, one.rows, one.columns): one for one in results}
    for name, table in search_table(results).items():
        rows, columns = best[name]
        found = winners[name, rows, columns].accuracy
        interval = f"{100 * found.low:.1f} to {100 * found.high:.1f}"
        about = f"of {found.count:,} situations held out; 95 % interval of the best {interval}"
        shown = Table("rows", *(f"{edge} columns" for edge in EDGES), title=f"{name}: agreement in %", caption=about)
        for edge, line in zip(EDGES, table, strict=True):
            cells = ["–" if value is None else f"{100 * value:.2f}" for value in line]
            if edge == rows:
                cells[EDGES.index(columns)] = f"[bold]{cells[EDGES.index(columns)]} *[/bold]"
            shown.add_row(str(edge), *cells)
        for column in shown.columns:
            column.justify = "right"
        console.print(shown)
    for name, (rows, columns) in best.items():
        paper = KERNELS[name]
        typer.echo(f"{name}: {rows} × {columns} (papers {paper[0]} × {paper[1]})")

"""``janshi dataset``: hands and the index of their decisions, from records."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table


def make_dataset(
    paths: Annotated[list[Path], typer.Argument(help="Records: files, folders, .zip or .gz.")],
    out: Annotated[Path, typer.Option(help="Folder for hands.parquet and decisions.parquet.")],
    test: Annotated[list[Path] | None, typer.Option(help="Records of the test set, for the table. Repeatable.")] = None,
    players: Annotated[int, typer.Option(help="Three (sanma) or four.", min=3, max=4)] = 3,
    development: Annotated[float, typer.Option(help="Share of the games held out.", min=0.0, max=0.9)] = 0.1,
    seed: Annotated[int, typer.Option(min=0, help="Decides which.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Keep the hands of records in Parquet with every discard, pon, kan, kita and riichi decision; print how many."""
    try:
        from janshi.cli.train import progress_bar, reading
        from janshi.files import check_folder
        from janshi.learn.dataset import HANDS_FILE, INDEX_FILE, DatasetError, mean_and_deviation, sizes
    except ModuleNotFoundError as error:
        typer.echo(f"janshi dataset: needs {error.name}: pip install 'janshi[learn]'", err=True)
        raise typer.Exit(2) from None
    try:
        check_folder(out)
        with progress_bar(as_json) as bar:
            hands = reading(bar, paths, players)
            training, held = hands.split(development, seed)
            sets = {"training": training, "development": held}
            if test:
                sets["test"] = reading(bar, test, players)
            hands.save(out)
            task = bar.add_task("counting", total=None)
            counted = {name: sizes(one) for name, one in sets.items()}
            scale = mean_and_deviation(training)
            bar.update(task, total=1, completed=1)
    except KeyboardInterrupt:
        typer.echo("janshi dataset: interrupted; nothing was written", err=True)
        raise typer.Exit(130) from None
    except (DatasetError, OSError) as error:
        typer.echo(f"janshi dataset: {error}", err=True)
        raise typer.Exit(2) from None
    stored = sum((out / name).stat().st_size for name in (HANDS_FILE, INDEX_FILE))
    if as_json:
        said = {
            "hands": {name: len(one) for name, one in sets.items()},
            "sizes": {name: {k: dataclasses.asdict(v) for k, v in one.items()} for name, one in counted.items()},
            "mean and deviation": scale,
            "bytes": stored,
            "games skipped": hands.skipped,
        }
        typer.echo(json.dumps(said, indent=1))
        return
    table = Table("decision", "set", "examples", "yes", "no", title="Decisions (table 3.3 of the dissertation)")
    for kind in scale:
        for name, one in counted.items():
            size = one[kind]
            yes = "–" if size.positive is None else f"{size.positive:,}"
            no = "–" if size.positive is None else f"{size.examples - size.positive:,}"
            table.add_row(kind if name == "training" else "", name, f"{size.examples:,}", yes, no)
        table.add_section()
    for column in table.columns[2:]:
        column.justify = "right"
    console = Console()
    console.print(table)
    spread = Table("decision", "mean μ", "σ = √(μ − μ²)", title="Observations of the training set (table 3.4)")
    for kind, (mean, deviation) in scale.items():
        spread.add_row(kind, f"{mean:.6f}", f"{deviation:.6f}")
    console.print(spread)
    typer.echo(f"{len(hands):,} hands in {stored:,} bytes in {out} ({hands.skipped:,} games left out)")

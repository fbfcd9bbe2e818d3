"""``janshi dataset``: hands and the index of their decisions, from records."""

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
    from janshi.papers.meowjong.labels import Size


@dataclass(frozen=True)
class DatasetOptions:
    """Options of ``janshi dataset``."""

    paths: list[Path] = argument("Records: files, folders, .zip or .gz.")
    out: Path = option("Folder for hands.parquet and decisions.parquet.")
    test: list[Path] = option("Records of the test set, for the table. Repeatable.", default=[])
    players: int = option("Three (sanma) or four.", default=3, min=3, max=4)
    development: float = option("Share of the games held out.", default=0.1, min=0.0, max=0.9)
    seed: int = option("Decides which.", default=0, min=0)
    as_json: bool = option("Print JSON instead.", "--json", default=False)


def make_dataset(options: DatasetOptions) -> None:
    """Keep the hands of records in Parquet with every decision; print how many discards, pon, kan, kita and riichi."""
    with needing("dataset", "learn"):
        from janshi.cli.reading import reading
        from janshi.files import working_in
        from janshi.learn.dataset import HANDS_FILE, INDEX_FILE, DatasetError
        from janshi.papers.meowjong.labels import mean_and_deviation, sizes
    out = options.out
    with (
        failing("dataset", DatasetError, interrupted="interrupted; nothing was written"),
        working_in(out),
        timed_bar(options.as_json) as bar,
    ):
        hands = reading(bar, options.paths, options.players)
        sets = {"training": hands}
        if options.development:
            training, held = hands.split(options.development, options.seed)
            sets = {"training": training, "development": held}
        if options.test:
            sets["test"] = reading(bar, options.test, options.players)
        hands.save(out)
        task = bar.add_task("counting", total=None)
        counted = {name: sizes(hand_set) for name, hand_set in sets.items()}
        scale = mean_and_deviation(sets["training"])
        bar.update(task, total=1, completed=1)
    stored = sum((out / name).stat().st_size for name in (HANDS_FILE, INDEX_FILE))
    if options.as_json:
        report = {
            "hands": {name: len(hand_set) for name, hand_set in sets.items()},
            "sizes": {
                name: {decision: dataclasses.asdict(size) for decision, size in by_decision.items()}
                for name, by_decision in counted.items()
            },
            "mean and deviation": scale,
            "bytes": stored,
            "games skipped": hands.skipped,
        }
        typer.echo(json.dumps(report, indent=1))
        return
    _print(counted, scale)
    typer.echo(f"{len(hands):,} hands in {stored:,} bytes in {out} ({hands.skipped:,} games left out)")


def _print(counted: dict[str, dict[str, Size]], scale: dict[str, tuple[float, float]]) -> None:
    """Print tables 3.3 and 3.4."""
    table = Table("decision", "set", "examples", "yes", "no", title="Decisions (table 3.3 of the dissertation)")
    for decision in scale:
        for name, by_decision in counted.items():
            size = by_decision[decision]
            yes = "–" if size.positive is None else f"{size.positive:,}"
            no = "–" if size.positive is None else f"{size.examples - size.positive:,}"
            table.add_row(decision if name == "training" else "", name, f"{size.examples:,}", yes, no)
        table.add_section()
    for column in table.columns[2:]:
        column.justify = "right"
    console = Console()
    console.print(table)
    spread = Table("decision", "mean μ", "σ = √(μ − μ²)", title="Observations of the training set (table 3.4)")
    for decision, (mean, deviation) in scale.items():
        spread.add_row(decision, f"{mean:.6f}", f"{deviation:.6f}")
    console.print(spread)

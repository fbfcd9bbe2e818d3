"""``janshi dataset``: hands and the index of their decisions, from records."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from janshi.cli.failing import interrupted
from janshi.cli.options import CLUSTER, RECORD_RULES, argument, option, rules_named
from janshi.cli.printing import make_table
from janshi.cli.progress import timed_bar


@dataclass(frozen=True)
class DatasetOptions:
    """Options of ``janshi dataset``."""

    paths: list[Path] = argument("Records: files, folders, .zip or .gz.")
    out: Path = option("Output folder for hands.parquet and decisions.parquet.")
    test: list[Path] = option("Records of a test set, for the printed table. Repeatable.", default=[])
    rules: str | None = option(RECORD_RULES, default=None)
    players: int = option("Number of players: 3 (sanma) or 4.", default=3, min=3, max=4)
    development: float = option("Share of the games to hold out.", default=0.1, min=0.0, max=0.9)
    seed: int = option("Random seed of the split.", default=0, min=0)
    cluster: str | None = option(CLUSTER, default=None)
    as_json: bool = option("Print JSON.", "--json", default=False)


def make_dataset(options: DatasetOptions) -> None:
    """Write hands and decisions of records to Parquet; print the number of decisions of each kind."""
    report = _kept(options)
    if options.as_json:
        typer.echo(json.dumps(report, indent=1))
    else:
        _print(report)


def _kept(options: DatasetOptions) -> dict[str, Any]:
    """Keep the hands of records in a folder; return ``sizes`` by set and decision, hands, and bytes."""
    from janshi.cli.reading import reading
    from janshi.files import working_in
    from janshi.games import GAMES
    from janshi.learn.datasets import dataset_of

    counts = dataset_of(GAMES.first).counts
    given: dict[str, Any] = {} if options.rules is None else {"rules": rules_named(options.rules)}
    with (
        interrupted("interrupted; nothing was written"),
        working_in(options.out),
        timed_bar(options.as_json) as bar,
    ):
        hands = reading(bar, options.paths, options.players, chosen=True, cluster=options.cluster, **given)
        sets = {"training": hands}
        if options.development:
            training, held = hands.split(options.development, options.seed)
            sets = {"training": training, "development": held}
        if options.test:
            sets["test"] = reading(bar, options.test, options.players, chosen=True, cluster=options.cluster, **given)
        hands.save(options.out)
        task = bar.add_task("counting", total=None)
        sizes = {
            name: {what: {"examples": there, "positive": yes} for what, (there, yes) in counts(each).items()}
            for name, each in sets.items()
        }
        bar.update(task, total=1, completed=1)
    return {
        "hands": {name: len(each) for name, each in sets.items()},
        "sizes": sizes,
        "bytes": sum(path.stat().st_size for path in options.out.glob("*.parquet")),
        "games skipped": hands.skipped,
        "folder": str(options.out),
    }


def _print(report: dict[str, Any]) -> None:
    """Print how many decisions there are in each set."""
    table = make_table("decision", "set", "examples", "yes", "no", title="Decisions", left=2)
    for decision in report["sizes"]["training"]:
        for name, by_decision in report["sizes"].items():
            size = by_decision.get(decision, {"examples": 0, "positive": 0})
            there, yes = size["examples"], size["positive"]
            answers = ("–", "–") if yes is None else (f"{yes:,}", f"{there - yes:,}")
            table.add_row(decision if name == "training" else "", name, f"{there:,}", *answers)
        table.add_section()
    Console().print(table)
    hands = sum(number for name, number in report["hands"].items() if name != "test")
    left_out = f"{report['games skipped']:,} games left out"
    typer.echo(f"{hands:,} hands in {report['bytes']:,} bytes in {report['folder']} ({left_out})")

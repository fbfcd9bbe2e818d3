"""``janshi replay``: records through the engine, with every check."""

from __future__ import annotations

import dataclasses
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from janshi.cli.failing import INTERRUPTED, fail
from janshi.cli.options import CLUSTER, RECORD_RULES, argument, option, rules_named
from janshi.cli.printing import make_table

if TYPE_CHECKING:
    from janshi.records.verify import Tally


@dataclass(frozen=True)
class ReplayOptions:
    """Options of ``janshi replay``."""

    paths: list[Path] = argument("Records: files, folders, .zip or .gz.")
    rules: str | None = option(RECORD_RULES, default=None)
    jobs: int = option("Number of processes.", default=1, min=1, max=256)
    cluster: str | None = option(CLUSTER, default=None)
    show: int = option("Number of mismatches printed per archive.", default=20, min=0)
    as_json: bool = option("Print JSON.", "--json", default=False)


def replay_records(options: ReplayOptions) -> None:
    """Replay records through the engine and check every result; exit code 1 after a mismatch, a cut hand or damage."""
    from janshi.records.verify import verify

    rules = None if options.rules is None else rules_named(options.rules)
    start = time.perf_counter()
    tallies: dict[str, Tally] = {}
    interrupted = False
    with Console(stderr=True).status("replaying …") as status:

        def show(so_far: dict[str, Tally]) -> None:
            tallies.update(so_far)
            games = sum(tally.games for tally in tallies.values())
            rate = games / (time.perf_counter() - start)
            wrong = sum(len(tally.mismatches) for tally in tallies.values())
            status.update(f"replaying … {games:,} games, {rate:,.0f} a second, {wrong} mismatches")

        try:
            tallies = verify(options.paths, jobs=options.jobs, cluster=options.cluster, rules=rules, progress=show)
        except KeyboardInterrupt:
            interrupted = True
    seconds = time.perf_counter() - start
    if options.as_json:
        typer.echo(json.dumps({name: dataclasses.asdict(tally) for name, tally in tallies.items()}, indent=1))
    else:
        print_tallies(tallies, options.show, seconds)
    if interrupted:
        fail("replay", "interrupted; the table shows the games replayed so far", INTERRUPTED)
    if not all(tally.fine for tally in tallies.values()):
        raise typer.Exit(1)


def _option(rules: str) -> str:
    """Return how to name rules: as a preset, or as those of a file."""
    return f"--rules FILE.py:NAME, {rules}" if " " in rules else f"--rules {rules}"


def print_tallies(tallies: dict[str, Tally], show: int, seconds: float) -> None:
    """Print the results of a replay: a row for each archive, and what was ignored and assumed.

    Mismatches, cut hands and damaged files go to standard error.
    """
    from janshi.records.formats import Remarks

    table = make_table("archive", "games", "hands", "decisions", "real walls", "mismatches", "cut", "damaged")
    rows = [(Path(name).name or name, tally) for name, tally in tallies.items()]
    remarks = Remarks()
    for name, tally in rows:
        wrong = len(tally.mismatches), len(tally.remarks.cut), len(tally.damaged)
        numbers = (tally.games, tally.hands, tally.decisions, tally.walls, *wrong)
        table.add_row(name, *(f"{number:,}" for number in numbers))
        remarks.add(tally.remarks)
    for name, tally in rows:
        for damaged in tally.damaged:
            typer.echo(f"damaged: {damaged}", err=True)
        for cut in tally.remarks.cut:
            typer.echo(f"cut: {cut}", err=True)
        for mismatch in tally.mismatches[:show]:
            typer.echo(f"mismatch: {mismatch}", err=True)
        if len(tally.mismatches) > show:
            typer.echo(f"{name}: {len(tally.mismatches) - show} more mismatches (--show)", err=True)
    Console().print(table)
    for line in remarks.lines():
        typer.echo(line)
    for name, tally in rows:
        if tally.fits:
            fits = sorted(tally.fits.items(), key=lambda pair: -pair[1])
            counts = [f"{_option(rules)} ({games:,} game{'s' if games > 1 else ''})" for rules, games in fits]
            typer.echo(f"{name}: fits with {', '.join(counts)}")
    games = sum(tally.games for _, tally in rows)
    typer.echo(f"{games:,} games in {seconds:.1f} s ({games / max(seconds, 1e-9):,.0f} a second)")

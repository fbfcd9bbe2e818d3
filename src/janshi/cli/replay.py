"""``janshi replay``: records through the engine, with every check."""

from __future__ import annotations

import dataclasses
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from janshi.records.verify import Tally


def replay_records(
    paths: Annotated[list[Path], typer.Argument(help="Files, folders, .zip or .gz.")],
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Processes to work with.")] = 1,
    show: Annotated[int, typer.Option(min=0, help="Mismatches to print of each archive.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything found as JSON.")] = False,
) -> None:
    """Replay records through the engine; exit code 1 where anything does not match or is damaged."""
    from janshi.records.verify import verify

    errors = Console(stderr=True)
    start = time.perf_counter()
    found: dict[str, Tally] = {}
    interrupted = False
    with errors.status("replaying … (the engine is compiled once after an install)") as status:

        def tell(so_far: dict[str, Tally]) -> None:
            found.update(so_far)
            games = sum(one.games for one in found.values())
            rate = games / (time.perf_counter() - start)
            wrong = sum(len(one.mismatches) for one in found.values())
            status.update(f"replaying … {games:,} games, {rate:,.0f} a second, {wrong} mismatches")

        try:
            found = verify(paths, jobs=jobs, progress=tell)
        except KeyboardInterrupt:
            interrupted = True
    seconds = time.perf_counter() - start
    if as_json:
        typer.echo(json.dumps({name: dataclasses.asdict(tally) for name, tally in found.items()}, indent=1))
    else:
        print_tallies(found, show, seconds)
    if interrupted:
        typer.echo("janshi replay: interrupted; this is what was replayed until then", err=True)
        raise typer.Exit(130)
    if not all(tally.fine for tally in found.values()):
        raise typer.Exit(1)


def print_tallies(found: dict[str, Tally], show: int, seconds: float) -> None:
    """Print what a replay found: one row for each archive, mismatches and damaged files on standard error."""
    table = Table("archive", "games", "hands", "decisions", "real walls", "mismatches", "damaged")
    for column in table.columns[1:]:
        column.justify = "right"
    rows = [(Path(name).name or name, tally) for name, tally in found.items()]
    for name, tally in rows:
        numbers = (tally.games, tally.hands, tally.decisions, tally.walls, len(tally.mismatches), len(tally.damaged))
        table.add_row(name, *(f"{number:,}" for number in numbers))
    for name, tally in rows:
        for one in tally.damaged:
            typer.echo(f"damaged: {one}", err=True)
        for mismatch in tally.mismatches[:show]:
            typer.echo(f"mismatch: {mismatch}", err=True)
        if len(tally.mismatches) > show:
            typer.echo(f"{name}: {len(tally.mismatches) - show} more mismatches (--show)", err=True)
    Console().print(table)
    games = sum(tally.games for _, tally in rows)
    typer.echo(f"{games:,} games in {seconds:.1f} s ({games / max(seconds, 1e-9):,.0f} a second)")

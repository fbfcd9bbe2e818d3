"""``janshi convert``: records from one format to another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from janshi.cli.options import KITA, RECORD_FORMATS, RECORD_RULES, argument, option, rules_named

if TYPE_CHECKING:
    from janshi.records import Converted


@dataclass(frozen=True)
class ConvertOptions:
    """Options of ``janshi convert``."""

    paths: list[Path] = argument("Records: files, folders, .zip or .gz.")
    out: Path = option("Output folder or .zip; existing games are skipped.")
    rules: str | None = option(RECORD_RULES, default=None)
    to: str = option(f"Output format: {', '.join(RECORD_FORMATS)}.", default="mjlog")
    kita: str | None = option(KITA, default=None)


def convert_records(options: ConvertOptions) -> None:
    """Convert records to another format; damaged files and cut hands are listed and skipped (exit code 1)."""
    from janshi.records import convert

    rules = None if options.rules is None else rules_named(options.rules)
    console = Console(stderr=True)
    with console.status("converting …") as status:

        def show(so_far: Converted) -> None:
            status.update(f"converting … {so_far.games} games")

        done = convert(options.paths, options.to, options.out, rules=rules, progress=show, kita=options.kita)
    for damaged in done.damaged:
        typer.echo(f"damaged: {damaged.source}: {damaged.reason}", err=True)
    for cut in done.remarks.cut:
        typer.echo(f"cut: {cut}", err=True)
    for line in done.remarks.lines():
        typer.echo(line)
    renamed = f" ({done.renamed} named …~2 and so on: another game has their name)" if done.renamed else ""
    typer.echo(
        f"{done.games} games in {done.files} files written to {options.out}{renamed}, {done.skipped} there already"
    )
    if done.damaged or done.remarks.cut:
        raise typer.Exit(1)

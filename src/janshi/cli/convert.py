"""``janshi convert``: records from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from janshi.records import FORMATS, RecordError, convert
from janshi.records.convert import Converted


def convert_records(
    paths: Annotated[list[Path], typer.Argument(help="Files, folders, .zip or .gz.")],
    out: Annotated[Path, typer.Option(help="Folder or .zip to write; what is there already is passed over.")],
    to: Annotated[str, typer.Option(help=f"One of {', '.join(FORMATS)}.")] = "mjlog",
) -> None:
    """Convert records; damaged files are named and passed over (exit code 1 when there was one)."""
    console = Console(stderr=True)
    try:
        with console.status("converting …") as status:

            def tell(so_far: Converted) -> None:
                status.update(f"converting … {so_far.games} games")

            done = convert(paths, to, out, progress=tell)
    except (RecordError, OSError) as error:
        typer.echo(f"janshi convert: {error}", err=True)
        raise typer.Exit(2) from None
    for one in done.damaged:
        typer.echo(f"damaged: {one.source}: {one.reason}", err=True)
    typer.echo(f"{done.games} games in {done.files} files written to {out}, {done.skipped} there already")
    if done.damaged:
        raise typer.Exit(1)

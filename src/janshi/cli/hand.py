"""``janshi hand``: what a hand lacks, waits for and accepts."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from janshi.hands import HandError, shanten, ukeire
from janshi.tiles import format_tiles, tile_text


def show_hand(
    tiles: Annotated[str, typer.Argument(help='The concealed tiles, as in "123m406p789s1122z".')],
    calls: Annotated[int, typer.Option(help="Sets called or kans made beside them.", min=0, max=4)] = 0,
    players: Annotated[int, typer.Option(help="Three (sanma) or four.", min=3, max=4)] = 4,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Show a hand's shanten and ukeire: per discard what it accepts and how many tiles of that are left."""
    try:
        away = shanten(tiles, calls, players)
        rows = ukeire(tiles, calls=calls, players=players)
    except HandError as error:
        typer.echo(f"janshi hand: {error}", err=True)
        raise typer.Exit(2) from None
    if as_json:
        answer = {
            "shanten": away,
            "discards": [
                {
                    "discard": None if one.discard is None else tile_text(one.discard),
                    "shanten": one.shanten,
                    "accepted": [tile_text(kind) for kind in one.accepted],
                    "left": one.left,
                }
                for one in rows
            ],
        }
        typer.echo(json.dumps(answer))
        return
    names = {-1: "complete", 0: "ready (tenpai)"}
    table = Table("discard", "shanten after", "accepts", "tiles left", title=names.get(away, f"{away} from ready"))
    for one in rows:
        discard = "–" if one.discard is None else tile_text(one.discard)
        table.add_row(discard, str(one.shanten), format_tiles(one.accepted), str(one.left))
    Console().print(table)

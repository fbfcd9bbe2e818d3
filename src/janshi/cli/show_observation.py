"""``janshi show-observation``: what a network is given in one position, printed or drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from janshi.rules import RuleError

if TYPE_CHECKING:
    from janshi.observe.positions import PlayedHand


def show_position(
    record: Annotated[
        Path | None, typer.Argument(help="A record, or a folder or archive of them; without one a random game.")
    ] = None,
    game: Annotated[int, typer.Option(min=1, help="Which of its games, those that can be read.")] = 1,
    hand: Annotated[int, typer.Option(min=1, help="Which hand of the game.")] = 1,
    decision: Annotated[
        int | None, typer.Option(min=1, help="Which decision of the hand (default: the first).")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, max=3, help="Only decisions of this seat (0: first dealer).")
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the hand's decisions instead.")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="Every column that is not empty, by number and name.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: words, and all columns as masks.")] = False,
    out: Annotated[Path | None, typer.Option(help="Draw the columns into this file, .png or .svg.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the random game (default 0).")] = None,
    rules: Annotated[str | None, typer.Option(help="Of the random game (default tenhou-sanma).")] = None,
) -> None:
    """Show a position as a network is given it: 34 × 366 zeros and ones, their names, what they say.

    Columns and rows are counted from 0: row 0 is 1m, row 33 is 7z.
    """
    from janshi.observe.positions import PositionError
    from janshi.observe.show import as_json as told
    from janshi.observe.show import describe, describe_list, describe_raw, list_json

    try:
        _check(record, seed, rules, list_ and out is not None)
        with Console(stderr=True).status("replaying … (the engine is compiled once after an install)"):
            played = _played(record, game, hand, seed or 0, rules or "tenhou-sanma")
        if list_:
            some = played.of_seat(seat)
            typer.echo(json.dumps(list_json(played, some), indent=1) if as_json else describe_list(some))
            return
        position = played.position(decision, seat)
        if out is not None:
            from janshi.observe.picture import draw

            draw(played, position, out)
    except ModuleNotFoundError as error:
        needed = (error.name or "matplotlib").partition(".")[0]
        typer.echo(f"janshi show-observation: a picture needs {needed}: pip install {needed}", err=True)
        raise typer.Exit(2) from None
    except (PositionError, RuleError, OSError) as error:
        typer.echo(f"janshi show-observation: {error}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo("janshi show-observation: interrupted", err=True)
        raise typer.Exit(130) from None
    if as_json:
        typer.echo(json.dumps(told(played, position)))
    elif raw:
        typer.echo(describe_raw(played, position))
    elif out is None:
        typer.echo(describe(played, position))
    else:
        typer.echo(f"{out}: decision {position.decision} of hand {played.number}, {played.source}")


def _check(record: Path | None, seed: int | None, rules: str | None, listed_and_drawn: bool) -> None:
    """Raise `PositionError` for options that exclude each other."""
    from janshi.observe.positions import PositionError

    if record is not None and (seed is not None or rules is not None):
        raise PositionError("--seed and --rules are for a random game: leave them out, or the record")
    if listed_and_drawn:
        raise PositionError("--list and --out exclude each other: a picture is of one decision")


def _played(record: Path | None, game: int, hand: int, seed: int, rules: str) -> PlayedHand:
    from janshi.observe.positions import hand_of_game, nth_game, random_hand

    return random_hand(rules, seed, hand) if record is None else hand_of_game(nth_game(record, game), hand)

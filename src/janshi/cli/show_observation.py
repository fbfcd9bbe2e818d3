"""``janshi show-observation``: what a network is given in one position, printed or drawn."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from janshi.cli.failing import fail, failing
from janshi.cli.options import argument, option
from janshi.installing import lacking
from janshi.riichi.rules import RuleError

if TYPE_CHECKING:
    from janshi.rollout.positions import PlayedHand


@dataclass(frozen=True)
class ShowOptions:
    """Options of ``janshi show-observation``."""

    record: Path | None = argument("A record, or a folder or archive of them; without one a random game.", default=None)
    game: int = option("Which of its games, those that can be read.", default=1, min=1)
    hand: int = option("Which hand of the game.", default=1, min=1)
    decision: int | None = option("Which decision of the hand (default: the first).", default=None, min=1)
    seat: int | None = option("Only decisions of this seat (0: first dealer).", default=None, min=0, max=3)
    list_decisions: bool = option("List the hand's decisions instead.", "--list", default=False)
    raw: bool = option("Every column that is not empty, by number and name.", "--raw", default=False)
    as_json: bool = option("Print JSON: words, and all columns as masks.", "--json", default=False)
    out: Path | None = option("Draw the columns into this file, .png or .svg.", default=None)
    seed: int | None = option("Of the random game (default 0).", default=None)
    rules: str | None = option("Of the random game (default tenhou-sanma).", default=None)


def show_position(options: ShowOptions) -> None:
    """Show a position as a network is given it: 34 × 366 zeros and ones, their names, what they say.

    Columns and rows are counted from 0: row 0 is 1m, row 33 is 7z.
    """
    from janshi.drawing.observation import as_json, describe, describe_list, describe_raw, list_json
    from janshi.rollout.positions import PositionError

    try:
        with failing("show-observation", PositionError, RuleError):
            _check(options)
            with Console(stderr=True).status("replaying …"):
                played = _played(options)
            if options.list_decisions:
                positions = played.of_seat(options.seat)
                listed = list_json(played, positions)
                typer.echo(json.dumps(listed, indent=1) if options.as_json else describe_list(positions))
                return
            position = played.position(options.decision, options.seat)
            if options.out is not None:
                from janshi.drawing.observation_picture import draw

                draw(played, position, options.out)
    except ModuleNotFoundError as error:
        fail("show-observation", f"a picture {lacking(error.name or 'matplotlib', 'report')}")
    if options.as_json:
        typer.echo(json.dumps(as_json(played, position)))
    elif options.raw:
        typer.echo(describe_raw(played, position))
    elif options.out is None:
        typer.echo(describe(played, position))
    else:
        typer.echo(f"{options.out}: decision {position.decision} of hand {played.number}, {played.source}")


def _check(options: ShowOptions) -> None:
    """Raise `PositionError` for options that exclude each other."""
    from janshi.rollout.positions import PositionError

    if options.record is not None and (options.seed is not None or options.rules is not None):
        raise PositionError("--seed and --rules are for a random game: leave them out, or the record")
    if options.list_decisions and options.out is not None:
        raise PositionError("--list and --out exclude each other: a picture is of one decision")


def _played(options: ShowOptions) -> PlayedHand:
    from janshi.rollout.positions import hand_of_game, nth_game, random_hand

    if options.record is None:
        return random_hand(options.rules or "tenhou-sanma", options.seed or 0, options.hand)
    return hand_of_game(nth_game(options.record, options.game), options.hand)

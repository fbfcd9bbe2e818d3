"""``janshi show-observation``: the input of a network in one position."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.console import Console

from janshi.cli.failing import fail
from janshi.cli.options import argument, option, rules_named


@dataclass(frozen=True)
class ObservationOptions:
    """Options of ``janshi show-observation``."""

    record: Path | None = argument("Record, or folder or archive of records (default: a random game).", default=None)
    game: int = option("Number of the game among the readable ones.", default=1, min=1)
    hand: int = option("Number of the hand in the game.", default=1, min=1)
    decision: int | None = option("Number of the decision in the hand (default: the first).", default=None, min=1)
    seat: int | None = option("Show decisions of this seat only (0: first dealer).", default=None, min=0, max=3)
    list_decisions: bool = option("List the decisions of the hand.", "--list", default=False)
    raw: bool = option("Print every non-empty column by number and name.", "--raw", default=False)
    as_json: bool = option("Print JSON: decoded values, and all columns as masks.", "--json", default=False)
    seed: int | None = option("Random seed of the random game (default: 0).", default=None, min=0)
    rules: str | None = option("Rule set of the random game (default: tenhou-sanma).", default=None)


def show_position(options: ObservationOptions) -> None:
    """Show a position as the input of a network: 34 × 366 zeros and ones, with decoded values.

    Columns and rows are counted from 0: row 0 is 1m, row 33 is 7z.
    """
    from janshi.games import game_of

    if options.record is not None and (options.seed is not None or options.rules is not None):
        fail("show-observation", "--seed and --rules are for a random game: leave them out, or the record")
    rules = rules_named(options.rules or "tenhou-sanma")
    shown = game_of(rules).facet("observation")
    with Console(stderr=True).status("replaying …"):
        if options.record is None:
            played = shown.at_random(rules, options.seed or 0, options.hand)
        else:
            played = shown.of_record(options.record, options.game, options.hand)
    if options.list_decisions:
        positions = played.of_seat(options.seat)
        listed = shown.list_json(played, positions)
        typer.echo(json.dumps(listed, indent=1) if options.as_json else shown.describe_list(positions))
        return
    position = played.position(options.decision, options.seat)
    if options.as_json:
        typer.echo(json.dumps(shown.as_json(played, position)))
    elif options.raw:
        typer.echo(shown.describe_raw(played, position))
    else:
        typer.echo(shown.describe(played, position))

"""``janshi play``: the table in the browser."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, cast

import typer

from janshi.rules import RuleError

if TYPE_CHECKING:
    from janshi.web.messages import Length


def play_table(
    agents: Annotated[
        list[str] | None,
        typer.Argument(help="Who plays against you, in turn: sl, rl, planner, efficient, random, files."),
    ] = None,
    rules: Annotated[str, typer.Option(help="Rules to play by.")] = "tenhou-sanma",
    length: Annotated[str, typer.Option(help="A single hand, an east game or east and south.")] = "hand",
    seat: Annotated[int | None, typer.Option(min=0, max=3, help="Your seat (default: by lot).")] = None,
    name: Annotated[str, typer.Option(help="Your name.")] = "",
    seed: Annotated[int | None, typer.Option(min=0, help="Decides the walls (default: nobody knows).")] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Agents at every seat.")] = False,
    hints: Annotated[bool, typer.Option("--hints/--no-hints", help="Whether an agent may be asked for advice.")] = True,
    pace: Annotated[float, typer.Option(min=0.0, max=5.0, help="How long the pauses between moves are.")] = 1.0,
    host: Annotated[str, typer.Option(help="Address to listen at; any but this machine wants a token.")] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port (default: 8000, or any that is free).")
    ] = None,
    tables: Annotated[int, typer.Option(min=1, help="So many tables at once, at most.")] = 256,
    idle: Annotated[float, typer.Option(min=0.01, help="Hours until a table that nobody is at is cleared away.")] = 6.0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Whether to open one.")] = True,
) -> None:
    """Play sanma or four-player mahjong against agents, or watch them, in the browser."""
    try:
        from pydantic import ValidationError

        from janshi.agents import AgentError
        from janshi.web.connection import in_words
        from janshi.web.desk import Setup
        from janshi.web.messages import NewTable
        from janshi.web.roster import Roster
        from janshi.web.serving import serve
    except ModuleNotFoundError as error:
        typer.echo(f"janshi play: needs {error.name}: pip install 'janshi[web]'", err=True)
        raise typer.Exit(2) from None
    how_long = cast("Length", length)
    try:
        roster = Roster()
        named = [roster.add(one) for one in agents or []]
        begin = NewTable(rules=rules, length=how_long, seat=seat, watch=watch, agents=named, name=name, seed=seed)
        # The seed stays on the server: a page that had it could know every wall.
        begin = begin.model_copy(update={"seed": None})
        setup = Setup(roster, begin, seed=seed, pace=pace, most=tables, idle=3600 * idle, hints=hints)
        setup.check()
        serve(setup, host=host, port=port, browser=browser, say=lambda line: typer.echo(f"janshi play: {line}"))
    except ModuleNotFoundError as error:
        _fail(f"one of these players needs {error.name}: pip install 'janshi[learn]'")
    except ValidationError as error:
        _fail(in_words(error.errors()))
    except (AgentError, RuleError) as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{host}: {error.strerror or error}")
    except KeyboardInterrupt:
        typer.echo("janshi play: ended")
        sys.stdout.flush()
        # Not through Python's own end: threads that compile or ask a network cannot be stopped, and would crash there.
        os._exit(130)


def _fail(words: str) -> None:
    typer.echo(f"janshi play: {words}", err=True)
    raise typer.Exit(2) from None

"""``janshi play``: the table in the browser."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from janshi.cli.bots import BotOptions, ended_by_signals
from janshi.cli.failing import INTERRUPTED, fail
from janshi.cli.options import argument, option, rules_named

if TYPE_CHECKING:
    from janshi.web.history import History
    from janshi.web.storage import Storage
    from janshi.web.table_manager import Setup

#: Exit codes above this one are those of signals.
_SIGNAL: Final = 128


@dataclass(frozen=True)
class PlayOptions:
    """Options of ``janshi play``."""

    agents: list[str] | None = argument(
        "Opponents in turn order: names of janshi agents, files, file.py:Class, or [NAME=]mjai:COMMAND.", default=None
    )
    rules: str = option("Rule set: a preset, or path/to/file.py:NAME.", default="tenhou-sanma")
    length: str = option(
        "Length: hand, east or south (East and South); Sichuan: hand, four, eight; games of plug-ins: hand, game.",
        default="hand",
    )
    seat: int | None = option("Your seat (default: random).", default=None, min=0, max=3)
    name: str = option("Your name.", default="")
    seed: int | None = option("Random seed of the walls (default: random).", default=None, min=0)
    watch: bool = option("Watch agents in every seat.", "--watch", default=False)
    hints: bool = option("Offer hints.", "--hints/--no-hints", default=True)
    pace: float = option("Factor of the pauses between moves.", default=1.0, min=0.0, max=5.0)
    host: str = option("Listening address; other machines need the token in the printed address.", default="127.0.0.1")
    port: int | None = option("Port (default: 8000, or a free one).", default=None, min=0, max=65535)
    tables: int = option("Maximum number of simultaneous tables.", default=256, min=1)
    idle: float = option(
        "Hours until a table without visitors is unloaded from memory.", default=6.0, min=0.01, max=1e6
    )
    state: Path | None = option(
        "Folder for games and reviews (default: JANSHI_STATE, or janshi in your state folder).", default=None
    )
    keep: bool = option(
        "Store games, reviews and the history of finished games on disk.", "--keep/--no-keep", default=True
    )
    bots: BotOptions = field(default_factory=BotOptions)
    browser: bool = option("Open the page in a browser.", "--browser/--no-browser", default=True)


def play_table(options: PlayOptions) -> None:
    """Play in the browser against agents, or watch them: three or four players, or Sichuan mahjong."""
    from pydantic import ValidationError

    from janshi.web.connection import in_words
    from janshi.web.messages import NewTable
    from janshi.web.roster import Roster
    from janshi.web.table_manager import Setup

    try:
        roster = Roster(options.bots.prepare)
        begin = NewTable(
            rules=rules_named(options.rules).name,
            length=options.length,
            seat=options.seat,
            watch=options.watch,
            agents=[roster.add(name) for name in options.agents or []],
            name=options.name,
            seed=options.seed,
        )
        # The seed stays on the server: a page that had it could know every wall.
        begin = begin.model_copy(update={"seed": None})
        storage = storage_of(options)
        setup = Setup(
            roster,
            begin,
            seed=options.seed,
            pace=options.pace,
            most=options.tables,
            idle=3600 * options.idle,
            hints=options.hints,
            storage=storage,
            history=history_of(storage, options.host),
        )
        setup.check()
        _serve(setup, options)
    except ValidationError as error:
        fail("play", in_words(error.errors()))
    except OSError as error:
        fail("play", f"{options.host}: {error.strerror or error}")
    except KeyboardInterrupt:
        pass  # where SIGINT is ignored, as in a background job, the server ends without it
    typer.echo("janshi play: ended")
    sys.stdout.flush()
    # Not through Python's own end: threads that compile or ask a network cannot be stopped, and would crash there.
    os._exit(INTERRUPTED)


def _serve(setup: Setup, options: PlayOptions) -> None:
    """Serve tables until Ctrl-C; a signal that ends the program ends it at once, after its bots."""
    from janshi.web.serving import serve

    try:
        with ended_by_signals(), closing(setup.roster):
            serve(
                setup,
                host=options.host,
                port=options.port,
                browser=options.browser,
                say=lambda line: typer.echo(f"janshi play: {line}"),
            )
    except SystemExit as ended:
        if isinstance(ended.code, int) and ended.code > _SIGNAL:
            os._exit(ended.code)
        raise


def storage_of(options: PlayOptions) -> Storage | None:
    """Return the store of games and reviews, None without one; end the command if a named folder cannot be used."""
    from janshi.web.storage import Storage, state_folder

    if not options.keep:
        return None
    folder = options.state or state_folder()
    try:
        return Storage(folder)
    except OSError as error:
        reason = f"games and reviews cannot be kept in {folder}: {error.strerror or error}"
        if options.state is not None:
            fail("play", f"{reason} (--no-keep plays without)")
        typer.echo(f"janshi play: {reason}", err=True)
        return None


def history_of(storage: Storage | None, host: str) -> History | None:
    """Return the history of finished games; None without a store, and on a server that several people may use."""
    from janshi.web.guard import LOCAL
    from janshi.web.history import History

    if storage is None or host not in LOCAL:
        return None
    file = storage.folder / "history.sqlite"
    try:
        return History(file)
    except (OSError, sqlite3.Error) as error:
        typer.echo(f"janshi play: finished games cannot be kept in {file}: {error}", err=True)
        return None

"""``janshi tenhou``: an agent as a client of Tenhou's protocol."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rich.console import Console

from janshi.cli.bots import BotOptions, end_if_given_up, faults_of, print_faults, seat_players
from janshi.cli.failing import say
from janshi.cli.options import option

if TYPE_CHECKING:
    from janshi.tenhou.client import Played


@dataclass(frozen=True)
class TenhouOptions:
    """Options of ``janshi tenhou``."""

    agent: str = option(
        "Player: a name of janshi agents, a folder, an ONNX file, file.py:Class, or [NAME=]mjai:COMMAND.", default="sl"
    )
    url: str | None = option(
        "Server: tcp://HOST:PORT (XML) or ws://HOST:PORT (JSON); default: janshi tenhou-server on this machine.",
        default=None,
    )
    with_permission: bool = option(
        "Confirm that the server's operator has given permission; required for another machine. Tenhou's operator "
        "asks programs to request it first (support@c-egg.com).",
        "--with-permission",
        default=False,
    )
    name: str = option("Name or id to log in with.", default="NoName")
    join: str | None = option(
        "Lobby and type to queue for, for example 0,9. Default: 0,9 or 0,25 on this machine; elsewhere the client "
        "waits for a game that is started for it.",
        default=None,
    )
    games: int = option("Number of games.", default=1, min=1)
    seed: int = option("Random seed of the agent.", default=0, min=0)
    log: Path | None = option("Write all messages to this file.", default=None)
    records: Path | None = option("Folder for records of the games, as visible to this player.", default=None)
    bots: BotOptions = field(default_factory=BotOptions)


def play_tenhou(options: TenhouOptions) -> None:
    """Play games as a client of Tenhou's protocol; on other machines only with permission."""
    from janshi.agents.protocol import Listener
    from janshi.mjai.bot import warm_up
    from janshi.tenhou.client import PORTS, ClientOptions, TenhouClient, check_address, is_loopback
    from janshi.tenhou.lobby import game_type
    from janshi.tenhou.protocol import Dialect

    url = options.url or f"tcp://127.0.0.1:{PORTS[Dialect.XML]}"
    check_address(url, options.with_permission)
    join, host = options.join, urlsplit(url).hostname or ""
    with ExitStack() as stack:
        (decides,) = stack.enter_context(seat_players([options.agent], options.bots))
        if join is None and is_loopback(host):
            join = "0,25" if 4 not in decides.players else "0,9"
        if join is None:
            say(
                "tenhou",
                f"waits at {host} for a game that the server starts for {options.name!r}, as it queues for none; "
                "to queue, name lobby and type (--join 0,9)",
            )
        if not isinstance(decides, Listener):
            warm_up(decides, None if join is None else game_type(join).rules)
        if options.records is not None:
            options.records.mkdir(parents=True, exist_ok=True)
        log = None if options.log is None else stack.enter_context(options.log.open("a", encoding="utf-8"))
        settings = ClientOptions(
            url,
            options.name,
            join,
            with_permission=options.with_permission,
            games=options.games,
            seed=options.seed,
            log=log,
            records=options.records,
        )
        for played in asyncio.run(TenhouClient(decides, settings, partial(say, "tenhou")).play()):
            print(_in_words(played))
        faults = faults_of([decides])
    print_faults(Console(stderr=True), faults)
    end_if_given_up("tenhou", faults, "its later decisions were made for the bot")


def _in_words(played: Played) -> str:
    """Say how a game has ended."""
    if not played.scores:
        return "a game has ended, its result is unknown"
    own = played.results[0]
    place = 1 + sum(result > own for points, result in zip(played.scores, played.results, strict=True) if points)
    return f"place {place}, {played.scores[0]:,} points, result {own:+.1f}"



"""``janshi tenhou-server``: a local server that speaks Tenhou's protocol."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from janshi.cli.failing import interrupted, say
from janshi.cli.options import argument, option

if TYPE_CHECKING:
    from janshi.tenhou.server import ServerSettings


@dataclass(frozen=True)
class ServerOptions:
    """Options of ``janshi tenhou-server``."""

    agents: list[str] | None = argument("Server-side players, used in turn: names of janshi agents.", default=None)
    host: str = option("Address to listen at.", default="127.0.0.1")
    port: int = option("Port of the XML dialect; 0: any.", default=10_080, min=0, max=65535)
    web_port: int = option("Port of the JSON dialect over WebSocket; 0: any.", default=10_081, min=0, max=65535)
    seed: int | None = option("Random seed of walls and seats (default: random).", default=None, min=0)
    fill: float | None = option(
        "Seconds until agents complete a waiting table (default: never).", default=None, min=0, max=1e6
    )
    think: float = option("Time limit in seconds for each decision.", default=5.0, min=0.0, max=86_400)
    bank: float = option("Additional seconds for each hand.", default=10.0, min=0.0, max=86_400)
    records: Path | None = option("Folder for records of all games (mjlog).", default=None)
    verbose: bool = option("Print every invalid message.", "--verbose", default=False)


def serve_tenhou(options: ServerOptions) -> None:
    """Run a local server of Tenhou's protocol, for tests of clients."""
    from janshi.agents import agent
    from janshi.tenhou.running import Times
    from janshi.tenhou.server import ServerSettings

    with interrupted("ended"):
        makers = [partial(agent, name) for name in options.agents or ["efficient"]]
        for maker in makers:
            maker()  # unknown names fail before the server starts
        if options.records is not None:
            options.records.mkdir(parents=True, exist_ok=True)
        settings = ServerSettings(
            agents=makers,
            seed=options.seed,
            times=Times(think=options.think, bank=options.bank),
            fill_after=options.fill,
            records=options.records,
        )
        asyncio.run(_serve(options, settings))


async def _serve(options: ServerOptions, settings: ServerSettings) -> None:
    from janshi.tenhou.server import TenhouServer

    def report(line: str) -> None:
        if options.verbose:
            say("tenhou-server", line)

    async with TenhouServer(settings, report) as server:
        xml = await server.listen(options.host, options.port)
        web = await server.listen_web(options.host, options.web_port)
        typer.echo(f"janshi tenhou-server: tcp://{options.host}:{xml} (XML), ws://{options.host}:{web} (JSON)")
        await asyncio.Event().wait()

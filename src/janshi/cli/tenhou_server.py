"""``janshi tenhou-server``: a local server that speaks Tenhou's protocol."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from janshi.cli.failing import failing, needing
from janshi.cli.options import argument, option

if TYPE_CHECKING:
    from janshi.tenhou.server import Settings


@dataclass(frozen=True)
class ServerOptions:
    """Options of ``janshi tenhou-server``."""

    agents: list[str] | None = argument("The server's own players, in turn: names as in janshi arena.", default=None)
    host: str = option("Address to listen at.", default="127.0.0.1")
    port: int = option("Port of the XML dialect; 0: any.", default=10_080, min=0, max=65535)
    web_port: int = option("Port of the JSON dialect over WebSocket; 0: any.", default=10_081, min=0, max=65535)
    seed: int | None = option("Decides walls and seats (default: nobody knows).", default=None, min=0)
    fill: float | None = option("Seconds in a queue after which agents fill a table up (default: never).", default=None)
    think: float = option("Seconds for each decision.", default=5.0, min=0.0)
    bank: float = option("Seconds on top of it in each hand.", default=10.0, min=0.0)
    records: Path | None = option("Folder that keeps every game as mjlog.", default=None)
    verbose: bool = option("Name every message that should not have come.", "--verbose", default=False)


def serve_tenhou(options: ServerOptions) -> None:
    """Serve tables that speak Tenhou's protocol, on this machine: for clients under test."""
    with needing("tenhou-server", "web"):
        from janshi.agents import AgentError
        from janshi.registry import agent
        from janshi.tenhou.running import Times
        from janshi.tenhou.server import Settings

    with failing("tenhou-server", AgentError, interrupted="ended"):
        makers = [partial(agent, name) for name in options.agents or ["efficient"]]
        for maker in makers:
            maker()  # names that there are not are named now
        if options.records is not None:
            options.records.mkdir(parents=True, exist_ok=True)
        settings = Settings(
            agents=makers,
            seed=options.seed,
            times=Times(think=options.think, bank=options.bank),
            fill_after=options.fill,
            records=options.records,
        )
        asyncio.run(_serve(options, settings))


async def _serve(options: ServerOptions, settings: Settings) -> None:
    from janshi.tenhou.server import TenhouServer

    def say(line: str) -> None:
        if options.verbose:
            typer.echo(f"janshi tenhou-server: {line}", err=True)

    async with TenhouServer(settings, say) as server:
        xml = await server.listen(options.host, options.port)
        web = await server.listen_web(options.host, options.web_port)
        typer.echo(f"janshi tenhou-server: tcp://{options.host}:{xml} (XML), ws://{options.host}:{web} (JSON)")
        await asyncio.Event().wait()

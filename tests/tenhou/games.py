"""Whole games over loopback: a server, and clients with agents of ours."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from janshi.agents import Agent
from janshi.tenhou.client import ClientOptions, Played, TenhouClient
from janshi.tenhou.running import Times
from janshi.tenhou.server import Settings, TenhouServer
from tests.tenhou.shaking import Shaker

#: Nobody's time runs out in a test, however busy the machine is.
PATIENT = Times(think=600, bank=600, fast=600, fast_bank=600, ready=600, away=600)


@dataclass
class LoopbackResult:
    """What came of some games."""

    played: list[list[Played]] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    server_faults: dict[str, int] = field(default_factory=dict)
    client_faults: int = 0
    broken: int = 0
    games: int = 0

    @property
    def places(self) -> list[list[tuple[float, ...]]]:
        return [[game.results for game in games] for games in self.played]


def play_games(
    agent: Callable[[], Agent],
    flags: int,
    dialect: str,
    games: int = 1,
    *,
    breaks: int = 0,
    shaking: bool = False,
    seed: int = 1,
    records: Path | None = None,
) -> LoopbackResult:
    """Let as many clients as the type seats play games at a server of their own."""
    return asyncio.run(_play(agent, flags, dialect, games, breaks, shaking or breaks > 0, seed, records))


async def _play(
    agent: Callable[[], Agent],
    flags: int,
    dialect: str,
    games: int,
    breaks: int,
    shaking: bool,
    seed: int,
    records: Path | None,
) -> LoopbackResult:
    result = LoopbackResult()
    players = 3 if flags & 16 else 4
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(TenhouServer(Settings(seed=seed, times=PATIENT, records=records)))
        port = await (server.listen() if dialect == "xml" else server.listen_web())
        clients = []
        shakers = []
        for number in range(players):
            through = port
            if shaking:
                shakers.append(await stack.enter_async_context(Shaker(port, 100 * seed + number, breaks)))
                through = shakers[-1].own_port
            url = f"{'tcp' if dialect == 'xml' else 'ws'}://127.0.0.1:{through}"
            options = ClientOptions(url, f"ID{number}", f"0,{flags}", games=games, seed=seed + number)
            clients.append(TenhouClient(agent(), options))
        result.played = list(await asyncio.gather(*(client.play() for client in clients)))
        while server.games < games:  # the last message is sent before the table is cleared
            await asyncio.sleep(0.005)
        result.broken = sum(shaker.broken for shaker in shakers)
        for client in clients:
            result.delays += client.delays
            result.client_faults += client.faults
        result.server_faults = dict(server.faults)
        result.games = server.games
    return result

"""Whole games over loopback: a server, and clients with agents of ours; and the same games without any of that."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from janshi.agents import Agent
from janshi.tenhou.client import ClientOptions, Played, TenhouClient
from janshi.tenhou.host import HostTable, Need
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


@dataclass
class CrowdResult:
    """What came of many games at tables side by side."""

    games: int = 0
    returns: int = 0
    """How often a connection was broken off in a game."""
    faults: dict[str, int] = field(default_factory=dict)
    """What server and clients could not read or follow."""
    unseen: int = 0
    """Ends that a client has not been told: it was cut off as they were sent, and came back when the game was over."""
    lost: int = 0
    """Games that a client does not know of, or has seen end otherwise than the table."""
    changed: int = 0
    """Games that end otherwise than without a network."""


def play_crowd(
    agent: Callable[[], Agent], flags: int, dialect: str, *, tables: int, games: int, breaks: int, seed: int
) -> CrowdResult:
    """Let clients for so many tables at once play so many games each over bad connections, and compare every result.

    ``breaks``: how often each client is cut off.
    """
    return asyncio.run(_play_crowd(agent, flags, dialect, tables, games, breaks, seed))


async def _play_crowd(
    agent: Callable[[], Agent], flags: int, dialect: str, tables: int, games: int, breaks: int, seed: int
) -> CrowdResult:
    players = 3 if flags & 16 else 4
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(TenhouServer(Settings(seed=seed, times=PATIENT)))
        port = await (server.listen() if dialect == "xml" else server.listen_web())
        clients: dict[str, TenhouClient] = {}
        complaints: list[str] = []
        for number in range(players * tables):
            shaker = await stack.enter_async_context(Shaker(port, 100 * seed + number, breaks))
            url = f"{'tcp' if dialect == 'xml' else 'ws'}://127.0.0.1:{shaker.own_port}"
            # A lobby for each table, so that nobody is left over in a queue at the end.
            join = f"{number // players},{flags}"
            options = ClientOptions(url, f"ID{number:03d}", join, games=games, seed=seed + number)
            clients[options.name] = TenhouClient(agent(), options, complaints.append)
        played = await asyncio.gather(*(client.play() for client in clients.values()))
        while server.games < games * tables:  # the last message is sent before the table is cleared
            await asyncio.sleep(0.005)
        result = CrowdResult(server.games, sum(game.returns for games in played for game in games))
        result.faults = dict(server.faults + Counter(complaints))
        seen = dict(zip(clients, map(iter, played), strict=True))
        for number, table in enumerate(server.tables):
            for player in table.players:
                ended = next(seen[player.account.name], None)
                if ended is not None and not ended.results:
                    result.unseen += 1
                else:
                    result.lost += ended is None or ended.results != results_from(table.host, player.seat)
            alone = play_alone(agent(), table.host, seed + number)
            result.changed += alone.results() != table.host.results()
    return result


def results_from(host: HostTable, seat: int) -> tuple[float, ...]:
    """Return the results of a table from one seat on, as its client is told them."""
    return tuple(float(f"{result:.1f}") for result in host.viewers[seat].ring(host.results(), 0.0))


def play_alone(agent: Agent, played: HostTable, seed: int) -> HostTable:
    """Play a table's game again without server, clients and connections."""
    host = HostTable(played.rules, seed, played.names)
    while not host.over:
        host.take_outbox()
        seat, wait = next(iter(host.waits.items()))
        if wait.forced or wait.need is Need.READY:
            host.default(seat)
        else:
            host.act(seat, int(agent.act(host.decision(seat))[0]))
    return host

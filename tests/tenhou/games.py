"""Whole games over loopback with a server and clients, and the same games without a network."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from janshi.agents import Agent
from janshi.tenhou.client import ClientOptions, Played, TenhouClient
from janshi.tenhou.host import HostTable, Pending
from janshi.tenhou.running import Times
from janshi.tenhou.server import ServerSettings, TenhouServer
from tests.tenhou.shaking import Shaker

#: Time limits that no test exceeds, even on a busy machine.
PATIENT = Times(think=600, bank=600, fast=600, fast_bank=600, ready=600, away=600)


@dataclass
class Result:
    """Results of some games."""

    games: int = 0
    played: list[list[Played]] = field(default_factory=list)
    """What each client was told."""
    faults: dict[str, int] = field(default_factory=dict)
    """What server and clients could not read or follow."""
    unseen: int = 0
    """Ends that a client has not been told: it was cut off as they were sent, and came back when the game was over."""
    lost: int = 0
    """Games that a client does not know of, or has seen end otherwise than the table."""
    changed: int = 0
    """Games that end otherwise than without a network."""

    @property
    def returns(self) -> int:
        """Return the number of broken connections in a game."""
        return sum(game.returns for games in self.played for game in games)

    @property
    def places(self) -> list[list[tuple[float, ...]]]:
        return [[game.results for game in games] for games in self.played]


def play_games(
    agent: Callable[[], Agent],
    flags: int,
    dialect: str,
    *,
    tables: int = 1,
    games: int = 1,
    breaks: int = 0,
    seed: int = 1,
    records: Path | None = None,
) -> Result:
    """Let clients play games at several tables at once, and compare every result.

    ``breaks``: disconnections of each client; if positive, packets are also cut, joined and delayed.
    """

    async def play() -> Result:
        players = 3 if flags & 16 else 4
        settings = ServerSettings(seed=seed, times=PATIENT, records=records)
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(TenhouServer(settings))
            port = await (server.listen() if dialect == "xml" else server.listen_web())
            clients: dict[str, TenhouClient] = {}
            complaints: list[str] = []
            for number in range(players * tables):
                through = port
                if breaks:
                    shaker = await stack.enter_async_context(Shaker(port, 100 * seed + number, breaks))
                    through = shaker.own_port
                url = f"{'tcp' if dialect == 'xml' else 'ws'}://127.0.0.1:{through}"
                # A lobby for each table, so that no client is left in a queue at the end.
                join = f"{number // players},{flags}"
                options = ClientOptions(url, f"ID{number:03d}", join, games=games, seed=seed + number)
                clients[options.name] = TenhouClient(agent(), options, complaints.append)
            played = list(await asyncio.gather(*(client.play() for client in clients.values())))
            while server.games < games * tables:  # the last message is sent before the table is cleared
                await asyncio.sleep(0.005)
            result = Result(server.games, played, dict(server.faults + Counter(complaints)))
            compare(result, server, dict(zip(clients, map(iter, played), strict=True)), agent, seed)
        return result

    return asyncio.run(play())


def compare(
    result: Result, server: TenhouServer, seen: dict[str, Iterator[Played]], agent: Callable[[], Agent], seed: int
) -> None:
    """Count the results in which clients differ, and those that differ from games without a network."""
    for number, table in enumerate(server.tables):
        told = table.host.results()
        for player in table.players:
            ended = next(seen[player.account.name], None)
            if ended is not None and not ended.results:
                result.unseen += 1
            else:
                from_seat = table.host.viewers[player.seat].ring(told, 0.0)
                own = tuple(float(f"{points:.1f}") for points in from_seat)
                result.lost += ended is None or ended.results != own
        result.changed += play_alone(agent(), table.host, seed + number).results() != told


def play_alone(agent: Agent, played: HostTable, seed: int) -> HostTable:
    """Replay a table's game without server, clients and connections."""
    host = HostTable(played.rules, seed, played.names)
    while not host.over:
        host.take_outbox()
        seat, wait = next(iter(host.waits.items()))
        if wait.forced or wait.need is Pending.READY:
            host.default(seat)
        else:
            host.act(seat, int(agent.act(host.decision(seat))[0]))
    return host

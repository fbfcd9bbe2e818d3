"""Bots that speak mjai as clients of Tenhou's protocol."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import sys
import time

import pytest

from janshi.agents import Agent, AgentError, agent
from janshi.agents.protocol import Faults
from janshi.mjai.agent import Limits, MjaiAgent
from janshi.tenhou.client import ClientOptions, Played, TenhouClient
from janshi.tenhou.server import ServerSettings, TenhouServer
from tests.mjai.conftest import command
from tests.tenhou.games import PATIENT
from tests.tenhou.shaking import Shaker

JANSHI = shlex.join([sys.executable, "-c", "from janshi.cli import main; main()", "mjai", "--agent"])


def played_by(player: Agent, kind: str, breaks: int = 0, games: int = 1) -> tuple[list[Played], list[str]]:
    """Let a client play against `efficient`; return its results and complaints."""
    complaints: list[str] = []

    async def play() -> list[Played]:
        async with contextlib.AsyncExitStack() as stack:
            settings = ServerSettings(agents=[lambda: agent("efficient")], seed=5, times=PATIENT)
            server = await stack.enter_async_context(TenhouServer(settings))
            port = await server.listen()
            if breaks:
                port = (await stack.enter_async_context(Shaker(port, 3, breaks))).own_port
            options = ClientOptions(f"tcp://127.0.0.1:{port}", join=f"0,{kind}", games=games)
            return list(await TenhouClient(player, options, complaints.append).play())

    return asyncio.run(play()), complaints


def bot_at(kind: str, name: str, **more: int) -> tuple[list[Played], Faults]:
    with MjaiAgent(f"mjai:{JANSHI} {name}", Limits(60, 60)) as bot:
        played, complaints = played_by(bot, kind, **more)
    assert set(complaints) <= {"the interrupted game is over"}  # an end that came while the connection was lost
    return played, bot.faults()


@pytest.mark.parametrize("kind", ["16", pytest.param("0", marks=pytest.mark.long)])
def test_a_bot_plays_the_same_game_as_the_player_behind_it(kind: str) -> None:
    played, faults = bot_at(kind, "efficient")
    assert (faults.counts, faults.defaults) == ({}, 0)
    assert faults.decisions > 30
    assert played == played_by(agent("efficient"), kind)[0]


@pytest.mark.long
def test_a_bot_plays_several_games_and_survives_lost_connections() -> None:
    played, faults = bot_at("16", "efficient", breaks=3, games=2)
    assert (len(played), faults.counts) == (2, {})
    assert sum(game.returns for game in played) > 0


def test_a_slow_bot_does_not_keep_the_client_from_its_connection() -> None:
    slow = "import sys, time\nfor line in sys.stdin: time.sleep(1.5)"
    bot = MjaiAgent(f"mjai:{shlex.join([sys.executable, '-c', slow])}", Limits(start=0.5))

    async def play() -> int:
        settings = ServerSettings(agents=[lambda: agent("random")], seed=5, times=PATIENT)
        async with TenhouServer(settings) as server:
            options = ClientOptions(f"tcp://127.0.0.1:{await server.listen()}", join="0,16", keep_alive=0.1)
            client = TenhouClient(bot, options, lambda line: None)
            beats = 0
            playing = asyncio.create_task(client.play())
            until = time.monotonic() + 1.0
            while time.monotonic() < until and not playing.done():
                await asyncio.sleep(0.01)
                beats += 1
            playing.cancel()
            with contextlib.suppress(AgentError, asyncio.CancelledError):
                await playing
            return beats

    with bot:
        assert asyncio.run(play()) > 20


def test_a_bot_that_is_given_up_is_reported() -> None:
    with MjaiAgent(f"mjai:{command('bad.py', 'lies')}", Limits(60, 60, faults=2)) as bot:
        played, _ = played_by(bot, "16")
    assert len(played) == 1
    assert bot.faults().replaced

"""Bots at the table in the browser: they play, and neither a slow nor a dying one stops others."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from janshi.agents.protocol import Listener
from janshi.cli.bots import BotOptions
from janshi.web.game_table import ServedTable
from janshi.web.messages import NewTable
from janshi.web.roster import Roster
from janshi.web.storage import Storage
from janshi.web.table_manager import Setup, TableManager
from tests.mjai.conftest import command
from tests.processes import gone

SLEEPS = "import sys, time\nfor line in sys.stdin: time.sleep(600)"


@pytest.fixture
def roster() -> Iterator[Roster]:
    with contextlib.closing(Roster(BotOptions(answer_limit=20.0, fault_limit=2).prepare)) as made:
        yield made


async def watched(manager: TableManager, *agents: str) -> ServedTable:
    made = await manager.open(NewTable(rules="tenhou-sanma", length="hand", watch=True, agents=list(agents), seed=3))
    return manager.tables[made.table]


async def ended(table: ServedTable, within: float = 60.0) -> bool:
    until = time.monotonic() + within
    while time.monotonic() < until and not (table.tables.over[0] or table.failure):
        await asyncio.sleep(0.01)
    return bool(table.tables.over[0])


def test_a_bot_plays_at_a_watched_table_and_ends_with_it(roster: Roster, tmp_path: Path) -> None:
    name = roster.add(f"mjai:{command('simple.py')}")
    assert name == "bot 1"  # the command is not for everyone who sees the table

    async def play() -> None:
        manager = TableManager(Setup(roster, pace=0.0))
        table = await watched(manager, name, "efficient", "efficient")
        assert await ended(table)
        (bot,) = (agent for agent in table.setup.agents.values() if isinstance(agent, Listener))
        assert bot.faults().decisions > 3
        assert bot.faults().counts == {}
        manager.close()

    asyncio.run(play())


def test_every_table_has_a_log_of_its_bot(tmp_path: Path) -> None:
    options = BotOptions(answer_limit=20.0, bot_log=tmp_path)

    async def play(roster: Roster) -> None:
        name = roster.add(f"mine=mjai:{command('simple.py')}")
        manager = TableManager(Setup(roster, pace=0.0))
        tables = [await watched(manager, name, "random", "random") for _ in range(2)]
        assert [await ended(table) for table in tables] == [True, True]
        manager.close()
        assert {path.name for path in tmp_path.iterdir()} == {f"janshi-{table.name}-seat0.txt" for table in tables}

    with contextlib.closing(Roster(options.prepare)) as roster:
        asyncio.run(play(roster))


def test_a_slow_bot_delays_neither_other_tables_nor_the_event_loop(roster: Roster) -> None:
    slow = roster.add(f"slow=mjai:{shlex.join([sys.executable, '-c', SLEEPS])}")

    async def play() -> None:
        manager = TableManager(Setup(roster, pace=0.0))
        waiting = await watched(manager, slow)
        other = await watched(manager, "random")
        laps = [time.monotonic()]
        done = asyncio.create_task(ended(other))
        while not done.done():
            await asyncio.sleep(0.01)
            laps.append(time.monotonic())
        assert await done
        assert not waiting.tables.over[0]
        assert max(after - before for before, after in pairwise(laps)) < 10.0  # a bot has twenty
        manager.close()
        roster.close()

    asyncio.run(play())


def test_a_bot_that_dies_is_given_up_and_its_table_plays_on(roster: Roster, caplog: pytest.LogCaptureFixture) -> None:
    liar = roster.add(f"liar=mjai:{command('bad.py', 'lies')}")

    async def play() -> None:
        manager = TableManager(Setup(roster, pace=0.0))
        table = await watched(manager, liar)
        assert await ended(table)
        manager.close()

    asyncio.run(play())
    assert "liar was given up after 3 illegal" in caplog.text


def test_a_bot_that_does_not_start_stops_its_table_alone(roster: Roster) -> None:
    dead = roster.add(f"dead=mjai:{command('bad.py', 'dies-at-start')}")

    async def play() -> None:
        manager = TableManager(Setup(roster, pace=0.0))
        table, other = await watched(manager, dead), await watched(manager, "random")
        assert not await ended(table)
        assert "no model file" in str(table.failure)
        assert await ended(other)
        manager.close()

    asyncio.run(play())


def test_a_stored_game_with_a_bot_resumes(roster: Roster, tmp_path: Path) -> None:
    name = roster.add(f"mine=mjai:{command('simple.py')}")

    async def play() -> None:
        first = TableManager(Setup(roster, storage=Storage(tmp_path), pace=0.0))
        made = await first.open(NewTable(rules="tenhou-sanma", length="hand", seat=0, agents=[name], seed=3))
        while first.tables[made.table].ask is None:
            await asyncio.sleep(0.01)
        before = [event["type"] for event in first.tables[made.table].story.events]
        first.close()
        second = TableManager(Setup(roster, storage=Storage(tmp_path), pace=0.0))
        table = await second.find(made.table, made.key)
        while table.ask is None:
            await asyncio.sleep(0.01)
        assert [event["type"] for event in table.story.events] == before
        table.act(table.ask.number, table.ask.options[0].action)
        moves = len(table.story.events)
        until = time.monotonic() + 30
        while len(table.story.events) < moves + 4 and table.failure is None and time.monotonic() < until:
            await asyncio.sleep(0.01)
            if table.ask is not None:
                table.act(table.ask.number, table.ask.options[0].action)
        assert table.failure is None
        assert len(table.story.events) >= moves + 4
        second.close()

    asyncio.run(play())


@pytest.mark.long
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_bots_end_with_the_server(sent: signal.Signals, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    bot = f"mjai:{command('bad.py', 'has-children', pids)}"
    words = [sys.executable, "-m", "janshi", "play", bot, "--watch", "--no-browser", "--no-keep", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        while "ready" not in process.stdout.readline():
            pass
        script = (
            "import asyncio, json, sys, urllib.request\n"
            "request = urllib.request.Request(sys.argv[1] + '/api/tables', method='POST', headers={'Content-Type': "
            "'application/json'}, data=json.dumps({'rules': 'tenhou-sanma', 'length': 'hand', 'watch': True, "
            "'agents': ['bot 1']}).encode())\n"
            "urllib.request.urlopen(request)\n"
        )
        subprocess.run([sys.executable, "-c", script, address.rstrip("/")], check=True, timeout=60)
        until = time.monotonic() + 60
        while not (pids.exists() and pids.read_text().count("\n") >= 2) and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(sent)
        process.communicate(timeout=30)
    assert process.returncode in (130, 128 + sent, -sent)
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) >= 2
    for pid in started:
        if not gone(pid):
            os.kill(pid, signal.SIGKILL)
            raise AssertionError(f"process {pid} of a bot is left")

"""Many tables at once: response times of the server, with simulated browsers in another process.

``python benchmarks/web.py`` starts ``janshi play``, opens tables (three players against ``sl``, four against
``efficient``, in turn), and plays at all of them over real WebSockets. Each simulated player answers after a random
time. They run in this process on the same machine, and the script prints their load.

* *answer*: time from sending a move in the own turn until its event arrives.
* *late*: delay of agents' events beyond the pauses of the page.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from websockets.asyncio.client import connect

from janshi.web.screen import AFTER_CLAIM, PAUSES

TABLES = ({"rules": "tenhou-sanma", "agents": ["sl"]}, {"rules": "tenhou", "agents": ["efficient"]})


class Player:
    """Plays at one table after another."""

    def __init__(self, address: str, number: int, think: float, pace: float) -> None:
        self.address, self.pace, self.think = address, pace, think
        self.wanted = {**TABLES[number % len(TABLES)], "length": "east"}
        self.dice = random.Random(number)
        self.answers: list[float] = []
        self.late: list[float] = []
        self.games = 0

    async def play(self) -> None:
        while True:
            made = await asyncio.to_thread(post, f"{self.address}/api/tables", self.wanted)
            async with connect(f"{self.address.replace('http', 'ws')}/ws") as socket:
                await self._game(socket, made)
            self.games += 1

    async def _game(self, socket: Any, made: dict[str, Any]) -> None:
        await socket.send(json.dumps({"type": "join", "table": made["table"], "key": made["key"]}))
        sent: float | None = None
        due: float | None = None
        async for text in socket:
            now = time.perf_counter()
            message = json.loads(text)
            kind = message["type"]
            if kind == "refused":
                raise SystemExit(f"refused: {message['reason']}")
            ask = message if kind == "ask" else message["ask"] if kind == "welcome" else None
            for event in message.get("events", []):
                if event["type"] == "end_game":
                    return
                if kind == "happened" and event.get("actor") == made["seat"] and sent is not None:
                    self.answers.append(now - sent)
                elif kind == "happened" and due is not None:
                    self.late.append(now - due)
                sent = None
                due = now + PAUSES.get(event["type"], 0.0) * self.pace
                if event["type"] == "end_kyoku":
                    await socket.send('{"type": "next"}')
                    due = None
            if ask is not None:
                await asyncio.sleep(self.dice.uniform(0.5, 1.5) * self.think)
                options = ask["options"]
                action = self.dice.choice(options)["action"]
                await socket.send(json.dumps({"type": "act", "number": ask["number"], "action": action}))
                claim = any(option["name"] == "pass" for option in options)
                sent = None if claim else time.perf_counter()
                due = time.perf_counter() + AFTER_CLAIM * self.pace if claim else None


def post(address: str, what: dict[str, Any]) -> dict[str, Any]:
    """Send a request; return its answer."""
    request = Request(address, json.dumps(what).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=60) as answer:
        read: dict[str, Any] = json.load(answer)
        return read


def started(pace: float) -> tuple[subprocess.Popen[str], str]:
    """Start the server; return it and its address when it is ready."""
    program = "from janshi.cli import main; main()"
    options = ["play", "--no-browser", "--port", "0", "--pace", str(pace)]
    server = subprocess.Popen([sys.executable, "-c", program, *options], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = ""
    for line in server.stdout:
        match = re.search(r"http://[^/]+", line)
        address = address or (match[0] if match else "")
        if "ready" in line:
            return server, address
    raise SystemExit("the server did not start")


def cpu_seconds(process: int) -> float:
    """Return the processor time of a process and its threads (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def line_of(name: str, seconds: list[float]) -> str:
    """Return one line of figures."""
    if not seconds:
        return f"{name:8} none"
    middle, high, higher, most = (1000 * float(second) for second in np.quantile(seconds, (0.5, 0.95, 0.99, 1.0)))
    count = len(seconds)
    return f"{name:8} {count:7,}   median {middle:6.1f}   95 % {high:6.1f}   99 % {higher:6.1f}   most {most:7.1f} ms"


async def measure(address: str, server: int, options: argparse.Namespace) -> None:
    players = [Player(address, number, options.think, options.pace) for number in range(options.tables)]
    tasks = []
    for player in players:
        tasks.append(asyncio.create_task(player.play()))
        await asyncio.sleep(options.think / options.tables)
    await asyncio.sleep(3.0)
    for player in players:
        player.answers.clear()
        player.late.clear()
    before, mine, start = cpu_seconds(server), resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    done, _ = await asyncio.wait(tasks, timeout=options.seconds, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        task.result()
    spent = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_SELF)
    used = after.ru_utime + after.ru_stime - mine.ru_utime - mine.ru_stime
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(f"{options.tables} tables for {spent:.0f} s on {os.cpu_count()} cores; load average {os.getloadavg()[0]:.1f}")
    print(line_of("answer", [seconds for player in players for seconds in player.answers]))
    print(line_of("late", [seconds for player in players for seconds in player.late]))
    print(f"processor: server {(cpu_seconds(server) - before) / spent:.2f}, players {used / spent:.2f} cores")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=1.0, help="seconds that a player thinks, on average")
    parser.add_argument("--pace", type=float, default=1.0, help="of janshi play")
    options = parser.parse_args()
    server, address = started(options.pace)
    try:
        asyncio.run(measure(address, server.pid, options))
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()

"""Overhead of the client of Tenhou's protocol: ``python benchmarks/tenhou.py --agent efficient``.

One client plays whole games against a server in another process. The overhead is the time from a question's arrival to
its answer, minus the time of the agent; it does not include the network.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
from multiprocessing.connection import Connection

import numpy as np

from janshi.agents import agent
from janshi.mjai.bot import warm_up
from janshi.tenhou.client import ClientOptions, TenhouClient
from janshi.tenhou.lobby import game_type
from janshi.tenhou.running import Times
from janshi.tenhou.server import ServerSettings, TenhouServer


def serve(ports: Connection) -> None:
    """Serve both dialects with random players until the process is killed."""

    async def run() -> None:
        patient = Times(think=600, ready=600)
        async with TenhouServer(ServerSettings(agents=[lambda: agent("random")], seed=1, times=patient)) as server:
            ports.send({"xml": await server.listen(), "json": await server.listen_web()})
            await asyncio.Event().wait()

    asyncio.run(run())


def delays(name: str, port: int, dialect: str, kind: str, games: int) -> list[float]:
    """Return the client's overhead of each answer in seconds."""
    url = f"{'tcp' if dialect == 'xml' else 'ws'}://127.0.0.1:{port}"
    decides = agent(name)
    warm_up(decides, game_type(kind).rules)
    client = TenhouClient(decides, ClientOptions(url, "bench", kind, games=games))
    asyncio.run(client.play())
    return client.delays


def main() -> None:
    """Print one line for each dialect and number of players."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agent", default="efficient")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
    server.start()
    ports = here.recv()
    figures = {}
    for kind in ("0,8", "0,24"):
        for dialect in ("xml", "json"):
            added = 1000 * np.array(delays(options.agent, ports[dialect], dialect, kind, options.games))
            middle, most = np.percentile(added, (50, 95))
            figures[f"{kind} {dialect}"] = {"answers": len(added), "median_ms": float(middle), "p95_ms": float(most)}
            if not options.json:
                players = game_type(kind).players
                print(f"{players} players, {dialect:4}: {len(added):5} answers, {middle:.2f} ms, {most:.2f} ms (95 %)")
    if options.json:
        print(json.dumps(figures))
    server.terminate()


if __name__ == "__main__":
    main()

"""Throughput of a match on three Ray nodes of this machine beside that of processes on the same cores.

    python benchmarks/cluster.py sl-int8 --games 1500 --rounds 3

The head takes no jobs, the two other nodes one at a time each; they are compared with two processes
(``janshi.cluster``). Both play the same walls in turn, and both results must be equal. The first match of each side
starts its workers and is not counted.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import numpy as np

from janshi.arena import Match
from janshi.arena.parts import LineUp, MatchPart, play_parts
from janshi.cluster import Workers, workers
from janshi.riichi.rules import TENHOU_SANMA

#: Loopback address and jobs at a time of each node; the first is the head.
NODES = {"127.0.0.2": 0, "127.0.0.3": 1, "127.0.0.4": 1}
PORT = 26379
#: Seconds for a node to start.
LIMIT = 120


@contextmanager
def nodes() -> Iterator[str]:
    """Start the nodes, yield the address of the head, and end them."""
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), "OMP_NUM_THREADS": "1"}
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))
    head, running = next(iter(NODES)), []
    try:
        for address, processors in NODES.items():
            joins = ["--head", "--port", str(PORT), "--temp-dir", str(folder), "--include-dashboard=false"]
            words = joins if address == head else ["--address", f"{head}:{PORT}"]
            words += ["--node-ip-address", address, "--num-cpus", str(processors), "--disable-usage-stats"]
            log = folder / f"{address}.log"
            with log.open("wb") as out:
                ray = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", *words]
                running.append(subprocess.Popen(ray, stdout=out, stderr=out, start_new_session=True))
            until = time.monotonic() + LIMIT
            while "Ray runtime started" not in log.read_text():
                if time.monotonic() > until:
                    raise SystemExit(log.read_text())
                time.sleep(0.2)
        yield f"{head}:{PORT}"
    finally:
        for process in running:
            os.killpg(process.pid, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


def played(team: Workers, player: str, games: int, seed: int) -> tuple[Match, float]:
    """Return a match of a player against itself, and its games a second."""
    line_up = LineUp.of([player] * TENHOU_SANMA.players, TENHOU_SANMA)
    start = time.perf_counter()
    match = play_parts(team, games // TENHOU_SANMA.players, MatchPart(line_up, seed))
    return match, len(match.final) / (time.perf_counter() - start)


def main() -> None:
    """Print one line for each round, and the medians."""
    parser = argparse.ArgumentParser()
    parser.add_argument("player", nargs="?", default="sl-int8")
    parser.add_argument("--games", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    rates: list[tuple[float, float]] = []
    with nodes() as address, workers(address) as ray, workers(processes=sum(NODES.values())) as here:
        for seed in range(options.rounds + 1):
            (alone, rate), (together, ray_rate) = (
                played(team, options.player, options.games, seed) for team in (here, ray)
            )
            assert np.array_equal(alone.final, together.final), "a cluster changes no result"
            if seed:
                rates.append((rate, ray_rate))
                print(f"processes {rate:.1f} games/s, Ray {ray_rate:.1f}: {ray_rate / rate:.2f}", flush=True)
    rate, ray_rate = (median(each) for each in zip(*rates, strict=True))
    print(f"median: processes {rate:.1f} games/s, Ray {ray_rate:.1f}: {ray_rate / rate:.2f}")


if __name__ == "__main__":
    main()

"""Random play with full rules and the legal actions at each decision, in decisions a second on one core.

    python benchmarks/play.py [--tables 64] [--decisions 30000] [--json]

Both packages choose legal actions uniformly, in East–South games that restart at their end. Here a seat with a single
legal action has no decision; riichienv counts it as one.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sys
import time
from collections.abc import Iterator

from janshi.table import Tables

GAMES = (("sanma", "tenhou-sanma", "SAN_HANCHAN"), ("four-player", "tenhou", "YON_HANCHAN"))


def ours(rules: str, tables: int, decisions: int, rounds: int = 5) -> float:
    """Return decisions a second, the best of some rounds after one for compilation and warm-up."""
    batch = Tables(rules, tables, 1)
    batch.play_random(100)
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        batch.play_random(decisions)
        seconds.append(time.perf_counter() - start)
    return tables * decisions / min(seconds)


def stepped(rules: str, tables: int, steps: int) -> float:
    """Return decisions a second with actions chosen in Python from the masks of legal actions."""
    import numpy as np

    batch = Tables(rules, tables, 1)
    chooser = np.random.default_rng(1)
    noise = chooser.random((tables, 122), np.float32)
    batch.step((batch.legal() * noise).argmax(axis=1))
    start = time.perf_counter()
    for step in range(steps):
        batch.step((batch.legal() * np.roll(noise, step)).argmax(axis=1))
    return tables * steps / (time.perf_counter() - start)


def theirs(kind: str, seconds: float) -> float:
    """Return decisions a second of riichienv, stepping one environment with its legal actions."""
    import riichienv

    chooser = random.Random(1)
    env = riichienv.RiichiEnv(game_mode=int(getattr(riichienv.GameType, kind)))
    observations = env.reset()
    decisions = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(200):
            chosen = {seat: chooser.choice(seen.legal_actions()) for seat, seen in observations.items()}
            decisions += len(chosen)
            observations = env.step(chosen)
            if env.done():
                observations = env.reset()
    return decisions / (time.perf_counter() - start)


def measure(tables: int, decisions: int) -> Iterator[tuple[str, float]]:
    """Yield each measured case with its decisions a second."""
    for name, rules, kind in GAMES:
        yield f"janshi, {name}", ours(rules, tables, decisions)
        yield f"janshi stepped from Python, {name}", stepped(rules, 1024, 300)
        if importlib.util.find_spec("riichienv"):
            yield f"riichienv, {name}", max(theirs(kind, 1.5) for _ in range(3))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=64, help="tables in the batch (default 64)")
    parser.add_argument("--decisions", type=int, default=30_000, help="decisions of each table (default 30000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    if min(options.tables, options.decisions) < 1:
        parser.error("--tables and --decisions are 1 or more")
    figures = dict(measure(options.tables, options.decisions))
    if options.json:
        json.dump({name: round(figure) for name, figure in figures.items()}, sys.stdout, indent=1)
        print()
        return
    for name, figure in figures.items():
        print(f"{name:40} {figure:14,.0f} decisions/s")
    for name, _, _ in GAMES:
        if f"riichienv, {name}" in figures:
            ratio = figures[f"janshi, {name}"] / figures[f"riichienv, {name}"]
            print(f"janshi over riichienv, {name}: {ratio:,.0f} times")


if __name__ == "__main__":
    main()

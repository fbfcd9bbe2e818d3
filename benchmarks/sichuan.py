"""Sichuan mahjong on one core: random play, hands, waits with their values.

    python benchmarks/sichuan.py [--tables 64] [--decisions 30000] [--hands 200000] [--cpu] [--json]

Random play chooses legal actions uniformly, by the full rules; a seat with a single legal action has no decision. Hands
are the tenpai hands at the end of games, with their melds, and complete ones derived from them.
"""

from __future__ import annotations

import argparse
import functools
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from janshi.agents import agent
from janshi.rollout.driver import Driver, Seating
from janshi.sichuan.hands.score import new_hands, ukeire_arrays, value_hands, value_waits
from janshi.table import Tables

PRESETS = ("sichuan", "sichuan-exchange", "sichuan-novikov")


def ready_hands(count: int) -> np.ndarray:
    """Return ``count`` tenpai hands of 13 tiles from games of the heuristic agent."""
    rows: list[Any] = []
    seed = 0
    while sum(map(len, rows)) < count:
        tables = Tables("sichuan", 1024, seeds=seed, auto_reset=False)
        Driver(tables, Seating.same([agent("heuristic")] * 4, 1024)).run()
        states = np.asarray(tables.states)
        for seat in range(4):
            ready = (states["seats"]["won"][:, seat] == 0) & (states["hands"]["waits"][:, seat] != 0)
            hands = new_hands(int(ready.sum()))
            hands["counts"] = states["hands"]["counts"][ready, seat]
            hands["void"] = states["hands"]["void"][ready, seat]
            for name in ("pungs", "kongs"):
                hands[name] = states["seats"][name][ready, seat]
            rows.append(hands)
        seed += 1024
    return np.concatenate(rows)[:count]


def completed(hands: np.ndarray) -> np.ndarray:
    """Return the hands with a tile that completes each."""
    full = hands.copy()
    kinds = (value_waits(hands) > 0).argmax(axis=1)
    full["counts"][np.arange(len(full)), kinds] += 1
    full["kind"] = kinds
    return full


def rate(run: Callable[[], object], count: int, clock: Callable[[], float], rounds: int = 7) -> float:
    """Return the rate a second, the best of some rounds after one for compilation and warm-up."""
    run()
    seconds = []
    for _ in range(rounds):
        start = clock()
        run()
        seconds.append(clock() - start)
    return count / min(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--decisions", type=int, default=30_000)
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--cpu", action="store_true", help="count processor time, for a busy machine")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    some = ready_hands(min(options.hands, 20_000))
    waiting = np.tile(some, -(-options.hands // len(some)))[: options.hands]
    complete = completed(waiting)
    clock = time.process_time if options.cpu else time.perf_counter
    figures = {}
    for name in PRESETS:
        tables = Tables(name, options.tables, 1)
        count = options.tables * options.decisions
        run = functools.partial(tables.play_random, options.decisions)
        figures[f"random play, {name} (decisions/s)"] = rate(run, count, clock)
    figures["fan and value (hands/s)"] = rate(lambda: value_hands(complete), len(complete), clock)
    figures["waits with values (hands/s)"] = rate(lambda: value_waits(waiting), len(waiting), clock)
    figures["ukeire of 14 tiles (hands/s)"] = rate(lambda: ukeire_arrays(complete), len(complete), clock)
    if options.json:
        print(json.dumps(figures))
    else:
        for name, figure in figures.items():
            print(f"{name:45} {figure:14,.0f}")


if __name__ == "__main__":
    main()

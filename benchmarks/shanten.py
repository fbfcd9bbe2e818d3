"""Shanten, waits and ukeire of random hands, in hands a second on one core, with other packages in the same run.

    python benchmarks/shanten.py [--hands 200000] [--json]

Hands are 14 tiles of a shuffled four-player wall (13 for waits). The other packages take one hand a call, in their
preferred form, prepared outside the measured time. The results are compared.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from janshi.riichi.hands import shanten, ukeire, ukeire_arrays, waits


def random_hands(number: int, seed: int = 1) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return counts (N, 34) of random hands of 14 tiles, and their tiles as ids 0–135 (N, 14)."""
    ids = np.argsort(np.random.default_rng(seed).random((number, 136)), axis=1)[:, :14]
    counts = np.zeros((number, 34), np.int8)
    for place in range(14):
        np.add.at(counts, (np.arange(number), ids[:, place] // 4), 1)
    return counts, ids


def rate(run: Callable[[], object], hands: int, rounds: int = 5) -> float:
    """Return hands a second, the best of some rounds after one for compilation and warm-up."""
    run()
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return hands / min(seconds)


def measure(number: int) -> Iterator[tuple[str, float]]:
    """Yield each measured case with its hands a second."""
    counts, ids = random_hands(number)
    without = counts.copy()
    without[np.arange(number), ids[:, 0] // 4] -= 1
    yield "janshi shanten, array", rate(lambda: shanten(counts), number)
    yield "janshi shanten of sets and pair, array", rate(lambda: shanten(counts, form="standard"), number)
    yield "janshi waits, array", rate(lambda: waits(without), number)
    yield "janshi ukeire of every discard, array", rate(lambda: ukeire_arrays(counts), number, 3)

    few = min(number, 3000)
    ours = shanten(counts[:few]).tolist()
    lists = [one.tolist() for one in counts[:few]]
    yield "janshi shanten, one hand a call", rate(lambda: [shanten(one) for one in counts[:few]], few, 3)
    yield "janshi ukeire, one hand a call", rate(lambda: [ukeire(one) for one in counts[:few]], few, 3)
    if importlib.util.find_spec("mahjong"):
        calculate = importlib.import_module("mahjong.shanten").Shanten.calculate_shanten
        assert [calculate(one) for one in lists] == ours
        yield "mahjong shanten", rate(lambda: [calculate(one) for one in lists], few, 3)
    if importlib.util.find_spec("riichienv"):
        calculate_shanten = importlib.import_module("riichienv").calculate_shanten
        tiles = [one.tolist() for one in ids[:few]]
        assert [calculate_shanten(one) for one in tiles] == ours
        yield "riichienv shanten", rate(lambda: [calculate_shanten(one) for one in tiles], few, 10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--hands", type=int, default=200_000, help="hands in the array (default 200000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    if options.hands < 1:
        parser.error("--hands is the number of hands: 1 or more")
    figures = dict(measure(options.hands))
    if options.json:
        json.dump({name: round(figure) for name, figure in figures.items()}, sys.stdout, indent=1)
        print()
        return
    for name, figure in figures.items():
        print(f"{name:40} {figure:14,.0f} hands/s")
    for other in ("mahjong shanten", "riichienv shanten"):
        if other in figures:
            print(f"janshi's array over {other}: {figures['janshi shanten, array'] / figures[other]:,.0f} times")


if __name__ == "__main__":
    main()

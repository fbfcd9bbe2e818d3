"""Walls of Tenhou's records from their seeds, on one core.

    python benchmarks/walls.py [--games 20] [--hands 12] [--json]
"""

from __future__ import annotations

import argparse
import base64
import json
import time

import numpy as np

from janshi.riichi.records.walls import walls

#: Prefix of a seed, and bytes of the generator's state in it.
KIND, STATE_BYTES = "mt19937ar-sha512-n288-base64,", 2496


def main() -> None:
    """Print milliseconds a hand."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--hands", type=int, default=12)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    random = np.random.default_rng(1)
    seeds = [KIND + base64.b64encode(random.bytes(STATE_BYTES)).decode() for _ in range(options.games)]
    figures = {}
    for players in (3, 4):
        seconds = []
        for _ in range(7):
            begun = time.perf_counter()
            for seed in seeds:
                walls(seed, players, options.hands)
            seconds.append(time.perf_counter() - begun)
        figures[players] = 1000 * min(seconds) / (options.games * options.hands)
    if options.json:
        print(json.dumps({str(players): {"ms_per_hand": value} for players, value in figures.items()}))
        return
    for players, value in figures.items():
        print(f"{players} players: {value:.3f} ms a hand")


if __name__ == "__main__":
    main()

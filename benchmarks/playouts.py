"""Hands a second of playouts in processor time of one core, and the share of sampling.

    python benchmarks/playouts.py sl-int8 sl4-int8 --samples 512

The positions are decisions of random games with three options each.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from janshi.agents import agent
from janshi.riichi.positions import random_hand
from janshi.riichi.sampling.hidden import HiddenTiles
from janshi.rollout.playouts import PlayoutPlan, playouts

#: Indices of the decisions of a random hand of each number of players.
_DECISIONS = (10, 30)


def measure(name: str, samples: int) -> None:
    """Print one line: hands a second, and the milliseconds for a sample."""
    players = min(agent(name).players)
    hand = random_hand("tenhou-sanma" if players == 3 else "tenhou", seed=3, number=1)
    sampled = played = 0.0
    hands = 0
    for decision in _DECISIONS:
        batch = hand.position(decision).batch
        options = np.flatnonzero(batch.legal[0])[:3].tolist()
        plan = PlayoutPlan(level=0)
        playouts(batch, options, players=name, samples=1, plan=plan)  # compiles and warms up
        start = time.process_time()
        HiddenTiles(batch).sample(samples, np.random.default_rng(0))
        sampled += time.process_time() - start
        start = time.process_time()
        hands += playouts(batch, options, players=name, samples=samples, plan=plan).hands
        played += time.process_time() - start
    share = 1000 * sampled / (samples * len(_DECISIONS))
    print(f"{name:<10} {hands / played:6.0f} hands/s of {hands:,}; {share:.2f} ms a sample", flush=True)


def main() -> None:
    """Read the options and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("players", nargs="*", default=["sl-int8", "sl4-int8"])
    parser.add_argument("--samples", type=int, default=256)
    options = parser.parse_args()
    for name in options.players:
        measure(name, options.samples)


if __name__ == "__main__":
    main()

"""Steps a second of the environments and of riichienv on one core, with random legal actions and masks.

    python benchmarks/environments.py [--seconds 1] [--cpu] [--json]

A step is one decision of the learner. Against random agents it includes the decisions of two or three other seats; with
the learner in every seat it is one decision. The choice of the action is included. The figure is the best of three
rounds; games are single hands. riichienv is stepped as in its documentation, with a random legal action for each seat
that must act.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from janshi.bridges import zoo
from janshi.bridges.gym import MahjongEnv, MahjongVectorEnv

GAMES = (("sanma", "tenhou-sanma", "SAN_HANCHAN"), ("four-player", "tenhou", "YON_HANCHAN"))
#: Environments of a vector without and with observations, limited by the processor's cache.
VECTOR, OBSERVED = 512, 256


def best(steps: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    """Return steps a second: the best of three rounds after a warm-up."""
    steps()
    rates = []
    for _ in range(3):
        start, done = clock(), 0
        while clock() - start < seconds:
            done += steps()
        rates.append(done / (clock() - start))
    return max(rates)


def vector(count: int, **options: Any) -> Callable[[], int]:
    """Return a function that makes some hundred steps of a vector environment."""
    env = MahjongVectorEnv(count, **options)
    env.reset(seed=1)

    def steps() -> int:
        for _ in range(100):
            env.step(env.random_actions())
        return 100 * count

    return steps


def masked(count: int, **options: Any) -> Callable[[], int]:
    """Return a function like `vector` with actions chosen by NumPy from the masks in ``infos``."""
    env = MahjongVectorEnv(count, **options)
    _, infos = env.reset(seed=1)
    noise = np.random.default_rng(1).integers(1, 127, (count + 1000, 122), np.int8)
    at = 0

    def steps() -> int:
        nonlocal infos, at
        for _ in range(100):
            at = (at + 7) % 1000
            *_, infos = env.step((infos["action_mask"] * noise[at : at + count]).argmax(axis=1))
        return 100 * count

    return steps


def single(**options: Any) -> Callable[[], int]:
    """Return a function that makes some thousand steps of one environment, with actions from the mask in ``info``."""
    env = MahjongEnv(**options)
    _, info = env.reset(seed=1)
    noise = np.random.default_rng(1).integers(1, 127, (1000, 122), np.int8)

    def steps() -> int:
        nonlocal info
        for number in range(1000):
            _, _, terminated, _, info = env.step((info["action_mask"] * noise[number]).argmax())
            if terminated:
                _, info = env.reset()
        return 1000

    return steps


def aec(**options: Any) -> Callable[[], int]:
    """Return a function that makes some thousand steps of PettingZoo's environment, with masks in observations."""
    env = zoo.env(**options)
    env.reset(seed=1)
    noise = np.random.default_rng(1).integers(1, 127, (1000, 122), np.int8)

    def steps() -> int:
        for number in range(1000):
            seen, _, terminated, _, _ = env.last()
            if terminated:
                env.reset()
            else:
                env.step((seen["action_mask"] * noise[number]).argmax())
        return 1000

    return steps


def riichienv(kind: str) -> Callable[[], int]:
    """Return a function that takes some thousand decisions in riichienv."""
    import riichienv

    chooser = random.Random(1)
    env = riichienv.RiichiEnv(game_mode=int(getattr(riichienv.GameType, kind)))
    observations = env.reset()

    def steps() -> int:
        nonlocal observations
        decisions = 0
        while decisions < 1000:
            chosen = {seat: chooser.choice(seen.legal_actions()) for seat, seen in observations.items()}
            decisions += len(chosen)
            observations = env.step(chosen)
            if env.done():
                observations = env.reset()
        return decisions

    return steps


def label(observation: str, packed: bool) -> str:
    """Return the name of an observation in the results."""
    return f"{observation} packed" if packed else observation


def measure(seconds: float, clock: Callable[[], float]) -> Iterator[tuple[str, float]]:
    """Yield each measured environment with its steps a second."""
    for name, rules, kind in GAMES:
        base: dict[str, Any] = {"rules": rules, "observation": "none"}
        yield f"{name}, vector, no observation", best(vector(VECTOR, **base), seconds, clock)
        yield f"{name}, vector, no observation, NumPy chooses", best(masked(VECTOR, **base), seconds, clock)
        every = best(vector(VECTOR, **base, opponents="self"), seconds, clock)
        yield f"{name}, vector, every seat, no observation", every
        for observation, packed in (("meowjong", True), ("janshi", True), ("janshi", False)):
            options = {**base, "observation": observation, "packed": packed}
            yield f"{name}, vector, {label(observation, packed)}", best(vector(OBSERVED, **options), seconds, clock)
        for observation, packed in (("none", False), ("janshi", True), ("janshi", False)):
            options = {**base, "observation": observation, "packed": packed}
            yield f"{name}, single, {label(observation, packed)}", best(single(**options), seconds, clock)
        options = {"rules": rules, "observation": "meowjong", "packed": True}
        yield f"{name}, PettingZoo, meowjong packed", best(aec(**options), seconds, clock)
        if importlib.util.find_spec("riichienv"):
            yield f"{name}, riichienv", best(riichienv(kind), seconds, clock)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a round (default 1)")
    parser.add_argument("--cpu", action="store_true", help="count the processor's time, for a busy machine")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    figures = dict(measure(options.seconds, time.process_time if options.cpu else time.perf_counter))
    if options.json:
        json.dump({name: round(figure) for name, figure in figures.items()}, sys.stdout, indent=1)
        print()
        return
    for name, figure in figures.items():
        game, what = name.split(", ", 1)
        peer = figures.get(f"{game}, riichienv")
        ratio = "" if peer is None or what == "riichienv" else f"  {figure / peer:6.1f} times riichienv"
        print(f"{name:50} {figure:12,.0f} steps/s{ratio}")


if __name__ == "__main__":
    main()

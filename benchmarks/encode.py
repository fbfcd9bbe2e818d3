"""Observations in positions a second on one core, their size on disk, and the time that training waits for them.

    python benchmarks/encode.py [RECORDS ...] [--players 3] [--hands 300] [--chunk 32] [--json]

A position is a decision. "from records" replays hands and encodes every position, as in training; "from views" encodes
the views of 1,000 tables, as for agents. Masks are 366 numbers of 34 bits (encoder `meowjong`), dense observations 366
× 34 zeros and ones. Every other encoder of the game is measured in its packed form. riichienv's observation differs (74
planes of 27 kinds in sanma, as 32-bit numbers, one call a position); it is measured on positions of random games,
without the time of play. The default records are the package's sample, 60 games of programs.

The last part trains a network (by default 96 channels, 6 blocks) on a few chunks of hands and prints the time that it
waited for the next chunk, and the time for the expansion of masks to zeros and ones.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.shanten import rate

from janshi.encoders import ENCODERS, Encoder, encoder
from janshi.learn.configs import CHUNK
from janshi.riichi.dataset import DatasetError, HandSet, decisions, read_hands
from janshi.sample import SAMPLE
from janshi.table import Tables

#: The papers' encoder.
MEOWJONG = encoder("meowjong")


def in_chunks(hands: HandSet) -> list[np.ndarray]:
    """Return the indices of hands in the chunks of a training."""
    return [np.arange(first, min(first + CHUNK, len(hands))) for first in range(0, len(hands), CHUNK)]


def from_records(hands: HandSet, rounds: int) -> dict[str, float]:
    """Return positions a second from replayed hands."""
    chunks = in_chunks(hands)
    positions = len(hands.taken)

    def masks() -> None:
        for which in chunks:
            decisions(hands, which, encoder=MEOWJONG)

    def dense() -> None:
        for which in chunks:
            packed = decisions(hands, which, encoder=MEOWJONG).packed
            for first in range(0, len(packed), 512):
                MEOWJONG.inputs(packed[first : first + 512])

    return {
        "janshi, from records, masks": rate(masks, positions, rounds),
        "janshi, from records, dense": rate(dense, positions, rounds),
    }


def from_views(rules: str, rounds: int) -> dict[str, float]:
    """Return positions a second from views of 1,000 tables."""
    tables = Tables(rules, 1000, 1)
    tables.play_random(60)
    views = tables.views()

    def masks() -> None:
        for _ in range(20):
            MEOWJONG.encode_views(views)

    def dense() -> None:
        for _ in range(20):
            MEOWJONG.inputs(MEOWJONG.encode_views(views))

    return {
        "janshi, from views, masks": rate(masks, 20_000, rounds),
        "janshi, from views, dense": rate(dense, 20_000, rounds),
    }


def others(hands: HandSet, rules: str, rounds: int) -> dict[str, float]:
    """Return positions a second of every other encoder, from replayed hands and from views."""
    chunks = in_chunks(hands)
    tables = Tables(rules, 1000, 1)
    tables.play_random(60)
    batch = tables.decisions().with_events()
    speed = {}
    for shown in ENCODERS.values():
        if shown is MEOWJONG or shown.game != "riichi" or hands.players not in shown.players:
            continue

        def replayed(shown: Encoder = shown) -> None:
            for which in chunks:
                decisions(hands, which, encoder=shown)

        def seen(shown: Encoder = shown) -> None:
            for _ in range(20):
                shown.encode(batch)

        speed[f"{shown.name}, from records"] = rate(replayed, len(hands.taken), rounds)
        speed[f"{shown.name}, from views"] = rate(seen, 20_000, rounds)
    return speed


def theirs(kind: str, rounds: int) -> dict[str, float]:
    """Return positions a second of riichienv's observation in random games."""
    import riichienv

    chooser = random.Random(1)
    env = riichienv.RiichiEnv(game_mode=int(getattr(riichienv.GameType, kind)))
    observations = env.reset()
    seen: list[Any] = []
    while len(seen) < 5000:
        seen += observations.values()
        observations = env.step({seat: chooser.choice(one.legal_actions()) for seat, one in observations.items()})
        if env.done():
            observations = env.reset()

    def run() -> None:
        for one in seen:
            np.frombuffer(one.encode(), np.float32)

    return {"riichienv, from its observations": rate(run, len(seen), rounds)}


def on_disk(hands: HandSet) -> dict[str, float]:
    """Return the bytes of 10,000 hands with the index of their decisions."""
    with tempfile.TemporaryDirectory() as place:
        hands.save(Path(place))
        sizes = {one.name: one.stat().st_size for one in Path(place).iterdir()}
    return {f"bytes per 10,000 hands, {name}": 10_000 * size / len(hands) for name, size in sorted(sizes.items())}


def timed(inner: Callable[..., Any], spans: list[tuple[float, float]]) -> Callable[..., Any]:
    """Return a function that records its times of start and end."""

    def outer(*given: Any) -> Any:
        start = time.perf_counter()
        try:
            return inner(*given)
        finally:
            spans.append((start, time.perf_counter()))

    return outer


def training(hands: HandSet, count: int, chunk: int, channels: int, blocks: int) -> dict[str, float]:
    """Return the seconds of a training, and those of waiting for data.

    The trainer encodes the next chunk in a thread parallel to the network. The waiting time is the time from the
    network's end of a chunk to the thread's end; the first chunk does not count. The ratio of the network's time to the
    thread's is the factor by which the network could be faster before it has to wait.
    """
    from janshi.learn.inference import to_input
    from janshi.learn.trainer import TrainConfig, Trainer
    from janshi.riichi.dataset.tasks import PolicyTask
    from janshi.riichi.networks import KindConfig

    part = hands.part(np.arange(min(count, len(hands))))
    task = PolicyTask(KindConfig(channels=channels, blocks=blocks))
    config = TrainConfig(task=task, epochs=1.0, chunk=chunk, measure_every=2.0, measure_most=1)
    spans: list[tuple[float, float]] = []
    ends: list[float] = []
    with tempfile.TemporaryDirectory() as place:
        trainer = Trainer(config, part, Path(place), development=part.part(np.arange(1)))
        trainer._encode = timed(trainer._encode, spans)  # type: ignore[method-assign]
        trainer.train(lambda progress: ends.append(time.perf_counter()))
    packed = decisions(part, np.arange(min(len(part), CHUNK)), encoder=trainer.encoder).packed
    start = time.perf_counter()
    for first in range(0, len(packed), config.batch):
        to_input(trainer.encoder, packed[first : first + config.batch], trainer.device)
    expanding = (time.perf_counter() - start) * trainer.samples / len(packed)
    total = ends[-1] - spans[0][1]
    waited = sum(max(0.0, ready[1] - over) for ready, over in zip(spans[1:], ends, strict=False))
    beside = sum(end - begun for begun, end in spans[1:])
    return {
        "positions": trainer.samples,
        "chunks": len(ends),
        "seconds": total,
        "positions/s": trainer.samples / total,
        "encoding beside it, s": beside,
        "waiting for data, s": waited,
        "waiting, share": waited / total,
        "times the network could be faster": total / beside if beside else float("inf"),
        "expanding, s": expanding,
        "expanding, share": expanding / total,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("records", nargs="*", default=[SAMPLE], help="records, or a folder of janshi dataset")
    parser.add_argument("--players", type=int, default=3, choices=(3, 4), help="three (sanma) or four")
    parser.add_argument("--rounds", type=int, default=5, help="times each is measured; the best counts (default 5)")
    parser.add_argument("--hands", type=int, default=300, help="hands trained on; 0: no training (default 300)")
    parser.add_argument("--chunk", type=int, default=32, help="hands encoded together in it (default 32)")
    parser.add_argument("--channels", type=int, default=96, help="width of the network trained (default 96)")
    parser.add_argument("--blocks", type=int, default=6, help="its depth (default 6)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    if min(options.rounds, options.chunk, options.channels, options.blocks) < 1 or options.hands < 0:
        parser.error("numbers are 1 or more, --hands 0 or more")
    try:
        hands = read_hands(options.records, options.players)
    except (DatasetError, OSError) as error:
        parser.error(str(error))
    speed = from_records(hands, options.rounds)
    rules = "tenhou-sanma" if options.players == 3 else "tenhou"
    speed |= from_views(rules, options.rounds) | others(hands, rules, options.rounds)
    if importlib.util.find_spec("riichienv"):
        speed |= theirs("SAN_HANCHAN" if options.players == 3 else "YON_HANCHAN", options.rounds)
    disk = on_disk(hands)
    profile = training(hands, options.hands, options.chunk, options.channels, options.blocks) if options.hands else {}
    if options.json:
        report = {"hands": len(hands), "positions/s": speed, "disk": disk, "training": profile, "cores": os.cpu_count()}
        json.dump(report, sys.stdout, indent=1)
        print()
        return
    print(f"{len(hands):,} hands")
    for name, figure in speed.items():
        print(f"{name:40} {figure:14,.0f} positions/s")
    if "riichienv, from its observations" in speed:
        ratio = speed["janshi, from views, dense"] / speed["riichienv, from its observations"]
        print(f"janshi over riichienv, from views, dense (another encoding): {ratio:,.1f} times")
    for name, size in disk.items():
        print(f"{name:50} {size:14,.0f}")
    for name, value in profile.items():
        print(f"training: {name:40} {value:14,.4g}")


if __name__ == "__main__":
    main()

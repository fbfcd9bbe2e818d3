"""Time until the figures of *What if* appear, and until the chances to win are within three points.

    python benchmarks/what_if.py RECORDS --games 20 [--threads 2] [--options 4] [--cpu]

One seat of each game is reviewed, and one decision of each situation is drawn: in the first six turns, in the next six,
later, after an own call, against two riichi. The choice taken and the reviewer's (or its second one) are played on in
threads, as on the page; ``--options`` adds the reviewer's next ones. With ``--cpu`` times are processor time of all
threads, for a busy machine.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi.agents import agent, best_reviewer
from janshi.agents.onnx import THREADS
from janshi.cluster import Threads
from janshi.games import game_of
from janshi.review import review_game, review_of
from janshi.review.model import Decision, PlayedOn
from janshi.review.what_if import what_if
from janshi.riichi.records import RiichiGame, read_games
from janshi.table import DecisionBatch

#: Target: half the width of the 95 % interval of the chance to win, and the time until then in seconds.
WIDTH: Final = 0.03
SECONDS: Final = 5.0
SITUATIONS: Final = ("turns 1 to 6", "turns 7 to 12", "later", "after a call", "two riichi")


@dataclass(frozen=True)
class Timed:
    """Seconds of the first figures and of those within the width, and their samples."""

    first: float
    within: float
    samples: int


def situations(batch: DecisionBatch) -> list[str]:
    """Return the situations of a decision; none in riichi."""
    view: Any = np.asarray(batch.views)[0]
    seat = int(batch.seats[0])
    own, riichi = view["seats"][seat], view["seats"]["accepted"] != 0
    if riichi[seat]:
        return []
    found = [SITUATIONS[min(int(own["discards"]) // 6, 2)]]
    if own["calls"]:
        found.append("after a call")
    if riichi.sum() >= 2:
        found.append("two riichi")
    return found


def options_of(decision: Decision, count: int) -> list[int]:
    """Return at most ``count`` options; the first two are those that the page plays on first."""
    ranked = [decision.done, decision.advice.best, *(each.action for each in decision.advice.preferences)]
    return list(dict.fromkeys(ranked))[:count]


def drawn(games: list[RiichiGame], random: np.random.Generator) -> Iterator[tuple[str, RiichiGame, int, Decision]]:
    """Yield one decision of every situation of a seat of each game, with at least two options."""
    for number, game in enumerate(games):
        seat = number % game.players
        review = review_game(game, seat, agent(best_reviewer(game.players, game_of(game.rules).name)))
        positions = review_of(game.rules).positions
        assert positions is not None, "Riichi's reviews have positions"
        batches = positions(game, seat)
        decisions = [each for each in review.decisions if len(options_of(each, 2)) == 2]
        for name in SITUATIONS:
            possible = [each for each in decisions if name in situations(batches[each.number])]
            if possible:
                yield name, game, seat, possible[int(random.integers(len(possible)))]


def timed(results: Iterator[PlayedOn], clock: Callable[[], float]) -> Timed:
    """Return the times of results until all chances to win are within the width."""
    start = clock()
    first = 0.0
    for result in results:
        first = first or clock() - start
        if all(option.win.high - option.win.low <= 2 * WIDTH for option in result.options):
            return Timed(first, clock() - start, result.samples)
    raise RuntimeError("the figures are not within the width after all samples")


def show(what: str, found: list[Timed]) -> None:
    """Print the times of a situation."""
    first, within = np.array([each.first for each in found]), np.array([each.within for each in found])
    figures = f"{np.median(first):.2f} s, at most {first.max():.2f}"
    narrow = f"{np.median(within):.1f} s, at most {within.max():.1f}"
    share = f"{(within <= SECONDS).mean():.0%} in {SECONDS:.0f} s"
    samples = np.mean([each.samples for each in found])
    print(f"{what:<13} {len(found):>3}: first figures {figures}", end="; ")
    print(f"within {100 * WIDTH:.0f} points {narrow}, {share}; {samples:.0f} samples", flush=True)


def main() -> None:
    """Read the options and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--cpu", action="store_true", help="processor time")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--options", type=int, default=2)
    options = parser.parse_args()
    os.environ[THREADS] = "1"  # as in the page's process
    team, clock = Threads(options.threads), time.process_time if options.cpu else time.perf_counter
    read = (game for game in read_games([options.records]) if isinstance(game, RiichiGame))
    games = list(islice(read, options.games))
    found: dict[str, list[Timed]] = {}
    for number, (name, game, seat, decision) in enumerate(drawn(games, np.random.default_rng(0))):
        question = game, seat, decision.number, options_of(decision, options.options)
        if number == 0:
            next(what_if(*question))  # compiled before the clock starts
        found.setdefault(name, []).append(timed(what_if(*question, processes=team), clock))
    for name in SITUATIONS:
        if name in found:
            show(name, found[name])
    show("all", [each for times in found.values() for each in times])


if __name__ == "__main__":
    main()

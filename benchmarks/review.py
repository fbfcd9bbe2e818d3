"""Time of a review, and ratings of people and of programs at the same kind of table.

    python benchmarks/review.py RECORDS [--by sl] [--games 20]

``RECORDS``: games of people with three or four players. Every seat of every game is reviewed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from janshi.agents import Agent, Reviewer, agent
from janshi.arena import play_match
from janshi.review import review_game
from janshi.riichi.records import RiichiGame, read_games


def by_programs(name: str, game: RiichiGame, games: int, seed: int) -> list[RiichiGame]:
    """Return games of a program against itself, by the rules of a game."""
    played: list[RiichiGame] = []
    agents: list[Agent] = [agent(name) for _ in range(game.players)]
    play_match(agents, game.rules, max(1, games // game.players), seed, on_game=played.append)
    return played


def ratings(games: Iterable[RiichiGame], reviewer: Reviewer) -> Iterator[tuple[float, float, int]]:
    """Yield rating, agreement and decisions of every seat of games."""
    for game in games:
        for seat in range(game.players):
            report = review_game(game, seat, reviewer).report
            yield report.rating, report.total.agreed / max(report.total.decisions, 1), report.total.decisions


def show(name: str, games: list[RiichiGame], reviewer: Reviewer) -> None:
    """Print one line: mean rating, its range over games, agreement, time of a review."""
    start = time.perf_counter()
    rows = np.array(list(ratings(games, reviewer)))
    seconds = (time.perf_counter() - start) / len(rows)
    low, high = np.percentile(rows[:, 0], (10, 90))
    print(
        f"{name:<10} {len(rows):>4} reviews  rating {rows[:, 0].mean():5.1f} (8 of 10: {low:.1f} to {high:.1f})  "
        f"agreement {100 * np.average(rows[:, 1], weights=rows[:, 2]):.1f} %  "
        f"{rows[:, 2].mean():.0f} decisions, {seconds:.2f} s each",
        flush=True,
    )


def main() -> None:
    """Read the options and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("records")
    parser.add_argument("--by", default="sl")
    parser.add_argument("--games", type=int, default=20)
    options = parser.parse_args()
    reviewer = agent(options.by)
    assert isinstance(reviewer, Reviewer)
    read = (game for game in read_games([options.records]) if isinstance(game, RiichiGame))
    people = list(islice(read, options.games))
    review_game(people[0], 0, reviewer)  # compiled before the clock starts
    print(f"by {options.by}")
    show("people", people, reviewer)
    for name in ("sl", "efficient", "random") if people[0].players == 3 else ("efficient", "random"):
        show(name, by_programs(name, people[0], options.games, seed=1), reviewer)


if __name__ == "__main__":
    main()

"""What a player's first two choices differ in, and what choosing between them by playouts would gain.

    python tools/study_decisions.py sl-int8 tenhou-sanma FILE GROUPS      # resumable

The player has all seats of groups of eight games. Of the decisions with a second choice of at least 5 %, some are
played on by `janshi.rollout` with both choices, in four independent parts of 128 samples. The table gives, by kind of
decision, the number a game and seat, the mean by which the second choice is better in places, the standard deviation
of this difference over decisions without the noise of samples (from the covariance of the parts), and the gain of
taking the better choice by one or three of the parts, measured by the others.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents import agent
from janshi.games import rules_of
from janshi.rollout.driver import Driver, Seating
from janshi.rollout.playouts import PlayoutPlan, playouts
from janshi.rollout.sampling import SamplingError
from janshi.table import DecisionBatch, Tables

GAMES: Final = 8
PARTS: Final = 4
SAMPLES: Final = 128
LEAST: Final = 0.05
DISCARDS: Final = {"discard", "tsumogiri"}
HEAD: Final = f"kind            n  a game      mean   spread  gain by {SAMPLES}        by {(PARTS - 1) * SAMPLES}"
#: Shares of decisions that are played on: those between two discards, and the others.
SHARES: Final = {True: 0.02, False: 0.2}
PLAN: Final = PlayoutPlan(scale="place", level=0)


def decisions(player: Any, rules: str, group: int) -> Iterator[tuple[DecisionBatch, list[int], str]]:
    """Yield some decisions of a group of games with their first two choices and their kind."""
    random = np.random.default_rng(group)
    tables = Tables(rules, GAMES, np.int64(group) * GAMES + np.arange(GAMES), auto_reset=False)
    driver = Driver(tables, Seating.same([player] * tables.rules.players, GAMES))
    driver.begin()
    while questions := driver.questions():
        for question in questions:
            batch = question.batch
            shares = player.preferences(batch)
            order = np.argsort(-shares, axis=1, kind="stable")[:, :2]
            second = np.take_along_axis(shares, order, axis=1)[:, 1]
            for row in np.flatnonzero(second >= LEAST).tolist():
                options = order[row].tolist()
                # A claim has the name of the call.
                kinds = {batch.game.action_text(option).split()[0] for option in options} - {"pass"}
                kind = min(kinds - DISCARDS, default="discard")
                if random.random() < SHARES[kind == "discard"]:
                    yield batch.part(np.array([row])).with_events(), options, kind
            driver.answer(batch, player.act(batch))
        driver.step()


def measured(player: Any, batch: DecisionBatch, options: list[int], seed: int) -> list[float]:
    """Return by how many places the second choice is better, by each part."""
    found = []
    for part in range(PARTS):
        result = playouts(batch, options, players=player, samples=SAMPLES, seed=PARTS * seed + part, plan=PLAN)
        first, second = (option.placement for option in result.options)
        assert first is not None
        assert second is not None
        found.append(second.value - first.value)
    return found


def measured_group(player: Any, rules: str, group: int) -> dict[str, list[list[float]]]:
    """Return the differences of a group's decisions by kind."""
    found: dict[str, list[list[float]]] = {}
    for number, (batch, options, kind) in enumerate(decisions(player, rules, group)):
        try:
            found.setdefault(kind, []).append(measured(player, batch, options, group << 20 | number))
        except SamplingError:
            continue
    return found


def gain(parts: NDArray[np.float64], looked: int) -> NDArray[np.float64]:
    """Return the gain of each decision by choosing with ``looked`` of its parts, measured by the others."""
    gains = []
    for chosen in combinations(range(PARTS), looked):
        rest = [part for part in range(PARTS) if part not in chosen]
        gains.append(np.where(parts[:, list(chosen)].mean(axis=1) > 0, parts[:, rest].mean(axis=1), 0.0))
    mean: NDArray[np.float64] = np.mean(gains, axis=0)
    return mean


def line(kind: str, rows: list[list[float]], seats: int) -> str:
    """Return a line of the table; ``seats``: number of games times players."""
    parts = np.array(rows)
    covariance = np.cov(parts.T)
    spread = max(0.0, float(covariance[~np.eye(PARTS, dtype=np.bool_)].mean())) ** 0.5
    both = gain(parts, 1), gain(parts, PARTS - 1)
    gains = [f"{each.mean():+.4f} ± {1.96 * each.std() / len(each) ** 0.5:.4f}" for each in both]
    often = len(rows) / SHARES[kind == "discard"] / seats
    return f"{kind:10} {len(rows):6} {often:8.1f} {parts.mean():+9.4f} {spread:8.4f}  {'  '.join(gains)}"


def main(name: str, rules: str, file: Path, groups: int) -> None:
    """Measure the groups that are missing in the file, and print the table after each."""
    player = agent(name)
    known = [json.loads(text) for text in file.read_text().splitlines()] if file.exists() else []
    for group in range(groups):
        if group >= len(known):
            known.append(measured_group(player, rules, group))
            with file.open("a") as out:
                out.write(json.dumps(known[-1]) + "\n")
        print(f"{group + 1} groups\n{HEAD}")
        seats = GAMES * rules_of(rules).players * (group + 1)
        for kind in sorted({kind for each in known[: group + 1] for kind in each}):
            rows = [row for each in known[: group + 1] for row in each.get(kind, [])]
            if len(rows) > 1:
                print(line(kind, rows, seats), flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [name, rules, file, groups]:
            main(name, rules, Path(file), int(groups))
        case _:
            sys.exit(__doc__)

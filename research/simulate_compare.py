"""Simulate ``janshi compare --until``: its error rate, and its number of walls.

    janshi compare sl sl-2026-11 --walls 2000 --out FOLDER
    python research/simulate_compare.py FOLDER --until 0.01

Each run draws walls of the folder with replacement until it is decided. ``--gain`` shifts them to a true gain; default:
the mean of the folder. Figures refer to the mean place, with and without luck.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import typer
from numpy.typing import NDArray

from janshi.arena.saved import SavedParts
from janshi.arena.sequential import Answer, decided
from janshi.arena.walls import WallResults, place_measure
from janshi.cli.options import argument, command, option
from janshi.statistics import confidence_sequence


@dataclass(frozen=True)
class SimulationOptions:
    """Options of this script."""

    folder: Path = argument("Folder of janshi compare --out; of several line-ups the first one counts.")
    until: float = option("Probability of an error.", default=0.01, min=1e-9, max=0.49)
    margin: float = option("Smaller differences are none.", default=0.02, min=1e-6)
    gain: float | None = option("True gain in mean place (default: the mean of the folder).", default=None)
    walls: int = option("Most walls of a run.", default=50_000, min=1)
    runs: int = option("Runs.", default=100, min=1)
    seed: int = option("Decides the walls that are drawn.", default=0, min=0)


def gains_of(folder: Path) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the gains of the first player by wall (walls), as played and without luck."""
    match = json.loads((folder / "match.json").read_text(encoding="utf-8"))
    parts = []
    for _, arrays in SavedParts(folder, match).read():
        mine = {name.removeprefix("0 "): array for name, array in arrays.items() if name.startswith("0 ")}
        parts.append(WallResults.of_arrays((), mine))
    results = WallResults.joined(parts)
    values = place_measure(results)
    played, net = (results.by_wall(one[:, 0] - one.mean(axis=1)) for one in (values, values - results.luck))
    return played, net


def simulate(gains: NDArray[np.float64], options: SimulationOptions) -> tuple[Counter[Answer], NDArray[np.int64]]:
    """Return the decisions of the runs, and their numbers of walls (runs)."""
    random = np.random.default_rng(options.seed)
    shifted = gains if options.gain is None else gains - gains.mean() + options.gain
    answers: Counter[Answer] = Counter()
    took = []
    for _ in range(options.runs):
        sequence = confidence_sequence(random.choice(shifted, options.walls), options.until)
        answer, walls = decided(sequence, options.margin)
        answers[answer] += 1
        took.append(walls)
    return answers, np.array(took, np.int64)


def report(options: SimulationOptions) -> None:
    """Simulate sequential tests on recorded walls, and print their decisions and median lengths."""
    for name, gains in zip(("as played", "without luck"), gains_of(options.folder), strict=True):
        answers, took = simulate(gains, options)
        counts = ", ".join(f"{answer} {count}" for answer, count in sorted(answers.items()))
        median = f"median {np.median(took):,.0f} walls"
        typer.echo(f"{name}: {len(gains):,} walls, gain {gains.mean():+.4f}; {counts}; {median}")


if __name__ == "__main__":
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command()(command(report))
    single()

"""A paper as a plug-in: one stage without records, two scales, a sheet and a plot.

    janshi --plugin examples/plugins/dice.py reproduce dice --out dice --scale tiny
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from janshi.arena.figures import bar_plot
from janshi.papers.data import Scale
from janshi.papers.page import Cell, Report, sheet
from janshi.papers.registry import PAPERS
from janshi.papers.runner import Paper, Run, Stage


@dataclass(frozen=True, kw_only=True)
class DiceScale(Scale):
    """Size of a reproduction."""

    throws: int = 1_000_000


SCALES = {
    "tiny": DiceScale(name="tiny", description="a second", disk="1 MB", throws=100),
    "small": DiceScale(name="small", description="a second", disk="1 MB"),
}


def throw(run: Run) -> dict[str, Any]:
    """Throw a die and count its faces."""
    random = np.random.default_rng(run.options.seed)
    faces = random.integers(1, 7, run.scale.throws)
    return {"mean": float(faces.mean()), "faces": np.bincount(faces, minlength=7)[1:].tolist()}


REPORT = Report("dice", {"mean": 3.5})


@REPORT.sheet
def means(results: dict[str, Any]) -> Any:
    """Return the mean beside the printed one."""
    return sheet("Mean of a throw", "what | mean", [["a die", Cell(f"{results['throws']['mean']:.2f}", paper="3.50")]])


@REPORT.plot
def faces(results: dict[str, Any]) -> list[Any]:
    """Return the frequency of each face."""
    counts = np.array(results["throws"]["faces"], float)
    return [bar_plot({"": counts}, [str(face) for face in range(1, 7)], "Faces", "throws")]


STAGES = (Stage("throws", "Throwing", throw),)
PAPERS.register("dice", Paper("dice", "Dice", STAGES, SCALES, REPORT, needs_records=False))

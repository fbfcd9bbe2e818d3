"""The division of the records into training and test sets, and their contents (tables 3.3 and 3.4)."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.encoders import encoder
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.labels import labelled, mean_and_deviation, sizes
from janshi.papers.meowjong.orphans import ENDS, orphans_by_start
from janshi.papers.records import divide, enough_hands
from janshi.papers.runner import Run
from janshi.papers.training import check_situations, read_sets
from janshi.riichi.dataset import HandSet, decisions, load_hands


def enough(hands: HandSet, decision: str, most: int | None, seed: int) -> HandSet:
    """Return hands drawn at random until they hold enough situations of one decision."""
    if most is None:
        return hands
    rows = labelled(decisions(hands))
    with_decision = rows.decisions.hand[rows.labels[:, DECISIONS.index(decision)] >= 0]
    return enough_hands(hands, with_decision, most, seed)


def read_records(run: Run) -> dict[str, Any]:
    """Read records, divide them, keep them in the stage's folder; return their description."""
    scale, seed = run.scale, run.options.seed
    sets, known = read_sets(run, 3, lambda hands: divide(hands, seed))
    training = sets["training"]
    counted = {
        name: {decision: dataclasses.asdict(size) for decision, size in sizes(hands).items()}
        for name, hands in sets.items()
    }
    check_situations(counted, "examples")
    means = mean_and_deviation(training)
    run.report("counting starts")
    starts = [orphans_by_start(load_hands(run.folder / name)) for name in ("training", "test")]
    return known | {
        "sizes": {decision: {name: counted[name][decision] for name in sets} for decision in DECISIONS},
        "starts": [
            one | {name: one[name] + other[name] for name in ("hands", *ENDS)}
            for one, other in zip(*starts, strict=True)
        ],
        "means": {
            decision: {
                "examples": counted["training"][decision]["examples"],
                "mean": means[decision][0],
                "deviation": means[decision][1],
                "check": _directly(training, decision, scale.check, seed),
            }
            for decision in DECISIONS
        },
    }


def _directly(hands: HandSet, decision: str, most: int, seed: int) -> dict[str, Any]:
    """The deviation of some observations computed directly beside √(μ − μ²) of the same ones."""
    shown = encoder("meowjong")
    rows = labelled(decisions(enough(hands, decision, most, seed), encoder=shown, lazy=True), decision)
    assert rows.packed is not None
    columns = rows.packed[:most]
    dense: NDArray[np.float64] = shown.inputs(columns).astype(np.float64)
    mean, direct = float(dense.mean()), float(dense.std())
    formula = float(np.sqrt(mean - mean**2))
    return {"examples": len(columns), "direct": direct, "formula": formula, "relative error": formula / direct - 1}

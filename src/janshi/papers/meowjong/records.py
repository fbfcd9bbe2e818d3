"""Which records are learned from and which are tested on, and what is in them (tables 3.3 and 3.4)."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.encoders import encoder
from janshi.learn.dataset import HandSet, decisions, load_hands
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.labels import labelled, mean_and_deviation, sizes
from janshi.papers.meowjong.orphans import ENDS, orphans_by_start
from janshi.papers.records import (
    HELD,
    check_games,
    described,
    divide,
    enough_hands,
    first_games,
    read_divided,
    save_divided,
)
from janshi.papers.runner import ReproduceError, Run


def enough(hands: HandSet, decision: str, most: int | None, seed: int) -> HandSet:
    """Return hands drawn at random until they hold enough situations of one decision."""
    if most is None:
        return hands
    rows = labelled(decisions(hands))
    with_decision = rows.decisions.hand[rows.labels[:, DECISIONS.index(decision)] >= 0]
    return enough_hands(hands, with_decision, most, seed)


def read_records(run: Run) -> dict[str, Any]:
    """Read records, divide them, keep them in the stage's folder; return what is in them."""
    scale, seed = run.scale, run.options.seed
    learned, tested, rule, skipped = read_divided(run, 3, lambda hands: divide(hands, seed))
    learned, tested = first_games(learned, scale.hands, seed), first_games(tested, scale.test_hands, seed)
    check_games(learned, tested, "sanma")
    run.report("counting")
    stored = save_divided(run, learned, tested)
    training, held = learned.split(HELD, seed)
    sets = {"training": training, "development": held, "test": tested}
    counted = {name: sizes(hand_set) for name, hand_set in sets.items()}
    _check_sizes(counted)
    means = mean_and_deviation(training)
    run.report("counting starts")
    starts = [orphans_by_start(hand_set) for hand_set in (learned, tested)]
    return {
        "rule": rule,
        "skipped": skipped,
        "bytes": stored,
        "sets": {name: described(hand_set) for name, hand_set in sets.items()},
        "sizes": {
            decision: {name: dataclasses.asdict(by_decision[decision]) for name, by_decision in counted.items()}
            for decision in DECISIONS
        },
        "starts": [
            one | {name: one[name] + other[name] for name in ("hands", *ENDS)}
            for one, other in zip(*starts, strict=True)
        ],
        "means": {
            decision: {
                "examples": counted["training"][decision].examples,
                "mean": means[decision][0],
                "deviation": means[decision][1],
                "check": _directly(training, decision, scale.check, seed),
            }
            for decision in DECISIONS
        },
    }


def _check_sizes(counted: dict[str, dict[str, Any]]) -> None:
    for name, by_decision in counted.items():
        for decision in DECISIONS:
            if by_decision[decision].examples == 0:
                raise ReproduceError(f"too few records: no {decision} could be decided in the {name} set's games")


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


def training_and_development(run: Run) -> tuple[HandSet, HandSet]:
    """Return the hands to learn from and those that are looked at meanwhile."""
    return load_hands(run.folders["records"] / "training").split(HELD, run.options.seed)


def test_hands(run: Run) -> HandSet:
    """Return the hands to test on."""
    return load_hands(run.folders["records"] / "test")

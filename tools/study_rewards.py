"""What the parts of learning by playing are worth, at equal decisions.

    python tools/study_rewards.py START FOLDER VARIANT UPDATES SEED

START is a player of sanma to learn from (`janshi learn START`). The variants are

``places``: the method as it is. A hand is worth the expected place after it.
``points``: a hand is worth its points, in units that give differences the same standard deviation.
``walls``: as ``places``, but the other action meets another wall: the tiles that nobody has drawn are shuffled.

The last point printed contains a match of the moving average after UPDATES updates against START.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.cluster import workers
from janshi.core.rows import join_rows
from janshi.learn import generation
from janshi.learn.configs import LearnConfig
from janshi.learn.improvement import Improvement, load_start

#: Number of tiles of the dead wall, at the beginning of the wall.
DEAD: Final = 14
CONFIG: Final = LearnConfig(
    train_blocks=-1,
    batch=1024,
    discards=0.25,
    temperature=1.5,
    least=0.02,
    against_start=0.0,
    games=1024,
    games_together=512,
    gate_walls=3000,
    patience=0,
    unit=20_000.0,
)


class ByPoints(Improvement):
    """A run that values hands by their points."""

    def _place_points(self) -> tuple[float, ...]:
        return ()


def join_and_shuffle(parts: Sequence[Any]) -> NDArray[Any]:
    """Return the joined states of tables, with the undrawn tiles in another order."""
    states = join_rows(parts)
    random = np.random.default_rng([len(states), int(states["seed"].sum() % (1 << 40))])
    for row, last in enumerate(states["next"].tolist()):
        states["wall"][row, DEAD : last + 1] = random.permutation(states["wall"][row, DEAD : last + 1])
    return states


def learn(start: str, folder: str, variant: str, updates: int, seed: int) -> None:
    """Learn by a variant, and print every point of the curve."""
    made = ByPoints if variant == "points" else Improvement
    if variant == "walls":
        generation.join_rows = join_and_shuffle  # type: ignore[attr-defined]
    config = dataclasses.replace(CONFIG, updates=updates, gate_every=updates, seed=seed)
    with workers() as here:
        made(config, load_start(start), folder, here).train(lambda point: print(point, flush=True))


if __name__ == "__main__":
    name, out, variant, updates, seed = sys.argv[1:]
    learn(name, out, variant, int(updates), int(seed))

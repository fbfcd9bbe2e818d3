"""Parts shared by stages that learn from records: sets of hands, trained networks, matches."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from janshi.agents import Agent
from janshi.arena import Match, play_match
from janshi.games import rules_of
from janshi.installing import naming_extra
from janshi.learn.checkpoints import LAST, load_network
from janshi.learn.inference import best_device
from janshi.learn.trainer import TrainConfig, Trainer, TrainingProgress
from janshi.papers.parallel import Part, each
from janshi.papers.records import HELD, check_games, described, first_games, read_divided, save_divided
from janshi.papers.runner import ReproduceError, Run
from janshi.papers.single_hands import HandComparison, compare_hands
from janshi.riichi.dataset import HandSet, load_hands

with naming_extra(__name__):
    from torch import nn

#: Batches that are shuffled together.
BATCHES: Final = 64
#: Divides records: hands to learn from, hands to test on, the rule in words.
Division = Callable[[HandSet], tuple[HandSet, HandSet, str]]


def read_sets(
    run: Run, players: int, division: Division, held_name: str = "development"
) -> tuple[dict[str, HandSet], dict[str, Any]]:
    """Read records, divide them and keep them in the stage's folder: `load_sets` reads them in later stages.

    Returns the sets (training, ``held_name``, test), and their description.
    """
    scale, seed = run.scale, run.options.seed
    learned, tested, rule, skipped = read_divided(run, players, division)
    learned, tested = first_games(learned, scale.hands, seed), first_games(tested, scale.test_hands, seed)
    check_games(learned, tested, {3: "sanma", 4: "four-player"}[players])
    run.report("counting")
    stored = save_divided(run, learned, tested)
    training, held = learned.split(HELD, seed)
    sets = {"training": training, held_name: held, "test": tested}
    known = {"rule": rule, "skipped": skipped, "bytes": stored}
    return sets, known | {"sets": {name: described(hands) for name, hands in sets.items()}}


def load_sets(run: Run) -> tuple[HandSet, HandSet, HandSet]:
    """Return the training, development and test hands."""
    folder = run.folders["records"]
    return *load_hands(folder / "training").split(HELD, run.options.seed), load_hands(folder / "test")


def check_situations(counted: Mapping[str, Mapping[str, Mapping[str, Any]]], what: str = "situations") -> None:
    """Raise `ReproduceError` if a set has no situation of a decision; ``counted``: by set, decision and ``what``."""
    for name, by_decision in counted.items():
        for decision, counts in by_decision.items():
            if not counts[what]:
                raise ReproduceError(f"too few records: no {decision} could be decided in the {name} set's games")


# ---------------------------------------------------------------------------------------------------------
# Networks


@dataclasses.dataclass(frozen=True, slots=True)
class Training:
    """One network of a stage; ``config``: of its training, with ``epochs``."""

    name: str
    """Of the folder below the stage's."""
    config: TrainConfig
    learned: HandSet
    development: HandSet
    prepare: Callable[[nn.Module], None] | None = None


def shuffled(hands: int, examples: int, batch: int) -> int:
    """Return the number of hands to encode and shuffle together: `BATCHES` batches, if ``hands`` hold ``examples``.

    >>> shuffled(1000, 2000, 256)
    8192
    """
    return math.ceil(BATCHES * batch * hands / max(1, examples))


def train(run: Run, training: Training, number: float, total: float) -> Trainer:
    """Train a network, measured as often as the scale says, after ``number`` of ``total`` networks."""
    config, name = training.config, training.name
    between = math.ceil(config.epochs * len(training.learned) / run.scale.measurements)
    config = dataclasses.replace(
        config,
        seed=run.options.seed,
        chunk=max(1, min(config.chunk, between)),
        measure_every=config.epochs / run.scale.measurements,
        measure_most=run.scale.measured,
    )
    folder = run.folder / name
    trainer = Trainer(config, training.learned, folder, development=training.development, prepare=training.prepare)
    train_on(run, trainer, name, number, total)
    return trainer


def train_on(run: Run, trainer: Trainer, name: str, number: float = 0, total: float = 1) -> None:
    """Train a network to the end, reporting its progress under a name; ``number``, ``total``: as for `train`."""

    def progress(state: TrainingProgress) -> None:
        agrees = f"agrees in {100 * state.accuracy:.1f} %"
        text = f"{name}: {state.samples:,} situations, loss {state.loss:.3f}, {agrees}"
        run.report(text, number + state.hands / state.total, total)

    run.report(f"{name}: beginning", number, total)
    trainer.train(progress)


def trained_network(folder: Path) -> nn.Module:
    """Return the network of a training with its best weights, on the best device."""
    return load_network(folder)[0].to(best_device())


def train_each(run: Run, part: Part, names: Sequence[str]) -> dict[str, Any]:
    """Return the results of a part of a stage for each of its networks, as `each` does; delete their last weights."""
    results = each(run, part, names)
    for name in names:
        (run.folder / name / LAST).unlink(missing_ok=True)
    return results


# ---------------------------------------------------------------------------------------------------------
# Matches


def played(run: Run, agents: Sequence[Agent], rules: str, walls: int, seed: int, text: str = "") -> Match:
    """Play a match of one agent a seat by a preset; ``text``: who plays."""
    total = walls * len(agents)

    def progress(over: int) -> None:
        run.report(f"{text}{over:,} of {total:,} games", over, total)

    match = play_match(agents, rules_of(rules), walls, seed, progress=progress)
    if match.interrupted:
        raise KeyboardInterrupt
    return match


def compared(
    run: Run,
    players: tuple[Agent, Agent, Agent | None],
    rules: str,
    walls: int,
    of: tuple[int, int] = (0, 1),
    *,
    each_other: bool = True,
) -> HandComparison:
    """Compare two players, with somebody in the seats that they leave; ``of``: number of this comparison, and all."""
    title = f"{players[0].name} and {players[1].name}"

    def progress(over: int, total: int) -> None:
        run.report(f"{title}: {over:,} of {total:,} hands", of[0] + over / total, of[1])

    first, second, others = players
    seed = run.options.seed
    return compare_hands(
        first, second, rules_of(rules), walls, seed, others, each_other=each_other, progress=progress
    )

"""The stages of the `gao` thesis, from records to tables."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import numpy as np

from janshi.agents import RandomAgent
from janshi.installing import naming_extra
from janshi.learn.checkpoints import load_network
from janshi.learn.inference import best_device
from janshi.learn.players import load_player, save_player
from janshi.learn.trainer import TrainConfig
from janshi.papers.gao.agent import GaoAgent
from janshi.papers.gao.labels import DECISIONS, Selection, situations, sizes
from janshi.papers.gao.networks import (
    DORA,
    NO_RIICHI,
    GaoConfig,
    GaoNetwork,
    GaoSequenceConfig,
    counted_parameters,
    tile_model,
)
from janshi.papers.gao.tasks import GaoSequenceTask, GaoTask
from janshi.papers.measures import classified
from janshi.papers.records import described, enough_hands, first_games, hold_out, of_machines
from janshi.papers.runner import Run, Stage
from janshi.papers.training import (
    Training,
    check_situations,
    compared,
    load_sets,
    read_sets,
    shuffled,
    train,
    train_each,
    trained_network,
)
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import HandSet, decisions, load_hands

with naming_extra(__name__):
    from torch import nn

#: Games of programs, below the folder of the records' stage: tested on apart, never learned from.
MACHINES: Final = "machines"


# ---------------------------------------------------------------------------------------------------------
# Records


#: Players of a hand that a network learns from: one, as in the thesis; all who lose at most 1,500 points; all.
ONE: Final = "one"
ALL: Final = "all"
UNFILTERED: Final = "unfiltered"


def choice_of(run: Run, followed: str = ONE) -> Selection:
    """Return the selection of the situations to learn from."""
    choice = Selection(follow_one=followed == ONE, seed=run.options.seed)
    return dataclasses.replace(choice, most_lost=None) if followed == UNFILTERED else choice


def read_records(run: Run) -> dict[str, Any]:
    """Read records, divide them, keep them in the stage's folder; return their description."""
    machines: list[HandSet] = []

    def division(hands: HandSet) -> tuple[HandSet, HandSet, str]:
        machines.append(first_games(of_machines(hands), run.scale.test_hands, run.options.seed))
        return hold_out(hands)

    sets, known = read_sets(run, 4, division, "validation")
    for apart in machines:
        if len(apart):
            apart.save(run.folder / MACHINES)
    counted = {name: sizes(hands, choice_of(run)) for name, hands in sets.items()}
    check_situations(counted)
    more = {followed: sizes(sets["training"], choice_of(run, followed)) for followed in (ALL, UNFILTERED)}
    return known | {
        "machines": described(machines[0]) if machines and len(machines[0]) else None,
        "sizes": {decision: {name: counted[name][decision] for name in sets} for decision in DECISIONS},
        "learned": {ONE: counted["training"], **more},
    }


def _enough(run: Run, hands: HandSet, task: GaoTask | GaoSequenceTask, most: int | None) -> HandSet:
    """Return hands drawn at random until they hold enough situations of a task."""
    if most is None:
        return hands
    batch = decisions(hands)
    rows, _ = situations(batch, task.network.decision, task.choice)
    return enough_hands(hands, batch.hand[rows], most, run.options.seed)


# ---------------------------------------------------------------------------------------------------------
# Networks


class GaoTraining(NamedTuple):
    """A network of a stage: its task, number of situations, situations (or sequences) a step, and step size."""

    task: GaoTask | GaoSequenceTask
    situations: int
    batch: int
    rate: float
    followed: str = ONE
    begins_with: str | None = None
    """Discard network whose convolutions are the initial ones."""


#: Returns the networks of a stage by name.
TrainingsOf = Callable[[Run], dict[str, GaoTraining]]


def train_stage(trainings_of: TrainingsOf, run: Run) -> dict[str, Any]:
    """Train and test the networks of a stage, each in a folder of its name."""
    return {"networks": train_each(run, partial(train_and_test, trainings_of), tuple(trainings_of(run)))}


def train_and_test(trainings_of: TrainingsOf, run: Run, number: int, name: str) -> dict[str, Any]:
    """Train and test one of a stage's networks; return its results."""
    trainings = trainings_of(run)
    task, situations, batch, rate, followed, begins_with = trainings[name]
    decision, scale, records = task.network.decision, run.scale, run.results["records"]
    sequences = isinstance(task, GaoSequenceTask)
    learned, held, tested = load_sets(run)
    size: int = records["learned"][followed][decision]["situations"]
    rows = records["learned"][followed][decision]["hands"] if sequences else size
    # As printed: Adam at 0.001, batches of 256, a tenth held out. Source: sections 4.2 and 6.2.
    config = TrainConfig(
        task=task,
        epochs=situations / size,
        batch=batch,
        learning_rate=rate,
        weight_decay=0.0,
        cosine=scale.cosine,
        average=scale.average,
        development=0.1,
        chunk=shuffled(len(learned), rows, batch),
    )
    validation = _enough(run, held, task, scale.measured)
    prepare = None if begins_with is None else partial(_begin, run.folders["discards"] / begins_with)
    trainer = train(run, Training(name, config, learned, validation, prepare), number, len(trainings))
    total, trained = counted_parameters(trainer.plain)
    result = {
        "samples": trainer.samples,
        "situations": round(trainer.done / len(learned) * size),
        "sequences": sequences,
        "batch": batch,
        "epochs": config.epochs,
        "parameters": total,
        "trained parameters": trained,
        "curve": trainer.curve,
        "seconds": trainer.seconds,
    }
    run.report(f"{name}: measuring", number + 1, len(trainings))
    result["test"] = _test(run, name, task, tested)
    if records["machines"]:
        apart = _test(run, name, task, load_hands(run.folders["records"] / MACHINES))
        result["machines"] = {what: apart[what] for what in ("all", "classes")}
    return result


def _begin(folder: Path, network: nn.Module) -> None:
    """Load the convolutions of a trained discard network."""
    cast("GaoNetwork", network).convolutions.load_state_dict(
        cast("GaoNetwork", load_network(folder)[0]).convolutions.state_dict()
    )


def _test(run: Run, name: str, task: GaoTask | GaoSequenceTask, tested: HandSet) -> dict[str, Any]:
    """Return the agreement of a trained network with one player of each test hand; of discards in one situation."""
    once = task.network.decision == "discard"
    task = dataclasses.replace(task, choice=dataclasses.replace(choice_of(run), once=once))
    hands = _enough(run, tested, task, run.scale.tested)
    answers = task.answers(trained_network(run.folder / name), hands, best_device())
    measured: dict[str, Any] = {
        "all": answers.measured(),
        "masked": answers.measured(masked=True),
        "one a hand": answers.part(np.flatnonzero(answers.marks)).measured(),
    }
    classes = classified(answers.first, answers.labels, answers.logits.shape[1])
    return {which: dataclasses.asdict(result) for which, result in {**measured, "classes": classes}.items()}


def discard_trainings(run: Run) -> dict[str, GaoTraining]:
    """Return the discard networks of table 6.2."""
    scale, choice = run.scale, choice_of(run)
    shapes = {
        "tile": tile_model(scale.filters, scale.dense, scale.dropout),
        "off-table-68": GaoConfig(encoder="gao-68", filters=scale.filters, dropout=scale.dropout),
        "off-table-86": GaoConfig(encoder="gao-86", filters=scale.filters, dropout=scale.dropout),
    }
    sizes = scale.discards, scale.batch, scale.learning_rate
    trainings = {name: GaoTraining(GaoTask(shape, choice), *sizes) for name, shape in shapes.items()}
    for name in scale.all_players:
        everybody = GaoTask(dataclasses.replace(shapes[name], dropout=scale.all_dropout), choice_of(run, ALL))
        trainings[f"{name}-all"] = GaoTraining(everybody, *sizes, ALL)
    for name, padding in (("sequential", True), ("sequential-masked", False)):
        network = GaoSequenceConfig(scale.sequence_filters, scale.units, scale.dropout, padding)
        task = GaoSequenceTask(network, choice)
        trainings[name] = GaoTraining(task, scale.sequence_discards, scale.sequences, scale.sequence_rate)
    return trainings


def call_trainings(run: Run) -> dict[str, GaoTraining]:
    """Return the networks of pon, chii and riichi, on 86 planes, and their variants. Source: section 7.3."""
    scale = run.scale
    trainings: dict[str, GaoTraining] = {}
    for decision in DECISIONS[1:]:
        trunk = "off-table-86-all"
        variants: list[tuple[str, str, str | None]] = [("", ONE, None), ("-all", ALL, None), ("-trunk-all", ALL, trunk)]
        if decision == "riichi":
            variants.append(("-trunk-unfiltered", UNFILTERED, trunk))
        for suffix, followed, begins_with in variants:
            dropout = scale.dropout if followed == ONE else scale.all_dropout
            shape = GaoConfig(decision, filters=scale.filters, dropout=dropout)
            task = GaoTask(shape, choice_of(run, followed))
            sizes = scale.calls, scale.call_batch, scale.call_rate
            trainings[decision + suffix] = GaoTraining(task, *sizes, followed, begins_with)
    return trainings


def ablation_trainings(run: Run) -> dict[str, GaoTraining]:
    """Return the tile model and its changes, at scales that have ablations. Source: section 4."""
    scale, choice = run.scale, choice_of(run)
    if not scale.ablations:
        return {}
    tile = tile_model(scale.filters, scale.dense, scale.dropout)
    shapes = {
        "as-it-is": tile,
        "without-riichi-planes": dataclasses.replace(tile, change=NO_RIICHI),
        "dora-tiles": dataclasses.replace(tile, change=DORA),
        "with-pooling": dataclasses.replace(tile, pooling=True),
    }
    sizes = scale.ablations, scale.batch, scale.learning_rate
    return {name: GaoTraining(GaoTask(shape, choice), *sizes) for name, shape in shapes.items()}


# ---------------------------------------------------------------------------------------------------------
# Matches


def play_matches(run: Run) -> dict[str, Any]:
    """Seat the player of the thesis with the rule-based player and with random ones."""
    folders = {decision: f"../../{run.folders['calls'].name}/{decision}" for decision in DECISIONS[1:]}
    folders["discard"] = f"../../{run.folders['discards'].name}/off-table-86"
    save_player(run.folder / "player", "gao", {decision: folders[decision] for decision in DECISIONS})
    gao = cast("GaoAgent", load_player(run.folder / "player", "gao"))
    start = time.perf_counter()
    comparison = compared(run, (gao, EfficientAgent(), RandomAgent("Random")), "tenhou-hand", run.scale.walls)
    illegal = {"illegal": gao.illegal, "discards": gao.discards}
    return comparison.as_json() | {"illegal": illegal, "match seconds": time.perf_counter() - start}


STAGES: Final = (
    Stage("records", "Records", read_records),
    Stage("discards", "Discards: tile, off-table and sequential models", partial(train_stage, discard_trainings)),
    Stage("calls", "Pon, chii and riichi", partial(train_stage, call_trainings)),
    Stage("ablations", "Ablations", partial(train_stage, ablation_trainings)),
    Stage("matches", "Matches", play_matches),
)

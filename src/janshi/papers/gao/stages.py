"""The `gao` thesis from records to tables, stage by stage: what each does and what it keeps."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from janshi.agents import RandomAgent
from janshi.learn.inference import best_device
from janshi.papers.agent import save_folders
from janshi.papers.gao.agent import PLAYER_FILE, load_player
from janshi.papers.gao.decisions import DECISIONS, OUTPUTS, Decision
from janshi.papers.gao.labels import Choice, situations, sizes
from janshi.papers.gao.networks import (
    DORA,
    NO_RIICHI,
    GaoSequenceConfig,
    counted_parameters,
    off_table_model,
    tile_model,
)
from janshi.papers.gao.tasks import Answers, GaoSequenceTask, GaoTask, paper_config
from janshi.papers.measures import classified
from janshi.papers.records import described, enough_hands, first_games, hold_out, of_machines
from janshi.papers.runner import Run, Stage
from janshi.papers.training import (
    Training,
    check_situations,
    compared,
    load_sets,
    read_sets,
    train,
    train_each,
    trained_network,
)
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import HandSet, decisions, load_hands

#: Hands that are encoded and shuffled together; of sequences, whose observations are four times as large.
_CHUNK: Final = 384
_SEQUENCE_CHUNK: Final = 96

#: Games of programs, below the folder of the records' stage: tested on apart, never learned from.
MACHINES: Final = "machines"

Task = GaoTask | GaoSequenceTask


# ---------------------------------------------------------------------------------------------------------
# Records


def choice_of(run: Run) -> Choice:
    """Return which situations are learned from."""
    return Choice(follow_one=run.scale.follow_one, seed=run.options.seed)


def tested_choice(run: Run) -> Choice:
    """Return which situations are tested on: as in the thesis, one player a hand."""
    return Choice(seed=run.options.seed)


def read_records(run: Run) -> dict[str, Any]:
    """Read records, divide them, keep them in the stage's folder; return what is in them."""
    machines: list[HandSet] = []

    def division(hands: HandSet) -> tuple[HandSet, HandSet, str]:
        machines.append(first_games(of_machines(hands), run.scale.test_hands, run.options.seed))
        return hold_out(hands)

    sets, known = read_sets(run, 4, division, "validation")
    for apart in machines:
        if len(apart):
            apart.save(run.folder / MACHINES)
    choices = {"training": choice_of(run), "validation": choice_of(run), "test": tested_choice(run)}
    counted = {name: sizes(hands, choices[name]) for name, hands in sets.items()}
    check_situations(counted)
    return known | {
        "follow one": run.scale.follow_one,
        "machines": described(machines[0]) if machines and len(machines[0]) else None,
        "sizes": {decision: {name: counted[name][decision] for name in sets} for decision in DECISIONS},
    }


def _enough(hands: HandSet, decision: str, choice: Choice, most: int | None, seed: int) -> HandSet:
    """Return hands drawn at random until they hold enough situations of a decision."""
    if most is None:
        return hands
    batch = decisions(hands)
    rows, _ = situations(batch, decision, choice)
    return enough_hands(hands, batch.hand[rows], most, seed)


# ---------------------------------------------------------------------------------------------------------
# Networks


@dataclass(frozen=True, slots=True)
class GaoTraining:
    """A network of a stage: its task, how many situations it learns from, and situations (or sequences) a step."""

    task: Task
    situations: int
    batch: int
    chunk: int = _CHUNK


#: Networks of a stage by name.
Trainings = Mapping[str, GaoTraining]


def train_and_test(trainings_of: Callable[[Run], Trainings], run: Run, number: int, name: str) -> None:
    """Train and test one of a stage's networks, and keep what came of it."""
    if run.part(name) is not None:
        return
    trainings = trainings_of(run)
    training = trainings[name]
    learned, held, tested = load_sets(run)
    result = _train(run, name, training, (learned, held), (number, len(trainings)))
    run.report(f"{name}: measuring", number + 1, len(trainings))
    result["test"] = _test(run, name, training.task, tested)
    if run.results["records"]["machines"]:
        apart = _test(run, name, training.task, load_hands(run.folders["records"] / MACHINES))
        result["machines"] = {what: apart[what] for what in ("all", "classes")}
    run.keep_part(name, result)


def _train(
    run: Run, name: str, training: GaoTraining, sets: tuple[HandSet, HandSet], of: tuple[int, int]
) -> dict[str, Any]:
    """Train one network; return what is known of it but for its test."""
    scale, task = run.scale, training.task
    learned, held = sets
    size: int = run.results["records"]["sizes"][task.network.decision]["training"]["situations"]
    config = paper_config(
        task,
        epochs=training.situations / size,
        batch=training.batch,
        learning_rate=scale.learning_rate,
        chunk=training.chunk,
        cosine=scale.cosine,
    )
    validation = _enough(held, task.network.decision, task.choice, scale.measured, run.options.seed)
    trainer = train(run, Training(name, config, learned, validation), *of)
    total, trained = counted_parameters(trainer.plain)
    return {
        "samples": trainer.samples,
        "situations": round(trainer.done / len(learned) * size),
        "sequences": isinstance(task, GaoSequenceTask),
        "batch": config.batch,
        "epochs": config.epochs,
        "parameters": total,
        "trained parameters": trained,
        "curve": trainer.curve,
        "seconds": trainer.seconds,
    }


def _test(run: Run, name: str, task: Task, tested: HandSet) -> dict[str, Any]:
    """Return how a network that is trained agrees with the test set, one player a hand."""
    task = dataclasses.replace(task, choice=tested_choice(run))
    hands = _enough(tested, task.network.decision, task.choice, run.scale.tested, run.options.seed)
    answers = Answers.of(task, trained_network(run.folder / name), hands, best_device())
    measured: dict[str, Any] = {
        "all": answers.measured(),
        "masked": answers.measured(masked=True),
        "one a hand": answers.part(answers.alone).measured(),
    }
    classes = classified(answers.logits.argmax(axis=1), answers.label, OUTPUTS[Decision(task.network.decision)])
    return {which: dataclasses.asdict(result) for which, result in {**measured, "classes": classes}.items()}


def _train_all(run: Run, trainings_of: Callable[[Run], Trainings]) -> dict[str, Any]:
    """Train and test the networks of a stage, each in a folder of its name."""
    return {"networks": train_each(run, partial(train_and_test, trainings_of), tuple(trainings_of(run)))}


def discard_trainings(run: Run) -> dict[str, GaoTraining]:
    """Return the discard networks of table 6.2."""
    scale, choice = run.scale, choice_of(run)
    filters, dropout = scale.filters, scale.dropout
    shapes = {
        "tile": tile_model(filters, scale.dense, dropout),
        "off-table-68": off_table_model(68, filters=filters, dropout=dropout),
        "off-table-86": off_table_model(86, filters=filters, dropout=dropout),
    }
    trainings = {
        name: GaoTraining(GaoTask(shape, choice), scale.discards, scale.batch) for name, shape in shapes.items()
    }
    for name, padding in (("sequential", True), ("sequential-masked", False)):
        network = GaoSequenceConfig(scale.sequence_filters, scale.units, dropout, padding)
        task = GaoSequenceTask(network, choice)
        trainings[name] = GaoTraining(task, scale.sequence_discards, scale.sequences, _SEQUENCE_CHUNK)
    return trainings


def train_discards(run: Run) -> dict[str, Any]:
    """Train and test the discard networks."""
    return _train_all(run, discard_trainings)


def call_trainings(run: Run) -> dict[str, GaoTraining]:
    """Return the networks of pon, chii and riichi, on 86 planes. Source: section 7.3."""
    scale, choice = run.scale, choice_of(run)
    return {
        decision: GaoTraining(
            GaoTask(off_table_model(86, decision=decision, filters=scale.filters, dropout=scale.dropout), choice),
            scale.calls,
            scale.batch,
        )
        for decision in DECISIONS[1:]
    }


def train_calls(run: Run) -> dict[str, Any]:
    """Train and test the networks of pon, chii and riichi."""
    return _train_all(run, call_trainings)


def ablation_trainings(run: Run) -> dict[str, GaoTraining]:
    """Return the tile model as it is, without riichi planes, with dora tiles for indicators, and with pooling.

    Source: section 4.
    """
    scale, choice = run.scale, choice_of(run)
    shapes = {
        name: tile_model(dense=scale.dense, filters=scale.filters, dropout=scale.dropout, change=change)
        for name, change in (("as it is", ""), ("without riichi planes", NO_RIICHI), ("dora tiles", DORA))
    }
    shapes["with pooling"] = dataclasses.replace(shapes["as it is"], pooling=True)
    return {
        name.replace(" ", "-"): GaoTraining(GaoTask(shape, choice), scale.ablations, scale.batch)
        for name, shape in shapes.items()
    }


def train_ablations(run: Run) -> dict[str, Any]:
    """Train and test the ablations, at scales that have them."""
    if not run.scale.ablations:
        return {"networks": {}}
    return _train_all(run, ablation_trainings)


# ---------------------------------------------------------------------------------------------------------
# Matches


def play_matches(run: Run) -> dict[str, Any]:
    """Seat the player of the thesis with the rule-based player and with random ones."""
    folders = {"discard": f"{run.folders['discards'].name}/off-table-86"}
    folders |= {decision: f"{run.folders['calls'].name}/{decision}" for decision in DECISIONS[1:]}
    player = run.folder / "player"
    player.mkdir(exist_ok=True)
    save_folders(player / PLAYER_FILE, {decision: f"../../{name}" for decision, name in folders.items()})
    gao: Any = load_player(player, "gao")
    start = time.perf_counter()
    comparison = compared(run, (gao, EfficientAgent(), RandomAgent("Random")), "tenhou-hand", run.scale.walls)
    illegal = {"illegal": gao.illegal, "discards": gao.discards}
    return comparison.as_json() | {"illegal": illegal, "match seconds": time.perf_counter() - start}


_SIZES: Final = (
    "filters", "dropout", "learning_rate", "cosine", "batch", "measurements", "measured", "tested", "follow_one"
)  # fmt: skip

STAGES: Final = (
    Stage("records", "Records", read_records, ("hands", "test_hands", "follow_one")),
    Stage(
        "discards",
        "Discards: tile, off-table and sequential models",
        train_discards,
        (*_SIZES, "dense", "sequence_filters", "units", "sequences", "discards", "sequence_discards"),
        ("records",),
    ),
    Stage("calls", "Pon, chii and riichi", train_calls, (*_SIZES, "calls"), ("records",)),
    Stage("ablations", "Ablations", train_ablations, (*_SIZES, "dense", "ablations"), ("records",)),
    Stage("matches", "Matches", play_matches, ("walls",), ("discards", "calls")),
)

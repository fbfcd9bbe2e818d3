"""The `gao` thesis from records to tables, stage by stage: what each does and what it keeps."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from janshi.agents import EfficientAgent, RandomAgent
from janshi.arena import CompareConfig, compare
from janshi.learn.checkpoints import LAST, load_network
from janshi.learn.dataset import HandSet, decisions, load_hands
from janshi.learn.inference import best_device
from janshi.learn.trainer import Progress, Trainer
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
from janshi.papers.gao.player import load_gao, save_four
from janshi.papers.gao.report import summary, write_report
from janshi.papers.gao.scales import SCALES
from janshi.papers.gao.tasks import Answers, GaoSequenceTask, GaoTask, paper_config
from janshi.papers.measures import classified
from janshi.papers.parallel import Part, each
from janshi.papers.records import (
    HELD,
    check_games,
    described,
    enough_hands,
    first_games,
    hold_out,
    of_machines,
    read_divided,
    save_divided,
)
from janshi.papers.runner import Paper, ReproduceError, Run, Stage
from janshi.riichi.rules import preset

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
    scale, seed = run.scale, run.options.seed
    machines: list[HandSet] = []

    def division(hands: HandSet) -> tuple[HandSet, HandSet, str]:
        machines.append(first_games(of_machines(hands), scale.test_hands, seed))
        return hold_out(hands)

    learned, tested, rule, skipped = read_divided(run, 4, division)
    learned, tested = first_games(learned, scale.hands, seed), first_games(tested, scale.test_hands, seed)
    check_games(learned, tested, "four-player")
    run.report("counting")
    stored = save_divided(run, learned, tested)
    for apart in machines:
        if len(apart):
            apart.save(run.folder / MACHINES)
    training, held = learned.split(HELD, seed)
    sets = {"training": training, "validation": held, "test": tested}
    choices = {"training": choice_of(run), "validation": choice_of(run), "test": tested_choice(run)}
    counted = {name: sizes(hands, choices[name]) for name, hands in sets.items()}
    for name, by_decision in counted.items():
        for decision, size in by_decision.items():
            if not size["situations"]:
                raise ReproduceError(f"too few records: no {decision} could be decided in the {name} set's games")
    return {
        "rule": rule,
        "skipped": skipped,
        "bytes": stored,
        "follow one": scale.follow_one,
        "sets": {name: described(hands) for name, hands in sets.items()},
        "machines": described(machines[0]) if machines and len(machines[0]) else None,
        "sizes": {decision: {name: counted[name][decision] for name in sets} for decision in DECISIONS},
    }


def training_and_validation(run: Run) -> tuple[HandSet, HandSet]:
    """Return the hands to learn from and those that are looked at meanwhile."""
    return load_hands(run.folders["records"] / "training").split(HELD, run.options.seed)


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
class Training:
    """A network of a stage: its task, how many situations it learns from, and situations (or sequences) a step."""

    task: Task
    situations: int
    batch: int
    chunk: int = _CHUNK


def train_all(run: Run, part: Part, names: Sequence[str]) -> dict[str, Any]:
    """Train and test the networks of a stage, each in a folder of its name; ``part`` does one of them."""
    each(run, part, names)
    for name in names:
        (run.folder / name / LAST).unlink(missing_ok=True)
    return {"networks": {name: run.part(name) for name in names}}


def train_and_test(run: Run, trainings: Mapping[str, Training], number: int, name: str) -> None:
    """Train and test one of a stage's networks, and keep what came of it."""
    if run.part(name) is not None:
        return
    training = trainings[name]
    result = _train(run, name, training, training_and_validation(run), (number, len(trainings)))
    run.report(f"{name}: measuring", number + 1, len(trainings))
    result["test"] = _test(run, name, training.task, load_hands(run.folders["records"] / "test"))
    if run.results["records"]["machines"]:
        apart = _test(run, name, training.task, load_hands(run.folders["records"] / MACHINES))
        result["machines"] = {what: apart[what] for what in ("all", "classes")}
    run.keep_part(name, result)


def _train(
    run: Run, name: str, training: Training, sets: tuple[HandSet, HandSet], of: tuple[int, int]
) -> dict[str, Any]:
    """Train one network; return what is known of it but for its test."""
    scale, seed, task = run.scale, run.options.seed, training.task
    learned, held = sets
    size: int = run.results["records"]["sizes"][task.network.decision]["training"]["situations"]
    epochs = training.situations / size
    chunk = min(training.chunk, max(1, math.ceil(epochs * len(learned) / scale.measurements)))
    config = paper_config(
        task,
        seed=seed,
        epochs=epochs,
        batch=training.batch,
        learning_rate=scale.learning_rate,
        chunk=chunk,
        measure_every=epochs / scale.measurements,
        measure_most=scale.measured,
        cosine=scale.cosine,
    )
    validation = _enough(held, task.network.decision, task.choice, scale.measured, seed)
    trainer = Trainer(config, learned, run.folder / name, development=validation)

    def progress(state: Progress) -> None:
        text = f"{name}: {state.samples:,}, loss {state.loss:.3f}, agrees in {100 * state.accuracy:.1f} %"
        run.report(text, of[0] + state.hands / state.total, of[1])

    run.report(f"{name}: beginning", *of)
    trainer.train(progress)
    total, trained = counted_parameters(trainer.plain)
    return {
        "samples": trainer.samples,
        "situations": round(trainer.done / len(learned) * size),
        "sequences": isinstance(task, GaoSequenceTask),
        "batch": config.batch,
        "epochs": epochs,
        "parameters": total,
        "trained parameters": trained,
        "curve": trainer.curve,
        "seconds": trainer.seconds,
    }


def _test(run: Run, name: str, task: Task, tested: HandSet) -> dict[str, Any]:
    """Return how a network that is trained agrees with the test set, one player a hand."""
    task = dataclasses.replace(task, choice=tested_choice(run))
    hands = _enough(tested, task.network.decision, task.choice, run.scale.tested, run.options.seed)
    device = best_device()
    network = load_network(run.folder / name)[0].to(device)
    answers = Answers.of(task, network, hands, device)
    outputs = OUTPUTS[Decision(task.network.decision)]
    measured = {
        "all": answers.measured(),
        "masked": answers.measured(masked=True),
        "one a hand": answers.part(answers.alone).measured(),
    }
    return {
        **{which: dataclasses.asdict(result) for which, result in measured.items()},
        "classes": dataclasses.asdict(classified(answers.logits.argmax(axis=1), answers.label, outputs)),
    }


def discard_trainings(run: Run) -> dict[str, Training]:
    """Return the discard networks of table 6.2."""
    scale, choice = run.scale, choice_of(run)
    filters, dropout = scale.filters, scale.dropout
    shapes = {
        "tile": tile_model(filters, scale.dense, dropout),
        "off-table-68": off_table_model(68, filters=filters, dropout=dropout),
        "off-table-86": off_table_model(86, filters=filters, dropout=dropout),
    }
    trainings = {name: Training(GaoTask(shape, choice), scale.discards, scale.batch) for name, shape in shapes.items()}
    for name, padding in (("sequential", True), ("sequential-masked", False)):
        network = GaoSequenceConfig(scale.sequence_filters, scale.units, dropout, padding)
        task = GaoSequenceTask(network, choice)
        trainings[name] = Training(task, scale.sequence_discards, scale.sequences, _SEQUENCE_CHUNK)
    return trainings


def train_discards(run: Run) -> dict[str, Any]:
    """Train and test the discard networks."""
    return train_all(run, _train_discard, tuple(discard_trainings(run)))


def _train_discard(run: Run, number: int, name: str) -> None:
    train_and_test(run, discard_trainings(run), number, name)


def call_trainings(run: Run) -> dict[str, Training]:
    """Return the networks of pon, chii and riichi, on 86 planes. Source: section 7.3."""
    scale, choice = run.scale, choice_of(run)
    return {
        decision: Training(
            GaoTask(off_table_model(86, decision=decision, filters=scale.filters, dropout=scale.dropout), choice),
            scale.calls,
            scale.batch,
        )
        for decision in DECISIONS[1:]
    }


def train_calls(run: Run) -> dict[str, Any]:
    """Train and test the networks of pon, chii and riichi."""
    return train_all(run, _train_call, tuple(call_trainings(run)))


def _train_call(run: Run, number: int, name: str) -> None:
    train_and_test(run, call_trainings(run), number, name)


def ablation_trainings(run: Run) -> dict[str, Training]:
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
        name.replace(" ", "-"): Training(GaoTask(shape, choice), scale.ablations, scale.batch)
        for name, shape in shapes.items()
    }


def train_ablations(run: Run) -> dict[str, Any]:
    """Train and test the ablations, at scales that have them."""
    if not run.scale.ablations:
        return {"networks": {}}
    return train_all(run, _train_ablation, tuple(ablation_trainings(run)))


def _train_ablation(run: Run, number: int, name: str) -> None:
    train_and_test(run, ablation_trainings(run), number, name)


# ---------------------------------------------------------------------------------------------------------
# Matches


def play_matches(run: Run) -> dict[str, Any]:
    """Seat the player of the thesis with the rule-based player and with random ones."""
    folders = {"discard": f"{run.folders['discards'].name}/off-table-86"}
    folders |= {decision: f"{run.folders['calls'].name}/{decision}" for decision in DECISIONS[1:]}
    player = run.folder / "player"
    player.mkdir(exist_ok=True)
    save_four(player, {decision: f"../../{name}" for decision, name in folders.items()})
    gao: Any = load_gao(player, "gao")
    start = time.perf_counter()
    comparison = compare(
        gao,
        EfficientAgent(),
        preset("tenhou-hand"),
        run.scale.walls,
        run.options.seed,
        RandomAgent("Random"),
        config=CompareConfig(each_other=True),
        progress=lambda over, total: run.report(f"gao and efficient: {over:,} of {total:,} hands", over, total),
    )
    if comparison.interrupted:
        raise KeyboardInterrupt
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

#: The thesis, as ``janshi reproduce gao`` does it.
PAPER: Final = Paper("gao", "Gao", STAGES, SCALES, write_report, lambda report: summary(report["stages"]))

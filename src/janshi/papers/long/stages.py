"""The `long` paper from records to tables, stage by stage: what each does and what it keeps."""

from __future__ import annotations

import dataclasses
import gc
import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from torch import nn

from janshi.agents import RandomAgent
from janshi.arena import as_json, paired, sign_test
from janshi.arena.results import rate
from janshi.learn.checkpoints import LAST, load_network
from janshi.learn.configs import CHUNK
from janshi.learn.inference import best_device
from janshi.learn.trainer import TrainConfig
from janshi.papers.agent import save_folders
from janshi.papers.long.agent import PLAYER_FILE, load_player
from janshi.papers.long.labels import CALLED, labels, share_kept, winning_positions
from janshi.papers.long.networks import DECISIONS, PREDICTED, LongConfig, YakuConfig, feed, parameters, widths_of
from janshi.papers.long.tasks import Answers, LongTask, YakuTask
from janshi.papers.measures import classified
from janshi.papers.records import hold_out
from janshi.papers.runner import Run, Stage
from janshi.papers.training import Training, check_situations, load_sets, played, read_sets, train, trained_network
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import HandSet, decisions

#: Batches that are encoded and shuffled together.
_BATCHES: Final = 8
_PLAYER: Final = "player"
#: Networks of one decision: without yaku, and with.
WITHOUT: Final = "without"
WITH: Final = "with"
FEWER: Final = "fewer"


# ---------------------------------------------------------------------------------------------------------
# Records


def read_records(run: Run) -> dict[str, Any]:
    """Read records, divide them, keep them in the stage's folder; return what is in them."""
    sets, known = read_sets(run, 4, hold_out)
    counts = {name: _counts(hands) for name, hands in sets.items()}
    check_situations(counts)
    kept = {}
    for decision, share in CALLED.items():
        count = counts["training"][decision]
        kept[decision] = share_kept(count["positive"], count["situations"] - count["positive"], share)
    return known | {"sizes": counts, "kept": kept}


def _counts(hands: HandSet) -> dict[str, dict[str, int]]:
    """How many situations of each decision there are, and how many calls; how many positions of winners."""
    counts = {name: {"situations": 0, "positive": 0} for name in (*DECISIONS, "yaku")}
    for first in range(0, len(hands), 8 * CHUNK):
        batch = decisions(hands, np.arange(first, min(first + 8 * CHUNK, len(hands))))
        for decision in DECISIONS:
            label = labels(batch, decision)
            counts[decision]["situations"] += int((label >= 0).sum())
            counts[decision]["positive"] += int((label > 0).sum()) if decision != "discard" else 0
        counts["yaku"]["situations"] += int(winning_positions(batch).sum())
    return counts


# ---------------------------------------------------------------------------------------------------------
# Training


@dataclasses.dataclass(frozen=True, slots=True)
class LongTraining:
    """A network of a stage: what it learns, from how many situations, of how many that there are in ``learned``."""

    name: str
    task: Any
    samples: int
    batch: int
    examples: int
    learned: HandSet
    prepare: Callable[[nn.Module], None] | None = None


def _train(run: Run, training: LongTraining, development: HandSet, number: int, total: int) -> dict[str, Any]:
    """Train a network unless an earlier run has; return how it went."""
    result: dict[str, Any] | None = run.part(training.name)
    if result is None:
        result = _trained(run, training, development, number, total)
        run.keep_part(training.name, result)
    # Only now: killed before its result is kept, the training is asked for its last weights again.
    (run.folder / training.name / LAST).unlink(missing_ok=True)
    gc.collect()  # half a gigabyte of weights and their moments, before the next one's
    return result


def _trained(run: Run, training: LongTraining, development: HandSet, number: int, total: int) -> dict[str, Any]:
    config = TrainConfig(
        task=training.task,
        epochs=training.samples / training.examples,
        batch=training.batch,
        learning_rate=1e-3,
        weight_decay=0.0,
        cosine=run.scale.cosine,
        chunk=math.ceil(_BATCHES * training.batch * len(training.learned) / training.examples),
        patience=run.scale.patience,
    )
    shared = Training(training.name, config, training.learned, development, training.prepare)
    trainer = train(run, shared, number, total)
    return {
        "samples": trainer.samples,
        "epochs": trainer.samples / training.examples,
        "batch": training.batch,
        "parameters": parameters(trainer.plain),
        "widths": list(widths_of(training.task.network)),
        "curve": trainer.curve,
        "seconds": trainer.seconds,
    }


def train_yaku(run: Run) -> dict[str, Any]:
    """Train the forty predictors of yaku, and test them. Source: section 4.2.3, table 10."""
    scale = run.scale
    learned, held, tested = load_sets(run)
    sizes = run.results["records"]["sizes"]["training"]
    task = YakuTask(YakuConfig(widths=scale.yaku))
    examples = sizes["yaku"]["situations"]
    training = LongTraining("forty", task, scale.yaku_samples, scale.yaku_batch, examples, learned)
    trained = _train(run, training, held, 0, 1)
    run.report("measuring", 1, 1)
    logits, scored = task.answers(trained_network(run.folder / "forty"), tested, best_device(), scale.tested)
    table = {}
    for column, number in enumerate(PREDICTED):
        result = classified((logits[:, column] > 0).astype(np.int64), scored[:, column].astype(np.int64), 2)
        table[str(number)] = dataclasses.asdict(result) | {"positive": int(scored[:, column].sum())}
    return {"network": trained, "table": table, "positions": len(scored)}


def train_discard(run: Run) -> dict[str, Any]:
    """Train and test the networks of discards. Source: section 5.1."""
    return _decision(run, "discard", run.scale.discard, run.scale.discard_samples, run.scale.discard_batch)


def train_pon(run: Run) -> dict[str, Any]:
    """Train and test the networks of pon. Source: section 5.2."""
    return _decision(run, "pon", run.scale.pon, run.scale.call_samples, run.scale.call_batch)


def train_chii(run: Run) -> dict[str, Any]:
    """Train and test the networks of chii. Source: section 5.3."""
    return _decision(run, "chii", run.scale.chii, run.scale.call_samples, run.scale.call_batch)


def _decision(run: Run, decision: str, widths: tuple[int, ...] | None, samples: int, batch: int) -> dict[str, Any]:
    """Train a decision's networks without and with yaku, and test both on the same situations."""
    learned, held, tested = load_sets(run)
    records = run.results["records"]
    kept = records["kept"].get(decision, 1.0)
    size = records["sizes"]["training"][decision]
    examples = round(size["positive"] + kept * (size["situations"] - size["positive"]))
    plain = LongTask(LongConfig(decision, widths), kept)
    fed = LongTask(LongConfig(decision, widths, run.scale.yaku), kept)
    forty = run.folders["yaku"] / "forty"

    def prepare(network: nn.Module) -> None:
        feed(network, load_network(forty)[0])  # type: ignore[arg-type]

    trainings = [
        LongTraining(WITHOUT, plain, samples, batch, examples, learned),
        LongTraining(WITH, fed, samples, batch, examples, learned, prepare),
    ]
    if decision == "discard" and run.scale.fewer is not None:
        some, _ = learned.split(1 - run.scale.fewer, run.options.seed + 1)
        left = round(examples * len(some) / len(learned))
        trainings.append(LongTraining(FEWER, plain, round(samples * left / examples), batch, left, some))
    results = {one.name: _train(run, one, held, number, len(trainings) + 1) for number, one in enumerate(trainings)}
    run.report("testing", len(trainings), len(trainings) + 1)
    tests = run.part("test")
    if tests is None:
        tests = _test(run, {training.name: training.task for training in trainings}, tested)
        run.keep_part("test", tests)
    networks = {name: result | {"test": tests["networks"][name]} for name, result in results.items()}
    return {"networks": networks, "gain": tests["gain"]}


# ---------------------------------------------------------------------------------------------------------
# Testing


def _test(run: Run, tasks: dict[str, LongTask], tested: HandSet) -> dict[str, Any]:
    device = best_device()
    answers: dict[str, Answers] = {}
    for name, task in tasks.items():
        answers[name] = task.answers(trained_network(run.folder / name), tested, device, run.scale.tested)
    return {
        "networks": {name: tested_network(answer, tasks[name].network.decision) for name, answer in answers.items()},
        "gain": gain(answers[WITHOUT], answers[WITH]),
    }


def tested_network(answers: Answers, decision: str) -> dict[str, Any]:
    """Return how a network does: accuracy, majority, confusion; of discards also among tiles of the hand."""
    classes = answers.logits.shape[1]
    result = dataclasses.asdict(classified(answers.first, answers.labels, classes))
    if decision == "discard":
        for unused in ("confusion", "precision", "recall", "f1"):
            del result[unused]
        result["in hand"] = dataclasses.asdict(rate(answers.in_hand))
        result["masked"] = dataclasses.asdict(rate(answers.first_held == answers.labels))
        return result
    called = classified((answers.first > 0).astype(np.int64), (answers.labels > 0).astype(np.int64), 2)
    return result | {"call": dataclasses.asdict(called)}


def gain(without: Answers, fed: Answers) -> dict[str, Any]:
    """Return what yaku bring on the same situations: the difference by hands, and McNemar's exact test.

    ``better`` and ``worse``: situations that the network with yaku alone, and that without alone, has right; ``p``: of
    a difference at least as large either way, where both would be as likely.
    """
    before, after = without.first == without.labels, fed.first == fed.labels
    better, worse = int((after & ~before).sum()), int((before & ~after).sum())
    test = sign_test(better, worse, 0)
    return {
        "difference": dataclasses.asdict(paired(after, before, fed.groups)),
        "better": better,
        "worse": worse,
        "p": min(1.0, 2 * test.p),
        "log10": min(0.0, test.log10 + math.log10(2)),
        "situations": len(before),
    }


# ---------------------------------------------------------------------------------------------------------
# Matches


def play_matches(run: Run) -> dict[str, Any]:
    """Play the agent with yaku and the one without against `efficient` and `random`, one of each at a table."""
    seated: list[Any] = []
    for name in (WITH, WITHOUT):
        folder = run.folder / _PLAYER / name
        folder.mkdir(parents=True, exist_ok=True)
        networks = {decision: f"../../../{run.folders[decision].name}/{name}" for decision in DECISIONS}
        save_folders(folder / PLAYER_FILE, networks)
        seated.append(load_player(folder, f"long {name} yaku"))
    agents = [*seated, EfficientAgent(), RandomAgent()]
    match = played(run, agents, "tenhou-hand", run.scale.walls, run.options.seed)
    illegal = {player.name: {"illegal": player.illegal, "discards": player.discards} for player in seated}
    return as_json(match) | {"illegal": illegal}


_RECORDS: Final = ("hands", "test_hands")
_TRAINING: Final = ("yaku", "cosine", "patience", "measurements", "measured", "tested")
_CALLS: Final = ("call_samples", "call_batch", *_TRAINING)

STAGES: Final = (
    Stage("records", "Records", read_records, _RECORDS),
    Stage("yaku", "Yaku", train_yaku, ("yaku_samples", "yaku_batch", *_TRAINING), ("records",)),
    Stage(
        "discard",
        "Discards",
        train_discard,
        ("discard", "discard_samples", "discard_batch", "fewer", *_TRAINING),
        ("records", "yaku"),
    ),
    Stage("pon", "Pon", train_pon, ("pon", *_CALLS), ("records", "yaku")),
    Stage("chii", "Chii", train_chii, ("chii", *_CALLS), ("records", "yaku")),
    Stage("matches", "Matches", play_matches, ("walls",), ("discard", "pon", "chii")),
)

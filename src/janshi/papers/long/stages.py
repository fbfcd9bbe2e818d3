"""The stages of the `long` paper, from records to tables."""

from __future__ import annotations

import dataclasses
import gc
import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
from torch import nn

from janshi.agents import Agent, RandomAgent
from janshi.arena import as_json, paired, sign_test
from janshi.learn.checkpoints import LAST, load_network
from janshi.learn.configs import CHUNK
from janshi.learn.inference import best_device
from janshi.learn.trainer import TrainConfig
from janshi.papers.long.agent import LongAgent
from janshi.papers.long.labels import CALLED, DECISIONS, labels, share_kept, winning_positions
from janshi.papers.long.networks import PREDICTED, LongConfig, YakuConfig, feed, parameters, widths_of
from janshi.papers.long.tasks import LongTask, YakuTask
from janshi.papers.measures import classified
from janshi.papers.records import hold_out
from janshi.papers.runner import Run, Stage
from janshi.papers.tasks import Answers
from janshi.papers.training import (
    Training,
    check_situations,
    load_sets,
    played,
    read_sets,
    shuffled,
    train,
    trained_network,
)
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import HandSet, decisions
from janshi.statistics import rate

#: Networks of one decision: without yaku, and with; two variants without.
WITHOUT: Final = "without"
WITH: Final = "with"
FEWER: Final = "fewer"
ONE_HOT: Final = "one-hot"
#: Weight decay and moving average of the weights of the variant of chii, which overfits without them.
_DECAY: Final = 0.3
_AVERAGE: Final = 0.99


# ---------------------------------------------------------------------------------------------------------
# Records


def read_records(run: Run) -> dict[str, Any]:
    """Read records, divide them, keep them in the stage's folder; return their description."""
    sets, known = read_sets(run, 4, hold_out)
    counts = {name: _counts(hands) for name, hands in sets.items()}
    check_situations(counts)
    kept = {}
    for decision, share in CALLED.items():
        count = counts["training"][decision]
        kept[decision] = share_kept(count["positive"], count["situations"] - count["positive"], share)
    return known | {"sizes": counts, "kept": kept}


def _counts(hands: HandSet) -> dict[str, dict[str, int]]:
    """Return the numbers of situations and calls of each decision, and of winners' positions."""
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
    """A network of a stage, the situations that it learns from, and their number in ``learned``."""

    name: str
    task: Any
    samples: int
    batch: int
    examples: int
    learned: HandSet
    prepare: Callable[[nn.Module], None] | None = None
    weight_decay: float = 0.0
    average: float = 0.0


def _train(run: Run, training: LongTraining, held: HandSet, number: int, total: int) -> dict[str, Any]:
    """Train a network unless an earlier run has; return its training's figures."""
    gc.collect()  # half a gigabyte of weights and their moments of the network before
    result: dict[str, Any] | None = run.part(training.name)
    if result is None:
        config = TrainConfig(
            task=training.task,
            epochs=training.samples / training.examples,
            batch=training.batch,
            learning_rate=1e-3,
            weight_decay=training.weight_decay,
            average=training.average,
            cosine=run.scale.cosine,
            chunk=shuffled(len(training.learned), training.examples, training.batch),
            patience=run.scale.patience,
        )
        trainer = train(run, Training(training.name, config, training.learned, held, training.prepare), number, total)
        result = {
            "samples": trainer.samples,
            "epochs": trainer.samples / training.examples,
            "batch": training.batch,
            "parameters": parameters(trainer.plain),
            "widths": list(widths_of(training.task.network)),
            "curve": trainer.curve,
            "seconds": trainer.seconds,
        }
        run.keep_part(training.name, result)
    # Not before: a run killed before its result is stored needs these weights to resume.
    (run.folder / training.name / LAST).unlink(missing_ok=True)
    return result


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


def train_decision(decision: str, run: Run) -> dict[str, Any]:
    """Train a decision's networks without and with yaku, and test them on the same situations. Source: section 5."""
    scale = run.scale
    widths = getattr(scale, decision)
    sort = "discard" if decision == "discard" else "call"
    samples, batch = getattr(scale, f"{sort}_samples"), getattr(scale, f"{sort}_batch")
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
    if decision == "chii":
        kinds = LongTask(LongConfig(decision, widths, one_hot=True), kept)
        trainings.append(LongTraining(ONE_HOT, kinds, samples, batch, examples, learned, None, _DECAY, _AVERAGE))
    results = {one.name: _train(run, one, held, number, len(trainings) + 1) for number, one in enumerate(trainings)}
    run.report("testing", len(trainings), len(trainings) + 1)
    tests = run.part("test")
    if tests is None:
        answers = {
            one.name: one.task.answers(trained_network(run.folder / one.name), tested, best_device(), scale.tested)
            for one in trainings
        }
        tests = {
            "networks": {name: tested_network(answer, decision) for name, answer in answers.items()},
            "gain": gain(answers[WITHOUT], answers[WITH]),
        }
        run.keep_part("test", tests)
    networks = {name: result | {"test": tests["networks"][name]} for name, result in results.items()}
    return {"networks": networks, "gain": tests["gain"]}


def tested_network(answers: Answers, decision: str) -> dict[str, Any]:
    """Return a network's measures: accuracy, majority, confusion; of discards also among tiles of the hand."""
    classes = answers.logits.shape[1]
    result = dataclasses.asdict(classified(answers.first, answers.labels, classes))
    if decision == "discard":
        for unused in ("confusion", "precision", "recall", "f1"):
            del result[unused]
        result["in hand"] = dataclasses.asdict(rate(answers.first_is_possible))
        result["masked"] = dataclasses.asdict(rate(answers.first_possible == answers.labels))
        return result
    return result


def gain(without: Answers, fed: Answers) -> dict[str, Any]:
    """Return the gain from yaku on the same situations: the difference by hands, and McNemar's exact test.

    ``better`` and ``worse``: situations that the network with yaku alone, and that without alone, has right; ``p``: of
    a difference at least as large either way, where both would be as likely.
    """
    before, after = without.first == without.labels, fed.first == fed.labels
    better, worse = int((after & ~before).sum()), int((before & ~after).sum())
    test = sign_test(better, worse, 0)
    return {
        "difference": dataclasses.asdict(paired(after, before, fed.marks)),
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
    seated: list[LongAgent] = []
    for name in (WITH, WITHOUT):
        folder = run.folder / "player" / name
        LongAgent.save(folder, {one: f"../../../{run.folders[one].name}/{name}" for one in DECISIONS})
        seated.append(LongAgent.load(folder, f"long {name} yaku"))
    agents: list[Agent] = [*seated, EfficientAgent(), RandomAgent()]
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
        partial(train_decision, "discard"),
        ("discard", "discard_samples", "discard_batch", "fewer", *_TRAINING),
        ("records", "yaku"),
    ),
    Stage("pon", "Pon", partial(train_decision, "pon"), ("pon", *_CALLS), ("records", "yaku")),
    Stage("chii", "Chii", partial(train_decision, "chii"), ("chii", *_CALLS), ("records", "yaku")),
    Stage("matches", "Matches", play_matches, ("walls",), ("discard", "pon", "chii")),
)

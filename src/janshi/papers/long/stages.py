"""The stages of the `long` paper, from records to tables."""

from __future__ import annotations

import dataclasses
import gc
import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from janshi.agents import Agent, RandomAgent
from janshi.arena import as_json, paired, sign_test
from janshi.installing import naming_extra
from janshi.learn.checkpoints import load_network
from janshi.learn.configs import CHUNK
from janshi.learn.inference import best_device
from janshi.learn.players import load_player, save_player
from janshi.learn.trainer import TrainConfig
from janshi.papers.long.agent import LongAgent
from janshi.papers.long.labels import CALLED, DECISIONS, labels, share_kept, winning_positions
from janshi.papers.long.networks import PREDICTED, LongConfig, LongNetwork, YakuConfig, feed, parameters, widths_of
from janshi.papers.long.tasks import LongTask, YakuTask
from janshi.papers.measures import classified
from janshi.papers.records import hold_out
from janshi.papers.runner import Run, Stage
from janshi.papers.tasks import NetworkAnswers
from janshi.papers.training import (
    Training,
    check_situations,
    load_sets,
    played,
    read_sets,
    shuffled,
    train,
    train_each,
    trained_network,
)
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import HandSet, decisions
from janshi.statistics import rate

with naming_extra(__name__):
    from torch import nn

#: Networks of one decision: without yaku, and with; two variants without.
WITHOUT: Final = "without"
WITH: Final = "with"
FEWER: Final = "fewer"
ONE_HOT: Final = "one-hot"
#: The predictors of yaku.
FORTY: Final = "forty"


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

    task: Any
    samples: int
    batch: int
    examples: int
    learned: HandSet
    prepare: Callable[[nn.Module], None] | None = None
    weight_decay: float = 0.0


#: Returns the training of a stage's network by its name: takes the run, the name and the hands to learn from.
TrainingOf = Callable[[Run, str, HandSet], LongTraining]


def _train(training_of: TrainingOf, total: int, run: Run, number: int, name: str) -> dict[str, Any]:
    """Train one of the ``total`` networks of a stage; return the figures of its training."""
    gc.collect()  # half a gigabyte of weights and their moments of the network before
    learned, held, _ = load_sets(run)
    training = training_of(run, name, learned)
    config = TrainConfig(
        task=training.task,
        epochs=training.samples / training.examples,
        batch=training.batch,
        learning_rate=1e-3,
        weight_decay=training.weight_decay,
        average=run.scale.average,
        augment=run.scale.augment,
        cosine=run.scale.cosine,
        chunk=shuffled(len(training.learned), training.examples, training.batch),
        patience=run.scale.patience,
    )
    trainer = train(run, Training(name, config, training.learned, held, training.prepare), number, total)
    return {
        "samples": trainer.samples,
        "epochs": trainer.samples / training.examples,
        "batch": training.batch,
        "parameters": parameters(trainer.plain),
        "widths": list(widths_of(training.task.network)),
        "curve": trainer.curve,
        "seconds": trainer.seconds,
    }


def _yaku_training(run: Run, name: str, learned: HandSet) -> LongTraining:
    examples = run.results["records"]["sizes"]["training"]["yaku"]["situations"]
    task = YakuTask(YakuConfig(widths=run.scale.yaku))
    return LongTraining(task, run.scale.yaku_samples, run.scale.yaku_batch, examples, learned)


def train_yaku(run: Run) -> dict[str, Any]:
    """Train the forty predictors of yaku, and test them. Source: section 4.2.3, table 10."""
    trained = train_each(run, partial(_train, _yaku_training, 1), (FORTY,))
    run.report("measuring", 1, 1)
    learned, _, tested = load_sets(run)
    task = _yaku_training(run, FORTY, learned).task
    logits, scored = task.answers(trained_network(run.folder / FORTY), tested, best_device(), run.scale.tested)
    table = {}
    for column, number in enumerate(PREDICTED):
        result = classified((logits[:, column] > 0).astype(np.int64), scored[:, column].astype(np.int64), 2)
        table[str(number)] = dataclasses.asdict(result) | {"positive": int(scored[:, column].sum())}
    return {"network": trained[FORTY], "table": table, "positions": len(scored)}


def _decision_training(decision: str, run: Run, name: str, learned: HandSet) -> LongTraining:
    scale, records = run.scale, run.results["records"]
    widths = getattr(scale, decision)
    sort = "discard" if decision == "discard" else "call"
    samples, batch = getattr(scale, f"{sort}_samples"), getattr(scale, f"{sort}_batch")
    kept = records["kept"].get(decision, 1.0)
    size = records["sizes"]["training"][decision]
    examples = round(size["positive"] + kept * (size["situations"] - size["positive"]))
    decay = scale.chii_decay if decision == "chii" else 0.0
    task = LongTask(LongConfig(decision, widths), kept)
    plain = LongTraining(task, samples, batch, examples, learned, weight_decay=decay)
    if name == WITH:
        task = LongTask(LongConfig(decision, widths, scale.yaku), kept)
        return dataclasses.replace(plain, task=task, prepare=partial(_feed, run.folders["yaku"] / FORTY))
    if name == FEWER:
        some, _ = learned.split(1 - scale.fewer, run.options.seed + 1)
        left = round(examples * len(some) / len(learned))
        return dataclasses.replace(plain, samples=round(samples * left / examples), examples=left, learned=some)
    if name == ONE_HOT:
        return dataclasses.replace(plain, task=LongTask(LongConfig(decision, widths, one_hot=True), kept))
    return plain


def _feed(forty: Path, network: nn.Module) -> None:
    """Feed a network by the trained predictors."""
    feed(cast("LongNetwork", network), load_network(forty)[0])


def networks_of(decision: str, scale: Any) -> tuple[str, ...]:
    """Return the names of a decision's networks at a scale: without and with yaku, and a variant."""
    if decision == "discard" and scale.fewer is not None:
        return (WITHOUT, WITH, FEWER)
    return (WITHOUT, WITH, ONE_HOT) if decision == "chii" else (WITHOUT, WITH)


def train_decision(decision: str, run: Run, names: Sequence[str] = ()) -> dict[str, Any]:
    """Train a decision's networks, and test them on the same situations; ``names``: by default all. Source: section 5.

    The gain from yaku is None if one of its two networks is left out.
    """
    names = names or networks_of(decision, run.scale)
    training_of = partial(_decision_training, decision)
    results = train_each(run, partial(_train, training_of, len(names) + 1), names)
    run.report("testing", len(names), len(names) + 1)
    tests = run.once("test", partial(_test, training_of, run, names, decision))
    networks = {name: result | {"test": tests["networks"][name]} for name, result in results.items()}
    return {"networks": networks, "gain": tests["gain"]}


def _test(training_of: TrainingOf, run: Run, names: Sequence[str], decision: str) -> dict[str, Any]:
    """Return the measures of a decision's networks on the test set, and the gain from yaku."""
    learned, _, tested = load_sets(run)
    answers: dict[str, NetworkAnswers] = {
        name: training_of(run, name, learned).task.answers(
            trained_network(run.folder / name), tested, best_device(), run.scale.tested
        )
        for name in names
    }
    return {
        "networks": {name: tested_network(answer, decision) for name, answer in answers.items()},
        "gain": gain(answers[WITHOUT], answers[WITH]) if {WITHOUT, WITH} <= set(names) else None,
    }


def tested_network(answers: NetworkAnswers, decision: str) -> dict[str, Any]:
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


def gain(without: NetworkAnswers, fed: NetworkAnswers) -> dict[str, Any]:
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
        save_player(folder, "long", {one: f"../../../{run.folders[one].name}/{name}" for one in DECISIONS})
        seated.append(cast("LongAgent", load_player(folder, f"long {name} yaku")))
    agents: list[Agent] = [*seated, EfficientAgent(), RandomAgent()]
    match = played(run, agents, "tenhou-hand", run.scale.walls, run.options.seed)
    illegal = {player.name: {"illegal": player.illegal, "discards": player.discards} for player in seated}
    return as_json(match) | {"illegal": illegal}


STAGES: Final = (
    Stage("records", "Records", read_records),
    Stage("yaku", "Yaku", train_yaku),
    Stage("discard", "Discards", partial(train_decision, "discard")),
    Stage("pon", "Pon", partial(train_decision, "pon")),
    Stage("chii", "Chii", partial(train_decision, "chii")),
    Stage("matches", "Matches", play_matches),
)

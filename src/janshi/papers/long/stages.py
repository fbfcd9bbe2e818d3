"""The `long` paper from records to tables, stage by stage: what each does and what it keeps."""

from __future__ import annotations

import dataclasses
import gc
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from torch import nn

from janshi.agents import EfficientAgent, RandomAgent
from janshi.arena import as_json, paired, play_match, sign_test
from janshi.arena.results import rate
from janshi.learn.checkpoints import LAST, load_network
from janshi.learn.configs import CHUNK
from janshi.learn.dataset import HandSet, decisions, load_hands
from janshi.learn.inference import best_device
from janshi.learn.trainer import Progress, TrainConfig, Trainer
from janshi.papers.long.agent import load_player, save_player
from janshi.papers.long.labels import CALLED, labels, share_kept, winning_positions
from janshi.papers.long.networks import DECISIONS, PREDICTED, LongConfig, YakuConfig, feed, parameters, widths_of
from janshi.papers.long.report import summary, write_report
from janshi.papers.long.scales import SCALES
from janshi.papers.long.tasks import Answers, LongTask, YakuTask
from janshi.papers.measures import classified
from janshi.papers.records import HELD, check_games, described, first_games, hold_out, read_divided, save_divided
from janshi.papers.runner import Paper, ReproduceError, Run, Stage
from janshi.riichi.rules import preset

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
    scale, seed = run.scale, run.options.seed
    learned, tested, rule, skipped = read_divided(run, 4, hold_out)
    learned, tested = first_games(learned, scale.hands, seed), first_games(tested, scale.test_hands, seed)
    check_games(learned, tested, "four-player")
    run.report("counting")
    stored = save_divided(run, learned, tested)
    training, held = learned.split(HELD, seed)
    sets = {"training": training, "development": held, "test": tested}
    counts = {name: _counts(hands) for name, hands in sets.items()}
    for name, counted in counts.items():
        missing = [decision for decision, count in counted.items() if not count["situations"]]
        if missing:
            raise ReproduceError(f"too few records: no {missing[0]} could be decided in the {name} set's games")
    kept = {}
    for decision, share in CALLED.items():
        count = counts["training"][decision]
        kept[decision] = share_kept(count["positive"], count["situations"] - count["positive"], share)
    return {
        "rule": rule,
        "skipped": skipped,
        "bytes": stored,
        "sets": {name: described(hands) for name, hands in sets.items()},
        "sizes": counts,
        "kept": kept,
    }


def _parts(hands: HandSet) -> Iterator[np.ndarray[Any, np.dtype[np.int64]]]:
    for first in range(0, len(hands), 8 * CHUNK):
        yield np.arange(first, min(first + 8 * CHUNK, len(hands)))


def _counts(hands: HandSet) -> dict[str, dict[str, int]]:
    """How many situations of each decision there are, and how many calls; how many positions of winners."""
    counts = {name: {"situations": 0, "positive": 0} for name in (*DECISIONS, "yaku")}
    for which in _parts(hands):
        batch = decisions(hands, which)
        for decision in DECISIONS:
            label = labels(batch, decision)
            counts[decision]["situations"] += int((label >= 0).sum())
            counts[decision]["positive"] += int((label > 0).sum()) if decision != "discard" else 0
        counts["yaku"]["situations"] += int(winning_positions(batch).sum())
    return counts


def _sets(run: Run) -> tuple[HandSet, HandSet, HandSet]:
    """The hands to learn from, those that are looked at meanwhile, and those to test on."""
    folder = run.folders["records"]
    learned, held = load_hands(folder / "training").split(HELD, run.options.seed)
    return learned, held, load_hands(folder / "test")


# ---------------------------------------------------------------------------------------------------------
# Training


@dataclasses.dataclass(frozen=True, slots=True)
class Training:
    """What a network is trained on, and how long."""

    name: str
    """Of the folder below the stage's."""
    task: Any
    samples: int
    batch: int
    examples: int
    """Situations there are in `learned`."""
    learned: HandSet
    development: HandSet
    prepare: Callable[[nn.Module], None] | None = None


def _train(run: Run, training: Training, done: float, total: float) -> dict[str, Any]:
    """Train a network unless an earlier run has; return how it went."""
    folder = run.folder / training.name
    result: dict[str, Any] | None = run.part(training.name)
    if result is None:
        result = _trained(run, training, folder, done, total)
        run.keep_part(training.name, result)
    # Only now: killed before its result is kept, the training is asked for its last weights again.
    (folder / LAST).unlink(missing_ok=True)
    gc.collect()  # half a gigabyte of weights and their moments, before the next one's
    return result


def _trained(run: Run, training: Training, folder: Path, done: float, total: float) -> dict[str, Any]:
    """Train a network; return how it went."""
    scale = run.scale
    epochs = training.samples / training.examples
    chunk = math.ceil(_BATCHES * training.batch * len(training.learned) / training.examples)
    chunk = max(1, min(chunk, math.ceil(epochs * len(training.learned) / scale.measurements)))
    config = TrainConfig(
        task=training.task,
        epochs=epochs,
        batch=training.batch,
        learning_rate=1e-3,
        weight_decay=0.0,
        cosine=scale.cosine,
        seed=run.options.seed,
        chunk=chunk,
        measure_every=epochs / scale.measurements,
        measure_most=scale.measured,
        patience=scale.patience,
    )
    trainer = Trainer(config, training.learned, folder, development=training.development, prepare=training.prepare)

    def progress(state: Progress) -> None:
        text = f"{training.name}: {state.samples:,} situations, loss {state.loss:.3f}, {100 * state.accuracy:.1f} %"
        run.report(text, done + state.hands / state.total, total)

    run.report(f"{training.name}: beginning", done, total)
    trainer.train(progress)
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
    learned, held, tested = _sets(run)
    sizes = run.results["records"]["sizes"]["training"]
    task = YakuTask(YakuConfig(widths=scale.yaku))
    examples = sizes["yaku"]["situations"]
    training = Training("forty", task, scale.yaku_samples, scale.yaku_batch, examples, learned, held)
    trained = _train(run, training, 0, 1)
    run.report("measuring", 1, 1)
    network, _ = load_network(run.folder / "forty")
    logits, scored = task.answers(network.to(best_device()), tested, best_device(), scale.tested)
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
    learned, held, tested = _sets(run)
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
        Training(WITHOUT, plain, samples, batch, examples, learned, held),
        Training(WITH, fed, samples, batch, examples, learned, held, prepare),
    ]
    if decision == "discard" and run.scale.fewer is not None:
        some, _ = learned.split(1 - run.scale.fewer, run.options.seed + 1)
        left = round(examples * len(some) / len(learned))
        trainings.append(Training(FEWER, plain, round(samples * left / examples), batch, left, some, held))
    results = {each.name: _train(run, each, number, len(trainings) + 1) for number, each in enumerate(trainings)}
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
        network, _ = load_network(run.folder / name)
        answers[name] = task.answers(network.to(device), tested, device, run.scale.tested)
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
        save_player({decision: f"../../../{run.folders[decision].name}/{name}" for decision in DECISIONS}, folder)
        player: Any = load_player(folder)
        player.name = f"long {name} yaku"
        seated.append(player)
    agents = [*seated, EfficientAgent(), RandomAgent()]
    walls = run.scale.walls
    total = 4 * walls
    match = play_match(
        agents,
        preset("tenhou-hand"),
        walls,
        run.options.seed,
        progress=lambda over: run.report(f"{over:,} of {total:,} hands", over, total),
    )
    if match.interrupted:
        raise KeyboardInterrupt
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

#: The paper, as ``janshi reproduce long`` does it.
PAPER: Final = Paper("long", "Long", STAGES, SCALES, write_report, lambda report: summary(report["stages"]))

"""The stages of the `meowjong` papers, from records to tables."""

from __future__ import annotations

import dataclasses
import gc
import math
import shutil
import time
from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from janshi.agents import Agent, RandomAgent, agent
from janshi.arena.figures import svg
from janshi.files import save_text
from janshi.learn.checkpoints import BEST, LAST
from janshi.learn.inference import answers
from janshi.learn.players import load_player, save_player
from janshi.learn.trainer import TrainConfig, Trainer
from janshi.papers.meowjong import records
from janshi.papers.meowjong.agent import MeowjongAgent
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import KERNELS, MeowjongConfig
from janshi.papers.meowjong.reinforce import Reinforce, ReinforceConfig
from janshi.papers.meowjong.search import (
    SIZES,
    SearchConfig,
    SearchResult,
    best_kernels,
    search_figures,
    tied_kernels,
    try_kernel,
)
from janshi.papers.meowjong.tasks import OneDecision, paper_config
from janshi.papers.parallel import Part, each
from janshi.papers.records import HELD
from janshi.papers.runner import Run, Stage
from janshi.papers.single_hands import as_in_papers, score_figures
from janshi.papers.training import Training, compared, load_sets, train, train_each, trained_network
from janshi.riichi.dataset import HandSet, decisions, load_hands

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Situations that are encoded and shuffled together in a long training of a papers' network.
_TOGETHER: Final = 1024
#: Fewest hands of a search: from enough games for both sides.
_SEARCHED: Final = 24
#: Answers of which the time of one prediction is the median.
_TIMED: Final = 9
_PLAYER: Final = "player"


def draw(run: Run, figures: dict[str, Figure]) -> None:
    """Keep figures as SVG for the report."""
    for name, figure in figures.items():
        save_text(svg(figure), run.folder / f"{name}.svg")


# ---------------------------------------------------------------------------------------------------------
# Supervised learning


def search_kernels(run: Run) -> dict[str, Any]:
    """Compare the sixteen kernel sizes of each decision. Source: dissertation, section 3.3.2."""
    scale = run.scale
    found = each(run, _search, scale.search_decisions)
    results = [SearchResult.of(row) for rows in found.values() for row in rows]
    draw(run, search_figures(results))
    return {
        "kernels": [dataclasses.asdict(result) for result in results],
        "best": {decision: list(kernel) for decision, kernel in best_kernels(results).items()},
        "tied": {
            decision: kernels if decision in scale.tied_decisions else kernels[:1]
            for decision, kernels in tied_kernels(results).items()
        },
    }


def _search(run: Run, number: int, decision: str) -> list[dict[str, Any]]:
    """Compare the kernels of a decision."""
    scale = run.scale
    config = SearchConfig(
        epochs=scale.search_epochs,
        width=scale.search_width,
        measure_most=scale.search_measured,
        seed=run.options.seed,
        batch=scale.batch,
        precision=scale.precision,
    )
    sets = _searched(run, decision).split(HELD, run.options.seed)
    kernels = scale.search_sizes or SIZES
    results = []
    for done, kernel in enumerate(kernels):
        name = "{}-{}x{}".format(decision, *kernel)
        run.report(name, number + done / len(kernels), len(scale.search_decisions))
        results.append(run.once(name, partial(try_kernel, config, decision, kernel, sets, run.folder / name)))
    return results


def _searched(run: Run, decision: str) -> HandSet:
    """Return hands of the training set that hold the situations of a search, those held out included."""
    hands, samples = load_hands(run.folders["records"] / "training"), run.scale.search_samples
    if samples is None:
        return hands
    examples: int = run.results["records"]["sizes"][decision]["training"]["examples"]
    many = max(_SEARCHED, math.ceil(samples / (1 - HELD) * len(hands) / examples))
    return hands.part(np.sort(np.random.default_rng([run.options.seed, 4]).permutation(len(hands))[:many]))


def train_papers(run: Run) -> dict[str, Any]:
    """Train and test the papers' five networks."""
    return _five(run, _train)


def train_scaled(run: Run) -> dict[str, Any]:
    """Train and test them on standardised input, with the kernels of those on ones and zeros."""
    return _five(run, _train_scaled)


def _five(run: Run, part: Part) -> dict[str, Any]:
    networks = train_each(run, part, DECISIONS)
    save_player(run.folder, "meowjong", {name: name for name in DECISIONS})
    return {"networks": networks}


#: Hands to learn from, to measure on during the training, and to test on.
_Sets = tuple[HandSet, HandSet, HandSet]


def _train_scaled(run: Run, number: int, decision: str) -> dict[str, Any]:
    means = run.results["records"]["means"][decision]
    return _train_and_test(run, decision, number, load_sets(run), standard=(means["mean"], means["deviation"]))


def _train(run: Run, number: int, decision: str) -> dict[str, Any]:
    """Train the kernel that the search found; of tied ones all, of which the development set chooses the one to keep.

    A decision that was not searched has the papers' kernel. Source: dissertation, section 3.3.2.
    """
    sets = load_sets(run)
    tied = run.results["search"]["tied"].get(decision, [KERNELS[decision]])
    if len(tied) == 1:
        return _train_and_test(run, decision, number, sets, tied[0])
    trained: dict[str, dict[str, Any]] = {}
    for kernel in tied:
        name = "{}-{}x{}".format(decision, *kernel)
        work = partial(_train_and_test, run, decision, number, sets, kernel, name)
        trained[name] = run.once(name, work)
    best = max(trained, key=lambda name: (trained[name]["development"] or 0.0, name))
    if not (run.folder / decision).exists():
        (run.folder / best).rename(run.folder / decision)
    for name in trained:
        shutil.rmtree(run.folder / name, ignore_errors=True)
    others = [{what: other[what] for what in ("kernel", "development")} for other in trained.values()]
    return trained[best] | {"tied": others}


def _train_and_test(
    run: Run,
    decision: str,
    number: int,
    sets: _Sets,
    kernel: Sequence[int] | None = None,
    name: str = "",
    *,
    standard: tuple[float, float] | None = None,
    held: float = 0.0,
) -> dict[str, Any]:
    """Train one network of the papers and test it.

    ``kernel``: by default that of the network already trained for the decision; ``held``: share of the examples held
    out, of whatever hand.
    """
    scale, seed = run.scale, run.options.seed
    rows, columns = kernel or run.results["five"]["networks"][decision]["kernel"]
    network = MeowjongConfig(
        decision,
        kernel=(rows, columns),
        filters=scale.filters,
        dense=scale.dense,
        dropout=scale.dropout,
        scale=standard,
    )
    learned, development, tested = sets
    config = _training_of(run, OneDecision(network, held), len(learned))
    looked_at = records.enough(development, decision, math.ceil(scale.measured / (held or 1)), seed)
    trainer = train(run, Training(name or decision, config, learned, looked_at), number, len(DECISIONS))
    run.report(f"{name or decision}: measuring", number + 1, len(DECISIONS))
    test = records.enough(tested, decision, scale.tested, seed)
    measured = OneDecision(network).measure(trained_network(trainer.folder), test, trainer.device)
    reached = [point["development"][decision] for point in trainer.curve if point.get("development")]
    result = {
        "samples": trainer.samples,
        "batch": config.batch,
        "epochs": config.epochs,
        "kernel": [rows, columns],
        "parameters": sum(weights.numel() for weights in trainer.plain.parameters()),
        "development": max(reached, default=None),
        "test": dataclasses.asdict(measured[decision]),
        "curve": trainer.curve,
        "seconds": trainer.seconds,
        "prediction": _prediction(trainer, test),
    }
    del trainer
    gc.collect()  # a gigabyte of weights and their moments, before the next one's
    return result


def _training_of(run: Run, task: OneDecision, hands: int) -> TrainConfig:
    """Return the training of a network of the papers at a scale, from ``hands`` hands."""
    scale, decision = run.scale, task.network.decision
    examples = run.results["records"]["sizes"][decision]["training"]["examples"]
    config = paper_config(decision, task=task)
    epochs = config.epochs if scale.samples is None else scale.samples[DECISIONS.index(decision)] / examples
    epochs *= 1.0 if task.network.scale is None else scale.scaled_share
    return dataclasses.replace(
        config,
        cosine=scale.cosine,
        average=scale.average,
        renormalise=scale.renormalise,
        augment=scale.augment and epochs > 1,
        batch=scale.batch or config.batch,
        learning_rate=scale.learning_rate,
        precision=scale.precision,
        epochs=epochs,
        # Some decisions come once in two hands.
        chunk=max(16, math.ceil(_TOGETHER * hands / examples)),
    )


def _prediction(trainer: Trainer, hands: HandSet) -> dict[str, Any]:
    """Return the median time of one answer to one situation (section 4.2.1)."""
    packed = decisions(hands.part(np.arange(1)), encoder=trainer.encoder).packed
    assert packed is not None, "they are encoded"
    network, times = trainer.plain.eval(), []
    for _ in range(_TIMED):
        start = time.perf_counter()
        answers(network, packed[:1], trainer.device)
        times.append(time.perf_counter() - start)
    return {"seconds": float(np.median(times)), "times": _TIMED}


def split_by_example(run: Run) -> dict[str, Any]:
    """Train networks with examples held out instead of games, as the papers divide, to compare the accuracies.

    Source: dissertation, section 3.2.3.
    """
    by_example = each(run, _train_split, run.scale.example_splits)
    by_game = run.results["five"]["networks"]
    shown = ("development", "test", "samples")
    return {
        "decisions": {
            decision: {
                how: {name: trained[decision][name] for name in shown}
                for how, trained in (("by example", by_example), ("by game", by_game))
            }
            for decision in by_example
        }
    }


def _train_split(run: Run, number: int, decision: str) -> dict[str, Any]:
    learned, _, tested = load_sets(run)
    # The examples held out are of the same hands.
    result = _train_and_test(run, decision, number, (learned, learned, tested), held=HELD)
    shutil.rmtree(run.folder / decision)
    return result


# ---------------------------------------------------------------------------------------------------------
# REINFORCE


def reinforce_papers(run: Run) -> dict[str, Any]:
    """Improve the papers' network of discards by their setting. Source: dissertation, sections 3.4 and 4.3.2."""
    scale = run.scale
    return _reinforce(run, _PLAYER, episodes=scale.paper_episodes, evaluate_every=scale.evaluate_every)


def search_reinforce(run: Run) -> dict[str, Any]:
    """Try discounts and learning rates in the papers' setting: both were chosen by hand there (section 5.3)."""
    scale, runs = run.scale, []
    for discount, rate in product(scale.discounts, scale.learning_rates):
        name = f"{discount:g}-{rate:g}"
        result = run.once(name, partial(_try_setting, run, name, discount, rate))
        shutil.rmtree(run.folder / name, ignore_errors=True)
        runs.append({"discount": discount, "learning rate": rate, "curve": result["curve"]})
    return {"runs": runs}


def _try_setting(run: Run, name: str, discount: float, rate: float) -> dict[str, Any]:
    episodes = run.scale.search_episodes
    return _reinforce(run, name, episodes=episodes, evaluate_every=episodes, discount=discount, learning_rate=rate)


def _reinforce(run: Run, name: str, **changes: Any) -> dict[str, Any]:
    """Train from the papers' five networks, in the folder ``name`` below the stage's own."""
    config = ReinforceConfig(evaluate_hands=run.scale.evaluate_hands, seed=run.options.seed, **changes)
    learner = Reinforce(config, run.folders["five"], run.folder / name)

    def progress(state: Reinforce) -> None:
        last = state.curve[-1]
        wins = 100 * sum(last["win"]) / len(last["win"])
        run.report(f"first in {wins:.1f} % against Random (episode {last['episode']})", state.done, config.episodes)

    run.report("evaluating the beginning", learner.done, config.episodes)
    learner.train(progress)
    return {"config": dataclasses.asdict(config), "curve": learner.curve}


# ---------------------------------------------------------------------------------------------------------
# Matches


#: Players of the matches that the stages made: the stage of each, and its folder there.
_PLAYERS: Final = {
    "SL": ("five", "."),
    "SL-scaled": ("scaled", "."),
    "RL": ("papers-rl", _PLAYER),
}
#: Parts of the matches: two players, and the one in the seats that they leave.
_MATCHES: Final = {
    "papers": ("RL", "SL", "Random"),
    "scaled": ("SL-scaled", "SL", "Random"),
    "shipped": ("sl", "efficient", "Random"),
}


def play_matches(run: Run) -> dict[str, Any]:
    """Play tables VIII and X with their tests: the papers' networks, and beside them two players that ship."""
    return each(run, _match, tuple(_MATCHES))


def _match(run: Run, number: int, name: str) -> dict[str, Any]:
    first, second, others = _MATCHES[name]
    players = _player(run, first), _player(run, second), _player(run, others)
    # The papers' networks are many times slower.
    walls = run.scale.paper_walls if name in ("papers", "scaled") else run.scale.walls
    start = time.perf_counter()
    of = number, len(_MATCHES)
    comparison = compared(run, players, "tenhou-sanma-hand", walls, of, each_other=name != "scaled")
    seconds = time.perf_counter() - start
    draw(run, {f"{name}-{what}": figure for what, figure in score_figures(comparison).items()})
    # A block of equal players is played in one rotation of the seats.
    hands = sum(walls * (1 if block.player == block.against else 3) for block in comparison.blocks)
    counted = {name: as_in_papers(comparison).as_json()[name] for name in ("blocks", "tests", "signs")}
    illegal = {
        player.name: {"illegal": player.illegal, "discards": player.discards}
        for player in players
        if isinstance(player, MeowjongAgent)
    }
    more = {"as in the papers": counted, "illegal": illegal, "hands": hands, "seconds": seconds}
    return comparison.as_json() | more


def _player(run: Run, name: str) -> Agent:
    if name not in _PLAYERS:
        return RandomAgent(name) if name == "Random" else agent(name)
    stage, place = _PLAYERS[name]
    return load_player(run.folders[stage] / place, name)


_WEIGHTS: Final = tuple(f"{name}/{BEST}" for name in DECISIONS)

STAGES: Final = (
    Stage("records", "Records", records.read_records),
    Stage("search", "Kernel sizes", search_kernels),
    Stage("five", "The papers' networks", train_papers, _WEIGHTS, "matches"),
    Stage("scaled", "The same, standardised", train_scaled, _WEIGHTS, "matches"),
    Stage("splits", "Examples held out", split_by_example),
    Stage(
        "papers-rl",
        "REINFORCE as in the papers",
        reinforce_papers,
        (f"{_PLAYER}/{BEST}", f"{_PLAYER}/{LAST}"),
        "matches",
    ),
    Stage("rl-search", "Discount and learning rate", search_reinforce),
    Stage("matches", "Matches", play_matches),
)

"""The `meowjong` papers from records to tables, stage by stage: what each does and what it keeps."""

from __future__ import annotations

import dataclasses
import gc
import math
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from janshi.agents import Agent, RandomAgent
from janshi.arena.compare import as_in_papers, score_figures
from janshi.arena.figures import svg
from janshi.files import save_text
from janshi.learn.checkpoints import BEST, LAST, load_network
from janshi.learn.export import export_onnx
from janshi.learn.inference import answers
from janshi.learn.trainer import TrainConfig, Trainer, TrainingProgress
from janshi.papers.meowjong import records
from janshi.papers.meowjong.agent import MeowjongAgent
from janshi.papers.meowjong.configs import MeowjongConfig, PaperReinforceConfig, PaperSteadyConfig, ResidualConfig
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import KERNELS
from janshi.papers.meowjong.onnx_player import load_onnx
from janshi.papers.meowjong.player import load_player, save_five
from janshi.papers.meowjong.reinforce import reinforce
from janshi.papers.meowjong.search import (
    SIZES,
    SearchConfig,
    SearchResult,
    best_kernels,
    kernel_search,
    search_figures,
    tied_kernels,
)
from janshi.papers.meowjong.tasks import FiveDecisions, OneDecision, paper_config
from janshi.papers.parallel import each
from janshi.papers.records import HELD
from janshi.papers.runner import Run, Stage
from janshi.papers.training import Training, compared, load_sets, train, train_each, trained_network
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import HandSet, decisions, load_hands

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Situations that are encoded and shuffled together in a long training of a papers' network.
_TOGETHER: Final = 1024
#: Hands to search with at least: from so many games that both sides have some.
_SEARCHED: Final = 24
#: Answers of which the time of one prediction is the median.
_TIMED: Final = 9
_PLAYER: Final = "player"
_ONNX: Final = "player.onnx"


def draw(run: Run, figures: dict[str, Figure]) -> None:
    """Keep figures as SVG to stand in the report."""
    for name, figure in figures.items():
        save_text(svg(figure), run.folder / f"{name}.svg")


# ---------------------------------------------------------------------------------------------------------
# Supervised learning


def search_kernels(run: Run) -> dict[str, Any]:
    """Compare the sixteen kernel sizes of each decision. Source: dissertation, section 3.3.2."""
    scale = run.scale
    each(run, _search_one, scale.search_decisions)
    results = [result for decision in scale.search_decisions for result in _search(run, decision)]
    draw(run, search_figures(results))
    return {
        "kernels": [dataclasses.asdict(result) for result in results],
        "best": {decision: list(kernel) for decision, kernel in best_kernels(results).items()},
        "tied": {
            decision: kernels if decision in scale.tied_decisions else kernels[:1]
            for decision, kernels in tied_kernels(results).items()
        },
    }


def _search_one(run: Run, number: int, decision: str) -> None:
    """Compare the kernels of a decision; what is found stays in the decision's folder."""

    def progress(result: SearchResult, done: int, total: int) -> None:
        text = f"{result.decision} {result.rows} × {result.columns}: {100 * result.accuracy.value:.1f} %"
        run.report(text, number + done / total, len(run.scale.search_decisions))

    _search(run, decision, progress)


def _search(
    run: Run, decision: str, progress: Callable[[SearchResult, int, int], None] | None = None
) -> list[SearchResult]:
    """Search the kernels of a decision, or read what was found."""
    scale = run.scale
    config = SearchConfig(
        decisions=(decision,),
        epochs=scale.search_epochs,
        width=scale.search_width,
        hands=_searched(run, decision),
        measure_most=scale.search_measured,
        seed=run.options.seed,
        sizes=scale.search_sizes or SIZES,
        batch=scale.batch,
        precision=scale.precision,
    )
    return kernel_search(config, load_hands(run.folders["records"] / "training"), run.folder / decision, progress)


def _searched(run: Run, decision: str) -> int | None:
    """How many hands it takes for the situations of a search, those held out included."""
    samples = run.scale.search_samples
    if samples is None:
        return None
    sets = run.results["records"]
    examples: int = sets["sizes"][decision]["training"]["examples"]
    needed: float = samples / (1 - HELD) * sets["sets"]["training"]["hands"] / examples
    return max(_SEARCHED, math.ceil(needed))


def train_papers(run: Run) -> dict[str, Any]:
    """Train and test the papers' five networks."""
    return _five(run, scaled=False)


def train_scaled(run: Run) -> dict[str, Any]:
    """Train and test them on standardised input."""
    return _five(run, scaled=True)


def _five(run: Run, scaled: bool) -> dict[str, Any]:
    networks = train_each(run, _train_scaled if scaled else _train, DECISIONS)
    save_five(run.folder, {name: name for name in DECISIONS})
    return {"networks": networks}


def _train(run: Run, number: int, decision: str) -> None:
    _train_one(run, number, decision, None)


def _train_scaled(run: Run, number: int, decision: str) -> None:
    means = run.results["records"]["means"][decision]
    _train_one(run, number, decision, (means["mean"], means["deviation"]))


def _train_one(run: Run, number: int, decision: str, standard: tuple[float, float] | None) -> None:
    if run.part(decision) is None:
        run.keep_part(decision, _best_of_tied(run, decision, number, standard, load_sets(run)))


#: Hands to learn from, to look at meanwhile, and to test on.
_Sets = tuple[HandSet, HandSet, HandSet]


def _best_of_tied(
    run: Run, decision: str, number: int, standard: tuple[float, float] | None, sets: _Sets
) -> dict[str, Any]:
    """Train the kernel that the search found; of tied ones all, of which the development set chooses the one to keep.

    A decision that was not searched has the papers' kernel, a standardised network that of the one on ones and zeros.
    Source: dissertation, section 3.3.2.
    """
    if standard is not None:
        kernel = run.results["five"]["networks"][decision]["kernel"]
        return _train_and_test(run, decision, number, _network(run, decision, kernel, standard), sets)
    tied = run.results["search"]["tied"].get(decision, [list(KERNELS[decision])])
    if len(tied) == 1:
        return _train_and_test(run, decision, number, _network(run, decision, tied[0], None), sets)
    trained: dict[str, dict[str, Any]] = {}
    for rows, columns in tied:
        name = f"{decision}-{rows}x{columns}"
        trained[name] = run.part(name) or _train_and_test(
            run, decision, number, _network(run, decision, (rows, columns), None), sets, name
        )
        run.keep_part(name, trained[name])
    best = max(trained, key=lambda name: (trained[name]["development"] or 0.0, name))
    if not (run.folder / decision).exists():
        (run.folder / best).rename(run.folder / decision)
    for name in trained:
        shutil.rmtree(run.folder / name, ignore_errors=True)
    others = [{what: other[what] for what in ("kernel", "development")} for other in trained.values()]
    return trained[best] | {"tied": others}


def _network(
    run: Run, decision: str, kernel: Sequence[int], standard: tuple[float, float] | None
) -> MeowjongConfig:
    scale = run.scale
    return MeowjongConfig(
        decision,
        kernel=(kernel[0], kernel[1]),
        filters=scale.filters,
        dense=scale.dense,
        dropout=scale.dropout,
        scale=standard,
    )


def _train_and_test(
    run: Run, decision: str, number: int, network: MeowjongConfig, sets: _Sets, name: str = "", held: float = 0.0
) -> dict[str, Any]:
    """Train one network of the papers and test it; ``held``: share of the examples held out, of whatever hand."""
    scale, seed = run.scale, run.options.seed
    config = paper_config(decision, task=OneDecision(network, held))
    learned, development, tested = sets
    examples = run.results["records"]["sizes"][decision]["training"]["examples"]
    epochs = config.epochs if scale.samples is None else scale.samples[DECISIONS.index(decision)] / examples
    epochs *= 1.0 if network.scale is None else scale.scaled_share
    config = dataclasses.replace(
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
        chunk=max(16, math.ceil(_TOGETHER * len(learned) / examples)),
    )
    looked_at = records.enough(development, decision, math.ceil(scale.measured / (held or 1)), seed)
    trainer = train(run, Training(name or decision, config, learned, looked_at), number, len(DECISIONS))
    run.report(f"{name or decision}: measuring", number + 1, len(DECISIONS))
    test = records.enough(tested, decision, scale.tested, seed)
    measured = OneDecision(network).measure(trained_network(trainer.folder), test, trainer.device)
    reached = [point["development"][decision] for point in trainer.curve if point.get("development")]
    result = {
        "samples": trainer.samples,
        "batch": config.batch,
        "epochs": epochs,
        "kernel": list(network.kernel or KERNELS[decision]),
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


def _prediction(trainer: Trainer, hands: HandSet) -> dict[str, Any]:
    """How long one answer to one situation takes (section 4.2.1): the median of some."""
    packed = decisions(hands.part(np.arange(1)), encoder=trainer.encoder).packed
    assert packed is not None, "they are encoded"
    network, times = trainer.plain.eval(), []
    for _ in range(_TIMED):
        start = time.perf_counter()
        answers(network, packed[:1], trainer.device)
        times.append(time.perf_counter() - start)
    return {"seconds": float(np.median(times)), "times": _TIMED}


def split_by_example(run: Run) -> dict[str, Any]:
    """Train networks with examples held out instead of games, as the papers divide: what that makes of accuracies.

    Source: dissertation, section 3.2.3.
    """
    each(run, _train_split, run.scale.example_splits)
    shown = ("development", "test", "samples")
    done: dict[str, Any] = {}
    for decision in run.scale.example_splits:
        by_example, by_game = run.part(decision), run.results["five"]["networks"][decision]
        done[decision] = {
            "by example": {name: by_example[name] for name in shown},
            "by game": {name: by_game[name] for name in shown},
        }
    return {"decisions": done}


def _train_split(run: Run, number: int, decision: str) -> None:
    if run.part(decision) is None:
        learned, _, tested = load_sets(run)
        sets = learned, learned, tested  # those held out are of the same hands
        network = _network(run, decision, run.results["five"]["networks"][decision]["kernel"], None)
        run.keep_part(decision, _train_and_test(run, decision, number, network, sets, held=HELD))
    shutil.rmtree(run.folder / decision, ignore_errors=True)


def train_ours(run: Run) -> dict[str, Any]:
    """Train and test our network for all five decisions; export it."""
    scale = run.scale
    learned, held, tested = load_sets(run)
    config = TrainConfig(
        task=FiveDecisions(ResidualConfig(channels=scale.channels, blocks=scale.blocks)),
        epochs=scale.epochs,
        augment=True,
        seed=run.options.seed,
    )
    trainer = Trainer(config, learned, run.folder / _PLAYER, development=held)

    def progress(state: TrainingProgress) -> None:
        agrees = f"agrees in {100 * state.accuracy:.1f} % of discards"
        text = f"{state.samples:,} situations, loss {state.loss:.3f}, {agrees}"
        run.report(text, state.hands, state.total)

    trainer.train(progress)
    run.report("measuring", 1, 1)
    measured = trainer.measure(tested)
    network, metadata = load_network(run.folder / _PLAYER)
    export_onnx(network, run.folder / _PLAYER / _ONNX, metadata["players"])
    return {
        "samples": trainer.samples,
        "batch": config.batch,
        "epochs": config.epochs,
        "parameters": sum(weights.numel() for weights in network.parameters()),
        "test": {name: dataclasses.asdict(agreement) for name, agreement in measured.items()},
        "curve": trainer.curve,
        "bytes": (run.folder / _PLAYER / _ONNX).stat().st_size,
    }


# ---------------------------------------------------------------------------------------------------------
# REINFORCE

#: Keras, which the papers' update is written in, takes so many states a step where it is told nothing else.
_KERAS_BATCH: Final = 32


def _papers_setting(run: Run, **changes: Any) -> PaperReinforceConfig:
    scale = run.scale
    config = PaperReinforceConfig(
        episodes=scale.paper_episodes,
        batch=_KERAS_BATCH,
        evaluate_every=scale.evaluate_every,
        evaluate_hands=scale.evaluate_hands,
        seed=run.options.seed,
    )
    return dataclasses.replace(config, **changes)


def reinforce_papers(run: Run) -> dict[str, Any]:
    """Improve the papers' network of discards by their setting. Source: dissertation, sections 3.4 and 4.3.2."""
    learner, result = _reinforce(run, _papers_setting(run), run.folders["five"], run.folder / _PLAYER)
    learner.policy.save_player(run.folder / _PLAYER)
    return result


def search_reinforce(run: Run) -> dict[str, Any]:
    """Try discounts and learning rates in the papers' setting: both were chosen by hand there (section 5.3)."""
    scale, runs = run.scale, []
    for discount in scale.discounts:
        for rate in scale.learning_rates:
            name = f"{discount:g}-{rate:g}"
            known = run.part(name)
            if known is None:
                episodes = scale.search_episodes
                config = _papers_setting(
                    run, episodes=episodes, evaluate_every=episodes, discount=discount, learning_rate=rate
                )
                known = _reinforce(run, config, run.folders["five"], run.folder / name)[1]
                run.keep_part(name, known)
            shutil.rmtree(run.folder / name, ignore_errors=True)
            runs.append({"discount": discount, "learning rate": rate, "curve": known["curve"]})
    return {"runs": runs}


def reinforce_steadily(run: Run) -> dict[str, Any]:
    """Improve our player by our setting; export it."""
    scale = run.scale
    config = PaperSteadyConfig(
        episodes=scale.steady_episodes,
        hands=scale.steady_hands,
        evaluate_every=scale.steady_every,
        evaluate_hands=scale.evaluate_hands,
        seed=run.options.seed,
    )
    learner, result = _reinforce(run, config, run.folders["ours"] / _PLAYER, run.folder / _PLAYER)
    export_onnx(learner.player_network, run.folder / _PLAYER / _ONNX, learner.rules.players)
    return result


def _reinforce(
    run: Run, config: PaperReinforceConfig | PaperSteadyConfig, start: Path, folder: Path
) -> tuple[Any, dict[str, Any]]:
    learner = reinforce(config, start, folder, {"random": RandomAgent()})

    def progress(episode: int, played: Any, last: dict[str, Any]) -> None:
        wins = 100 * sum(last["win"]) / len(last["win"])
        run.report(f"first in {wins:.1f} % against Random (episode {last['episode']})", episode, config.episodes)

    run.report("evaluating the beginning", learner.done, config.episodes)
    learner.train(progress)
    return learner, {"config": dataclasses.asdict(config), "curve": learner.curve}


# ---------------------------------------------------------------------------------------------------------
# Matches


#: Two players, and who has the seats that they leave; None: they play each other alone.
_Players = tuple[Agent, Agent, Agent | None]


@dataclasses.dataclass(frozen=True, slots=True)
class _Match:
    """A part of the matches."""

    players: Callable[[Run], _Players]
    papers: bool
    """Whether the papers' networks play, of which a scale has fewer hands."""
    each_other: bool = True
    """Whether the two meet at one table as well."""


_MATCHES: Final = {
    "papers": _Match(lambda run: (_papers(run, "RL"), _papers(run, "SL"), _random()), papers=True),
    "scaled": _Match(lambda run: (_papers(run, "SL-scaled"), _papers(run, "SL"), _random()), True, each_other=False),
    "ours": _Match(lambda run: (_ours(run, "our RL", "steady"), _ours(run, "our SL", "ours"), _random()), papers=False),
    "efficient": _Match(lambda run: (_ours(run, "our SL", "ours"), EfficientAgent(), None), papers=False),
}


def play_matches(run: Run) -> dict[str, Any]:
    """Play tables VIII and X with their tests: the papers' networks, our players, ours against `efficient`."""
    each(run, _play, tuple(_MATCHES))
    return {name: run.part(name) for name in _MATCHES}


def _play(run: Run, number: int, name: str) -> None:
    if run.part(name) is None:
        run.keep_part(name, _match(run, number, name, _MATCHES[name]))


def _match(run: Run, number: int, name: str, match: _Match) -> dict[str, Any]:
    players = match.players(run)
    walls = run.scale.paper_walls if match.papers else run.scale.walls
    start = time.perf_counter()
    of = number, len(_MATCHES)
    comparison = compared(run, players, "tenhou-sanma-hand", walls, of, each_other=match.each_other)
    seconds = time.perf_counter() - start
    draw(run, {f"{name}-{what}": figure for what, figure in score_figures(comparison).items()})
    # A block of equal players is played in one rotation of the seats.
    hands = sum(walls * (1 if block.player == block.against else 3) for block in comparison.blocks)
    counted = {name: as_in_papers(comparison).as_json()[name] for name in ("blocks", "tests", "signs")}
    more = {"as in the papers": counted, "illegal": _illegal(players), "hands": hands, "seconds": seconds}
    return comparison.as_json() | more


def _illegal(players: tuple[Agent | None, ...]) -> dict[str, dict[str, int]]:
    """How often a network's first choice to discard was not possible."""
    return {
        player.name: {"illegal": player.illegal, "discards": player.discards}
        for player in players
        if isinstance(player, MeowjongAgent)
    }


def _random() -> Agent:
    return RandomAgent("Random")


def _ours(run: Run, name: str, stage: str) -> Agent:
    return load_onnx(run.folders[stage] / _PLAYER / _ONNX, name)


def _papers(run: Run, name: str) -> Agent:
    folders = {"SL": run.folders["five"], "SL-scaled": run.folders["scaled"], "RL": run.folders["papers-rl"] / _PLAYER}
    player = load_player(folders[name])
    player.name = name
    return player


_NETWORKS: Final = (
    "filters",
    "dense",
    "dropout",
    "batch",
    "learning_rate",
    "average",
    "renormalise",
    "cosine",
    "augment",
    "precision",
    "samples",
    "measurements",
    "measured",
    "tested",
)
_WEIGHTS: Final = tuple(f"{name}/{BEST}" for name in DECISIONS)
_EVALUATED: Final = ("evaluate_every", "evaluate_hands")

STAGES: Final = (
    Stage("records", "Records", records.read_records, ("hands", "test_hands", "check")),
    Stage(
        "search",
        "Kernel sizes",
        search_kernels,
        (
            *("search_decisions", "search_sizes", "search_epochs", "search_width", "search_samples", "search_measured"),
            *("tied_decisions", "batch", "precision"),
        ),
        ("records",),
    ),
    Stage("five", "The papers' networks", train_papers, _NETWORKS, ("records", "search"), _WEIGHTS, "matches"),
    Stage(
        "scaled",
        "The same, standardised",
        train_scaled,
        (*_NETWORKS, "scaled_share"),
        ("records", "five"),
        _WEIGHTS,
        "matches",
    ),
    Stage("splits", "Examples held out", split_by_example, (*_NETWORKS, "example_splits"), ("records", "five")),
    Stage("ours", "Our network", train_ours, ("channels", "blocks", "epochs"), ("records",)),
    Stage(
        "papers-rl",
        "REINFORCE as in the papers",
        reinforce_papers,
        ("paper_episodes", *_EVALUATED),
        ("five",),
        (f"{_PLAYER}/{BEST}", f"{_PLAYER}/{LAST}"),
        "matches",
    ),
    Stage(
        "rl-search",
        "Discount and learning rate",
        search_reinforce,
        ("discounts", "learning_rates", "search_episodes", *_EVALUATED),
        ("five",),
    ),
    Stage(
        "steady",
        "REINFORCE, steadied",
        reinforce_steadily,
        ("steady_episodes", "steady_hands", "steady_every", "evaluate_hands"),
        ("ours",),
    ),
    Stage(
        "matches",
        "Matches",
        play_matches,
        ("walls", "paper_walls"),
        ("five", "scaled", "ours", "papers-rl", "steady"),
    ),
)

"""The `meowjong` papers from records to tables, stage by stage: what each does and what it keeps."""

from __future__ import annotations

import dataclasses
import gc
import json
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from janshi.agents import Agent, EfficientAgent, RandomAgent
from janshi.arena import CompareConfig, compare
from janshi.arena.compare import score_figures
from janshi.arena.figures import svg
from janshi.files import save_text
from janshi.learn.checkpoints import BEST, LAST, load_network
from janshi.learn.dataset import HandSet, load_hands
from janshi.learn.trainer import Progress, TrainConfig, Trainer
from janshi.papers.meowjong import records
from janshi.papers.meowjong.agent import MeowjongAgent
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import MeowjongConfig, ResidualConfig
from janshi.papers.meowjong.onnx_player import load_onnx
from janshi.papers.meowjong.player import FIVE, export_onnx, load_player
from janshi.papers.meowjong.reinforce import PaperReinforceConfig, PaperSteadyConfig, reinforce
from janshi.papers.meowjong.report import summary, write_report
from janshi.papers.meowjong.scales import SCALES
from janshi.papers.meowjong.search import SearchConfig, SearchResult, best_kernels, kernel_search, search_figures
from janshi.papers.meowjong.tasks import FiveDecisions, OneDecision, paper_config
from janshi.papers.records import HELD
from janshi.papers.runner import Paper, Run, Stage
from janshi.riichi.rules import preset

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Batches that are encoded and shuffled together in a long training of a papers' network.
_BATCHES: Final = 8
#: Hands to search with at least: from so many games that both sides have some.
_SEARCHED: Final = 24
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
    hands = load_hands(run.folders["records"] / "training")
    results: list[SearchResult] = []
    for number, decision in enumerate(scale.search_decisions):
        config = SearchConfig(
            decisions=(decision,),
            epochs=scale.search_epochs,
            width=scale.search_width,
            hands=_searched(run, decision),
            measure_most=scale.search_measured,
            seed=run.options.seed,
        )

        def progress(result: SearchResult, done: int, total: int, before: int = number) -> None:
            text = f"{result.decision} {result.rows} × {result.columns}: {100 * result.accuracy.value:.1f} %"
            run.report(text, before * total + done, total * len(scale.search_decisions))

        results += kernel_search(config, hands, run.folder / decision, progress)
    draw(run, search_figures(results))
    return {
        "kernels": [dataclasses.asdict(result) for result in results],
        "best": {decision: list(kernel) for decision, kernel in best_kernels(results).items()},
    }


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
    learned, held = records.training_and_development(run)
    tested = records.test_hands(run)
    counted = run.results["records"]
    done: dict[str, Any] = {}
    for number, decision in enumerate(DECISIONS):
        known = run.part(decision)
        if known is None:
            means = counted["means"][decision]
            scale = (means["mean"], means["deviation"]) if scaled else None
            examples = counted["sizes"][decision]["training"]["examples"]
            sets = _Sets(learned, held, tested, examples)
            known = _train_and_test(run, decision, number, scale, sets)
            run.keep_part(decision, known)
        (run.folder / decision / LAST).unlink(missing_ok=True)
        done[decision] = known
    save_text(json.dumps({name: name for name in DECISIONS}), run.folder / FIVE)
    return {"networks": done}


@dataclasses.dataclass(frozen=True, slots=True)
class _Sets:
    """What one network is trained and tested on."""

    learned: HandSet
    development: HandSet
    test: HandSet
    examples: int
    """Situations of the decision in `learned`."""


def _train_and_test(
    run: Run, decision: str, number: int, standard: tuple[float, float] | None, sets: _Sets
) -> dict[str, Any]:
    """Train one network of the papers and test it."""
    scale, seed = run.scale, run.options.seed
    network = MeowjongConfig(decision, filters=scale.filters, dense=scale.dense, scale=standard)
    config = paper_config(decision, task=OneDecision(network), seed=seed)
    epochs = config.epochs if scale.samples is None else scale.samples / sets.examples
    # Some decisions come once in two hands: as many hands together as fill several batches.
    chunk = max(16, math.ceil(_BATCHES * config.batch * len(sets.learned) / sets.examples))
    chunk = min(chunk, max(1, math.ceil(epochs * len(sets.learned) / scale.measurements)))
    config = dataclasses.replace(
        config, epochs=epochs, chunk=chunk, measure_every=epochs / scale.measurements, measure_most=scale.measured
    )
    development = records.enough(sets.development, decision, scale.measured, seed)
    trainer = Trainer(config, sets.learned, run.folder / decision, development=development)

    def progress(state: Progress) -> None:
        text = f"{decision}: {state.samples:,} situations, loss {state.loss:.3f}"
        run.report(text, number + state.hands / state.total, len(DECISIONS))

    run.report(f"{decision}: beginning", number, len(DECISIONS))
    trainer.train(progress)
    run.report(f"{decision}: measuring", number + 1, len(DECISIONS))
    measured = trainer.measure(records.enough(sets.test, decision, scale.tested, seed))
    result = {
        "samples": trainer.samples,
        "batch": config.batch,
        "epochs": epochs,
        "parameters": sum(weights.numel() for weights in trainer.plain.parameters()),
        "test": dataclasses.asdict(measured[decision]),
        "curve": trainer.curve,
        "seconds": trainer.seconds,
    }
    del trainer
    gc.collect()  # a gigabyte of weights and their moments, before the next one's
    return result


def train_ours(run: Run) -> dict[str, Any]:
    """Train and test our network for all five decisions; export it."""
    scale = run.scale
    learned, held = records.training_and_development(run)
    config = TrainConfig(
        FiveDecisions(ResidualConfig(channels=scale.channels, blocks=scale.blocks)),
        epochs=scale.epochs,
        augment=True,
        seed=run.options.seed,
    )
    trainer = Trainer(config, learned, run.folder / _PLAYER, development=held)

    def progress(state: Progress) -> None:
        agrees = f"agrees in {100 * state.accuracy:.1f} % of discards"
        text = f"{state.samples:,} situations, loss {state.loss:.3f}, {agrees}"
        run.report(text, state.hands, state.total)

    trainer.train(progress)
    run.report("measuring", 1, 1)
    measured = trainer.measure(records.test_hands(run))
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


def reinforce_papers(run: Run) -> dict[str, Any]:
    """Improve our player by the papers' setting. Source: dissertation, section 4.3.2."""
    scale = run.scale
    config = PaperReinforceConfig(
        episodes=scale.paper_episodes,
        evaluate_every=scale.evaluate_every,
        evaluate_hands=scale.evaluate_hands,
        seed=run.options.seed,
    )
    return _reinforce(run, config)[1]


def reinforce_steadily(run: Run) -> dict[str, Any]:
    """Improve it by our setting; export it."""
    scale = run.scale
    config = PaperSteadyConfig(
        episodes=scale.steady_episodes,
        hands=scale.steady_hands,
        evaluate_every=scale.steady_every,
        evaluate_hands=scale.evaluate_hands,
        seed=run.options.seed,
    )
    learner, result = _reinforce(run, config)
    export_onnx(learner.player_network, run.folder / _PLAYER / _ONNX, learner.rules.players)
    return result


def _reinforce(run: Run, config: PaperReinforceConfig | PaperSteadyConfig) -> tuple[Any, dict[str, Any]]:
    learner = reinforce(config, run.folders["ours"] / _PLAYER, run.folder / _PLAYER, {"random": RandomAgent()})

    def progress(episode: int, played: Any, last: dict[str, Any]) -> None:
        wins = 100 * sum(last["win"]) / len(last["win"])
        run.report(f"first in {wins:.1f} % against Random (episode {last['episode']})", episode, config.episodes)

    run.report("evaluating the beginning", learner.done, config.episodes)
    learner.train(progress)
    return learner, {"config": dataclasses.asdict(config), "curve": learner.curve}


# ---------------------------------------------------------------------------------------------------------
# Matches


def play_matches(run: Run) -> dict[str, Any]:
    """Play tables VIII and X with their tests, and our player against two `efficient`."""
    scale = run.scale
    parts: tuple[tuple[str, int, Callable[[], tuple[Agent, Agent, Agent | None]], bool], ...] = (
        ("ours", scale.walls, lambda: (_ours(run, "RL", "steady"), _ours(run, "SL", "ours"), _random()), True),
        ("papers", scale.paper_walls, lambda: (_papers(run, "five"), _papers(run, "scaled"), _random()), False),
        ("efficient", scale.walls, lambda: (_ours(run, "SL", "ours"), EfficientAgent(), None), True),
    )
    done: dict[str, Any] = {}
    for name, walls, players, meet in parts:
        known = run.part(name)
        if known is None:
            known = _match(run, name, walls, players(), meet)
            run.keep_part(name, known)
        done[name] = known
    return done


def _match(
    run: Run, name: str, walls: int, players: tuple[Agent, Agent, Agent | None], each_other: bool
) -> dict[str, Any]:
    first, second, others = players
    title = f"{first.name} and {second.name}"
    start = time.perf_counter()
    comparison = compare(
        first,
        second,
        preset("tenhou-sanma-hand"),
        walls,
        run.options.seed,
        others,
        config=CompareConfig(each_other=each_other),
        progress=lambda over, total: run.report(f"{title}: {over:,} of {total:,} hands", over, total),
    )
    if comparison.interrupted:
        raise KeyboardInterrupt
    seconds = time.perf_counter() - start
    draw(run, {f"{name}-{what}": figure for what, figure in score_figures(comparison).items()})
    # A block of equal players is played in one rotation of the seats.
    hands = sum(walls * (1 if block.player == block.against else 3) for block in comparison.blocks)
    return comparison.as_json() | {"illegal": _illegal(players), "hands": hands, "seconds": seconds}


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


def _papers(run: Run, stage: str) -> Agent:
    run.report(f"loading {stage}")
    player = load_player(run.folders[stage])
    player.name = {"five": "Five", "scaled": "Five scaled"}[stage]
    return player


_NETWORKS: Final = ("filters", "dense", "samples", "measurements", "measured", "tested")
_WEIGHTS: Final = tuple(f"{name}/{BEST}" for name in DECISIONS)

STAGES: Final = (
    Stage("records", "Records", records.read_records, ("hands", "test_hands", "check")),
    Stage(
        "search",
        "Kernel sizes",
        search_kernels,
        ("search_decisions", "search_epochs", "search_width", "search_samples", "search_measured"),
        ("records",),
    ),
    Stage("five", "The papers' networks", train_papers, _NETWORKS, ("records",), _WEIGHTS, "matches"),
    Stage("scaled", "The same, standardised", train_scaled, _NETWORKS, ("records",), _WEIGHTS, "matches"),
    Stage("ours", "Our network", train_ours, ("channels", "blocks", "epochs"), ("records",)),
    Stage(
        "papers-rl",
        "REINFORCE as in the papers",
        reinforce_papers,
        ("paper_episodes", "evaluate_every", "evaluate_hands"),
        ("ours",),
    ),
    Stage(
        "steady",
        "REINFORCE, steadied",
        reinforce_steadily,
        ("steady_episodes", "steady_hands", "steady_every", "evaluate_hands"),
        ("ours",),
    ),
    Stage("matches", "Matches", play_matches, ("walls", "paper_walls"), ("five", "scaled", "ours", "steady")),
)

#: The paper, as ``janshi reproduce meowjong`` does it.
PAPER: Final = Paper(
    "meowjong", "Meowjong", STAGES, SCALES, write_report, lambda report: summary(report["stages"])
)

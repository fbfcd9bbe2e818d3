"""The `meowjong` papers from records to tables, stage by stage: what each does and what it keeps."""

from __future__ import annotations

import dataclasses
import gc
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from janshi.agents import Agent, agent
from janshi.agents.meowjong import MeowjongAgent
from janshi.arena import compare
from janshi.arena.compare import score_figures
from janshi.arena.figures import svg
from janshi.files import save_text
from janshi.learn.dataset import HandSet, load_hands
from janshi.learn.networks import MeowjongConfig, ResidualConfig
from janshi.learn.player import FIVE, export_onnx
from janshi.learn.reinforce import STABLE, Played, ReinforceConfig, Reinforcer
from janshi.learn.trainer import BEST, LAST, Progress, TrainConfig, Trainer, load_network, paper_config
from janshi.observe.decisions import DECISIONS
from janshi.reproduce import records
from janshi.reproduce.report import write_report
from janshi.reproduce.run import Event, Options, Run, Stage, digest_of, run_stages
from janshi.rules import preset

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Batches that are encoded and shuffled together in a long training of a papers' network.
_BATCHES: Final = 8
#: Hands to search with at least: from so many games that both sides have some.
_SEARCHED: Final = 24
_PLAYER: Final = "player"
_ONNX: Final = "player.onnx"


def reproduce(options: Options, folder: Path, heard: Callable[[Event], None]) -> Path:
    """Do all stages in a folder, going on where an earlier run ended, and return the report's page.

    Raises `ReproduceError` where the folder is another run's, or the records are too few; `DatasetError` where there
    are none.
    """
    digest = " ".join(digest_of(paths) for paths in (options.records, options.training, options.test) if paths)
    results = run_stages(STAGES, options, folder, digest, heard)
    number = len(STAGES) + 1
    heard(Event(_REPORT, number, "running", "drawing"))
    page = write_report(results, options, folder, {one.name: one.title for one in STAGES})
    heard(Event(_REPORT, number, "done"))
    return page


def draw(run: Run, figures: dict[str, Figure]) -> None:
    """Keep figures as SVG to stand in the report."""
    for name, figure in figures.items():
        save_text(svg(figure), run.folder / f"{name}.svg")


# ---------------------------------------------------------------------------------------------------------
# Supervised learning


def search_kernels(run: Run) -> dict[str, Any]:
    """Compare the sixteen kernel sizes of each decision. Source: dissertation, section 3.3.2."""
    from janshi.learn.search import SearchConfig, SearchResult, best_kernels, kernel_search, search_figures

    scale = run.scale
    hands = load_hands(run.places["records"] / "training")
    found: list[SearchResult] = []
    for number, decision in enumerate(scale.search_decisions):
        config = SearchConfig(
            decisions=(decision,),
            epochs=scale.search_epochs,
            width=scale.search_width,
            hands=_searched(run, decision),
            measure_most=scale.search_measured,
            seed=run.options.seed,
        )

        def tell(result: SearchResult, done: int, total: int, before: int = number) -> None:
            text = f"{result.decision} {result.rows} × {result.columns}: {100 * result.accuracy.value:.1f} %"
            run.say(text, before * total + done, total * len(scale.search_decisions))

        found += kernel_search(config, hands, run.folder / decision, tell)
    draw(run, search_figures(found))
    return {
        "kernels": [dataclasses.asdict(one) for one in found],
        "best": {decision: list(kernel) for decision, kernel in best_kernels(found).items()},
    }


def _searched(run: Run, decision: str) -> int | None:
    """How many hands it takes for the situations of a search, those held out included."""
    samples = run.scale.search_samples
    if samples is None:
        return None
    sets = run.results["records"]
    examples: int = sets["sizes"][decision]["training"]["examples"]
    needed: float = samples / (1 - records.HELD) * sets["sets"]["training"]["hands"] / examples
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
    about = run.results["records"]
    done: dict[str, Any] = {}
    for number, decision in enumerate(DECISIONS):
        known = run.part(decision)
        if known is None:
            means = about["means"][decision]
            scale = (means["mean"], means["deviation"]) if scaled else None
            examples = about["sizes"][decision]["training"]["examples"]
            known = _one(run, decision, number, scale, examples, learned, held, tested)
            run.keep_part(decision, known)
        (run.folder / decision / LAST).unlink(missing_ok=True)
        done[decision] = known
    save_text(json.dumps({name: name for name in DECISIONS}), run.folder / FIVE)
    return {"networks": done}


def _one(
    run: Run,
    decision: str,
    number: int,
    standard: tuple[float, float] | None,
    examples: int,
    learned: HandSet,
    held: HandSet,
    tested: HandSet,
) -> dict[str, Any]:
    """Train one network of the papers and test it."""
    scale, seed = run.scale, run.options.seed
    network = MeowjongConfig(decision, filters=scale.filters, dense=scale.dense, scale=standard)
    config = paper_config(decision, network=network, seed=seed)
    epochs = config.epochs if scale.samples is None else scale.samples / examples
    # Some decisions come once in two hands: as many hands together as fill several batches.
    chunk = max(16, math.ceil(_BATCHES * config.batch * len(learned) / examples))
    chunk = min(chunk, max(1, math.ceil(epochs * len(learned) / scale.looks)))
    config = dataclasses.replace(
        config, epochs=epochs, chunk=chunk, measure_every=epochs / scale.looks, measure_most=scale.looked_at
    )
    looked = records.enough(held, decision, scale.looked_at, seed)
    trainer = Trainer(config, learned, run.folder / decision, development=looked)

    def tell(stand: Progress) -> None:
        text = f"{decision}: {stand.samples:,} situations, loss {stand.loss:.3f}"
        run.say(text, number + stand.hands / stand.total, len(DECISIONS))

    run.say(f"{decision}: beginning", number, len(DECISIONS))
    trainer.train(tell)
    run.say(f"{decision}: measuring", number + 1, len(DECISIONS))
    measured = trainer.measure(records.enough(tested, decision, scale.tested, seed))
    said = {
        "samples": trainer.samples,
        "batch": config.batch,
        "epochs": epochs,
        "parameters": sum(one.numel() for one in trainer.plain.parameters()),
        "test": dataclasses.asdict(measured[decision]),
        "curve": trainer.curve,
        "seconds": trainer.seconds,
    }
    del trainer
    gc.collect()  # a gigabyte of weights and their moments, before the next one's
    return said


def train_ours(run: Run) -> dict[str, Any]:
    """Train and test our network for all five decisions; export it."""
    scale = run.scale
    learned, held = records.training_and_development(run)
    config = TrainConfig(
        ResidualConfig(channels=scale.channels, blocks=scale.blocks),
        epochs=scale.epochs,
        augment=True,
        seed=run.options.seed,
    )
    trainer = Trainer(config, learned, run.folder / _PLAYER, development=held)

    def tell(stand: Progress) -> None:
        agrees = f"agrees in {100 * stand.accuracy:.1f} % of discards"
        text = f"{stand.samples:,} situations, loss {stand.loss:.3f}, {agrees}"
        run.say(text, stand.hands, stand.total)

    trainer.train(tell)
    run.say("measuring", 1, 1)
    measured = trainer.measure(records.test_hands(run))
    network, said = load_network(run.folder / _PLAYER)
    export_onnx(network, run.folder / _PLAYER / _ONNX, said["players"])
    return {
        "samples": trainer.samples,
        "batch": config.batch,
        "epochs": config.epochs,
        "parameters": sum(one.numel() for one in network.parameters()),
        "test": {name: dataclasses.asdict(one) for name, one in measured.items()},
        "curve": trainer.curve,
        "bytes": (run.folder / _PLAYER / _ONNX).stat().st_size,
    }


# ---------------------------------------------------------------------------------------------------------
# REINFORCE


def reinforce_papers(run: Run) -> dict[str, Any]:
    """Improve our player by the papers' setting. Source: dissertation, section 4.3.2."""
    scale = run.scale
    config = ReinforceConfig(
        episodes=scale.paper_episodes,
        evaluate_every=scale.evaluate_every,
        evaluate_hands=scale.evaluate_hands,
        seed=run.options.seed,
    )
    return _reinforce(run, config)[1]


def reinforce_steadily(run: Run) -> dict[str, Any]:
    """Improve it by our setting; export it."""
    scale = run.scale
    config = dataclasses.replace(
        STABLE,
        episodes=scale.steady_episodes,
        hands=scale.steady_hands,
        evaluate_every=scale.steady_every,
        evaluate_hands=scale.evaluate_hands,
        seed=run.options.seed,
    )
    learner, said = _reinforce(run, config)
    export_onnx(learner.whole, run.folder / _PLAYER / _ONNX, learner.rules.players)
    return said


def _reinforce(run: Run, config: ReinforceConfig) -> tuple[Reinforcer, dict[str, Any]]:
    learner = Reinforcer(config, run.places["ours"] / _PLAYER, run.folder / _PLAYER)

    def tell(episode: int, played: Played, last: dict[str, Any]) -> None:
        wins = 100 * sum(last["win"]) / len(last["win"])
        run.say(f"first in {wins:.1f} % against Random (episode {last['episode']})", episode, config.episodes)

    run.say("evaluating the beginning", learner.done, config.episodes)
    learner.train(tell)
    return learner, {"config": dataclasses.asdict(config), "curve": learner.curve}


# ---------------------------------------------------------------------------------------------------------
# Matches


def play_matches(run: Run) -> dict[str, Any]:
    """Play tables VIII and X with their tests, and our player against two `efficient`."""
    scale = run.scale
    parts: tuple[tuple[str, int, Callable[[], tuple[Agent, Agent, Agent | None]], bool], ...] = (
        ("ours", scale.walls, lambda: (_ours(run, "RL", "steady"), _ours(run, "SL", "ours"), _random()), True),
        ("papers", scale.paper_walls, lambda: (_papers(run, "five"), _papers(run, "scaled"), _random()), False),
        ("efficient", scale.walls, lambda: (_ours(run, "SL", "ours"), _named("efficient"), None), True),
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
    about = f"{first.name} and {second.name}"
    start = time.perf_counter()
    found = compare(
        first,
        second,
        preset("tenhou-sanma-hand"),
        walls,
        run.options.seed,
        others,
        each_other=each_other,
        progress=lambda over, total: run.say(f"{about}: {over:,} of {total:,} hands", over, total),
    )
    if found.interrupted:
        raise KeyboardInterrupt
    seconds = time.perf_counter() - start
    draw(run, {f"{name}-{what}": figure for what, figure in score_figures(found).items()})
    # A block of equal players is played in one rotation of the seats.
    hands = sum(walls * (1 if one.player == one.against else 3) for one in found.blocks)
    return found.as_json() | {"illegal": _illegal(players), "hands": hands, "seconds": seconds}


def _illegal(players: tuple[Agent | None, ...]) -> dict[str, dict[str, int]]:
    """How often a network's first choice to discard was not possible."""
    return {
        one.name: {"illegal": one.illegal, "discards": one.discards}
        for one in players
        if isinstance(one, MeowjongAgent)
    }


def _named(name: str, shown: str = "") -> Agent:
    found = agent(name)
    found.name = shown or name
    return found


def _random() -> Agent:
    return _named("random", "Random")


def _ours(run: Run, name: str, stage: str) -> Agent:
    return _named(str(run.places[stage] / _PLAYER / _ONNX), name)


def _papers(run: Run, stage: str) -> Agent:
    run.say(f"loading {stage}")
    return _named(str(run.places[stage]), {"five": "Five", "scaled": "Five scaled"}[stage])


_NETWORKS: Final = ("filters", "dense", "samples", "looks", "looked_at", "tested")
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
_REPORT: Final = Stage("report", "Report", lambda run: {})

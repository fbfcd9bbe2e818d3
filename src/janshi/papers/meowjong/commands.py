"""``janshi paper meowjong …``: commands for what is these papers' alone."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console
from rich.table import Table

from janshi.cli.dataset import DatasetOptions, kept, print_counts
from janshi.cli.failing import fail, failing, needing
from janshi.cli.options import argument, changes_of, option, overrides
from janshi.cli.progress import timed_bar
from janshi.cli.reinforce import SelfPlayOptions, export_player, run_self_play
from janshi.cli.train import TrainingOptions, run_training
from janshi.learn.configs import TrainSettings
from janshi.papers.meowjong.configs import (
    KAN_WEIGHT,
    MeowjongConfig,
    PaperReinforceConfig,
    PaperSteadyConfig,
    ResidualConfig,
    paper_settings,
)
from janshi.papers.meowjong.decisions import DECISIONS

if TYPE_CHECKING:
    from janshi.learn.runs import SelfPlayRun
    from janshi.learn.trainer import TrainConfig
    from janshi.papers.meowjong.search import SearchResult
    from janshi.riichi.dataset import HandSet

_SEARCH: Final = "paper meowjong search"
_TRAIN: Final = "paper meowjong train"
_DATASET: Final = "paper meowjong dataset"
_REINFORCE: Final = "paper meowjong reinforce"
#: Hands that are shuffled together in training a paper's network, which is slow: progress is seen sooner.
_PAPER_CHUNK: Final = 16


@dataclass(frozen=True)
class SearchOptions:
    """Options of ``janshi paper meowjong search``."""

    paths: list[Path] = argument("Records: files, folders, .zip or .gz; or a folder of janshi dataset.")
    out: Path = option("Output folder; an unfinished search in it is resumed.")
    decision: str = option("Decision to search: all, discard, pon, kan, kita or riichi.", default="all")
    epochs: float = option("Epochs per candidate.", default=20.0, min=1e-6)
    width: float = option("Width of the networks relative to the papers'.", default=1.0, min=1e-6)
    hands: int | None = option("Maximum number of hands (default: all).", default=None, min=2)
    players: int = option("Number of players: 3 (sanma) or 4.", default=3, min=3, max=4)
    seed: int = option("Random seed of the split, the order and the initial weights.", default=0, min=0)
    as_json: bool = option("Print JSON.", "--json", default=False)


def search_kernels(options: SearchOptions) -> None:
    """Train the papers' networks with each of 16 kernel sizes and compare them; resumable.

    The full width needs a GPU; --width 0.1 --hands 1000 --epochs 2 shows a tendency on any machine.
    """
    with needing(_SEARCH, "learn"):
        from janshi.arena.figures import check_matplotlib, save
        from janshi.cli.reading import reading
        from janshi.files import working_in
        from janshi.learn.trainer import TrainingProgress
        from janshi.papers.meowjong.search import SearchConfig, kernel_search, search_figures
    check_decision(_SEARCH, options.decision, options.players)
    with failing(_SEARCH, ValueError, interrupted="interrupted; the same command goes on where it was"):
        check_matplotlib()
        possible = tuple(decision for decision in DECISIONS if options.players == 3 or decision != "kita")
        config = SearchConfig(
            decisions=possible if options.decision == "all" else (options.decision,),
            epochs=options.epochs,
            width=options.width,
            hands=options.hands,
            seed=options.seed,
        )
        with working_in(options.out), timed_bar(options.as_json) as bar:
            hands = reading(bar, options.paths, options.players)
            candidates = bar.add_task("candidates", total=len(config.decisions) * len(config.sizes))
            training = bar.add_task("training", total=None)

            def show(result: SearchResult, done: int, total: int) -> None:
                bar.update(candidates, completed=done, total=total, description=f"{done} of {total} candidates")

            def step(name: str, state: TrainingProgress) -> None:
                text = f"{name}, loss {state.loss:.3f}"
                bar.update(training, completed=state.hands, total=state.total, description=text)

            results = kernel_search(config, hands, options.out, show, training=step)
        for name, figure in search_figures(results).items():
            save(figure, options.out / f"search-{name}.svg")
    print_search(results, options)


def print_search(results: list[SearchResult], options: SearchOptions) -> None:
    """Print a table of accuracies for each decision and the best kernels beside the papers', or JSON."""
    from janshi.papers.meowjong.networks import KERNELS
    from janshi.papers.meowjong.search import EDGES, best_kernels, search_table

    best, tables = best_kernels(results), search_table(results)
    if options.as_json:
        listed = [dataclasses.asdict(result) for result in results]
        typer.echo(json.dumps({"best": best, "accuracy": tables, "results": listed}, indent=1))
        return
    by_kernel = {(result.decision, result.rows, result.columns): result.accuracy for result in results}
    for decision, accuracies in tables.items():
        rows, columns = best[decision]
        found = by_kernel[decision, rows, columns]
        interval = f"{100 * found.low:.1f} to {100 * found.high:.1f}"
        caption = f"of {found.count:,} situations held out; 95 % interval of the best {interval}"
        shown = Table("rows", title=f"{decision}: agreement in %", caption=caption)
        for edge in EDGES:
            shown.add_column(f"{edge} columns", justify="right")
        for edge, line in zip(EDGES, accuracies, strict=True):
            cells = ["–" if value is None else f"{100 * value:.2f}" for value in line]
            if edge == rows:
                cells[EDGES.index(columns)] = f"[bold]{cells[EDGES.index(columns)]} *[/bold]"
            shown.add_row(str(edge), *cells)
        Console().print(shown)
    for decision, kernel in best.items():
        typer.echo("{}: {} × {} (papers {} × {})".format(decision, *kernel, *KERNELS[decision]))
    typer.echo(f"saved in {options.out}")


def check_decision(command: str, decision: str, players: int) -> None:
    """End a command in one line for an unknown decision, and for kita of four players."""
    if decision not in ("all", *DECISIONS):
        fail(command, f"no decision {decision!r}: there are all, {', '.join(DECISIONS)}")
    if decision == "kita" and players == 4:
        fail(command, "there is no kita with four players")


# ---------------------------------------------------------------------------------------------------------
# janshi paper meowjong train

Changes: Any = overrides(
    "Changes",
    TrainSettings,
    leave_out=("augment",),
    shown={"": TrainSettings(), "papers": paper_settings("discard")},
)
Shape: Any = overrides("Shape", MeowjongConfig, leave_out=("decision", "scale"), shown={"papers": MeowjongConfig()})


@dataclass(frozen=True)
class PaperTrainOptions(TrainingOptions):
    """Options of ``janshi paper meowjong train``."""

    decision: str = option(
        f"all: one network for five decisions; {', '.join(DECISIONS)}: a paper's network for one.", default="all"
    )
    scaled: bool = option("Standardise the input of a paper's network.", default=False)
    shape: Shape = dataclasses.field(default_factory=Shape)
    kan_weight: float = option(
        "Weight of possible kans relative to other decisions.", default=KAN_WEIGHT, min=0
    )
    augment: bool | None = option(
        "Swap pin and sou, 1m and 9m at random (sanma; default: yes for all, no for a paper's network).", default=None
    )
    changes: Changes = dataclasses.field(default_factory=Changes)


def train_decisions(options: PaperTrainOptions) -> None:
    """Train a network for the papers' decisions on records; resumable."""
    ours = options.decision == "all"
    check_decision(_TRAIN, options.decision, options.players)
    shape = changes_of(options.shape)
    if shape and ours:
        fail(_TRAIN, f"--{next(iter(shape))} is for a paper's network: name a --decision")
    run_training(_TRAIN, options, "riichi", lambda hands: training_of(options, hands), exports=ours)


def training_of(options: PaperTrainOptions, hands: HandSet) -> TrainConfig:
    """Return how a network of the papers' decisions is trained."""
    from janshi.learn.trainer import TrainConfig
    from janshi.papers.meowjong.labels import mean_and_deviation
    from janshi.papers.meowjong.tasks import FiveDecisions, OneDecision, paper_config

    changes = changes_of(options.changes)
    if options.decision == "all":
        task: Any = FiveDecisions(ResidualConfig(**options.size), kan_weight=options.kan_weight)
        return TrainConfig(task=task, augment=options.augment is not False, **changes)
    scale = mean_and_deviation(hands)[options.decision] if options.scaled else None
    task = OneDecision(MeowjongConfig(options.decision, scale=scale, **changes_of(options.shape)))
    config = paper_config(options.decision, **({"chunk": _PAPER_CHUNK} | changes))
    return dataclasses.replace(config, task=task, augment=options.augment is True)


# ---------------------------------------------------------------------------------------------------------
# janshi paper meowjong dataset


def make_examples(options: DatasetOptions) -> None:
    """Write hands of records to Parquet; print tables 3.3 and 3.4 of the dissertation."""
    with needing(_DATASET, "learn"):
        from janshi.papers.meowjong.labels import mean_and_deviation, sizes
        from janshi.riichi.dataset import load_hands

    def counts(hands: HandSet) -> dict[str, tuple[int, int | None]]:
        return {name: (size.examples, size.positive) for name, size in sizes(hands).items()}

    report = kept(_DATASET, options, counts)
    hands = load_hands(options.out)
    scale = mean_and_deviation(hands.split(options.development, options.seed)[0] if options.development else hands)
    if options.as_json:
        typer.echo(json.dumps(report | {"mean and deviation": scale}, indent=1))
        return
    print_counts(report, "Decisions (table 3.3 of the dissertation)")
    spread = Table("decision", "mean μ", "σ = √(μ − μ²)", title="Observations of the training set (table 3.4)")
    for decision, (mean, deviation) in scale.items():
        spread.add_row(decision, f"{mean:.6f}", f"{deviation:.6f}")
    Console().print(spread)


# ---------------------------------------------------------------------------------------------------------
# janshi paper meowjong reinforce

#: Settings by name.
SETTINGS: Final[dict[str, Any]] = {
    "paper": PaperReinforceConfig(),
    "stable": PaperSteadyConfig(),
}
ReinforceChanges: Any = overrides(
    "ReinforceChanges",
    PaperSteadyConfig,
    leave_out=("opponents", "clip", "max_probability", "batch", "decisions", "legal_only"),
    shown=SETTINGS,
)


@dataclass(frozen=True)
class ReinforceOptions(SelfPlayOptions):
    """Options of ``janshi paper meowjong reinforce``."""

    setting: str = option(
        "paper: one hand per episode, discards only; stable: many hands, all decisions.", default="paper"
    )
    changes: ReinforceChanges = dataclasses.field(default_factory=ReinforceChanges)


def config_of(options: ReinforceOptions) -> Any:
    """Return the setting with its changes. Raises `ValueError` for an unknown setting or field."""
    name, changes = options.setting, changes_of(options.changes)
    if name not in SETTINGS:
        raise ValueError(f"no setting {name!r}: there are {', '.join(SETTINGS)}")
    if changes.get("reward") not in (None, "points", "place"):
        raise ValueError("--reward is points or place")
    for field in changes:
        if not hasattr(SETTINGS[name], field):
            raise ValueError(f"--{field.replace('_', '-')} is no option of --setting {name}")
    return dataclasses.replace(SETTINGS[name], **changes)


def reinforce_player(options: ReinforceOptions) -> None:
    """Improve a trained player by REINFORCE; resumable."""
    with needing(_REINFORCE, "learn"):
        from janshi.papers.meowjong.policy import DiscardPolicy
        from janshi.papers.meowjong.reinforce import reinforce

    def run(config: Any, **given: Any) -> SelfPlayRun:
        return reinforce(config, options.start, options.out, **given)

    def save(run: SelfPlayRun) -> None:
        if isinstance(run.policy, DiscardPolicy):
            run.policy.save_player(options.out)
        else:
            export_player(run)

    run_self_play(_REINFORCE, options, lambda: config_of(options), run, save)

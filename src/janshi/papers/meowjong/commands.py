"""``janshi paper meowjong …``: the papers' datasets, training and REINFORCE."""

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
from janshi.cli.failing import fail, failing, needing, training_interrupted
from janshi.cli.options import argument, changes_of, option, overrides
from janshi.cli.progress import timed_bar
from janshi.cli.train import TrainingOptions, run_training
from janshi.learn.configs import TrainSettings
from janshi.papers.meowjong.configs import MeowjongConfig, PaperReinforceConfig, paper_settings
from janshi.papers.meowjong.decisions import DECISIONS

if TYPE_CHECKING:
    from janshi.learn.trainer import TrainConfig
    from janshi.riichi.dataset import HandSet

_TRAIN: Final = "paper meowjong train"
_DATASET: Final = "paper meowjong dataset"
_REINFORCE: Final = "paper meowjong reinforce"
#: Hands that are shuffled together in training a paper's network, which is slow: progress is seen sooner.
_PAPER_CHUNK: Final = 16


#: Options that change the papers' settings and networks.
Changes: Any = overrides(
    "Changes",
    TrainSettings,
    leave_out=("augment",),
    shown={"discard": paper_settings("discard"), "others": paper_settings("pon")},
)
Shape: Any = overrides("Shape", MeowjongConfig, leave_out=("decision", "scale"), shown={"": MeowjongConfig()})


@dataclass(frozen=True)
class PaperTrainOptions(TrainingOptions):
    """Options of ``janshi paper meowjong train``."""

    decision: str = option(f"Decision that the network answers: {', '.join(DECISIONS)}.", default="discard")
    scaled: bool = option("Standardise the input.", default=False)
    shape: Shape = dataclasses.field(default_factory=Shape)
    augment: bool | None = option("Swap pin and sou, 1m and 9m at random (sanma; default: no).", default=None)
    changes: Changes = dataclasses.field(default_factory=Changes)


def train_decision(options: PaperTrainOptions) -> None:
    """Train a paper's network for one decision on records; resumable."""
    if options.decision not in DECISIONS:
        fail(_TRAIN, f"no decision {options.decision!r}: there are {', '.join(DECISIONS)}")
    if options.decision == "kita" and options.players == 4:
        fail(_TRAIN, "there is no kita with four players")
    run_training(_TRAIN, options, "riichi", lambda hands: training_of(options, hands), exports=False)


def training_of(options: PaperTrainOptions, hands: HandSet) -> TrainConfig:
    """Return the configuration of the training."""
    from janshi.papers.meowjong.labels import mean_and_deviation
    from janshi.papers.meowjong.tasks import OneDecision, paper_config

    scale = mean_and_deviation(hands)[options.decision] if options.scaled else None
    task = OneDecision(MeowjongConfig(options.decision, scale=scale, **changes_of(options.shape)))
    config = paper_config(options.decision, **({"chunk": _PAPER_CHUNK} | changes_of(options.changes)))
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

ReinforceChanges: Any = overrides(
    "ReinforceChanges", PaperReinforceConfig, leave_out=("opponents", "batch"), shown={"": PaperReinforceConfig()}
)


@dataclass(frozen=True)
class ReinforceOptions:
    """Options of ``janshi paper meowjong reinforce``."""

    start: Path = argument("Folder of the trained player to start from.")
    out: Path = option("Output folder; an unfinished run in it is resumed.")
    opponents: str | None = option(
        "Opponents, separated by commas and used in turn: self, start, or names of agents.", default=None
    )
    tensorboard: Path | None = option("Folder for TensorBoard logs.", default=None)
    as_json: bool = option("Print the learning curve as JSON.", "--json", default=False)
    changes: ReinforceChanges = dataclasses.field(default_factory=ReinforceChanges)


def reinforce_player(options: ReinforceOptions) -> None:
    """Train the network of discards of the papers' five networks by REINFORCE; resumable."""
    with needing(_REINFORCE, "learn"):
        from janshi.agents.names import agent
        from janshi.files import working_in
        from janshi.learn.scalars import no_log, tensorboard_log
        from janshi.papers.meowjong.reinforce import reinforce
    with failing(_REINFORCE, ValueError, interrupted=lambda: training_interrupted(options.out)):
        config = PaperReinforceConfig(**changes_of(options.changes))
        if options.opponents is not None:
            config = dataclasses.replace(config, opponents=tuple(options.opponents.split(",")))
        named = dict.fromkeys(name for name in config.opponents if name != "self")
        opponents = {name: agent(str(options.start.resolve()) if name == "start" else name) for name in named}
        with working_in(options.out), timed_bar(options.as_json) as bar:
            task = bar.add_task("evaluating", total=config.episodes)
            log = no_log if options.tensorboard is None else tensorboard_log(options.tensorboard)
            learner = reinforce(config, options.start, options.out, opponents, log=log)
            bar.update(task, completed=learner.done)

            def show(episode: int, played: Any, last: dict[str, Any]) -> None:
                wins = 100 * sum(last["win"]) / len(last["win"])
                text = f"reward {played.reward:+.3f}, first in {wins:.1f} % against random (episode {last['episode']})"
                bar.update(task, completed=episode, description=text)

            learner.train(show)
        learner.save_player()
    if options.as_json:
        typer.echo(json.dumps(learner.curve, indent=1))
        return
    for point in (learner.curve[0], learner.curve[-1]):
        wins, losses = (100 * sum(point[name]) / len(point[name]) for name in ("win", "loss"))
        hands = point["hands"] * len(point["win"])
        impossible = f"{point['illegal']:,} impossible first choices of {point['discards']:,} discards"
        typer.echo(
            f"episode {point['episode']}: first in {wins:.2f} %, last in {losses:.2f} % of {hands:,} hands against "
            f"random players, {impossible}"
        )
    typer.echo(f"saved in {options.out}")

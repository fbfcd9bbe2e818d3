"""``janshi train``: a network from records."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.console import Console
from rich.table import Table

from janshi.cli.failing import failing, needing
from janshi.cli.options import argument, changes_of, option, overrides
from janshi.cli.progress import timed_bar
from janshi.cli.reading import reading
from janshi.learn.configs import SuitConfig, TrainSettings
from janshi.papers.meowjong.configs import KAN_WEIGHT, MeowjongConfig, ResidualConfig, paper_settings
from janshi.papers.meowjong.decisions import DECISIONS

if TYPE_CHECKING:
    from torch import nn

    from janshi.learn.dataset import HandSet
    from janshi.learn.metrics import Measured
    from janshi.learn.trainer import Progress, TrainConfig

#: What is learned: the whole action space, or the five decisions of `meowjong` at once; else one of these alone.
ACTIONS: Final = "actions"
ALL: Final = "all"
#: Hands that are shuffled together in training a paper's network, which is slow: progress is seen sooner.
_PAPER_CHUNK: Final = 16

Changes: Any = overrides(
    "Changes", TrainSettings, leave_out=("augment",), shown={"": TrainSettings(), "papers": paper_settings("discard")}
)
Shape: Any = overrides("Shape", MeowjongConfig, leave_out=("decision", "scale"), shown={"papers": MeowjongConfig()})


@dataclass(frozen=True)
class TrainOptions:
    """Options of ``janshi train``."""

    paths: list[Path] = argument("Records: files, folders, .zip, .gz; or a folder of janshi dataset.")
    out: Path = option("Folder for the player; an unfinished training there goes on.")
    test: list[Path] = option("Records to measure on at the end. Repeatable.", default=[])
    hold_out: bool = option(
        "Test on a fifth of the newest year's games instead; leave out archives named odd, rare or ai.", default=False
    )
    players: int = option("Three (sanma) or four.", default=3, min=3, max=4)
    decision: str = option(
        f"{ALL}: our network for the five decisions; {ACTIONS}: for every action of the game; "
        f"{', '.join(DECISIONS)}: a paper's, for one.",
        default=ALL,
    )
    scaled: bool = option("Standardise the input of a paper's network.", default=False)
    shape: Shape = dataclasses.field(default_factory=Shape)
    channels: int = option("Width of our network.", default=ResidualConfig().channels, min=1)
    blocks: int = option("Its depth.", default=ResidualConfig().blocks, min=1)
    danger: bool = option(
        f"{ACTIONS}: learn also which kinds complete others' hands, an auxiliary target.", default=SuitConfig().danger
    )
    outcome: float = option(
        f"{ACTIONS}: how much more decisions of hands that went well count: exp(this · points won or lost / 8,000).",
        default=0.0,
        min=0,
    )
    start: Path | None = option("Folder of a training whose network this one begins as.", default=None)
    kan_weight: float = option(
        "How much a kan that was possible counts beside other decisions.", default=KAN_WEIGHT, min=0
    )
    augment: bool | None = option(
        "Swap pin and sou, 1m and 9m at random (ours: yes; papers: no; sanma).", default=None
    )
    changes: Changes = dataclasses.field(default_factory=Changes)
    tensorboard: Path | None = option("Folder for curves: tensorboard --logdir FOLDER shows them.", default=None)
    as_json: bool = option("Print JSON instead.", "--json", default=False)


def config_of(options: TrainOptions, hands: HandSet) -> TrainConfig:
    """Return how a network is trained. Raises `DatasetError` for a decision that there is not."""
    from janshi.learn.tasks import PolicyTask
    from janshi.learn.trainer import TrainConfig
    from janshi.papers.meowjong.labels import mean_and_deviation
    from janshi.papers.meowjong.tasks import FiveDecisions, OneDecision, paper_config

    changes, shape = changes_of(options.changes), changes_of(options.shape)
    if options.decision in DECISIONS:
        scale = mean_and_deviation(hands)[options.decision] if options.scaled else None
        task: Any = OneDecision(MeowjongConfig(options.decision, scale=scale, **shape))
        config = paper_config(options.decision, **({"chunk": _PAPER_CHUNK} | changes))
        return dataclasses.replace(config, task=task, augment=options.augment is True)
    if options.decision == ACTIONS:
        network = SuitConfig(channels=options.channels, blocks=options.blocks, danger=options.danger)
        task = PolicyTask(network, outcome=options.outcome)
    else:
        task = FiveDecisions(
            ResidualConfig(channels=options.channels, blocks=options.blocks), kan_weight=options.kan_weight
        )
    return TrainConfig(task=task, augment=options.augment is not False, **changes)


def read_records(
    options: TrainOptions, read: Callable[[list[Path]], HandSet]
) -> tuple[HandSet, HandSet | None]:
    """Return the hands to learn from, and those to test on at the end (None: none)."""
    from janshi.learn.dataset import DatasetError, read_hands
    from janshi.papers.records import hold_out

    hands = read(options.paths)
    if options.hold_out:
        if options.test:
            raise DatasetError("--hold-out and --test both say what is tested on: name one of them")
        return hold_out(hands)[:2]
    return hands, read_hands(options.test, options.players) if options.test else None


def check_decision(options: TrainOptions) -> None:
    """Raise `DatasetError` for a decision that there is not, or not with so many players or options."""
    from janshi.learn.dataset import DatasetError

    decision = options.decision
    there = (ALL, ACTIONS, *DECISIONS)
    if decision not in there:
        raise DatasetError(f"no decision {decision!r}: there are {', '.join(there)}")
    if decision == "kita" and options.players == 4:
        raise DatasetError("there is no kita with four players")
    shape = changes_of(options.shape)
    if shape and decision not in DECISIONS:
        raise DatasetError(f"--{next(iter(shape))} is for a paper's network: name a --decision")
    if decision != ACTIONS and (options.danger or options.outcome):
        name = "danger" if options.danger else "outcome"
        raise DatasetError(f"--{name} is for networks of every action: --decision {ACTIONS}")


def weights_from(folder: Path | None) -> Callable[[nn.Module], None] | None:
    """Return what sets a network's weights to those that ``folder`` holds; None without a folder.

    Raises `CheckpointError` where it holds no network; so does the function, for a network of another shape.
    """
    from janshi.learn.checkpoints import CheckpointError, load_network

    if folder is None:
        return None
    known = load_network(folder)[0]

    def load(network: nn.Module) -> None:
        if network.config != known.config:
            raise CheckpointError(f"{folder} holds a network of another shape: {known.config}")
        network.load_state_dict(known.state_dict())

    return load


def train_network(options: TrainOptions) -> None:
    """Train a network on records; measure it on games that it has not seen. Ctrl-C can be resumed."""
    with needing("train", "learn"):
        from janshi.files import save_text, working_in
        from janshi.learn.checkpoints import CheckpointError, load_network
        from janshi.learn.dataset import DatasetError
        from janshi.learn.export import export_onnx
        from janshi.learn.scalars import no_log, tensorboard_log
        from janshi.learn.trainer import Trainer
    out = options.out
    with failing(
        "train",
        DatasetError,
        CheckpointError,
        ValueError,
        interrupted="interrupted; the same command goes on from the last checkpoint",
    ):
        check_decision(options)
        with working_in(out), timed_bar(options.as_json) as bar:
            hands, tested = read_records(options, lambda paths: reading(bar, paths, options.players))
            log = no_log if options.tensorboard is None else tensorboard_log(options.tensorboard)
            trainer = Trainer(config_of(options, hands), hands, out, log=log, prepare=weights_from(options.start))
            task = bar.add_task("training", total=trainer.total, completed=trainer.done)

            def show(state: Progress) -> None:
                agrees = f"agrees {100 * state.accuracy:.1f} %"
                text = f"loss {state.loss:.3f}, {agrees}, {state.samples:,} situations"
                bar.update(task, completed=state.hands, description=text)

            trainer.train(show)
            bar.update(task, description="measuring")
            measured = {"development": trainer.measure()}
            if tested is not None:
                measured["test"] = trainer.measure(tested)
        if options.decision in (ALL, ACTIONS):
            export_onnx(load_network(out)[0], out / "player.onnx", options.players)
    report = {
        name: {what: dataclasses.asdict(agreement) for what, agreement in agreements.items()}
        for name, agreements in measured.items()
    }
    save_text(json.dumps(report, indent=1), out / "measured.json")
    if options.as_json:
        run = {"samples": trainer.samples, "seconds": trainer.seconds, "games skipped": hands.skipped}
        typer.echo(json.dumps(report | run, indent=1))
        return
    rate = trainer.samples / max(trainer.seconds, 1e-9)
    typer.echo(f"{trainer.samples:,} situations of {len(trainer.hands):,} hands, {rate:,.0f} a second; saved in {out}")
    for name, agreements in measured.items():
        print_measured(name, agreements)


def print_measured(title: str, agreements: dict[str, Measured]) -> None:
    """Print agreement with its intervals."""
    table = Table(
        "decision",
        "agrees",
        "95 %",
        "situations",
        "first three",
        "illegal first",
        "calibration error (by chance)",
        title=title,
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for name, agreement in agreements.items():
        top = agreement.top[0]
        third = f"{100 * agreement.top[2].value:.2f} %" if len(agreement.top) > 2 else ""
        illegal = f"{100 * agreement.illegal.value:.2f} %" if agreement.illegal is not None else ""
        interval = f"{100 * top.low:.2f} to {100 * top.high:.2f}"
        apart = calibration_text(agreement)
        table.add_row(name, f"{100 * top.value:.2f} %", interval, f"{top.count:,}", third, illegal, apart)
    Console().print(table)


def calibration_text(measured: Measured) -> str:
    """Return a calibration error, and in brackets that of chance alone; nothing where there is none."""
    if measured.calibration is None or measured.calibration_by_chance is None:
        return ""
    return f"{100 * measured.calibration:.2f} % ({100 * measured.calibration_by_chance:.2f})"

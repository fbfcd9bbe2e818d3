"""``janshi train``: a network from records, which answers every decision of the game."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import typer
from rich.console import Console

from janshi.cli.failing import interrupted, training_interrupted
from janshi.cli.options import argument, option
from janshi.cli.printing import make_table
from janshi.cli.progress import timed_bar
from janshi.learn.configs import TrainSettings

if TYPE_CHECKING:
    from janshi.learn.metrics import Measured
    from janshi.learn.networks import ActionNetwork
    from janshi.learn.trainer import TrainConfig, TrainingProgress


@dataclass(frozen=True)
class TrainOptions:
    """Options of ``janshi train``."""

    paths: list[Path] = argument("Records: files, folders, .zip or .gz; or a folder of janshi dataset.")
    out: Path = option("Output folder; an unfinished training in it is resumed.")
    settings: TrainSettings = field(default_factory=TrainSettings)
    test: list[Path] = option("Records of the test set. Repeatable.", default=[])
    hold_out: bool = option(
        "Test on a fifth of the newest year's games; skip archives named odd, rare or (without --of) ai.", default=False
    )
    players: int = option("Number of players: 3 (sanma) or 4.", default=3, min=3, max=4)
    of: list[str] = option(
        "Part of a player's name: in games with such players learn only from them. Repeatable.", default=[]
    )
    start: str | None = option(
        "Network to start from: a shipped player's name, an ONNX file of floats, or the folder of a training. More "
        "channels or blocks widen it.",
        default=None,
    )
    augment: bool = option("Swap equivalent suits at random (sanma).", default=True)
    tensorboard: Path | None = option("Folder for TensorBoard logs.", default=None)
    as_json: bool = option("Print JSON.", "--json", default=False)
    network: str | None = option(
        "Kind of network. Defaults of this and of the shape: those of --start, otherwise of the shipped players.",
        default=None,
    )
    channels: int | None = option("Channels of the network.", default=None, min=1)
    blocks: int | None = option("Blocks of the network.", default=None, min=1)
    encoder: str | None = option("Encoder of the observations.", default=None)
    shape: list[str] = option("Further field of the network's configuration: NAME=VALUE. Repeatable.", default=[])
    outcome: float = option(
        "Weight decisions by the outcome of their hand: exp(OUTCOME · points won or lost / 8,000).",
        default=0.0,
        min=0,
    )


def _shape_of(options: TrainOptions, start: ActionNetwork | None) -> Any:
    """Return the configuration of the network. Raises `NetworkError` for an impossible one."""
    from janshi.games import GAMES
    from janshi.learn.datasets import dataset_of
    from janshi.learn.networks import NETWORKS, NetworkError, check_bounds, kind_of

    known = None if start is None or options.network is not None else start.config
    name = options.network or (dataset_of(GAMES.first).network if known is None else kind_of(known).name)
    config = NETWORKS[name].config
    hints = get_type_hints(config)
    size = {"channels": options.channels, "blocks": options.blocks}
    given: dict[str, Any] = {part: value for part, value in size.items() if value is not None}
    given |= {} if options.encoder is None else {"encoder": options.encoder}
    given |= {part: value for part, _, value in (text.partition("=") for text in options.shape)}
    for part, value in given.items():
        if part not in hints:
            raise NetworkError(f"network {name!r} has no {part!r}: it has {', '.join(hints)}")
        try:
            given[part] = _value(hints[part], str(value))
        except ValueError:
            kind = hints[part].__name__ if isinstance(hints[part], type) else hints[part]
            raise NetworkError(f"--shape {part}={value}: {part} is a {kind}") from None
    shape = config(**given) if known is None else dataclasses.replace(known, **given)
    check_bounds(shape)
    return shape


def _value(kind: Any, text: str) -> Any:
    """Return the value of a type that a text names: numbers of a tuple have commas between them.

    Raises `ValueError` for another text.

    >>> _value(tuple[int, int] | None, "4,5"), _value(tuple[int, int] | None, "none"), _value(bool, "true")
    ((4, 5), None, True)
    """
    kinds = get_args(kind)
    if NoneType in kinds:
        return None if text == "none" else _value(next(other for other in kinds if other is not NoneType), text)
    if get_origin(kind) is tuple:
        parts = text.split(",")
        if ... not in kinds and len(parts) != len(kinds):
            raise ValueError(f"{len(kinds)} numbers are wanted, not {len(parts)}")
        return tuple(_value(kinds[0], part) for part in parts)
    return text == "true" if kind is bool else kind(text)


def train_network(options: TrainOptions) -> None:
    """Train a network on records and measure it on held-out games; resumable."""
    from janshi.encoders import ENCODERS
    from janshi.files import save_text, working_in
    from janshi.learn.checkpoints import load_network
    from janshi.learn.export import export_onnx
    from janshi.learn.scalars import no_log, tensorboard_log
    from janshi.learn.starts import fitting, load_start, weights_from
    from janshi.learn.trainer import Trainer

    out = options.out
    with interrupted(lambda: training_interrupted(out)):
        start = None if options.start is None else load_start(options.start)
        config = _config_of(options, None if start is None else start[0])
        start = None if start is None else (fitting(start[0], config), start[1])
        with working_in(out), timed_bar(options.as_json) as bar:
            hands, tested = _read_records(options, bar, ENCODERS[config.task.network.encoder].game)
            log = no_log if options.tensorboard is None else tensorboard_log(options.tensorboard)
            prepare = None if start is None else weights_from(start, hands, config.task)
            trainer = Trainer(config, hands, out, log=log, prepare=prepare)
            task = bar.add_task("training", total=trainer.total, completed=trainer.done)

            def show(state: TrainingProgress) -> None:
                agrees = f"agrees {100 * state.accuracy:.1f} %"
                text = f"loss {state.loss:.3f}, {agrees}, {state.samples:,} situations"
                bar.update(task, completed=state.hands, description=text)

            trainer.train(show)
            bar.update(task, description="measuring")
            measured = {"development": trainer.measure()}
            if tested is not None:
                measured["test"] = trainer.measure(tested)
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
        _print_measured(name, agreements)


def _config_of(options: TrainOptions, start: ActionNetwork | None) -> TrainConfig:
    """Return the configuration of the training. Raises `NetworkError` for an impossible network."""
    from janshi.learn.tasks import task_of
    from janshi.learn.trainer import TrainConfig

    more = {"outcome": options.outcome} if options.outcome else {}
    settings = dataclasses.asdict(options.settings) | {"augment": options.augment}
    return TrainConfig(task=task_of(_shape_of(options, start), **more), **settings)


def _read_records(options: TrainOptions, bar: Any, game: str) -> tuple[Any, Any]:
    """Return the hands to learn from, and those to test on at the end (None: none)."""
    from janshi.cli.reading import reading
    from janshi.learn.datasets import DatasetError, dataset_of
    from janshi.papers.records import hold_out

    if options.hold_out and options.test:
        raise DatasetError("--hold-out and --test exclude each other")
    hands = reading(bar, options.paths, options.players, game, chosen=True, of=options.of)
    if options.hold_out:
        return hold_out(hands, programs=bool(options.of))[:2]
    return hands, dataset_of(game).read(options.test, options.players) if options.test else None


def _print_measured(title: str, agreements: dict[str, Measured]) -> None:
    """Print agreement with its intervals."""
    table = make_table(
        "decision",
        "agrees",
        "95 %",
        "situations",
        "first three",
        "illegal first",
        "calibration error (by chance)",
        title=title,
    )
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

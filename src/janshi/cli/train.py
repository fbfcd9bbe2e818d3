"""``janshi train``: a network from records."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from janshi.learn.dataset import HandSet
    from janshi.learn.trainer import Measured


def train_network(
    paths: Annotated[
        list[Path], typer.Argument(help="Records: files, folders, .zip, .gz; or a folder of janshi dataset.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the player; an unfinished training there goes on.")],
    test: Annotated[list[Path] | None, typer.Option(help="Records to measure on at the end. Repeatable.")] = None,
    players: Annotated[int, typer.Option(help="Three (sanma) or four.", min=3, max=4)] = 3,
    decision: Annotated[
        str, typer.Option(help="all: our network, all five; discard, pon, kan, kita, riichi: a paper's, for one.")
    ] = "all",
    scaled: Annotated[bool, typer.Option(help="Standardise the input of a paper's network.")] = False,
    epochs: Annotated[float | None, typer.Option(help="Times through them (4; papers 200, 500).", min=1e-6)] = None,
    batch: Annotated[int | None, typer.Option(help="Situations a step (256; papers 64, 32).", min=2)] = None,
    learning_rate: Annotated[float | None, typer.Option(help="At its highest (0.002; papers 0.001).")] = None,
    channels: Annotated[int, typer.Option(help="Width of our network.", min=1)] = 96,
    blocks: Annotated[int, typer.Option(help="Its depth.", min=1)] = 6,
    augment: Annotated[
        bool | None, typer.Option(help="Swap pin and sou, 1m and 9m at random (ours: yes; papers: no; sanma).")
    ] = None,
    kan_weight: Annotated[
        float | None, typer.Option(help="How much a kan that was possible counts beside other decisions.", min=0)
    ] = None,
    patience: Annotated[int, typer.Option(help="Looks without gain after which to stop (0: never).", min=0)] = 0,
    chunk: Annotated[int | None, typer.Option(help="Hands shuffled together (384; papers 16).", min=1)] = None,
    precision: Annotated[str, typer.Option(help="bf16-mixed, 16-mixed or 32-true.")] = "bf16-mixed",
    devices: Annotated[int, typer.Option(help="GPUs to train on, where there are any.", min=1)] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Decides the split, the order and the first weights.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Train a network on records; measure it on games that it has not seen. Ctrl-C can be resumed."""
    try:
        from janshi.files import check_folder, save_text
        from janshi.learn.dataset import DatasetError, mean_and_deviation, read_hands
        from janshi.learn.networks import MeowjongConfig, ResidualConfig
        from janshi.learn.player import export_onnx
        from janshi.learn.trainer import CheckpointError, TrainConfig, Trainer, load_network, paper_config
        from janshi.learn.trainer import Progress as Stand
        from janshi.observe.decisions import DECISIONS
    except ModuleNotFoundError as error:
        typer.echo(f"janshi train: needs {error.name}: pip install 'janshi[learn]'", err=True)
        raise typer.Exit(2) from None
    named = {"epochs": epochs, "batch": batch, "learning_rate": learning_rate, "chunk": chunk, "kan_weight": kan_weight}
    changes: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    changes |= {"patience": patience, "precision": precision, "devices": devices, "seed": seed}
    try:
        if decision not in (*DECISIONS, "all"):
            raise DatasetError(f"no decision {decision!r}: there are all, {', '.join(DECISIONS)}")
        if decision == "kita" and players == 4:
            raise DatasetError("there is no kita with four players")
        check_folder(out)
        with progress_bar(as_json) as bar:
            hands = reading(bar, paths, players)
            if decision == "all":
                config = TrainConfig(
                    ResidualConfig(channels=channels, blocks=blocks), augment=augment is not False, **changes
                )
            else:
                scale = mean_and_deviation(hands)[decision] if scaled else None
                config = paper_config(decision, **({"chunk": 16} | changes))
                config = dataclasses.replace(
                    config, network=MeowjongConfig(decision, scale=scale), augment=augment is True
                )
            trainer = Trainer(config, hands, out)
            task = bar.add_task("training", total=trainer.total, completed=trainer.done)

            def tell(stand: Stand) -> None:
                text = f"loss {stand.loss:.3f}, agrees {100 * stand.accuracy:.1f} %, {stand.samples:,} situations"
                bar.update(task, completed=stand.hands, description=text)

            trainer.train(tell)
            bar.update(task, description="measuring")
            measured = {"development": trainer.measure()}
            if test:
                measured["test"] = trainer.measure(read_hands(test, players))
        if decision == "all":
            export_onnx(load_network(out)[0], out / "player.onnx", players)
    except KeyboardInterrupt:
        typer.echo("janshi train: interrupted; the same command goes on from the last checkpoint", err=True)
        raise typer.Exit(130) from None
    except (DatasetError, CheckpointError, OSError, ValueError) as error:
        typer.echo(f"janshi train: {error}", err=True)
        raise typer.Exit(2) from None
    said = {name: {what: dataclasses.asdict(one) for what, one in found.items()} for name, found in measured.items()}
    save_text(json.dumps(said, indent=1), out / "measured.json")
    if as_json:
        about = {"samples": trainer.samples, "seconds": trainer.seconds, "games skipped": hands.skipped}
        typer.echo(json.dumps(said | about, indent=1))
        return
    rate = trainer.samples / max(trainer.seconds, 1e-9)
    typer.echo(f"{trainer.samples:,} situations of {len(trainer.hands):,} hands, {rate:,.0f} a second; saved in {out}")
    for name, found in measured.items():
        print_measured(name, found)


def progress_bar(quiet: bool) -> Progress:
    """Return a progress bar with time gone and left, on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), disable=quiet)


def reading(bar: Progress, paths: list[Path], players: int) -> HandSet:
    """Read hands while a bar says so."""
    from janshi.learn.dataset import read_hands

    task = bar.add_task("compiling, then reading records", total=None)
    hands = read_hands(paths, players, progress=lambda games: bar.update(task, description=f"read {games:,} games"))
    bar.update(task, total=1, completed=1, description=f"read {len(hands):,} hands")
    return hands


def print_measured(title: str, found: dict[str, Measured]) -> None:
    """Print accuracies with their intervals."""
    table = Table("decision", "agrees", "95 %", "situations", "first three", "illegal first", title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    for name, one in found.items():
        top = one.top[0]
        third = f"{100 * one.top[2].value:.2f} %" if len(one.top) > 2 else ""
        illegal = f"{100 * one.illegal.value:.2f} %" if one.illegal is not None else ""
        interval = f"{100 * top.low:.2f} to {100 * top.high:.2f}"
        table.add_row(name, f"{100 * top.value:.2f} %", interval, f"{top.count:,}", third, illegal)
    Console().print(table)

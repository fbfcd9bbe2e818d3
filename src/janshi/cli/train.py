"""``janshi train``: a discard network from records."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


def train_discards(
    paths: Annotated[list[Path], typer.Argument(help="Records to learn from: files, folders, .zip or .gz.")],
    out: Annotated[Path, typer.Option(help="Folder for the player; an unfinished training there goes on.")],
    test: Annotated[list[Path] | None, typer.Option(help="Records to measure on at the end. Repeatable.")] = None,
    players: Annotated[int, typer.Option(help="Three (sanma) or four.", min=3, max=4)] = 3,
    epochs: Annotated[float, typer.Option(help="Times through the records.", min=0.001)] = 2.0,
    batch: Annotated[int, typer.Option(help="Decisions a step.", min=2)] = 256,
    learning_rate: Annotated[float, typer.Option(help="At its highest.")] = 2e-3,
    seed: Annotated[int, typer.Option(help="Decides the split, the order and the first weights.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead.")] = False,
) -> None:
    """Train a discard network on records; measure it on games that it has not seen. Ctrl-C can be resumed."""
    try:
        from janshi.learn.dataset import DatasetError, read_hands
        from janshi.learn.networks import ResidualConfig
        from janshi.learn.trainer import CheckpointError, TrainConfig, Trainer
        from janshi.learn.trainer import Progress as Stand
    except ModuleNotFoundError as error:
        typer.echo(f"janshi train: needs {error.name}: pip install 'janshi[learn]'", err=True)
        raise typer.Exit(2) from None
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), disable=as_json)
    config = TrainConfig(epochs, batch, learning_rate, seed=seed, network=ResidualConfig())
    try:
        with bar:
            reading = bar.add_task("compiling, then reading records", total=None)
            hands = read_hands(
                paths, players, progress=lambda games: bar.update(reading, description=f"read {games:,} games")
            )
            bar.update(reading, total=1, completed=1)
            trainer = Trainer(config, hands, out)
            task = bar.add_task("training", total=trainer.total, completed=trainer.done)

            def tell(stand: Stand) -> None:
                text = f"loss {stand.loss:.3f}, agrees {100 * stand.accuracy:.1f} %, {stand.samples:,} decisions"
                bar.update(task, completed=stand.hands, description=text)

            trainer.train(tell)
            measured = {"development": trainer.measure()}
            if test:
                measured["test"] = trainer.measure(read_hands(test, players))
    except KeyboardInterrupt:
        typer.echo("janshi train: interrupted; the same command goes on from the last checkpoint", err=True)
        raise typer.Exit(130) from None
    except (DatasetError, CheckpointError, OSError) as error:
        typer.echo(f"janshi train: {error}", err=True)
        raise typer.Exit(2) from None
    said = {name: {what: dataclasses.asdict(one) for what, one in found.items()} for name, found in measured.items()}
    (out / "measured.json").write_text(json.dumps(said, indent=1))
    if as_json:
        about = {"samples": trainer.samples, "seconds": trainer.seconds, "games skipped": hands.skipped}
        typer.echo(json.dumps(said | about, indent=1))
        return
    rate = trainer.samples / max(trainer.seconds, 1e-9)
    typer.echo(f"{trainer.samples:,} decisions of {len(trainer.hands):,} hands, {rate:,.0f} a second; saved in {out}")
    for name, found in measured.items():
        first, third = found["top 1"], found["top 3"]
        typer.echo(
            f"{name}: agrees with {100 * first.value:.2f} % of {first.count:,} discards "
            f"({100 * first.low:.2f} to {100 * first.high:.2f}), among its first three {100 * third.value:.2f} %, "
            f"illegal first choices {100 * found['illegal'].value:.3f} %"
        )

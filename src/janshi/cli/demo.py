"""``janshi demo``: the whole way from records to a measured player, in one command."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


def show_demo(
    records: Annotated[Path | None, typer.Argument(help="Records to learn from (default: the sample shipped).")] = None,
    out: Annotated[Path, typer.Option(help="Folder for the trained player.")] = Path("janshi-player"),
    epochs: Annotated[
        float | None, typer.Option(help="Times through the records (default: 2; sample: 8).", min=0.01)
    ] = None,
    hands: Annotated[int, typer.Option(help="Hands in each seat of the match.", min=1)] = 500,
    seed: Annotated[int, typer.Option(help="Decides training and match.", min=0)] = 1,
) -> None:
    """Replay records with every check, train a player from them, and let it play against random ones."""
    start = time.perf_counter()
    console = Console()
    console.print("[bold]1. Replaying[/bold] (the engine is compiled first: once, half a minute)")
    try:
        from janshi.agents import AgentError, agent
        from janshi.arena import play_match, single_hand
        from janshi.cli.arena import print_match
        from janshi.cli.replay import print_tallies
        from janshi.files import check_folder
        from janshi.learn.dataset import DatasetError, read_hands
        from janshi.learn.trainer import CheckpointError, TrainConfig, Trainer
        from janshi.records.verify import verify
        from janshi.rules import TENHOU_OF
        from janshi.sample import SAMPLE
    except ModuleNotFoundError as error:
        typer.echo(f"janshi demo: needs {error.name}: pip install 'janshi[learn]'", err=True)
        raise typer.Exit(2) from None
    place = SAMPLE if records is None else records
    if records is None:
        console.print("No records named: using the sample shipped, which programs played (no people).")
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    try:
        check_folder(out)
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("replaying", total=None)
            found = verify(
                [place],
                progress=lambda all_: bar.update(
                    task, description=f"replayed {sum(one.games for one in all_.values()):,} games"
                ),
            )
        print_tallies(found, 5, time.perf_counter() - start)
        console.print("\n[bold]2. Training[/bold] a network for discards, calls, riichi and kita")
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            reading = bar.add_task("reading records", total=None)
            try:
                learned = read_hands([place], 3)
            except DatasetError:
                learned = read_hands([place], 4)
            bar.update(reading, total=1, completed=1)
            config = TrainConfig(epochs=epochs or (2.0 if records is not None else 8.0), seed=seed)
            trainer = Trainer(config, learned, out)
            task = bar.add_task("training", total=trainer.total, completed=trainer.done)
            trainer.train(
                lambda stand: bar.update(
                    task, completed=stand.hands, description=f"agrees with {100 * stand.accuracy:.1f} %"
                )
            )
            first = trainer.measure()["discard"].top[0]
        console.print(
            f"{trainer.samples:,} decisions in {trainer.seconds:.0f} s; on games held out it agrees with "
            f"{100 * first.value:.1f} % of {first.count:,} discards ({100 * first.low:.1f} to {100 * first.high:.1f})."
        )
        console.print(f"\n[bold]3. Playing[/bold] {hands:,} hands in every seat against random players")
        by = single_hand(TENHOU_OF[learned.players])
        player, random = agent(str(out)), agent("random")
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("playing", total=hands * by.players)
            match = play_match(
                [player, *[random] * (by.players - 1)],
                by,
                hands,
                seed,
                progress=lambda over: bar.update(task, completed=over),
            )
        print_match(match, False)
    except KeyboardInterrupt:
        typer.echo("janshi demo: interrupted; the same command goes on from the last checkpoint", err=True)
        raise typer.Exit(130) from None
    except (AgentError, DatasetError, CheckpointError, OSError) as error:
        typer.echo(f"janshi demo: {error}", err=True)
        raise typer.Exit(2) from None
    console.print(f"The player is in {out}: janshi arena {out} efficient random")
    if not all(tally.fine for tally in found.values()):
        raise typer.Exit(1)

"""``janshi demo``: the whole way from records to a measured player, in one command."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import typer
from rich.console import Console

from janshi.cli.failing import interrupted, training_interrupted
from janshi.cli.options import argument, option
from janshi.cli.progress import timed_bar

if TYPE_CHECKING:
    from janshi.learn.datasets import RecordedHands
    from janshi.records.verify import Tally

#: Times through the records: those that are named, and the small sample that ships.
_EPOCHS = 2.0
_SAMPLE_EPOCHS = 8.0
#: Width and depth of the network: half of those of the shipped ones, for the demonstration's three minutes.
_CHANNELS = 64
_BLOCKS = 3


@dataclass(frozen=True)
class DemoOptions:
    """Options of ``janshi demo``."""

    records: Path | None = argument("Training records (default: the package's sample).", default=None)
    out: Path = option("Output folder for the trained player.", default=Path("janshi-player"))
    epochs: float | None = option("Epochs (default: 2; 8 for the sample).", default=None, min=0.01, max=1e6)
    hands: int = option("Hands per seat in the match.", default=500, min=1)
    seed: int = option("Random seed of the training and the match.", default=1, min=0)


def show_demo(options: DemoOptions) -> None:
    """Replay records, train a player on them, and play a match against random players."""
    console = Console()
    console.print("[bold]1. Replaying[/bold]")
    from janshi.files import working_in
    from janshi.learn.datasets import DatasetError
    from janshi.sample import SAMPLE
    records = SAMPLE if options.records is None else options.records
    if options.records is None:
        console.print("No records named: using the sample shipped, which programs played (no people).")
    with interrupted(lambda: training_interrupted(options.out)), working_in(options.out):
        tallies = _replay(records)
        if not any(tally.games for tally in tallies.values()):
            raise DatasetError(_why_nothing(records, tallies))
        console.print("\n[bold]2. Training[/bold] a network for every decision")
        hands = _train(options, _hands(records), console)
        console.print(f"\n[bold]3. Playing[/bold] {options.hands:,} hands in every seat against random players")
        _play(options, hands.players)
    console.print(f"The player is in {options.out}: janshi arena {options.out} efficient random")
    if not all(tally.fine for tally in tallies.values()):
        raise typer.Exit(1)


def _replay(records: Path) -> dict[str, Tally]:
    """Replay records and print what was found."""
    from janshi.cli.replay import print_tallies
    from janshi.records.verify import verify

    start = time.perf_counter()
    with timed_bar(transient=True) as bar:
        task = bar.add_task("replaying", total=None)

        def show(so_far: dict[str, Tally]) -> None:
            games = sum(tally.games for tally in so_far.values())
            bar.update(task, description=f"replayed {games:,} games")

        tallies = verify([records], progress=show)
    print_tallies(tallies, 5, time.perf_counter() - start)
    return tallies


def _why_nothing(records: Path, tallies: dict[str, Tally]) -> str:
    """Return the reason why no game was replayed, in one line."""
    reasons = [str(damaged) for tally in tallies.values() for damaged in tally.damaged]
    return reasons[0] if reasons else f"{records}: no games to learn from"


def _hands(records: Path) -> RecordedHands:
    """The hands of the games of three players, or where there are none of four."""
    from janshi.games import GAMES
    from janshi.learn.datasets import DatasetError, dataset_of

    read_hands = dataset_of(GAMES.first).read

    with timed_bar(transient=True) as bar:
        bar.add_task("reading records", total=None)
        try:
            return cast("RecordedHands", read_hands([records], 3))
        except DatasetError as of_three:
            try:
                return cast("RecordedHands", read_hands([records], 4))
            except DatasetError as of_four:
                raise DatasetError(f"{of_three}; {of_four}") from None


def _train(options: DemoOptions, hands: RecordedHands, console: Console) -> RecordedHands:
    """Train a player and print how it agrees with games held out; where no bar is seen, a line every half epoch."""
    from janshi.games import GAMES
    from janshi.learn.datasets import dataset_of
    from janshi.learn.networks import NETWORKS
    from janshi.learn.threads import use_free_processors
    from janshi.learn.trainer import TrainConfig, Trainer, TrainingProgress

    threads = use_free_processors()
    epochs = options.epochs or (_SAMPLE_EPOCHS if options.records is None else _EPOCHS)
    dataset = dataset_of(GAMES.first)
    task_of_demo = dataset.task(NETWORKS[dataset.network].config(channels=_CHANNELS, blocks=_BLOCKS))
    config = TrainConfig(task=task_of_demo, epochs=epochs, seed=options.seed, augment=True)
    trainer = Trainer(config, hands, options.out)
    with timed_bar(transient=True) as bar:
        task = bar.add_task("training", total=trainer.total, completed=trainer.done)
        line = HalfEpochs(epochs, trainer.total, trainer.done)

        def show(state: TrainingProgress) -> None:
            agrees = f"agrees with {100 * state.accuracy:.1f} %"
            bar.update(task, completed=state.hands, description=agrees)
            if bar.disable and line.is_due(state.hands):
                text = f"{state.hands / trainer.total * epochs:.1f} of {epochs:g} epochs, {agrees}"
                console.print(f"  {text}, {state.seconds:.0f} s with {threads} threads", highlight=False)

        trainer.train(show)
        first = trainer.measure()["discard"].top[0]
    console.print(
        f"{trainer.samples:,} decisions in {trainer.seconds:.0f} s; on games held out it agrees with "
        f"{100 * first.value:.1f} % of {first.count:,} discards ({100 * first.low:.1f} to {100 * first.high:.1f})."
    )
    return hands


class HalfEpochs:
    """Print the progress of a training without a bar every half epoch, and at its end.

    >>> line = HalfEpochs(epochs=2.0, total=100, done=0)
    >>> [hands for hands in range(10, 101, 10) if line.is_due(hands)]
    [30, 50, 80, 100]
    """

    def __init__(self, epochs: float, total: int, done: int) -> None:
        self._half = max(1.0, total / (2 * epochs))
        self._said = int(done // self._half)
        self._total = total

    def is_due(self, done: int) -> bool:
        """Return whether a half epoch has ended since the last that was said."""
        halves = int(done // self._half)
        is_due = halves > self._said or done >= self._total
        self._said = halves
        return is_due


def _play(options: DemoOptions, players: int) -> None:
    """Let the trained player play against random ones, and print how it went."""
    from janshi.agents import RandomAgent, agent
    from janshi.arena import play_match
    from janshi.cli.arena import print_match
    from janshi.games import GAMES
    from janshi.learn.datasets import dataset_of

    rules = dataset_of(GAMES.first).single_hand(players)
    player, random = agent(str(options.out)), RandomAgent()
    with timed_bar(transient=True) as bar:
        task = bar.add_task("playing", total=options.hands * rules.players)
        match = play_match(
            [player, *[random] * (rules.players - 1)],
            rules,
            options.hands,
            options.seed,
            progress=lambda over: bar.update(task, completed=over),
        )
    print_match(match, False)

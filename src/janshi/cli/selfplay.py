"""``janshi selfplay``: hands of our own players to learn from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import typer

from janshi.cli.failing import interrupted
from janshi.cli.options import CLUSTER, argument, option, rules_named
from janshi.cli.progress import counting_bar


@dataclass(frozen=True)
class SelfplayOptions:
    """Options of ``janshi selfplay``."""

    player: str = argument("Agent in every seat: a name of janshi agents, a folder, an ONNX file, FILE.py:ClassName.")
    out: Path = option("Folder for the hands; interrupted games there are completed.")
    games: int = option("Whole games.", default=1000, min=1)
    rules: str = option("Rules of the games.", default="tenhou-sanma")
    explore: float = option(
        "Share of the decisions drawn from the player's flattened preferences.", default=0.0, min=0, max=1
    )
    seed: int = option("Decides all walls and draws.", default=0, min=0)
    cluster: str | None = option(CLUSTER, default=None)


def play_selfplay(options: SelfplayOptions) -> None:
    """Play games of one player and keep their hands for janshi train. Ctrl-C can be resumed."""
    from janshi.cluster import workers
    from janshi.files import working_in
    from janshi.games import game_of
    from janshi.learn.datasets import dataset_of

    with interrupted("interrupted; run the same command to resume"):
        rules = rules_named(options.rules)
        play = dataset_of(game_of(rules).name).play
        with working_in(options.out), workers(options.cluster) as team, counting_bar() as bar:
            task = bar.add_task("playing", total=options.games)
            hands = play(
                options.player,
                rules,
                options.games,
                options.seed,
                folder=options.out,
                explore=options.explore,
                team=team,
                progress=lambda over: bar.update(task, completed=over),
            )
    typer.echo(f"{len(hands):,} hands of {options.games:,} games in {options.out}")

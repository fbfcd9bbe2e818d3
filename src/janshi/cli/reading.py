"""Reading records with a bar, for the commands that learn from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.progress import Progress


def reading(bar: Progress, paths: list[Path], players: int, game: str = "", **options: Any) -> Any:
    """Read hands of a game, by default the first, with options of `janshi.learn.datasets.Dataset.read`, and a bar."""
    from janshi.games import GAMES
    from janshi.learn.datasets import dataset_of

    read = dataset_of(game or GAMES.first).read
    task = bar.add_task("reading records", total=None)
    hands = read(
        paths,
        players,
        progress=lambda games: bar.update(task, description=f"read {games:,} games"),
        **options,
    )
    bar.update(task, total=1, completed=1, description=f"read {len(hands):,} hands")
    return hands

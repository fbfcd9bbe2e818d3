"""Reading records with a bar, for the commands that learn from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.progress import Progress


def reading(
    bar: Progress, paths: list[Path], players: int, game: str = "", *, chosen: bool = False, **options: Any
) -> Any:
    """Read hands of a game, by default the first, with options of `janshi.learn.datasets.Dataset.read`, and a bar.

    ``chosen``: the number of players is the command's option ``--players``, which the message for a wrong one names.
    """
    from janshi.games import GAMES
    from janshi.learn.datasets import DatasetError, dataset_of

    read = dataset_of(game or GAMES.first).read
    task = bar.add_task("reading records", total=None)
    try:
        hands = read(
            paths,
            players,
            progress=lambda games: bar.update(task, description=f"read {games:,} games"),
            **options,
        )
    except DatasetError as error:
        if chosen and f"{players} players" in str(error):
            raise DatasetError(f"{error}; --players chooses the number") from None
        raise
    bar.update(task, total=1, completed=1, description=f"read {len(hands):,} hands")
    return hands

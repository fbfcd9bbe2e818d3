"""Reading records with a bar, for the commands that learn from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import Progress

if TYPE_CHECKING:
    from janshi.learn.dataset import HandSet


def reading(bar: Progress, paths: list[Path], players: int) -> HandSet:
    """Read hands while a bar says so."""
    from janshi.learn.dataset import read_hands

    task = bar.add_task("reading records", total=None)
    hands = read_hands(paths, players, progress=lambda games: bar.update(task, description=f"read {games:,} games"))
    bar.update(task, total=1, completed=1, description=f"read {len(hands):,} hands")
    return hands

"""Records for the tests: real ones, and generated games."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from made_games import make_game

from janshi.riichi.records import RiichiGame


@pytest.fixture(scope="session")
def sample(records: Path) -> Callable[[str, int], Iterator[tuple[str, bytes]]]:
    """Return evenly spread members of an archive with their bytes."""

    def members(archive: str, count: int) -> Iterator[tuple[str, bytes]]:
        with zipfile.ZipFile(records / f"{archive}.zip") as stream:
            names = sorted(stream.namelist())
            for name in names[:: max(1, len(names) // count)]:
                yield name, stream.read(name)

    return members


@pytest.fixture(params=[(3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3)], ids=lambda p: f"{p[0]}players-{p[1]}")
def made(request: pytest.FixtureRequest) -> RiichiGame:
    """Return a generated game with names that need quoting."""
    game = make_game(*request.param)
    game.names[0] = "ⓝ 雀士 \"<&>'"
    return game

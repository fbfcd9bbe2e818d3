"""Scales: the points of the places of a game, by the room, league or federation that counts them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.registries import suggestion

_FILE: Final = Path(__file__).with_suffix(".toml")
#: The scale by which results are compared unless another one is named.
PLACE: Final = "place"


class ScaleError(ValueError):
    """An unknown scale, or one without points for a number of players."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Points of places."""

    name: str
    source: str
    by_players: Mapping[int, tuple[float, ...]]
    """Points of the first, second … place, by the number of players."""

    def points(self, players: int) -> NDArray[np.float64]:
        """Return the points of the places (players). Raise `ScaleError` where there are none for so many players."""
        if players not in self.by_players:
            raise ScaleError(f"scale {self.name!r} has no points for {players} players")
        return np.array(self.by_players[players], np.float64)


@lru_cache(maxsize=1)
def scales() -> dict[str, Scale]:
    """Return every scale by its name.

    >>> scales()["m-league"].points(4).tolist()
    [50.0, 10.0, -10.0, -30.0]
    """
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    made = {}
    for name, table in tables.items():
        source = table.pop("source")
        made[name] = Scale(name, source, {int(players): tuple(map(float, table[players])) for players in table})
    return made


def scale(name: str) -> Scale:
    """Return a scale. Raise `ScaleError` for an unknown name."""
    known = scales()
    if name not in known:
        raise ScaleError(f"no scale {name!r}{suggestion(name, known)}: there are {', '.join(known)}")
    return known[name]

"""Scales: the points of final places in rooms, leagues and federations."""

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
#: The default scale of comparisons.
PLACE: Final = "place"


class ScaleError(ValueError):
    """Raised for an unknown scale, or one without points for a number of players."""


@dataclass(frozen=True, slots=True)
class PlacementScale:
    """Points of places."""

    name: str
    source: str
    by_players: Mapping[int, tuple[float, ...]]
    """Points of the first, second … place, by the number of players."""

    def points(self, players: int) -> NDArray[np.float64]:
        """Return the points of the places (players). Raise `ScaleError` if the scale has none for that number."""
        if players not in self.by_players:
            raise ScaleError(f"scale {self.name!r} has no points for {players} players")
        return np.array(self.by_players[players], np.float64)


@lru_cache(maxsize=1)
def scales() -> dict[str, PlacementScale]:
    """Return every scale by name; a room's scale is that of its first level, and those of its levels follow it.

    >>> scales()["m-league"].points(4).tolist()
    [50.0, 10.0, -10.0, -30.0]
    >>> scales()["tenhou-phoenix-8dan"].points(3).tolist()
    [105.0, 0.0, -150.0]
    """
    made = {}
    for name, table in tomllib.loads(_FILE.read_text(encoding="utf-8")).items():
        source = table.pop("source")
        levels, last = table.pop("levels", []), table.pop("last", {})
        made[name] = PlacementScale(name, source, _points(table, last, 0))
        for number, level in enumerate(levels):
            leveled = f"{name}-{level}"
            made[leveled] = PlacementScale(leveled, f"{source}, {level}", _points(table, last, number))
    return made


def _points(
    places: Mapping[str, list[float]], last: Mapping[str, list[float]], level: int
) -> dict[int, tuple[float, ...]]:
    """Return the points of places by the number of players, with the last place of a level."""
    return {
        int(players): tuple(map(float, [*points, *last.get(players, [])[level : level + 1]]))
        for players, points in places.items()
    }


def scale(name: str) -> PlacementScale:
    """Return a scale. Raise `ScaleError` for an unknown name."""
    known = scales()
    if name not in known:
        rooms = tomllib.loads(_FILE.read_text(encoding="utf-8"))
        raise ScaleError(
            f"no scale {name!r}{suggestion(name, known)}: there are {', '.join(rooms)}; a room's levels have scales of "
            "their own, such as tenhou-phoenix-8dan"
        )
    return known[name]

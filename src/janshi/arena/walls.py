"""Results of whole games on walls for every player, the basis of comparisons and ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from janshi.core.places import final_ranks
from janshi.worth.scales import PlacementScale


@dataclass(frozen=True, slots=True, eq=False)
class WallResults:
    """Results of games on walls, one row a game; columns are the players of the line-up, not the seats.

    In rotation r player i has seat (i + r) mod players. A wall is complete if all its rotations are present.
    """

    players: tuple[str, ...]
    """Names in the order of rotation 0; a player in several seats occurs once for each."""
    wall: NDArray[np.int64]
    """Wall of each game (n)."""
    rotation: NDArray[np.int8]
    """Rotation of the players in each game (n)."""
    points: NDArray[np.int32]
    """Final points (n, players)."""
    places: NDArray[np.int8]
    """Places 1, 2, 3 … (n, players); equal points rank in the order of the seats."""
    luck: NDArray[np.float64]
    """Estimated luck (n, players) in the unit of its measure; 0 if it was not estimated."""

    def __len__(self) -> int:
        return len(self.wall)

    @classmethod
    def of_seats(
        cls,
        players: Sequence[str],
        wall: NDArray[np.int64],
        rotation: NDArray[np.int8],
        final: NDArray[np.int32],
        luck: NDArray[np.float64] | None = None,
    ) -> WallResults:
        """Return the results of games from final points and luck by seat (n, players).

        >>> found = WallResults.of_seats("abc", np.array([0]), np.array([1], np.int8), np.array([[10, 30, 20]]))
        >>> found.points.tolist(), found.places.tolist()
        ([[30, 20, 10]], [[1, 2, 3]])
        """
        seats = (np.arange(len(players)) + rotation.astype(np.int64)[:, None]) % len(players)
        points: NDArray[np.int32] = np.take_along_axis(final, seats, axis=1)
        places: NDArray[np.int8] = np.take_along_axis(final_ranks(final), seats, axis=1)
        estimated = np.zeros(final.shape) if luck is None else np.take_along_axis(luck, seats, axis=1)
        return cls(tuple(players), wall, rotation, points, places, estimated)

    @property
    def walls(self) -> NDArray[np.int64]:
        """Distinct walls in ascending order."""
        return np.unique(self.wall)

    def part(self, rows: NDArray[Any]) -> WallResults:
        """Return some of the games (indices or a mask), in that order."""
        return WallResults(self.players, *(getattr(self, column)[rows] for column in _COLUMNS))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the columns by name, for `of_arrays`."""
        return {column: getattr(self, column) for column in _COLUMNS}

    @classmethod
    def of_arrays(cls, players: tuple[str, ...], arrays: Mapping[str, NDArray[Any]]) -> WallResults:
        """Return the results of these players from the result of `arrays`."""
        return cls(players, *(arrays[column] for column in _COLUMNS))

    @staticmethod
    def joined(parts: Sequence[WallResults]) -> WallResults:
        """Return the joined games of one or more parts of one match."""
        columns = (np.concatenate([getattr(part, column) for part in parts]) for column in _COLUMNS)
        return WallResults(parts[0].players, *columns)

    def by_wall(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Return the means of values of games (n) over the rotations of each wall (walls), walls ascending."""
        _, group = np.unique(self.wall, return_inverse=True)
        means: NDArray[np.float64] = np.bincount(group, weights=values) / np.bincount(group)
        return means


_COLUMNS = tuple(column.name for column in fields(WallResults) if column.name != "players")

#: Value of a game for its players: a function of results (n games) that returns (n, players; float64), higher is
#: better; for example the points of the places.
Measure: TypeAlias = Callable[[WallResults], NDArray[np.float64]]


def place_measure(results: WallResults) -> NDArray[np.float64]:
    """Return the negative places, so that higher is better: the default measure."""
    return -results.places.astype(np.float64)


def scale_measure(scale: PlacementScale) -> Measure:
    """Return the measure of a scale: the points of the places.

    The measure raises `janshi.worth.scales.ScaleError` if the scale has no points for the number of players.
    """

    def measure(results: WallResults) -> NDArray[np.float64]:
        return scale.points(results.places.shape[1])[results.places - 1]

    return measure

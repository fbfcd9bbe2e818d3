"""The ladder of a pool as rows, best first."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from janshi.files import finite
from janshi.ratings.model import Ladder, fit
from janshi.ratings.pool import Games, Pool, PoolError, Version
from janshi.registries import suggestion
from janshi.statistics import Estimate


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One version on the ladder."""

    player: str
    """Label: see `janshi.ratings.pool.Version.label`."""
    digest: str
    rating: Estimate
    """``count``: number of its walls."""
    games: int
    above_next: float | None
    """Probability that its rating is above the next one's; None for the last."""


@dataclass(frozen=True, slots=True)
class Standings:
    """The ladder of a pool."""

    rules: str
    seed: int
    anchor: str
    games: int
    walls: int
    rows: tuple[LadderRow, ...]
    order: tuple[Version, ...]
    """The versions of the rows."""
    places: tuple[int, ...]
    """Their indices in ``ladder``."""
    ladder: Ladder
    played: Games
    """The games, with indices in ``ladder`` as players."""

    def as_json(self) -> dict[str, Any]:
        """Return rules, seed, counts and rows as plain data for ``json.dumps``."""
        names = ("rules", "seed", "anchor", "games", "walls")
        content = {name: getattr(self, name) for name in names} | {"players": [asdict(row) for row in self.rows]}
        cleaned: dict[str, Any] = finite(content)
        return cleaned


def standings(pool: Pool, seats: int, anchor: str = "", at: float = 0.0) -> Standings:
    """Return the ladder of a pool without versions that have not played.

    Args:
        pool: the pool.
        seats: number of seats at a table.
        anchor: label of the player with the rating ``at``; default: ``random``, or the first player.
        at: rating of the anchor.

    Raises `PoolError` if there are no games, or if no player has the anchor's name.
    """
    played, _ = pool.games(seats)
    if not len(played.walls):
        raise PoolError(f"{pool.path} has no games yet: janshi rate run {pool.path}")
    versions = pool.versions()
    numbers = np.unique(played.orders)
    shown = [version for version in versions if version.number in numbers]
    orders = np.searchsorted(numbers, played.orders)
    ladder = fit(orders, played.walls, len(numbers))
    labels = [version.label for version in shown]
    if anchor and anchor not in labels:
        raise PoolError(f"no player {anchor!r} has played: there are {', '.join(labels)}{suggestion(anchor, labels)}")
    fixed = labels.index(anchor or ("random" if "random" in labels else labels[0]))
    places = np.argsort(-ladder.strength, kind="stable").tolist()
    rows = []
    for place, following in zip(places, [*places[1:], None], strict=True):
        above = None if following is None else ladder.better(place, following)
        rating = ladder.rating(place, fixed, at)
        rows.append(LadderRow(labels[place], shown[place].digest, rating, int(ladder.games[place]), above))
    return Standings(
        rules=pool.rules,
        seed=pool.seed,
        anchor=f"{labels[fixed]} = {at:g}",
        games=len(played.walls),
        walls=len(np.unique(played.walls)),
        rows=tuple(rows),
        order=tuple(shown[place] for place in places),
        places=tuple(places),
        ladder=ladder,
        played=Games(orders, played.walls),
    )

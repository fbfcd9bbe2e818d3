"""Choice of the next seating: the one with the largest expected information about the ratings.

The expected information is half the logarithm of the determinant of 1 + I C. I is the information of the seating's
games about the seats' strengths (`janshi.ratings.model.information_of`), C the covariance of these strengths by the
current posterior (Lindley, On a Measure of the Information Provided by an Experiment, 1956; Bayesian D-optimality). It
is large between players whose ratings are close or uncertain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from math import comb
from typing import Final

import numpy as np

from janshi.ratings.model import Floats, Indices, fisher, information_of, maximise, prior_precision

#: Maximum number of compared seatings; a larger set is sampled.
_MOST: Final = 5000


class Chooser:
    """Chooses seatings from the games so far.

    ``seats``: number of seats at a table. Players are indices.
    """

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self._counts: Counter[tuple[int, ...]] = Counter()
        self._strength: dict[int, float] = {}

    def add(self, orders: Indices) -> None:
        """Add games: players from the first to the last place (n, seats)."""
        self._counts.update(map(tuple, orders.tolist()))

    def choose(self, able: Iterable[int], claimed: Sequence[Sequence[int]], seed: int) -> tuple[int, ...]:
        """Return the seating whose wall has the largest expected information.

        Args:
            able: players that can play, at least two.
            claimed: seatings of walls in progress, which count as finished.
            seed: seed of the sample of seatings if there are too many.

        >>> chooser = Chooser(2)
        >>> chooser.add(np.array([[4, 5]] * 40 + [[6, 5], [5, 6]]))
        >>> chooser.choose([4, 5, 6], [], 0)
        (5, 6)
        """
        able = sorted(able)
        players = np.unique([*able, *(player for seating in (*self._counts, *claimed) for player in seating)])
        orders = np.searchsorted(players, np.array(list(self._counts), np.int64).reshape(-1, self.seats))
        counts = np.array(list(self._counts.values()), np.float64)
        start = np.array([self._strength.get(player, 0.0) for player in players.tolist()])
        strength = maximise(orders, counts, len(players), start)
        self._strength = dict(zip(players.tolist(), strength.tolist(), strict=True))
        precision = fisher(orders, counts, strength) + prior_precision(len(players))
        for seating in claimed:
            chairs = np.searchsorted(players, seating)
            np.add.at(precision, np.ix_(chairs, chairs), self._told(strength[chairs[None]])[0])
        candidates = _seatings(able, self.seats, seed)
        chairs = np.searchsorted(players, candidates)
        spread = np.linalg.inv(precision)[chairs[:, :, None], chairs[:, None, :]]
        _, gain = np.linalg.slogdet(np.eye(self.seats) + self._told(strength[chairs]) @ spread)
        # The first of those that are equal up to rounding.
        return tuple(candidates[int(np.flatnonzero(gain > gain.max() - 1e-9)[0])].tolist())

    def _told(self, strength: Floats) -> Floats:
        """Return the information of a wall with each seating (n, seats, seats), one game for each rotation."""
        return self.seats * information_of(strength)


def _seatings(players: Sequence[int], seats: int, seed: int) -> Indices:
    """Return seatings (n, seats) with at least two different players."""
    count = comb(len(players) + seats - 1, seats)
    if count <= _MOST:
        every = np.array(list(combinations_with_replacement(players, seats)))
    else:
        random = np.random.default_rng(seed)
        every = np.unique(np.sort(random.choice(np.array(players), (_MOST, seats)), axis=1), axis=0)
    different: Indices = every[every[:, 0] != every[:, -1]]
    return different

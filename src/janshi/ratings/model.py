"""Ratings from the final orders of games: Plackett and Luce's model, fitted by maximum a posteriori.

Each player has a strength θ. The places are filled from the first on: each remaining player takes the next place with a
probability proportional to exp θ (Plackett, The Analysis of Permutations, 1975; Luce, Individual Choice Behavior,
1959). For two players it is the model of Bradley and Terry (1952). A rating is 400/ln 10 · θ: a player rated 400 above
another ends before it in ten games of eleven, as in Elo's scale.

The prior is normal with a standard deviation of `PRIOR` and the same mean for all. It keeps the rating of a player that
has won or lost every game finite. Games on one wall are not independent: intervals come from the sum of each wall's
scores (the sandwich estimator of Liang and Zeger, Longitudinal Data Analysis Using Generalized Linear Models, 1986,
with the correction CR3 of Bell and McCaffrey, Bias Reduction in Standard Errors for Linear Regression with Multi-Stage
Samples, 2002).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.installing import naming_extra
from janshi.statistics import Estimate

with naming_extra(__name__):
    from scipy.special import expit, log_softmax, ndtr, ndtri

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

#: Points of rating for one unit of θ.
SCALE: Final = 400 / np.log(10)
#: Standard deviation of the prior in points of rating.
PRIOR: Final = 1000.0
#: Maximum change of a θ in one step of Newton's method: far from the optimum a full step may overshoot.
_STEP: Final = 2.0
_STEPS: Final = 500
_CLOSE: Final = 1e-10
#: Quantile of 95 % intervals.
_Z: Final = float(ndtri(0.975))


@dataclass(frozen=True, slots=True)
class Ladder:
    """Ratings of players with their uncertainty.

    ``strength`` (players): θ; ``covariance`` (players, players) of θ, by wall; ``games`` and ``walls`` (players): the
    numbers of games and walls of each player.
    """

    strength: Floats
    covariance: Floats
    games: Indices
    walls: Indices

    def rating(self, player: int, anchor: int, at: float = 0.0) -> Estimate:
        """Return a player's rating relative to an anchor rated ``at``, with the interval of their difference."""
        found = self.difference(player, anchor)
        return Estimate(found.value + at, found.low + at, found.high + at, found.count)

    def difference(self, player: int, other: int) -> Estimate:
        """Return the difference of two ratings; ``count``: the first player's walls."""
        value = float(SCALE * (self.strength[player] - self.strength[other]))
        reach = float(_Z * SCALE * self._spread(player, other))
        return Estimate(value, value - reach, value + reach, int(self.walls[player]))

    def better(self, player: int, other: int) -> float:
        """Return the probability that a player's rating is above another's, by the normal approximation."""
        spread = self._spread(player, other)
        return float(ndtr((self.strength[player] - self.strength[other]) / spread)) if spread else 0.5

    def expected(self, player: int, other: int) -> float:
        """Return the model's share of games in which a player ends before another."""
        return float(expit(self.strength[player] - self.strength[other]))

    def _spread(self, player: int, other: int) -> float:
        """Return the standard error of the difference of two θ."""
        own = self.covariance[player, player] + self.covariance[other, other] - 2 * self.covariance[player, other]
        return float(np.sqrt(max(own, 0.0)))


def fit(orders: Indices, walls: Indices, players: int) -> Ladder:
    """Return the ladder of games.

    Args:
        orders: players of each game from the first to the last place (n, seats).
        walls: number of the wall of each game (n).
        players: number of players, including those without games.

    A player may sit in several seats of a game. Raises `ValueError` for arrays that do not fit.

    >>> ladder = fit(np.array([[0, 1, 2]] * 8 + [[1, 0, 2]] * 4), np.arange(12), 3)
    >>> ladder.strength.argsort().tolist(), round(ladder.difference(0, 1).value)
    ([2, 1, 0], 119)
    """
    if orders.ndim != 2 or walls.shape != orders.shape[:1]:
        raise ValueError(f"orders of shape {orders.shape} and walls of shape {walls.shape}")
    kinds, kind, counts = _distinct(orders)
    strength = maximise(kinds, counts.astype(np.float64), players)
    scores, information = _derivatives(kinds, counts.astype(np.float64), strength)
    _, wall = np.unique(walls, return_inverse=True)
    each = np.zeros((int(wall.max(initial=-1)) + 1, players))
    np.add.at(each, wall, scores[kind])
    played = np.zeros_like(each, dtype=np.bool_)
    played[np.repeat(wall, orders.shape[1]), orders.ravel()] = True
    _, first = np.unique(walls, return_index=True)
    games = np.zeros(players, np.int64)
    for row, count in zip(kinds.tolist(), counts.tolist(), strict=True):
        games[list(set(row))] += count
    covariance = _covariance(each, np.sort(orders[first], axis=1), information, strength)
    return Ladder(strength, covariance, games, played.sum(axis=0))


def maximise(orders: Indices, counts: Floats, players: int, start: Floats | None = None) -> Floats:
    """Return θ (players) at the maximum of the posterior.

    Args:
        orders: distinct orders of players (n, seats), the first place first.
        counts: frequency of each order (n).
        players: number of players.
        start: initial θ (players); default: zeros.
    """
    strength = np.zeros(players) if start is None else start.copy()
    precision = prior_precision(players)
    for _ in range(_STEPS):
        scores, information = _derivatives(orders, counts, strength)
        step = np.linalg.solve(information + precision, counts @ scores - precision @ strength)
        largest = float(np.abs(step).max(initial=0.0))
        strength += step * min(1.0, _STEP / max(largest, _CLOSE))
        if largest < _CLOSE:
            break
    return strength


def fisher(orders: Indices, counts: Floats, strength: Floats) -> Floats:
    """Return the Fisher information of games about θ (players, players); arguments as in `maximise`."""
    _, information = _derivatives(orders, counts, strength)
    return information


def rating_of_places(games: Sequence[tuple[int, Sequence[float]]]) -> Estimate:
    """Return a player's rating by its places against opponents with known ratings.

    Args:
        games: the place, from 1, and the opponents' ratings of each game, at least one.

    The value is the median of the posterior, the interval contains 95 % of it. The prior is normal around the mean
    rating of the opponents.

    >>> found = rating_of_places([(1, [500.0, 500.0]), (2, [500.0, 500.0])])
    >>> round(found.value), round(found.low), round(found.high), found.count
    (721, 288, 1274, 2)
    """
    centre = float(np.mean([rating for _, opponents in games for rating in opponents]))
    ratings = centre + np.arange(-4 * PRIOR, 4 * PRIOR + 1)
    density = -0.5 * ((ratings - centre) / PRIOR) ** 2
    for (place, opponents), count in Counter((place, tuple(sorted(others))) for place, others in games).items():
        density += count * np.log(_chance_of_place(ratings / SCALE, np.array(opponents) / SCALE, place))
    below = np.cumsum(np.exp(density - density.max()))
    low, value, high = (float(ratings[np.searchsorted(below, share * below[-1])]) for share in (0.025, 0.5, 0.975))
    return Estimate(value, low, high, len(games))


def _chance_of_place(strength: Floats, opponents: Floats, place: int) -> Floats:
    """Return the probability of a place (n) for θ of a player (n) against opponents."""
    chance = np.zeros(len(strength))
    for order in permutations(opponents):
        seats = [np.full_like(strength, each) for each in order]
        seats.insert(place - 1, strength)
        table = np.stack(seats, axis=1)
        chance += np.exp(sum(log_softmax(table[:, first:], axis=1)[:, 0] for first in range(len(seats) - 1)))
    return chance


def prior_precision(players: int) -> Floats:
    """Return the precision of the prior of θ (players, players)."""
    precision: Floats = np.eye(players) * (SCALE / PRIOR) ** 2
    return precision


def information_of(strength: Floats) -> Floats:
    """Return the Fisher information of one game about its players' strengths (n, seats, seats).

    ``strength``: θ by seat (n, seats).

    >>> information_of(np.zeros((1, 2)))[0].tolist()
    [[0.25, -0.25], [-0.25, 0.25]]
    """
    n, seats = strength.shape
    found = np.zeros((n, seats, seats))
    for order in permutations(range(seats)):
        chance = np.ones(n)
        parts = np.zeros((n, seats, seats))
        for first in range(seats - 1):
            left = list(order[first:])
            shares = np.exp(log_softmax(strength[:, left], axis=1))
            parts[np.ix_(range(n), left, left)] += _spread_of(shares)
            chance *= shares[:, 0]
        found += chance[:, None, None] * parts
    return found


def _spread_of(shares: Floats) -> Floats:
    """Return the covariance (n, k, k) of a choice with probabilities ``shares`` (n, k)."""
    spread: Floats = shares[:, :, None] * (np.eye(shares.shape[1]) - shares[:, None, :])
    return spread


def _distinct(orders: Indices) -> tuple[Indices, Indices, Indices]:
    """Return the distinct orders (k, seats), their index in each game (n), and their frequencies (k)."""
    if not len(orders):
        return orders, np.zeros(0, np.int64), np.zeros(0, np.int64)
    kinds, kind, counts = np.unique(orders, axis=0, return_inverse=True, return_counts=True)
    return kinds, kind.ravel(), counts


def _derivatives(orders: Indices, counts: Floats, strength: Floats) -> tuple[Floats, Floats]:
    """Return the gradient of each order's log-likelihood (n, players), and the total information (players, players)."""
    n, seats = orders.shape
    rows = np.arange(n)
    scores = np.zeros((n, len(strength)))
    information = np.zeros((len(strength), len(strength)))
    for first in range(seats - 1):
        left = orders[:, first:]
        shares = np.exp(log_softmax(strength[left], axis=1))
        scores[rows, left[:, 0]] += 1
        # A player may occupy several seats, whose contributions add up.
        np.add.at(scores, (rows[:, None], left), -shares)
        spread = counts[:, None, None] * _spread_of(shares)
        np.add.at(information, (left[:, :, None], left[:, None, :]), spread)
    return scores, information


def _covariance(scores: Floats, seatings: Indices, information: Floats, strength: Floats) -> Floats:
    """Return the covariance of θ from the scores of walls and the information of all games.

    Args:
        scores: scores of each wall (walls, players).
        seatings: seating of each wall, players in ascending order (walls, seats).
        information: information of all games (players, players).
        strength: θ (players).
    """
    precision = prior_precision(len(information))
    inverse = np.linalg.inv(information + precision)
    n = len(scores)
    adjusted = scores.copy()
    kinds, kind, _ = _distinct(seatings)
    for number, (told, seating) in enumerate(zip(information_of(strength[kinds]), kinds, strict=True)):
        # A wall pulls the fit towards itself, which makes its scores too small; CR3 corrects this.
        sitting, chair = np.unique(seating, return_inverse=True)
        own = np.zeros((len(sitting), len(sitting)))
        np.add.at(own, (chair[:, None], chair[None, :]), seatings.shape[1] * told)
        lever = np.eye(len(sitting)) - own @ inverse[np.ix_(sitting, sitting)]
        rows = np.ix_(np.flatnonzero(kind == number), sitting)
        adjusted[rows] = np.linalg.solve(lever, scores[rows].T).T
    meat = adjusted.T @ adjusted * ((n - 1) / n if n > 1 else 1)
    return inverse @ (meat + precision) @ inverse

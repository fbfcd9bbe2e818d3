"""What a match says: rates and means of every player, by seat and in all, with 95 % intervals."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from janshi.arena.matches import Match, places
from janshi.engine.state import TSUMO

_LEVEL: Final = 0.95
WINDS: Final = ("East", "South", "West", "North")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float
    count: int
    """Hands (or games, or walls) that it comes from."""


@dataclass(frozen=True, slots=True)
class Row:
    """One player in one seat (by its wind at the hand's start), or in all."""

    player: str
    seat: str
    hands: int
    places: tuple[Estimate, ...]
    """Rate of first, second, third (and fourth) places of hands with a winner."""
    draw: Estimate
    win: Estimate
    tsumo: Estimate
    deal_in: Estimate
    riichi: Estimate
    call: Estimate
    points: Estimate
    """Change of points a hand."""
    value: Estimate
    """Worth of a won hand."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """One player over whole games."""

    player: str
    games: int
    places: tuple[Estimate, ...]
    rank: Estimate
    points: Estimate
    """Points at the end."""


def rate(hits: NDArray[np.bool_]) -> Estimate:
    """Return a rate with Wilson's interval."""
    count, number = int(hits.sum()), len(hits)
    if number == 0:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    share = count / number
    # Wilson's score interval, written out: importing scipy.stats for it takes longer than many a match.
    z = float(ndtri((1 + _LEVEL) / 2))
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    reach = z / (1 + z * z / number) * ((share * (1 - share) + z * z / (4 * number)) / number) ** 0.5
    # It holds the rate itself; at 0 and 1, where they meet, rounding may say otherwise.
    return Estimate(share, min(max(0.0, middle - reach), share), max(min(1.0, middle + reach), share), number)


def mean(values: NDArray[Any], groups: NDArray[np.int64]) -> Estimate:
    """Return a mean with the interval of Student's t over groups: what shares a wall is not independent."""
    if len(values) == 0:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    _, place = np.unique(groups, return_inverse=True)
    count = np.bincount(place)
    each = np.bincount(place, weights=values) / count
    middle = float(np.mean(values))
    if len(each) < 2:
        return Estimate(middle, float("nan"), float("nan"), len(each))
    # A ratio of sums over the groups, linearised: groups of unequal size weigh by their size.
    spread = float(np.std((each - middle) * count / count.mean(), ddof=1)) / len(each) ** 0.5
    reach = float(stdtrit(len(each) - 1, (1 + _LEVEL) / 2)) * spread
    return Estimate(middle, middle - reach, middle + reach, len(each))


def rows(match: Match) -> list[Row]:
    """Return the table of a match: every player in all seats and in each."""
    hands = match.hands
    players = match.rules.players
    placed = places(hands)
    found = []
    for player, name in enumerate(match.names):
        seats = (hands.rotation.astype(np.int64) + player) % players
        winds = (seats - hands.dealer) % players
        for wind in (None, *range(players)):
            which = np.arange(len(seats)) if wind is None else np.flatnonzero(winds == wind)
            at = seats[which]
            place = placed[which, at]
            won = hands.won[which, at]
            walls = hands.wall[which]
            found.append(
                Row(
                    name,
                    "all" if wind is None else WINDS[wind],
                    len(which),
                    tuple(rate(place == number) for number in range(1, players + 1)),
                    rate(place == 0),
                    rate(won),
                    rate(won & (hands.ended[which] == TSUMO)),
                    rate(hands.dealt_in[which, at]),
                    rate(hands.riichi[which, at]),
                    rate(hands.called[which, at]),
                    mean(hands.change[which, at], walls),
                    mean(hands.value[which, at][won], walls[won]),
                )
            )
    return found


def game_rows(match: Match) -> list[GameRow]:
    """Return how the games ended for every player; equal points rank in the order of the seats."""
    players = match.rules.players
    order = np.argsort(-match.final, axis=1, kind="stable")
    ranks = np.argsort(order, axis=1, kind="stable") + 1
    found = []
    for player, name in enumerate(match.names):
        seats = (match.game_rotation.astype(np.int64) + player) % players
        games = np.arange(len(seats))
        rank = ranks[games, seats] if len(seats) else np.zeros(0, np.int64)
        points = match.final[games, seats] if len(seats) else np.zeros(0, np.int32)
        found.append(
            GameRow(
                name,
                len(seats),
                tuple(rate(rank == number) for number in range(1, players + 1)),
                mean(rank, match.game_wall),
                mean(points, match.game_wall),
            )
        )
    return found


def as_json(match: Match) -> dict[str, Any]:
    """Return everything as plain numbers for ``json.dumps``; what there is no figure for is None."""
    said = {
        "players": list(match.names),
        "rules": match.rules.name,
        "seed": match.seed,
        "walls": match.walls,
        "interrupted": match.interrupted,
        "hands": [asdict(row) for row in rows(match)],
        "games": [asdict(row) for row in game_rows(match)],
        "faults": {name: asdict(faults) for name, faults in match.faults.items()},
    }
    cleaned: dict[str, Any] = finite(said)
    return cleaned


def finite(value: Any) -> Any:
    """Return plain data with None for what is no finite number: JSON has none of those."""
    if isinstance(value, dict):
        return {name: finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else value

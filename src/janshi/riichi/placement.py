"""Inputs of the placement model for Riichi: scaled points, round, honba and deposits."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.core.places import final_ranks
from janshi.riichi.rules import Length
from janshi.worth.placement import Placement

#: Points in which differences between two seats are told apart: small, a hand, several hands.
_SCALES: Final = (1_500.0, 5_000.0, 15_000.0)
#: Rounds: East, South, West, four hands each.
_ROUNDS: Final = 12
_MOST_HONBA: Final = 5.0


def features_of(
    rules: Any, points: NDArray[Any], kyoku: NDArray[Any], honba: NDArray[Any], deposits: NDArray[Any]
) -> NDArray[np.float32]:
    """Return the network's input (n, features) from points (n, players) by seat, and round, honba, deposits (n)."""
    players = rules.players
    seats = (np.arange(players) + kyoku[:, None] % 4) % players
    own = np.take_along_axis(points.astype(np.float32), seats, axis=1)
    pairs = [own[:, first] - own[:, second] for first, second in combinations(range(players), 2)]
    columns = [np.tanh(pair / scale) for pair in pairs for scale in _SCALES]
    columns += [own[:, seat] / 20_000 for seat in range(players)]
    columns += [np.tanh(own[:, seat] / 4_000) for seat in range(players)]
    columns += [np.tanh((own.max(axis=1) - rules.target) / 4_000)]
    columns += [np.minimum(honba, _MOST_HONBA) / _MOST_HONBA, np.minimum(deposits, _MOST_HONBA) / _MOST_HONBA]
    rounds = np.eye(_ROUNDS, dtype=np.float32)[np.clip(kyoku, 0, _ROUNDS - 1)]
    short = np.full((len(points), 1), float(rules.length == Length.EAST))
    return np.concatenate([np.stack(columns, axis=1), rounds, rounds * short, short], axis=1).astype(np.float32)


def _features(rules: Any, states: NDArray[Any]) -> NDArray[np.float32]:
    points = states["seats"]["points"][:, : rules.players]
    return features_of(rules, points, states["kyoku"], states["honba"], states["deposits"])


def _dealer(states: NDArray[Any]) -> NDArray[np.int64]:
    return states["dealer"].astype(np.int64)


def _final_places(rules: Any, states: NDArray[Any]) -> NDArray[np.int64]:
    return final_ranks(states["seats"]["points"][:, : rules.players]).astype(np.int64) - 1


def _weights(players: int) -> Path:
    return Path(__file__).parents[1] / "players" / f"placement-{players}.safetensors"


#: The game's facet ``"placement"``.
PLACEMENT: Final = Placement(_weights, _features, _dealer, _final_places)

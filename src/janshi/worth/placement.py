"""The placement model: the probability of each final order of a game, at the beginning of a hand.

A small network (three dense layers in NumPy) reads points, round, honba and deposits. Its outputs are the probabilities
of all orders of the seats. The order of a finished game is exact. The idea is the global reward prediction of Suphx
(Li et al., 2020, section 3.2).

A game provides its model as its facet ``"placement"``, a `Placement`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import softmax
from janshi.games import GameError, game_of
from janshi.tensors import read_tensors


class PlacementError(ValueError):
    """Raised for a game without a placement model, or a file without its weights."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The facet ``"placement"`` of a game: its support of the placement model."""

    weights: Callable[[int], Path]
    """``(players)``: the weights' file."""
    features: Callable[[Any, NDArray[Any]], NDArray[np.float32]]
    """``(rules, states)``: the network's inputs (n, features) at the beginning of hands; seats count from the dealer.
    """
    dealer: Callable[[NDArray[Any]], NDArray[np.int64]]
    """``(states)``: the seat that the others are counted from (n)."""
    final_places: Callable[[Any, NDArray[Any]], NDArray[np.int64]]
    """``(rules, states)``: the place of each seat (n, players; 0 first) in finished games."""


@lru_cache(maxsize=4)
def orders(players: int) -> NDArray[np.int64]:
    """Return every final order (players!, players): the place (0 first) of each seat, counted from the dealer.

    >>> orders(3)[:2].tolist()
    [[0, 1, 2], [0, 2, 1]]
    """
    return np.array(list(permutations(range(players))), np.int64)


def order_shares(layers: Sequence[tuple[NDArray[Any], NDArray[Any]]], features: NDArray[Any]) -> NDArray[np.float32]:
    """Return the probability of every order (n, players!), by dense layers (weights, biases) over features (n, …)."""
    x = features
    for number, (weight, bias) in enumerate(layers):
        x = x @ weight + bias
        if number < len(layers) - 1:
            np.maximum(x, 0, out=x)
    return softmax(x)


def place_shares(shares: NDArray[np.float32], players: int) -> NDArray[np.float32]:
    """Return the probabilities of places (n, seats, places) from those of orders (n, players!), in the same order.

    >>> place_shares(np.array([[1, 0, 0, 0, 0, 0]], np.float32), 3)[0].tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    by_order = np.eye(players, dtype=np.float32)[orders(players)].reshape(-1, players * players)
    places: NDArray[np.float32] = (shares @ by_order).reshape(-1, players, players)
    return places


def load_layers(path: str | Path) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Return the dense layers of a file of weights. Raises `PlacementError` for another file."""
    try:
        arrays, _ = read_tensors(path)
        return [(arrays[f"weight {n}"].astype(np.float32), arrays[f"bias {n}"].astype(np.float32)) for n in range(3)]
    except (OSError, KeyError, ValueError) as error:
        raise PlacementError(f"{path} holds no weights of a placement model: {error}") from None


class PlacementModel:
    """The final order of games by rules of one game and number of players.

    Args:
        rules: of whole games.
        weights: a file of ``research/make_placement.py``; by default the one that ships.

    Raises `PlacementError` for a game without a model, and for a file without weights.

    >>> from janshi.riichi.rules import preset
    >>> from janshi.table import Tables
    >>> tables = Tables(preset("tenhou"), 2)
    >>> PlacementModel(tables.rules).places(tables.states).shape  # tables, seats, places
    (2, 4, 4)
    """

    def __init__(self, rules: Any, weights: str | Path | None = None) -> None:
        game = game_of(rules)
        try:
            self._placement: Placement = game.facet("placement")
        except GameError as error:
            raise PlacementError(f"{error} model") from None
        self.rules = rules
        self._hand_over = game.hand_over
        self._layers = load_layers(self._placement.weights(rules.players) if weights is None else weights)

    def order_probabilities(self, states: Any) -> NDArray[np.float32]:
        """Return the probability of every order of `orders` (n, players!) at the beginning of hands."""
        return order_shares(self._layers, self._placement.features(self.rules, np.asarray(states)))

    def places(self, states: Any) -> NDArray[np.float32]:
        """Return the probability of each final place of each seat (n, players, players: seat, place).

        ``states`` (n): tables at the beginning of a hand, or at the end of a game, where the places are exact. Raises
        `PlacementError` if a hand is over but its game is not: begin the next hand first.
        """
        tables = np.asarray(states)
        if (tables["phase"] == self._hand_over).any():
            raise PlacementError("a hand is over and its game is not: begin the next hand first")
        players = self.rules.players
        places = np.zeros((len(tables), players, players), np.float32)
        playing = np.flatnonzero(tables["phase"] < self._hand_over)
        if len(playing):
            begun = tables[playing]
            shares = place_shares(self.order_probabilities(begun), players)
            seats = (np.arange(players) + self._placement.dealer(begun)[:, None]) % players
            places[playing[:, None], seats] = shares
        over = np.flatnonzero(tables["phase"] > self._hand_over)
        if len(over):
            exact = self._placement.final_places(self.rules, tables[over])
            places[over[:, None], np.arange(players), exact] = 1
        return places

    def expected(self, states: Any, points: NDArray[Any]) -> NDArray[np.float32]:
        """Return the expected points of each seat's final place (n, players), by the points of the places (players)."""
        expected: NDArray[np.float32] = self.places(states) @ points.astype(np.float32)
        return expected

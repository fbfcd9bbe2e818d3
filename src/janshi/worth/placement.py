"""The placement model: the probability of each final order of a game, at the beginning of a hand.

A small network of three dense layers reads points, round, honba and deposits. Its outputs are the probabilities of all
orders of the seats. The order of a finished game is exact. The idea is the global reward prediction of Suphx (Li et
al., 2020, section 3.2).

A game provides its model as its facet ``"placement"``, a `Placement`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Floats, Record, leaf, rule, zeros
from janshi.games import GameError, game_of
from janshi.tensors import read_tensors

#: Units of each hidden layer; there are at most as many features and orders.
HIDDEN: Final = 96
_LN2: Final = 0.6931471805599453


class PlacementError(ValueError):
    """Raised for a game without a placement model, or a file without its weights."""


class PlaceShares(Record):
    """Probabilities of final places: seat · number of players + place, 0 the first."""

    shares: Annotated[NDArray[np.float32], 16]


class PlacementWorkspace(Record):
    """What a layer reads and writes, in turns."""

    given: Annotated[NDArray[np.float32], HIDDEN]
    found: Annotated[NDArray[np.float32], HIDDEN]


@dataclass(frozen=True, slots=True)
class Placement:
    """The facet ``"placement"`` of a game: its support of the placement model."""

    weights: Callable[[int], Path]
    """``(players)``: the weights' file."""
    write_places: Callable[..., Any]
    """``(states, weights, work, out)``: writes a `PlaceShares` record for each table at the beginning of a hand."""


# ---------------------------------------------------------------------------------------------------------
# Rules


@leaf
def exponential(number: float) -> float:
    """Return e to a power of at most 40, in every place the same digits."""
    twos = int(np.rint(number / _LN2))
    rest = number - twos * _LN2
    total = 1.0
    for term in range(16, 0, -1):
        total = 1.0 + total * rest / term
    for _ in range(abs(twos)):
        total *= 2.0 if twos > 0 else 0.5
    return total


@leaf
def squashed(number: float) -> float:
    """Return the hyperbolic tangent."""
    return 1.0 - 2.0 / (exponential(2.0 * min(max(number, -20.0), 20.0)) + 1.0)


@rule
def evaluate_layer(weights: Floats, first: int, work: PlacementWorkspace, inputs: int, outputs: int) -> int:
    """Write the outputs of a dense layer over its inputs; return the place of the next layer's weights."""
    bias = first + inputs * outputs
    for column in range(outputs):
        work.found[column] = weights[bias + column]
    for number in range(inputs):
        given = work.given[number]
        row = first + number * outputs
        for column in range(outputs):
            work.found[column] += given * weights[row + column]
    return bias + outputs


@rule
def evaluate_orders(weights: Floats, work: PlacementWorkspace, inputs: int, orders: int) -> None:
    """Write the probability of each order to ``work.found``; ``work.given``: the features of a hand's beginning."""
    at = 0
    width = inputs
    for _ in range(2):
        at = evaluate_layer(weights, at, work, width, HIDDEN)
        width = HIDDEN
        for unit in range(HIDDEN):
            work.given[unit] = max(work.found[unit], np.float32(0.0))
    evaluate_layer(weights, at, work, width, orders)
    most = work.found[0]
    for order in range(orders):
        most = max(most, work.found[order])
    total = 0.0
    for order in range(orders):
        work.found[order] = exponential(max(float(work.found[order] - most), -80.0))
        total += float(work.found[order])
    for order in range(orders):
        work.found[order] /= total


@rule
def add_places(work: PlacementWorkspace, players: int, dealer: int, out: PlaceShares) -> None:
    """Add up the probabilities of the orders, which are in the order of `itertools.permutations` from the dealer on."""
    orders = 1
    for number in range(2, players + 1):
        orders *= number
    for order in range(orders):
        rest = order
        block = orders
        free = (1 << players) - 1
        for step in range(players):
            block //= players - step
            skipped = rest // block
            rest -= skipped * block
            place = 0
            while skipped > 0 or free >> place & 1 == 0:
                skipped -= free >> place & 1
                place += 1
            free &= ~(1 << place)
            out.shares[(dealer + step) % players * players + place] += work.found[order]


# ---------------------------------------------------------------------------------------------------------
# The model


def load_weights(path: str | Path) -> NDArray[np.float32]:
    """Return the weights and biases of the layers in their order. Raises `PlacementError` for another file."""
    try:
        arrays, _ = read_tensors(path)
        layers = [arrays[f"{part} {number}"] for number in range(3) for part in ("weight", "bias")]
    except (OSError, KeyError, ValueError) as error:
        raise PlacementError(f"{path} holds no weights of a placement model: {error}") from None
    if layers[2].shape != (HIDDEN, HIDDEN):
        raise PlacementError(f"{path} holds no weights of a placement model: its hidden layers have not {HIDDEN} units")
    return np.concatenate([layer.ravel() for layer in layers], dtype=np.float32)


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
        self._weights = load_weights(self._placement.weights(rules.players) if weights is None else weights)

    def places(self, states: Any) -> NDArray[np.float32]:
        """Return the probability of each final place of each seat (n, players, players: seat, place).

        ``states`` (n): tables at the beginning of a hand, or at the end of a game, where the places are exact. Raises
        `PlacementError` if a hand is over but its game is not: begin the next hand first.
        """
        tables = np.ascontiguousarray(states)
        if (tables["phase"] == self._hand_over).any():
            raise PlacementError("a hand is over and its game is not: begin the next hand first")
        found = zeros(PlaceShares, len(tables))
        self._placement.write_places(tables, self._weights, zeros(PlacementWorkspace, 1), found)
        players = self.rules.players
        shares = np.asarray(found)["shares"][:, : players * players]
        return cast("NDArray[np.float32]", shares.reshape(-1, players, players))

    def expected(self, states: Any, points: NDArray[Any]) -> NDArray[np.float32]:
        """Return the expected points of each seat's final place (n, players), by the points of the places (players)."""
        expected: NDArray[np.float32] = self.places(states) @ points.astype(np.float32)
        return expected

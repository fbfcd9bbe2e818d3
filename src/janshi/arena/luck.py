"""Estimates of luck in matches: the facet ``"luck"`` of a game.

A result minus its luck has the same expectation as the result and a smaller variance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from janshi.core.game import GameError
from janshi.games import game_of
from janshi.table import DecisionBatch, Tables


class LuckError(ValueError):
    """Raised for rules without a model of luck, or a file without its weights."""


class LuckMeter(Protocol):
    """An observer that sums the luck at tables, in the unit of the points of the places."""

    luck: NDArray[np.float64]
    """Luck of each seat so far (tables, players); its expectation is 0."""

    def started(self, tables: NDArray[np.int64]) -> None:
        """See `janshi.rollout.driver.Observer`."""

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """See `janshi.rollout.driver.Observer`."""

    def stepped(self, tables: NDArray[np.int64]) -> None:
        """See `janshi.rollout.driver.Observer`."""

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """See `janshi.rollout.driver.Observer`."""


@dataclass(frozen=True, slots=True)
class Luck:
    """The facet ``"luck"`` of a game: its estimate of luck."""

    meter: Callable[[Tables, NDArray[np.float64]], LuckMeter]
    """``(tables, points)``: an observer of the tables; ``points`` of the places (players)."""
    model: Callable[[Any], str]
    """``(rules)``: name and version of the model. Raises `LuckError` if there is none."""


def luck_of(rules: Any) -> Luck:
    """Return the facet that estimates the luck of matches by some rules. Raises `LuckError` if there is none.

    >>> from janshi.riichi.rules import preset
    >>> luck_of(preset("tenhou-sanma")).model(preset("tenhou-sanma")).partition("@")[0]
    'luck-3'
    """
    try:
        luck: Luck = game_of(rules).facet("luck")
    except GameError as error:
        raise LuckError(f"{error}: luck stays in the results") from None
    luck.model(rules)
    return luck


def luck_model(rules: Any) -> str | None:
    """Return the name of the model of luck, None if there is none."""
    try:
        return luck_of(rules).model(rules)
    except LuckError:
        return None

"""Sampling of hidden tiles: the facet ``"sampling"`` of a `janshi.core.game.Game`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Reviewer
from janshi.games import game_of
from janshi.table import DecisionBatch
from janshi.tiles import parse_tiles


class SamplingError(ValueError):
    """Raised for a position whose hidden tiles cannot be sampled."""


@dataclass(frozen=True, slots=True)
class Belief:
    """Weights of samples by the probability of the others' actions.

    ``proposals`` are drawn for each requested sample. The weight of each is the product of ``player``'s probabilities
    of the last ``decisions`` visible actions of each other seat, and of its passes since.
    """

    player: Reviewer
    decisions: int = 3
    proposals: int = 4


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Tables with sampled hidden tiles."""

    states: NDArray[Any]
    """One record a table (n): see `TileSampler.sample`."""
    proposals: int
    """Number of samples before selection by weight; without weights the number of tables."""
    effective: dict[int, float]
    """Effective sample size of the proposals by seat, (Σw)² / Σw²."""


class TileSampler(Protocol):
    """The tiles hidden from the seat that must decide."""

    def sample(self, count: int, random: np.random.Generator, belief: Belief | None = None) -> Sample:
        """Return ``count`` tables on which all hidden information of the seat was sampled.

        Every table agrees with what the seat has seen. It waits for the same decision, or for that of another seat
        about the same tile, whose answer the deciding seat does not know. The same generator gives the same tables.
        Raises `SamplingError` if no sample fits.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The facet ``"sampling"`` of a game."""

    hidden: Callable[[DecisionBatch], TileSampler]
    """``(decision)``: the hidden tiles of one decision with its log."""
    table: Callable[[DecisionBatch, np.random.Generator], NDArray[Any]]
    """``(decision, random)``: the record of one table (1) as of `TileSampler.sample`, at which the hand so far was
    played: its log holds what was hidden from the seat too. Raises `SamplingError`.
    """
    dealt: Callable[[Any, str, int], DecisionBatch]
    """``(rules, tiles, seed)``: the first decision of a game whose first dealer begins with these tiles; ``seed``
    determines the rest of the wall. Raises `SamplingError` for tiles that are not a hand.
    """


def hand_and_wall(rules: Any, tiles: str, size: int, seed: int) -> tuple[list[int], list[int]]:
    """Return the tiles with which a dealer begins, and the other tiles of the wall in an order by ``seed``.

    Raises `SamplingError` for other tiles than a hand of ``size`` tiles can hold by the rules.

    >>> from janshi.games import rules_of
    >>> held, wall = hand_and_wall(rules_of("sichuan"), "123m45679p55789s", 13, seed=0)
    >>> held[:3], len(wall)
    ([0, 1, 2], 95)
    """
    wall = game_of(rules).wall(rules).tolist()
    try:
        held = parse_tiles(tiles)
        for tile in held:
            wall.remove(tile)
    except ValueError:
        raise SamplingError(f"{tiles}: no tiles of a hand by the rules {rules.name!r}") from None
    if len(held) != size:
        raise SamplingError(f"{tiles}: a dealer begins with {size} tiles, these are {len(held)}")
    np.random.default_rng(seed).shuffle(wall)
    return held, wall

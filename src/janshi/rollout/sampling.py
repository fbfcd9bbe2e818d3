"""Sampling what a seat may not see: the facet ``"sampling"`` of a `janshi.core.game.Game`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Reviewer
from janshi.table import DecisionBatch


class SamplingError(ValueError):
    """A position whose hidden tiles cannot be sampled."""


@dataclass(frozen=True, slots=True)
class Belief:
    """Weights of samples by the probability of the others' actions.

    ``proposals`` are sampled for each sample that is asked for and weighted by the product of the probabilities that
    ``player`` gives to the last ``decisions`` visible actions of each other seat, and to its passes since.
    """

    player: Reviewer
    decisions: int = 3
    proposals: int = 4


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Tables on which hidden tiles were sampled."""

    states: NDArray[Any]
    """One record a table (n): see `Hidden.sample`."""
    proposals: int
    """Samples that they were drawn from by weight; without weights as many as tables."""
    effective: dict[int, float]
    """Effective sample size of the proposals by seat, (Σw)² / Σw²."""


class Hidden(Protocol):
    """The tiles hidden from the seat that must decide."""

    def sample(self, count: int, random: np.random.Generator, belief: Belief | None = None) -> Sample:
        """Return so many tables on which everything that the seat cannot see was sampled.

        What the seat has seen has happened at each of them. They wait for the same decision, or for one of another
        seat about the same tile, of which the deciding seat does not know the answer. The same generator gives the same
        tables. Raises `SamplingError` where nothing fits what was seen.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """The facet ``"sampling"`` of a game."""

    hidden: Callable[[DecisionBatch], Hidden]
    """``(decision)``: what is hidden from the seat of one decision that has its log."""
    tenpai_at_draw: Callable[[NDArray[Any]], NDArray[np.bool_]]
    """``(states)``: which seats were tenpai in hands that ended in an exhaustive draw (n, players)."""
    dealt: Callable[[Any, str, int], DecisionBatch]
    """``(rules, tiles, seed)``: the first decision of a game whose first dealer begins with these tiles; ``seed``: of
    the rest of the wall. Raises `ValueError` for tiles that are no hand.
    """

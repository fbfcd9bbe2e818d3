"""Decisions of recorded hands, found by their numbers: the facet ``"positions"`` of a `janshi.core.game.Game`.

The facet is a function ``(game, number)`` that replays a hand (from 1) of a record and returns a `PlayedHand`. It
raises `PositionError` for a missing hand (`check_hand`), and for one that contradicts the rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from janshi.records.recorder import RecordedGame

if TYPE_CHECKING:
    from janshi.compiling import Batch
    from janshi.table import DecisionBatch


class PositionError(ValueError):
    """A missing position. The message names the positions that exist."""


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """One decision of a hand."""

    decision: int  # its number in the hand, from 1
    done: int  # the action taken
    events: int  # rows of the log of the hand before it
    batch: DecisionBatch  # the decision as given to an agent (1), with the log of the hand so far

    @property
    def seat(self) -> int:
        """Seat to decide."""
        return int(self.batch.seats[0])

    @property
    def view(self) -> Batch[Any]:
        """View of the seat (1,)."""
        return self.batch.views

    @property
    def possible(self) -> tuple[int, ...]:
        """Legal actions, ascending."""
        return tuple(np.flatnonzero(self.batch.legal[0]).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHand:
    """The decisions of one hand."""

    source: str  # file of the record, or description
    rules: Any
    number: int  # number of the hand in its game, from 1
    positions: tuple[Position, ...]

    def position(self, decision: int | None = None, seat: int | None = None) -> Position:
        """Return a decision (from 1), by default the first, optionally of a ``seat``.

        Raises `PositionError` for a missing decision or one of another seat.
        """
        choice = self.of_seat(seat)
        if decision is None:
            if not choice:
                raise PositionError(f"hand {self.number}: seat {seat} has nothing to decide")
            return choice[0]
        if not 1 <= decision <= len(self.positions):
            raise PositionError(f"hand {self.number} has {len(self.positions)} decisions, there is no {decision}")
        position = self.positions[decision - 1]
        if position not in choice:
            own = ", ".join(str(other.decision) for other in choice) or "none"
            raise PositionError(f"decision {decision} is seat {position.seat}'s; those of seat {seat}: {own}")
        return position

    def of_seat(self, seat: int | None) -> tuple[Position, ...]:
        """Return the decisions of a seat, or all. Raises `PositionError` for an unknown seat."""
        if seat is None:
            return self.positions
        if not 0 <= seat < self.rules.players:
            raise PositionError(
                f"there is no seat {seat}: {self.rules.players} players sit at 0 to {self.rules.players - 1}"
            )
        return tuple(position for position in self.positions if position.seat == seat)


def check_hand(game: RecordedGame, number: int) -> None:
    """Raise `PositionError` if a record has no hand of that number (from 1)."""
    if not 1 <= number <= len(game.hands):
        held = "1 hand" if len(game.hands) == 1 else f"{len(game.hands)} hands"
        raise PositionError(f"{game.source} has {held}, there is no hand {number}")

"""One step of learners at many tables: actions and the next masks.

This module is independent of Gymnasium and PettingZoo: see `janshi.bridges.slots`. `Stepping` supports every game; a
game can provide a faster class in its facet ``"environment"``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.core.game import Game
from janshi.table import Tables

#: Pseudo-action: continue after a hand or a game, or to the first decision of a new game.
GO_ON: Final = -1
#: Pseudo-action: an invalid number.
NO_ACTION: Final = -2

# Values of `Stepping.waits`
LEARNER: Final = 0
OTHER: Final = 1
NEXT_HAND: Final = 2
NEXT_GAME: Final = 3

#: Value of `home`: a learner in every seat.
EVERY_SEAT: Final = -1
#: Value of `home`: a seat drawn for each game by its seed.
ANY_SEAT: Final = -2


class Stepping:
    """Steps learners at tables of any game.

    Arrays with one value a table: ``chosen`` (the learner's action, `GO_ON` or `NO_ACTION`), ``seat`` (the learner's in
    this game), ``asked`` (seat of the learner's current or last decision), ``waits`` (`LEARNER`, `OTHER`, …),
    ``illegal`` (1 if the action was illegal), ``masks`` (the learner's legal actions).

    Args:
        tables: the tables, without automatic reset.
        home: the learners' seat, `EVERY_SEAT` or `ANY_SEAT`.
        against_random: whether all other seats are the agent `random`, for which a faster class may play itself.
    """

    def __init__(self, tables: Tables, home: int, against_random: bool) -> None:
        count = len(tables)
        self.tables = tables
        self.every = np.arange(count)
        self._home = home
        self._records = cast("NDArray[Any]", tables.states)
        self.chosen = np.zeros(count, np.int16)
        self.seat = np.zeros(count, np.int8)
        self.asked = np.zeros(count, np.int8)
        self.waits = np.zeros(count, np.int8)
        self.illegal = np.zeros(count, np.int8)
        self.masks = np.zeros((count, tables.game.actions), np.int8)

    def take_seats(self, which: NDArray[np.int64]) -> None:
        """Seat the learners at tables where games have just begun."""
        seats = self._records["seed"][which] % self.tables.rules.players if self._home == ANY_SEAT else self._home
        self.seat[which] = seats
        self.asked[which] = np.maximum(seats, 0)

    def go(self, which: NDArray[np.int64]) -> int:
        """Execute ``chosen`` at the given tables; the passive action replaces an illegal one.

        A table stops at the end of a hand or at the next decision. Returns the number of tables that do not wait for
        the learner or had an illegal action.
        """
        game = self.tables.game
        going = self.chosen[which] == GO_ON
        self.illegal[which] = 0
        over = which[going & (self._records["phase"][which] >= game.hand_over)]
        if len(over):
            ended = self._records["phase"][over] >= game.game_over
            self.tables.next_hand(over[~ended])
            self.tables.next_game(over[ended])
            self.take_seats(over[ended])
        acting = which[~going]
        if len(acting):
            legal, actions = self.tables.legal(acting), self.chosen[acting]
            wrong = (actions < 0) | ~legal[np.arange(len(acting)), actions]
            for row in np.flatnonzero(wrong).tolist():
                actions[row] = game.passive(legal[row])
            self.illegal[acting] = wrong
            self.tables.step_some(acting, actions)
        return self._look(which)

    def _look(self, which: NDArray[np.int64]) -> int:
        """Update ``waits``, ``asked`` and ``masks`` of the given tables."""
        game = self.tables.game
        phases, actors, seats = self._records["phase"][which], self._records["actor"][which], self.seat[which]
        playing = phases < game.hand_over
        mine = playing & ((seats == EVERY_SEAT) | (actors == seats))
        ends = [phases >= game.game_over, ~playing, mine]
        self.waits[which] = np.select(ends, [NEXT_GAME, NEXT_HAND, LEARNER], OTHER)
        self.asked[which[mine]] = actors[mine]
        self.masks[which] = 0
        self.masks[which[playing]] = self.tables.legal(which[playing])
        return int(((self.waits[which] != LEARNER) | (self.illegal[which] != 0)).sum())

    @property
    def go_single(self) -> Callable[[], int]:
        """Apply ``chosen`` to the only table, as `go` does."""
        return partial(self.go, self.every)

    def random_actions(self) -> NDArray[np.int16]:
        """Return a uniformly random legal action for every table (n), from the games' seeds and clocks."""
        chosen = np.zeros(len(self.every), np.int16)
        batch = self.tables.decisions()
        for row, table in enumerate(batch.tables.tolist()):
            legal = np.flatnonzero(batch.legal[row])
            chosen[table] = legal[int(batch.random[row]) % len(legal)]
        return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A game's support of environments: the facet ``"environment"`` of a `janshi.core.game.Game`."""

    lengths: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    """Functions that return rules of a length, by its name. Every game has ``"hand"``."""
    stepping: type[Stepping] = Stepping
    observation: str = "none"
    """Name of the default encoder."""
    names: Mapping[int, str] = field(default_factory=dict)
    """Names in PettingZoo by number of players, if they differ from the game's name."""


def environment_of(game: Game) -> Environment:
    """Return the facet ``"environment"`` of a game, or the default."""
    environment: Environment = game.facet("environment") if "environment" in game.facets else Environment()
    return replace(environment, lengths={"hand": game.single_hand, **environment.lengths})

"""One step of learners at many tables: their actions, the others' moves where those are known, the next masks.

Nothing here knows Gymnasium or PettingZoo: see `janshi.bridges.slots` for what both are made of. `Stepping` serves
every game; a game with a faster way offers it as its facet ``"environment"``.
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

#: In place of an action: go on after a hand or a game, or up to the first decision of a game just dealt.
GO_ON: Final = -1
#: In place of an action: a number that is none.
NO_ACTION: Final = -2

# What a table waits for (`Stepping.waits`)
LEARNER: Final = 0
OTHER: Final = 1
NEXT_HAND: Final = 2
NEXT_GAME: Final = 3

#: In place of a seat: a learner in every seat.
EVERY_SEAT: Final = -1
#: In place of a seat: another one from game to game, as the game's seed says.
ANY_SEAT: Final = -2


class Stepping:
    """Steps learners at tables of any game.

    Arrays of one value a table: ``chosen`` (the learner's action, `GO_ON` or `NO_ACTION`), ``seat`` (the learner's in
    this game), ``asked`` (seat of the learner that is asked, or was asked last), ``waits`` (what the table waits for),
    ``illegal`` (whether the action was not legal), ``masks`` (what the learner may do).

    Args:
        tables: the tables; hands do not follow each other by themselves there.
        home: where learners are to sit: a seat, `EVERY_SEAT` or `ANY_SEAT`.
        against_random: whether the agent `random` plays for all others. A faster stepping may play for it.
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
        """Seat the learners at tables where games have just been dealt."""
        seats = self._records["seed"][which] % self.tables.rules.players if self._home == ANY_SEAT else self._home
        self.seat[which] = seats
        self.asked[which] = np.maximum(seats, 0)

    def go(self, which: NDArray[np.int64]) -> int:
        """Do what is ``chosen`` at some tables; in place of an action that is not legal the passive one is done.

        A table stops where a hand is over or somebody is asked. Returns how many wait for something else than the
        learner, or had an action that was not legal.
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
        """Note what some tables wait for and what may be done there."""
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
        """Return a legal action for every table (n), each as likely as the other, from the games' seeds and clocks."""
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
    """Lengths of a game by name: each makes rules of that length. Any game has ``"hand"``."""
    stepping: type[Stepping] = Stepping
    """Stepping of learners."""
    observation: str = "none"
    """The encoder whose observations are given where none is named."""
    names: Mapping[int, str] = field(default_factory=dict)
    """Names of the game in PettingZoo by how many play, where that is not its own."""


def environment_of(game: Game) -> Environment:
    """Return what environments need of a game."""
    environment: Environment = game.facet("environment") if "environment" in game.facets else Environment()
    return replace(environment, lengths={"hand": game.single_hand, **environment.lengths})

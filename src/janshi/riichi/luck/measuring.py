"""The luck of games: the change of each seat's expected result by every deal and every tile drawn.

The sum of these changes has the expectation 0 whatever the model says and whoever plays, as each is the difference
between a prediction and its mean over everything that was equally likely. A result less its luck has therefore the same
expectation as the result, and a smaller variance where the model predicts well (AIVAT: Burch, Schmid, Moravčík, Morrill
and Bowling, 2018).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.arena.luck import Luck
from janshi.riichi.luck.draws import Draws, FollowedTables, describe_draws
from janshi.riichi.luck.endings import turned, values
from janshi.riichi.luck.model import LuckModel
from janshi.riichi.luck.ura import may_win, ura_luck, wins_by_riichi
from janshi.rollout.driver import Observer
from janshi.table import DecisionBatch, Tables
from janshi.worth.placement import PlacementModel


class DrawsObserver(Observer):
    """Describes every deal and every draw at tables to the methods `deals` and `draws`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._followed = FollowedTables(tables.rules, tables.states)
        self._actions = np.zeros(len(tables), np.int16)

    def deals(self, tables: NDArray[np.int64], states: Any) -> None:
        """Take note of hands that were dealt at some tables; ``states``: all tables, before the first draw."""

    def draws(self, tables: NDArray[np.int64], draws: Draws) -> None:
        """Take note of draws at some tables."""

    def started(self, tables: NDArray[np.int64]) -> None:
        """Follow the hands that were dealt at some tables."""
        self._followed.deal(tables, self._tables.states)
        self.deals(tables, self._followed.states)
        self._draw(tables)

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """Keep the actions until the tables go on."""
        self._actions[batch.tables] = actions

    def stepped(self, tables: NDArray[np.int64]) -> None:
        """Follow what has happened at some tables."""
        self._followed.act(tables, self._actions[tables])
        self._draw(tables)

    def _draw(self, tables: NDArray[np.int64]) -> None:
        stopped = self._followed.before_draw(tables)
        while len(stopped):
            self.draws(stopped, describe_draws(self._followed.states, self._followed.players, stopped))
            self._followed.draw(stopped)
            stopped = self._followed.before_draw(stopped)


class DrawLuckMeter(DrawsObserver):
    """Adds up the luck at tables of whole games.

    Args:
        tables: which a driver plays at.
        points: of the places (players): the unit of the luck.
        model: which predicts; by default the one that ships.

    Raises `LuckError` if there is no model for the rules.
    """

    def __init__(self, tables: Tables, points: NDArray[np.float64], model: LuckModel | None = None) -> None:
        super().__init__(tables)
        players = tables.rules.players
        self.model = _shipped_model(players) if model is None else model
        self.luck = np.zeros((len(tables), players))
        """Luck of each seat (tables, players) so far."""
        self._players = players
        self._points = points
        self._placement = PlacementModel(tables.rules)
        self._values = np.zeros((len(tables), len(self.model.changes), players), np.float32)

    def deals(self, tables: NDArray[np.int64], states: Any) -> None:
        """Compare the deals with those in which the same hands go to other seats."""
        begun = states[tables]
        self._values[tables] = values(begun, self.model.changes, self._placement, self._points)
        dealer = begun["dealer"].astype(np.int64)
        worth = []
        for shift in range(self._players):
            if shift:
                begun["hands"][:, : self._players] = np.roll(begun["hands"][:, : self._players], 1, axis=1)
            found = describe_draws(begun, self._players, np.arange(len(begun)))
            worth.append(self._worth(tables, dealer, self.model.expected(found)))
        self.luck[tables] += worth[0] - np.mean(worth, axis=0)

    def draws(self, tables: NDArray[np.int64], draws: Draws) -> None:
        """Add the changes by the tiles drawn."""
        self.luck[tables] += self._worth(tables, draws.drawer, self.model.surprise(draws))

    def stepped(self, tables: NDArray[np.int64]) -> None:
        """Follow what has happened at some tables; add what ura-dora have changed."""
        actions = self._actions[tables]
        winning = np.flatnonzero(may_win(actions))
        before = self._followed.states[tables[winning]]
        super().stepped(tables)
        ended = np.flatnonzero(wins_by_riichi(self._followed.states[tables[winning]]))
        if len(ended):
            found = ura_luck(before[ended], actions[winning[ended]], self._placement, self._points)
            self.luck[tables[winning[ended]]] += found

    def _worth(
        self, tables: NDArray[np.int64], first: NDArray[np.int64], probabilities: NDArray[np.float32]
    ) -> NDArray[np.float64]:
        """Return the value of probabilities of endings (n, endings), each counted from a seat (n, players)."""
        ordered = np.take_along_axis(probabilities, turned(self._players)[first], axis=1)
        worth: NDArray[np.float64] = np.einsum("ne,nep->np", ordered, self._values[tables], dtype=np.float64)
        return worth


@lru_cache(maxsize=2)
def _shipped_model(players: int) -> LuckModel:
    return LuckModel(players)


def _name(rules: Any) -> str:
    return _shipped_model(rules.players).name


#: The game's facet ``"luck"``.
LUCK: Final = Luck(DrawLuckMeter, _name)

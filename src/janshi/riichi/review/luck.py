"""The luck of a recorded game, by hand: how the deal, the drawn tiles and the ura-dora changed the expected places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.riichi.luck.measuring import DrawLuckMeter
from janshi.riichi.records.model import RiichiGame
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.rules import Length
from janshi.rollout.driver import Driver, Seating
from janshi.table import DecisionBatch, Tables


class _Recorded:
    """Plays recorded hands, one at each table."""

    name = "record"

    def __init__(self, scripts: Sequence[Script], players: int) -> None:
        self.players = frozenset({players})
        self._actions = [script.actions for script in scripts]
        self._done = np.zeros(len(scripts), np.int64)

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return the recorded actions (n)."""
        tables = batch.tables.tolist()
        actions = [self._actions[table][self._done[table]] for table in tables]
        self._done[tables] += 1
        return np.array(actions, np.int16)


def luck_of(game: RiichiGame) -> list[list[float]]:
    """Return the final places that luck gained each seat in each hand: positive is good luck.

    Empty for a game of single hands, and if a hand cannot be replayed.
    """
    rules: Any = game.rules
    scripts = Replayer().replay(game, scripts=True).scripts
    if rules.length == Length.SINGLE_HAND or not scripts or len(scripts) < len(game.hands):
        return []
    tables = Tables(rules, len(scripts), auto_reset=False)
    np.asarray(tables.states)[:] = np.concatenate([np.asarray(script.begin(rules)) for script in scripts])
    # A place is worth its negative number.
    meter = DrawLuckMeter(tables, -np.arange(1.0, rules.players + 1))
    agents: list[Agent | None] = [_Recorded(scripts, rules.players)] * rules.players
    Driver(tables, Seating.same(agents, len(tables)), [meter], next_hands=False).run()
    return [[round(float(each), 3) for each in row] for row in meter.luck]

"""The outcome model: predictions of the consequences of every legal action, from the information of one seat.

A network (``janshi train --network outcomes``) predicts for every action how the hand and the game end. A game
provides its model as its facet ``"outcomes"``, an `OutcomeFacet`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.agents.onnx import load_network
from janshi.games import GameError, game_of
from janshi.table import DecisionBatch


class OutcomeError(ValueError):
    """Raised for a game or number of players without an outcome model, or a file without one."""


@dataclass(frozen=True, slots=True)
class OutcomeFacet:
    """The facet ``"outcomes"`` of a game: its support of the outcome model."""

    weights: Callable[[int], Path]
    """``(players)``: the network's file."""
    numbers: int
    """Outputs of the network."""
    outcomes: Callable[[NDArray[np.float32], NDArray[np.bool_], int], Any]
    """``(outputs, legal, players)``: predictions from the network's outputs (n, numbers); in Riichi
    `janshi.riichi.outcomes.outcomes_of`.
    """


class OutcomeModel:
    """Predictor of the consequences of actions, for one game and number of players.

    Args:
        rules: of the game.
        weights: an ONNX file of ``janshi train --network outcomes``; by default the one that ships.

    Raises `OutcomeError` if there is none, and `janshi.agents.AgentError` without onnxruntime.

    >>> from janshi.table import Table
    >>> table = Table("tenhou-sanma", seed=3)
    >>> outcomes = OutcomeModel(table.rules).outcomes(table.decision())
    >>> chance = outcomes.wins[0, table.legal]  # to win the hand, after each legal action
    >>> bool((0 < chance).all() and (chance < 1).all())
    True
    """

    def __init__(self, rules: Any, weights: str | Path | None = None) -> None:
        try:
            self._facet: OutcomeFacet = game_of(rules).facet("outcomes")
        except GameError as error:
            raise OutcomeError(f"{error} model") from None
        path = self._facet.weights(rules.players) if weights is None else Path(weights)
        if not path.is_file():
            raise OutcomeError(f"no outcome model for {rules.players} players: {path.name} is missing")
        self._network = load_network(path, path.stem)
        if self._network.outputs != self._facet.numbers or rules.players not in self._network.players:
            raise OutcomeError(f"{path} holds no outcome model for {rules.players} players")
        self._players: int = rules.players

    def outcomes(self, batch: DecisionBatch) -> Any:
        """Return the predictions for every action of some decisions; in Riichi `janshi.riichi.outcomes.Predictions`."""
        outputs = self._network.run(self._network.encoder.encode(batch))
        return self._facet.outcomes(outputs, batch.legal, self._players)

"""Rule-based choices of tiles before play, for a network trained on rules without exchange and face-down tiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from janshi.agents.onnx import load_onnx
from janshi.agents.policy import PolicyAgent
from janshi.agents.protocol import Agent, Reviewer
from janshi.players import PLAYERS
from janshi.sichuan.actions import Action
from janshi.sichuan.agents.efficient import EfficientAgent
from janshi.sichuan.state import Phase
from janshi.table import DecisionBatch


def shipped_player() -> Agent:
    """Return the player that ships, with a rule for decisions that its network has not learned."""
    player = load_onnx(PLAYERS["sichuan"], "sichuan")
    return TilesByRule(player) if isinstance(player, PolicyAgent) else player


class TilesByRule:
    """Plays as another player, but chooses the tiles to give away or lay face down as `efficient` does."""

    games = frozenset({"sichuan"})

    def __init__(self, player: Reviewer) -> None:
        self.player = player
        self.name = player.name
        self.players = player.players
        self._rule = EfficientAgent()

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        actions = self.player.act(batch)
        rows = tile_choices(batch)
        if len(rows):
            actions = actions.copy()
            actions[rows] = self._rule.act(batch.part(rows))
        return actions

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the share of each action (n, 61): see `janshi.agents.protocol.Reviewer`."""
        shares = self.player.preferences(batch)
        rows = tile_choices(batch)
        if len(rows):
            shares[rows] = self._rule.preferences(batch.part(rows))
        return shares


def tile_choices(batch: DecisionBatch) -> NDArray[np.intp]:
    """Return the rows of decisions about tiles before play, without those that only name a void suit."""
    before_play = np.asarray(batch.views)["phase"] <= Phase.VOID
    return np.flatnonzero(before_play & batch.legal[:, : Action.VOID].any(axis=1))

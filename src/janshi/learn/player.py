"""A trained network as a player: it discards, everything else it does as the efficient agent."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.torch import load_file

from janshi.agents.efficient import EfficientAgent
from janshi.agents.protocol import Agent, AgentError
from janshi.compiling import Batch
from janshi.engine import actions
from janshi.engine.state import View
from janshi.learn.networks import ResidualConfig, ResidualNetwork
from janshi.learn.trainer import FORMAT, best_device, choose, on_device
from janshi.observe.meowjong import observe


class NetworkPlayer:
    """Discards what its network likes best; where that cannot be discarded, it is counted and the next best goes.

    Of a five the plain one goes before the red one.
    """

    def __init__(self, network: ResidualNetwork, name: str) -> None:
        self.name = name
        self.discards = 0
        self.illegal = 0
        self._device = best_device()
        self._network = on_device(network, self._device).eval()
        self._else = EfficientAgent()

    def act(self, views: Batch[View], legal: NDArray[np.bool_], keys: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return one action for each view: see `janshi.agents.protocol.Agent`."""
        chosen = self._else.act(views, legal, keys)
        which = np.flatnonzero(chosen <= actions.TSUMOGIRI)
        if len(which):
            some = np.asarray(views)[which]
            chosen[which] = self._discard(some, legal[which])
        return chosen

    def _discard(self, views: NDArray[np.void], legal: NDArray[np.bool_]) -> NDArray[np.int16]:
        """Actions that discard the kinds liked best."""
        count = len(views)
        every = np.arange(count)
        action = np.full((count, 34), -1, np.int16)
        for suit in range(3):
            action[legal[:, 34 + suit], 4 + 9 * suit] = 34 + suit
        drawn = views["drawn"].astype(np.int64)
        kinds = np.where(drawn < 34, drawn, 4 + 9 * (drawn - 34))
        some = np.flatnonzero(legal[:, actions.TSUMOGIRI])
        # The tile just drawn goes before the same tile from the hand where it is no red five, or all there is.
        plain = some[(drawn[some] < 34) | (action[some, kinds[some]] < 0)]
        action[plain, kinds[plain]] = actions.TSUMOGIRI
        tiles = np.arange(34, dtype=np.int16)
        action = np.where(legal[:, :34], tiles, action)
        logits = choose(self._network, observe(views), self._device)  # type: ignore[arg-type]
        self.discards += count
        self.illegal += int((action[every, logits.argmax(axis=1)] < 0).sum())
        best: NDArray[np.int16] = action[every, np.where(action >= 0, logits, -np.inf).argmax(axis=1)]
        return best


def load_player(folder: Path) -> Agent:
    """Return the player of a checkpoint's folder. Raises `AgentError` where there is none in it."""
    try:
        said = json.loads((folder / "player.json").read_text())
        if said.get("format") != FORMAT or said.get("kind") != "discard":
            raise AgentError(f"{folder}: a checkpoint of format {said.get('format')}, which this version cannot play")
        network = ResidualNetwork(ResidualConfig(**said["network"]))
        network.load_state_dict(load_file(folder / "network.safetensors"))
    except (OSError, ValueError, TypeError, KeyError, RuntimeError) as error:
        if isinstance(error, AgentError):
            raise
        raise AgentError(f"{folder} holds no player that can be loaded: {str(error).splitlines()[0]}") from None
    return NetworkPlayer(network, folder.name)

"""The paper's player: the legal action of the highest value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import check_agent
from janshi.installing import naming_extra
from janshi.learn.players import check_decisions
from janshi.papers.sichuan.actions import actions_of
from janshi.papers.sichuan.encoder import LEGAL, SICHUAN_DQN
from janshi.table import DecisionBatch

with naming_extra(__name__):
    import torch
    from torch import nn

if TYPE_CHECKING:
    from janshi.learn.inference import TorchNetwork


def legal_of(packed: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return the mask of the paper's legal actions (n, 35) in stored states (n, 294)."""
    legal: NDArray[np.bool_] = packed[:, LEGAL:] > 0
    return legal


def values_of(network: nn.Module, packed: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the values of the paper's actions (n, 35) in stored states."""
    with torch.inference_mode():
        values: NDArray[np.float32] = network(torch.from_numpy(packed).float()).numpy()
    return values


class DQNAgent:
    """Plays what a `DQN` values most."""

    players = frozenset({4})
    games = frozenset({"sichuan"})

    def __init__(self, network: nn.Module, name: str = "DDQN") -> None:
        self.network = network
        self.name = name

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        check_agent(self, batch.rules)
        packed = SICHUAN_DQN.encode(batch)
        values = np.where(legal_of(packed), values_of(self.network, packed), -np.inf)
        return actions_of(values.argmax(axis=1), batch)


def player_of(networks: Mapping[str, TorchNetwork], name: str) -> DQNAgent:
    """Return the player of the paper's network: see `janshi.agents.registry.ANSWERS`."""
    check_decisions(networks, ("",))
    return DQNAgent(networks[""].network.cpu(), name)

"""The paper's player: the legal action of the highest value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, check_agent
from janshi.files import save_text
from janshi.installing import naming_extra
from janshi.learn.checkpoints import CheckpointError, load_network
from janshi.papers.sichuan.actions import actions_of
from janshi.papers.sichuan.encoder import LEGAL, SICHUAN_DQN
from janshi.papers.sichuan.networks import DQN
from janshi.table import DecisionBatch

with naming_extra(__name__):
    import torch
    from torch import nn

#: File that marks a folder as the paper's player.
PLAYER_FILE: Final = "sichuan.json"


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


def save_player(folder: Path) -> None:
    """Write the file that makes the folder of a network the paper's player."""
    save_text(json.dumps({"network": "."}), folder / PLAYER_FILE)


def load_player(folder: Path, name: str | None = None) -> Agent:
    """Return the player of a folder with a `PLAYER_FILE`. Raises `AgentError` if it holds none."""
    try:
        content: dict[str, Any] = json.loads((folder / PLAYER_FILE).read_text(encoding="utf-8"))
        network = load_network(folder / content["network"])[0]
    except (CheckpointError, OSError, ValueError, KeyError, TypeError) as error:
        raise AgentError(f"{folder}: no player of the Sichuan paper: {str(error) or type(error).__name__}") from None
    if not isinstance(network, DQN):
        raise AgentError(f"{folder}: what {PLAYER_FILE} names is no network of the Sichuan paper")
    return cast("Agent", DQNAgent(network, name or folder.name))

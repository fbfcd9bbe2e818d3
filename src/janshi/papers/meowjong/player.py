"""The player of the papers' five networks, answered by torch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError
from janshi.installing import naming_extra
from janshi.learn.inference import many_answers
from janshi.learn.networks import encoder_of
from janshi.papers.agent import TorchNetworks, load_networks, save_folders
from janshi.papers.meowjong.agent import ANSWERS, MeowjongAgent
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import MeowjongNetwork

with naming_extra(__name__):
    from torch import nn

#: File beside the papers' networks that makes one player of them: decision -> folder.
FIVE: Final = "five.json"
#: Positions answered together by a network of the papers.
_PAPERS_TOGETHER: Final = 64


class FiveNetworks(TorchNetworks):
    """The papers' five networks, each evaluated where its decision is possible."""

    def __init__(self, networks: Mapping[str, nn.Module]) -> None:
        super().__init__(networks)
        self.encoder = encoder_of(next(iter(networks.values())))

    def answers(self, packed: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
        """See `janshi.papers.meowjong.agent.DecisionNetwork`."""
        logits = np.zeros((len(packed), ANSWERS), np.float32)
        for number, decision in enumerate(DECISIONS):
            rows = np.flatnonzero(asked[:, number])
            if not len(rows):
                continue
            outputs = many_answers(self.networks[decision], packed[rows], self.device, _PAPERS_TOGETHER)
            if decision == "discard":
                logits[rows, :34] = outputs
            else:
                logits[rows, 33 + number] = outputs[:, 1] - outputs[:, 0]
        return logits


def load_player(folder: Path) -> Agent:
    """Return the player of a folder that names the papers' five networks. Raises `AgentError` if it does not."""
    loaded = load_five(folder)
    players = frozenset(int(metadata["players"]) for _, metadata in loaded.values())
    return MeowjongAgent(FiveNetworks({name: network for name, (network, _) in loaded.items()}), folder.name, players)


def networks_of_five(folder: Path) -> dict[str, Path]:
    """Return the folders of the papers' networks, decision by decision, that ``five.json`` of a folder names."""
    folders = json.loads((folder / FIVE).read_text(encoding="utf-8"))
    return {decision: folder / folders[decision] for decision in DECISIONS}


def load_five(folder: Path) -> dict[str, tuple[nn.Module, dict[str, Any]]]:
    """Return the papers' five networks that a folder names, and their metadata.

    Raises `AgentError` if they make no player.
    """
    loaded = load_networks(folder / FIVE, DECISIONS, (MeowjongNetwork,))
    if len({int(metadata["players"]) for _, metadata in loaded.values()}) > 1:
        raise AgentError(f"{folder}: the networks of {FIVE} were trained for different numbers of players")
    return loaded


def save_five(folder: Path, folders: Mapping[str, str]) -> None:
    """Write ``five.json``: the folder of each decision's network, below or beside this one, makes one player."""
    save_folders(folder / FIVE, folders)

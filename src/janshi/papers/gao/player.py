"""Checkpoints as the player of the thesis: a folder that names the folders of its four networks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray
from torch import nn

from janshi.agents.protocol import Agent, AgentError
from janshi.encoders.gao import CELLS, STEP
from janshi.files import save_text
from janshi.learn.checkpoints import CheckpointError, load_network
from janshi.learn.inference import best_device, many_answers
from janshi.learn.networks import encoder_of
from janshi.papers.gao.agent import GaoAgent
from janshi.papers.gao.decisions import DECISIONS, Decision
from janshi.papers.gao.networks import GaoNetwork, GaoSequenceNetwork
from janshi.table import DecisionBatch

#: File that makes one player of four networks: decision -> folder, as seen from it.
FOUR: Final = "gao.json"


class TorchNetworks:
    """The four networks, answered by torch: see `janshi.papers.gao.agent.GaoNetworks`."""

    def __init__(self, networks: dict[str, nn.Module]) -> None:
        self.device = best_device()
        self.networks = {decision: network.to(self.device).eval() for decision, network in networks.items()}

    def logits(self, decision: Decision, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return what the network of a decision answers (n, outputs); of a sequence, what its last step does."""
        network = self.networks[decision]
        packed = encoder_of(network).encode(batch)
        outputs = many_answers(network, packed, self.device)
        if isinstance(network, GaoSequenceNetwork):
            last = (packed[:, :: CELLS * STEP] != 0).sum(axis=1) - 1
            return cast("NDArray[np.float32]", outputs[np.arange(len(outputs)), last])
        return outputs


def save_four(folder: Path, folders: dict[str, str]) -> None:
    """Write which folders, as seen from this one, hold the four networks of a player."""
    save_text(json.dumps({decision: folders[decision] for decision in DECISIONS}), folder / FOUR)


def load_gao(folder: Path, name: str | None = None) -> Agent:
    """Return the player of a folder that names its four networks. Raises `AgentError` where it does not."""
    try:
        folders: dict[str, Any] = json.loads((folder / FOUR).read_text(encoding="utf-8"))
        networks = {decision: load_network(folder / folders[decision])[0] for decision in DECISIONS}
    except (CheckpointError, OSError, ValueError, KeyError, TypeError) as error:
        raise AgentError(f"{folder}: no player of four networks: {str(error) or type(error).__name__}") from None
    for decision, network in networks.items():
        kind = isinstance(network, GaoNetwork | GaoSequenceNetwork)
        if not kind or cast("Any", network).config.decision != decision:
            raise AgentError(f"{folder}: what {FOUR} names for {decision} is no network of the thesis for it")
    return GaoAgent(TorchNetworks(networks), name or folder.name)

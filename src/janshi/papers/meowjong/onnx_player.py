"""Networks that answer the papers' five decisions, as ONNX files: `sl-2026-11` is one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.onnx import OnnxNetwork, load_network
from janshi.agents.protocol import Agent, AgentError
from janshi.papers.meowjong.agent import ANSWERS, SHARPENED, MeowjongAgent
from janshi.players import TEMPERATURES

#: Outputs: people's decisions, winners' decisions, value.
_OUTPUTS: Final = 77
_WINNERS: Final = ANSWERS


class OnnxDecisions:
    """Our network over five decisions: it does what those do who go on to win, the second 38 of its answers."""

    def __init__(self, network: OnnxNetwork) -> None:
        self.network = network
        self.encoder = network.encoder

    def answers(self, packed: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
        """See `janshi.papers.meowjong.agent.DecisionNetwork`."""
        return self.network.run(packed)[:, _WINNERS : _WINNERS + ANSWERS]


def decision_player(network: OnnxNetwork, name: str) -> Agent:
    """Return the player of a network that answers the five decisions. Raises `AgentError` for other outputs."""
    if network.outputs != _OUTPUTS:
        raise AgentError(f"player {name!r}: {network.outputs} outputs, {_OUTPUTS} answer the decisions of meowjong")
    return MeowjongAgent(OnnxDecisions(network), name, network.players, TEMPERATURES.get(name, SHARPENED))


def load_onnx(path: Path, name: str) -> Agent:
    """Return the player of an ONNX file that answers the five decisions. Raises `AgentError` where it does not."""
    return decision_player(load_network(path, name), name)

"""The papers' five networks, answered by torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import AgentError
from janshi.learn.inference import TorchNetwork, many_answers
from janshi.learn.players import check_decisions
from janshi.papers.meowjong.agent import ANSWERS
from janshi.papers.meowjong.decisions import DECISIONS

#: Positions answered together by a network of the papers.
_PAPERS_TOGETHER: Final = 64


class FiveNetworks:
    """The papers' five networks, each evaluated where its decision is possible.

    Raises `AgentError` if one is missing, or if they are for different numbers of players.
    """

    def __init__(self, networks: Mapping[str, TorchNetwork]) -> None:
        check_decisions(networks, DECISIONS)
        self.networks = networks
        self.encoder = networks["discard"].encoder
        self.players = networks["discard"].players
        if any(network.players != self.players for network in networks.values()):
            raise AgentError("its networks were trained for different numbers of players")

    def answers(self, packed: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
        """See `janshi.papers.meowjong.agent.DecisionNetwork`."""
        logits = np.zeros((len(packed), ANSWERS), np.float32)
        for number, decision in enumerate(DECISIONS):
            rows = np.flatnonzero(asked[:, number])
            if not len(rows):
                continue
            each = self.networks[decision]
            outputs = many_answers(each.network, packed[rows], each.device, _PAPERS_TOGETHER)
            if decision == "discard":
                logits[rows, :34] = outputs
            else:
                logits[rows, 33 + number] = outputs[:, 1] - outputs[:, 0]
        return logits

"""The papers' network of discards as a policy that learns by its own games.

The agent's rules and the other four networks decide as usual. If none of them says yes, the discard is
drawn from the network of discards. That is the papers' RL agent. Source: dissertation, sections 3.4 and 3.5.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents.policy import softmax
from janshi.agents.protocol import Agent
from janshi.learn.checkpoints import CheckpointError
from janshi.learn.inference import best_device
from janshi.learn.learners import DrawnActions, Situations
from janshi.learn.policy import TorchPolicy
from janshi.papers.meowjong.agent import MeowjongAgent, actions_of, asked_of, forced, surest
from janshi.papers.meowjong.decisions import DECISIONS, Decision
from janshi.papers.meowjong.player import FiveNetworks, load_five, networks_of_five, save_five
from janshi.riichi.analysis.discards import discard_actions
from janshi.table import DecisionBatch
from janshi.tiles import KINDS

#: Smallest probability of which a logarithm is taken.
_LEAST: Final = 1e-12


class DiscardPolicy:
    """A `janshi.learn.learners.LearnedPolicy` that draws discards from the papers' network.

    A hand in which something impossible is drawn is not learned from.

    Args:
        folder: names the papers' five networks. Raises `CheckpointError` or `janshi.agents.AgentError` if it does not.
    """

    def __init__(self, folder: Path) -> None:
        loaded = load_five(folder)
        self.five = FiveNetworks({decision: network for decision, (network, _) in loaded.items()})
        self.folders = networks_of_five(folder)
        self.device = best_device()
        self.network: nn.Module = self.five.networks["discard"]
        self.player_network = self.network
        self.metadata: dict[str, Any] = loaded["discard"][1]
        self.players = int(self.metadata["players"])

    def ask(self, batch: DecisionBatch) -> Situations:
        """See `LearnedPolicy`; outputs are logits (n, 38)."""
        possible = batch.legal.copy()
        actions = forced(np.asarray(batch.views), possible)
        rest = batch.part(np.flatnonzero(actions < 0))
        rest.legal = possible[actions < 0]
        self.network.eval()
        packed = self.five.encoder.encode(rest)
        return Situations(actions, rest, packed, self.five.answers(packed, asked_of(rest.legal)))

    def draw(self, situations: Situations, random: np.random.Generator) -> DrawnActions:
        """See `LearnedPolicy`; choices are ``kind`` (n), the kinds drawn."""
        views, can = np.asarray(situations.batch.views), situations.batch.legal
        chosen = surest(situations.outputs, asked_of(can))
        rows = np.flatnonzero(chosen == Decision.DISCARD)
        every = np.arange(len(rows))
        table = discard_actions(views[rows], can[rows])
        logits = situations.outputs[rows, :KINDS].astype(np.float64)
        shares = softmax(logits)
        drawn = (shares.cumsum(axis=1) < random.random(len(rows))[:, None]).sum(axis=1).clip(0, KINDS - 1)
        best = np.where(table >= 0, logits, -np.inf).argmax(axis=1)
        done = np.where(table[every, drawn] >= 0, drawn, best)
        discards = np.full(len(situations), -1, np.int16)
        discards[rows] = table[every, done]
        log = np.log(np.maximum(shares[every, drawn], _LEAST)).astype(np.float32)
        return DrawnActions(actions_of(chosen, discards, views, can), rows, {"kind": drawn}, log, rows[drawn != done])

    def log_probability(self, outputs: Tensor, choices: dict[str, NDArray[Any]]) -> tuple[Tensor, Tensor]:
        """See `LearnedPolicy`; outputs are the logits of the network of discards (n, 34)."""
        policy = TorchPolicy(outputs, None)
        kinds = torch.from_numpy(choices["kind"].astype(np.int64)).to(outputs.device)
        return policy.log_probability(kinds), policy.entropy()

    def value(self, outputs: Tensor) -> Tensor:
        """Raise `CheckpointError`: the papers' networks have no value."""
        raise CheckpointError("the papers' networks have no value of positions")

    def player(self, name: str) -> Agent:
        """See `LearnedPolicy`."""
        return MeowjongAgent(self.five, name, frozenset({self.players}))

    def figures(self, player: Agent) -> dict[str, Any]:
        """See `LearnedPolicy`: impossible first choices, and all discards."""
        agent = cast("MeowjongAgent", player)
        return {"illegal": agent.illegal, "discards": agent.discards}

    def save_player(self, folder: Path) -> None:
        """Make a player of the folder that holds the network of discards: name the other four networks."""
        folders = {decision: os.path.relpath(self.folders[decision], folder) for decision in DECISIONS}
        save_five(folder, folders | {"discard": "."})

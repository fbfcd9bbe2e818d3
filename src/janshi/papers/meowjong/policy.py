"""The papers' network of discards as a policy that learns by its own games.

The agent's rules and the other four networks decide as usual. If none of them says yes, the discard is
drawn from the network of discards. That is the papers' RL agent. Source: dissertation, sections 3.4 and 3.5.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents.policy import softmax
from janshi.agents.protocol import Agent
from janshi.learn.inference import best_device
from janshi.learn.policy import TorchPolicy
from janshi.papers.meowjong.agent import MeowjongAgent, actions_of, asked_of, forced, surest
from janshi.papers.meowjong.decisions import DECISIONS, Decision
from janshi.papers.meowjong.player import FiveNetworks, load_five, networks_of_five, save_five
from janshi.riichi.analysis.discards import discard_actions
from janshi.table import DecisionBatch
from janshi.tiles import KINDS

#: Smallest probability of which a logarithm is taken.
_LEAST: Final = 1e-12


@dataclass(slots=True)
class Situations:
    """The decisions of a batch that need a network, and its outputs."""

    actions: NDArray[np.int16]
    """Actions of the whole batch (n), −1 for those that the network decides."""
    batch: DecisionBatch
    """The network's decisions (m); ``legal`` holds its options."""
    packed: NDArray[Any]
    """Packed observations (m, …)."""
    outputs: NDArray[np.float32]
    """Outputs of the network (m, outputs)."""

    def __len__(self) -> int:
        return len(self.batch)


@dataclass(slots=True)
class DrawnActions:
    """Sampled choices in `Situations`."""

    actions: NDArray[np.int16]
    """Actions (m)."""
    rows: NDArray[np.int64]
    """Indices of the situations to learn from (k)."""
    choices: dict[str, NDArray[Any]]
    """Sampled choices, arguments of `DiscardPolicy.log_probability` (k)."""
    log: NDArray[np.float32]
    """Logarithms of their probabilities (k)."""
    impossible: NDArray[np.int64]
    """Indices of situations with an impossible sample, in which another action was taken."""


class DiscardPolicy:
    """Draws discards from the papers' network.

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
        """Return the networks' decisions with their outputs: logits (n, 38)."""
        possible = batch.legal.copy()
        actions = forced(np.asarray(batch.views), possible)
        rest = batch.part(np.flatnonzero(actions < 0))
        rest.legal = possible[actions < 0]
        self.network.eval()
        packed = self.five.encoder.encode(rest)
        return Situations(actions, rest, packed, self.five.answers(packed, asked_of(rest.legal)))

    def draw(self, situations: Situations, random: np.random.Generator) -> DrawnActions:
        """Sample actions for one or more situations; choices are ``kind`` (n), the kinds drawn."""
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
        """Return log-probabilities of drawn kinds and entropies (n) from the logits of the discards (n, 34)."""
        policy = TorchPolicy(outputs, None)
        kinds = torch.from_numpy(choices["kind"].astype(np.int64)).to(outputs.device)
        return policy.log_probability(kinds), policy.entropy()

    def player(self, name: str) -> Agent:
        """Return the current player."""
        return MeowjongAgent(self.five, name, frozenset({self.players}))

    def figures(self, player: Agent) -> dict[str, Any]:
        """Return figures of games played by a `player`: impossible first choices, and all discards."""
        agent = cast("MeowjongAgent", player)
        return {"illegal": agent.illegal, "discards": agent.discards}

    def save_player(self, folder: Path) -> None:
        """Make a player of the folder that holds the network of discards: name the other four networks."""
        folders = {decision: os.path.relpath(self.folders[decision], folder) for decision in DECISIONS}
        save_five(folder, folders | {"discard": "."})

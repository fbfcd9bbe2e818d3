"""The papers' network of discards as a policy that learns by its own games.

The agent's rules and the other four networks decide as usual. If none of them says yes, the discard is
drawn from the network of discards. That is the papers' RL agent. Source: dissertation, sections 3.4 and 3.5.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import softmax
from janshi.installing import naming_extra
from janshi.learn.players import folders_of, load_networks
from janshi.papers.meowjong.agent import MeowjongAgent, actions_of, asked_of, forced, surest
from janshi.papers.meowjong.decisions import DECISIONS, DecisionKind
from janshi.papers.meowjong.five import FiveNetworks
from janshi.riichi.analysis.discards import discard_actions
from janshi.table import DecisionBatch
from janshi.tiles import KINDS

with naming_extra(__name__):
    from torch import nn


@dataclass(slots=True)
class DrawnActions:
    """Actions of decisions (n), and the discards (k) that were drawn among them."""

    actions: NDArray[np.int16]
    """Actions (n)."""
    rows: NDArray[np.int64]
    """Indices of the decisions with a drawn discard (k)."""
    packed: NDArray[Any]
    """Their observations (k, columns)."""
    kinds: NDArray[np.int64]
    """Kinds drawn (k)."""
    impossible: NDArray[np.bool_]
    """Whether the kind drawn is not in the hand (k); the best possible discard is made instead."""


class DiscardPolicy:
    """Draws discards from the papers' network.

    A hand in which something impossible is drawn is not learned from.

    Args:
        folder: names the papers' five networks. Raises `janshi.agents.AgentError` if it does not.
    """

    def __init__(self, folder: Path) -> None:
        self.five = FiveNetworks(load_networks(folder)[1])
        self.folders = folders_of(folder)
        discard = self.five.networks["discard"]
        self.device = discard.device
        self.network: nn.Module = discard.network
        self.metadata = discard.metadata

    def draw(self, batch: DecisionBatch, random: np.random.Generator) -> DrawnActions:
        """Return the actions of one or more decisions, with sampled discards."""
        possible = batch.legal.copy()
        actions = forced(np.asarray(batch.views), possible)
        asked = np.flatnonzero(actions < 0)
        rest = batch.part(asked)
        views, can = np.asarray(rest.views), possible[asked]
        self.network.eval()
        packed = self.five.encoder.encode(rest)
        logits = self.five.answers(packed, asked_of(can))
        chosen = surest(logits, asked_of(can))
        rows = np.flatnonzero(chosen == DecisionKind.DISCARD)
        every = np.arange(len(rows))
        table = discard_actions(views[rows], can[rows])
        answers = logits[rows, :KINDS].astype(np.float64)
        below = softmax(answers).cumsum(axis=1) < random.random(len(rows))[:, None]
        drawn = below.sum(axis=1).clip(0, KINDS - 1)
        best = np.where(table >= 0, answers, -np.inf).argmax(axis=1)
        done = np.where(table[every, drawn] >= 0, drawn, best)
        discards = np.full(len(rest), -1, np.int16)
        discards[rows] = table[every, done]
        actions[asked] = actions_of(chosen, discards, views, can)
        return DrawnActions(actions, asked[rows], packed[rows], drawn, drawn != done)

    def player(self, name: str = "learner") -> MeowjongAgent:
        """Return the current player."""
        return MeowjongAgent(self.five, name, frozenset({3}))

    def folders_from(self, folder: Path) -> dict[str, str]:
        """Return the folders of the networks by decision, as seen from the folder that holds that of discards."""
        folders = {decision: os.path.relpath(self.folders[decision], folder) for decision in DECISIONS}
        return folders | {"discard": "."}

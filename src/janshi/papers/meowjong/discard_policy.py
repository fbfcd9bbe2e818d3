"""The discards of the papers' own networks, drawn, so that the network of discards learns by its own games.

The other four networks decide as they always do, and the surest decision is done; where none of them says yes, the
discard is drawn from its network. That is the papers' RL agent: four networks of the SL agent, and this one. Source:
dissertation, sections 3.4 and 3.5.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents.protocol import Agent
from janshi.analysis.discards import discard_actions
from janshi.learn.checkpoints import CheckpointError
from janshi.learn.learners import Drawn, Situations
from janshi.learn.policy import Policy
from janshi.papers.meowjong.agent import MeowjongAgent, actions_of, asked_of, forced, surest
from janshi.papers.meowjong.decisions import DECISIONS, Decision
from janshi.papers.meowjong.player import FiveNetworks, load_five, networks_of_five, save_five
from janshi.papers.meowjong.policy import draw_discards
from janshi.table import DecisionBatch

_KINDS: Final = 34


class DiscardPolicy:
    """Draws discards from the papers' network: see `janshi.learn.learners.LearnedPolicy`.

    ``networks``: of the five decisions; that of discards learns. ``legal_only``: discards are drawn from what is
    possible alone; otherwise a hand in which something impossible is drawn is not learned from. ``folders``: where the
    networks lie, of which the player goes on to use four.
    """

    def __init__(
        self,
        networks: dict[str, nn.Module],
        metadata: dict[str, Any],
        folders: dict[str, Path],
        *,
        legal_only: bool = False,
    ) -> None:
        self.five = FiveNetworks(networks)
        self.device = self.five.device
        self.network: nn.Module = self.five.networks["discard"]
        self.player_network: nn.Module = self.network
        self.encoder = self.five.encoder
        self.metadata = metadata
        self.players = int(metadata["players"])
        self.folders = folders
        self.legal_only = legal_only

    @classmethod
    def load(cls, folder: Path, *, legal_only: bool = False) -> DiscardPolicy:
        """Return the policy of a folder that names the papers' five networks.

        Raises `CheckpointError` or `janshi.agents.AgentError` where it does not.
        """
        loaded = load_five(folder)
        networks = {decision: network for decision, (network, _) in loaded.items()}
        return cls(networks, loaded["discard"][1], networks_of_five(folder), legal_only=legal_only)

    def ask(self, batch: DecisionBatch) -> Situations:
        """See `janshi.learn.learners.LearnedPolicy`; outputs are logits (m, 38)."""
        possible = batch.legal.copy()
        actions = forced(np.asarray(batch.views), possible)
        rest = batch.part(np.flatnonzero(actions < 0))
        rest.legal = possible[actions < 0]
        packed = self.encoder.encode(rest)
        self.network.eval()
        return Situations(actions, rest, packed, self.five.answers(packed, asked_of(rest.legal)))

    def draw(self, situations: Situations, random: np.random.Generator) -> Drawn:
        """See `LearnedPolicy`; choices are ``kind`` (n: what was drawn) and ``legal`` (masks of kinds)."""
        views, can = np.asarray(situations.batch.views), situations.batch.legal
        chosen = surest(situations.outputs, asked_of(can))
        rows = np.flatnonzero(chosen == Decision.DISCARD)
        table = discard_actions(views[rows], can[rows])
        possible = table >= 0
        logits, uniform = situations.outputs[rows, :_KINDS], random.random(len(rows))
        drawn, done, shares = draw_discards(logits, possible, uniform, legal_only=self.legal_only)
        discards = np.full(len(situations), -1, np.int16)
        discards[rows] = table[np.arange(len(rows)), done]
        log = np.log(np.maximum(shares[np.arange(len(rows)), drawn], 1e-12)).astype(np.float32)
        legal = (possible.astype(np.int64) << np.arange(_KINDS)).sum(axis=1)
        choices: dict[str, NDArray[Any]] = {"kind": drawn, "legal": legal}
        return Drawn(actions_of(chosen, discards, views, can), rows, choices, log, rows[drawn != done])

    def log_probability(self, outputs: Tensor, choices: dict[str, NDArray[Any]]) -> tuple[Tensor, Tensor]:
        """See `LearnedPolicy`; outputs are the logits of the network of discards (n, 34)."""
        legal = None
        if self.legal_only:
            legal = torch.from_numpy((choices["legal"][:, None] >> np.arange(_KINDS) & 1) > 0).to(outputs.device)
        policy = Policy(outputs, legal)
        kinds = torch.from_numpy(choices["kind"].astype(np.int64)).to(outputs.device)
        return policy.log_probability(kinds), policy.entropy()

    def value(self, outputs: Tensor) -> Tensor:
        """Raise `CheckpointError`: the papers' networks value no position."""
        raise CheckpointError("the papers' networks value no position, which the steadied setting needs")

    def player(self, name: str) -> Agent:
        """See `LearnedPolicy`."""
        return MeowjongAgent(self.five, name, frozenset({self.players}))

    def figures(self, player: Agent) -> dict[str, Any]:
        """See `LearnedPolicy`: impossible first choices, and all discards."""
        agent = cast("MeowjongAgent", player)
        return {"illegal": agent.illegal, "discards": agent.discards}

    def save_player(self, folder: Path) -> None:
        """Make a player of the folder that the network of discards was saved in: it names the other four."""
        folders = {decision: os.path.relpath(self.folders[decision], folder) for decision in DECISIONS}
        save_five(folder, folders | {"discard": "."})

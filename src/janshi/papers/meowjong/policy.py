"""The five decisions drawn from networks, so that they learn by their own games.

What the agent does without asking a network, is done here too. Of our network each decision that is possible is drawn
in turn: kita, pon, kan, riichi, each that is declined leaving the next to decide, and last the discard; decisions that
are not learned are done as the network thinks best. Of the papers' networks that of discards learns: the other four
decide as they always do, and where none of them says yes the discard is drawn. That is the papers' RL agent. Source:
dissertation, sections 3.4 and 3.5.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents.protocol import Agent
from janshi.learn.checkpoints import CheckpointError, load_network
from janshi.learn.inference import best_device, many_answers
from janshi.learn.learners import DrawnActions, Situations
from janshi.learn.networks import encoder_of
from janshi.learn.policy import TorchPolicy
from janshi.papers.meowjong.agent import DecisionNetwork, MeowjongAgent, actions_of, asked_of, forced, surest
from janshi.papers.meowjong.decisions import DECISIONS, Decision
from janshi.papers.meowjong.networks import VALUE, WINNERS, ResidualNetwork
from janshi.papers.meowjong.player import (
    FIVE,
    FiveNetworks,
    load_five,
    networks_of_five,
    save_five,
    torch_decisions,
)
from janshi.riichi.analysis.discards import discard_actions
from janshi.table import DecisionBatch

#: The order in which decisions are drawn: each that is declined leaves the next to decide.
ORDER: Final = (Decision.KITA, Decision.PON, Decision.KAN, Decision.RIICHI)
_KINDS: Final = 34
#: A probability of 0 has a logarithm too.
_LEAST: Final = 1e-12


class DecisionPolicy(ABC):
    """What both policies share: see `janshi.learn.learners.LearnedPolicy`.

    ``legal_only``: discards are drawn from what is possible alone; otherwise a hand in which something impossible is
    drawn is not learned from.
    """

    def __init__(self, network: nn.Module, metadata: dict[str, Any], *, legal_only: bool) -> None:
        self.device = best_device()
        self.network = network.to(self.device)
        self.player_network: nn.Module = self.network
        self.encoder = encoder_of(network)
        self.metadata = metadata
        self.players = int(metadata["players"])
        self.legal_only = legal_only

    @abstractmethod
    def outputs(self, packed: NDArray[np.int64], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return what is answered to observations in which actions (n, 122) are legal."""

    @abstractmethod
    def decider(self) -> DecisionNetwork:
        """Return what answers the five decisions of the player."""

    @abstractmethod
    def draw(self, situations: Situations, random: np.random.Generator) -> DrawnActions:
        """See `LearnedPolicy`; choices hold ``legal`` (masks of kinds)."""

    def ask(self, batch: DecisionBatch) -> Situations:
        """See `LearnedPolicy`."""
        possible = batch.legal.copy()
        actions = forced(np.asarray(batch.views), possible)
        rest = batch.part(np.flatnonzero(actions < 0))
        rest.legal = possible[actions < 0]
        self.network.eval()
        packed = self.encoder.encode(rest)
        return Situations(actions, rest, packed, self.outputs(packed, rest.legal))

    def legal_kinds(self, choices: dict[str, NDArray[Any]], device: torch.device) -> Tensor | None:
        """Return the kinds that discards are drawn from (n, 34); None: all."""
        if not self.legal_only:
            return None
        return torch.from_numpy((choices["legal"][:, None] >> np.arange(_KINDS) & 1) > 0).to(device)

    def player(self, name: str) -> Agent:
        """See `LearnedPolicy`."""
        return MeowjongAgent(self.decider(), name, frozenset({self.players}))

    def figures(self, player: Agent) -> dict[str, Any]:
        """See `LearnedPolicy`: impossible first choices, and all discards."""
        agent = cast("MeowjongAgent", player)
        return {"illegal": agent.illegal, "discards": agent.discards}


class FiveDecisionPolicy(DecisionPolicy):
    """Draws the five decisions from a `ResidualNetwork`'s winners' heads; ``decisions``: those drawn and learned."""

    def __init__(
        self,
        network: ResidualNetwork,
        metadata: dict[str, Any],
        decisions: Sequence[str] = DECISIONS,
        *,
        legal_only: bool = True,
    ) -> None:
        super().__init__(network, metadata, legal_only=legal_only)
        self.learned = [name in decisions for name in DECISIONS]

    @classmethod
    def load(cls, folder: Path, decisions: Sequence[str] = DECISIONS, *, legal_only: bool = True) -> FiveDecisionPolicy:
        """Return the policy of a checkpoint's folder.

        Raises `CheckpointError` where it holds none of our networks of five decisions.
        """
        network, metadata = load_network(folder)
        if not isinstance(network, ResidualNetwork):
            raise CheckpointError(
                f"{folder}: reinforcement goes on from our network, or from the folder of the papers' five "
                f"({FIVE}): this one is a paper's"
            )
        return cls(network, metadata, decisions, legal_only=legal_only)

    def outputs(self, packed: NDArray[np.int64], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return what the network answers (n, 77)."""
        return many_answers(self.network, packed, self.device) if len(packed) else np.zeros((0, 0), np.float32)

    def decider(self) -> DecisionNetwork:
        """See `DecisionPolicy`."""
        return torch_decisions(self.player_network)

    def draw(self, situations: Situations, random: np.random.Generator) -> DrawnActions:
        """See `LearnedPolicy`; choices are ``taken`` (n, 5; −1: not drawn) and ``legal`` (masks of kinds)."""
        views, can = np.asarray(situations.batch.views), situations.batch.legal
        logits = situations.outputs[:, WINNERS : WINNERS + 38]
        count = len(situations)
        asked = asked_of(can)
        taken = np.full((count, 5), -1, np.int8)
        log = np.zeros(count, np.float32)
        chosen = np.where(asked[:, Decision.DISCARD], Decision.DISCARD, -1).astype(np.int8)
        open_ = np.ones(count, np.bool_)
        uniform = random.random((count, 5))
        for decision in ORDER:
            rows = np.flatnonzero(asked[:, decision] & open_)
            share = 1 / (1 + np.exp(-logits[rows, 33 + decision].astype(np.float64)))
            yes = uniform[rows, decision] < share if self.learned[decision] else share > 0.5
            if self.learned[decision]:
                taken[rows, decision] = yes
                log[rows] += np.log(np.maximum(np.where(yes, share, 1 - share), _LEAST))
            chosen[rows[yes]] = decision
            open_[rows[yes]] = False
        possible = discard_actions(views, can)
        table = possible >= 0
        discards = np.flatnonzero(chosen == Decision.DISCARD)
        drawn, done, shares = draw_discards(
            logits[discards, :_KINDS], table[discards], uniform[discards, 0], legal_only=self.legal_only
        )
        discarding = np.full(count, -1, np.int16)
        discarding[discards] = possible[discards, done]
        if self.learned[Decision.DISCARD]:
            taken[discards, Decision.DISCARD] = done
            log[discards] += np.log(np.maximum(shares[np.arange(len(discards)), done], _LEAST))
        noted = np.flatnonzero((taken >= 0).any(axis=1))
        choices: dict[str, NDArray[Any]] = {"taken": taken[noted], "legal": _masks(table)[noted]}
        actions = actions_of(chosen, discarding, views, can)
        return DrawnActions(actions, noted, choices, log[noted], discards[drawn != done])

    def log_probability(self, outputs: Tensor, choices: dict[str, NDArray[Any]]) -> tuple[Tensor, Tensor]:
        """See `LearnedPolicy`; the entropy is that of discards (0 where there is none)."""
        taken = torch.from_numpy(choices["taken"].astype(np.int64)).to(outputs.device)
        policy = TorchPolicy(outputs[:, WINNERS : WINNERS + _KINDS], self.legal_kinds(choices, outputs.device))
        there = taken[:, Decision.DISCARD] >= 0
        log = torch.where(there, policy.log_probability(taken[:, Decision.DISCARD].clamp(min=0)), 0.0)
        entropy = torch.where(there, policy.entropy(), 0.0)
        for decision in (Decision.PON, Decision.KAN, Decision.KITA, Decision.RIICHI):
            yes = outputs[:, WINNERS + 33 + decision]
            answer = torch.where(taken[:, decision] == 1, nn.functional.logsigmoid(yes), nn.functional.logsigmoid(-yes))
            log = log + torch.where(taken[:, decision] >= 0, answer, 0.0)
        return log, entropy

    def value(self, outputs: Tensor) -> Tensor:
        """See `LearnedPolicy`."""
        return outputs[:, VALUE]


class DiscardPolicy(DecisionPolicy):
    """Draws discards from the papers' network.

    ``networks``: of the five decisions; that of discards learns. ``folders``: where they lie; the player goes on to use
    four of them.
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
        super().__init__(self.five.networks["discard"], metadata, legal_only=legal_only)
        self.folders = folders

    @classmethod
    def load(cls, folder: Path, *, legal_only: bool = False) -> DiscardPolicy:
        """Return the policy of a folder that names the papers' five networks.

        Raises `CheckpointError` or `janshi.agents.AgentError` where it does not.
        """
        loaded = load_five(folder)
        networks = {decision: network for decision, (network, _) in loaded.items()}
        return cls(networks, loaded["discard"][1], networks_of_five(folder), legal_only=legal_only)

    def outputs(self, packed: NDArray[np.int64], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return logits (n, 38)."""
        return self.five.answers(packed, asked_of(legal))

    def decider(self) -> DecisionNetwork:
        """See `DecisionPolicy`."""
        return self.five

    def draw(self, situations: Situations, random: np.random.Generator) -> DrawnActions:
        """See `LearnedPolicy`; choices are ``kind`` (n: what was drawn) and ``legal`` (masks of kinds)."""
        views, can = np.asarray(situations.batch.views), situations.batch.legal
        chosen = surest(situations.outputs, asked_of(can))
        rows = np.flatnonzero(chosen == Decision.DISCARD)
        table = discard_actions(views[rows], can[rows])
        logits, uniform = situations.outputs[rows, :_KINDS], random.random(len(rows))
        drawn, done, shares = draw_discards(logits, table >= 0, uniform, legal_only=self.legal_only)
        discards = np.full(len(situations), -1, np.int16)
        discards[rows] = table[np.arange(len(rows)), done]
        log = np.log(np.maximum(shares[np.arange(len(rows)), drawn], _LEAST)).astype(np.float32)
        choices: dict[str, NDArray[Any]] = {"kind": drawn, "legal": _masks(table >= 0)}
        return DrawnActions(actions_of(chosen, discards, views, can), rows, choices, log, rows[drawn != done])

    def log_probability(self, outputs: Tensor, choices: dict[str, NDArray[Any]]) -> tuple[Tensor, Tensor]:
        """See `LearnedPolicy`; outputs are the logits of the network of discards (n, 34)."""
        policy = TorchPolicy(outputs, self.legal_kinds(choices, outputs.device))
        kinds = torch.from_numpy(choices["kind"].astype(np.int64)).to(outputs.device)
        return policy.log_probability(kinds), policy.entropy()

    def value(self, outputs: Tensor) -> Tensor:
        """Raise `CheckpointError`: the papers' networks value no position."""
        raise CheckpointError("the papers' networks value no position, which the steadied setting needs")

    def save_player(self, folder: Path) -> None:
        """Make a player of the folder that the network of discards was saved in: it names the other four."""
        folders = {decision: os.path.relpath(self.folders[decision], folder) for decision in DECISIONS}
        save_five(folder, folders | {"discard": "."})


def draw_discards(
    logits: NDArray[np.float32], possible: NDArray[np.bool_], uniform: NDArray[np.float64], *, legal_only: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return the kinds drawn (n), those that go, where these are not possible the best one, and shares (n, 34).

    ``logits`` (n, 34), ``possible`` (n, 34), ``uniform`` (n): random numbers. ``legal_only``: only what is possible has
    a share.
    """
    masked = logits.astype(np.float64)
    if legal_only:
        masked = np.where(possible, masked, -np.inf)
    shares = np.exp(masked - masked.max(axis=1, keepdims=True, initial=-1e30))
    shares /= shares.sum(axis=1, keepdims=True)
    drawn = (shares.cumsum(axis=1) < uniform[:, None]).sum(axis=1).clip(0, _KINDS - 1)
    best = np.where(possible, masked, -np.inf).argmax(axis=1)
    return drawn, np.where(possible[np.arange(len(drawn)), drawn], drawn, best), shares


def _masks(kinds: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Masks (n) of kinds (n, 34)."""
    masks: NDArray[np.int64] = (kinds.astype(np.int64) << np.arange(_KINDS)).sum(axis=1)
    return masks

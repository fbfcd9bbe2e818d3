"""Policies for reinforcement learning: sampling from a network, and probabilities of samples.

Self-play and the trainers use a network only through this interface. `ActionPolicy` samples from the whole action
space; the policies of papers are beside their networks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents.outputs import VALUE_PART
from janshi.agents.policy import Policy, PolicyAgent
from janshi.agents.protocol import Agent
from janshi.learn.inference import TorchNetwork, best_device, many_answers
from janshi.learn.networks import ActionNetwork, NetworkError, encoder_of
from janshi.learn.policy import TorchPolicy
from janshi.table import DecisionBatch


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
    """Sampled choices, arguments of `LearnedPolicy.log_probability` (k)."""
    log: NDArray[np.float32]
    """Logarithms of their probabilities (k)."""
    impossible: NDArray[np.int64]
    """Indices of situations with an impossible sample, in which another action was taken."""


class LearnedPolicy(Protocol):
    """A network that learns, with its sampling."""

    @property
    def network(self) -> nn.Module:
        """Network that learns."""
        ...

    player_network: nn.Module
    """Network that plays after the training: the same, or one that contains it."""
    players: int
    """Number of players in its training."""
    metadata: dict[str, Any]
    """Metadata of the initial network."""

    def ask(self, batch: DecisionBatch) -> Situations:
        """Return the network's decisions with its outputs."""
        ...

    def draw(self, situations: Situations, random: np.random.Generator) -> DrawnActions:
        """Sample actions for one or more situations."""
        ...

    def log_probability(self, outputs: Tensor, choices: dict[str, NDArray[Any]]) -> tuple[Tensor, Tensor]:
        """Return log-probabilities of sampled choices and entropies (n) from a network's outputs."""
        ...

    def value(self, outputs: Tensor) -> Tensor:
        """Return the values of positions (n) from a network's outputs."""
        ...

    def player(self, name: str) -> Agent:
        """Return the current player."""
        ...

    def figures(self, player: Agent) -> dict[str, Any]:
        """Return figures of games played by a `player` of this policy."""
        ...


class ActionPolicy:
    """Policy over the whole action space: a `janshi.learn.networks.ActionNetwork`. Every action is learned.

    Raises `NetworkError` for a network without a value.
    """

    def __init__(self, network: ActionNetwork, metadata: dict[str, Any]) -> None:
        if VALUE_PART not in network.outputs:
            raise NetworkError(f"a network that learns by playing answers a value: this one, {network.outputs}")
        self.device = best_device()
        self.network = network.to(self.device)
        self.player_network: nn.Module = self.network
        self.encoder = encoder_of(network)
        self.players = int(metadata["players"])
        self.metadata = metadata

    def ask(self, batch: DecisionBatch) -> Situations:
        """See `LearnedPolicy`; the network takes every decision."""
        packed = self.encoder.encode(batch)
        self.network.eval()
        outputs = many_answers(self.network, packed, self.device)
        return Situations(np.full(len(batch), -1, np.int16), batch, packed, outputs)

    def draw(self, situations: Situations, random: np.random.Generator) -> DrawnActions:
        """See `LearnedPolicy`; choices are ``action`` and ``legal``."""
        legal = situations.batch.legal
        policy = Policy(situations.outputs[:, : legal.shape[1]], legal)
        actions = policy.sample(random.integers(0, np.iinfo(np.int64).max, len(legal)))
        every = np.arange(len(legal))
        log = policy.log_probabilities()[every, actions].astype(np.float32)
        return DrawnActions(actions, every, {"action": actions, "legal": legal}, log, every[:0])

    def log_probability(self, outputs: Tensor, choices: dict[str, NDArray[Any]]) -> tuple[Tensor, Tensor]:
        """See `LearnedPolicy`."""
        legal = torch.from_numpy(choices["legal"]).to(outputs.device)
        policy = TorchPolicy(outputs[:, : legal.shape[1]], legal)
        actions = torch.from_numpy(choices["action"].astype(np.int64)).to(outputs.device)
        return policy.log_probability(actions), policy.entropy()

    def value(self, outputs: Tensor) -> Tensor:
        """See `LearnedPolicy`."""
        return outputs[:, self.network.outputs.columns(VALUE_PART)][:, 0]

    def player(self, name: str) -> Agent:
        """See `LearnedPolicy`."""
        return PolicyAgent(TorchNetwork(self.network), name, frozenset({self.players}))

    def figures(self, player: Agent) -> dict[str, Any]:
        """See `LearnedPolicy`; there are none."""
        return {}

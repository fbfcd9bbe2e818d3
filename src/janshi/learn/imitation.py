"""Imitating an agent that plays by rules: its own games are what a network of a whole action space learns from.

>>> from janshi.agents.sichuan.heuristic import HeuristicAgent
>>> from janshi.learn.configs import DenseConfig
>>> from janshi.learn.networks import make_network
>>> network = make_network(DenseConfig("sichuan", hidden=8, units=8))
>>> imitate(network, HeuristicAgent(), "sichuan", ImitationConfig(rounds=1, games=2, batch=64))[0]["decisions"] > 100
True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents.protocol import Agent
from janshi.learn.configs import option
from janshi.learn.inference import to_input
from janshi.learn.networks import encoder_of
from janshi.learn.policy import Policy
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.table import DecisionBatch, Tables


@dataclass(frozen=True, slots=True)
class ImitationConfig:
    """How an agent is imitated."""

    rounds: int = option(20, "Times that games are played and learned from.", min=1)
    games: int = option(1000, "Games of a round.", min=1)
    batch: int = option(1024, "Decisions a step.", min=1)
    learning_rate: float = option(1e-3, "Step size at the beginning; it falls along a straight line to a tenth.")
    seed: int = option(0, "Decides all games and orders.", min=0)


class _Noted(Observer):
    """Notes what was decided: observations, legal actions, what was done."""

    def __init__(self, encode: Callable[[DecisionBatch], NDArray[Any]]) -> None:
        self.encode = encode
        self.packed: list[NDArray[Any]] = []
        self.legal: list[NDArray[np.bool_]] = []
        self.actions: list[NDArray[np.int16]] = []

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """Note decisions in which there was a choice."""
        rows = np.flatnonzero(batch.legal.sum(axis=1) > 1)
        if len(rows):
            self.packed.append(self.encode(batch)[rows])
            self.legal.append(batch.legal[rows])
            self.actions.append(actions[rows])


def imitate(
    network: nn.Module,
    agent: Agent,
    rules: str,
    config: ImitationConfig,
    progress: Callable[[dict[str, Any]], None] | None = None,
) -> list[dict[str, Any]]:
    """Let an agent play in every seat and a network learn to do the same; return the curve, a point a round.

    Each point has ``decisions``, ``loss`` (cross-entropy in nats) and ``accuracy``. The same seed gives the same
    weights.
    """
    device = next(network.parameters()).device
    optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate)
    curve: list[dict[str, Any]] = []
    encoder = encoder_of(network)
    for number in range(config.rounds):
        for group in optimizer.param_groups:
            group["lr"] = config.learning_rate * (1 - 0.9 * number / config.rounds)
        seeds = np.int64(config.seed + 1 << 40) + np.int64(number) * config.games + np.arange(config.games)
        tables = Tables(rules, config.games, seeds, auto_reset=False)
        noted = _Noted(encoder.encode)
        Driver(tables, Seating.same([agent] * tables.rules.players, config.games), [noted]).run()
        packed, legal, actions = (np.concatenate(rows) for rows in (noted.packed, noted.legal, noted.actions))
        order = np.random.default_rng([config.seed, 5, number]).permutation(len(actions))
        losses = hits = 0.0
        network.train()
        for first in range(0, len(order), config.batch):
            rows = order[first : first + config.batch]
            with torch.autocast(device.type, torch.bfloat16):
                outputs: Tensor = network(to_input(encoder, packed[rows], device))
            policy = Policy(outputs.float()[:, : legal.shape[1]], torch.from_numpy(legal[rows]).to(device))
            done = torch.from_numpy(actions[rows].astype(np.int64)).to(device)
            loss = -policy.log_probability(done).mean()
            optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            optimizer.step()
            losses += float(loss.detach()) * len(rows)
            hits += float((policy.best() == done).sum())
        curve.append({"decisions": len(order), "loss": losses / len(order), "accuracy": hits / len(order)})
        if progress is not None:
            progress(curve[-1])
    network.eval()
    return curve

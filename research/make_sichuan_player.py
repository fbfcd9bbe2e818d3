"""Train a network that imitates `efficient` in Sichuan mahjong, the start of the shipped player.

    python research/make_sichuan_player.py FOLDER
    janshi learn FOLDER --out OUT …

The model card (`src/janshi/players/README.md`) has the options of the second command.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents import Agent
from janshi.learn.checkpoints import BEST, LAST, describe_network, save_metadata, save_tensors
from janshi.learn.configs import option
from janshi.learn.inference import mixed_precision, to_input
from janshi.learn.networks import encoder_of, make_network
from janshi.learn.tasks import masked_logits
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.sichuan.agents import EfficientAgent
from janshi.sichuan.networks import DenseConfig
from janshi.table import DecisionBatch, Tables


@dataclass(frozen=True, slots=True)
class ImitationConfig:
    """Settings of imitation."""

    rounds: int = option(20, "Times that games are played and learned from.", min=1)
    games: int = option(1000, "Games of a round.", min=1)
    rules: tuple[str, ...] = option(
        ("sichuan-hand", "sichuan-exchange-hand", "sichuan-novikov-hand"), "Rules of the games, a round each in turn."
    )
    batch: int = option(1024, "Batch size in decisions.", min=1)
    learning_rate: float = option(1e-3, "Step size at the beginning; it falls along a straight line to a tenth.")
    seed: int = option(0, "Decides all games and orders.", min=0)


class _Noted(Observer):
    """Stores decisions: observations, legal actions, actions taken."""

    def __init__(self, encode: Callable[[DecisionBatch], NDArray[Any]]) -> None:
        self.encode = encode
        self.packed: list[NDArray[Any]] = []
        self.legal: list[NDArray[np.bool_]] = []
        self.actions: list[NDArray[np.int16]] = []

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """Store decisions with a choice."""
        rows = np.flatnonzero(batch.legal.sum(axis=1) > 1)
        if len(rows):
            self.packed.append(self.encode(batch)[rows])
            self.legal.append(batch.legal[rows])
            self.actions.append(actions[rows])


def imitate(
    network: nn.Module,
    agent: Agent,
    config: ImitationConfig,
    progress: Callable[[dict[str, Any]], None] | None = None,
) -> list[dict[str, Any]]:
    """Let an agent play in every seat and train a network to imitate it; return the curve, a point a round.

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
        tables = Tables(config.rules[number % len(config.rules)], config.games, seeds, auto_reset=False)
        noted = _Noted(encoder.encode)
        Driver(tables, Seating.same([agent] * tables.rules.players, config.games), [noted]).run()
        packed, legal, actions = (np.concatenate(rows) for rows in (noted.packed, noted.legal, noted.actions))
        order = np.random.default_rng([config.seed, 5, number]).permutation(len(actions))
        losses = hits = 0.0
        network.train()
        for first in range(0, len(order), config.batch):
            rows = order[first : first + config.batch]
            with mixed_precision(device):
                outputs: Tensor = network(to_input(encoder, packed[rows], device))
            logits = masked_logits(outputs.float()[:, : legal.shape[1]], torch.from_numpy(legal[rows]).to(device))
            done = torch.from_numpy(actions[rows].astype(np.int64)).to(device)
            loss = nn.functional.cross_entropy(logits, done)
            optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(loss)
            optimizer.step()
            losses += float(loss.detach()) * len(rows)
            hits += float((logits.argmax(1) == done).sum())
        curve.append({"decisions": len(order), "loss": losses / len(order), "accuracy": hits / len(order)})
        if progress is not None:
            progress(curve[-1])
    network.eval()
    return curve


def main() -> None:
    """Train and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    network = make_network(DenseConfig())
    began = time.perf_counter()
    config = ImitationConfig(rounds=options.rounds, games=1500, seed=options.seed)
    curve = imitate(network, EfficientAgent(), config, print)
    options.folder.mkdir(parents=True, exist_ok=True)
    save_tensors(network.state_dict(), options.folder / LAST)
    save_tensors(network.state_dict(), options.folder / BEST)
    seconds = time.perf_counter() - began
    (options.folder / "curve.json").write_text(json.dumps({"curve": curve, "seconds": seconds}))
    samples = sum(point["decisions"] for point in curve)
    save_metadata(describe_network(network, 4, list(config.rules), samples=samples), options.folder)


if __name__ == "__main__":
    main()

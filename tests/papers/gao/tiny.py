"""Tiny networks of the `gao` thesis with fresh weights, as folders that players are loaded from."""

from pathlib import Path
from typing import Any

from janshi.learn.checkpoints import BEST, describe_network, save_metadata, save_tensors
from janshi.learn.networks import make_network
from janshi.papers.gao.agent import GaoAgent
from janshi.papers.gao.labels import DECISIONS
from janshi.papers.gao.networks import GaoConfig, GaoSequenceConfig


def save_tiny_network(folder: Path, config: Any) -> None:
    """Save a network of that shape."""
    folder.mkdir()
    network = make_network(config).eval()
    save_tensors(network.state_dict(), folder / BEST)
    save_metadata(describe_network(network, 4, ["tenhou"]), folder)


def save_tiny_player(folder: Path, *, sequence: bool = False) -> None:
    """Save four networks of two filters, which make a player; ``sequence``: the discards' is the sequential one."""
    for decision in DECISIONS:
        config: Any = GaoConfig(decision, filters=2)
        if decision == "discard" and sequence:
            config = GaoSequenceConfig(filters=2, units=3)
        save_tiny_network(folder / decision, config)
    GaoAgent.save(folder, {decision: decision for decision in DECISIONS})

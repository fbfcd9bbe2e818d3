"""Tiny networks of the `gao` thesis with new weights, as folders of players."""

from pathlib import Path
from typing import Any

from janshi.learn.checkpoints import BEST, describe_network, save_metadata, save_tensors
from janshi.learn.networks import make_network
from janshi.learn.players import save_player
from janshi.papers.gao.labels import DECISIONS
from janshi.papers.gao.networks import GaoConfig, GaoSequenceConfig


def save_tiny_network(folder: Path, config: Any) -> None:
    """Save a network of a configuration."""
    folder.mkdir()
    network = make_network(config).eval()
    save_tensors(network.state_dict(), folder / BEST)
    save_metadata(describe_network(network, 4, ["tenhou"]), folder)


def save_tiny_player(folder: Path, *, sequence: bool = False) -> None:
    """Save a player of four networks of two filters; ``sequence``: that of discards is sequential."""
    for decision in DECISIONS:
        config: Any = GaoConfig(decision, filters=2)
        if decision == "discard" and sequence:
            config = GaoSequenceConfig(filters=2, units=3)
        save_tiny_network(folder / decision, config)
    save_player(folder, "gao", {decision: decision for decision in DECISIONS})

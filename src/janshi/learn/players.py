"""Checkpoints as players, evaluated by torch."""

from __future__ import annotations

from pathlib import Path

from janshi.agents.policy import PolicyAgent
from janshi.agents.protocol import Agent, AgentError
from janshi.learn.checkpoints import CheckpointError, load_network
from janshi.learn.inference import TorchNetwork
from janshi.learn.networks import ActionNetwork, kind_of


def load_player(folder: str | Path) -> Agent:
    """Return the player of a checkpoint's folder. Raises `AgentError` if it contains none."""
    folder = Path(folder)
    try:
        network, metadata = load_network(folder)
    except CheckpointError as error:
        raise AgentError(str(error)) from None
    if isinstance(network, ActionNetwork):
        return PolicyAgent(TorchNetwork(network), folder.name, frozenset({int(metadata["players"])}))
    alone = f" for {metadata['decision']} alone" if metadata.get("decision") else f" of kind {kind_of(network).name!r}"
    raise AgentError(f"{folder} holds a network{alone}, which makes no player by itself")

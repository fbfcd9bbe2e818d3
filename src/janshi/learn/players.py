"""Folders of trained networks as players, evaluated by torch.

``player.json`` describes the network beside it, and it names the folders of the networks if a player needs several,
for instance ``{"format": 4, "answers": "long", "networks": {"discard": "discard", "pon": "pon", "chii": "../chii"}}``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from janshi import built_in
from janshi.agents.protocol import Agent, AgentError
from janshi.agents.registry import ANSWERS
from janshi.learn.checkpoints import FORMAT, PLAYER_FILE, CheckpointError, load_network, read_metadata, save_metadata
from janshi.learn.inference import TorchNetwork
from janshi.learn.networks import answers_of, kind_of


def load_player(folder: str | Path, name: str = "") -> Agent:
    """Return the player of a folder, by default with the folder's name. Raises `AgentError` if it contains none."""
    folder = Path(folder)
    answers, networks = load_networks(folder)
    try:
        return ANSWERS[answers](networks, name or folder.name)
    except AgentError as error:
        raise AgentError(f"{folder}: {error}") from None


def save_player(folder: str | Path, answers: str, folders: Mapping[str, str]) -> None:
    """Make a player of networks: ``folders`` has the folder of each network, as seen from the player's, by decision."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    save_metadata({"format": FORMAT, "answers": answers, "networks": dict(folders)}, folder)


def load_networks(folder: str | Path) -> tuple[str, dict[str, TorchNetwork]]:
    """Return what the networks of a player's folder answer, and the networks by decision.

    One network that answers all decisions has the empty name. Raises `AgentError` if they are no player's.
    """
    folder = Path(folder)
    try:
        answers, places = _named_networks(folder)
        networks = {decision: TorchNetwork(*load_network(folder / place)) for decision, place in places.items()}
    except CheckpointError as error:
        raise AgentError(str(error)) from None
    for decision, network in networks.items():
        alone: str = network.metadata.get("decision") or ""
        here = answers_of(network.network)
        if not decision and (alone or not here):
            what = f" for {alone} alone" if alone else f" of kind {kind_of(network.network).name!r}"
            raise AgentError(f"{folder} holds a network{what}, which makes no player by itself")
        if decision and (alone, here) != (decision, answers):
            raise AgentError(f"{folder / places[decision]} holds no network for {decision}, as {folder} says")
        answers = answers or here
    return answers, networks


def folders_of(folder: str | Path) -> dict[str, Path]:
    """Return the folders of the networks of a player's folder, by decision as in `load_networks`.

    Raises `AgentError` if it contains none.
    """
    try:
        return {decision: Path(folder) / place for decision, place in _named_networks(Path(folder))[1].items()}
    except CheckpointError as error:
        raise AgentError(str(error)) from None


def _named_networks(folder: Path) -> tuple[str, dict[str, str]]:
    """Return what the networks of a folder answer (empty: see the network), and their places by decision."""
    former = [name for name in built_in.FORMER_PLAYER_FILES if (folder / name).is_file()]
    if former:
        return built_in.FORMER_PLAYER_FILES[former[0]], _places(_content(folder / former[0]), folder / former[0])
    metadata = read_metadata(folder)
    if "networks" in metadata:
        return str(metadata.get("answers")), _places(metadata["networks"], folder / PLAYER_FILE)
    return "", {"": "."}


def _content(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _places(content: Any, file: Path) -> dict[str, str]:
    if not isinstance(content, dict) or not content or not all(isinstance(place, str) for place in content.values()):
        raise CheckpointError(f"{file} does not name the networks of a player")
    return content


def check_decisions(networks: Mapping[str, Any], decisions: Mapping[str, Any] | tuple[str, ...]) -> None:
    """Raise `AgentError` if a player's networks do not answer exactly these decisions."""
    if set(networks) != set(decisions):
        raise AgentError(f"it does not name {len(decisions)} networks ({', '.join(decisions)})")

"""Tiny networks of the papers with new weights, as folders of players, and reports to compare."""

from pathlib import Path
from typing import Any

import torch

from janshi.learn.checkpoints import BEST, describe_network, save_metadata, save_tensors
from janshi.learn.networks import make_network
from janshi.learn.players import save_player
from janshi.papers.gao.networks import GaoConfig, GaoSequenceConfig
from janshi.papers.long.networks import LongConfig
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import MeowjongConfig

#: Configurations of a player's networks by decision; ``gao-sequence``: that of discards is sequential.
CONFIGS: dict[str, dict[str, Any]] = {
    "meowjong": {decision: MeowjongConfig(decision, filters=(2, 2, 2, 2), dense=4) for decision in DECISIONS},
    "gao": {decision: GaoConfig(decision, filters=2) for decision in ("discard", "pon", "chii", "riichi")},
    "long": {
        decision: LongConfig(decision, units, (8,))
        for decision, units in (("discard", (16, 8)), ("pon", (8, 8)), ("chii", (8,)))
    },
}
CONFIGS["gao-sequence"] = {**CONFIGS["gao"], "discard": GaoSequenceConfig(filters=2, units=3)}
PLAYERS = {"meowjong": 3, "gao": 4, "gao-sequence": 4, "long": 4}


def save_tiny_player(folder: Path, name: str) -> Path:
    """Save a player of tiny networks in a folder; return the folder."""
    for decision, config in CONFIGS[name].items():
        torch.manual_seed(3)
        network = make_network(config).eval()
        (folder / decision).mkdir(parents=True)
        save_tensors(network.state_dict(), folder / decision / BEST)
        rules = "tenhou" if PLAYERS[name] == 4 else "tenhou-sanma"
        save_metadata(describe_network(network, PLAYERS[name], [rules]), folder / decision)
    save_player(folder, name.partition("-")[0], {decision: decision for decision in CONFIGS[name]})
    return folder


def without_times(report: Any) -> Any:
    """Return a report without times."""
    if isinstance(report, dict):
        return {name: without_times(value) for name, value in report.items() if "seconds" not in name}
    return [without_times(value) for value in report] if isinstance(report, list) else report

"""Trained networks as players: checkpoints answered by torch, and their export to ONNX."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import warnings
from pathlib import Path
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from janshi.agents.meowjong import ANSWERS, SHARPENED, MeowjongAgent
from janshi.agents.onnx import PLAYERS_KEY
from janshi.agents.protocol import Agent, AgentError
from janshi.files import replacing
from janshi.learn.networks import WINNERS, MeowjongNetwork, columns_of
from janshi.learn.trainer import CheckpointError, answers, best_device, load_network
from janshi.observe.decisions import DECISIONS
from janshi.observe.meowjong import COLUMNS

#: File beside the papers' networks that makes one player of them: decision -> folder.
FIVE = "five.json"


class NetworkBrain:
    """Our network, answered by torch: it does what those do who go on to win."""

    def __init__(self, network: nn.Module) -> None:
        self.device = best_device()
        self.network = network.to(self.device).eval()
        self.columns = columns_of(network)

    def answers(self, columns: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
        """See `janshi.agents.meowjong.Brain`."""
        parts = [answers(self.network, columns[at : at + 512], self.device) for at in range(0, len(columns), 512)]
        return np.concatenate(parts)[:, WINNERS : WINNERS + ANSWERS]


class FiveBrain:
    """The papers' five networks, each asked where its decision is wanted."""

    columns = COLUMNS

    def __init__(self, networks: dict[str, nn.Module]) -> None:
        self.device = best_device()
        self.networks = {name: one.to(self.device).eval() for name, one in networks.items()}

    def answers(self, columns: NDArray[np.int64], asked: NDArray[np.bool_]) -> NDArray[np.float32]:
        """See `janshi.agents.meowjong.Brain`."""
        found = np.zeros((len(columns), ANSWERS), np.float32)
        for place, name in enumerate(DECISIONS):
            which = np.flatnonzero(asked[:, place])
            for first in range(0, len(which), 64):
                some = which[first : first + 64]
                said = answers(self.networks[name], columns[some], self.device)
                if name == "discard":
                    found[some, :34] = said
                else:
                    found[some, 33 + place] = said[:, 1] - said[:, 0]
        return found


def load_player(folder: Path) -> Agent:
    """Return the player of a checkpoint's folder, or of one that names the folders of the papers' five networks.

    Raises `AgentError` where there is none in it.
    """
    try:
        if (folder / FIVE).exists():
            named = json.loads((folder / FIVE).read_text())
            loaded = {name: load_network(folder / named[name]) for name in DECISIONS}
            networks = {name: one[0] for name, one in loaded.items()}
            wrong = [name for name, one in networks.items() if not isinstance(one, MeowjongNetwork)]
            if wrong:
                raise AgentError(f"{folder}: {', '.join(wrong)} of {FIVE} is no network of one decision")
            players = frozenset(one[1]["players"] for one in loaded.values())
            if len(players) > 1:
                raise AgentError(f"{folder}: the networks of {FIVE} were trained for different numbers of players")
            return MeowjongAgent(FiveBrain(networks), folder.name, players)
        network, said = load_network(folder)
    except (CheckpointError, OSError, ValueError, KeyError) as error:
        if isinstance(error, AgentError):
            raise
        raise AgentError(str(error) or f"{folder} holds no player") from None
    if said["decision"] is not None:
        raise AgentError(f"{folder} holds a network for {said['decision']} alone: five make a player ({FIVE})")
    return MeowjongAgent(NetworkBrain(network), folder.name, frozenset({said["players"]}), SHARPENED)


class _Exported(nn.Module):
    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, observations: Tensor) -> Tensor:
        return cast("Tensor", self.network(observations.float()))


def export_onnx(network: nn.Module, path: Path, players: int) -> None:
    """Write our network as an ONNX file that takes observations (n, columns, 34; uint8) for any n.

    ``players``: how many it was trained for, which the file says in its metadata. Raises `CheckpointError` for a
    paper's network: its one decision makes no player.
    """
    if isinstance(network, MeowjongNetwork):
        raise CheckpointError(
            f"a paper's network, here for {network.config.decision} alone, is not exported: an ONNX player answers all "
            f"five decisions. Train one for all, or play the papers' five from their folders ({FIVE})"
        )
    model = _Exported(network).eval().cpu()
    example = torch.zeros((2, columns_of(network), 34), dtype=torch.uint8)
    logging.getLogger("torch.onnx").setLevel(logging.ERROR)
    with replacing(path) as part, warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        program = torch.onnx.export(
            model,
            (example,),
            input_names=["observations"],
            output_names=["answers"],
            dynamic_shapes={"observations": {0: torch.export.Dim("n")}},
            dynamo=True,
            verbose=False,
        )
        assert program is not None  # as the dynamo exporter promises
        program.model.metadata_props[PLAYERS_KEY] = str(players)
        program.save(str(part), external_data=False)

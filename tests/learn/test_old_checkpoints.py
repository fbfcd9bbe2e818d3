"""Networks as earlier versions wrote them: format 3, which told numbers of columns instead of encoders' names."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from janshi.learn.checkpoints import CheckpointError, load_network
from janshi.papers.meowjong.configs import MeowjongConfig
from janshi.papers.meowjong.networks import (
    SHARPEN,
    MeowjongNetwork,
    ResidualConfig,
    ResidualNetwork,
    make_network,
    sharpened,
)
from janshi.papers.meowjong.player import load_player
from janshi.table import Tables

#: ``player.json`` of a network of ours, as it was written.
RESIDUAL = """{
 "format": 3,
 "network": "residual",
 "shape": {"columns": 401, "channels": 8, "blocks": 1, "hidden": 64, "kinds": 34},
 "decision": null,
 "columns": 401,
 "sharpen": {"discard": 2.0, "pon": 1.0, "kan": 3.0, "kita": 3.0, "riichi": 10.0},
 "rules": ["tenhou-sanma"],
 "players": 3,
 "samples": 1234
}"""
#: … and of one of the papers.
PAPER = """{
 "format": 3,
 "network": "meowjong",
 "shape": {"decision": "pon", "kernel": [2, 3], "filters": [2, 2, 2, 2], "dense": 4, "dropout": 0.5,
  "scale": [0.1, 0.3]},
 "decision": "pon",
 "columns": 366,
 "sharpen": {},
 "rules": ["tenhou-sanma"],
 "players": 3,
 "samples": 99
}"""


def written(folder, text, network):
    folder.mkdir()
    (folder / "player.json").write_text(text)
    tensors = {name: tensor.contiguous() for name, tensor in network.state_dict().items()}
    save_file(tensors, folder / "best.safetensors")
    return folder


def test_a_network_of_ours(tmp_path):
    torch.manual_seed(1)
    old = make_network(ResidualConfig(channels=8, blocks=1))
    found, metadata = load_network(written(tmp_path / "old", RESIDUAL, old))
    assert isinstance(found, ResidualNetwork)
    assert found.config == ResidualConfig("janshi", 8, 1)
    assert (metadata["format"], metadata["encoder"]) == (4, "janshi")
    x = (torch.rand(3, 401, 34) < 0.1).float()
    with torch.inference_mode():
        assert torch.equal(found(x), sharpened(old.eval(), SHARPEN)(x))
    tables = Tables("tenhou-sanma-hand", 20, 1)
    batch = tables.decisions()
    assert batch.legal[np.arange(20), load_player(tmp_path / "old").act(batch)].all()


def test_a_papers_network(tmp_path):
    shape = MeowjongConfig("pon", kernel=(2, 3), filters=(2, 2, 2, 2), dense=4, scale=(0.1, 0.3))
    found, metadata = load_network(written(tmp_path / "old", PAPER, make_network(shape)))
    assert isinstance(found, MeowjongNetwork)
    assert found.config == shape
    assert metadata["encoder"] == "meowjong"


def test_columns_that_there_never_were(tmp_path):
    text = RESIDUAL.replace("401", "500")
    folder = written(tmp_path / "old", text, make_network(ResidualConfig(channels=8, blocks=1)))
    with pytest.raises(CheckpointError, match="no encoder of 500 columns"):
        load_network(folder)
    policy = json.dumps({**json.loads(RESIDUAL), "network": "policy"})
    (folder / "player.json").write_text(policy)
    with pytest.raises(CheckpointError, match="there was no network 'policy' in format 3"):
        load_network(folder)

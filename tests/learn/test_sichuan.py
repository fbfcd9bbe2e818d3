"""Learning Sichuan mahjong: the dense network, and imitation."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from research.make_sichuan_player import ImitationConfig, imitate

from janshi.learn.checkpoints import LAST, describe_network, load_network, save_metadata, save_tensors
from janshi.learn.networks import NetworkError, make_network
from janshi.learn.players import load_player
from janshi.sichuan.agents.heuristic import HeuristicAgent
from janshi.sichuan.encoder import FEATURES
from janshi.sichuan.networks import DenseConfig, DenseNetwork
from janshi.table import Tables

SMALL = DenseConfig("sichuan", hidden=16, units=16)

def small() -> Any:
    torch.manual_seed(3)
    return make_network(SMALL)


def test_weights_are_shared_between_kinds() -> None:
    network = small()
    assert isinstance(network, DenseNetwork)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
        network.answers.bias[62 + 5] = 2.0  # weight of a kind's sixth number for its discard
        network.answers.bias[62 + FEATURES + 7] = -3.0  # and of the eighth for its kong
        observation = torch.zeros(1, 926)
        observation[0, 4 * FEATURES + 5] = 1
        observation[0, 20 * FEATURES + 7] = 1
        answers = network(observation)[0]
    assert answers.shape == (62,)
    assert {index: float(value) for index, value in enumerate(answers) if value} == {4: 2.0, 34 + 20: -3.0}


def test_an_encoder_of_another_form_is_refused() -> None:
    with pytest.raises(NetworkError, match="has no numbers of each kind"):
        make_network(DenseConfig("sichuan-dqn"))


def test_imitation_approaches_its_teacher_and_is_deterministic() -> None:
    config = ImitationConfig(rounds=4, games=40, rules=("sichuan",), batch=256, learning_rate=5e-3)
    curve = imitate(small(), HeuristicAgent(), config)
    assert curve[-1]["loss"] < 0.8 * curve[0]["loss"]
    assert curve[-1]["accuracy"] > curve[0]["accuracy"]
    one = dataclasses.replace(config, rounds=1)
    assert imitate(small(), HeuristicAgent(), one) == imitate(small(), HeuristicAgent(), one)


def test_its_folder_is_a_player_of_sichuan(tmp_path: Path) -> None:
    network = small()
    save_tensors(network.state_dict(), tmp_path / LAST)
    save_metadata(describe_network(network, 4, ["sichuan"]), tmp_path)
    assert load_network(tmp_path)[1]["network"] == "dense"
    player = load_player(tmp_path)
    batch = Tables("sichuan", 5).decisions()
    assert batch.legal[np.arange(5), player.act(batch)].all()

"""Learning Sichuan mahjong: the dense network, imitation, and actor-critic learning."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from tools.make_sichuan_player import ImitationConfig, imitate

from janshi.learn.checkpoints import LAST, describe_network, load_network, save_metadata, save_tensors
from janshi.learn.configs import ActorCriticConfig
from janshi.learn.learners import ActionPolicy
from janshi.learn.networks import NetworkError, make_network
from janshi.learn.players import load_player
from janshi.learn.reinforce import ActorCritic, advantages
from janshi.learn.selfplay import Trajectories
from janshi.sichuan.agents.heuristic import HeuristicAgent
from janshi.sichuan.encoder import FEATURES
from janshi.sichuan.networks import DenseConfig, DenseNetwork
from janshi.table import Tables

SMALL = DenseConfig("sichuan", hidden=16, units=16)
CONFIG = ActorCriticConfig(
    episodes=2, hands=8, opponents=("heuristic",), evaluate_every=2, evaluate_hands=2, evaluate_against="heuristic"
)


def small() -> Any:
    torch.manual_seed(3)
    return make_network(SMALL)


def improved(folder: Path, config: ActorCriticConfig = CONFIG) -> ActorCritic:
    policy = ActionPolicy(small(), {"players": 4, "rules": ["sichuan"]})
    return ActorCritic(config, policy, folder, {"heuristic": HeuristicAgent()}, "sichuan")


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
    config = ImitationConfig(rounds=4, games=40, batch=256, learning_rate=5e-3)
    curve = imitate(small(), HeuristicAgent(), "sichuan", config)
    assert curve[-1]["loss"] < 0.8 * curve[0]["loss"]
    assert curve[-1]["accuracy"] > curve[0]["accuracy"]
    one = dataclasses.replace(config, rounds=1)
    assert imitate(small(), HeuristicAgent(), "sichuan", one) == imitate(small(), HeuristicAgent(), "sichuan", one)


def trajectories(**columns: Any) -> Trajectories:
    nothing = np.zeros(len(columns["points"]), np.float32)
    return Trajectories(
        packed=nothing, choices={}, log=nothing, reward=nothing, **{n: np.array(c) for n, c in columns.items()}
    )


def test_an_advantage_is_the_excess_over_the_expected_gain() -> None:
    found = trajectories(
        hand=[1, 0, 1, 0], after=[1, 0, 0, 1], points=[0, 4, 2, 0], final=[10, 8, 10, 8], value=[1.0, 0.5, 2.0, 0.0]
    )
    # Hand 0: its last decision won 4 more points (2 units of 2), 0.5 were expected; before that 4 points and 0.5.
    last = (8 - 4) / 2 - 0.5
    first = (4 - 0) / 2 + 0.5 - 0.0
    other_last = (10 - 2) / 2 - 2.0
    other_first = (2 - 0) / 2 + 2.0 - 1.0
    expected = [other_first + 0.9 * other_last, last, other_last, first + 0.9 * last]
    assert advantages(found, 2.0, 0.9).tolist() == pytest.approx(expected)


def test_with_a_full_trace_it_is_the_later_points_minus_the_value() -> None:
    random = np.random.default_rng(1)
    found = trajectories(
        hand=[5] * 6, after=[5, 4, 3, 2, 1, 0], points=random.integers(-9, 9, 6), final=[7] * 6, value=random.random(6)
    )
    expected = (7 - found.points) - found.value
    assert advantages(found, 1.0, 1.0).tolist() == pytest.approx(expected.tolist(), rel=1e-5)


def test_an_interrupted_run_ends_like_an_uninterrupted_one(tmp_path: Path) -> None:
    whole = improved(tmp_path / "whole")
    before = [weights.detach().clone() for weights in whole.player_network.parameters()]
    whole.train()
    part = improved(tmp_path / "part")

    def stop(*_: Any) -> None:
        part.save()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        part.train(stop)
    again = improved(tmp_path / "part")
    assert again.done == 1
    again.train()
    weights = list(again.player_network.parameters())
    assert all(torch.equal(one, other) for one, other in zip(weights, whole.player_network.parameters(), strict=True))
    assert not all(torch.equal(one, other) for one, other in zip(weights, before, strict=True))
    assert again.curve == whole.curve


def test_its_folder_is_a_player_of_sichuan(tmp_path: Path) -> None:
    network = small()
    save_tensors(network.state_dict(), tmp_path / LAST)
    save_metadata(describe_network(network, 4, ["sichuan"]), tmp_path)
    assert load_network(tmp_path)[1]["network"] == "dense"
    player = load_player(tmp_path)
    batch = Tables("sichuan", 5).decisions()
    assert batch.legal[np.arange(5), player.act(batch)].all()

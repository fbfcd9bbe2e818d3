"""From games to a trained player: on games of our own, so small that it takes seconds."""

import dataclasses
import json

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("torch")

from janshi.agents import AgentError, agent
from janshi.arena import play_match
from janshi.cli import app
from janshi.learn.dataset import DatasetError, discards_of, read_hands
from janshi.learn.networks import ResidualConfig, ResidualNetwork
from janshi.learn.trainer import CheckpointError, TrainConfig, Trainer
from janshi.records.convert import GameWriter
from janshi.rules import preset

SMALL = TrainConfig(epochs=2.0, batch=64, seed=3, development=0.2, network=ResidualConfig(channels=16, blocks=1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("games")
    one = agent("efficient")
    with GameWriter(place, "mjlog") as writer:
        play_match([one, one, one], preset("tenhou-sanma-east"), 4, seed=1, on_game=writer.write)
    return place


@pytest.fixture(scope="module")
def hands(folder):
    return read_hands([folder], 3)


def test_every_discard_is_legal_and_none_comes_after_riichi(hands):
    decisions = discards_of(hands)
    assert len(decisions.labels) > 300
    assert ((decisions.legal >> decisions.labels.astype(np.int64)) & 1).all()
    held = decisions.columns[:, 0] | decisions.columns[:, 1]
    assert ((held >> decisions.labels.astype(np.int64)) & 1).all(), "what is discarded is in the hand"


def test_no_game_is_on_both_sides(hands):
    training, held = hands.split(0.25, seed=0)
    assert len(training) + len(held) == len(hands)
    assert not set(training.games.tolist()) & set(held.games.tolist())
    assert len(discards_of(training).labels) + len(discards_of(held).labels) == len(discards_of(hands).labels)


def test_other_games_are_counted_and_left_out(folder):
    with pytest.raises(DatasetError, match="no hand of 4 players"):
        read_hands([folder], 4)


def test_our_network_has_the_size_it_should_have():
    network = ResidualNetwork(ResidualConfig())
    blocks = 8 * (2 * 3 * 128 * 128 + 4 * 128)
    assert sum(one.numel() for one in network.parameters()) == 366 * 3 * 128 + 128 * 34 + 256 + blocks + 129


def weights(trainer: Trainer) -> list[bytes]:
    return [one.detach().numpy().tobytes() for one in trainer.network.state_dict().values()]


def test_training_learns_and_the_same_seed_learns_the_same(hands, tmp_path):
    seen = []
    first = Trainer(SMALL, hands, tmp_path / "one")
    first.train(seen.append)
    assert seen[-1].hands == seen[-1].total
    assert first.measure()["top 1"].value > 0.15, "of up to fourteen"
    second = Trainer(SMALL, hands, tmp_path / "two")
    second.train()
    assert weights(first) == weights(second)


def test_an_interrupted_training_goes_on_to_the_same_weights(hands, tmp_path, monkeypatch):
    monkeypatch.setattr("janshi.learn.trainer._CHUNK", 8)
    whole = Trainer(SMALL, hands, tmp_path / "whole")
    whole.train()

    def stop(progress) -> None:
        if progress.hands >= 24:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Trainer(SMALL, hands, tmp_path / "part").train(stop, every=1)
    resumed = Trainer(SMALL, hands, tmp_path / "part")
    assert 0 < resumed.done < resumed.total
    resumed.train()
    assert weights(resumed) == weights(whole)
    with pytest.raises(CheckpointError, match="other options or records"):
        Trainer(dataclasses.replace(SMALL, batch=32), hands, tmp_path / "part")


def test_a_player_plays(hands, tmp_path):
    Trainer(SMALL, hands, tmp_path / "player").train()
    player = agent(str(tmp_path / "player"))
    match = play_match([player, agent("random"), agent("random")], preset("tenhou-sanma-hand"), 4, seed=2)
    assert match.names[0] == "player"
    assert len(match.hands.wall) == 12


def test_what_is_no_player_is_said(tmp_path):
    with pytest.raises(AgentError, match="holds no player"):
        agent(str(tmp_path))
    (tmp_path / "player.json").write_text(json.dumps({"format": 99, "kind": "discard"}))
    with pytest.raises(AgentError, match="format 99"):
        agent(str(tmp_path))


def test_the_command(folder, tmp_path):
    out = str(tmp_path / "player")
    command = ["train", str(folder), "--out", out, "--epochs", "0.1", "--json"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout[result.stdout.index("{") :])
    assert 0 <= said["development"]["top 1"]["value"] <= 1
    again = CliRunner().invoke(app, [*command, "--seed", "9"])
    assert again.exit_code == 2
    assert "other options" in again.stderr
    none = CliRunner().invoke(app, ["train", str(tmp_path / "nothing"), "--out", out])
    assert none.exit_code == 2
    assert none.stderr.strip().splitlines()[-1].startswith("janshi train: no hand of 3 players")

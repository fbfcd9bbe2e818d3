"""From games to a trained player: on games of our own, so small that it takes seconds."""

import dataclasses
import json

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from janshi.agents import AgentError, agent
from janshi.arena import play_match
from janshi.cli import app
from janshi.learn.dataset import encode
from janshi.learn.networks import KERNELS, MeowjongConfig, MeowjongNetwork, ResidualConfig, make_network, sharpened
from janshi.learn.player import FIVE, export_onnx
from janshi.learn.trainer import (
    CheckpointError,
    TrainConfig,
    Trainer,
    answers,
    best_device,
    load_network,
    paper_config,
)
from janshi.observe import WIDE, expand
from janshi.observe.decisions import DECISIONS
from janshi.rules import preset

SMALL = TrainConfig(
    epochs=4.0, batch=64, seed=3, development=0.2, chunk=8, network=ResidualConfig(channels=16, blocks=1), augment=True
)
TINY = {"epochs": 0.6, "batch": 16, "chunk": 4, "measure_most": 32, "seed": 1}


def tiny(decision: str, **changes) -> TrainConfig:
    """A paper's network with few filters."""
    shape = MeowjongConfig(decision, filters=(4, 4, 4, 2), dense=8, **changes)
    return paper_config(decision, network=shape, **TINY)


def weights(trainer: Trainer) -> list[bytes]:
    return [one.detach().numpy().tobytes() for one in trainer.plain.state_dict().values()]


def test_a_kan_counts_as_much_as_its_weight(hands, tmp_path):
    outputs = torch.zeros(2, 77)
    labels = torch.tensor([[-1, -1, 1, -1, -1], [-1, -1, 0, -1, -1]])
    lost = []
    for weight in (1.0, 3.0):
        trainer = Trainer(dataclasses.replace(SMALL, kan_weight=weight), hands, tmp_path / str(weight))
        lost.append(float(trainer._loss(outputs, labels, torch.zeros(2, dtype=torch.bool))[0]))
    assert lost[1] == pytest.approx(3 * lost[0])


@pytest.mark.parametrize("decision", DECISIONS)
def test_the_papers_networks_have_their_layers(decision):
    """Counted by hand from the description: four convolutions, two dense layers, five normalisations."""
    rows, columns = KERNELS[decision]
    network = MeowjongNetwork(MeowjongConfig(decision))
    wanted = 0
    before = 1
    for filters in (64, 64, 64, 32):
        wanted += rows * columns * before * filters + filters + 2 * filters
        before = filters
    wide = 32 * (34 - 4 * (rows - 1)) * (366 - 4 * (columns - 1))
    outputs = 34 if decision == "discard" else 2
    wanted += wide * 256 + 256 + 2 * 256 + 256 * outputs + outputs
    assert sum(one.numel() for one in network.parameters()) == wanted
    assert network.eval()(torch.zeros(1, 366, 34)).shape == (1, outputs)


def test_the_papers_settings():
    assert {name: KERNELS[name] for name in DECISIONS} == {
        "discard": (4, 5),
        "pon": (5, 4),
        "kan": (2, 3),
        "kita": (3, 2),
        "riichi": (3, 4),
    }
    discard, pon = paper_config("discard"), paper_config("pon")
    assert (discard.batch, discard.epochs, discard.learning_rate) == (64, 200.0, 1e-3)
    assert (pon.batch, pon.epochs, pon.cosine) == (32, 500.0, False)


def test_our_network_has_the_size_it_should_have():
    channels, blocks = 96, 6
    trunk = 401 * 3 * channels + channels * 34 + 2 * channels
    trunk += blocks * (2 * 3 * channels**2 + 4 * channels + channels**2 + channels)
    heads = 2 * (channels + 1) + 3 * channels * 64 + 64 + 64 * 9 + 9
    assert sum(one.numel() for one in make_network(ResidualConfig()).parameters()) == trunk + heads


def test_training_learns_and_the_same_seed_learns_the_same(hands, tmp_path):
    seen = []
    first = Trainer(SMALL, hands, tmp_path / "one")
    first.train(seen.append)
    assert seen[-1].hands == seen[-1].total
    assert first.measure()["discard"].top[0].value > 0.15, "of up to fourteen"
    assert set(first.measure()) == set(DECISIONS)
    second = Trainer(SMALL, hands, tmp_path / "two")
    second.train()
    assert weights(first) == weights(second)
    assert any("development" in point for point in first.curve)


RESUMED = {"ours": SMALL, "paper": tiny("discard"), "scaled": tiny("pon", scale=(0.05, 0.2))}


@pytest.mark.parametrize("config", RESUMED.values(), ids=RESUMED)
def test_an_interrupted_training_goes_on_to_the_same_weights(config, hands, tmp_path, monkeypatch):
    monkeypatch.setattr("janshi.learn.trainer.SAVE_EVERY", -1.0)
    whole = Trainer(config, hands, tmp_path / "whole")
    whole.train()

    def stop(progress) -> None:
        if progress.hands >= progress.total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Trainer(config, hands, tmp_path / "part").train(stop)
    resumed = Trainer(config, hands, tmp_path / "part")
    assert 0 < resumed.done < resumed.total
    resumed.train()
    assert weights(resumed) == weights(whole)
    assert [one["loss"] for one in resumed.curve] == [one["loss"] for one in whole.curve]
    with pytest.raises(CheckpointError, match="other options or records"):
        Trainer(dataclasses.replace(config, batch=32), hands, tmp_path / "part")


def test_patience_ends_a_training(hands, tmp_path):
    config = dataclasses.replace(SMALL, learning_rate=1e-9, measure_every=0.1, patience=2, epochs=50.0)
    trainer = Trainer(config, hands, tmp_path)
    trainer.train()
    assert trainer.stopped
    assert trainer.done < trainer.total / 2


def test_a_player_plays_with_torch_and_without(hands, tmp_path):
    Trainer(SMALL, hands, tmp_path / "player").train()
    player = agent(str(tmp_path / "player"))
    match = play_match([player, agent("random"), agent("random")], preset("tenhou-sanma-hand"), 4, seed=2)
    assert match.names[0] == "player"
    assert len(match.hands.wall) == 12
    network, said = load_network(tmp_path / "player")
    export_onnx(network, tmp_path / "same.onnx", said["players"])
    exported = agent(str(tmp_path / "same.onnx"))
    assert player.players == exported.players == {3}
    brain = exported.brain
    columns = encode(hands, np.arange(5), columns=WIDE).columns
    said = brain.answers(columns, np.ones((len(columns), 5), np.bool_))
    with torch.inference_mode():
        wanted = network(torch.from_numpy(expand(columns)).float()).numpy()[:, 38:76]
    assert np.abs(said - wanted).max() < 1e-3
    rough = answers(network, columns, best_device())[:, 38:76]
    assert (rough[:, :34].argmax(1) == wanted[:, :34].argmax(1)).mean() > 0.9, "bfloat16 differs in close calls alone"


def test_five_networks_make_one_player(hands, tmp_path):
    for decision in DECISIONS:
        Trainer(tiny(decision), hands, tmp_path / decision).train()
    with pytest.raises(AgentError, match="for discard alone"):
        agent(str(tmp_path / "discard"))
    (tmp_path / FIVE).write_text(json.dumps({name: name for name in DECISIONS}))
    player = agent(str(tmp_path))
    match = play_match([player, agent("random"), agent("random")], preset("tenhou-sanma-hand"), 3, seed=2)
    assert len(match.hands.wall) == 9
    assert player.discards > 0
    assert player.players == {3}
    said = json.loads((tmp_path / "kan" / "player.json").read_text())
    (tmp_path / "kan" / "player.json").write_text(json.dumps(said | {"players": 4}))
    with pytest.raises(AgentError, match="different numbers of players"):
        agent(str(tmp_path))


def test_a_papers_network_is_not_exported(tmp_path):
    network = make_network(MeowjongConfig("pon", filters=(2, 2, 2, 2), dense=4))
    with pytest.raises(CheckpointError, match="here for pon alone, is not exported"):
        export_onnx(network, tmp_path / "pon.onnx", 3)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_player_is_said(tmp_path):
    with pytest.raises(AgentError, match="holds no network"):
        agent(str(tmp_path))
    (tmp_path / "player.json").write_text(json.dumps({"format": 99}))
    with pytest.raises(AgentError, match="format 99"):
        agent(str(tmp_path))
    (tmp_path / "bad.onnx").write_bytes(b"nothing of the kind")
    with pytest.raises(AgentError, match="cannot be loaded"):
        agent(str(tmp_path / "bad.onnx"))


def test_the_command(folder, tmp_path):
    out = str(tmp_path / "player")
    command = ["train", str(folder), "--out", out, "--epochs", "0.1", "--channels", "8", "--blocks", "1", "--json"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout[result.stdout.index("{") :])
    assert 0 <= said["development"]["discard"]["top"][0]["value"] <= 1
    assert (tmp_path / "player" / "player.onnx").exists()
    again = CliRunner().invoke(app, [*command, "--seed", "9"])
    assert again.exit_code == 2
    assert "other options" in again.stderr
    none = CliRunner().invoke(app, ["train", str(tmp_path / "nothing"), "--out", out])
    assert none.exit_code == 2
    assert none.stderr.strip().splitlines()[-1].startswith("janshi train: no hand of 3 players")
    wrong = CliRunner().invoke(app, ["train", str(folder), "--out", out, "--decision", "chii"])
    assert wrong.exit_code == 2
    assert "no decision 'chii'" in wrong.stderr


def test_sharpening_moves_the_winners_heads_away_from_peoples():
    torch.manual_seed(0)
    network = make_network(ResidualConfig(channels=8, blocks=1)).eval()
    x = (torch.rand(3, 401, 34) < 0.1).float()
    with torch.inference_mode():
        before = network(x)
        after = sharpened(network, {"discard": 3.0, "kan": 2.0, "riichi": 6.0})(x)
    people, winners = before[:, :38], before[:, 38:76]
    factor = torch.tensor([3.0] * 34 + [1.0, 2.0, 1.0, 6.0])  # discards, pon, kan, kita, riichi
    assert torch.equal(after[:, :38], people)
    assert torch.allclose(after[:, 38:76], people + factor * (winners - people), atol=1e-4)
    assert torch.allclose(after[:, 76], before[:, 76], atol=1e-6)

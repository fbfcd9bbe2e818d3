"""The papers' REINFORCE: gradients, resumption."""

import dataclasses
import json
import shutil

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from safetensors.torch import load_file, save_file

from janshi.learn.checkpoints import BEST, CheckpointError
from janshi.learn.players import load_player
from janshi.papers.meowjong.policy import DiscardPolicy
from janshi.papers.meowjong.reinforce import RULES, Reinforce, ReinforceConfig
from janshi.papers.meowjong.selfplay import collect
from janshi.table import Tables
from tests.papers.tiny import save_tiny_player

CONFIG = ReinforceConfig(episodes=2, evaluate_every=1, evaluate_hands=1, seed=5)


@pytest.fixture(scope="module")
def papers_start(tmp_path_factory):
    """Return the papers' five untrained networks with two filters, and the file of their player."""
    return save_tiny_player(tmp_path_factory.mktemp("papers"), "meowjong")


@pytest.fixture
def rewarded(monkeypatch):
    """Reward every hand, because an untrained player does not win, and skip none for samples that it does not hold."""
    draw = DiscardPolicy.draw

    def drawn(self, batch, random):
        actions = draw(self, batch, random)
        return dataclasses.replace(actions, impossible=np.zeros_like(actions.impossible))

    def rewarded(*args):
        found = collect(*args)
        return dataclasses.replace(found, reward=np.ones_like(found.reward))

    monkeypatch.setattr(DiscardPolicy, "draw", drawn)
    monkeypatch.setattr("janshi.papers.meowjong.reinforce.collect", rewarded)


def weights_of(network: torch.nn.Module) -> list[bytes]:
    return [tensor.detach().numpy().tobytes() for tensor in network.state_dict().values()]


def weights(run) -> list[bytes]:
    return weights_of(run.policy.network)


def test_the_papers_setting_is_the_default():
    config = ReinforceConfig()
    assert (config.episodes, config.discount, config.learning_rate) == (400, 0.99, 1e-3)
    assert (config.evaluate_every, config.evaluate_hands) == (10, 500)


def test_hands_without_a_decision_are_skipped(papers_start, tmp_path, monkeypatch):
    """The only hand of an episode is won with the first tile."""
    run = Reinforce(ReinforceConfig(), papers_start, tmp_path)
    before = weights(run)

    def wins(views, legal):
        return legal.argmax(axis=1).astype(np.int16)

    monkeypatch.setattr("janshi.papers.meowjong.policy.forced", wins)
    found = collect(run.policy, RULES, np.arange(4))
    assert len(found) == 0
    run.learn(found)
    assert weights(run) == before


def test_rewards_are_the_seats_points_and_later_draws_count_down(papers_start, rewarded):
    """Every draw of a seat in a hand has the same reward and one later draw less."""
    found = collect(DiscardPolicy(papers_start), RULES, np.arange(2))
    ends = np.flatnonzero(found.after == 0)
    assert len(ends) == 6, "three seats at two tables"
    assert abs(found.reward[ends].sum()) < 1e-3, "nothing is lost but deposits, and an untrained player declares none"
    counts = np.bincount(found.after)
    assert (np.diff(counts) <= 0).all()


def test_an_interrupted_run_ends_with_the_same_weights(papers_start, tmp_path, rewarded):
    whole = Reinforce(CONFIG, papers_start, tmp_path / "whole")
    whole.train()

    def stop(run) -> None:
        if run.done == 1:
            raise KeyboardInterrupt

    part = Reinforce(CONFIG, papers_start, tmp_path / "part")
    with pytest.raises(KeyboardInterrupt):
        part.train(stop)
    part.save()
    resumed = Reinforce(CONFIG, papers_start, tmp_path / "part")
    assert resumed.done == 1
    resumed.train()
    assert weights(resumed) == weights(whole)
    assert resumed.curve == whole.curve
    assert [point["episode"] for point in whole.curve] == [0, 1, 2]
    with pytest.raises(CheckpointError, match="other options"):
        Reinforce(dataclasses.replace(CONFIG, seed=6), papers_start, tmp_path / "part")


def test_a_run_resumes_only_from_its_own_start(papers_start, tmp_path):
    """Also if the weights of another start have the same sum."""
    Reinforce(CONFIG, papers_start, tmp_path / "run").save()
    other = shutil.copytree(papers_start, tmp_path / "other")
    tensors = load_file(other / "discard" / BEST)
    name = next(name for name, tensor in tensors.items() if tensor.dim() == 2)
    tensors[name] = tensors[name].flip(0)
    save_file(tensors, other / "discard" / BEST)
    Reinforce(CONFIG, papers_start, tmp_path / "run")
    with pytest.raises(CheckpointError, match="another start"):
        Reinforce(CONFIG, other, tmp_path / "run")


def test_the_papers_network_of_discards_learns_and_the_others_stay(papers_start, tmp_path, rewarded):
    """The result is a player of four old networks and a new one."""
    run = Reinforce(ReinforceConfig(episodes=1, evaluate_hands=1), papers_start, tmp_path / "rl")
    before = weights_of(run.policy.five.networks["pon"].network), weights(run)
    run.train()
    assert weights_of(run.policy.five.networks["pon"].network) == before[0]
    assert weights(run) != before[1]
    assert run.curve[-1]["discards"] > 0
    played = load_player(tmp_path / "rl").network.networks
    assert weights_of(played["discard"].network) == weights(run)
    assert weights_of(played["kita"].network) == weights_of(run.policy.five.networks["kita"].network)


def test_a_folder_of_an_earlier_version_is_the_same_player(papers_start, tmp_path, rewarded):
    """It has its network of discards in ``player.json`` and names all five in a file beside it."""
    Reinforce(ReinforceConfig(episodes=1, evaluate_hands=1), papers_start, tmp_path / "rl").train()
    file = tmp_path / "rl" / "player.json"
    metadata = json.loads(file.read_text())
    del metadata["answers"]
    (tmp_path / "rl" / "five.json").write_text(json.dumps(metadata.pop("networks")))
    batch = Tables("tenhou-sanma-hand", 20, seeds=np.arange(20)).decisions()
    now = load_player(tmp_path / "rl").act(batch)
    file.write_text(json.dumps(metadata))
    assert (load_player(tmp_path / "rl").act(batch) == now).all()


def test_learned_discards_are_the_sampled_ones(papers_start):
    """Impossible ones are marked, and others are discarded as drawn."""
    policy = DiscardPolicy(papers_start)
    batch = Tables("tenhou-sanma-hand", 40, seeds=np.arange(40), auto_reset=False).decisions()
    drawn = policy.draw(batch, np.random.default_rng(1))
    assert len(drawn.rows) == len(drawn.kinds) == len(drawn.packed) > 0
    assert drawn.impossible.any(), "an untrained network draws what it does not hold"
    held = np.asarray(batch.views)["hand"]["counts"][drawn.rows, drawn.kinds] > 0
    assert (held == ~drawn.impossible).all()
    assert batch.legal[np.arange(40), drawn.actions].all()

"""The papers' REINFORCE: gradients, resumption, the command."""

import dataclasses
import json
import shutil

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from safetensors.torch import load_file, save_file
from typer.testing import CliRunner

from janshi.agents import AgentError, RandomAgent, agent
from janshi.cli import app
from janshi.learn.checkpoints import BEST, CheckpointError, describe_network, save_metadata, save_tensors
from janshi.papers.meowjong.configs import MeowjongConfig, PaperReinforceConfig
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import MeowjongNetwork
from janshi.papers.meowjong.player import FIVE, load_player, save_five
from janshi.papers.meowjong.policy import DiscardPolicy
from janshi.papers.meowjong.reinforce import reinforce
from janshi.papers.meowjong.selfplay import SelfPlay, collect, rewards
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.rules import preset
from janshi.riichi.state import Ending
from janshi.table import Tables

RULES = preset("tenhou-sanma-hand")
CONFIG = PaperReinforceConfig(episodes=3, hands=4, evaluate_every=2, evaluate_hands=2, seed=5)
AGENTS = {"random": RandomAgent(), "efficient": EfficientAgent()}


@pytest.fixture(scope="module")
def papers_start(tmp_path_factory):
    """Return the papers' five untrained networks with two filters, and the file of their player."""
    folder = tmp_path_factory.mktemp("papers")
    for decision in DECISIONS:
        torch.manual_seed(3)
        network = MeowjongNetwork(MeowjongConfig(decision, filters=(2, 2, 2, 2), dense=4))
        (folder / decision).mkdir()
        save_tensors(network.state_dict(), folder / decision / BEST)
        save_metadata(describe_network(network, 3, ["tenhou-sanma"]), folder / decision)
    save_five(folder, {decision: decision for decision in DECISIONS})
    return folder


@pytest.fixture
def rewarded(monkeypatch):
    """Reward every hand, because an untrained player does not win, and skip none for samples that it does not hold."""
    draw = DiscardPolicy.draw

    def drawn(self, situations, random):
        return dataclasses.replace(draw(self, situations, random), impossible=np.zeros(0, np.int64))

    monkeypatch.setattr(DiscardPolicy, "draw", drawn)
    monkeypatch.setattr(
        "janshi.papers.meowjong.selfplay.rewards", lambda kind, states, change, rules: np.ones(change.shape, np.float32)
    )


def weights_of(network: torch.nn.Module) -> list[bytes]:
    return [tensor.detach().numpy().tobytes() for tensor in network.state_dict().values()]


def weights(run) -> list[bytes]:
    return weights_of(run.policy.network)


def test_the_papers_setting_is_the_default():
    config = PaperReinforceConfig()
    assert (config.episodes, config.hands, config.discount, config.learning_rate) == (400, 1, 0.99, 1e-3)
    assert (config.opponents, config.reward) == (("self",), "points")
    assert (config.evaluate_every, config.evaluate_hands) == (10, 500)


def test_hands_without_a_decision_are_skipped(papers_start, tmp_path, monkeypatch):
    """The only hand of an episode is won with the first tile."""
    run = reinforce(PaperReinforceConfig(), papers_start, tmp_path, AGENTS)
    before = weights(run)

    def wins(views, legal):
        return legal.argmax(axis=1).astype(np.int16)

    monkeypatch.setattr("janshi.papers.meowjong.policy.forced", wins)
    found, played = collect(run.policy, run.setting, np.arange(4))
    assert played.decisions == len(found) == 0
    run.learn(found)
    assert weights(run) == before


def test_steps_of_many_decisions_add_up(papers_start, tmp_path, monkeypatch, rewarded):
    """The accumulated gradients of parts equal those of the whole."""
    done = []
    for together in (4096, 50):
        monkeypatch.setattr("janshi.papers.meowjong.reinforce.TOGETHER", together)
        run = reinforce(dataclasses.replace(CONFIG, batch=4096), papers_start, tmp_path / str(together), AGENTS)
        found, _ = collect(run.policy, run.setting, np.arange(6))
        assert len(found) > 60
        run.learn(found)
        done.append(torch.cat([tensor.grad.flatten() for tensor in run.policy.network.parameters()]))
    assert torch.nn.functional.cosine_similarity(done[0], done[1], dim=0) > 0.99


def test_rewards():
    states = Tables(RULES, 3, 1).states
    states["ended"] = (Ending.TSUMO, Ending.RON, Ending.EXHAUSTIVE)
    states["winners"] = (1, 1, 0)
    change = np.array([[8000, -4000, -4000], [0, 3900, -3900], [1000, 1000, -2000]], np.int32)
    assert rewards("place", states, change, RULES).tolist() == [[1, -1, -1], [0, 1, -1], [0, 0, 0]]
    assert rewards("points", states, change, RULES)[1].tolist() == [0, 39, -39]


def test_opponents_are_named(papers_start, tmp_path):
    setting = SelfPlay(RULES, ("self", "random"), AGENTS)
    seats = setting.seating(8).seats
    assert (seats[::2] == -1).all(), "against itself"
    assert seats[1::2].tolist() == [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [-1, 0, 0]], "the seat changes"
    with pytest.raises(ValueError, match="no agent for the opponents sl"):
        SelfPlay(RULES, ("self", "sl"), AGENTS)
    with pytest.raises(ValueError, match="no reward 'joy'"):
        reinforce(dataclasses.replace(CONFIG, reward="joy"), papers_start, tmp_path, AGENTS)


def test_an_interrupted_run_ends_with_the_same_weights(papers_start, tmp_path, rewarded):
    whole = reinforce(CONFIG, papers_start, tmp_path / "whole", AGENTS)
    whole.train()

    def stop(episode, played, last) -> None:
        if episode == 2:
            raise KeyboardInterrupt

    part = reinforce(CONFIG, papers_start, tmp_path / "part", AGENTS)
    with pytest.raises(KeyboardInterrupt):
        part.train(stop)
    part.save()
    resumed = reinforce(CONFIG, papers_start, tmp_path / "part", AGENTS)
    assert resumed.done == 2
    resumed.train()
    assert weights(resumed) == weights(whole)
    assert resumed.curve == whole.curve
    assert [point["episode"] for point in whole.curve] == [0, 2, 3]
    with pytest.raises(CheckpointError, match="other options"):
        reinforce(dataclasses.replace(CONFIG, seed=6), papers_start, tmp_path / "part", AGENTS)


def test_a_run_resumes_only_from_its_own_start(papers_start, tmp_path):
    """Also if the weights of another start have the same sum."""
    reinforce(CONFIG, papers_start, tmp_path / "run", AGENTS).save()
    other = shutil.copytree(papers_start, tmp_path / "other")
    tensors = load_file(other / "discard" / BEST)
    name = next(name for name, tensor in tensors.items() if tensor.dim() == 2)
    tensors[name] = tensors[name].flip(0)
    save_file(tensors, other / "discard" / BEST)
    reinforce(CONFIG, papers_start, tmp_path / "run", AGENTS)
    with pytest.raises(CheckpointError, match="another start"):
        reinforce(CONFIG, other, tmp_path / "run", AGENTS)


def test_opponents_must_play_with_as_many(papers_start, tmp_path):
    config = dataclasses.replace(CONFIG, opponents=("self", "sl4"))
    with pytest.raises(AgentError, match="'sl4' is for four players and does not play with three"):
        reinforce(config, papers_start, tmp_path, {"sl4": agent("sl4")})


def test_a_single_network_of_a_paper_is_not_a_start(papers_start, tmp_path):
    with pytest.raises(CheckpointError, match=r"holds no five\.json"):
        reinforce(PaperReinforceConfig(), papers_start / "pon", tmp_path / "run", AGENTS)


def test_the_papers_network_of_discards_learns_and_the_others_stay(papers_start, tmp_path, rewarded):
    """The result is a player of four old networks and a new one."""
    config = PaperReinforceConfig(episodes=1, hands=1, evaluate_hands=1)
    run = reinforce(config, papers_start, tmp_path / "rl", AGENTS)
    before = weights_of(run.policy.five.networks["pon"]), weights(run)
    run.train()
    assert weights_of(run.policy.five.networks["pon"]) == before[0]
    assert weights(run) != before[1]
    assert run.curve[-1]["discards"] > 0
    run.save_player()
    played = load_player(tmp_path / "rl").network.networks
    assert weights_of(played["discard"]) == weights(run)
    assert weights_of(played["kita"]) == weights_of(run.policy.five.networks["kita"])


def test_learned_discards_are_the_sampled_ones(papers_start):
    """Probabilities of samples are those of the network, and impossible ones are recorded."""
    policy = DiscardPolicy(papers_start)
    tables = Tables("tenhou-sanma-hand", 6, seeds=np.arange(6), auto_reset=False)
    situations = policy.ask(tables.decisions())
    drawn = policy.draw(situations, np.random.default_rng(1))
    assert len(drawn.rows)
    outputs = torch.from_numpy(situations.outputs[drawn.rows, :34])
    log, _ = policy.log_probability(outputs, drawn.choices)
    assert np.allclose(log.numpy(), drawn.log, atol=1e-5)
    assert len(drawn.impossible), "an untrained network draws what it does not hold"
    assert set(drawn.impossible.tolist()) < set(drawn.rows.tolist())


def test_the_command(papers_start, tmp_path):
    out, words = tmp_path / "rl", ["paper", "meowjong", "reinforce"]
    few = ["--out", str(out), "--episodes", "2", "--hands", "4", "--evaluate-hands", "2"]
    result = CliRunner().invoke(app, [*words, str(papers_start), *few, "--json"])
    assert result.exit_code == 0, result.output
    curve = json.loads(result.stdout[result.stdout.index("[") :])
    assert [point["episode"] for point in curve] == [0, 2]
    assert (out / FIVE).exists()
    assert "impossible first choices" in CliRunner().invoke(app, [*words, str(papers_start), *few]).stdout


@pytest.mark.parametrize(
    ("given", "text"),
    [(["no"], "holds no five.json"), (["{start}", "--learning-rate", "-1"], "reinforce: Invalid learning rate")],
)
def test_errors_of_the_command_are_one_line(given, text, papers_start, tmp_path):
    words = [word.format(start=papers_start) for word in given]
    result = CliRunner().invoke(app, ["paper", "meowjong", "reinforce", *words, "--out", str(tmp_path / "rl")])
    assert result.exit_code == 2
    assert text in result.stderr


def test_the_old_command_names_the_new_one():
    result = CliRunner().invoke(app, ["reinforce", "player", "--out", "stronger"])
    assert result.exit_code == 2
    assert "reinforce is now: janshi learn" in result.stderr

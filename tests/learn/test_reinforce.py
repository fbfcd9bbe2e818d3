"""REINFORCE: gradients, resumption, and a simple learning task."""

import dataclasses
import json
import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from janshi.agents import AgentError, RandomAgent, agent
from janshi.arena import single_hand
from janshi.learn.checkpoints import (
    BEST,
    CheckpointError,
    describe_network,
    load_network,
    save_metadata,
    save_tensors,
)
from janshi.learn.configs import SteadyConfig
from janshi.learn.inference import mixed_precision, to_input
from janshi.learn.learners import ActionPolicy
from janshi.learn.reinforce import SteadyReinforce
from janshi.learn.selfplay import SelfPlay, collect, rewards
from janshi.learn.trainer import TrainConfig, Trainer
from janshi.papers.meowjong.configs import MeowjongConfig, PaperReinforceConfig
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import MeowjongNetwork
from janshi.papers.meowjong.player import FIVE, load_player, save_five
from janshi.papers.meowjong.policy import DiscardPolicy
from janshi.papers.meowjong.reinforce import reinforce
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import read_hands
from janshi.riichi.dataset.tasks import PolicyTask
from janshi.riichi.networks import KindConfig
from janshi.riichi.rules import TENHOU_OF, preset
from janshi.riichi.state import Ending
from janshi.table import Tables

RULES = preset("tenhou-sanma-hand")
STEADY = SteadyConfig(episodes=3, hands=4, evaluate_every=2, evaluate_hands=2, seed=5)
AGENTS = {"random": RandomAgent(), "efficient": EfficientAgent()}


def trained(hands, folder):
    task = PolicyTask(KindConfig(channels=8, blocks=1))
    Trainer(TrainConfig(task=task, epochs=1.0, batch=64, chunk=16, development=0.2), hands, folder).train()
    return folder


@pytest.fixture(scope="module")
def start(hands, tmp_path_factory):
    return trained(hands, tmp_path_factory.mktemp("start"))


@pytest.fixture(scope="module")
def start_of_four(folder_of_four, tmp_path_factory):
    return trained(read_hands([folder_of_four], 4), tmp_path_factory.mktemp("four"))


def run_of(config, start, folder, agents=AGENTS, rules=None):
    policy = ActionPolicy(*load_network(start))
    return SteadyReinforce(config, policy, folder, agents, rules or single_hand(TENHOU_OF[policy.players]))


def weights_of(network: torch.nn.Module) -> list[bytes]:
    return [tensor.detach().numpy().tobytes() for tensor in network.state_dict().values()]


def weights(run) -> list[bytes]:
    return weights_of(run.policy.network)


def test_the_papers_setting_is_the_default():
    config = PaperReinforceConfig()
    assert (config.episodes, config.hands, config.discount, config.learning_rate) == (400, 1, 0.99, 1e-3)
    assert (config.opponents, config.reward) == (("self",), "points")
    assert (config.evaluate_every, config.evaluate_hands) == (10, 500)


def test_collected_arrays_are_consistent(start):
    network, metadata = load_network(start)
    policy = ActionPolicy(network, metadata)
    found, played = collect(policy, SelfPlay(RULES, ("self",), {}), np.arange(6))
    assert played.decisions == len(found) > 60
    assert found.choices["legal"][np.arange(len(found)), found.choices["action"]].all()
    with torch.inference_mode(), mixed_precision(torch.device("cpu")):
        outputs = network(to_input(policy.encoder, found.packed, torch.device("cpu"))).float()
    log, entropy = policy.log_probability(outputs, found.choices)
    assert np.abs(log.numpy() - found.log).max() < 0.1
    assert (entropy >= 0).all()


def test_a_policy_learns_from_its_own_games(start, tmp_path):
    few = SteadyConfig(episodes=2, hands=40, evaluate_every=2, evaluate_hands=1)  # there must be winners
    run = run_of(few, start, tmp_path / "run")
    before = weights(run)
    run.train()
    assert weights(run) != before
    found, metadata = load_network(tmp_path / "run")
    assert weights_of(found) == weights(run)
    assert metadata["network"] == "policy"


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


def test_steps_of_many_decisions_add_up(start, tmp_path, monkeypatch):
    """The accumulated gradients of parts equal those of the whole."""
    config = SteadyConfig(hands=6, opponents=("self",), batch=4096, evaluate_hands=1)
    done = []
    for together in (4096, 50):
        monkeypatch.setattr("janshi.learn.reinforce.TOGETHER", together)
        run = run_of(config, start, tmp_path / str(together))
        found, _ = collect(run.policy, run.setting, np.arange(6))
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


def test_opponents_are_named(start, tmp_path):
    setting = SelfPlay(RULES, ("self", "random"), AGENTS)
    seats = setting.seating(8).seats
    assert (seats[::2] == -1).all(), "against itself"
    assert seats[1::2].tolist() == [[-1, 0, 0], [0, -1, 0], [0, 0, -1], [-1, 0, 0]], "the seat changes"
    with pytest.raises(ValueError, match="no agent for the opponents sl"):
        SelfPlay(RULES, ("self", "sl"), AGENTS)
    with pytest.raises(ValueError, match="no reward 'joy'"):
        run_of(dataclasses.replace(STEADY, reward="joy"), start, tmp_path)


@pytest.mark.long
def test_it_learns_to_avoid_a_costly_kita(start, tmp_path, monkeypatch):
    """If only kita has a cost, a player that always made it does so less often."""

    def reward(kind, states, change, rules):
        return -np.array(states["seats"]["kitas"][:, :3], np.float32)

    monkeypatch.setattr("janshi.learn.selfplay.rewards", reward)
    config = SteadyConfig(
        episodes=6,
        hands=32,
        opponents=("self",),
        learning_rate=1e-2,
        evaluate_hands=1,
        batch=256,
        max_probability=1.0,
    )
    run = run_of(config, start, tmp_path)
    means = []
    run.train(lambda episode, played, last: means.append(played.reward))
    assert means[-1] > means[0] + 0.2, means


def test_an_interrupted_run_ends_with_the_same_weights(start, tmp_path):
    config = STEADY
    whole = run_of(config, start, tmp_path / "whole")
    whole.train()

    def stop(episode, played, last) -> None:
        if episode == 2:
            raise KeyboardInterrupt

    part = run_of(config, start, tmp_path / "part")
    with pytest.raises(KeyboardInterrupt):
        part.train(stop)
    part.save()
    resumed = run_of(config, start, tmp_path / "part")
    assert resumed.done == 2
    resumed.train()
    assert weights(resumed) == weights(whole)
    assert resumed.curve == whole.curve
    assert [point["episode"] for point in whole.curve] == [0, 2, 3]
    with pytest.raises(CheckpointError, match="other options"):
        run_of(dataclasses.replace(config, seed=6), start, tmp_path / "part")


def test_a_run_resumes_only_from_its_own_start(start, tmp_path):
    """Also if the weights of another start have the same sum."""
    run_of(STEADY, start, tmp_path / "run").save()
    other = tmp_path / "other"
    shutil.copytree(start, other)
    tensors = load_file(other / BEST)
    name = next(name for name, tensor in tensors.items() if tensor.dim() == 1 and len(tensor.unique()) > 1)
    tensors[name] = tensors[name].flip(0)
    save_file(tensors, other / BEST)
    run_of(STEADY, start, tmp_path / "run")
    with pytest.raises(CheckpointError, match="another start"):
        run_of(STEADY, other, tmp_path / "run")


def test_a_player_of_four_plays_with_four(start_of_four, tmp_path):
    run = run_of(dataclasses.replace(STEADY, episodes=1), start_of_four, tmp_path)
    assert run.rules.name == "tenhou-hand"
    run.train()
    assert len(run.curve[-1]["win"]) == 4, "one rate a wind"


def test_opponents_must_play_with_as_many(start_of_four, tmp_path):
    config = dataclasses.replace(STEADY, opponents=("self", "sl"))
    with pytest.raises(AgentError, match="'sl' is for three players and does not play with four"):
        run_of(config, start_of_four, tmp_path, {"sl": agent("sl")})


def test_rules_of_another_number_of_players_are_refused(start, tmp_path):
    with pytest.raises(CheckpointError, match="trained for 3 players, rules 'tenhou-hand' seat 4"):
        run_of(STEADY, start, tmp_path, rules="tenhou-hand")


def test_a_single_network_of_a_paper_is_not_a_start(papers_start, tmp_path):
    with pytest.raises(CheckpointError, match=r"holds no five\.json"):
        reinforce(PaperReinforceConfig(), papers_start / "pon", tmp_path / "run", AGENTS)


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


def test_the_papers_network_of_discards_learns_and_the_others_stay(papers_start, tmp_path, monkeypatch):
    """The papers' REINFORCE on their own network; the result is a player of four old networks and a new one."""

    def rewarded(kind, states, change, rules):
        return np.ones(change.shape, np.float32)  # an untrained player does not win

    monkeypatch.setattr("janshi.learn.selfplay.rewards", rewarded)
    def drawn(self, situations, random):  # an untrained network samples tiles that it lacks; these hands are skipped
        return dataclasses.replace(draw(self, situations, random), impossible=np.zeros(0, np.int64))

    draw = DiscardPolicy.draw
    monkeypatch.setattr(DiscardPolicy, "draw", drawn)
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


@pytest.mark.parametrize("ordinary", [True, False])
def test_the_commands(ordinary, start, papers_start, tmp_path):
    from typer.testing import CliRunner

    from janshi.cli import app

    out, words = tmp_path / "rl", ["reinforce"] if ordinary else ["paper", "meowjong", "reinforce"]
    few = ["--out", str(out), "--episodes", "2", "--hands", "4", "--evaluate-hands", "2", "--json"]
    result = CliRunner().invoke(app, [*words, str(start if ordinary else papers_start), *few])
    assert result.exit_code == 0, result.output
    curve = json.loads(result.stdout[result.stdout.index("[") :])
    assert [point["episode"] for point in curve] == [0, 2]
    assert (out / ("player.onnx" if ordinary else FIVE)).exists()
    missing = CliRunner().invoke(app, [*words, str(tmp_path / "no"), "--out", str(out)])
    assert missing.exit_code == 2
    assert ("holds no network" if ordinary else "holds no five.json") in missing.stderr


def test_options_of_the_papers_are_named(start, papers_start, tmp_path):
    from typer.testing import CliRunner

    from janshi.cli import app

    for begin, given in ((papers_start / "discard", []), (start, ["--setting", "paper"])):
        result = CliRunner().invoke(app, ["reinforce", str(begin), "--out", str(tmp_path / "out"), *given])
        assert result.exit_code == 2
        assert "janshi paper meowjong reinforce" in result.stderr


def test_a_step_below_zero_is_one_line(start, tmp_path):
    """A value that the library itself refuses."""
    from typer.testing import CliRunner

    from janshi.cli import app

    command = ["reinforce", str(start), "--out", str(tmp_path / "rl"), "--learning-rate", "-1"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 2
    assert "janshi reinforce: Invalid learning rate" in result.stderr

"""REINFORCE: gradients that say what they should, runs that go on, and a task that it learns."""

import dataclasses
import json
import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from typer.testing import CliRunner

from janshi.agents import AgentError
from janshi.agents.onnx import OnnxBrain
from janshi.cli import app
from janshi.engine import actions
from janshi.learn.dataset import read_hands
from janshi.learn.networks import (
    OUTPUTS,
    WINNERS,
    MeowjongConfig,
    MixedNetwork,
    ResidualConfig,
    ResidualNetwork,
    advice,
    columns_of,
    make_network,
    mixed,
    widened,
)
from janshi.learn.player import export_onnx
from janshi.learn.reinforce import LOOKING, STABLE, ReinforceConfig, Reinforcer, _rewards, collect, log_probability
from janshi.learn.trainer import BEST, CheckpointError, TrainConfig, Trainer, best_device, load_network
from janshi.observe import PLANNED, WIDE, planned
from janshi.observe.decisions import DECISIONS
from janshi.rules import preset
from janshi.table import Tables

RULES = preset("tenhou-sanma-hand")
FEW = ReinforceConfig(
    episodes=3, hands=4, evaluate_every=2, evaluate_hands=2, learned=DECISIONS, legal_only=True, seed=5
)


def trained(hands, place):
    shape = ResidualConfig(channels=8, blocks=1)
    Trainer(TrainConfig(epochs=1.0, batch=64, chunk=16, network=shape, development=0.2), hands, place).train()
    return place


@pytest.fixture(scope="module")
def start(hands, tmp_path_factory):
    return trained(hands, tmp_path_factory.mktemp("start"))


@pytest.fixture(scope="module")
def start_of_four(folder_of_four, tmp_path_factory):
    return trained(read_hands([folder_of_four], 4), tmp_path_factory.mktemp("four"))


def weights_of(network: torch.nn.Module) -> list[bytes]:
    return [one.detach().numpy().tobytes() for one in network.state_dict().values()]


def weights(learner: Reinforcer) -> list[bytes]:
    return weights_of(learner.network)


def test_the_papers_setting_is_the_default():
    config = ReinforceConfig()
    assert (config.episodes, config.hands, config.discount, config.learning_rate) == (400, 1, 0.99, 1e-3)
    assert (config.learned, config.opponents, config.reward) == (("discard",), ("self",), "points")
    assert (config.evaluate_every, config.evaluate_hands) == (10, 500)


def test_probabilities_of_what_was_drawn():
    outputs = torch.zeros(2, OUTPUTS)
    outputs[0, 38:40] = torch.tensor([1.0, 2.0])
    outputs[1, 72:76] = torch.tensor([0.5, -1.0, 0.0, 3.0])  # pon, kan, kita, riichi
    taken = np.array([[1, -1, -1, -1, -1], [-1, 0, 1, -1, -1]], np.int8)
    log, entropy = log_probability(outputs, taken, np.array([0b11, 0]), True)
    assert float(log[0]) == pytest.approx(np.log(np.e**2 / (np.e + np.e**2)), rel=1e-5)
    no_pon, kan = 1 - 1 / (1 + np.exp(-0.5)), 1 / (1 + np.exp(1.0))
    assert float(log[1]) == pytest.approx(np.log(no_pon * kan), rel=1e-5)
    share = 1 / (1 + np.e)
    assert float(entropy[0]) == pytest.approx(-share * np.log(share) - (1 - share) * np.log(1 - share), rel=1e-4)


def test_what_is_collected_fits_together(start):
    learner = Reinforcer(FEW, start, start.parent / "unused")
    found, played = collect(learner.network, FEW, RULES, np.arange(6), {}, best_device())
    assert played.hands == 6
    assert played.decisions == len(found.log) > 60
    discards = found.taken[:, 0] >= 0
    assert (found.legal[discards] >> found.taken[discards, 0].astype(np.int64) & 1).all()
    assert (found.after >= 0).all()
    assert (found.after == 0).sum() <= 18, "one last decision a seat and hand at most"
    outputs = torch.zeros(len(found.log), OUTPUTS)
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        from janshi.learn.trainer import to_input

        outputs = learner.network(to_input(found.columns, torch.device("cpu"))).float()
    log, _ = log_probability(outputs, found.taken, found.legal, True)
    assert np.abs(log.numpy() - found.log).max() < 0.1, "drawn with the probabilities that are learned from"


def test_hands_without_a_decision_are_nothing_to_learn_from(start, tmp_path, monkeypatch):
    """All wins at once: as where the only hand of an episode is won with the first tile."""
    learner = Reinforcer(FEW, start, tmp_path)
    before = weights(learner)

    def wins(views, legal):
        return legal.argmax(axis=1).astype(np.int16)

    monkeypatch.setattr("janshi.learn.reinforce.forced", wins)
    found, played = collect(learner.network, FEW, RULES, np.arange(4), {}, best_device())
    assert played.decisions == len(found.log) == 0
    learner._learn(found)
    assert weights(learner) == before


def test_steps_of_many_decisions_add_up(start, tmp_path, monkeypatch):
    """Gradients of parts that go through the network one after the other are those of the whole."""
    config = dataclasses.replace(STABLE, hands=6, opponents=("self",), batch=4096, evaluate_hands=1)
    done = []
    for together in (4096, 50):
        monkeypatch.setattr("janshi.learn.reinforce._TOGETHER", together)
        learner = Reinforcer(config, start, tmp_path / str(together))
        found, _ = collect(learner.network, config, RULES, np.arange(6), {}, best_device())
        learner._learn(found)
        done.append(torch.cat([one.grad.flatten() for one in learner.network.parameters()]))
    assert torch.nn.functional.cosine_similarity(done[0], done[1], dim=0) > 0.99


def test_rewards():
    states = Tables(RULES, 3, 1).states
    states["ended"] = (7, 8, 0)  # tsumo, ron, exhaustive draw
    change = np.array([[8000, -4000, -4000], [0, 3900, -3900], [1000, 1000, -2000]], np.int32)
    place = _rewards(dataclasses.replace(FEW, reward="place"), states, change)
    assert place.tolist() == [[1, -1, -1], [0, 1, -1], [0, 0, 0]]
    points = _rewards(FEW, states, change)
    assert points[1].tolist() == [0, 39, -39]


def test_it_learns_to_keep_its_norths(start, tmp_path, monkeypatch):
    """Where every kita costs and nothing else counts, a player that always set them aside does so less often."""

    def reward(config, states, change):
        return -np.array(states["seats"]["kitas"][:, :3], np.float32)

    monkeypatch.setattr("janshi.learn.reinforce._rewards", reward)
    config = dataclasses.replace(
        STABLE, episodes=8, hands=48, opponents=("self",), learning_rate=1e-2, evaluate_hands=1, batch=256, sure=1.0
    )
    learner = Reinforcer(config, start, tmp_path)
    means = []
    learner.train(lambda episode, played, last: means.append(played.reward))
    assert means[-1] > means[0] + 0.2, means


def test_playouts_teach_to_keep_norths(start, tmp_path, monkeypatch):
    """Where whatever sets a North aside is worth nothing and all else a first place, it is done less often."""

    def worth(self, states, which, options, repeats, seed, *, efficient):
        return (options != actions.KITA).astype(np.float32)

    monkeypatch.setattr("janshi.learn.playouts.Playouts.worth", worth)
    config = dataclasses.replace(LOOKING, episodes=4, hands=24, learning_rate=1e-2, evaluate_hands=1)
    learner = Reinforcer(config, start, tmp_path)
    before = kitas(learner)
    learner.train()
    assert kitas(learner) < before / 2


def kitas(learner: Reinforcer) -> int:
    found, _ = collect(learner.network, learner.config, RULES, np.arange(30), learner.others, best_device())
    return int((found.taken[:, 3] == 1).sum())


LOOKS = dataclasses.replace(
    LOOKING, episodes=3, hands=4, opponents=("random", "efficient"), playouts=3, evaluate_every=2, evaluate_hands=2
)


@pytest.mark.parametrize("config", [FEW, LOOKS], ids=["results", "playouts"])
def test_an_interrupted_run_goes_on_to_the_same_weights(config, start, tmp_path):
    whole = Reinforcer(config, start, tmp_path / "whole")
    whole.train()

    def stop(episode, played, last) -> None:
        if episode == 2:
            raise KeyboardInterrupt

    part = Reinforcer(config, start, tmp_path / "part")
    with pytest.raises(KeyboardInterrupt):
        part.train(stop)
    part.save()
    resumed = Reinforcer(config, start, tmp_path / "part")
    assert resumed.done == 2
    resumed.train()
    assert weights(resumed) == weights(whole)
    assert resumed.curve == whole.curve
    assert [point["episode"] for point in whole.curve] == [0, 2, 3]
    with pytest.raises(CheckpointError, match="other options"):
        Reinforcer(dataclasses.replace(config, seed=6), start, tmp_path / "part")


def test_a_run_goes_on_from_its_own_start_alone(start, tmp_path):
    """Also where another start's weights add up to the same."""
    Reinforcer(FEW, start, tmp_path / "run").save()
    other = tmp_path / "other"
    shutil.copytree(start, other)
    weights = load_file(other / BEST)
    weights["hidden.bias"] = weights["hidden.bias"].flip(0)
    save_file(weights, other / BEST)
    Reinforcer(FEW, start, tmp_path / "run")
    with pytest.raises(CheckpointError, match="another start"):
        Reinforcer(FEW, other, tmp_path / "run")


def test_a_player_of_four_plays_with_four(start_of_four, tmp_path):
    learner = Reinforcer(dataclasses.replace(FEW, episodes=1), start_of_four, tmp_path)
    assert learner.rules.name == "tenhou-hand"
    learner.train()
    assert len(learner.curve[-1]["win"]) == 4, "one rate a wind"


def test_opponents_must_play_with_as_many(start_of_four, tmp_path):
    with pytest.raises(AgentError, match="'sl' is for three players and does not play with four"):
        Reinforcer(dataclasses.replace(FEW, opponents=("self", "sl")), start_of_four, tmp_path)


def test_rules_of_another_number_of_players_are_refused(start, tmp_path):
    with pytest.raises(CheckpointError, match="trained for 3 players, rules 'tenhou-hand' seat 4"):
        Reinforcer(FEW, start, tmp_path, rules="tenhou-hand")


def test_the_command(start, tmp_path):
    out = tmp_path / "rl"
    command = ["reinforce", str(start), "--out", str(out), "--episodes", "2", "--evaluate-hands", "2", "--json"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    curve = json.loads(result.stdout[result.stdout.index("[") :])
    assert [point["episode"] for point in curve] == [0, 2]
    assert (out / "player.onnx").exists()
    missing = CliRunner().invoke(app, ["reinforce", str(tmp_path / "no"), "--out", str(out)])
    assert missing.exit_code == 2
    assert "holds no network" in missing.stderr


def test_what_is_advised_changes_the_player_and_not_its_learning(start, tmp_path):
    plain = Reinforcer(dataclasses.replace(LOOKS, episodes=2, advised=0.0), start, tmp_path / "one")
    advised = Reinforcer(dataclasses.replace(LOOKS, episodes=2, advised=0.5), start, tmp_path / "two")
    plain.train()
    advised.train()
    assert weights_of(plain.network) == weights_of(advised.network)
    found, said = load_network(tmp_path / "two")
    assert said["advised"] == 0.5
    x = torch.randint(0, 2, (4, PLANNED, 34)).float()
    x[:, planned.CALLS : planned.CALLS + 7] = (torch.arange(7) < 4)[:, None]  # a pon is better by 0 to 1 points
    with torch.no_grad():
        whole, mean = found(x), plain.whole(x)
        discards, pon, riichi = advice(x)
    assert pon == pytest.approx(0.25)
    expected = mean.clone()
    expected[:, WINNERS : WINNERS + 34] = (mean[:, WINNERS : WINNERS + 34] + discards) / 2
    expected[:, WINNERS + 34] = (mean[:, WINNERS + 34] + pon[:, 0]) / 2
    expected[:, WINNERS + 37] = (mean[:, WINNERS + 37] + riichi[:, 0]) / 2
    assert whole == pytest.approx(expected, abs=1e-4)
    export_onnx(found, tmp_path / "player.onnx", 3)
    answers = OnnxBrain(tmp_path / "player.onnx").session.run(None, {"observations": x.numpy().astype(np.uint8)})[0]
    assert answers == pytest.approx(whole.numpy(), abs=1e-3)


def test_advice_says_how_far_options_are_apart():
    x = torch.zeros(1, PLANNED, 34)
    x[0, planned.BEST, 3] = x[0, planned.NEARLY : planned.NEARLY + 5, 3] = 1
    x[0, planned.NEARLY + 2 : planned.NEARLY + 5, 7] = 1  # behind by 2 to 4 points
    discards, pon, riichi = advice(x)
    assert float(discards[0, 3] - discards[0, 7]) == pytest.approx(1.0), "half a logit a point, at least two points"
    assert float(discards[0, 3] - discards[0, 9]) == pytest.approx(8.0), "sixteen or more"
    assert float(pon) == pytest.approx(-5)
    assert float(riichi) == pytest.approx(-5)


def test_who_is_not_shown_plans_is_not_advised():
    network = ResidualNetwork(ResidualConfig(channels=8, blocks=1))
    with pytest.raises(ValueError, match="not shown what plans say"):
        mixed(network, network, 0.5, 0.5)


def test_the_player_keeps_a_share_of_its_beginning(start, tmp_path):
    learner = Reinforcer(dataclasses.replace(LOOKS, episodes=1, kept=0.25, advised=0.0), start, tmp_path / "one")
    learner.train()
    found, said = load_network(tmp_path / "one")
    beginning, _ = load_network(start)
    assert isinstance(found, MixedNetwork)
    assert said["kept"] == 0.25
    assert columns_of(found) == PLANNED, "it is shown what plans are worth"
    x = torch.randint(0, 2, (5, PLANNED, 34)).float()
    with torch.no_grad():
        learned, whole, before = learner.network(x), found(x), beginning(x[:, :WIDE])
        assert whole == pytest.approx(0.75 * learned + 0.25 * before, abs=1e-5)
        assert (learned != before).any()
    export_onnx(found, tmp_path / "player.onnx", 3)
    answers = OnnxBrain(tmp_path / "player.onnx").session.run(None, {"observations": x.numpy().astype(np.uint8)})[0]
    assert answers == pytest.approx(whole.numpy(), abs=1e-3)
    again = Reinforcer(dataclasses.replace(LOOKS, episodes=1, kept=0.25, advised=0.0), start, tmp_path / "one")
    assert weights_of(again.whole) == weights_of(found), "a run that is over is loaded as it ended"


def test_what_is_kept_stays_through_several_runs(start, tmp_path):
    for before, after, kept in ((start, "one", 0.25), (tmp_path / "one", "two", 0.5), (tmp_path / "two", "three", 0.0)):
        Reinforcer(dataclasses.replace(LOOKS, episodes=1, kept=kept, advised=0.0), before, tmp_path / after).train()
    beginning, _ = load_network(start)
    one, two, three = (load_network(tmp_path / name)[0] for name in ("one", "two", "three"))
    assert isinstance(one, MixedNetwork)
    assert isinstance(two, MixedNetwork)
    assert isinstance(three, ResidualNetwork), "nothing kept: what was learned alone"
    assert weights_of(one.kept) == weights_of(two.kept) == weights_of(widened(beginning, PLANNED))
    assert weights_of(two.learned) != weights_of(one.learned)


def test_the_start_plays_as_it_did_when_its_learning_was_over(start, tmp_path):
    Reinforcer(dataclasses.replace(LOOKS, episodes=1, kept=0.5), start, tmp_path / "one").train()
    whole, _ = load_network(tmp_path / "one")
    config = dataclasses.replace(FEW, opponents=("start",))
    again = Reinforcer(config, tmp_path / "one", tmp_path / "two")
    assert weights_of(again.others["start"].brain.network) == weights_of(whole), "with what it keeps"


def test_a_wider_network_answers_as_before_and_can_learn_from_what_is_new():
    network = ResidualNetwork(ResidualConfig(channels=8, blocks=1)).eval()
    wide = widened(network, PLANNED).eval()
    x = torch.randint(0, 2, (5, PLANNED, 34)).float()
    answers = wide(x)
    assert answers.detach() == pytest.approx(network(x[:, :WIDE]).detach(), abs=1e-5)
    answers.sum().backward()
    assert wide.stem.weight.grad[:, WIDE:].abs().sum() > 0


def test_papers_networks_are_not_mixed():
    network = make_network(MeowjongConfig("kan", filters=(1, 1, 1, 1), dense=2))
    with pytest.raises(ValueError, match="not the papers'"):
        mixed(network, network, 0.5)

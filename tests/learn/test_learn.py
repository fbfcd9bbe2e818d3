"""Learning from whole games: `janshi learn`."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.claims import cases_of

pytest.importorskip("torch")

import torch
from numpy.typing import NDArray

from janshi.agents import RandomAgent, agent
from janshi.agents.onnx import OnnxNetwork
from janshi.agents.policy import PolicyAgent
from janshi.cluster import Here, Workers, workers
from janshi.learn.checkpoints import BEST, CheckpointError, load_network, read_weights
from janshi.learn.configs import LearnConfig
from janshi.learn.fronts import write_front
from janshi.learn.generation import (
    Comparisons,
    GamesJob,
    HandValues,
    PartsNetwork,
    PlayConfig,
    TrainedLayers,
    play_games,
    weights_of,
)
from janshi.learn.improvement import Improvement
from janshi.learn.networks import NetworkError, encoder_of, make_network
from janshi.learn.starts import load_start
from janshi.riichi.networks import SuitConfig
from janshi.rollout.driver import Driver, Seating
from janshi.sichuan.networks import DenseConfig
from janshi.table import Tables
from janshi.worth.placement import PlacementModel
from tests.cluster.jobs import Backwards
from tests.commands import janshi

POINTS = (1.0, 0.0, -1.0)
CONFIG = LearnConfig(
    rules="tenhou-sanma-hand",
    updates=2,
    games=4,
    games_together=2,
    train_blocks=1,
    batch=64,
    gate_every=2,
    gate_walls=1,
    least=0.0,
    discards=1.0,
)
ONE_UPDATE = dataclasses.replace(CONFIG, updates=1)


def small() -> Any:
    torch.manual_seed(3)
    return make_network(SuitConfig(channels=8, blocks=2, hidden=8)).eval()


def run(folder: Path, config: LearnConfig = CONFIG, team: Workers | None = None) -> Improvement:
    """Return a run of a small network of three players."""
    return Improvement(config, (small(), {"players": 3, "rules": []}), folder, team or Here())


def trained(folder: Path, config: LearnConfig = CONFIG, team: Workers | None = None) -> dict[str, torch.Tensor]:
    """Return the weights after a complete run."""
    learner = run(folder, config, team)
    learner.train()
    return learner._learning().state_dict()


def same(first: dict[str, torch.Tensor], second: dict[str, torch.Tensor]) -> bool:
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


@pytest.fixture(scope="module", autouse=True)
def _front_exported_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Export the frozen layers of equal networks once: most runs start from the same one."""
    folder = tmp_path_factory.mktemp("fronts")

    def write(network: Any, front: Any, rules: Any, path: Path) -> None:
        weights = b"".join(tensor.numpy().tobytes() for tensor in front.state_dict().values())
        file = folder / hashlib.sha256(weights).hexdigest()
        if not file.exists():
            write_front(network, front, rules, file)
        shutil.copy(file, path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("janshi.learn.improvement.write_front", write)
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a complete run."""
    folder = tmp_path_factory.mktemp("whole")
    trained(folder)
    return folder


@pytest.fixture(scope="module")
def one_update(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a run of one update."""
    folder = tmp_path_factory.mktemp("one")
    trained(folder, ONE_UPDATE)
    return folder


# ---------------------------------------------------------------------------------------------------------
# Networks in two parts


@pytest.mark.parametrize("blocks", [0, 1, 2])
def test_both_parts_together_have_the_networks_outputs(blocks: int) -> None:
    network = small()
    observations = torch.randint(0, 2, (5, *encoder_of(network).shape)).float()
    front, tail = network.parts(blocks)
    torch.testing.assert_close(tail(front(observations)), network(observations))


def test_a_front_in_integers_has_nearly_the_same_outputs(one_update: Path) -> None:
    network = small()
    tables = Tables("tenhou-sanma", 200, np.arange(200))
    tables.play_random(30)
    packed = encoder_of(network).encode(tables.decisions())
    integers = OnnxNetwork(one_update / "front.onnx", 1).run(packed)
    with torch.inference_mode():
        floats = network.parts(1)[0](torch.from_numpy(encoder_of(network).inputs(packed)).float()).numpy()
    assert 0 < np.abs(floats - integers).mean() < 0.05 * np.abs(floats).mean()


def test_a_network_without_parts_is_trained_as_a_whole() -> None:
    network: Any = make_network(DenseConfig("sichuan", hidden=8, units=8))
    with pytest.raises(NetworkError, match="DenseNetwork is trained as a whole"):
        network.parts(1)


def test_shipped_players_in_floats_are_starts_and_those_in_integers_are_not() -> None:
    assert load_start("sl")[1]["players"] == 3
    assert load_start("sichuan")[1]["players"] == 4
    with pytest.raises(NetworkError, match="start from the file of floats"):
        load_start("sl-int8")
    with pytest.raises(CheckpointError, match="no player 'nobody'"):
        load_start("nobody")


# ---------------------------------------------------------------------------------------------------------
# Games


def test_a_game_leads_to_its_places() -> None:
    tables = Tables("tenhou-sanma-east", 6, np.arange(6), auto_reset=False)
    values = HandValues(tables, POINTS, 1.0)
    Driver(tables, Seating.same([RandomAgent()] * 3, 6), [values]).run()
    found = values.values()
    assert len(found) > 6
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-5)
    final = PlacementModel(tables.rules).expected(tables.states, np.array(POINTS))
    assert set(final.ravel().tolist()) <= set(POINTS)
    # The last values are of the game that ended last.
    assert any(np.array_equal(found[-1], places) for places in final)


def test_without_a_placement_model_hands_lead_to_their_points() -> None:
    tables = Tables("sichuan-hand", 3, np.arange(3), auto_reset=False)
    values = HandValues(tables, (), 8.0)
    Driver(tables, Seating.same([RandomAgent()] * 4, 3), [values]).run()
    np.testing.assert_allclose(values.values() * 8, tables.scores)


def replayed(rules: str, seed: int, who: Any, number: int, action: int | None = None) -> tuple[NDArray[Any], int, int]:
    """Play a game in which decision ``number`` is ``action``; return the scores, its seat and the action taken."""
    tables = Tables(rules, 1, np.array([seed]), auto_reset=False)
    decisions = seat = taken = 0
    while tables.actors[0] >= 0:
        batch = tables.decisions()
        chosen = who.act(batch)
        if batch.legal.sum() > 1:
            if decisions == number:
                chosen = chosen if action is None else np.array([action], np.int16)
                seat, taken = int(batch.seats[0]), int(chosen[0])
            decisions += 1
        tables.step(chosen)
    return tables.scores[0].copy(), seat, taken


def test_a_gain_is_the_difference_of_the_results_on_the_same_wall(tmp_path: Path) -> None:
    """A comparison of a hand equals two games that are played from the beginning."""
    torch.manual_seed(3)
    network: Any = make_network(DenseConfig("sichuan", hidden=8, units=8)).eval()
    learner = Improvement(
        dataclasses.replace(CONFIG, rules="sichuan-hand", train_blocks=-1), (network, {"players": 4}), tmp_path, Here()
    )
    seed = 5
    play = PlayConfig("sichuan-hand", 2.0, 0.0, 1.0, (), 1.0)
    weights = weights_of(learner.tail)
    job = GamesJob(learner._described(), (weights, weights), play, np.array([seed]), np.zeros((1, 4), np.int64))
    found = play_games(job)
    assert len(found) > 20
    assert np.abs(found.gain).max() > 0
    assert (found.lead <= 0).all()
    who = PolicyAgent(PartsNetwork(learner._described(), weights), "same", frozenset({4}))
    for number in range(0, len(found), 4):
        own, seat, taken = replayed("sichuan-hand", seed, who, number)
        other, _, _ = replayed("sichuan-hand", seed, who, number, int(found.other[number]))
        assert taken == found.taken[number]
        assert found.gain[number] == pytest.approx(other[seat] - own[seat])


def test_only_decisions_of_the_learner_are_compared(tmp_path: Path) -> None:
    learner = run(tmp_path)
    learner.prepare()
    weights = weights_of(learner.tail)
    play = PlayConfig("tenhou-sanma-hand", 2.0, 0.0, 1.0, POINTS, 1.0)
    seeds = np.arange(3)
    counts = []
    for seats in (3, 1):
        lineups = np.where(np.arange(3) < seats, 0, 1) * np.ones((3, 1), np.int64)
        counts.append(len(play_games(GamesJob(learner._described(), (weights, weights), play, seeds, lineups))))
    assert 0 < counts[1] < counts[0]


def test_the_line_ups_hold_the_share_of_games_against_the_start_in_every_seat(tmp_path: Path) -> None:
    lineups = run(tmp_path)._lineups(np.arange(24))
    mixed = lineups[(lineups > 0).any(axis=1)]
    assert len(mixed) == 6
    assert (mixed == 0).sum(axis=0).tolist() == [2, 2, 2]


def test_opponents_are_met_in_every_seat_and_versions_of_matches_are_players(tmp_path: Path) -> None:
    config = dataclasses.replace(ONE_UPDATE, opponents="random,efficient", against_start=0.5, gate_every=1)
    learner = run(tmp_path, config)
    lineups = np.concatenate([learner._lineups(np.arange(first, first + 6)) for first in range(0, 72, 6)])
    for other in (1, 2, 3):
        met = lineups[(lineups == other).any(axis=1)]
        assert np.isin(met, [0, other]).all()
        assert (met == 0).sum(axis=0).tolist() == [4, 4, 4]
    learner.train()
    assert learner.curve[0]["compared"] > 0
    assert agent(str(tmp_path / "versions" / "1")).players == {3}


# ---------------------------------------------------------------------------------------------------------
# Runs


def test_actions_that_gain_become_more_probable(tmp_path: Path) -> None:
    learner = run(tmp_path, dataclasses.replace(CONFIG, train_blocks=0, learning_rate=1e-2))
    random = np.random.default_rng(0)
    features = random.normal(size=(256, 8 * 36 + 8 + 36)).astype(np.float16)
    (tmp_path / "front.onnx").touch()

    def leads() -> NDArray[np.float32]:
        logits = TrainedLayers(learner._described(), weights_of(learner.tail)).logits(features)
        difference: NDArray[np.float32] = logits[:, 3] - logits[:, 4]
        return difference

    before = leads()
    # Action 3 gains where the first number is large.
    gain = np.where(features[:, 0] > 0, 1, -1).astype(np.float32)
    taken, other = np.full(256, 4, np.int16), np.full(256, 3, np.int16)
    found = Comparisons(features, taken, other, lead=before, gain=gain, figures={})
    points = [learner.learn(found) for _ in range(30)]
    after = leads() - before
    assert after[gain > 0].mean() > 0.1
    assert after[gain < 0].mean() < -0.1
    assert points[-1]["loss"] < points[0]["loss"]
    assert abs(points[0]["correlation"]) < 0.2 < points[-1]["correlation"]


def test_the_result_does_not_depend_on_the_order_of_the_jobs_or_an_interruption(
    tmp_path: Path, whole: Path, one_update: Path
) -> None:
    weights = read_weights(whole)
    assert same(trained(tmp_path / "other", team=Backwards()), weights)
    parts = shutil.copytree(one_update, tmp_path / "parts")
    assert same(trained(parts), weights)
    start = dict(small().state_dict())
    learned = load_network(whole)[0].state_dict()
    frozen = [name for name in start if name.startswith(("stem", "position", "blocks.0"))]
    assert frozen
    assert all(torch.equal(start[name], learned[name]) for name in frozen)


@pytest.mark.long
def test_the_result_does_not_depend_on_the_number_of_processes(tmp_path: Path, whole: Path) -> None:
    with workers(processes=2) as team:
        assert same(trained(tmp_path, team=team), read_weights(whole))


@pytest.mark.long
def test_a_run_killed_while_saving_resumes(
    tmp_path: Path, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*arguments: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("janshi.learn.checkpoints.save_metadata", killed)
        with pytest.raises(KeyboardInterrupt):
            trained(tmp_path)
    assert same(trained(tmp_path), read_weights(whole))


def test_another_run_is_not_overwritten(tmp_path: Path, one_update: Path) -> None:
    with pytest.raises(CheckpointError, match="holds a run with other options"):
        run(one_update, dataclasses.replace(CONFIG, kl=0.5))
    with pytest.raises(CheckpointError, match="rules 'tenhou' are of another"):
        run(tmp_path / "four", dataclasses.replace(CONFIG, rules="tenhou-sanma,tenhou"))


@pytest.mark.long
def test_an_update_without_comparisons_learns_nothing(tmp_path: Path) -> None:
    learner = run(tmp_path, dataclasses.replace(ONE_UPDATE, least=1.0))
    before = weights_of(learner.tail)
    learner.train()
    assert learner.curve[0]["compared"] == 0
    assert all(np.array_equal(array, before[name]) for name, array in weights_of(learner.tail).items())


@pytest.mark.long
def test_updates_take_the_rules_in_turn(tmp_path: Path) -> None:
    learner = run(tmp_path, dataclasses.replace(CONFIG, rules="tenhou-sanma,tenhou-sanma-hand"))
    learner.prepare()
    names = []
    for learner.done in range(3):
        names.append(next(learner.jobs()).config.rules)
    assert names == ["tenhou-sanma", "tenhou-sanma-hand", "tenhou-sanma"]


def test_a_run_can_start_beside_another_of_the_same_start(tmp_path: Path, one_update: Path) -> None:
    after = run(tmp_path, dataclasses.replace(CONFIG, begin=str(one_update), kl=0.5))
    assert same(after._learning().state_dict(), read_weights(one_update))
    assert after.done == 0


def test_sichuan_is_learned_by_points_as_a_whole(tmp_path: Path) -> None:
    torch.manual_seed(3)
    network: Any = make_network(DenseConfig("sichuan", hidden=8, units=8)).eval()
    config = dataclasses.replace(CONFIG, rules="sichuan", train_blocks=-1, updates=1, gate_every=1)
    learner = Improvement(config, (network, {"players": 4, "rules": []}), tmp_path, Here())
    learner.train()
    assert learner.curve[0]["gate"]["games"] == 4
    assert (tmp_path / BEST).exists()
    assert learner.best_network().config == network.config


# ---------------------------------------------------------------------------------------------------------
# The command


@pytest.mark.long
def test_the_command_learns_shows_its_curve_and_writes_a_player(
    tmp_path: Path, one_update: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"learn {one_update} --out {tmp_path / 'out'} --rules tenhou-sanma-hand --updates 1 --games 4"
    result = janshi(*words.split(), "--gate-walls", "1", "--json")
    (point,) = json.loads(result.stdout)
    assert point["update"] == 1
    assert point["gate"]["games"] == 3
    assert agent(str(tmp_path / "out" / "player.onnx")).players == {3}
    monkeypatch.setattr("janshi.learn.export.export_onnx", lambda *arguments: None)  # the same player again
    again = janshi(*words.split(), "--gate-walls", "1", "--figure", tmp_path / "curve.svg")
    assert "update 1: mean place" in again.stdout
    assert "against the start" in (tmp_path / "curve.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(*cases_of("messages", "errors of the command are one line"))
def test_errors_of_the_command_are_one_line(tmp_path: Path, words: str, said: str) -> None:
    result = janshi("learn", *words.split(), "--out", tmp_path, code=2)
    assert result.stderr.startswith(f"janshi learn: {said}")

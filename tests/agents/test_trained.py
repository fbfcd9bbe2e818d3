"""The shipped players of Riichi over the whole action space: files and decisions."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from janshi.agents import agent, best_reviewer, onnx
from janshi.agents.onnx import OnnxNetwork
from janshi.agents.policy import PolicyAgent
from janshi.arena import play_match
from janshi.core.places import final_ranks
from janshi.papers.meowjong.agent import MeowjongAgent
from janshi.players import PLAYERS
from janshi.review.advising import advise
from janshi.riichi.actions import Action
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, Rules
from janshi.table import Tables
from janshi.web.roster import Roster
from tests.rules.tables import do, drift, make_table, offer, pass_all

onnxruntime = pytest.importorskip("onnxruntime")

RULES = {"sl": TENHOU_SANMA, "sl4": TENHOU}


@pytest.fixture(scope="module", params=["sl", "sl4"])
def player(request: pytest.FixtureRequest) -> PolicyAgent:
    made = agent(request.param)
    assert isinstance(made, PolicyAgent)
    return made


@pytest.fixture
def rules(player: PolicyAgent) -> Rules:
    return RULES[player.name]


def answer(player: PolicyAgent, table) -> int:
    return int(player.act(table.decision())[0])


def test_its_file_is_small_and_has_metadata(player, rules):
    assert PLAYERS[player.name].stat().st_size <= 8_000_000
    assert player.network.encoder.name == "table"
    assert (player.players, player.games) == ({rules.players}, {"riichi"})
    assert best_reviewer(rules.players) == player.name


def test_the_quick_player_plays_like_the_other_one_and_is_not_offered_twice(player, rules):
    quick = agent(f"{player.name}-int8")
    tables = Tables(rules, 40, 3)
    same = count = 0
    for _ in range(15):
        batch = tables.decisions()
        actions = player.act(batch)
        same += int((quick.act(batch) == actions).sum())
        count += len(batch)
        tables.step(actions)
    assert same > 0.9 * count
    assert quick.name not in Roster().players


def test_the_quick_player_answers_alike_on_every_processor(player, rules):
    """Sums of eight-bit products saturate on processors without VNNI unless onnxruntime is told to avoid it."""

    path = PLAYERS[f"{player.name}-int8"]
    quick, plain = OnnxNetwork(path), onnxruntime.SessionOptions()
    plain.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL  # rounds, but adds floats
    session = onnxruntime.InferenceSession(path, plain, providers=["CPUExecutionProvider"])
    tables, packed = Tables(rules, 128, 1), []
    for _ in range(24):
        batch = tables.decisions()
        packed.append(quick.encoder.encode(batch))
        tables.step(batch.legal.argmax(axis=1))
    seen = np.concatenate(packed[::6])
    exact = session.run(None, {session.get_inputs()[0].name: quick.encoder.inputs(seen)})[0]
    assert np.abs(quick.run(seen) - exact).mean() < 0.04 * exact.std()


@pytest.mark.parametrize("saturating", [False, True])
def test_products_are_widened_only_on_processors_whose_sums_saturate(saturating, monkeypatch):
    """The option halves the speed on the others."""
    monkeypatch.setattr(onnx, "saturates", lambda: saturating)
    options = OnnxNetwork(PLAYERS["sl4-int8"], threads=1).session.get_session_options()
    with contextlib.nullcontext() if saturating else pytest.raises(RuntimeError):
        assert options.get_session_config_entry("session.x64quantprecision") == "1"


#: Writes whether sums saturate, then the answers of a quick player to the inputs in a file.
ANSWERS = """
import sys
import numpy as np
from janshi.agents.onnx import OnnxNetwork, saturates
from janshi.players import PLAYERS
network = OnnxNetwork(PLAYERS["sl4-int8"], threads=1)
np.save(sys.argv[2], network.session.run(None, {"observations": np.load(sys.argv[1])})[0])
print(saturates())
"""


@pytest.mark.long
@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="qemu-user simulates a processor without VNNI")
def test_the_quick_player_answers_alike_without_vnni(tmp_path):
    network, tables = OnnxNetwork(PLAYERS["sl4-int8"], threads=1), Tables("tenhou", 128, 1)
    tables.play_random(40)
    inputs = network.encoder.inputs(network.encoder.encode(tables.decisions()))
    np.save(tmp_path / "inputs.npy", inputs)
    simulated = ["qemu-x86_64", "-cpu", "Haswell", os.path.realpath(sys.executable), "-c", ANSWERS]
    done = subprocess.run(
        [*simulated, tmp_path / "inputs.npy", tmp_path / "answers.npy"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "True\n"
    answers = network.session.run(None, {"observations": inputs})[0]
    np.testing.assert_allclose(np.load(tmp_path / "answers.npy"), answers, atol=1e-4)


def test_it_takes_wins(player, rules):
    table = make_table(rules, ["123456p789s55z79p"], "8p", dora="9s")
    assert answer(player, table) == Action.TSUMO
    ron = make_table(rules, ["", "123456p789s55z79p"], "8p", dora="9s")
    offer(ron, 0, "8p")
    assert answer(player, ron) == Action.RON


def test_it_keeps_a_nearly_complete_hand(player, rules):
    """It discards an isolated guest wind of any kind and breaks no run. With three players North is kita."""
    for wind in ("2z", "3z", "4z"):
        table = make_table(rules, ["234567p34678s55p"], wind, dora="9p")
        allowed = {Action.TSUMOGIRI, Action.RIICHI, Action.KITA}
        assert answer(player, table) in allowed


def rounds(table, until: int) -> None:
    """Discard all drawn tiles until at most that many tiles are left and seat 0 has drawn."""
    while int(table.state.left) > until or table.actor != 0:
        drift(table, int(table.state.left) - 1)


def test_it_declares_riichi_with_two_sides_open_and_time_left(player, rules):
    table = make_table(rules, ["234567p34678s99p"], "5z", dora="9s")
    assert {Action.RIICHI, Action.TSUMOGIRI} <= set(table.legal)
    assert answer(player, table) == Action.RIICHI


def test_it_folds_a_hand_far_from_tenpai_to_a_riichi(player, rules):
    """From a hand at three shanten it discards tiles that are safe against the riichi."""
    four = rules.players == 4
    near, far = ("234m567p34678s99p", "1479m28p1479s134z") if four else ("234567p34678s99p", "19m1479p1479s123z")
    table = make_table(rules, [near, far], dora="9m")
    rounds(table, 50 if four else 40)
    do(table, 0, Action.RIICHI)
    do(table, 0, Action.TSUMOGIRI)
    pass_all(table)
    decision = table.decision()
    advice = advise(decision, player)
    safe = [action for each in advice.candidates if each.safety == {"0": "safe"} for action in each.actions]
    assert advice.by == player.name
    assert 0 < len(safe) < int(decision.legal.sum())
    assert answer(player, table) in safe


def test_it_does_not_call_without_a_yaku(player, rules):
    table = make_table(rules, ["", "123p456p78s11z99m2z"], "9m", dora="9s")
    offer(table, 0, "9m")
    assert Action.PON in table.legal
    assert answer(player, table) == Action.PASS


def test_the_sl_of_earlier_versions_plays_on_under_its_date():
    """It takes the five decisions, wins if possible, and its probabilities use the calibrated temperature."""
    earlier = agent("sl-2026-11")
    assert isinstance(earlier, MeowjongAgent)
    assert (earlier.name, earlier.players, earlier.temperature) == ("sl-2026-11", {3}, 1.5)
    table = make_table(TENHOU_SANMA, ["123456p789s55z79p"], "8p", dora="9s")
    assert earlier.act(table.decision())[0] == Action.TSUMO
    tables = Tables(TENHOU_SANMA, 40, 3)
    same = decisions = 0
    for _ in range(30):
        batch = tables.decisions()
        actions = agent("sl").act(batch)
        same += int((earlier.act(batch) == actions).sum())
        decisions += len(batch)
        tables.step(actions)
    assert 0.6 < same / decisions < 0.99, "another player, of the same people"


def mean_place(names: list[str], walls: int, seed: int) -> float:
    rules = RULES[names[0]]
    match = play_match([agent(name) for name in names], rules, walls, seed)
    own = match.game_rotation.astype(np.int64) % rules.players
    return float(final_ranks(match.final)[np.arange(len(own)), own].mean())


@pytest.mark.long
def test_it_beats_three_that_play_by_rules():
    assert mean_place(["sl4", *["efficient"] * 3], 100, 31) < 2.4, "400 games"


@pytest.mark.long
def test_it_beats_two_of_the_earlier():
    assert mean_place(["sl", *["sl-2026-11"] * 2], 100, 31) < 2, "300 games"

"""The Sichuan paper: its state, its actions, its double DQN, and the whole reproduction at a scale of seconds."""

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("jinja2")

import torch

from janshi.agents import RandomAgent, agent
from janshi.arena import play_match
from janshi.learn.checkpoints import CheckpointError, load_network
from janshi.papers.registry import PAPERS
from janshi.papers.runner import Options, run_stages
from janshi.papers.sichuan import figures
from janshi.papers.sichuan.actions import actions_of
from janshi.papers.sichuan.agent import legal_of
from janshi.papers.sichuan.encoder import ACTIONS, LEGAL, SICHUAN_DQN, STATE, PaperAction
from janshi.papers.sichuan.paper import PAPER, SCALES
from janshi.papers.sichuan.report import REPORT, agreement_text
from janshi.papers.sichuan.stages import STAGES, pairs
from janshi.papers.sichuan.training import DQNTrainer, DQNTraining, Learner
from janshi.sichuan.actions import Action
from janshi.sichuan.agents.heuristic import HeuristicAgent
from janshi.sichuan.rules import preset
from janshi.table import Table, Tables
from tests.commands import janshi
from tests.papers.tiny import without_times

TINY = DQNTraining(games=6, tables=3, segment=3, evaluate_every=3, evaluate_walls=1, updates=0.2)
SCALE = dataclasses.replace(
    SCALES["tiny"], pair_walls=1, games=6, tables=3, segment=3, evaluate_every=3, evaluate_walls=1, match_walls=1
)


@pytest.fixture(scope="module")
def decisions():
    """Return decisions of every phase of play at 400 tables."""
    tables = Tables("sichuan", 400, 3)
    tables.play_random(40)
    return tables.decisions()


# ---------------------------------------------------------------------------------------------------------
# State and actions


def test_the_state_contains_table_3():
    table = Table("sichuan", seed=5)
    for _ in range(4):
        table.act(Action.VOID + 1)
    while table.state.phase != 4 or Action.PUNG not in table.legal:
        table.act(Action.PASS if Action.PASS in table.legal else table.legal[0])
    caller, kind = table.actor, int(table.state.tile)
    table.act(Action.PUNG)
    state = SICHUAN_DQN.encode(table.decision())[0]
    me = table.state.seats[caller]
    assert state.shape == (STATE,)
    assert state[:3].tolist() == [0, 4, 0]
    assert state[3:30].tolist() == table.view(caller).hand.counts.tolist()
    assert state[30 + kind] == 3
    assert state[57] == 0
    assert state[58:85].tolist() == me.discarded.tolist()
    for step in range(3):
        other = table.state.seats[(caller + 1 + step) % 4]
        assert state[85 + 3 * step : 88 + 3 * step].tolist() == [0, 4, 0]
        assert state[178 + 27 * step : 205 + 27 * step].tolist() == other.discarded.tolist()
    assert np.flatnonzero(state[LEGAL:]).tolist() == table.legal


def test_winners_are_visible_to_all():
    tables = Tables("sichuan", 200, 1, auto_reset=False)
    while not ((tables.states["seats"]["won"] > 0).any(axis=1) & (tables.actors >= 0)).any():
        batch = tables.decisions()
        tables.step_some(batch.tables, HeuristicAgent().act(batch))
    batch = tables.decisions()
    won = tables.states["seats"]["won"][batch.tables] > 0
    state = SICHUAN_DQN.encode(batch)
    for step in range(3):
        other = (batch.seats.astype(int) + 1 + step) % 4
        assert ((state[:, 94 + 28 * step + 27] > 0) == won[np.arange(len(batch)), other]).all()
    assert won.any()


def test_every_legal_action_has_one_of_the_papers_and_back(decisions):
    legal = legal_of(SICHUAN_DQN.encode(decisions))
    assert legal.shape == (len(decisions), ACTIONS)
    for choice in range(ACTIONS):
        rows = np.flatnonzero(legal[:, choice])
        if len(rows):
            part = decisions.part(rows)
            done = actions_of(np.full(len(rows), choice), part)
            assert part.legal[np.arange(len(rows)), done].all(), choice
    counts = decisions.legal[:, : Action.OWN_KONG].sum(axis=1) + decisions.legal[:, Action.OWN_KONG :].any(axis=1)
    assert (legal.sum(axis=1) == counts).all()
    assert legal[:, PaperAction.OWN_KONG].any()


# ---------------------------------------------------------------------------------------------------------
# Learning


def test_targets_take_the_best_legal_action_after_the_step_by_one_network_and_its_value_by_the_other():
    learner = Learner(TINY)
    random = np.random.default_rng(1)
    before, after = (random.integers(0, 5, (2, STATE)).astype(np.uint8) for _ in range(2))
    after[:, LEGAL:] = 0
    after[:, LEGAL + 7] = after[:, LEGAL + 9] = 4
    learner.remember(before, np.array([3, 4]), np.array([2, -5]), after)
    with torch.no_grad():
        learner.target.layers[-1].bias += torch.linspace(-3, 3, ACTIONS)
        values = learner.online(torch.from_numpy(after).float())
        best = [7 if row[7] > row[9] else 9 for row in values]
        beyond = learner.target(torch.from_numpy(after).float())
        later = [float(row[choice]) for row, choice in zip(beyond, best, strict=True)]
        answered = learner.online(torch.from_numpy(before).float())
    wanted = [2 + 0.9 * later[0], -5 + 0.9 * later[1]]
    expected = np.mean([(float(answered[0, 3]) - wanted[0]) ** 2, (float(answered[1, 4]) - wanted[1]) ** 2])
    assert float(learner.loss(np.array([0, 1]), 0.9).detach()) == pytest.approx(expected, rel=1e-5)


def test_after_the_end_of_a_hand_the_value_is_zero():
    learner = Learner(TINY)
    before = np.zeros((1, STATE), np.uint8)
    learner.remember(before, np.array([0]), np.array([7]), None)
    answered = float(learner.online(torch.zeros(1, STATE))[0, 0].detach())
    assert float(learner.loss(np.array([0]), 0.95).detach()) == pytest.approx((answered - 7) ** 2, rel=1e-5)


def test_the_paper_prints_the_learning_rate():
    assert DQNTraining().learning_rate == figures.PUBLISHED["alpha"] == 0.001


def test_a_network_that_imitates_begins_with_the_weights_of_imitation(tmp_path):
    config = dataclasses.replace(TINY, imitated=8)
    first, second = DQNTrainer(config, tmp_path / "first"), DQNTrainer(config, tmp_path / "second")
    plain = DQNTrainer(TINY, tmp_path / "plain")
    for one, other, none in zip(*(each.learner.online.parameters() for each in (first, second, plain)), strict=True):
        assert torch.equal(one, other)
        assert not torch.equal(one, none)
    for network in (first.learner.target, first.learner.best):
        assert all(map(torch.equal, network.parameters(), first.learner.online.parameters()))


def test_the_memory_forgets_the_oldest():
    learner = Learner(dataclasses.replace(TINY, memory=4))
    for number in range(3):
        states = np.full((2, STATE), number, np.uint8)
        learner.remember(states, np.array([number] * 2), np.array([0, 0]), None)
    assert learner.actions.tolist() == [2, 2, 1, 1]
    assert learner.state_dict()["memory_states"][:, 0].tolist() == [2, 2, 1, 1]


def test_epsilon_falls_at_each_decision_to_its_least(tmp_path):
    trainer = DQNTrainer(TINY, tmp_path)
    state = SICHUAN_DQN.encode(Table("sichuan").decision())
    random = np.random.default_rng(0)
    trainer.choose(np.repeat(state, 100, axis=0), random)
    assert trainer.epsilon == pytest.approx(0.999**100)
    for _ in range(50):
        trainer.choose(np.repeat(state, 100, axis=0), random)
    assert 0.00999 < trainer.epsilon < 0.01


def test_rewards_of_a_game_sum_to_its_points(tmp_path):
    trainer = DQNTrainer(dataclasses.replace(TINY, updates=0.0, games=3), tmp_path)
    trainer.train()
    learner = trainer.learner
    points = trainer.curve[-1]["training points"]
    assert 0 < learner.added == trainer.counts["decisions"] < TINY.memory
    assert float(learner.rewards.sum()) == pytest.approx(3 * points)
    assert learner.ended.sum() == 3


def test_the_weights_of_the_highest_point_of_the_curve_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights: list[torch.Tensor] = []
    # The untrained network comes first and does not count.
    values = iter([9.0, -3.0, -1.0, -2.0])

    def evaluate(trainer: DQNTrainer) -> dict[str, object]:
        weights.append(next(trainer.learner.online.parameters()).detach().clone())
        return {"points": {"value": next(values)}}

    monkeypatch.setattr(DQNTrainer, "_evaluate", evaluate)
    config = dataclasses.replace(TINY, games=9, segment=3, evaluate_every=3)

    def stop(trainer: DQNTrainer) -> None:
        if trainer.done == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        DQNTrainer(config, tmp_path).train(stop)
    DQNTrainer(config, tmp_path).train()
    network, _ = load_network(tmp_path)
    assert not torch.equal(weights[2], weights[3])
    assert torch.equal(next(network.parameters()), weights[2])


def test_an_interrupted_training_ends_as_an_uninterrupted_one(tmp_path):
    whole = DQNTrainer(TINY, tmp_path / "whole")
    whole.train()

    def stop(trainer: DQNTrainer) -> None:
        raise KeyboardInterrupt

    part = DQNTrainer(TINY, tmp_path / "part")
    with pytest.raises(KeyboardInterrupt):
        part.train(stop)
    assert 0 < part.done < TINY.games
    again = DQNTrainer(TINY, tmp_path / "part")
    assert again.done == part.done
    again.train()
    assert again.curve == whole.curve
    assert again.counts == whole.counts
    for one, other in zip(again.learner.online.parameters(), whole.learner.online.parameters(), strict=True):
        assert torch.equal(one, other)
    assert whole.counts["steps"] > 0
    with pytest.raises(CheckpointError, match="other options"):
        DQNTrainer(dataclasses.replace(TINY, seed=1), tmp_path / "part")


# ---------------------------------------------------------------------------------------------------------
# The reproduction


def reproduced(folder: Path, scale=SCALE, listen=lambda event: None):
    return run_stages(PAPER, Options(scale), folder, "", listen)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return the results and the folder of an uninterrupted run."""
    folder = tmp_path_factory.mktemp("finished")
    return reproduced(folder), folder


def test_stopped_in_every_stage_it_ends_with_the_same_results(finished, tmp_path):
    stops = {"parameters": "heuristic 4, 2, 1", "training": "3 games", "matches": "table 6"}
    for stage, words in stops.items():

        def stop(event, stage=stage, words=words):
            if event.stage.name == stage and words in event.text:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            reproduced(tmp_path, listen=stop)
    assert without_times(reproduced(tmp_path)) == without_times(finished[0])


def test_the_report_has_every_table_beside_the_papers_and_its_doubts(finished, tmp_path):
    results, _ = finished
    page = REPORT.write(results, Options(SCALE), tmp_path, {stage.name: stage.title for stage in STAGES}).read_text()
    for words in ("Table 2", "Table 5", "Table 6", "Table 7", "Learning curve", "+22.0", "−12.0", "91,875", "100,000"):
        assert words in page, words
    for doubt in figures.DOUBTS:
        assert doubt[:40] in page
    text = re.sub(r"<svg.*?</svg>", "", page, flags=re.S)
    assert not re.search(r"\b(nan|inf|None|Undefined)\b", re.sub(r"<[^>]+>", " ", text))
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["stages"]["training"]["parameters"] == report["paper"]["parameters"] == 91_875
    for match in report["stages"]["matches"]["tables"].values():
        assert match["games"] == 4 * SCALE.match_walls


def test_points_of_a_table_sum_to_zero(finished):
    for name, match in finished[0]["matches"]["tables"].items():
        agents = match["agents"]
        seats = figures.SEATS.get(name.removeprefix("table ").partition(",")[0])
        counts = [1, 3] if seats is None else [seats.count(agent if agent in seats else "DDQN") for agent in agents]
        total = sum(count * agent["points"]["value"] for count, agent in zip(counts, agents.values(), strict=True))
        assert total == pytest.approx(0, abs=1e-9), name


def test_its_player_can_play(tmp_path):
    trainer = DQNTrainer(dataclasses.replace(TINY, games=3), tmp_path / "player")
    trainer.train()
    player = agent(str(tmp_path / "player"))
    match = play_match([player, *[RandomAgent()] * 3], preset("sichuan"), 1)
    assert len(match.final) == 4


def test_all_pairs_of_table_2_play_and_all_its_parameters_meet_the_chosen_ones():
    found = pairs()
    assert found[:11] == [(first, second) for first, second, _ in figures.TOURNAMENT]
    assert len(found) == 11 + 11
    assert all(second == (7.5, 2.5, 1.0) for _, second in found[11:])


def test_a_direction_needs_an_interval_without_zero():
    clear = {"value": -0.4, "low": -0.5, "high": -0.3}
    assert agreement_text(clear, -9.0) == "the same"
    assert agreement_text(clear, 3.0) == "the opposite"
    assert agreement_text({"value": -0.4, "low": -0.9, "high": 0.1}, -9.0) == "open"


def test_the_papers_printed_figures_are_consistent():
    for number, scores in figures.SCORES.items():
        total = sum(figures.SEATS[number].count(name) * score for name, score in scores.items())
        assert total == 0


def test_it_takes_no_records(tmp_path):
    result = janshi("reproduce", "sichuan", "--records", tmp_path, "--out", tmp_path / "out", code=2)
    assert "needs no records" in result.stderr
    assert list(PAPERS["sichuan"].scales) == ["tiny", "small", "medium", "full"]

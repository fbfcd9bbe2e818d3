"""The shipped player of Sichuan mahjong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

pytest.importorskip("onnxruntime")

from janshi.agents import AgentError, agent
from janshi.agents.onnx import load_network, policy_player
from janshi.arena import play_match
from janshi.cli import app
from janshi.games import rules_of
from janshi.players import PLAYERS
from janshi.sichuan.actions import Action
from janshi.sichuan.agents import EfficientAgent, HeuristicAgent
from janshi.sichuan.state import Phase
from janshi.statistics import mean
from janshi.table import Table, Tables

MINE = '''
import numpy as np

class Lowest:
    """Takes the lowest legal action."""

    name = "lowest"
    players = frozenset({4})
    games = frozenset({"sichuan"})

    def act(self, batch):
        return batch.legal.argmax(axis=1)
'''


def points(walls: int, seed: int) -> tuple[float, float]:
    """Return mean and lower end of the interval of its points against three heuristic agents."""
    match = play_match([agent("sichuan"), *[HeuristicAgent()] * 3], rules_of("sichuan"), walls, seed)
    found = mean(match.final[np.arange(len(match.final)), match.game_rotation], match.game_wall)
    return found.value, found.low


def test_it_is_small_and_plays_its_own_game_alone() -> None:
    assert PLAYERS["sichuan"].stat().st_size < 4_000_000
    with pytest.raises(AgentError, match="plays sichuan, not riichi"):
        agent("sichuan").act(Table("tenhou").decision())


@pytest.mark.parametrize("rules", ["sichuan-exchange", "sichuan-novikov"])
def test_it_chooses_tiles_before_play_as_efficient_does_and_plays_itself(rules: str) -> None:
    player = agent("sichuan")
    network = policy_player(load_network(PLAYERS["sichuan"], "sichuan"), "sichuan")
    tables = Tables(rules, 20, seeds=3)
    before = 0
    for _ in range(24):
        batch = tables.decisions()
        chosen = (batch.views["phase"] <= Phase.VOID) & batch.legal[:, : Action.VOID].any(axis=1)
        before += int(chosen.sum())
        expected = np.where(chosen, EfficientAgent().act(batch), network.act(batch))
        actions = player.act(batch)
        assert (actions == expected).all()
        shares = player.preferences(batch)
        assert (shares.argmax(axis=1) == actions).all()
        assert np.allclose(shares.sum(axis=1), 1, atol=1e-5)
        tables.step(actions)
    assert before > 70


def test_it_beats_its_teachers_heuristic() -> None:
    assert points(150, 5)[1] > 0.3


@pytest.mark.long
def test_it_is_two_points_above_three_heuristic_agents_and_ahead_of_efficient() -> None:
    value, low = points(2500, 901)
    assert value * 4 / 3 > 1.8
    assert low > 1.0
    match = play_match([agent("sichuan"), *[EfficientAgent()] * 3], rules_of("sichuan"), 2500, 901)
    assert mean(match.final[np.arange(len(match.final)), match.game_rotation], match.game_wall).low > 0


def test_a_class_in_a_file_sits_down_to_it_and_is_compared(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    command = ["compare", "sichuan", f"{file}:Lowest", "--rules", "sichuan", "--walls", "3"]
    result = CliRunner(env={"COLUMNS": "160"}).invoke(app, command)
    assert result.exit_code == 0, result.output
    assert "lowest" in result.output

"""The shipped player of Sichuan mahjong."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("onnxruntime")

from janshi.agents import AgentError, agent
from janshi.arena import play_match
from janshi.games import rules_of
from janshi.players import PLAYERS
from janshi.sichuan.actions import Action
from janshi.sichuan.agents import EfficientAgent, HeuristicAgent
from janshi.sichuan.state import Phase
from janshi.statistics import mean
from janshi.table import DecisionBatch, Table


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
def test_it_chooses_tiles_before_play_better_than_its_teacher(rules: str) -> None:
    """Its own choices gain at least as many points as those of `efficient`, in 600 hands on shared walls."""

    class TilesOfEfficient:
        name, players, games = "tiles of efficient", frozenset({4}), frozenset({"sichuan"})

        def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
            before = (np.asarray(batch.views)["phase"] <= Phase.VOID) & batch.legal[:, : Action.VOID].any(axis=1)
            return np.where(before, EfficientAgent().act(batch), agent("sichuan").act(batch))

    match = play_match([agent("sichuan"), *[TilesOfEfficient()] * 3], rules_of(f"{rules}-hand"), 600, 7)
    found = mean(match.final[np.arange(len(match.final)), match.game_rotation], match.game_wall)
    assert found.high > 0


def test_it_beats_its_teachers_heuristic() -> None:
    assert points(150, 5)[1] > 0.3


@pytest.mark.long
def test_it_is_ahead_of_three_heuristic_and_of_three_efficient_agents() -> None:
    assert points(2500, 901)[1] > 1.0
    match = play_match([agent("sichuan"), *[EfficientAgent()] * 3], rules_of("sichuan"), 2500, 901)
    assert mean(match.final[np.arange(len(match.final)), match.game_rotation], match.game_wall).low > 0

"""Games of the package jansou, played by its agents under its rules, replay under our presets."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

NAMES = ["tenhou", "mahjong-soul", "m-league", "renmei", "saikouisen", "mu", "kyokai", "rmu", "saikyosen"]


@pytest.fixture(scope="module")
def tool() -> Any:
    pytest.importorskip("jansou")
    return import_module("research.compare_jansou")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("games", [2, pytest.param(50, marks=pytest.mark.long)])
def test_games_of_jansou_replay_under_our_preset(name: str, games: int, tool: Any) -> None:
    replays = [tool.compare(name, number, 1 + number)[1] for number in range(games)]
    assert [str(mismatch) for replayed in replays for mismatch in replayed.mismatches] == []


def test_the_listed_differences_from_jansou_exist(tool: Any) -> None:
    assert list(tool.PRESETS) == list(tool.DIFFERENCES) == NAMES
    for name, changes in tool.DIFFERENCES.items():
        ours = tool.preset(tool.PRESETS[name])
        assert all(getattr(ours, field) != value for field, value in changes.items())

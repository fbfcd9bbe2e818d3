"""Custom agents: a class in a file."""

import sys
from pathlib import Path

import pytest

from janshi.agents import AgentError, agent
from janshi.agents.custom import is_custom
from janshi.arena import play_match, single_hand
from janshi.riichi.rules import TENHOU_SANMA
from tests.claims import cases_of

FIRST = """
import numpy as np

class First:
    players = {3, 4}

    def act(self, batch):
        return batch.legal.argmax(axis=1)

class Named(First):
    name = "mine"

class Demanding(First):
    def __init__(self, strength):
        self.strength = strength

class Silent:
    players = {3}

class Homeless:
    def act(self, batch):
        return batch.legal.argmax(axis=1)

class Odd(First):
    players = "three"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(FIRST)
    return path


def test_a_class_plays(file: Path) -> None:
    player = agent(f"{file}:First")
    assert (player.name, player.players) == ("First", frozenset({3, 4}))
    assert agent(f"{file}:Named").name == "mine"
    match = play_match([player] * 3, single_hand(TENHOU_SANMA), walls=2)
    assert len(match.hands.change) == 6


@pytest.mark.parametrize(*cases_of("messages", "agents of files that cannot be made"))
def test_errors_are_one_line(file: Path, name: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    (file.parent / "broken.py").write_text("class First(:\n")
    with pytest.raises(AgentError, match="py") as caught:
        agent(name)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text("raise RuntimeError('no')\n")
    with pytest.raises(AgentError, match="RuntimeError: no"):
        agent(f"{tmp_path / 'failing.py'}:First")
    assert not [name for name in sys.modules if name.startswith("failing")]


def test_names_of_files_with_classes() -> None:
    assert is_custom("C:\\mine\\agent.py:Mine")
    assert not is_custom("mjai:python bot.py")

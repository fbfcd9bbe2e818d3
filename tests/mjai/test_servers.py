"""Janshi's players in whole games of riichienv and of libriichi's arena (package ``mjai``)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from janshi.agents import agent
from janshi.arena import play_match
from janshi.mjai.bot import MjaiPlayer, parse_line, to_line
from janshi.riichi.records import RiichiGame, write_mjai_text
from janshi.riichi.rules import preset
from tests.cases import mostly_long

#: Program that plays games in libriichi's arena.
LIBRIICHI = Path(__file__).parent / "servers" / "libriichi.py"


@pytest.mark.parametrize(("mode", "players"), [("4p-red-half", 4), ("3p-red-half", 3)])
@pytest.mark.parametrize(
    ("games", "player"),
    mostly_long([(1, "random"), (50, "efficient"), (50, "random")], lambda games, player: games == 1),
)
def test_riichienv_accepts_every_answer(mode: str, players: int, games: int, player: str) -> None:
    riichienv = pytest.importorskip("riichienv")
    complaints: list[str] = []
    answers = 0
    for seed in range(games):
        env = riichienv.RiichiEnv(game_mode=mode, seed=seed)
        seats = [
            MjaiPlayer(agent(player), seat=seat, seed=seed, kita="kita", complaints=complaints.append)
            for seat in range(players)
        ]
        asked = env.reset()
        while not env.done():
            actions = {}
            for seat, observation in asked.items():
                answer = seats[seat].react(parse_line(f"[{','.join(map(_text, observation.new_events()))}]"))
                actions[seat] = observation.select_action_from_mjai(to_line(answer))
                assert actions[seat] is not None, (seed, seat, answer)
                answers += 1
            asked = env.step(actions)
    assert complaints == []
    assert answers > 100 * games


def _text(event: object) -> str:
    return event if isinstance(event, str) else json.dumps(event)


@pytest.fixture(scope="module")
def libriichi(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A Python that has the package ``mjai``, which needs an older ``mahjong`` than our tests (``JANSHI_MJAI``)."""
    if "JANSHI_MJAI" in os.environ:
        return os.environ["JANSHI_MJAI"]
    folder = tmp_path_factory.mktemp("mjai")
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    made = subprocess.run(
        [python, "-m", "pip", "install", "-q", "mjai==0.2.1"], capture_output=True, text=True, check=False
    )
    if made.returncode:
        pytest.skip(f"the package mjai cannot be installed: {made.stderr.strip()[-200:]}")
    return str(python)


@pytest.mark.long
@pytest.mark.parametrize("player", ["efficient", "random"])
def test_libriichi_accepts_every_answer(player: str, libriichi: str) -> None:
    command = [sys.executable, "-m", "janshi", "mjai", "--agent", player]
    done = subprocess.run([libriichi, LIBRIICHI, "play", "50", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout)["games"] == 50
    assert "janshi mjai:" not in done.stderr


@pytest.mark.long
def test_libriichi_reads_our_records(libriichi: str, tmp_path: Path) -> None:
    games: list[RiichiGame] = []
    play_match([agent("efficient")] * 4, preset("tenhou"), 2, seed=3, on_game=games.append)
    files = []
    for number, game in enumerate(games):
        files.append(tmp_path / f"{number}.jsonl")
        files[-1].write_text(write_mjai_text([game]), encoding="utf-8")
    done = subprocess.run([libriichi, LIBRIICHI, "read", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout)["events"] == 4 * sum(file.read_text().count("\n") for file in files)

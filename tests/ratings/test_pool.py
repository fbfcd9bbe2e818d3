"""Pools: versions, claims of killed programs, deterministic games, one transaction for each wall."""

import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.agents import RandomAgent
from janshi.arena import MatchConfig, play_match
from janshi.cli import app
from janshi.ratings import Pool, PoolError, Runner, WallResult, digest_of, standings
from janshi.ratings.playing import wall_results
from janshi.riichi.rules import preset
from tests.commands import janshi

RUN = CliRunner()
RULES = preset("tenhou-sanma-east")


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("janshi.ratings.playing.WALLS", 1)
    with Pool.create(tmp_path / "pool.sqlite", RULES.name, seed=3) as pool:
        pool.add({"one": "a", "two": "b"})
        yield pool


def play(pool: Pool, walls: int) -> None:
    agents = {version.number: [RandomAgent()] * 3 for version in pool.versions() if version.is_current}
    wanted = iter([True] * walls + [False])
    Runner(pool, RULES, agents).run(lambda playing: next(wanted), lambda games: None)


def rows(path: Path, table: str) -> list[tuple]:
    db = sqlite3.connect(path)
    found = db.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
    db.close()
    return found


def test_a_resumed_pool_has_the_games_of_an_uninterrupted_one(tmp_path: Path, pool: Pool):
    play(pool, 3)
    with Pool.create(tmp_path / "other.sqlite", RULES.name, seed=3) as other:
        other.add({"one": "a", "two": "b"})
        play(other, 2)
        play(other, 1)
    assert rows(pool.path, "games") == rows(tmp_path / "other.sqlite", "games")
    assert len(rows(pool.path, "games")) == 9


def test_walls_of_a_killed_program_are_played_by_the_next(pool: Pool):
    numbers = [version.number for version in pool.versions()]
    with pool.runner() as runner:
        left = pool.claim(runner, numbers, lambda: ((1, 1, 2), 2))
    assert pool.claimed() == [(1, 1, 2)] * 2
    play(pool, 1)
    assert pool.claimed() == []
    assert [json.loads(seating) for _, seating, *_ in rows(pool.path, "walls")] == [[1, 1, 2]] * 2
    assert left.first == 0


def test_a_killed_program_loses_only_unfinished_walls(tmp_path: Path, pool: Pool):
    killed = tmp_path / "killed.sqlite"
    with Pool.create(killed, RULES.name, seed=3) as other:
        other.add({"one": "a", "two": "b"})
    run = f"""
import os, signal
from janshi.agents import RandomAgent
from janshi.ratings import Pool, Runner
from janshi.riichi.rules import preset

saved = 0
def done(games):
    global saved
    saved += games
    if saved >= 9:
        os.kill(os.getpid(), signal.SIGKILL)

agents = {{1: [RandomAgent()] * 3, 2: [RandomAgent()] * 3}}
Runner(Pool({str(killed)!r}), preset({RULES.name!r}), agents).run(lambda playing: True, done)
"""
    process = subprocess.run([sys.executable, "-c", run], check=False, timeout=120)
    assert process.returncode == -signal.SIGKILL
    saved = len(rows(killed, "games")) // 3
    assert 3 <= saved < 8
    with Pool(killed) as other:
        assert len(other.claimed()) == 8 - saved
        while other.claimed():
            play(other, 1)
        games = {(wall, rotation): rest for _, wall, rotation, *rest in rows(killed, "games")}
    assert sorted(games) == [(wall, rotation) for wall in range(8) for rotation in range(3)]


def test_a_wall_is_saved_when_it_is_over(pool: Pool, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("janshi.ratings.playing.WALLS", 4)
    agents = {version.number: [RandomAgent()] * 3 for version in pool.versions()}
    saved: list[int] = []
    wanted = iter((True, False))
    Runner(pool, RULES, agents).run(
        lambda playing: next(wanted), lambda games: saved.append(len(rows(pool.path, "games")))
    )
    assert len(saved) > 1
    assert saved[-1] == 12
    alone = {}
    for wall, *_ in rows(pool.path, "walls"):
        match = play_match([RandomAgent()] * 3, RULES, 1, pool.seed, config=MatchConfig(first=wall))
        (result,) = wall_results(match)
        alone[wall] = [list(points) for points in result.points]
    assert alone == {wall: pool.points(wall) for wall in range(4)}


def test_walls_of_another_program_are_not_played(pool: Pool):
    with Pool(pool.path) as other, other.runner() as theirs, pool.runner() as ours:
        assert theirs != ours
        first = other.claim(theirs, [1, 2], lambda: ((1, 1, 2), 1))
        second = pool.claim(ours, [1, 2], lambda: ((1, 2, 2), 1))
        assert (first.first, second.first) == (0, 1)


def test_left_walls_with_unavailable_versions_are_dropped(pool: Pool):
    with pool.runner() as runner:
        pool.claim(runner, [1, 2], lambda: ((1, 1, 2), 1))
    pool.add({"two": "changed"})
    play(pool, 1)
    ((_, seating, *_),) = rows(pool.path, "walls")
    assert set(json.loads(seating)) == {1, 3}


def test_a_wall_counts_once(pool: Pool):
    with pool.runner() as runner:
        pool.claim(runner, [1, 2], lambda: ((1, 1, 2), 1))
        result = WallResult(0, [[0, 1, 2]] * 3, [[9, 5, 1]] * 3, [{}] * 3)
        pool.save(result)
        pool.save(result)
    assert len(rows(pool.path, "games")) == 3


def test_a_changed_file_is_another_version(tmp_path: Path):
    player = tmp_path / "mine.py"
    player.write_text("from janshi.agents import RandomAgent\nclass Mine(RandomAgent):\n    name = 'mine'\n")
    pool = tmp_path / "pool.sqlite"
    add = ["rate", "add", str(pool), f"{player}:Mine", "random", "--rules", "tenhou-sanma-east"]
    assert "added" in RUN.invoke(app, add).output
    assert "was there" in RUN.invoke(app, add).output
    player.write_text(player.read_text() + "# changed\n")
    assert RUN.invoke(app, add).output.splitlines() == [f"{player}:Mine: added", "random: was there"]
    with Pool(pool) as found:
        assert [version.is_current for version in found.versions()] == [False, True, True]


def test_the_file_of_its_command_identifies_a_bot(tmp_path: Path):
    bot = tmp_path / "bot.py"
    bot.write_text("1")
    first = digest_of(f"mine=mjai:python {bot}", RandomAgent(), RULES)
    bot.write_text("2")
    assert digest_of(f"mine=mjai:python {bot}", RandomAgent(), RULES) != first


def test_the_ladder_counts_from_its_anchor(pool: Pool):
    play(pool, 2)
    found = standings(pool, 3, "two", 1500)
    ratings = {row.player: row.rating for row in found.rows}
    assert ratings["two"].value == ratings["two"].low == ratings["two"].high == 1500
    assert (found.games, found.walls) == (6, 2)
    with pytest.raises(PoolError, match="there are one, two"):
        standings(pool, 3, "three")


def test_the_commands_play_and_show_any_game(tmp_path: Path):
    pool = str(tmp_path / "pool.sqlite")
    janshi("rate", "add", pool, "random", "heuristic", "--rules", "sichuan")
    run = RUN.invoke(app, ["rate", "run", pool, "--games", "5", "--quiet"])
    assert "32 games played" in run.output
    shown = json.loads(RUN.invoke(app, ["rate", "show", pool, "--json"]).output)
    assert (shown["games"], shown["walls"], shown["anchor"]) == (32, 8, "random = 0")
    assert [row["player"] for row in shown["players"]] == ["heuristic", "random"]
    assert "heuristic" in RUN.invoke(app, ["rate", "show", pool, "--anchor", "random=100"]).output


def test_an_anchor_is_a_number(tmp_path: Path):
    Pool.create(tmp_path / "pool.sqlite", RULES.name)
    result = RUN.invoke(app, ["rate", "show", str(tmp_path / "pool.sqlite"), "--anchor", "random=x"])
    assert (result.exit_code, "'x' is no number" in result.stderr) == (2, True)


def test_the_page_has_the_ladder_and_games_to_replay(tmp_path: Path):
    pytest.importorskip("jinja2")
    pool, out = str(tmp_path / "pool.sqlite"), tmp_path / "page"
    RUN.invoke(app, ["rate", "add", pool, "random", "efficient", "--rules", "tenhou-sanma-east"])
    RUN.invoke(app, ["rate", "run", pool, "--games", "1", "--quiet"])
    janshi("rate", "page", pool, "--out", out)
    page = (out / "index.html").read_text(encoding="utf-8")
    for part in ("Ladder", "Pairs", "Style", "riichi, %", "24 games on 8 walls", "random = 0", "<svg"):
        assert part in page
    (record,) = (out / "games").glob("*.mjlog")
    assert f'href="games/{record.name}"' in page
    replayed = json.loads(RUN.invoke(app, ["replay", str(record), "--json"]).output)
    assert [tally["mismatches"] for tally in replayed.values()] == [[]]


def test_a_pool_that_another_program_keeps_locked_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pool.sqlite"
    Pool.create(path, "tenhou-sanma").__exit__()
    monkeypatch.setattr("janshi.ratings.pool._PATIENCE", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    try:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(PoolError, match="is locked by another program"):
            Pool(path)
        other.execute("ROLLBACK")
        with Pool(path) as pool:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(PoolError, match="is locked by another program"):
                pool.add({"random": "1"})
    finally:
        other.close()

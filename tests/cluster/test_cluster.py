"""Jobs have the same results on every executor."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from janshi.agents import RandomAgent
from janshi.arena import play_match
from janshi.arena.parts import LineUp, MatchPart, play_parts
from janshi.cluster import ClusterError, Here, Processes, Threads, Workers, in_order, workers
from janshi.cluster.jobs import Setting, answer, packed, result_of, setting
from janshi.plugins import ENVIRONMENT
from janshi.ratings import Pool, Runner
from janshi.riichi.dataset.selfplay import play_store
from janshi.riichi.rules import preset
from janshi.sample import SAMPLE
from tests.cluster import jobs
from tests.commands import janshi
from tests.processes import gone

TSUMOGIRI = Path(__file__).parents[2] / "examples" / "plugins" / "tsumogiri.py"


@pytest.fixture(scope="module")
def ray_team() -> Iterator[Workers]:
    """Yield all cores of this machine as a cluster shared by the tests."""
    pytest.importorskip("ray", reason="Ray is not installed (extra cluster)")
    if sys.platform == "win32":
        pytest.skip("Ray is not tested on Windows")
    with workers("local") as team:
        yield team


def test_results_come_in_the_order_of_the_jobs() -> None:
    assert list(in_order([(2, "c"), (0, "a"), (1, "b"), (3, "d")])) == ["a", "b", "c", "d"]


def test_processes_have_the_results_and_errors_of_this_one() -> None:
    for processes in (1, 2):
        with workers(processes=processes) as team:
            assert list(in_order(team.each(jobs.square, range(9)))) == [number * number for number in range(9)]
            with pytest.raises(ClusterError, match="three"):
                list(team.each(jobs.fail_at_three, range(5)))
            assert list(in_order(team.each(jobs.square, range(3)))) == [0, 1, 4], "after an error"


def test_threads_have_the_results_of_this_process_and_take_no_job_ahead() -> None:
    team = Threads(2)
    assert list(in_order(team.each(jobs.square, range(9)))) == [number * number for number in range(9)]
    taken: list[int] = []
    results = team.each(jobs.square, (taken.append(number) or number for number in range(9)))
    next(results)
    assert taken == [0, 1]


def test_the_same_processes_serve_every_call_until_the_end() -> None:
    with workers(processes=2) as team:
        seen = [{number for _, number in team.each(jobs.process, range(20))} for _ in range(3)]
    assert len(set.union(*seen)) == 2
    assert os.getpid() not in seen[0]
    assert all(map(gone, seen[0]))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_processes_end_with_a_command_that_is_killed(tmp_path: Path) -> None:
    program = "from janshi.cluster import Processes; from tests.cluster import jobs\n"
    program += f"    with Processes(2) as team: list(team.each(jobs.note_and_wait, [{str(tmp_path)!r}] * 2))"
    place = Path(__file__).parents[2]
    path = os.pathsep.join(filter(None, (str(place), os.environ.get("PYTHONPATH", ""))))
    (tmp_path / "main.py").write_text(f"if __name__ == '__main__':\n    {program}\n")
    command = subprocess.Popen([sys.executable, tmp_path / "main.py"], env={**os.environ, "PYTHONPATH": path})
    workers_seen = eventually(lambda: {int(each.name) for each in tmp_path.iterdir() if each.name.isdigit()}, 2)
    command.kill()
    command.wait()
    assert all(map(gone, workers_seen))


def eventually(found: Callable[[], set[int]], count: int) -> set[int]:
    """Return a set as soon as it has ``count`` members, or after half a minute."""
    end = time.monotonic() + 30
    while len(found()) < count and time.monotonic() < end:
        time.sleep(0.05)
    return found()


def test_a_killed_process_is_a_one_line_error(tmp_path: Path) -> None:
    with pytest.raises(ClusterError, match="was killed"), Processes(1) as team:
        list(team.each(jobs.end_the_worker_once, [str(tmp_path / "marker")]))


def test_a_job_as_bytes_has_its_result_or_its_error() -> None:
    assert result_of(answer(packed(setting(), jobs.square, 3))) == 9
    with pytest.raises(ClusterError, match="three"):
        result_of(answer(packed(setting(), jobs.fail_at_three, 3)))


def test_a_worker_names_missing_requirements(tmp_path: Path) -> None:
    here = setting()
    other = Setting("0.0.1", here.folder, (), ())
    with pytest.raises(ClusterError, match=r"worker .* has Janshi .*, the command 0.0.1: install the same"):
        result_of(answer(packed(other, jobs.square, 3)))
    missing = Setting(here.version, here.folder, (), ((str(tmp_path / "mine.py"), ""),))
    with pytest.raises(ClusterError, match=r"has no plug-in file .*mine.py"):
        result_of(answer(packed(missing, jobs.square, 3)))
    changed = Setting(here.version, here.folder, (), ((str(TSUMOGIRI), "another"),))
    with pytest.raises(ClusterError, match="has another plug-in file"):
        result_of(answer(packed(changed, jobs.square, 3)))


def test_without_ray_a_command_names_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("janshi.cluster.find_spec", lambda name: None)
    for words in (("arena", "random", "random", "random"), ("replay", str(SAMPLE))):
        result = janshi(*words, "--cluster", "local", code=2)
        assert result.stderr.startswith(f"janshi {words[0]}: --cluster local needs ray: ")
        assert '[cluster]"' in result.stderr


def test_bots_do_not_play_on_a_cluster() -> None:
    result = janshi("arena", "random", "random", "mjai:true", "--cluster", "local", code=2)
    assert "bots play neither on a cluster" in result.stderr


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not installed (extra cluster)")
@pytest.mark.parametrize(
    ("address", "said"),
    [("127.0.0.1:1", "no head of a Ray cluster answers at 127.0.0.1:1"), ("nonsense", "as local or HOST:PORT")],
)
def test_an_unreachable_cluster_is_a_one_line_error(address: str, said: str) -> None:
    result = janshi("replay", SAMPLE, "--cluster", address, code=2)
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_ray_has_the_same_results_and_errors(ray_team: Workers) -> None:
    assert ray_team.processes >= 1
    assert list(in_order(ray_team.each(jobs.square, range(20)))) == [number * number for number in range(20)]
    with pytest.raises(ClusterError, match="three"):
        list(ray_team.each(jobs.fail_at_three, range(5)))
    assert list(in_order(ray_team.each(jobs.square, range(3)))) == [0, 1, 4]
    assert list(ray_team.each(jobs.square, [])) == []


def test_a_match_on_ray_is_the_match_of_one_process(ray_team: Workers) -> None:
    rules = preset("tenhou-sanma-hand")
    match = play_match([RandomAgent()] * 3, rules, 20, seed=3)
    seen: list[int] = []
    parts = play_parts(ray_team, 20, MatchPart(LineUp.of(["random"] * 3, rules), seed=3), progress=seen.append)
    assert np.array_equal(parts.final, match.final)
    assert np.array_equal(parts.game_wall, match.game_wall)
    assert np.array_equal(parts.hands.change, match.hands.change)
    assert (parts.walls, parts.names, seen[-1]) == (20, match.names, 60)


def test_a_pool_rated_by_workers_has_the_games_of_one_process(
    ray_team: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("janshi.ratings.playing.WALLS", 1)
    rules = preset("tenhou-sanma-east")
    found = []
    for number, team in enumerate((Here(), ray_team)):
        wanted = iter((True, True, False))
        with Pool.create(tmp_path / f"{number}.sqlite", rules.name, seed=3) as pool:
            pool.add({"random": "a", "efficient": "b"})
            runner = Runner(pool, rules, {1: [RandomAgent()] * 3, 2: [RandomAgent()] * 3})
            names = {1: "random", 2: "efficient"}
            runner.run_on(team, names, lambda playing, wanted=wanted: next(wanted), lambda games: None)
            assert pool.claimed() == []
            games, _ = pool.games(3)
            found.append(sorted(zip(games.walls.tolist(), map(tuple, games.orders.tolist()), strict=True)))
    assert len(found[0]) == 6
    assert found[0] == found[1]


def test_selfplay_on_ray_is_that_of_one_process(
    ray_team: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("janshi.riichi.dataset.selfplay._TOGETHER", 2)
    rules = preset("tenhou-sanma-hand")
    alone, shared = (
        play_store("efficient", rules, 5, 3, folder=tmp_path / str(number), explore=0.5, team=team)
        for number, team in enumerate((None, ray_team))
    )
    assert np.array_equal(shared.walls, alone.walls)
    assert np.array_equal(shared.taken, alone.taken)
    assert shared.names == alone.names


def test_a_player_with_other_files_is_refused(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(TSUMOGIRI.read_text().replace('register("tsumogiri", Tsumogiri)', ""))
    line_up = LineUp.of([f"{mine}:Tsumogiri", "random", "random"], preset("tenhou-sanma-hand"))
    assert len(line_up.make()) == 3
    other = dataclasses.replace(line_up, versions=("another", *line_up.versions[1:]))
    with pytest.raises(ClusterError, match=r"has other files of player .*mine.py:Tsumogiri"):
        other.make()


def test_the_job_of_a_killed_worker_is_repeated(ray_team: Workers, tmp_path: Path) -> None:
    assert list(ray_team.each(jobs.end_the_worker_once, [str(tmp_path / "marker")])) == [(0, "done")]
    assert (tmp_path / "marker").exists()


def test_workers_use_one_core_and_the_commands_folder(ray_team: Workers) -> None:
    assert list(ray_team.each(jobs.threads, [0])) == [(0, "1")]
    assert list(ray_team.each(jobs.folder, [0])) == [(0, os.getcwd())]


def test_workers_know_the_plug_ins_of_the_command(ray_team: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENVIRONMENT, str(TSUMOGIRI))
    assert list(ray_team.each(jobs.know_agent, ["tsumogiri", "nobody"])) != []
    assert dict(ray_team.each(jobs.know_agent, ["tsumogiri", "nobody"])) == {0: True, 1: False}

"""Parallel parts of a stage: results, messages, and the end of their processes in any case."""

import dataclasses
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch

from janshi.papers.meowjong.paper import SCALES
from janshi.papers.parallel import side_by_side
from janshi.papers.runner import Options, ReproduceError, Run
from tests.processes import gone

ROOT = Path(__file__).resolve().parents[2]


def run_in(folder: Path, progress=lambda *_: None) -> Run:
    return Run(Options(SCALES["tiny"], seed=7), folder, {"before": 3}, {}, progress)


@pytest.fixture(autouse=True)
def two_threads(monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)


def keep_process(run: Run, number: int, name: str) -> None:
    run.report(f"{name}: half", number + 0.5, 3)
    run.report(f"{name}: whole", number + 1, 3)
    run.keep_part(name, [number, os.getpid(), torch.get_num_threads(), run.options.seed + run.results["before"]])


def sleep_beside(run: Run, number: int, name: str) -> None:
    """The first part stores its process and sleeps; the second waits for this and then acts by its name."""
    if number == 0:
        run.keep_part("pid", os.getpid())
        run.report("asleep", 0.5, 2)
        time.sleep(600)
    while run.part("pid") is None:
        time.sleep(0.05)
    if name == "fail":
        raise ValueError("no such kernel")
    if name == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(600)


@pytest.mark.long
def test_parts_are_done_in_other_processes_by_their_share_of_the_threads(tmp_path):
    said = []
    run = run_in(tmp_path, lambda text, done, total: said.append((text, done, total)))
    side_by_side(run, keep_process, ("a", "b", "c"))
    kept = [run.part(name) for name in ("a", "b", "c")]
    assert [(number, threads, total) for number, _, threads, total in kept] == [(0, 1, 10), (1, 1, 10), (2, 1, 10)]
    assert os.getpid() not in {process for _, process, _, _ in kept}
    assert {text for text, _, _ in said} <= {f"{name}: {how}" for name in "abc" for how in ("half", "whole")}
    shares = [done for _, done, _ in said]
    assert shares == sorted(shares), "what is done grows, whichever process says it"
    assert all(0 < done <= 3 and total == 3 for _, done, total in said)


def test_one_part_needs_no_other_process(tmp_path):
    run = run_in(tmp_path)
    side_by_side(run, keep_process, ("a",))
    assert run.part("a")[1] == os.getpid()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        pytest.param("fail", ValueError, "no such kernel", marks=pytest.mark.long),
        pytest.param("die", ReproduceError, "was killed", marks=pytest.mark.long),
    ],
)
def test_the_end_of_one_part_ends_all(name, error, words, tmp_path):
    run = run_in(tmp_path)
    with pytest.raises(error, match=words):
        side_by_side(run, sleep_beside, ("sleep", name))
    assert gone(run.part("pid"))


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_the_processes(tmp_path):
    def interrupt(text, done, total):
        raise KeyboardInterrupt

    run = run_in(tmp_path, interrupt)
    with pytest.raises(KeyboardInterrupt):
        side_by_side(run, sleep_beside, ("sleep", "sleep too"))
    assert gone(run.part("pid"))


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_kill_of_the_first_process_ends_the_others(tmp_path):
    code = (
        "from pathlib import Path; import sys, torch; torch.set_num_threads(2)\n"
        "from tests.papers.test_parallel import run_in, sleep_beside, side_by_side\n"
        "if __name__ == '__main__': side_by_side(run_in(Path(sys.argv[1])), sleep_beside, ('sleep', 'sleep too'))"
    )
    program = tmp_path / "program.py"
    program.write_text(code, encoding="utf-8")
    path = os.pathsep.join([str(ROOT), *sys.path])
    first = subprocess.Popen([sys.executable, str(program), str(tmp_path)], env={**os.environ, "PYTHONPATH": path})
    run = run_in(tmp_path)
    while run.part("pid") is None and first.poll() is None:
        time.sleep(0.05)
    first.kill()
    first.wait()
    assert gone(run.part("pid"))


@pytest.mark.long
def test_parts_are_done_by_the_workers_of_a_cluster(tmp_path):
    pytest.importorskip("ray", reason="Ray is not installed (extra cluster)")
    said = []
    run = run_in(tmp_path, lambda text, done, total: said.append((done, total)))
    run.options = dataclasses.replace(run.options, cluster="local")
    side_by_side(run, keep_process, ("a", "b", "c"))
    kept = [run.part(name) for name in ("a", "b", "c")]
    assert [(number, threads, total) for number, _, threads, total in kept] == [(0, 1, 10), (1, 1, 10), (2, 1, 10)]
    assert said == [(1, 3), (2, 3), (3, 3)]

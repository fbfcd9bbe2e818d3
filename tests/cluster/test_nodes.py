"""Three nodes of a Ray cluster on loopback addresses: results, and recovery from kill -9."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from janshi.cluster import Workers, in_order, workers
from janshi.sample import SAMPLE
from tests.cluster import jobs

pytest.importorskip("ray", reason="Ray is not installed (extra cluster)")
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="several loopback addresses are Linux's"),
]

ROOT = Path(__file__).parents[2]
ARENA = ("arena", "efficient", "random", "random", "--games", "60", "--seed", "3", "--json")


class Nodes:
    """Nodes with one processor, each in its own process group."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.2", 0))
            self.port = free.getsockname()[1]
        self.folder = folder
        self.address = f"127.0.0.2:{self.port}"
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, ip: str, processors: int = 1) -> None:
        where = ("--head", "--port", str(self.port), "--temp-dir", str(self.folder), "--include-dashboard=false")
        words = where if ip == "127.0.0.2" else ("--address", self.address)
        settings = ("--num-cpus", str(processors), "--object-store-memory", "100000000", "--disable-usage-stats")
        ray = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--node-ip-address", ip]
        said = self.folder / f"{ip}.log"
        with said.open("wb") as log:
            command = [*ray, *words, *settings]
            self.running[ip] = subprocess.Popen(command, stdout=log, stderr=log, cwd=ROOT, start_new_session=True)
        for _ in range(600):
            if "Ray runtime started" in said.read_text():
                return
            time.sleep(0.2)
        raise TimeoutError(said.read_text())

    def kill(self, ip: str) -> None:
        node = self.running.pop(ip)
        with suppress(ProcessLookupError):
            os.killpg(node.pid, signal.SIGKILL)
        node.wait()


@pytest.fixture
def nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Nodes]:
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    # Socket names must be short, unlike folders of pytest.
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))
    cluster = Nodes(folder)
    try:
        for ip in ("127.0.0.2", "127.0.0.3", "127.0.0.4"):
            cluster.start(ip)
        yield cluster
    finally:
        for ip in list(cluster.running):
            cluster.kill(ip)
        shutil.rmtree(folder, ignore_errors=True)


def wait_for_processors(team: Workers, count: int) -> None:
    """Submit work to a cluster until ``count`` nodes have joined."""
    for _ in range(100):
        list(team.each(jobs.slow_square, range(4)))
        if team.processes == count:
            return
    raise TimeoutError(f"{team.processes} processors, not {count}")


def janshi(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "janshi", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def result(*words: str) -> object:
    process = janshi(*words)
    out, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    return json.loads(out)


def test_three_nodes_have_the_results_of_one_process(nodes: Nodes, tmp_path: Path) -> None:
    with workers(nodes.address) as team:
        wait_for_processors(team, 3)
        assert list(in_order(team.each(jobs.slow_square, range(40)))) == [number * number for number in range(40)]
    assert result(*ARENA, "--cluster", nodes.address) == result(*ARENA)
    one, three = tmp_path / "one", tmp_path / "three"
    dataset = ("dataset", str(SAMPLE), "--json", "--out")
    alone, together = result(*dataset, str(one)), result(*dataset, str(three), "--cluster", nodes.address)
    assert isinstance(alone, dict)
    assert isinstance(together, dict)
    assert alone["sizes"] == together["sizes"]
    assert (one / "hands.parquet").read_bytes() == (three / "hands.parquet").read_bytes()
    replay = ("replay", str(SAMPLE), "--json")
    assert result(*replay, "--cluster", nodes.address) == result(*replay)


def test_a_killed_node_loses_nothing_and_new_ones_receive_work(nodes: Nodes) -> None:
    with workers(nodes.address) as team:
        wait_for_processors(team, 3)
        found = []
        for number, square in team.each(jobs.slow_square, range(120)):
            found.append((number, square))
            if len(found) == 12:
                nodes.kill("127.0.0.4")
            if len(found) == 40:
                nodes.start("127.0.0.5")
        assert sorted(found) == [(number, number * number) for number in range(120)]


def test_a_command_waits_for_a_killed_head(nodes: Nodes) -> None:
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if "is gone" in line or "lost" in line:
            for ip in ("127.0.0.3", "127.0.0.4"):
                nodes.kill(ip)
            nodes.start("127.0.0.2")

    with workers(nodes.address, say=say) as team:
        found = []
        for number, square in team.each(jobs.slow_square, range(60)):
            found.append((number, square))
            if len(found) == 12:
                nodes.kill("127.0.0.2")
        assert sorted(found) == [(number, number * number) for number in range(60)]
    assert len(said) == 2, said
    assert "is back with" in said[1]


def test_a_killed_command_leaves_a_usable_cluster(nodes: Nodes) -> None:
    first = janshi(*ARENA, "--cluster", nodes.address)
    time.sleep(8)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    assert result(*ARENA, "--cluster", nodes.address) == result(*ARENA)


def test_ctrl_c_ends_a_command_on_a_cluster(nodes: Nodes) -> None:
    process = janshi("arena", "efficient", "random", "random", "--games", "100000", "--cluster", nodes.address)
    time.sleep(20)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in error
    assert "interrupted" in error

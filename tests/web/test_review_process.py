"""Records and reviews in a separate process, which survives any record."""

from __future__ import annotations

import base64
import gzip
import json
import os
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator

import pytest

from janshi.review import ReviewError
from janshi.riichi.records import read_mjlog, write_mjai_text
from janshi.sample import SAMPLE
from janshi.web import review_process
from janshi.web.review_process import LARGEST, ReviewProcess
from tests.processes import gone
from tests.records.majsoul_records import write_majsoul
from tests.web.conftest import Browser

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other platforms have no such limit")


def sample() -> str:
    """Return a valid record."""
    with zipfile.ZipFile(SAMPLE) as stream:
        return stream.read(sorted(stream.namelist())[0]).decode()


def packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data)).decode()


#: A record that takes a second and 100 MB: the maximum number of empty lists.
LISTS = b'{"log":[' + b"[]," * (LARGEST // 3 - 10) + b"[]]}"


@pytest.fixture
def process() -> Iterator[ReviewProcess]:
    made = ReviewProcess()
    yield made
    made.close()


def _pid(process: ReviewProcess) -> int:
    assert process._process is not None
    return process._process.pid


def test_a_game_is_read_and_reviewed(process: ReviewProcess) -> None:
    game = process.read(sample(), False, 1)
    assert game.source == "record"
    review = process.review(game, 1, "efficient")
    assert (review.seat, review.by, review.players) == (1, "efficient", 3)
    pid = _pid(process)
    with pytest.raises(ReviewError, match="no seat 3"):
        process.review(game, 3, "efficient")
    with pytest.raises(ReviewError, match="empty"):
        process.read("", False, 1)
    assert _pid(process) == pid


def test_a_record_of_mahjong_soul_is_read_as_it_is_dropped(process: ReviewProcess) -> None:
    text = json.dumps(write_majsoul(read_mjlog(sample())))
    for record, is_base64 in ((text, False), (packed(text.encode()), True)):
        game = process.read(record, is_base64, 1)
        assert (game.format, len(game.hands)) == ("majsoul", len(read_mjlog(sample()).hands))


def test_a_record_that_takes_too_long_is_refused_and_the_next_is_read() -> None:
    process = ReviewProcess(reading=0.02)
    try:
        with pytest.raises(ReviewError, match=r"^the record cannot be reviewed: it took longer than 0 s$"):
            process.read(packed(LISTS), True, 1)
        process._reading = review_process.READING
        assert process.read(sample(), False, 1).players == 3
    finally:
        process.close()


@LINUX
def test_a_record_that_takes_too_much_memory_is_refused_and_the_next_is_read() -> None:
    process = ReviewProcess(memory=48 << 20)
    try:
        with pytest.raises(ReviewError, match=r"needs more memory|needs too much memory|process ended"):
            process.read(packed(LISTS), True, 1)
        assert process.read(sample(), False, 1).players == 3
    finally:
        process.close()


def test_a_record_that_unpacks_to_too_much_is_refused(process: ReviewProcess) -> None:
    with pytest.raises(ReviewError, match="too large: over 4 MiB in one record"):
        process.read(packed(b'{"log":[' + b"[]," * (1 << 24)), True, 1)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_process_that_dies_is_replaced(process: ReviewProcess) -> None:
    process.read(sample(), False, 1)
    pid = _pid(process)
    os.kill(pid, signal.SIGKILL)
    assert process._process is not None
    process._process.wait()
    assert process.read(sample(), False, 1).players == 3
    assert _pid(process) != pid


def test_a_process_that_dies_during_work_is_reported_and_replaced(process: ReviewProcess) -> None:
    game = process.read(sample(), False, 1)
    first = _pid(process)
    game.hands = game.hands * 10_000  # during a long task
    threading.Timer(0.5, lambda: os.kill(first, signal.SIGTERM)).start()
    with pytest.raises(ReviewError, match="the reviewing process ended"):
        process.review(game, 0, "efficient")
    assert _pid(process) != first
    assert process.read(sample(), False, 1).players == 3


@LINUX
def test_the_process_ends_with_its_server() -> None:
    code = "import sys, time\nfrom janshi.web.review_process import ReviewProcess\nmade = ReviewProcess()\n"
    code += "made.read(sys.argv[1], False, 1)\nprint(made._process.pid, flush=True)\ntime.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", code, sample()], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        os.kill(pid, 0)
        server.kill()
    assert gone(pid), f"process {pid} outlives its server"


def test_the_server_reads_nothing_itself(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError("the server reads a record")

    for name in ("_read", "read_game", "review_game"):
        monkeypatch.setattr(review_process, name, read)
    made = browser.client.post("/api/reviews", json={"record": sample(), "by": "efficient"})
    assert made.status_code == 200, made.text
    assert browser.client.get(f"/api/reviews/{made.json()['review']}").status_code == 200
    answer = browser.client.post("/api/reviews", json={"record": packed(b"[" * (LARGEST + 1)), "base64": True})
    assert (answer.status_code, "too large" in answer.json()["reason"]) == (400, True)


def test_surrogates_in_names_are_shown_replaced(browser: Browser) -> None:
    start = '{"type":"start_game","names":["a\\ud800","\\udfffb","c"]}\n'
    text = start + write_mjai_text([read_mjlog(sample())]).split("\n", 1)[1]
    made = browser.client.post("/api/reviews", json={"record": text, "by": "efficient"})
    assert made.json()["seats"] == ["a\ufffd", "\ufffdb", "c"]
    for path in ("", "/report.html"):
        answer = browser.client.get(f"/api/reviews/{made.json()['review']}{path}")
        assert answer.status_code in (200, 503)
    body = b'{"record": "\\ud800"}'
    answer = browser.client.post("/api/reviews", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400

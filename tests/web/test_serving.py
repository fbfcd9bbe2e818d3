"""The command as a process: address, sockets, and end."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("websockets")

import uvicorn
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from janshi.players import PLAYERS
from janshi.web import serving

PROGRAM = [sys.executable, "-c", "from janshi.cli import main; main()", "play", "--no-browser"]


@dataclass
class Running:
    """A server as a process."""

    process: subprocess.Popen[str]
    lines: list[str]
    address: str
    token: str

    def get(self, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request with the token; return the answer's JSON."""
        data = None if body is None else json.dumps(body).encode()
        said = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}", **headers}
        with urlopen(Request(self.address + path, data, said), timeout=240) as answer:
            return json.load(answer)

    def end(self) -> tuple[int, str]:
        """Send Ctrl-C; return the exit code and the last output."""
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=20)
        return self.process.returncode, rest


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Return a function that starts a server and waits until it is ready."""
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> Running:
        env = {**os.environ, "JANSHI_STATE": str(tmp_path / "state")}
        process = subprocess.Popen(
            [*PROGRAM, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env
        )
        started.append(process)
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line.strip())
            if "ready" in line:
                break
        told = next(found for one in lines if (found := re.search(r"(http://[^/]+/)(?:\?token=(\S+))?", one)))
        return Running(process, lines, told[1], told[2] or "")

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_it_prints_its_address_serves_survives_huge_messages_and_ends(run: Callable[..., Running]) -> None:
    server = run("--port", "0", "--seed", "5", "--seat", "0", "--pace", "0")
    assert server.lines[0].startswith("janshi play: http://127.0.0.1:")
    site = server.get("api/site")
    assert (site["begin"]["rules"], site["begin"]["seat"], site["begin"]["seed"]) == ("tenhou-sanma", 0, None)
    offered = {rules["name"] for rules in site["rules"]}
    assert {"mahjong-soul", "sichuan"} <= offered
    assert not any("parlour" in name for name in offered), "nobody counts their chips"
    made = server.get("api/tables", site["begin"])
    assert asyncio.run(shouted(server, made)) == 1009
    assert asyncio.run(asked(server, made))["type"] == "ask"
    assert server.end() == (130, "janshi play: ended\n")


PING, PART = b"\x89\x80abcd", b"\x00\x80abcd"
"""A control frame, and a further part of a message, as a browser masks them; both empty."""


@pytest.mark.parametrize("frame", [PING, b"\x8a\x80abcd", PART])
def test_a_connection_that_floods_with_small_frames_ends(frame: bytes) -> None:
    ended = asyncio.Event()

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        ended.set()

    async def flood() -> None:
        config = uvicorn.Config(answer, ws=serving._WebSocket, port=0, log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(*server.servers[0].sockets[0].getsockname())
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n")
        writer.write(b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        writer.write((b"\x01\x80abcd" if frame == PART else b"") + frame * 20_000)
        await asyncio.wait_for(ended.wait(), 20)
        writer.close()
        server.should_exit = True
        await task

    asyncio.run(flood())


async def shouted(server: Running, made: dict[str, Any]) -> int:
    """Send a message that is far too long; return the code at the end of the connection."""
    async with connect(f"{server.address.replace('http', 'ws')}ws") as tab:
        await tab.send(json.dumps({"type": "join", "table": made["table"], "key": made["key"]}))
        await tab.send("x" * 1_000_000)
        try:
            while True:
                await tab.recv()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else -1


async def asked(server: Running, made: dict[str, Any], answered: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the table's question; an earlier question is answered first."""
    said = None if answered is None else {"type": "act", "number": answered["number"]}
    async with connect(f"{server.address.replace('http', 'ws')}ws", origin=server.address.rstrip("/")) as tab:  # type: ignore[arg-type]
        await tab.send(json.dumps({"type": "join", "table": made["table"], "key": made["key"]}))
        async for text in tab:
            message: dict[str, Any] = json.loads(text)
            ask: dict[str, Any] | None = message if message["type"] == "ask" else message.get("ask")
            if ask is not None and said is not None and said["number"] == ask["number"]:
                await tab.send(json.dumps({**said, "action": ask["options"][-1]["action"]}))
            elif ask is not None:
                return ask
    raise AssertionError("the table did not ask")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_others_need_the_printed_token_and_a_job_that_ignores_ctrl_c_still_ends(
    run: Callable[..., Running]
) -> None:
    """Like ``nohup janshi play &`` in a script, for which the shell ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        server = run("--host", "0.0.0.0", "--port", "0")
    finally:
        signal.signal(signal.SIGINT, before)
    port = server.address.split(":")[2].rstrip("/")
    server.address = f"http://127.0.0.1:{port}/"
    assert len(server.token) >= 24
    assert server.get("api/site")["version"]
    server.token = "x"
    with pytest.raises(HTTPError, match="401"):
        server.get("api/site")
    assert server.end() == (130, "janshi play: ended\n")


@pytest.fixture
def slots(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Yield the port of a server with short time limits for requests."""
    monkeypatch.setattr(serving, "_HEADERS_WITHIN", 0.2)
    monkeypatch.setattr(serving, "_BODY_WITHIN", 0.3)

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            while (await receive()).get("more_body"):
                pass
            await asyncio.sleep(0.5 if scope["path"] == "/slow" else 0.0)
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"ok"})

    server = uvicorn.Server(uvicorn.Config(answer, http=serving._Http, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    thread.join()


def hear_ok(line: socket.socket) -> None:
    """Receive a whole answer."""
    heard = b""
    while not heard.endswith(b"ok"):
        part = line.recv(1000)
        assert part, heard
        heard += part


WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost:", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf"]
)
def test_a_half_sent_request_loses_its_connection(slots: int, sent: bytes) -> None:
    for before in (b"", WHOLE):
        with socket.create_connection(("127.0.0.1", slots), timeout=20) as half:
            if before:
                half.sendall(before)
                hear_ok(half)
            half.sendall(sent)
            assert half.recv(1000) == b""


def test_an_answer_may_take_longer_than_a_request(slots: int) -> None:
    with socket.create_connection(("127.0.0.1", slots), timeout=20) as whole:
        whole.sendall(WHOLE.replace(b"/ ", b"/slow ", 1))
        hear_ok(whole)


SLOW = """
import sys, threading, time
from janshi.cli import main
from janshi.web.roster import Roster
seat = Roster.seat
def slow(self, name, players):
    if threading.current_thread().name.startswith("asyncio"):
        print("torch" if "torch" in sys.modules else "loading", flush=True)
        time.sleep(3600)
    return seat(self, name, players)
Roster.seat = slow
main()
"""


def _ask(request: Request) -> None:
    with suppress(OSError), urlopen(request, timeout=300):
        pass


def test_its_end_does_not_wait_for_slow_tasks_and_players_load_without_torch() -> None:
    words = [sys.executable, "-c", SLOW, "play", "--no-browser", "--port", "0", "--no-keep", "random"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        address = process.stdout.readline().split()[-1]
        body = json.dumps({"rules": "tenhou", "agents": ["random"]}).encode()
        request = Request(f"{address}api/tables", body, {"Content-Type": "application/json"})
        threading.Thread(target=_ask, args=(request,), daemon=True).start()
        while (line := process.stdout.readline()) not in ("loading\n", "torch\n"):
            assert process.poll() is None
        assert line == "loading\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130  # an hour before the slow thread's end
    finally:
        process.kill()
        process.wait()


CLUB = """
import dataclasses
from janshi.riichi.rules import TENHOU_SANMA

CLUB = dataclasses.replace(TENHOU_SANMA, name="club", red_fives=(0, 0, 0))
"""


def test_a_game_by_custom_rules_resumes_after_a_kill(
    run: Callable[..., Running], tmp_path: Path
) -> None:
    (tmp_path / "club.py").write_text(CLUB)
    rules = ("--rules", f"{tmp_path / 'club.py'}:CLUB")
    options = (*rules, "--port", "0", "--seed", "5", "--seat", "0", "--pace", "0", "random", "random")
    server = run(*options)
    site = server.get("api/site")
    assert site["begin"]["rules"] == "club"
    assert [one["lengths"] for one in site["rules"] if one["name"] == "club"] == [["east", "hand", "south"]]
    made = server.get("api/tables", site["begin"])
    first = asyncio.run(asked(server, made))
    second = asyncio.run(asked(server, made, first))
    assert (second["number"], second["type"]) == (first["number"] + 1, "ask")
    server.process.kill()
    server.process.wait()
    assert asyncio.run(asked(run(*options), made)) == second


def test_a_file_plays_under_its_own_name_at_a_port_that_is_free_and_stays_unknown_to_browsers(
    run: Callable[..., Running], tmp_path: Path
) -> None:
    file = tmp_path / "mine.onnx"
    shutil.copy(PLAYERS["sl"], file)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        server = run("--port", str(port), str(file), str(file))
    assert server.lines[0] == f"janshi play: port {port} is taken; using another one"
    site = server.get("api/site")
    assert site["begin"]["agents"] == ["mine", "mine"]
    assert [one["players"] for one in site["players"] if one["name"] == "mine"] == [[3]]
    assert str(tmp_path) not in json.dumps(site)
    assert server.get("api/tables", site["begin"])["table"]
    with pytest.raises(HTTPError, match="400"):
        server.get("api/tables", {**site["begin"], "agents": [str(file)]})

"""Attacks on ``janshi play``: response times of other users and memory of the server during each attack.

``python benchmarks/attacks.py`` starts the server and joins a table. Every attack runs repeatedly for some time in a
separate process, while two probes measure response times:

* *request*: ``GET /api/site`` over a new connection.
* *table*: a message over the WebSocket of the table.

*memory* is the maximum of the server and, after the plus, of its review process (Linux: proportional set size).
Requests without status 200 count as refused.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import gzip
import http.client
import io
import json
import multiprocessing
import os
import re
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np
from websockets.sync.client import connect

from janshi.riichi.records import RiichiGame, read_games, write_games
from janshi.sample import SAMPLE

#: Seconds between two requests of a probe.
_EVERY: Final = 0.02
_MIB: Final = 1 << 20

Address = tuple[str, int]

# ---------------------------------------------------------------------------------------------------------
# Attacks, each repeated


def send(address: Address, pieces: Iterator[bytes] | list[bytes]) -> None:
    """Send bytes over a new connection and wait for an answer or the end."""
    with contextlib.suppress(OSError), socket.create_connection(address, timeout=30) as connection:
        for piece in pieces:
            connection.sendall(piece)
        connection.recv(4096)


def ask(address: Address, path: str, body: object = None) -> bytes:
    """Return the answer to a POST of a body, or to a GET; empty if there is none."""
    sent = ("GET", path) if body is None else ("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    connection = http.client.HTTPConnection(*address, timeout=120)
    with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
        connection.request(*sent)
        return connection.getresponse().read()
    return b""


def review(address: Address, record: str | bytes) -> bytes:
    """Upload a record for a review; return the answer."""
    is_bytes = isinstance(record, bytes)
    text = base64.b64encode(record).decode() if isinstance(record, bytes) else record
    return ask(address, "/api/reviews", {"record": text, "base64": is_bytes})


def what_if(address: Address) -> None:
    """Play every decision of a review on, as another reader would: no attack, but work for all cores."""
    path = f"/api/reviews/{json.loads(review(address, sample_game('mjlog')))['review']}"
    found = json.loads(ask(address, path))
    for decision in found["decisions"]:
        options = [each["action"] for each in decision["options"][:2]]
        asked = {"seat": found["seat"], "decision": decision["number"], "options": options}
        for _ in range(3 * (len(options) > 1)):
            ask(address, f"{path}/playouts", asked)


def _head(address: Address, line: str, *headers: str) -> bytes:
    return "\r\n".join((f"{line} HTTP/1.1", f"Host: {address[0]}:{address[1]}", *headers, "", "")).encode()


def passed_limit(address: Address) -> None:
    """Send a chunked body with a declared length of 10 bytes."""
    head = _head(address, "POST /api/reviews", "Content-Length: 10", "Transfer-Encoding: chunked")
    send(address, [head, *[b"100000\r\n" + bytes(_MIB) + b"\r\n"] * 50])


def wrong_heads(address: Address) -> None:
    """Send long paths and an invalid origin."""
    for line, headers in (("GET /" + "a" * 5000, ()), ("GET /" + "a/" * 5000, ()), ("GET /", ("Origin: http://[",))):
        send(address, [_head(address, line, *headers)])


def held(address: Address, count: int, data: bytes, last: float, *, drip: bytes = b"", window: int = 0) -> None:
    """Open ``count`` connections, send each some bytes (and ``drip`` each second), and hold them.

    ``window``: size of the receive buffer of each; 0 for the system's default.
    """
    with contextlib.ExitStack() as stack:
        opened = []
        for _ in range(count):
            connection = stack.enter_context(socket.socket())
            connection.settimeout(5)
            if window:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
            with contextlib.suppress(OSError):
                connection.connect(address)
                connection.sendall(data)
                opened.append(connection)
        end = time.monotonic() + last
        while time.monotonic() < end:
            time.sleep(min(1.0, last))
            for connection in opened if drip else []:
                with contextlib.suppress(OSError):
                    connection.sendall(drip)


def flood(address: Address) -> None:
    """Flood a WebSocket with messages and read nothing."""
    with contextlib.suppress(Exception), connect(f"ws://{address[0]}:{address[1]}/ws", close_timeout=0.1) as socket_:
        for number in range(2000):
            socket_.send(json.dumps({"type": "act", "number": number, "action": 1}))


def pings(address: Address) -> None:
    """Flood WebSockets with pings, or with further parts of one message, and read nothing."""
    upgrade = "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"
    head = _head(address, "GET /ws", *upgrade, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
    ping, part = b"\x89\xfd" + bytes(129), b"\x00\x80abcd"
    for frames in (ping * 1500, b"\x01\x80abcd" + part * 20_000):
        held(address, 20, head + frames, 3.0, drip=frames, window=4096)


def unread(address: Address) -> None:
    """Request large answers without reading them, over connections with small buffers."""
    asked = _head(address, "GET /assets/app.js")
    held(address, 100, asked * 5, 3.0, window=4096)


def bomb() -> bytes:
    return gzip.compress(b'{"log":[' + b"[]," * 25_000_000 + b"[]]}", 6)


def corrupt_zip() -> bytes:
    """Return a zip whose LZMA requests a dictionary of 4 GiB."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.mjlog", "<mjloggm>" * 100)
    data = bytearray(file.getvalue())
    first = 30 + len("a.mjlog") + 4
    data[first + 1 : first + 5] = b"\xff" * 4
    return bytes(data)


def sample_game(form: str) -> str:
    """Return a game of the package's sample as text."""
    game = next(game for game in read_games([SAMPLE]) if isinstance(game, RiichiGame))
    (text,) = write_games([game], form)
    return text


def surrogates() -> str:
    """Return a game with players' names of lone surrogates."""
    value = json.loads(sample_game("tenhou6"))
    value["name"] = ["\ud800"] * len(value["name"])
    return json.dumps(value)


def many_hands() -> bytes:
    """Return a game with the maximum number of hands for the size limit of a record."""
    text = sample_game("mjlog")
    first, last = text.index("<INIT"), text.index("</mjloggm>")
    return gzip.compress((text[:first] + text[first:last] * (3 * _MIB // (last - first)) + "</mjloggm>").encode())


def attacks() -> dict[str, Callable[[Address], object]]:
    """Return every attack by its description."""
    records: dict[str, str | bytes] = {
        "an mjlog tag of 3 million letters": '<mjloggm ver="2.3"><GO ' + "a" * 3_000_000 + "></mjloggm>",
        "gzip of 25 million lists": bomb(),
        "a million lists in 4 MB": '{"log":[' + "[]," * 1_000_000 + "[]]}",
        "brackets 3 million deep": "[" * 3_000_000,
        "a game of thousands of hands": many_hands(),
        "a zip with damaged LZMA": corrupt_zip(),
        "names that are no text": surrogates(),
    }
    found: dict[str, Callable[[Address], object]] = {
        name: partial(review, record=record) for name, record in records.items()
    }
    return found | {
        "a body larger than it says": passed_limit,
        "long paths, an origin that is none": wrong_heads,
        "300 heads, a byte a second": lambda address: held(address, 300, b"GET / HTTP/1.1\r\nX: ", 10.0, drip=b"a"),
        "300 bodies that never come": lambda address: held(
            address, 300, _head(address, "POST /api/reviews", "Content-Length: 1000"), 10.0
        ),
        "1,000 connections at once": lambda address: held(address, 1000, _head(address, "GET /api/site"), 3.0),
        "100 connections that read nothing": unread,
        "a flood of WebSocket messages": flood,
        "unread pings, parts without end": pings,
        "what if, decision after decision": what_if,
    }


def attack(name: str, address: Address, seconds: float) -> None:
    """Repeat an attack in a separate process."""
    act = attacks()[name]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        act(address)


# ---------------------------------------------------------------------------------------------------------
# The server and the probes


@contextlib.contextmanager
def server() -> Iterator[tuple[int, Address]]:
    """Run ``janshi play``; yield its process and address when it is ready."""
    command = [sys.executable, "-m", "janshi", "play", "--no-browser", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    output = process.stdout
    found = None
    try:
        for line in output:
            found = found or re.search(r"http://\S+", line)
            if found and "ready after" in line:
                threading.Thread(target=output.read, daemon=True).start()
                parts = urlsplit(found[0])
                yield process.pid, (str(parts.hostname), int(parts.port or 0))
                break
        else:
            raise SystemExit("the server did not start")
    finally:
        process.terminate()
        process.wait()


class Probes:
    """Measures response times and memory of the server."""

    def __init__(self, process: int, address: Address) -> None:
        self._process, self._address = process, address
        self._end = threading.Event()
        self.answers: list[float] = []
        self.table: list[float] = []
        self.refused = 0
        self.memory = (0, 0)

    def forget(self) -> None:
        """Discard the measurements so far."""
        self.answers, self.table, self.refused, self.memory = [], [], 0, (0, 0)

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Measure until the end of the block."""
        threads = [threading.Thread(target=run) for run in (self._requests, self._messages, self._weigh)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._end.set()
            for thread in threads:
                thread.join()

    def _requests(self) -> None:
        while not self._end.wait(_EVERY):
            start = time.perf_counter()
            connection = http.client.HTTPConnection(*self._address, timeout=60)
            with contextlib.suppress(OSError, http.client.HTTPException), contextlib.closing(connection):
                connection.request("GET", "/api/site")
                answer = connection.getresponse()
                answer.read()
                if answer.status == 200:
                    self.answers.append(time.perf_counter() - start)
                    continue
            self.refused += 1

    def _messages(self) -> None:
        made = opened_table(self._address)
        with connect(f"ws://{self._address[0]}:{self._address[1]}/ws") as table:
            table.send(json.dumps({"type": "join", "table": made["table"], "key": made["key"]}))
            while not self._end.wait(5 * _EVERY):
                start = time.perf_counter()
                table.send(json.dumps({"type": "act", "number": 0, "action": 0}))  # not a pending decision
                while json.loads(table.recv(timeout=60))["type"] != "refused":
                    pass
                self.table.append(time.perf_counter() - start)

    def _weigh(self) -> None:
        while not self._end.wait(0.25):
            held = _bytes_of(self._process), sum(map(_bytes_of, _children(self._process)))
            self.memory = max(self.memory, held, key=sum)


def opened_table(address: Address) -> dict[str, Any]:
    """Open a table of three."""
    connection = http.client.HTTPConnection(*address, timeout=60)
    with contextlib.closing(connection):
        body = json.dumps({"rules": "tenhou-sanma", "length": "hand", "agents": ["random"]})
        connection.request("POST", "/api/tables", body, {"Content-Type": "application/json"})
        made: dict[str, Any] = json.loads(connection.getresponse().read())
        return made


def _children(process: int) -> list[int]:
    lists = Path(f"/proc/{process}/task").glob("*/children")
    found: list[int] = []
    for path in lists:
        with contextlib.suppress(OSError):
            found += map(int, path.read_text().split())
    return found


def _bytes_of(process: int) -> int:
    with contextlib.suppress(OSError):
        match = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text(), re.MULTILINE)
        return 1024 * int(match[1]) if match else 0
    return 0


def row(name: str, probes: Probes) -> str:
    """Return a row of the table."""
    cells = []
    for seconds in (probes.answers, probes.table):
        high, most = (1000 * float(value) for value in np.quantile(seconds, (0.95, 1.0))) if seconds else (0.0, 0.0)
        cells.append(f"{high:.1f} | {most:.0f} | {len(seconds)}")
    memory = " + ".join(f"{held / _MIB:.0f}" for held in probes.memory)
    return f"| {name} | {' | '.join(cells)} | {probes.refused} | {memory} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0, help="for each attack")
    parser.add_argument("--only", default="", help="attacks with this in their names")
    options = parser.parse_args()
    names = [name for name in attacks() if options.only in name]
    with server() as (process, address):
        probes = Probes(process, address)
        print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}; milliseconds, MiB")
        print("| attack | request: 95 % | most | asked | table: 95 % | most | asked | refused | memory |")
        print("|---|---|---|---|---|---|---|---|---|")
        with probes.asking():
            time.sleep(2.0)
            probes.forget()
            time.sleep(options.seconds)
            print(row("none", probes), flush=True)
            for name in names:
                attacker = multiprocessing.get_context("spawn").Process(
                    target=attack, args=(name, address, options.seconds)
                )
                attacker.start()
                probes.forget()
                attacker.join()
                print(row(name, probes), flush=True)


if __name__ == "__main__":
    main()

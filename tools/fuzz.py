"""Fuzzing: damaged records, random and impossible actions, invalid messages.

    python tools/fuzz.py records --amount 100000     # so many mutated records of each format (--format: of some)
    python tools/fuzz.py engine --amount 10000000    # so many actions at tables of every preset
    python tools/fuzz.py web --amount 100000         # so many HTTP requests and WebSocket messages, half of each

Refusals with a message are correct. Findings are exceptions of another kind, and answers that take more than a second.
Each is printed with its seed, and the exit code is 1 if there is one. The same seed gives the same cases. A bar shows
the progress of a part.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import http.client
import json
import random
import re
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from janshi.cli.progress import counting_bar
from janshi.games import GAMES, rules_of
from janshi.records import Damaged, RecordError, formats_of, read_bytes, read_games, write_games
from janshi.riichi.records import RiichiGame, difference
from janshi.riichi.records.replay import Replayer
from janshi.sample import SAMPLE
from janshi.table import ActionError, Tables

sys.path.insert(0, str(Path(__file__).parents[1]))  # makes the tests importable

from tests.records.made_games import make_game
from tests.records.majsoul_bytes import write_wire
from tests.records.majsoul_records import write_majsoul
from tests.records.paipu_records import write_paipu
from tests.records.riichi_city_records import write_riichi_city

#: Mahjong Soul's records as bytes, a read-only format.
WIRE: Final = "majsoul protobuf"
#: Writers of read-only formats of JSON, by format, with the numbers of players.
_WRITERS: Final[dict[str, tuple[Callable[[RiichiGame], Any], tuple[int, ...]]]] = {
    "paipu": (write_paipu, (4,)),
    "riichi-city": (write_riichi_city, (3, 4)),
}
#: Maximum seconds of a case: processor time in this process, wall-clock time for a server.
HANG: Final = 1.0
#: Hands of each damaged game, and number of games.
_HANDS, _GAMES = 2, 40


@dataclass
class Findings:
    """Counts and findings of a run."""

    clock: Callable[[], float] = time.process_time
    expected: tuple[type[Exception], ...] = ()
    """Allowed exceptions of a case."""
    done: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    """Number of cases by result."""
    slowest: float = 0.0
    """Seconds of the slowest case."""
    faults: list[str] = field(default_factory=list)

    def count(self, ending: str) -> None:
        """Count one case."""
        self.counts[ending] = self.counts.get(ending, 0) + 1

    @contextlib.contextmanager
    def case(self, name: str) -> Iterator[None]:
        """Run one case: record its time and unexpected exceptions."""
        start = self.clock()
        try:
            yield
        except self.expected:
            raise
        except Exception:
            self.faults.append(f"{name}: {traceback.format_exc()}")
        seconds = self.clock() - start
        self.done += 1
        if seconds > self.slowest:
            self.slowest = seconds
        if seconds > HANG:
            self.faults.append(f"{name}: {seconds:.2f} s")


def numbered(amount: int, name: str) -> Iterator[int]:
    """Count from 0 with a progress bar on standard error."""
    with counting_bar() as bar:
        yield from bar.track(range(amount), description=name)


# ---------------------------------------------------------------------------------------------------------
# Mutations

#: Replacements of a value in JSON, and of a number or a word in a text.
_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 2, 7, 34, 36, 60, 136, 255, 1 << 31, -(1 << 63), 10**30, 0.5, 1e308, float("nan")),
    *("", "x", "0m", "9z", "?", "E", "\ud800", "\x00", "１", "é" * 50, [], [[]], {}, {"type": 3}, [0] * 40),
)
_WORDS: Final = re.compile(r"-?\d+|[A-Za-z_]+")


def mutated_text(text: str, dice: random.Random) -> str:
    """Return a text with one to four changes of letters, words or lines."""
    for _ in range(dice.randint(1, 4)):
        if not text:
            return text
        text = dice.choice(_TEXT_CHANGES)(text, dice)
    return text


def _letter(text: str, dice: random.Random) -> str:
    at = dice.randrange(len(text))
    return text[:at] + chr(dice.choice((dice.randrange(128), dice.randrange(0xD7FF)))) + text[at + 1 :]


def _cut(text: str, dice: random.Random) -> str:
    first = dice.randrange(len(text))
    return text[:first] + text[first + dice.choice((1, 3, 20, 200, len(text))) :]


def _copy(text: str, dice: random.Random) -> str:
    first = dice.randrange(len(text))
    piece = text[first : first + dice.choice((1, 5, 50, 500))]
    at = dice.randrange(len(text))
    return text[:at] + piece * dice.choice((1, 1, 2, 30)) + text[at:]


def _word(text: str, dice: random.Random) -> str:
    words = list(_WORDS.finditer(text))
    if not words:
        return text
    chosen, other = dice.choice(words), dice.choice(words)[0]
    new = dice.choice((other, str(dice.choice(_VALUES)), str(dice.randrange(-3, 140)), str(dice.randrange(1 << 16))))
    return text[: chosen.start()] + new + text[chosen.end() :]


def _lines(text: str, dice: random.Random) -> str:
    """Swap two lines (or tags), or duplicate one."""
    cut = "\n" if text.count("\n") > 3 else "><"
    lines = text.split(cut)
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    if dice.random() < 0.5:
        lines[one], lines[other] = lines[other], lines[one]
    else:
        lines.insert(one, lines[other])
    return cut.join(lines)


_TEXT_CHANGES: Final = (_letter, _cut, _copy, _word, _word, _word, _lines)


def mutated_json(value: Any, dice: random.Random) -> Any:
    """Return JSON with one value somewhere changed, removed, duplicated or moved."""
    parent, key = None, None
    node = value
    while isinstance(node, dict | list) and node and (parent is None or dice.random() < 0.9):
        parent = node
        key = dice.choice(list(node)) if isinstance(node, dict) else dice.randrange(len(node))
        node = node[key]
    if parent is None:
        return _value(dice)
    change = dice.randrange(5)
    if change == 0:
        del parent[key]
    elif change == 1 and isinstance(parent, list):
        parent.insert(dice.randrange(len(parent) + 1), copy.deepcopy(node))
    elif change == 2 and isinstance(parent, list):
        other = dice.randrange(len(parent))
        parent[key], parent[other] = parent[other], parent[key]
    elif change == 3 and isinstance(node, int) and not isinstance(node, bool):
        parent[key] = node + dice.choice((-1, 1, -10, 10, 1000))
    else:
        parent[key] = _value(dice)
    return value


def _value(dice: random.Random) -> Any:
    """Return a copy of one of the values, so that later changes do not affect other places."""
    return copy.deepcopy(dice.choice(_VALUES))


# ---------------------------------------------------------------------------------------------------------
# Records


def damaged_record(text: str, form: str, dice: random.Random) -> bytes:
    """Return a record of a format, damaged as a text or in its structure."""
    if form == "mjlog" or dice.random() < 0.4:
        return mutated_text(text, dice).encode("utf-8", "surrogatepass")
    lines = [json.loads(line) for line in text.splitlines()]
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(lines))
        lines[at] = mutated_json(lines[at], dice)
    return "\n".join(json.dumps(line) for line in lines).encode()


def damaged_bytes(data: bytes, dice: random.Random) -> bytes:
    """Return bytes with one to four changed, or with pieces removed or duplicated, so that lengths no longer fit."""
    out = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 4))):
        at = dice.randrange(len(out))
        change = dice.random()
        if change < 0.8:
            out[at] = dice.choice((dice.randrange(256), out[at] ^ 1 << dice.randrange(8)))
        elif change < 0.9:
            del out[at : at + dice.choice((1, 3, 20))]
        else:
            out[at:at] = out[at : at + dice.choice((1, 5, 50))]
        if not out:
            break
    return bytes(out)


def fuzz_records(amount: int, seed: int, form: str, games: list[RiichiGame]) -> Findings:
    """Damage ``amount`` records of a format; read, replay, write and read the readable ones again."""
    findings = Findings()
    replayer = Replayer()
    # The compilation of the first replay does not count as a hang.
    replayer.replay(games[0])
    if form == WIRE:
        wires = [write_wire(write_majsoul(game)) for game in games]
    elif form in _WRITERS:
        write, players = _WRITERS[form]
        fitting = [game for game in games if game.players in players] or [make_game(4, 1, _HANDS)]
        texts = [json.dumps(write(game)) for game in fitting]
    else:
        texts = [write_games([game], form)[0] for game in games]
    for number in numbered(amount, f"records {form}"):
        dice = random.Random(f"{seed} {form} {number}")
        if form == WIRE:
            data = damaged_bytes(dice.choice(wires), dice)
        else:
            data = damaged_record(dice.choice(texts), form, dice)
        with findings.case(f"records {form} seed {seed} number {number}"):
            findings.count(_through(data, replayer))
    return findings


def _through(data: bytes, replayer: Replayer) -> str:
    """Read, replay, write in every format and read again; return the result.

    A record contains some values twice (points before a win, the winner's hand). If they differ, formats that store
    them once return one of the two: such a record "contradicts itself".
    """
    try:
        games = [game for game in read_bytes(data, "fuzz") if not isinstance(game, Damaged)]
    except RecordError:
        return "refused"
    if not games:
        return "refused"
    matches = same = True
    for game in games:
        matches &= all(mismatch.what == "game" for mismatch in replayer.replay(game).mismatches)
        for form in formats_of("riichi"):
            try:
                (text,) = write_games([game], form)
            except RecordError:
                continue
            again = [back for back in read_bytes(text.encode(), "again") if not isinstance(back, Damaged)]
            same &= bool(again) and difference(game, again[0]) is None
    if not matches:
        return "contradicts the rules"
    return "as before" if same else "contradicts itself"


def short_games() -> list[RiichiGame]:
    """Return the first hands of the package's sample games, which are incomplete by the rules."""
    games = [game for game, _ in zip(read_games([SAMPLE]), range(_GAMES), strict=False)]
    return [replace(game, hands=game.hands[:_HANDS]) for game in games if not isinstance(game, Damaged)]


# ---------------------------------------------------------------------------------------------------------
# Engine


def fuzz_engine(amount: int, seed: int, rules: Any, tables: int = 512) -> Findings:
    """Take ``amount`` random actions at tables of a rule set, with some illegal ones in between."""
    findings = Findings()
    random_numbers = np.random.default_rng([seed, *str(getattr(rules, "name", rules)).encode()])
    played = Tables(rules, tables, seeds=seed)
    numbers = np.arange(tables)
    # The compilation of the first step does not count as a hang; fewer tables would not be compiled.
    first = played.copy()
    first.step(first.legal().argmax(axis=1))
    for number in numbered(-(-amount // tables), f"engine {rules}"):
        with findings.case(f"engine {rules} seed {seed} step {number}"):
            legal = played.legal()
            if not legal.any(axis=1).all():
                raise AssertionError(f"tables {numbers[~legal.any(axis=1)].tolist()} wait for nobody")
            if random_numbers.random() < 0.05:
                _refused(played, legal, random_numbers)
            played.step((random_numbers.random(legal.shape) * legal).argmax(axis=1))
    findings.counts["actions"] = findings.done * tables
    return findings


def _refused(tables: Tables, legal: Any, random_numbers: np.random.Generator) -> None:
    """Check that an illegal action at one table is refused and changes no table."""
    actions = legal.argmax(axis=1).astype(np.int64)
    table = int(random_numbers.integers(len(actions)))
    actions[table] = random_numbers.choice([-1, legal.shape[1], 1 << 40, *np.flatnonzero(~legal[table])])
    before = np.asarray(tables.states).tobytes()
    try:
        tables.step(actions)
    except ActionError:
        if np.asarray(tables.states).tobytes() != before:
            raise AssertionError(f"refused, and moved: action {actions[table]} at table {table}") from None
        return
    raise AssertionError(f"not refused: action {actions[table]} at table {table}")


def presets() -> list[str]:
    """Return the names of all rule sets."""
    return [name for game in GAMES.values() for name in game.presets]


# ---------------------------------------------------------------------------------------------------------
# Web


_REQUESTS: Final = (
    ("POST", "/api/tables", {"rules": "tenhou-sanma", "length": "hand", "seat": 0, "agents": ["random"]}),
    ("POST", "/api/tables", {"rules": "tenhou-sanma", "watch": True}),
    ("POST", "/api/tables", {"rules": "tenhou", "length": "east", "name": "me"}),
    ("POST", "/api/reviews", {"text": "<mjloggm ver='2.3'></mjloggm>"}),
    ("POST", "/api/reviews", {"text": "https://tenhou.net/6/#json={}"}),
    ("GET", "/api/site", None),
    ("GET", "/api/tables/none/record?key=x&format=mjai", None),
    ("GET", "/api/reviews/none?seat=1&by=sl", None),
    ("GET", "/api/reviews/none/report.html", None),
    ("GET", "/assets/app.js", None),
    ("GET", "/", None),
)
_MESSAGES: Final = (
    {"type": "act", "number": 1, "action": 60},
    {"type": "next"},
    {"type": "hint", "number": 1},
    {"type": "set_pace", "paused": True, "seconds": 0.5, "step": True},
    {"type": "join", "table": "t", "key": "k", "received": 0},
)


@contextlib.contextmanager
def server() -> Iterator[tuple[str, list[str]]]:
    """Run ``janshi play``; yield its address, and the lines on its standard error (complete after the end)."""
    command = [sys.executable, "-m", "janshi", "play", "--no-browser", "--port", "0", "random"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    said: list[str] = []
    assert process.stdout is not None
    assert process.stderr is not None
    errors = process.stderr
    listening = threading.Thread(target=lambda: said.extend(errors), daemon=True)
    listening.start()
    try:
        address = ""
        for line in process.stdout:
            if found := re.search(r"http://\S+", line):
                address = found[0]
            if "ready after" in line:
                threading.Thread(target=process.stdout.read, daemon=True).start()
                yield address, said
                break
        else:
            raise RuntimeError("\n".join(said) or "the server ended")
    finally:
        process.terminate()
        process.wait()
        listening.join()


def fuzz_requests(amount: int, seed: int, address: str) -> Findings:
    """Send ``amount`` HTTP requests; each must be answered without status 500."""
    findings = Findings(time.perf_counter)
    netloc = urlsplit(address).netloc
    connection = http.client.HTTPConnection(netloc, timeout=30)
    for number in numbered(amount, "requests"):
        dice = random.Random(f"{seed} http {number}")
        method, path, body = _request(dice)
        with findings.case(f"http seed {seed} number {number}: {method} {path[:80]!r}"):
            try:
                connection.putrequest(method, path, skip_accept_encoding=True)
                for name, value in _headers(body, dice):
                    connection.putheader(name, value)
                connection.endheaders(body)
                answer = connection.getresponse()
                answer.read()
            except (http.client.HTTPException, ConnectionError, ValueError) as error:  # the server has hung up
                connection.close()
                findings.count(type(error).__name__)
                continue
            findings.count(str(answer.status))
            if answer.status >= 500 and answer.status != 503:
                raise AssertionError(f"{answer.status}: {method} {path!r} {body!r}")
    connection.close()
    return findings


def _request(dice: random.Random) -> tuple[str, str, bytes | None]:
    method, path, content = dice.choice(_REQUESTS)
    body = None
    if content is not None:
        text = json.dumps(mutated_json(json.loads(json.dumps(content)), dice))
        body = (mutated_text(text, dice) if dice.random() < 0.3 else text).encode("utf-8", "surrogatepass")
    if dice.random() < 0.4:
        letters = mutated_text(path, dice).encode("utf-8", "surrogatepass")
        path = "/" + "".join(chr(byte) if 33 <= byte < 127 else f"%{byte:02X}" for byte in letters)
    if dice.random() < 0.1:
        method = dice.choice(("GET", "POST", "PUT", "HEAD", "DELETE", "OPTIONS"))
    return method, path, body


def _headers(body: bytes | None, dice: random.Random) -> list[tuple[str, str]]:
    headers = []
    if body is not None:
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    if dice.random() < 0.1:
        name = dice.choice(("Origin", "Authorization", "Accept", "Cookie", "Range", "Upgrade", "If-Range"))
        headers.append((name, "".join(chr(dice.randrange(32, 127)) for _ in range(dice.choice((1, 20, 3000))))))
    return headers


def fuzz_socket(amount: int, seed: int, address: str) -> Findings:
    """Send ``amount`` WebSocket messages, most at a joined table; meanwhile the server must answer requests."""
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    findings = Findings(time.perf_counter, (ConnectionClosed,))
    url = address.split("?")[0].replace("http", "ws", 1).rstrip("/") + "/ws"
    table = _open_table(address)
    with contextlib.ExitStack() as stack:
        socket = None
        for number in numbered(amount, "messages"):
            dice = random.Random(f"{seed} socket {number}")
            try:
                if socket is None or dice.random() < 0.01:
                    stack.close()
                    # The closing handshake is not measured: it waits for all earlier messages.
                    socket = stack.enter_context(connect(url, close_timeout=0.1))
                    if dice.random() < 0.9:
                        socket.send(json.dumps({"type": "join", **table}))
                        findings.count("joined")
                with findings.case(f"socket seed {seed} number {number}"):
                    socket.send(_message(dice))
                    with contextlib.suppress(TimeoutError):
                        while True:
                            socket.recv(timeout=0)
            except ConnectionClosed:
                findings.count("closed")
                socket = None
            if number % _ASKED_EVERY == 0:
                with findings.case(f"answers after socket seed {seed} number {number}"):
                    _must_answer(address)
    return findings


#: Messages between checks that the server answers.
_ASKED_EVERY: Final = 20


def _must_answer(address: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    with contextlib.closing(connection):
        connection.request("GET", "/")
        if connection.getresponse().status != 200:
            raise AssertionError("the page is not there any more")


def _open_table(address: str) -> dict[str, str]:
    """Open a table; return the message that joins it."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    body = json.dumps({"rules": "tenhou-sanma", "length": "south", "agents": ["random"]})
    connection.request("POST", "/api/tables", body, {"Content-Type": "application/json"})
    made = json.loads(connection.getresponse().read())
    return {"table": made["table"], "key": made["key"]}


def _message(dice: random.Random) -> str | bytes:
    message = json.loads(json.dumps(dice.choice(_MESSAGES)))
    if message["type"] == "act" and dice.random() < 0.5:
        return json.dumps({"type": "act", "number": dice.randrange(40), "action": dice.randrange(122)})
    text = json.dumps(mutated_json(message, dice) if dice.random() < 0.7 else message)
    if dice.random() < 0.3:
        text = mutated_text(text, dice)
    if dice.random() < 0.05:
        return text.encode("utf-8", "surrogatepass")
    return text.encode("utf-8", "replace").decode()


def fuzz_web(amount: int, seed: int) -> Iterator[tuple[str, Findings]]:
    """Send half of ``amount`` as requests and half over a WebSocket; yield each part's name and findings.

    Each part has its own server, because the requests open the maximum number of tables.
    """
    for name, part in (("requests", fuzz_requests), ("socket", fuzz_socket)):
        with server() as (address, said):
            findings = part(amount // 2, seed, address)
            with findings.case(f"the server after {name}"):
                _must_answer(address)
        bad = [line.rstrip() for line in said if "Error" in line or "Traceback" in line]
        findings.faults += [f"the server said: {line}" for line in bad]
        yield name, findings


# ---------------------------------------------------------------------------------------------------------


#: The formats of Riichi, and the bytes of a protocol.
FORMS = (*formats_of("riichi"), *_WRITERS, WIRE)


def run(kind: str, amount: int, seed: int, forms: Sequence[str] = FORMS) -> Iterator[tuple[str, Findings]]:
    """Run one kind of fuzzing, records in some formats; yield each part's name and findings."""
    if kind == "records":
        games = short_games()
        for form in forms:
            yield f"records {form}", fuzz_records(amount, seed, form, games)
    elif kind == "engine":
        names = presets()
        for name in names:
            yield f"engine {name}", fuzz_engine(amount // len(names) + 1, seed, rules_of(name))
    else:
        for name, findings in fuzz_web(amount, seed):
            yield f"web {name}", findings


def main() -> int:
    """Run the requested kind; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("records", "engine", "web"))
    parser.add_argument("--amount", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    every = FORMS
    parser.add_argument("--format", choices=every, nargs="+", default=every, help="of the records (default: all)")
    options = parser.parse_args()
    faults = 0
    for name, findings in run(options.kind, options.amount, options.seed, options.format):
        counts = ", ".join(f"{count:,} {ending}" for ending, count in sorted(findings.counts.items()))
        print(f"{name}: {findings.done:,} cases ({counts}), slowest {findings.slowest:.3f} s", flush=True)
        for fault in findings.faults[:20]:
            print(f"FAULT {fault}", flush=True)
        faults += len(findings.faults)
    print(f"{faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

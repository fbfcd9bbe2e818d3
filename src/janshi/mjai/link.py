"""Lines to a foreign bot: a process's stdin and stdout, or a TCP connection; nothing waits longer than it may.

Bots are answered and asked in turn: every payload sent expects a number of lines back, the last of which is the answer
that counts. A bot may hang, end, write without end or not read what it is sent: `Link.receive` says so in time.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections import deque
from typing import Any, Final

from janshi.agents.protocol import AgentError
from janshi.mjai.bot import ROOM, parse_line, to_line
from janshi.mjai.events import MjaiError

#: Bytes without an end of line, or without a request, that count as a flood.
FLOOD: Final = 1 << 20
#: Lines that a bot may write unasked between two questions.
_UNASKED: Final = 100
_PIECE: Final = 1 << 16
#: Bytes of stderr that are kept, and letters of a line that are shown.
_TAIL: Final = 4096
_LONGEST: Final = 200
#: Seconds that a bot is given to end by itself once its input is closed.
_CLOSING: Final = 1.0

# Kinds of faults
START: Final = "start"
SILENT: Final = "silent"
DIED: Final = "died"
GARBAGE: Final = "garbage"
ILLEGAL: Final = "illegal"
FLOODED: Final = "flood"


class BotError(Exception):
    """A fault of a bot: its kind (`START` …) and one line about it."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)
        self.kind = kind
        self.text = _one_line(text) if len(text.splitlines()) > 1 or not text.isprintable() else text


class Link:
    """One bot's line; see `ProcessLink` and `SocketLink`."""

    #: Whether each line waits for the answer to the one before; otherwise all are sent at once.
    alternates = False

    def __init__(self, reads: int, writes: int, errors: int | None = None) -> None:
        self._reads, self._writes, self._errors = reads, writes, errors
        for file in {reads, writes, *([] if errors is None else [errors])}:
            os.set_blocking(file, False)
        self._out = bytearray()
        self._waiting_lines: deque[bytes] = deque()  # lines that wait for answers
        self._in = bytearray()
        self._lines: deque[bytes] = deque()
        self._tail = bytearray()
        self._overdue = 0  # lines that were expected and have not come in time
        self._wanted = 0
        self._ended = False
        self.answers_end: bool | None = None
        """True if the bot answers `end_game`; None while unknown."""
        self.seat = -1
        """The seat that it was started for."""
        self.games = 0
        """Games that it has begun."""

    def send(self, lines: list[str], wanted: int) -> None:
        """Send lines; so many are expected back. What the bot has written unasked before is thrown away."""
        self._read_unasked()
        if len(self._lines) > self._overdue + _UNASKED:
            raise BotError(FLOODED, f"{len(self._lines)} lines without a request")
        self._overdue = max(0, self._overdue - len(self._lines))
        self._lines.clear()
        self._wanted = self._overdue + wanted
        self._overdue = 0
        self._waiting_lines.extend(line.encode() for line in lines)
        self._send_next(1 if self.alternates else len(self._waiting_lines))

    def receive(self, deadline: float) -> dict[str, Any]:
        """Return the last of the lines expected, as an object. Raises `BotError` where it does not come or is none.

        ``deadline``: of `time.monotonic`.
        """
        while len(self._lines) < self._wanted:
            if self._ended:
                raise BotError(DIED, self.error_line() or "it ended without an error message")
            rest = deadline - time.monotonic()
            self._ready(max(rest, 0.0))
            self._pump()
            if rest <= 0 and not self._ended and len(self._lines) < self._wanted:
                self._overdue = self._wanted - len(self._lines)
                self._lines.clear()
                self._wanted = 0
                self._send_next(len(self._waiting_lines))
                raise BotError(SILENT, "no answer in time")
        for _ in range(self._wanted - 1):
            self._lines.popleft()
        self._wanted = 0
        line = self._lines.popleft().decode(errors="replace")
        try:
            return parse_line(line)[-1]
        except (MjaiError, IndexError) as error:
            raise BotError(GARBAGE, str(error) if str(error) else "an empty list") from None

    def forget(self) -> None:
        """Expect what has not come in time no longer."""
        self._overdue = 0

    def error_line(self) -> str:
        """Return what the bot wrote to stderr in one line: the first and the last, of a traceback the last alone."""
        lines = [line.strip() for line in self._tail.decode(errors="replace").splitlines() if line.strip()]
        if len(lines) < 2 or lines[0].startswith("Traceback"):
            return _one_line(lines[-1]) if lines else ""
        return f"{_one_line(lines[0])} … {_one_line(lines[-1])}"

    def _ready(self, seconds: float) -> bool:
        """Wait until there is something to read, or something can be written."""
        poll = select.poll()
        poll.register(self._reads, select.POLLIN)
        if self._errors is not None:
            poll.register(self._errors, select.POLLIN)
        if self._out:
            poll.register(self._writes, select.POLLOUT)
        return bool(poll.poll(seconds * 1000))

    def _pump(self) -> None:
        self._flush()
        self._read_errors()
        self._take(_read(self._reads))

    def _flush(self) -> None:
        try:
            while self._out:
                done = os.write(self._writes, self._out[:_PIECE])
                del self._out[:done]
        except BlockingIOError:
            return
        except OSError:  # it reads no more; whether it has ended is seen when it is read from
            self._out.clear()

    def _send_next(self, count: int) -> None:
        """Send so many of the lines that wait."""
        for _ in range(min(count, len(self._waiting_lines))):
            self._out += self._waiting_lines.popleft()
        self._flush()

    def _read_errors(self) -> None:
        if self._errors is None:
            return
        text = _read(self._errors)
        if text == b"":
            self._errors = None
        elif text:
            self._tail += text
            del self._tail[:-_TAIL]

    def _take(self, data: bytes | None) -> None:
        """Take in what was read: whole lines, and the beginning of the next one."""
        if data is None:
            return
        if not data:
            self._ended = True
            self._read_last_errors()
            return
        self._in += data
        *lines, rest = self._in.split(b"\n")
        answers = [bytes(line) for line in lines if line.strip()]
        self._lines.extend(answers)
        self._send_next(len(answers))
        self._in = bytearray(rest)
        if len(rest) > FLOOD or sum(map(len, self._lines)) > FLOOD:
            raise BotError(FLOODED, "more than a megabyte instead of one line")

    def _read_last_errors(self) -> None:
        deadline = time.monotonic() + 0.1
        while self._errors is not None and time.monotonic() < deadline:
            self._read_errors()

    def _read_unasked(self) -> None:
        """Read what the bot has written unasked."""
        while not self._ended and self._ready_to_read():
            self._pump()

    def _ready_to_read(self) -> bool:
        return bool(select.select([self._reads], [], [], 0.0)[0])

    def close(self, at_once: bool = False) -> None:
        """Close the line; a process is given a moment to end, or none, and is then ended."""


def _one_line(text: str) -> str:
    """Return a bot's text without what would steer a terminal, cut short where it is long."""
    text = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _read(file: int) -> bytes | None:
    """Return what is there to read; empty at the end, None where there is nothing."""
    try:
        return os.read(file, _PIECE)
    except BlockingIOError:
        return None
    except OSError:
        return b""


class ProcessLink(Link):
    """A bot in a process. Raises `BotError` if it cannot be started."""

    def __init__(self, command: list[str]) -> None:
        pipe = subprocess.PIPE
        try:
            # A new session: Ctrl-C at the terminal does not reach the bot, and its children can be ended with it.
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
            )
        except OSError as error:
            raise BotError(START, f"{command[0]} cannot be started: {error.strerror or error}") from None
        streams = (self._process.stdout, self._process.stdin, self._process.stderr)
        self._streams = [stream for stream in streams if stream is not None]
        super().__init__(*(stream.fileno() for stream in self._streams))

    def close(self, at_once: bool = False) -> None:
        """See `Link.close`."""
        process = self._process
        if process.returncode is not None:
            return
        if not at_once:
            with contextlib.suppress(OSError):
                self._streams[1].close()
            self._wait_for_end(time.monotonic() + _CLOSING)
        # The group before its leader is waited for: until then its number belongs to nobody else.
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in self._streams:
            with contextlib.suppress(OSError):
                stream.close()

    def _wait_for_end(self, deadline: float) -> None:
        # Not by waiting for the process: that would give its number back while its children may still be there.
        with contextlib.suppress(BotError):
            while not self._ended and (rest := deadline - time.monotonic()) > 0:
                self._lines.clear()
                if select.select([self._reads], [], [], rest)[0]:
                    self._pump()


class SocketLink(Link):
    """A bot that has connected by TCP.

    By turns, as the protocol was made: small answers that follow each other are held back by TCP (Nagle's algorithm)
    at bots that do not switch that off.
    """

    alternates = True

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection
        super().__init__(connection.fileno(), connection.fileno())
        self.answers_end = False  # the first mjai server and its clients close without an answer

    def close(self, at_once: bool = False) -> None:
        """See `Link.close`."""
        self._connection.close()


class BotSource:
    """Source of bots; see `ProcessSource` and `SocketSource`."""

    #: Whether events are sent one by one, each answered, as the first mjai server did; otherwise as lists.
    one_by_one = False

    def open(self, seat: int, deadline: float) -> Link:
        """Return a line to a new bot for a seat. Raises `BotError` where none comes in time."""
        raise NotImplementedError

    def fits(self, made_for: int, seat: int) -> bool:
        """Return whether the bot may play another seat."""
        return True

    def close(self) -> None:
        """Let no further bot in."""


class ProcessSource(BotSource):
    """Starts a command for every bot; ``{seat}`` in it is replaced by the bot's seat.

    Raises `AgentError` where there is no such command.
    """

    def __init__(self, command: str, one_by_one: bool = False) -> None:
        self.one_by_one = one_by_one
        try:
            self.command = shlex.split(command)
        except ValueError as error:
            raise AgentError(f"the bot's command {command!r} cannot be read: {error}") from None
        if not self.command:
            raise AgentError("a bot needs a command: mjai:COMMAND, as in 'mjai:python bot.py'")
        if shutil.which(self.command[0]) is None:
            raise AgentError(f"the bot's command {command!r}: there is no program {self.command[0]!r}")

    def open(self, seat: int, deadline: float) -> Link:
        """See `BotSource.open`."""
        return ProcessLink([part.replace("{seat}", str(seat)) for part in self.command])

    def fits(self, made_for: int, seat: int) -> bool:
        """See `BotSource.fits`."""
        return made_for == seat or not any("{seat}" in part for part in self.command)


class SocketSource(BotSource):
    """Listens for bots, which join as at the first mjai server. Raises `AgentError` where the port cannot be had."""

    one_by_one = True

    def __init__(self, host: str, port: int, room: str) -> None:
        self.room = room
        try:
            self._listening = socket.create_server((host, port))
        except OSError as error:
            raise AgentError(f"cannot listen for bots at {host}:{port}: {error.strerror or error}") from None
        self.address = self._listening.getsockname()
        """Host and port; a free port if 0 was requested."""

    def open(self, seat: int, deadline: float) -> Link:
        """See `BotSource.open`."""
        while True:
            self._listening.settimeout(max(deadline - time.monotonic(), 0.001))
            try:
                connection, _ = self._listening.accept()
            except OSError:
                raise BotError(START, f"no bot has joined at port {self.address[1]}") from None
            link = SocketLink(connection)
            try:
                link.send([to_line({"type": "hello", "protocol": "mjsonp", "protocol_version": 1})], 1)
                self._check_join(link.receive(min(deadline, time.monotonic() + 10)))
                return link
            except BotError as fault:
                # Who connects and does not join keeps nobody else from it.
                with contextlib.suppress(BotError):
                    link.send([to_line({"type": "error", "message": fault.text})], 0)
                link.close()

    def _check_join(self, answer: dict[str, Any]) -> None:
        """Raise `BotError` where an answer is no join to this room."""
        if answer["type"] != "join" or not isinstance(answer.get("name"), str):
            raise BotError(START, f'a join is expected: {{"type":"join","name":"noname","room":"{self.room}"}}')
        if answer.get("room", self.room) != self.room and self.room != ROOM:
            raise BotError(START, f"there is no such room; there is {self.room}")

    def close(self) -> None:
        """See `BotSource.close`."""
        self._listening.close()

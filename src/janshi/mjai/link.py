"""Connections to an external bot, with time limits: a process's stdin and stdout, or TCP.

Every payload sent expects a number of lines back, the last of which is the answer. If a bot hangs, ends, writes without
end or does not read, `Link.receive` raises an error in time.
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
from janshi.text import printable

#: Number of bytes without an end of line, or without a request, that counts as a flood.
FLOOD: Final = 1 << 20
#: Maximum number of unrequested lines of a bot between two questions.
_UNASKED: Final = 100
_PIECE: Final = 1 << 16
#: Kept bytes of stderr, and shown characters of a line.
_TAIL: Final = 4096
_LONGEST: Final = 200
#: Seconds for a bot to end after its input is closed.
_CLOSING: Final = 1.0

# Kinds of faults
START: Final = "start"
SILENT: Final = "silent"
DIED: Final = "died"
GARBAGE: Final = "garbage"
ILLEGAL: Final = "illegal"
FLOODED: Final = "flood"


class BotError(Exception):
    """Raised for a fault of a bot, with its kind (`START` …) and one line about it."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)
        self.kind = kind
        self.text = one_line(text) if len(text.splitlines()) > 1 or not text.isprintable() else text


class Link:
    """Connection to one bot; see `ProcessLink` and `SocketLink`."""

    #: True if each line waits for the answer to the previous one; otherwise all are sent at once.
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
        self._overdue = 0  # expected lines that did not come in time
        self._wanted = 0
        self._ended = False
        self.answers_end: bool | None = None
        """True if the bot answers `end_game`; None while unknown."""
        self.seat = -1
        """Seat that the bot was started for."""
        self.games = 0
        """Number of started games."""
        self.last_line = ""
        """The last line that was read as an answer."""

    def send(self, lines: list[str], wanted: int) -> None:
        """Send lines and expect ``wanted`` lines back; earlier unrequested lines of the bot are discarded."""
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
        """Return the last expected line, a JSON object. Raises `BotError` if it does not come or is invalid.

        ``deadline``: value of `time.monotonic`.
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
        self.last_line = one_line(line)
        try:
            return parse_line(line)[-1]
        except (MjaiError, IndexError) as error:
            raise BotError(GARBAGE, str(error) if str(error) else "an empty list") from None

    def forget(self) -> None:
        """Stop expecting overdue lines."""
        self._overdue = 0

    def error_line(self) -> str:
        """Return the bot's stderr in one line: its first and last lines, or the last line of a traceback."""
        lines = [line.strip() for line in self._tail.decode(errors="replace").splitlines() if line.strip()]
        if len(lines) < 2 or lines[0].startswith("Traceback"):
            return one_line(lines[-1]) if lines else ""
        return f"{one_line(lines[0])} … {one_line(lines[-1])}"

    @property
    def stderr(self) -> str:
        """The end of the bot's stderr, in one line."""
        lines = [line.strip() for line in self._tail.decode(errors="replace").splitlines() if line.strip()]
        text = one_line(" | ".join(lines), 0)
        return text if len(text) <= _LONGEST else "…" + text[1 - _LONGEST :]

    def _ready(self, seconds: float) -> bool:
        """Wait until data can be read or written."""
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
        except OSError:  # it no longer reads; reading shows whether it has ended
            self._out.clear()

    def _send_next(self, count: int) -> None:
        """Send ``count`` of the waiting lines."""
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
        """Split read data into whole lines and the beginning of the next one."""
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
        """Read unrequested lines of the bot."""
        while not self._ended and self._ready_to_read():
            self._pump()

    def _ready_to_read(self) -> bool:
        return bool(select.select([self._reads], [], [], 0.0)[0])

    def close(self, at_once: bool = False) -> None:
        """Close the connection; a process is killed after a moment, or with ``at_once`` immediately."""


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Return a bot's text without control characters, truncated if it is longer than ``longest`` (0: never)."""
    text = printable(text)
    return text if not longest or len(text) <= longest else text[: longest - 1] + "…"


def _read(file: int) -> bytes | None:
    """Return the available data; empty at the end of the stream, None if there is none."""
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
        # The group is killed before its leader is waited for: until then its id cannot be reused.
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in self._streams:
            with contextlib.suppress(OSError):
                stream.close()

    def _wait_for_end(self, deadline: float) -> None:
        # Waiting for the process would free its id although its children may still exist.
        with contextlib.suppress(BotError):
            while not self._ended and (rest := deadline - time.monotonic()) > 0:
                self._lines.clear()
                if select.select([self._reads], [], [], rest)[0]:
                    self._pump()


class SocketLink(Link):
    """A bot that has connected by TCP.

    Events and answers alternate. TCP would delay consecutive small answers (Nagle's algorithm) of bots that do not
    switch that off.
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

    #: True to send events one by one, each answered, as the first mjai server did; otherwise in lists.
    one_by_one = False

    def open(self, seat: int, deadline: float) -> Link:
        """Return a connection to a new bot for a seat. Raises `BotError` if none connects in time."""
        raise NotImplementedError

    def fits(self, made_for: int, seat: int) -> bool:
        """Return whether a bot started for the seat ``made_for`` can play ``seat``."""
        return True

    def close(self) -> None:
        """Stop accepting bots."""


class ProcessSource(BotSource):
    """Starts a command for every bot, with ``{seat}`` replaced by the bot's seat.

    Raises `AgentError` if the command does not exist.
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
    """Listens for bots, which join as on the first mjai server. Raises `AgentError` if the port is not available."""

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
                # A connection that does not join must not block others.
                with contextlib.suppress(BotError):
                    link.send([to_line({"type": "error", "message": fault.text})], 0)
                link.close()

    def _check_join(self, answer: dict[str, Any]) -> None:
        """Raise `BotError` if an answer does not join this room."""
        if answer["type"] != "join" or not isinstance(answer.get("name"), str):
            raise BotError(START, f'a join is expected: {{"type":"join","name":"noname","room":"{self.room}"}}')
        if answer.get("room", self.room) != self.room and self.room != ROOM:
            raise BotError(START, f"there is no such room; there is {self.room}")

    def close(self) -> None:
        """See `BotSource.close`."""
        self._listening.close()

"""Connections to an external bot: a process's stdin and stdout, or TCP.

A link never waits for its bot: `BotLink.read` takes what there is, and `wait_for` waits for several links with a limit.
A bot that hangs, ends, writes without end or does not read therefore costs no more than the limit.
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
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any, Final

from janshi.agents.protocol import AgentError
from janshi.mjai.bot import LONGEST_LINE, ROOM, parse_line, to_line
from janshi.mjai.events import MjaiError
from janshi.text import printable

#: Bytes that a bot may write between two answered decisions.
FLOOD: Final = LONGEST_LINE
_PIECE: Final = 1 << 16
#: Kept bytes of stderr, and shown characters of a line.
_TAIL: Final = 4096
_LONGEST: Final = 200
#: Seconds for a bot to end after its input is closed.
_CLOSING: Final = 1.0
#: Seconds for a connection to join.
_JOINING: Final = 10.0

# Kinds of faults
START: Final = "start"
SILENT: Final = "silent"
DIED: Final = "died"
GARBAGE: Final = "garbage"
ILLEGAL: Final = "illegal"
FLOODED: Final = "flood"

#: Receives what passes through a link: ``">"`` and a line sent, ``"<"`` and one read, ``"!"`` and a text of stderr.
Watcher = Callable[[str, str], None]


class BotError(Exception):
    """Raised for a fault of a bot, with its kind (`START` …) and one line about it."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind, text)
        self.kind = kind
        self.text = one_line(text) if len(text.splitlines()) > 1 or not text.isprintable() else text


def no_watcher(mark: str, text: str) -> None:
    """Watch nothing: see `Watcher`."""


class BotLink:
    """Connection to one bot; see `ProcessLink` and `SocketLink`."""

    def __init__(self, reads: int, writes: int, errors: int | None = None) -> None:
        self._reads, self._writes, self._errors = reads, writes, errors
        for file in {reads, writes, *([] if errors is None else [errors])}:
            os.set_blocking(file, False)
        self._out = bytearray()
        self._in = bytearray()
        self._lines: deque[str] = deque()
        self._tail = bytearray()
        self._read_bytes = 0  # since the last call of `forgive`
        self._ended = False
        self.watcher: Watcher = no_watcher
        self.by_line = True
        """True if the bot gets one event a line: see `BotSource`."""
        self.games = 0
        """Number of games that the bot has played to the end."""

    def send(self, lines: Iterable[str]) -> None:
        """Send lines as far as the bot reads; the rest goes out with later calls of `read`."""
        for line in lines:
            self.watcher(">", line)
            self._out += line.encode()
        self._flush()

    def next_line(self) -> str | None:
        """Return the bot's next line that is not blank, or None if there is none yet.

        Raises `BotError` for a flood, and if the bot has ended.
        """
        if not self._lines and not self._ended:
            self._pump()
        if self._lines:
            return self._lines.popleft()
        if self._ended:
            raise BotError(DIED, self.error_line() or "it ended without an error message")
        return None

    def forgive(self) -> None:
        """Allow the bot to write up to `FLOOD` bytes again, after an answer to a decision."""
        self._read_bytes = len(self._in) + sum(map(len, self._lines))

    @property
    def ended(self) -> bool:
        """True if the bot has ended and everything that it wrote was read."""
        if not self._lines and not self._ended and _readable(self._reads):
            self._pump()
        return self._ended and not self._lines

    def error_line(self) -> str:
        """Return the bot's stderr in one line: its first and last lines, or the last line of a traceback."""
        lines = self._error_lines()
        if len(lines) < 2 or lines[0].startswith("Traceback"):
            return one_line(lines[-1]) if lines else ""
        return f"{one_line(lines[0])} … {one_line(lines[-1])}"

    @property
    def stderr(self) -> str:
        """The end of the bot's stderr, in one line."""
        text = one_line(" | ".join(self._error_lines()), 0)
        return text if len(text) <= _LONGEST else "…" + text[1 - _LONGEST :]

    def _error_lines(self) -> list[str]:
        return [line.strip() for line in self._tail.decode(errors="replace").splitlines() if line.strip()]

    @property
    def wanted(self) -> list[tuple[int, int]]:
        """Files to wait for, with the events of `select.poll`."""
        files = [(self._reads, select.POLLIN)]
        if self._errors is not None:
            files.append((self._errors, select.POLLIN))
        if self._out:
            files.append((self._writes, select.POLLOUT))
        return files

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

    def _read_errors(self) -> None:
        if self._errors is None:
            return
        text = _read(self._errors)
        if text == b"":
            self._errors = None
        elif text:
            self.watcher("!", text.decode(errors="replace"))
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
        self._in = bytearray(rest)
        for line in lines:
            if text := line.decode(errors="replace").strip():
                self.watcher("<", text)
                self._lines.append(text)
        self._read_bytes += len(data)  # blank lines count too
        if self._read_bytes > FLOOD:
            raise BotError(FLOODED, "more than a megabyte between two answers")

    def _read_last_errors(self) -> None:
        deadline = time.monotonic() + 0.1
        while self._errors is not None and time.monotonic() < deadline:
            self._read_errors()

    def _wait_for_end(self, deadline: float) -> None:
        """Read and drop what the bot still writes, until it ends."""
        self._out.clear()
        with contextlib.suppress(BotError):
            while not self._ended and time.monotonic() < deadline:
                self._lines.clear()
                wait_for([self], deadline)
                self._pump()

    def close(self, at_once: bool = False) -> None:
        """Close the connection; a process is killed after a moment, or with ``at_once`` immediately."""


def wait_for(links: Iterable[BotLink], deadline: float) -> None:
    """Wait until one of the links has something to read or can be written to.

    ``deadline``: value of `time.monotonic`.
    """
    poll = select.poll()
    wanted: Counter[int] = Counter()
    for link in links:
        for file, events in link.wanted:
            wanted[file] |= events
    for file, events in wanted.items():
        poll.register(file, events)
    poll.poll(max(deadline - time.monotonic(), 0.0) * 1000)


def _readable(file: int) -> bool:
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return bool(poll.poll(0))


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


class ProcessLink(BotLink):
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
        """See `BotLink.close`."""
        if self._process.returncode is not None:
            return
        try:
            if not at_once:
                with contextlib.suppress(OSError):
                    self._streams[1].close()
                # Waiting for the process would free its id although its children may still exist.
                self._wait_for_end(time.monotonic() + _CLOSING)
        finally:  # also if a signal interrupts the wait
            self._kill()

    def _kill(self) -> None:
        # The group is killed before its leader is waited for: until then its id cannot be reused.
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in self._streams:
            with contextlib.suppress(OSError):
                stream.close()


class SocketLink(BotLink):
    """A bot that has connected by TCP."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = connection
        super().__init__(connection.fileno(), connection.fileno())

    def _take(self, data: bytes | None) -> None:
        super()._take(data)
        # A bot that has not switched Nagle's algorithm off delays each answer until the one before is acknowledged.
        if data and hasattr(socket, "TCP_QUICKACK"):
            self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def close(self, at_once: bool = False) -> None:
        """See `BotLink.close`."""
        if self._connection.fileno() >= 0 and not at_once:
            # The last lines would be lost if the connection were closed with unread answers.
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_WR)
            self._wait_for_end(time.monotonic() + _CLOSING)
        self._connection.close()


class BotSource:
    """Source of bots; see `ProcessSource` and `SocketSource`."""

    def __init__(self, by_line: bool, proven: bool) -> None:
        self.by_line = by_line
        """True to send one event a line, False to send a list of events, up to the next decision."""
        self.proven = proven
        """True if the bots are known to read this form."""
        self.habits: dict[str, bool] = {}
        """See `janshi.mjai.answers.BotAnswers`."""
        self.writes_extra = False
        """True if a bot has written a line that answers nothing."""

    def open(self, seat: int, deadline: float) -> BotLink:
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

    def __init__(self, command: str, by_line: bool = False) -> None:
        super().__init__(by_line, proven=False)
        try:
            self.command = shlex.split(command)
        except ValueError as error:
            raise AgentError(f"the bot's command {command!r} cannot be read: {error}") from None
        if not self.command:
            raise AgentError("a bot needs a command: mjai:COMMAND, as in 'mjai:python bot.py'")
        if shutil.which(self.command[0]) is None:
            raise AgentError(f"the bot's command {command!r}: there is no program {self.command[0]!r}")

    def open(self, seat: int, deadline: float) -> BotLink:
        """See `BotSource.open`."""
        return ProcessLink([part.replace("{seat}", str(seat)) for part in self.command])

    def fits(self, made_for: int, seat: int) -> bool:
        """See `BotSource.fits`."""
        return made_for == seat or not any("{seat}" in part for part in self.command)


class SocketSource(BotSource):
    """Listens for bots, which join as on the first mjai server. Raises `AgentError` if the port is not available."""

    def __init__(self, host: str, port: int, room: str) -> None:
        super().__init__(by_line=True, proven=True)
        self.room = room
        try:
            self._listening = socket.create_server((host, port))
        except OSError as error:
            raise AgentError(f"cannot listen for bots at {host}:{port}: {error.strerror or error}") from None
        self.address = self._listening.getsockname()
        """Host and port; a free port if 0 was requested."""

    def open(self, seat: int, deadline: float) -> BotLink:
        """See `BotSource.open`."""
        while (now := time.monotonic()) < deadline:
            self._listening.settimeout(deadline - now)
            try:
                connection, _ = self._listening.accept()
            except OSError:
                break
            link = SocketLink(connection)
            try:
                link.send([to_line({"type": "hello", "protocol": "mjsonp", "protocol_version": 1})])
                self._check_join(_first_line(link, min(deadline, now + _JOINING)))
                return link
            except BotError as fault:
                # A connection that does not join must not block others.
                link.send([to_line({"type": "error", "message": fault.text})])
                link.close()
        raise BotError(START, f"no bot has joined at port {self.address[1]}")

    def _check_join(self, answer: dict[str, Any]) -> None:
        """Raise `BotError` if an answer does not join this room."""
        if answer["type"] != "join" or not isinstance(answer.get("name"), str):
            raise BotError(START, f'a join is expected: {{"type":"join","name":"noname","room":"{self.room}"}}')
        if answer.get("room", self.room) != self.room and self.room != ROOM:
            raise BotError(START, f"there is no such room; there is {self.room}")

    def close(self) -> None:
        """See `BotSource.close`."""
        self._listening.close()


def read_answer(line: str) -> dict[str, Any]:
    """Return the answer in a bot's line: an object, or the last of a list. Raises `BotError` for anything else."""
    try:
        return parse_line(line)[-1]
    except (MjaiError, IndexError) as error:
        raise BotError(GARBAGE, str(error) or "an empty list") from None


def _first_line(link: BotLink, deadline: float) -> dict[str, Any]:
    """Return the first answer of a connection. Raises `BotError` if none comes in time."""
    while time.monotonic() < deadline:
        wait_for([link], deadline)
        if (line := link.next_line()) is not None:
            return read_answer(line)
    raise BotError(SILENT, "no answer in time")

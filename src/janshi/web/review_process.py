"""Reading and reviewing of records in a separate process, with limits of time and memory.

A malicious record cannot stop the server: at worst the process ends, the record is refused, and a new process starts.
The process starts with the first review and remains.

The pipes transport pickles of this package's own objects, never data from a client.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Final, cast

from numpy.typing import NDArray

from janshi import compiling
from janshi.agents import Agent, AgentError, agent
from janshi.agents.onnx import THREADS
from janshi.cluster import Threads, Workers
from janshi.review import ReviewError, losses, read_game, review_game
from janshi.review.model import PlayedOn, Review
from janshi.review.what_if import sampled_table, what_if

#: Maximum size of an unpacked record in bytes, some 50 games.
LARGEST: Final = 4 << 20
#: Maximum number of hands of a game.
HANDS: Final = 64
#: Seconds for reading a record, for reviewing a seat, and for the playouts of its losses.
READING, REVIEWING, MEASURING = 20.0, 180.0, 900.0
#: Maximum number of decisions whose playouts can be continued.
PLAYOUTS: Final = 8
#: Seconds for the start of the process, and for compilation.
_STARTING: Final = 300.0
#: Memory of a request in bytes, beside that of the process itself.
MEMORY: Final = 1 << 30
#: Maximum number of threads of playouts: more would wait for the interpreter.
PLAYOUT_THREADS: Final = 4
#: Niceness of the process: tables have priority.
NICE: Final = 10

_REFUSALS: Final = {kind.__name__: kind for kind in (ReviewError, AgentError)}
_READY, _COMPILING, _REFUSED, _DONE = "ready", "compiling", "refused", "done"


# ---------------------------------------------------------------------------------------------------------
# The server's side


class ReviewProcess:
    """The process, started on demand; for one thread at a time."""

    def __init__(
        self, *, reading: float = READING, reviewing: float = REVIEWING, memory: int = MEMORY, nice: int = NICE
    ) -> None:
        self._reading, self._reviewing, self._memory, self._nice = reading, reviewing, memory, nice
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._closed = False

    def read(self, text: str, is_base64: bool, number: int) -> Any:
        """Return a game (number from 1) of a record. Raises `ReviewError` for an invalid record or number."""
        return self._ask("read", (text, is_base64, number), self._reading)

    def review(self, game: Any, seat: int, reviewer: str) -> Review:
        """Return a review by an agent, an argument of `janshi.agents.agent`. Raises as `review_game` does."""
        return cast("Review", self._ask("review", (game, seat, reviewer), self._reviewing))

    def measure(self, game: Any, review: Review) -> Review:
        """Return a review with measured losses (`janshi.review.losses`)."""
        return cast("Review", self._ask("measure", (game, review, losses.HANDS), MEASURING))

    def play_on(self, game: Any, seat: int, number: int, options: tuple[int, ...]) -> PlayedOn:
        """Return the results of a decision's options (`janshi.review.what_if`) after one more batch of playouts.

        The process keeps the playouts of the last `PLAYOUTS` questions; others begin anew. Raises as `what_if` does.
        """
        return cast("PlayedOn", self._ask("play_on", (game, seat, number, options), self._reviewing))

    def sampled_table(self, game: Any, seat: int, number: int, seed: int) -> NDArray[Any]:
        """Return the record of a table at a decision (`janshi.review.what_if.sampled_table`)."""
        return cast("NDArray[Any]", self._ask("sample", (game, seat, number, seed), self._reviewing))

    def close(self) -> None:
        """End the process."""
        self._closed = True
        if self._process is not None:
            self._end(self._process)

    def _ask(self, task: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        process = self._started()
        late = threading.Event()
        try:
            if not self._ready:
                self._hear(process, _STARTING, late)
                self._ready = True
            _send(cast("IO[bytes]", process.stdin), (task, arguments))
            kind, answer = self._hear(process, seconds, late)
            while kind == _COMPILING:
                kind, answer = self._hear(process, _STARTING, late)
        except (OSError, EOFError, pickle.UnpicklingError):
            self._end(process)
            if not self._closed:
                self._started()
            reason = f"it took longer than {seconds:.0f} s" if late.is_set() else "the reviewing process ended"
            raise ReviewError(f"the record cannot be reviewed: {reason}") from None
        if kind == _REFUSED:
            raise _REFUSALS[answer[0]](answer[1])
        return answer

    def _hear(self, process: subprocess.Popen[bytes], seconds: float, late: threading.Event) -> tuple[str, Any]:
        """Return the next message; kill the process after the given time, which ends its messages."""

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds, end)
        timer.start()
        try:
            return cast("tuple[str, Any]", pickle.load(cast("IO[bytes]", process.stdout)))
        finally:
            timer.cancel()

    def _started(self) -> subprocess.Popen[bytes]:
        """Return the process, restarted if it has ended."""
        if self._closed:
            raise ReviewError("the record cannot be reviewed: the server is shutting down")
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", "from janshi.web.review_process import work; work()"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # the server handles Ctrl-C
            )
            with suppress(OSError):  # it has died already: the next request notices
                _send(cast("IO[bytes]", self._process.stdin), (sys.path, self._memory, self._nice))
            self._ready = False
        return self._process

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                cast("IO[bytes]", pipe).close()


def _send(pipe: IO[bytes], message: object) -> None:
    pickle.dump(message, pipe)
    pipe.flush()


# ---------------------------------------------------------------------------------------------------------
# The process


def work() -> None:
    """Answer requests until the server ends; redirect standard output to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    os.environ[THREADS] = "1"  # playouts have threads of their own
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.path[:], memory, nice = pickle.load(sys.stdin.buffer)
    if os.name == "posix":
        os.nice(nice)
    sending = threading.Lock()  # playouts' threads announce compilation too

    def send(kind: str, answer: Any) -> None:
        with sending:
            _send(answers, (kind, answer))

    compiling.announce(lambda name: send(_COMPILING, name))
    _limit(memory)
    send(_READY, None)
    requests: queue.SimpleQueue[tuple[str, tuple[Any, ...]]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    reviewers: dict[str, Agent] = {}
    team = Threads(min(os.cpu_count() or 1, PLAYOUT_THREADS))
    playing = _Playing(team)
    while True:
        task, arguments = requests.get()
        send(*_answer(task, arguments, reviewers, playing))


def _listen(requests: queue.SimpleQueue[tuple[str, tuple[Any, ...]]]) -> None:
    """Queue requests; end the process at once when the server has ended."""
    with suppress(EOFError, OSError):
        while True:
            requests.put(pickle.load(sys.stdin.buffer))
    os._exit(0)


def _limit(memory: int) -> None:
    """Limit the memory to the current use and ``memory`` more bytes, if the platform supports it."""
    status = Path("/proc/self/statm")
    if not status.exists():
        return
    import resource

    used = int(status.read_text().split()[0]) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + memory, most))


class _Playing:
    """Playouts in progress."""

    def __init__(self, team: Workers) -> None:
        self.team = team
        self._kept: OrderedDict[bytes, tuple[Iterator[PlayedOn], PlayedOn | None]] = OrderedDict()

    def next(self, *question: Any) -> PlayedOn:
        """Return the results after one more batch; the last ones if no batch follows."""
        key = hashlib.sha256(pickle.dumps(question)).digest()
        results, last = self._kept.pop(key) if key in self._kept else (what_if(*question, processes=self.team), None)
        last = next(results, last)
        assert last is not None, "there is a first batch"
        self._kept[key] = results, last
        while len(self._kept) > PLAYOUTS:
            self._kept.popitem(last=False)
        return last


def _answer(task: str, arguments: tuple[Any, ...], reviewers: dict[str, Agent], playing: _Playing) -> tuple[str, Any]:
    try:
        if task == "read":
            return _DONE, _read(*arguments)
        if task == "measure":
            game, review, hands = arguments
            return _DONE, losses.measure_losses(review, game, playing.team, hands=hands)
        if task == "play_on":
            return _DONE, playing.next(*arguments)
        if task == "sample":
            return _DONE, sampled_table(*arguments)
        game, seat, reviewer = arguments
        if reviewer not in reviewers:
            reviewers[reviewer] = agent(reviewer)
        return _DONE, review_game(game, seat, reviewers[reviewer])
    except (ReviewError, AgentError) as error:
        kind: Callable[[str], Exception] = ReviewError if isinstance(error, ReviewError) else AgentError
        return _REFUSED, (kind.__name__, str(error))
    except MemoryError:
        return _REFUSED, (ReviewError.__name__, "the record cannot be reviewed: it needs too much memory")


def _read(text: str, is_base64: bool, number: int) -> Any:
    """Read a game of a record: text in any format, an archive, or a viewer's link."""
    try:
        data = base64.b64decode(text, validate=True) if is_base64 else text.encode()
    except (binascii.Error, ValueError) as error:
        raise ReviewError(f"the record is not valid base64: {error}") from None
    with tempfile.TemporaryDirectory(prefix="janshi-") as folder:
        file = Path(folder) / "record"
        file.write_bytes(data)
        try:
            game = read_game(file, number, LARGEST)
        except ReviewError as error:
            raise ReviewError(str(error).replace(str(file), "the record")) from None
    if len(game.hands) > HANDS:
        raise ReviewError(f"the game has {len(game.hands)} hands: the limit is {HANDS}")
    return replace(game, source=game.source.replace(str(file), "record"))

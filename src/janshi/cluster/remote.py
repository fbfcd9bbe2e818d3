"""The workers of a Ray cluster.

Ray ends the connected process when the cluster's head is lost. The connected process is therefore a helper
(`janshi.cluster.driver`), which is restarted until the head is back. Jobs without results are then submitted again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from multiprocessing import get_context
from typing import Any, Final, Self, cast

from janshi.cluster.driver import CLOSE, drive
from janshi.cluster.jobs import ClusterError, packed, result_of, setting

#: Seconds between two attempts to reach a lost cluster.
PAUSE: Final = 3.0
#: Seconds for the helper to leave the cluster.
_LEAVING: Final = 10.0


class _LostError(Exception):
    """Raised when the helper has ended or reports the loss of the cluster."""


class RayWorkers:
    """Workers that run each job as a Ray task on one processor; the job of a lost worker is repeated elsewhere.

    Args:
        address: ``local`` or ``HOST:PORT``.
        say: called with a line when the cluster is lost, found again, or has no processors.

    Raises `ClusterError` if the first connection fails.
    """

    def __init__(self, address: str, say: Callable[[str], None]) -> None:
        self.processes = 0
        self._address = address
        self._say = say
        self._numbers = count()
        try:
            self._connect()
        except _LostError as error:
            raise ClusterError(f"--cluster {address}: {error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def each(self, work: Callable[[Any], Any], jobs: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """See `janshi.cluster.Workers`."""
        common = setting()
        todo = ((number, packed(common, work, job)) for number, job in enumerate(jobs))
        again: deque[tuple[int, bytes]] = deque()
        # Tickets are never reused, which distinguishes these jobs from those of an earlier call that still run.
        running: dict[int, tuple[int, bytes]] = {}
        while True:
            try:
                while self._wanted and (job := again.popleft() if again else next(todo, None)) is not None:
                    ticket = next(self._numbers)
                    running[ticket] = job
                    self._send((ticket, job[1]))
                    self._wanted -= 1
                if not running and not again and self._wanted:
                    return
                answered = self._receive()
            except _LostError as error:
                again.extendleft(reversed(running.values()))
                running.clear()
                self._reconnect(str(error))
                continue
            if answered is not None and answered[0] in running:
                yield running.pop(answered[0])[0], result_of(answered[1])

    def _connect(self) -> None:
        """Start a helper and wait until it is connected. Raises `_LostError` if it cannot be."""
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        with theirs:
            self._helper = context.Process(target=drive, args=(theirs, self._address), daemon=True)
            self._helper.start()
        self._wanted = 0
        self.processes = 0
        try:
            while not self._wanted:
                self._receive()
        except BaseException:
            self._end()
            raise

    def _reconnect(self, reason: str) -> None:
        self._end()
        self._say(f"{reason}; trying {self._address} again until it is back (Ctrl-C ends this)")
        while True:
            try:
                self._connect()
            except _LostError:
                time.sleep(PAUSE)
            else:
                self._say(f"{self._address} is back with {self.processes} processors")
                return

    def _end(self) -> None:
        try:
            self._connection.send(CLOSE)
            self._helper.join(_LEAVING)
        except OSError:
            pass
        self._connection.close()
        if self._helper.is_alive():
            self._helper.kill()
        self._helper.join()

    def _send(self, job: tuple[int, bytes]) -> None:
        try:
            self._connection.send(job)
        except OSError:
            raise _LostError(f"lost the connection to {self._address}") from None

    def _receive(self) -> tuple[int, bytes] | None:
        """Take the helper's next message: return an answer, or None for another message."""
        try:
            what, *values = self._connection.recv()
        except (EOFError, OSError):
            raise _LostError(f"lost the connection to {self._address}") from None
        if what == "answer":
            return cast("tuple[int, bytes]", (values[0], values[1]))
        if what == "want":
            self._wanted += values[0]
        elif what == "processors":
            self.processes = values[0]
            if not self.processes:
                self._say(f"{self._address} has no processors: waiting for workers (ray start --address …)")
        elif what == "lost":
            raise _LostError(values[0])
        else:
            raise ClusterError(values[0])
        return None

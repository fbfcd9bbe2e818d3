"""The process with the connection to a Ray cluster, which requests jobs, runs them on Ray and returns their answers.

Messages to it are ``(ticket, job)`` or `CLOSE`; those from it ``("want", jobs)``, ``("answer", ticket, bytes)``,
``("processors", number)``, ``("lost", words)`` if the cluster cannot be reached, ``("failed", words)`` if its workers
cannot run jobs.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from typing import Any, Final, cast

from janshi.cluster.jobs import ClusterError, answer

#: The message that ends the process.
CLOSE: Final = "close"
#: Submitted jobs for each processor.
_AHEAD: Final = 2
#: Seconds between two checks of the cluster, its head's time limit, and the number of tolerated failures.
_LOOK: Final = 2.0
_TIMEOUT: Final = 3.0
_MISSES: Final = 2
#: Seconds to wait for a message before polling for answers, and vice versa.
_TICK: Final = 0.1
#: Bytes of the object store of a local cluster, whose answers are small. Ray's minimum is 75 MiB.
_STORE: Final = 100_000_000
#: Ray's settings: no usage statistics, and an unchanged environment of workers.
_ENVIRONMENT: Final = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"}

#: Makes Ray use the loopback address on every system, as on macOS and Windows; `_node_ip_address` does not.
_LOOPBACK: Final = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}


def drive(connection: Connection, address: str) -> None:
    """Serve the process at the other end of a connection until it sends `CLOSE` or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Ray's output at the loss of its head is dropped: the command prints a line instead.
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    os.environ.update(_ENVIRONMENT)
    inbox: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, inbox), daemon=True).start()
    try:
        head = _enter(address)
    except Exception as error:
        connection.send(("lost", _words(error)))
        return
    try:
        _Driver(connection, inbox, head).run()
    finally:
        import ray

        ray.shutdown()


def _listen(connection: Connection, inbox: SimpleQueue[Any]) -> None:
    """Receive messages; end this process, and with it a local cluster, when the other process ends."""
    while True:
        try:
            inbox.put(connection.recv())
        except (EOFError, OSError):
            os._exit(1)


def _enter(address: str) -> tuple[str, int]:
    """Connect to a cluster, or start one; return the address of its head."""
    if address == "local":
        os.environ.update(_LOOPBACK)
    else:
        _check(*_split(address))  # before the import of Ray, which takes a second
    import ray

    if address == "local":
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        ray.init(
            address="local",
            num_cpus=processors,
            object_store_memory=_STORE,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    else:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    return _split(ray.get_runtime_context().gcs_address)


def _split(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise ClusterError("name a cluster as local or HOST:PORT")
    return host, int(port)


def _check(host: str, port: int) -> None:
    """Raise `ConnectionError` if no head answers."""
    try:
        socket.create_connection((host, port), _TIMEOUT).close()
    except OSError as error:
        raise ConnectionError(f"no head of a Ray cluster answers at {host}:{port} ({error})") from None


def _words(error: Exception) -> str:
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0]


class _Driver:
    """One connection to a cluster."""

    def __init__(self, connection: Connection, inbox: SimpleQueue[Any], head: tuple[str, int]) -> None:
        import ray

        self._connection = connection
        self._sending = threading.Lock()
        self._inbox = inbox
        self._head = head
        self._do = ray.remote(num_cpus=1, max_retries=-1)(answer)
        self._running: dict[Any, int] = {}
        self._wanted = 0
        self._processors = -1

    def run(self) -> None:
        """Run jobs until the other process sends `CLOSE` or the cluster is lost."""
        import ray

        threading.Thread(target=self._watch, daemon=True).start()
        looked = 0.0
        while True:
            if time.monotonic() - looked > _LOOK:
                self._look(int(cast("Any", ray).cluster_resources().get("CPU", 0)))
                looked = time.monotonic()
            if not self._take():
                return
            if self._running:
                self._hand_on()
            self._want()

    def _look(self, processors: int) -> None:
        if processors != self._processors:
            self._processors = processors
            self._send("processors", processors)
            self._want()

    def _want(self) -> None:
        """Request enough jobs to keep all processors busy."""
        more = max(_AHEAD * self._processors, 1) - len(self._running) - self._wanted
        if more > 0:
            self._wanted += more
            self._send("want", more)

    def _take(self) -> bool:
        """Submit received jobs to Ray; return whether to continue."""
        patience = 0.0 if self._running else _TICK
        while True:
            try:
                message = self._inbox.get(timeout=patience)
            except Empty:
                return True
            if message == CLOSE:
                return False
            ticket, job = message
            self._running[self._do.remote(job)] = ticket
            self._wanted -= 1
            patience = 0.0

    def _hand_on(self) -> None:
        """Send available answers."""
        import ray

        done, _ = ray.wait(list(self._running), num_returns=1, timeout=_TICK)
        for reference in done:
            try:
                answered = ray.get(reference)
            except ray.exceptions.RayTaskError as error:
                self._send("failed", f"a worker cannot do jobs: {_words(error.cause or error)}")
                return
            except ray.exceptions.RayError as error:
                self._leave(_words(error))
            self._send("answer", self._running.pop(reference), answered)

    def _watch(self) -> None:
        """Check the head; Ray itself would wait for a minute and then end this process."""
        misses = 0
        while misses < _MISSES:
            time.sleep(_LOOK)
            try:
                _check(*self._head)
                misses = 0
            except ConnectionError:
                misses += 1
        self._leave(f"the head of the cluster at {self._head[0]}:{self._head[1]} is gone")

    def _leave(self, words: str) -> None:
        self._send("lost", words)
        os._exit(1)

    def _send(self, *message: Any) -> None:
        with self._sending:
            self._connection.send(message)

"""Work in jobs: in this process, in processes of this machine, or on the machines of a Ray cluster.

A job is a module's function and one argument, both picklable. Its result depends only on the argument, so that a job
may run anywhere and be repeated. `workers` selects the executor; `Workers.each` yields results as they come, `in_order`
in the order of the jobs.

>>> with workers() as here:
...     list(in_order(here.each(abs, [-3, 2, -1])))
[3, 2, 1]
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import get_context, parent_process
from typing import Final, Protocol, Self, TypeVar, runtime_checkable

from janshi.cluster.jobs import ClusterError
from janshi.installing import lacking

Job = TypeVar("Job")
Result = TypeVar("Result")

#: Address of a cluster of this machine only, which ends with the command.
LOCAL: Final = "local"
#: Submitted jobs for each process: enough to keep it busy, and few enough for a quick end after an interruption.
AHEAD: Final = 2


@runtime_checkable
class Workers(Protocol):
    """Executor of jobs."""

    processes: int
    """Number of parallel jobs; on a cluster it changes as machines come and go."""

    def each(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[tuple[int, Result]]:
        """Yield the index and the result of each job as they come. Raises the exception of a job.

        Jobs are taken from ``jobs`` as workers become free.
        """
        ...


def in_order(results: Iterable[tuple[int, Result]]) -> Iterator[Result]:
    """Yield results in the order of their indices, which are complete from 0.

    >>> list(in_order([(1, "b"), (0, "a"), (2, "c")]))
    ['a', 'b', 'c']
    """
    early: dict[int, Result] = {}
    number = 0
    for found, result in results:
        early[found] = result
        while number in early:
            yield early.pop(number)
            number += 1


@contextmanager
def workers(
    cluster: str | None = None, processes: int = 1, *, say: Callable[[str], None] | None = None
) -> Iterator[Workers]:
    """Yield the workers of a Ray cluster, or processes of this machine; a single process is this one.

    Args:
        cluster: ``local`` for a cluster of this machine's cores, or ``HOST:PORT`` of the head of a running one.
        processes: number of processes without a cluster.
        say: called with a line when the cluster is lost or found again; default: printing to standard error.

    Raises `ClusterError` if Ray is not installed or the cluster cannot be reached.
    """
    if cluster is None:
        if processes == 1:
            yield Here()
            return
        with Processes(processes) as here:
            yield here
        return
    if find_spec("ray") is None:
        raise ClusterError(f"--cluster {cluster} {lacking('ray', 'cluster')}")
    from janshi.cluster.remote import RayWorkers

    with RayWorkers(cluster, say or _print) as team:
        yield team


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class Here:
    """The current process, which runs one job after another."""

    processes = 1

    def each(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[tuple[int, Result]]:
        """See `Workers`."""
        for number, job in enumerate(jobs):
            yield number, work(job)


class Processes:
    """Processes of this machine, which start with the first jobs and serve every call of `each` until the end."""

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_settle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        self._pool.shutdown(wait=error is None, cancel_futures=True)

    def each(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[tuple[int, Result]]:
        """See `Workers`. Raises `ClusterError` if a process was killed; no further jobs are possible then."""
        try:
            yield from _results(self._pool, work, jobs, AHEAD * self.processes)
        except BrokenProcessPool:
            raise ClusterError("a worker process was killed, perhaps for lack of memory") from None


class Threads:
    """Threads of this process, for jobs that mostly run compiled code and networks, which need no interpreter lock.

    No job is submitted before a thread is free: at most one a thread still runs when results are no longer taken.
    """

    def __init__(self, threads: int) -> None:
        self.processes = threads
        self._pool = ThreadPoolExecutor(threads, "jobs")

    def each(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[tuple[int, Result]]:
        """See `Workers`."""
        return _results(self._pool, work, jobs, self.processes)


def _results(
    pool: Executor, work: Callable[[Job], Result], jobs: Iterable[Job], most: int
) -> Iterator[tuple[int, Result]]:
    """Yield the index and the result of each job as they come, with at most ``most`` submitted jobs."""
    numbered = enumerate(jobs)
    running: dict[Future[Result], int] = {}
    try:
        while True:
            while len(running) < most and (job := next(numbered, None)) is not None:
                running[pool.submit(work, job[1])] = job[0]
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()
    finally:
        for waiting in running:
            waiting.cancel()


def _end_with_parent() -> None:
    """End this process when its parent has ended: a killed parent cannot stop it."""
    parent = parent_process()
    assert parent is not None, "workers are child processes"
    parent.join()
    os._exit(1)


def _settle() -> None:
    """Let Ctrl-C end this worker process silently, limit it to one core, and end it with its parent."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ["OMP_NUM_THREADS"] = "1"


__all__ = ["AHEAD", "LOCAL", "ClusterError", "Here", "Processes", "Threads", "Workers", "in_order", "workers"]

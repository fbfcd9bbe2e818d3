"""Work in jobs: in this process, in processes of this machine, or on the machines of a Ray cluster.

A job is a function of a module and one argument, both of which can be pickled. Its result depends on the argument
alone, so that it does not matter where a job runs, or how often. `workers` says where; `Workers.each` yields results as
they come, `in_order` in the order of the jobs.

>>> with workers() as here:
...     list(in_order(here.each(abs, [-3, 2, -1])))
[3, 2, 1]
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Final, Protocol, TypeVar, runtime_checkable

from janshi.cluster.jobs import ClusterError
from janshi.installing import lacking

Job = TypeVar("Job")
Result = TypeVar("Result")

#: The address of a cluster of this machine alone, which ends with the command.
LOCAL: Final = "local"
#: Jobs handed out for each process: enough to keep it busy, and few enough that an interruption ends them soon.
AHEAD: Final = 2


@runtime_checkable
class Workers(Protocol):
    """Executor of jobs."""

    processes: int
    """Jobs that run at the same time; on a cluster it changes as machines come and go."""

    def each(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[tuple[int, Result]]:
        """Yield the number of each job, from 0, and its result, as they come. Raises what a job raises.

        Jobs are taken from ``jobs`` as workers become free.
        """
        ...


def in_order(results: Iterable[tuple[int, Result]]) -> Iterator[Result]:
    """Yield numbered results in the order of their numbers, which begin at 0 and leave none out.

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
    """Give the workers of a Ray cluster, or so many processes of this machine; one is this process itself.

    Args:
        cluster: ``local`` for a cluster of this machine's cores, or ``HOST:PORT`` of the head of a running one.
        processes: of this machine, where no cluster is named.
        say: called with a line when the cluster is lost or there again; by default it is printed on standard error.

    Raises `ClusterError` where Ray is not installed or the cluster cannot be reached.
    """
    if cluster is None:
        yield Here() if processes == 1 else Processes(processes)
        return
    if find_spec("ray") is None:
        raise ClusterError(f"--cluster {cluster} {lacking('ray', 'cluster')}")
    from janshi.cluster.remote import RayWorkers

    with RayWorkers(cluster, say or _print) as team:
        yield team


def _print(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class Here:
    """The process itself, which does one job after the other."""

    processes = 1

    def each(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[tuple[int, Result]]:
        """See `Workers`."""
        for number, job in enumerate(jobs):
            yield number, work(job)


class Processes:
    """Processes of this machine."""

    def __init__(self, processes: int) -> None:
        self.processes = processes

    def each(self, work: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[tuple[int, Result]]:
        """See `Workers`. Raises `ClusterError` where a process was ended from outside."""
        numbered = enumerate(jobs)
        with ProcessPoolExecutor(self.processes, mp_context=get_context("spawn"), initializer=_settle) as pool:
            running: dict[Future[Result], int] = {}
            try:
                while True:
                    while len(running) < AHEAD * self.processes and (job := next(numbered, None)) is not None:
                        running[pool.submit(work, job[1])] = job[0]
                    if not running:
                        return
                    for done in wait(running, return_when=FIRST_COMPLETED).done:
                        yield running.pop(done), done.result()
            except BrokenProcessPool:
                raise ClusterError("a process was ended from outside, perhaps as memory ran out") from None
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _settle() -> None:
    """Let Ctrl-C end a process without a word, and have it take one core."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.environ["OMP_NUM_THREADS"] = "1"


__all__ = ["AHEAD", "LOCAL", "ClusterError", "Here", "Processes", "Workers", "in_order", "workers"]

"""Jobs of the tests for workers."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from janshi.cluster import ClusterError


def square(number: int) -> int:
    return number * number


def process(_: int) -> int:
    time.sleep(0.05)
    return os.getpid()


def slow_square(number: int) -> int:
    time.sleep(0.25)
    return number * number


def threads(number: int) -> str:
    return os.environ["OMP_NUM_THREADS"]


def fail_at_three(number: int) -> int:
    if number == 3:
        raise ClusterError("no job 'three'")
    return number


def end_the_worker_once(marker: str) -> str:
    """Kill this process as the system does when memory runs out, unless it was done before."""
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def note_and_wait(folder: str) -> None:
    """Write the number of this process to a folder, and go on for a minute."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(60)


def know_agent(name: str) -> bool:
    from janshi.agents import AGENTS

    return name in AGENTS


def folder(_: int) -> str:
    return os.getcwd()


class Backwards:
    """Runs the jobs in reverse order, which parallel processes may do."""

    processes = 2

    def each(self, work: Callable[[Any], Any], jobs: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        yield from [(number, work(job)) for number, job in reversed(list(enumerate(jobs)))]

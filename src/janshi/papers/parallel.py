"""Parts of a stage in parallel: in separate processes, each with its share of the cores, or on a cluster.

Steps over few situations do not profit from several threads; several networks at once do.
"""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import signal
import socket
import threading
import traceback
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Final, cast

from janshi.cluster import workers
from janshi.installing import naming_extra
from janshi.papers.runner import ReproduceError, Run

with naming_extra(__name__):
    import torch

#: A part: ``(run, number, name)``. It is a function of a module, and reports the progress of all parts as if those
#: before it were done.
Part = Callable[[Run, int, str], Any]

#: Memory of a GPU for each process, in bytes.
_GPU_MEMORY: Final = 8 << 30
#: Last message of a process whose part is done.
_DONE: Final = "done"


def each(run: Run, part: Part, names: Sequence[str]) -> dict[str, Any]:
    """Return the results of a part of a stage for each name; compute and keep those that no earlier run has kept.

    The parts run side by side if the scale's ``side_by_side`` is true.
    """
    kept = partial(_kept, part)
    if run.scale.side_by_side:
        side_by_side(run, kept, names)
    return {name: kept(run, number, name) for number, name in enumerate(names)}


def _kept(part: Part, run: Run, number: int, name: str) -> Any:
    return run.once(name, lambda: part(run, number, name))


def side_by_side(run: Run, part: Part, names: Sequence[str]) -> None:
    """Run a part of a stage for each name: as many at once as torch has threads and a GPU has memory for.

    If the run names a cluster, its workers run the parts, one core each, in the same folder. The processes end when
    this one does, however it ends; results already kept remain. Raises a part's error, and `ReproduceError`
    if a process was killed.
    """
    if run.options.cluster is not None:
        _on_cluster(run, part, names)
        return
    threads = torch.get_num_threads()
    workers = min(len(names), threads)
    if torch.cuda.is_available():
        workers = min(workers, torch.cuda.get_device_properties(0).total_memory // _GPU_MEMORY)
    if workers < 2:
        for number, name in enumerate(names):
            part(run, number, name)
        return
    quiet = dataclasses.replace(run, progress=_silent)
    waiting = deque(enumerate(names))
    running: dict[Connection, tuple[int, SpawnProcess]] = {}
    done = dict.fromkeys(range(len(names)), 0.0)
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                number, name = waiting.popleft()
                connection, process = _begin(part, quiet, number, name, threads // workers)
                running[connection] = number, process
            for connection in cast("list[Connection]", wait(list(running))):
                number, process = running[connection]
                said = _next(connection)
                if said is None:
                    del running[connection]
                    process.join()
                    continue
                done[number], text = said
                run.report(text, sum(done.values()), len(names))
    finally:
        for connection in running:
            connection.close()
        for _, process in running.values():
            process.join()


def _on_cluster(run: Run, part: Part, names: Sequence[str]) -> None:
    """Run a part for each name on the workers of a cluster."""
    quiet = dataclasses.replace(run, progress=_silent)
    todo = [(part, quiet, number, name) for number, name in enumerate(names)]
    with workers(run.options.cluster) as team:
        for done, (number, _) in enumerate(team.each(_do_alone, todo), start=1):
            run.report(names[number], done, len(names))


def _do_alone(job: tuple[Part, Run, int, str]) -> None:
    """Run a part on a worker; its results are kept in the run's folder."""
    part, run, number, name = job
    if not run.folder.is_dir():
        here = socket.gethostname()
        raise ReproduceError(f"worker {here} has no folder {run.folder}: name one that all machines share")
    torch.set_num_threads(1)
    part(run, number, name)


def _silent(text: str, done: float, total: float | None) -> None:
    """Discard a report."""


def _begin(part: Part, run: Run, number: int, name: str, threads: int) -> tuple[Connection, SpawnProcess]:
    """Start a process that runs a part; return its pipe and the process."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with theirs:
        process = context.Process(target=_do, args=(theirs, part, run, number, name, threads))
        process.start()
    return ours, process


def _next(connection: Connection) -> tuple[float, str] | None:
    """Return the next report of a process (amount done, and text), or None at its end. Raises the part's error."""
    try:
        said = connection.recv()
    except (EOFError, OSError):
        words = "a worker process was killed, perhaps for lack of memory; run the same command to resume"
        raise ReproduceError(words) from None
    if isinstance(said, BaseException):
        raise said
    return None if said == _DONE else cast("tuple[float, str]", said)


# ---------------------------------------------------------------------------------------------------------
# In the processes


def _do(connection: Connection, part: Part, run: Run, number: int, name: str, threads: int) -> None:
    """Run a part; Ctrl-C is left to the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    torch.set_num_threads(threads)
    threading.Thread(target=_end_with, args=(connection,), daemon=True).start()

    def progress(text: str, done: float, total: float | None) -> None:
        connection.send((done - number, text))

    try:
        part(dataclasses.replace(run, progress=progress), number, name)
    except Exception as error:
        error.add_note(traceback.format_exc())
        connection.send(error)
    else:
        connection.send(_DONE)


def _end_with(first: Connection) -> None:
    """End this process when the parent closes its pipe; files are written atomically, so this breaks nothing."""
    first.poll(None)
    os._exit(1)

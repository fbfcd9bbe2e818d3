"""Parts of a stage side by side: in processes of their own, each with its share of the cores.

A step over a few situations is too small for several threads to make it quicker; several networks at once are.
"""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from typing import Any, Final

import torch

from janshi.papers.runner import ReproduceError, Run

#: A part: ``(run, number, name)``. It is a function of a module, keeps its result with `Run.keep_part`, and reports
#: how much of all parts is done as if those before it were.
Part = Callable[[Run, int, str], None]

#: Seconds between two looks at what the processes say.
_LOOK: Final = 0.2


def side_by_side(run: Run, part: Part, names: Sequence[str]) -> None:
    """Do a part of a stage for each name: as many at once as torch has threads, on a GPU one after another.

    The processes end when this one does, however it ends; what their parts have kept stays. Raises what a part raises,
    and `ReproduceError` where a process was ended from outside.
    """
    threads = 1 if torch.cuda.is_available() else torch.get_num_threads()
    workers = min(len(names), threads)
    if workers < 2:
        for number, name in enumerate(names):
            part(run, number, name)
        return
    context = multiprocessing.get_context("spawn")
    said = context.Queue()
    # Nothing is ever sent: that this end is closed, by hand or as this process is gone, ends the other ones.
    theirs, ours = context.Pipe(duplex=False)
    done = dict.fromkeys(range(len(names)), 0.0)
    quiet = dataclasses.replace(run, progress=_silent, interrupted=[False])
    try:
        with theirs, ours, ProcessPoolExecutor(workers, context, _begin, (said, theirs, threads // workers)) as pool:
            try:
                left = {pool.submit(_do, part, quiet, number, name) for number, name in enumerate(names)}
                while left:
                    over, left = wait(left, _LOOK, FIRST_COMPLETED)
                    for number, share, text in _messages(said):
                        done[number] = share
                        run.report(text, sum(done.values()), len(names))
                    for future in over:
                        future.result()
            except BaseException:
                ours.close()
                raise
    except BrokenProcessPool:
        raise ReproduceError(
            "a process that did a part of the work was ended from outside, perhaps as memory ran out; "
            "the same command goes on"
        ) from None


def _silent(text: str, done: float, total: float | None) -> None:
    """Report nothing."""


def _messages(said: Any) -> Iterator[tuple[int, float, str]]:
    while True:
        try:
            yield said.get_nowait()
        except queue.Empty:
            return


# ---------------------------------------------------------------------------------------------------------
# In the processes

_said: Any = None


def _begin(said: Any, first: Connection, threads: int) -> None:
    """Make a process ready: Ctrl-C is the first process's matter."""
    global _said
    _said = said
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    torch.set_num_threads(threads)
    threading.Thread(target=_end_with, args=(first,), daemon=True).start()


def _end_with(first: Connection) -> None:
    """End this process when the first one says so or is gone: files are written in one step, so that nothing breaks."""
    first.poll(None)
    os._exit(1)


def _do(part: Part, run: Run, number: int, name: str) -> None:
    def progress(text: str, done: float, total: float | None) -> None:
        _said.put((number, done - number, text))

    part(dataclasses.replace(run, progress=progress), number, name)

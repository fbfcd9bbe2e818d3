"""Parallel compilation: `prepare`.

Helper processes compile units into the cache; this process assigns the units. A unit is an entry, or a rule whose
bitcode is cached (`janshi.compiling.rules.is_kept`). A unit waits for the rules that it calls. If a helper dies, its
unit is compiled by the first caller.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import multiprocessing
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from graphlib import TopologicalSorter
from itertools import groupby
from typing import IO, Any, Final

from janshi.compiling import rules
from janshi.compiling.batches import CLEARING, Batched, batched
from janshi.compiling.cache import is_cached
from janshi.compiling.records import PLAIN
from janshi.compiling.rules import ENTRIES, LOADING, RULES, Entry, callees, inner, is_kept, name_of

#: Seconds without any answer after which the helpers are ended.
_PATIENCE: Final = 300
#: Least size of what a first call needs, in bytes of Python bytecode, to start helpers: some three seconds of
#: compilation, of which the start of the helpers takes one.
_SHARED_BYTES: Final = 20_000
_ENTRIES, _RULE, _DONE, _FAILED = "entries", "rule", "done", "failed"

_Unit = tuple[str, str]
Prepared = Entry[..., Any] | Batched


class _Plan:
    """The units to compile, in an order that respects their dependencies, longest remaining path first."""

    def __init__(self, entries: Sequence[Prepared], *, by_module: bool) -> None:
        self.needs: dict[_Unit, set[_Unit]] = {}
        self.done = 0
        self._sizes: dict[_Unit, int] = {}
        self._functions: dict[_Unit, Sequence[Callable[..., Any]]] = {}
        for names, functions in _libraries(entries, by_module=by_module):
            unit = _ENTRIES, " ".join(names)
            self._add(unit, functions)
            # Rules are optimised with the entries that call them, which takes half as long as their compilation.
            self._sizes[unit] += sum(self._sizes[each] for each in self._below(unit)) // 2
        #: Work on the longest path from a unit to the end.
        self._ranks = dict(self._sizes)
        for unit in reversed([*TopologicalSorter(self.needs).static_order()]):
            for needed in self.needs[unit]:
                self._ranks[needed] = max(self._ranks[needed], self._sizes[needed] + self._ranks[unit])
        self._ready: list[_Unit] = []
        self._waiting = TopologicalSorter(self.needs)
        self._waiting.prepare()

    def _add(self, unit: _Unit, functions: Sequence[Callable[..., Any]]) -> None:
        if unit in self.needs:
            return
        parts = dict.fromkeys(part for function in functions for part in inner(function))
        kept = {callee for each in parts for callee in callees(each) if is_kept(callee)} - {*functions}
        self.needs[unit] = {(_RULE, name_of(callee)) for callee in kept}
        self._functions[unit] = functions
        self._sizes[unit] = sum(len(each.__code__.co_code) for each in parts)
        for callee in kept:
            self._add((_RULE, name_of(callee)), [callee])

    def _below(self, unit: _Unit) -> set[_Unit]:
        """Return the units that a unit needs, directly or not."""
        needed = self.needs[unit]
        return needed.union(*(self._below(each) for each in needed))

    def take(self) -> _Unit | None:
        """Return the next unit to compile, or None if all remaining units wait for others."""
        self._ready += self._waiting.get_ready()
        self._ready.sort(key=lambda unit: (self._ranks[unit], unit))
        return self._ready.pop() if self._ready else None

    def finish(self, unit: _Unit) -> None:
        """Mark a unit as compiled."""
        self._waiting.done(unit)
        self.done += 1

    def missing_bytes(self) -> int:
        """Return the size of the units of whose modules the cache has no code."""
        missing = [unit for unit, functions in self._functions.items() if not any(map(is_cached, functions))]
        return sum(self._sizes[unit] for unit in missing)


def _libraries(
    entries: Sequence[Prepared], *, by_module: bool
) -> Iterator[tuple[list[str], list[Callable[..., Any]]]]:
    """Yield the names and functions of the entries of each shared library: those of one package, or of one module."""
    def library_of(entry: Prepared) -> str:
        return entry.__module__ if by_module else ".".join(entry.__module__.split(".")[:2])

    for _, members in groupby(sorted(entries, key=library_of), library_of):
        chosen = [*members]
        yield [entry.name for entry in chosen], [entry.entry.py_func for entry in chosen]


class _Helper:
    """A process that compiles units on request."""

    def __init__(self, answers: queue.Queue[tuple[_Helper, str]]) -> None:
        self.unit: _Unit | None = None
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from janshi.compiling.preparing import help_out; help_out()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # the caller of a function that cannot be compiled gets the full error
            text=True,
        )
        atexit.register(self.end)  # at the end of a program that prepares in a thread
        self._input: IO[str] = self._process.stdin  # type: ignore[assignment]
        self._send(sys.path)
        threading.Thread(target=self._listen, args=(answers,), daemon=True).start()

    def _listen(self, answers: queue.Queue[tuple[_Helper, str]]) -> None:
        for line in self._process.stdout or ():
            answers.put((self, line.strip()))
        answers.put((self, ""))

    def _send(self, message: object) -> None:
        with suppress(OSError):  # it has died: `_listen` reports that
            self._input.write(json.dumps(message) + "\n")
            self._input.flush()

    def ask(self, unit: _Unit) -> None:
        """Send a unit to compile."""
        self.unit = unit
        self._send(unit)

    def end(self) -> None:
        """End the process."""
        atexit.unregister(self.end)
        with suppress(OSError):
            self._input.close()
        self._process.terminate()
        self._process.wait()


def are_kept(entries: Sequence[Prepared]) -> bool:
    """Load functions from the cache; return whether all of them are in it."""
    missing = [entry for entry in entries if not entry.entry.load_kept()]
    return PLAIN or not missing


def prepare(
    entries: Sequence[Prepared],
    processes: int = 2,
    progress: Callable[[int, int], None] | None = None,
    *,
    by_module: bool = False,
) -> None:
    """Load functions from the cache, or compile them in ``processes`` helper processes.

    Meanwhile, other threads that call brief functions run them as plain Python: see `Entry.usable`. ``progress`` is
    called with the numbers of compiled units and of all units. ``by_module``: a library contains the entries of a
    module instead of a package, which takes less time for few of them. If nothing needs compiling, no process is
    started. In plain mode nothing happens.
    """
    if PLAIN:
        return
    # Numba, which loads code, is imported when the helpers have started.
    missing = [entry for entry in entries if not (is_cached(entry.entry.py_func) and entry.entry.load_kept())]
    if missing and processes > 1:
        rules.say(missing[0].__name__)
        for entry in missing:
            entry.entry.in_preparation = True
        try:
            plan = _Plan(missing, by_module=by_module)
            _compile_in_helpers(plan, processes, progress or (lambda done, count: None))
        finally:
            for entry in missing:
                entry.entry.in_preparation = False
    for entry in missing:
        entry.entry.loaded()


def _compile_in_helpers(plan: _Plan, processes: int, progress: Callable[[int, int], None]) -> None:
    answers: queue.Queue[tuple[_Helper, str]] = queue.Queue()
    helpers = {_Helper(answers) for _ in range(processes)}
    working = set(helpers)
    idle: set[_Helper] = set()
    try:
        while working:
            helper, answer = answers.get(timeout=_PATIENCE)
            unit, helper.unit = helper.unit, None
            if not answer:
                working.discard(helper)  # its unit is left to the first caller, as the unit may be the cause
            else:
                idle.add(helper)
            if answer == _DONE and unit is not None:
                plan.finish(unit)
                progress(plan.done, len(plan.needs))
            for free in sorted(idle, key=id):
                next_unit = plan.take()
                if next_unit is None:
                    importlib.import_module("numba")  # a core is free
                    break
                idle.discard(free)
                free.ask(next_unit)
            if working == idle:
                break
    except queue.Empty:
        pass
    finally:
        for helper in helpers:
            helper.end()


def share_first_call(entry: Entry[..., Any]) -> None:
    """Compile an entry in helper processes, if it needs much that is not in the cache.

    The others of its module and expected ones (`Batched.is_expected`) are compiled with it, a library each module.

    Processes of `multiprocessing` start no helpers, because many of them may make the same first call.
    """
    if multiprocessing.parent_process() is not None or (os.cpu_count() or 1) < 2:
        return
    entries = [each for each in ENTRIES.values() if each.__module__ == entry.__module__ or each.is_expected]
    if _Plan(entries, by_module=True).missing_bytes() >= _SHARED_BYTES:
        prepare(entries, by_module=True)


rules.share_first_call = share_first_call


def help_out() -> None:
    """Compile the units named on standard input, one a line, until its end."""
    importlib.import_module("numba")
    gc.disable()  # Numba makes millions of small objects, and a helper ends soon
    answers, sys.stdout = sys.stdout, sys.stderr  # modules may print
    rules.announce(lambda name: None)
    sys.path[:] = json.loads(sys.stdin.readline())
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        kind, names = json.loads(line)
        try:
            for name in names.split():
                importlib.import_module(name.partition(":")[0])
            with _without_scipy():
                _compile_unit(kind, names)
        except Exception:
            print(_FAILED, file=answers, flush=True)
        else:
            print(_DONE, file=answers, flush=True)


@contextmanager
def _without_scipy() -> Iterator[None]:
    """Hide SciPy from Numba, which would import scipy.linalg (0.3 s); no rule uses it."""
    before = sys.modules.pop("scipy", None)
    sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["scipy"]
        if before is not None:
            sys.modules["scipy"] = before


def _compile_unit(kind: str, names: str) -> None:
    functions = {name_of(function): function for function in RULES}
    if kind == _RULE:
        with LOADING, rules.deferring():
            rules.compile_rule(functions[names])
        return
    entries = []
    for name in names.split():
        function, _, clears = name.partition(CLEARING)
        entries.append((ENTRIES.get(name) or batched(functions[function], clears=clears)).entry)
    rules.compile_together(".".join(entries[0].__module__.split(".")[:2]), entries)

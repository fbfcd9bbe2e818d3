"""Compiled functions for every row of a batch: `batched`."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Annotated, Any, Final, cast, get_args, get_origin, get_type_hints

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from janshi.compiling.records import PLAIN, Shared, TableRecord, Workspace, numba_type, zeros
from janshi.compiling.rules import RULES, Entry


@lru_cache(maxsize=8)
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "janshi")


class Batched:
    """A compiled function for every row of a batch: see `batched`.

    Call it with one array for each parameter of the function, in order, but for `Shared` and `Workspace` records:
    records (n,), numbers (n,) where the parameter is an `Int8` …, rows (n, k) where it is an array (k,); plain ``int``,
    ``bool`` and ``float`` are the same for all rows. Tables (`TableRecord`) are those of ``which`` (n; all by default).
    ``threads``: the rows are split among so many; results do not depend on it. Returns an array of what the function
    returns where that is an `Int8` …, the sum where it is an ``int``, 0 for None. Raises `ValueError` where the arrays
    are not of equal length.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function = getattr(function, "py_func", function)
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._entry: Callable[..., int] | None = None
        self._local = threading.local()

    def _prepare(self) -> Callable[..., int]:
        """Read the function's annotations and make its loop, at the first call: imports are quicker without."""
        self._hints = get_type_hints(self.function, include_extras=True)
        names = list(inspect.signature(self.function).parameters)
        supplied = [name for name in names if self._is(name, Shared) or self._is(name, Workspace)]
        self._supplied = [self._hints[name] for name in supplied]
        self._given = [name for name in names if name not in supplied]
        self._tables = [number for number, name in enumerate(self._given) if self._is(name, TableRecord)]
        self._rows = [
            number
            for number, name in enumerate(self._given)
            if number not in self._tables and self._hints[name] not in (int, bool, float)
        ]
        result = self._hints["return"]
        self._collects = get_origin(result) is Annotated
        self._results = np.zeros(0, get_args(result)[1] if self._collects else np.int8)
        self._entry = Entry(self._loop(names, supplied), lambda: self._signature(supplied))
        return self._entry

    def _is(self, name: str, base: type) -> bool:
        hint = self._hints[name]
        return isinstance(hint, type) and issubclass(hint, base)

    def _loop(self, names: list[str], supplied: list[str]) -> Callable[..., Any]:
        """The loop over the rows, as a function that stands in the file of the function itself."""
        by_row = [self._given[number] for number in self._rows]
        by_table = [self._given[number] for number in self._tables]
        index = dict.fromkeys(supplied, "[0]") | dict.fromkeys(by_row, "[row_]")
        index |= dict.fromkeys(by_table, "[table_]")
        call = f"_function({', '.join(name + index.get(name, '') for name in names)})"
        keeps = {int: "total_ += ", type(None): ""}.get(self._hints["return"], "results_[row_] = ")
        source = [
            f"def {self.__name__}_batch({', '.join([*supplied, *self._given, *_BATCH_ARGUMENTS])}):",
            "    total_ = 0",
            "    for row_ in range(first_, last_):",
            *(["        table_ = which_[row_]"] if by_table else []),
            f"        {keeps}{call}",
            "    return total_",
        ]
        code = compile("\n".join(source), self.function.__code__.co_filename, "exec")
        space = {"_function": self.function if PLAIN else RULES[self.function], "__name__": self.__module__}
        exec(code, space)
        return cast("Callable[..., Any]", space[f"{self.__name__}_batch"])

    def _signature(self, supplied: list[str]) -> Any:
        def batch(hint: Any) -> Any:
            if hint in (int, bool, float):
                return numba_type(hint)
            if isinstance(hint, type):
                return types.Array(numba_type(hint), 1, "C")
            inner = get_args(hint)
            if isinstance(inner[1], str):
                row = numba_type(hint)
                return types.Array(row.dtype, row.ndim + 1, "C")
            return types.Array(numba.from_dtype(np.dtype(inner[1])), 1, "C")

        hints = [self._hints[name] for name in [*supplied, *self._given]]
        results = types.Array(numba.from_dtype(self._results.dtype), 1, "C")
        counts = (types.Array(types.int64, 1, "C"), types.int64, types.int64, results)
        return types.int64(*(batch(hint) for hint in hints), *counts)

    def _supply(self) -> list[Any]:
        """Shared records, and workspaces of this thread's own."""
        try:
            return cast("list[Any]", self._local.supplied)
        except AttributeError:
            made = [hint.shared() if issubclass(hint, Shared) else zeros(hint, 1) for hint in self._supplied]
            self._local.supplied = made
            return made

    def __call__(self, *arrays: Any, which: NDArray[np.int64] | None = None, threads: int = 1) -> Any:
        """Call the function for every row: see the class."""
        entry = self._entry or self._prepare()
        if self._tables:
            tables = len(arrays[self._tables[0]])
            which = _numbers(tables) if which is None else which
            count = len(which)
        else:
            which = _NO_TABLES
            count = len(arrays[self._rows[0]])
        for number in self._rows:
            if len(arrays[number]) != count:
                raise ValueError(f"{self.__name__}: {self._given[number]} has {len(arrays[number])} rows, not {count}")
        results = np.zeros(count, self._results.dtype) if self._collects else self._results
        if threads <= 1 or count < 2:
            total = entry(*self._supply(), *arrays, which, 0, count, results)
        else:
            bounds = np.linspace(0, count, min(threads, count) + 1).astype(int).tolist()

            def span(first: int, last: int) -> int:
                return entry(*self._supply(), *arrays, which, first, last, results)

            total = sum(_pool(threads).map(span, bounds[:-1], bounds[1:]))
        return results if self._collects else total


#: What a loop over a batch is given behind the function's own arguments.
_BATCH_ARGUMENTS: Final = ("which_", "first_", "last_", "results_")
_NO_TABLES: Final = np.zeros(0, np.int64)


@lru_cache(maxsize=64)
def _numbers(count: int) -> NDArray[np.int64]:
    """0 … count − 1; shared, so it cannot be written to."""
    numbers = np.arange(count)
    return numbers


def batched(function: Callable[..., Any]) -> Batched:
    """Make the loop over a batch of a `rule`: see `Batched`."""
    return Batched(function)

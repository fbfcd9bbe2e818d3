"""Compiled functions for every row of a batch: `batched`."""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from typing import Annotated, Any, Final, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from janshi.compiling.cache import TEMPLATE_FILE, is_cached
from janshi.compiling.records import PLAIN, Record, Shared, TableRecord, Workspace, dtype_of, numba_type, zeros
from janshi.compiling.rules import ENTRIES, LOADING, RULES, Entry, name_of

#: Parameters of a loop over a batch, after the function's own.
_BATCH_ARGUMENTS: Final = ("which_", "first_", "last_", "results_")
#: Result of a loop that has not begun because lengths differ or a table index is out of range.
_REFUSED: Final = -(1 << 62)
_NO_TABLES: Final = np.zeros(0, np.int64)
#: Separator in `Batched.name` between the function's name and the parameter that its loop clears.
CLEARING: Final = "|"
_SCALARS: Final = (int, bool, float)


@lru_cache(maxsize=64)
def _numbers(count: int) -> NDArray[np.int64]:
    """Return 0 … count − 1, an array shared by all callers."""
    return np.arange(count)


@lru_cache(maxsize=8)
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "janshi")


# A forked child inherits the pools without their threads.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)


class _Parameter:
    """One parameter of a `Batched` function."""

    def __init__(self, name: str, hint: Any) -> None:
        self.name = name
        self.hint = hint
        self.is_record = isinstance(hint, type) and issubclass(hint, Record)
        self.is_table = isinstance(hint, type) and issubclass(hint, TableRecord)
        self.is_supplied = isinstance(hint, type) and issubclass(hint, Shared | Workspace)
        self.is_scalar = hint in _SCALARS
        self.by_row = not (self.is_table or self.is_supplied or self.is_scalar)
        self.width: int | None = None  # length of each row, if annotated
        self.dims = 1  # dimensions of the argument, rows first
        if self.is_record:
            self.dtype = dtype_of(hint)
        elif not self.is_scalar:
            what, *more = get_args(hint)[1:]
            if isinstance(what, str):  # as in "int8[:]"
                name, _, shape = what.partition("[")
                self.dtype = np.dtype(name)
                self.dims = 1 + shape.count(":")
                self.width = more[0] if more else None
            else:
                self.dtype = np.dtype(what)

    @cached_property
    def numba_type(self) -> Any:
        """Numba's type of the argument."""
        if self.is_scalar:
            return numba_type(self.hint)
        from numba import from_dtype, types

        element = numba_type(self.hint) if self.is_record else from_dtype(self.dtype)
        return types.Array(element, self.dims, "C")

    def problem(self, array: object) -> str | None:
        """Return an error message for an argument of the wrong type, None for a correct one."""
        if self.is_scalar:
            fits = isinstance(array, (int, float, np.integer, np.floating, np.bool_))
            return None if fits else f"must be a single {self.hint.__name__}, not {type(array).__name__}"
        if not isinstance(array, np.ndarray):
            return f"must be a NumPy array, not {type(array).__name__}"
        if array.dtype != self.dtype:
            wanted = self.hint.__name__ if self.is_record else str(self.dtype)
            given = "other records" if array.dtype.names else str(array.dtype)
            return f"must be an array of {wanted}, not of {given}"
        if array.ndim != self.dims:
            return f"must be an array of {self.dims} dimension{'s' * (self.dims > 1)}, not of {array.ndim}"
        if not array.flags.carray:
            return "must be contiguous, aligned and writeable (numpy.ascontiguousarray, .copy())"
        return None


class Batched:
    """A compiled function for every row of a batch: see `batched`.

    Call it with one argument for each parameter of the function except `Shared` and `Workspace` records, in order:
    records (n,), numbers (n,) for an `Int8` …, rows (n, k) for an array (k,). A plain ``int``, ``bool`` or ``float``
    is the same for all rows. ``which`` (n, int64) selects the tables (`TableRecord`); default: all. The rows are split
    among ``threads``; results do not depend on it.

    Returns an array of the function's results if they are an `Int8` …, their sum if they are ``int``, 0 for None.

    Arguments are checked before anything changes. Raises `TypeError` for anything but a contiguous array of the right
    dtype, `ValueError` for arrays of different lengths or rows of another length than annotated
    (``Annotated[Bools, 122]``), `IndexError` for a table that does not exist.
    """

    def __init__(self, function: Callable[..., Any], clears: str = "", brief: bool = False) -> None:
        self.function = function = getattr(function, "py_func", function)
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._entry: Entry[..., int] | None = None
        self._call: Callable[..., int] | None = None
        self._local = threading.local()
        self._clears = clears
        self._brief = brief
        #: True if a program is going to call it: the first call of another function compiles it, too.
        self.is_expected = False
        self.name = name_of(function) + (f"{CLEARING}{clears}" if clears else "")
        ENTRIES[self.name] = self

    @property
    def entry(self) -> Entry[..., int]:
        """The loop over the rows as an `Entry`."""
        with LOADING:
            if self._entry is None:
                self._read_annotations()
                self._entry = Entry(self._loop(), self._signature, brief=self._brief)
            return self._entry

    def _read_annotations(self) -> None:
        hints = get_type_hints(self.function, include_extras=True)
        self._parameters = [_Parameter(name, hints[name]) for name in inspect.signature(self.function).parameters]
        self._given = [parameter for parameter in self._parameters if not parameter.is_supplied]
        self._supplied = [parameter.hint for parameter in self._parameters if parameter.is_supplied]
        self._has_tables = any(parameter.is_table for parameter in self._given)
        # The argument whose length is the number of tables, or of rows.
        counted = [
            number
            for number, parameter in enumerate(self._given)
            if (parameter.is_table if self._has_tables else parameter.by_row)
        ]
        if not counted:
            raise TypeError(f"{self.__name__}: no parameter has one row per call")
        self._counted = counted[0]
        self._result = hints["return"]
        self._collects = get_origin(self._result) is Annotated
        self._result_dtype = np.dtype(get_args(self._result)[1] if self._collects else np.int8)
        self._no_results = np.zeros(0, self._result_dtype)

    # -----------------------------------------------------------------------------------------------------
    # The loop

    def _loop(self) -> Callable[..., Any]:
        """Return the loop over the rows, compiled as code of the function's own file."""
        supplied = [parameter.name for parameter in self._parameters if parameter.is_supplied]
        tables = [parameter.name for parameter in self._given if parameter.is_table]
        rows = [parameter for parameter in self._given if parameter.by_row]
        index = dict.fromkeys(supplied, "[0]") | dict.fromkeys(tables, "[table_]")
        index |= {parameter.name: "[row_]" for parameter in rows}
        names = [parameter.name for parameter in self._parameters]
        call = f"_function({', '.join(name + index.get(name, '') for name in names)})"
        keeps = {int: "total_ += ", type(None): ""}.get(self._result, "results_[row_] = ")
        count = "len(which_)" if tables else f"len({rows[0].name})"
        lengths = [f"len({parameter.name}) != {count}" for parameter in rows]
        widths = [
            f"{parameter.name}.shape[1] != {parameter.width}" for parameter in rows if parameter.width is not None
        ]
        refused = " or ".join([f"last_ > {count}", *lengths, *widths])
        arguments = [*supplied, *(parameter.name for parameter in self._given), *_BATCH_ARGUMENTS]
        loop = f"{self.__name__}_batch" + (f"_clearing_{self._clears}" if self._clears else "")
        clearing = [
            f"        for column_ in range({self._clears}.shape[1]):",
            f"            {self._clears}[row_, column_] = 0",
        ]
        source = [
            f"def {loop}({', '.join(arguments)}):",
            f"    if {refused}:",
            f"        return {_REFUSED}",
        ]
        if tables:
            sizes = ", ".join(f"len({name})" for name in tables)
            source += [
                f"    size_ = {f'min({sizes})' if len(tables) > 1 else sizes}",
                "    for row_ in range(len(which_)):",
                "        if which_[row_] < 0 or which_[row_] >= size_:",
                f"            return {_REFUSED}",
            ]
        source += [
            "    total_ = 0",
            "    for row_ in range(first_, last_):",
            *(["        table_ = which_[row_]"] if tables else []),
            *(clearing if self._clears else []),
            f"        {keeps}{call}",
            "    return total_",
        ]
        code = compile("\n".join(source), self.function.__code__.co_filename, "exec")
        space = {"_function": self.function if PLAIN else RULES[self.function], "__name__": self.__module__}
        space[TEMPLATE_FILE] = self.function.__globals__.get(TEMPLATE_FILE, self.function.__code__.co_filename)
        exec(code, space)
        return cast("Callable[..., Any]", space[loop])

    def _signature(self) -> Any:
        from numba import from_dtype, types

        supplied = [parameter for parameter in self._parameters if parameter.is_supplied]
        results = types.Array(from_dtype(self._result_dtype), 1, "C")
        batch = (types.Array(types.int64, 1, "C"), types.int64, types.int64, results)
        return types.int64(*(parameter.numba_type for parameter in [*supplied, *self._given]), *batch)

    def _load(self) -> Callable[..., int]:
        entry = self.entry
        if not (PLAIN or entry.is_loaded or is_cached(entry.py_func)):
            # Shared records take a moment to make, which passes beside the compilation.
            threading.Thread(target=self._make_supplied, daemon=True).start()
        self._call = entry.compiled()
        return self._call

    def _usable(self, arrays: Sequence[Any], which: NDArray[np.int64] | None) -> Callable[..., int]:
        """Return the compiled loop, or for a few rows possibly a plain one: see `Entry.usable`."""
        entry = self.entry
        if not self._brief or len(arrays) != len(self._given):
            return self._load()
        rows = arrays[self._counted] if which is None else which
        call = entry.usable(len(rows) if isinstance(rows, np.ndarray) else 0)
        if entry.is_loaded:
            self._call = call
        return call

    def _make_supplied(self) -> tuple[Any, ...]:
        """Return the shared records, and new workspaces."""
        return tuple(hint.shared() if issubclass(hint, Shared) else zeros(hint, 1) for hint in self._supplied)

    # -----------------------------------------------------------------------------------------------------
    # Calling

    def __call__(self, *arrays: Any, which: NDArray[np.int64] | None = None, threads: int = 1) -> Any:
        """Call the function for every row: see the class."""
        call = self._call or self._usable(arrays, which)
        try:
            if self._has_tables:
                if which is None:
                    which = _numbers(len(arrays[self._counted]))
                count = len(which)
            else:
                if which is not None:
                    raise TypeError(f"{self.__name__}: only functions of tables accept `which`")
                which = _NO_TABLES
                count = len(arrays[self._counted])
            results = np.empty(count, self._result_dtype) if self._collects else self._no_results
            if threads > 1 and count > 1:
                total = self._split(call, arrays, which, results, threads)
            else:
                try:
                    supplied = self._local.supplied
                except AttributeError:
                    supplied = self._local.supplied = self._make_supplied()
                if PLAIN or call is not self._call:
                    self._check_types(arrays, which)
                total = call(*supplied, *arrays, which, 0, count, results)
        except (TypeError, IndexError):
            self._check_types(arrays, which)
            raise
        if total == _REFUSED:
            raise self._refusal(arrays, which)
        return results if self._collects else total

    def _split(
        self, call: Callable[..., int], arrays: Sequence[Any], which: Any, results: NDArray[Any], threads: int
    ) -> int:
        """Call the loop in several threads; return the sum of their results."""
        count = len(results) if self._collects else len(which if self._has_tables else arrays[self._counted])
        bounds = np.linspace(0, count, min(threads, count) + 1).astype(int).tolist()
        if PLAIN or call is not self._call:
            self._check_types(arrays, which)

        def span(first: int, last: int) -> int:
            try:
                supplied = self._local.supplied
            except AttributeError:
                supplied = self._local.supplied = self._make_supplied()
            return call(*supplied, *arrays, which, first, last, results)

        totals = list(_pool(threads).map(span, bounds[:-1], bounds[1:]))
        return _REFUSED if _REFUSED in totals else sum(totals)

    def bind(self, *arrays: Any, which: NDArray[np.int64] | None = None) -> Callable[[], Any]:
        """Return a function without arguments that repeats a call with these arguments, with less overhead.

        The contents of the arrays may change between calls; their types are checked here, once. A returned array is
        the same object each time. Only one thread at a time may call the function.
        """
        call = self._load()
        if self._has_tables and which is None and len(arrays) == len(self._given):
            which = np.arange(len(arrays[self._counted]))
        which = which if self._has_tables else _NO_TABLES
        self._check_types(arrays, which)
        values = [
            parameter.hint(value) if parameter.is_scalar else value
            for parameter, value in zip(self._given, arrays, strict=True)
        ]
        count = len(cast("NDArray[np.int64]", which)) if self._has_tables else len(arrays[self._counted])
        results = np.empty(count, self._result_dtype) if self._collects else self._no_results
        arguments = (*self._make_supplied(), *values, which, 0, count, results)
        # The types are checked: the call skips Numba's dispatch by type.
        direct = call if PLAIN else next(iter(cast("Any", call).overloads.values())).entry_point
        returned = results if self._collects else None

        def bound() -> Any:
            total = direct(*arguments)
            if total == _REFUSED:
                raise self._refusal(arrays, which)
            return total if returned is None else returned

        bound.keeps = call  # type: ignore[attr-defined]  # the machine code
        return bound

    # -----------------------------------------------------------------------------------------------------
    # Errors

    def _check_types(self, arrays: Sequence[Any], which: Any) -> None:
        """Raise `TypeError` if an argument has the wrong type."""
        if len(arrays) != len(self._given):
            names = ", ".join(parameter.name for parameter in self._given)
            raise TypeError(f"{self.__name__}: takes {len(self._given)} arguments ({names}), not {len(arrays)}")
        for parameter, array in zip(self._given, arrays, strict=True):
            if problem := parameter.problem(array):
                raise TypeError(f"{self.__name__}: {parameter.name}: {problem}")
        if self._has_tables and (problem := _WHICH.problem(which)):
            raise TypeError(f"{self.__name__}: which: {problem}")

    def _refusal(self, arrays: Sequence[Any], which: Any) -> Exception:
        """Return the error for a loop that returned `_REFUSED`."""
        count = len(which if self._has_tables else arrays[self._counted])
        for parameter, array in zip(self._given, arrays, strict=True):
            if parameter.by_row and len(array) != count:
                return ValueError(f"{self.__name__}: {parameter.name} has {len(array)} rows, not {count}")
            if parameter.width is not None and array.shape[1] != parameter.width:
                wrong = f"rows of {array.shape[1]}, not {parameter.width}"
                return ValueError(f"{self.__name__}: {parameter.name} has {wrong}")
        pairs = zip(self._given, arrays, strict=True)
        tables = min(len(array) for parameter, array in pairs if parameter.is_table)
        missing = which[(which < 0) | (which >= tables)][:1].tolist()
        return IndexError(f"{self.__name__}: no table {missing[0]}: there are {tables}, numbered from 0")


_WHICH: Final = _Parameter("which", Annotated[int, np.int64])


def batched(function: Callable[..., Any], *, clears: str = "", brief: bool = False) -> Batched:
    """Return the loop over a batch of a `rule`: see `Batched`.

    ``clears`` names a parameter, a row of numbers, that is set to zero before each call. Clearing row by row, in the
    processor's cache, is faster than clearing the whole array first. ``brief`` marks functions that take milliseconds
    a row as plain Python, so that the first few rows need not wait for the compiler: see `Entry.usable`.
    """
    return Batched(function, clears, brief)

"""Functions that Numba compiles: `rule`, `leaf`, `part` and `entry`."""

from __future__ import annotations

import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import lru_cache
from typing import Any, Final, Generic, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numba import njit
from numpy.typing import NDArray

from janshi.compiling.cache import folder_of_code
from janshi.compiling.records import PLAIN, signature_of

P = ParamSpec("P")
R = TypeVar("R")

#: Called with the name of each function about to be compiled; `announce` sets it. None: one line on stderr.
_listener: Callable[[str], None] | None = None
_announced = False


def announce(listener: Callable[[str], None] | None) -> None:
    """Have ``listener`` called with the name of each function before it is compiled (for progress displays)."""
    global _listener
    _listener = listener


def _say(name: str) -> None:
    global _announced
    if _listener is not None:
        _listener(name)
    elif not _announced:
        _announced = True
        print("janshi: compiling (once after an install or an edit) …", file=sys.stderr, flush=True)


#: Nobody calls these from Python or C: they need no wrappers.
_INNER: Final[dict[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_LOADING: Final = threading.RLock()
RULES: dict[Callable[..., Any], Any] = {}
_signatures: dict[Callable[..., Any], Any] = {}
compile_seconds: dict[str, float] = {}


def _dispatcher(function: Callable[..., Any], **options: Any) -> Any:
    settings: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, **options}
    try:
        return njit(**settings)(function)
    except KeyError:  # a Numba without the undocumented switch that leaves reference counting out
        settings.pop("_nrt")
        return njit(**settings)(function)


def _callees(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """The rules that a function calls, in order of their definition."""
    names = function.__code__.co_names
    called = [getattr(function.__globals__.get(name), "py_func", None) for name in names]
    return [one for one in RULES if one in called]


@lru_cache(maxsize=1)
def _deferred() -> Callable[[], AbstractContextManager[None]]:
    """Return what makes Numba compile machine code for entries alone; nothing of the kind where this Numba cannot."""
    try:
        from janshi.compiling.deferred import deferral_works, deferred
    except (ImportError, AttributeError):
        return nullcontext
    return deferred if deferral_works() else nullcontext


def _prepare(function: Callable[..., Any]) -> None:
    """Compile every rule below a function, innermost first, each with its one signature."""
    for callee in _callees(function):
        dispatcher = RULES[callee]
        if callee not in _signatures:
            _signatures[callee] = signature_of(callee)
            _prepare(callee)
            if dispatcher.targetoptions.get("inline") == "always":
                continue
            _say(callee.__name__)
            start = time.perf_counter()
            dispatcher.compile(_signatures[callee])
            dispatcher.disable_compile()
            compile_seconds[callee.__qualname__] = time.perf_counter() - start


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that other compiled functions call (in plain mode: leave it as it is)."""
    if PLAIN:
        return function
    dispatcher = _dispatcher(function, **_INNER)
    RULES[function] = dispatcher
    return cast("Callable[P, R]", dispatcher)


def leaf(function: Callable[P, R]) -> Callable[P, R]:
    """Like `rule`, for a small function at the bottom: always put in line where it is called."""
    if PLAIN:
        return function
    dispatcher = _dispatcher(function, forceinline=True, **_INNER)
    RULES[function] = dispatcher
    return cast("Callable[P, R]", dispatcher)


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Like `rule`, for a function that has one caller: its text is compiled as a part of that caller's."""
    if PLAIN:
        return function
    dispatcher = _dispatcher(function, inline="always")
    RULES[function] = dispatcher
    return cast("Callable[P, R]", dispatcher)


class Entry(Generic[P, R]):
    """A compiled function that Python calls; it compiles, or loads from the cache, on its first call."""

    def __init__(self, function: Callable[P, R], signature: Callable[[], Any] | None = None) -> None:
        self.py_func = function
        self._signature = signature
        self._call: Callable[P, R] | None = None
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the compiled function."""
        if self._call is None:
            # Numba's cache folder is a setting of the whole process: with two threads at it, one would write elsewhere.
            with _LOADING:
                if self._call is None:
                    self._call = self._load()
        return self._call(*args, **kwargs)

    def _load(self) -> Callable[P, R]:
        function = self.py_func
        if PLAIN:
            return _with_records(function)
        dispatcher = _kept_dispatcher(function)
        compiler = dispatcher._compiler
        compile_entry = compiler.compile

        def compile_all(args: Any, result: Any) -> Any:
            with _deferred()():
                _prepare(function)
                _say(function.__name__)
                start = time.perf_counter()
                compiled = compile_entry(args, result)
                compile_seconds[function.__qualname__] = time.perf_counter() - start
            return compiled

        compiler.compile = compile_all
        dispatcher.compile(signature_of(function) if self._signature is None else self._signature())
        dispatcher.disable_compile()
        return cast("Callable[P, R]", dispatcher)


def _kept_dispatcher(function: Callable[..., Any]) -> Any:
    """Numba's dispatcher of a function whose machine code is kept in the cache, if it has a file."""
    folder = folder_of_code(function)
    if folder is None:
        return _dispatcher(function)
    settings = cast("Any", numba.config)
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
    try:
        dispatcher = _dispatcher(function, cache=True)
    finally:
        settings.CACHE_DIR = before
    cache = dispatcher._cache
    # The folder's name says which sources the code is made of; when their files were written does not matter.
    cache._cache_file._source_stamp = folder.name
    load, save = cache.load_overload, cache.save_overload

    def load_kept(signature: Any, context: Any) -> Any:
        try:
            with _no_refresh(context):
                return load(signature, context)
        except Exception:  # a damaged file: it is written anew
            return None

    def keep(signature: Any, compiled: Any) -> None:
        with suppress(OSError):  # a full disk: it is compiled again next time
            try:
                save(signature, compiled)
            except (EOFError, pickle.UnpicklingError):  # a damaged index
                cache.flush()
                save(signature, compiled)

    cache.load_overload, cache.save_overload = load_kept, keep
    return dispatcher


@contextmanager
def _no_refresh(context: Any) -> Iterator[None]:
    """Load compiled code without Numba's list of all NumPy functions (0.4 s, most of it the import of scipy.linalg).

    Whatever is compiled refreshes the context by itself.
    """
    context.refresh = lambda: None
    try:
        yield
    finally:
        del context.refresh


def _with_records(function: Callable[P, R]) -> Callable[P, R]:
    """In plain mode: let the function see structured arrays as records with attributes."""

    def plain(*args: P.args, **kwargs: P.kwargs) -> R:
        shown = [cast("NDArray[Any]", arg).view(np.recarray) if _is_table(arg) else arg for arg in args]
        return function(*cast("Any", shown), **kwargs)

    return plain


def _is_table(arg: object) -> bool:
    return isinstance(arg, np.ndarray) and arg.dtype.names is not None


def entry(function: Callable[P, R]) -> Entry[P, R]:
    """Make a function callable from Python: compiled on first use and cached on disk."""
    return Entry(function)

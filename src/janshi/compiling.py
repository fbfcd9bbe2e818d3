"""Python functions over NumPy records, compiled by Numba.

The engine and everything else that must be fast is written as plain functions over plain records::

    class Seat(Record):
        hand: Annotated[NDArray[np.int8], 34]
        points: Annotated[int, np.int32]

    @rule
    def take(seat: Seat, kind: int) -> None:
        seat.hand[kind] += 1

* A `Record` class is read by people, by the type checker and by `dtype_of`, which makes the NumPy
  structured dtype (and from it Numba's type) of it.
* `rule` compiles a function with the one signature that its annotations spell out, so that no call
  makes a second copy; it can be called from other compiled functions only.
* `entry` marks the few functions that Python calls: only they are kept in the cache on disk, with all
  they call inside them. They compile (or load) when first called.
* With ``JANSHI_PLAIN=1`` in the environment nothing is compiled: the same code runs as plain Python,
  to be debugged and to have its coverage measured.

Integers read from a record are NumPy scalars in plain mode and would overflow at their own width: code
writes ``int(...)`` around what it computes with, which costs nothing when compiled.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Generic, ParamSpec, TypeVar, cast, get_args, get_origin, get_type_hints

import numba
import numpy as np
from numba import from_dtype, njit, types
from numpy.typing import NDArray

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

#: True where nothing is compiled (``JANSHI_PLAIN=1``).
PLAIN = os.environ.get("JANSHI_PLAIN", "") not in ("", "0")


class Record:
    """Base of the classes that describe a NumPy record: see the module's text."""


class Rows(Generic[T]):
    """The type of a field that is an array of records: ``Annotated[Rows[Seat], 4]``."""

    def __getitem__(self, index: int) -> T:
        raise TypeError("Rows only describes a field")

    def __len__(self) -> int:
        raise TypeError("Rows only describes a field")


class Batch(Rows[T]):
    """The type of a one-dimensional array of records as an argument: ``Batch[Table]``."""


# One-dimensional arrays as arguments of compiled functions.
Bools = Annotated[NDArray[np.bool_], "bool[:]"]
Bytes = Annotated[NDArray[np.uint8], "uint8[:]"]
Int8s = Annotated[NDArray[np.int8], "int8[:]"]
Int16s = Annotated[NDArray[np.int16], "int16[:]"]
Int32s = Annotated[NDArray[np.int32], "int32[:]"]
Int64s = Annotated[NDArray[np.int64], "int64[:]"]
UInt16s = Annotated[NDArray[np.uint16], "uint16[:]"]
UInt64s = Annotated[NDArray[np.uint64], "uint64[:]"]
Floats = Annotated[NDArray[np.float32], "float32[:]"]
BoolRows = Annotated[NDArray[np.bool_], "bool[:,:]"]
ByteRows = Annotated[NDArray[np.uint8], "uint8[:,:]"]
Int8Rows = Annotated[NDArray[np.int8], "int8[:,:]"]
Int16Rows = Annotated[NDArray[np.int16], "int16[:,:]"]
Int32Rows = Annotated[NDArray[np.int32], "int32[:,:]"]
Int64Rows = Annotated[NDArray[np.int64], "int64[:,:]"]
UInt64Rows = Annotated[NDArray[np.uint64], "uint64[:,:]"]
FloatRows = Annotated[NDArray[np.float32], "float32[:,:]"]
FloatCubes = Annotated[NDArray[np.float32], "float32[:,:,:]"]
ByteCubes = Annotated[NDArray[np.uint8], "uint8[:,:,:]"]

_DTYPES: dict[type, np.dtype[Any]] = {}


def dtype_of(record: type) -> np.dtype[Any]:
    """Return the structured dtype that a `Record` class describes (fields in order, aligned as C does)."""
    if record not in _DTYPES:
        fields: list[Any] = []
        for name, hint in get_type_hints(record, include_extras=True).items():
            if hasattr(np.void, name):  # plain mode would find NumPy's attribute in place of the field
                raise TypeError(f"{record.__name__}.{name}: NumPy's records have an attribute of that name already")
            fields.append((name, *_field(hint, f"{record.__name__}.{name}")))
        _DTYPES[record] = np.dtype(fields, align=True)
    return _DTYPES[record]


def _field(hint: Any, where: str) -> tuple[Any, ...]:
    if isinstance(hint, type) and issubclass(hint, Record):
        return (dtype_of(hint),)
    if get_origin(hint) is not Annotated:
        raise TypeError(f"{where}: write Annotated[…] with the NumPy type or the length")
    what, *extra = get_args(hint)
    if get_origin(what) is Rows:
        return dtype_of(get_args(what)[0]), tuple(extra)
    if what in (int, bool, float):
        return (np.dtype(extra[0]),)
    # NDArray[X] is ndarray[shape, dtype[X]], from NumPy 2.5 on an alias with the one argument X.
    last = get_args(what)[-1]
    return np.dtype((get_args(last) or (last,))[0]), tuple(extra)


def zeros(record: type[T], length: int) -> Batch[T]:
    """Return ``length`` records of zeros: a structured NumPy array, typed for the compiled functions."""
    return cast("Batch[T]", np.zeros(length, dtype_of(record)))


def row(array: Batch[T], index: int = 0) -> T:
    """Return one record of an array as a view with attributes (writing to it writes to the array)."""
    return cast("T", cast("NDArray[Any]", array).view(np.recarray)[index])


_NUMBA_TYPES: dict[type, Any] = {}


def _numba_type(hint: Any) -> Any:
    if hint in (None, type(None)):
        return types.void
    if hint is int:
        return types.int64
    if hint is bool:
        return types.boolean
    if hint is float:
        return types.float64
    if isinstance(hint, type) and issubclass(hint, Record):
        if hint not in _NUMBA_TYPES:
            _NUMBA_TYPES[hint] = from_dtype(dtype_of(hint))
        return _NUMBA_TYPES[hint]
    if get_origin(hint) is Batch:
        return types.Array(_numba_type(get_args(hint)[0]), 1, "C")
    if get_origin(hint) is Annotated:
        text = get_args(hint)[1]
        name, dims = text.split("[")
        scalar = types.boolean if name == "bool" else getattr(types, name)
        return types.Array(scalar, dims.count(":"), "C")
    if get_origin(hint) is tuple:
        parts = [_numba_type(part) for part in get_args(hint)]
        return cast("Any", types.Tuple)(parts)
    raise TypeError(f"no compiled type for {hint!r}")


def signature_of(function: Callable[..., Any]) -> Any:
    """Return the Numba signature that a function's annotations spell out."""
    hints = get_type_hints(function, include_extras=True)
    result = _numba_type(hints.pop("return"))
    return result(*(_numba_type(hints[name]) for name in inspect.signature(function).parameters))


# ---------------------------------------------------------------------------------------------------------
# The cache


def _package_files() -> Iterator[Path]:
    return iter(sorted(Path(__file__).parent.rglob("*.py")))


def _sources_key() -> str:
    """A hash of every source that may be compiled: Numba's own cache would not see an edit in a callee."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for path in _package_files():
        text = path.read_bytes()
        if path == Path(__file__) or b"janshi.compiling" in text:
            digest.update(path.name.encode() + text)
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Folder of everything that is computed once and kept: compiled code and lookup tables.

    ``JANSHI_CACHE`` names another; where neither can be written, a folder of this process's own is used.
    """
    home = os.environ.get("JANSHI_CACHE")
    if home:
        base = Path(home)
    elif os.environ.get("XDG_CACHE_HOME"):
        base = Path(os.environ["XDG_CACHE_HOME"]) / "janshi"
    elif os.environ.get("LOCALAPPDATA"):
        base = Path(os.environ["LOCALAPPDATA"]) / "janshi"
    else:
        base = Path.home() / ".cache" / "janshi"
    try:
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=base):
            return base
    except OSError:
        return Path(tempfile.mkdtemp(prefix="janshi-"))


_code_folder: str | None = None


def _folder_of_code() -> str:
    global _code_folder
    if _code_folder is None:
        _code_folder = str(cache_folder() / f"code-{_sources_key()}")
    return _code_folder


# ---------------------------------------------------------------------------------------------------------
# Compiling


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


#: LLVM's level of optimisation for what only compiled code calls.
_INNER_LEVEL: Final = 1

#: Nobody calls these from Python or C: they need no wrappers.
_INNER: Final[dict[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

_LOADING: Final = threading.RLock()
_RULES: dict[Callable[..., Any], Any] = {}
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
    return [one for one in _RULES if one in called]


@contextmanager
def _unoptimised() -> Iterator[None]:
    """Leave LLVM's optimisation out for a while.

    Numba optimises each function together with all that it calls: those at the bottom of the engine would be
    optimised again for every one above them. Only what Python calls needs it, and has all of them inside.
    """
    config = cast("Any", numba.config)
    level = config.OPT
    config.OPT = _INNER_LEVEL
    try:
        yield
    finally:
        config.OPT = level


def _prepare(function: Callable[..., Any]) -> None:
    """Compile every rule below a function, innermost first, each with its one signature."""
    for callee in _callees(function):
        dispatcher = _RULES[callee]
        if callee not in _signatures:
            _signatures[callee] = signature_of(callee)
            _prepare(callee)
            if dispatcher.targetoptions.get("inline") == "always":
                continue
            _say(callee.__name__)
            start = time.perf_counter()
            with _unoptimised():
                dispatcher.compile(_signatures[callee])
            dispatcher.disable_compile()
            compile_seconds[callee.__qualname__] = time.perf_counter() - start


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function that other compiled functions call (in plain mode: leave it as it is)."""
    if PLAIN:
        return function
    dispatcher = _dispatcher(function, **_INNER)
    _RULES[function] = dispatcher
    return cast("Callable[P, R]", dispatcher)


def leaf(function: Callable[P, R]) -> Callable[P, R]:
    """Like `rule`, for a small function at the bottom: always put in line where it is called."""
    if PLAIN:
        return function
    dispatcher = _dispatcher(function, forceinline=True, **_INNER)
    _RULES[function] = dispatcher
    return cast("Callable[P, R]", dispatcher)


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Like `rule`, for a function that has one caller: its text is compiled as a part of that caller's."""
    if PLAIN:
        return function
    dispatcher = _dispatcher(function, inline="always")
    _RULES[function] = dispatcher
    return cast("Callable[P, R]", dispatcher)


class Entry(Generic[P, R]):
    """A compiled function that Python calls; it compiles, or loads from the cache, on its first call."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.py_func = function
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
        settings = cast("Any", numba.config)
        before = settings.CACHE_DIR
        settings.CACHE_DIR = _folder_of_code()
        try:
            dispatcher = _dispatcher(function, cache=True)
        finally:
            settings.CACHE_DIR = before
        compiler = dispatcher._compiler
        compile_entry = compiler.compile

        def compile_all(args: Any, result: Any) -> Any:
            _prepare(function)
            _say(function.__name__)
            start = time.perf_counter()
            compiled = compile_entry(args, result)
            compile_seconds[function.__qualname__] = time.perf_counter() - start
            return compiled

        compiler.compile = compile_all
        dispatcher.compile(signature_of(function))
        dispatcher.disable_compile()
        return cast("Callable[P, R]", dispatcher)


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

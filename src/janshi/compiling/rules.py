"""Decorators of compiled functions: `rule`, `leaf`, `part` and `entry`."""

from __future__ import annotations

import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache, cached_property, lru_cache, update_wrapper
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, ClassVar, Final, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np

from janshi.compiling.cache import FEATURES, SHIPPED, TEMPLATE_FILE, clean, folder_of_code, is_cached
from janshi.compiling.interpreting import interpreted, with_records
from janshi.compiling.records import PLAIN, signature_of

P = ParamSpec("P")
R = TypeVar("R")

#: Called with the name of each function before it is compiled; `announce` sets it. None: one line on stderr.
_listener: Callable[[str], None] | None = None
_announced = False


def announce(listener: Callable[[str], None] | None) -> None:
    """Set the function that is called with each function's name before compilation, for progress displays."""
    global _listener
    _listener = listener


def say(name: str) -> None:
    """Report that a function is about to be compiled: see `announce`."""
    global _announced
    if _listener is not None:
        _listener(name)
    elif not _announced:
        _announced = True
        print("janshi: compiling what is new here (janshi compile: everything at once) …", file=sys.stderr, flush=True)


#: Options of functions that neither Python nor C calls, which need no wrappers.
_INNER: Final[dict[str, Any]] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

#: Least size of a rule's Python bytecode, in bytes, at which its LLVM bitcode is cached.
_KEPT_BYTES: Final = 2000

#: Limits of a brief function as plain Python: rows of a call, and seconds in all (about half its compile time); seconds
#: between two looks into the cache.
_FEW_ROWS: Final = 8
_PLAIN_SECONDS: Final = 2.0
_LOOK_SECONDS: Final = 0.5
#: Seconds that all brief functions together run as plain Python before Numba is imported: about half the time of the
#: import and of loading compiled code.
_IMPORT_SECONDS: Final = 0.3

LOADING: Final = threading.RLock()
RULES: dict[Callable[..., Any], Rule[..., Any]] = {}
#: Functions called from Python, by name: `Entry` or `janshi.compiling.Batched`, each with an ``entry``.
ENTRIES: dict[str, Any] = {}
_compiled: set[Callable[..., Any]] = set()
compile_seconds: dict[str, float] = {}


class Rule(Generic[P, R]):
    """A function for compiled callers. A call from Python runs it as plain Python.

    Numba is imported when something is compiled or loaded, because its import takes longer than many commands.
    """

    def __init__(self, function: Callable[P, R], **options: Any) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.targetoptions = options

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the plain function; records are as `janshi.compiling.row` returns them."""
        return self.py_func(*args, **kwargs)

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's dispatcher."""
        return _dispatcher(self.py_func, **self.targetoptions)

    @property
    def _numba_type_(self) -> Any:
        # Numba reads this attribute when it compiles a caller.
        return self.dispatcher._numba_type_


def _dispatcher(function: Callable[..., Any], **options: Any) -> Any:
    from numba import njit

    from janshi.compiling.pipeline import RulePipeline

    settings: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, **options}
    settings["pipeline_class"] = RulePipeline
    try:
        return njit(**settings)(function)
    except KeyError:  # this Numba lacks the undocumented option `_nrt` (no reference counting)
        settings.pop("_nrt")
        return njit(**settings)(function)


def name_of(function: Callable[..., Any]) -> str:
    """Return the name by which other processes find a rule or an entry."""
    return f"{function.__module__}:{function.__qualname__}"


def callees(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return the rules that a function calls, in order of definition."""
    names = function.__code__.co_names
    called = [getattr(function.__globals__.get(name), "py_func", None) for name in names]
    # A copy: other threads may define rules meanwhile, by imports.
    return [rule for rule in tuple(RULES) if rule in called]


def inner(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """Return a function and the rules below it that have no bitcode of their own in the cache."""
    functions = {function: None}
    waiting = [function]
    while waiting:
        for callee in callees(waiting.pop()):
            if callee not in functions and not is_kept(callee):
                functions[callee] = None
                waiting.append(callee)
    return list(functions)


@cache
def is_kept(function: Callable[..., Any]) -> bool:
    """Return whether a rule's bitcode is cached, which depends on its size with its inner rules."""
    options = RULES[function].targetoptions
    if options.get("inline") == "always" or options.get("forceinline"):
        return False
    return sum(len(each.__code__.co_code) for each in inner(function)) >= _KEPT_BYTES


@lru_cache(maxsize=1)
def _deferral() -> Callable[[], AbstractContextManager[None]]:
    """Return the context manager `deferred`, or `nullcontext` if this version of Numba does not support it."""
    try:
        from janshi.compiling import deferred
    except (ImportError, AttributeError):
        return nullcontext
    deferred.library_of_rule = _library_of_rule
    return deferred.deferred if deferred.deferral_works() else nullcontext


def deferring() -> AbstractContextManager[None]:
    """Return a context in which rules are compiled to bitcode only."""
    return _deferral()()


def _symbol_of(function: Callable[..., Any]) -> AbstractContextManager[None]:
    """Return a context in which a function is compiled under a symbol that is the same in every process."""
    if _deferral() is nullcontext:
        return nullcontext()
    from janshi.compiling.deferred import symbol_of

    return symbol_of(name_of(function))


def compile_rule(function: Callable[..., Any]) -> None:
    """Compile a rule, or load its bitcode from the cache, once."""
    if function in _compiled:
        return
    _compiled.add(function)
    rule = RULES[function]
    if rule.targetoptions.get("inline") == "always":
        _compile_callees(function)
        return
    kept = _deferral() is not nullcontext and is_kept(function)
    if kept:
        _keep(rule.dispatcher, function)
    _compile(rule.dispatcher, function, signature_of(function))
    if kept:
        _library(rule.dispatcher).rule_name = name_of(function)


def _library(dispatcher: Any) -> Any:
    """Return Numba's library of a function that has been compiled."""
    (compiled,) = dispatcher.overloads.values()
    return compiled.library


def _library_of_rule(name: str) -> Any:
    # A module that is imported again defines its rules again: the newest counts.
    function = next(function for function in reversed(RULES) if name_of(function) == name)
    compile_rule(function)
    return _library(RULES[function].dispatcher)


def _compile_callees(function: Callable[..., Any]) -> None:
    for callee in callees(function):
        compile_rule(callee)


def _compile(dispatcher: Any, function: Callable[..., Any], signature: Any) -> None:
    """Compile a function and its callees, innermost first, or load it from the cache."""
    compiler = dispatcher._compiler
    compile_alone = compiler.compile

    def compile_all(args: Any, result: Any) -> Any:
        with deferring():
            _compile_callees(function)
            say(function.__name__)
            start = time.perf_counter()
            with _symbol_of(function):
                compiled = compile_alone(args, result)
            compile_seconds[function.__qualname__] = time.perf_counter() - start
        return compiled

    compiler.compile = compile_all
    try:
        dispatcher.compile(signature)
    finally:
        compiler.compile = compile_alone
    dispatcher.disable_compile()


def _ruled(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    if PLAIN:
        return function
    made = RULES[function] = Rule(function, **options)
    return made


def rule(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function for compilation with its compiled callers; has no effect in plain mode."""
    return _ruled(function, **_INNER)


def leaf(function: Callable[P, R]) -> Callable[P, R]:
    """Like `rule`, for a small function that is always inlined by LLVM."""
    return _ruled(function, forceinline=True, **_INNER)


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Like `rule`, for a function with a single caller, which Numba compiles as part of the caller."""
    return _ruled(function, inline="always")


def specialised(template: Callable[P, R], module: str, **names: Any) -> Callable[P, R]:
    """Return a copy of a template with other values for some of its globals.

    A template is a plain function written once for several record types. The types of its parameters and the rules
    that it calls are globals, which ``names`` replaces. The function belongs to ``module``: its compiled code is
    stored with that of the module, and helper processes find it by importing the module.
    """
    original = cast("FunctionType", template)
    code = original.__code__ if PLAIN else original.__code__.replace(co_filename=str(sys.modules[module].__file__))
    space = {**original.__globals__, **names, "__name__": module, TEMPLATE_FILE: original.__code__.co_filename}
    made = FunctionType(code, space, original.__name__)
    made.__annotations__ = original.__annotations__
    made.__doc__, made.__qualname__ = original.__doc__, original.__qualname__
    return cast("Callable[P, R]", made)


def share_first_call(entry: Entry[..., Any]) -> None:
    """Compile an entry in helper processes if it pays; `janshi.compiling.preparing` replaces this function."""


class Entry(Generic[P, R]):
    """A compiled function that Python calls; compiled, or loaded from the cache, on its first call."""

    _all_plain_seconds: ClassVar[float] = 0.0
    is_expected: ClassVar[bool] = False

    def __init__(
        self, function: Callable[P, R], signature: Callable[[], Any] | None = None, *, brief: bool = False
    ) -> None:
        self.py_func = function
        self.brief = brief
        #: True while helper processes compile it.
        self.in_preparation = False
        self._plain: Callable[P, R] | None = None
        self._plain_seconds = 0.0
        self._look_again = 0.0
        self._signature = signature
        self._call: Callable[P, R] | None = None
        self.name = name_of(function)
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the compiled function."""
        rows = max((len(arg) for arg in args if isinstance(arg, np.ndarray)), default=1) if self._call is None else 0
        return (self._call or self.usable(rows))(*args, **kwargs)

    @property
    def entry(self) -> Entry[P, R]:
        """The entry itself."""
        return self

    def loaded(self) -> Callable[P, R]:
        """Return the compiled function."""
        # Numba's cache folder is a global setting: of two threads, one would write to the other's folder.
        with LOADING:
            if self._call is None:
                self._call = self._load()
            return self._call

    def compiled(self) -> Callable[P, R]:
        """Return the compiled function; helper processes compile it if that is expected to take less time."""
        if not (PLAIN or self.in_preparation or (is_cached(self.py_func) and self.load_kept())):
            share_first_call(self)
        return self.loaded()

    @property
    def is_loaded(self) -> bool:
        """True if the function is compiled or loaded."""
        return self._call is not None

    def usable(self, rows: int) -> Callable[P, R]:
        """Return the compiled function, or the plain one if that is expected to finish ``rows`` rows sooner.

        A brief function runs a few rows as plain Python if it is not compiled yet: while helper processes compile it,
        otherwise until it has taken some seconds. Before Numba is imported this holds for a fraction of a second even
        if compiled code exists, as a command that analyses one hand finishes sooner without the import.
        """
        if self._call is not None or PLAIN or not self.brief or rows > _FEW_ROWS:
            return self._call or self.compiled()
        if "numba" not in sys.modules and Entry._all_plain_seconds < _IMPORT_SECONDS:
            return self._run_plain
        if time.monotonic() >= self._look_again and LOADING.acquire(blocking=False):
            try:
                if self.load_kept():
                    return self.loaded()
            finally:
                LOADING.release()
            self._look_again = time.monotonic() + _LOOK_SECONDS
        if self.in_preparation or self._plain_seconds < _PLAIN_SECONDS:
            return self._run_plain
        return self.compiled()

    def _run_plain(self, *args: P.args, **kwargs: P.kwargs) -> R:
        start = time.perf_counter()
        if self._plain is None:
            self._plain = interpreted(self.py_func, RULES)
        try:
            return self._plain(*args, **kwargs)
        finally:
            seconds = time.perf_counter() - start
            self._plain_seconds += seconds
            Entry._all_plain_seconds += seconds

    def load_kept(self) -> bool:
        """Load the compiled function from the cache if it is there; return whether it is loaded."""
        with LOADING:
            if self._call is None and not PLAIN:
                with suppress(_NotKeptError):
                    self._call = self._load(compiles=False)
            return self._call is not None

    def _load(self, compiles: bool = True) -> Callable[P, R]:
        function = self.py_func
        if PLAIN:
            return with_records(function)
        dispatcher = _dispatcher(function)
        _keep(dispatcher, function)
        if compiles:
            _compile(dispatcher, function, self.signature())
        else:
            dispatcher._compiler.compile = _raise_not_kept
            dispatcher.compile(self.signature())
            dispatcher.disable_compile()
        return cast("Callable[P, R]", dispatcher)

    def signature(self) -> Any:
        """Return Numba's signature of the function."""
        return signature_of(self.py_func) if self._signature is None else self._signature()


def compile_together(name: str, entries: Sequence[Entry[..., Any]]) -> None:
    """Compile entries into one library in the cache, so that rules that several of them call are optimised once."""
    if _deferral() is nullcontext or len(entries) == 1:
        for entry in entries:
            entry.loaded()
        return
    from janshi.compiling.deferred import SharedLibrary

    with LOADING, deferring():
        dispatchers = _compiled_bitcode(entries)
        libraries = [_library(each) for each in dispatchers]
        keys = [f"{entry.name} {folder_of_code(entry.py_func)}" for entry in entries]
        shared = SharedLibrary.make(name, keys, libraries)
        for entry, dispatcher in zip(entries, dispatchers, strict=True):
            _library(dispatcher).shared = shared
            _keep(dispatcher, entry.py_func)
            dispatcher._cache.save_overload(entry.signature(), *dispatcher.overloads.values())
    clean(shared.folder)


def _compiled_bitcode(entries: Sequence[Entry[..., Any]]) -> list[Any]:
    """Return Numba's dispatchers of entries that are compiled to bitcode only."""
    from janshi.compiling.deferred import sharing

    dispatchers = [_dispatcher(entry.py_func) for entry in entries]
    with sharing():
        for entry, dispatcher in zip(entries, dispatchers, strict=True):
            _compile(dispatcher, entry.py_func, entry.signature())
    return dispatchers


def bitcode_of(entries: Sequence[Entry[..., Any]]) -> tuple[Any, list[str]]:
    """Return a module (llvmlite) of entries and all rules below, not optimised, and the entries' names in it.

    The functions have Numba's calling convention: results and errors are written to the first two arguments, and an
    array is seven or more arguments.
    """
    from janshi.compiling.deferred import linked_module

    with LOADING, deferring():
        dispatchers = _compiled_bitcode(entries)
        names = [compiled.fndesc.llvm_func_name for each in dispatchers for compiled in each.overloads.values()]
        return linked_module([_library(each) for each in dispatchers]), names


class _NotKeptError(Exception):
    """The function is not in the cache."""


def _raise_not_kept(args: Any, result: Any) -> Any:
    raise _NotKeptError


def _keep(dispatcher: Any, function: Callable[..., Any]) -> None:
    """Cache a function's code if it has a file: the machine code of an entry, the bitcode of a rule."""
    folder = folder_of_code(function)
    if folder is None:
        return
    from numba import config

    settings = cast("Any", config)
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
    try:
        dispatcher.enable_caching()
    finally:
        settings.CACHE_DIR = before
    cache = dispatcher._cache
    # Numba's names contain the path and the modification time of the source. Here the folder's name contains the hash
    # of all sources, so that installations with equal sources share their code.
    cache._cache_path = str(folder)
    cache._cache_file = type(cache._cache_file)(cache._cache_path, cache._impl.filename_base, folder.name)
    load, save = cache.load_overload, cache.save_overload

    def load_kept(signature: Any, context: Any) -> Any:
        try:
            with _no_refresh(context), _loading():
                return load(signature, context) or _load_shipped(folder, cache, context)
        except Exception:  # a damaged file is replaced
            return None

    def keep(signature: Any, compiled: Any) -> None:
        with suppress(OSError):  # with a full disk it is compiled again next time
            try:
                save(signature, compiled)
            except (EOFError, pickle.UnpicklingError):  # a damaged index
                cache.flush()
                save(signature, compiled)
            clean(folder)

    cache.load_overload, cache.save_overload = load_kept, keep


def _load_shipped(folder: Path, cache: Any, context: Any) -> Any:
    """Return the code of a function that the wheel contains; None if there is none, or not for this processor."""
    file = SHIPPED / folder.name / f"{cache._impl.filename_base}.nbc"
    if not file.is_file() or not _runs_shipped():
        return None
    return cache._impl.rebuild(context, pickle.loads(file.read_bytes()))


@lru_cache(maxsize=1)
def _runs_shipped() -> bool:
    """Return whether the processor has the features that the code of the wheel needs."""
    features = import_module("llvmlite.binding").get_host_cpu_features()
    return all(features.get(feature) for feature in (SHIPPED / FEATURES).read_text().split())


def _loading() -> AbstractContextManager[None]:
    """Return a context in which code is loaded as `janshi.compiling.deferred` stores it."""
    try:
        from janshi.compiling.deferred import deferred
    except (ImportError, AttributeError):
        return nullcontext()
    return deferred()


@contextmanager
def _no_refresh(context: Any) -> Iterator[None]:
    """Load compiled code without registering all NumPy functions (0.4 s, mostly the import of scipy.linalg).

    Compilation refreshes the context itself.
    """
    context.refresh = lambda: None
    try:
        yield
    finally:
        del context.refresh


@overload
def entry(function: Callable[P, R], *, brief: bool = ...) -> Entry[P, R]: ...


@overload
def entry(*, brief: bool = ...) -> Callable[[Callable[P, R]], Entry[P, R]]: ...


def entry(function: Any = None, *, brief: bool = False) -> Any:
    """Make a function callable from Python, compiled on first use and cached on disk.

    ``brief`` marks a function that takes milliseconds as plain Python: see `Entry.usable`.
    """

    def make(function: Callable[..., Any]) -> Entry[..., Any]:
        made = Entry(function, brief=brief)
        ENTRIES[name_of(function)] = made
        return made

    return make if function is None else make(function)

"""Numba code libraries that defer linking and optimisation, so that only entries become machine code.

Numba links and optimises every function that it compiles, together with all functions below it, and generates machine
code. For a tree of a hundred rules this is most of the compile time, and the result is unused, because each entry
contains all code below it. A `DeferredLibrary` keeps a function's own bitcode until an address in it is requested. A
`SharedLibrary` holds the machine code of many entries, optimised once.

The module relies on internals of Numba (`numba.core`: code libraries and the names of symbols, the same from 0.61 to
0.68 at least). If they differ, `deferral_works` returns False, and everything is compiled the usual way.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import pickle
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar, Final

from janshi.compiling.cache import folder_of_library, hash_of
from janshi.files import replacing

# Imported by name because their types depend on Numba's version.
_numba: Any = import_module("numba")
_bytecode: Any = import_module("numba.core.bytecode")
_codegen: Any = import_module("numba.core.codegen")
_compiler_lock: Any = import_module("numba.core.compiler_lock")
_environment: Any = import_module("numba.core.environment")
_registry: Any = import_module("numba.core.registry")
_types: Any = import_module("numba.core.types")


#: LLVM's optimisation level of the first of two passes.
_FIRST_LEVEL: Final = 1
#: Kinds of cached forms beside Numba's "object" and "bitcode": the bitcode of a rule, and an entry of a shared library.
_RULE, _SHARED = "rule", "shared"
#: File of a `SharedLibrary` in its folder.
_OBJECT_FILE: Final = "object.pickle"

#: Signatures of Numba's functions of numbers, by function and types.
_signatures: dict[tuple[Any, tuple[Any, ...]], Any] = {}


def library_of_rule(name: str) -> Any:
    """Return the library of a cached rule; `janshi.compiling.rules` replaces this function."""
    raise LookupError(name)


class DeferredLibrary(_codegen.JITCodeLibrary):  # type: ignore[misc]
    """A function's bitcode, linked and compiled when an address in it is requested."""

    _made = False
    _shared_module: Any
    #: Name of the rule, if its bitcode is in the cache.
    rule_name: str | None = None
    #: Names of the cached rules below, for a library that is loaded from the cache.
    _needed_rules: Sequence[str] = ()
    #: Machine code of this entry and of others.
    shared: SharedLibrary | None = None
    #: True while functions have no addresses yet, because a `SharedLibrary` will define them.
    is_to_be_shared = False

    def finalize(self) -> None:
        """Close the module, without Numba's optimisation, linking and compilation."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def _called(self) -> list[Any]:
        """Return the libraries of the functions that this one calls."""
        return [*self._linking_libraries, *map(library_of_rule, self._needed_rules)]

    def _below(self, with_rules: bool = True) -> list[Any]:
        """Return the libraries of all functions below this one, each once; optionally without cached rules."""
        libraries: dict[Any, None] = {}
        waiting = [self]
        while waiting:
            for library in waiting.pop()._called():
                if library not in libraries and (with_rules or getattr(library, "rule_name", None) is None):
                    libraries[library] = None
                    if isinstance(library, DeferredLibrary) and not library._made:
                        waiting.append(library)
        return list(libraries)

    def _own_module(self) -> Any:
        """Return the module of this function alone, for linking into others."""
        self._ensure_finalized()
        if self._shared_module is None:
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == _codegen.ll.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = self._final_module
        return self._shared_module

    def _get_module_for_linking(self) -> Any:
        """Return the module with everything below it, for libraries that are not deferred."""
        if self._made:
            return super()._get_module_for_linking()
        module = self._own_module().clone()
        _link(self._below(), module)
        return module

    def _make(self) -> None:
        below = self._below()
        for library in below:
            self._reload_init.update(library._reload_init)
        missing = _link(below, self._final_module)
        if missing:  # a call of a function without an address ends the process
            raise RuntimeError(f"{self.name} calls functions that no library defines: {', '.join(sorted(missing))}")
        self._optimize_twice()
        self._final_module.verify()
        # Numba keeps the whole module beside the machine code; the names defined in it suffice.
        defined = [each for each in self._final_module.functions if not each.is_declaration]
        names = [each.name for each in defined if each.linkage == _codegen.ll.Linkage.external]
        self._shared_module = _codegen.ll.parse_assembly(
            "\n".join(f'define void @"{name}"() {{ ret void }}' for name in names)
        )
        self._finalize_final_module()
        self._made = True
        for variable in self._final_module.global_variables:
            environment = _environment.lookup_environment(variable.name)
            if environment is not None:
                self._codegen.set_env(variable.name, environment)

    def _optimize_twice(self) -> None:
        """Optimise lightly, then fully: ukeire and encoders are 15 % faster than after the second pass alone."""
        config = _numba.config
        level, config.OPT = config.OPT, _FIRST_LEVEL
        try:
            self._optimize_final_module()
        finally:
            config.OPT = level
        self._optimize_final_module()

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function; 0 if it is not defined here (rules have no Python wrapper).

        Raises `LookupError` if this is an entry that its `SharedLibrary` does not define.
        """
        self._ensure_finalized()
        if self._made:
            return int(super().get_pointer_to_function(name))
        if self.shared is not None:
            return self.shared.get_pointer_to_function(name)
        if self.is_to_be_shared:
            return 0
        try:
            if self._final_module.get_function(name).is_declaration:
                return 0
        except NameError:
            return 0
        self._make()
        address = int(super().get_pointer_to_function(name))
        if not address:
            raise RuntimeError(f"no machine code was made of {name}")
        return address

    def serialize_using_object_code(self) -> Any:
        """Return the form for the cache: machine code of an entry, or bitcode of a rule without cached rules below."""
        if self._made:
            return super().serialize_using_object_code()
        if self.shared is not None:
            return self.name, _SHARED, self.shared.folder.name
        module = self._own_module().clone()
        inner = self._below(False)
        _link(inner, module)
        called = [library for each in [self, *inner] if isinstance(each, DeferredLibrary) for library in each._called()]
        needed = {library.rule_name for library in called if getattr(library, "rule_name", None) is not None}
        return self.name, _RULE, (module.as_bitcode(), sorted(needed))

    @classmethod
    def _unserialize(cls, generator: Any, state: Any) -> Any:
        name, kind, data = state
        if kind not in {_RULE, _SHARED}:
            library = super()._unserialize(generator, state)
            library._made = True
            return library
        library = generator.create_library(name)
        library._finalized = True
        if kind == _SHARED:
            library.shared = SharedLibrary.load(folder_of_library(data))
            return library
        bitcode, library._needed_rules = data
        library._final_module = _codegen.ll.parse_bitcode(bitcode)
        library._final_module.name = name
        return library


class SharedLibrary:
    """Machine code of many entries, in one file of a folder."""

    _loaded: ClassVar[dict[Path, SharedLibrary]] = {}

    def __init__(self, folder: Path, library: Any) -> None:
        self.folder = folder
        self._library = library

    @classmethod
    def make(cls, name: str, keys: Sequence[str], entries: Sequence[DeferredLibrary]) -> SharedLibrary:
        """Link the bitcode of entries and of all rules below, optimise it, and write the machine code to a folder.

        The folder's name consists of ``name`` and a hash of ``keys``, of the processor, and of the names of the
        entries. These names contain numbers that depend on the order of compilation, so that the library of another
        process may define other ones.
        """
        generator = _registry.cpu_target.target_context.codegen()
        defined = sorted(
            function.name
            for entry in entries
            for function in entry._final_module.functions
            if not function.is_declaration
        )
        folder = folder_of_library(f"{name}.library-{hash_of(str(generator.magic_tuple()), *keys, *defined)}")
        library = joined(folder.name, entries)
        library.enable_object_caching()
        library._make()
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / _OBJECT_FILE) as part:
            part.write_bytes(pickle.dumps(library.serialize_using_object_code()))
        return cls(folder, library)

    @classmethod
    def load(cls, folder: Path) -> SharedLibrary:
        """Return the library of a folder, which this process loads once.

        Raises `OSError` if its file is missing and `pickle.UnpicklingError` or another error if it is damaged.
        """
        if folder not in cls._loaded:
            state = pickle.loads((folder / _OBJECT_FILE).read_bytes())
            generator = _registry.cpu_target.target_context.codegen()
            with deferred():
                library = DeferredLibrary._unserialize(generator, state)
            cls._loaded[folder] = cls(folder, library)
            with suppress(OSError):  # used last of its versions: see `janshi.compiling.cache.clean`
                os.utime(folder)
        return cls._loaded[folder]

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function; raise `LookupError` if the library does not define it."""
        address = int(self._library.get_pointer_to_function(name))
        if not address:
            raise LookupError(f"{self.folder} does not define {name}")
        return address


def joined(name: str, entries: Sequence[DeferredLibrary]) -> DeferredLibrary:
    """Return a library of entries, before the functions below them are linked."""
    library = DeferredLibrary(_registry.cpu_target.target_context.codegen(), name)
    for entry in entries:
        library._final_module.link_in(entry._final_module, preserve=True)
        library._linking_libraries += entry._called()
    library._finalized = True
    return library


def linked_module(entries: Sequence[DeferredLibrary]) -> Any:
    """Return the module (llvmlite) of entries and of all functions below them, not optimised yet."""
    return joined("entries", entries)._get_module_for_linking()


def _link(libraries: Sequence[Any], module: Any) -> set[str]:
    """Link libraries into a module; return the names of functions that none of them defines.

    LLVM links only the functions that are called so far. Functions that only a later module calls are missing after
    the first pass, so linking repeats until none is missing.
    """
    missing: set[str] = set()
    while True:
        for library in libraries:
            module.link_in(_linkable(library), preserve=True)
        names = {each.name for each in module.functions if each.is_declaration and each.name.startswith("_ZN")}
        if not names or names == missing:
            return names
        missing = names


def _linkable(library: Any) -> Any:
    if isinstance(library, DeferredLibrary) and not library._made:
        return library._own_module()
    return library._get_module_for_linking()


@contextmanager
def deferred() -> Iterator[None]:
    """Compile everything within into `DeferredLibrary` objects; other compilations wait."""
    generator = _registry.cpu_target.target_context.codegen()

    def set_env(name: str, environment: Any) -> None:
        # As Numba's method, except that a function without machine code has no environment to set.
        address = generator._engine.get_global_value_address(name)
        if address:
            (ctypes.c_void_p * 1).from_address(address)[0] = ctypes.c_void_p(id(environment))

    with _compiler_lock.global_compiler_lock:
        if "_library_class" in vars(generator):  # nested
            yield
            return
        generator._library_class, generator.set_env = DeferredLibrary, set_env
        try:
            with _quick_types():
                yield
        finally:
            del generator._library_class, generator.set_env


@contextmanager
def _quick_types() -> Iterator[None]:
    """Save Numba a fifth of its work on types.

    Numba looks for the signature of each call of an operator, ``int`` or ``bool`` among dozens of templates, here once
    for numbers of the same types. It describes all types of a function before each pass, here records by their names.
    """
    record, function = _types.Record, _types.Function
    describe, find = record.__repr__, function.get_call_type

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        types = tuple(_types.unliteral(each) for each in args)
        if kws or not all(isinstance(each, _types.Number | _types.Boolean) for each in types):
            return find(self, context, args, kws)
        if (self, types) not in _signatures:
            # Not of the constants themselves: the signature of two constants would make a constant of later calls.
            _signatures[self, types] = find(self, context, types, kws)
        return _signatures[self, types]

    record.__repr__, function.get_call_type = record.__str__, get_call_type
    try:
        yield
    finally:
        record.__repr__ = describe
        del function.get_call_type


@contextmanager
def symbol_of(name: str) -> Iterator[None]:
    """Make the symbol of the function that is compiled first in this context depend on ``name`` and its types alone.

    Numba puts two numbers into symbols that differ between processes: how many functions and how many types there were
    before. Cached bitcode calls rules by their symbols, whichever process compiled them.
    """
    identity, record = _bytecode.FunctionIdentity, _types.Record
    counter, mangling_args = identity._unique_ids, record.mangling_args
    identity._unique_ids = itertools.chain([int(hash_of(name), 16)], counter)
    record.mangling_args = property(lambda self: ("Record", (int(hash_of(self.name), 16),)))
    try:
        yield
    finally:
        identity._unique_ids, record.mangling_args = counter, mangling_args


@contextmanager
def sharing() -> Iterator[None]:
    """Leave the addresses of functions that are compiled in this context at 0, until a `SharedLibrary` defines them."""
    DeferredLibrary.is_to_be_shared = True
    try:
        yield
    finally:
        DeferredLibrary.is_to_be_shared = False


@lru_cache(maxsize=1)
def deferral_works() -> bool:
    """Return whether deferral works with this version of Numba, by compiling and calling a small function."""
    try:
        with deferred(), symbol_of("_increment"):
            inner = _numba.njit("int64(int64)", no_cpython_wrapper=True, no_cfunc_wrapper=True)(_increment)
            outer = _numba.njit("int64(int64)")(lambda number: inner(number) * 2)
            (below,) = inner.overloads.values()
            (above,) = outer.overloads.values()
        return bool(outer(20) == 42 and not below.library._made and above.library._made)
    except Exception:
        return False


def _increment(number: int) -> int:
    return number + 1

"""NumPy records described by classes, and the parameter types of compiled functions."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import cached_property
from typing import Annotated, Any, Generic, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")

#: True if nothing is compiled (``JANSHI_PLAIN=1``).
PLAIN = os.environ.get("JANSHI_PLAIN", "") not in ("", "0")


class Record:
    """Base of the classes that describe a NumPy record: see `janshi.compiling`."""


class TableRecord(Record):
    """The record of a table: `batched` functions select tables by index."""


class Workspace(Record):
    """A record of scratch memory: `batched` functions have one for each thread."""


class Shared(Record):
    """A record shared by all rows of a batch, read only: `batched` functions get it from `shared`."""

    @classmethod
    def shared(cls) -> Batch[Any]:
        """Return the record as an array of length 1."""
        raise NotImplementedError(f"{cls.__name__} does not define shared()")


class Rows(Generic[T]):
    """The type of a field that is an array of records: ``Annotated[Rows[Seat], 4]``."""

    def __getitem__(self, index: int) -> T:
        raise TypeError("Rows only describes a field")

    def __len__(self) -> int:
        raise TypeError("Rows only describes a field")


class Batch(Rows[T]):
    """The type of a one-dimensional array of records as an argument: ``Batch[Table]``."""


# Numbers with one value a row; a plain ``int``, ``bool`` or ``float`` is the same for all rows of a batch.
Int8 = Annotated[int, np.int8]
Int16 = Annotated[int, np.int16]
Int32 = Annotated[int, np.int32]
Int64 = Annotated[int, np.int64]

# One-dimensional arrays as arguments of compiled functions.
Bools = Annotated[NDArray[np.bool_], "bool[:]"]
Bytes = Annotated[NDArray[np.uint8], "uint8[:]"]
Int8s = Annotated[NDArray[np.int8], "int8[:]"]
Int16s = Annotated[NDArray[np.int16], "int16[:]"]
Int32s = Annotated[NDArray[np.int32], "int32[:]"]
Int64s = Annotated[NDArray[np.int64], "int64[:]"]
Floats = Annotated[NDArray[np.float32], "float32[:]"]
ByteRows = Annotated[NDArray[np.uint8], "uint8[:,:]"]
Int16Rows = Annotated[NDArray[np.int16], "int16[:,:]"]
Int32Rows = Annotated[NDArray[np.int32], "int32[:,:]"]
Int64Rows = Annotated[NDArray[np.int64], "int64[:,:]"]

_DTYPES: dict[type, np.dtype[Any]] = {}


def dtype_of(record: type) -> np.dtype[Any]:
    """Return the structured dtype of a `Record` class (fields in order, aligned as in C)."""
    if record not in _DTYPES:
        fields: list[Any] = []
        for name, hint in get_type_hints(record, include_extras=True).items():
            if hasattr(np.void, name):  # in plain mode NumPy's attribute would hide the field
                raise TypeError(f"{record.__name__}.{name}: NumPy's records already have an attribute of that name")
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
        return dtype_of(get_args(what)[0]), (extra[0],)
    if what in (int, bool, float):
        return (np.dtype(extra[0]),)
    return element_dtype(what), (extra[0],)


def element_dtype(array: Any) -> np.dtype[Any]:
    """Return the dtype of an annotation ``NDArray[X]``.

    >>> from numpy.typing import NDArray
    >>> element_dtype(NDArray[np.int16])
    dtype('int16')
    """
    # NDArray[X] is ndarray[shape, dtype[X]]; from NumPy 2.5 on it is an alias with the single argument X.
    last = get_args(array)[-1]
    dtype: np.dtype[Any] = np.dtype((get_args(last) or (last,))[0])
    return dtype


def zeros(record: type[T], length: int) -> Batch[T]:
    """Return a structured NumPy array of ``length`` records, all zeros."""
    return cast("Batch[T]", np.zeros(length, dtype_of(record)))


def row(array: Batch[T], index: int = 0) -> T:
    """Return one record of an array as a view with attributes."""
    return cast("T", cast("NDArray[Any]", array).view(np.recarray)[index])


_NUMBA_TYPES: dict[type, Any] = {}


def numba_type(hint: Any) -> Any:
    """Return Numba's type of a parameter with the given annotation."""
    from numba import from_dtype, types

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
        return types.Array(numba_type(get_args(hint)[0]), 1, "C")
    if get_origin(hint) is Annotated:
        text = get_args(hint)[1]
        if not isinstance(text, str):
            return numba_type(get_args(hint)[0])
        name, dims = text.split("[")
        scalar = types.boolean if name == "bool" else getattr(types, name)
        return types.Array(scalar, dims.count(":"), "C")
    if get_origin(hint) is tuple:
        parts = [numba_type(part) for part in get_args(hint)]
        return cast("Any", types.Tuple)(parts)
    raise TypeError(f"no compiled type for {hint!r}")


def signature_of(function: Callable[..., Any]) -> Any:
    """Return the Numba signature given by a function's annotations."""
    hints = get_type_hints(function, include_extras=True)
    result = numba_type(hints.pop("return"))
    return result(*(numba_type(hints[name]) for name in inspect.signature(function).parameters))


def shared_bytes(source: np.dtype[Any], target: np.dtype[Any]) -> int:
    """Return the number of leading bytes in which two records have the same fields at the same offsets."""
    mine, theirs = cast("Any", source.fields), cast("Any", target.fields)
    same = {name for name in mine if name in theirs and mine[name][:2] == theirs[name][:2]}
    differ = [fields[name][1] for fields in (mine, theirs) for name in fields if name not in same]
    return min(differ, default=min(source.itemsize, target.itemsize))


def copy_fields(source: Record, target: Record) -> None:
    """Copy the leading fields that two records have in common; all fields for records of one class."""
    mine, theirs = cast("Any", source), cast("Any", target)
    last = shared_bytes(mine.dtype, theirs.dtype)
    for name, (_, offset, *_title) in mine.dtype.fields.items():
        if offset < last:
            theirs[name] = mine[name]


def _compile_copy(context: Any, source: Any, target: Any) -> Any:
    """Generate the compiled form of `copy_fields`."""
    from numba import types
    from numba.core import cgutils

    size = shared_bytes(source.dtype, target.dtype)

    def generate(_: Any, builder: Any, __: Any, values: Any) -> Any:
        tools = cast("Any", cgutils)
        tools.raw_memcpy(builder, values[1], values[0], tools.intp_t(size), 1)
        return tools.get_null_value(tools.voidptr_t)

    return types.void(source, target), generate


class _CopyRecord:
    """`copy_fields` for plain and compiled functions; Numba reads its type when it compiles a caller."""

    def __call__(self, source: Record, target: Record) -> None:
        """Copy the leading fields that two records have in common: see `copy_fields`."""
        copy_fields(source, target)

    @cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        made = cast("Any", intrinsic)(_compile_copy)
        context = cast("Any", cpu_target).typing_context
        context.refresh()  # registers the intrinsic
        return context.resolve_value_type(made)


copy_record: Callable[[Record, Record], None] = copy_fields if PLAIN else _CopyRecord()

"""Python functions over NumPy records, compiled by Numba.

The engine and everything else that must be fast is written as plain functions over plain records, for one table (one
hand, one view) at a time::

    class Seat(Record):
        hand: Annotated[NDArray[np.int8], 34]
        points: Annotated[int, np.int32]

    @rule
    def take(seat: Seat, kind: Int8) -> None:
        seat.hand[kind] += 1

    take_all = batched(take)          # take_all(seats, kinds): seats (n,), kinds (n,)

* A `Record` class is read by people, by the type checker and by `dtype_of`, which makes the NumPy
  structured dtype (and from it Numba's type) of it.
* `rule` compiles a function with the one signature that its annotations spell out, so that no call
  makes a second copy; it can be called from other compiled functions only. `leaf` and `part` are variants.
* `batched` makes the loop over a batch that Python calls: the compiled function for every row, split over threads
  where wanted. Records that all rows share (`Shared`) and records to work with (`Workspace`) are supplied by itself.
* `specialised` makes a function of a template that is written once for several records, such as the games' states.
* `entry` marks the few other functions that Python calls. Only what Python calls is kept in the cache on disk, with all
  that it calls inside. It compiles (or loads) when first called.
* With ``JANSHI_PLAIN=1`` in the environment nothing is compiled: the same code runs as plain Python,
  to be debugged and to have its coverage measured.

Integers read from a record are NumPy scalars in plain mode and would overflow at their own width: code
writes ``int(...)`` around what it computes with, which costs nothing when compiled.
"""

from janshi.compiling.batches import Batched, batched
from janshi.compiling.cache import cache_folder, sources_key
from janshi.compiling.preparing import Prepared, are_kept, prepare
from janshi.compiling.records import (
    PLAIN,
    Batch,
    Bools,
    ByteRows,
    Bytes,
    Floats,
    Int8,
    Int8s,
    Int16,
    Int16Rows,
    Int16s,
    Int32,
    Int32Rows,
    Int32s,
    Int64,
    Int64Rows,
    Int64s,
    Record,
    Rows,
    Shared,
    TableRecord,
    Workspace,
    copy_record,
    dtype_of,
    row,
    zeros,
)
from janshi.compiling.rules import announce, compile_seconds, entry, leaf, part, rule, specialised

__all__ = [
    "PLAIN",
    "Batch",
    "Batched",
    "Bools",
    "ByteRows",
    "Bytes",
    "Floats",
    "Int8",
    "Int8s",
    "Int16",
    "Int16Rows",
    "Int16s",
    "Int32",
    "Int32Rows",
    "Int32s",
    "Int64",
    "Int64Rows",
    "Int64s",
    "Prepared",
    "Record",
    "Rows",
    "Shared",
    "TableRecord",
    "Workspace",
    "announce",
    "are_kept",
    "batched",
    "cache_folder",
    "compile_seconds",
    "copy_record",
    "dtype_of",
    "entry",
    "leaf",
    "part",
    "prepare",
    "row",
    "rule",
    "sources_key",
    "specialised",
    "zeros",
]

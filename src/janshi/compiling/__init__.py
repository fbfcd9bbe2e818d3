"""Python functions over NumPy records, compiled by Numba.

The engine and all other code that must be fast consists of plain functions over plain records, for one table (one
hand, one view) at a time::

    class Seat(Record):
        hand: Annotated[NDArray[np.int8], 34]
        points: Annotated[int, np.int32]

    @rule
    def take(seat: Seat, kind: Int8) -> None:
        seat.hand[kind] += 1

    take_all = batched(take)          # take_all(seats, kinds): seats (n,), kinds (n,)

* A `Record` class describes a record to readers and type checkers. `dtype_of` derives the NumPy structured dtype,
  and Numba's type, from it.
* `rule` compiles a function with a single signature, given by its annotations. Only compiled functions can call it.
  `leaf` and `part` are variants.
* `batched` returns a loop over a batch that Python can call. It calls the compiled function for every row, optionally
  in several threads, and supplies shared records (`Shared`) and workspaces (`Workspace`).
* `specialised` creates a function from a template that serves several record types, such as the games' states.
* `entry` marks the few other functions that Python calls. Entries are compiled, or loaded from the cache on disk, on
  their first call.
* Compiled functions contain no inner functions, comprehensions or ``None``, which need passes of Numba's compiler that
  are left out (`janshi.compiling.pipeline`).
* With ``JANSHI_PLAIN=1`` in the environment nothing is compiled. The same code runs as plain Python, for debuggers
  and coverage.

In plain mode, integers read from a record are NumPy scalars, which overflow at their own width. Code therefore
converts operands with ``int(...)``, which costs nothing when compiled.
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
    element_dtype,
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
    "element_dtype",
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

"""Numbers into words: filled records as plain data.

The annotations of a record's fields say what its numbers mean: `Name` a place in a table of names, `Flag` yes or no.
`plan_of` reads them once; ``tools/make_wasm.py`` writes the same plans for TypeScript.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, get_args, get_origin, get_type_hints

from janshi.compiling import Record, Rows

#: Digits of fractions.
DIGITS: Final = 4

#: Names by table: what `Name` and its like refer to.
Tables = Mapping[str, Sequence[str]]


#: A number that is left out, where the annotation says that it may be. Rows and lists are left out with a count of −1.
ABSENT: Final = -128


@dataclass(frozen=True)
class Number:
    """A plain number."""

    absent: bool = False


@dataclass(frozen=True)
class Name:
    """A number that stands for a name; −1: None."""

    table: str
    absent: bool = False


@dataclass(frozen=True)
class NamesOf:
    """Numbers that stand for names; −1: none."""

    table: str
    absent: bool = False


@dataclass(frozen=True)
class NamesOrNone:
    """Numbers that stand for names, of which −1 is none; None without any."""

    table: str


@dataclass(frozen=True)
class BySeat:
    """Numbers by seat that stand for names: a mapping of the seats that have one (not −1), by their number as text."""

    table: str


@dataclass(frozen=True)
class Flag:
    """Yes or no; several: a list."""

    absent: bool = False


@dataclass(frozen=True)
class Lists:
    """Rows as lists of their values; those of rows with one value are that value."""


@dataclass(frozen=True)
class Thousandths:
    """Numbers that are divided by a thousand."""


@dataclass(frozen=True)
class Optional:
    """Rows of which there is one or none: the row, or None."""


@dataclass(frozen=True)
class Pairs:
    """Rows of two numbers: a mapping of the first to the second; None where the count is −1."""


@dataclass(frozen=True)
class OrNone:
    """A number that may be unknown: None where it is `ABSENT`, a fraction where it is NaN."""


@dataclass(frozen=True)
class Internal:
    """A number that is left out."""


class Part(NamedTuple):
    """How one field of a record becomes plain data."""

    field: str
    key: str  # the field's name without an underscore at its end
    kind: str  # the name of the annotation's class in lower case, else "number", "numbers", "rows" or "record"
    table: str = ""
    used: str = ""  # the field with the number of rows in use
    record: type[Record] = Record
    absent: bool = False


_PLANS: dict[type[Record], tuple[Part, ...]] = {}


def plan_of(record: type[Record]) -> tuple[Part, ...]:
    """Return the `Part` of each field of a record, in order."""
    if record not in _PLANS:
        _PLANS[record] = _parts_of(record)
    return _PLANS[record]


def _parts_of(record: type[Record]) -> tuple[Part, ...]:
    hints = get_type_hints(record, include_extras=True)
    parts = []
    for field, hint in hints.items():
        if field.endswith("_count"):
            continue
        inner, *extra = (hint,) if isinstance(hint, type) else get_args(hint)
        count = f"{field}_count" if f"{field}_count" in hints else ""
        mark = next((each for each in extra if type(each).__module__ == __name__), None)
        rows = get_origin(inner) is Rows
        single = isinstance(hint, type)
        nested = get_args(inner)[0] if rows else inner if single else Record
        plain = "rows" if rows else "record" if single else "number" if inner in (int, float) else "numbers"
        kind = type(mark).__name__.lower() if mark else plain
        if kind != "internal":
            table, absent = getattr(mark, "table", ""), getattr(mark, "absent", False)
            parts.append(Part(field, field.rstrip("_"), kind, table, count, nested, absent))
    return tuple(parts)


def in_words(
    values: Any, record: type[Record], tables: Tables, models: Mapping[type[Record], Callable[..., Any]]
) -> dict[str, Any]:
    """Return the fields of a filled record as plain data.

    Args:
        values: one record of a NumPy array.
        record: its class.
        tables: names by table.
        models: constructors of the records inside; a mapping is made of those that are not named.
    """
    found: dict[str, Any] = {}
    for part in plan_of(record):
        value = values[part.field]
        count = int(values[part.used]) if part.used else len(value) if value.ndim else 1
        if part.kind == "record":
            found |= in_words(value, part.record, tables, models)
        elif part.kind == "pairs":
            found[part.key] = None if count < 0 else dict(_lists(part, value[:count], tables))
        elif not _is_absent(part, value, count):
            found[part.key] = _WORDING[part.kind](part, value[:count] if value.ndim else value, tables, models)
    return found


def _is_absent(part: Part, value: Any, count: int) -> bool:
    return count < 0 or (part.absent and value.dtype.names is None and value.flat[0] == ABSENT)


def _rows(part: Part, values: Any, tables: Tables, models: Mapping[Any, Callable[..., Any]]) -> list[Any]:
    made = models.get(part.record, dict)
    return [made(**in_words(each, part.record, tables, models)) for each in values]


def _lists(part: Part, values: Any, tables: Tables, *_: Any) -> list[Any]:
    rows = [list(in_words(each, part.record, tables, {}).values()) for each in values]
    return [row if len(row) > 1 else row[0] for row in rows]


def _number(_: Part, value: Any, *__: Any) -> Any:
    number = value.item()
    return round(number, DIGITS) if isinstance(number, float) else number


def _or_none(part: Part, value: Any, *_: Any) -> Any:
    absent = math.isnan(value) if value.dtype.kind == "f" else value == ABSENT
    return None if absent else _number(part, value)


def _name(part: Part, value: Any, tables: Tables, *_: Any) -> str | None:
    return tables[part.table][value] if value >= 0 else None


def _names(part: Part, value: Any, tables: Tables, *_: Any) -> list[str]:
    return [tables[part.table][number] for number in value.tolist() if number >= 0]


def _by_seat(part: Part, value: Any, tables: Tables, *_: Any) -> dict[str, str]:
    return {str(seat): tables[part.table][number] for seat, number in enumerate(value.tolist()) if number >= 0}


_WORDING: Final[dict[str, Callable[..., Any]]] = {
    "number": _number,
    "ornone": _or_none,
    "numbers": lambda part, value, *_: value.tolist(),
    "thousandths": lambda part, value, *_: [number / 1000 for number in value.tolist()],
    "flag": lambda part, value, *_: (value != 0).tolist(),
    "name": _name,
    "namesof": _names,
    "namesornone": lambda *given: _names(*given) or None,
    "byseat": _by_seat,
    "rows": _rows,
    "lists": _lists,
    "optional": lambda *given: next(iter(_rows(*given)), None),
}

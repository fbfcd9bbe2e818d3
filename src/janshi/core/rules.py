"""Rule sets of every game: presets and their endings, checks of types, and the record that compiled code reads.

A rule set is a frozen dataclass with at least the fields of `RuleSet`. The others are truths, enumerations, numbers (or
None), tuples of numbers (one for each player where their length is open), or tuples of names, whose bits in the
record stand in the metadata of the field: ``field(default=(), metadata={"bits": {"first": 0, "second": 1}})``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from functools import cache
from typing import Annotated, Any, Final, Protocol, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Record
from janshi.core.errors import RuleError

T = TypeVar("T")

#: Stands for None in records.
NONE: Final = -1


class RuleSet(Protocol):
    """What every rule set says of itself."""

    @property
    def name(self) -> str:
        """What results and records call it."""
        ...

    @property
    def players(self) -> int:
        """How many play."""
        ...

    @property
    def start(self) -> int:
        """Points that everybody begins a game with."""
        ...


# ---------------------------------------------------------------------------------------------------------
# Presets


def find_preset(name: str, presets: Mapping[str, T], endings: Mapping[str, Mapping[str, Any]]) -> T | None:
    """Return the preset of a name that may have endings, in any order; None for a name that no preset has.

    ``endings``: the fields that each changes; a value may be a function of the preset.
    """
    base = name
    used: list[str] = []
    while base not in presets:
        ending = next((known for known in endings if base.endswith(known)), None)
        if ending is None:
            return None
        used.append(ending)
        base = base[: -len(ending)]
    found: Any = presets[base]
    if not used:
        return presets[base]
    changes = {field: value for ending in used for field, value in endings[ending].items()}
    changes = {field: value(found) if callable(value) else value for field, value in changes.items()}
    changed: T = dataclasses.replace(found, name=name, **changes)
    return changed


def preset_names(presets: Mapping[str, Any], endings: Mapping[str, Any]) -> str:
    """Say which names there are."""
    return ", ".join(presets) + (f" (with {', '.join(endings)})" if endings else "")


def named_preset(name: str, presets: Mapping[str, T], endings: Mapping[str, Mapping[str, Any]]) -> T:
    """Return what `find_preset` does; raises `RuleError` for a name that no preset has."""
    found = find_preset(name, presets, endings)
    if found is None:
        raise RuleError(f"no rules named {name!r}; there are {preset_names(presets, endings)}")
    return found


# ---------------------------------------------------------------------------------------------------------
# Types


#: The types that the fields of a rule set's class are declared with.
_declared: Final[Callable[[Any], dict[str, Any]]] = cache(get_type_hints)


def type_problems(rules: Any) -> Iterator[str]:
    """Say which fields of a rule set hold something of another type than they are declared with."""
    for field in dataclasses.fields(rules):
        name, value, declared = field.name, getattr(rules, field.name), _declared(type(rules))[field.name]
        if isinstance(declared, type) and issubclass(declared, IntEnum):
            if not isinstance(value, declared):
                yield f"{name} is a {declared.__name__} ({', '.join(declared.__members__)}), not {value!r}"
        elif declared is bool:
            if not isinstance(value, bool):
                yield f"{name} is True or False, not {value!r}"
        elif declared is str:
            if not isinstance(value, str):
                yield f"{name} is a text, not {value!r}"
        elif "bits" in field.metadata:
            bits = field.metadata["bits"]
            if not isinstance(value, tuple) or any(each not in bits for each in value):
                yield f"{name} is a tuple of names of {', '.join(bits)}, not {value!r}"
        elif get_origin(declared) is tuple:
            if not isinstance(value, tuple) or any(type(number) is not int for number in value):
                yield f"{name} is a tuple of whole numbers, not {value!r}"
        elif type(value) is not int and not (value is None and declared is not int):
            yield f"{name} is a whole number, not {value!r}"


# ---------------------------------------------------------------------------------------------------------
# Records


def rules_record(rules: type) -> type[Record]:
    """Return the class of the record with a rule set's fields but its name, by the same names.

    Truths are 0 or 1, None is `NONE`; a tuple of numbers has the length of its default.
    """
    hints: dict[str, Any] = {}
    for field in dataclasses.fields(rules):
        if "bits" in field.metadata:
            hints[field.name] = Annotated[int, np.int64]
        elif isinstance(field.default, tuple):
            hints[field.name] = Annotated[NDArray[np.int32], len(field.default)]
        elif field.name != "name":
            hints[field.name] = Annotated[int, np.int32]
    space = {"__annotations__": hints, "__module__": rules.__module__, "__doc__": rules.__doc__}
    return type("RulesRecord", (Record,), space)


def write_rules(rules: Any, record: Any) -> None:
    """Copy a rule set into a record of its fields (or into that field of an array of records)."""
    for field in dataclasses.fields(rules):
        if field.name != "name":
            value = getattr(rules, field.name)
            if "bits" in field.metadata:
                value = sum(1 << field.metadata["bits"][name] for name in value)
            elif isinstance(value, tuple):
                value += (0,) * (record.dtype[field.name].shape[0] - len(value))
            record[field.name] = NONE if value is None else value


def rules_from_record(rules: Any, record: Any, name: str = "of a table") -> Any:
    """Return the rule set of a class that a record holds, under a name."""
    values: dict[str, Any] = {}
    for field in dataclasses.fields(rules):
        if field.name != "name":
            value, declared = record[field.name], _declared(rules)[field.name]
            if "bits" in field.metadata:
                bits: Mapping[str, int] = field.metadata["bits"]
                values[field.name] = tuple(each for each, bit in bits.items() if int(value) >> bit & 1)
            elif get_origin(declared) is tuple:
                count = int(record["players"]) if Ellipsis in get_args(declared) else len(value)
                values[field.name] = tuple(int(number) for number in value[:count])
            elif isinstance(declared, type):
                values[field.name] = declared(int(value))
            else:
                values[field.name] = None if int(value) == NONE else int(value)
    return rules(name=name, **values)

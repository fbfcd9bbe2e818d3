"""Rule sets of all games: presets and suffixes of their names, type checks, and the record for compiled code.

A rule set is a frozen dataclass with at least the fields of `RuleSet`. The other fields are booleans, enumerations,
integers (or None), tuples of integers (one for each player if their length is open), or tuples of names. The metadata
of a tuple of names maps the names to bits: ``field(default=(), metadata={"bits": {"first": 0, "second": 1}})``.
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

#: Value of None in records.
NONE: Final = -1


class RuleSet(Protocol):
    """The common fields of all rule sets."""

    @property
    def name(self) -> str:
        """Name in results and records."""
        ...

    @property
    def players(self) -> int:
        """Number of players."""
        ...

    @property
    def start(self) -> int:
        """Points of every player at the start of a game."""
        ...


# ---------------------------------------------------------------------------------------------------------
# Presets


def find_preset(name: str, presets: Mapping[str, T], endings: Mapping[str, Mapping[str, Any]]) -> T | None:
    """Return the preset with the given name, which may have suffixes in any order; None for an unknown name.

    ``endings`` maps each suffix to the fields that it changes; a value may be a function of the preset.
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


#: Rule sets that a program or plug-in has registered, by name: see `janshi.games.register_rules`.
REGISTERED: Final[dict[str, Any]] = {}


def registered_rules(kind: type[T]) -> dict[str, T]:
    """Return the registered rule sets of a class by name."""
    return {name: rules for name, rules in REGISTERED.items() if isinstance(rules, kind)}


def preset_names(presets: Mapping[str, Any], endings: Mapping[str, Any]) -> str:
    """Return the names of presets and suffixes as text."""
    return ", ".join(presets) + (f" (with {', '.join(endings)})" if endings else "")


def named_preset(name: str, presets: Mapping[str, T], endings: Mapping[str, Mapping[str, Any]]) -> T:
    """Like `find_preset`, but raises `RuleError` for an unknown name."""
    found = find_preset(name, presets, endings)
    if found is None:
        raise RuleError(f"no rules named {name!r}; there are {preset_names(presets, endings)}")
    return found


# ---------------------------------------------------------------------------------------------------------
# Types


#: Declared types of the fields of a class of rule sets.
_declared: Final[Callable[[Any], dict[str, Any]]] = cache(get_type_hints)


def type_problems(rules: Any) -> Iterator[str]:
    """Yield an error message for each field of a rule set whose value does not have the declared type."""
    for field in dataclasses.fields(rules):
        name, value, declared = field.name, getattr(rules, field.name), _declared(type(rules))[field.name]
        if isinstance(declared, type) and issubclass(declared, IntEnum):
            if not isinstance(value, declared):
                members = ", ".join(declared.__members__)
                yield f"{name} must be a member of {declared.__name__} ({members}), not {value!r}"
        elif declared is bool:
            if not isinstance(value, bool):
                yield f"{name} must be True or False, not {value!r}"
        elif declared is str:
            if not isinstance(value, str):
                yield f"{name} must be a str, not {value!r}"
        elif "bits" in field.metadata:
            bits = field.metadata["bits"]
            if not isinstance(value, tuple) or any(each not in bits for each in value):
                yield f"{name} must be a tuple of names from {', '.join(bits)}, not {value!r}"
        elif get_origin(declared) is tuple:
            if not isinstance(value, tuple) or any(type(number) is not int for number in value):
                yield f"{name} must be a tuple of integers, not {value!r}"
        elif type(value) is not int and not (value is None and declared is not int):
            yield f"{name} must be an integer, not {value!r}"


# ---------------------------------------------------------------------------------------------------------
# Records


def rules_record(rules: type) -> type[Record]:
    """Return the `Record` class with all fields of a class of rule sets except the name.

    Booleans are 0 or 1, None is `NONE`; a tuple of integers has the length of its default.
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
    """Write a rule set into a record of its fields (or into that field of an array of records)."""
    for field in dataclasses.fields(rules):
        if field.name != "name":
            value = getattr(rules, field.name)
            if "bits" in field.metadata:
                value = sum(1 << field.metadata["bits"][name] for name in value)
            elif isinstance(value, tuple):
                value += (0,) * (record.dtype[field.name].shape[0] - len(value))
            record[field.name] = NONE if value is None else value


def rules_from_record(rules: Any, record: Any, name: str = "of a table") -> Any:
    """Return the rule set, of the class ``rules``, that a record contains, with the given name."""
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

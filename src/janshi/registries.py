"""Registries of games, encoders, networks, agents, papers and formats of records by name.

The entries of a registry have three sources: the package's own table (`janshi.built_in`), the entry points of installed
packages (`janshi.games`, `janshi.encoders`, …), and calls of `Registry.register`, for instance by plug-in files
(`janshi.plugins`). Values of tables and entry points are imported on first use.

>>> fruits: Registry[str] = Registry("example.fruits", "fruit", {"dot": "string:punctuation"})
>>> fruits.register("apple", "red")
'red'
>>> fruits["apple"], fruits["dot"][:3], tuple(fruits)
('red', '!"#', ('dot', 'apple'))
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, cast

from janshi.plugins import load_plugins

T = TypeVar("T")


class UnknownNameError(KeyError, ValueError):
    """Raised for an unknown name; the message lists the known ones."""

    def __str__(self) -> str:
        return str(self.args[0])


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return a question that suggests the closest name, as the end of a message; empty if none is close.

    >>> suggestion("aren", ["compare", "arena"]), suggestion("x", ["arena"])
    ('. Did you mean arena?', '')
    """
    close = get_close_matches(name, list(names), 1)
    return f". Did you mean {close[0]}?" if close else ""


def load(address: str) -> Any:
    """Return the object at ``module:attribute``.

    >>> load("string:digits")
    '0123456789'
    """
    module, _, attribute = address.partition(":")
    value: Any = importlib.import_module(module)
    for name in attribute.split("."):
        value = getattr(value, name)
    return value


class Registry(Mapping[str, T], Generic[T]):
    """Values of one kind by name, imported on first use.

    Args:
        group: group of entry points of other packages.
        what: kind of the values, for messages.
        built_in: names and addresses (``module:attribute``) of built-in values.
        error: exception for an unknown or taken name.
    """

    def __init__(
        self, group: str, what: str, built_in: Mapping[str, str], error: type[ValueError] = UnknownNameError
    ) -> None:
        self.group: Final = group
        self.what: Final = what
        self._error = error
        self._addresses = dict(built_in)
        self._values: dict[str, T] = {}
        self._origins: dict[str, str] = {}
        self._entry_points_read = False
        REGISTRIES[what] = self

    def register(self, name: str, value: T) -> T:
        """Add a value and return it. Raises `error` if another value has the name."""
        if name not in self._installed():
            self._values[name] = value
            self._origins[name] = _registering_file()
        elif self._values.get(name) is not value:
            raise self._error(f"there is {self._article} {name!r} already")
        return value

    @property
    def _article(self) -> str:
        return f"{'an' if self.what[0] in 'aeiou' else 'a'} {self.what}"

    def _installed(self) -> dict[str, str]:
        """Return the addresses, including those of installed packages; empty for registered values."""
        if not self._entry_points_read:
            self._entry_points_read = True
            for point in entry_points(group=self.group):
                if point.name not in self._addresses:
                    self._addresses[point.name] = point.value
                    self._origins[point.name] = f"package {point.dist.name}" if point.dist else point.value
        return self._addresses | dict.fromkeys(self._values, "")

    def _read(self) -> dict[str, str]:
        """Return the addresses, including those of installed packages and plug-ins."""
        load_plugins()
        return self._installed()

    @property
    def first(self) -> str:
        """The first built-in name."""
        return next(iter(self._addresses))

    def loaded(self) -> tuple[T, ...]:
        """Return the imported and registered values."""
        return tuple(self._values.values())

    def origin(self, name: str) -> str:
        """Return the origin of a value: a plug-in's file name, ``"package NAME"``, or an empty text if built in."""
        return self._origins.get(name, "")

    def require(self, name: str, origin: str = "") -> T:
        """Return the value of a name in a file, whose `origin` was ``origin``.

        Raises `error` if it is missing; the message names the package to install or the plug-in to add.
        """
        if origin and name not in self:
            package = origin.removeprefix("package ")
            do = f"pass --plugin {origin}" if package == origin else f"pip install {package}"
            raise self._error(f"no {self.what} {name!r}: the file was made with {_made_with(origin)}; {do}")
        return self[name]

    def __getitem__(self, name: str) -> T:
        """Return the value of a name. Raises `error` for an unknown name."""
        if name not in self._values:
            addresses = self._addresses if name in self._addresses else self._read()
            if name not in addresses:
                there = ", ".join(addresses) + suggestion(name, addresses)
                raise self._error(f"no {self.what} {name!r}: there are {there}")
            if name not in self._values:
                self._values[name] = cast(T, load(addresses[name]))
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._values or name in self._addresses or name in self._read()

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())


#: Every registry by the kind of its values.
REGISTRIES: Final[dict[str, Registry[Any]]] = {}


def _made_with(origin: str) -> str:
    return f"the {origin}" if origin.startswith("package ") else f"the plug-in {origin}"


def _registering_file() -> str:
    """Return the name of the file outside this package that calls `Registry.register`; empty if there is none."""
    frame = sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).startswith("janshi."):
        frame = frame.f_back
    if str(frame.f_globals.get("__name__", "")).startswith("importlib."):
        return ""  # a module of this package during its import
    file = frame.f_globals.get("__file__")
    return Path(file).name if file else ""


def origins(**names: str) -> dict[str, str]:
    """Return the plug-in or package of each of these names that is not built in, to be stored in files.

    >>> _ = Registry("example.fruits", "fruit", {"dot": "string:punctuation"}).register("pear", "green")
    >>> origins(fruit="dot"), list(origins(fruit="pear"))
    ({}, ['fruit'])
    """
    found = {what: REGISTRIES[what].origin(name) for what, name in names.items() if what in REGISTRIES}
    return {what: origin for what, origin in found.items() if origin}

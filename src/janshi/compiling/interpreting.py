"""Compiled functions as plain Python, for the time until their machine code is there.

What a rule says does not depend on how it is run. A few rows of a rule that is brief are sooner done in plain Python
than compiled: the first table of a new user stands in a second, and the page opens while helpers compile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, Final, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import records

P = ParamSpec("P")
R = TypeVar("R")

#: Globals of a module (or a loop) with what compiled functions see, and the same with plain functions in their place.
_spaces: Final[dict[int, tuple[dict[str, Any], dict[str, Any]]]] = {}
_plain: Final[dict[Callable[..., Any], Callable[..., Any]]] = {}


def interpreted(function: Callable[P, R], rules: Mapping[Callable[..., Any], Any]) -> Callable[P, R]:
    """Return a function of Python that does what the compiled one does, with all ``rules`` that it calls."""
    return with_records(_plain_function(function, {id(compiled): rule for rule, compiled in rules.items()}))


def _plain_function(function: Callable[P, R], rules: Mapping[int, Callable[..., Any]]) -> Callable[P, R]:
    if function not in _plain:
        code, defaults, closure = function.__code__, function.__defaults__, function.__closure__
        space = _plain_space(function.__globals__, rules)
        _plain[function] = FunctionType(code, space, function.__name__, defaults, closure)
    return cast("Callable[P, R]", _plain[function])


def _plain_space(space: dict[str, Any], rules: Mapping[int, Callable[..., Any]]) -> dict[str, Any]:
    if id(space) not in _spaces:
        plain = dict(space)
        _spaces[id(space)] = space, plain
        for name, value in space.items():
            if id(value) in rules:
                plain[name] = _plain_function(rules[id(value)], rules)
            elif value is records.copy_record:
                plain[name] = records.copy_fields
    return _spaces[id(space)][1]


def with_records(function: Callable[P, R]) -> Callable[P, R]:
    """Let a plain function see structured arrays as records with attributes, and its numbers wrap as machines' do."""

    def plain(*args: P.args, **kwargs: P.kwargs) -> R:
        shown = [cast("NDArray[Any]", arg).view(np.recarray) if _is_table(arg) else arg for arg in args]
        with np.errstate(all="ignore"):
            return function(*cast("Any", shown), **kwargs)

    return plain


def _is_table(arg: object) -> bool:
    return isinstance(arg, np.ndarray) and arg.dtype.names is not None

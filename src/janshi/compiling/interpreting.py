"""Plain Python versions of compiled functions, for use before machine code is available.

A few rows of a brief rule take less time in plain Python than its compilation. A new user's first table is ready in a
second, and the page opens while helper processes compile.
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

#: Globals of a module (or a loop), and a copy with plain functions in place of compiled ones, by the globals' id.
_spaces: Final[dict[int, tuple[dict[str, Any], dict[str, Any]]]] = {}
_plain: Final[dict[Callable[..., Any], Callable[..., Any]]] = {}


def interpreted(function: Callable[P, R], rules: Mapping[Callable[..., Any], Any]) -> Callable[P, R]:
    """Return the plain Python version of a function and of all ``rules`` that it calls."""
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
    """Wrap a plain function: structured arrays become record arrays, and integer overflow gives no warning."""

    def plain(*args: P.args, **kwargs: P.kwargs) -> R:
        shown = [cast("NDArray[Any]", arg).view(np.recarray) if _is_table(arg) else arg for arg in args]
        with np.errstate(all="ignore"):
            return function(*cast("Any", shown), **kwargs)

    return plain


def _is_table(arg: object) -> bool:
    return isinstance(arg, np.ndarray) and arg.dtype.names is not None

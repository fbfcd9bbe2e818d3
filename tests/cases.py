"""Cases of parametrized tests: a few in every run, all with ``-m long``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def mostly_long(cases: Iterable[Any], usual: Callable[..., bool]) -> list[Any]:
    """Return the cases of a test, with the unusual ones marked ``long``. ``usual`` takes the values of a case.

    >>> [bool(getattr(case, "marks", ())) for case in mostly_long([1, 2, 3], lambda number: number == 2)]
    [True, False, True]
    """
    found = []
    for case in cases:
        values = case if isinstance(case, tuple) else (case,)
        found.append(case if usual(*values) else pytest.param(*values, marks=pytest.mark.long))
    return found


def few_or_many(names: str, few: Any, many: Any) -> pytest.MarkDecorator:
    """Return the parameters of a test that runs on few cases, and with ``-m long`` on many, too."""
    values = many if isinstance(many, tuple) else (many,)
    return pytest.mark.parametrize(names, [few, pytest.param(*values, marks=pytest.mark.long)])

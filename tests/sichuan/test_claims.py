"""The rules of Sichuan mahjong at constructed tables, and the fan of hands: the claims of ``tests/vectors``."""

from __future__ import annotations

import re
from typing import Any

import pytest

from janshi.core.hands import HandError
from janshi.sichuan.hands.score import FanValue, fan
from tests.claims import Row, claims, rules_in
from tests.sichuan.tables import SICHUAN_WORDS


@pytest.mark.parametrize("row", claims("sichuan-tables"))
def test_tables(row: Row) -> None:
    SICHUAN_WORDS.check(row)


def worth(row: Row) -> FanValue:
    """Return the worth of a hand; ``how`` has the arguments of `fan`: ``self_drawn pungs=111m,222m``."""
    how: dict[str, Any] = {"win": row.get("win")}
    for word in row.get("how", "").split():
        name, _, value = word.partition("=")
        how[name] = (value if name in ("win", "void") else value.split(",")) if value else True
    return fan(row["tiles"], **how, rules=rules_in(row.get("rules", "sichuan")))


@pytest.mark.parametrize("row", claims("sichuan-values"))
def test_values(row: Row) -> None:
    if "error" in row:
        with pytest.raises(HandError, match=re.escape(row["error"])):
            worth(row)
        return
    value = worth(row)
    names = [name for name, _ in value.fans]
    for name, expected in row.items():
        if name in ("has", "lacks"):
            assert (expected in names) == (name == "has")
        elif name == "fans":
            assert ", ".join(names) == expected
        elif name in ("fan", "points", "each"):
            assert getattr(value, name) == expected, name

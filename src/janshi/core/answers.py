"""Answers about a hand: the facet ``"hand"`` of a game, used by ``janshi hand``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from janshi.tiles import format_tiles, tile_text


@dataclass(frozen=True)
class AnswerTable:
    """A table of an answer."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class HandAnswer:
    """The analysis of a hand as plain data, and as tables with a line below them."""

    data: Mapping[str, Any]
    sheets: Sequence[AnswerTable]
    line: str = ""


@dataclass(frozen=True)
class HandTool:
    """The facet: ``answer(tiles, rules, **given)``, where ``given`` contains only ``options``.

    ``answer`` raises `ValueError` for an impossible hand.
    """

    options: frozenset[str]
    answer: Callable[..., HandAnswer]


def discards_sheet(title: str, rows: Sequence[Any]) -> AnswerTable:
    """Return the table of discards and their ukeire (rows of an ``ukeire``)."""
    return AnswerTable(
        title,
        ("discard", "shanten after", "accepts", "tiles left"),
        [(_discard(row) or "–", str(row.shanten), format_tiles(row.accepted), str(row.left)) for row in rows],
    )


def discards_data(rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the rows of an ``ukeire`` as plain data."""
    return [
        {
            "discard": _discard(row),
            "shanten": row.shanten,
            "accepted": [tile_text(kind) for kind in row.accepted],
            "left": row.left,
        }
        for row in rows
    ]


def _discard(row: Any) -> str | None:
    return None if row.discard is None else tile_text(row.discard)

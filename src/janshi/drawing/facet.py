"""Drawings of a game's tables: the facet ``"drawing"`` of a `janshi.core.game.Game`.

Games without drawings are shown as plain text: the fields of their records, and the legal actions by name.

>>> from janshi.table import Table
>>> table = Table("tenhou-sanma", seed=1)
>>> print(drawing_of(table.game).text(table.view(0)).splitlines()[0])
East 1, 54 tiles left, dora indicator 1s
>>> drawing_of(table.game).open_svg(table)[:4]
'<svg'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from janshi.core.game import Game, GameError

#: Fields that do not describe the position.
_UNSEEN: Final = ("rules", "seed", "wall", "clock", "walls_given")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Texts and pictures of a game's tables; functions with all hands open take a table or its state.

    A game without pictures raises `GameError` when one is drawn.
    """

    text: Callable[..., str]
    """``(view, legal=())``: a seat's view as lines for a terminal; ``legal``: its legal actions."""
    svg: Callable[..., str]
    """``(view, numerals=False)``: a seat's view as an SVG document."""
    open_svg: Callable[..., str]
    """``(table, seat=0, numerals=False)``: the table with all hands open and ``seat`` below, as an SVG document."""
    steps_html: Callable[..., str] | None = None
    """``(record, hand=None, seat=0, numerals=False)``: a page that steps through a recorded game."""
    pictures: bool = True
    """True if the game has SVG pictures."""


def drawing_of(game: Game) -> Drawing:
    """Return a game's own drawings, or plain texts."""
    if "drawing" in game.facets:
        drawing: Drawing = game.facet("drawing")
        return drawing

    def lacking(*_: Any, **__: Any) -> str:
        raise GameError(f"there are no pictures of game {game.name!r}")

    return Drawing(
        text=lambda view, legal=(): plain_text(game, view, legal),
        svg=lacking,
        open_svg=lacking,
        pictures=False,
    )


def plain_text(game: Game, record: Any, legal: Iterable[int] = ()) -> str:
    """Return a record (a view or a state) as lines: one for each field, and the names of legal actions."""
    names = ", ".join(map(game.action_text, legal))
    return "\n".join([*_fields(np.asarray(record).reshape(())), *([f"may: {names}"] if names else [])])


def _fields(record: Any) -> Iterator[str]:
    for name in record.dtype.names:
        value = np.asarray(record[name])
        if name in _UNSEEN:
            continue
        if value.dtype.names is None or not value.shape:
            yield f"{name}: {_inline(value)}"
        else:
            rows = value[: int(record["rules"]["players"])] if name == "seats" else value
            yield from (f"{name} {index}: {_inline(row)}" for index, row in enumerate(rows))


def _inline(value: Any) -> str:
    """Return a value, or the fields of a record, in one line."""
    if value.dtype.names is None:
        return " ".join(map(str, value.reshape(-1).tolist()))
    if value.shape:
        return ", ".join(f"({_inline(row)})" for row in value)
    return ", ".join(f"{name} {_inline(np.asarray(value[name]))}" for name in value.dtype.names)

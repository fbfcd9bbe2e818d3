"""Displays of tables, records and results in notebooks.

A `Table` is shown as a picture, `Tables` as a line and pictures of the first ones, a recorded game as a page to step
through, a `Match` and a `Comparison` as tables of figures.

In IPython (Jupyter, Colab, VS Code), importing any module of the package calls `register`. The classes are named, not
imported, and the drawings are loaded when an object is first shown. Elsewhere, use the functions of
`janshi.drawing.drawing_of`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from janshi.built_in import RECORDED_GAMES
from janshi.registries import load


def table_display(table: Any) -> str | None:
    """Return the SVG picture of a `janshi.table.Table` with all hands open; None for a game without pictures."""
    from janshi.drawing import drawing_of

    drawing = drawing_of(table.game)
    return drawing.open_svg(table) if drawing.pictures else None


def game_display(record: Any) -> str | None:
    """Return the HTML page that steps through a recorded game; None for a game without such pages."""
    from janshi.drawing import drawing_of
    from janshi.games import game_of

    steps_html = drawing_of(game_of(record.rules)).steps_html
    return None if steps_html is None else steps_html(record)


def _made_by(address: str) -> Callable[[Any], str]:
    """Return a function that imports and calls the function at an address."""
    return lambda shown: str(load(address)(shown))


#: MIME type, module and name of the class, and the function that returns an object's display.
DISPLAYS: Final = (
    ("image/svg+xml", "janshi.table", "Table", table_display),
    *(("text/html", *address.split(":"), game_display) for address in RECORDED_GAMES),
    ("text/html", "janshi.table", "Tables", _made_by("janshi.drawing.results:tables_html")),
    ("text/html", "janshi.arena.matches", "Match", _made_by("janshi.drawing.results:match_html")),
    ("text/html", "janshi.arena.compare", "Comparison", _made_by("janshi.drawing.results:comparison_html")),
)


def register(display_formatter: Any) -> None:
    """Register the displays with an IPython ``DisplayFormatter``."""
    for mime_type, module, name, display in DISPLAYS:
        display_formatter.formatters[mime_type].for_type_by_name(module, name, display)

"""How notebooks show tables, records and results.

A `Table` is a picture, `Tables` are a line and pictures of the first, a `Game` is a page to step through, a `Match` and
a `Comparison` are tables of figures.

Where IPython runs (Jupyter, Colab, VS Code), importing any module of the package calls `register`: users do nothing.
The classes are named, not imported, and the drawings are loaded when something is shown for the first time. Elsewhere,
call `janshi.drawing.open_table_svg` or `janshi.drawing.notebook.steps_html` and show what they return.
"""

from __future__ import annotations

from typing import Any, Final


def table_display(table: Any) -> str | None:
    """Return the SVG picture of a `janshi.table.Table` with all hands open; None for another game than Riichi."""
    if table.game.name != "riichi":
        return None
    from janshi.drawing import open_table_svg

    return open_table_svg(table)


def game_display(game: Any) -> str:
    """Return the HTML page that steps through a `janshi.records.Game`."""
    from janshi.drawing.notebook import steps_html

    return steps_html(game)


def tables_display(tables: Any) -> str:
    """Return the HTML of `janshi.table.Tables`: what they are, and pictures of the first."""
    from janshi.drawing.results import tables_html

    return tables_html(tables)


def match_display(match: Any) -> str:
    """Return the HTML table of a `janshi.arena.Match`."""
    from janshi.drawing.results import match_html

    return match_html(match)


def comparison_display(comparison: Any) -> str:
    """Return the HTML tables of a `janshi.arena.Comparison`."""
    from janshi.drawing.results import comparison_html

    return comparison_html(comparison)


#: MIME type, module and name of the class, and what makes the display of an object.
DISPLAYS: Final = (
    ("image/svg+xml", "janshi.table", "Table", table_display),
    ("text/html", "janshi.records.model", "Game", game_display),
    ("text/html", "janshi.table", "Tables", tables_display),
    ("text/html", "janshi.arena.matches", "Match", match_display),
    ("text/html", "janshi.arena.compare", "Comparison", comparison_display),
)


def register(display_formatter: Any) -> None:
    """Register the displays with an IPython ``DisplayFormatter``."""
    for mime_type, module, name, display in DISPLAYS:
        display_formatter.formatters[mime_type].for_type_by_name(module, name, display)

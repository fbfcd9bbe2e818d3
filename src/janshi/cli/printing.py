"""Tables of the commands."""

from __future__ import annotations

from typing import Any

from rich.table import Table


def make_table(*columns: str, left: int = 1, **settings: Any) -> Table:
    """Return a table of figures: the first ``left`` columns are text, the others stand to the right.

    ``settings``: those of `rich.table.Table`, such as ``title`` and ``caption``.
    """
    made = Table(**settings)
    for number, name in enumerate(columns):
        made.add_column(name, justify="left" if number < left else "right")
    return made

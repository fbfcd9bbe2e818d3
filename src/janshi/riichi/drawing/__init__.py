"""Tables of Riichi as SVG, as pixels and as text, and recorded games as pages to step through."""

from typing import Any, Final

from janshi.drawing.facet import Drawing
from janshi.drawing.picture import RenderError, table_pixels
from janshi.riichi.drawing.table import open_table_svg, table_svg, table_text

__all__ = ["DRAWING", "RenderError", "open_table_svg", "table_pixels", "table_svg", "table_text"]


def _steps_html(record: Any, **options: Any) -> str:
    from janshi.riichi.drawing.notebook import steps_html  # it replays records: more than pictures need

    return steps_html(record, **options)


#: Riichi's facet ``"drawing"``.
DRAWING: Final = Drawing(
    text=lambda view, legal=(): table_text(view),
    svg=table_svg,
    open_svg=open_table_svg,
    steps_html=_steps_html,
)

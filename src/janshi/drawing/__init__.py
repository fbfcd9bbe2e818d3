"""Drawings: tiles and tables as SVG, as pixels and as text."""

from janshi.drawing.sichuan import open_sichuan_text, sichuan_text
from janshi.drawing.sichuan_picture import open_sichuan_svg, sichuan_svg
from janshi.drawing.table import RenderError, open_table_svg, table_pixels, table_svg, table_text
from janshi.drawing.tiles import sprite, tile_svg

__all__ = [
    "RenderError",
    "open_sichuan_svg",
    "open_sichuan_text",
    "open_table_svg",
    "sichuan_svg",
    "sichuan_text",
    "sprite",
    "table_pixels",
    "table_svg",
    "table_text",
    "tile_svg",
]

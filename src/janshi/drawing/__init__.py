"""Drawings: tiles, common parts of pictures of tables, and the drawings of a game's tables."""

from janshi.drawing.facet import Drawing, drawing_of, plain_text
from janshi.drawing.picture import RenderError, table_pixels
from janshi.drawing.tiles import sprite, tile_svg

__all__ = ["Drawing", "RenderError", "drawing_of", "plain_text", "sprite", "table_pixels", "tile_svg"]

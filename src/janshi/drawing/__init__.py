"""Drawings: tiles, common parts of pictures of tables, and the drawings of a game's tables."""

from typing import Any

from janshi.drawing.facet import Drawing, drawing_of, plain_text
from janshi.drawing.picture import RenderError, table_pixels
from janshi.drawing.tiles import sprite, tile_svg
from janshi.moved import old_attribute

__all__ = ["Drawing", "RenderError", "drawing_of", "plain_text", "sprite", "table_pixels", "tile_svg"]


def __getattr__(name: str) -> Any:
    return old_attribute(__name__, name)

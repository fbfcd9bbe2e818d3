"""Drawings: tiles and tables as SVG, as pixels and as text."""

from janshi.drawing.tiles import sprite, tile_svg

__all__ = ["sprite", "tile_svg"]

"""Janshi (雀士, a mahjong player): play, read, learn and measure mahjong at compiled speed."""

__version__ = "0.1.0"

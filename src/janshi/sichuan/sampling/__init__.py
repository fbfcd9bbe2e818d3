"""Sampling of the tiles hidden from a seat."""

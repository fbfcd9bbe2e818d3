"""Encoders of Riichi, one a file: views as arrays for networks."""

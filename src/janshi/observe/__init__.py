"""Observations: what one seat may see, as arrays for networks."""

from janshi.observe.meowjong import COLUMNS, column_names, expand, observe

__all__ = ["COLUMNS", "column_names", "expand", "observe"]

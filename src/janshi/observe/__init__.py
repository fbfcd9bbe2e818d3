"""Observations: what one seat may see, as arrays for networks."""

from janshi.observe.janshi import WIDE, observe_wide
from janshi.observe.meowjong import COLUMNS, column_names, expand, observe

__all__ = ["COLUMNS", "WIDE", "column_names", "expand", "observe", "observe_wide"]

"""Observations: what one seat may see, as arrays for networks."""

from janshi.observe.janshi import WIDE, observe_wide
from janshi.observe.meowjong import COLUMNS, column_names, expand, observe
from janshi.observe.planned import PLANNED, observe_planned

__all__ = ["COLUMNS", "PLANNED", "WIDE", "column_names", "expand", "observe", "observe_planned", "observe_wide"]

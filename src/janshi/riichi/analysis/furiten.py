"""Furiten by one's own discards: a tenpai hand that has discarded one of its waits wins by self-draw only.

The rule itself, which also knows the tiles let pass, is `janshi.riichi.legal.furiten`. Here the same is asked of hands
that might be: after a discard, or of what a player knows of its own hand.

>>> furiten_by_discards(waits=0b110, discarded=0b010)
True
"""

from __future__ import annotations

from janshi.compiling import leaf


def furiten_by_discards(waits: int, discarded: int) -> bool:
    """Return whether one of the waits is among the kinds discarded; both are masks of kinds."""
    return waits & discarded != 0


#: The same for compiled code.
is_furiten = leaf(furiten_by_discards)

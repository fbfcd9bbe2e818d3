"""The flat action space of Sichuan mahjong: 61 numbers.

======= ==============================================================================================
action  effect
======= ==============================================================================================
0–26    discard a tile of that kind; before play give it away, or lay it face down and void its suit
27–29   void characters (man), dots (pin), bamboo (sou)
30      pung
31      exposed kong
32      win, by self-draw or on another's tile
33      pass
34–60   a kong of kind 0–26 on the seat's own turn: concealed, or added to its pung
======= ==============================================================================================

Legal actions are one 64-bit word inside the engine, a bit an action.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from janshi.tiles import tile_text

#: Size of the action space.
ACTIONS: Final = 61
_SUITS: Final = ("characters", "dots", "bamboo")


class Action(IntEnum):
    """Actions by name; for discards, void suits and own kongs the first number."""

    DISCARD = 0
    VOID = 27
    PUNG = 30
    EXPOSED_KONG = 31
    WIN = 32
    PASS = 33
    OWN_KONG = 34


def action_text(action: int) -> str:
    """Return an action in words. Raises `ValueError` for an unknown number.

    >>> action_text(17), action_text(28), action_text(31), action_text(60)
    ('discard 9p', 'void dots', 'exposed kong', 'own kong 9s')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"{action} is not an action: actions are 0 to {ACTIONS - 1}")
    if action < Action.VOID:
        return f"discard {tile_text(action)}"
    if action < Action.PUNG:
        return f"void {_SUITS[action - Action.VOID]}"
    if action >= Action.OWN_KONG:
        return f"own kong {tile_text(action - Action.OWN_KONG)}"
    return Action(action).name.lower().replace("_", " ")

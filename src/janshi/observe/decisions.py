"""The five decisions of the `meowjong` papers, in the order of labels, of networks and of what they answer.

>>> DECISIONS[KITA]
'kita'
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf
from janshi.engine import actions
from janshi.engine.hand import kind_of_tile
from janshi.engine.shanten import ALL_KINDS

#: Names of the five decisions; `DISCARD` to `RIICHI` are their places.
DECISIONS: Final = ("discard", "pon", "kan", "kita", "riichi")
DISCARD: Final = 0
PON: Final = 1
KAN: Final = 2
KITA: Final = 3
RIICHI: Final = 4


@leaf
def discard_kinds(simple: int, drawn: int) -> int:
    """Kinds that may be discarded, from the first word of the legal actions and the tile drawn (−1: none)."""
    kinds = simple & ALL_KINDS
    for suit in range(3):
        if simple >> 34 + suit & 1:
            kinds |= 1 << 4 + 9 * suit
    if simple >> actions.TSUMOGIRI & 1 and drawn >= 0:
        kinds |= 1 << kind_of_tile(drawn)
    return kinds

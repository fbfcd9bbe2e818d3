"""Kinds of tiles for compiled code: masks of kinds, and the kind of a tile.

Kinds are 0–33 and tiles 0–36 as in `janshi.tiles`; a mask has one bit per kind.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf
from janshi.tiles import ORPHANS

#: Kinds that exist with four players and with three.
ALL_KINDS: Final = (1 << 34) - 1
SANMA_KINDS: Final = ALL_KINDS & ~(0b1111111 << 1)
#: Terminals and honours: the kinds of thirteen orphans.
ORPHANS_MASK: Final = sum(1 << kind for kind in ORPHANS)
#: Fives of the three suits.
FIVES: Final = 1 << 4 | 1 << 13 | 1 << 22
HONOURS: Final = 0b1111111 << 27
WINDS: Final = 0b1111 << 27
DRAGONS: Final = 0b111 << 31


@leaf
def kind_of_tile(tile: int) -> int:
    """Return the kind (0–33) of a tile (0–36); −1 for none. The compiled form of `janshi.tiles.kind_of`."""
    return tile if tile < 34 else 4 + 9 * (tile - 34)

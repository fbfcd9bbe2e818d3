"""The shape of a hand: the values that determine its shanten, updated with each tile.

A `Shape` contains the *indices* of man, pin, sou and honours (see `janshi.core.shanten_tables`), and for each n the
mask of the kinds with at least n tiles. It covers concealed tiles only.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Record, leaf


class Shape(Record):
    """Suit indices and at-least-n masks of concealed tiles."""

    suits: Annotated[NDArray[np.int32], 4]
    """Indices of man, pin, sou and honours; one tile of a kind adds ``WEIGHTS[kind]``."""
    held: Annotated[NDArray[np.int64], 5]  # ``held[n]``: kinds with at least n concealed tiles, n = 1 … 4


@leaf
def clear_shape(shape: Shape) -> None:
    """Empty a shape."""
    for suit in range(4):
        shape.suits[suit] = 0
    for count in range(5):
        shape.held[count] = 0

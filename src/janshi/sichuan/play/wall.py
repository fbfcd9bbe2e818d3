"""The wall, and the dice of the exchange.

The wall holds thirteen tiles for each seat from the dealer on, the dealer's fourteenth, then the draws. Replacement
tiles come from the end. The wall depends only on the game's seed and the number of the hand (`janshi.core.play`).
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf, rule
from janshi.core.random import Stream, below, philox
from janshi.sichuan.hands.concealed import take
from janshi.sichuan.state import TILES, State

#: Tiles dealt to each seat.
DEALT: Final = 13


@rule
def lay_wall(state: State) -> int:
    """Write all tiles in order; return their number."""
    for tile in range(TILES):
        state.wall[tile] = tile // 4
    return TILES


@rule
def deal(state: State) -> None:
    """Deal thirteen tiles to each seat and the fourteenth to the dealer."""
    slot = 0
    for step in range(4):
        seat = (int(state.dealer) + step) % 4
        for _ in range(DEALT):
            take(state.hands[seat], int(state.wall[slot]))
            slot += 1
    state.next = slot
    state.left = TILES - slot
    state.drawn = draw_tile(state)
    take(state.hands[int(state.dealer)], int(state.drawn))


@leaf
def draw_tile(state: State) -> int:
    """Take the next tile of the wall."""
    tile = int(state.wall[int(state.next)])
    state.next += 1
    state.left -= 1
    return tile


@leaf
def draw_replacement(state: State) -> int:
    """Take the last tile of the wall."""
    tile = int(state.wall[int(state.next) + int(state.left) - 1])
    state.left -= 1
    return tile


@leaf
def throw_dice(state: State) -> int:
    """Return the number of seats by which the exchanged tiles move, 1 to 3, from the table's seed and hand number."""
    word, _b, _c, _d = philox(int(state.seed), Stream.DICE, int(state.hand_number), 0)
    return 1 + below(word, 3)

"""Symmetries of decisions in sanma: equivalent suits and terminals exchanged.

Bit 0 of a turn swaps pin and sou, bit 1 swaps 1m and 9m: see `janshi.riichi.encoders.symmetry`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.core.kinds import ALL_KINDS
from janshi.encoders import Encoder, Layout
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.encoders.symmetry import turned
from janshi.tiles import KINDS

#: Ways to turn a hand of sanma.
TURNS: Final = 4
#: First actions of the three groups that name kinds.
_BY_KIND: Final = (Action.DISCARD, Action.ANKAN, Action.KAKAN)
#: Discards of the red fives of pin and sou.
_RED_PIN: Final = KINDS + 1
_RED_SOU: Final = KINDS + 2


def can_turn(encoder: Encoder, players: int) -> bool:
    """Return whether decisions of ``players`` players with this encoder may be turned."""
    return players == 3 and encoder.symmetric and encoder.layout is Layout.MASKS


def _turned_action_table() -> NDArray[np.int16]:
    """Return the actions after each of the four turns (`TURNS`, 122)."""
    kinds = np.int64(1) << np.arange(KINDS, dtype=np.int64)
    table = np.tile(np.arange(ACTIONS, dtype=np.int16), (TURNS, 1))
    for turn in range(TURNS):
        masks = turned(kinds[:, None], np.full(KINDS, turn, np.uint8))[:, 0]
        named = np.log2(masks.astype(np.float64)).astype(np.int16)
        for first in _BY_KIND:
            table[turn, first : first + KINDS] = first + named
        if turn & 1:
            table[turn, [_RED_PIN, _RED_SOU]] = _RED_SOU, _RED_PIN
    return table


def turned_actions(actions: NDArray[np.int16], turns: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Return actions (n) after turns (n).

    >>> turned_actions(np.array([9, 35, 88]), np.array([1, 1, 2], np.uint8)).tolist()
    [18, 36, 96]
    """
    return _turned_action_table()[turns, actions]


def turned_legal(words: NDArray[np.int64], turns: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return legal actions (n, 3; words as in `janshi.riichi.actions`) after turns (n)."""
    result = turned(np.where(np.arange(3) == 0, words & ALL_KINDS, words), turns)
    others = words[:, 0] & ~np.int64(ALL_KINDS)
    swap = (turns & 1).astype(np.int64)
    change = (others >> _RED_PIN ^ others >> _RED_SOU) & swap
    result[:, 0] |= others ^ (change << _RED_PIN | change << _RED_SOU)
    return result

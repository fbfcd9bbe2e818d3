"""Legal discards and their actions.

Up to three actions discard a kind: a plain tile of the hand, a red five of the hand, the tile just drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import leaf
from janshi.core.kinds import ALL_KINDS, FIVES, kind_of_tile
from janshi.riichi.actions import Action
from janshi.tiles import KINDS, kinds_of


@leaf
def discard_kinds(simple: int, drawn: int) -> int:
    """Return the kinds that may be discarded, from the first word of legal actions and the drawn tile (−1: none)."""
    kinds = simple & ALL_KINDS
    for suit in range(3):
        if simple >> 34 + suit & 1:
            kinds |= 1 << 4 + 9 * suit
    if simple >> Action.TSUMOGIRI & 1 and drawn >= 0:
        kinds |= 1 << kind_of_tile(drawn)
    return kinds


@leaf
def discard_action(simple: int, drawn: int, kind: int) -> int:
    """Return the action that discards a kind: a plain tile of the hand, the plain tile drawn, or a red five."""
    if simple >> kind & 1:
        return kind
    if drawn == kind and simple >> Action.TSUMOGIRI & 1:
        return Action.TSUMOGIRI
    if FIVES >> kind & 1 and simple >> 34 + kind // 9 & 1:
        return 34 + kind // 9
    return Action.TSUMOGIRI


def discard_actions(views: NDArray[Any], legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return the action that discards each kind (n, 34), −1 if it cannot be discarded.

    ``views`` (n) belong to the seats to decide, ``legal`` (n, 122) are their legal actions. The plain tile just drawn
    precedes a plain one of the hand, and plain fives precede red ones.
    """
    actions = np.full((len(legal), KINDS), -1, np.int16)
    for suit in range(3):
        actions[legal[:, 34 + suit], 4 + 9 * suit] = 34 + suit
    drawn = views["drawn"].astype(np.int64)
    kinds = kinds_of(drawn)
    actions = np.where(legal[:, :KINDS], np.arange(KINDS, dtype=np.int16), actions)
    rows = np.flatnonzero(legal[:, Action.TSUMOGIRI])
    rows = rows[(drawn[rows] < KINDS) | (actions[rows, kinds[rows]] < 0)]
    actions[rows, kinds[rows]] = Action.TSUMOGIRI
    return actions

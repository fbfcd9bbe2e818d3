"""Labels of discards, pon, chii and riichi, from the decisions of hands. Papers filter them further."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.core.kinds import ALL_KINDS
from janshi.riichi.actions import Action
from janshi.riichi.dataset.hands import Decisions
from janshi.riichi.state import Phase
from janshi.tiles import KINDS, kinds_of

_CHIIS: Final = (1 << Action.PON) - (1 << Action.CHII)
_PONS: Final = (1 << Action.DAIMINKAN) - (1 << Action.PON)


def discarded_kinds(batch: Decisions) -> NDArray[np.int8]:
    """Return the kind discarded (n; int8, 0 to 33), −1 for other decisions."""
    action = batch.action.astype(np.int64)
    kinds = np.full(len(batch), -1, np.int8)
    discards = (batch.phase != Phase.CLAIM) & (action <= Action.TSUMOGIRI)
    kinds[discards] = kinds_of(np.where(action == Action.TSUMOGIRI, batch.drawn, action)[discards])
    return kinds


def discard_masks(legal: NDArray[np.int64], drawn: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the masks of legal discards (n; int64): `janshi.riichi.analysis.discards.discard_kinds` of rows.

    ``legal`` (n, 3): the words of the legal actions; ``drawn`` (n): the tile just drawn, −1 for none.

    >>> words = np.array([[1 << 3 | 1 << int(Action.TSUMOGIRI), 0, 0]])
    >>> bin(discard_masks(words, np.array([5], np.int8))[0])  # 4m, and the 6m just drawn
    '0b101000'
    """
    simple, tiles = legal[:, 0], np.maximum(drawn, 0).astype(np.int64)
    masks = simple & ALL_KINDS
    for suit in range(3):
        masks |= (simple >> KINDS + suit & 1) << 4 + 9 * suit
    tsumogiri = (simple >> int(Action.TSUMOGIRI) & 1 > 0) & (drawn >= 0)
    return masks | np.where(tsumogiri, np.int64(1) << kinds_of(tiles).astype(np.int64), 0)


def pon_answers(batch: Decisions) -> NDArray[np.int8]:
    """Return 1 for a pon (n; int8), 0 if it was possible, else −1."""
    asked = (batch.phase == Phase.CLAIM) & (batch.legal[:, 0] & _PONS != 0)
    return _where(asked, (batch.action >= Action.PON) & (batch.action < Action.DAIMINKAN))


def chii_answers(batch: Decisions) -> NDArray[np.int8]:
    """Return 1, 2 or 3 for a chii with the lowest, middle or highest tile called (n; int8).

    0 if a chii was possible, else −1.
    """
    asked = (batch.phase == Phase.CLAIM) & (batch.legal[:, 0] & _CHIIS != 0)
    called = (batch.action >= Action.CHII) & (batch.action < Action.PON)
    return _where(asked, np.where(called, 1 + (batch.action - Action.CHII) % 3, 0))


def riichi_answers(batch: Decisions) -> NDArray[np.int8]:
    """Return 1 for riichi (n; int8), 0 if it was possible, else −1."""
    asked = (batch.phase == Phase.TURN) & (batch.legal[:, 0] >> int(Action.RIICHI) & 1 != 0)
    return _where(asked, batch.action == Action.RIICHI)


def _where(asked: NDArray[np.bool_], answers: NDArray[np.generic]) -> NDArray[np.int8]:
    return np.where(asked, answers, -1).astype(np.int8)

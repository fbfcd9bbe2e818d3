"""What discards, pon, chii and riichi were answered with, from the decisions of hands.

Which of these answers count, each paper says itself (after riichi, beside a win, unseen: see `Decisions`).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.learn.dataset import Decisions
from janshi.riichi.actions import Action
from janshi.riichi.state import Phase
from janshi.tiles import kinds_of

_CHIIS: Final = (1 << Action.PON) - (1 << Action.CHII)
_PONS: Final = (1 << Action.DAIMINKAN) - (1 << Action.PON)


def discarded_kinds(batch: Decisions) -> NDArray[np.int8]:
    """Return the kind discarded (n; int8, 0 to 33), −1 where the decision was no discard."""
    action = batch.action.astype(np.int64)
    kinds = np.full(len(batch), -1, np.int8)
    discards = (batch.phase != Phase.CLAIM) & (action <= Action.TSUMOGIRI)
    kinds[discards] = kinds_of(np.where(action == Action.TSUMOGIRI, batch.drawn, action)[discards])
    return kinds


def pon_answers(batch: Decisions) -> NDArray[np.int8]:
    """Return 1 where pon was said (n; int8), 0 where it could have been, else −1."""
    asked = (batch.phase == Phase.CLAIM) & (batch.legal[:, 0] & _PONS != 0)
    return _where(asked, (batch.action >= Action.PON) & (batch.action < Action.DAIMINKAN))


def chii_answers(batch: Decisions) -> NDArray[np.int8]:
    """Return 1, 2 or 3 where the tile called for a chii is its lowest, middle or highest (n; int8).

    0 where there could have been a chii, −1 elsewhere.
    """
    asked = (batch.phase == Phase.CLAIM) & (batch.legal[:, 0] & _CHIIS != 0)
    called = (batch.action >= Action.CHII) & (batch.action < Action.PON)
    return _where(asked, np.where(called, 1 + (batch.action - Action.CHII) % 3, 0))


def riichi_answers(batch: Decisions) -> NDArray[np.int8]:
    """Return 1 where riichi was declared (n; int8), 0 where it could have been, else −1."""
    asked = (batch.phase == Phase.TURN) & (batch.legal[:, 0] >> int(Action.RIICHI) & 1 != 0)
    return _where(asked, batch.action == Action.RIICHI)


def _where(asked: NDArray[np.bool_], answers: NDArray[np.generic]) -> NDArray[np.int8]:
    return np.where(asked, answers, -1).astype(np.int8)

"""The game's actions for those of the Sichuan paper."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int16, batched, rule
from janshi.papers.sichuan.encoder import PaperAction
from janshi.sichuan.actions import Action
from janshi.sichuan.agents.heuristic import PARAMETERS, TileScores, best_kind, score_tiles
from janshi.sichuan.state import View
from janshi.table import DecisionBatch

_PUNG, _RUN, _FUTURE = PARAMETERS


@rule
def own_kong(view: View, scores: TileScores) -> Int16:
    """The own kong of the highest score; −1 where none is possible."""
    kongs = int(view.legal) >> Action.OWN_KONG
    if kongs == 0:
        return -1
    score_tiles(view, scores, _PUNG, _RUN, _FUTURE)
    return Action.OWN_KONG + best_kind(scores, kongs)


_own_kongs: Final = batched(own_kong)


def actions_of(choices: NDArray[Any], batch: DecisionBatch) -> NDArray[np.int16]:
    """Return the game's actions (n) for the paper's (n) in some decisions."""
    actions = choices.astype(np.int16)
    actions[choices == PaperAction.WIN] = Action.WIN
    actions[choices == PaperAction.PASS] = Action.PASS
    rows = np.flatnonzero(choices == PaperAction.OWN_KONG)
    if len(rows):
        actions[rows] = _own_kongs(batch.part(rows).views)
    return actions

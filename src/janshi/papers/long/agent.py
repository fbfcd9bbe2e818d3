"""The agent of the `long` paper: three networks and a few rules.

It wins whenever it can, declares riichi whenever it can, and never makes a kan. Pon and chii follow their networks'
first choices: a kind of chii that is not possible is a pass, and if both say yes the likelier one is done. Discards
are the first choice of their network, after riichi and calls as well; one that is not possible is counted, and the best
possible one goes. Source: sections 3 and 4.2. Our readings where the paper is open: of several ways to call the one
that lays down a red five is chosen, and kyuushu kyuuhai is declared with fewer than eleven kinds.

An action by a rule has the whole share. Discards share by the network's probabilities; pon, chii and a pass by
the products of both networks' probabilities.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import softmax
from janshi.papers.agent import (
    NetworksAgent,
    anywhere,
    best_way,
    call_ways,
    can_discard,
    exchanged,
    shares_of,
    take_wins,
)
from janshi.papers.long.labels import CLASSES
from janshi.riichi.actions import Action
from janshi.table import DecisionBatch

#: Smallest probability assumed: a pass is always possible.
_LEAST: Final = 1e-12


class LongAgent(NetworksAgent):
    """See the module."""

    classes = CLASSES

    def decide(self, batch: DecisionBatch, *, every: bool) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """See `NetworksAgent`."""
        legal = batch.legal
        ruled = np.where(legal[:, Action.RIICHI], np.int16(Action.RIICHI), np.int16(-1))
        take_wins(ruled, np.asarray(batch.views), legal)
        discarding = (ruled < 0) & can_discard(legal)
        logits = self.ask("discard", batch, discarding)
        tiles, scores = self.best_discards(batch, logits, discarding)
        claiming = (ruled < 0) & ~discarding
        ways = np.where(claiming[:, None], call_ways(legal), np.int16(-1))
        can_pon, can_chii = ways[:, 1] >= 0, anywhere(ways[:, 2:] >= 0)
        pon = _probabilities(self.ask("pon", batch, can_pon), can_pon)
        chii = _probabilities(self.ask("chii", batch, can_chii), can_chii)
        chosen = best_way(pon, chii, ways)
        actions = np.where(ruled >= 0, ruled, np.where(discarding, tiles, ways[np.arange(len(batch)), chosen]))
        weights = np.column_stack((pon[:, 0] * chii[:, 0], pon[:, 1] * chii[:, 0], pon[:, :1] * chii[:, 1:]))
        weights[ways < 0] = 0
        weights[:, 0] = np.maximum(weights[:, 0], _LEAST)
        weights = exchanged(weights, chosen) / weights.sum(axis=1, keepdims=True)
        shares = shares_of(np.where(claiming[:, None], np.float32(0), scores), ruled)
        shares[claiming] = 0
        row, way = np.nonzero(ways >= 0)
        shares[row, ways[row, way]] = weights[row, way]
        return actions.astype(np.int16), shares


def _probabilities(logits: NDArray[np.float32], asked: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Probabilities of a network's classes; a no where it was not asked."""
    no = np.eye(1, logits.shape[1])
    return np.where(asked[:, None], softmax(logits.astype(np.float64)), no)

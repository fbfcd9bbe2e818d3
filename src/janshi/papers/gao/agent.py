"""The player of the `gao` thesis: its networks decide discards, pon, chii and riichi, rules the other actions.

A win is always taken. No open and no added kan; a closed kan where its tile can be part of no run with the hand.
Riichi, pon and chii follow their networks' answers; of a pon and a chii the more probable one. A discard is the most
probable possible one; impossible first choices are counted. Source: thesis, chapter 7. Our readings where it is open:
after riichi is declared the best discard that keeps tenpai goes; a kind of chii that is not possible is a pass;
kyuushu kyuuhai are aborted unless there are eleven kinds or more, which try for thirteen orphans; calls lay down the
red five where they can; of a five the plain one is discarded before the red one.

An action by a rule has the whole share. Otherwise shares are one softmax: two discards stand to each other as the
network's probabilities, riichi to the best discard, pon and each chii to a pass as their yes to no.
"""

from __future__ import annotations

from typing import Any

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
from janshi.papers.gao.labels import CLASSES
from janshi.riichi.actions import Action
from janshi.table import DecisionBatch


def is_isolated(counts: NDArray[Any], kind: int) -> bool:
    """Return whether a hand (34 counts) holds no tile that could stand in a run with one of a kind.

    >>> counts = np.zeros(34, int)
    >>> counts[[2, 30, 31]] = 1
    >>> is_isolated(counts, 4), is_isolated(counts, 5), is_isolated(counts, 32)
    (False, True, True)
    """
    if kind >= 27:
        return True
    first = 9 * (kind // 9)
    near = range(max(first, kind - 2), min(first + 8, kind + 2) + 1)
    return not any(counts[other] > 0 for other in near if other != kind)


def by_rules(views: NDArray[np.void], legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Return the actions by rules (n), −1 where a network is asked: wins, kyuushu kyuuhai, closed kans.

    A closed kan is made of a tile that stands alone (section 7.3.3).
    """
    actions = np.full(len(legal), -1, np.int16)
    rows, kinds = np.nonzero(legal[:, Action.ANKAN : Action.KAKAN])
    for row, kind in zip(rows.tolist(), kinds.tolist(), strict=True):
        if actions[row] < 0 and is_isolated(views["hand"]["counts"][row], kind):
            actions[row] = Action.ANKAN + kind
    take_wins(actions, views, legal)
    return actions


class GaoAgent(NetworksAgent):
    """See the module."""

    classes = CLASSES

    def decide(self, batch: DecisionBatch, *, every: bool) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
        """See `NetworksAgent`."""
        legal = batch.legal
        ruled = by_rules(np.asarray(batch.views), legal)
        free = ruled < 0
        riichi = self.ask("riichi", batch, free & legal[:, Action.RIICHI])
        declares = riichi[:, 1] > riichi[:, 0]
        discarding = free & can_discard(legal)
        discards = discarding & ~declares
        logits = self.ask("discard", batch, discarding if every else discards)
        tiles, scores = self.best_discards(batch, logits, discards)
        ways = np.where(free[:, None] & ~discarding[:, None], call_ways(legal), np.int16(-1))
        pon = self.ask("pon", batch, ways[:, 1] >= 0)
        chii = self.ask("chii", batch, anywhere(ways[:, 2:] >= 0))
        chosen = best_way(softmax(pon), softmax(chii), ways)
        actions = np.where(discards, tiles, ways[np.arange(len(batch)), chosen])
        actions = np.where(free, np.where(declares, np.int16(Action.RIICHI), actions), ruled).astype(np.int16)
        scores -= np.where(discarding, scores.max(axis=1, initial=-1e30), 0)[:, None].astype(np.float32)
        asked = free & legal[:, Action.RIICHI]
        scores[asked, Action.RIICHI] = (riichi[:, 1] - riichi[:, 0])[asked]
        yes = np.column_stack((np.zeros(len(batch)), pon[:, 1] - pon[:, 0], chii[:, 1:] - chii[:, :1]))
        row, way = np.nonzero(ways >= 0)
        scores[row, ways[row, way]] = yes[row, way]
        # Of a pon and a chii the more probable is done, not the one with the higher score: they change places.
        return actions, exchanged(shares_of(scores, ruled), actions)

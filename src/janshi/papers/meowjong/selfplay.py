"""Self-play: hands with sampled discards of the learner in every seat, and their points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.papers.meowjong.policy import DiscardPolicy
from janshi.riichi.rules import Rules
from janshi.table import Tables


@dataclass(slots=True)
class Trajectories:
    """The drawn discards of some hands, one row each."""

    packed: NDArray[Any]
    """Observations (n, columns)."""
    kinds: NDArray[np.int64]
    """Kinds drawn (n)."""
    after: NDArray[np.int16]
    """Number of the seat's later draws in the hand (n)."""
    reward: NDArray[np.float32]
    """Change of the seat's points in the hand, in hundreds (n)."""

    def __len__(self) -> int:
        return len(self.kinds)


def collect(policy: DiscardPolicy, rules: Rules, seeds: NDArray[np.int64]) -> Trajectories:
    """Play one hand from each seed and return the drawn discards with their rewards.

    Hands in which something impossible was drawn are left out.
    """
    count = len(seeds)
    tables = Tables(rules, count, seeds, auto_reset=False)
    random = np.random.default_rng([int(seeds[0]), 2])
    packed: list[NDArray[Any]] = []
    kinds, hands = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    wrong = np.zeros(count, np.bool_)
    while len(waiting := np.flatnonzero(tables.actors >= 0)):
        batch = tables.decisions(waiting)
        drawn = policy.draw(batch, random)
        wrong[batch.tables[drawn.rows[drawn.impossible]]] = True
        packed.append(drawn.packed)
        kinds.append(drawn.kinds)
        hands.append(batch.tables[drawn.rows] * rules.players + batch.seats[drawn.rows])
        tables.step_some(waiting, drawn.actions)
    hand = np.concatenate(hands)
    kept = np.flatnonzero(~wrong[hand // rules.players])
    hand = hand[kept]
    reward = ((tables.scores - rules.start) / 100).astype(np.float32).ravel()
    return Trajectories(np.concatenate(packed)[kept], np.concatenate(kinds)[kept], _later(hand), reward[hand])


def _later(hand: NDArray[np.int64]) -> NDArray[np.int16]:
    """Return how many rows with the same number follow each row (n).

    >>> _later(np.array([4, 7, 4, 4])).tolist()
    [2, 0, 1, 0]
    """
    order = np.argsort(hand, kind="stable")
    _, first, many = np.unique(hand[order], return_index=True, return_counts=True)
    after = np.zeros(len(hand), np.int16)
    after[order] = (np.repeat(first + many, many) - 1 - np.arange(len(hand))).astype(np.int16)
    return after

"""The five decisions of the papers, derived from every decision of a set of hands.

Source: dissertation, section 3.2.3. Our readings where the papers are open:

* every situation counts where the action was possible, also where the player took another one;
* a player who wins or aborts the hand has decided none of the five;
* where somebody won with the tile, the others' answers were not seen and do not count;
* no discard counts after riichi; the one that declares it does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int64Rows, entry
from janshi.core.bits import bit_count
from janshi.encoders import Encoder
from janshi.learn.configs import CHUNK
from janshi.papers.meowjong.decisions import DECISIONS, DecisionKind
from janshi.riichi.actions import Action
from janshi.riichi.dataset import Decisions, HandSet, decisions
from janshi.riichi.dataset.answers import discard_masks, discarded_kinds, pon_answers, riichi_answers
from janshi.riichi.encoders.meowjong import MEOWJONG
from janshi.riichi.state import Phase


@dataclass(slots=True)
class Labelled:
    """Situations with at least one of the five decisions.

    ``packed`` (n, columns; None without an encoder), ``labels`` (n, 5; int8: of each of `DECISIONS` the kind discarded,
    or 1 and 0, or −1 where there was no such decision), ``legal`` (n, int64: masks of the kinds that may be
    discarded).
    """

    packed: NDArray[np.int64] | None
    labels: NDArray[np.int8]
    legal: NDArray[np.int64]
    decisions: Decisions
    """The situations as decisions: hand, number, seat, won … (n)."""

    def __len__(self) -> int:
        return len(self.labels)


def labels(batch: Decisions) -> NDArray[np.int8]:
    """Return the label of each of the five decisions (n, 5): the kind discarded, or 1 and 0; −1 for none."""
    answers = np.full((len(batch), len(DECISIONS)), -1, np.int8)
    action, words = batch.action.astype(np.int64), batch.legal
    simple = words[:, 0]
    counted = batch.observed & ~np.isin(action, (Action.TSUMO, Action.RON, Action.KYUUSHU_KYUUHAI))
    claim = counted & (batch.phase == Phase.CLAIM)
    turn = counted & (batch.phase == Phase.TURN)
    own_kans = turn & (words[:, 1] | words[:, 2] != 0)
    for decision, asked, done in (
        (DecisionKind.KAN, claim & _possible(simple, Action.DAIMINKAN), action == Action.DAIMINKAN),
        (DecisionKind.KAN, own_kans, action >= Action.ANKAN),
        (DecisionKind.KITA, turn & _possible(simple, Action.KITA), action == Action.KITA),
    ):
        answers[asked, decision] = done[asked]
    answers[counted, DecisionKind.PON] = pon_answers(batch)[counted]
    answers[counted, DecisionKind.RIICHI] = riichi_answers(batch)[counted]
    before_riichi = counted & ~batch.riichi
    answers[before_riichi, DecisionKind.DISCARD] = discarded_kinds(batch)[before_riichi]
    return answers


def _possible(simple: NDArray[np.int64], action: Action) -> NDArray[np.bool_]:
    return (simple >> int(action) & 1) > 0


def labelled(batch: Decisions, decision: str | None = None) -> Labelled:
    """Return the decisions that answer ``decision`` (None: at least one of `DECISIONS`), in their order."""
    every = labels(batch)
    asked = every if decision is None else every[:, [DECISIONS.index(decision)]]
    rows = np.flatnonzero((asked >= 0).any(axis=1))
    part = batch.part(rows)
    return Labelled(part.packed, every[rows], discard_masks(part.legal, part.drawn), part)


# ---------------------------------------------------------------------------------------------------------
# Contents of a set of hands


@dataclass(frozen=True, slots=True)
class Size:
    """Counts of one decision in a set of hands: a line of the paper's table 3.3."""

    examples: int
    positive: int | None
    """Number of times that it was taken; None for discards."""


def sizes(hands: HandSet) -> dict[str, Size]:
    """Return the numbers of examples and of positive ones of each decision. Source: table 3.3."""
    every = labels(decisions(hands))
    counts = (every >= 0).sum(axis=0)
    taken = (every == 1).sum(axis=0)
    return {
        name: Size(int(counts[column]), None if name == "discard" else int(taken[column]))
        for column, name in enumerate(DECISIONS)
    }


@entry
def count_ones(packed: Int64Rows) -> int:
    """Number of ones in observations given as masks."""
    count = 0
    for row in range(len(packed)):
        for column in range(packed.shape[1]):
            count += bit_count(int(packed[row, column]))
    return count


def mean_and_deviation(hands: HandSet, encoder: Encoder = MEOWJONG) -> dict[str, tuple[float, float]]:
    """Return the mean μ of the observations of each decision and their standard deviation √(μ − μ²).

    Over all ones and zeros of all columns, as the paper does (section 3.2.3, table 3.4).
    """
    ones = np.zeros(len(DECISIONS), np.int64)
    counts = np.zeros(len(DECISIONS), np.int64)
    for first in range(0, len(hands), CHUNK):
        part = labelled(decisions(hands, np.arange(first, min(first + CHUNK, len(hands))), encoder=encoder))
        packed: NDArray[Any] = np.asarray(part.packed)
        for column in range(len(DECISIONS)):
            rows = packed[part.labels[:, column] >= 0]
            ones[column] += count_ones(np.ascontiguousarray(rows))
            counts[column] += len(rows)
    means = ones / np.maximum(counts, 1) / (len(encoder.columns) * 34)
    return {
        name: (float(means[column]), float(np.sqrt(means[column] - means[column] ** 2)))
        for column, name in enumerate(DECISIONS)
    }

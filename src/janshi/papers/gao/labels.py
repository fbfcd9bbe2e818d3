"""The four decisions of the `gao` thesis, and the situations that it learns from among those of a set of hands.

In each hand one player is followed, up to and including the discard that declares riichi; hands in which the player
loses more than 1,500 points are left out. Each of these is an option. Source: thesis, sections 4.3 and 7.3. Our
readings where it is open:

* the player is drawn by the seed and the hand's actions among those who lose no more: the same one in every
  epoch, wherever the hand stands in its set;
* every situation counts where the decision was possible, also where the player took another action: an open kan
  is a no to the pon, a pon a no to the chii;
* a player who wins or aborts the hand has decided none of the four, and an answer that nobody saw does not count;
* a discard without a choice, as most of those that declare riichi, does not count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.riichi.actions import Action
from janshi.riichi.dataset import Decisions, HandSet, decisions
from janshi.riichi.dataset.answers import chii_answers, discarded_kinds, pon_answers, riichi_answers

#: Classes of each decision: 34 kinds; no and yes; none, or the called tile low, in the middle, high; no and yes.
CLASSES: Final = {"discard": 34, "pon": 2, "chii": 4, "riichi": 2}
DECISIONS: Final = tuple(CLASSES)
_ANSWERS: Final = {
    "discard": discarded_kinds,
    "pon": pon_answers,
    "chii": chii_answers,
    "riichi": riichi_answers,
}
_SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Selection:
    """Selection of the situations that count."""

    follow_one: bool = True
    """Follow one player a hand, drawn by the seed; else all."""
    most_lost: int | None = 1500
    """Leave out hands in which the player loses more points; None: none."""
    seed: int = 0
    """Decides who is followed."""
    once: bool = False
    """Count one situation a hand, drawn by the seed."""


# ---------------------------------------------------------------------------------------------------------
# Labels


def labels(batch: Decisions, decision: str) -> NDArray[np.int8]:
    """Return the labels of one of the four decisions (n), −1 where it does not apply.

    Of a discard the kind (0–33); of pon and riichi 1 and 0; of chii 0 for none, 1, 2, 3 for the called tile low, in the
    middle, high.
    """
    decided = ~np.isin(batch.action, (Action.TSUMO, Action.RON, Action.KYUUSHU_KYUUHAI))
    counted = batch.observed & decided & ~batch.riichi
    label: NDArray[np.int8] = np.where(counted, _ANSWERS[decision](batch), np.int8(-1))
    return label


# ---------------------------------------------------------------------------------------------------------
# The followed player


def mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers mixed by SplitMix64."""
    word = numbers + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed_words: NDArray[np.uint64] = word ^ (word >> np.uint64(31))
    return mixed_words


def hand_words(batch: Decisions, seed: int) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return for each decision the place of its hand (n), and for each hand a random word from its actions.

    Decisions are those of whole hands, one hand after the other.
    """
    _, first, place = np.unique(batch.hand, return_index=True, return_inverse=True)
    done = (batch.number.astype(np.int64) << 16) + (batch.action.astype(np.int64) << 4) + batch.seat
    words = mixed(done.astype(np.uint64))
    if not len(words):
        return place, words
    sums: NDArray[np.uint64] = np.add.reduceat(words, first)
    return place, mixed(sums ^ mixed(np.full(len(sums), seed, np.uint64)))


def followed(batch: Decisions, choice: Selection) -> NDArray[np.bool_]:
    """Return whether each decision (n) is of a followed player."""
    kept: NDArray[np.bool_] = np.ones(len(batch), np.bool_)
    if choice.most_lost is not None:
        kept = batch.change >= -choice.most_lost
    if not choice.follow_one or not len(batch):
        return kept
    place, words = hand_words(batch, choice.seed)
    keys = mixed(words[:, None] ^ np.arange(_SEATS, dtype=np.uint64))
    candidates = np.zeros((len(words), _SEATS), np.bool_)
    candidates[place[kept], batch.seat[kept]] = True
    drawn = np.where(candidates, keys, np.uint64(0xFFFFFFFFFFFFFFFF)).argmin(axis=1)
    theirs: NDArray[np.bool_] = kept & (batch.seat == drawn[place])
    return theirs


def situations(batch: Decisions, decision: str, choice: Selection) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """Return the rows of the situations that count (m), and their labels (m)."""
    label = labels(batch, decision)
    rows = np.flatnonzero((label >= 0) & followed(batch, choice))
    if choice.once:
        rows = one_a_hand(batch, rows, choice.seed)
    return rows, label[rows]


def one_a_hand(batch: Decisions, rows: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Return one of the situations of each hand, drawn by the seed, so that rows are independent (section 4.4)."""
    if not len(rows):
        return rows
    place, words = hand_words(batch, seed)
    keys = mixed(words[place[rows]] + batch.number[rows].astype(np.uint64))
    order = np.lexsort((keys, place[rows]))
    first = np.concatenate([[True], np.diff(place[rows][order]) > 0])
    return np.sort(rows[order[first]])


# ---------------------------------------------------------------------------------------------------------
# Sizes


def sizes(hands: HandSet, choice: Selection) -> dict[str, dict[str, Any]]:
    """Return for each decision the number of situations, of hands that they are in, and of each label."""
    batch = decisions(hands)
    counts: dict[str, dict[str, Any]] = {}
    for decision, classes in CLASSES.items():
        rows, label = situations(batch, decision, choice)
        counts[decision] = {
            "situations": len(rows),
            "hands": len(np.unique(batch.hand[rows])),
            "labels": np.bincount(label, minlength=classes).tolist(),
        }
    return counts

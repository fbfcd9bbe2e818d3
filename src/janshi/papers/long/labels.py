"""Labels of the paper's three decisions, and of the yaku of winners.

Source: sections 4.2 and 5. Our readings where the paper is open:

* a discard counts if there was a choice: not after riichi, but the one that declares it does;
* a player who took another action on a tile than pon (or chii) has declined it; one who won with it decided nothing;
* the others' answers to a tile that somebody took before them were not seen and do not count;
* the positions from which yaku are predicted are those of all three decisions, of the players who go on to win.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.papers.long.encoder import CALLED_TILE, NUMBERS
from janshi.riichi.actions import Action
from janshi.riichi.dataset import Decisions
from janshi.riichi.dataset.answers import chii_answers, discarded_kinds, pon_answers

#: Classes of each decision: 34 kinds; no and yes; none, or the called tile low, in the middle, high.
CLASSES: Final = {"discard": 34, "pon": 2, "chii": 4}
DECISIONS: Final = tuple(CLASSES)
#: Share of the situations in which the paper's sets have a call. Source: of pon table 6, (11,223 + 528) of 16,741 (the
#: text says about 70 %); of chii table 8, (3,979 + 2,346) of 14,894.
CALLED: Final = {"pon": 11_751 / 16_741, "chii": 6_325 / 14_894}

#: Random odd numbers, one for each of an array's: see `kept_of`.
_FACTORS: Final = np.random.default_rng(20_191_108).integers(0, 1 << 63, NUMBERS + 1, np.uint64) * 2 + np.uint64(1)


def labels(batch: Decisions, decision: str) -> NDArray[np.int64]:
    """Return the labels of one of the paper's decisions (n), −1 where it does not apply.

    Of discards the kind; of pon 0 and 1; of chii 0 for none, then 1, 2, 3 where the called tile is the lowest, the
    middle or the highest.
    """
    if decision == "discard":
        return np.where(batch.riichi, -1, discarded_kinds(batch)).astype(np.int64)
    answers = pon_answers(batch) if decision == "pon" else chii_answers(batch)
    return np.where(batch.observed & (batch.action != Action.RON), answers, -1).astype(np.int64)


def winning_positions(batch: Decisions) -> NDArray[np.bool_]:
    """Return whether yaku are learned from each decision (n)."""
    positions: NDArray[np.bool_] = np.zeros(len(batch), np.bool_)
    for decision in DECISIONS:
        positions |= labels(batch, decision) >= 0
    return positions & batch.won


def share_kept(positive: int, negative: int, wanted: float) -> float:
    """Return the share of the negatives to keep so that a share ``wanted`` of the rest is positive; 1 at most.

    >>> share_kept(30, 70, 0.5), share_kept(60, 40, 0.5)
    (0.42857142857142855, 1.0)
    """
    return min(1.0, positive * (1 - wanted) / (wanted * negative)) if negative else 1.0


def kept_of(packed: NDArray[Any], share: float) -> NDArray[np.bool_]:
    """Return the mask of the situations (n) that are kept if a share of them is.

    The array of a situation (n, 473) decides: the same ones are kept in every epoch and batch. The paper thins its
    negatives, but does not say how.
    """
    with np.errstate(over="ignore"):
        mixed = (packed[:, : CALLED_TILE + 1].astype(np.int64).view(np.uint64) * _FACTORS).sum(axis=1, dtype=np.uint64)
        mixed = (mixed ^ mixed >> np.uint64(31)) * _FACTORS[0]
    kept: NDArray[np.bool_] = (mixed >> np.uint64(11)).astype(np.float64) < share * float(1 << 53)
    return kept

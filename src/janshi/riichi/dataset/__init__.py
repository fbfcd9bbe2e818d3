"""Datasets of Riichi: hands and their decisions, encoded on demand."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from janshi.learn.datasets import Dataset, DatasetError
from janshi.riichi.dataset.hands import (
    HANDS_FILE,
    INDEX_FILE,
    Decisions,
    HandSet,
    ObservationSource,
    decisions,
    legal_mask,
    load_hands,
    name_parts,
    read_hands,
)
from janshi.riichi.rules import TENHOU_OF

__all__ = [
    "DATASET",
    "HANDS_FILE",
    "INDEX_FILE",
    "Dataset",
    "DatasetError",
    "Decisions",
    "HandSet",
    "ObservationSource",
    "decisions",
    "legal_mask",
    "load_hands",
    "name_parts",
    "read_hands",
]


def _task(network: Any, **options: Any) -> Any:
    from janshi.riichi.dataset.tasks import PolicyTask

    return PolicyTask(network, **options)


def _counts(hands: HandSet) -> dict[str, tuple[int, int]]:
    """Return the occurrences of each kind of decision, and its answers with yes; of discards all count as such."""
    from janshi.riichi.dataset.measuring import ANSWERS, policy_targets

    totals = dict.fromkeys(("discard", *ANSWERS), (0, 0))
    for first in range(0, len(hands), _TOGETHER):
        batch = decisions(hands, np.arange(first, min(first + _TOGETHER, len(hands))))
        targets = policy_targets(batch.part(batch.observed))
        for name, (there, yes) in totals.items():
            labels = targets[name] if name != "discard" else np.where(targets[name] >= 0, 1, -1)
            totals[name] = there + int((labels >= 0).sum()), yes + int((labels > 0).sum())
    return {name: count for name, count in totals.items() if count[0]}


def _play(*arguments: Any, **options: Any) -> HandSet:
    from janshi.riichi.dataset.selfplay import play_store

    return play_store(*arguments, **options)


def _single_hand(players: int) -> Any:
    from janshi.arena import single_hand

    return single_hand(TENHOU_OF[players])


#: Hands of a batch.
_TOGETHER: Final = 4096
#: The game's facet ``"dataset"``.
DATASET: Final = Dataset(read_hands, _task, "suits", _counts, _play, _single_hand)

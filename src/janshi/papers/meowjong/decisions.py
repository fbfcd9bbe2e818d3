"""The five decisions of the `meowjong` papers, in the order of labels, networks and answers.

>>> DECISIONS[DecisionKind.KITA]
'kita'
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class DecisionKind(IntEnum):
    """The five decisions; the numbers are columns of labels and of masks."""

    DISCARD = 0
    PON = 1
    KAN = 2
    KITA = 3
    RIICHI = 4


#: Names of the five decisions, in their order.
DECISIONS: Final = tuple(decision.name.lower() for decision in DecisionKind)

"""The four decisions that the `gao` thesis has networks for, and what each answers.

>>> OUTPUTS[Decision.CHII]
4
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Decision(StrEnum):
    """The four decisions."""

    DISCARD = "discard"
    PON = "pon"
    CHII = "chii"
    RIICHI = "riichi"


#: Names of the four decisions.
DECISIONS: Final = tuple(decision.value for decision in Decision)

#: What a network answers: 34 kinds; no and yes; none, or the called tile low, in the middle, high.
OUTPUTS: Final = {Decision.DISCARD: 34, Decision.PON: 2, Decision.CHII: 4, Decision.RIICHI: 2}

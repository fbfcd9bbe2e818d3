"""The order of discards in advice, for any game."""

from __future__ import annotations

from typing import Final

from janshi.compiling import copy_record, leaf, rule
from janshi.say.names import SAFETY
from janshi.say.records import AdviceNumbers, CandidateRow

SAFE: Final = SAFETY.index("safe")


@leaf
def safe_against(row: CandidateRow) -> int:
    """Return the number of seats that cannot win on a discard."""
    seats = 0
    for seat in range(4):
        seats += 1 if int(row.safety[seat]) == SAFE else 0
    return seats


@leaf
def goes_before(one: CandidateRow, other: CandidateRow) -> bool:
    """Return whether a discard is better: lower shanten, then more tiles, then safe against more seats."""
    if int(one.shanten) != int(other.shanten):
        return int(one.shanten) < int(other.shanten)
    if int(one.ukeire.left) != int(other.ukeire.left):
        return int(one.ukeire.left) > int(other.ukeire.left)
    return safe_against(one) > safe_against(other)


@rule
def sort_candidates(out: AdviceNumbers) -> None:
    """Sort the discards, the best first; equal ones keep their order."""
    for last in range(1, int(out.candidates_count)):
        for place in range(last, 0, -1):
            if goes_before(out.candidates[place], out.candidates[place - 1]):
                copy_record(out.candidates[place], out.spare[0])
                copy_record(out.candidates[place - 1], out.candidates[place])
                copy_record(out.spare[0], out.candidates[place - 1])

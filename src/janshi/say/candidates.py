"""The order of discards in advice, for any game."""

from __future__ import annotations

from janshi.compiling import copy_record, leaf, rule
from janshi.say.records import AdviceNumbers, CandidateRow


@leaf
def goes_before(one: CandidateRow, other: CandidateRow) -> bool:
    """Return whether a discard leaves the better hand: lower shanten, then more tiles."""
    if int(one.shanten) != int(other.shanten):
        return int(one.shanten) < int(other.shanten)
    return int(one.ukeire.left) > int(other.ukeire.left)


@rule
def sort_candidates(out: AdviceNumbers) -> None:
    """Sort the discards, the best first; equal ones keep their order."""
    for last in range(1, int(out.candidates_count)):
        for place in range(last, 0, -1):
            if goes_before(out.candidates[place], out.candidates[place - 1]):
                copy_record(out.candidates[place], out.spare[0])
                copy_record(out.candidates[place - 1], out.candidates[place])
                copy_record(out.spare[0], out.candidates[place - 1])

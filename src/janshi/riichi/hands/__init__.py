"""Shanten, waits, ukeire and scores of single hands and arrays of hands."""

from janshi.core.hands import DiscardUkeire, HandError
from janshi.riichi.hands.score import Score, WinConditions, new_winnings, score, score_hands
from janshi.riichi.hands.shanten import UkeireArrays, shanten, ukeire, ukeire_arrays, waits

__all__ = [
    "DiscardUkeire",
    "HandError",
    "Score",
    "UkeireArrays",
    "WinConditions",
    "new_winnings",
    "score",
    "score_hands",
    "shanten",
    "ukeire",
    "ukeire_arrays",
    "waits",
]

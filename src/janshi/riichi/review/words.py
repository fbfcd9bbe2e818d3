"""Moments of reviews of Riichi in words."""

from __future__ import annotations

from typing import Final

from janshi.review import words
from janshi.review.model import Decision, Review
from janshi.riichi.drawing.snapshot import round_text

_WINDS: Final = "ESWN"


def hand_words(review: Review, hand: int) -> str:
    """Return the name of a hand of a game (from 0): ``South 2, honba 1``."""
    starts = [event for event in review.events if event["type"] == "start_kyoku"]
    start = starts[hand]
    name = round_text(4 * _WINDS.index(start["bakaze"]) + int(start["kyoku"]) - 1)
    return f"{name}, honba {start['honba']}" if start["honba"] else name


def moment_words(review: Review, decision: Decision) -> list[str]:
    """Return a decision in words: see `janshi.review.words.moment_words`."""
    return words.moment_words(review, decision, hand_words)

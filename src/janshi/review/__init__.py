"""Reviews and hints for every game: an agent's choices and the reasons for them."""

from __future__ import annotations

from janshi.review.reviewing import (
    GameReview,
    ReviewError,
    check_game,
    read_game,
    read_link,
    review_game,
    review_of,
    seat_of,
)

__all__ = [
    "GameReview",
    "ReviewError",
    "check_game",
    "read_game",
    "read_link",
    "review_game",
    "review_of",
    "seat_of",
]

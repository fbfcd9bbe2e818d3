"""Reviews and hints for every game: an agent's choices and the reasons for them."""

from __future__ import annotations

from typing import Any

from janshi.moved import old_attribute
from janshi.review.reviewing import (
    GameReview,
    ReviewError,
    check_game,
    read_game,
    review_game,
    review_of,
)

__all__ = ["GameReview", "ReviewError", "check_game", "read_game", "review_game", "review_of"]


def __getattr__(name: str) -> Any:
    return old_attribute(__name__, name)

"""A teacher: what a player would do, and why, in numbers that people know."""

from janshi.review.advice import advise, advise_all, reviewer_of
from janshi.review.game import ReviewError, best_reviewer, report_of, review_game
from janshi.review.options import options_of

__all__ = [
    "ReviewError",
    "advise",
    "advise_all",
    "best_reviewer",
    "options_of",
    "report_of",
    "review_game",
    "reviewer_of",
]

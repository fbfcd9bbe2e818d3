"""Reviews and hints: what an agent would do, and why, in numbers that players know."""

from janshi.review.advice import advise, advise_all, reviewer_of
from janshi.review.game import ReviewError, report_of, review_game
from janshi.review.options import options_of

__all__ = [
    "ReviewError",
    "advise",
    "advise_all",
    "options_of",
    "report_of",
    "review_game",
    "reviewer_of",
]

"""Reviews and hints of Riichi: an agent's choices, with shanten, ukeire and safety."""

from typing import Final

from janshi.review.advising import advise, advise_all, options_of
from janshi.review.reviewing import GameReview, ReviewError, report_of, review_game, reviewer_of
from janshi.riichi.review.game import decisions_of, places_of, positions_of
from janshi.riichi.review.luck import luck_of
from janshi.riichi.review.people import people_of
from janshi.riichi.review.words import moment_words

__all__ = [
    "REVIEW",
    "ReviewError",
    "advise",
    "advise_all",
    "options_of",
    "report_of",
    "review_game",
    "reviewer_of",
]

#: Riichi's facet ``"review"``.
REVIEW: Final = GameReview(
    format="mjai",
    decisions=decisions_of,
    positions=positions_of,
    places=places_of,
    luck=luck_of,
    playout_agents={3: "sl-int8", 4: "sl4-int8"},
    people=people_of,
    moment=moment_words,
)

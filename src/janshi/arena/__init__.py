"""Matches of agents on shared walls with seats rotated, what they say, and whether it could be chance."""

from janshi.arena.compare import Comparison, compare
from janshi.arena.matches import Hands, Match, check_match, places, play_match, single_hand
from janshi.arena.results import Estimate, GameRow, Row, as_json, game_rows, rows
from janshi.arena.significance import multinomial_test, paired, sign_test

__all__ = [
    "Comparison",
    "Estimate",
    "GameRow",
    "Hands",
    "Match",
    "Row",
    "as_json",
    "check_match",
    "compare",
    "game_rows",
    "multinomial_test",
    "paired",
    "places",
    "play_match",
    "rows",
    "sign_test",
    "single_hand",
]

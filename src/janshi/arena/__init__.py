"""Matches of agents on shared walls with seats rotated, and what they say."""

from janshi.arena.matches import Hands, Match, check_match, places, play_match
from janshi.arena.results import Estimate, GameRow, Row, as_json, game_rows, rows

__all__ = [
    "Estimate",
    "GameRow",
    "Hands",
    "Match",
    "Row",
    "as_json",
    "check_match",
    "game_rows",
    "places",
    "play_match",
    "rows",
]

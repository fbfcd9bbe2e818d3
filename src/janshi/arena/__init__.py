"""Matches of agents on shared walls with rotated seats, their statistics, and tests of significance."""

from janshi.arena.compare import (
    CompareConfig,
    CompareProgress,
    Comparison,
    Difference,
    Standing,
    compare,
)
from janshi.arena.matches import Match, MatchConfig, check_match, is_single_hand, places, play_match, single_hand
from janshi.arena.observers import GamesRecorder, Hands, HandsRecorder
from janshi.arena.results import GameRow, as_json, game_rows, notes, rows, style
from janshi.arena.sequential import Answer, decided
from janshi.arena.significance import multinomial_test, paired, sign_test
from janshi.arena.style import Row, Style, style_of
from janshi.arena.walls import Measure, WallResults, place_measure
from janshi.core.places import final_ranks, ranks
from janshi.statistics import Estimate, confidence_sequence

__all__ = [
    "Answer",
    "CompareConfig",
    "CompareProgress",
    "Comparison",
    "Difference",
    "Estimate",
    "GameRow",
    "GamesRecorder",
    "Hands",
    "HandsRecorder",
    "Match",
    "MatchConfig",
    "Measure",
    "Row",
    "Standing",
    "Style",
    "WallResults",
    "as_json",
    "check_match",
    "compare",
    "confidence_sequence",
    "decided",
    "final_ranks",
    "game_rows",
    "is_single_hand",
    "multinomial_test",
    "notes",
    "paired",
    "place_measure",
    "places",
    "play_match",
    "ranks",
    "rows",
    "sign_test",
    "single_hand",
    "style",
    "style_of",
]

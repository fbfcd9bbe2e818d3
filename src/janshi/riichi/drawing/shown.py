"""Positions of Riichi as networks are given them: the facet ``"observation"``, for ``janshi show-observation``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from janshi.riichi.drawing import observation
from janshi.riichi.positions import PlayedHand, Position, hand_of_game, nth_game, random_hand


class Observations:
    """Finds positions and describes them."""

    describe = staticmethod(observation.describe)
    describe_list = staticmethod(observation.describe_list)
    describe_raw = staticmethod(observation.describe_raw)
    as_json = staticmethod(observation.as_json)
    list_json = staticmethod(observation.list_json)

    @staticmethod
    def of_record(record: Path, game: int, hand: int) -> PlayedHand:
        """Return a hand of a game of a record (both from 1). Raises `janshi.riichi.positions.PositionError`."""
        return hand_of_game(nth_game(record, game), hand)

    @staticmethod
    def at_random(rules: Any, seed: int, hand: int) -> PlayedHand:
        """Return a hand of a random game. Raises `janshi.riichi.positions.PositionError`."""
        return random_hand(rules, seed, hand)

    @staticmethod
    def draw(played: PlayedHand, position: Position, out: Path) -> None:
        """Draw a position into a file, with matplotlib."""
        from janshi.riichi.drawing.observation_picture import draw

        draw(played, position, out)

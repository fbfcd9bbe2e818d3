"""Decisions of recorded hands of Sichuan mahjong, found by their numbers."""

from __future__ import annotations

import dataclasses

import pytest

from janshi.records.positions import PositionError
from janshi.sichuan.positions import hand_of_game
from janshi.sichuan.records.jsonl import play_random_game
from janshi.sichuan.rules import preset

GAME = play_random_game(dataclasses.replace(preset("sichuan-exchange"), hands=2), seed=3)


def test_hands_that_cannot_be_replayed_are_refused() -> None:
    wrong = dataclasses.replace(GAME.hands[1], end=(1, 2, 3, 4))
    broken = dataclasses.replace(GAME, hands=[GAME.hands[0], wrong])
    assert hand_of_game(broken, 1).positions
    with pytest.raises(PositionError, match=r"cannot be replayed: .*points"):
        hand_of_game(broken, 2)


def test_a_game_that_stops_early_has_the_decisions_of_its_last_hand() -> None:
    stopped = dataclasses.replace(GAME, hands=GAME.hands[:1])
    assert len(hand_of_game(stopped, 1).positions) == len(hand_of_game(GAME, 1).positions)

"""Positions contain the decision as an agent receives it, including its log."""

import numpy as np
import pytest

from janshi.agents import RandomAgent
from janshi.arena import play_match
from janshi.encoders import encoder
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.positions import hand_of_game, hands_of_game, random_hand
from janshi.riichi.records.model import RiichiGame
from janshi.riichi.rules import preset
from janshi.table import DecisionBatch, Table


@pytest.fixture(scope="module")
def game() -> RiichiGame:
    games: list[RiichiGame] = []
    agents = [EfficientAgent(), RandomAgent(), RandomAgent()]
    play_match(agents, preset("tenhou-sanma-east"), 1, seed=3, on_game=games.append)
    return games[0]


def test_a_random_hand_is_the_tables_own() -> None:
    hand = random_hand("tenhou-sanma", 5, 1)
    table = Table("tenhou-sanma", 5)
    for number, position in enumerate(hand.positions):
        assert (position.decision, position.seat) == (number + 1, table.actor)
        assert list(position.possible) == table.legal
        assert (np.asarray(position.batch.events)["count"] == len(table.events(table.actor))).all()
        assert position.events == len(table.events(table.actor))
        table.act(position.done)
    assert table.hand_over


def test_every_hand_of_a_record_is_replayed(game: RiichiGame) -> None:
    hands, mismatches = hands_of_game(game)
    assert not mismatches
    assert [hand.number for hand in hands] == list(range(1, len(game.hands) + 1))


def test_batches_of_positions_can_be_joined_encoded_and_answered(game: RiichiGame) -> None:
    hand = hand_of_game(game, 1)
    batch = DecisionBatch.joined([position.batch for position in hand.positions])
    assert len(batch) == len(hand.positions)
    assert (encoder("janshi").encode(batch)[3] == encoder("janshi").encode(hand.positions[3].batch)[0]).all()
    assert batch.events is not None
    chosen = EfficientAgent().act(batch)
    assert batch.legal[np.arange(len(batch)), chosen].all()

"""Tenpai declared by choice at an exhaustive draw (`Rules.tenpai_by_choice`), at constructed tables."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from janshi.agents import RandomAgent
from janshi.agents.protocol import decide
from janshi.review.advising import options_of
from janshi.review.model import Option
from janshi.riichi.actions import Action
from janshi.riichi.play.declaring import declared_actions
from janshi.riichi.positions import hands_of_game
from janshi.riichi.records import Drawn, read_mjai_text, write_mjai_text
from janshi.riichi.records.recording import GameRecording
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import M_LEAGUE, TENHOU, Length, Rules
from janshi.rollout.driver import Driver, Seating
from janshi.table import Table, Tables
from tests.rules.tables import JUNK, make_table, play_wall, throw

LEAGUE = dataclasses.replace(M_LEAGUE, red_fives=(0, 0, 0))
HAND = dataclasses.replace(LEAGUE, length=Length.SINGLE_HAND)
WAITS_FOR_9S = "234m567p345s11p99s"  # and for 1p
WAITS_FOR_1M = "11m234p678p567s99m"  # and for 9m


def drawn_table(rules: Rules, *deals: str) -> Table:
    """Return a table after the last discard, whose drawn tiles were all discarded."""
    table = make_table(rules, deals)
    play_wall(table)
    return table


def test_a_seat_does_not_see_that_another_is_asked():
    table = drawn_table(HAND, WAITS_FOR_9S, JUNK, WAITS_FOR_1M)
    assert [int(table.view(seat)["actor"]) for seat in range(4)] == [0, -1, -1, -1]


@pytest.mark.parametrize("action", [Action.KYUUSHU_KYUUHAI, Action.PASS])
def test_a_record_holds_what_was_declared_and_replays(action):
    table = drawn_table(HAND, WAITS_FOR_9S, JUNK, WAITS_FOR_1M)
    table.act(action)
    table.act(Action.KYUUSHU_KYUUHAI)
    recording = GameRecording(HAND, ["a", "b", "c", "d"])
    recording.add_hand(table.record)
    (game,) = read_mjai_text(write_mjai_text([recording.game()]))
    outcome = game.hands[0].outcome
    assert isinstance(outcome, Drawn)
    assert outcome.shown == ((0, 2) if action == Action.KYUUSHU_KYUUHAI else (2,))
    game.rules = HAND
    assert Replayer().replay(game).mismatches == []
    (hand,), _ = hands_of_game(game)
    assert all(Action.KYUUSHU_KYUUHAI not in position.possible for position in hand.positions)


# ---------------------------------------------------------------------------------------------------------
# Agents


class Refusing(RandomAgent):
    """Keeps every hand hidden where it is asked."""

    def act(self, batch: Any) -> Any:
        """Pass wherever possible."""
        passes = batch.legal[:, Action.PASS]
        return np.where(passes, Action.PASS, batch.legal.argmax(axis=1)).astype(np.int16)


def test_agents_are_not_asked_and_show_their_hands():
    table = drawn_table(HAND, WAITS_FOR_9S, JUNK, JUNK)
    agent = Refusing("refusing")
    assert decide(agent, table.decision()).tolist() == [Action.KYUUSHU_KYUUHAI]
    agent.declares = True
    assert decide(agent, table.decision()).tolist() == [Action.PASS]


@pytest.mark.parametrize(
    ("kyoku", "dealer", "points", "action"),
    [
        (7, 3, (20_000, 20_000, 20_000, 24_100), Action.PASS),  # noten ends the game, and 4,000 are not lost
        (7, 3, (20_100, 20_000, 20_000, 24_100), Action.KYUUSHU_KYUUHAI),
        (6, 3, (20_000, 20_000, 20_000, 24_100), Action.KYUUSHU_KYUUHAI),
        (7, 0, (20_000, 20_000, 20_000, 24_100), Action.KYUUSHU_KYUUHAI),
    ],
)
def test_a_dealer_ends_the_last_hand_as_the_first(kyoku, dealer, points, action):
    table = drawn_table(LEAGUE, JUNK, JUNK, JUNK, WAITS_FOR_1M)
    table.state.kyoku, table.state.dealer = kyoku, dealer
    for seat, amount in enumerate(points):
        table.state.seats[seat].points = amount
    assert declared_actions(table.decision().views).tolist() == [action]


def test_a_driver_plays_whole_games_without_asking_agents():
    tables = Tables(LEAGUE, 20, auto_reset=False)
    Driver(tables, Seating.same([Refusing("refusing")] * 4, 20)).run()
    assert tables.over.all()


def test_by_other_rules_agents_are_asked_for_everything():
    table = make_table(TENHOU, [WAITS_FOR_9S, JUNK, JUNK], "5z")
    throw(table, 0, "5z")
    batch = table.decision()
    assert batch.game.by_rule(batch.rules, batch.views) is None


# ---------------------------------------------------------------------------------------------------------
# The page


def test_the_buttons_say_tenpai_and_noten():
    table = drawn_table(HAND, WAITS_FOR_9S, JUNK, JUNK)
    assert options_of(table.decision()) == [
        Option(Action.KYUUSHU_KYUUHAI, "tenpai", None),
        Option(Action.PASS, "noten", None),
    ]

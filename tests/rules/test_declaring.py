"""Tenpai declared by choice at an exhaustive draw (`Rules.tenpai_by_choice`), at constructed tables."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from janshi.agents import RandomAgent
from janshi.agents.protocol import decide
from janshi.review.model import Option
from janshi.riichi.actions import Action
from janshi.riichi.declaring import declared_actions
from janshi.riichi.positions import hands_of_game
from janshi.riichi.records import Drawn, read_mjai_text, write_mjai_text
from janshi.riichi.records.recording import GameRecording
from janshi.riichi.records.replay import Replayer
from janshi.riichi.review.options import options_of
from janshi.riichi.rules import M_LEAGUE, TENHOU, Length, Rules
from janshi.riichi.state import Offer, Phase
from janshi.rollout.driver import Driver, Seating
from janshi.table import Table, Tables
from tests.rules.tables import JUNK, do, drift, make_table, may, pass_all, riichi, throw
from tests.rules.test_table import nagashi_table

LEAGUE = dataclasses.replace(M_LEAGUE, red_fives=(0, 0, 0))
HAND = dataclasses.replace(LEAGUE, length=Length.SINGLE_HAND)
WAITS_FOR_9S = "234m567p345s11p99s"  # and for 1p
WAITS_FOR_1M = "11m234p678p567s99m"  # and for 9m


def asked_to_show(table: Table) -> bool:
    return int(table.state.phase) == Phase.CLAIM and int(table.state.claimed) == Offer.DRAW


def drawn_table(rules: Rules, *deals: str) -> Table:
    """Return a table after the last discard, whose drawn tiles were all discarded."""
    table = make_table(rules, deals)
    drift(table)
    while not table.hand_over and not asked_to_show(table):
        table.act(Action.PASS if may(table, Action.PASS) else Action.TSUMOGIRI)
    return table


def test_a_tenpai_seat_chooses_whether_to_show_its_hand():
    for action, change in ((Action.KYUUSHU_KYUUHAI, (3_000, -1_000, -1_000, -1_000)), (Action.PASS, (0, 0, 0, 0))):
        table = drawn_table(HAND, WAITS_FOR_9S, JUNK, JUNK)
        assert (table.actor, table.legal) == (0, [Action.KYUUSHU_KYUUHAI, Action.PASS])
        table.act(action)
        assert (table.result.reason, table.result.change) == ("exhaustive draw", change)


def test_no_seat_is_asked_by_other_rules():
    table = drawn_table(dataclasses.replace(HAND, tenpai_by_choice=False), WAITS_FOR_9S, JUNK, JUNK)
    assert table.result.change == (3_000, -1_000, -1_000, -1_000)


def test_the_dealer_is_asked_first_and_noten_seats_are_not():
    table = drawn_table(HAND, WAITS_FOR_9S, JUNK, WAITS_FOR_1M)
    do(table, 0, Action.PASS)
    do(table, 2, Action.KYUUSHU_KYUUHAI)
    assert table.result.change == (-1_000, -1_000, 3_000, -1_000)


def test_a_seat_does_not_see_that_another_is_asked():
    table = drawn_table(HAND, WAITS_FOR_9S, JUNK, WAITS_FOR_1M)
    assert [int(table.view(seat)["actor"]) for seat in range(4)] == [0, -1, -1, -1]


def test_a_seat_in_riichi_shows_its_hand_unasked():
    table = make_table(HAND, [WAITS_FOR_9S, JUNK, JUNK], "5z")
    riichi(table, 0, "5z")
    drift(table, until=-1)
    assert table.result.change == (3_000 - 1_000, -1_000, -1_000, -1_000)


def test_a_dealer_who_keeps_the_hand_hidden_loses_the_deal():
    for action, dealer in ((Action.KYUUSHU_KYUUHAI, 0), (Action.PASS, 1)):
        table = drawn_table(LEAGUE, WAITS_FOR_9S, JUNK, JUNK)
        table.act(action)
        table.next_hand()
        assert int(table.state.dealer) == dealer


def test_the_choice_is_made_at_a_nagashi_mangan_too():
    rules = dataclasses.replace(LEAGUE, nagashi_mangan=True)
    for action, dealer in ((Action.KYUUSHU_KYUUHAI, 0), (Action.PASS, 1)):
        table = nagashi_table(rules, dealer="234m567p345s22p88s")
        drift(table, until=0)
        while not asked_to_show(table):
            table.act(Action.PASS if may(table, Action.PASS) else Action.TSUMOGIRI)
        do(table, 0, action)
        assert table.result.reason == "nagashi mangan"
        table.next_hand()
        assert int(table.state.dealer) == dealer


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
    pass_all(table)
    batch = table.decision()
    assert batch.game.by_rule(batch.rules, batch.views) is None


# ---------------------------------------------------------------------------------------------------------
# The page


def test_the_buttons_say_tenpai_and_noten():
    table = drawn_table(HAND, WAITS_FOR_9S, JUNK, JUNK)
    assert options_of(table.view(0), HAND, table.legal) == [
        Option(Action.KYUUSHU_KYUUHAI, "tenpai", None),
        Option(Action.PASS, "noten", None),
    ]

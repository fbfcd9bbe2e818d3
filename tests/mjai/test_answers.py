"""Owners of answers: none is taken for another decision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from janshi.mjai.answers import BotAnswers, Owner, SentLine, chance
from janshi.mjai.table import KnownTable
from janshi.riichi.actions import Action
from tests.mjai.test_mjai_bot import FIVES, READY, dealt, drawn, thrown

NONE = {"type": "none"}


class Sent:
    """A seat whose lines are sent to a bot that has said nothing yet; decisions are named by their index."""

    def __init__(
        self, events: Iterable[dict[str, Any]], asked: Iterable[int], habits: dict[str, bool] | None = None
    ) -> None:
        self.table = KnownTable()
        self.answers = BotAnswers(dict(habits or {}))
        asked = set(asked)
        for number, event in enumerate(events):
            self.table.hear(event)
            line = SentLine(number, event["type"], chance(self.table, event))
            if number in asked:
                line.asked = np.asarray(self.table.view())[0].copy(), self.table.legal()[0].copy()
            self.answers.sent(line)

    def take(self, answer: dict[str, Any]) -> tuple[Owner, int | None, int | None]:
        owner, line, action = self.answers.take(answer)
        return owner, None if line is None else line.number, action


QUIET = {"start_game": False, "start_kyoku": False, "tsumo": False, "dahai": False}
#: Two discards that the hand could claim: 5m by pon, then 4m by a run of 5m and 6m.
TWO_CLAIMS = [*dealt(FIVES, 2), drawn(2), thrown(2, "5m"), drawn(3), thrown(3, "4m")]


def test_a_pass_that_fits_two_lines_waits_for_the_next_answer() -> None:
    sent = Sent(TWO_CLAIMS, [5], QUIET)
    assert sent.take(NONE) == (Owner.OPEN, None, None)
    assert sent.take(NONE) == (Owner.DECISION, 5, Action.PASS)


def test_a_pass_that_fits_two_lines_belongs_to_the_decision_if_no_other_answer_follows() -> None:
    sent = Sent(TWO_CLAIMS, [5], QUIET)
    sent.take(NONE)
    assert sent.answers.expire() == Action.PASS
    assert sent.answers.expire() is None


def test_an_answer_that_names_another_tile_is_not_taken() -> None:
    sent = Sent(TWO_CLAIMS, [5], QUIET)
    pon = {"type": "pon", "actor": 0, "target": 2, "pai": "5m", "consumed": ["5m", "5mr"]}
    assert sent.take(pon) == (Owner.EARLIER, 3, None)
    chi = {"type": "chi", "actor": 0, "target": 3, "pai": "4m", "consumed": ["5m", "6m"]}
    assert sent.take(chi) == (Owner.DECISION, 5, Action.CHII)


def test_a_pass_is_not_taken_for_an_own_turn() -> None:
    sent = Sent([*dealt(FIVES, 3), drawn(3), thrown(3, "C"), drawn(0, "9p")], [4], QUIET)
    owner, _, action = sent.take(NONE)
    assert (owner, action) == (Owner.EARLIER, None)
    assert sent.take(thrown(0, "9p")) == (Owner.DECISION, 4, Action.TSUMOGIRI)


def test_a_claim_that_the_hand_cannot_make_is_not_waited_for() -> None:
    """A bot that is silent on such discards is asked about the next one: its pass is taken at once."""
    events = [*dealt(FIVES, 2), drawn(2), thrown(2, "C"), drawn(3), thrown(3, "4m")]
    assert Sent(events, [5], QUIET).take(NONE) == (Owner.DECISION, 5, Action.PASS)
    assert Sent(events, [5]).take(NONE) == (Owner.OPEN, None, None)  # a new bot may answer every discard


def test_a_bot_that_answers_every_line_is_learned() -> None:
    sent = Sent([*dealt(FIVES, 2), drawn(2), thrown(2, "C"), drawn(3), thrown(3, "4m")], [5])
    for _ in range(5):
        assert sent.take(NONE)[2] is None
    assert sent.take(NONE) == (Owner.DECISION, 5, Action.PASS)
    assert sent.answers.habits == {"start_game": True, "start_kyoku": True, "tsumo": True, "dahai": True}


def test_a_bot_that_answers_every_line_but_is_too_slow_does_not_pass() -> None:
    habits = dict.fromkeys(QUIET, True)
    sent = Sent(TWO_CLAIMS, [5], habits)
    for _ in range(5):
        assert sent.take(NONE)[0] is Owner.EARLIER
    assert sent.answers.expire() is None


def riichi(*after: dict[str, Any]) -> list[dict[str, Any]]:
    """Riichi by seat 0 with `READY`, which waits for 1s and 4s, and a round in which nothing is claimed."""
    declared = [drawn(0, "9s"), {"type": "reach", "actor": 0}, thrown(0, "9s"), {"type": "reach_accepted", "actor": 0}]
    others = [event for seat in (1, 2, 3) for event in (drawn(seat), thrown(seat, "C"))]
    return [*dealt(READY), *declared, *others, *after]


def test_a_late_forced_discard_is_not_taken_for_the_next_draw() -> None:
    again = [event for seat in (1, 2, 3) for event in (drawn(seat), thrown(seat, "P"))]
    events = riichi(drawn(0, "2p"), thrown(0, "2p"), *again, drawn(0, "1s"))
    sent = Sent(events, [len(events) - 1], QUIET)
    assert sent.take(thrown(0, "2p")) == (Owner.EARLIER, 12, None)
    assert sent.take({"type": "hora", "actor": 0, "target": 0}) == (Owner.DECISION, len(events) - 1, Action.TSUMO)


def test_a_late_forced_discard_of_the_same_tile_waits_for_the_next_answer() -> None:
    again = [event for seat in (1, 2, 3) for event in (drawn(seat), thrown(seat, "P"))]
    events = riichi(drawn(0, "E"), thrown(0, "E"), *again, drawn(0, "E"))
    sent = Sent(events, [len(events) - 1], QUIET)
    for line in (2, 3):
        assert sent.take(thrown(0, "9s")) == (Owner.EARLIER, line, None)
    assert sent.take(thrown(0, "E")) == (Owner.OPEN, None, None)
    assert sent.take(thrown(0, "E")) == (Owner.DECISION, len(events) - 1, Action.TSUMOGIRI)


def test_a_late_answer_to_a_missed_decision_is_not_taken_for_the_next_one() -> None:
    sent = Sent(TWO_CLAIMS, [3, 5], QUIET)
    assert sent.take(NONE) == (Owner.OPEN, None, None)
    sent.answers.give_up()
    assert sent.take(NONE)[0] is Owner.EARLIER


@pytest.mark.parametrize("answer", [{"type": "dance"}, {"type": "dahai", "pai": "9m"}, {"type": "hora", "pai": "C"}])
def test_an_answer_to_nothing_has_no_owner(answer: dict[str, Any]) -> None:
    assert Sent(TWO_CLAIMS, [5], QUIET).take(answer) == (Owner.NONE, None, None)

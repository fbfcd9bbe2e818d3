"""Danger against riichi in reviews: its classes, and how often their tiles were waited for."""

import numpy as np
import pytest

from janshi.agents import EfficientAgent
from janshi.analysis.danger import CLASSES, ENDS, HONOURS, ROWS, SAFE, class_words, rates, risk_of, safety_of
from janshi.compiling import PLAIN
from janshi.review import advise_all
from janshi.riichi.actions import Action
from janshi.riichi.rules import TENHOU, TENHOU_SANMA
from janshi.table import Tables
from janshi.tiles import from_mjai, kind_of
from tests.review.test_advice import random_play, seen_outside


def class_by_hand(cannot, players, kind, unseen):
    """The class of a discard, from the waits that a two-sided run could have."""
    if kind in cannot:
        return SAFE
    if kind >= 27:
        return HONOURS + min(unseen, 3)
    if players == 3 and kind < 9:
        return ENDS + min(unseen, 3)
    sides = 0
    for pair in ((kind - 2, kind - 1), (kind + 1, kind + 2)):
        ends = (min(pair) - 1, max(pair) + 1)
        whole = all(one >= 0 and one // 9 == kind // 9 for one in (*pair, *ends))
        sides += whole and not any(one in cannot for one in ends)
    return 3 * min(kind % 9, 8 - kind % 9) + sides


@pytest.mark.parametrize("rules", [TENHOU_SANMA, TENHOU], ids=lambda one: one.name)
def test_safety_and_risk_are_those_of_the_class(rules):
    compared = 0
    for tables, batch in random_play(rules, 10):
        states = np.asarray(tables.states)
        for state, advice in zip(states, advise_all(batch, EfficientAgent()), strict=True):
            me = int(state["actor"])
            threats = [seat for seat in range(rules.players) if seat != me and state["seats"][seat]["riichi"]]
            assert (advice.risk is not None) == bool(threats and advice.candidates)
            for one in advice.candidates:
                assert sorted(one.safety) == [str(seat) for seat in threats]
                kind, passes = kind_of(from_mjai(one.tile)), 1.0
                seen = visible(state, me, kind)
                for seat in threats:
                    mask = int(state["seats"][seat]["river_mask"]) | int(state["seats"][seat]["passed"])
                    cannot = {other for other in range(34) if mask >> other & 1}
                    number = class_by_hand(cannot, rules.players, kind, 4 - seen)
                    assert one.safety[str(seat)] == safety_of(number)
                    row = min(int(state["seats"][me]["discards"]) // 6, 2)
                    passes *= 1 if number == SAFE else 1 - rates()[rules.players - 3, number, row]
                    compared += 1
                for action in one.actions if threats else []:
                    assert advice.risk[action] == pytest.approx(1 - passes, abs=1e-4)
    assert PLAIN or compared > 1000


def visible(state, seat, kind):
    return int(state["hands"][seat]["counts"][kind]) + int(seen_outside(state, seat)[kind])


def test_what_was_counted_is_what_players_know():
    found = rates()
    assert found.shape == (2, CLASSES, ROWS)
    assert ((found >= 0) & (found < 0.35)).all()
    four = found[1]
    for place in range(5):
        sides = [3 * place, 3 * place + 1] + ([3 * place + 2] if place >= 3 else [])
        assert (np.diff(four[sides], axis=0) > 0).all(), "each two-sided wait more is more dangerous"
    assert (np.diff(four[[0, 3, 6]], axis=0) > 0).all(), "suji: 1 and 9 before 2 and 8 before 3 and 7"
    assert (np.diff(four[HONOURS : HONOURS + 4], axis=0) >= 0).all(), "the fewer are unseen the safer"
    assert (np.diff(found[:, :ENDS].sum(axis=1), axis=1) > 0).all(), "the later the more dangerous"


def test_against_two_in_riichi_risks_add_up():
    one, other = np.full(4, -2, np.int8), np.full(4, -2, np.int8)
    one[1], other[2] = 14, 4
    alone = [risk_of(one, 4, 1), risk_of(other, 4, 1)]
    both = np.where(other == -2, one, other)
    assert risk_of(both, 4, 1) == pytest.approx(1 - (1 - alone[0]) * (1 - alone[1]))
    safe = np.full(4, -2, np.int8)
    safe[3] = SAFE
    assert risk_of(safe, 4, 1) == 0


def test_every_class_has_a_name():
    assert len({class_words(number) for number in range(CLASSES)}) == CLASSES


def test_no_riichi_no_risk():
    tables = Tables(TENHOU, 3)
    batch = tables.decisions()
    assert not batch.legal[:, Action.RIICHI].any()
    assert all(advice.risk is None for advice in advise_all(batch, EfficientAgent()))

"""Payments compared with the usual table of points."""

import numpy as np
import pytest

from janshi.compiling import Batch, Int32s, entry, zeros
from janshi.core.rules import write_rules
from janshi.riichi.hands.payments import ron_payment, tsumo_payment
from janshi.riichi.hands.scoring import basic_points
from janshi.riichi.rules import EMA, TENHOU
from janshi.riichi.rules.record import RulesRecord
from tests.claims import cases_of


@entry
def pay_all(rules: Batch[RulesRecord], han: int, fu: int, players: int, tsumo_loss: bool, out: Int32s) -> None:
    """Return basic points; ron of others and of the dealer; shares of self-draws of others and of the dealer."""
    basic = basic_points(rules[0], han, fu)
    out[0] = basic
    out[1] = ron_payment(basic, False)
    out[2] = ron_payment(basic, True)
    out[3] = tsumo_payment(basic, False, True, players, tsumo_loss)
    out[4] = tsumo_payment(basic, False, False, players, tsumo_loss)
    out[5] = tsumo_payment(basic, True, False, players, tsumo_loss)


def paid(han, fu, *, players=4, tsumo_loss=True, rules=TENHOU):
    records, out = zeros(RulesRecord, 1), np.zeros(6, np.int32)
    write_rules(rules, records[0])
    pay_all(records, han, fu, players, tsumo_loss, out)
    return out.tolist()


@pytest.mark.parametrize(*cases_of("riichi-payments", "the table of points"))
def test_the_table_of_points(han, fu, ron, dealers_ron, dealer, other, to_dealer):
    assert paid(han, fu)[1:] == [ron, dealers_ron, dealer, other, to_dealer]


def test_thirteen_han_are_sanbaiman_without_counted_yakuman():
    assert paid(13, 30)[0] == 8000
    assert paid(13, 30, rules=EMA)[0] == paid(11, 30)[0] == 6000


def test_with_tsumo_loss_three_players_pay_the_shares_of_four():
    for han, fu, *_, dealer, other, to_dealer in cases_of("riichi-payments", "the table of points")[1]:
        assert paid(han, fu, players=3)[3:] == [dealer, other, to_dealer]


@pytest.mark.parametrize(*cases_of("riichi-payments", "shares without tsumo loss"))
def test_without_tsumo_loss_the_two_halve_the_absent_share(han, fu, dealer, other, to_dealer):
    # Mangan and the like: the two payers together give what a ron would bring.
    _, ron, dealers_ron, *shares = paid(han, fu, players=3, tsumo_loss=False)
    assert shares == [dealer, other, to_dealer]
    assert (dealer + other, 2 * to_dealer) == (ron, dealers_ron)


def test_without_tsumo_loss_each_share_is_rounded_up_once():
    # 1 han 30 fu, 240 basic points: 480 + 120, 240 + 120; the dealer gets 480 + 240 from each.
    assert paid(1, 30, players=3, tsumo_loss=False)[3:] == [600, 400, 800]
    assert paid(1, 30, players=4, tsumo_loss=False)[3:] == [500, 300, 500]

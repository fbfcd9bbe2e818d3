"""Payments compared with the usual table of points."""

import numpy as np
import pytest

from janshi.compiling import Batch, Int32s, entry, zeros
from janshi.core.rules import write_rules
from janshi.riichi.hands.payments import ron_payment, tsumo_payment
from janshi.riichi.hands.scoring import basic_points
from janshi.riichi.rules import EMA, TENHOU
from janshi.riichi.rules.record import RulesRecord


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


# han, fu, ron, dealer's ron, self-draw: from the dealer, from each other, each to the dealer
TABLE = [
    (1, 30, 1000, 1500, 500, 300, 500),
    (1, 40, 1300, 2000, 700, 400, 700),
    (1, 50, 1600, 2400, 800, 400, 800),
    (1, 60, 2000, 2900, 1000, 500, 1000),
    (1, 70, 2300, 3400, 1200, 600, 1200),
    (1, 80, 2600, 3900, 1300, 700, 1300),
    (1, 90, 2900, 4400, 1500, 800, 1500),
    (1, 100, 3200, 4800, 1600, 800, 1600),
    (1, 110, 3600, 5300, 1800, 900, 1800),
    (2, 20, 1300, 2000, 700, 400, 700),
    (2, 25, 1600, 2400, 800, 400, 800),
    (2, 30, 2000, 2900, 1000, 500, 1000),
    (2, 40, 2600, 3900, 1300, 700, 1300),
    (2, 50, 3200, 4800, 1600, 800, 1600),
    (2, 60, 3900, 5800, 2000, 1000, 2000),
    (2, 70, 4500, 6800, 2300, 1200, 2300),
    (2, 80, 5200, 7700, 2600, 1300, 2600),
    (2, 90, 5800, 8700, 2900, 1500, 2900),
    (2, 100, 6400, 9600, 3200, 1600, 3200),
    (2, 110, 7100, 10600, 3600, 1800, 3600),
    (3, 20, 2600, 3900, 1300, 700, 1300),
    (3, 25, 3200, 4800, 1600, 800, 1600),
    (3, 30, 3900, 5800, 2000, 1000, 2000),
    (3, 40, 5200, 7700, 2600, 1300, 2600),
    (3, 50, 6400, 9600, 3200, 1600, 3200),
    (3, 60, 7700, 11600, 3900, 2000, 3900),
    (3, 70, 8000, 12000, 4000, 2000, 4000),
    (4, 20, 5200, 7700, 2600, 1300, 2600),
    (4, 25, 6400, 9600, 3200, 1600, 3200),
    (4, 30, 7700, 11600, 3900, 2000, 3900),
    (4, 40, 8000, 12000, 4000, 2000, 4000),
    (5, 20, 8000, 12000, 4000, 2000, 4000),
    (6, 30, 12000, 18000, 6000, 3000, 6000),
    (7, 30, 12000, 18000, 6000, 3000, 6000),
    (8, 30, 16000, 24000, 8000, 4000, 8000),
    (10, 30, 16000, 24000, 8000, 4000, 8000),
    (11, 30, 24000, 36000, 12000, 6000, 12000),
    (12, 30, 24000, 36000, 12000, 6000, 12000),
    (13, 30, 32000, 48000, 16000, 8000, 16000),
]


@pytest.mark.parametrize(("han", "fu", "ron", "dealers_ron", "dealer", "other", "to_dealer"), TABLE)
def test_the_table_of_points(han, fu, ron, dealers_ron, dealer, other, to_dealer):
    assert paid(han, fu)[1:] == [ron, dealers_ron, dealer, other, to_dealer]


def test_thirteen_han_are_sanbaiman_without_counted_yakuman():
    assert paid(13, 30)[0] == 8000
    assert paid(13, 30, rules=EMA)[0] == paid(11, 30)[0] == 6000


def test_with_tsumo_loss_three_players_pay_the_shares_of_four():
    for han, fu, *_, dealer, other, to_dealer in TABLE:
        assert paid(han, fu, players=3)[3:] == [dealer, other, to_dealer]


# Mangan and the like: the two payers together give what a ron would bring.
SHARED = [(5, 30, 5000, 3000, 6000), (6, 30, 7500, 4500, 9000), (13, 30, 20000, 12000, 24000)]


@pytest.mark.parametrize(("han", "fu", "dealer", "other", "to_dealer"), SHARED)
def test_without_tsumo_loss_the_two_halve_the_absent_share(han, fu, dealer, other, to_dealer):
    _, ron, dealers_ron, *shares = paid(han, fu, players=3, tsumo_loss=False)
    assert shares == [dealer, other, to_dealer]
    assert (dealer + other, 2 * to_dealer) == (ron, dealers_ron)


def test_without_tsumo_loss_each_share_is_rounded_up_once():
    # 1 han 30 fu, 240 basic points: 480 + 120, 240 + 120; the dealer gets 480 + 240 from each.
    assert paid(1, 30, players=3, tsumo_loss=False)[3:] == [600, 400, 800]
    assert paid(1, 30, players=4, tsumo_loss=False)[3:] == [500, 300, 500]

"""What a winning hand is worth by its yaku, and who pays it."""

from __future__ import annotations

from typing import Final

from janshi.compiling import Int8, Int32, Record, leaf, rule
from janshi.riichi.hands.payments import ron_payment, tsumo_payment
from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.rules.record import RulesRecord
from janshi.riichi.rules.yaku import DORA, RED_FIVES, URA_DORA
from janshi.riichi.state import MeldForm, Value, Winning
from janshi.say.records import WorthRow
from janshi.tiles import EAST

CLOSED_HAN: Final = tuple(yaku.closed for yaku in YAKU)
OPEN_HAN: Final = tuple(yaku.open for yaku in YAKU)
_YAKU: Final = len(YAKU)
#: Names of limits by the number of `limit_of`.
LIMITS: Final = ("", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")


class ScoreNumbers(Record):
    """The numbers of `janshi.riichi.hands.score.Score`. Payments contain honba; 0: nobody pays so."""

    worth: WorthRow
    discarder: Int32
    dealer: Int32
    others: Int32  # of each of them
    limit: Int8


@leaf
def is_closed(hand: Winning) -> bool:
    """Return whether a hand has no melds except closed kans."""
    opened = False
    for meld in range(int(hand.calls)):
        opened = opened or int(hand.forms[meld]) != MeldForm.ANKAN
    return not opened


@leaf
def limit_of(basic: int) -> int:
    """Return the limit of basic points: 0 none, 1 mangan … 5 yakuman."""
    limit = 1 if basic >= 2000 else 0
    limit += 1 if basic >= 3000 else 0
    limit += 1 if basic >= 4000 else 0
    limit += 1 if basic >= 6000 else 0
    return limit + (1 if basic >= 8000 else 0)


@leaf
def add_fan(out: WorthRow, name: int, han: int) -> None:
    """Add a source of han."""
    row = out.fans[int(out.fans_count)]
    row.name = name
    row.fan = han
    out.fans_count += 1
    out.fan += han


@rule
def write_fans(value: Value, closed: bool, out: WorthRow) -> None:
    """Write the yaku of a value with their han, dora last; a yakuman has 13 each, and no dora."""
    out.fans_count = 0
    out.fan = 0
    for yaku in range(_YAKU):
        if int(value.yaku) >> yaku & 1:
            add_fan(out, yaku, CLOSED_HAN[yaku] if closed else OPEN_HAN[yaku])
    if int(value.yakuman) == 0:
        if int(value.dora):
            add_fan(out, DORA, int(value.dora))
        if int(value.ura):
            add_fan(out, URA_DORA, int(value.ura))
        if int(value.red):
            add_fan(out, RED_FIVES, int(value.red))


@leaf
def share_of(rules: RulesRecord, hand: Winning, basic: int, payer_deals: bool) -> int:
    """Return what one payer pays for a self-draw."""
    deals = int(hand.seat_wind) == EAST
    return tsumo_payment(basic, deals, payer_deals, int(rules.players), int(rules.tsumo_loss) == 1)


@rule
def write_points(rules: RulesRecord, hand: Winning, basic: int, out: WorthRow) -> None:
    """Write the winner's points and the share of each payer of a self-draw who is not the dealer, without honba."""
    out.each = share_of(rules, hand, basic, False)
    if int(hand.tsumo) == 0:
        out.points = ron_payment(basic, int(hand.seat_wind) == EAST)
    elif int(hand.seat_wind) == EAST:
        out.points = int(out.each) * (int(rules.players) - 1)
    else:
        out.points = int(out.each) * (int(rules.players) - 2) + share_of(rules, hand, basic, True)


@rule
def write_score(rules: RulesRecord, hand: Winning, value: Value, honba: int, out: ScoreNumbers) -> None:
    """Write the worth of a hand that wins, with honba, and the payments."""
    worth, basic = out.worth, int(value.basic)
    worth.tile = int(hand.kind)
    write_fans(value, is_closed(hand), worth)
    write_points(rules, hand, basic, worth)
    out.limit = limit_of(basic)
    out.discarder = 0
    out.dealer = 0
    out.others = 0
    if int(hand.tsumo) == 0:
        worth.points += honba * int(rules.honba_ron)
        out.discarder = int(worth.points)
    else:
        worth.points += honba * int(rules.honba_each) * (int(rules.players) - 1)
        out.others = int(worth.each) + honba * int(rules.honba_each)
        if int(hand.seat_wind) != EAST:
            out.dealer = int(worth.points) - int(out.others) * (int(rules.players) - 2)

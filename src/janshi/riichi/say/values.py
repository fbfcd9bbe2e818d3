"""Values of waits and of offered wins, and the hands that they are computed from."""

from __future__ import annotations

from janshi.compiling import Workspace, copy_record, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.core.shanten import Ukeire
from janshi.riichi.hands.faults import fault_of, open_by_rules
from janshi.riichi.hands.scoring import evaluate
from janshi.riichi.hands.worth import is_closed, write_fans, write_points
from janshi.riichi.rules.record import RulesRecord
from janshi.riichi.state import Hand, Offer, Reading, Value, View, Winning
from janshi.say.records import CallRow, Waiting, WorthRow
from janshi.tiles import EAST


class RiichiSayWorkspace(Workspace):
    """Workspace: a hand and its melds, its ukeire, and the hand that is valued."""

    held: Hand
    ukeire: Ukeire
    winning: Winning  # the hand without the winning tile
    trial: Winning
    reading: Reading
    value: Value
    call: CallRow  # a call with one of the discards that may follow


@leaf
def read_winning(view: View, hand: Winning) -> None:
    """Write the concealed tiles, melds, winds and indicators of a view's seat; a tile just drawn is among them."""
    seat = view.seats[int(view.seat)]
    calls = int(seat.calls)
    reds = 0
    for suit in range(3):
        reds += int(view.hand.reds[suit])
    for kind in range(34):
        hand.counts[kind] = int(view.hand.counts[kind])
    for meld in range(4):
        hand.forms[meld] = int(seat.melds[meld].form) if meld < calls else 0
        hand.kinds[meld] = int(seat.melds[meld].kind) if meld < calls else 0
        reds += int(seat.melds[meld].reds) if meld < calls else 0
    for index in range(5):
        hand.dora[index] = kind_of_tile(int(view.indicators[index])) if index < int(view.shown) else -1
        hand.ura[index] = -1
    hand.calls = calls
    hand.kind = 0
    hand.seat_wind = EAST + (int(view.seat) - int(view.dealer)) % int(view.rules.players)
    hand.round_wind = EAST + int(view.kyoku) // 4
    hand.reds = reds
    hand.kitas = int(seat.kitas)
    hand.riichi = int(seat.riichi)
    hand.tsumo = 0
    hand.ippatsu = 0
    hand.rinshan = 0
    hand.chankan = 0
    hand.last = 0
    hand.first = 0


@leaf
def read_win(view: View, tsumo: bool, hand: Winning) -> None:
    """Write the hand of a win that a view offers, with its circumstances, without ura-dora."""
    read_winning(view, hand)
    seat = view.seats[int(view.seat)]
    tile = int(view.drawn) if tsumo else int(view.tile)
    claimed = int(view.claimed)
    rinshan = tsumo and int(view.rinshan) == 1
    hand.kind = kind_of_tile(tile)
    if not tsumo:
        hand.counts[kind_of_tile(tile)] += 1
        hand.reds += 1 if tile >= 34 else 0
    hand.tsumo = 1 if tsumo else 0
    hand.ippatsu = int(seat.ippatsu)
    hand.rinshan = 1 if rinshan else 0
    hand.chankan = 1 if not tsumo and (claimed == Offer.KAKAN or claimed == Offer.ANKAN) else 0
    hand.last = 1 if int(view.left) == 0 and not rinshan and (tsumo or claimed == Offer.DISCARD) else 0
    first = int(seat.discards) == 0 and int(view.interrupted) == 0
    hand.first = 1 if first and (tsumo or int(view.rules.renhou)) else 0


@rule
def write_worth(rules: RulesRecord, work: RiichiSayWorkspace, out: WorthRow) -> bool:
    """Value the hand ``work.trial``, without honba; return whether it wins."""
    hand, value = work.trial, work.value
    out.fans_count = 0
    out.fan = 0
    out.points = 0
    out.each = 0
    out.tile = int(hand.kind)
    if not evaluate(rules, hand, work.reading, value):
        return False
    write_fans(value, is_closed(hand), out)
    write_points(rules, hand, int(value.basic), out)
    return True


@rule
def write_wait(rules: RulesRecord, open_rows: int, work: RiichiSayWorkspace, kind: int, out: WorthRow) -> bool:
    """Write the value of ``work.winning`` with a wait; return False where no tile of it can be left.

    The value is that of a ron without yaku of chance, ``each`` that of a self-draw.
    """
    if int(work.winning.counts[kind]) >= 4:
        return False
    each = 0
    for tsumo in range(1, -1, -1):
        for once in range(2):  # looking for faults changes the hand
            copy_record(work.winning, work.trial)
            work.trial.counts[kind] += 1
            work.trial.kind = kind
            work.trial.tsumo = tsumo
            if once == 0 and tsumo == 0 and fault_of(rules, open_rows, work.trial):
                return False
        write_worth(rules, work, out)
        if tsumo:
            each = int(out.each)
    out.each = each
    return True


@rule
def write_waiting(view: View, work: RiichiSayWorkspace, mask: int, furiten: bool, out: Waiting) -> None:
    """Write the waits ``mask`` of the hand ``work.winning``, and its value with each."""
    open_rows = open_by_rules(view.rules)
    out.waits_count = 0
    out.worth_count = 0
    out.furiten = 1 if furiten else 0
    for kind in range(34):
        if mask >> kind & 1:
            row = out.waits[int(out.waits_count)]
            row.tile = kind
            row.left = 4 - int(work.ukeire.visible[kind])
            out.waits_count += 1
            if write_wait(view.rules, open_rows, work, kind, out.worth[int(out.worth_count)]):
                out.worth_count += 1

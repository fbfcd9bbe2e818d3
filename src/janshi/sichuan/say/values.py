"""Hands of views, and the values of their waits and wins."""

from __future__ import annotations

from janshi.compiling import Workspace, copy_record, leaf, rule
from janshi.core.bits import bit_count
from janshi.core.shanten_tables import ShantenTables
from janshi.say.records import Waiting, WorthRow
from janshi.sichuan.hands.score import SichuanHand, Tools, ukeire_of_record, value_hand
from janshi.sichuan.hands.ukeire import Ukeire
from janshi.sichuan.hands.worth import write_fans
from janshi.sichuan.rules.record import RulesRecord
from janshi.sichuan.state import KINDS, Fan, MeldForm, Offer, Phase, Value, View


class SichuanSayWorkspace(Workspace):
    """Workspace: a seat's hand, its ukeire with the visible tiles, and a hand that is valued."""

    hand: SichuanHand
    trial: SichuanHand
    ukeire: Ukeire
    tools: Tools
    value: Value
    waiting: Waiting


@leaf
def read_hand(view: View, hand: SichuanHand) -> None:
    """Write the seat's hand with the tiles that lie face down or aside for the exchange."""
    seat = view.seats[int(view.seat)]
    for kind in range(KINDS):
        hand.counts[kind] = int(view.hand.counts[kind])
    if int(view.hand.laid) >= 0:
        hand.counts[int(view.hand.laid)] += 1
    for place in range(3):
        if int(view.phase) == Phase.EXCHANGE and int(view.hand.given[place]) >= 0:
            hand.counts[int(view.hand.given[place])] += 1
    hand.void = int(view.hand.void)
    hand.kind = 0
    hand.pungs = int(seat.pungs)
    hand.kongs = int(seat.kongs)
    hand.circumstances = 0


@rule
def read_seat(view: View, tables: ShantenTables, work: SichuanSayWorkspace) -> None:
    """Write the seat's hand, the visible tiles and the ukeire."""
    read_hand(view, work.hand)
    for kind in range(KINDS):
        visible = int(work.hand.counts[kind])
        for who in range(4):
            seat = view.seats[who]
            visible += int(seat.discarded[kind])
            visible += 3 * (int(seat.pungs) >> kind & 1) + 4 * (int(seat.kongs) >> kind & 1)
        work.ukeire.visible[kind] = visible
    ukeire_of_record(tables, work.hand, work.tools, work.ukeire)


@leaf
def holds_14(hand: SichuanHand) -> bool:
    """Return whether a hand holds 14 tiles, each meld counted as three."""
    total = 3 * bit_count(int(hand.pungs) | int(hand.kongs))
    for kind in range(KINDS):
        total += int(hand.counts[kind])
    return total == 14


@rule
def write_worth(rules: RulesRecord, tables: ShantenTables, work: SichuanSayWorkspace, out: WorthRow) -> bool:
    """Write the value of the complete hand ``work.trial``; return False if it is not complete."""
    out.fans_count = 0
    value = work.value
    if value_hand(rules, tables, work.trial, work.tools, value) or int(value.points) == 0:
        return False
    out.tile = int(work.trial.kind)
    write_fans(rules, value, out)
    return True


@rule
def write_waiting(view: View, tables: ShantenTables, work: SichuanSayWorkspace, mask: int, out: Waiting) -> None:
    """Write the waits ``mask`` of the hand ``work.hand`` of 13 tiles, and its value with each."""
    out.waits_count = 0
    out.worth_count = 0
    out.furiten = 0
    for kind in range(KINDS):
        if mask >> kind & 1:
            row = out.waits[int(out.waits_count)]
            row.tile = kind
            row.left = 4 - int(work.ukeire.visible[kind])
            out.waits_count += 1
            copy_record(work.hand, work.trial)
            work.trial.counts[kind] += 1
            work.trial.kind = kind
            if write_worth(view.rules, tables, work, out.worth[int(out.worth_count)]):
                out.worth_count += 1


@leaf
def circumstances_of_win(view: View, self_drawn: bool) -> int:
    """Return the circumstances of a win as bits of `Fan`, as in `janshi.sichuan.play.legal`."""
    who = int(view.seat)
    seat = view.seats[who]
    found = 1 << Fan.SELF_DRAW if self_drawn else 0
    opened = False
    for meld in range(int(seat.calls)):
        opened = opened or int(seat.melds[meld].form) != MeldForm.CONCEALED_KONG
    if not opened:
        found |= 1 << Fan.CONCEALED
    if not self_drawn and int(view.claimed) == Offer.ADDED_KONG:
        return found | 1 << Fan.ROBBING
    if int(view.replaced):
        found |= 1 << Fan.AFTER_KONG if self_drawn else 1 << Fan.KONG_DISCARD
    if int(view.left) == 0:
        found |= 1 << Fan.LAST_TILE
    if self_drawn and int(seat.discards) == 0 and int(seat.calls) == 0 and int(view.called) == 0:
        found |= 1 << Fan.HEAVEN if who == int(view.dealer) else 1 << Fan.EARTH
    return found


@leaf
def read_win(view: View, hand: SichuanHand) -> None:
    """Write the hand of the win that a view offers, with its circumstances."""
    read_hand(view, hand)
    self_drawn = int(view.phase) == Phase.TURN
    kind = int(view.drawn) if self_drawn else int(view.tile)
    hand.counts[kind] += 0 if self_drawn else 1
    hand.kind = kind
    hand.circumstances = circumstances_of_win(view, self_drawn)

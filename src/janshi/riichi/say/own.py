"""A seat's knowledge of its own hand between decisions."""

from __future__ import annotations

from typing import Final

from janshi.compiling import batched, copy_record, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.core.shanten import hand_shanten
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.analysis.visible import count_visible
from janshi.riichi.hands.concealed import give
from janshi.riichi.say.values import RiichiSayWorkspace, read_winning, write_waiting
from janshi.riichi.state import Hand, View
from janshi.say.records import OwnHand

#: `Hand.missed` of a furiten that lasts to the next own discard at least, and of one that lasts to the hand's end.
FOR_NOW: Final = 1
TO_THE_END: Final = 2


@leaf
def tiles_in(hand: Hand) -> int:
    """Return the number of concealed tiles."""
    total = 0
    for kind in range(34):
        total += int(hand.counts[kind])
    return total


@leaf
def is_furiten(view: View, mask: int, least: int, discards: int) -> bool:
    """Return whether a hand with waits ``mask`` is furiten after further discards of some kinds (a mask).

    ``least``: the least `Hand.missed` that counts.
    """
    river = int(view.seats[int(view.seat)].river_mask) | discards
    return mask & river != 0 or int(view.hand.missed) >= least


@rule
def write_own(view: View, tables: ShantenTables, work: RiichiSayWorkspace, out: OwnHand) -> None:
    """Write shanten and waits of a seat's hand without a tile just drawn."""
    read_winning(view, work.winning)
    copy_record(view.hand, work.held)
    drawn = int(view.drawn)
    if drawn >= 0 and tiles_in(work.held) % 3 == 2:
        give(work.held, drawn)
        work.winning.counts[kind_of_tile(drawn)] -= 1
        work.winning.reds -= 1 if drawn >= 34 else 0
    out.known = 1 if tiles_in(work.held) % 3 == 1 else 0
    if int(out.known) == 0:
        return
    sets = 4 - int(work.winning.calls)
    out.shanten = hand_shanten(tables, work.held.concealed, sets, int(view.rules.players) == 3)
    count_visible(view, work.ukeire)
    waits = int(view.hand.waits)
    write_waiting(view, work, waits, waits != 0 and is_furiten(view, waits, FOR_NOW, 0), out.waiting)


own_hands = batched(write_own, brief=True)

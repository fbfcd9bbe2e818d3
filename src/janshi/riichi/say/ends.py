"""How a hand of Riichi ended for a seat."""

from __future__ import annotations

from janshi.compiling import Int32, batched, rule
from janshi.core.kinds import kind_of_tile
from janshi.riichi.hands.worth import CLOSED_HAN, OPEN_HAN
from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.rules.yaku import DORA, RED_FIVES, URA_DORA
from janshi.riichi.state import Ending, State, Value
from janshi.say.ends import HandEnd

_YAKU = len(YAKU)


@rule
def write_han(value: Value, closed: bool, out: HandEnd) -> None:
    """Write the han of a won hand by source."""
    for yaku in range(_YAKU):
        there = int(value.yaku) >> yaku & 1
        out.han[yaku] = (CLOSED_HAN[yaku] if closed else OPEN_HAN[yaku]) if there else 0
    out.han[DORA] = int(value.dora)
    out.han[URA_DORA] = int(value.ura)
    out.han[RED_FIVES] = int(value.red)


@rule
def write_end(state: State, seat: int, before: Int32, out: HandEnd) -> None:
    """Write the end of a table's hand for a seat, which had ``before`` points; `HandEnd.worth` is its points."""
    ended = int(state.ended)
    out.points = int(state.seats[seat].points) - before
    out.worth = out.points
    out.value = 0
    out.tile = -1
    out.dealt_to = 0
    out.won = 0
    out.self_drawn = 0
    out.drawn = 1 if int(state.winners) == 0 else 0
    exhausted = ended == Ending.EXHAUSTIVE or ended == Ending.NAGASHI_MANGAN
    out.tenpai = 1 if exhausted and int(state.hands[seat].waits) != 0 else 0
    for number in range(int(state.winners)):
        win = state.wins[number]
        if int(win.seat) == seat:
            out.won = 1
            out.self_drawn = 1 if ended == Ending.TSUMO else 0
            out.value = int(win.points)
            out.tile = kind_of_tile(int(win.tile))
            write_han(win.value, int(state.seats[seat].opened) == 0, out)
        elif ended == Ending.RON and int(win.discarder) == seat:
            out.dealt_to |= 1 << int(win.seat)


ends = batched(write_end, brief=True)

"""How a hand of Sichuan mahjong ended for a seat."""

from __future__ import annotations

from janshi.compiling import Int32, batched, rule
from janshi.say.ends import HandEnd
from janshi.sichuan.hands.worth import fan_of
from janshi.sichuan.state import Fan, Ready, State


@rule
def write_end(state: State, seat: int, before: Int32, out: HandEnd) -> None:
    """Write the end of a table's hand for a seat, which had ``before`` points; `HandEnd.worth` is its points."""
    own = state.seats[seat]
    out.points = int(own.points) - before
    out.worth = out.points
    out.value = 0
    out.tile = -1
    out.dealt_to = 0
    out.won = 0
    out.self_drawn = 0
    out.drawn = 1 if int(state.winners) == 0 else 0
    out.tenpai = 1 if int(own.ready) == Ready.READY and int(own.won) == 0 else 0
    for number in range(int(state.winners)):
        win = state.wins[number]
        if int(win.seat) == seat:
            out.won = 1
            out.self_drawn = 1 if int(win.discarder) < 0 else 0
            out.value = int(win.value.points)
            out.tile = int(win.tile)
            for fan in range(Fan.SELF_DRAW + 1):
                out.han[fan] = int(win.value.times[fan]) * fan_of(state.rules, fan)
        elif int(win.discarder) == seat:
            out.dealt_to |= 1 << int(win.seat)


ends = batched(write_end, brief=True)

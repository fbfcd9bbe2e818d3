"""The state of the double DQN of the Sichuan paper: 294 numbers (table 3), and its 35 actions.

Numbers are stored in quarters: tiles of a kind as their count, true as 4; a network divides by 4. Others come in
turn order, next player first. In this order: own void suit (3), hand (27), own melds and whether the seat has won (28),
own discards (27), void suits of the others (9), their melds and wins (84), their discards (81), legal actions (35).
Our readings where the paper is open: an unknown void suit is zeros; a pung is three tiles, a kong four; a
discard that was called lies with its caller alone; the actions are those of `PaperAction`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from janshi.compiling import Bytes, leaf, rule
from janshi.encoders.base import Encoder, Layout
from janshi.sichuan.actions import Action
from janshi.sichuan.state import KINDS, Seat, View
from janshi.tiles import tile_text

#: Size of the paper's action space.
ACTIONS: Final = 35
#: Numbers of the state.
STATE: Final = 294
#: First index of the legal actions.
LEGAL: Final = STATE - ACTIONS
#: The stored value of one.
_ONE: Final = 4


class PaperAction(IntEnum):
    """The paper's actions by name; of discards and void suits the first number. It prints their number alone."""

    DISCARD = 0
    VOID = 27
    PUNG = 30
    EXPOSED_KONG = 31
    OWN_KONG = 32  # concealed or added; of several the one of the highest score by the heuristic
    WIN = 33
    PASS = 34


@leaf
def write_melds(seat: Seat, numbers: Bytes, first: int) -> None:
    """Write tiles of melds (27) and whether a seat has won."""
    for kind in range(KINDS):
        numbers[first + kind] = 3 * (int(seat.pungs) >> kind & 1) + 4 * (int(seat.kongs) >> kind & 1)
    numbers[first + KINDS] = _ONE if int(seat.won) > 0 else 0


@leaf
def write_river(seat: Seat, numbers: Bytes, first: int) -> None:
    """Write tiles discarded (27)."""
    for kind in range(KINDS):
        numbers[first + kind] = int(seat.discarded[kind])


@rule
def write_legal(legal: int, numbers: Bytes) -> None:
    """Write the mask of the paper's legal actions."""
    for action in range(Action.PUNG):
        numbers[LEGAL + action] = _ONE * (legal >> action & 1)
    numbers[LEGAL + PaperAction.PUNG] = _ONE * (legal >> Action.PUNG & 1)
    numbers[LEGAL + PaperAction.EXPOSED_KONG] = _ONE * (legal >> Action.EXPOSED_KONG & 1)
    numbers[LEGAL + PaperAction.OWN_KONG] = _ONE if legal >> Action.OWN_KONG else 0
    numbers[LEGAL + PaperAction.WIN] = _ONE * (legal >> Action.WIN & 1)
    numbers[LEGAL + PaperAction.PASS] = _ONE * (legal >> Action.PASS & 1)


@rule
def write_state(view: View, numbers: Bytes) -> None:
    """Write the state: see the module."""
    me = int(view.seat)
    if int(view.hand.void) >= 0:
        numbers[int(view.hand.void)] = _ONE
    for kind in range(KINDS):
        numbers[3 + kind] = int(view.hand.counts[kind])
    if int(view.hand.laid) >= 0:
        numbers[3 + int(view.hand.laid)] += 1
    write_melds(view.seats[me], numbers, 30)
    write_river(view.seats[me], numbers, 58)
    for step in range(3):
        seat = view.seats[(me + 1 + step) % 4]
        if int(seat.void) >= 0:
            numbers[85 + 3 * step + int(seat.void)] = _ONE
        write_melds(seat, numbers, 94 + 28 * step)
        write_river(seat, numbers, 178 + 27 * step)
    write_legal(int(view.legal), numbers)


def _names() -> tuple[str, ...]:
    """Meaning of each number."""
    tiles = [tile_text(kind) for kind in range(KINDS)]
    others = ("next", "second", "third")
    return (
        *(f"own void suit {suit}" for suit in "mps"),
        *(f"hand {tile}" for tile in tiles),
        *(f"own melds {tile}" for tile in tiles),
        "won",
        *(f"own discards {tile}" for tile in tiles),
        *(f"void suit of {other} {suit}" for other in others for suit in "mps"),
        *(f"melds of {other} {what}" for other in others for what in (*tiles, "won")),
        *(f"discards of {other} {tile}" for other in others for tile in tiles),
        *(f"legal {action}" for action in range(ACTIONS)),
    )


SICHUAN_DQN: Final = Encoder(
    name="sichuan-dqn",
    write=write_state,
    columns=_names(),
    layout=Layout.NUMBERS,
    game="sichuan",
    players=frozenset({4}),
    symmetric=False,
)

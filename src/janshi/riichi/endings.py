"""Ending of a hand for one seat, the target of outcome models."""

from __future__ import annotations

from enum import IntEnum

from janshi.compiling import leaf, rule
from janshi.riichi.state import Ending, State


class SeatEnding(IntEnum):
    """How a hand ended for one seat."""

    TSUMO = 0  # won by self-draw
    RON = 1  # won by another seat's tile
    DEAL_IN = 2  # another seat won by this seat's tile
    TSUMO_LOSS = 3  # another seat won by self-draw
    OTHERS_RON = 4  # another seat won by a third seat's tile
    TENPAI = 5  # exhaustive draw, tenpai (nagashi mangan included)
    NOTEN = 6  # exhaustive draw, noten (nagashi mangan included)
    ABORTED = 7  # abortive draw


@leaf
def won(state: State, seat: int) -> bool:
    """Return whether a seat won the hand that is over."""
    winner = False
    for number in range(int(state.winners)):
        winner = winner or int(state.wins[number].seat) == seat
    return winner


@rule
def seat_ending(state: State, seat: int) -> int:
    """Return the `SeatEnding` of a seat in the hand that is over."""
    ended = int(state.ended)
    if ended == Ending.TSUMO:
        return SeatEnding.TSUMO if won(state, seat) else SeatEnding.TSUMO_LOSS
    if ended == Ending.RON:
        if won(state, seat):
            return SeatEnding.RON
        return SeatEnding.DEAL_IN if int(state.wins[0].discarder) == seat else SeatEnding.OTHERS_RON
    if ended == Ending.EXHAUSTIVE or ended == Ending.NAGASHI_MANGAN:
        return SeatEnding.TENPAI if int(state.hands[seat].waits) else SeatEnding.NOTEN
    return SeatEnding.ABORTED


@rule
def hand_value(state: State, seat: int) -> int:
    """Return the points of the hands that a seat won or dealt in to, without honba and deposits; 0 for all others."""
    points = 0
    for number in range(int(state.winners)):
        win = state.wins[number]
        dealt_in = int(state.ended) == Ending.RON and int(win.discarder) == seat
        if int(win.seat) == seat or dealt_in:
            points += int(win.points)
    return points

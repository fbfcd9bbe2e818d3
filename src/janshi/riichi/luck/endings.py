"""The possible endings of a hand and their values.

An ending is a number: the winner, who pays (the winner itself: all, by self-draw) and the class of the points, or for
a draw the seats that are tenpai. Seats are counted from a seat that the caller chooses.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import batched, rule
from janshi.riichi.play.ending import follow, game_ends, give_left_deposits
from janshi.riichi.state import Ending, Phase, State
from janshi.worth.placement import PlacementModel

#: Least points of a win in each class after the first.
CLASSES: Final = (3_500, 7_000, 11_000)
_CLASSES: Final = len(CLASSES) + 1
#: Hands whose endings are followed at once.
_HANDS: Final = 32


def number_of_endings(players: int) -> int:
    """Return the number of endings.

    >>> number_of_endings(3), number_of_endings(4)
    (44, 80)
    """
    return players * players * _CLASSES + (1 << players)


def endings_of(states: Any, players: int) -> NDArray[np.int64]:
    """Return the endings of hands that are over (n), seats counted from seat 0; of several wins the first one."""
    win = states["wins"][:, 0]
    value = np.digitize(win["points"], CLASSES)
    winner, payer = win["seat"].astype(np.int64), win["discarder"].astype(np.int64)
    tenpai = (states["hands"]["waits"][:, :players] != 0) @ (1 << np.arange(players))
    counted = np.isin(states["ended"], (Ending.EXHAUSTIVE, Ending.NAGASHI_MANGAN))
    drawn = np.where(counted, tenpai, (1 << players) - 1)
    won = states["winners"] > 0
    return np.where(won, (winner * players + payer) * _CLASSES + value, players * players * _CLASSES + drawn)


@lru_cache(maxsize=4)
def turned(players: int) -> NDArray[np.int64]:
    """Return the number that each ending has when seats are counted from seat s instead of 0 (players, endings)."""
    numbers = np.zeros((players, number_of_endings(players)), np.int64)
    wins = players * players * _CLASSES
    seats = np.arange(players)
    for first in range(players):
        for number in range(wins):
            pair, value = divmod(number, _CLASSES)
            winner, payer = ((seat - first) % players for seat in divmod(pair, players))
            numbers[first, number] = (winner * players + payer) * _CLASSES + value
        for mask in range(1 << players):
            tenpai = (mask >> seats & 1).astype(bool)
            numbers[first, wins + mask] = wins + int((1 << (seats[tenpai] - first) % players).sum())
    return numbers


@rule
def go_to_next_hand(state: State) -> None:
    """End the game, or set round, dealer and honba of the next hand."""
    if game_ends(state):
        give_left_deposits(state)
        state.phase = Phase.GAME_OVER
    else:
        follow(state)
        state.phase = Phase.TURN


#: The same for tables (n).
go_to_next_hands: Final = batched(go_to_next_hand)


def payments(states: Any, players: int) -> NDArray[np.int32]:
    """Return the points of honba and deposits in every ending of hands (n, endings, players), seats counted from 0."""
    count = number_of_endings(players)
    each = np.zeros((3, count, players), np.int32)
    for number in range(players * players * _CLASSES):
        winner, payer = divmod(number // _CLASSES, players)
        each[0, number, winner] = 1
        if payer == winner:
            each[1, number] = -1
            each[1, number, winner] = players - 1
        else:
            each[2, number, payer], each[2, number, winner] = -1, 1
    rules = states["rules"]
    honba = states["honba"].astype(np.int32)
    amounts = (1000 * states["deposits"].astype(np.int32), honba * rules["honba_each"], honba * rules["honba_ron"])
    paid: NDArray[np.int32] = np.einsum("kn,kep->nep", np.stack(amounts).astype(np.int32), each)
    return paid


def values(
    states: Any, changes: NDArray[Any], model: PlacementModel, points: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Return the value of every ending of hands to every seat (n, endings, players), seats and endings from seat 0.

    Args:
        states: tables at the beginning of their hands (n).
        changes: mean change of points in each ending, honba and deposits aside (endings, players), from the dealer.
        model: of the places after the hand.
        points: of the places (players).
    """
    players = model.rules.players
    parts = [
        _values(states[first : first + _HANDS], changes, model, points) for first in range(0, len(states), _HANDS)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, number_of_endings(players), players), np.float32)


def _values(
    states: Any, changes: NDArray[Any], model: PlacementModel, points: NDArray[np.float64]
) -> NDArray[np.float32]:
    players = model.rules.players
    count = number_of_endings(players)
    wins = players * players * _CLASSES
    dealers = states["dealer"].astype(np.int64)
    seats = (np.arange(players) - dealers[:, None]) % players
    change = changes[turned(players)[dealers][:, :, None], seats[:, None, :]]
    rounded = (100 * np.rint(change / 100)).astype(np.int32)
    after = np.repeat(np.asarray(states), count)
    number = np.tile(np.arange(count), len(states))
    after["seats"]["points"][:, :players] += (rounded + payments(states, players)).reshape(-1, players)
    winner, payer = np.divmod(number // _CLASSES, players)
    won = number < wins
    after["ended"] = np.where(won, np.where(winner == payer, Ending.TSUMO, Ending.RON), Ending.EXHAUSTIVE)
    after["winners"] = won
    after["wins"]["seat"][:, 0] = np.where(won, winner, 0)
    after["hands"]["waits"][:, :players] = (number - wins)[:, None] >> np.arange(players) & 1
    # Riichi sticks of a drawn hand stay on the table.
    staked = np.maximum(-rounded.sum(axis=2), 0).ravel() // 1000
    after["deposits"] = np.where(won, 0, after["deposits"] + staked)
    go_to_next_hands(cast("Any", after))
    expected = model.expected(after, points)
    return expected.reshape(len(states), count, players)

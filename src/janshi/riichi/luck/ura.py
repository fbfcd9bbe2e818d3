"""The luck of ura-dora: wins settled again with every tile that could have been the first ura indicator.

Further indicators under kan-dora are taken as known, so that one tile alone is compared with those that could have
come.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Int8s, batched, rule
from janshi.core.kinds import kind_of_tile
from janshi.riichi.actions import Action
from janshi.riichi.luck.draws import FollowedTables
from janshi.riichi.luck.endings import go_to_next_hands
from janshi.riichi.play.wall import dora_slot
from janshi.riichi.state import Phase, State
from janshi.tiles import KINDS
from janshi.worth.placement import PlacementModel


@rule
def count_for_ura(state: State, left: Int8s) -> Int8:
    """Count the tiles that could be the first ura indicator, by kind, into zeros; return the kind that it is."""
    players = int(state.rules.players)
    for slot in range(int(state.next) + 1):
        if slot ^ 1 >= int(state.replaced):
            left[kind_of_tile(int(state.wall[slot]))] += 1
    for number in range(int(state.shown)):
        left[kind_of_tile(int(state.wall[dora_slot(players, number)]))] -= 1
        if number:
            left[kind_of_tile(int(state.wall[dora_slot(players, number) - 1]))] -= 1
    return kind_of_tile(int(state.wall[dora_slot(players, 0) - 1]))


_count_for_ura: Final = batched(count_for_ura)


def wins_by_riichi(states: Any) -> NDArray[np.bool_]:
    """Return whether each hand (n) is over with a winner whose ura-dora count."""
    riichi = np.take_along_axis(states["seats"]["accepted"], np.maximum(states["wins"]["seat"], 0), axis=1) > 0
    won = np.arange(riichi.shape[1]) < states["winners"][:, None]
    over = (states["phase"] >= Phase.HAND_OVER) & (states["rules"]["ura_dora"] > 0)
    wins: NDArray[np.bool_] = over & (riichi & won).any(axis=1)
    return wins


def may_win(actions: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Return whether each action (n) may end a hand with a win."""
    return np.isin(actions, (Action.TSUMO, Action.RON))


def ura_luck(
    before: Any, actions: NDArray[np.int16], model: PlacementModel, points: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the change of the expected points of the places by the first ura indicator (n, players).

    Args:
        before: tables before the actions that end their hands (n); see `wins_by_riichi`.
        actions: the actions (n).
        model: of the places after the hand.
        points: of the places (players).
    """
    players = model.rules.players
    left = np.zeros((len(before), KINDS), np.int8)
    came = _count_for_ura(before, left).astype(np.int64)
    rows, kinds = np.nonzero(left)
    settled = before[rows]
    settled["wall"][:, dora_slot(players, 0) - 1] = kinds
    followed = FollowedTables(model.rules, settled)
    followed.act(np.arange(len(rows)), actions[rows])
    go_to_next_hands(followed.states)
    worth = model.expected(followed.states, points).astype(np.float64)
    shares = left[rows, kinds] / left.sum(axis=1)[rows]
    luck = np.zeros((len(before), players))
    np.add.at(luck, rows, worth * ((kinds == came[rows]) - shares)[:, None])
    return luck

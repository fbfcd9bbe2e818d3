"""Folds of whole hands, counted from their logs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8s, Int64s, batched, rule
from janshi.core.kinds import kind_of_tile
from janshi.riichi.state import Event, State


@rule
def write_folds(state: State, genbutsu: Int64s, folds: Int8s) -> None:
    """Write for each seat (4) whether its last discard against a riichi was safe against every other seat in riichi.

    A tile is safe against a seat that cannot win on it: its kind is in the seat's river, or has passed since its
    riichi (discards, added kans, kita). A seat that has not discarded since the first riichi of another has 0.
    ``genbutsu`` (4) is a workspace of zeros: the kinds that are safe against each seat, as bits.
    """
    riichi = 0  # bits of the seats in riichi
    for number in range(int(state.logged)):
        event = int(state.log[4 * number])
        seat = int(state.log[4 * number + 1])
        if event == Event.RIICHI:
            riichi |= 1 << seat
        elif event == Event.DISCARD or event == Event.KAKAN or event == Event.KITA:
            kind = kind_of_tile(int(state.log[4 * number + 2]))
            threats = riichi & ~(1 << seat)
            safe = True
            for other in range(4):
                if threats >> other & 1:
                    safe = safe and bool(genbutsu[other] >> kind & 1)
                    genbutsu[other] |= 1 << kind
            if event == Event.DISCARD:
                genbutsu[seat] |= 1 << kind
                if threats:
                    folds[seat] = int(safe)


_write_folds = batched(write_folds, brief=True)


def folded(states: NDArray[Any], riichi: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether each seat has folded in the finished hands at tables (n, players).

    A seat folds whose last discard was safe against every other seat in riichi (one at least), and whose hand is
    neither won nor tenpai at the end. ``riichi`` (n, players): which seats have declared riichi.
    """
    folds = np.zeros((len(states), 4), np.int8)
    which = np.flatnonzero(riichi.any(axis=1))
    if len(which):
        found = np.zeros((len(which), 4), np.int8)
        _write_folds(states, np.zeros((len(which), 4), np.int64), found, which=which)
        folds[which] = found
    players = riichi.shape[1]
    result: NDArray[np.bool_] = (folds[:, :players] > 0) & (states["hands"]["waits"][:, :players] == 0)
    return result

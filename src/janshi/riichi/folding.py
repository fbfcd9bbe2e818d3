"""Folds of whole hands, counted from their logs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8s, Int64s, batched, rule
from janshi.core.kinds import kind_of_tile
from janshi.riichi.state import Event, State


@rule
def write_folds(state: State, cannot: Int64s, folds: Int8s) -> None:
    """Write for each seat (4) whether its last discard against a riichi was safe against every other seat in riichi.

    A tile is safe against a seat that cannot win on it: its kind is in the seat's river, or has passed since its
    riichi (discards, added kans, kita). A seat that has not discarded since the first riichi of another has 0.
    ``cannot`` (4) is a workspace of zeros: the kinds on which each seat cannot win.
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
                    safe = safe and bool(cannot[other] >> kind & 1)
                    cannot[other] |= 1 << kind
            if event == Event.DISCARD:
                cannot[seat] |= 1 << kind
                if threats:
                    folds[seat] = int(safe)


_write_folds = batched(write_folds, brief=True)


def folded(states: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which seats have folded in the finished hands at tables (n, 4).

    A seat folds whose last discard was safe against every other seat in riichi (one at least), and whose hand is
    neither won nor tenpai at the end.
    """
    folds = np.zeros((len(states), 4), np.int8)
    if len(states):
        _write_folds(states, np.zeros((len(states), 4), np.int64), folds)
    result: NDArray[np.bool_] = (folds > 0) & (states["hands"]["waits"] == 0)
    return result

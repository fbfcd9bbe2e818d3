"""The whole state of a Sichuan table, everything hidden included, as small whole numbers: for critics.

Seats are counted from the one that is given: see `janshi.riichi.encoders.full_state`.

>>> from janshi.table import Tables
>>> tables = Tables("sichuan-hand", 2)
>>> full_states(tables.states, tables.actors).shape == (2, len(NUMBERS))
True
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.encoders.base import FullState
from janshi.sichuan.state import KINDS, TILES, Phase

_SEATS: Final = 4
_KINDS: Final = tuple(f"kind {kind}" for kind in range(KINDS))
_SEAT: Final = (
    *("shanten", "tenpai", "tiles of the void suit", "place of the win", "pungs", "kongs", "discards"),
    *("waits left in the wall", "pairs", "triplets", "points in eights", "dealer"),
)
#: Meaning of each number of a state.
NUMBERS: Final = (
    *(f"seat {step} {what}" for step in range(_SEATS) for what in (*_SEAT, *(f"concealed {kind}" for kind in _KINDS))),
    *("tiles left", "winners", "tile to claim"),
    *(f"phase {phase.name.lower()}" for phase in Phase),
    *(f"turn of seat {step}" for step in range(_SEATS)),
    *(f"left in the wall {kind}" for kind in _KINDS),
)


def full_states(states: Any, seats: NDArray[np.int8], which: NDArray[np.int64] | None = None) -> NDArray[np.int8]:
    """Return the whole states of tables as seen from one seat each (n, numbers; int8): see `NUMBERS`.

    ``states``: tables (m); ``seats`` (n); ``which`` (n): their tables' numbers, by default all in order.
    """
    tables: NDArray[Any] = np.asarray(states)
    rows = np.arange(len(tables)) if which is None else which
    slots = np.arange(TILES)
    first = tables["next"][rows, None]
    there = (slots >= first) & (slots < first + tables["left"][rows, None])
    wall = np.zeros((len(rows), KINDS), np.int8)
    np.add.at(wall, (np.nonzero(there)[0], tables["wall"][rows][there]), 1)
    columns = []
    for step in range(_SEATS):
        seat = (seats.astype(np.int64) + step) % _SEATS
        columns += _of_seat(tables, rows, seat, wall)
    turn = (tables["turn"][rows] - seats) % _SEATS
    columns += [tables["left"][rows, None], tables["winners"][rows, None], tables["tile"][rows, None] >= 0]
    columns += [tables["phase"][rows, None] == np.arange(len(Phase)), turn[:, None] == np.arange(_SEATS), wall]
    return np.concatenate([column.astype(np.int8) for column in columns], axis=1)


def _of_seat(
    tables: NDArray[Any], rows: NDArray[np.int64], seat: NDArray[np.int64], wall: NDArray[np.int8]
) -> list[NDArray[Any]]:
    """The numbers of a seat of each table."""
    hands, shown = tables["hands"], tables["seats"]
    counts = hands["counts"][rows, seat]
    kinds = np.arange(KINDS)
    waits: NDArray[Any] = hands["waits"][rows, seat][:, None] >> kinds & 1
    in_void: NDArray[Any] = kinds // 9 == hands["void"][rows, seat][:, None]
    numbers = (
        *(np.minimum(hands["shanten"][rows, seat], 8), waits.any(axis=1), (counts * in_void).sum(axis=1)),
        *(shown["won"][rows, seat], np.bitwise_count(shown["pungs"][rows, seat])),
        *(np.bitwise_count(shown["kongs"][rows, seat]), shown["discards"][rows, seat], (waits * wall).sum(axis=1)),
        *((counts >= 2).sum(axis=1), (counts >= 3).sum(axis=1)),
        *(np.clip(shown["points"][rows, seat] // 8, -100, 100), seat == tables["dealer"][rows]),
    )
    return [*(np.asarray(number)[:, None] for number in numbers), counts]


#: The game's facet ``"full state"``.
FULL_STATE: Final = FullState(
    np.array([number for number, name in enumerate(NUMBERS) if not name.endswith(_KINDS)]), full_states
)

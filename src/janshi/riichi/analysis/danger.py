"""Danger of discards against a seat in riichi: classes of tiles, and how often such tiles were waited for.

The class of a number tile is its rank (1 and 9, 2 and 8 … 5) with the number of possible two-sided waits; a wait on a
tile that cannot win does not count (suji). The class of a tile without runs (honours; with three players also 1m and
9m) is the number of unseen tiles of its kind.

The rates were counted from records (``research/count_waits.py``): in every decision in which a seat not in riichi could
discard against a riichi, each kind of its hand counts once for each seat in riichi, as a wait or not. They are shares
of the tiles held, not of those discarded, and thus independent of the players' choices.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int8s, batched, leaf, rule
from janshi.core.shanten import Ukeire
from janshi.riichi.state import View
from janshi.tiles import KINDS

#: Classes: 3 × rank (0 for 1 and 9 … 4 for 5) + two-sided waits; then honours, then 1m and 9m of sanma by unseen tiles.
CLASSES: Final = 23
HONOURS: Final = 15
ENDS: Final = 19
#: Instead of a class: a discard that cannot be won, and a seat not in riichi.
SAFE: Final = -1
NO_RIICHI: Final = -2
#: Rows of the river: discards 1 to 6, 7 to 12, later ones.
ROWS: Final = 3

_SEATS: Final = 4

#: File of the counts.
RATES: Final = Path(__file__).parent / "waits.json"


@leaf
def danger_class(cannot: int, sanma: bool, kind: int, unseen: int) -> int:
    """Return the class of a discard against a seat in riichi, `SAFE` if it cannot be won.

    ``cannot``: kinds on which this seat cannot win (its river, and tiles passed since); ``unseen``: tiles of the kind
    not visible to the discarder.
    """
    if cannot >> kind & 1:
        return SAFE
    if kind >= 27:
        return HONOURS + min(unseen, 3)
    if sanma and kind < 9:
        return ENDS + min(unseen, 3)
    rank = kind % 9
    sides = 0
    if rank >= 3 and not cannot >> kind - 3 & 1:
        sides += 1
    if rank <= 5 and not cannot >> kind + 3 & 1:
        sides += 1
    return 3 * min(rank, 8 - rank) + sides


@leaf
def threatens(view: View, seat: int) -> bool:
    """Return whether a seat is an opponent of the view's seat in riichi."""
    return seat != int(view.seat) and seat < int(view.rules.players) and int(view.seats[seat].riichi) > 0


@rule
def write_dangers(view: View, seen: Ukeire, classes: Int8s) -> None:
    """Write the class of every kind against every seat (4 × 34); `NO_RIICHI` for the own seat and those not in riichi.

    ``seen`` holds the tiles visible to the view's seat (`janshi.riichi.analysis.visible.count_visible`).
    """
    sanma = int(view.rules.players) == 3
    for seat in range(_SEATS):
        cannot = int(view.seats[seat].river_mask) | int(view.seats[seat].passed)
        threat = threatens(view, seat)
        for kind in range(34):
            number = danger_class(cannot, sanma, kind, 4 - int(seen.visible[kind])) if threat else NO_RIICHI
            classes[34 * seat + kind] = number


_write_dangers = batched(write_dangers)


def dangers(views: Batch[View], seen: Batch[Ukeire]) -> NDArray[np.int8]:
    """Return the classes (n, 4, 34; int8) of all kinds against all seats: see `write_dangers`."""
    classes = np.zeros((len(cast("NDArray[Any]", views)), _SEATS * KINDS), np.int8)
    _write_dangers(views, seen, classes)
    return classes.reshape(-1, _SEATS, KINDS)


def row_of(view: Any) -> int:
    """Return the row of the river of the next discard of a view's seat: 0, 1 or 2."""
    return min(int(view["seats"][int(view["seat"])]["discards"]) // 6, ROWS - 1)


@lru_cache(maxsize=1)
def rates() -> NDArray[np.float64]:
    """Return the share of tiles that were waited for: (2, 23, 3), for three and four players, by class and row.

    A row without counts gets the share of its class in all rows, or 0.

    >>> bool((rates()[1, 14] > rates()[1, 12]).all())  # 5s with both sides open, and with none
    True
    """
    counts = json.loads(RATES.read_text())["counts"]
    counted = np.array([counts[players] for players in ("3", "4")], np.float64)
    hits, met = counted[..., 0], counted[..., 1]
    of_class = hits.sum(axis=2, keepdims=True) / np.maximum(met.sum(axis=2, keepdims=True), 1)
    return np.where(met > 0, hits / np.maximum(met, 1), of_class)


def risk_of(classes: NDArray[np.int8], players: int, row: int) -> float:
    """Return the probability of dealing in by a discard with given classes (4; for each seat) in a row of the river.

    Waits of several seats in riichi are assumed to be independent.
    """
    passes = 1.0
    for number in classes.tolist():
        if number >= 0:
            passes *= 1 - float(rates()[players - 3, number, row])
    return 1 - passes

"""How dangerous a discard is against a seat in riichi: classes of tiles, and how often such a tile was waited for.

The classes are those that players speak of. A number tile goes by its rank (1 and 9, 2 and 8 … 5) and by how many
two-sided waits for it are left: one that would also wait for a tile that cannot win does not count (suji). A tile that
no run can wait for (honours; with three players also 1m and 9m) goes by how many of its kind cannot be seen.

The rates were counted from records (``tools/count_waits.py``): over all decisions in which a seat not in riichi could
discard while others were, each kind in its hand once against each of them: was it waited for, and could it have been
won? It is a share of the tiles that people held, not of those that they discarded, so that their choice is not in it.
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
from janshi.review.model import Safety
from janshi.riichi.state import View
from janshi.tiles import KINDS

#: Classes: 3 × rank (0 for 1 and 9 … 4 for 5) + two-sided waits left; then honours, then 1m and 9m of sanma by unseen.
CLASSES: Final = 23
HONOURS: Final = 15
ENDS: Final = 19
#: In place of a class: a discard that cannot be won, and a seat that is not in riichi.
SAFE: Final = -1
NO_RIICHI: Final = -2
#: Rows of the river that are told apart: discards 1 to 6, 7 to 12, later ones.
ROWS: Final = 3

_SEATS: Final = 4

#: Where the counts are kept.
RATES: Final = Path(__file__).parent / "waits.json"


@leaf
def danger_class(cannot: int, sanma: bool, kind: int, unseen: int) -> int:
    """Class of a discard against a seat in riichi, `SAFE` where it cannot be won.

    ``cannot``: kinds that this seat cannot win by (its river, and what has passed it); ``unseen``: tiles of the kind
    that the discarder does not see.
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
    """Whether a seat is another's than the view's, and in riichi."""
    return seat != int(view.seat) and seat < int(view.rules.players) and int(view.seats[seat].riichi) > 0


@rule
def write_dangers(view: View, seen: Ukeire, classes: Int8s) -> None:
    """Write the class of every kind against every seat (4 × 34); `NO_RIICHI` for one's own and those not in riichi.

    ``seen`` holds what the view's seat can see (`janshi.riichi.analysis.visible.count_visible`).
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
    """Return the row of the river in which a view's seat discards next: 0, 1 or 2."""
    return min(int(view["seats"][int(view["seat"])]["discards"]) // 6, ROWS - 1)


def safety_of(number: int) -> Safety:
    """Return what a class (`SAFE` too) is called.

    >>> safety_of(SAFE), safety_of(3), safety_of(4), safety_of(HONOURS + 1)
    ('safe', 'suji', 'open', 'scarce')
    """
    if number == SAFE:
        return "safe"
    if number >= HONOURS:
        return "scarce" if (number - HONOURS) % 4 <= 1 else "open"
    return "suji" if number % 3 == 0 else "open"


@lru_cache(maxsize=1)
def rates() -> NDArray[np.float64]:
    """Return the share of tiles that were waited for: (2, 23, 3), of three and of four players, by class and row.

    Where a class and row were never met it is that of the class in any row, or 0.

    >>> bool((rates()[1, 14] > rates()[1, 12]).all())  # 5s with both sides open, and with none
    True
    """
    counts = json.loads(RATES.read_text())["counts"]
    counted = np.array([counts[players] for players in ("3", "4")], np.float64)
    hits, met = counted[..., 0], counted[..., 1]
    of_class = hits.sum(axis=2, keepdims=True) / np.maximum(met.sum(axis=2, keepdims=True), 1)
    return np.where(met > 0, hits / np.maximum(met, 1), of_class)


def risk_of(classes: NDArray[np.int8], players: int, row: int) -> float:
    """Return the chance to deal in by a discard with such classes (4; of each seat), in such a row of the river.

    The waits of several seats in riichi are taken as independent of each other.
    """
    passes = 1.0
    for number in classes.tolist():
        if number >= 0:
            passes *= 1 - float(rates()[players - 3, number, row])
    return 1 - passes

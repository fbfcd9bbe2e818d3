"""How dangerous a discard is against a riichi: classes of tiles, and how often such a tile was waited for.

The classes are those that players speak of. A number tile goes by its place (1 and 9, 2 and 8 … 5) and by how many
two-sided waits for it are left: one that would also wait for a tile that cannot win does not count (suji). A tile that
no run can wait for (honours; with three players also 1m and 9m) goes by how many of its kind cannot be seen.

The rates were counted from records (``tools/count_waits.py``): over all decisions in which a seat not in riichi could
discard while others were, each kind in its hand once against each of them: was it waited for, and could it have been
won? It is a share of the tiles that people held, not of those that they threw, so that their choice is not in it.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int8Rows, entry, leaf
from janshi.engine.shanten import Ukeire
from janshi.engine.state import View
from janshi.review.model import Safety
from janshi.tiles import KINDS

#: Classes: 3 × place (0 for 1 and 9 … 4 for 5) + two-sided waits left; then honours, then 1m and 9m of sanma by unseen.
CLASSES: Final = 23
HONOURS: Final = 15
ENDS: Final = 19
#: In place of a class: a discard that cannot be won, and a seat that is not in riichi.
SAFE: Final = -1
NO_RIICHI: Final = -2
#: Rows of the river that are told apart: discards 1 to 6, 7 to 12, later ones.
ROWS: Final = 3

RATES: Final = Path(__file__).parent / "waits.json"


def row_of(view: Any) -> int:
    """Return the row of the river in which a view's seat discards next: 0, 1 or 2."""
    return min(int(view["seats"][int(view["seat"])]["discards"]) // 6, ROWS - 1)


@leaf
def danger_class(cannot: int, sanma: bool, kind: int, unseen: int) -> int:
    """Class of a discard against a riichi, `SAFE` where it cannot be won.

    ``cannot``: kinds that the declarer cannot win by (its river, and what has passed it); ``unseen``: tiles of the kind
    that the discarder does not see.
    """
    if cannot >> kind & 1:
        return SAFE
    if kind >= 27:
        return HONOURS + min(unseen, 3)
    if sanma and kind < 9:
        return ENDS + min(unseen, 3)
    place = kind % 9
    sides = 0
    if place >= 3 and not cannot >> kind - 3 & 1:
        sides += 1
    if place <= 5 and not cannot >> kind + 3 & 1:
        sides += 1
    return 3 * min(place, 8 - place) + sides


@entry
def write_dangers(views: Batch[View], seen: Batch[Ukeire], classes: Int8Rows) -> None:
    """Write the class of every kind against every seat: row 4 × view + seat; `NO_RIICHI` for one's own and the others.

    ``seen`` holds what each view's seat can see (`janshi.observe.janshi.count_visible`).
    """
    for number in range(len(views)):
        view = views[number]
        sanma = int(view.rules.players) == 3
        for who in range(4):
            seat = view.seats[who]
            threat = who != int(view.seat) and who < int(view.rules.players) and int(seat.riichi) > 0
            cannot = int(seat.river_mask) | int(seat.passed)
            for kind in range(34):
                unseen = 4 - int(seen[number].visible[kind])
                found = danger_class(cannot, sanma, kind, unseen)
                classes[4 * number + who, kind] = found if threat else NO_RIICHI


def dangers(views: Batch[View], seen: Batch[Ukeire]) -> NDArray[np.int8]:
    """Return the classes (n, 4, 34; int8) of all kinds against all seats: see `write_dangers`."""
    classes = np.zeros((4 * len(cast("NDArray[Any]", views)), KINDS), np.int8)
    write_dangers(views, seen, classes)
    return classes.reshape(-1, 4, KINDS)


def safety_of(number: int) -> Safety:
    """Return what a class (`SAFE` too) is called: see `janshi.review.model.Safety`.

    >>> safety_of(SAFE), safety_of(3), safety_of(4), safety_of(HONOURS + 1)
    ('safe', 'suji', 'open', 'scarce')
    """
    if number == SAFE:
        return "safe"
    if number >= HONOURS:
        return "scarce" if (number - HONOURS) % 4 <= 1 else "open"
    return "suji" if number % 3 == 0 else "open"


def class_words(number: int) -> str:
    """Say what tiles a class holds.

    >>> class_words(4), class_words(16)
    ('2 and 8, 1 two-sided wait left', 'honour, 1 unseen')
    """
    if number >= HONOURS:
        what, unseen = ("honour", number - HONOURS) if number < ENDS else ("1m and 9m of sanma", number - ENDS)
        return f"{what}, {unseen} unseen"
    place, sides = divmod(number, 3)
    tiles = "5" if place == 4 else f"{place + 1} and {9 - place}"
    return f"{tiles}, {sides} two-sided wait{'' if sides == 1 else 's'} left"


@lru_cache(maxsize=1)
def rates() -> NDArray[np.float64]:
    """Return the share of tiles that were waited for: (2, 23, 3), of three and of four players, by class and row.

    Where a class and row were never met it is that of the class in any row, or 0.

    >>> bool((rates()[1, 14] > rates()[1, 12]).all())  # 5s with both sides open, and with none
    True
    """
    counted = np.array([json.loads(RATES.read_text())["counts"][name] for name in ("3", "4")], np.float64)
    hits, met = counted[..., 0], counted[..., 1]
    whole = hits.sum(axis=2, keepdims=True) / np.maximum(met.sum(axis=2, keepdims=True), 1)
    return np.where(met > 0, hits / np.maximum(met, 1), whole)


def risk_of(classes: NDArray[np.int8], players: int, row: int) -> float:
    """Return the share of deals-in of a discard with such classes (4; of each seat), thrown in such a row of the river.

    Against several seats in riichi their waits are taken as independent of each other.
    """
    passes = 1.0
    for number in classes.tolist():
        if number >= 0:
            passes *= 1 - float(rates()[players - 3, number, row])
    return 1 - passes

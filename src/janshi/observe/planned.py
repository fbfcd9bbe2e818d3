"""Our observation of sanma with chances: the 401 columns of `janshi.observe.janshi`, and 26 of what plans are worth.

They say no more than a `View` does: it is what `janshi.observe.plans` makes of it, one round of the table ahead, as
masks of kinds; what is no tile fills all rows alike.

======== ===========================================================================================
columns  what (added to 401)
======== ===========================================================================================
0        discard after which the chance to win is greatest
1–5      discards after which it is less by at most 1, 2, 4, 8, 16 points of a hundred
6–14     greatest chance, also of riichi, a pon or a pass: at least 10, 20, … 90 of a hundred
15–18    riichi is better than any discard by at least −8, −2, 2, 8 points
19–25    a pon is better than a pass by at least −8, −4, −1, 0, 1, 4, 8 points
======== ===========================================================================================
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int64Rows, entry, rule, zeros
from janshi.engine import actions
from janshi.engine.hand import kind_of_tile
from janshi.engine.shanten import ALL_KINDS
from janshi.engine.state import CLAIM, View
from janshi.engine.tables import Lookup, lookup
from janshi.observe.decisions import discard_kinds
from janshi.observe.janshi import WIDE, encode_more, more_column_names
from janshi.observe.meowjong import encode
from janshi.observe.plans import Plans, begin, chance_called, chance_declared, chance_waiting, weigh_discards

#: Columns of the observation with chances.
PLANNED: Final = WIDE + 26

#: First columns of what is said of discards (the best, those nearly as good), of riichi and of pons.
BEST: Final = WIDE
NEARLY: Final = WIDE + 1
DECLARES: Final = WIDE + 15
CALLS: Final = WIDE + 19
_CHANCE: Final = WIDE + 6
#: By how many points of a hundred a discard may be behind the best, and riichi and pons must be better.
BEHIND: Final = (1, 2, 4, 8, 16)
RIICHI_BETTER: Final = (-8, -2, 2, 8)
PON_BETTER: Final = (-8, -4, -1, 0, 1, 4, 8)


@rule
def write_chances(view: View, plans: Plans, lookups: Lookup, columns: Int64Rows, row: int) -> float:
    """Write what discards and riichi are worth; returns the greatest chance."""
    best = weigh_discards(plans, lookups, discard_kinds(int(view.legal[0]), int(view.drawn)), True)
    most = float(plans.chances[best])
    columns[row, BEST] = 1 << best
    for kind in range(34):
        for step in range(5):
            if plans.chances[kind] >= 0.0 and 100 * (most - plans.chances[kind]) <= BEHIND[step]:
                columns[row, NEARLY + step] |= 1 << kind
    if int(view.legal[0]) >> actions.RIICHI & 1:
        declared = chance_declared(plans, lookups)
        for step in range(4):
            if 100 * (declared - most) >= RIICHI_BETTER[step]:
                columns[row, DECLARES + step] = ALL_KINDS
        most = max(most, declared)
    return most


@rule
def encode_chances(view: View, plans: Plans, lookups: Lookup, columns: Int64Rows, row: int) -> None:
    """Write the columns from 401 on into one row of masks."""
    for column in range(WIDE, PLANNED):
        columns[row, column] = 0
    simple = int(view.legal[0])
    begin(view, plans)
    if int(view.phase) != CLAIM and discard_kinds(simple, int(view.drawn)):
        chance = write_chances(view, plans, lookups, columns, row)
    else:
        chance = chance_waiting(plans, lookups, True)
        pons = simple >> actions.PON & (1 << actions.DAIMINKAN - actions.PON) - 1
        if int(view.phase) == CLAIM and pons:
            kind = kind_of_tile(int(view.tile))
            called = chance_called(plans, lookups, kind, int(view.rules.kuikae) > 0, True)
            for step in range(7):
                if 100 * (called - chance) >= PON_BETTER[step]:
                    columns[row, CALLS + step] = ALL_KINDS
            chance = max(chance, called)
    for step in range(9):
        if 10 * chance >= step + 1:
            columns[row, _CHANCE + step] = ALL_KINDS


@entry
def encode_planned(views: Batch[View], lookups: Batch[Lookup], room: Batch[Plans], columns: Int64Rows) -> None:
    """Write our observations of many views with their chances; ``room`` is one record to work with."""
    for number in range(len(views)):
        encode(views[number], columns, number)
        encode_more(views[number], lookups[0], room[0].ukeire, columns, number)
        encode_chances(views[number], room[0], lookups[0], columns, number)


def observe_planned(views: Batch[View]) -> NDArray[np.int64]:
    """Return our observations of sanma with chances as masks: (n, 427), int64, bit k for kind k.

    The first 401 are those of `janshi.observe.observe_wide`. Raises `ValueError` for a game of four players.

    >>> from janshi.table import Tables
    >>> observe_planned(Tables("tenhou-sanma", 2).views()).shape
    (2, 427)
    """
    records = cast("NDArray[Any]", views)
    if (np.asarray(records["rules"]["players"]) != 3).any():
        raise ValueError("plans are for three players: four players have no observation with chances")
    columns = np.zeros((len(records), PLANNED), np.int64)
    encode_planned(views, lookup(), zeros(Plans, 1), columns)
    return columns


def planned_column_names() -> list[str]:
    """Return what each of the columns from 366 on says.

    >>> len(planned_column_names())
    61
    """
    names = [*more_column_names(), "best discard", *(f"discards within {points} points of it" for points in BEHIND)]
    names += [f"chance {10 * step} % or more" for step in range(1, 10)]
    names += [f"riichi better by {points} points or more" for points in RIICHI_BETTER]
    return [*names, *(f"a pon better by {points} points or more" for points in PON_BETTER)]

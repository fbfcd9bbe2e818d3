"""Our observation of sanma with chances: the 401 columns of `janshi.encoders.janshi`, and 26 of what plans are worth.

They hold no more than a `View` does: it is what `janshi.analysis.plans` makes of it, one round of the table ahead, as
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

from typing import Final

from janshi.analysis.discards import discard_kinds
from janshi.analysis.plans import (
    PlanWeights,
    PlanWorkspace,
    chance_after_pon,
    chance_after_riichi,
    chance_waiting,
    read_view,
    weigh_discards,
)
from janshi.compiling import Int64s, leaf, rule
from janshi.core.kinds import ALL_KINDS, kind_of_tile
from janshi.core.shanten_tables import ShantenTables
from janshi.encoders.base import Encoder
from janshi.encoders.janshi import JANSHI, WIDE, write_more
from janshi.encoders.meowjong import write_meowjong
from janshi.riichi.actions import Action
from janshi.riichi.state import Phase, View

#: Columns of the observation with chances.
PLANNED: Final = WIDE + 26

#: First columns of discards (the best, those nearly as good), of riichi and of pons.
BEST: Final = WIDE
NEARLY: Final = WIDE + 1
DECLARES: Final = WIDE + 15
CALLS: Final = WIDE + 19
_CHANCE: Final = WIDE + 6
#: By how many points of a hundred a discard may be behind the best, and riichi and pons must be better.
BEHIND: Final = (1, 2, 4, 8, 16)
RIICHI_BETTER: Final = (-8, -2, 2, 8)
PON_BETTER: Final = (-8, -4, -1, 0, 1, 4, 8)


@leaf
def pon_possible(view: View) -> bool:
    """Whether the seat may claim a tile for a pon."""
    pons = int(view.legal[0]) >> Action.PON & (1 << Action.DAIMINKAN - Action.PON) - 1
    return int(view.phase) == Phase.CLAIM and pons != 0


@rule
def write_turn(
    view: View, tables: ShantenTables, weights: PlanWeights, plans: PlanWorkspace, columns: Int64s
) -> float:
    """Write what discards and riichi are worth; return the greatest chance."""
    best = weigh_discards(plans, tables, weights, discard_kinds(int(view.legal[0]), int(view.drawn)), True)
    chances = plans.evaluation.chances
    most = float(chances[best])
    columns[BEST] = 1 << best
    for kind in range(34):
        for step in range(len(BEHIND)):
            if chances[kind] >= 0.0 and 100 * (most - chances[kind]) <= BEHIND[step]:
                columns[NEARLY + step] |= 1 << kind
    if int(view.legal[0]) >> Action.RIICHI & 1:
        chance = chance_after_riichi(plans, tables, weights)
        for step in range(len(RIICHI_BETTER)):
            if 100 * (chance - most) >= RIICHI_BETTER[step]:
                columns[DECLARES + step] = ALL_KINDS
        most = max(most, chance)
    return most


@rule
def write_waiting(
    view: View, tables: ShantenTables, weights: PlanWeights, plans: PlanWorkspace, columns: Int64s
) -> float:
    """Write what a pon is worth; return the greatest chance."""
    chance = chance_waiting(plans, tables, weights, True)
    if pon_possible(view):
        kuikae = int(view.rules.kuikae) > 0
        after_pon = chance_after_pon(plans, tables, weights, kind_of_tile(int(view.tile)), kuikae, True)
        for step in range(len(PON_BETTER)):
            if 100 * (after_pon - chance) >= PON_BETTER[step]:
                columns[CALLS + step] = ALL_KINDS
        chance = max(chance, after_pon)
    return chance


@rule
def write_chances(
    view: View, tables: ShantenTables, weights: PlanWeights, plans: PlanWorkspace, columns: Int64s
) -> None:
    """Write the columns from 401 on into one row of masks."""
    read_view(view, plans)
    if int(view.phase) != Phase.CLAIM and discard_kinds(int(view.legal[0]), int(view.drawn)):
        chance = write_turn(view, tables, weights, plans, columns)
    else:
        chance = write_waiting(view, tables, weights, plans, columns)
    for step in range(9):
        if 10 * chance >= step + 1:
            columns[_CHANCE + step] = ALL_KINDS


@rule
def write_plans(
    view: View, tables: ShantenTables, weights: PlanWeights, plans: PlanWorkspace, columns: Int64s
) -> None:
    """Write our observation of a view with its chances into one row of masks."""
    write_meowjong(view, columns)
    write_more(view, tables, plans.ukeire, columns)
    write_chances(view, tables, weights, plans, columns)


def chance_column_names() -> list[str]:
    """Return what each of the columns from 401 on holds.

    >>> len(chance_column_names())
    26
    """
    names = ["best discard", *(f"discards within {points} points of it" for points in BEHIND)]
    names += [f"chance {10 * step} % or more" for step in range(1, 10)]
    names += [f"riichi better by {points} points or more" for points in RIICHI_BETTER]
    return [*names, *(f"a pon better by {points} points or more" for points in PON_BETTER)]


#: Our encoder of sanma with chances.
PLANS: Final = Encoder(
    name="janshi-plans",
    write=write_plans,
    columns=(*JANSHI.columns, *chance_column_names()),
    players=frozenset({3}),
    extends=JANSHI.name,
)

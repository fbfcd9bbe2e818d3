"""Chances to win a hand of sanma: the plans that there are for it, what each is worth, and a look one round further.

A hand that nobody disturbs is won by one of a few plans, each with tiles that serve it and with a yaku that is sure:

================= ================================== =======================================================
plan              tiles                              tiles that others discard
================= ================================== =======================================================
`CLOSED`          any                                for the win alone: riichi is the yaku
`TANYAO`          2 to 8                             for triplets too
`PIN_FLUSH`       pin and honours                    for triplets too
`SOU_FLUSH`       sou and honours                    for triplets too
`TRIPLETS`        any, no runs                       for triplets too
`YAKUHAI`         any, with a triplet of yakuhai     for triplets too
`YAKUHAI_PAIR`    any, opened, a pair of yakuhai     for triplets too; the pair has to become a triplet
`RIICHI`          any, tenpai, after riichi          for the win alone
================= ================================== =======================================================

What a plan is worth after a discard follows from four numbers: its shanten, how many tiles help it how often in a round
of the table (the *power*: those that others' discards bring as well count three times, where they may be taken), how
many pairs wait for a third tile, and how many turns are left. Their logarithms and products give the logarithm of the
odds, with weights that were fitted to playouts against random players (`PlanWeights`); tenpai hands have weights of
their own. The plans of a hand together have about the sum of their odds: a power of it, fitted as well.

Neither defence nor the value of a hand is in it.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.analysis.furiten import is_furiten
from janshi.analysis.visible import count_visible
from janshi.compiling import Batch, Record, Shared, Workspace, leaf, rule, zeros
from janshi.core.bits import bit_count
from janshi.core.kinds import ALL_KINDS, DRAGONS, HONOURS, ORPHANS_MASK, SANMA_KINDS
from janshi.core.shanten import AS_IT_IS, NOT_HELD, Ukeire, ukeire_as_it_is, ukeire_of_discards
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.core.shape import Shape, clear_shape
from janshi.riichi.state import MeldForm, View

CLOSED: Final = 0
TANYAO: Final = 1
PIN_FLUSH: Final = 2
SOU_FLUSH: Final = 3
TRIPLETS: Final = 4
YAKUHAI: Final = 5
YAKUHAI_PAIR: Final = 6
RIICHI: Final = 7
PLANS: Final = 8

#: Slots of `PlanEvaluation` for each plan: the 34 discards and the hand as it is.
SLOTS: Final = 35
#: The log-odds where no plan leads to a win.
HOPELESS: Final = -20.0
#: With fewer kinds of orphans, and with fewer pairs, thirteen orphans and seven pairs do not count (measured for the
#: efficient agent against random players, sanma: first in 75.3 % of 24,000 hands; 73.2 with both counted always, 74.7
#: with no pairs).
LEAST_ORPHANS: Final = 11
LEAST_PAIRS: Final = 6

_PLAYERS: Final = 3
_TILES: Final = 108
#: Discards that are looked at one round further, and by how much their log-odds may be behind the best.
_LOOKED_AT: Final = 6
_BEHIND: Final = 1.0


# ---------------------------------------------------------------------------------------------------------
# Weights


#: Terms of the log-odds of a plan, in the order of its weights: noten and tenpai. See `log_odds`.
NOTEN_TERMS: Final = (
    *("one", "shanten", "shanten²", "rate", "time", "time²", "shanten · time", "pairs", "shanten · pairs"),
    *("rate · time", "rate · shanten", "time · pairs"),
)
TENPAI_TERMS: Final = ("one", "rate", "time", "rate · time", "rate²", "time²", "pairs")

#: Where the fitted weights are kept; ``tools/fit_plans.py`` writes them.
WEIGHTS_FILE: Final = Path(__file__).parent / "plan_weights.json"


class PlanWeights(Shared):
    """The fitted weights of `log_odds`."""

    noten: Annotated[NDArray[np.float64], PLANS - 1, len(NOTEN_TERMS)]
    """By plan (all but `RIICHI`) and `NOTEN_TERMS`."""
    tenpai: Annotated[NDArray[np.float64], PLANS, len(TENPAI_TERMS)]
    """By plan and `TENPAI_TERMS`."""
    exponent: Annotated[float, np.float64]
    """The power of the odds of all plans that are added up."""

    @classmethod
    def shared(cls) -> Batch[PlanWeights]:
        """Return the weights of the package: see `plan_weights`."""
        return plan_weights()


@lru_cache(maxsize=1)
def plan_weights() -> Batch[PlanWeights]:
    """Return the fitted weights, an array of one record.

    >>> np.asarray(plan_weights())["tenpai"].shape
    (1, 8, 7)
    """
    weights = zeros(PlanWeights, 1)
    values = json.loads(WEIGHTS_FILE.read_text())
    for name in PlanWeights.__annotations__:
        cast("Any", weights)[name] = values[name]
    return weights


# ---------------------------------------------------------------------------------------------------------
# Records


class PlanEvaluation(Record):
    """What the plans of a hand are worth, after each discard (0–33) and as it is (slot 34)."""

    shanten: Annotated[NDArray[np.int8], PLANS * SLOTS]
    """Of each plan in each slot, at ``SLOTS * plan + slot``; −1: there is no such plan."""
    power: Annotated[NDArray[np.float64], PLANS * SLOTS]
    pairs: Annotated[NDArray[np.int8], PLANS * SLOTS]
    values: Annotated[NDArray[np.float64], SLOTS]
    """Log-odds of all plans together."""
    chances: Annotated[NDArray[np.float64], SLOTS]
    """Chance to win after each discard (see `weigh_discards`); −1: it cannot be discarded."""
    waits: Annotated[int, np.int64]
    """Kinds that win the hand as it is when they are drawn."""
    ron_waits: Annotated[int, np.int64]
    """Kinds that win it when others discard them."""
    least_shanten: Annotated[int, np.int64]
    """Of all plans, after the best discard."""
    unseen: Annotated[int, np.int64]
    """Tiles that the seat cannot see."""
    turns: Annotated[float, np.float64]
    """Draws that are left to this seat, about."""


class PlanWorkspace(Workspace):
    """The hand as it would be, and what its discards are worth."""

    evaluation: PlanEvaluation
    ukeire: Ukeire
    concealed: Shape
    """Of the tiles that serve a plan."""
    counts: Annotated[NDArray[np.int8], 34]
    """Concealed tiles."""
    sets: Annotated[int, np.int64]
    """Sets that they must still make."""
    opened: Annotated[int, np.int64]
    meld_kinds: Annotated[int, np.int64]
    """Lowest kinds of the melds."""
    meld_triplets: Annotated[int, np.int64]
    """Kinds of melded triplets and kans."""
    runs: Annotated[int, np.int64]
    """Whether a run is melded."""
    yakuhai: Annotated[int, np.int64]
    """Kinds of which a triplet is a yaku."""
    open_tanyao: Annotated[int, np.int64]
    river: Annotated[int, np.int64]


# ---------------------------------------------------------------------------------------------------------
# The hand


@leaf
def yakuhai_of(view: View) -> int:
    """Kinds of which a triplet is a yaku for this seat."""
    seat_wind = 27 + (int(view.seat) - int(view.dealer)) % int(view.rules.players)
    return DRAGONS | 1 << seat_wind | 1 << 27 + int(view.kyoku) // 4


@rule
def read_view(view: View, plans: PlanWorkspace) -> None:
    """Write what a seat knows into the workspace."""
    count_visible(view, plans.ukeire)
    seat = view.seats[int(view.seat)]
    for kind in range(34):
        plans.counts[kind] = int(view.hand.counts[kind])
    plans.sets = 4 - int(seat.calls)
    plans.opened = int(seat.opened)
    plans.yakuhai = yakuhai_of(view)
    plans.open_tanyao = int(view.rules.open_tanyao)
    plans.river = int(seat.river_mask)
    plans.evaluation.turns = float(int(view.left)) / _PLAYERS + 0.5
    plans.meld_kinds = plans.meld_triplets = plans.runs = 0
    for index in range(int(seat.calls)):
        kind = 1 << int(seat.melds[index].kind)
        if int(seat.melds[index].form) == MeldForm.CHII:
            plans.runs = 1
        else:
            plans.meld_triplets = int(plans.meld_triplets) | kind
        plans.meld_kinds = int(plans.meld_kinds) | kind


@rule
def meld_pon(plans: PlanWorkspace, kind: int) -> None:
    """Meld a pon of a kind."""
    plans.counts[kind] -= 2
    plans.sets -= 1
    plans.opened = 1
    plans.meld_kinds = int(plans.meld_kinds) | 1 << kind
    plans.meld_triplets = int(plans.meld_triplets) | 1 << kind


@leaf
def count_after(plans: PlanWorkspace, kind: int, slot: int) -> int:
    """Concealed tiles of a kind after the discard of a slot."""
    return int(plans.counts[kind]) - (1 if kind == slot else 0)


@leaf
def chance_of(value: float) -> float:
    """The chance with these log-odds."""
    return float(1.0 / (1.0 + np.exp(-value)))


# ---------------------------------------------------------------------------------------------------------
# One plan


@leaf
def kinds_of_plan(plan: int) -> int:
    """Kinds that serve a plan."""
    kinds = SANMA_KINDS
    if plan == TANYAO:
        kinds = SANMA_KINDS & ~ORPHANS_MASK
    elif plan == PIN_FLUSH:
        kinds = 0b111111111 << 9 | HONOURS
    elif plan == SOU_FLUSH:
        kinds = 0b111111111 << 18 | HONOURS
    return kinds


@leaf
def count_unseen(plans: PlanWorkspace) -> int:
    """How many tiles the seat cannot see."""
    seen = 0
    for kind in range(34):
        seen += int(plans.ukeire.visible[kind])
    return max(_TILES - seen, 1)


@leaf
def log_odds(
    weights: PlanWeights, plan: int, shanten: int, power: float, pairs: int, unseen: int, turns: float
) -> float:
    """Log-odds of a plan; ``power``: see `power_of`, ``unseen``: tiles that cannot be seen."""
    far = float(shanten)
    rate = np.log((power + 0.5) / unseen)
    time = np.log(turns)
    if shanten == 0:
        tenpai = weights.tenpai
        return float(
            tenpai[plan, 0]
            + rate * (tenpai[plan, 1] + tenpai[plan, 3] * time + tenpai[plan, 4] * rate)
            + time * (tenpai[plan, 2] + tenpai[plan, 5] * time)
            + pairs * tenpai[plan, 6]
        )
    noten = weights.noten
    return float(
        noten[plan, 0]
        + far * (noten[plan, 1] + noten[plan, 2] * far + noten[plan, 6] * time)
        + rate * (noten[plan, 3] + noten[plan, 9] * time + noten[plan, 10] * far)
        + time * (noten[plan, 4] + noten[plan, 5] * time)
        + pairs * (noten[plan, 7] + noten[plan, 8] * far + noten[plan, 11] * time)
    )


@leaf
def furiten_after(plans: PlanWorkspace, waits: int, slot: int) -> bool:
    """Whether a hand that waits for some kinds has discarded one of them, that of a slot included."""
    return is_furiten(waits, int(plans.river) | 1 << slot)  # `AS_IT_IS` is no kind


@rule
def power_of(plans: PlanWorkspace, accepted: int, kinds: int, shanten: int, calls: bool, slot: int) -> float:
    """Tiles that help, as often as they can come in a round of the table, after the discard of a slot.

    ``accepted``: kinds that lower the shanten of the plan's tiles, of which those among ``kinds`` serve it; the others
    make a tenpai hand furiten all the same. ``calls``: others' discards make triplets too.
    """
    furiten = furiten_after(plans, accepted, slot)
    total = 0
    for kind in range(34):
        if accepted & kinds & 1 << kind:
            times = 1
            if shanten == 0:
                times = 1 if furiten else _PLAYERS
            elif calls and count_after(plans, kind, slot) >= 2:
                times = _PLAYERS
            total += times * (4 - int(plans.ukeire.visible[kind]))
    return float(total)


@rule
def count_pairs(plans: PlanWorkspace, kinds: int, slot: int) -> int:
    """Pairs of which a third tile cannot be seen, after the discard of a slot."""
    pairs = 0
    for kind in range(34):
        if kinds >> kind & 1 and count_after(plans, kind, slot) == 2 and int(plans.ukeire.visible[kind]) < 4:
            pairs += 1
    return pairs


@leaf
def write_plan(plans: PlanWorkspace, plan: int, slot: int, shanten: int, power: float, pairs: int) -> None:
    """Write the numbers of a plan."""
    index = SLOTS * plan + slot
    # A hand that waits for what cannot come is not tenpai.
    plans.evaluation.shanten[index] = 1 if shanten == 0 and power == 0.0 else shanten
    plans.evaluation.power[index] = power
    plans.evaluation.pairs[index] = pairs


@leaf
def write_waits(plans: PlanWorkspace, plan: int, accepted: int, kinds: int) -> None:
    """Add the tiles that win a tenpai hand: those that complete it and serve the plan."""
    wins = accepted & kinds & (int(plans.yakuhai) if plan == YAKUHAI_PAIR else ALL_KINDS)
    plans.evaluation.waits = int(plans.evaluation.waits) | wins
    if plan != CLOSED and not furiten_after(plans, accepted, AS_IT_IS):
        plans.evaluation.ron_waits = int(plans.evaluation.ron_waits) | wins


@rule
def write_shape(plans: PlanWorkspace, kinds: int, slot: int) -> None:
    """Write the shape of the concealed tiles of some kinds, after the discard of a slot; its masks stay empty."""
    clear_shape(plans.concealed)
    for kind in range(34):
        if kinds >> kind & 1:
            plans.concealed.suits[kind // 9] += count_after(plans, kind, slot) * WEIGHTS[kind]


@rule
def waits_of_all_tiles(plans: PlanWorkspace, tables: ShantenTables, slot: int) -> int:
    """Kinds that make four sets and a pair of the hand, after the discard of a slot, with a yaku or without."""
    write_shape(plans, ALL_KINDS, slot)
    ukeire_as_it_is(tables, plans.concealed, int(plans.sets), True, plans.ukeire)
    return int(plans.ukeire.accepted[AS_IT_IS]) if int(plans.ukeire.shanten[AS_IT_IS]) == 0 else 0


@rule
def plan_triplets(plans: PlanWorkspace, tables: ShantenTables, slot: int) -> None:
    """Write the plan of four triplets and a pair after the discard of a slot."""
    triplets = 4 - int(plans.sets)
    pairs = 0
    power = 0
    singles = 0
    pair_kinds = single_kinds = 0
    for kind in range(34):
        held = count_after(plans, kind, slot)
        left = 4 - int(plans.ukeire.visible[kind])
        if held >= 3:
            triplets += 1
        elif held == 2:
            pairs += 1
            power += _PLAYERS * left
            pair_kinds |= 1 << kind
        elif held == 1:
            singles += left
            single_kinds |= 1 << kind
    triplets = min(triplets, 4)
    shanten = max(8 - 2 * triplets - min(pairs, 5 - triplets), 0)
    helps = float(power + (singles if triplets + pairs < 5 else 0))
    if shanten == 0:
        waits = single_kinds if triplets == 4 else pair_kinds
        # Tiles that would complete a run too make the hand furiten.
        completing = waits | waits_of_all_tiles(plans, tables, slot)
        times = 1 if furiten_after(plans, completing, slot) else _PLAYERS
        helps = float((singles if triplets == 4 else power // _PLAYERS) * times)
        if slot == AS_IT_IS:
            write_waits(plans, TRIPLETS, completing, waits)
    write_plan(plans, TRIPLETS, slot, shanten, helps, pairs)


@rule
def read_tiles(plans: PlanWorkspace, kinds: int) -> None:
    """Write the shape of the tiles that serve a plan; seven pairs and thirteen orphans count where they are near."""
    write_shape(plans, kinds, AS_IT_IS)
    once = twice = 0
    for kind in range(34):
        count = int(plans.counts[kind]) if kinds >> kind & 1 else 0
        once |= 1 << kind if count else 0
        twice |= 1 << kind if count > 1 else 0
    near = bit_count(once & ORPHANS_MASK) >= LEAST_ORPHANS or bit_count(twice) >= LEAST_PAIRS
    if kinds == SANMA_KINDS and near:
        plans.concealed.held[1] = once
        plans.concealed.held[2] = twice


@rule
def plan_sets(plans: PlanWorkspace, tables: ShantenTables, plan: int, discards: int) -> None:
    """Write a plan of four sets and a pair after each of some discards; 0: as it is."""
    kinds = kinds_of_plan(plan)
    calls = plan != CLOSED
    sets = int(plans.sets)
    ukeire = plans.ukeire
    read_tiles(plans, kinds)
    if discards == 0 or discards & ~kinds:
        # What does not serve the plan can be discarded, and leaves its tiles as they are.
        ukeire_as_it_is(tables, plans.concealed, sets, True, ukeire)
        shanten, accepted = int(ukeire.shanten[AS_IT_IS]), int(ukeire.accepted[AS_IT_IS])
        power = power_of(plans, accepted, kinds, shanten, calls, AS_IT_IS)
        pairs = count_pairs(plans, kinds, AS_IT_IS)
        if discards == 0:
            write_plan(plans, plan, AS_IT_IS, shanten, power, pairs)
            if shanten == 0:
                write_waits(plans, plan, accepted, kinds)
        for kind in range(34):
            if discards & ~kinds & 1 << kind:
                write_plan(plans, plan, kind, shanten, power, pairs)
    if discards & kinds:
        ukeire_of_discards(tables, plans.concealed, sets, True, ukeire)
        for kind in range(34):
            if discards & kinds & 1 << kind and int(ukeire.shanten[kind]) != NOT_HELD:
                shanten = int(ukeire.shanten[kind])
                power = power_of(plans, int(ukeire.accepted[kind]), kinds, shanten, calls, kind)
                write_plan(plans, plan, kind, shanten, power, count_pairs(plans, kinds, kind))


@rule
def plan_yakuhai(plans: PlanWorkspace, tables: ShantenTables, discards: int) -> None:
    """Write the plans of any tiles: which one it is depends on the triplets and pairs of yakuhai."""
    yakuhai = int(plans.yakuhai)
    triplets = pairs = 0
    for kind in range(27, 34):
        triplets |= 1 << kind if int(plans.counts[kind]) >= 3 else 0
        pairs |= 1 << kind if int(plans.counts[kind]) == 2 and int(plans.ukeire.visible[kind]) < 4 else 0
    triplets &= yakuhai
    melded = int(plans.meld_triplets) & yakuhai != 0
    if not melded and not triplets:
        if not int(plans.opened):
            plan_sets(plans, tables, CLOSED, discards)
        elif pairs & yakuhai:
            plan_sets(plans, tables, YAKUHAI_PAIR, discards)
        return
    plan_sets(plans, tables, YAKUHAI, discards)
    if melded or bit_count(triplets) > 1:
        return
    evaluation = plans.evaluation
    for kind in range(27, 34):
        index = SLOTS * YAKUHAI + kind
        if triplets >> kind & 1 and int(plans.counts[kind]) == 3 and int(evaluation.shanten[index]) >= 0:
            # This discard breaks the only triplet.
            shanten, pairs = int(evaluation.shanten[index]), int(evaluation.pairs[index])
            if not int(plans.opened):
                write_plan(plans, CLOSED, kind, shanten, evaluation.power[index], pairs)
            elif int(plans.ukeire.visible[kind]) < 4:
                write_plan(plans, YAKUHAI_PAIR, kind, shanten, evaluation.power[index], pairs)
            evaluation.shanten[index] = -1


# ---------------------------------------------------------------------------------------------------------
# All plans


@leaf
def clear_plans(plans: PlanWorkspace) -> None:
    """Forget all plans."""
    for index in range(PLANS * SLOTS):
        plans.evaluation.shanten[index] = -1


@rule
def write_plans(plans: PlanWorkspace, tables: ShantenTables, discards: int) -> None:
    """Write all plans after each of some discards that the hand holds; 0: as it is."""
    clear_plans(plans)
    if discards == 0:
        plans.evaluation.waits = plans.evaluation.ron_waits = 0
    melded = int(plans.meld_kinds)
    plan_yakuhai(plans, tables, discards)
    for plan in range(TANYAO, TRIPLETS):
        if melded & ~kinds_of_plan(plan) == 0 and (plan != TANYAO or int(plans.open_tanyao)):
            plan_sets(plans, tables, plan, discards)
    if not int(plans.runs):
        if discards == 0:
            plan_triplets(plans, tables, AS_IT_IS)
        for kind in range(34):
            if discards >> kind & 1:
                plan_triplets(plans, tables, kind)


@rule
def weigh(plans: PlanWorkspace, tables: ShantenTables, weights: PlanWeights, discards: int, turns: float) -> float:
    """Write the log-odds after each of some discards; 0: as it is. Returns the best.

    The hand must hold one of the discards.
    """
    held = 0
    for kind in range(34):
        held |= 1 << kind if int(plans.counts[kind]) > 0 else 0
    asked = discards & held
    write_plans(plans, tables, asked)
    evaluation = plans.evaluation
    unseen = count_unseen(plans)
    evaluation.unseen = unseen
    best = HOPELESS
    for slot in range(SLOTS):
        odds = 0.0
        for plan in range(PLANS):
            index = SLOTS * plan + slot
            if int(evaluation.shanten[index]) >= 0:
                power, pairs = evaluation.power[index], int(evaluation.pairs[index])
                value = log_odds(weights, plan, int(evaluation.shanten[index]), power, pairs, unseen, turns)
                odds += np.exp(weights.exponent * value)
        evaluation.values[slot] = max(np.log(odds) / weights.exponent, HOPELESS) if odds > 0.0 else HOPELESS
        if (slot == AS_IT_IS) == (discards == 0) and (slot == AS_IT_IS or asked >> slot & 1):
            best = max(best, evaluation.values[slot])
    return best


@rule
def riichi_log_odds(plans: PlanWorkspace, weights: PlanWeights, turns: float) -> float:
    """The log-odds of riichi with the best of the discards that were weighed and leave a closed hand tenpai."""
    unseen = count_unseen(plans)
    best = HOPELESS
    for kind in range(34):
        index = SLOTS * CLOSED + kind
        if int(plans.evaluation.shanten[index]) == 0:
            best = max(best, log_odds(weights, RIICHI, 0, plans.evaluation.power[index], 0, unseen, turns))
    return best


@rule
def chance_after_draw(plans: PlanWorkspace, tables: ShantenTables, weights: PlanWeights, turns: float) -> float:
    """The chance to win with a tile drawn, by the best discard or by riichi."""
    best = weigh(plans, tables, weights, ALL_KINDS, turns)
    return chance_of(max(best, riichi_log_odds(plans, weights, turns)))


@rule
def gain_by_pon(
    plans: PlanWorkspace, tables: ShantenTables, weights: PlanWeights, kind: int, turns: float, chance: float
) -> float:
    """By how much a pon of a kind and the best discard raise a chance to win; the hand is the same afterwards."""
    sets, opened = int(plans.sets), int(plans.opened)
    melded, triplets = int(plans.meld_kinds), int(plans.meld_triplets)
    meld_pon(plans, kind)
    after = chance_of(weigh(plans, tables, weights, ALL_KINDS & ~(1 << kind), turns))
    plans.counts[kind] += 2
    plans.sets, plans.opened, plans.meld_kinds, plans.meld_triplets = sets, opened, melded, triplets
    return max(0.0, after - chance)


@rule
def look_ahead(plans: PlanWorkspace, tables: ShantenTables, weights: PlanWeights, discard: int) -> float:
    """The chance to win after a discard (−1: none), with the best of what the next round of the table may bring."""
    evaluation = plans.evaluation
    turns = max(evaluation.turns - 1.0, 0.25)
    unseen = float(count_unseen(plans))
    river = int(plans.river)
    if discard >= 0:
        plans.counts[discard] -= 1
        plans.river = river | 1 << discard
    base = chance_of(weigh(plans, tables, weights, 0, turns))
    total = base
    waits, ron_waits = int(evaluation.waits), int(evaluation.ron_waits)
    for kind in range(34):
        left = 4 - int(plans.ukeire.visible[kind])
        if left <= 0 or not SANMA_KINDS >> kind & 1:
            continue
        share = left / unseen
        others = (_PLAYERS - 1) * share
        if ron_waits >> kind & 1:
            total += others * (1.0 - base)
        if waits >> kind & 1:
            total += share * (1.0 - base)
            if ron_waits >> kind & 1:
                continue
        plans.ukeire.visible[kind] += 1
        plans.counts[kind] += 1
        if not waits >> kind & 1:
            total += share * max(0.0, chance_after_draw(plans, tables, weights, turns) - base)
        plans.counts[kind] -= 1
        if int(plans.counts[kind]) >= 2 and int(plans.sets) > 1:
            total += others * gain_by_pon(plans, tables, weights, kind, turns, base)
        plans.ukeire.visible[kind] -= 1
    if discard >= 0:
        plans.counts[discard] += 1
        plans.river = river
    return min(total, 1.0)


@leaf
def least_shanten(plans: PlanWorkspace, slot: int) -> int:
    """The least shanten of all plans in a slot; `NOT_HELD` where there is none."""
    least = NOT_HELD
    for plan in range(PLANS):
        shanten = int(plans.evaluation.shanten[SLOTS * plan + slot])
        if shanten >= 0:
            least = min(least, shanten)
    return least


@leaf
def likeliest(plans: PlanWorkspace, kinds: int) -> int:
    """The kind whose discard has the greatest chance, the first of equal ones; −1: none of them can be discarded."""
    chances = plans.evaluation.chances
    best = -1
    for kind in range(34):
        if kinds >> kind & 1 and chances[kind] >= 0.0 and (best < 0 or chances[kind] > chances[best]):
            best = kind
    return best


@rule
def promising_discards(plans: PlanWorkspace, least: float) -> int:
    """The discards with the greatest chances, `_LOOKED_AT` at most, whose log-odds are not below ``least``."""
    kinds = 0
    for _ in range(_LOOKED_AT):
        kind = likeliest(plans, ALL_KINDS & ~kinds)
        if kind < 0:
            break
        chance = plans.evaluation.chances[kind]
        if np.log(chance / (1.0 - chance + 1e-12) + 1e-12) < least:
            break
        kinds |= 1 << kind
    return kinds


@rule
def weigh_discards(
    plans: PlanWorkspace, tables: ShantenTables, weights: PlanWeights, discards: int, looks_ahead: bool
) -> int:
    """Write the chance to win after each of some discards; returns the best one.

    ``looks_ahead``: the most promising are looked at one round further.
    """
    evaluation = plans.evaluation
    weigh(plans, tables, weights, discards, evaluation.turns)
    for kind in range(34):
        can = discards >> kind & 1 and int(plans.counts[kind]) > 0
        evaluation.chances[kind] = chance_of(evaluation.values[kind]) if can else -1.0
    best = likeliest(plans, ALL_KINDS)
    evaluation.least_shanten = least_shanten(plans, best)
    if not looks_ahead:
        return best
    kinds = promising_discards(plans, evaluation.values[best] - _BEHIND)
    for kind in range(34):
        if kinds >> kind & 1:
            evaluation.chances[kind] = look_ahead(plans, tables, weights, kind)
    return likeliest(plans, kinds) if kinds else best


@rule
def chance_waiting(plans: PlanWorkspace, tables: ShantenTables, weights: PlanWeights, looks_ahead: bool) -> float:
    """The chance to win with the hand as it is, on another's turn; see `weigh_discards`."""
    chance = chance_of(weigh(plans, tables, weights, 0, plans.evaluation.turns))
    plans.evaluation.least_shanten = least_shanten(plans, AS_IT_IS)
    return look_ahead(plans, tables, weights, -1) if looks_ahead else chance


@rule
def chance_after_pon(
    plans: PlanWorkspace, tables: ShantenTables, weights: PlanWeights, kind: int, kuikae: bool, looks_ahead: bool
) -> float:
    """The chance to win after a pon and the best discard; the workspace holds the hand after the pon from then on."""
    meld_pon(plans, kind)
    best = weigh_discards(plans, tables, weights, ALL_KINDS & ~(1 << kind if kuikae else 0), looks_ahead)
    return float(plans.evaluation.chances[best])


@rule
def chance_after_riichi(plans: PlanWorkspace, tables: ShantenTables, weights: PlanWeights) -> float:
    """The chance to win after riichi and the best discard; the hand must be able to declare it."""
    clear_plans(plans)
    plan_sets(plans, tables, CLOSED, ALL_KINDS)
    return chance_of(riichi_log_odds(plans, weights, plans.evaluation.turns))

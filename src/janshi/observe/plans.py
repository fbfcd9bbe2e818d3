"""Chances to win a hand of sanma: the plans there are for it, what each is worth, and a look one round further.

A hand that nobody disturbs is won by one of a few plans, each with tiles that serve it and with a yaku that is sure:

========== ================================= ==================================================
plan       tiles                             tiles that others discard
========== ================================= ==================================================
`CLOSED`   any                               for the win alone: riichi is the yaku
`SIMPLES`  2 to 8                            for triplets too
`PINS`     pin and honours                   for triplets too
`SOUS`     sou and honours                   for triplets too
`TRIPLETS` any, no runs                      for triplets too
`OPEN`     any, with a triplet of yakuhai    for triplets too
`HOPING`   any, opened with a pair of yakuhai for triplets too; the pair has to become a triplet
`DECLARED` any, ready, after riichi          for the win alone
========== ================================= ==================================================

What a plan is worth after a discard follows from four numbers: how far from ready it is (shanten), how many tiles help
it how often in a round of the table (the power: those that others' discards bring as well count three times, where
they may be taken), how many pairs wait for a third tile, and how many turns are left. Their logarithms and products
give the logarithm of the odds, with weights that were fitted to playouts against random players (by
``tools/fit_plans.py``); hands that are ready have weights of their own. The plans of a hand together have about the sum
of their odds: a power of it, fitted as well.

Defence is not in it, nor what a hand scores.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Record, leaf, rule
from janshi.engine.shanten import (
    ALL_KINDS,
    AS_IT_IS,
    NOT_HELD,
    ORPHANS_MASK,
    SANMA_KINDS,
    Ukeire,
    bit_count,
    ukeire_as_it_is,
    ukeire_of_discards,
)
from janshi.engine.state import CHII, View
from janshi.engine.tables import WEIGHTS, Lookup
from janshi.observe.janshi import count_visible

CLOSED: Final = 0
SIMPLES: Final = 1
PINS: Final = 2
SOUS: Final = 3
TRIPLETS: Final = 4
OPEN: Final = 5
HOPING: Final = 6
DECLARED: Final = 7
PLANS: Final = 8

#: Places of `Plans` for each plan: the 34 discards and the hand as it is.
SLOTS: Final = 35
#: The log-odds where no plan leads to a win.
HOPELESS: Final = -20.0
_PLAYERS: Final = 3
_TILES: Final = 108
_HONOURS: Final = 0b1111111 << 27
#: With fewer kinds of orphans, and with fewer pairs, thirteen orphans and seven pairs are not thought of (measured
#: for the efficient agent against random players, sanma: first in 75.3 % of 24,000 hands; 73.2 with both thought of
#: always, 74.7 with no pairs).
LEAST_ORPHANS: Final = 11
LEAST_PAIRS: Final = 6
#: Discards that are looked at one round further, and by how much their odds may be behind the best (a logarithm).
_LOOKED_AT: Final = 6
_BEHIND: Final = 1.0

#: Weights of what the log-odds of a plan are made of, see `log_odds`: of a hand that is not ready (all plans but
#: `DECLARED`).
WEIGHT: Final = np.array(
    [
        [-0.294, -2.757, 0.130, 0.898, 0.959, 0.380, 0.365, 0.199, -0.042, 0.002, -0.040, -0.094],
        [-0.308, -2.508, 0.041, 0.943, 0.352, 0.434, 0.563, 0.051, 0.003, -0.199, 0.245, 0.010],
        [-1.142, -1.831, 0.100, 1.280, 0.501, 0.585, 0.077, 0.125, 0.132, -0.219, -0.043, -0.115],
        [-1.142, -1.831, 0.100, 1.280, 0.501, 0.585, 0.077, 0.125, 0.132, -0.219, -0.043, -0.115],
        [-0.010, -1.601, 0.064, 1.561, 1.408, 0.557, 0.227, 0.046, -0.053, 0.285, 0.514, -0.080],
        [-0.560, -2.439, 0.160, 0.842, 0.521, 0.559, 0.262, -0.010, 0.040, -0.064, 0.040, -0.025],
        [-0.716, -1.923, -0.126, 0.554, -0.149, 0.284, 0.668, -0.061, -0.015, -0.129, 0.378, 0.152],
    ]
)
#: Those of a hand that is.
READY: Final = np.array(
    [
        [-0.145, 1.334, 1.131, 0.415, 0.184, 0.604, 0.016],
        [0.330, 1.730, 1.110, 0.168, 0.227, 0.462, 0.027],
        [-0.198, 1.138, 0.851, 0.034, 0.004, 0.496, 0.033],
        [-0.198, 1.138, 0.851, 0.034, 0.004, 0.496, 0.033],
        [-0.211, 1.467, 1.001, 0.095, 0.099, 0.517, 0.166],
        [0.758, 2.298, 1.078, 0.191, 0.389, 0.554, -0.027],
        [-0.986, 0.490, -0.343, -0.732, -0.341, 0.111, 0.186],
        [0.236, 0.659, 0.768, 0.676, 0.001, 0.817, 0.007],
    ]
)
#: The power of the odds of all plans that are added up.
TOGETHER: Final = 1.533


class Plans(Record):
    """Room to plan in: the hand as it would be, and what its discards are worth."""

    ukeire: Ukeire
    counts: Annotated[NDArray[np.int8], 34]
    """Concealed tiles."""
    sets: Annotated[int, np.int64]
    """Sets that they must still make."""
    opened: Annotated[int, np.int64]
    laid: Annotated[int, np.int64]
    """Kinds in calls and kans."""
    tripled: Annotated[int, np.int64]
    """Kinds of triplets and kans laid down."""
    runs: Annotated[int, np.int64]
    yakuhai: Annotated[int, np.int64]
    """Kinds of which a triplet is a yaku."""
    open_tanyao: Annotated[int, np.int64]
    river: Annotated[int, np.int64]
    turns: Annotated[float, np.float64]
    """Draws that are left to this seat, about."""
    near: Annotated[NDArray[np.int8], PLANS * SLOTS]
    """Shanten of each plan after each discard; −1: there is no such."""
    power: Annotated[NDArray[np.float64], PLANS * SLOTS]
    pairs: Annotated[NDArray[np.int8], PLANS * SLOTS]
    values: Annotated[NDArray[np.float64], SLOTS]
    """Log-odds of all plans together."""
    chances: Annotated[NDArray[np.float64], SLOTS]
    """Chance to win after each discard (see `weigh_discards`); −1: it cannot be discarded."""
    waits: Annotated[int, np.int64]
    """Kinds that win the hand as it is when they are drawn."""
    rons: Annotated[int, np.int64]
    """Kinds that win it when others discard them."""
    nearest: Annotated[int, np.int64]
    """The least shanten of a plan after the best discard."""


# ---------------------------------------------------------------------------------------------------------
# The hand


@leaf
def yakuhai_of(view: View) -> int:
    """Kinds of which a triplet is a yaku for this seat."""
    wind = 27 + (int(view.seat) - int(view.dealer)) % int(view.rules.players)
    return 0b111 << 31 | 1 << wind | 1 << 27 + int(view.kyoku) // 4


@rule
def begin(view: View, plans: Plans) -> None:
    """Take in what a seat knows."""
    count_visible(view, plans.ukeire)
    seat = view.seats[int(view.seat)]
    for kind in range(34):
        plans.counts[kind] = int(view.hand.counts[kind])
    plans.sets = 4 - int(seat.calls)
    plans.opened = int(seat.opened)
    plans.yakuhai = yakuhai_of(view)
    plans.open_tanyao = int(view.rules.open_tanyao)
    plans.river = int(seat.river_mask)
    plans.turns = float(int(view.left)) / _PLAYERS + 0.5
    plans.laid = plans.tripled = plans.runs = 0
    for one in range(int(seat.calls)):
        kind = 1 << int(seat.melds[one].kind)
        if int(seat.melds[one].form) == CHII:
            plans.runs = 1
        else:
            plans.tripled = int(plans.tripled) | kind
        plans.laid = int(plans.laid) | kind


@rule
def call(plans: Plans, kind: int) -> None:
    """Call a tile for a triplet, in thought."""
    plans.counts[kind] -= 2
    plans.sets -= 1
    plans.opened = 1
    plans.laid = int(plans.laid) | 1 << kind
    plans.tripled = int(plans.tripled) | 1 << kind


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
    if plan == SIMPLES:
        kinds = SANMA_KINDS & ~ORPHANS_MASK
    elif plan == PINS:
        kinds = 0b111111111 << 9 | _HONOURS
    elif plan == SOUS:
        kinds = 0b111111111 << 18 | _HONOURS
    return kinds


@leaf
def unseen(plans: Plans) -> int:
    """How many tiles the seat cannot see."""
    seen = 0
    for kind in range(34):
        seen += int(plans.ukeire.visible[kind])
    return max(_TILES - seen, 1)


@leaf
def log_odds(plan: int, shanten: int, power: float, pairs: int, number: int, turns: float) -> float:
    """Log-odds of a plan, by `READY` or `WEIGHT`; ``power``: see `power_of`, ``number``: tiles that cannot be seen."""
    far = float(shanten)
    rate = np.log((power + 0.5) / number)
    time = np.log(turns)
    if shanten == 0:
        return float(
            READY[plan, 0]
            + rate * (READY[plan, 1] + READY[plan, 3] * time + READY[plan, 4] * rate)
            + time * (READY[plan, 2] + READY[plan, 5] * time)
            + pairs * READY[plan, 6]
        )
    return float(
        WEIGHT[plan, 0]
        + far * (WEIGHT[plan, 1] + WEIGHT[plan, 2] * far + WEIGHT[plan, 6] * time)
        + rate * (WEIGHT[plan, 3] + WEIGHT[plan, 9] * time + WEIGHT[plan, 10] * far)
        + time * (WEIGHT[plan, 4] + WEIGHT[plan, 5] * time)
        + pairs * (WEIGHT[plan, 7] + WEIGHT[plan, 8] * far + WEIGHT[plan, 11] * time)
    )


@leaf
def is_furiten(plans: Plans, waits: int, slot: int) -> bool:
    """Whether a hand that waits for some kinds has discarded one of them, that of a slot included."""
    return waits & (int(plans.river) | 1 << slot) != 0  # `AS_IT_IS` is no kind


@rule
def power_of(plans: Plans, accepted: int, kinds: int, shanten: int, calls: bool, slot: int) -> float:
    """Tiles that help, as often as they can come in a round of the table, after the discard of a slot.

    ``accepted``: kinds that bring the tiles of the plan on, of which those among ``kinds`` serve it; the others make a
    hand that is ready furiten all the same.
    """
    furiten = is_furiten(plans, accepted, slot)
    total = 0
    for kind in range(34):
        if accepted & kinds & 1 << kind:
            times = 1
            if shanten == 0:
                times = 1 if furiten else _PLAYERS
            elif calls and int(plans.counts[kind]) - (1 if kind == slot else 0) >= 2:
                times = _PLAYERS
            total += times * (4 - int(plans.ukeire.visible[kind]))
    return float(total)


@rule
def pairs_waiting(plans: Plans, kinds: int, slot: int) -> int:
    """Pairs of which a third tile cannot be seen, after the discard of a slot."""
    pairs = 0
    for kind in range(34):
        held = int(plans.counts[kind]) - (1 if kind == slot else 0)
        if kinds >> kind & 1 and held == 2 and int(plans.ukeire.visible[kind]) < 4:
            pairs += 1
    return pairs


@leaf
def note(plans: Plans, plan: int, slot: int, shanten: int, power: float, pairs: int) -> None:
    """Write down how a plan stands."""
    place = SLOTS * plan + slot
    # A hand that waits for what cannot come is not ready.
    plans.near[place] = 1 if shanten == 0 and power == 0.0 else shanten
    plans.power[place] = power
    plans.pairs[place] = pairs


@leaf
def note_waits(plans: Plans, plan: int, accepted: int, kinds: int) -> None:
    """Write down which tiles win a hand that is ready: those that complete it and serve the plan."""
    wins = accepted & kinds & (int(plans.yakuhai) if plan == HOPING else ALL_KINDS)
    plans.waits = int(plans.waits) | wins
    if plan != CLOSED and not is_furiten(plans, accepted, AS_IT_IS):
        plans.rons = int(plans.rons) | wins


@rule
def suits_of(plans: Plans, kinds: int, slot: int) -> tuple[int, int, int, int]:
    """The concealed tiles of some kinds, after the discard of a slot, as the tables of shanten have them."""
    man = pin = sou = honours = 0
    for kind in range(34):
        count = int(plans.counts[kind]) - (1 if kind == slot else 0)
        weight = count * WEIGHTS[kind] if kinds >> kind & 1 else 0
        man += weight if kind < 9 else 0
        pin += weight if 9 <= kind < 18 else 0
        sou += weight if 18 <= kind < 27 else 0
        honours += weight if kind >= 27 else 0
    return man, pin, sou, honours


@rule
def waits_of_shape(plans: Plans, lookup: Lookup, slot: int) -> int:
    """Kinds that make four sets and a pair of the hand, after the discard of a slot, with a yaku or without."""
    man, pin, sou, honours = suits_of(plans, ALL_KINDS, slot)
    ukeire_as_it_is(lookup, man, pin, sou, honours, 0, 0, int(plans.sets), True, plans.ukeire)
    return int(plans.ukeire.accepted[AS_IT_IS]) if int(plans.ukeire.shanten[AS_IT_IS]) == 0 else 0


@rule
def plan_triplets(plans: Plans, lookup: Lookup, slot: int) -> None:
    """How four triplets and a pair stand after the discard of a slot."""
    triplets = 4 - int(plans.sets)
    pairs = 0
    power = 0
    singles = 0
    twice = once = 0
    for kind in range(34):
        held = int(plans.counts[kind]) - (1 if kind == slot else 0)
        left = 4 - int(plans.ukeire.visible[kind])
        if held >= 3:
            triplets += 1
        elif held == 2:
            pairs += 1
            power += _PLAYERS * left
            twice |= 1 << kind
        elif held == 1:
            singles += left
            once |= 1 << kind
    triplets = min(triplets, 4)
    shanten = max(8 - 2 * triplets - min(pairs, 5 - triplets), 0)
    helps = float(power + (singles if triplets + pairs < 5 else 0))
    if shanten == 0:
        waits = once if triplets == 4 else twice
        # Tiles that would complete a run too make the hand furiten.
        shape = waits | waits_of_shape(plans, lookup, slot)
        times = 1 if is_furiten(plans, shape, slot) else _PLAYERS
        helps = float((singles if triplets == 4 else power // _PLAYERS) * times)
        if slot == AS_IT_IS:
            note_waits(plans, TRIPLETS, shape, waits)
    note(plans, TRIPLETS, slot, shanten, helps, pairs)


@rule
def plan_sets(plans: Plans, lookup: Lookup, plan: int, discards: int) -> None:
    """How a plan of four sets and a pair stands after each of some discards; 0: as it is."""
    kinds = kinds_of_plan(plan)
    calls = plan != CLOSED
    once = twice = 0
    for kind in range(34):
        count = int(plans.counts[kind]) if kinds >> kind & 1 else 0
        once |= 1 << kind if count else 0
        twice |= 1 << kind if count > 1 else 0
    if kinds != SANMA_KINDS or (bit_count(once & ORPHANS_MASK) < LEAST_ORPHANS and bit_count(twice) < LEAST_PAIRS):
        once = twice = 0
    man, pin, sou, honours = suits_of(plans, kinds, AS_IT_IS)
    sets = int(plans.sets)
    if discards == 0 or discards & ~kinds:
        # What does not serve the plan can be thrown away, and leaves its tiles as they are.
        ukeire_as_it_is(lookup, man, pin, sou, honours, once, twice, sets, True, plans.ukeire)
        shanten = int(plans.ukeire.shanten[AS_IT_IS])
        power = power_of(plans, int(plans.ukeire.accepted[AS_IT_IS]), kinds, shanten, calls, AS_IT_IS)
        pairs = pairs_waiting(plans, kinds, AS_IT_IS)
        if discards == 0:
            note(plans, plan, AS_IT_IS, shanten, power, pairs)
            if shanten == 0:
                note_waits(plans, plan, int(plans.ukeire.accepted[AS_IT_IS]), kinds)
        for kind in range(34):
            if discards & ~kinds & 1 << kind:
                note(plans, plan, kind, shanten, power, pairs)
    if discards & kinds:
        ukeire_of_discards(lookup, man, pin, sou, honours, once, twice, sets, True, plans.ukeire)
        for kind in range(34):
            if discards & kinds & 1 << kind and int(plans.ukeire.shanten[kind]) != NOT_HELD:
                shanten = int(plans.ukeire.shanten[kind])
                power = power_of(plans, int(plans.ukeire.accepted[kind]), kinds, shanten, calls, kind)
                note(plans, plan, kind, shanten, power, pairs_waiting(plans, kinds, kind))


@rule
def plan_yakuhai(plans: Plans, lookup: Lookup, discards: int) -> None:
    """The plans of any tiles: which one it is depends on the triplets and pairs of yakuhai."""
    good = int(plans.yakuhai)
    triplets = pairs = 0
    for kind in range(27, 34):
        triplets |= 1 << kind if int(plans.counts[kind]) >= 3 else 0
        pairs |= 1 << kind if int(plans.counts[kind]) == 2 and int(plans.ukeire.visible[kind]) < 4 else 0
    triplets &= good
    sure = int(plans.tripled) & good != 0
    if not sure and not triplets:
        if not int(plans.opened):
            plan_sets(plans, lookup, CLOSED, discards)
        elif pairs & good:
            plan_sets(plans, lookup, HOPING, discards)
        return
    plan_sets(plans, lookup, OPEN, discards)
    if sure or bit_count(triplets) > 1:
        return
    for kind in range(27, 34):
        place = SLOTS * OPEN + kind
        if triplets >> kind & 1 and int(plans.counts[kind]) == 3 and int(plans.near[place]) >= 0:
            # This discard breaks the only triplet.
            if not int(plans.opened):
                note(plans, CLOSED, kind, int(plans.near[place]), plans.power[place], int(plans.pairs[place]))
            elif int(plans.ukeire.visible[kind]) < 4:
                note(plans, HOPING, kind, int(plans.near[place]), plans.power[place], int(plans.pairs[place]))
            plans.near[place] = -1


# ---------------------------------------------------------------------------------------------------------
# All plans


@rule
def weigh(plans: Plans, lookup: Lookup, discards: int, turns: float) -> float:
    """Write the log-odds after each of some discards that the hand holds; 0: as it is. Returns the best."""
    for place in range(PLANS * SLOTS):
        plans.near[place] = -1
    if discards == 0:
        plans.waits = plans.rons = 0
    held = 0
    for kind in range(34):
        held |= 1 << kind if int(plans.counts[kind]) > 0 else 0
    asked = discards & held
    laid = int(plans.laid)
    plan_yakuhai(plans, lookup, asked)
    for plan in range(SIMPLES, TRIPLETS):
        if laid & ~kinds_of_plan(plan) == 0 and (plan != SIMPLES or int(plans.open_tanyao)):
            plan_sets(plans, lookup, plan, asked)
    if not int(plans.runs):
        if discards == 0:
            plan_triplets(plans, lookup, AS_IT_IS)
        for kind in range(34):
            if asked >> kind & 1:
                plan_triplets(plans, lookup, kind)
    number = unseen(plans)
    best = HOPELESS
    for slot in range(SLOTS):
        odds = 0.0
        for plan in range(PLANS):
            place = SLOTS * plan + slot
            if int(plans.near[place]) >= 0:
                power, pairs = plans.power[place], int(plans.pairs[place])
                odds += np.exp(TOGETHER * log_odds(plan, int(plans.near[place]), power, pairs, number, turns))
        plans.values[slot] = max(np.log(odds) / TOGETHER, HOPELESS) if odds > 0.0 else HOPELESS
        if (slot == AS_IT_IS) == (discards == 0) and (slot == AS_IT_IS or asked >> slot & 1):
            best = max(best, plans.values[slot])
    return best


@rule
def declared(plans: Plans, turns: float) -> float:
    """The log-odds of riichi with the best of the discards that were weighed and leave a closed hand ready."""
    number = unseen(plans)
    best = HOPELESS
    for kind in range(34):
        place = SLOTS * CLOSED + kind
        if int(plans.near[place]) == 0:
            best = max(best, log_odds(DECLARED, 0, plans.power[place], 0, number, turns))
    return best


@rule
def weigh_turn(plans: Plans, lookup: Lookup, turns: float) -> float:
    """The chance to win with a tile drawn, by the best discard or by riichi."""
    best = weigh(plans, lookup, ALL_KINDS, turns)
    return chance_of(max(best, declared(plans, turns)))


@rule
def look_ahead(plans: Plans, lookup: Lookup, discard: int) -> float:
    """The chance to win after a discard (−1: none), with the best of what the next round of the table may bring."""
    turns = max(plans.turns - 1.0, 0.25)
    number = float(unseen(plans))
    river = int(plans.river)
    if discard >= 0:
        plans.counts[discard] -= 1
        plans.river = river | 1 << discard
    base = chance_of(weigh(plans, lookup, 0, turns))
    total = base
    waits, rons = int(plans.waits), int(plans.rons)
    sets, opened, laid, tripled = int(plans.sets), int(plans.opened), int(plans.laid), int(plans.tripled)
    for kind in range(34):
        left = 4 - int(plans.ukeire.visible[kind])
        if left <= 0 or not SANMA_KINDS >> kind & 1:
            continue
        share = left / number
        others = (_PLAYERS - 1) * share
        if rons >> kind & 1:
            total += others * (1.0 - base)
        if waits >> kind & 1:
            total += share * (1.0 - base)
            if rons >> kind & 1:
                continue
        plans.ukeire.visible[kind] += 1
        plans.counts[kind] += 1
        if not waits >> kind & 1:
            total += share * max(0.0, weigh_turn(plans, lookup, turns) - base)
        plans.counts[kind] -= 1
        if int(plans.counts[kind]) >= 2 and sets > 1:
            call(plans, kind)
            after = chance_of(weigh(plans, lookup, ALL_KINDS & ~(1 << kind), turns))
            total += others * max(0.0, after - base)
            plans.counts[kind] += 2
            plans.sets, plans.opened, plans.laid, plans.tripled = sets, opened, laid, tripled
        plans.ukeire.visible[kind] -= 1
    if discard >= 0:
        plans.counts[discard] += 1
        plans.river = river
    return min(total, 1.0)


@rule
def weigh_discards(plans: Plans, lookup: Lookup, discards: int, looks: bool) -> int:
    """Write the chance to win after each of some discards; returns the best one.

    ``looks``: the most promising are looked at one round further, unless the hand is ready.
    """
    weigh(plans, lookup, discards, plans.turns)
    best = -1
    for kind in range(34):
        can = discards >> kind & 1 and int(plans.counts[kind]) > 0
        plans.chances[kind] = chance_of(plans.values[kind]) if can else -1.0
        if can and (best < 0 or plans.chances[kind] > plans.chances[best]):
            best = kind
    near = NOT_HELD
    for plan in range(PLANS):
        if int(plans.near[SLOTS * plan + best]) >= 0:
            near = min(near, int(plans.near[SLOTS * plan + best]))
    plans.nearest = near
    if not looks:
        return best
    least = plans.values[best] - _BEHIND
    chosen = 0
    for _ in range(_LOOKED_AT):
        one = -1
        for kind in range(34):
            open_ = plans.chances[kind] >= 0.0 and not chosen >> kind & 1
            if open_ and (one < 0 or plans.chances[kind] > plans.chances[one]):
                one = kind
        if one < 0 or np.log(plans.chances[one] / (1.0 - plans.chances[one] + 1e-12) + 1e-12) < least:
            break
        chosen |= 1 << one
    for kind in range(34):
        if chosen >> kind & 1:
            plans.chances[kind] = look_ahead(plans, lookup, kind)
    most = -1.0
    for kind in range(34):
        if chosen >> kind & 1 and plans.chances[kind] > most:
            best, most = kind, plans.chances[kind]
    return best


@rule
def chance_waiting(plans: Plans, lookup: Lookup, looks: bool) -> float:
    """The chance to win with the hand as it is, another's turn; see `weigh_discards`."""
    chance = chance_of(weigh(plans, lookup, 0, plans.turns))
    plans.nearest = NOT_HELD
    for plan in range(PLANS):
        if int(plans.near[SLOTS * plan + AS_IT_IS]) >= 0:
            plans.nearest = min(int(plans.nearest), int(plans.near[SLOTS * plan + AS_IT_IS]))
    return look_ahead(plans, lookup, -1) if looks else chance


@rule
def chance_called(plans: Plans, lookup: Lookup, kind: int, kuikae: bool, looks: bool) -> float:
    """The chance to win after a pon and the best discard, which the plans hold from then on."""
    call(plans, kind)
    best = weigh_discards(plans, lookup, ALL_KINDS & ~(1 << kind if kuikae else 0), looks)
    return float(plans.chances[best])


@rule
def chance_declared(plans: Plans, lookup: Lookup) -> float:
    """The chance to win after riichi and the best discard; the hand must be able to declare it."""
    for place in range(PLANS * SLOTS):
        plans.near[place] = -1
    plan_sets(plans, lookup, CLOSED, ALL_KINDS)
    return chance_of(declared(plans, plans.turns))

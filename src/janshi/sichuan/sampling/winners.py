"""Complete hands of seats that have won: what the others may not see of them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.rollout.sampling import SamplingError
from janshi.sichuan.hands.score import new_hands, value_hands
from janshi.sichuan.rules import Rules
from janshi.sichuan.state import KINDS, Fan

#: Sources of fan that follow from the tiles alone.
_SHAPE: Final = [*range(Fan.AFTER_KONG), Fan.TERMINALS, Fan.JIANG, Fan.ALL_SIMPLES]
#: Hands put together before a win is given up.
_TRIES: Final = 20


def _parts() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return up to three kinds of every pung, pair and run, in this order, and the tiles of each kind (75, 3)."""
    parts = [(kind, kind, kind, count, 0, 0) for count in (3, 2) for kind in range(KINDS)]
    parts += [(kind, kind + 1, kind + 2, 1, 1, 1) for kind in range(KINDS) if kind % 9 < 7]
    both = np.array(parts)
    return both[:, :3], both[:, 3:]


#: The parts of a complete hand.
_PART_KINDS, _COUNTS = _parts()
_PUNGS: Final = _COUNTS[:, 0] == 3
_PAIRS: Final = _COUNTS[:, 0] == 2
_RUNS: Final = _COUNTS[:, 0] == 1
#: ``_WAYS[n, k]``: ways of choosing k of n tiles of one kind.
_WAYS: Final = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 2, 1, 0], [1, 3, 3, 1], [1, 4, 6, 4]])


def winning_hand(
    rules: Rules,
    seat: Any,
    win: Any,
    void: int,
    left: NDArray[np.int64],
    held: NDArray[np.int64],
    odds: NDArray[np.float64],
    random: np.random.Generator,
) -> NDArray[np.int64]:
    """Draw the concealed tiles (27) of a seat that has won, with the winning tile, so that the win has its shown value.

    ``seat`` and ``win`` are its records in a view (`janshi.sichuan.state.Seat`, `janshi.sichuan.state.Win`), ``void``
    is its void suit (−1: not known), ``left`` the tiles that it may hold (27), ``held`` those that it holds for
    certain, with the winning tile, ``odds`` the weight of a tile of each suit (3). Raises `SamplingError` if none is
    found.
    """
    times, tile = win["value"]["times"], int(win["tile"])
    kinds = np.arange(KINDS)
    pungs = int(seat["pungs"]) >> kinds & 1
    free = np.where(kinds // 9 == void, 0, left)
    if times[Fan.FULL_FLUSH]:
        free = np.where(kinds // 9 == tile // 9, free, 0)
    hands = new_hands(1)
    for name in ("pungs", "kongs"):
        hands[name] = seat[name]
    hands["void"], hands["kind"] = void, tile
    weights = odds[_PART_KINDS[:, 0] // 9] ** _COUNTS.sum(axis=1)
    for _ in range(_TRIES):
        wanted = held.copy()
        # Four of a kind are rare by chance: their kinds are chosen first.
        fours = np.flatnonzero(free >= 4 - 3 * pungs)
        for kind in random.permutation(fours)[: int(times[Fan.ROOT])]:
            wanted[kind] = 4 - 3 * pungs[kind]
        hand = _put_together(free, wanted, int(seat["calls"]), times, weights, random)
        if hand is None:
            continue
        hands["counts"] = hand
        value = value_hands(hands, rules)[0]
        if value["points"] and (value["times"][_SHAPE] == times[_SHAPE]).all():
            return hand
    raise SamplingError("no hand of a winner fits what was seen")


def _put_together(
    free: NDArray[np.int64],
    wanted: NDArray[np.int64],
    calls: int,
    times: Any,
    weights: NDArray[np.float64],
    random: np.random.Generator,
) -> NDArray[np.int64] | None:
    """Return sets and a pair, or seven pairs, of tiles that are free, with those that are wanted; None for a failure.

    Each part is drawn by its number of ways and its weight, those with wanted tiles first.
    """
    pairs = 7 if times[Fan.SEVEN_PAIRS] else 1
    sets = 0 if times[Fan.SEVEN_PAIRS] else 4 - calls
    hand = np.zeros(KINDS, np.int64)
    while sets or pairs:
        ways = _WAYS[(free - hand)[_PART_KINDS], _COUNTS].prod(axis=1) * weights
        ways[_PAIRS if not pairs else ~_PAIRS if not sets else []] = 0
        if times[Fan.ALL_PUNGS]:
            ways[_RUNS] = 0
        missing = np.flatnonzero(wanted > hand)
        if len(missing):
            ways[(missing[0] != _PART_KINDS).all(axis=1)] = 0
        if not ways.any():
            return None
        part = int(random.choice(len(ways), p=ways / ways.sum()))
        np.add.at(hand, _PART_KINDS[part], _COUNTS[part])
        pairs, sets = (pairs - 1, sets) if _PAIRS[part] else (pairs, sets - 1)
    return hand if (hand >= wanted).all() else None

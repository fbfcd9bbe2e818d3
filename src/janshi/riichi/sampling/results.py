"""Results of played hands for one seat: winning tile, yaku, tenpai, seats dealt in to."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.rules import Rules
from janshi.riichi.rules.yaku import DORA, RED_FIVES, URA_DORA
from janshi.riichi.state import Ending
from janshi.rollout.sampling import SeatOutcomes
from janshi.tiles import kinds_of

#: Names of the yaku and of other han, by their numbers.
SOURCES: Final = tuple(yaku.name for yaku in YAKU)
_CLOSED: Final = np.array([yaku.closed for yaku in YAKU], np.int8)
_OPEN: Final = np.array([yaku.open for yaku in YAKU], np.int8)
#: Numbers of han that are no yaku, by the field of `janshi.riichi.state.Value` that counts them.
_EXTRA: Final = {"dora": DORA, "ura": URA_DORA, "red": RED_FIVES}


def seat_results(rules: Rules, states: NDArray[Any], seat: int) -> SeatOutcomes:
    """Return a seat's results of hands that are over: see `janshi.rollout.sampling.Sampling.results`."""
    tile = np.full(len(states), -1, np.int8)
    han = np.zeros((len(states), len(YAKU)), np.int8)
    dealt_to = np.zeros((len(states), rules.players), np.bool_)
    for number in range(int(states["winners"].max(initial=0))):
        wins = states["wins"][:, number]
        counts = states["winners"] > number
        own = np.flatnonzero(counts & (wins["seat"] == seat))
        tile[own] = kinds_of(wins["tile"][own])
        han[own] = han_by_source(wins["value"][own], states["seats"]["opened"][own, seat] == 0)
        lost = np.flatnonzero(counts & (states["ended"] == Ending.RON) & (wins["discarder"] == seat))
        dealt_to[lost, wins["seat"][lost]] = True
    exhausted = np.isin(states["ended"], (Ending.EXHAUSTIVE, Ending.NAGASHI_MANGAN))
    return SeatOutcomes(exhausted & (states["hands"]["waits"][:, seat] != 0), tile, han, dealt_to)


def han_by_source(values: NDArray[Any], closed: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return the han of hands (n, `SOURCES`) from their `janshi.riichi.state.Value` records (n)."""
    there = (values["yaku"][:, None] >> np.arange(len(YAKU))) & 1
    han = (there * np.where(closed[:, None], _CLOSED, _OPEN)).astype(np.int8)
    for name, number in _EXTRA.items():
        han[:, number] = values[name]
    return han

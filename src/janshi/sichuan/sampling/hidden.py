"""Sampling what a seat of Sichuan mahjong may not see: the others' concealed tiles and the wall.

A sampled hand agrees with what its seat has shown: it has no tiles of the void suit once it has discarded another suit,
and it still holds the tiles that the deciding seat gave it and that have not left it since. The unseen tiles are walked
by swaps, weighted by the class of each hand, so that hands are as near to ready as those of the shipped player
(``progress.json``, by ``research/count_sichuan_progress.py``); those of a class are equally likely. The hands of
winners have no weights, as they no longer influence the game; at a table (`sampled_table`) they are complete and have
the value shown. For decisions about the exchange and the void suit see `janshi.sichuan.sampling.before_play`.

>>> from janshi.rollout.playouts import playouts
>>> table = Table("sichuan", seed=3)
>>> while table.state.phase != Phase.TURN:
...     table.act(table.legal[0])
>>> result = playouts(table, options=table.legal[:2], players="efficient", samples=64)
>>> result.samples, len(result.options)
(64, 2)
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, row, zeros
from janshi.core.shanten_tables import shanten_tables
from janshi.rollout.sampling import Belief, Sample, Sampling, SamplingError, hand_and_wall
from janshi.sichuan.play.wall import DEALT
from janshi.sichuan.rules import Rules
from janshi.sichuan.sampling.before_play import WholeHands
from janshi.sichuan.sampling.dealing import (
    CHAINS,
    ROUNDS,
    HandCounts,
    HiddenTable,
    OtherSeat,
    SampleNumbers,
    prepare_hidden,
    read_hidden,
    sample_hidden,
)
from janshi.sichuan.sampling.history import SeenHand
from janshi.sichuan.sampling.winners import winning_hand
from janshi.sichuan.state import KINDS, Phase, State
from janshi.table import DecisionBatch, Table

#: File of the numbers of hands of the shipped player by calls, discards and class.
PROGRESS: Final = Path(__file__).parent / "progress.json"
#: Attempts to find a hand that leads to a decision, and sampled tables of each.
_TRIES: Final = 200
_TABLES: Final = 4
#: Rounds of proportional fitting, and the least number of tiles that it counts with.
_FITTINGS: Final = 20
_LEAST: Final = 0.05


@lru_cache(maxsize=1)
def hand_counts() -> Batch[HandCounts]:
    """Return the numbers of the shipped player's hands (1)."""
    made = zeros(HandCounts, 1)
    row(made).counts[:] = np.ravel(json.loads(PROGRESS.read_text())["counts"])
    return made


def _draw_winning_hands(hidden: HiddenTable, rules: Rules, random: np.random.Generator) -> None:
    """Let the other seats that have won hold complete hands for certain."""
    view: Any = hidden.public
    wins = {int(win["seat"]): win for win in view["wins"][: int(view["winners"])]}
    others = [hidden.others[number] for number in range(3)]
    for number, other in enumerate(others):
        if other.won:
            win = wins[int(other.seat)]
            claimed = np.arange(KINDS) == (int(win["tile"]) if win["discarder"] >= 0 else -1)
            left = hidden.left - sum(each.kept.astype(np.int64) for each in others)
            free, held = left + other.kept + claimed, other.kept.astype(np.int64) + claimed
            odds = _odds(left, others, number, int(view["left"]))
            seat = view["seats"][other.seat]
            other.kept[:] = winning_hand(rules, seat, win, int(other.void), free, held, odds, random) - claimed


def _odds(left: NDArray[np.int64], others: list[OtherSeat], number: int, wall: int) -> NDArray[np.float64]:
    """Return the odds that a tile left of each suit is held by one of the others (3).

    Suits are shared out by iterative proportional fitting among the seats that may hold them and the wall.
    """
    suits = left.reshape(3, 9).sum(axis=1)
    sizes = np.array([*(other.tiles - int(other.kept.sum()) for other in others), wall])
    shares = np.ones((3, len(sizes)))
    for place, other in enumerate(others):
        if other.barred >= 0:
            shares[other.barred, place] = 0
    for _ in range(_FITTINGS):
        shares *= sizes / np.maximum(shares.sum(axis=0), _LEAST)
        shares *= (suits / np.maximum(shares.sum(axis=1), _LEAST))[:, None]
    mine = shares[:, number]
    odds: NDArray[np.float64] = np.maximum(mine, _LEAST) / np.maximum(suits - mine, _LEAST)
    return odds


# ---------------------------------------------------------------------------------------------------------
# Sampling


class HiddenHands:
    """The tiles hidden from the seat that decides: see `janshi.rollout.sampling.TileSampler`.

    ``winners``: draw complete hands for the seats that have won; all samples have the same. Raises `SamplingError`.
    """

    def __init__(self, batch: DecisionBatch, winners: np.random.Generator | None = None) -> None:
        views: Any = np.asarray(batch.views)[:1].copy()
        events: Any = np.asarray(batch.events)[:1].copy()
        self._hidden = zeros(HiddenTable, 1)
        read_hidden(views, events, self._hidden)
        record = row(self._hidden)
        if winners is not None:
            _draw_winning_hands(record, batch.rules, winners)
        seeds = np.random.default_rng(0).integers(1 << 62, size=CHAINS * len(ROUNDS))
        found = prepare_hidden(shanten_tables(), hand_counts(), self._hidden, seeds)
        if found < 0:
            raise SamplingError("the view and the log of the hand contradict each other")
        if not found:
            raise SamplingError("no hands fit what was seen")
        self.others = [record.others[number] for number in range(3)]
        self._wall = int(views["left"][0])

    def sample(self, count: int, random: np.random.Generator, belief: Belief | None = None) -> Sample:
        """Return tables: see `janshi.rollout.sampling.TileSampler.sample`. Raises `SamplingError` for a ``belief``."""
        if belief is not None:
            raise SamplingError("samples of Sichuan mahjong cannot be weighted by a player's actions")
        numbers, states = zeros(SampleNumbers, count), zeros(State, count)
        drawn: Any = numbers
        drawn["chain"] = random.integers(CHAINS, size=count)
        drawn["walk"] = random.integers(1 << 62, size=count)
        order = np.tile(np.arange(self._wall, dtype=np.int8), (count, 1))
        drawn["order"][:, : self._wall] = random.permuted(order, axis=1)
        drawn["seed"] = random.integers(1 << 62, size=count)
        chances = drawn["chances"].reshape(count, 3, KINDS)
        for number, other in enumerate(self.others):
            if other.void < 0:
                chances[:, number] = random.random((count, KINDS))
        sample_hidden(states, shanten_tables(), self._hidden, numbers)
        return Sample(np.asarray(states), count, {int(other.seat): float(count) for other in self.others})


def hidden_tiles(batch: DecisionBatch) -> WholeHands | HiddenHands:
    """Return the tiles hidden at a decision, before play or in it."""
    return WholeHands(batch) if _is_before_play(batch) else HiddenHands(batch)


def _is_before_play(batch: DecisionBatch) -> bool:
    return int(np.asarray(batch.views)["phase"][0]) < Phase.TURN


def sampled_table(batch: DecisionBatch, random: np.random.Generator) -> NDArray[Any]:
    """Return a table (1) with a hand that leads to the decision: see `janshi.rollout.sampling.Sampling.table`."""
    if _is_before_play(batch):
        return WholeHands(batch).sample(1, random).states
    view, logs = (np.asarray(records)[0] for records in (batch.views, batch.events))
    history = SeenHand(batch.rules, view, logs["rows"].reshape(-1, 4)[: int(logs["count"])])
    hidden = HiddenHands(batch)
    for _ in range(_TRIES):
        with suppress(SamplingError):
            if view["winners"]:
                hidden = HiddenHands(batch, random)
            for state in hidden.sample(_TABLES, random).states:
                with suppress(SamplingError):
                    return history.begun(state, random)
    raise SamplingError("no hand was found that leads to this decision")


def dealt_hand(rules: Any, tiles: str, seed: int) -> DecisionBatch:
    """Return the first decision, of the dealer: see `janshi.rollout.sampling.Sampling.dealt`."""
    held, wall = hand_and_wall(rules, tiles, DEALT + 1, seed)
    first = 3 * DEALT
    return Table(rules, seed, wall=[*held[:DEALT], *wall[:first], held[DEALT], *wall[first:]]).decision()


#: Sichuan's facet ``"sampling"``.
SAMPLING: Final = Sampling(hidden=hidden_tiles, table=sampled_table, dealt=dealt_hand)

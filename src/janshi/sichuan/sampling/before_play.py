"""Sampling of whole hands for the decisions before play: the exchange, the void suit, and the tile laid face down.

The seat's own tiles are those that it has seen, all others are dealt at random. The hand is then begun from its wall
and played to the decision: the seat chooses as it did, the others as `janshi.sichuan.agents.EfficientAgent`. The giver
of the tiles that the seat has received holds them and gives them away. Of many hands those are kept in which the agent
would give these tiles, or as many of them as possible, so that the giver's other tiles fit the gift.

>>> from janshi.table import Table
>>> decision = Table("sichuan-exchange", seed=3).decision()
>>> sample = WholeHands(decision).sample(2, np.random.default_rng(1))
>>> sample.states["actor"].tolist(), sample.states["hands"]["counts"].sum(axis=2).tolist()
([0, 0], [[14, 13, 13, 13], [14, 13, 13, 13]])
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, batched
from janshi.rollout.sampling import Belief, Sample, SamplingError
from janshi.sichuan.agents.efficient import EfficientAgent
from janshi.sichuan.play.steps import begin_hand
from janshi.sichuan.play.wall import DEALT
from janshi.sichuan.state import KINDS, TILES, Phase, State
from janshi.table import DecisionBatch, Tables, new_states

#: Hands drawn for each one kept where the seat has received tiles, and at least.
_PROPOSALS: Final = 16
_LEAST: Final = 2048

begin_hands = batched(begin_hand)


class WholeHands:
    """The tiles hidden from a seat that decides before play: see `janshi.rollout.sampling.TileSampler`."""

    def __init__(self, batch: DecisionBatch) -> None:
        self._rules = batch.rules
        self._view: Any = np.asarray(batch.views)[0]
        self._seat = int(self._view["seat"])
        hand = self._view["hand"]
        self._given = int((hand["given"] >= 0).sum())
        self._received: NDArray[np.int64] = hand["received"][hand["received"] >= 0].astype(np.int64)
        self._giver = (self._seat - int(self._view["direction"])) % 4 if len(self._received) else -1
        own = hand["counts"].astype(np.int64)
        np.add.at(own, hand["given"][: self._given], 1)
        np.subtract.at(own, self._received, 1)
        left = 4 - own
        np.subtract.at(left, self._received, 1)
        if (own < 0).any() or (left < 0).any() or own.sum() != len(self._places(self._seat)):
            raise SamplingError("the view of the hand contradicts itself")
        self._own = np.repeat(np.arange(KINDS), own)
        self._left = np.repeat(np.arange(KINDS), left)
        self._agent = EfficientAgent()

    def sample(self, count: int, random: np.random.Generator, belief: Belief | None = None) -> Sample:
        """Return tables: see `janshi.rollout.sampling.TileSampler.sample`. Raises `SamplingError` for a ``belief``."""
        if belief is not None:
            raise SamplingError("samples of Sichuan mahjong cannot be weighted by a player's actions")
        proposals = max(_PROPOSALS * count, _LEAST) if self._giver >= 0 else count
        states, given = self._played(self._begun(proposals, random))
        kept = np.argsort(-given, kind="stable")[:count]
        others = [seat for seat in range(4) if seat != self._seat]
        return Sample(states[kept], count, {seat: float(count) for seat in others})

    def _places(self, seat: int) -> list[int]:
        """Return the slots of the wall that are dealt to a seat."""
        step = (seat - int(self._view["dealer"])) % 4
        return [*range(DEALT * step, DEALT * (step + 1)), *([] if step else [4 * DEALT])]

    def _begun(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        """Return tables (count) at the beginning of the hand, with the tiles that the seat has not seen at random."""
        view = self._view
        states = np.asarray(new_states(self._rules, count))
        for name in view.dtype.names:
            if name in cast("Any", states.dtype.names):
                states[name] = view[name]
        # A record's table knows the throw of the dice from the beginning.
        states["rules"]["exchange"] = view["direction"] if len(self._received) else int(self._rules.exchange)
        states["seed"] = random.integers(1 << 62, size=count)
        walls = np.full((count, TILES), -1, np.int8)
        walls[:, self._places(self._seat)] = self._shuffled(self._own, count, random)
        if self._giver >= 0:
            places = self._shuffled(np.array(self._places(self._giver)), count, random)[:, : len(self._received)]
            np.put_along_axis(walls, places, self._received.astype(np.int8)[None], axis=1)
        walls[walls < 0] = self._shuffled(self._left, count, random).ravel()
        states["wall"] = walls
        begin_hands(cast("Batch[State]", states))
        return states

    @staticmethod
    def _shuffled(values: NDArray[np.int64], count: int, random: np.random.Generator) -> NDArray[np.int64]:
        """Return values in ``count`` random orders (count, values)."""
        return random.permuted(np.tile(values, (count, 1)), axis=1)

    def _played(self, states: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Play tables to the decision; return them, and how many of the received tiles the agent would give (n)."""
        tables = Tables(self._rules, len(states), auto_reset=False)
        records: NDArray[Any] = np.asarray(tables.states)
        records[:] = states
        agreeing = np.zeros(len(states), np.int64)
        while len(which := np.flatnonzero(~self._is_decided(records))):
            batch = tables.decisions(which)
            actions = np.asarray(self._agent.act(batch)).astype(np.int64)
            given = (records["hands"]["given"][which, batch.seats] >= 0).sum(axis=1)
            own = np.flatnonzero(batch.seats == self._seat)
            actions[own] = self._view["hand"]["given"][given[own]]
            if self._giver >= 0:
                gives = np.flatnonzero((batch.seats == self._giver) & (records["phase"][which] == Phase.EXCHANGE))
                left = np.where(np.arange(3) >= given[gives, None], self._received, -1)
                agreeing[which[gives]] += (left == actions[gives, None]).any(axis=1)
                actions[gives] = self._received[given[gives]]
            tables.step_some(which, actions)
        records["rules"]["exchange"] = int(self._rules.exchange)
        return records, agreeing

    def _is_decided(self, records: NDArray[Any]) -> NDArray[np.bool_]:
        """Return the tables that have come to the decision (n)."""
        given = (records["hands"]["given"][:, self._seat] >= 0).sum(axis=1)
        now: NDArray[np.bool_] = (
            (records["actor"] == self._seat) & (records["phase"] == self._view["phase"]) & (given == self._given)
        )
        return now

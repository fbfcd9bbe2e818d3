"""Sampling the tiles that a seat has not seen.

First the unseen tiles are laid evenly: every way that fits all that was seen is as likely as the other. In riichi a
seat is tenpai and does not wait for a tile that it has let pass since; such hands are drawn evenly
(`janshi.riichi.sampling.tenpai`), and as many of each class of waits are kept as people have. Of several seats in
riichi each in turn is drawn again beside the others' (Gibbs sampling), as they must not hold the same tiles. The other
seats' hands are then walked until they are as close to winning as people's (`janshi.riichi.sampling.walking`). All this
is compiled (`janshi.riichi.sampling.dealing`), for the npm package too.

With weights (`janshi.rollout.sampling.Belief`) hands are sampled so for each seat, with the order in which their tiles
were drawn, and weighted by a player's probability of the seat's last actions, relative to hands of the same class. A
player's actions depend on its own tiles and on public information, so that the weights of the seats multiply: hands of
all seats are drawn by their weights until they hold no tile twice (sampling importance resampling, seat by seat).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import preferences_of
from janshi.compiling import zeros
from janshi.core.shanten_tables import shanten_tables
from janshi.riichi.actions import Action
from janshi.riichi.positions import dealt_hand
from janshi.riichi.sampling.dealing import Hidden, deal_hidden, prepare_hidden, sample_hidden
from janshi.riichi.sampling.following import Followed, follow_logs, logged_actions
from janshi.riichi.sampling.progress import hand_classes, people
from janshi.riichi.sampling.tenpai import TenpaiHands
from janshi.riichi.state import Event, State
from janshi.rollout.sampling import Belief, Sample, Sampling, SamplingError
from janshi.table import DecisionBatch, Tables
from janshi.tiles import TILES

#: Rounds of combinations after which hands are drawn together.
_ROUNDS: Final = 200
#: Combinations of hands that are tried at once.
_TRIES: Final = 1 << 15
#: Part of a player's decisions that weights take for slips, any legal action as likely as the other.
_SLIPS: Final = 0.05
#: Events that seats decide, and those of them that call a discard.
_ACTIONS: Final = (
    Event.DISCARD,
    Event.CHII,
    Event.PON,
    Event.DAIMINKAN,
    Event.ANKAN,
    Event.KAKAN,
    Event.KITA,
    Event.RIICHI,
)
_CALLS: Final = (Event.CHII, Event.PON, Event.DAIMINKAN)


class HiddenTiles:
    """The tiles hidden from the seat that decides: see `janshi.rollout.sampling.TileSampler`.

    ``evenly``: leave the hands of seats not in riichi as far from tenpai as even samples are. Raises `SamplingError` if
    no sample fits.
    """

    def __init__(self, batch: DecisionBatch, *, evenly: bool = False) -> None:
        self.rules, self.seat = batch.rules, int(batch.seats[0])
        self._events: NDArray[Any] = np.asarray(batch.events)[:1].copy()
        self._tenpai, self._hidden, self._evenly = zeros(TenpaiHands, 1), zeros(Hidden, 1), evenly
        self._views: NDArray[Any] = np.asarray(batch.views)[:1].copy()
        views: Any = self._views
        events: Any = self._events
        counts, labels = people(self.rules.players), np.zeros((1, 136), np.int16)
        if not prepare_hidden(shanten_tables(), views, events, counts, self._tenpai, self._hidden, labels, evenly):
            raise self._error()
        seen: Any = np.asarray(self._hidden)[0]["seen"]
        self.others = [(self.seat + step) % self.rules.players for step in range(1, self.rules.players)]
        #: The tiles that were not seen, and the slots of each other seat and of those that nobody has.
        self.unseen: NDArray[np.int8] = seen["unseen"][: int(seen["count"])]
        self._slots = {seat: seen["known"][seat]["slots"][: int(seen["known"][seat]["count"])] for seat in self.others}
        self._places = seen["places"][: int(seen["places_count"])]

    def _error(self) -> SamplingError:
        return SamplingError(f"no tiles of the others were found that fit what seat {self.seat} has seen")

    def sample(self, count: int, random: np.random.Generator, belief: Belief | None = None) -> Sample:
        """Return tables: see `janshi.rollout.sampling.TileSampler.sample`."""
        wanted = count if belief is None else count * belief.proposals
        states, labels = self.sample_by(random.integers(1 << 62, size=wanted))
        if belief is None:
            return Sample(states, count, {seat: float(count) for seat in self.others})
        weights = self._weights(labels, states, belief)
        tables = self._dealt(self._recombined(labels, weights, count, random), random.integers(1 << 62, size=count))
        if (self._follow(tables, int(self._events["count"][0])) != Followed.TO_ITS_END).any():
            raise RuntimeError("hands that were put together do not fit what was seen")
        effective = {
            seat: float(np.square(weight.sum()) / np.square(weight).sum())
            for seat, weight in zip(self.others, weights, strict=True)
        }
        return Sample(np.asarray(tables.states), wanted, effective)

    def sample_by(self, seeds: NDArray[np.int64]) -> tuple[NDArray[Any], NDArray[np.int16]]:
        """Return a table for each seed (n), and the labels of its slots (n, 136). Raises `SamplingError`."""
        states, labels = zeros(State, len(seeds)), np.zeros((len(seeds), 136), np.int16)
        if sample_hidden(states, shanten_tables(), self._tenpai, self._hidden, labels, seeds) < len(seeds):
            raise self._error()
        return np.asarray(states), labels

    def _dealt(self, labels: NDArray[np.int16], seeds: NDArray[np.int64]) -> Tables:
        """Return tables dealt from walls with the tiles of labels (n, 136), at the hand's first decision."""
        tables = Tables(self.rules, len(labels), auto_reset=False)
        deal_hidden(tables.states, shanten_tables(), self._hidden, labels, seeds)
        return tables

    def _follow(self, tables: Tables, until: int, which: NDArray[np.int64] | None = None) -> NDArray[np.int8]:
        """Let tables follow the log, to another seat's decision from row ``until`` on or to its end: see `follow`."""
        logs = self._logs(len(tables) if which is None else len(which))
        followed: NDArray[np.int8] = follow_logs(tables.states, logs, self.seat, until, which=which)
        return followed

    def _logs(self, count: int) -> NDArray[Any]:
        return np.repeat(self._events, count)

    # -----------------------------------------------------------------------------------------------------
    # By weights

    def _weights(
        self, labels: NDArray[np.int16], sampled: NDArray[Any], belief: Belief
    ) -> list[NDArray[np.float64]]:
        """Return the weight of each other seat's sampled hands (n): the likelihood of the seat's actions.

        ``sampled``: the tables of these labels (n, 136) at the decision.
        """
        tables = self._dealt(labels, np.asarray(sampled["seed"]).copy())
        log = self._events["rows"][0].reshape(-1, 4)[: int(self._events["count"][0])]
        first = _first_rows(log, self.rules.players, belief.decisions)
        weights = np.zeros((self.rules.players, len(tables)))
        until = int(min(first[seat] for seat in self.others))
        which = np.flatnonzero(self._follow(tables, until) == Followed.ASKS_ANOTHER)
        while len(which):
            actions = np.asarray(logged_actions(tables.states, self._logs(len(which)), which=which))
            states = np.asarray(tables.states)
            batch = tables.decisions(which)
            rows = np.asarray(states["logged"][which])
            # A seat that passes where another one calls may have called too.
            counts = (rows >= first[batch.seats]) & ~((actions == Action.PASS) & _calls_next(log)[rows])
            weighed = np.flatnonzero(counts)
            if len(weighed):
                part = batch.part(weighed)
                shares = preferences_of(belief.player, part)[np.arange(len(weighed)), actions[weighed]]
                evenly = 1 / part.legal.sum(axis=1)
                weights[part.seats, part.tables] += np.log((1 - _SLIPS) * shares + _SLIPS * evenly)
            tables.step_some(which, actions)
            which = which[self._follow(tables, until, which) == Followed.ASKS_ANOTHER]
        own = weights[self.others]
        own = np.exp(own - own.max(axis=1, keepdims=True))
        if not self._evenly:
            for number, seat in enumerate(self.others):
                own[number] /= self._mean_of_class(own[number], sampled, seat)
        return list(own)

    def _mean_of_class(self, weights: NDArray[np.float64], states: NDArray[Any], seat: int) -> NDArray[np.float64]:
        """Return for each hand of a seat (n) the mean weight of the hands of its class.

        Weights over it leave the shares of the classes as they are: they are people's already.
        """
        if self._views["seats"]["accepted"][0, seat]:
            return np.ones(len(weights))
        given: Any = states
        classes = np.asarray(hand_classes(given, np.full(len(states), seat, np.int64)))
        sums, there = np.bincount(classes, weights), np.bincount(classes)
        means: NDArray[np.float64] = (sums / np.maximum(there, 1))[classes]
        return means

    def _recombined(
        self,
        labels: NDArray[np.int16],
        weights: list[NDArray[np.float64]],
        count: int,
        random: np.random.Generator,
    ) -> NDArray[np.int16]:
        """Draw the labels (count, 136) of sets of the seats' hands by their weights, until no tile is held twice."""
        masks = [self._masks(labels[:, self._slots[seat]]) for seat in self.others]
        chosen: list[NDArray[np.int64]] = []
        found = 0
        for _ in range(_ROUNDS):
            picks: list[NDArray[np.int64]] = []
            taken = np.zeros((_TRIES, 2), np.uint64)
            for mask, weight in zip(masks, weights, strict=True):
                drawn = random.choice(len(weight), len(taken), p=weight / weight.sum())
                fits = np.flatnonzero(~(taken & mask[drawn]).any(axis=1))
                picks = [pick[fits] for pick in picks] + [drawn[fits]]
                taken = taken[fits] | mask[drawn[fits]]
            chosen.append(np.stack(picks))
            found += len(taken)
            if found >= count:
                break
        rows = np.concatenate(chosen, axis=1)[:, :count]
        if found < count:
            # Weights that few hands share: draw hands that were sampled together by the product of their weights.
            product = np.prod(weights, axis=0)
            joint = random.choice(len(product), count - found, p=product / product.sum())
            rows = np.concatenate([rows, np.broadcast_to(joint, (len(rows), len(joint)))], axis=1)
        made = np.full((count, 136), -1, np.int16)
        used = np.zeros((count, len(self.unseen) + TILES), np.bool_)
        for seat, row in zip(self.others, rows, strict=True):
            contents = labels[row][:, self._slots[seat]]
            made[:, self._slots[seat]] = contents
            np.put_along_axis(used, contents.astype(np.int64), True, axis=1)
        keys = random.random((count, len(self.unseen))) + used[:, : len(self.unseen)]
        made[:, self._places] = np.argsort(keys, axis=1)[:, : len(self._places)]
        return made

    def _masks(self, contents: NDArray[np.int16]) -> NDArray[np.uint64]:
        """The unseen tiles that hands hold (n, slots), as 128 bits (n, 2)."""
        labels = contents.astype(np.uint64)
        bits = np.where(contents < len(self.unseen), np.uint64(1) << labels % 64, np.uint64(0))
        halves = [np.bitwise_or.reduce(np.where(labels // 64 == half, bits, 0), axis=1) for half in (0, 1)]
        return np.stack(halves, axis=1).astype(np.uint64)


def _first_rows(log: NDArray[np.int8], players: int, decisions: int) -> NDArray[np.int64]:
    """For each seat the row of a log before which all but its last ``decisions`` actions lie (players)."""
    first = np.zeros(players, np.int64)
    for seat in range(players):
        rows = np.flatnonzero((log[:, 1] == seat) & np.isin(log[:, 0], _ACTIONS))
        if len(rows) >= decisions:
            first[seat] = rows[-decisions] if decisions else len(log)
    return first


def _calls_next(log: NDArray[np.int8]) -> NDArray[np.bool_]:
    """For each row of a log and its end (n + 1), whether a call of a discard follows."""
    calls = np.zeros(len(log) + 1, np.bool_)
    for row in range(len(log) - 1, -1, -1):
        event = log[row, 0]
        calls[row] = calls[row + 1] if event in (Event.ACCEPTED, Event.DORA) else event in _CALLS
    return calls


def _sampled_table(batch: DecisionBatch, random: np.random.Generator) -> NDArray[Any]:
    """Return one sampled table (1), which has followed the log."""
    return HiddenTiles(batch).sample(1, random).states


#: The facet ``"sampling"`` of Riichi.
SAMPLING: Final = Sampling(hidden=HiddenTiles, table=_sampled_table, dealt=dealt_hand)

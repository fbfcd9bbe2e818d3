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
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int8, Int8s, Int64, Record, Rows, batched, leaf, rule, zeros
from janshi.core.random import Stream, below, philox
from janshi.core.shanten_tables import ShantenTables
from janshi.rollout.sampling import Belief, Sample, Sampling, SamplingError, SeatOutcomes, hand_and_wall
from janshi.sichuan.hands.concealed import give, holds_void, take, void_shanten
from janshi.sichuan.play.moves import offer_tile, refresh_waits
from janshi.sichuan.play.steps import clear_hand, run
from janshi.sichuan.play.wall import DEALT
from janshi.sichuan.rules import Exchange, Rules
from janshi.sichuan.sampling.before_play import WholeHands
from janshi.sichuan.sampling.history import LAID, SeenHand, first_fit
from janshi.sichuan.sampling.winners import winning_hand
from janshi.sichuan.state import KINDS, TILES, Event, Fan, Hand, Phase, Ready, State
from janshi.table import DecisionBatch, Table, new_states

#: Walks by which the weights of the classes are found, their steps in turn, and the steps before a sample.
CHAINS: Final = 64
ROUNDS: Final = (300, 300, 300, 300, 1000)
STEPS: Final = 500
#: Classes of a hand: shanten 0, 1, 2, and more.
CLASSES: Final = 4
#: Number of discards from which on a hand counts as one of the last.
LAST_DISCARDS: Final = 20
#: Names of the sources of fan.
SOURCES: Final = tuple(fan.name.lower() for fan in Fan)
#: File of the numbers of hands of the shipped player by calls, discards and class.
PROGRESS: Final = Path(__file__).parent / "progress.json"
#: Attempts to find a hand that leads to a decision, and sampled tables of each.
_TRIES: Final = 200
_TABLES: Final = 4
#: Rounds of proportional fitting, and the least number of tiles that it counts with.
_FITTINGS: Final = 20
_LEAST: Final = 0.05


# ---------------------------------------------------------------------------------------------------------
# Rules


class Walk(Record):
    """A walk of the hidden tiles of one table among the holders 0 to 2, the other seats, and 3, the wall."""

    hands: Annotated[Rows[Hand], 3]
    """Concealed tiles of each other seat; before the walk those that it holds for certain."""
    tiles: Annotated[NDArray[np.int8], TILES]  # the other hidden tiles
    barred: Annotated[NDArray[np.int8], 4]  # suit of which each holder has no tile, −1: none
    calls: Annotated[NDArray[np.int8], 3]  # melds of each other seat
    weights: Annotated[NDArray[np.float64], 3 * CLASSES]  # of the classes of each hand
    visits: Annotated[NDArray[np.int64], 3 * CLASSES]  # steps that each hand was in each class
    classes: Annotated[NDArray[np.int8], 3]


@leaf
def class_of(tables: ShantenTables, hand: Hand, calls: int) -> int:
    """Return the class of a hand: its shanten up to `CLASSES` − 1, which is also that of hands with void tiles."""
    if holds_void(hand):
        return CLASSES - 1
    return min(max(void_shanten(tables, hand.concealed, 4 - calls), 0), CLASSES - 1)


@rule
def hand_class(counts: Int8s, tables: ShantenTables, walk: Walk, void: Int8, calls: Int8) -> Int8:
    """Return the class of concealed tiles (27); ``walk`` is scratch memory."""
    clear_hand(walk.hands[0])
    walk.hands[0].void = void
    for kind in range(KINDS):
        for _ in range(int(counts[kind])):
            take(walk.hands[0], kind)
    return class_of(tables, walk.hands[0], calls)


@rule
def replace_tile(tables: ShantenTables, walk: Walk, holder: int, gone: int, come: int) -> float:
    """Replace a tile of a holder; return the weight of its hand's class after over that before."""
    if holder > 2:
        return 1.0
    give(walk.hands[holder], gone)
    take(walk.hands[holder], come)
    before = int(walk.classes[holder])
    after = class_of(tables, walk.hands[holder], int(walk.calls[holder]))
    walk.classes[holder] = after
    ratio: float = walk.weights[CLASSES * holder + after] / walk.weights[CLASSES * holder + before]
    return ratio


@leaf
def restore(walk: Walk, holder: int, gone: int, come: int, before: int) -> None:
    """Undo `replace_tile`; ``before``: the class before."""
    if holder <= 2:
        give(walk.hands[holder], come)
        take(walk.hands[holder], gone)
        walk.classes[holder] = before


@rule
def keep_tiles(walk: Walk, kept: Int8s) -> None:
    """Give each other seat the tiles that it holds for certain (3 × 27)."""
    for holder in range(3):
        for kind in range(KINDS):
            for _ in range(int(kept[KINDS * holder + kind])):
                take(walk.hands[holder], kind)


@rule
def walk_tiles(walk: Walk, tables: ShantenTables, holders: Int8s, seed: Int64, steps: int) -> None:
    """Try ``steps`` swaps of hidden tiles between their ``holders`` (one for each tile), in place (Metropolis)."""
    for place in range(len(holders)):
        if holders[place] <= 2:
            take(walk.hands[int(holders[place])], int(walk.tiles[place]))
    for holder in range(3):
        walk.classes[holder] = class_of(tables, walk.hands[holder], int(walk.calls[holder]))
    for step in range(steps):
        here, there, chance, _ = philox(int(seed), Stream.PLAY, 0, step)
        one, two = below(here, len(holders)), below(there, len(holders))
        mine, other = int(holders[one]), int(holders[two])
        gone, come = int(walk.tiles[one]), int(walk.tiles[two])
        if mine != other and gone != come and come // 9 != walk.barred[mine] and gone // 9 != walk.barred[other]:
            before, others = int(walk.classes[min(mine, 2)]), int(walk.classes[min(other, 2)])
            ratio = replace_tile(tables, walk, mine, gone, come)
            ratio *= replace_tile(tables, walk, other, come, gone)
            if chance < ratio * 4294967296.0:
                holders[one], holders[two] = other, mine
            else:
                restore(walk, mine, gone, come, before)
                restore(walk, other, come, gone, others)
        for holder in range(3):
            walk.visits[CLASSES * holder + int(walk.classes[holder])] += 1


@rule
def begin_sampled(state: State, tables: ShantenTables, held: Int8s, seat: Int8) -> None:
    """Give the other seats their sampled tiles (4 × 27); in `Phase.CLAIM` ask all seats about the tile again."""
    for who in range(4):
        if who != seat:
            hand = state.hands[who]
            void, laid = int(hand.void), int(hand.laid)
            clear_hand(hand)
            for kind in range(KINDS):
                for _ in range(int(held[KINDS * who + kind])):
                    take(hand, kind)
            hand.void = void
            hand.laid = laid
            hand.shanten = 1
            refresh_waits(state, tables, who)
    if int(state.phase) == Phase.CLAIM:
        run(state, tables, int(offer_tile(state, int(state.tile), int(state.claimed))))


hand_classes = batched(hand_class)
keep_all_tiles = batched(keep_tiles)
walk_all = batched(walk_tiles)
begin_sampled_hands = batched(begin_sampled)


# ---------------------------------------------------------------------------------------------------------
# What the seat has seen


@lru_cache(maxsize=1)
def progress() -> NDArray[np.float64]:
    """Return the shares of the classes of hands without and with the exchange, by calls and number of discards.

    Shape (2, 5, `LAST_DISCARDS` + 1, `CLASSES`).
    """
    counts = np.array(json.loads(PROGRESS.read_text())["counts"], np.float64) + 0.5
    shares: NDArray[np.float64] = counts / counts.sum(axis=3, keepdims=True)
    return shares


@dataclass(frozen=True, slots=True, eq=False)
class _Other:
    """What is known of another seat."""

    seat: int
    tiles: int  # concealed tiles
    kept: NDArray[np.int64]  # (27): tiles that it holds for certain
    barred: int  # the suit of which it holds no tile, −1: none
    void: int  # its void suit, −1: unknown
    calls: int
    discards: int
    won: bool


def _others(view: Any, log: NDArray[Any]) -> list[_Other]:
    """Return what is known of the other seats, from a view and the log of the hand (n, 4)."""
    own = int(view["seat"])
    others = []
    for who in (seat for seat in range(4) if seat != own):
        seat = view["seats"][who]
        rows = log[log[:, 1] == who]
        discarded = rows[rows[:, 0] == Event.DISCARD, 2]
        kept = np.zeros(KINDS, np.int64)
        given = log[(log[:, 0] == Event.GIVE) & (log[:, 1] == own) & (log[:, 3] == who), 2]
        np.add.at(kept, given, 1)
        for event, count in LAID.items():
            np.subtract.at(kept, rows[rows[:, 0] == event, 2], count)
        kept = np.maximum(kept, 0)
        void = int(seat["void"])
        self_drawn = rows[(rows[:, 0] == Event.WIN) & (rows[:, 3] < 0), 2]
        kept[self_drawn] = np.maximum(kept[self_drawn], 1)
        others.append(
            _Other(
                seat=who,
                tiles=13 - 3 * int(seat["calls"]) + len(self_drawn),
                kept=kept,
                barred=void if void >= 0 and (discarded // 9 != void).any() else -1,
                void=void,
                calls=int(seat["calls"]),
                discards=int(seat["discards"]),
                won=int(seat["won"]) > 0,
            )
        )
    return others


def _with_winning_hands(
    others: list[_Other], view: Any, rules: Rules, random: np.random.Generator
) -> list[_Other]:
    """Return the other seats, of which those that have won hold complete hands."""
    wins = {int(win["seat"]): win for win in view["wins"][: int(view["winners"])]}
    found = list(others)
    for number, other in enumerate(others):
        if other.won:
            win = wins[other.seat]
            claimed = np.arange(KINDS) == (int(win["tile"]) if win["discarder"] >= 0 else -1)
            left = _unseen(view) - sum(each.kept for each in found)
            free, held = left + other.kept + claimed, other.kept + claimed
            odds = _odds(left, found, number, int(view["left"]))
            seat = view["seats"][other.seat]
            hand = winning_hand(rules, seat, win, other.void, free, held, odds, random)
            found[number] = replace(other, kept=hand - claimed)
    return found


def _odds(left: NDArray[np.int64], others: list[_Other], number: int, wall: int) -> NDArray[np.float64]:
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


def _unseen(view: Any) -> NDArray[np.int64]:
    """Return the tiles of each kind that the view does not show (27)."""
    kinds = np.arange(KINDS)
    hand = view["hand"]
    seen = hand["counts"].astype(np.int64)
    if int(hand["laid"]) >= 0:
        seen[int(hand["laid"])] += 1
    for seat in view["seats"]:
        seen += seat["discarded"].astype(np.int64)
        seen += 3 * (int(seat["pungs"]) >> kinds & 1) + 4 * (int(seat["kongs"]) >> kinds & 1)
    left: NDArray[np.int64] = 4 - seen
    return left


# ---------------------------------------------------------------------------------------------------------
# Sampling


class HiddenHands:
    """The tiles hidden from the seat that decides: see `janshi.rollout.sampling.TileSampler`.

    ``winners``: draw complete hands for the seats that have won; all samples have the same.
    """

    def __init__(self, batch: DecisionBatch, winners: np.random.Generator | None = None) -> None:
        self._rules = batch.rules
        self.view: Any = np.asarray(batch.views)[0]
        logs: Any = np.asarray(batch.events)[0]
        self.log: NDArray[Any] = logs["rows"].reshape(-1, 4)[: int(logs["count"])]
        self._others = _others(self.view, self.log)
        if winners is not None:
            self._others = _with_winning_hands(self._others, self.view, self._rules, winners)
        left = _unseen(self.view) - sum(other.kept for other in self._others)
        sizes = [*(other.tiles - int(other.kept.sum()) for other in self._others), int(self.view["left"])]
        if (left < 0).any() or int(left.sum()) != sum(sizes):
            raise SamplingError("the view and the log of the hand contradict each other")
        self._tiles = np.repeat(np.arange(KINDS), left)
        # Which holder may have which of the tiles: the other seats, then the wall.
        fits = np.ones((len(sizes), len(self._tiles)), np.bool_)
        for number, other in enumerate(self._others):
            if other.barred >= 0:
                fits[number] = self._tiles // 9 != other.barred
        self._first = first_fit(fits, sizes)
        self._walk = self._new_walk()
        self._found: NDArray[np.int8] | None = None

    def sample(self, count: int, random: np.random.Generator, belief: Belief | None = None) -> Sample:
        """Return tables: see `janshi.rollout.sampling.TileSampler.sample`. Raises `SamplingError` for a ``belief``."""
        if belief is not None:
            raise SamplingError("samples of Sichuan mahjong cannot be weighted by a player's actions")
        if self._found is None:
            self._found = self._find_weights()
        begun = self._found[random.integers(len(self._found), size=count)]
        holders, walks = self._walked(begun, STEPS, random)
        held = np.zeros((count, 4, KINDS), np.int8)
        for number, other in enumerate(self._others):
            held[:, other.seat] = walks["hands"]["counts"][:, number]
        walls = np.array([self._tiles[held_by == len(self._others)] for held_by in holders], np.int8)
        states = self._states(held, random.permuted(walls, axis=1), random)
        return Sample(states, count, {other.seat: float(count) for other in self._others})

    def _find_weights(self) -> NDArray[np.int8]:
        """Find the weights under which hands are as near to ready as the shipped player's; return the last holders.

        After each walk the weight of a class is multiplied by its share among that player's hands over its share among
        the visits.
        """
        random = np.random.default_rng(0)
        exchange = int(self._rules.exchange != Exchange.OFF)
        weights = self._walk["weights"][0].reshape(3, CLASSES)
        weights[:] = 1
        holders, _ = self._walked(np.repeat(self._first[None], CHAINS, axis=0), STEPS, random)
        for steps in ROUNDS:
            holders, walks = self._walked(holders, steps, random)
            visits = walks["visits"].sum(axis=0).reshape(3, CLASSES) + 1.0
            for number, other in enumerate(self._others):
                if not other.won:
                    wanted = progress()[exchange, other.calls, min(other.discards, LAST_DISCARDS)]
                    weights[number] *= wanted / (visits[number] / visits[number].sum())
        return holders

    def _walked(
        self, holders: NDArray[np.int8], steps: int, random: np.random.Generator
    ) -> tuple[NDArray[np.int8], NDArray[Any]]:
        """Return the holders of the hidden tiles after a walk (n, tiles), and the walks (n)."""
        walks, walked = self._walk[np.zeros(len(holders), np.int64)], holders.copy()
        walk_all(cast("Batch[Walk]", walks), walked, random.integers(1 << 62, size=len(holders)), steps)
        return walked, walks

    def _new_walk(self) -> NDArray[Any]:
        """Return the walk (1) before the hidden tiles are dealt out."""
        walk: NDArray[Any] = np.asarray(zeros(Walk, 1))
        walk["tiles"][0, : len(self._tiles)] = self._tiles
        walk["barred"] = -1
        walk["hands"]["void"] = -1
        for number, other in enumerate(self._others):
            walk["barred"][0, number] = other.barred
            walk["calls"][0, number] = other.calls
            walk["hands"]["void"][0, number] = other.void
        kept = np.array([[other.kept for other in self._others]], np.int8)
        keep_all_tiles(cast("Batch[Walk]", walk), kept.reshape(1, -1))
        return walk

    def _states(self, held: NDArray[np.int8], walls: NDArray[np.int8], random: np.random.Generator) -> NDArray[Any]:
        """Return tables with these hands and walls."""
        view, count, seat = self.view, len(held), int(self.view["seat"])
        states = np.asarray(new_states(self._rules, count))
        for name in view.dtype.names:
            if name in cast("Any", states.dtype.names):
                states[name] = view[name]
        states["next"] = TILES - walls.shape[1]
        states["wall"][:, TILES - walls.shape[1] :] = walls
        states["seed"] = random.integers(1 << 62, size=count)
        states["before"] = view["seats"]["points"] - _paid(self.log)
        states["log"][:, : self.log.size] = self.log.ravel()
        states["logged"] = len(self.log)
        states["last_kong"] = _last_kong(self.log)
        states["drawn"] = self._drawn_tile()
        for other in self._others:
            states["hands"]["laid"][:, other.seat] = -1
            states["hands"]["void"][:, other.seat] = other.void
            if other.void < 0:
                _lay_down(states, held, other.seat, random)
        states["hands"][:, seat] = view["hand"]
        tables = cast("Batch[State]", states)
        begin_sampled_hands(tables, held.reshape(count, -1), np.full(count, seat, np.int8))
        return states

    def _drawn_tile(self) -> int:
        """Return the tile just drawn by the seat to move; for an added kong the one added if it was drawn."""
        if int(self.view["phase"]) != Phase.CLAIM:
            return int(self.view["drawn"])
        event, _, tile, drawn = self.log[-1].tolist()
        return int(tile) if event == Event.ADDED_KONG and drawn else -1


def _fewest(hands: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the suit of which each hand has the fewest tiles (n)."""
    fewest: NDArray[np.int8] = hands.reshape(-1, 3, 9).sum(axis=2).argmin(axis=1).astype(np.int8)
    return fewest


def _lay_down(states: NDArray[Any], held: NDArray[np.int8], seat: int, random: np.random.Generator) -> None:
    """Void the suit of which a seat has the fewest tiles, and lay one of them face down, if there is one."""
    hands = held[:, seat]
    suits = _fewest(hands)
    states["hands"]["void"][:, seat] = suits
    of_suit = np.where(np.arange(KINDS)[None] // 9 == suits[:, None], hands, 0)
    kinds = (random.random(hands.shape) * (of_suit > 0)).argmax(axis=1)
    rows = np.flatnonzero(of_suit.any(axis=1))
    states["hands"]["laid"][rows, seat] = kinds[rows]
    hands[rows, kinds[rows]] -= 1


def _paid(log: NDArray[Any]) -> NDArray[np.int64]:
    """Return the change of every seat's points by the payments of a log."""
    change = np.zeros(4, np.int64)
    rows = log[log[:, 0] >= Event.WIN_PAY]
    np.subtract.at(change, rows[:, 1], rows[:, 3])
    np.add.at(change, rows[:, 2], rows[:, 3])
    return change


def _last_kong(log: NDArray[Any]) -> NDArray[np.int64]:
    """Return each seat's payment for the last kong."""
    paid = np.zeros(4, np.int64)
    kongs = np.flatnonzero(np.isin(log[:, 0], (Event.EXPOSED_KONG, Event.CONCEALED_KONG, Event.ADDED_KONG)))
    if len(kongs):
        rows = log[kongs[-1] :]
        rows = rows[rows[:, 0] == Event.KONG_PAY]
        paid[rows[:, 1]] = rows[:, 3]
    return paid


def _results(rules: Any, states: NDArray[Any], seat: int) -> SeatOutcomes:
    """Return a seat's results of hands that are over: see `janshi.rollout.sampling.Sampling.results`."""
    tile = np.full(len(states), -1, np.int8)
    fan = np.zeros((len(states), len(Fan)), np.int8)
    dealt_to = np.zeros((len(states), rules.players), np.bool_)
    each = np.array([getattr(rules, source.name.lower()) for source in Fan], np.int8)
    for number in range(int(states["winners"].max(initial=0))):
        wins = states["wins"][:, number]
        counts = states["winners"] > number
        own = np.flatnonzero(counts & (wins["seat"] == seat))
        tile[own] = wins["tile"][own]
        fan[own] = wins["value"]["times"][own] * each
        lost = np.flatnonzero(counts & (wins["discarder"] == seat))
        dealt_to[lost, wins["seat"][lost]] = True
    own_seat = states["seats"][:, seat]
    return SeatOutcomes((own_seat["ready"] == Ready.READY) & (own_seat["won"] == 0), tile, fan, dealt_to)


def hidden_tiles(batch: DecisionBatch) -> WholeHands | HiddenHands:
    """Return the tiles hidden at a decision, before play or in it."""
    return WholeHands(batch) if _is_before_play(batch) else HiddenHands(batch)


def _is_before_play(batch: DecisionBatch) -> bool:
    return int(np.asarray(batch.views)["phase"][0]) < Phase.TURN


def sampled_table(batch: DecisionBatch, random: np.random.Generator) -> NDArray[Any]:
    """Return a table (1) with a hand that leads to the decision: see `janshi.rollout.sampling.Sampling.table`."""
    if _is_before_play(batch):
        return WholeHands(batch).sample(1, random).states
    hidden = HiddenHands(batch)
    history = SeenHand(batch.rules, hidden.view, hidden.log)
    for _ in range(_TRIES):
        with suppress(SamplingError):
            if hidden.view["winners"]:
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
SAMPLING: Final = Sampling(
    hidden=hidden_tiles, table=sampled_table, sources=SOURCES, results=_results, dealt=dealt_hand
)

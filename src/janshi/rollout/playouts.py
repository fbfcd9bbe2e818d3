"""Playouts: estimates of the value of each option of a decision by playing on.

Hidden tiles are sampled (`janshi.rollout.sampling`), and for each sample and option the given players play the hand to
its end. The wall and the players' random words are the same for all options of a sample, so that much of the luck
cancels out of their differences (common random numbers).

>>> from janshi.table import Table
>>> result = playouts(Table("tenhou-sanma", seed=3).decision(), options=[37, 10], players="efficient", samples=128)
>>> result.samples, [option.action for option in result.options], result.decided
(128, [37, 10], False)
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents import agent
from janshi.agents.protocol import Agent, AgentError, Reviewer, check_seats, decide, preferences_of
from janshi.cluster import Workers, in_order, workers
from janshi.compiling import zeros
from janshi.core.game import Game
from janshi.core.rows import take_rows
from janshi.games import game_of
from janshi.rollout.driver import Driver, Seating
from janshi.rollout.ends import HandEnds, estimate_of, hand_ends
from janshi.rollout.sampling import Belief, Sampling, SamplingError, TileSampler
from janshi.say import say_of
from janshi.say.ends import HandEnd, OptionFigures, sum_up
from janshi.statistics import Estimate
from janshi.table import DecisionBatch, Table, Tables
from janshi.worth.placement import PlacementModel
from janshi.worth.scales import scale

__all__ = ["OptionResult", "PlayoutPlan", "Playouts", "each_playouts", "playouts", "playouts_in_turn"]

#: Samples in the first batch and in a batch at most; the results do not depend on the number of processes.
FIRST_SAMPLES: Final = 32
SAMPLES: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayoutPlan:
    """Settings of playouts except their number and seed. Raises `ValueError` for invalid numbers."""

    believed: str | Reviewer | None = None
    """Player whose probabilities of the other seats' actions weight the samples; None: equal weights."""
    decisions: int = 3
    """Number of each other seat's last actions that determine the weights."""
    proposals: int = 4
    """Samples drawn for each one kept by weight."""
    level: float = 0.05
    """Error probability of early stopping, valid at every look (see `Playouts.decided`); 0: never stop early."""
    scale: str | None = None
    """Scale (`janshi.worth.scales`) of the final place by which options are compared; None: by points."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for invalid numbers."""
        if self.decisions < 0 or self.proposals < 1:
            raise ValueError(f"{self.decisions} decisions, {self.proposals} proposals: at least 0 and 1")
        if not 0 <= self.level < 1:
            raise ValueError(f"level {self.level}: at least 0 and below 1")


@dataclass(frozen=True, slots=True)
class OptionResult:
    """Results of one option, for the seat that decides."""

    action: int
    text: str
    win: Estimate
    tsumo: Estimate
    """Probability of a win by self-draw."""
    ron: Estimate
    value: Estimate
    """Points of a won hand, without honba and deposits."""
    deal_in: Estimate
    price: Estimate
    """Total cost of a deal-in in points."""
    points: Estimate
    """Change of points after the decision."""
    placement: Estimate | None
    """Expected points of the final place; None without a scale."""
    difference: Estimate
    """Placement (without a scale: points) minus that of the best option, by sample."""
    ends: HandEnds


@dataclass(frozen=True, slots=True)
class Playouts:
    """Results of playouts."""

    seat: int
    samples: int
    options: tuple[OptionResult, ...]
    """Results in the given order of options."""
    decided: bool
    """True if the best option is better than every other one, by a test that is valid after every sample."""
    proposals: int
    """Number of drawn samples; more than ``samples`` if they are weighted."""
    effective: dict[int, float]
    """Effective sample size of the proposals, by each other seat."""
    seconds: float
    hands: int
    """Number of hands played to the end."""
    figures: NDArray[Any]
    """`janshi.say.ends.OptionFigures` records of the options."""

    @property
    def best(self) -> OptionResult:
        """The first option with the highest placement (without a scale: points)."""
        return max(self.options, key=lambda option: (option.placement or option.points).value)


def playouts(
    position: DecisionBatch | Table, options: Sequence[int] | int | None = None, **settings: Any
) -> Playouts:
    """Return the last result of `each_playouts`, which takes the same arguments."""
    *_, last = each_playouts(position, options, **settings)
    return last


def each_playouts(
    position: DecisionBatch | Table,
    options: Sequence[int] | int | None = None,
    *,
    players: str | Agent | Sequence[str | Agent],
    samples: int = 1024,
    seconds: float | None = None,
    seed: int = 0,
    processes: int | Workers = 1,
    plan: PlayoutPlan | None = None,
) -> Iterator[Playouts]:
    """Estimate the options of a decision by playing on to the end of the hand; yield the results after every batch.

    The same seed gives the same result for any number of processes, unless ``seconds`` end it.

    Args:
        position: one decision with the log of its hand, or a table. Only information visible to the deciding seat is
            used.
        options: actions to compare; a number for the options that the deciding seat's player prefers (a `Reviewer`);
            default: all legal actions.
        players: one for all seats or one for each, by name or as agents; several processes need names.
        samples: maximum number of samples.
        seconds: maximum time, checked after every batch.
        seed: seed of samples and random words.
        processes: number of parallel processes, or workers (`janshi.cluster.workers`).
        plan: weights, early stopping, scale of the final place.

    Raises `ValueError` for invalid arguments, `janshi.agents.AgentError` for players that do not support the rules,
    `janshi.core.game.GameError` for a game without sampling, `janshi.rollout.sampling.SamplingError` if no sample fits
    the position, and `janshi.worth.scales.ScaleError` or `janshi.worth.placement.PlacementError` for an unknown scale
    or a missing placement model.
    """
    start = time.monotonic()
    for what, number in (("samples", samples), ("processes", processes)):
        if isinstance(number, Workers):
            continue
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise ValueError(f"{number!r} {what}: must be an integer of at least 1")
    job = _job_of(position, options, players, seed, plan or PlayoutPlan())
    total = _Sums(job)
    parts = [(job, number, size) for number, size in enumerate(_batches(samples))]
    if processes != 1 and not all(isinstance(player, str) for player in (*job.players, job.plan.believed or "")):
        raise ValueError("several processes need players by name")
    given = nullcontext(processes) if isinstance(processes, Workers) else workers(processes=min(processes, len(parts)))
    with given as team:
        for part in in_order(team.each(_play, parts)):
            total.add(part)
            result = total.result(time.monotonic() - start)
            yield result
            if result.decided or (seconds is not None and time.monotonic() - start >= seconds):
                break


def _batches(samples: int) -> Iterator[int]:
    """Yield the sizes of batches: small at first, so that the first results come soon."""
    size = FIRST_SAMPLES
    while samples > 0:
        yield min(size, samples)
        samples -= size
        size = min(2 * size, SAMPLES)


def playouts_in_turn(
    positions: Sequence[tuple[DecisionBatch, Sequence[int]]],
    goes_on: Callable[[Playouts], bool],
    *,
    players: str | Agent | Sequence[str | Agent],
    hands: int,
    samples: int = 1024,
    seed: int = 0,
    processes: Workers,
    plan: PlayoutPlan,
) -> Iterator[tuple[int, Playouts]]:
    """Estimate the options of several decisions; yield the index of a decision and its results after every batch.

    Each decision in the given order receives a batch of samples; those for which ``goes_on`` is true receive further
    batches in turn, until ``hands`` hands have been played in total (every option of a sample is a hand) or each
    decision has its ``samples``. Decisions that no sample fits are left out. The same seed gives the same results for
    any number of processes. Other arguments and errors are those of `each_playouts`.
    """
    jobs = [
        _job_of(batch, options, players, seed * len(positions) + number, plan)
        for number, (batch, options) in enumerate(positions)
    ]
    totals = [_Sums(job) for job in jobs]
    start, left = time.monotonic(), hands
    unfinished = list(range(len(jobs)))
    for number, size in enumerate(_batches(samples)):
        parts: dict[int, tuple[_Job, int, int]] = {}
        planned = 0
        for index in unfinished:
            each = len(jobs[index].options)
            if fitting := min(size, (left - planned) // each):
                parts[index] = jobs[index], number, fitting
                planned += fitting * each
        unfinished = []
        for index, part in zip(parts, in_order(processes.each(_play_possible, parts.values())), strict=True):
            if part is not None:
                totals[index].add(part)
                left -= part.hands.size
                result = totals[index].result(time.monotonic() - start)
                yield index, result
                if goes_on(result):
                    unfinished.append(index)
        if not unfinished:
            return


# ---------------------------------------------------------------------------------------------------------
# Jobs


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """Playouts of one decision, as sent to processes."""

    rules: Any
    view: NDArray[Any]
    legal: NDArray[np.bool_]
    events: NDArray[Any]
    seat: int
    options: tuple[int, ...]
    players: tuple[str | Agent, ...]
    seed: int
    plan: PlayoutPlan

    @property
    def batch(self) -> DecisionBatch:
        """The decision."""
        return _decision(self.rules, self.view, self.legal, self.events, self.seat)


def _decision(
    rules: Any, view: NDArray[Any], legal: NDArray[np.bool_], events: NDArray[Any], seat: int
) -> DecisionBatch:
    seats = np.array([seat], np.int8)
    given: Any = view
    logs: Any = events
    return DecisionBatch(rules, given, legal, seats=seats, events=logs)


def _job_of(
    position: DecisionBatch | Table,
    options: Sequence[int] | int | None,
    players: str | Agent | Sequence[str | Agent],
    seed: int,
    plan: PlayoutPlan,
) -> _Job:
    """Check the arguments of playouts and return their job."""
    batch = position.decision() if isinstance(position, Table) else position
    if len(batch) != 1:
        raise ValueError(f"playouts are of one decision, these are {len(batch)}")
    batch.game.facet("sampling")
    rules, seat = batch.rules, int(batch.seats[0])
    named: tuple[str | Agent, ...]
    if isinstance(players, str) or not isinstance(players, Sequence):
        named = (players,) * rules.players
    else:
        named = tuple(players)
    events: Any = np.asarray(batch.events)
    made = _agents(named)
    check_seats(made, rules)
    chosen = _options(batch, options, made[seat])
    return _Job(rules, np.asarray(batch.views), batch.legal, events, seat, chosen, named, seed, plan)


def _options(batch: DecisionBatch, options: Sequence[int] | int | None, player: Agent) -> tuple[int, ...]:
    """Return the actions to compare."""
    legal = np.flatnonzero(batch.legal[0]).tolist()
    if options is None:
        return tuple(legal)
    if isinstance(options, int):
        if not isinstance(player, Reviewer):
            raise ValueError(f"player {player.name!r} has no order of options: name them")
        order = np.argsort(-preferences_of(player, batch)[0], kind="stable").tolist()
        return tuple([action for action in order if action in legal][: max(1, options)])
    chosen = tuple(int(option) for option in options)
    wrong = [option for option in chosen if option not in legal]
    if wrong or not chosen or len(set(chosen)) < len(chosen):
        there = ", ".join(map(str, legal))
        raise ValueError(f"options {list(chosen)}: different legal actions are wanted, of {there}")
    return chosen


def _agents(players: Sequence[str | Agent]) -> list[Agent]:
    """Return the agents of some names; equal names share an agent."""
    made = {player: agent(player) for player in players if isinstance(player, str)}
    return [made[player] if isinstance(player, str) else player for player in players]


# ---------------------------------------------------------------------------------------------------------
# Playing


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Results of samples."""

    hands: NDArray[Any]
    """`HandEnd` records by sample and option (n, options)."""
    proposals: int
    effective: dict[int, float]


class _Player:
    """Plays parts of a job, in any thread."""

    def __init__(self, job: _Job) -> None:
        self.job = job
        self._facet: Sampling = job.batch.game.facet("sampling")
        self._hidden: TileSampler | None = None
        self._sampling = threading.Lock()  # samples share a workspace
        self._agents = _agents(job.players)
        plan = job.plan
        believed = agent(plan.believed) if isinstance(plan.believed, str) else plan.believed
        if believed is not None and not isinstance(believed, Reviewer):
            raise AgentError(f"player {believed.name!r} gives no probabilities to weight samples by")
        self._belief = None if believed is None else Belief(believed, plan.decisions, plan.proposals)
        self._places = None if plan.scale is None else scale(plan.scale).points(job.rules.players)
        self._model = None if plan.scale is None else PlacementModel(job.rules)

    def play(self, number: int, samples: int) -> _Part:
        """Play a part, by its index, with ``samples`` samples."""
        job = self.job
        random = np.random.default_rng([job.seed & 0xFFFFFFFFFFFFFFFF, number])
        with self._sampling:
            if self._hidden is None:
                self._hidden = self._facet.hidden(job.batch)
            sample = self._hidden.sample(samples, random, self._belief)
        tables = self._asked(sample.states)
        count = len(job.options)
        states = take_rows(tables.states, np.repeat(np.arange(samples), count))
        tables = _tables(job.rules, states)
        before = tables.scores[:, job.seat]
        tables.step(np.tile(job.options, samples))
        Driver(tables, Seating.same(self._agents, len(tables)), next_hands=False).run()
        return self._part(tables, before, sample.proposals, sample.effective)

    def _asked(self, states: NDArray[Any]) -> Tables:
        """Return tables at the deciding seat's decision, after those of other seats that come first."""
        tables = _tables(self.job.rules, states)
        while len(before := np.flatnonzero(tables.actors != self.job.seat)):
            actors = tables.actors[before]
            for seat in np.unique(actors).tolist():
                which = before[actors == seat]
                tables.step_some(which, decide(self._agents[seat], tables.decisions(which)))
        return tables

    def _part(self, tables: Tables, before: NDArray[np.int32], proposals: int, effective: dict[int, float]) -> _Part:
        made = zeros(HandEnd, len(tables))
        say_of(tables.game).ends(tables.states, self.job.seat, np.ascontiguousarray(before), made)
        hands = np.asarray(made)
        if self._model is not None and self._places is not None:
            # The placement is evaluated last because it begins the next hands.
            tables.next_hand(np.flatnonzero(~tables.over))
            hands["worth"] = self._model.expected(tables.states, self._places)[:, self.job.seat]
        return _Part(hands.reshape(-1, len(self.job.options)), proposals, effective)


def _tables(rules: Any, states: NDArray[Any]) -> Tables:
    """Return tables in given states."""
    tables = Tables(rules, len(states), auto_reset=False)
    np.asarray(tables.states)[:] = states
    return tables


@lru_cache(maxsize=1)
def _player(job: _Job) -> _Player:
    return _Player(job)


#: Held while a player is looked up or made, so that the threads of a job share it.
_MAKING: Final = threading.Lock()


def _play(part: tuple[_Job, int, int]) -> _Part:
    job, number, samples = part
    with _MAKING:
        player = _player(job)
    return player.play(number, samples)


def _play_possible(part: tuple[_Job, int, int]) -> _Part | None:
    """Play a part; return None if no sample fits the decision."""
    try:
        return _play(part)
    except SamplingError:
        return None


# ---------------------------------------------------------------------------------------------------------
# Results

_FIGURES: Final = ("win", "tsumo", "ron", "value", "deal_in", "price", "points", "difference")


class _Sums:
    """Accumulated results of parts."""

    def __init__(self, job: _Job) -> None:
        self._job = job
        self._parts: list[_Part] = []

    def add(self, part: _Part) -> None:
        """Add a part."""
        self._parts.append(part)

    def result(self, seconds: float) -> Playouts:
        """Return the results so far."""
        job = self._job
        hands = np.concatenate([part.hands for part in self._parts])
        effective: dict[int, float] = {}
        for part in self._parts:
            for seat, size in part.effective.items():
                effective[seat] = effective.get(seat, 0.0) + size
        return Playouts(
            seat=job.seat,
            samples=len(hands),
            proposals=sum(part.proposals for part in self._parts),
            effective=effective,
            seconds=seconds,
            hands=hands.size,
            **figures_of(job.rules, job.options, hands, job.plan),
        )


def figures_of(rules: Any, options: Sequence[int], hands: NDArray[Any], plan: PlayoutPlan) -> dict[str, Any]:
    """Return the ``options``, ``decided`` and ``figures`` of `Playouts`.

    ``hands``: `janshi.say.ends.HandEnd` records by sample and option (n, options).
    """
    figures = zeros(OptionFigures, len(options))
    ordered: Any = np.ascontiguousarray(hands.T).ravel()
    decided = sum_up(ordered, int(plan.scale is not None), plan.level, figures) == 1
    game, records = game_of(rules), np.asarray(figures)
    found = tuple(_option(game, *each, plan) for each in zip(options, records, strict=True))
    return {"options": found, "decided": decided, "figures": records}


def _option(game: Game, action: int, figures: Any, plan: PlayoutPlan) -> OptionResult:
    return OptionResult(
        action=action,
        text=game.action_text(action),
        placement=None if plan.scale is None else estimate_of(figures["worth"]),
        ends=hand_ends(figures, say_of(game).names["fan"]),
        **{name: estimate_of(figures[name]) for name in _FIGURES},
    )

"""Learners at tables, as other people's interfaces want them: what is common to Gymnasium's and PettingZoo's.

A *slot* is one environment: a table with a *learner* in one of its seats, or in every seat; the other seats are
agents'. A step is one decision of the learner; hands follow each other by themselves until the game is over. Rewards
are given for hands that are over, so one step may bring several hands' reward where the learner had nothing to decide
in a hand.

`slots_for` makes them: `RiichiSlots` step in compiled code, random opponents included; `GameSlots` play any game by
the `janshi.rollout.driver.Driver`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from janshi.agents.protocol import Agent, AgentError
from janshi.agents.random import RandomAgent
from janshi.bridges.settings import REWARDS, Results, Reward, Settings
from janshi.bridges.stepping import (
    ANY_SEAT,
    EVERY_SEAT,
    GO_ON,
    LEARNER,
    NEXT_GAME,
    NEXT_HAND,
    NO_ACTION,
    OTHER,
    Slot,
    advance_slots,
    choose_legal,
    seat_learners,
)
from janshi.compiling import Batch, zeros
from janshi.core.rows import take_rows
from janshi.encoders import Encoder
from janshi.riichi.state import Phase
from janshi.rollout.driver import NOBODY, Driver, Observer, Seating
from janshi.table import ActionError, Tables

Gains = tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.bool_]]


class Slots(ABC):
    """Learners at many tables of one kind.

    `begin` and `begin_next` start games, `step` takes the learners' decisions. What hands that were over have brought
    adds up until `take` reads it.

    ``masks`` (n, actions; int8) is what each learner may do now, all zeros where its game is over; ``every`` are the
    numbers of all tables.
    """

    masks: NDArray[np.int8]

    def __init__(self, settings: Settings, count: int) -> None:
        self.settings = settings
        self.rules: Any = settings.played
        self.game = settings.game
        self.players: int = self.rules.players
        self.actions = self.game.actions
        self.encoder = settings.encoder
        self.others = settings.others()
        self.tables = Tables(self.rules, count, 0, auto_reset=False, threads=settings.threads)
        self.states = self.tables.states
        self.every = np.arange(count)
        self.every_seat = not self.others
        distinct: dict[int, Agent] = {id(agent): agent for agent in self.others}
        #: The others, each once, and the number of each that plays so many turns after the learner.
        self._distinct = tuple(distinct.values())
        self._numbers = np.array([list(distinct).index(id(agent)) for agent in self.others], np.int64)
        self.reward: Reward = REWARDS[settings.reward] if isinstance(settings.reward, str) else settings.reward
        #: Whether hands have ended since `take`.
        self.any_over = False
        self._threads = settings.threads
        self._packed = settings.packed
        self._records = cast("NDArray[Any]", self.states)
        self._views: Batch[Any] = zeros(self.game.view, count)
        self._single: Callable[[], NDArray[Any]] | None = None
        if self.encoder is not None:
            self._packed_shape = self.encoder.packed_shape
            self._packed_dtype = self.encoder.packed_dtype
            self._wants_events = self.encoder.wants_events
            if count == 1 and not self._wants_events:
                self._single = self._single_observer(self.encoder)
        self._rewards = np.zeros((count, self.players))
        self._changes = np.zeros((count, self.players), np.int32)
        self._hands_over = np.zeros(count, np.bool_)
        self._before = np.full((count, self.players), self.rules.start, np.int32)

    def __len__(self) -> int:
        return len(self.every)

    # -----------------------------------------------------------------------------------------------------
    # Playing

    @abstractmethod
    def begin(self, which: NDArray[np.int64], seeds: NDArray[np.int64]) -> None:
        """Begin games at some tables from their seeds, up to the learner's first decision."""

    @abstractmethod
    def begin_next(self, which: NDArray[np.int64]) -> None:
        """Begin the next games at some tables, wherever the last one is, up to the learner's first decision."""

    @abstractmethod
    def _advance(self, actions: NDArray[np.int16], over: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
        """Do one action (−1: one that is none) at every table whose game is not over, up to the next decisions.

        Returns at which tables it was not legal (n), or None where every action was.
        """

    @property
    @abstractmethod
    def over(self) -> NDArray[np.bool_]:
        """Tables whose game is over (n)."""

    @property
    @abstractmethod
    def asked(self) -> NDArray[np.int8]:
        """Seat of the learner that is asked, or that was asked last where the game is over (n)."""

    @abstractmethod
    def random_actions(self) -> NDArray[np.int16]:
        """Return a legal action for every table (n), each as likely as the other, from the games' seeds and clocks."""

    def step(self, chosen: ArrayLike) -> NDArray[np.bool_]:
        """Do one action at every table (n, whole numbers); return where it was not legal (n).

        Tables whose game is over stay as they are. With ``illegal="raise"`` an action that is not legal raises
        `ActionError`, before anything is done at any table.
        """
        actions = np.asarray(chosen)
        count = len(self)
        if actions.shape != (count,) or actions.dtype.kind not in "iu":
            raise ActionError(f"{count} tables need as many whole numbers, not {actions.dtype} {actions.shape}")
        over = self.over
        checked = np.where((actions < 0) | (actions >= self.actions), NO_ACTION, actions).astype(np.int16)
        if self.settings.illegal == "raise":
            self._refuse(checked, over)
        illegal = self._advance(checked, over)
        return np.zeros(count, np.bool_) if illegal is None else illegal

    def step_single(self, action: int) -> bool:
        """Do one action at the only table, without looking at ``settings.illegal``.

        Returns whether it was legal, no hand has ended and no agent was asked: then nothing but the learner's next
        decision has come of it. Otherwise `single_illegal` and `take` say what has.
        """
        illegal = self._advance(np.array([action], np.int16), self.over)
        self.single_illegal = illegal is not None and bool(illegal[0])
        return not self.single_illegal and not self.any_over and not self.over[0]

    single_illegal = False

    def single_asked(self) -> int:
        """Return the seat of the learner that is asked at the only table, or that was asked last."""
        return int(self.asked[0])

    def _refuse(self, chosen: NDArray[np.int16], over: NDArray[np.bool_]) -> None:
        """Raise `ActionError` for the first of the tables whose action is not legal."""
        legal = (chosen >= 0) & (self.masks[self.every, chosen] != 0) | over
        if not legal.all():
            table = int(legal.argmin())
            raise ActionError(self.what_is_wrong(table, int(chosen[table])))

    def what_is_wrong(self, table: int, action: int) -> str:
        """Say in words that the learner may not do an action, and what it may."""
        text = self.game.action_text
        wrong = text(action) if 0 <= action < self.actions else f"an action that is none (0 to {self.actions - 1})"
        options = ", ".join(f"{legal} {text(legal)}" for legal in np.flatnonzero(self.masks[table]).tolist())
        return f"table {table}: seat {int(self.asked[table])} may not do {wrong}; it may do: {options}"

    # -----------------------------------------------------------------------------------------------------
    # What a step brings

    def _forget(self, which: NDArray[np.int64]) -> None:
        """Forget what hands have brought at some tables, where a game begins."""
        self._rewards[which] = 0
        self._changes[which] = 0
        self._hands_over[which] = False
        self._before[which] = self.rules.start

    def _settle(self, which: NDArray[np.int64]) -> None:
        """Note what the hands have brought that are over at some tables."""
        if not len(which):
            return
        states = take_rows(self.states, which)
        points = states["seats"]["points"][:, : self.players]
        change = points - self._before[which]
        self._before[which] = points
        over = states["phase"] >= self.game.game_over
        rewards = np.asarray(self.reward(Results(self.rules, change, points, over, self._endings(states))))
        if rewards.shape != change.shape:
            raise ValueError(f"the reward function returned {rewards.shape}; each seat of each hand: {change.shape}")
        self._rewards[which] += rewards
        self._changes[which] += change
        self._hands_over[which] = True
        self.any_over = True

    def _endings(self, states: NDArray[Any]) -> NDArray[np.int8]:
        """How the hands ended."""
        return self.game.outcomes(states).ended

    def take(self) -> Gains | None:
        """Return what has come since the last time, or None where no hand has ended.

        Rewards (n, players), changes of the points (n, players), tables at which hands were over (n).
        """
        if not self.any_over:
            return None
        gains = self._rewards.copy(), self._changes.copy(), self._hands_over.copy()
        self._rewards[:], self._changes[:], self._hands_over[:] = 0, 0, False
        self.any_over = False
        return gains

    # -----------------------------------------------------------------------------------------------------
    # What is seen

    def views(self, which: NDArray[np.int64] | None = None, seats: NDArray[np.int8] | None = None) -> Batch[Any]:
        """Return what the learners that are asked may see, or given seats at given tables.

        Of all tables: records that the next call writes to again.
        """
        if which is not None:
            return self.tables.views(which, self.asked[which] if seats is None else seats)
        self.game.views(self.states, self.asked, self._views, threads=self._threads)
        return self._views

    def observe(self, which: NDArray[np.int64] | None = None, seats: NDArray[np.int8] | None = None) -> NDArray[Any]:
        """Return the observations of the learners that are asked (n, …), or of given seats at given tables.

        As networks take them, or with ``settings.packed`` as they are kept; zeros (n; int64) where none is wanted.
        """
        if self.encoder is None:
            return np.zeros(len(self) if which is None else len(which), np.int64)
        if self._single is not None and which is None:
            return self._single()
        views = self.views(which, seats)
        packed = np.empty((len(views), *self._packed_shape), self._packed_dtype)
        events = self._events(which, seats) if self._wants_events else None
        # That the encoder serves these rules was checked with the settings.
        self.encoder.write_unchecked(views, events, packed, threads=self._threads)
        return packed if self._packed else self.encoder.inputs(packed)

    def _single_observer(self, encoder: Encoder) -> Callable[[], NDArray[Any]]:
        """Return what observes at the only table: one environment that steps alone does so every few microseconds."""
        seats = np.zeros(1, np.int8)
        write_view = self.game.views.bind(self.states, seats, self._views)
        encode = encoder.bind(self.rules, self._views, packed=self._packed)

        def observe() -> NDArray[Any]:
            seats[0] = self.single_asked()
            write_view()
            return encode()

        return observe

    def _events(self, which: NDArray[np.int64] | None, seats: NDArray[np.int8] | None) -> Batch[Any]:
        """The logs that belong to the views."""
        asked = self.asked if which is None else self.asked[which]
        return self.tables.events(which, asked if seats is None else seats)


# ---------------------------------------------------------------------------------------------------------
# Riichi


class RiichiSlots(Slots):
    """Slots that step in compiled code; random opponents play inside of it."""

    def __init__(self, settings: Settings, count: int) -> None:
        super().__init__(settings, count)
        self._slots: Batch[Slot] = zeros(Slot, count)
        self._fields = cast("NDArray[Any]", self._slots)
        self._waits = self._fields["waits"]
        self._chosen = self._fields["chosen"]
        self._asked = self._fields["asked"]
        self.masks = self._fields["mask"]
        #: Nobody but the learner and random agents sits at the tables: they never wait for another.
        self._against_random = all(type(agent) is RandomAgent for agent in self.others)
        self._advance_every = advance_slots.bind(self.states, self._slots, self._against_random)
        self._fields["home"] = EVERY_SEAT if self.every_seat else ANY_SEAT if settings.seat is None else settings.seat

    def begin(self, which: NDArray[np.int64], seeds: NDArray[np.int64]) -> None:
        """Begin games at some tables from their seeds, up to the learner's first decision."""
        self.tables.reset(which, seeds)
        seat_learners(self.states, self._slots, which=which)
        self._until_first(which)

    def begin_next(self, which: NDArray[np.int64]) -> None:
        """Begin the next games at some tables, wherever the last one is, up to the learner's first decision."""
        self._records["phase"][which] = Phase.GAME_OVER
        self._until_first(which)

    def _until_first(self, which: NDArray[np.int64]) -> None:
        """Play on to the first decision. A game in which the learner is never asked counts for nothing: another one."""
        while len(which):
            self._forget(which)
            self._chosen[which] = GO_ON
            self._go(which)
            self._until_asked(which)
            which = which[self._waits[which] == NEXT_GAME]

    def _advance(self, actions: NDArray[np.int16], over: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
        self._chosen[:] = actions
        which = np.flatnonzero(~over) if over.any() else self.every
        if not self._go(which):
            return None
        illegal: NDArray[np.bool_] = (self._fields["illegal"] != 0) & ~over
        self._until_asked(which)
        return illegal

    def step_single(self, action: int) -> bool:
        """Do one action at the only table: see `Slots.step_single`."""
        self._chosen[0] = action
        if not self._advance_every():
            self.single_illegal = False
            return not self.any_over
        self.single_illegal = bool(self._fields["illegal"][0])
        self._until_asked(self.every)
        return False

    def single_asked(self) -> int:
        """Return the seat of the learner that is asked at the only table, or that was asked last."""
        return int(self._asked[0])

    def _go(self, which: NDArray[np.int64]) -> int:
        """Advance some tables; return how many `janshi.bridges.stepping.advance_slot` counts."""
        count: int = advance_slots(
            self.states, self._slots, self._against_random, which=which, threads=self._threads
        )
        return count

    def _until_asked(self, which: NDArray[np.int64]) -> None:
        """Play on at some tables until the learner is asked or the game is over."""
        waits, chosen = self._waits, self._chosen
        which = which[waits[which] != LEARNER]
        while len(which):
            waiting = waits[which]
            self._settle(which[waiting >= NEXT_HAND])
            chosen[which[waiting == NEXT_HAND]] = GO_ON
            asked = which[waiting == OTHER]
            if len(asked):
                self._others_choose(asked)
            which = which[waiting != NEXT_GAME]
            self._go(which)
            if len(asked) and self._fields["illegal"][asked].any():
                raise AgentError(_WRONG_OPPONENT)
            which = which[waits[which] != LEARNER]

    def _others_choose(self, which: NDArray[np.int64]) -> None:
        """Let the agents choose at some tables that wait for them; equal agents decide together."""
        turn = (self._records["actor"][which] - self._fields["seat"][which] - 1) % self.players
        for number, agent in enumerate(self._distinct):
            mine = which[self._numbers[turn] == number]
            if len(mine):
                self._chosen[mine] = agent.act(self.tables.decisions(mine))

    @property
    def over(self) -> NDArray[np.bool_]:
        """Tables whose game is over (n)."""
        ended: NDArray[np.bool_] = self._waits == NEXT_GAME
        return ended

    @property
    def asked(self) -> NDArray[np.int8]:
        """Seat of the learner that is asked, or that was asked last where the game is over (n)."""
        return self._asked.copy()

    def random_actions(self) -> NDArray[np.int16]:
        """Return a legal action for every table (n): see `Slots.random_actions`."""
        choose_legal(self.states, self._slots)
        return self._chosen.copy()

    def _endings(self, states: NDArray[Any]) -> NDArray[np.int8]:
        ended: NDArray[np.int8] = states["ended"]
        return ended


_WRONG_OPPONENT: Final = "an opponent did what it may not: its `act` must return one of the actions in `legal`"


# ---------------------------------------------------------------------------------------------------------
# Any game


class _Settling(Observer):
    """Settles the hands that are over."""

    def __init__(self, slots: GameSlots) -> None:
        self._slots = slots

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Note what hands have brought."""
        self._slots._settle(tables)


class GameSlots(Slots):
    """Slots of any game: agents and learners decide through a driver."""

    def __init__(self, settings: Settings, count: int) -> None:
        super().__init__(settings, count)
        seats = np.full((count, self.players), NOBODY, np.int64)
        self._driver = Driver(self.tables, Seating(self._distinct, seats), [_Settling(self)])
        self._asked = np.zeros(count, np.int8)
        self.masks = np.zeros((count, self.actions), np.int8)

    def begin(self, which: NDArray[np.int64], seeds: NDArray[np.int64]) -> None:
        """Begin games at some tables from their seeds, up to the learner's first decision."""
        self.tables.reset(which, seeds)
        self._until_first(which)

    def begin_next(self, which: NDArray[np.int64]) -> None:
        """Begin the next games at some tables, wherever the last one is, up to the learner's first decision."""
        self.tables.next_game(which)
        self._until_first(which)

    def _until_first(self, which: NDArray[np.int64]) -> None:
        """Play on to the first decision. A game in which the learner is never asked counts for nothing: another one."""
        while True:
            self._forget(which)
            self._take_seats(which)
            self._driver.begin(which)
            self._driver.run()
            self._look(which)
            which = which[self.over[which]]
            if not len(which):
                return
            self.tables.next_game(which)

    def _take_seats(self, which: NDArray[np.int64]) -> None:
        """Seat the learners for games: the game's seed says where, if it may be any seat."""
        if self.every_seat:
            return
        seats = self._records["seed"][which] % self.players if self.settings.seat is None else self.settings.seat
        turn = (np.arange(self.players) - np.broadcast_to(seats, which.shape)[:, None]) % self.players
        self._driver.seating.seats[which] = np.append(NOBODY, self._numbers)[turn]
        self._asked[which] = seats

    def _look(self, which: NDArray[np.int64]) -> None:
        """Note who is asked at some tables and what it may do."""
        actors = self.tables.actors[which]
        waiting = which[actors >= 0]
        self._asked[waiting] = actors[actors >= 0]
        self.masks[which] = 0
        self.masks[waiting] = self.tables.legal(waiting)

    def _advance(self, actions: NDArray[np.int16], over: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
        which = np.flatnonzero(~over)
        batch = self.tables.decisions(which)
        chosen = actions[which]
        wrong = (chosen < 0) | ~batch.legal[np.arange(len(which)), chosen]
        for row in np.flatnonzero(wrong).tolist():
            chosen[row] = self.game.passive(batch.legal[row])
        self._driver.answer(batch, chosen)
        self._driver.step()
        self._driver.run()
        self._look(which)
        if not wrong.any():
            return None
        illegal = np.zeros(len(self), np.bool_)
        illegal[which[wrong]] = True
        return illegal

    @property
    def over(self) -> NDArray[np.bool_]:
        """Tables whose game is over (n)."""
        return self.tables.over

    @property
    def asked(self) -> NDArray[np.int8]:
        """Seat of the learner that is asked, or that was asked last where the game is over (n)."""
        return self._asked.copy()

    def random_actions(self) -> NDArray[np.int16]:
        """Return a legal action for every table (n): see `Slots.random_actions`."""
        chosen = np.zeros(len(self), np.int16)
        batch = self.tables.decisions()
        for row, table in enumerate(batch.tables.tolist()):
            legal = np.flatnonzero(batch.legal[row])
            chosen[table] = legal[int(batch.random[row]) % len(legal)]
        return chosen


def slots_for(settings: Settings, count: int) -> Slots:
    """Return slots for a game: compiled ones where there are."""
    return RiichiSlots(settings, count) if settings.game.name == "riichi" else GameSlots(settings, count)

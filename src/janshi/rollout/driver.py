"""The driver: agents decide at tables until nobody is asked any more.

Arena, environments, self-play, positions, web and bots use this one loop. In each round it

1. asks every agent about all tables that wait for it, in one `DecisionBatch` (`Driver.questions`);
2. takes the actions (`Driver.answer`): what is not legal is refused with the agent's name;
3. steps the tables (`Driver.step`), and begins the next hand where one is over and its game is not.

`Driver.run` does this until no agent is asked. Whoever cannot wait for answers (the web, an environment's learner)
leaves seats open, takes the decisions there by hand and calls the three methods itself. Whoever needs what happens on
the way passes an `Observer`.

>>> from janshi.agents.random import RandomAgent
>>> from janshi.table import Tables
>>> tables = Tables("tenhou-sanma-hand", 4, auto_reset=False)
>>> Driver(tables, Seating.same([RandomAgent()] * 3, 4)).run()
>>> bool(tables.over.all())
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, check_agent
from janshi.table import DecisionBatch, Tables

__all__ = ["NOBODY", "Driver", "Observer", "Question", "Seating"]

#: In a `Seating`: a seat for which nobody decides here.
NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class Seating:
    """Assignment of agents to seats.

    ``agents``: each once; ``seats`` (n, players; int64): for every table and seat the number of its agent, or `NOBODY`:
    then its decisions stay open (`Driver.open`).
    """

    agents: tuple[Agent, ...]
    seats: NDArray[np.int64]

    @classmethod
    def same(cls, agents: Sequence[Agent | None], tables: int) -> Seating:
        """Return a seating with the same agents (None: nobody) in the same seats at every table."""
        return cls.rotated(agents, np.zeros(tables, np.int64))

    @classmethod
    def rotated(cls, agents: Sequence[Agent | None], rotations: NDArray[Any]) -> Seating:
        """Return a seating in which agent i (None: nobody) sits at seat i + rotation of each table (n; whole numbers).

        An agent in several seats is asked about all of them together.
        """
        distinct = {id(agent): agent for agent in agents if agent is not None}
        order = list(distinct)
        numbers = np.array([NOBODY if agent is None else order.index(id(agent)) for agent in agents])
        players = len(agents)
        rank = (np.arange(players)[None, :] - np.asarray(rotations, np.int64)[:, None]) % players
        return cls(tuple(distinct.values()), numbers[rank])


class Observer:
    """Follows a rollout; every method does nothing unless it is overridden.

    In each round: `decided` for each agent, `stepped`, `hands_over`, `started`. The observers of a driver are called
    one after the other in their order.
    """

    def started(self, tables: NDArray[np.int64]) -> None:
        """Take note that hands were dealt at some tables (their numbers)."""

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """Take note of decisions (n) and the actions taken (n), before the tables go on."""

    def stepped(self, tables: NDArray[np.int64]) -> None:
        """Take note that some tables have gone on."""

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Take note that hands are over at some tables, before the next ones begin."""


@dataclass(frozen=True, slots=True)
class Question:
    """Decisions for one agent."""

    agent: Agent
    batch: DecisionBatch


class Driver:
    """Plays at tables made with ``auto_reset=False``: see the module.

    Args:
        tables: to play at, from wherever they are.
        seating: who decides; its ``seats`` may change between hands.
        observers: who follow.
        next_hands: go on with the next hand of a game where one is over.

    Raises `AgentError` where an agent does not play by the tables' rules, `ValueError` for tables that go on by
    themselves or a seating of another shape.
    """

    def __init__(
        self,
        tables: Tables,
        seating: Seating,
        observers: Sequence[Observer] = (),
        *,
        next_hands: bool = True,
    ) -> None:
        if tables.auto_reset:
            raise ValueError("a driver begins hands itself: make the tables with auto_reset=False")
        if seating.seats.shape != (len(tables), tables.rules.players):
            raise ValueError(f"a seating of {seating.seats.shape} for {len(tables)} tables of {tables.rules.players}")
        for agent in seating.agents:
            check_agent(agent, tables.rules)
        self.tables = tables
        self.seating = seating
        self.observers = tuple(observers)
        self.next_hands = next_hands
        self._chosen = np.full(len(tables), -1, np.int16)
        self._answered = np.zeros(len(tables), np.bool_)
        self._begun = False

    def begin(self, which: NDArray[np.int64] | None = None) -> None:
        """Go on from hands that were dealt at some tables (all by default), for instance by `Tables.reset`.

        Observers are told of them; what was answered there before is forgotten. Of the hands that are there in the
        beginning it need not be called: `questions` and `answer` do.
        """
        tables = np.arange(len(self.tables)) if which is None else which
        self._begun = True
        self._answered[tables] = False
        for observer in self.observers:
            observer.started(tables)
        self._go_on(tables)

    @property
    def waiting(self) -> NDArray[np.int64]:
        """Numbers of the tables that wait for a decision which has not been answered yet."""
        return self._waiting()[0]

    @property
    def open(self) -> NDArray[np.int64]:
        """Numbers of those of them that wait for a seat for which nobody decides here."""
        waiting, asked = self._waiting()
        still: NDArray[np.int64] = waiting[asked == NOBODY]
        return still

    def _waiting(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Numbers of the tables that wait for a decision, and of the agents that they wait for."""
        actors = self.tables.actors
        waiting = np.flatnonzero((actors >= 0) & ~self._answered)
        return waiting, self.seating.seats[waiting, actors[waiting]]

    def questions(self) -> list[Question]:
        """Return what agents are to decide and is not answered yet, one question an agent."""
        if not self._begun:
            self.begin()
        waiting, asked = self._waiting()
        mine = ((agent, waiting[asked == number]) for number, agent in enumerate(self.seating.agents))
        return [Question(agent, self.tables.decisions(tables)) for agent, tables in mine if len(tables)]

    def answer(self, batch: DecisionBatch, actions: NDArray[Any]) -> None:
        """Take the actions (n, whole numbers) for some decisions (n); the next `step` does them.

        Raises `AgentError` where there are not as many as decisions, or one is not legal; then none is taken.
        """
        if not self._begun:
            self.begin()
        chosen = np.asarray(actions)
        count = len(batch)
        if chosen.shape != (count,) or chosen.dtype.kind not in "iu":
            raise AgentError(f"{count} decisions need as many whole numbers, not {chosen.dtype} {chosen.shape}")
        taken = chosen.astype(np.int16)
        if count and (int(chosen.min()) < 0 or int(chosen.max()) >= self.tables.game.actions):
            taken[(chosen < 0) | (chosen >= self.tables.game.actions)] = -1
        if self.tables.game.refused(self.tables.states, taken, which=batch.tables):
            row = self._first_refused(batch, taken)
            where = f"table {int(batch.tables[row])}: seat {int(batch.seats[row])}"
            raise AgentError(f"{where} may not do action {int(chosen[row])}")
        self._chosen[batch.tables] = taken
        self._answered[batch.tables] = True
        for observer in self.observers:
            observer.decided(batch, taken)

    def _first_refused(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> int:
        """The first of some decisions whose action is not legal."""
        refused, states = self.tables.game.refused, self.tables.states
        return next(n for n in range(len(batch)) if refused(states, actions[n : n + 1], which=batch.tables[n : n + 1]))

    def step(self) -> bool:
        """Take a step at every table that was answered, begin the next hands; return whether there was one.

        Raises `janshi.table.ActionError` where a table has gone on since it was answered for.
        """
        stepped = np.flatnonzero(self._answered)
        if not len(stepped):
            return False
        if np.count_nonzero(self.tables.actors >= 0) > len(stepped):
            self.tables.step_some(stepped, self._chosen[stepped])
        else:
            # Quicker; tables that wait for nobody stay as they are.
            self.tables.step(self._chosen)
        self._answered[stepped] = False
        for observer in self.observers:
            observer.stepped(stepped)
        self._go_on(stepped)
        return True

    def _go_on(self, which: NDArray[np.int64]) -> None:
        """Tell the observers of hands that are over at some tables, and begin the next ones."""
        over = which[self.tables.hand_over[which]]
        while len(over):
            for observer in self.observers:
                observer.hands_over(over)
            if not self.next_hands:
                return
            begun = over[~self.tables.over[over]]
            self.tables.next_hand(begun)
            for observer in self.observers:
                observer.started(begun)
            over = begun[self.tables.hand_over[begun]]

    def run(self) -> None:
        """Ask and step until no agent is asked: every game is over, or its table waits for an open seat.

        Raises `AgentError` naming the agent whose answer is wrong.
        """
        while True:
            for question in self.questions():
                actions = question.agent.act(question.batch)
                try:
                    self.answer(question.batch, actions)
                except AgentError as error:
                    raise AgentError(f"player {question.agent.name!r}: {error}") from None
            if not self.step():
                return

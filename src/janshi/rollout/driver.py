"""The driver: lets agents decide at tables until no decision is pending.

Arena, environments, self-play, positions, web and bots share this loop. In each round it

1. asks every agent for all its pending decisions in one `DecisionBatch` (`Driver.questions`);
2. takes the actions (`Driver.answer`) and refuses an illegal one with the agent's name;
3. steps the tables (`Driver.step`) and begins the next hands of unfinished games.

`Driver.run` repeats this until no agent has a decision. Callers that cannot wait for answers (the web, an environment's
learner) leave seats open, decide there themselves and call the three methods. An `Observer` receives the events of a
rollout.

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

from janshi.agents.protocol import Agent, AgentError, check_agent, decide
from janshi.table import DecisionBatch, Tables

__all__ = ["NOBODY", "Driver", "Observer", "Question", "Seating"]

#: In a `Seating`: an open seat, without an agent.
NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class Seating:
    """Assignment of agents to seats.

    ``agents``: each once; ``seats`` (n, players; int64): the index of the agent at every table and seat, or `NOBODY` to
    leave the seat's decisions open (`Driver.open`).
    """

    agents: tuple[Agent, ...]
    seats: NDArray[np.int64]

    @classmethod
    def same(cls, agents: Sequence[Agent | None], tables: int) -> Seating:
        """Return a seating with the same agents (None: an open seat) at every table."""
        return cls.rotated(agents, np.zeros(tables, np.int64))

    @classmethod
    def rotated(cls, agents: Sequence[Agent | None], rotations: NDArray[Any]) -> Seating:
        """Return a seating with agent i (None: an open seat) in seat i + rotation at each table (n; integers).

        An agent in several seats decides for all of them in one batch.
        """
        distinct = {id(agent): agent for agent in agents if agent is not None}
        order = list(distinct)
        numbers = np.array([NOBODY if agent is None else order.index(id(agent)) for agent in agents])
        players = len(agents)
        rank = (np.arange(players)[None, :] - np.asarray(rotations, np.int64)[:, None]) % players
        return cls(tuple(distinct.values()), numbers[rank])


class Observer:
    """Base class of observers of a rollout; the methods do nothing by default.

    The order of calls in a round is `decided` for each agent, `stepped`, `hands_over`, `started`. A driver calls its
    observers in their order.
    """

    def started(self, tables: NDArray[np.int64]) -> None:
        """Observe that hands were dealt at some tables (their indices)."""

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """Observe decisions (n) and the actions taken (n), before the tables are stepped."""

    def stepped(self, tables: NDArray[np.int64]) -> None:
        """Observe that some tables were stepped."""

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Observe that hands ended at some tables, before the next ones begin."""


@dataclass(frozen=True, slots=True)
class Question:
    """Decisions for one agent."""

    agent: Agent
    batch: DecisionBatch


class Driver:
    """Lets agents play at tables created with ``auto_reset=False``: see the module.

    Args:
        tables: tables in any state.
        seating: agents of the seats; its ``seats`` may change between hands.
        observers: observers of the rollout.
        next_hands: True to begin the next hand of an unfinished game.

    Raises `AgentError` if an agent does not support the tables' rules, `ValueError` for tables with ``auto_reset`` or a
    seating of another shape.
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
        """Announce hands that were dealt at some tables (default: all), for instance by `Tables.reset`.

        Observers are notified, and earlier answers for these tables are discarded. The first call of `questions` or
        `answer` announces the initial hands.
        """
        tables = np.arange(len(self.tables)) if which is None else which
        self._begun = True
        self._answered[tables] = False
        for observer in self.observers:
            observer.started(tables)
        self._go_on(tables)

    @property
    def waiting(self) -> NDArray[np.int64]:
        """Indices of the tables with a pending decision that has no answer yet."""
        return self._waiting()[0]

    @property
    def open(self) -> NDArray[np.int64]:
        """Indices of the waiting tables whose decision belongs to an open seat."""
        waiting, asked = self._waiting()
        still: NDArray[np.int64] = waiting[asked == NOBODY]
        return still

    def _waiting(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the indices of the tables with a pending decision, and of the agents that decide."""
        actors = self.tables.actors
        waiting = np.flatnonzero((actors >= 0) & ~self._answered)
        return waiting, self.seating.seats[waiting, actors[waiting]]

    def questions(self) -> list[Question]:
        """Return the agents' decisions that have no answer yet, one question an agent."""
        if not self._begun:
            self.begin()
        waiting, asked = self._waiting()
        mine = ((agent, waiting[asked == number]) for number, agent in enumerate(self.seating.agents))
        return [Question(agent, self.tables.decisions(tables)) for agent, tables in mine if len(tables)]

    def answer(self, batch: DecisionBatch, actions: NDArray[Any]) -> None:
        """Take the actions (n, integers) of some decisions (n); the next `step` performs them.

        Raises `AgentError`, and takes none, if their number differs from that of the decisions or one is illegal.
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
        """Return the first decision with an illegal action."""
        refused, states = self.tables.game.refused, self.tables.states
        return next(n for n in range(len(batch)) if refused(states, actions[n : n + 1], which=batch.tables[n : n + 1]))

    def step(self) -> bool:
        """Step every table that has an answer and begin the next hands; return whether a table was stepped.

        Raises `janshi.table.ActionError` if a table was stepped elsewhere since its answer.
        """
        stepped = np.flatnonzero(self._answered)
        if not len(stepped):
            return False
        if np.count_nonzero(self.tables.actors >= 0) > len(stepped):
            self.tables.step_some(stepped, self._chosen[stepped])
        else:
            # Faster; tables without a pending decision do not change.
            self.tables.step(self._chosen)
        self._answered[stepped] = False
        for observer in self.observers:
            observer.stepped(stepped)
        self._go_on(stepped)
        return True

    def _go_on(self, which: NDArray[np.int64]) -> None:
        """Notify the observers of finished hands at some tables, and begin the next ones."""
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
        """Ask and step until no agent has a decision: every game is over or waits for an open seat.

        Raises `AgentError`, with the agent's name, for an illegal answer.
        """
        while True:
            for question in self.questions():
                actions = decide(question.agent, question.batch)
                try:
                    self.answer(question.batch, actions)
                except AgentError as error:
                    raise AgentError(f"player {question.agent.name!r}: {error}") from None
            if not self.step():
                return

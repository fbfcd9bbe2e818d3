"""Bots at one table: agents that hear its events, each in a thread of its own, since a bot may think for seconds."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from janshi.agents.protocol import Agent, Listener, Reporter, void_reasons
from janshi.table import DecisionBatch
from janshi.web.screen import SeenBy

_LOG: Final = logging.getLogger("janshi.web")
#: Index of the table for its bots, which play at no other one.
_TABLE: Final = 0


class TableBots:
    """The bots among a table's agents.

    Nothing here waits for a bot but `decide`. An error of a bot is raised by its next decision.

    Args:
        agents: agents by seat; those that do not listen are left out.
        seen_by: ``(event, seat)``: an event as visible to the seat.
        game: name of the game in the bots' reports.
    """

    def __init__(
        self, agents: Mapping[int, Agent], seen_by: SeenBy, game: str
    ) -> None:
        self._seen_by = seen_by
        self._bots: dict[int, _Bot] = {}
        for seat, agent in agents.items():
            if isinstance(agent, Listener):
                self._bots.setdefault(id(agent), _Bot(agent)).seats.append(seat)
            if isinstance(agent, Reporter):
                agent.begin(_TABLE, seat, game)

    def __contains__(self, agent: Agent) -> bool:
        return id(agent) in self._bots

    def hear(self, events: Sequence[dict[str, Any]]) -> None:
        """Pass new events of the table on, each as visible to the bots' seats."""
        for bot in self._bots.values():
            for seat in bot.seats:
                bot.thread.submit(bot.hear, seat, [self._seen_by(event, seat) for event in events])

    async def decide(self, agent: Agent, batch: DecisionBatch) -> int:
        """Return a bot's action for a batch of one decision, after it has heard all events. Raises its errors."""
        bot = self._bots[id(agent)]
        return await asyncio.get_running_loop().run_in_executor(bot.thread, bot.act, batch)

    def close(self) -> None:
        """End the bots after what they are doing."""
        for bot in self._bots.values():
            bot.thread.submit(bot.close)
            bot.thread.shutdown(wait=False)


class _Bot:
    """A bot with its thread, in which all methods run."""

    def __init__(self, agent: Listener) -> None:
        self.agent = agent
        self.seats: list[int] = []
        self.thread = ThreadPoolExecutor(1, "bot")
        self._failure: Exception | None = None
        self._is_given_up = False

    def hear(self, seat: int, events: Sequence[dict[str, Any]]) -> None:
        """Pass events to a seat."""
        try:
            self.agent.hear(_TABLE, seat, events)
        except Exception as error:  # any error of the bot ends its table with the next decision
            self._failure = self._failure or error

    def act(self, batch: DecisionBatch) -> int:
        """Return the action for one decision."""
        if self._failure is not None:
            raise self._failure
        action = int(self.agent.act(batch)[0])
        for reason in [] if self._is_given_up else void_reasons({self.agent.name: self.agent.faults()}):
            self._is_given_up = True
            _LOG.warning("janshi play: %s; its decisions are made for it from now on", reason)
        return action

    def close(self) -> None:
        """End the bot."""
        close: Callable[[], None] | None = getattr(self.agent, "close", None)
        if close is not None:
            close()

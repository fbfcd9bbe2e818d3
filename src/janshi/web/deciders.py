"""Agents asked by many tables at once: questions that come together are answered together.

While one batch is being answered on a thread of its own, the next one gathers; when nothing is being answered, the
first question waits a few thousandths of a second for others.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.engine.play import write_keys
from janshi.review import advise
from janshi.review.model import Advice
from janshi.table import Tables

#: Seconds that a first question waits for others.
GATHER: Final = 0.002
_ONLY: Final = np.zeros(1, np.int64)


@dataclass(slots=True, eq=False)
class _Question:
    agent: Agent
    view: NDArray[Any]
    legal: NDArray[np.bool_]
    key: NDArray[np.int64]
    answer: asyncio.Future[int]


class Deciders:
    """Answers for agents; made and used on one event loop. `close` when done."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "agents")
        self._waiting: list[_Question] = []
        self._answering: asyncio.Task[None] | None = None

    async def decide(self, agent: Agent, table: Tables) -> int:
        """Return what the agent does at a table (one of its own) for the seat that it waits for.

        The agent is shown that seat's view and nothing else. Raises what the agent raises.
        """
        key = np.zeros(1, np.int64)
        write_keys(table.states, _ONLY, key)
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Question(agent, np.asarray(table.views()), table.legal(), key, answer))
        if self._answering is None:
            self._answering = asyncio.create_task(self._answer())
        return await answer

    async def _answer(self) -> None:
        """Answer batch after batch until nothing is asked any more."""
        await asyncio.sleep(GATHER)
        while self._waiting:
            batch, self._waiting = self._waiting, []
            for agent in dict.fromkeys(one.agent for one in batch):
                await self._answer_for(agent, [one for one in batch if one.agent is agent])
        self._answering = None

    async def _answer_for(self, agent: Agent, questions: list[_Question]) -> None:
        loop = asyncio.get_running_loop()
        try:
            chosen = await loop.run_in_executor(self._thread, _act, agent, questions)
        except Exception as error:  # whatever an agent raises is told to the tables that asked it
            for one in questions:
                if not one.answer.done():
                    one.answer.set_exception(error)
            return
        for one, action in zip(questions, chosen, strict=True):
            if not one.answer.done():
                one.answer.set_result(action)

    async def advise(self, agent: Agent, view: NDArray[Any], legal: NDArray[np.bool_]) -> Advice:
        """Return what an agent says of one decision: see `janshi.review.advise`."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, advise, cast("Any", view), legal, agent)

    def close(self) -> None:
        """Answer no more."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _act(agent: Agent, questions: Sequence[_Question]) -> list[int]:
    views = np.concatenate([one.view for one in questions])
    legal = np.concatenate([one.legal for one in questions])
    keys = np.concatenate([one.key for one in questions])
    return [int(action) for action in agent.act(cast("Any", views), legal, keys)]

"""Batches of decisions from many tables for shared agents.

While a separate thread answers one batch, the next one gathers. Otherwise the first question waits a few milliseconds
for others.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from janshi.agents.protocol import Agent, decide
from janshi.review.advising import advise
from janshi.review.model import Advice
from janshi.table import DecisionBatch

#: Seconds for which the first question waits for others.
GATHER: Final = 0.002


@dataclass(slots=True, eq=False)
class _Question:
    agent: Agent
    batch: DecisionBatch
    """One decision."""
    answer: asyncio.Future[int]


class AgentQueue:
    """Questions to agents and their answers, for one event loop. Call `close` at the end."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "agents")
        self._waiting: list[_Question] = []
        self._answering: asyncio.Task[None] | None = None

    async def decide(self, agent: Agent, batch: DecisionBatch) -> int:
        """Return an agent's action for a batch of one decision. Propagates the agent's exceptions."""
        if batch.game.events is not None:
            batch.with_events()
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Question(agent, batch, answer))
        if self._answering is None:
            self._answering = asyncio.create_task(self._answer())
        return await answer

    async def _answer(self) -> None:
        """Answer batches until no question is left."""
        await asyncio.sleep(GATHER)
        while self._waiting:
            questions, self._waiting = self._waiting, []
            groups: dict[tuple[int, object], list[_Question]] = {}
            for question in questions:
                groups.setdefault((id(question.agent), question.batch.rules), []).append(question)
            for group in groups.values():
                await self._answer_for(group[0].agent, group)
        self._answering = None

    async def _answer_for(self, agent: Agent, questions: list[_Question]) -> None:
        """Answer questions to an agent from tables of one rule set."""
        loop = asyncio.get_running_loop()
        batch = DecisionBatch.joined([question.batch for question in questions])
        try:
            actions = await loop.run_in_executor(self._thread, _act, agent, batch)
        except Exception as error:  # any exception of the agent goes to the tables that asked
            for question in questions:
                if not question.answer.done():
                    question.answer.set_exception(error)
            return
        for question, action in zip(questions, actions, strict=True):
            if not question.answer.done():
                question.answer.set_result(action)

    async def advise(self, agent: Agent, batch: DecisionBatch) -> Advice:
        """Return an agent's advice on one decision."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, advise, batch, agent)

    def close(self) -> None:
        """Stop the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _act(agent: Agent, batch: DecisionBatch) -> list[int]:
    return [int(action) for action in decide(agent, batch)]

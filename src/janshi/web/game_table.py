"""One table on the server: a player's seat or none, agents at the others."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.records.live import Story
from janshi.records.model import Game
from janshi.review import options_of
from janshi.review.model import Advice
from janshi.riichi.rules import Rules
from janshi.riichi.state import Phase
from janshi.rollout.driver import Driver, Seating
from janshi.table import DecisionBatch, Tables
from janshi.web.agent_queue import AgentQueue
from janshi.web.messages import Ask, Length, Welcome
from janshi.web.screen import Screen

#: Events that a table may be ahead of what is shown where nobody plays at it.
_AHEAD: Final = 16


class NotNowError(Exception):
    """What a player asks for is not possible; the table is as it was."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """Who sits where, and what is played.

    ``seat`` is the player's, None where ``agents`` sit at every seat; ``seed`` decides the walls; ``pace`` scales the
    pauses (`janshi.web.screen.PAUSES`; 0: none).
    """

    rules: Rules
    length: Length
    names: Sequence[str]
    agents: Mapping[int, Agent]
    seat: int | None
    seed: int
    pace: float = 1.0


class Browser(Protocol):
    """A browser's connection to a table."""

    def end(self, reason: str) -> None:
        """Have the connection ended, for such a reason."""


class GameTable:
    """A table, from its first hand to its last; all methods are called on one event loop.

    ``name`` is what it is called in messages, ``key`` lets a player sit at it. It plays in tasks of its own, whether
    a browser is there or not, and waits where its player has to answer.
    """

    def __init__(self, setup: TableSetup, agents: AgentQueue) -> None:
        self.setup = setup
        self.name = secrets.token_urlsafe(9)
        self.key = secrets.token_urlsafe(18)
        self.screen = Screen(setup.rules, setup.seat, setup.pace)
        self.ask: Ask | None = None
        """The decision that the table waits for."""
        self.decision: DecisionBatch | None = None
        """The last one that the player was asked for."""
        self.failure: str | None = None
        """Why the table cannot go on."""
        self.left_at = time.monotonic()
        """When the last browser went, or the table was opened."""
        self._browsers: set[Browser] = set()
        self._agents = agents
        self.tables = Tables(setup.rules, 1, [setup.seed], auto_reset=False)
        state = cast("NDArray[Any]", self.tables.states)[0]
        self.story = Story(state, setup.rules, setup.names)
        """What has happened at the table, nothing hidden."""
        seats = [setup.agents.get(seat) for seat in range(setup.rules.players)]
        self._driver = Driver(self.tables, Seating.same(seats, 1), next_hands=False)
        self._decisions = 0
        self._answer: asyncio.Future[int] | None = None
        self._next = asyncio.Event()
        self._tasks = [asyncio.create_task(self._play()), asyncio.create_task(self.screen.run())]

    def close(self) -> None:
        """Stop playing."""
        for task in self._tasks:
            task.cancel()

    @property
    def over(self) -> bool:
        """Whether the end of the game has been shown."""
        return self._last_shown() == "end_game"

    @property
    def attended(self) -> bool:
        """Whether any browser is there."""
        return bool(self._browsers)

    def _last_shown(self) -> str:
        return str(self.screen.events[-1]["type"]) if self.screen.events else ""

    # -----------------------------------------------------------------------------------------------------
    # Playing

    async def _play(self) -> None:
        try:
            self.screen.add(self.story.update())
            while not self.tables.over[0]:
                if self.tables.hand_over[0]:
                    await self._begin_next_hand()
                else:
                    await self._decide()
                self.screen.add(self.story.update())
        except Exception as error:  # an agent's: its table cannot go on, and says why
            self.failure = f"this table cannot go on: {error}"
        await self.screen.shown()
        self.screen.wake()

    async def _begin_next_hand(self) -> None:
        if self.setup.seat is not None:
            self._next.clear()
            await self.screen.shown()
            await self._next.wait()
        self.tables.next_hand([0])

    async def _decide(self) -> None:
        """Have the table's actor decide, and take the step."""
        if len(self._driver.open):
            batch = self.tables.decisions([0])
            action = await self._ask(batch)
        else:
            if self.setup.seat is None:
                await self.screen.behind(_AHEAD)
            (question,) = self._driver.questions()
            batch = question.batch
            action = await self._agents.decide(question.agent, batch)
        self._driver.answer(batch, np.array([action]))
        self._driver.step()

    async def _ask(self, batch: DecisionBatch) -> int:
        """Return the player's answer."""
        await self.screen.shown()
        assert self.screen.knowledge is not None
        self.decision = batch
        view = np.asarray(batch.views)[0]
        options = options_of(view, self.setup.rules, np.flatnonzero(batch.legal[0]).tolist())
        discards = [option.tile for option in options if option.name == "discard" and option.tile is not None]
        self._decisions += 1
        self._answer = asyncio.get_running_loop().create_future()
        tenpai = self.screen.knowledge.discards(list(dict.fromkeys(discards)))
        self.ask = Ask(type="ask", number=self._decisions, options=options, discards=tenpai)
        self.screen.send(self.ask.model_dump_json())
        action = await self._answer
        self.screen.answered(int(view["phase"]) == Phase.CLAIM)
        return action

    # -----------------------------------------------------------------------------------------------------
    # Browsers that come and go

    def opens(self, key: str) -> bool:
        """Whether that is the table's key."""
        return secrets.compare_digest(self.key.encode(), key.encode())

    def enter(self, browser: Browser, news: asyncio.Event) -> None:
        """Let a browser in; ``news`` is set with every message. A seat has one browser: the one before must leave."""
        if self.setup.seat is not None:
            for older in self._browsers:
                older.end("this seat has been opened in another window, which has taken it over")
        self._browsers.add(browser)
        self.screen.listeners.add(news)

    def leave(self, browser: Browser, news: asyncio.Event) -> None:
        """Let a browser go; the table stays."""
        self._browsers.discard(browser)
        self.screen.listeners.discard(news)
        self.left_at = time.monotonic()

    # -----------------------------------------------------------------------------------------------------
    # What a browser may ask for

    def welcome(self, received: int) -> Welcome:
        """Return all that has been shown, from event number ``received`` on, and what is waited for."""
        screen, setup = self.screen, self.setup
        first = min(received, len(screen.events))
        return Welcome(
            type="welcome",
            table=self.name,
            seat=setup.seat,
            rules=setup.rules.name,
            length=setup.length,
            players=setup.rules.players,
            names=list(setup.names),
            first=first,
            events=screen.events[first:],
            ask=self.ask,
            own=screen.own,
            pace=screen.watched,
        )

    def act(self, number: int, action: int) -> None:
        """Answer the decision that is waited for. Raises `NotNowError` where that is not possible."""
        ask = self._asked(number)
        if action not in [option.action for option in ask.options]:
            raise NotNowError(f"action {action} is not possible now; {_possible(ask)}")
        assert self._answer is not None
        self._answer.set_result(action)
        self.ask = None

    def _asked(self, number: int) -> Ask:
        """Return what is asked, if it is the decision of that number."""
        if self.ask is None:
            raise NotNowError("the table does not wait for you now")
        if number != self.ask.number:
            raise NotNowError(f"the table waits for the answer to decision {self.ask.number}, not {number}")
        return self.ask

    async def hint(self, number: int, adviser: Agent) -> Advice:
        """Return an agent's advice on the decision that is waited for, from what its seat sees.

        Raises `NotNowError` where it is not that one, or has been answered meanwhile.
        """
        self._asked(number)
        assert self.decision is not None
        advice = await self._agents.advise(adviser, self.decision)
        self._asked(number)
        return advice

    def next_hand(self) -> None:
        """Go on to the next hand. Raises `NotNowError` while one is played, after the last, and where nobody plays."""
        if self.setup.seat is None:
            raise NotNowError("a watched table goes on by itself")
        if self._last_shown() != "end_kyoku":
            raise NotNowError("the game is over" if self.over else "the hand is not over")
        self._next.set()

    def set_pace(self, paused: bool | None, seconds: float | None, step: bool) -> None:
        """Change how fast a watched table goes. Raises `NotNowError` at a table where somebody plays."""
        if self.setup.seat is not None:
            raise NotNowError("only tables that are watched have a pace")
        self.screen.set_pace(paused, seconds, step)

    def game(self) -> Game:
        """Return the record of the game. Raises `NotNowError` before its end has been shown."""
        if not self.over:
            raise NotNowError("the record can be had when the game is over")
        return self.story.game(f"janshi-{self.name}", "janshi play")


def _possible(ask: Ask) -> str:
    """Return in words what may be done."""
    words = sorted({f"{option.name.replace('_', ' ')} {option.tile or ''}".strip() for option in ask.options})
    return f"possible are: {', '.join(words)}"

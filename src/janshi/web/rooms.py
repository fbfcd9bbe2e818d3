"""One table on the server: a player's seat or none, agents at the others."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from janshi.agents.protocol import Agent
from janshi.engine.state import CLAIM, GAME_OVER, HAND_OVER
from janshi.records.live import Story
from janshi.records.model import Game
from janshi.review import options_of
from janshi.review.model import Advice
from janshi.rules import Rules
from janshi.table import Tables
from janshi.web.deciders import Deciders
from janshi.web.messages import Ask, Length, Welcome
from janshi.web.screen import Screen

_ONLY: Final = np.zeros(1, np.int64)
#: Events that a table may be ahead of what is shown where nobody plays at it.
_AHEAD: Final = 16


class NotNowError(Exception):
    """What a player asks for is not possible; the table is as it was."""


@dataclass(frozen=True, slots=True)
class Seating:
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
    """Somebody who looks at a table."""

    def end(self, reason: str) -> None:
        """Be told that one has to leave, and why."""


class Room:
    """A table, from its first hand to its last; all methods are called on one event loop.

    ``name`` is what it is called in messages, ``key`` lets somebody sit at it. It plays in tasks of its own, whether
    anybody is there or not, and waits where its player has to answer.
    """

    def __init__(self, seating: Seating, deciders: Deciders) -> None:
        self.seating = seating
        self.name = secrets.token_urlsafe(9)
        self.key = secrets.token_urlsafe(18)
        self.screen = Screen(seating.rules, seating.seat, seating.pace)
        self.ask: Ask | None = None
        """The decision that the table waits for."""
        self._asked_view: Any = None
        self._asked_legal: Any = None
        self.failure: str | None = None
        """Why the table cannot go on."""
        self.left_at = time.monotonic()
        """When the last browser went, or the table was opened."""
        self._browsers: set[Browser] = set()
        self._deciders = deciders
        self._table = Tables(seating.rules, 1, [seating.seed], auto_reset=False)
        self._state: Any = np.asarray(self._table.states)[0]
        self._story = Story(self._state, seating.rules, seating.names)
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
            self.screen.tell(self._story.update())
            while int(self._state["phase"]) != GAME_OVER:
                if int(self._state["phase"]) == HAND_OVER:
                    await self._go_on()
                else:
                    self._table.step([await self._decide(int(self._state["actor"]))])
                self.screen.tell(self._story.update())
        except Exception as error:  # an agent's: its table cannot go on, and says why
            self.failure = f"this table cannot go on: {error}"
        await self.screen.shown()
        self.screen.wake()

    async def _go_on(self) -> None:
        if self.seating.seat is not None:
            self._next.clear()
            await self.screen.shown()
            await self._next.wait()
        self._table.next_hand(_ONLY)

    async def _decide(self, seat: int) -> int:
        if seat == self.seating.seat:
            return await self._ask(seat)
        if self.seating.seat is None:
            await self.screen.room(_AHEAD)
        return await self._deciders.decide(self.seating.agents[seat], self._table)

    async def _ask(self, seat: int) -> int:
        await self.screen.shown()
        assert self.screen.knowledge is not None
        self._asked_view, self._asked_legal = np.asarray(self._table.views(_ONLY, [seat])), self._table.legal()
        view = self._asked_view[0]
        options = options_of(view, self.seating.rules, np.flatnonzero(self._asked_legal[0]).tolist())
        tiles = list(dict.fromkeys(one.tile for one in options if one.name == "discard" and one.tile is not None))
        self._decisions += 1
        self._answer = asyncio.get_running_loop().create_future()
        discards = self.screen.knowledge.discards(tiles)
        self.ask = Ask(type="ask", number=self._decisions, options=options, discards=discards)
        self.screen.say(self.ask.model_dump_json())
        action = await self._answer
        self.screen.answered(int(view["phase"]) == CLAIM)
        return action

    # -----------------------------------------------------------------------------------------------------
    # Who is there

    def opens(self, key: str) -> bool:
        """Whether that is the table's key."""
        return secrets.compare_digest(self.key.encode(), key.encode())

    def enter(self, browser: Browser, news: asyncio.Event) -> None:
        """Let a browser in; ``news`` is set whenever something is said. A seat has one: the one before must leave."""
        if self.seating.seat is not None:
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

    def welcome(self, had: int) -> Welcome:
        """Return all that has been shown, from one event on, and what is waited for."""
        screen, seating = self.screen, self.seating
        first = min(had, len(screen.events))
        return Welcome(
            type="welcome",
            table=self.name,
            seat=seating.seat,
            rules=seating.rules.name,
            length=seating.length,
            players=seating.rules.players,
            names=list(seating.names),
            first=first,
            events=screen.events[first:],
            ask=self.ask,
            own=screen.own,
            pace=screen.watched,
        )

    def act(self, number: int, action: int) -> None:
        """Answer the decision that is waited for. Raises `NotNowError` where that is not possible."""
        ask = self._asked(number)
        if action not in [one.action for one in ask.options]:
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
        """Return what an agent says of the decision that is waited for, from what its seat sees.

        Raises `NotNowError` where it is not that one, or has been answered meanwhile.
        """
        self._asked(number)
        advice = await self._deciders.advise(adviser, self._asked_view, self._asked_legal)
        self._asked(number)
        return advice

    def next_hand(self) -> None:
        """Go on to the next hand. Raises `NotNowError` while one is played, after the last, and where nobody plays."""
        if self.seating.seat is None:
            raise NotNowError("a watched table goes on by itself")
        if self._last_shown() != "end_kyoku":
            raise NotNowError("the game is over" if self.over else "the hand is not over")
        self._next.set()

    def set_pace(self, paused: bool | None, seconds: float | None, step: bool) -> None:
        """Change how fast a watched table goes. Raises `NotNowError` at a table where somebody plays."""
        if self.seating.seat is not None:
            raise NotNowError("only tables that are watched have a pace")
        self.screen.set_pace(paused, seconds, step)

    def game(self) -> Game:
        """Return the record of the game. Raises `NotNowError` before its end has been shown."""
        if not self.over:
            raise NotNowError("the record can be had when the game is over")
        return self._story.game(f"janshi-{self.name}", "janshi play")


def _possible(ask: Ask) -> str:
    """Say what may be done, as far as a line holds it."""
    words = sorted({f"{one.name.replace('_', ' ')} {one.tile or ''}".strip() for one in ask.options})
    return f"possible are: {', '.join(words)}"

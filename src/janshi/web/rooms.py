"""Tables that live on the server: one player or none, agents at the other seats.

The table plays ahead of what is shown, as far as it needs nobody's answer, and its events are released one by one.
How long it is from one to the next depends on what the first one shows and on nothing else (`PAUSES`): whether an
agent was asked about a discard, and how many, cannot be read off the clock. A player's own answer is shown at once.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from janshi.agents.protocol import Agent
from janshi.engine.state import GAME_OVER, HAND_OVER
from janshi.records.live import Story, seen_by
from janshi.records.model import Game
from janshi.rules import Rules
from janshi.table import Tables
from janshi.web.deciders import Deciders
from janshi.web.knowledge import Knowledge
from janshi.web.messages import Ask, Happened, Own, Pace, Welcome
from janshi.web.options import options_of

#: Seconds after each kind of event before the next one is shown, at a pace of one. What follows a discard without
#: anybody's doing (a riichi stick, an indicator) follows at once.
PAUSES: Final = {
    **{"start_kyoku": 1.0, "tsumo": 0.6, "dahai": 0.6, "reach": 0.6},
    **{"chi": 0.9, "pon": 0.9, "daiminkan": 0.9, "ankan": 0.9, "kakan": 0.9, "nukidora": 0.9},
}
_FIRST: Final = np.zeros(1, np.int64)
#: Events that a table may be ahead of what is shown while nobody plays at it.
_AHEAD: Final = 16


class NotNowError(Exception):
    """What a player asks for is not possible; the table is as it was."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where, and what is played.

    ``seat`` is the player's, None where agents sit at every seat; ``pace`` scales `PAUSES` (0: no pauses).
    """

    rules: Rules
    length: str
    names: Sequence[str]
    agents: Mapping[int, Agent]
    seat: int | None
    seed: int
    pace: float = 1.0


@dataclass(eq=False)
class Room:
    """One table. ``run`` plays it; everything else may be called on the same event loop only."""

    seating: Seating
    deciders: Deciders
    name: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    key: str = field(default_factory=lambda: secrets.token_urlsafe(18))

    def __post_init__(self) -> None:
        rules, seat = self.seating.rules, self.seating.seat
        self.table = Tables(rules, 1, [self.seating.seed], auto_reset=False)
        self.story = Story(self._state, rules, self.seating.names)
        self.said: list[str] = []
        """Every message to the seat so far, as JSON."""
        self.events: list[dict[str, Any]] = []
        """Events shown so far, as the seat sees them."""
        self.ask: Ask | None = None
        self.own: Own | None = None
        self.pace = Pace(type="pace", paused=False, seconds=0.5) if seat is None else None
        self.wakers: set[asyncio.Event] = set()
        """Set whenever something has been said."""
        self.failure: str | None = None
        self._knowledge = None if seat is None else Knowledge(rules, seat)
        self._pending: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._decisions = 0
        self._answer: asyncio.Future[int] | None = None
        self._go_on = asyncio.Event()
        self._step = asyncio.Event()
        self._due = 0.0
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def _state(self) -> Any:
        return np.asarray(self.table.states)[0]

    @property
    def over(self) -> bool:
        """Whether the game is over and its end has been shown."""
        return bool(self.events) and self.events[-1]["type"] == "end_game"

    # -----------------------------------------------------------------------------------------------------
    # Playing

    def start(self) -> None:
        """Begin to play, on the event loop that runs."""
        self._tasks = [asyncio.create_task(self._play()), asyncio.create_task(self._show())]

    def close(self) -> None:
        """Stop playing."""
        for task in self._tasks:
            task.cancel()

    async def _play(self) -> None:
        try:
            self._tell()
            while int(self._state["phase"]) != GAME_OVER:
                if int(self._state["phase"]) == HAND_OVER:
                    await self._wait_for_next()
                    self.table.next_hand(_FIRST)
                else:
                    self.table.step([await self._decide(int(self._state["actor"]))])
                self._tell()
        except Exception as error:  # an agent's: its table cannot go on, and says why
            await self._pending.join()
            self.failure = f"this table cannot go on: {error}"
            self._wake()

    async def _decide(self, seat: int) -> int:
        if seat == self.seating.seat:
            await self._pending.join()
            return await self._ask_player(seat)
        while self.seating.seat is None and self._pending.qsize() > _AHEAD:
            await self._pending.join()
        return await self.deciders.decide(self.seating.agents[seat], self.table)

    async def _ask_player(self, seat: int) -> int:
        knowledge = self._knowledge
        assert knowledge is not None
        legal = np.flatnonzero(self.table.legal()[0]).tolist()
        view = np.asarray(self.table.views(_FIRST, [seat]))[0]
        options = options_of(view, self.seating.rules, legal)
        tiles = list(dict.fromkeys(one.tile for one in options if one.name == "discard" and one.tile is not None))
        self._decisions += 1
        self._answer = asyncio.get_running_loop().create_future()
        self.ask = Ask(type="ask", number=self._decisions, options=options, discards=knowledge.discards(tiles))
        self._say(self.ask.model_dump_json())
        try:
            return await self._answer
        finally:
            self.ask = self._answer = None
            # What the player has just done is shown at once.
            self._due = asyncio.get_running_loop().time()

    async def _wait_for_next(self) -> None:
        await self._pending.join()
        if self.seating.seat is not None:
            self._go_on.clear()
            await self._go_on.wait()

    def _tell(self) -> None:
        for event in self.story.update():
            self._pending.put_nowait(event)

    # -----------------------------------------------------------------------------------------------------
    # Showing

    async def _show(self) -> None:
        loop = asyncio.get_running_loop()
        self._due = loop.time()
        while True:
            event = await self._pending.get()
            while (wait := self._due - loop.time()) > 0:
                await asyncio.sleep(wait)
            if self.pace is not None and self.pace.paused:
                await self._step.wait()
                self._step.clear()
            self._release(event)
            self._due = max(self._due, loop.time()) + self._pause(event["type"])
            self._pending.task_done()

    def _pause(self, kind: str) -> float:
        if self.pace is not None:
            return 8 * self.pace.seconds if kind == "end_kyoku" else self.pace.seconds
        return PAUSES.get(kind, 0.0) * self.seating.pace

    def _release(self, event: dict[str, Any]) -> None:
        seat = self.seating.seat
        seen = event if seat is None else seen_by(event, seat)
        self.events.append(seen)
        self._say(Happened(type="happened", first=len(self.events) - 1, events=[seen]).model_dump_json())
        if self._knowledge is not None:
            self._knowledge.follow(seen)
            own = self._knowledge.own()
            if own != self.own:
                self.own = own
                self._say(own.model_dump_json())

    def _say(self, message: str) -> None:
        self.said.append(message)
        self._wake()

    def _wake(self) -> None:
        for waker in self.wakers:
            waker.set()

    # -----------------------------------------------------------------------------------------------------
    # What a player may ask for

    def welcome(self, had: int) -> Welcome:
        """Return all that has been shown, from one event on, and what is waited for."""
        first = min(had, len(self.events))
        return Welcome(
            type="welcome",
            table=self.name,
            seat=self.seating.seat,
            rules=self.seating.rules.name,
            length=self.seating.length,  # type: ignore[arg-type]
            players=self.seating.rules.players,
            names=list(self.seating.names),
            first=first,
            events=self.events[first:],
            ask=self.ask,
            own=self.own,
            pace=self.pace,
        )

    def act(self, number: int, action: int) -> None:
        """Answer the decision that is waited for. Raises `NotNowError` where that is not possible."""
        if self.ask is None or self._answer is None or self._answer.done():
            raise NotNowError("the table does not wait for you now")
        if number != self.ask.number:
            raise NotNowError(
                f"decision {number} is over or not asked: the table waits for the answer to {self.ask.number}"
            )
        if action not in [one.action for one in self.ask.options]:
            raise NotNowError(f"action {action} is not possible now: {_possible(self.ask)}")
        self._answer.set_result(action)

    def next_hand(self) -> None:
        """Go on to the next hand. Raises `NotNowError` while one is played or after the last."""
        if self.over:
            raise NotNowError("the game is over")
        if not self.events or self.events[-1]["type"] != "end_kyoku":
            raise NotNowError("the hand is not over")
        self._go_on.set()

    def set_pace(self, paused: bool | None, seconds: float | None, step: bool) -> None:
        """Change how fast a watched table goes. Raises `NotNowError` at a table where somebody plays."""
        if self.pace is None:
            raise NotNowError("only tables that are watched have a pace")
        now = self.pace
        changed = Pace(
            type="pace",
            paused=now.paused if paused is None else paused,
            seconds=now.seconds if seconds is None else seconds,
        )
        if step or not changed.paused:
            self._step.set()
        if changed != now:
            self.pace = changed
            self._due = min(self._due, asyncio.get_running_loop().time() + changed.seconds)
            self._say(changed.model_dump_json())

    def game(self) -> Game:
        """Return the record of the game. Raises `NotNowError` before its end has been shown."""
        if not self.over:
            raise NotNowError("the record can be had when the game is over")
        return self.story.game(f"janshi-{self.name}", "janshi play")


def _possible(ask: Ask) -> str:
    words = {f"{one.name.replace('_', ' ')}{'' if one.tile is None else f' {one.tile}'}" for one in ask.options}
    return f"possible are {', '.join(sorted(words))}"

"""One table on the server, with at most one human player and agents in the other seats."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError
from janshi.core.places import final_ranks
from janshi.games import game_of
from janshi.records import GameStory, formats_of, recorder_of, write_games
from janshi.review import review_of
from janshi.review.advising import question_of
from janshi.review.model import Advice, Option
from janshi.rollout.driver import Driver, Seating
from janshi.table import DecisionBatch, Tables
from janshi.web.agent_queue import AgentQueue
from janshi.web.bots import TableBots
from janshi.web.history import FinishedGame, StoredHand
from janshi.web.messages import Ask, Cause, Choose, Own, PlainOption, Welcome
from janshi.web.pages import page_of
from janshi.web.plain import PlainStory, seen_by
from janshi.web.screen import Screen, SeenBy
from janshi.web.storage import NEXT, OVER, Choice, Journal, KeptTable, StorageError, digest

#: Choices replayed between two turns of the event loop.
_AT_ONCE: Final = 16
#: Maximum number of events by which a watched table may be ahead of its display.
_AHEAD: Final = 16


class NotNowError(Exception):
    """A request that is impossible at the moment; the table has not changed."""


class NoTableError(Exception):
    """The table does not exist, or the visitor has no access to it."""

    def __init__(self, reason: str, cause: Cause) -> None:
        super().__init__(reason)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class TableSetup:
    """Seats and rules of a table.

    ``seat`` is the player's seat, None if agents have every seat. ``seed`` determines the walls. ``pace`` scales the
    pauses (`janshi.web.screen.PAUSES`; 0: none). ``record`` is the record (1) of a table at which a hand is in
    progress; None: a new game.
    """

    rules: Any
    """Rules of a game with a page (`janshi.web.pages`)."""
    length: str
    names: Sequence[str]
    agents: Mapping[int, Agent]
    seat: int | None
    seed: int
    pace: float = 1.0
    record: NDArray[Any] | None = None


class Browser(Protocol):
    """A browser's connection to a table."""

    def end(self, reason: str, cause: Cause) -> None:
        """End the connection for a reason."""


class ServedTable:
    """A table from its first hand to its last; all methods must be called on one event loop.

    ``name`` appears in messages. ``about`` contains the digest of the key that gives access to the seat. After `start`
    the table plays in its own tasks, with or without a browser, and waits for its player's answers. Each choice is
    written to the ``journal`` before the table continues. ``keep`` receives the player's game at its end.
    """

    def __init__(
        self,
        setup: TableSetup,
        agents: AgentQueue,
        name: str,
        about: KeptTable,
        journal: Journal | None = None,
        keep: Callable[[FinishedGame], Awaitable[None]] | None = None,
    ) -> None:
        self.setup = setup
        self.page, self.reviewing = page_of(setup.rules), review_of(setup.rules)
        self.name = name
        self.about = about
        self._journal = journal
        self.ask: Ask | Choose | None = None
        """The player's open decision."""
        self.decision: DecisionBatch | None = None
        """The player's last decision."""
        self.failure: str | None = None
        """Error that ended the table."""
        self.left_at = time.monotonic()
        """Monotonic time at which the last browser left, or the table was opened."""
        self.moved_at = time.time()
        """Time of the last choice, in seconds since 1970."""
        self._browsers: set[Browser] = set()
        self._agents = agents
        self.tables = Tables(setup.rules, 1, [setup.seed], auto_reset=False)
        if setup.record is not None:
            np.asarray(self.tables.states)[:] = setup.record
        self.story, seen_by = story_of(self.tables, setup.names, setup.seat)
        """Events of the table, including hidden information."""
        self.screen = Screen(seen_by, setup.seat, setup.pace)
        self._bots = TableBots(setup.agents, seen_by, f"janshi-{name}")
        seats = [setup.agents.get(seat) for seat in range(setup.rules.players)]
        self.hands: list[StoredHand] = []
        """Results of the player's finished hands."""
        self._keep = keep
        self._points = 0 if setup.seat is None else int(self.tables.scores[0, setup.seat])
        observers = [self.story] if isinstance(self.story, PlainStory) else []
        self._driver = Driver(self.tables, Seating.same(seats, 1), observers, next_hands=False)
        self._decisions = 0
        self._answer: asyncio.Future[int] | None = None
        self._next = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin or resume play."""
        self._tasks = [asyncio.create_task(self._play()), asyncio.create_task(self.screen.run())]

    def close(self) -> None:
        """Stop playing."""
        for task in self._tasks:
            task.cancel()
        self._bots.close()
        if self._journal is not None:
            self._journal.close()

    async def replay(self, choices: Sequence[Choice]) -> None:
        """Show the events so far, and replay earlier choices, without pauses; must be called before `start`.

        Raises `StorageError` if the rules do not allow a choice.
        """
        self.screen.show_at_once(self._new_events())
        for number, choice in enumerate(choices):
            try:
                self._choose_again(choice)
            except (AgentError, ValueError):
                raise StorageError("this game was begun by another version of Janshi and cannot be resumed") from None
            self.screen.show_at_once(self._new_events())
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)  # let other tables play

    def _choose_again(self, choice: Choice) -> None:
        if choice == OVER:
            return
        if (choice == NEXT) != bool(self.tables.hand_over[0]) or self.tables.over[0]:
            raise ValueError(choice)
        if choice == NEXT:
            self.tables.next_hand([0])
        else:
            self._decisions += len(self._driver.open)
            self._driver.answer(self.tables.decisions([0]), np.array([choice]))
            self._driver.step()
            self._count_hand()

    def _count_hand(self) -> None:
        """Add the results of a hand that has just ended."""
        seat = self.setup.seat
        if seat is None or not (self.tables.hand_over[0] or self.tables.over[0]):
            return
        outcomes = self.tables.game.outcomes(np.asarray(self.tables.states))
        points = int(self.tables.scores[0, seat])
        self.hands.append(
            StoredHand(
                won=bool(outcomes.won[0, seat]),
                self_drawn=bool(outcomes.self_drawn[0, seat]),
                dealt_in=bool(outcomes.dealt_in[0, seat]),
                value=int(outcomes.value[0, seat]) if outcomes.won[0, seat] else 0,
                change=points - self._points,
                habits={name: bool(happened[0, seat]) for name, happened in outcomes.habits.items()},
            )
        )
        self._points = points

    def finished(self) -> FinishedGame:
        """Return the finished game of the table's player."""
        seat, rules = self.setup.seat, self.setup.rules
        assert seat is not None, "spectators have no history"
        recorded = not isinstance(self.story, PlainStory)
        text = write_games([self.record()], self.reviewing.format or recorder_of(rules).format)[0] if recorded else ""
        return FinishedGame(
            id=self.name,
            ended=self.moved_at,
            game=self.tables.game.name,
            rules=rules.name,
            length=self.setup.length,
            seat=seat,
            names=self.setup.names,
            place=int(final_ranks(self.tables.scores)[0, seat]),
            points=int(self.tables.scores[0, seat]),
            record=text,
            hands=self.hands,
        )

    def _note(self, choice: Choice) -> None:
        """Write a choice to the journal."""
        self.moved_at = time.time()
        if self._journal is not None:
            self._journal.add(choice)

    @property
    def over(self) -> bool:
        """True if the end of the game has been shown."""
        return self._last_shown() == "end_game"

    @property
    def attended(self) -> bool:
        """True if a browser is connected."""
        return bool(self._browsers)

    def _last_shown(self) -> str:
        return str(self.screen.events[-1]["type"]) if self.screen.events else ""

    # -----------------------------------------------------------------------------------------------------
    # Playing

    async def _play(self) -> None:
        try:
            self.screen.add(self._new_events())
            while not self.tables.over[0]:
                if self.tables.hand_over[0]:
                    await self._begin_next_hand()
                else:
                    await self._decide()
                self.screen.add(self._new_events())
            self._note(OVER)
        except Exception as error:  # an agent's exception ends its table
            self.failure = f"this table has stopped: {error}"
        await self.screen.shown()
        self.screen.wake()
        if self._keep is not None and self.setup.seat is not None and self.over:
            await self._keep(self.finished())

    def _new_events(self) -> list[tuple[dict[str, Any], Own | None]]:
        """Return the events since the last call, which the table's bots hear, and what the seat knows after each."""
        events = self.story.update()
        self._bots.hear(events)
        known = self.story.own[-len(events) :] if events else []
        return [(event, Own(type="own", **own) if own else None) for event, own in zip(events, known, strict=True)]

    async def _begin_next_hand(self) -> None:
        if self.setup.seat is not None:
            self._next.clear()
            await self.screen.shown()
            await self._next.wait()
        self._note(NEXT)
        self.tables.next_hand([0])

    async def _decide(self) -> None:
        """Get the actor's decision, and execute it."""
        if len(self._driver.open):
            batch = self.tables.decisions([0])
            action = await self._ask(batch)
        else:
            if self.setup.seat is None:
                await self.screen.behind(_AHEAD)
            (question,) = self._driver.questions()
            batch = question.batch
            deciding = self._bots if question.agent in self._bots else self._agents
            action = await deciding.decide(question.agent, batch)
        self._driver.answer(batch, np.array([action]))
        self._note(action)
        self._driver.step()
        self._count_hand()

    async def _ask(self, batch: DecisionBatch) -> int:
        """Return the player's answer."""
        await self.screen.shown()
        self.decision = batch
        self._decisions += 1
        self._answer = asyncio.get_running_loop().create_future()
        self.ask = _question(self._decisions, batch)
        self.screen.send(self.ask.model_dump_json())
        action = await self._answer
        self.screen.answered(int(np.asarray(batch.views)[0]["phase"]) == self.page.claim)
        return action

    # -----------------------------------------------------------------------------------------------------
    # Browsers

    def opens(self, key: str) -> bool:
        """Return whether the key is the table's."""
        return secrets.compare_digest(self.about.key, digest(key))

    def enter(self, browser: Browser, news: asyncio.Event) -> None:
        """Add a browser; ``news`` is set with every message. The previous browser of a seat is disconnected."""
        if self.setup.seat is not None:
            for older in self._browsers:
                older.end("this seat has been opened in another window", "taken_over")
        self._browsers.add(browser)
        self.screen.listeners.add(news)

    def leave(self, browser: Browser, news: asyncio.Event) -> None:
        """Remove a browser; the table continues."""
        self._browsers.discard(browser)
        self.screen.listeners.discard(news)
        self.left_at = time.monotonic()

    # -----------------------------------------------------------------------------------------------------
    # Requests of browsers

    def welcome(self, received: int) -> Welcome:
        """Return the events shown so far, from number ``received`` on, and the open decision.

        All events are returned if the browser has more of them: the server was restarted and has not caught up.
        """
        screen, setup = self.screen, self.setup
        first = received if received <= len(screen.events) else 0
        return Welcome(
            type="welcome",
            table=self.name,
            seat=setup.seat,
            game=game_of(setup.rules).name,
            formats=list(formats_of(game_of(setup.rules).name)),
            reviews=self.reviewing.decisions is not None,
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
        """Answer the open decision. Raises `NotNowError` if that is impossible."""
        ask = self._asked(number)
        if action not in [option.action for option in ask.options]:
            raise NotNowError(f"action {action} is not possible now; {_possible(ask)}")
        assert self._answer is not None
        self._answer.set_result(action)
        self.ask = None

    def _asked(self, number: int) -> Ask | Choose:
        """Return the open decision. Raises `NotNowError` if it has another number, or none is open."""
        if self.ask is None:
            raise NotNowError("the table is not waiting for you now")
        if number != self.ask.number:
            raise NotNowError(f"the table waits for the answer to decision {self.ask.number}, not {number}")
        return self.ask

    async def hint(self, number: int, adviser: Agent) -> Advice:
        """Return an agent's advice on the open decision, from the seat's view.

        Raises `NotNowError` if another decision is open, or this one has been answered meanwhile.
        """
        if isinstance(self._asked(number), Choose):
            raise NotNowError("there are no hints for this game")
        assert self.decision is not None
        advice = await self._agents.advise(adviser, self.decision)
        self._asked(number)
        return advice

    def next_hand(self) -> None:
        """Begin the next hand. Raises `NotNowError` during a hand, after the last one, and at a watched table."""
        if self.setup.seat is None:
            raise NotNowError("a watched table continues automatically")
        if self._last_shown() != "end_kyoku":
            raise NotNowError("the game is over" if self.over else "the hand is not over")
        self._next.set()

    def set_pace(self, paused: bool | None, seconds: float | None, step: bool) -> None:
        """Change the pace of a watched table. Raises `NotNowError` at a table with a player."""
        if self.setup.seat is not None:
            raise NotNowError("only watched tables have a pace")
        self.screen.set_pace(paused, seconds, step)

    def record(self) -> Any:
        """Return the record of the game. Raises `NotNowError` before the end has been shown, and without a recorder."""
        if isinstance(self.story, PlainStory):
            raise NotNowError("this game has no records")
        if not self.over:
            raise NotNowError("the record is available after the end of the game")
        return self.story.game(f"janshi-{self.name}", "janshi play")


def story_of(tables: Tables, names: Sequence[str], seat: int | None) -> tuple[GameStory | PlainStory, SeenBy]:
    """Return the events of a table, including hidden information, and the function that hides it from a seat."""
    if "recorder" not in tables.game.facets:
        return PlainStory(tables, names), seen_by
    recorder = recorder_of(tables.rules)
    return recorder.story(cast("NDArray[Any]", tables.states)[0], tables.rules, names, seat), recorder.seen_by


def _question(number: int, batch: DecisionBatch) -> Ask | Choose:
    """Return the first decision of a batch as a question with that number."""
    if "say" in batch.game.facets:
        return Ask(type="ask", number=number, **question_of(batch))
    legal = np.flatnonzero(batch.legal[0]).tolist()
    options = [PlainOption(action=action, text=batch.game.action_text(action)) for action in legal]
    return Choose(type="choose", number=number, options=options)


def _possible(ask: Ask | Choose) -> str:
    """Describe the legal actions."""
    return f"possible actions: {', '.join(sorted(set(map(_text_of, ask.options))))}"


def _text_of(option: Option | PlainOption) -> str:
    if isinstance(option, PlainOption):
        return option.text
    return f"{option.name.replace('_', ' ')} {option.tile or ''}".strip()

"""External bots as an agent: it forwards the events of its seats and plays the bots' answers.

The name of a bot is one of

* ``mjai:COMMAND``: a program that reads lists of events, one list a line up to its next decision, and answers each line
  with one;
* ``mjai-lines:COMMAND``: the same with one event a line, each of them answered;
* ``mjai+tcp:HOST:PORT`` or ``mjai+tcp:HOST:PORT/ROOM``: bots that connect to this address; one event a line, each
  answered except `end_game`;
* ``NAME=`` before any of these sets the name in results.

The agent is a `janshi.agents.protocol.Listener`: matches pass it the events of its tables. Bots therefore meet all
other agents in ordinary matches, on the same walls, with the same results, records and figures.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import THREE_OR_FOUR, AgentError, FaultExample, Faults
from janshi.mjai.bot import address_of, to_line
from janshi.mjai.events import MjaiError
from janshi.mjai.link import (
    DIED,
    GARBAGE,
    ILLEGAL,
    SILENT,
    START,
    BotError,
    BotSource,
    Link,
    ProcessSource,
    SocketSource,
    one_line,
)
from janshi.mjai.moves import cannot_discard, possible_actions, read_action
from janshi.mjai.names import ALIAS
from janshi.riichi.game import RIICHI
from janshi.riichi.rules import Rules
from janshi.table import DecisionBatch

_PROCESS: Final = "mjai:"
_LINES: Final = "mjai-lines:"
_TCP: Final = "mjai+tcp:"
#: Consecutive failed starts after which a bot is given up.
_STARTS: Final = 2
#: Seconds to wait once for each bot's answer to the end of a game; not all bots answer.
_END: Final = 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a bot; times in seconds."""

    start: float = 60.0
    """Time for the answer to `start_game`."""
    answer: float = 5.0
    """Time for each decision."""
    faults: int = 10
    """Maximum number of faults; the next one disqualifies the bot."""
    tables: int = 1
    """Maximum number of tables, each with its bot."""


@dataclass(slots=True)
class _BotSeat:
    """A seat at a table, and its bot in this game."""

    table: int
    seat: int
    start: dict[str, Any]
    """The `start_game` event of this game."""
    link: Link | None = None
    waits_until: float = 0.0
    """Deadline of the answer to `start_game`; 0 after the answer."""
    unsent: list[dict[str, Any]] = field(default_factory=list)
    """Events not yet sent to the bot."""
    game: str = ""
    """Name of the game for reports."""
    hand: str = ""
    """Hand in progress: see `FaultExample`."""
    turn: int = 0
    """Number of tiles that the seat has drawn in this hand."""
    asked: str = ""
    """The event to answer, as it was sent."""
    asked_at: float = 0.0
    """Time at which it was sent."""


class MjaiAgent:
    """Agent of external bots: see the module.

    Raises `AgentError` for an invalid name, and in a match if its bot never starts. The agent holds processes and
    connections: close it, or use it in a ``with`` statement.

    >>> import sys
    >>> from janshi.arena import play_match
    >>> from janshi.agents import agent
    >>> from janshi.riichi.rules import preset
    >>> with MjaiAgent(f"mjai:{sys.executable} -c 'while input(): print(0, flush=True)'") as bot:
    ...     match = play_match([bot, *[agent("random")] * 2], preset("tenhou-sanma-hand"), walls=1)
    >>> bot.faults().counts["garbage"] > 0, match.walls
    (True, 1)
    """

    players = THREE_OR_FOUR

    def __init__(self, name: str, limits: Limits | None = None) -> None:
        alias = ALIAS.match(name)
        self.name = name if alias is None else alias[1]
        self.limits = limits or Limits()
        self._source = _source(name if alias is None else name[alias.end() :])
        self._seats: dict[tuple[int, int], _BotSeat] = {}
        self._free: list[Link] = []  # bots between games
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, FaultExample] = {}
        self._games: dict[tuple[int, int], str] = {}
        self._decisions = self._defaults = 0
        self._answers, self._seconds, self._longest = 0, 0.0, 0.0
        self._failed_starts = 0
        self._has_begun = False  # a bot has answered the start of a game
        self._given_up = False

    def __enter__(self) -> MjaiAgent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def most_tables(self) -> int:
        """See `janshi.agents.protocol.Listener`."""
        return self.limits.tables

    @property
    def port(self) -> int | None:
        """The port for bots that connect by TCP; None for other bots."""
        return int(self._source.address[1]) if isinstance(self._source, SocketSource) else None

    def close(self) -> None:
        """End all bots and their processes."""
        self._source.close()
        self._end_all()
        self._seats.clear()

    def faults(self) -> Faults:
        """Return the faults of the bot so far."""
        counts = {kind: self._counts[kind] for kind in sorted(self._counts)}
        return Faults(
            counts,
            list(self._examples.values()),
            self._decisions,
            self._defaults,
            self._given_up,
            answers=self._answers,
            seconds=self._seconds,
            longest_seconds=self._longest,
        )

    # -------------------------------------------------------------------------------------------------------
    # Events

    def begin(self, table: int, seat: int, game: str) -> None:
        """See `janshi.agents.protocol.Reporter`."""
        self._games[table, seat] = game

    def hear(self, table: int, seat: int, events: Sequence[dict[str, Any]]) -> None:
        """See `janshi.agents.protocol.Listener`."""
        for event in events:
            if event["type"] == "start_game":
                self._start_game(table, seat, event)
                continue
            bot = self._seats[table, seat]
            bot.unsent.append(event)
            if event["type"] == "start_kyoku":
                bot.hand, bot.turn = f"{event['bakaze']}{event['kyoku']}-{event['honba']}", 0
            bot.turn += event["type"] == "tsumo" and event["actor"] == seat
            if event["type"] == "end_game":
                self._end_game(bot)

    def _start_game(self, table: int, seat: int, start: dict[str, Any]) -> None:
        before = self._seats.pop((table, seat), None)
        if before is not None:  # an aborted game
            self._let_go(before)
        bot = self._seats[table, seat] = _BotSeat(table, seat, start, game=self._games.pop((table, seat), ""))
        if self._given_up:
            return
        bot.link = next((link for link in self._free if self._source.fits(link.seat, seat)), None)
        if bot.link is not None:
            self._free.remove(bot.link)
        self._start(bot, new=bot.link is None)

    def _start(self, bot: _BotSeat, new: bool) -> None:
        """Assign a free or new bot to the seat and send it the start of a game."""
        bot.waits_until = time.monotonic() + self.limits.start
        try:
            if new:
                bot.link = self._source.open(bot.seat, bot.waits_until)
                bot.link.seat = bot.seat
            if bot.link is not None:
                self._send(bot.link, [bot.start])
        except BotError as error:
            self._fault(bot, error, START)

    def _end_game(self, bot: _BotSeat) -> None:
        """Send the end of the game and free the bot for the next one."""
        del self._seats[bot.table, bot.seat]
        if bot.link is None:
            return
        if bot.waits_until:
            self._await_start(bot)
        link = bot.link
        if link is None:
            return
        try:
            if self._send(link, bot.unsent):
                self._await_end(link)
        except BotError as error:
            if error.kind != DIED:
                self._fault(bot, error)
                return
        self._free.append(link)

    def _await_end(self, link: Link) -> None:
        unknown = link.answers_end is None
        try:
            link.receive(time.monotonic() + (min(_END, self.limits.answer) if unknown else self.limits.answer))
            link.answers_end = link.answers_end is not False
        except BotError as error:
            if error.kind != SILENT or not unknown:
                raise
            link.answers_end = False
            link.forget()

    # -------------------------------------------------------------------------------------------------------
    # Decisions

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return the bots' actions (n, int16); all questions are sent before the first answer is awaited.

        Raises `AgentError` if a seat has received no event of its game.
        """
        views = np.asarray(batch.views)
        try:
            bots = [
                self._seats[int(table), int(seat)] for table, seat in zip(batch.tables, batch.seats, strict=True)
            ]
        except KeyError as error:
            table, seat = error.args[0]
            reason = f"seat {seat} of table {table} has had no start_game; let it play a match"
            raise AgentError(f"{self.name} needs the events of its tables: {reason}") from None
        self._decisions += len(bots)
        for bot in bots:
            if bot.waits_until:
                self._await_start(bot)
        for bot, view, legal in zip(bots, views, batch.legal, strict=True):
            self._ask(bot, view, batch.rules, legal)
        deadline = time.monotonic() + self.limits.answer
        answers = [
            self._answer(bot, view, legal, deadline)
            for bot, view, legal in zip(bots, views, batch.legal, strict=True)
        ]
        return np.array(answers, np.int16)

    def _await_start(self, bot: _BotSeat) -> None:
        deadline, bot.waits_until = bot.waits_until, 0.0
        if bot.link is None:
            return
        before = bot.link.games
        try:
            bot.link.receive(deadline)
            bot.link.games += 1
            self._failed_starts = 0
            self._has_begun = True
        except BotError as error:
            if error.kind == DIED and before:  # some bots end after a game, which is no fault
                bot.link.close(at_once=True)
                self._start(bot, new=True)
                self._await_start(bot)
            else:
                self._fault(bot, error, START if error.kind in (DIED, SILENT) else None)

    def _ask(self, bot: _BotSeat, view: Any, rules: Rules, legal: NDArray[np.bool_]) -> None:
        if bot.link is None:
            return
        *events, last = bot.unsent
        bot.unsent = []
        last = {**last, "possible_actions": possible_actions(view, rules, legal)}
        barred = cannot_discard(view, legal)
        if barred:
            last["cannot_dahai"] = barred
        bot.asked, bot.asked_at = one_line(to_line(last).strip()), time.monotonic()
        try:
            self._send(bot.link, [*events, last])
        except BotError as error:
            self._fault(bot, error)

    def _answer(self, bot: _BotSeat, view: Any, legal: NDArray[np.bool_], deadline: float) -> int:
        if bot.link is not None:
            try:
                answer = bot.link.receive(deadline)
                self._measure(time.monotonic() - bot.asked_at)
                return read_action(answer, view, legal)
            except BotError as error:
                if error.kind == SILENT:
                    self._measure(time.monotonic() - bot.asked_at)
                self._fault(bot, error)
            except MjaiError as error:
                self._fault(bot, BotError(ILLEGAL, str(error)))
        self._defaults += 1
        return RIICHI.passive(legal)

    def _send(self, link: Link, events: Sequence[dict[str, Any]]) -> int:
        """Send events; return the number of expected answers."""
        by_line = self._source.one_by_one
        wanted = len(events) if by_line else 1
        if events[-1]["type"] == "end_game" and link.answers_end is False:
            wanted -= 1
        link.send([to_line(event) for event in events] if by_line else [to_line(events)], wanted)
        return wanted

    # -------------------------------------------------------------------------------------------------------
    # Faults

    def _fault(self, bot: _BotSeat, error: BotError, kind: str | None = None) -> None:
        """Count a fault; a bot that has ended, has not started or does not respond is removed for this game."""
        kind = kind or error.kind
        self._counts[kind] += 1
        if kind not in self._examples:
            self._examples[kind] = self._example(bot, kind, error.text)
        if kind == START:
            self._failed_starts += 1
            if not self._has_begun:
                self._end_all()
                raise AgentError(f"{self.name} does not start: {error.text}")
        if kind not in (SILENT, ILLEGAL, GARBAGE):
            self._let_go(bot)
        if self._counts.total() > self.limits.faults or self._failed_starts >= _STARTS:
            self._given_up = True
            self._end_all()

    def _example(self, bot: _BotSeat, kind: str, text: str) -> FaultExample:
        answer, stderr = ("", "") if bot.link is None else (bot.link.last_line, bot.link.stderr)
        return FaultExample(kind, text, bot.game, bot.hand, bot.turn, bot.seat, bot.asked, answer, stderr)

    def _measure(self, seconds: float) -> None:
        """Count the time of an answer."""
        self._answers += 1
        self._seconds += seconds
        self._longest = max(self._longest, seconds)

    def _end_all(self) -> None:
        """End the bots of all seats and those between games."""
        # Copies: at the end of a program another thread may be closing this bot as well.
        for bot in list(self._seats.values()):
            self._let_go(bot)
        for link in list(self._free):
            link.close()
        self._free.clear()

    def _let_go(self, bot: _BotSeat) -> None:
        """End a seat's bot at once."""
        if bot.link is not None:
            bot.link.close(at_once=True)
        bot.link = None
        bot.waits_until = 0.0


def _source(name: str) -> BotSource:
    if os.name == "nt":
        raise AgentError(f"{name}: bots need lines that can be waited for with a limit, which Windows lacks")
    if name.startswith(_PROCESS):
        return ProcessSource(name.removeprefix(_PROCESS))
    if name.startswith(_LINES):
        return ProcessSource(name.removeprefix(_LINES), one_by_one=True)
    if name.startswith(_TCP):
        try:
            host, port, room = address_of(name.removeprefix(_TCP))
        except MjaiError as error:
            raise AgentError(f"{name}: {error}") from None
        return SocketSource(host, port, room)
    raise AgentError(f"{name!r} names no bot: mjai:COMMAND, mjai-lines:COMMAND and mjai+tcp:HOST:PORT do")

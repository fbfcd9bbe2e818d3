"""External bots as an agent: it forwards the events of its seats and plays the bots' answers.

The name of a bot is one of

* ``mjai:COMMAND``: a program that reads a list of events a line, up to its next decision;
* ``mjai-lines:COMMAND``: a program that reads one event a line;
* ``mjai+tcp:HOST:PORT`` or ``mjai+tcp:HOST:PORT/ROOM``: bots that connect to this address; one event a line;
* ``NAME=`` before any of these sets the name in results.

A program that does not understand the form of its first lines is started again with the other one. A bot answers each
decision with one line. It may also answer other lines: see `janshi.mjai.answers`.

The agent is a `janshi.agents.protocol.Listener`: matches pass it the events of its tables. Bots therefore meet all
other agents in ordinary matches, on the same walls, with the same results, records and figures.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import THREE_OR_FOUR, AgentError, FaultExample, Faults
from janshi.mjai.answers import BotAnswers, Owner, SentLine, chance
from janshi.mjai.bot import address_of, to_line
from janshi.mjai.bot_log import BotLog
from janshi.mjai.events import HAND_EVENTS, MjaiError
from janshi.mjai.link import (
    DIED,
    FLOODED,
    GARBAGE,
    ILLEGAL,
    SILENT,
    START,
    BotError,
    BotLink,
    BotSource,
    ProcessSource,
    SocketSource,
    no_watcher,
    one_line,
    read_answer,
    wait_for,
)
from janshi.mjai.moves import PASSES, cannot_discard, is_about, possible_actions, why_not
from janshi.mjai.names import ALIAS
from janshi.mjai.table import KnownTable
from janshi.riichi.actions import Action, action_text
from janshi.riichi.game import RIICHI
from janshi.riichi.rules import Rules
from janshi.table import DecisionBatch

_PROCESS: Final = "mjai:"
_LINES: Final = "mjai-lines:"
_TCP: Final = "mjai+tcp:"
#: Consecutive failed starts after which a bot is given up.
_STARTS: Final = 2
#: Maximum number of answers to nothing between two decisions.
_STRAYS: Final = 100
#: The two forms of what a bot reads, by `BotSource.by_line`.
_FORMS: Final = ("a list of events a line", "one event a line")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a bot; times in seconds."""

    start: float = 60.0
    """Time from `start_game` to the bot's first line of the game."""
    answer: float = 5.0
    """Time for each decision; an answer to an earlier line begins it anew."""
    faults: int = 10
    """Maximum number of faults; the next one disqualifies the bot."""
    tables: int = 1
    """Maximum number of tables, each with its bot."""


@dataclass(slots=True)
class _Question:
    """A decision of a seat."""

    event: dict[str, Any]
    """Its event, with the fields for the bot."""
    view: Any
    legal: NDArray[np.bool_]
    asked_at: float = 0.0
    deadline: float = 0.0
    action: int | None = None
    """The action, once it is known."""
    held_at: float = 0.0
    """Time of the answer that is held: see `janshi.mjai.answers`."""
    wrong: str = ""
    """Why the last answer that came was none to this decision."""


@dataclass(slots=True)
class _Trial:
    """A bot that failed before its form was proven, while another process is tried with the other form."""

    link: BotLink
    answers: BotAnswers
    starts_until: float
    error: BotError


@dataclass(slots=True)
class _BotSeat:
    """A seat at a table, and its bot in this game."""

    table: int
    seat: int
    game: str
    events: list[dict[str, Any]] = field(default_factory=list)
    """All events of the game."""
    sent: int = 0
    """Number of the events that the bot has."""
    link: BotLink | None = None
    answers: BotAnswers = field(default_factory=lambda: BotAnswers({}))
    known: KnownTable | None = None
    """The table as the bot knows it; None before its first decision."""
    question: _Question | None = None
    trial: _Trial | None = None
    starts_until: float = 0.0
    """Deadline of the first answer in this game; 0 after it."""
    asked: int = 0
    """Number of decisions that this process was asked for in this game."""
    decided: int = 0
    """Number of these that it has answered."""
    lines: int = 0
    """Number of lines sent in this game."""
    strays: int = 0
    """Answers to nothing since the last decision."""
    hand: str = ""
    """Hand in progress: see `FaultExample`."""
    turn: int = 0
    """Number of tiles that the seat has drawn in this hand."""
    last: str = ""
    """The last line of the bot."""
    log: BotLog | None = None

    def note(self, text: str) -> None:
        """Write a note to the log."""
        if self.log is not None:
            self.log.write("#", text)

    def end_log(self) -> None:
        """Close the log."""
        if self.log is not None:
            self.log.close()
            self.log = None


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
        self.log: Path | None = None
        """Folder for a `janshi.mjai.bot_log.BotLog` of every game; None: no logs."""
        self._source = _source(name if alias is None else name[alias.end() :])
        self._seats: dict[tuple[int, int], _BotSeat] = {}
        #: Bots between games, with the seat that they were made for.
        self._free: list[tuple[int, BotLink, BotAnswers]] = []
        self._games: dict[tuple[int, int], str] = {}
        self._played = 0
        self._faults = Faults()
        self._counts: Counter[str] = Counter()
        self._failed_starts = 0
        self._has_begun = False  # a bot has answered

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
        for bot in list(self._seats.values()):
            bot.end_log()
        self._seats.clear()

    def faults(self) -> Faults:
        """Return the faults of the bot so far."""
        counts = {kind: self._counts[kind] for kind in sorted(self._counts)}
        return replace(self._faults, counts=counts, examples=list(self._faults.examples))

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
            bot.events.append(event)
            if event["type"] == "start_kyoku":
                bot.hand, bot.turn = f"{event['bakaze']}{event['kyoku']}-{event['honba']}", 0
            bot.turn += event["type"] == "tsumo" and event["actor"] == seat
            if event["type"] == "end_game":
                self._end_game(bot)

    def _start_game(self, table: int, seat: int, start: dict[str, Any]) -> None:
        before = self._seats.pop((table, seat), None)
        if before is not None:  # an aborted game
            self._let_go(before)
            before.end_log()
        self._played += 1
        game = self._games.pop((table, seat), "") or f"{self.name}-{self._played}"
        bot = self._seats[table, seat] = _BotSeat(table, seat, game, [start])
        if self._faults.replaced:
            return
        if self.log is not None:
            bot.log = BotLog(self.log, game, seat)
        for made_for, link, answers in self._free:
            if self._source.fits(made_for, seat):
                self._free.remove((made_for, link, answers))
                bot.link, bot.answers = link, answers
                bot.starts_until = time.monotonic() + self.limits.start
                break
        try:
            if bot.link is None or bot.link.ended:
                self._open(bot, self._source.by_line)
            self._send(bot)
        except BotError as error:
            self._fault(bot, error, START)

    def _open(self, bot: _BotSeat, by_line: bool) -> None:
        """Start a new bot for a seat, which has no event yet. Raises `BotError` if it does not start."""
        if bot.link is not None:
            bot.link.close(at_once=True)
        bot.link = None
        bot.starts_until = time.monotonic() + self.limits.start
        bot.link = self._source.open(bot.seat, bot.starts_until)
        bot.link.by_line = by_line
        bot.answers = BotAnswers(self._source.habits)
        bot.sent, bot.asked, bot.decided, bot.known = 0, 0, 0, None

    def _end_game(self, bot: _BotSeat) -> None:
        """Send the end of the game and free the bot for the next one."""
        del self._seats[bot.table, bot.seat]
        if bot.link is not None:
            self._send(bot)
            bot.link.watcher = no_watcher
            bot.link.games += 1
            self._free.append((bot.seat, bot.link, bot.answers))
        bot.end_log()

    # -------------------------------------------------------------------------------------------------------
    # Lines to a bot

    def _send(self, bot: _BotSeat) -> None:
        """Send a seat's events that its bot does not have; the last one with its question, if there is one."""
        assert bot.link is not None
        bot.link.watcher = no_watcher if bot.log is None else bot.log.write
        events = [_quiet(event) for event in bot.events[bot.sent :]]
        bot.sent = len(bot.events)
        asked = None if bot.question is None else (bot.question.view, bot.question.legal)
        if bot.question is not None:
            bot.asked += 1
            events[-1] = bot.question.event
        if bot.link.by_line:
            parts: list[Any] = [*events]
        else:  # `start_game` is a line of its own, as there is no decision for a while
            first = int(events[0]["type"] == "start_game" and len(events) > 1)
            parts = [part for part in (events[:first], events[first:]) if part]
        for number, part in enumerate(parts):
            bot.lines += 1
            line = self._line(bot, part)
            line.asked = asked if number == len(parts) - 1 else None
            bot.answers.sent(line)
        bot.link.send(map(to_line, parts))

    def _line(self, bot: _BotSeat, part: Any) -> SentLine:
        """Return the line of an event or of a list of events."""
        if isinstance(part, list):
            return SentLine(bot.lines, str(part[-1]["type"]))
        kind, actor = str(part["type"]), part.get("actor")
        may_do = None
        if bot.known is not None:
            with suppress(MjaiError):  # of rules that are not known by name: see `chance`
                bot.known.hear(part)
            may_do = chance(bot.known, part)
        return SentLine(bot.lines, kind if actor is None else f"{kind} {(actor - bot.seat) % 4}", may_do)

    # -------------------------------------------------------------------------------------------------------
    # Decisions

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return the bots' actions (n, int16); all questions are sent before the first answer is awaited.

        Raises `AgentError` if a seat has received no event of its game.
        """
        try:
            bots = [
                self._seats[int(table), int(seat)] for table, seat in zip(batch.tables, batch.seats, strict=True)
            ]
        except KeyError as error:
            table, seat = error.args[0]
            reason = f"seat {seat} of table {table} has had no start_game; let it play a match"
            raise AgentError(f"{self.name} needs the events of its tables: {reason}") from None
        self._faults.decisions += len(bots)
        for bot, view, legal in zip(bots, np.asarray(batch.views), batch.legal, strict=True):
            self._ask(bot, view, batch.rules, legal)
        while waiting := [bot for bot in bots if bot.question is not None and bot.question.action is None]:
            self._wait_once(waiting)
        actions = [bot.question.action for bot in bots if bot.question is not None]
        for bot in bots:
            bot.question = None
        return np.array(actions, np.int16)

    def _wait_once(self, waiting: Sequence[_BotSeat]) -> None:
        """Wait until one of some bots writes or its time is over, and read what they have written."""
        for bot in waiting:
            if bot.link is None:  # the fault of another table's bot was the last permitted one
                self._decide_for(bot)
        links = [bot.link for bot in waiting if bot.link is not None]
        if links:
            wait_for(links, min(bot.question.deadline for bot in waiting if bot.question is not None and bot.link))
        for bot in waiting:
            if bot.link is not None:
                self._listen(bot)

    def _ask(self, bot: _BotSeat, view: Any, rules: Rules, legal: NDArray[np.bool_]) -> None:
        """Send a question, or decide for a bot that is gone."""
        event = {**bot.events[-1], "possible_actions": possible_actions(view, rules, legal)}
        barred = cannot_discard(view, legal)
        if barred:
            event["cannot_dahai"] = barred
        bot.question = _Question(event, view.copy(), legal.copy())
        self._hear_unasked(bot)
        if bot.link is None:
            self._decide_for(bot)
            return
        if bot.known is None:
            bot.known = self._table_of(bot, rules)
        self._send(bot)
        # The time begins here: the first table to follow may have to be compiled.
        bot.question.asked_at = time.monotonic()
        bot.question.deadline = max(bot.starts_until, bot.question.asked_at + self.limits.answer)

    def _table_of(self, bot: _BotSeat, rules: Rules) -> KnownTable:
        """Return a table that has followed what the bot has."""
        known = KnownTable(rules)
        for event in bot.events[: bot.sent]:
            known.hear(event)
        return known

    def _hear_unasked(self, bot: _BotSeat) -> None:
        """Read what a bot has written since its last decision."""
        while bot.link is not None:
            try:
                text = bot.link.next_line()
                if text is None:
                    return
                self._take(bot, text)
            except BotError as error:
                if error.kind == DIED:  # noted when it is asked
                    return
                self._fault(bot, error)

    def _listen(self, bot: _BotSeat) -> None:
        """Read what a bot has written, until its decision is answered; note a fault at the end of its time."""
        question, link = bot.question, bot.link
        assert question is not None
        assert link is not None
        try:
            while question.action is None and (text := link.next_line()) is not None:
                self._take(bot, text)
            if question.action is None and time.monotonic() >= question.deadline:
                held = bot.answers.expire()
                if held is None:
                    raise BotError(*(ILLEGAL, question.wrong) if question.wrong else (SILENT, "no answer in time"))
                self._decided(bot, held, f"no other followed: answer to line {bot.lines}")
        except BotError as error:
            self._failed(bot, error)

    def _take(self, bot: _BotSeat, text: str) -> None:
        """Give an answer to the line that it belongs to.

        Raises `BotError` if it is none, an illegal one to the pending decision, or one of too many to nothing.
        """
        bot.last = text
        answer = read_answer(text)
        self._answered(bot)
        if (held := bot.answers.held) is not None:
            bot.note(f"dropped: the answer before this one belongs to line {held.number}")
            self._faults.unasked += 1
        owner, line, action = bot.answers.take(answer)
        question = bot.question
        if question is not None:
            question.held_at = time.monotonic() if owner is Owner.OPEN else 0.0
            if owner is not Owner.NONE:
                question.deadline = max(question.deadline, time.monotonic() + self.limits.answer)
            elif bot.answers.open is not None:
                self._check_wrong(bot, question, answer)
        if line is not None and action is not None:
            self._decided(bot, action, f"answer to line {line.number}")
        elif owner is Owner.OPEN:
            bot.note("to the decision or an earlier line: the next answer tells")
        else:
            self._drop(bot, answer, line)

    def _check_wrong(self, bot: _BotSeat, question: _Question, answer: dict[str, Any]) -> None:
        """Raise `BotError` for an answer that fits no line, if it is surely the one to the pending decision."""
        question.wrong = why_not(answer, question.view, question.legal)
        # A bot that says more than it is asked, as it may before the first decision of a game, may still answer.
        is_only = bot.asked > 1 and bot.answers.is_alone and not self._source.writes_extra
        if is_only or is_about(answer, question.view, question.legal):
            raise BotError(ILLEGAL, question.wrong)

    def _drop(self, bot: _BotSeat, answer: dict[str, Any], line: SentLine | None) -> None:
        """Drop an answer to an earlier line, or to none (None); count it unless the bot passes on every such line."""
        bot.note(f"dropped: answer to {'nothing' if line is None else f'line {line.number}'}")
        bot.strays += line is None
        self._source.writes_extra |= line is None
        if bot.strays > _STRAYS:
            raise BotError(FLOODED, f"{bot.strays} lines without a request")
        expected = line is not None and (line.chance is None or self._source.habits.get(line.kind, False))
        self._faults.unasked += answer["type"] not in PASSES or not expected

    def _answered(self, bot: _BotSeat) -> None:
        """Note that a bot has given an answer in this game."""
        self._has_begun = True
        self._failed_starts = 0
        if bot.starts_until and bot.question is not None:
            bot.question.deadline = time.monotonic() + self.limits.answer
        bot.starts_until = 0.0

    def _decided(self, bot: _BotSeat, action: int, why: str) -> None:
        """Take a bot's action for its decision."""
        assert bot.link is not None
        assert bot.question is not None
        bot.note(f"taken: {action_text(action)} ({why})")
        bot.question.action = action
        bot.link.forgive()
        bot.strays = 0
        bot.decided += 1
        self._measure(bot.question)
        if bot.trial is not None:
            bot.trial.link.close(at_once=True)
            bot.trial = None
        if action != Action.PASS:  # a bot that understands nothing may answer `none`
            self._source.by_line, self._source.proven = bot.link.by_line, True

    # -------------------------------------------------------------------------------------------------------
    # Faults

    def _failed(self, bot: _BotSeat, error: BotError) -> None:
        """Ask another process if that may help; otherwise count a fault and decide for the bot."""
        assert bot.link is not None
        try:
            if error.kind == DIED and bot.link.games and not bot.decided:  # some bots end after a game: no fault
                self._open(bot, bot.link.by_line)
                self._ask_again(bot)
                return
            if bot.trial is None and (not self._source.proven or bot.link.by_line != self._source.by_line):
                self._try_other_form(bot, error)
                return
        except BotError as failure:
            error = failure
        if bot.trial is not None:
            error = self._end_trial(bot, bot.trial, error)
        self._fault(bot, error, START if bot.starts_until and error.kind in (DIED, SILENT) else None)
        if bot.question is not None and bot.question.action is None:
            bot.answers.give_up(answered=error.kind == ILLEGAL)
            if error.kind == SILENT:
                self._measure(bot.question)
            self._decide_for(bot)

    def _ask_again(self, bot: _BotSeat) -> None:
        """Send everything of the game so far to a new bot."""
        assert bot.question is not None
        bot.known = None if bot.known is None else KnownTable(bot.known.rules)
        self._send(bot)
        bot.question.deadline = time.monotonic() + self.limits.start

    def _try_other_form(self, bot: _BotSeat, error: BotError) -> None:
        """Start a bot that reads the other form; the first one stays until this one has answered."""
        assert bot.link is not None
        bot.note(f"{error.kind}: {error.text}; another process gets {_FORMS[not bot.link.by_line]}")
        bot.trial, bot.link = _Trial(bot.link, bot.answers, bot.starts_until, error), None
        self._open(bot, not bot.trial.link.by_line)
        self._ask_again(bot)

    def _end_trial(self, bot: _BotSeat, trial: _Trial, error: BotError) -> BotError:
        """Return to the first form, since the bot fails with both; return the fault."""
        if bot.link is not None:
            bot.link.close(at_once=True)
        bot.link, bot.answers, bot.starts_until, bot.trial = trial.link, trial.answers, trial.starts_until, None
        bot.link.watcher = no_watcher if bot.log is None else bot.log.write
        self._source.proven = True
        first = trial.error
        if first.text == error.text or not bot.starts_until:
            return first
        forms = _FORMS[trial.link.by_line], _FORMS[not trial.link.by_line]
        return BotError(first.kind, f"{first.text} (with {forms[0]}); {error.text} (with {forms[1]})")

    def _decide_for(self, bot: _BotSeat) -> None:
        assert bot.question is not None
        bot.question.action = RIICHI.passive(bot.question.legal)
        bot.note(f"decided for it: {action_text(bot.question.action)}")
        self._faults.defaults += 1

    def _fault(self, bot: _BotSeat, error: BotError, kind: str | None = None) -> None:
        """Count a fault; a bot that has ended, has not started or floods is removed for this game."""
        kind = kind or error.kind
        bot.note(f"{kind}: {error.text}")
        if kind not in self._counts:
            self._faults.examples.append(_example(bot, kind, error.text))
        self._counts[kind] += 1
        if kind == START:
            self._failed_starts += 1
            if not self._has_begun:
                self._end_all()
                raise AgentError(f"{self.name} does not start: {error.text}")
        if kind not in (SILENT, ILLEGAL, GARBAGE):
            self._let_go(bot)
        if self._counts.total() > self.limits.faults or self._failed_starts >= _STARTS:
            self._faults.replaced = True
            self._end_all()

    def _measure(self, question: _Question) -> None:
        """Count the time of an answer, or the time waited for one."""
        seconds = (question.held_at or time.monotonic()) - question.asked_at
        self._faults.answers += 1
        self._faults.seconds += seconds
        self._faults.longest_seconds = max(self._faults.longest_seconds, seconds)

    def _end_all(self) -> None:
        """End the bots of all seats and those between games."""
        # Copies: at the end of a program another thread may be closing this bot as well.
        for bot in list(self._seats.values()):
            self._let_go(bot)
        for _, link, _ in list(self._free):
            link.close()
        self._free.clear()

    def _let_go(self, bot: _BotSeat) -> None:
        """End a seat's bot at once."""
        for link in (bot.link, None if bot.trial is None else bot.trial.link):
            if link is not None:
                link.close(at_once=True)
        bot.link = bot.trial = None
        bot.starts_until = 0.0


def _quiet(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event that asks for nothing: some bots heed `can_act`."""
    return {**event, "can_act": False} if event["type"] in HAND_EVENTS else event


def _example(bot: _BotSeat, kind: str, text: str) -> FaultExample:
    event = "" if bot.question is None else one_line(to_line(bot.question.event).strip())
    stderr = "" if bot.link is None else bot.link.stderr
    return FaultExample(kind, text, bot.game, bot.hand, bot.turn, bot.seat, event, one_line(bot.last), stderr)


def _source(name: str) -> BotSource:
    if os.name == "nt":
        raise AgentError(f"{name}: bots need lines that can be waited for with a limit, which Windows lacks")
    if name.startswith(_PROCESS):
        return ProcessSource(name.removeprefix(_PROCESS))
    if name.startswith(_LINES):
        return ProcessSource(name.removeprefix(_LINES), by_line=True)
    if name.startswith(_TCP):
        try:
            host, port, room = address_of(name.removeprefix(_TCP))
        except MjaiError as error:
            raise AgentError(f"{name}: {error}") from None
        return SocketSource(host, port, room)
    raise AgentError(f"{name!r} names no bot: mjai:COMMAND, mjai-lines:COMMAND and mjai+tcp:HOST:PORT do")

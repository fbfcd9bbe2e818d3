"""Foreign bots at our tables: an agent that passes on what its seats are told and plays what comes back.

A bot is named by

* ``mjai:COMMAND``: a program that is told events as lists, one list a line up to the next thing it has to decide, and
  answers each line with one;
* ``mjai-lines:COMMAND``: the same with one event a line, each of them answered;
* ``mjai+tcp:HOST:PORT`` or ``mjai+tcp:HOST:PORT/ROOM``: bots that join us there; one event a line, each answered but
  `end_game`.

It is an `Agent` that matches tell the events of its tables (`janshi.agents.protocol.Listener`), and no table loop of
its own: so bots meet every agent of ours in the same match, on the same walls, with the same results, records and
figures; and agents that decide in batches are asked as ever.
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

from janshi.agents.protocol import AgentError, Faults
from janshi.bridges.mjai_bot import address_of, to_line
from janshi.bridges.mjai_link import (
    DIED,
    GARBAGE,
    ILLEGAL,
    SILENT,
    START,
    BotError,
    Door,
    Link,
    ProcessDoor,
    SocketDoor,
)
from janshi.bridges.mjai_moves import cannot_discard, default_action, possible_actions, read_action
from janshi.bridges.mjai_table import MjaiError
from janshi.compiling import Batch
from janshi.engine.rulebook import rules_of_book
from janshi.engine.state import View
from janshi.rules import Rules

_PROCESS: Final = "mjai:"
_LINES: Final = "mjai-lines:"
_TCP: Final = "mjai+tcp:"
#: So many starts in a row that fail are enough.
_STARTS: Final = 2
_EXAMPLES: Final = 5
#: The longest wait, once for each bot, for an answer to the end of a game: not all give one.
_END: Final = 1.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot is allowed. Times in seconds."""

    start: float = 60.0
    """Until it answers `start_game`."""
    answer: float = 5.0
    """For each decision."""
    faults: int = 10
    """So many are forgiven; with the next one it is given up."""
    tables: int = 1
    """Tables side by side, each with a bot of its own."""


@dataclass(slots=True)
class _Chair:
    """A seat at a table, and the bot that sits there in this game."""

    table: int
    seat: int
    start: dict[str, Any]
    """The `start_game` that it is told."""
    link: Link | None = None
    made_for: int = -1
    waits_until: float = 0.0
    """When the answer to `start_game` must be there; 0 once it is."""
    heard: list[dict[str, Any]] = field(default_factory=list)


class MjaiAgent:
    """See the module. Raises `AgentError` where no bot can come of its name.

    It holds processes and connections: close it, or use it in a ``with`` statement.

    >>> import sys
    >>> from janshi.agents import agent
    >>> from janshi.arena import play_match
    >>> from janshi.rules import preset
    >>> with MjaiAgent(f"mjai:{sys.executable} -c 'while input(): print(0, flush=True)'") as bot:
    ...     match = play_match([bot, *[agent("random")] * 2], preset("tenhou-sanma-hand"), walls=1)
    >>> bot.faults().counts["garbage"] > 0, match.walls
    (True, 1)
    """

    def __init__(self, name: str, limits: Limits | None = None) -> None:
        self.name = name
        self.limits = limits or Limits()
        self._door = _door(name)
        self._chairs: dict[tuple[int, int], _Chair] = {}
        self._free: list[tuple[Link, int]] = []  # bots between games, with the seat that they were started for
        self._counts: Counter[str] = Counter()
        self._examples: list[str] = []
        self._decisions = self._defaults = 0
        self._failed_starts = 0
        self._given_up = False
        self._rules: dict[bytes, Rules] = {}

    def __enter__(self) -> MjaiAgent:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def tables(self) -> int:
        """See `janshi.agents.protocol.Listener`."""
        return self.limits.tables

    @property
    def port(self) -> int | None:
        """The port at which bots may join, where they come by TCP."""
        return int(self._door.address[1]) if isinstance(self._door, SocketDoor) else None

    def close(self) -> None:
        """End all bots; nothing is left of them afterwards."""
        self._door.close()
        for chair in self._chairs.values():
            self._let_go(chair, at_once=True)
        for link, _ in self._free:
            link.close()
        self._chairs.clear()
        self._free.clear()

    def faults(self) -> Faults:
        """Return what the bot has done wrong so far."""
        counts = {kind: self._counts[kind] for kind in sorted(self._counts)}
        return Faults(counts, list(self._examples), self._decisions, self._defaults, self._given_up)

    def act(self, views: Batch[View], legal: NDArray[np.bool_], keys: NDArray[np.int64]) -> NDArray[np.int16]:
        """Refuse: a bot can only play where it is told the events of its tables. Raises `AgentError`."""
        raise AgentError(f"{self.name} must be told what happens at its tables: let it play a match")

    # -------------------------------------------------------------------------------------------------------
    # Being told

    def hear(self, table: int, seat: int, events: Sequence[dict[str, Any]]) -> None:
        """See `janshi.agents.protocol.Listener`."""
        for event in events:
            if event["type"] == "start_game":
                self._sit_down(table, seat, event)
                continue
            chair = self._chairs[table, seat]
            chair.heard.append(event)
            if event["type"] == "end_game":
                self._stand_up(chair)

    def _sit_down(self, table: int, seat: int, start: dict[str, Any]) -> None:
        before = self._chairs.pop((table, seat), None)
        if before is not None:  # a game that was broken off
            self._let_go(before, at_once=True)
        chair = self._chairs[table, seat] = _Chair(table, seat, start)
        if self._given_up:
            return
        for place, (link, made_for) in enumerate(self._free):
            if self._door.fits(made_for, seat):
                del self._free[place]
                chair.link, chair.made_for = link, made_for
                break
        self._start(chair, new=chair.link is None)

    def _start(self, chair: _Chair, new: bool) -> None:
        """Let a bot, or a new one, take the chair, and tell it that a game starts."""
        chair.waits_until = time.monotonic() + self.limits.start
        try:
            if new:
                chair.link, chair.made_for = self._door.open(chair.seat, chair.waits_until), chair.seat
            if chair.link is not None:
                self._send(chair.link, [chair.start])
        except BotError as error:
            self._fault(chair, error, START)

    def _stand_up(self, chair: _Chair) -> None:
        """Tell the end of the game; the bot is free for the next one."""
        del self._chairs[chair.table, chair.seat]
        if chair.link is None:
            return
        if chair.waits_until:
            self._await_start(chair)
        link = chair.link
        if link is None:
            return
        try:
            if self._send(link, chair.heard):
                self._await_end(link)
        except BotError as error:
            if error.kind != DIED:
                self._fault(chair, error)
                return
        self._free.append((link, chair.made_for))

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
    # Being asked

    def act_at(
        self, tables: NDArray[np.int64], views: Batch[View], legal: NDArray[np.bool_], keys: NDArray[np.int64]
    ) -> NDArray[np.int16]:
        """See `janshi.agents.protocol.Listener`: all bots are asked before the first answer is waited for."""
        records: Any = np.asarray(views)
        chairs = [self._chairs[int(table), int(seat)] for table, seat in zip(tables, records["seat"], strict=True)]
        self._decisions += len(chairs)
        for chair in chairs:
            if chair.waits_until:
                self._await_start(chair)
        for chair, view, can in zip(chairs, records, legal, strict=True):
            self._ask(chair, view, can)
        deadline = time.monotonic() + self.limits.answer
        answers = [self._answer(*one, deadline) for one in zip(chairs, records, legal, strict=True)]
        return np.array(answers, np.int16)

    def _await_start(self, chair: _Chair) -> None:
        deadline, chair.waits_until = chair.waits_until, 0.0
        if chair.link is None:
            return
        before = chair.link.games
        try:
            chair.link.receive(deadline)
            chair.link.games += 1
            self._failed_starts = 0
        except BotError as error:
            if error.kind == DIED and before:  # it has ended after a game, as some do: no fault
                chair.link.close(at_once=True)
                self._start(chair, new=True)
                self._await_start(chair)
            else:
                self._fault(chair, error, START if error.kind in (DIED, SILENT) else None)

    def _ask(self, chair: _Chair, view: Any, can: NDArray[np.bool_]) -> None:
        if chair.link is None:
            return
        *events, last = chair.heard
        chair.heard = []
        last = {**last, "possible_actions": possible_actions(view, self._rules_of(view), can)}
        barred = cannot_discard(view, can)
        if barred:
            last["cannot_dahai"] = barred
        try:
            self._send(chair.link, [*events, last])
        except BotError as error:
            self._fault(chair, error)

    def _answer(self, chair: _Chair, view: Any, can: NDArray[np.bool_], deadline: float) -> int:
        if chair.link is not None:
            try:
                return read_action(chair.link.receive(deadline), view, can)
            except BotError as error:
                self._fault(chair, error)
            except MjaiError as error:
                self._fault(chair, BotError(ILLEGAL, str(error)))
        self._defaults += 1
        return default_action(can)

    def _rules_of(self, view: Any) -> Rules:
        book = view["rules"].tobytes()
        if book not in self._rules:
            self._rules[book] = rules_of_book(view["rules"])
        return self._rules[book]

    def _send(self, link: Link, events: Sequence[dict[str, Any]]) -> int:
        """Send events; return how many answers they get."""
        one_by_one = self._door.one_by_one
        wanted = len(events) if one_by_one else 1
        if events[-1]["type"] == "end_game" and link.answers_end is False:
            wanted -= 1
        link.send([to_line(event) for event in events] if one_by_one else [to_line(events)], wanted)
        return wanted

    # -------------------------------------------------------------------------------------------------------
    # What goes wrong

    def _fault(self, chair: _Chair, error: BotError, kind: str | None = None) -> None:
        """Count a fault; a bot that has ended, has not begun or cannot be stopped is let go for this game."""
        kind = kind or error.kind
        self._counts[kind] += 1
        if len(self._examples) < _EXAMPLES:
            self._examples.append(f"{kind}: seat {chair.seat}: {error.text}")
        if kind == START:
            self._failed_starts += 1
        if kind not in (SILENT, ILLEGAL, GARBAGE):
            self._let_go(chair, at_once=True)
        if self._counts.total() > self.limits.faults or self._failed_starts >= _STARTS:
            self._give_up()

    def _give_up(self) -> None:
        self._given_up = True
        for chair in self._chairs.values():
            self._let_go(chair, at_once=True)
        for link, _ in self._free:
            link.close()
        self._free.clear()

    def _let_go(self, chair: _Chair, at_once: bool) -> None:
        if chair.link is not None:
            chair.link.close(at_once)
        chair.link = None
        chair.waits_until = 0.0


def _door(name: str) -> Door:
    if os.name == "nt":
        raise AgentError(f"{name}: bots need lines that can be waited for with a limit, which Windows lacks")
    if name.startswith(_PROCESS):
        return ProcessDoor(name.removeprefix(_PROCESS))
    if name.startswith(_LINES):
        return ProcessDoor(name.removeprefix(_LINES), one_by_one=True)
    if name.startswith(_TCP):
        try:
            host, port, room = address_of(name.removeprefix(_TCP))
        except MjaiError as error:
            raise AgentError(f"{name}: {error}") from None
        return SocketDoor(host, port, room)
    raise AgentError(f"{name!r} names no bot: mjai:COMMAND, mjai-lines:COMMAND and mjai+tcp:HOST:PORT do")

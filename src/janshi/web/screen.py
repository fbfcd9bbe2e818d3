"""The display of a table: its events in order, with pauses that reveal no hidden information.

A table plays ahead of its display until it needs the player's decision. The pause between two events depends only on
the first of them (`PAUSES`), so that players cannot infer from the timing which agents could claim a discard. Usually
the agents have answered before the pause ends. If not, because the machine is slow, their discard is delayed until they
have, and the pause begins then. The seat's own actions are shown at once; every answer to another's tile has the same
pause (`AFTER_CLAIM`).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from janshi.web.messages import Happened, Own, Pace

#: ``(event, seat)``: an event as visible to one seat.
SeenBy = Callable[[dict[str, Any], int], dict[str, Any]]

#: Seconds after each kind of event before the next one, at pace 1; 0 for others.
PAUSES: Final = {
    **{"start_kyoku": 1.0, "action": 0.6, "tsumo": 0.6, "dahai": 0.6, "reach": 0.6, "nukidora": 0.6},
    **{"chi": 0.9, "pon": 0.9, "daiminkan": 0.9, "ankan": 0.9, "kakan": 0.9},
    **{"void": 0.3, "void_shown": 0.2, "lay_aside": 0.1, "exchange": 0.6, "win": 1.5, "pay": 0.3},
}
#: Seconds after a pass, call or win in answer to another's tile; other seats may still have to answer.
AFTER_CLAIM: Final = 0.3
#: Pause of a watched table after a hand, as a multiple of that between two events.
_AFTER_HAND: Final = 8


class Screen:
    """The display of one seat, or of a spectator who sees all hands (``seat`` None).

    ``pace`` scales all pauses. `run` shows the events; the other methods must be called on the same event loop.
    """

    def __init__(self, seen_by: SeenBy, seat: int | None, pace: float) -> None:
        self.seat = seat
        self._seen_by = seen_by
        self.events: list[dict[str, Any]] = []
        """Events shown so far, as visible to the seat."""
        self.messages: list[str] = []
        """All messages so far, as JSON; a browser receives those after its welcome."""
        self.own: Own | None = None
        self.watched = None if seat is not None else Pace(type="pace", paused=False, seconds=0.5 * pace)
        self.listeners: set[asyncio.Event] = set()
        """Events that are set with every message."""
        self._pace = pace
        self._coming: deque[tuple[dict[str, Any], Own | None]] = deque()
        self._due = 0.0
        self._steps = 0
        self._resting = False
        self._news = asyncio.Event()
        self._empty = asyncio.Event()

    # -----------------------------------------------------------------------------------------------------
    # From the table

    def add(self, events: Sequence[tuple[dict[str, Any], Own | None]]) -> None:
        """Queue events of the whole game for display, each with the seat's knowledge of its hand after it."""
        self._coming.extend(events)
        self._resting = False
        self._empty.clear()
        self._news.set()

    def show_at_once(self, events: Sequence[tuple[dict[str, Any], Own | None]]) -> None:
        """Show events without pauses and messages, before any browser is connected."""
        for event, own in events:
            self._take(event)
            self.own = own or self.own

    async def shown(self) -> None:
        """Wait until all added events are shown; the table waits for its player, or is over."""
        self._resting = True
        self._news.set()
        if self._coming:
            await self._empty.wait()

    async def behind(self, most: int) -> None:
        """Wait until at most ``most`` events are queued."""
        if len(self._coming) > most:
            await self._empty.wait()

    def answered(self, claim: bool) -> None:
        """Begin the pause after the seat's answer: none on its own turn, `AFTER_CLAIM` after a claim."""
        self._due = asyncio.get_running_loop().time() + (AFTER_CLAIM * self._pace if claim else 0.0)

    def send(self, message: str) -> None:
        """Send a message to every browser of this display."""
        self.messages.append(message)
        self.wake()

    def wake(self) -> None:
        """Notify every browser."""
        for listener in self.listeners:
            listener.set()

    # -----------------------------------------------------------------------------------------------------
    # From spectators

    def set_pace(self, paused: bool | None, seconds: float | None, step: bool) -> None:
        """Change the pace of a watched table: see `janshi.web.messages.SetPace`."""
        assert self.watched is not None
        old = self.watched
        new = {"paused": paused, "seconds": seconds}
        self.watched = old.model_copy(update={name: value for name, value in new.items() if value is not None})
        self._steps = 1 if step and self.watched.paused else 0
        self._due = min(self._due, asyncio.get_running_loop().time() + self.watched.seconds)
        self._news.set()
        if self.watched != old:
            self.send(self.watched.model_dump_json())

    # -----------------------------------------------------------------------------------------------------
    # Showing

    async def run(self) -> None:
        """Show the added events, until cancelled."""
        loop = asyncio.get_running_loop()
        self._due = loop.time()
        while True:
            while (wait := self._wait(loop.time())) != 0.0:
                self._news.clear()
                await _either(self._news, wait)
            event, own = self._coming.popleft()
            self._steps = 0
            self._show(event, own)
            self._due = loop.time() + self._pause(event["type"])
            if not self._coming:
                self._empty.set()

    def _wait(self, now: float) -> float | None:
        """Return the pause before the next event in seconds, or None without one."""
        if not self._coming or (self.watched is not None and self.watched.paused and not self._steps):
            return None
        last = len(self._coming) == 1 and not self._resting
        if last and self.watched is None and self._coming[0][0].get("actor") != self.seat:
            return None  # its consequences are not known yet: see the module
        return 0.0 if self._steps else max(0.0, self._due - now)

    def _pause(self, kind: str) -> float:
        if self.watched is None:
            return PAUSES.get(kind, 0.0) * self._pace
        return self.watched.seconds * (_AFTER_HAND if kind == "end_kyoku" else 1)

    def _show(self, event: dict[str, Any], own: Own | None) -> None:
        seen = self._take(event)
        self.send(Happened(type="happened", first=len(self.events) - 1, events=[seen]).model_dump_json())
        if own is not None and own != self.own:
            self.own = own
            self.send(own.model_dump_json())

    def _take(self, event: dict[str, Any]) -> dict[str, Any]:
        """Add an event to those shown; return it as visible to the seat."""
        seen = event if self.seat is None else self._seen_by(event, self.seat)
        self.events.append(seen)
        return seen


async def _either(news: asyncio.Event, seconds: float | None) -> None:
    """Wait for news, with a time limit."""
    with suppress(TimeoutError):
        await asyncio.wait_for(news.wait(), seconds)

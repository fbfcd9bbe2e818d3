"""One browser's connection to one table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from janshi.agents.protocol import Agent
from janshi.web.messages import Act, Advised, FromBrowser, Hint, Join, Next, Refused, SetPace
from janshi.web.rooms import NotNowError, Room

#: Bytes of a message, more than any needs.
LONGEST: Final = 2048
#: Messages a second, and how many may come at once; answers that count are not among them.
RATE: Final = 20.0
BURST: Final = 40
#: So many refused for coming too fast, and the connection ends.
PATIENCE: Final = 40
#: The longest that an error is told.
_WORDS: Final = 200
#: Seconds in which a connection must say which table it is for.
_JOIN_WITHIN: Final = 10.0
#: How a connection ends on the server's side: against the rules of the protocol.
_POLICY: Final = 1008
_MESSAGES: Final[TypeAdapter[Any]] = TypeAdapter(FromBrowser)


class EndedError(Exception):
    """The connection ends, with what is said last."""


class Bucket:
    """Lets so many through a second, some at once.

    >>> bucket = Bucket(1.0, 2, clock=lambda: 0.0)
    >>> [bucket.take() for _ in range(3)]
    [True, True, False]
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, float(burst), clock
        self._left, self._at = float(burst), clock()

    def take(self) -> bool:
        """Return whether one more may pass."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True

    def give(self) -> None:
        """Let one more through for one that was welcome."""
        self._left = min(self._burst, self._left + 1.0)


class Connection:
    """Speaks with one browser.

    ``find`` gives a table by its name and key, or raises `NotNowError`; ``adviser`` gives who is asked for hints at a
    table of so many, None where there are none.
    """

    def __init__(
        self, socket: WebSocket, find: Callable[[str, str], Room], adviser: Callable[[int], Agent] | None
    ) -> None:
        self._socket = socket
        self._find = find
        self._adviser = adviser
        self._bucket = Bucket(RATE, BURST)
        self._patience = PATIENCE
        self._news = asyncio.Event()
        self._sending = asyncio.Lock()
        self._has_key = False
        self._ended: str | None = None

    async def serve(self) -> None:
        """Speak until either side ends it."""
        await self._socket.accept()
        try:
            await self._follow(*await self._join())
        except EndedError as end:
            await self._part(str(end))
        except WebSocketDisconnect:
            pass

    def end(self, reason: str) -> None:
        """Have the connection ended."""
        self._ended = reason
        self._news.set()

    async def _part(self, reason: str) -> None:
        """Say why the connection ends, and end it."""
        self._ended = reason
        with suppress(WebSocketDisconnect, RuntimeError):  # the browser may have gone already
            await self._refuse(reason, fatal=True)
            await self._socket.close(_POLICY)

    async def _join(self) -> tuple[Room, int]:
        """Return the table that the browser wants to join, and how many events it has."""
        try:
            said = await asyncio.wait_for(self._read(), _JOIN_WITHIN)
            if not isinstance(said, Join):
                raise EndedError("a connection begins with join")
            room = self._find(said.table, said.key)
            self._has_key = room.opens(said.key)
            return room, said.had
        except TimeoutError:
            raise EndedError("a connection begins with join, and at once") from None
        except NotNowError as no:
            raise EndedError(str(no)) from None

    async def _follow(self, room: Room, had: int) -> None:
        room.enter(self, self._news)
        telling = asyncio.create_task(self._tell(room, had))
        try:
            await self._listen(room)
        finally:
            room.leave(self, self._news)
            telling.cancel()

    async def _tell(self, room: Room, had: int) -> None:
        """Send the welcome, then all that is said from then on."""
        told = len(room.screen.said)
        with suppress(WebSocketDisconnect):  # the browser has gone: whoever listens to it knows
            await self._send(room.welcome(had).model_dump_json())
            while True:
                while told < len(room.screen.said):
                    told += 1
                    await self._send(room.screen.said[told - 1])
                ended = self._ended or room.failure
                if ended is not None:
                    return await self._part(ended)
                await self._news.wait()
                self._news.clear()

    async def _listen(self, room: Room) -> None:
        while True:
            try:
                await self._do(room, await self._read())
            except NotNowError as no:
                await self._refuse(str(no))

    async def _do(self, room: Room, said: Any) -> None:
        if isinstance(said, Act):
            room.act(said.number, said.action)
            self._bucket.give()  # the table itself asks no faster than it can
        elif isinstance(said, Next):
            room.next_hand()
        elif isinstance(said, SetPace):
            if not self._has_key:
                raise NotNowError("only who opened this table sets its pace")
            room.set_pace(said.paused, said.seconds, said.step)
        elif isinstance(said, Hint):
            await self._advise(room, said.number)
        else:
            raise NotNowError("this connection has joined its table already")

    async def _advise(self, room: Room, number: int) -> None:
        if self._adviser is None:
            raise NotNowError("hints are switched off")
        adviser = await asyncio.to_thread(self._adviser, room.seating.rules.players)
        advice = await room.hint(number, adviser)
        await self._send(Advised(type="advised", number=number, advice=advice).model_dump_json())

    async def _read(self) -> Any:
        """Return the next message. Raises `NotNowError` for one that cannot be taken, in words."""
        received = await self._receive()
        if not self._bucket.take():
            self._patience -= 1
            if self._patience <= 0:
                raise EndedError("too many messages: the connection ends")
            raise NotNowError(f"too fast: {RATE:.0f} messages a second are taken; this one was not")
        text = received.get("text")
        if text is None:
            raise NotNowError("messages are text (JSON), not bytes")
        if len(text) > LONGEST:
            raise EndedError(f"a message of {len(text)} characters: {LONGEST} are the most")
        try:
            return _MESSAGES.validate_json(text, strict=True)
        except ValidationError as error:
            raise NotNowError(f"a message that is not understood: {in_words(error.errors())}") from None

    async def _receive(self) -> dict[str, Any]:
        """Return what comes next; once the connection is being ended, that it has."""
        while True:
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(received.get("code", 1000))
            if self._ended is None:
                return dict(received)

    async def _send(self, message: str) -> None:
        async with self._sending:
            try:
                await self._socket.send_text(message)
            except RuntimeError:  # it has been closed meanwhile, by this side
                raise WebSocketDisconnect(_POLICY) from None

    async def _refuse(self, reason: str, fatal: bool = False) -> None:
        await self._send(Refused(type="refused", reason=reason, fatal=fatal).model_dump_json())


def in_words(errors: Any) -> str:
    """Say what is wrong with a message: the first thing that is, by pydantic's list."""
    first = errors[0]
    where = ".".join(str(one) for one in first["loc"])
    words = f"{where}: {first['msg']}" if where else str(first["msg"])
    return words if len(words) <= _WORDS else words[: _WORDS - 1] + "…"

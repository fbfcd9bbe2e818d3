"""One browser's connection to one table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from janshi.agents.protocol import Agent
from janshi.installing import naming_extra
from janshi.web.game_table import NoTableError, NotNowError, ServedTable
from janshi.web.messages import Act, Advised, Cause, FromBrowser, Hint, Join, Next, Refused, SetPace

with naming_extra(__name__):
    from pydantic import TypeAdapter, ValidationError
    from starlette.websockets import WebSocket, WebSocketDisconnect

#: Maximum length of a message in characters.
LONGEST: Final = 2048
#: Messages a second, and maximum burst; accepted actions do not count.
RATE: Final = 20.0
BURST: Final = 40
#: Number of messages refused for their rate after which the connection ends.
PATIENCE: Final = 40
#: Maximum length of an error message in characters.
_LONGEST_ERROR: Final = 200
#: Seconds within which a connection must send `Join`.
_JOIN_WITHIN: Final = 10.0
#: WebSocket close code: policy violation.
_POLICY: Final = 1008
_MESSAGES: Final[TypeAdapter[Any]] = TypeAdapter(FromBrowser)


class EndedError(Exception):
    """The connection ends, with a reason."""

    def __init__(self, reason: str, cause: Cause | None = None) -> None:
        super().__init__(reason)
        self.cause = cause


class Bucket:
    """A rate limit: ``rate`` messages a second, ``burst`` at once.

    >>> bucket = Bucket(1.0, 2, clock=lambda: 0.0)
    >>> [bucket.take() for _ in range(3)]
    [True, True, False]
    """

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, float(burst), clock
        self._left, self._at = float(burst), clock()

    def take(self) -> bool:
        """Return whether another message may pass."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True

    def give(self) -> None:
        """Allow one more message."""
        self._left = min(self._burst, self._left + 1.0)


class Connection:
    """A WebSocket connection to one browser.

    ``find`` returns a table by its name and key, or raises `NoTableError`. ``adviser`` returns the agent that gives
    hints for a rule set; None disables hints.
    """

    def __init__(
        self,
        socket: WebSocket,
        find: Callable[[str, str], Awaitable[ServedTable]],
        adviser: Callable[[Any], Agent] | None,
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
        self._cause: Cause | None = None

    async def serve(self) -> None:
        """Handle messages until either side ends the connection."""
        await self._socket.accept()
        try:
            await self._follow(*await self._join())
        except EndedError as end:
            await self._part(str(end), end.cause)
        except WebSocketDisconnect:
            pass

    def end(self, reason: str, cause: Cause) -> None:
        """End the connection."""
        self._ended, self._cause = reason, cause
        self._news.set()

    async def _part(self, reason: str, cause: Cause | None) -> None:
        """Send the reason, and end the connection."""
        self._ended = reason
        with suppress(WebSocketDisconnect, RuntimeError):  # the browser may have gone already
            await self._refuse(reason, fatal=True, cause=cause)
            await self._socket.close(_POLICY)

    async def _join(self) -> tuple[ServedTable, int]:
        """Return the table that the browser joins, and the number of events that the browser has."""
        try:
            message = await asyncio.wait_for(self._read(), _JOIN_WITHIN)
            if not isinstance(message, Join):
                raise EndedError("the first message must be join")
            table = await self._find(message.table, message.key)
            self._has_key = table.opens(message.key)
            return table, message.received
        except TimeoutError:
            raise EndedError(f"no join within {_JOIN_WITHIN:.0f} s") from None
        except NoTableError as no:
            raise EndedError(str(no), no.cause) from None
        except NotNowError as no:
            raise EndedError(str(no)) from None

    async def _follow(self, table: ServedTable, received: int) -> None:
        table.enter(self, self._news)
        sending = asyncio.create_task(self._send_all(table, received))
        try:
            await self._receive_all(table)
        finally:
            table.leave(self, self._news)
            sending.cancel()

    async def _send_all(self, table: ServedTable, received: int) -> None:
        """Send the welcome, then every later message."""
        messages = table.screen.messages
        sent = len(messages)
        with suppress(WebSocketDisconnect):  # handled in `_receive_all`
            await self._send(table.welcome(received).model_dump_json())
            while True:
                while sent < len(messages):
                    sent += 1
                    await self._send(messages[sent - 1])
                if self._ended is not None:
                    return await self._part(self._ended, self._cause)
                if table.failure is not None:
                    return await self._part(table.failure, "failed")
                await self._news.wait()
                self._news.clear()

    async def _receive_all(self, table: ServedTable) -> None:
        while True:
            try:
                await self._handle(table, await self._read())
            except NotNowError as no:
                await self._refuse(str(no))

    async def _handle(self, table: ServedTable, message: Any) -> None:
        if isinstance(message, Act):
            table.act(message.number, message.action)
            self._bucket.give()  # the table's questions limit the rate of answers
        elif isinstance(message, Next):
            table.next_hand()
        elif isinstance(message, SetPace):
            if not self._has_key:
                raise NotNowError("only the browser that opened this table can set its pace")
            table.set_pace(message.paused, message.seconds, message.step)
        elif isinstance(message, Hint):
            await self._advise(table, message.number)
        else:
            raise NotNowError("this connection has already joined its table")

    async def _advise(self, table: ServedTable, number: int) -> None:
        if self._adviser is None:
            raise NotNowError("hints are switched off")
        adviser = await asyncio.to_thread(self._adviser, table.setup.rules)
        advice = await table.hint(number, adviser)
        await self._send(Advised(type="advised", number=number, advice=advice).model_dump_json())

    async def _read(self) -> Any:
        """Return the next message. Raises `NotNowError` for an invalid one."""
        received = await self._receive()
        if not self._bucket.take():
            self._patience -= 1
            if self._patience <= 0:
                raise EndedError("too many messages: the connection ends")
            raise NotNowError(f"message ignored: more than {RATE:.0f} messages a second")
        text = received.get("text")
        if text is None:
            raise NotNowError("messages must be text (JSON), not bytes")
        if len(text) > LONGEST:
            raise EndedError(f"a message of {len(text)} characters exceeds the limit of {LONGEST}")
        try:
            return _MESSAGES.validate_json(text, strict=True)
        except ValidationError as error:
            raise NotNowError(f"invalid message: {in_words(error.errors())}") from None

    async def _receive(self) -> dict[str, Any]:
        """Return the next raw message; while the connection is ending, wait for the disconnect."""
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
            except RuntimeError:  # this side has closed it meanwhile
                raise WebSocketDisconnect(_POLICY) from None

    async def _refuse(self, reason: str, fatal: bool = False, cause: Cause | None = None) -> None:
        await self._send(Refused(type="refused", reason=reason, fatal=fatal, cause=cause).model_dump_json())


def in_words(errors: Any) -> str:
    """Describe the first of pydantic's validation errors."""
    first = errors[0]
    where = ".".join(str(part) for part in first["loc"])
    words = f"{where}: {first['msg']}" if where else str(first["msg"])
    return words if len(words) <= _LONGEST_ERROR else words[: _LONGEST_ERROR - 1] + "…"

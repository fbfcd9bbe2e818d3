"""Connections for Tenhou's messages in both dialects, for client and server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from janshi.tenhou.protocol import LONGEST, Element, ProtocolError, parse_json, parse_xml, write_json, write_xml

_END: Final = b"\0"


class LineClosedError(ConnectionError):
    """The connection is closed, or unusable after an oversized message."""


class Line(Protocol):
    """A connection that carries messages."""

    async def receive(self) -> list[Element | ProtocolError]:
        """Wait for messages; an invalid one is returned as its error. Raises `LineClosedError` at the end."""

    async def send(self, messages: Sequence[Element]) -> None:
        """Send messages. Raises `LineClosedError` if the connection is closed."""

    async def close(self) -> None:
        """Close the connection without raising errors."""


def _parsed(parse: Callable[[str], list[Element]], text: str) -> list[Element | ProtocolError]:
    try:
        return list(parse(text))
    except ProtocolError as error:
        return [error]


class XmlLine:
    """Messages over a plain socket: XML text that ends with a NUL byte.

    ``reader`` must have the limit `LONGEST`; a longer message ends the connection.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def receive(self) -> list[Element | ProtocolError]:
        """See `Line`."""
        while True:
            try:
                data = await self._reader.readuntil(_END)
            except asyncio.LimitOverrunError as error:
                raise LineClosedError(f"a message of more than {error.consumed} bytes") from None
            except asyncio.IncompleteReadError:
                raise LineClosedError("the connection was closed") from None
            except OSError as error:
                raise LineClosedError(str(error)) from None
            received = _parsed(parse_xml, data.removesuffix(_END).decode("utf-8", "replace"))
            if received:
                return received

    async def send(self, messages: Sequence[Element]) -> None:
        """See `Line`."""
        try:
            self._writer.write("".join(write_xml(each) + "\0" for each in messages).encode())
            await self._writer.drain()
        except OSError as error:
            raise LineClosedError(str(error)) from None

    async def close(self) -> None:
        """See `Line`."""
        self._writer.close()


class JsonLine:
    """Messages over a WebSocket: one JSON object a frame.

    ``socket`` is a client's or server's connection of the package ``websockets``.
    """

    def __init__(self, socket: Any, *, from_client: bool) -> None:
        self._socket = socket
        self._from_client = from_client

    async def receive(self) -> list[Element | ProtocolError]:
        """See `Line`."""
        from websockets.exceptions import ConnectionClosed

        while True:
            try:
                frame = await self._socket.recv()
            except (ConnectionClosed, OSError) as error:
                raise LineClosedError(str(error)) from None
            text = frame if isinstance(frame, str) else bytes(frame).decode("utf-8", "replace")
            received = _parsed(parse_json, text)
            if received:
                return received

    async def send(self, messages: Sequence[Element]) -> None:
        """See `Line`."""
        from websockets.exceptions import ConnectionClosed

        try:
            for each in messages:
                await self._socket.send(write_json(each, from_client=self._from_client))
        except (ConnectionClosed, OSError) as error:
            raise LineClosedError(str(error)) from None

    async def close(self) -> None:
        """See `Line`."""
        await self._socket.close()


async def open_line(address: str) -> Line:
    """Connect to ``tcp://HOST:PORT`` (XML), ``ws://…`` or ``wss://…`` (JSON). Raises `OSError`."""
    from urllib.parse import urlsplit

    parts = urlsplit(address)
    if parts.scheme == "tcp":
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=LONGEST)
        return XmlLine(reader, writer)
    import websockets
    from websockets.exceptions import WebSocketException

    try:
        socket = await websockets.connect(address, max_size=4 * LONGEST, open_timeout=10, ping_interval=None)
    except WebSocketException as error:
        raise OSError(str(error)) from None
    return JsonLine(socket, from_client=True)

"""A connection that cuts, joins and delays packets, and breaks at times."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress


class Shaker:
    """Listens and forwards bytes to a port; ``breaks``: number of connections to break."""

    def __init__(self, port: int, seed: int, breaks: int, longest: float = 0.002) -> None:
        self.port = port
        self.random = random.Random(seed)
        self.breaks = breaks
        self.broken = 0
        self.longest = longest
        self.tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Shaker:
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.own_port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        there, back = await asyncio.open_connection("127.0.0.1", self.port)
        left = self.random.randrange(40, 400) if self.broken < self.breaks else -1
        self.broken += left >= 0
        budget = [left]
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(self.pass_on(reader, back, budget), self.pass_on(there, writer, budget))
        for each in (writer, back):
            each.close()

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, budget: list[int]) -> None:
        while data := await reader.read(4096):
            while data:
                size = self.random.choice((1, 3, 17, 200, len(data)))
                writer.write(data[:size])
                data = data[size:]
                if self.random.random() < 0.2:
                    await asyncio.sleep(self.random.random() * self.longest)
                budget[0] -= 1
                if budget[0] == 0:
                    raise ConnectionResetError
            await writer.drain()
        raise ConnectionResetError

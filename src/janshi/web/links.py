"""Records of links that players paste: fetched one at a time, in a thread of their own."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from janshi.records.links import Link

#: Maximum number of waiting requests.
_WAITING: Final = 8
#: Seconds between two requests, whoever asks.
_PAUSE: Final = 1.0


class BusyError(Exception):
    """Too many requests are waiting."""


class LinkReader:
    """Fetches the records of links, at the pace of one request a second; only `janshi.records.links.Link` says where.

    A request that nobody waits for any more still counts: asking and leaving makes no more of them.
    """

    def __init__(self, pause: float = _PAUSE) -> None:
        self._thread = ThreadPoolExecutor(1, "links")
        self._waiting = 0
        self._pause = pause
        self._last = 0.0

    def close(self) -> None:
        """Fetch nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def record(self, link: Link) -> bytes:
        """Return a link's record. Raises `BusyError` if too many wait, and `janshi.records.links.LinkError`."""
        if link.data is not None or link.fetch is None:
            return link.record()
        if self._waiting >= _WAITING:
            raise BusyError(f"{self._waiting} records are being fetched already: try again later")
        self._waiting += 1
        fetched = asyncio.get_running_loop().run_in_executor(self._thread, self._fetch, link)
        fetched.add_done_callback(self._done)
        return await asyncio.shield(fetched)

    def _fetch(self, link: Link) -> bytes:
        time.sleep(max(0.0, self._last + self._pause - time.monotonic()))
        try:
            return link.record()
        finally:
            self._last = time.monotonic()

    def _done(self, fetched: asyncio.Future[Any]) -> None:
        self._waiting -= 1
        if not fetched.cancelled():
            fetched.exception()  # retrieved, even if nobody waits for it

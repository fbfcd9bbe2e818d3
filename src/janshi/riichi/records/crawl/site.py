"""Asking a site for files, politely: one rate for all threads, retries with back-off, and a way to stop at any time."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from typing import IO, Any, Final, Self, TypeVar
from urllib.parse import urljoin, urlsplit

from janshi.installing import naming_extra
from janshi.riichi.records.crawl.config import CrawlError, Politeness
from janshi.riichi.records.crawl.lists import Failure, Wrong
from janshi.text import printable

with naming_extra(__name__):
    import urllib3
    from urllib3.exceptions import (
        ConnectTimeoutError,
        HTTPError,
        MaxRetryError,
        NameResolutionError,
        NewConnectionError,
        ProtocolError,
        ReadTimeoutError,
    )
    from urllib3.response import BaseHTTPResponse
    from urllib3.util import Retry, Timeout

T = TypeVar("T")

#: The longest pause, in seconds, that the site may ask for; a longer one ends the crawl.
LONGEST_WAIT: Final = 300.0
#: The longest pause between two tries, in seconds.
LONGEST_BACKOFF: Final = 60.0
#: Most time of a whole answer, in time-outs; archives may take as long as they need.
SLOWEST: Final = 10
#: Most redirects in a row, all within the site.
_MOST_REDIRECTS: Final = 5
_IN_MEMORY: Final = 1 << 24
_CHUNK: Final = 1 << 16
#: Answers that may change: the request is repeated.
_BUSY: Final = (429, 500, 502, 503, 504)
#: Answers that refuse the client, not the file.
_REFUSED: Final = (401, 403, 407, 451)


class Stopped(Exception):  # noqa: N818 - no error: it was requested
    """The crawl is to end."""


class Unanswered(Failure):
    """The site did not answer, or refused to answer now; another day may help."""


class Later(Failure):
    """The site asks for a longer pause than a crawl makes."""


class RequestClock:
    """One clock for all threads: the time of the next request.

    >>> pace = RequestClock(1000.0, threading.Event())
    >>> pace.wait()
    >>> pace.requests
    1
    """

    def __init__(self, rate: float, stop: threading.Event) -> None:
        self.requests = 0
        self._interval = 1.0 / rate
        self._next = 0.0
        self._lock = threading.Lock()
        self._stop = stop

    def wait(self) -> None:
        """Wait for this thread's turn. Raises `Stopped` if the crawl is to end."""
        while True:
            with self._lock:
                now = time.monotonic()
                if self._stop.is_set():
                    raise Stopped
                if now >= self._next:
                    self._next = now + self._interval
                    self.requests += 1
                    return
                delay = self._next - now
            self._stop.wait(delay)

    def pause(self, seconds: float) -> None:
        """Let no thread ask anything for some seconds."""
        with self._lock:
            self._next = max(self._next, time.monotonic() + seconds)

    def sleep(self, seconds: float) -> None:
        """Wait in this thread. Raises `Stopped` if the crawl is to end."""
        if self._stop.wait(seconds):
            raise Stopped


class _Patience(Retry):
    """urllib3's retries, which wait for their turn; a pause that the site asks for holds for all threads."""

    pace: RequestClock

    @classmethod
    def at(cls, pace: RequestClock, retries: int, backoff: float) -> Self:
        patience = cls(
            total=retries,
            redirect=False,
            raise_on_redirect=False,
            status_forcelist=_BUSY,
            backoff_factor=backoff,
            backoff_max=LONGEST_BACKOFF,
        )
        patience.pace = pace
        return patience

    def new(self, **changes: Any) -> Self:
        fresh = super().new(**changes)
        fresh.pace = self.pace
        return fresh

    def sleep(self, response: BaseHTTPResponse | None = None) -> None:
        asked = None if response is None else self.get_retry_after(response)
        if asked is not None:
            self.pace.pause(asked)
            if asked > LONGEST_WAIT:
                raise Later(f"the site asks to be left alone for {asked / 60:,.0f} minutes or more")
        else:
            self.pace.sleep(max(self.get_backoff_time(), self.backoff_factor))
        self.pace.wait()


def same_site(one: str, other: str) -> bool:
    """Return whether two addresses are of one host and port, or the second is the first's over TLS.

    >>> same_site("http://tenhou.net", "https://tenhou.net/0/"), same_site("https://tenhou.net", "http://tenhou.net/")
    (True, False)
    """
    try:
        first, second = (
            (parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme))
            for parts in (urlsplit(one), urlsplit(other))
        )
    except ValueError:
        return False
    return first == second or (first == ("http", first[1], 80) and second == ("https", first[1], 443))


class CrawledSite:
    """A site under the limits of a `Politeness`. Threads may share it."""

    def __init__(self, politeness: Politeness, stop: threading.Event) -> None:
        politeness.check()
        self.pace = RequestClock(politeness.rate, stop)
        self._base = politeness.site.rstrip("/")
        self._timeout = politeness.timeout
        self._retry = _Patience.at(self.pace, politeness.retries, politeness.backoff)
        self._pool = urllib3.PoolManager(
            maxsize=politeness.jobs,
            timeout=Timeout(connect=politeness.timeout, read=politeness.timeout),
            headers={"User-Agent": politeness.agent, "Accept-Encoding": "gzip"},
        )

    def close(self) -> None:
        """Close all connections."""
        self._pool.clear()

    def get(self, path: str, check: Callable[[IO[bytes]], T], largest: int) -> T:
        """Fetch a file and return the result of ``check`` on it.

        ``check`` takes the bytes as an open file and raises `Wrong` for an unexpected content; the request is then
        repeated, as after broken connections and answers like 503. ``largest``: most bytes; up to 16 MiB they must
        come within ten time-outs. Redirects are requests like others, and stay within the site.
        Raises `Wrong`, `Unanswered`, `Later`, `Stopped`.
        """
        url = self._base + path
        retry: Retry = self._retry
        redirects = 0
        self.pace.wait()
        try:
            while True:
                response = self._pool.request("GET", url, retries=retry, redirect=False, preload_content=False)
                retry = response.retries or retry
                location = response.get_redirect_location()
                if location:
                    response.close()
                    redirects += 1
                    url = self._redirected(url, location, redirects)
                    self.pace.wait()
                    continue
                try:
                    return self._take(response, check, largest)
                except (HTTPError, Wrong) as error:
                    if response.status != 200:
                        raise
                    retry = retry.increment("GET", url, error=error)
                finally:
                    response.close()
                retry.sleep()
        except MaxRetryError as error:
            if isinstance(error.reason, Wrong):
                raise error.reason from None
            raise Unanswered(_plain(error.reason, self._timeout)) from None
        except HTTPError as error:
            raise Unanswered(_plain(error, self._timeout)) from None

    def _redirected(self, url: str, location: str, redirects: int) -> str:
        """Return the address that a redirect leads to. Raises `Wrong` for another site, or too many redirects."""
        target = urljoin(url, location)
        if redirects > _MOST_REDIRECTS:
            raise Wrong(f"more than {_MOST_REDIRECTS} redirects")
        if not same_site(self._base, target):
            raise Wrong(f"the site redirects to another one ({printable(target[:200])}), which is not asked")
        return target

    def _take(self, response: BaseHTTPResponse, check: Callable[[IO[bytes]], T], largest: int) -> T:
        if response.status in _REFUSED:
            raise Unanswered(f"{response.status} {response.reason or ''}".strip())
        if response.status != 200:
            raise Wrong(f"{response.status} {response.reason or ''}".strip())
        hurry = largest <= _IN_MEMORY
        end = time.monotonic() + SLOWEST * self._timeout
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as file:
            while chunk := response.read1(_CHUNK):
                if not hurry:
                    self.pace.sleep(0)  # a short answer may still come
                if file.tell() + len(chunk) > largest:
                    raise Wrong(f"larger than {largest >> 20} MiB")
                if hurry and time.monotonic() > end:
                    raise ProtocolError(f"the answer takes over {SLOWEST * self._timeout:g} s")
                try:
                    file.write(chunk)
                except OSError as error:
                    raise CrawlError(
                        f"the temporary folder {tempfile.gettempdir()} cannot be written ({error.strerror or error}): "
                        "make room, or name another in TMPDIR, and run the same command again"
                    ) from None
            file.seek(0)
            return check(file)


def _plain(error: BaseException | None, timeout: float) -> str:
    """Return the reason of a failed request in one line."""
    if isinstance(error, NameResolutionError):
        return "the site's name cannot be found: is there a network?"
    if isinstance(error, NewConnectionError):
        return f"no connection ({error})"
    if isinstance(error, ConnectTimeoutError | ReadTimeoutError):
        return f"no answer within {timeout:g} s"
    return str(error.args[0] if isinstance(error, ProtocolError) else error).splitlines()[0]

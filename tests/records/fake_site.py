"""A local site with pages like Tenhou's for the crawler: lists, archives, records, and faults."""

from __future__ import annotations

import gzip
import io
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROOMS = {0x00: "般", 0x80: "上", 0x20: "特", 0xA0: "鳳"}


def list_line(name: str) -> str:
    """Return the line of a record in a list, in the site's format."""
    flags = int(name.split("-")[1], 16)
    kind = (
        ("三" if flags & 16 else "四")
        + ROOMS[flags & 0xA0]
        + ("南" if flags & 8 else "東")
        + ("－" if flags & 4 else "喰")
        + ("－" if flags & 2 else "赤")
        + ("速" if flags & 64 else "－")
    )
    link = f'<a href="http://tenhou.net/0/?log={name}">牌譜</a>'
    return f"{name[8:10]}:03 | 18 | {kind} | {link} | 一(+42.0) <二>(0.0) 三|x(-42.0)<br>\r\n"


def list_page(names: list[str]) -> bytes:
    """Return a list of records, with one line without a link."""
    return ("".join(map(list_line, names)) + "23:59 | 18 | 四般南喰赤－ | 四(+42.0)<br>\r\n").encode()


def archive(names: list[str], *, gz: bool = True) -> bytes:
    """Return a yearly archive: a list for each day, and other lists, whose links are ignored."""
    days: dict[str, list[str]] = {}
    for name in names:
        days.setdefault(name[:8], []).append(name)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as out:
        for day, played in days.items():
            page = list_page(played)
            if gz:
                out.writestr(f"{day[:4]}/scc{day}.html.gz", gzip.compress(page))
            else:
                out.writestr(f"{day[:4]}/scc{day}.html", page)
            other = f"{day}00gm-0009-0000-{'0' * 8}"
            out.writestr(f"{day[:4]}/scb{day}.log.gz", gzip.compress(list_page([other])))
    return file.getvalue()


Mood = Callable[["Handler", bytes], None]


def says(text: bytes, status: int = 200, retry_after: str = "") -> Mood:
    """Return a constant answer."""
    headers = {"Retry-After": retry_after} if retry_after else {}
    return lambda handler, _: handler.answer(text, status, headers)


busy = says(b"later", 503)
too_many = says(b"slower", 429, "1")
too_many_for_today = says(b"slower", 429, "86400")
missing = says(b"<html>no such page</html>", 404)
forbidden = says(b"<html>go away</html>", 403)
garbage = says(b"<html><body>maintenance</body></html>")
empty = says(b"")


def cut(handler: Handler, body: bytes) -> None:
    """Send half of the announced length and stop."""
    handler.answer(body[: len(body) // 2], promised=len(body))
    handler.close_connection = True


def cut_unseen(handler: Handler, body: bytes) -> None:
    """Send half of the content as if it were complete."""
    handler.answer(body[: len(body) // 2])


def slow(handler: Handler, body: bytes) -> None:
    time.sleep(0.2)
    handler.answer(body)


def hang(handler: Handler, body: bytes) -> None:
    handler.site.ended.wait(20)
    handler.close_connection = True


def packed(handler: Handler, body: bytes) -> None:
    handler.answer(gzip.compress(body), headers={"Content-Encoding": "gzip"})


def redirects(location: str, status: int = 302) -> Mood:
    """Return a redirect."""
    return lambda handler, _: handler.answer(b"", status, {"Location": location})


@dataclass
class Site:
    """The content of the site, its requests, and its next answers."""

    records: dict[str, bytes]
    files: dict[str, bytes] = field(default_factory=dict)  # by path below /sc/raw/
    moods: dict[str, list[Mood]] = field(default_factory=dict)  # by record or path; one for each request
    mood: Mood | None = None  # of all requests for records
    delay: float = 0.0
    asked: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    connections: int = 0
    url: str = ""
    ended: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def of_records(self) -> Counter[str]:
        """Return the number of requests for each record."""
        with self.lock:
            return Counter({name: count for name, count in self.asked.items() if "gm-" in name})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: Site

    def setup(self) -> None:
        super().setup()
        with self.site.lock:
            self.site.connections += 1

    def do_GET(self) -> None:
        site = self.site
        path, _, query = self.path.partition("?")
        name = query if path == "/0/log/" else self.path.removeprefix("/sc/raw/")
        with site.lock:
            site.asked[name] += 1
            site.times.append(time.monotonic())
            site.agents.add(self.headers["User-Agent"])
            moods = site.moods.get(name)
            mood = moods.pop(0) if moods else site.mood if "gm-" in name else None
        body = site.records.get(name) if path == "/0/log/" else site.files.get(name)
        time.sleep(site.delay if "gm-" in name else 0)
        if mood is not None:
            mood(self, body or b"")
        elif body is None:
            missing(self, b"")
        else:
            self.answer(body)

    def answer(
        self, body: bytes, status: int = 200, headers: dict[str, str] | None = None, promised: int | None = None
    ) -> None:
        self.send_response(status)
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(body) if promised is None else promised))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Ignore clients that disconnect."""


@contextmanager
def serving(site: Site) -> Iterator[Site]:
    """Serve a site locally."""
    server = _Server(("127.0.0.1", 0), type("_Handler", (Handler,), {"site": site}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield site
    finally:
        site.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()

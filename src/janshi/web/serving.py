"""Running the server."""

from __future__ import annotations

import asyncio
import errno
import os
import secrets
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from typing import Any, Final

from janshi import compiling
from janshi.agents import Agent
from janshi.compiling import Prepared
from janshi.games import rules_of
from janshi.installing import naming_extra
from janshi.review.advising import advise, own_of, question_of
from janshi.rollout.driver import Driver, Seating
from janshi.table import Tables
from janshi.web.connection import Bucket
from janshi.web.guard import LOCAL
from janshi.web.messages import NewTable
from janshi.web.pages import pages, rules_at
from janshi.web.roster import Roster
from janshi.web.server import create_app
from janshi.web.table_manager import Setup

with naming_extra(__name__):
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    from websockets.frames import Frame

#: The default port.
PORT: Final = 8000
#: Maximum size of a WebSocket message in bytes; see also `janshi.web.connection.LONGEST`.
_SOCKET_BYTES: Final = 64 << 10
#: Control frames and parts of messages of a connection a second, and maximum burst; browsers send one in 20 seconds.
_FRAMES_A_SECOND, _FRAMES_AT_ONCE = 5.0, 100
#: Bytes of a WebSocket that are parsed at once.
_PIECE: Final = 1024
#: Maximum number of connections; more are answered with 503.
_CONNECTIONS: Final = 2048
#: Seconds within which a connection must send the headers of a request, and then its body.
_HEADERS_WITHIN, _BODY_WITHIN = 10.0, 60.0
#: Connections accepted in one iteration of the event loop, so that tables need not wait for a thousand of them.
_ACCEPTED_AT_ONCE: Final = 4


def serve(
    setup: Setup,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serve tables until Ctrl-C, which raises `KeyboardInterrupt` unless the process ignores SIGINT.

    Args:
        setup: settings; the browser first shows ``begin`` or ``review``.
        host: address to listen on. Addresses that other machines can reach require a token, which is part of the
            printed address.
        port: None for `PORT`, or for any port if that is taken; 0 for any.
        browser: whether to open a browser.
        say: called with the address and later messages.

    Raises `OSError` if the server cannot listen on the address.
    """
    local = host in LOCAL
    token = None if local else secrets.token_urlsafe(18)
    listening = _listen(host, port, say)
    address = _address(host, listening.getsockname()[1], token)
    say(address)
    steps = (lambda: _make_ready(setup, say), lambda: _make_others_ready(setup, say))
    app = create_app(setup, token=token, local=local, prepare=steps)
    config = uvicorn.Config(
        app,
        http=_Http,
        ws=_WebSocket,
        log_level="warning",
        ws_max_size=_SOCKET_BYTES,
        limit_concurrency=_CONNECTIONS,
        backlog=_ACCEPTED_AT_ONCE,
        server_header=False,
    )
    server = _Server(config)
    if browser:
        threading.Thread(target=_open_browser, args=(server, address), daemon=True).start()
    loop = asyncio.new_event_loop()
    try:
        # `asyncio.run` would wait for threads at its end, and loading a player or compiling can take long.
        loop.run_until_complete(server.serve(sockets=[listening]))
    finally:
        listening.close()


class _Http(H11Protocol):
    """HTTP with a time limit for the arrival of requests."""

    _deadline: asyncio.TimerHandle | None = None
    _waits_for = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit of a request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Process a part of a request."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the time limit."""
        super().connection_lost(exc)
        self._wait("")

    def _watch(self) -> None:
        """Set the time limit for the missing part of a request: headers, body, or none."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            self._wait("")
        elif self.cycle is None or self.cycle.response_complete:
            self._wait("headers")
        else:
            self._wait("body" if self.cycle.more_body else "")

    def _wait(self, what: str) -> None:
        if what == self._waits_for:
            return
        self._waits_for = what
        if self._deadline is not None:
            self._deadline.cancel()
        seconds = _BODY_WITHIN if what == "body" else _HEADERS_WITHIN
        self._deadline = self.loop.call_later(seconds, self.transport.close) if what else None


class _WebSocket(WebSocketsSansIOProtocol):
    """A WebSocket with a limit for control frames and parts of messages, of which the application sees nothing."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._bucket = Bucket(_FRAMES_A_SECOND, _FRAMES_AT_ONCE)

    def data_received(self, data: bytes) -> None:
        """Process data in small pieces: a large one can contain ten thousand frames."""
        for start in range(0, len(data), _PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _PIECE])

    def handle_ping(self) -> None:
        """Answer a ping."""
        self._count()
        super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Note the answer to a ping."""
        self._count()
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """Add a part to a message."""
        self._count()
        super().handle_cont(event)

    def _count(self) -> None:
        """End the connection if it sends more frames than a browser does."""
        if not self._bucket.take():
            self.transport.abort()


class _Server(uvicorn.Server):
    """A server that shuts down without waiting: games are on disk, and browsers reconnect."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, with a queue for all connections.

        asyncio uses ``backlog`` for the length of the queue and for the number of connections accepted at once.
        """
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_CONNECTIONS)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop without waiting for requests."""
        for server in self.servers:
            server.close()
        await self.lifespan.shutdown()


def _listen(host: str, port: int | None, say: Callable[[str], None]) -> socket.socket:
    """Return a socket that listens on a port, or on another one if that is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere it would take the port from another program
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    wanted = PORT if port is None else port
    try:
        try:
            listening.bind((host, wanted))
            # With SO_REUSEADDR, bind succeeds even if another program listens on the port.
            listening.listen(128)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            say(f"port {wanted} is taken; using another one")
            listening.close()
            listening = socket.socket(family, socket.SOCK_STREAM)
            listening.bind((host, 0))
    except OSError:
        listening.close()
        raise
    return listening


def _address(host: str, port: int, token: str | None) -> str:
    """Return the URL; if the server listens on all addresses, with the name of this machine."""
    name = socket.gethostname() if host in ("0.0.0.0", "::") else host
    name = f"[{name}]" if ":" in name else name
    return f"http://{name}:{port}/" + ("" if token is None else f"?token={token}")


def _open_browser(server: uvicorn.Server, address: str) -> None:
    while not server.started and not server.should_exit:
        time.sleep(0.05)
    if server.started:
        webbrowser.open(address)


def _make_ready(setup: Setup, say: Callable[[str], None]) -> None:
    """Load the agents of the first table, and compiled code; tables can be opened afterwards."""
    start = time.perf_counter()
    compiling.announce(lambda name: None)
    wanted = setup.begin or NewTable(rules=next(name for page in pages().values() for name in page.presets))
    try:
        rules = rules_at(wanted.rules, wanted.length)
        if compiling.are_kept(_entries(later=False)):
            warm_up(rules, wanted.agents, setup.roster)
            compiled = ""
        else:
            _seated(rules, wanted.agents, setup.roster)
            compiled = "; moves are slower until the engine is compiled, once after an installation or update"
    except Exception as error:
        say(f"no table can be opened: {error}")
        raise
    say(f"ready after {time.perf_counter() - start:.1f} s{compiled}; press Ctrl-C to stop")


def _make_others_ready(setup: Setup, say: Callable[[str], None]) -> None:
    """Compile missing functions in separate processes, and warm up other tables and hints."""
    start = time.perf_counter()
    first, later = _entries(later=False), _entries(later=True)
    if not compiling.are_kept((*first, *later)):
        compiling.prepare(first)
        compiling.prepare(later)
        say(f"compiled in {time.perf_counter() - start:.0f} s")
    roster = setup.roster
    for page in pages().values():
        for rules in {rules.players: rules for rules in map(rules_of, page.presets[::-1])}.values():
            for name in (name for name in roster.able(rules) if name not in roster.bots):
                table = warm_up(page.at_length(rules, "hand"), [name], roster)
                if "say" in table.game.facets:
                    advise(table.decisions([0]), roster.seat(roster.best(rules), rules))


def _entries(later: bool) -> tuple[Prepared, ...]:
    """Return the compiled functions ``first`` or ``later`` of all games' pages."""
    return tuple(entry for page in pages().values() for entry in (page.later if later else page.first))


def _seated(rules: Any, names: Sequence[str], roster: Roster) -> list[Agent]:
    """Return the agents of a table: the named ones, repeated, or the best one, which also stands for bots."""
    best = roster.best(rules)
    agents = [roster.seat(best if name in roster.bots else name, rules) for name in names or [best]]
    return [agents[seat % len(agents)] for seat in range(rules.players)]


def warm_up(rules: Any, names: Sequence[str], roster: Roster) -> Tables:
    """Load or compile the functions of a table by playing a game and beginning the next; return the table."""
    table = Tables(rules, 1, auto_reset=False)
    Driver(table, Seating.same(_seated(rules, names, roster), 1), next_hands=False).run()
    table.next_hand([0])
    table.next_game([0])
    if table.game.events is not None:
        table.events()
    if "say" in table.game.facets:
        own_of(rules, table.views([0], [0]))
        question_of(table.decisions([0]))
    return table

"""A local server of Tenhou's protocol in both dialects: lobby, queues, tables, time limits and reconnections.

By default it listens on this machine only. Players are clients of any kind, and agents of this package.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from janshi.agents.protocol import Agent
from janshi.tenhou.lines import JsonLine, Line, LineClosedError, XmlLine
from janshi.tenhou.lobby import TYPES, Account, GameType, game_type, lobby_number, run_lengths
from janshi.tenhou.protocol import LONGEST, Dialect, Element, ProtocolError, message
from janshi.tenhou.running import RunningTable, SeatedPlayer, Times
from janshi.text import printable

#: Number of invalid or unexpected messages after which a connection is closed.
_MOST_FAULTS: Final = 100
#: Seconds for connections to end.
_ENDING: Final = 2.0
#: Origins of WebSockets: programs have none, and pages must be of this machine.
_ORIGINS: Final = (None, re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?"))
_POLICY: Final = "policy-file-request"
_GUEST: Final = "NoName"
_COMPUTER: Final = "COM"
#: Tags that need no answer.
_QUIET: Final = frozenset(("Z", "AUTH", "CS", "DATE", "RANKING"))
_PLAY: Final = frozenset(("D", "N", "REACH", "NEXTREADY"))


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Settings of a server. Times in seconds."""

    agents: Sequence[Callable[[], Agent]] = ()
    """Agents for games against the server's players, in turn; the first ones also fill queues."""
    seed: int | None = None
    """Seed of walls and seats; None: random."""
    times: Times = field(default_factory=Times)
    fill_after: float | None = None
    """Time in a queue after which agents replace missing players; None: never."""
    rejoin: float = 30.0
    """Interval of the polling of waiting clients."""
    records: Path | None = None
    """Folder for records of all games as mjlog."""


@dataclass(eq=False, slots=True)
class ConnectedClient:
    """A connected client."""

    line: Line
    dialect: Dialect
    account: Account | None = None
    wanted: GameType | None = None
    player: SeatedPlayer | None = None
    faults: int = 0


class TenhouServer:
    """The server: see the module. ``async with`` closes it at the end.

    ``faults`` counts invalid and unexpected messages of clients by reason. ``late`` counts answers that came after the
    time limit, or over a connection that a newer one has replaced.
    """

    def __init__(self, settings: ServerSettings | None = None, say: Callable[[str], None] = lambda line: None) -> None:
        self.settings = settings or ServerSettings()
        self.faults: Counter[str] = Counter()
        self.late = 0
        self.tables: list[RunningTable] = []
        self.games = 0
        """Number of finished games."""
        self._say = say
        self._connections: set[ConnectedClient] = set()
        self._accounts: dict[str, Account] = {}
        self._players: dict[str, SeatedPlayer] = {}
        self._queues: dict[GameType, list[ConnectedClient]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._serving: set[asyncio.Task[Any]] = set()
        self._servers: list[Any] = []
        self._thinking = ThreadPoolExecutor(1)
        self._agents: dict[int, Agent] = {}

    async def __aenter__(self) -> TenhouServer:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def listen(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Listen for the XML dialect; return the port. Raises `OSError`."""
        server = await asyncio.start_server(self._accept_xml, host, port, limit=LONGEST)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def listen_web(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Listen for the JSON dialect; return the port. Raises `OSError`."""
        from websockets.asyncio.server import serve

        server = await serve(
            self._accept_json, host, port, origins=_ORIGINS, max_size=4 * LONGEST, ping_interval=None
        )
        self._servers.append(server)
        return int(next(iter(server.sockets)).getsockname()[1])

    async def close(self) -> None:
        """End all tables and connections."""
        for server in self._servers:
            server.close()
        for connection in list(self._connections):
            await connection.line.close()
        if self._serving:
            await asyncio.wait(self._serving, timeout=_ENDING)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._thinking.shutdown(wait=True)

    # -------------------------------------------------------------------------------------------------------
    # Connections

    async def _accept_xml(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._serve(ConnectedClient(XmlLine(reader, writer), Dialect.XML))

    async def _accept_json(self, socket: Any) -> None:
        await self._serve(ConnectedClient(JsonLine(socket, from_client=False), Dialect.JSON))

    async def _serve(self, connection: ConnectedClient) -> None:
        """Handle one connection until it ends."""
        self._connections.add(connection)
        task = asyncio.current_task()
        if task is not None:
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)
        try:
            while connection.faults < _MOST_FAULTS:
                for sent in await connection.line.receive():
                    await self._take(connection, sent)
        except LineClosedError as error:
            if "bytes" in str(error):
                self._fault(connection, str(error))
        finally:
            self._connections.discard(connection)
            await self._leave(connection)
            with contextlib.suppress(Exception):
                await connection.line.close()

    async def _take(self, connection: ConnectedClient, sent: Element | ProtocolError) -> None:
        try:
            if isinstance(sent, ProtocolError):
                raise sent
            await self._handle(connection, sent)
        except ProtocolError as error:
            self._fault(connection, str(error))

    def _fault(self, connection: ConnectedClient, reason: str) -> None:
        """Count and report a fault of a client."""
        connection.faults += 1
        self.faults[reason] += 1
        name = "a client" if connection.account is None else connection.account.name
        self._say(printable(f"{name}: {reason}"))

    async def _handle(self, connection: ConnectedClient, sent: Element) -> None:
        tag = sent.tag
        if tag in _QUIET:
            return
        if tag == "HELO":
            await self._login(connection, sent)
        elif tag == _POLICY:
            await connection.line.send([Element("cross-domain-policy")])
        elif tag == "ECHO":
            await connection.line.send([Element("ECHO")])
        elif connection.account is None:
            raise ProtocolError(f"<{tag}> before a login (HELO)")
        elif tag == "PXR":
            await connection.line.send([self._counts(connection.dialect)])
        elif tag == "JOIN":
            await self._join(connection, sent)
        elif tag in ("LOBBY", "CHAT"):
            await self._chat(connection, sent)
        elif tag == "BYE":
            await connection.line.close()
        elif tag == "GOK" or tag in _PLAY:
            self._play(connection, sent)
        else:
            raise ProtocolError(f"<{tag}> is not a client's message")

    async def _leave(self, connection: ConnectedClient) -> None:
        self._unqueue(connection)
        player = connection.player
        if player is not None and player.connection is connection:
            await player.table.gone(player)

    async def _login(self, connection: ConnectedClient, sent: Element) -> None:
        if connection.account is not None:
            raise ProtocolError("<HELO> after a login")
        name = sent.words("name")
        if not 0 < len(name) <= 32 or not name.isprintable():
            raise ProtocolError("<HELO> needs a name of 1 to 32 characters")
        player = self._players.get(sent.values.get("gpid", ""))
        if player is None and name != _GUEST:
            named = (seated for seated in self._players.values() if seated.account.name == name)
            player = next(named, None)
            if player is not None and player.connection is not None and not player.table.over:
                await connection.line.close()
                raise ProtocolError(f"{name} is already playing: taking over the seat requires its token (gpid)")
        if player is not None and not player.table.over:
            if player.connection is not None:
                self._fault(connection, f"{player.account.name} is already connected: using the newer connection")
                await player.connection.line.close()
            connection.account = player.account
            connection.player = player
            await player.table.back(player, connection)
            return
        account = self._accounts.setdefault(name, Account(name, sent.values.get("sx", "M")[:1]))
        connection.account = Account(name) if name == _GUEST else account
        await connection.line.send([connection.account.greeting()])

    async def _chat(self, connection: ConnectedClient, sent: Element) -> None:
        text = sent.words("text")
        number = sent.values.get("id", text.removeprefix("/lobby ") if text.startswith("/lobby ") else "")
        if sent.tag == "LOBBY" or number:
            await connection.line.send([message("CHAT", lobby=lobby_number(number))])

    # -------------------------------------------------------------------------------------------------------
    # Queues

    def _counts(self, dialect: Dialect) -> Element:
        """Return the numbers of connected, waiting and playing clients."""
        online = [len(self._connections), len(self._connections), 0, 0]
        waiting = Counter(kind.flags for kind, queue in self._queues.items() for _ in queue)
        playing = Counter(table.kind.flags for table in self.tables for _ in table.players if not table.over)
        write = run_lengths if dialect is Dialect.XML else lambda counts: ",".join(map(str, counts))
        join, game = ([counts[flags] for flags in TYPES] for counts in (waiting, playing))
        return message("LN", n=write(online), j=write(join), g=write(game))

    async def _join(self, connection: ConnectedClient, sent: Element) -> None:
        if connection.player is not None and not connection.player.table.over:
            raise ProtocolError("<JOIN> during a game")
        if "t" not in sent.values:
            self._unqueue(connection)
            return
        kind = game_type(sent.text("t"))
        if connection.wanted == kind:
            return  # the answer to REJOIN
        self._unqueue(connection)
        connection.wanted = kind
        if not kind.against_people:
            if not self.settings.agents:
                raise ProtocolError(f"type {kind.flags} needs agents, and this server has none")
            self._start(kind, [connection])
            return
        queue = self._queues.setdefault(kind, [])
        queue.append(connection)
        if len(queue) >= kind.players:
            self._start(kind, queue[: kind.players])
        else:
            self._spawn(self._wait_in_queue(connection, kind))

    async def _wait_in_queue(self, connection: ConnectedClient, kind: GameType) -> None:
        """Poll a waiting player, and fill the table with agents after `ServerSettings.fill_after`."""
        waited = 0.0
        fill = self.settings.fill_after if self.settings.agents else None
        while True:
            pause = self.settings.rejoin if fill is None else min(self.settings.rejoin, max(fill - waited, 0.0))
            await asyncio.sleep(pause)
            waited += pause
            if connection.wanted != kind or connection not in self._queues.get(kind, ()):
                return
            if fill is not None and waited >= fill:
                self._start(kind, self._queues[kind][: kind.players])
                return
            with contextlib.suppress(LineClosedError):
                await connection.line.send([message("REJOIN", t=f"{kind.lobby},{kind.flags},r")])

    def _unqueue(self, connection: ConnectedClient) -> None:
        if connection.wanted is not None:
            queue = self._queues.get(connection.wanted, [])
            if connection in queue:
                queue.remove(connection)
            connection.wanted = None

    # -------------------------------------------------------------------------------------------------------
    # Tables

    def _start(self, kind: GameType, connections: Sequence[ConnectedClient]) -> None:
        """Start a game with the players, and agents in the other seats."""
        number = len(self.tables)
        seed = secrets.randbits(62) if self.settings.seed is None else self.settings.seed + number
        table = RunningTable(kind, seed, self.settings.times, self._thinking)
        for connection in connections:
            self._unqueue(connection)
            account = connection.account
            if account is None:
                raise ProtocolError("a player without a login cannot be seated")
            connection.player = SeatedPlayer(table, account, secrets.token_hex(4), connection)
            self._players[connection.player.token] = connection.player
            table.players.append(connection.player)
        for index in range(kind.players - len(connections)):
            table.players.append(SeatedPlayer(table, Account(_COMPUTER, "C"), agent=self._agent(index)))
        table.draw_seats()
        self.tables.append(table)
        self._spawn(self._run(table))

    def _agent(self, index: int) -> Agent:
        which = index % len(self.settings.agents)
        if which not in self._agents:
            self._agents[which] = self.settings.agents[which]()
        return self._agents[which]

    async def _run(self, table: RunningTable) -> None:
        try:
            await table.run()
        finally:
            for player in table.players:
                self._players.pop(player.token, None)
        self.games += 1
        if self.settings.records is not None:
            table.save(self.settings.records, len(self.tables))

    def _play(self, connection: ConnectedClient, sent: Element) -> None:
        player = connection.player
        if player is None:
            raise ProtocolError(f"<{sent.tag}> without a game")
        # Messages over a connection that a newer one has replaced are out of date.
        if player.connection is not connection or not player.table.receive(player, sent):
            self.late += 1

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._say(f"a table has ended with an error: {task.exception()!r}")
            self.faults[f"error: {task.exception()!r}"] += 1

"""A client of Tenhou's protocol: an agent plays whole games, and reconnects after a lost connection.

**Permission.** Tenhou's operator allows programs only with prior permission, requested by mail (support@c-egg.com).
The client therefore contains no real host and answers no login challenge. It connects to another machine only if the
user confirms the permission explicitly (`check_address`).
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO, TypeVar
from urllib.parse import quote, urlsplit

from janshi.agents.protocol import Agent
from janshi.files import save_text
from janshi.tenhou.known import RING
from janshi.tenhou.lines import Line, LineClosedError, open_line
from janshi.tenhou.player import TenhouPlayer
from janshi.tenhou.protocol import Dialect, Element, ProtocolError, message, write_xml
from janshi.text import printable

T = TypeVar("T")

#: Ports of `janshi tenhou-server`.
PORTS: Final = {Dialect.XML: 10_080, Dialect.JSON: 10_081}
PERMISSION: Final = (
    "Tenhou's operator allows programs only with prior permission (support@c-egg.com); "
    "other machines require --with-permission"
)
_SCHEMES: Final = {"tcp": Dialect.XML, "ws": Dialect.JSON, "wss": Dialect.JSON}
_GUEST: Final = "NoName"
#: Tags of the messages in a record of the player's view.
_KEPT: Final = frozenset(("GO", "UN", "TAIKYOKU", "INIT", "REINIT", "N", "REACH", "DORA", "AGARI", "RYUUKYOKU", "BYE"))
#: Maximum size of a game's record in characters, some ten times that of the longest game.
_LONGEST_RECORD: Final = 1 << 20
#: Number of invalid messages after which a connection is closed.
_MOST_FAULTS: Final = 1000
_AMOUNT: Final = re.compile(r"[-+]?\d{1,7}(\.\d{1,3})?")


class AddressError(ValueError):
    """An invalid address, or a server that requires permission."""


def check_address(url: str, with_permission: bool) -> Dialect:
    """Return the dialect of an address.

    Raises `AddressError` for an invalid address, or another machine without confirmed permission.

    >>> check_address("tcp://127.0.0.1:10080", False)
    <Dialect.XML: 'xml'>
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise AddressError(f"invalid address {url!r} ({error})") from None
    if parts.scheme not in _SCHEMES or not host:
        raise AddressError(f"invalid address {url!r}: write tcp://HOST:PORT (XML) or ws://HOST:PORT (JSON)")
    if not (is_loopback(host) or with_permission):
        raise AddressError(f"{host} is another machine. {PERMISSION}")
    return _SCHEMES[parts.scheme]


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("127.0.0.1.example.org")
    (True, True, False)
    """
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """Settings of a client. Times in seconds."""

    url: str
    name: str = _GUEST
    join: str | None = None
    """Lobby and type to queue for; None: wait for a game started by the server."""
    with_permission: bool = False
    games: int = 1
    seed: int = 0
    log: TextIO | None = None
    """File for all messages."""
    records: Path | None = None
    """Folder for records of the games as seen by this player."""
    keep_alive: float = 10.0
    patience: float = 120.0
    """Time without messages in a game after which the client reconnects."""
    attempts: int = 20
    """Maximum number of consecutive failed connections."""


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game: points and results as sent by the server, from the own seat on."""

    scores: tuple[int, ...]
    results: tuple[float, ...]
    returns: int
    """Number of lost connections."""


class TenhouClient:
    """A client that plays games: see the module.

    ``delays`` contains the seconds from each question to its answer, without the agent's time; ``faults`` counts
    messages of the server that were invalid or did not fit.
    """

    def __init__(self, agent: Agent, options: ClientOptions, say: Callable[[str], None] = lambda line: None) -> None:
        self._dialect = check_address(options.url, options.with_permission)
        self.options = options
        self.delays: list[float] = []
        self.faults = 0
        self._say = say
        self._player = TenhouPlayer(agent, seed=options.seed, complain=self._complain)
        self._token = ""
        self._reached = False
        self._in_game = False
        self._returns = 0
        self._game: list[Element] = []
        self._size = 0
        self._played: list[Played] = []
        self._thinking = ThreadPoolExecutor(1)

    def _complain(self, line: str) -> None:
        self.faults += 1
        self._say(printable(line))

    async def play(self) -> list[Played]:
        """Play the requested number of games; return their results.

        Raises `ConnectionError` if the server cannot be reached.
        """
        failed = 0
        try:
            while len(self._played) < self.options.games:
                before = len(self._game), len(self._played)
                try:
                    await self._connect()
                except OSError as error:
                    failed = failed + 1 if (len(self._game), len(self._played)) == before else 1
                    if failed == 1 and not self._reached:
                        self._say(f"{self.options.url} cannot be reached ({printable(str(error))}): trying again")
                    if failed > self.options.attempts:
                        raise ConnectionError(f"{self.options.url}: {error}") from None
                    self._returns += self._in_game
                    await asyncio.sleep(min(0.05 * 2 ** min(failed, 7), 5.0))
        finally:
            self._thinking.shutdown(wait=False)
        return self._played

    async def _connect(self) -> None:
        """Connect, log in, and play until the connection ends or all games are played. Raises `OSError`."""
        self._reached = False
        line = await open_line(self.options.url)
        self._reached = True
        beating = asyncio.get_running_loop().create_task(self._keep_alive(line))
        most = self.faults + _MOST_FAULTS
        try:
            await self._log_in(line)
            while len(self._played) < self.options.games:
                try:
                    async with asyncio.timeout(self.options.patience if self._in_game else None):
                        received = await line.receive()
                except TimeoutError:
                    raise LineClosedError("the server has stopped responding") from None
                for sent in received:
                    await self._take(line, sent)
                if self.faults >= most:
                    raise LineClosedError(f"the server has sent {_MOST_FAULTS:,} invalid messages")
            await self._send(line, [Element("BYE")])
        finally:
            beating.cancel()
            await line.close()

    async def _log_in(self, line: Line) -> None:
        token = self._token if self._token and self._in_game else None
        client = "f0" if self._dialect is Dialect.XML else None
        name = quote(self.options.name, safe="")
        await self._send(line, [message("HELO", name=name, tid=client, sx="C", gpid=token)])

    async def _keep_alive(self, line: Line) -> None:
        while True:
            await asyncio.sleep(self.options.keep_alive)
            try:
                await self._send(line, [Element("Z")])
            except LineClosedError:
                return

    async def _send(self, line: Line, messages: list[Element]) -> None:
        for each in messages:
            self._log("Send", each)
        await line.send(messages)

    def _log(self, direction: str, sent: Element) -> None:
        if self.options.log is not None:
            self.options.log.write(f"{direction}: {write_xml(sent)}\n")
            self.options.log.flush()

    # -------------------------------------------------------------------------------------------------------
    # Messages

    async def _take(self, line: Line, sent: Element | ProtocolError) -> None:
        if isinstance(sent, ProtocolError):
            self._complain(str(sent))
            return
        came = time.perf_counter()
        self._log("Get", sent)
        if self._in_game and (sent.tag in _KEPT or sent.letter):
            self._keep(sent)
        tag = sent.tag
        if tag == "HELO":
            await self._greeted(line)
        elif tag == "GO":
            await self._go(line, sent)
        elif tag == "TAIKYOKU":
            await self._send(line, [Element("NEXTREADY")])
        elif tag == "REJOIN" and self.options.join is not None:
            await self._send(line, [message("JOIN", t=f"{self.options.join},r")])
        elif tag == "ERR":
            raise ConnectionError(f"the server refuses: error {printable(sent.values.get('code', '?')[:40])}")
        elif self._in_game:
            await self._play(line, sent, came)

    def _keep(self, sent: Element) -> None:
        """Add a message to the record of the game, unless it is longer than any game."""
        size = len(write_xml(sent))
        if self._size <= _LONGEST_RECORD < self._size + size:
            self._complain("the game is too long: the rest of its record is not kept")
        self._size += size
        if self._size <= _LONGEST_RECORD:
            self._game.append(sent)

    async def _greeted(self, line: Line) -> None:
        if self._in_game:  # the game ended without this client
            self._in_game = False
            self._complain("the interrupted game is over")
            self._played.append(Played((), (), self._returns))
        await self._send(line, [message("PXR", V="1" if self.options.name == _GUEST else "9")])
        if self.options.join is not None and len(self._played) < self.options.games:
            await self._send(line, [message("JOIN", t=self.options.join)])

    async def _go(self, line: Line, sent: Element) -> None:
        again = self._in_game and sent.values.get("gpid") == self._token
        if not again:
            self._game, self._size, self._returns = [], 0, 0
            self._keep(sent)
        self._in_game, self._token = True, sent.values.get("gpid", "")
        self._player.hear(sent)
        await self._send(line, [Element("GOK")])

    async def _play(self, line: Line, sent: Element, came: float) -> None:
        self._player.hear(sent)
        if "owari" in sent.values:
            self._end(sent)
            await self._in_thread(self._player.tell)
            await self._send(line, [Element("NEXTREADY")])
            if len(self._played) < self.options.games and self.options.join is not None:
                await self._send(line, [message("JOIN", t=self.options.join)])
        elif sent.tag in ("AGARI", "RYUUKYOKU"):
            await self._send(line, [Element("NEXTREADY")])
        elif self._player.asked:
            answers = await self._in_thread(self._player.answer)
            self.delays.append(time.perf_counter() - came - self._player.thought)
            await self._send(line, answers)
        elif sent.tag in ("INIT", "REINIT"):
            await self._in_thread(self._player.tell)  # a bot starts before its first decision

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Let the agent work in its thread, so that keep-alive messages are sent meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(self._thinking, work)

    def _end(self, sent: Element) -> None:
        """Store the result of a game, and its record."""
        # At parlour tables chips follow.
        parts = sent.text("owari").split(",")[: 2 * RING]
        is_result = all(map(_AMOUNT.fullmatch, parts))
        if not is_result:
            self._complain(f"<{sent.tag}> with owari {sent.text('owari')[:40]!r}, which is no result")
        pairs = [float(part) for part in parts] if is_result else []
        scores = tuple(int(100 * hundreds) for hundreds in pairs[::2])
        self._played.append(Played(scores, tuple(pairs[1::2]), self._returns))
        self._in_game = False
        if self.options.records is not None:
            log = next((each.values.get("log", "") for each in self._game if each.tag == "TAIKYOKU"), "")
            name = "".join(letter for letter in log if letter.isalnum() or letter == "-") or "game"
            text = "".join(map(write_xml, self._game))
            path = self.options.records / f"{time.strftime('%Y%m%d%H%M%S')}-{len(self._played):04d}-{name[:60]}.mjlog"
            save_text(f'<mjloggm ver="2.3">{text}</mjloggm>', path)

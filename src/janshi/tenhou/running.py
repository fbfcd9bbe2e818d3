"""A running table of the local server: connections, agents, time limits and reconnections."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from janshi.agents.protocol import Agent
from janshi.files import save_text
from janshi.riichi.records.mjlog import write_mjlog
from janshi.tenhou.host import HostTable, Pending, Wait
from janshi.tenhou.lines import LineClosedError
from janshi.tenhou.lobby import Account, GameType
from janshi.tenhou.protocol import Element, ProtocolError, encoded, message
from janshi.tenhou.writing import RING

#: Seconds within which a client must read its messages.
_PATIENCE: Final = 5.0
#: Tags that clients answer with one ``NEXTREADY`` each.
_RESULTS: Final = frozenset(("TAIKYOKU", "AGARI", "RYUUKYOKU"))


@dataclass(frozen=True, slots=True)
class Times:
    """Time limits in seconds; in fast types ``fast`` and ``fast_bank``."""

    think: float = 5.0
    """Time for each decision."""
    bank: float = 10.0
    """Additional time in each hand."""
    fast: float = 3.0
    fast_bank: float = 5.0
    ready: float = 10.0
    """Time to report ready before a hand."""
    away: float = 1.0
    """Time before a disconnected player's drawn tile is discarded."""


@dataclass(eq=False, slots=True)
class SeatedPlayer:
    """A player at a table."""

    table: RunningTable
    account: Account
    token: str = ""
    connection: Any = None
    agent: Agent | None = None
    seat: int = -1
    attending: bool = True
    """True if the player gets the table's messages; False between reconnection and ``GOK``."""
    bank: float = 0.0
    results: int = 0
    """Number of sent messages whose ``NEXTREADY`` is pending: two after a double ron."""
    queued: list[Element] = field(default_factory=list)
    """Messages to send first: the table's state, after a reconnection."""
    asked_at: float = 0.0
    asked: Wait | None = None


class RunningTable:
    """One table, whose game `run` plays to the end."""

    def __init__(self, kind: GameType, seed: int, times: Times, thinking: Executor) -> None:
        self.kind = kind
        self.players: list[SeatedPlayer] = []
        self.over = False
        self._seed = seed
        self._log = f"{time.strftime('%Y%m%d%H')}gm-{kind.flags:04x}-{int(kind.lobby):04d}-{secrets.token_hex(4)}"
        self._times = times
        self._think, self._bank = (times.fast, times.fast_bank) if kind.fast else (times.think, times.bank)
        self._thinking = thinking
        self._changed = asyncio.Event()
        self._host: HostTable | None = None

    # -------------------------------------------------------------------------------------------------------
    # Seats

    def draw_seats(self) -> None:
        """Draw the players' seats, and create the table."""
        # Sorted by name, so that the seats for a seed do not depend on the order of connections.
        self.players.sort(key=lambda player: player.account.name)
        random.Random(self._seed).shuffle(self.players)
        for seat, player in enumerate(self.players):
            player.seat = seat
        self._host = HostTable(self.kind.rules, self._seed, [player.account.name for player in self.players])

    @property
    def host(self) -> HostTable:
        """The table itself. Raises `ProtocolError` before seats are drawn."""
        if self._host is None:
            raise ProtocolError("the seats have not been drawn yet")
        return self._host

    # -------------------------------------------------------------------------------------------------------
    # The game

    async def run(self) -> None:
        """Play the game to its end."""
        for player in self.players:
            log = self.log if self.kind.against_people else None
            start = message("TAIKYOKU", oya=-player.seat % RING, log=log)
            await self._send(player, [*self._introduction(player), start])
        while True:
            await self._flush()
            if self.host.over:
                break
            if not await self._ask_agents():
                await self._wait()
        self.over = True

    @property
    def log(self) -> str:
        """Name of the record, which clients see: it says nothing of the wall's seed."""
        return self._log

    def _introduction(self, player: SeatedPlayer) -> list[Element]:
        names: list[str] = [encoded(other.account.name) for other in self.players]
        viewer = self.host.viewers[player.seat]
        ring = viewer.ring(names, "")
        sexes = viewer.ring([other.account.sex for other in self.players], "C")
        values = {f"n{step}": name for step, name in enumerate(ring)}
        gpid = player.token or None
        return [
            message("GO", type=self.kind.flags, lobby=self.kind.lobby, gpid=gpid),
            message("UN", **values, dan="0,0,0,0", rate=",".join(["1500.00"] * RING), sx=",".join(map(str, sexes))),
        ]

    async def _flush(self) -> None:
        """Send the pending messages, together for each player."""
        sent: dict[int, list[Element]] = {}
        for player in self.players:
            if player.queued:
                sent[player.seat], player.queued = player.queued, []
        for seat, each in self.host.take_outbox():
            sent.setdefault(seat, []).append(self._completed(self.players[seat], each))
        for seat, messages in sent.items():
            if self.players[seat].attending:
                await self._send(self.players[seat], messages)

    def _completed(self, player: SeatedPlayer, sent: Element) -> Element:
        if sent.tag == "INIT":
            player.bank = self._bank
        if sent.tag == "PROF":
            if self.kind.against_people:
                player.account.count(self.kind.players, sent)
            return message("PROF", lobby=self.kind.lobby, type=self.kind.flags, **sent.values)
        return sent

    async def _send(self, player: SeatedPlayer, messages: Sequence[Element]) -> None:
        if player.connection is None:
            return
        line = player.connection.line
        player.results += sum(each.tag in _RESULTS for each in messages)
        try:
            async with asyncio.timeout(_PATIENCE):
                await line.send(messages)
        except LineClosedError:
            pass
        except TimeoutError:  # a client that does not read must not delay others
            await line.close()

    async def _ask_agents(self) -> bool:
        """Let one agent answer; return whether one had a decision."""
        for seat, wait in self.host.waits.items():
            agent = self.players[seat].agent
            if agent is None:
                continue
            if wait.forced or wait.need is Pending.READY:
                self.host.default(seat)
            else:
                batch = self.host.decision(seat)
                actions = await asyncio.get_running_loop().run_in_executor(self._thinking, agent.act, batch)
                self.host.act(seat, int(actions[0]))
            return True
        return False

    async def _wait(self) -> None:
        """Wait for a player's message, or act for the players whose time is up."""
        now = time.monotonic()
        deadlines = {}
        for seat, wait in self.host.waits.items():
            player = self.players[seat]
            if player.asked is not wait:
                player.asked, player.asked_at = wait, now
            deadlines[seat] = player.asked_at + self._allowed(player, wait)
        self._changed.clear()
        with contextlib.suppress(TimeoutError):
            # In Python 3.11 `asyncio.wait_for` could lose a simultaneous cancellation.
            async with asyncio.timeout(max(min(deadlines.values()) - now, 0.0)):
                await self._changed.wait()
            return
        for seat, deadline in deadlines.items():
            if deadline <= time.monotonic() and self.host.waits.get(seat) is self.players[seat].asked:
                self.players[seat].bank = 0.0
                self.host.default(seat)

    def _allowed(self, player: SeatedPlayer, wait: Wait) -> float:
        if wait.need is Pending.READY:
            return self._times.ready
        return self._times.away if player.connection is None else self._think + player.bank

    # -------------------------------------------------------------------------------------------------------
    # Players

    def receive(self, player: SeatedPlayer, sent: Element) -> bool:
        """Handle a client's message; return whether it came in time. Raises `ProtocolError` for an invalid one."""
        if sent.tag == "GOK":
            if not player.attending:
                self._attend(player)
            return True
        wait = self.host.waits.get(player.seat)
        if sent.tag == "NEXTREADY" and player.results:
            player.results -= 1
            if wait is None or wait.need is not Pending.READY:
                return False  # ready after the first of two results
        if self.over and sent.tag != "NEXTREADY":
            raise ProtocolError(f"<{sent.tag}> after the end of the game")
        if self.over or wait is None:
            return self.over
        self.host.receive(player.seat, sent)
        if wait.need is not Pending.READY and player.asked is wait:
            player.bank = max(player.bank - max(time.monotonic() - player.asked_at - self._think, 0.0), 0.0)
        self._changed.set()
        return True

    def _attend(self, player: SeatedPlayer) -> None:
        """Send the current table to a reconnected player that has sent ``GOK``."""
        player.attending = True
        player.queued = self.host.returning(player.seat)
        # Pending messages are included in the shown table.
        self.host.drop_outbox(player.seat)
        wait = self.host.waits.get(player.seat)
        if wait is not None and wait.need is Pending.READY:
            self.host.default(player.seat)
        self._changed.set()

    async def gone(self, player: SeatedPlayer) -> None:
        """Handle the loss of a client's connection."""
        player.connection = None
        self._changed.set()
        if self.over:
            return
        for other in self.players:
            if other is not player and other.attending:
                viewer = self.host.viewers[other.seat]
                await self._send(other, [message("BYE", who=viewer.relative(player.seat))])

    async def back(self, player: SeatedPlayer, connection: Any) -> None:
        """Handle the reconnection of a client."""
        player.connection = connection
        player.attending, player.results = False, 0
        await self._send(player, [*self._introduction(player), *self.host.resume_header(player.seat)])
        for other in self.players:
            if other is not player and other.attending:
                step = self.host.viewers[other.seat].relative(player.seat)
                await self._send(other, [Element("UN", {f"n{step}": encoded(player.account.name)})])

    def save(self, folder: Path, number: int) -> None:
        """Write the record of the game into a folder."""
        game = self.host.game(self.log, self.kind.flags, self.kind.lobby)
        save_text(write_mjlog(game), folder / f"{number:05d}-{self.log}.mjlog")

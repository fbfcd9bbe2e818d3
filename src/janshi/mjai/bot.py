"""Janshi's agents as mjai bots, which read events and write an answer.

>>> from janshi.riichi.agents import EfficientAgent
>>> from janshi.riichi.records.live import Story, seen_by
>>> from janshi.table import Table
>>> table = Table("tenhou-sanma-hand", seed=7)
>>> events = [seen_by(event, 0) for event in Story(table.record, table.rules, ["a", "b", "c"]).update()]
>>> MjaiPlayer(EfficientAgent()).react(events)
{'type': 'dahai', 'actor': 0, 'pai': 'C', 'tsumogiri': False}
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any, Final
from urllib.parse import urlsplit

import numpy as np

from janshi.agents.protocol import Agent, AgentError, check_agent
from janshi.mjai.events import KITA_NAMES, MjaiError
from janshi.mjai.moves import NONE, action_event, restrict, servers_own
from janshi.mjai.table import KnownTable, choose
from janshi.riichi.actions import Action
from janshi.riichi.records.live import Story, seen_by
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, Rules
from janshi.table import Table
from janshi.text import printable

#: Default port, that of the first mjai server.
PORT: Final = 11600
ROOM: Final = "default"
#: Bytes of the longest line that a server or a bot may send.
LONGEST_LINE: Final = 1 << 20
#: Events after which a seat may have to decide.
_ASKING: Final = frozenset(
    ("tsumo", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach", "reach_accepted", *KITA_NAMES)
)


def complain(line: str) -> None:
    """Write one line about a fault to stderr."""
    print(f"janshi mjai: {printable(line)}", file=sys.stderr, flush=True)


class MjaiPlayer:
    """Follows the events of a seat and answers with its agent's decisions.

    Args:
        agent: agent that decides.
        rules: rule set; None: see `janshi.mjai.table.KnownTable`.
        seat: own seat if `start_game` does not name it.
        seed: seed of agents that play at random.
        kita: event type of a kita in answers, until the server's own is known.
        complaints: called with one line for each event that does not fit.
    """

    def __init__(
        self,
        agent: Agent,
        rules: Rules | None = None,
        *,
        seat: int | None = None,
        seed: int = 0,
        kita: str = KITA_NAMES[0],
        complaints: Callable[[str], None] = complain,
    ) -> None:
        self.agent = agent
        self.table = KnownTable(rules)
        self._seat = seat
        self._random = np.random.Generator(np.random.Philox(seed & (1 << 64) - 1))
        self._kita = kita
        self._complain = complaints

    def react(self, events: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Follow events and return the answer to the last: an action, or ``{"type": "none"}``."""
        asking: dict[str, Any] | None = None
        for event in events:
            kind = event.get("type")
            if kind == "start_game" and event.get("id") is None and self._seat is not None:
                event = {**event, "id": self._seat}
            try:
                self.table.hear(event)
                if kind == "start_kyoku":
                    check_agent(self.agent, self.table.rules)
            except (MjaiError, AgentError) as error:
                self.table.playing = False
                self._complain(f"{error}; tiles are discarded as drawn until the next hand")
            if kind in _ASKING:
                asking = event if self.table.asked and kind != "reach_accepted" else None
            if kind in KITA_NAMES:
                self._kita = str(kind)
        if asking is not None:
            return self._decide(asking)
        return self._lost(events[-1]) if events else dict(NONE)

    def _decide(self, asking: dict[str, Any]) -> dict[str, Any]:
        batch = self.table.decision()
        view: Any = np.asarray(batch.views)[0]
        legal = restrict(batch.legal[0], view, self.table.rules, asking)
        if not legal.any():
            return servers_own(view, asking)
        action = choose(self.agent, batch, legal, self._random)
        answer = action_event(view, self.table.rules, action)
        return {**answer, "type": self._kita} if action == Action.KITA else answer

    def _lost(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return the answer in a hand that could not be followed: a discard of the drawn tile."""
        own = event.get("type") == "tsumo" and event.get("actor") == self.table.seat and self.table.seat >= 0
        if not own or self.table.playing:
            return dict(NONE)
        return {"type": "dahai", "actor": self.table.seat, "pai": event.get("pai"), "tsumogiri": True}


def warm_up(agent: Agent, rules: Rules | None = None) -> None:
    """Let an agent decide once, so that its first decision in a game does not wait for compiling or loading.

    Raises `AgentError` if the agent does not support the rules' number of players.
    """
    table = Table(rules or (TENHOU_SANMA if 3 in agent.players else TENHOU))
    check_agent(agent, table.rules)
    story = Story(table.record, table.rules, [str(seat) for seat in range(table.rules.players)])
    MjaiPlayer(agent).react([seen_by(event, table.actor) for event in story.update()])


# ---------------------------------------------------------------------------------------------------------
# Lines


def parse_line(line: str) -> list[dict[str, Any]]:
    """Return the events of one line: an object or a list of objects. Raises `MjaiError` if it is neither.

    >>> parse_line('{"type": "none"}')
    [{'type': 'none'}]
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MjaiError(f"this line is not valid JSON ({error}): {line.strip()[:80]!r}") from None
    events = value if isinstance(value, list) else [value]
    for event in events:
        if not isinstance(event, dict) or not isinstance(event.get("type"), str):
            raise MjaiError(f"this is not an event: it has no type: {json.dumps(event)[:80]}")
    return events


def to_line(events: dict[str, Any] | Sequence[dict[str, Any]]) -> str:
    """Return events or an answer as one line."""
    return json.dumps(events, ensure_ascii=False, separators=(",", ":")) + "\n"


def lines_of(stream: IO[bytes]) -> Iterator[str]:
    """Yield the lines of a stream that are not blank. Raises `MjaiError` for one longer than `LONGEST_LINE` bytes."""
    while line := stream.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            raise MjaiError(f"the server sends a line of more than {LONGEST_LINE:,} bytes")
        if not line.isspace():
            yield line.decode(errors="replace")


def answer_lines(
    player: MjaiPlayer, lines: Iterable[str], write: Callable[[str], object], complaints: Callable[[str], None]
) -> None:
    """Answer each line of a server with one line."""
    for line in lines:
        if not line.strip():
            continue
        try:
            answer = player.react(parse_line(line))
        except MjaiError as error:
            complaints(str(error))
            answer = dict(NONE)
        write(to_line(answer))


def address_of(text: str) -> tuple[str, int, str]:
    """Return host, port and room of ``HOST:PORT``, ``HOST:PORT/ROOM`` or ``mjsonp://HOST:PORT/ROOM``.

    Raises `MjaiError` if the text is none of these.

    >>> address_of("localhost:11600"), address_of("mjsonp://localhost/quiet")
    (('localhost', 11600, 'default'), ('localhost', 11600, 'quiet'))
    """
    try:
        parts = urlsplit(text if "://" in text else f"mjsonp://{text}")
        port = PORT if parts.port is None else parts.port
    except ValueError as error:
        raise MjaiError(f"invalid address {text!r} ({error}); write HOST:PORT or HOST:PORT/ROOM") from None
    if not parts.hostname:
        raise MjaiError(f"{text!r} has no host; write HOST:PORT or HOST:PORT/ROOM")
    return parts.hostname, port, parts.path.strip("/") or ROOM


def play_at(player: MjaiPlayer, address: str, name: str) -> None:
    """Join a server by TCP and play until it closes the connection.

    Raises `MjaiError` if the server refuses, `OSError` if it cannot be reached.
    """
    host, port, room = address_of(address)
    with (
        socket.create_connection((host, port)) as connection,
        connection.makefile("rb") as stream,
    ):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for line in lines_of(stream):
            try:
                events = parse_line(line)
            except MjaiError as error:
                complain(str(error))
                events = []
            kind = events[-1]["type"] if events else "none"
            if kind == "error":
                raise MjaiError(f"the server says: {events[-1].get('message', events[-1])}")
            answer = {"type": "join", "name": name, "room": room} if kind == "hello" else player.react(events)
            if kind != "end_game":
                connection.sendall(to_line(answer).encode())

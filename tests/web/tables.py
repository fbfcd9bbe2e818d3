"""Tables that are played in a test: on a clock that does not pass, with what was said and when."""

from __future__ import annotations

import asyncio
import heapq
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from janshi.agents.protocol import Agent
from janshi.engine import actions
from janshi.engine.play import write_keys
from janshi.engine.state import TURN
from janshi.table import Tables
from janshi.tiles import from_mjai, kind_of
from janshi.web.desk import rules_for
from janshi.web.rooms import Room, Seating

#: Seconds that an agent thinks.
THINKS = 0.005


class NoTime(asyncio.SelectorEventLoop):
    """A loop whose clock goes on only where everybody waits for it, and then at once."""

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        waiting: list[Any] = self._scheduled  # type: ignore[attr-defined]
        while waiting and waiting[0]._cancelled:
            heapq.heappop(waiting)._scheduled = False
        if not self._ready and waiting:  # type: ignore[attr-defined]
            self._now = max(self._now, waiting[0]._when)
        super()._run_once()  # type: ignore[misc]


@dataclass
class Thinking:
    """Agents that think for so long on that clock, in place of `janshi.web.deciders.Deciders`."""

    thinks: float = THINKS
    asked: int = 0
    script: Sequence[dict[str, Any]] | None = None
    """Events of another game: agents do what they are seen to do in it."""
    room: Room | None = None

    async def decide(self, agent: Agent, table: Tables) -> int:
        self.asked += 1
        await asyncio.sleep(self.thinks)
        if self.script is not None:
            assert self.room is not None
            told = len(self.room._story.events)
            return _seen_to_do(self.script[told:], int(table.actors[0]), np.asarray(table.views())[0])
        key = np.zeros(1, np.int64)
        write_keys(table.states, np.zeros(1, np.int64), key)
        return int(agent.act(table.views(), table.legal(), key)[0])


def _seen_to_do(coming: Sequence[dict[str, Any]], seat: int, view: Any) -> int:
    """The action by which a seat does what comes next in a game; a pass where others do it."""
    nexts = [event for event in coming[:8] if event["type"] not in ("reach_accepted", "dora")]
    wins = [event for event in nexts if event["type"] == "hora"] if nexts[0]["type"] == "hora" else []
    event = next((win for win in wins if win["actor"] == seat), nexts[0])
    kind = event["type"]
    if kind == "ryukyoku" and int(view["phase"]) == TURN:
        return actions.NINE_TERMINALS
    if event.get("actor") != seat or (kind == "tsumo"):
        return actions.PASS
    if kind == "dahai":
        return actions.TSUMOGIRI if event["tsumogiri"] else from_mjai(event["pai"])
    if kind == "hora":
        return actions.TSUMO if event["target"] == seat else actions.RON
    tiles = [from_mjai(name) for name in event.get("consumed", [])]
    if kind == "chi":
        low = min(kind_of(tile) for tile in tiles)
        called = kind_of(from_mjai(event["pai"]))
        place = 0 if called < low else 1 if called == low + 1 else 2
        return actions.CHII + place + (3 if any(tile >= 34 for tile in tiles) else 0)
    if kind == "pon":
        return actions.PON + sum(tile >= 34 for tile in tiles)
    if kind == "ankan":
        return actions.ANKAN + kind_of(tiles[0])
    if kind == "kakan":
        return actions.KAKAN + kind_of(from_mjai(event["pai"]))
    return {"reach": actions.RIICHI, "nukidora": actions.KITA, "daiminkan": actions.DAIMINKAN}[kind]


@dataclass
class Played:
    """One table's game: every message with the second it came at, and all that had happened (nothing hidden)."""

    said: list[tuple[float, str]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    asked: int = 0
    """How often agents were asked."""
    wall: Any = None
    """Of the first hand."""
    views: list[bytes] = field(default_factory=list)
    """What hints would be given from, at each question."""

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(text) for _, text in self.said]


def play(
    rules: str,
    length: str,
    seat: int,
    seed: int,
    agents: Mapping[int, Any],
    answer: Callable[[dict[str, Any]], int],
    *,
    wall: Any = None,
    script: Sequence[dict[str, Any]] | None = None,
    pace: float = 1.0,
    thinks: float = THINKS,
    watch: Callable[[Room], None] = lambda room: None,
) -> Played:
    """Play a table to its end. ``answer`` says what the seat does when it is asked; ``watch`` sees every message."""
    loop = NoTime()
    try:
        return loop.run_until_complete(
            _play(rules, length, seat, seed, agents, answer, wall, script, pace, thinks, watch)
        )
    finally:
        loop.close()


async def _play(
    rules: str,
    length: Any,
    seat: int,
    seed: int,
    agents: Mapping[int, Any],
    answer: Callable[[dict[str, Any]], int],
    wall: Any,
    script: Sequence[dict[str, Any]] | None,
    pace: float,
    thinks: float,
    watch: Callable[[Room], None],
) -> Played:
    by = rules_for(rules, length)
    names = [f"seat {one}" for one in range(by.players)]
    thinking = Thinking(thinks, script=script)
    room = Room(Seating(by, length, names, agents, seat, seed, pace), thinking)  # type: ignore[arg-type]
    thinking.room = room
    if wall is not None:
        room._table.reset([0], [seed], wall[None])
    size = 136 if by.players == 4 else 108
    played = Played(wall=np.asarray(room._table.states)["wall"][0, :size].copy())
    news = asyncio.Event()
    room.screen.listeners.add(news)
    loop = asyncio.get_running_loop()
    while not room.over and room.failure is None:
        await news.wait()
        news.clear()
        for text in room.screen.said[len(played.said) :]:
            played.said.append((round(loop.time(), 6), text))
            watch(room)
            message = json.loads(text)
            if message["type"] == "ask":
                played.views.append(room._asked_view.tobytes() + room._asked_legal.tobytes())
                await asyncio.sleep(0.1)
                room.act(message["number"], answer(message))
            elif message["type"] == "happened" and message["events"][-1]["type"] == "end_kyoku":
                loop.call_later(0.1, _next, room)
    assert room.failure is None, room.failure
    played.events, played.asked = room._story.events, thinking.asked
    room.close()
    return played


def _next(room: Room) -> None:
    if not room.over:
        room.next_hand()

"""Tables with a simulated clock: their messages and the time of each."""

from __future__ import annotations

import asyncio
import heapq
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent
from janshi.games import game_of
from janshi.mjai.moves import read_action
from janshi.riichi.actions import Action
from janshi.riichi.state import Phase
from janshi.sichuan.actions import Action as SichuanAction
from janshi.sichuan.state import Phase as SichuanPhase
from janshi.table import DecisionBatch
from janshi.tiles import from_mjai
from janshi.web.game_table import ServedTable, TableSetup
from janshi.web.pages import rules_at
from janshi.web.storage import KeptTable

#: Seconds of an agent's thinking time.
THINKS = 0.005


class NoTime(asyncio.SelectorEventLoop):
    """An event loop whose clock advances at once when all tasks wait for it."""

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
    """Agents with a thinking time on that clock, in place of `janshi.web.agent_queue.AgentQueue`."""

    thinks: float = THINKS
    asked: int = 0
    script: Sequence[dict[str, Any]] | None = None
    """Events of another game: agents do what they are seen to do in it."""
    table: ServedTable | None = None

    async def decide(self, agent: Agent, batch: DecisionBatch) -> int:
        self.asked += 1
        await asyncio.sleep(self.thinks)
        if self.script is None:
            return int(agent.act(batch)[0])
        assert self.table is not None
        coming = self.script[len(self.table.story.events) :]
        does = _seen_to_do_in_sichuan if batch.game.name == "sichuan" else _seen_to_do
        return does(coming, int(batch.seats[0]), np.asarray(batch.views)[0], batch.legal[0])


def _seen_to_do(coming: Sequence[dict[str, Any]], seat: int, view: Any, legal: NDArray[np.bool_]) -> int:
    """Return the action of a seat that leads to the next event of a game; a pass if others act."""
    nexts = [event for event in coming[:8] if event["type"] not in ("reach_accepted", "dora")]
    wins = [event for event in nexts if event["type"] == "hora"] if nexts[0]["type"] == "hora" else []
    event = next((win for win in wins if win["actor"] == seat), nexts[0])
    kind = event["type"]
    if kind == "ryukyoku" and int(view["phase"]) == Phase.TURN:
        return Action.KYUUSHU_KYUUHAI
    return Action.PASS if event.get("actor") != seat or kind == "tsumo" else read_action(event, view, legal)


def _seen_to_do_in_sichuan(
    coming: Sequence[dict[str, Any]], seat: int, view: Any, legal: NDArray[np.bool_]
) -> int:
    """Return the action as in `_seen_to_do`, in Sichuan mahjong."""
    phase = int(view["phase"])
    if phase == SichuanPhase.VOID:
        voided = next(event for event in coming if event["type"] == "void" and event["actor"] == seat)
        laid = voided["pai"]
        return SichuanAction.VOID + "mps".index(voided["suit"]) if laid is None else from_mjai(laid)
    if phase == SichuanPhase.EXCHANGE:
        aside = next(event for event in coming if event["type"] == "lay_aside" and event["actor"] == seat)
        return from_mjai(aside["pai"])
    events = [event for event in coming[:8] if event["type"] not in ("pay", "void_shown")]
    wins = [event for event in events if event["type"] == "win"] if events[0]["type"] == "win" else []
    event = next((win for win in wins if win["actor"] == seat), events[0])
    kind = event["type"]
    if event.get("actor") != seat or kind == "tsumo":
        return SichuanAction.PASS
    if kind == "dahai":
        return from_mjai(event["pai"])
    if kind in ("ankan", "kakan"):
        return SichuanAction.OWN_KONG + from_mjai(event["consumed"][0])
    actions = {"win": SichuanAction.WIN, "pon": SichuanAction.PUNG, "daiminkan": SichuanAction.EXPOSED_KONG}
    return actions[kind]


@dataclass
class Played:
    """One table's game: every message with its time in seconds, and all events with hidden information."""

    messages: list[tuple[float, str]] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    asked: int = 0
    """How often agents were asked."""
    wall: Any = None
    """Of the first hand."""
    views: list[bytes] = field(default_factory=list)
    """What hints would be given from, at each question."""

    @property
    def parsed(self) -> list[dict[str, Any]]:
        return [json.loads(text) for _, text in self.messages]


@dataclass(frozen=True)
class Scenario:
    """A game to play: see `play`."""

    rules: str
    length: Any
    seat: int
    seed: int
    agents: Mapping[int, Any]
    answer: Callable[[dict[str, Any]], int]
    """Says what the seat does when it is asked."""
    wall: Any = None
    script: Sequence[dict[str, Any]] | None = None
    pace: float = 1.0
    thinks: float = THINKS
    watch: Callable[[ServedTable], None] = lambda table: None
    """Called after every message."""


def play(scenario: Scenario) -> Played:
    """Play a table to its end."""
    loop = NoTime()
    try:
        return loop.run_until_complete(_play(scenario))
    finally:
        loop.close()


async def _play(scenario: Scenario) -> Played:
    rules = rules_at(scenario.rules, scenario.length)
    names = [f"seat {seat}" for seat in range(rules.players)]
    thinking = Thinking(scenario.thinks, script=scenario.script)
    setup = TableSetup(
        rules, scenario.length, names, scenario.agents, scenario.seat, scenario.seed, scenario.pace
    )
    about = KeptTable(
        rules=rules.name, length=scenario.length, names=names, agents={}, seat=scenario.seat, seed=scenario.seed, key=""
    )
    table = ServedTable(setup, thinking, "", about)  # type: ignore[arg-type]
    table.start()
    thinking.table = table
    if scenario.wall is not None:
        table.tables.reset([0], [scenario.seed], scenario.wall[None])
    size = len(game_of(rules).wall(rules))
    played = Played(wall=np.asarray(table.tables.states)["wall"][0, :size].copy())
    news = asyncio.Event()
    table.screen.listeners.add(news)
    loop = asyncio.get_running_loop()
    while not table.over and table.failure is None:
        await news.wait()
        news.clear()
        for text in table.screen.messages[len(played.messages) :]:
            played.messages.append((round(loop.time(), 6), text))
            scenario.watch(table)
            message = json.loads(text)
            if message["type"] == "ask":
                assert table.decision is not None
                played.views.append(np.asarray(table.decision.views).tobytes() + table.decision.legal.tobytes())
                await asyncio.sleep(0.1)
                table.act(message["number"], scenario.answer(message))
            elif message["type"] == "happened" and message["events"][-1]["type"] == "end_kyoku":
                loop.call_later(0.1, _next, table)
    assert table.failure is None, table.failure
    played.events, played.asked = table.story.events, thinking.asked
    table.close()
    return played


def _next(table: ServedTable) -> None:
    if not table.over:
        table.next_hand()

"""What an agent is: somebody who decides, for many tables at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch
from janshi.engine.state import View
from janshi.rules import Rules


class AgentError(ValueError):
    """An agent that there is not, or that cannot play this game."""


class Agent(Protocol):
    """Decides for one seat at each of many tables.

    ``name`` is shown in results. An agent keeps nothing between calls, so that one object may play several seats.
    One that was made for some numbers of players says which in a further attribute, ``players`` (a frozenset; None or
    no such attribute: any): see `check_seats`.
    """

    name: str

    def act(self, views: Batch[View], legal: NDArray[np.bool_], keys: NDArray[np.int64]) -> NDArray[np.int16]:
        """Return one action (0–121, see `janshi.engine.actions`) for each view.

        Args:
            views: `View` records (n,), each of the seat that is asked.
            legal: the actions it may do (n, 122; bool), two at least.
            keys: a random number for each decision (n, int64) that depends on its table's seed and on how many
                decisions were taken there, on nothing else. Whoever plays at random takes it from there: then the
                same seed plays the same game in any batch and on any number of threads.
        """
        ...


@runtime_checkable
class Reviewer(Agent, Protocol):
    """An agent that says how much it would like each action, and so can review what others do."""

    def preferences(self, views: Batch[View], legal: NDArray[np.bool_]) -> NDArray[np.float32]:
        """Return the share of each action (n, 122; float32): at least 0, each row's sum is 1, 0 where not legal.

        The greatest share of a row is that of the action which `Agent.act` would do, for any key.
        """
        ...


def check_seats(agents: Sequence[Agent], rules: Rules) -> None:
    """Raise `AgentError` where these agents cannot sit down to a game by these rules.

    There must be as many as the rules seat, and each must play with so many. Whoever sets up a table asks this.

    >>> from janshi.rules import TENHOU
    >>> check_seats([agent("sl")] * 4, TENHOU)
    Traceback (most recent call last):
    janshi.agents.protocol.AgentError: player 'sl' is for three players and does not play with four
    """
    if len(agents) != rules.players:
        raise AgentError(f"rules {rules.name!r} seat {rules.players} players, {len(agents)} are named")
    for one in agents:
        check_players(one, rules.players)


def check_players(one: Agent, players: int) -> None:
    """Raise `AgentError` where an agent does not play with so many, itself included."""
    able: frozenset[int] | None = getattr(one, "players", None)
    if able is not None and players not in able:
        meant = " or ".join(_WORDS[many] for many in sorted(able))
        raise AgentError(
            f"player {one.name!r} is for {meant} players and does not play with {_WORDS[players]}"
        )


_WORDS: Final = {3: "three", 4: "four"}


@dataclass(slots=True)
class Faults:
    """What an agent that is not ours did wrong in a match."""

    counts: dict[str, int] = field(default_factory=dict)
    """How often, by kind."""
    examples: list[str] = field(default_factory=list)
    """The first of them, one line each."""
    decisions: int = 0
    """What it was asked in all."""
    defaults: int = 0
    """Decisions that were taken for it: passed, or the drawn tile discarded."""
    replaced: bool = False
    """Whether it was given up, and everything that came after decided for it."""

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {kind}" for kind, count in self.counts.items()) or "no faults"
        return f"{counts}; given up" if self.replaced else counts


@runtime_checkable
class Listener(Agent, Protocol):
    """An agent that must be told what happens at its tables; what it sees when it is asked is not enough for it.

    Matches call `hear` with all that its seats may know, in order, before they ask `act_at`. Such agents know their
    tables apart by numbers that are used again for later games; every game begins with a `start_game`.
    """

    tables: int
    """How many tables it can sit at side by side."""

    def hear(self, table: int, seat: int, events: Sequence[dict[str, Any]]) -> None:
        """Take in what a seat is told: mjai events, as `janshi.records.live.seen_by` makes them."""
        ...

    def act_at(
        self, tables: NDArray[np.int64], views: Batch[View], legal: NDArray[np.bool_], keys: NDArray[np.int64]
    ) -> NDArray[np.int16]:
        """Return one action for each view, as `Agent.act` does; ``tables`` (n,) says at which tables."""
        ...

    def faults(self) -> Faults:
        """Return what it has done wrong so far."""
        ...


def agent(name: str) -> Agent:
    """Return an agent: a built-in one by its name, a checkpoint's folder or an ONNX file by its path, a bot by mjai.

    Bots are ``mjai:COMMAND``, ``mjai-lines:COMMAND`` or ``mjai+tcp:HOST:PORT`` (see `janshi.bridges.mjai_agent`).
    Raises `AgentError` where there is none.

    >>> agent("efficient").name
    'efficient'
    """
    from janshi.agents.efficient import EfficientAgent
    from janshi.agents.onnx import SHIPPED, load_onnx
    from janshi.agents.planner import PlannerAgent
    from janshi.agents.random import RandomAgent

    if name.startswith("mjai"):
        from janshi.bridges.mjai_agent import MjaiAgent

        return MjaiAgent(name)
    builtin: dict[str, Any] = {"random": RandomAgent, "efficient": EfficientAgent, "planner": PlannerAgent}
    if name in builtin:
        made: Agent = builtin[name]()
        return made
    if name in SHIPPED:
        return load_onnx(SHIPPED[name], name)
    path = Path(name)
    if path.suffix == ".onnx" and path.is_file():
        return load_onnx(path, path.stem)
    if name and path.is_dir():
        from janshi.learn.player import load_player

        return load_player(path)
    there = ", ".join([*builtin, *SHIPPED])
    raise AgentError(f"no agent {name!r}: there are {there}, folders of trained players, .onnx files, and mjai:COMMAND")

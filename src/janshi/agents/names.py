"""Names to agents.

An agent is known by a name of the registry `AGENTS`, by the name that games give it (their facet ``"agents"``: a
mapping of names to makers; `efficient` is another agent in each game), by the name of a player that ships, or it is
loaded by one of `SOURCES`, such as a file.

>>> agent("efficient").name
'efficient'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi import built_in
from janshi.agents.protocol import Agent, AgentError, Reviewer, check_agent
from janshi.agents.sources import Source
from janshi.core.game import Game
from janshi.games import GAMES
from janshi.players import PLAYERS, describe
from janshi.registries import Registry, suggestion
from janshi.table import DecisionBatch

#: Makers of agents by name. Those of other packages are added by entry points ``janshi.agents`` or by `register`.
AGENTS: Final[Registry[Callable[[], Agent]]] = Registry("janshi.agents", "agent", built_in.AGENTS, AgentError)
#: Where agents come from whose names are in no table, by how such names look; looked through in this order.
SOURCES: Final[Registry[Source]] = Registry(
    "janshi.agent_sources", "source of agents", built_in.AGENT_SOURCES, AgentError
)


def register(name: str, make: Callable[[], Agent]) -> Callable[[], Agent]:
    """Make an agent known by a name: a class or a function without arguments; returns it.

    Raises `AgentError` if another one has the name.
    """
    return AGENTS.register(name, make)


class GamesAgent:
    """Plays each game as that game's own agent of this name does."""

    def __init__(self, name: str, agents: Mapping[str, Agent]) -> None:
        self.name = name
        self.games = frozenset(agents)
        self._agents = agents
        self.players = frozenset().union(*(each.players for each in self._agents.values()))
        self.description = next(iter(map(description_of, self._agents.values())))

    def of(self, rules: Any, game: Game) -> Any:
        """Return the agent that plays by such rules. Raises `AgentError` if the game has none of this name."""
        check_agent(self, rules)
        player = self._agents[game.name]
        check_agent(player, rules)
        return player

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        actions: NDArray[np.int16] = self.of(batch.rules, batch.game).act(batch)
        return actions


class GamesReviewer(GamesAgent):
    """A `GamesAgent` whose agents all give a probability to each action."""

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the share of each action (n, actions): see `janshi.agents.protocol.Reviewer`."""
        shares: NDArray[np.float32] = self.of(batch.rules, batch.game).preferences(batch)
        return shares


def _game_makers() -> dict[str, dict[str, Callable[[], Agent]]]:
    """The makers that games have for a name, by the name and the game."""
    makers: dict[str, dict[str, Callable[[], Agent]]] = {}
    for game in GAMES.values():
        for name, make in (game.facet("agents") if "agents" in game.facets else {}).items():
            makers.setdefault(name, {})[game.name] = make
    return makers


def _of_games(name: str) -> Agent | None:
    agents = {game: make() for game, make in _game_makers().get(name, {}).items()}
    if len(agents) < 2:
        return next(iter(agents.values()), None)
    kind = GamesReviewer if all(isinstance(each, Reviewer) for each in agents.values()) else GamesAgent
    return kind(name, agents)


def agent_names() -> tuple[str, ...]:
    """Return the names of all agents that are always there."""
    return tuple(dict.fromkeys((*AGENTS, *_game_makers(), *PLAYERS)))


def agent(name: str) -> Agent:
    """Return an agent by its name, or one of `SOURCES`.

    Those are a checkpoint's folder, an ONNX file, a class of one's own (``path/to/file.py:ClassName``), or a bot
    (``mjai:COMMAND``, ``mjai-lines:COMMAND``, ``mjai+tcp:HOST:PORT``, with or without ``NAME=`` before it). Raises
    `AgentError` if there is none.
    """
    if name in AGENTS:
        return AGENTS[name]()
    made = _of_games(name)
    if made is not None:
        return made
    if name in PLAYERS:
        from janshi.agents.onnx import load_onnx

        return load_onnx(PLAYERS[name], name)
    for source in SOURCES.values():
        if source.takes(name):
            return source.load(name)
    names = agent_names()
    there = f"{', '.join(names)}; {', '.join(SOURCES)}{suggestion(name, names)}"
    raise AgentError(f"no agent {name!r}: there are {there}")


def description_of(agent: Agent) -> str:
    """Return what an agent does, in a few words: its ``description``, where it has one."""
    described: str = getattr(agent, "description", "") or describe(agent.name)
    return described


def best_reviewer(players: int, game: str | None = None) -> str:
    """Return the name of the reviewer that ships with the package for a game, the first by default, of so many players.

    Raises `AgentError` for a game that none ships for.

    >>> best_reviewer(4)
    'sl4'
    """
    played = GAMES[game if game is not None else GAMES.first]
    reviewers: Mapping[int, str] = played.facet("reviewers") if "reviewers" in played.facets else {}
    if players not in reviewers:
        raise AgentError(f"no reviewer ships for {played.name} of {players} players: name one")
    return reviewers[players]

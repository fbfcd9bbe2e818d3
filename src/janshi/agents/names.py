"""Agents by name.

The name of an agent is one of the registry `AGENTS`, of the games' facets ``"agents"`` (mappings of names to
constructors; `efficient` is another agent in each game), or of the shipped players; or a `Loader` of `AGENTS` takes it,
for instance that of files.

>>> agent("efficient").name
'efficient'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.agents.onnx import load_onnx
from janshi.agents.protocol import Agent, AgentError, Reviewer, check_agent
from janshi.agents.registry import AGENTS, Loader
from janshi.core.game import Game
from janshi.games import GAMES
from janshi.players import PLAYERS, describe
from janshi.registries import suggestion
from janshi.table import DecisionBatch


def register(name: str, make: Callable[[], Agent]) -> Callable[[], Agent]:
    """Register an agent's constructor, a class or function without arguments, and return it.

    Raises `AgentError` if another one has the name.
    """
    AGENTS.register(name, make)
    return make


class GamesAgent:
    """Plays each game with the game's own agent of this name."""

    def __init__(self, name: str, agents: Mapping[str, Agent]) -> None:
        self.name = name
        self.games = frozenset(agents)
        self._agents = agents
        self.players = frozenset().union(*(each.players for each in self._agents.values()))
        self.description = next(iter(map(description_of, self._agents.values())))

    def of(self, rules: Any, game: Game) -> Any:
        """Return the agent for some rules. Raises `AgentError` if the game has none of this name."""
        check_agent(self, rules)
        player = self._agents[game.name]
        check_agent(player, rules)
        return player

    def act(self, batch: DecisionBatch) -> NDArray[np.int16]:
        """Return one action for each decision: see `janshi.agents.protocol.Agent`."""
        actions: NDArray[np.int16] = self.of(batch.rules, batch.game).act(batch)
        return actions


class GamesReviewer(GamesAgent):
    """A `GamesAgent` whose agents all return probabilities of actions."""

    def preferences(self, batch: DecisionBatch) -> NDArray[np.float32]:
        """Return the probability of each action (n, actions): see `janshi.agents.protocol.Reviewer`."""
        shares: NDArray[np.float32] = self.of(batch.rules, batch.game).preferences(batch)
        return shares


def _game_makers() -> dict[str, dict[str, Callable[[], Agent]]]:
    """Return the games' constructors by name and game."""
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
    """Return the names of all agents that need no file."""
    registered = (name for name, value in AGENTS.items() if not isinstance(value, Loader))
    return tuple(dict.fromkeys((*registered, *_game_makers(), *PLAYERS)))


def agent_forms() -> tuple[str, ...]:
    """Return the forms of names that loaders take."""
    return tuple(form for form, value in AGENTS.items() if isinstance(value, Loader))


def file_of(name: str) -> Path:
    """Return the file of a shipped player, or the path that a name is.

    >>> file_of("sl4").name, file_of("mine/player.onnx").name
    ('sl4.onnx', 'player.onnx')
    """
    return PLAYERS.get(name, Path(name))


def agent(name: str) -> Agent:
    """Return an agent by its name.

    It may also be a checkpoint's folder, an ONNX file, a custom class (``path/to/file.py:ClassName``), or a bot
    (``mjai:COMMAND``, ``mjai-lines:COMMAND``, ``mjai+tcp:HOST:PORT``, optionally with ``NAME=`` before it). Raises
    `AgentError` if there is none.
    """
    if name in AGENTS and not isinstance(registered := AGENTS[name], Loader):
        return registered()
    made = _of_games(name)
    if made is not None:
        return made
    if name in PLAYERS:
        return load_onnx(PLAYERS[name], name)
    for loader in AGENTS.values():
        if isinstance(loader, Loader) and loader.takes(name):
            return loader.load(name)
    names = agent_names()
    there = f"{', '.join(names)}; {', '.join(agent_forms())}{suggestion(name, names)}"
    raise AgentError(f"no agent {name!r}: there are {there}")


def description_of(agent: Agent) -> str:
    """Return an agent's ``description``, empty if it has none."""
    described: str = getattr(agent, "description", "") or describe(agent.name)
    return described


def best_reviewer(players: int, game: str | None = None) -> str:
    """Return the name of the shipped reviewer of a game (default: the first) with a number of players.

    Raises `AgentError` for a game without one.

    >>> best_reviewer(4)
    'sl4'
    """
    played = GAMES[game if game is not None else GAMES.first]
    reviewers: Mapping[int, str] = played.facet("reviewers") if "reviewers" in played.facets else {}
    if players not in reviewers:
        raise AgentError(f"no reviewer ships for {played.name} of {players} players: name one with --by")
    return reviewers[players]

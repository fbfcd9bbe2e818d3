"""Who can be seated: the agents that ship with the package, and those that the command line names."""

from __future__ import annotations

from typing import Final

from janshi.agents.protocol import Agent, AgentError, Listener, Reviewer, agent, check_players
from janshi.players import PLAYERS
from janshi.review import best_reviewer
from janshi.web.messages import Player

_ABOUT: Final = {
    "sl": Player(name="sl", players=[3], about="a network that learned from people's games", reviews=True),
    "rl": Player(name="rl", players=[3], about="the same network, taught by hands played out", reviews=True),
    "planner": Player(name="planner", players=[3], about="the likeliest win, by plan", reviews=True),
    "efficient": Player(name="efficient", players=[3, 4], about="the fastest way to a ready hand", reviews=True),
    "random": Player(name="random", players=[3, 4], about="plays at random", reviews=False),
}
_BUILT_IN: Final = ("planner", "efficient", "random")


class Roster:
    """Agents by name. Files are known where the command line gave them (`add`), and nowhere else.

    >>> roster = Roster()
    >>> roster.best(4), roster.seat("efficient", 4).name
    ('efficient', 'efficient')
    """

    def __init__(self) -> None:
        self._made: dict[str, Agent] = {}
        self._files: dict[str, str] = {}
        self.players = {name: one for name, one in _ABOUT.items() if name in PLAYERS or name in _BUILT_IN}
        for name in PLAYERS:
            self.add(name)

    def add(self, name: str) -> str:
        """Make an agent known, by its name or the path of its file or folder; return what it is called here.

        Raises `AgentError` where it cannot be loaded, or another is called so already.
        """
        if name in self.players or name in self._files:
            return self._files.get(name, name)
        one = agent(name)
        if isinstance(one, Listener):
            raise AgentError(f"{name}: bots that speak mjai play in janshi arena, not at this table")
        if one.name in self.players:
            raise AgentError(f"{name}: another player is called {one.name!r} already")
        able: frozenset[int] = getattr(one, "players", None) or frozenset((3, 4))
        about, reviews = "a trained player", isinstance(one, Reviewer)
        self._made[one.name], self._files[name] = one, one.name
        self.players[one.name] = Player(name=one.name, players=sorted(able), about=about, reviews=reviews)
        return one.name

    def best(self, players: int) -> str:
        """Return the name of the one that plays and reviews at a table of so many where nobody is named."""
        return best_reviewer(players)

    def check(self, name: str, players: int) -> None:
        """Raise `AgentError` where there is no agent of that name for a table of so many."""
        there = ", ".join(one.name for one in self.players.values() if players in one.players)
        if name not in self.players:
            raise AgentError(f"no player {name!r} here: there are {there}")
        if players not in self.players[name].players:
            raise AgentError(f"{name!r} does not play at tables of {players}: there are {there}")

    def seat(self, name: str, players: int) -> Agent:
        """Return an agent for a table of so many, which is loaded first; raises as `check` does."""
        self.check(name, players)
        if name not in self._made:
            self._made[name] = agent(name)
        check_players(self._made[name], players)
        return self._made[name]

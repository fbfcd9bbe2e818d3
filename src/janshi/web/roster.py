"""Who can be seated: the agents that ship with the package, and those that the command line names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from janshi.agents.protocol import Agent, AgentError, Reviewer, agent, check_players
from janshi.players import PLAYERS
from janshi.review import best_reviewer
from janshi.web.messages import Player

_ABOUT: Final = {
    "sl": Player(name="sl", players=[3], about="a network that learned from people's games", reviews=True),
    "rl": Player(name="rl", players=[3], about="the same network after playing against itself", reviews=True),
    "efficient": Player(name="efficient", players=[3, 4], about="the fastest way to a ready hand", reviews=True),
    "random": Player(name="random", players=[3, 4], about="plays at random", reviews=False),
}


class Roster:
    """Agents by name. Names that are paths are known where the command line gave them, and nowhere else.

    Raises `AgentError` where one of these cannot be loaded.

    >>> roster = Roster()
    >>> roster.best(4), roster.seat("efficient", 4).name
    ('efficient', 'efficient')
    """

    def __init__(self, named: Sequence[str] = ()) -> None:
        self._made: dict[str, Agent] = {}
        self.players = {name: one for name, one in _ABOUT.items() if name in PLAYERS or name in ("efficient", "random")}
        for name in [*PLAYERS, *named]:
            if name not in self.players:
                self._made[name] = one = agent(name)
                able: frozenset[int] = getattr(one, "players", None) or frozenset((3, 4))
                self.players[name] = Player(
                    name=name, players=sorted(able), about="a trained player", reviews=isinstance(one, Reviewer)
                )

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

"""Who can be seated: the agents that ship with the package, and those that the command line names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from janshi.agents.protocol import Agent, AgentError, agent
from janshi.web.messages import Player

_ABOUT: Final = {
    "sl": Player(name="sl", players=[3], about="network, learned from people's games", reviews=True),
    "rl": Player(name="rl", players=[3], about="network, learned from people and then by itself", reviews=True),
    "efficient": Player(
        name="efficient", players=[3, 4], about="fastest to a ready hand; folds to riichi", reviews=True
    ),
    "random": Player(name="random", players=[3, 4], about="plays at random", reviews=False),
}
_BEST: Final = {3: "sl", 4: "efficient"}


class Roster:
    """Agents by name. Names that are paths are known where the command line gave them, and nowhere else.

    >>> roster = Roster()
    >>> roster.best(4), roster.seat("efficient", 4).name
    ('efficient', 'efficient')
    """

    def __init__(self, named: Sequence[str] = ()) -> None:
        self._made: dict[str, Agent] = {}
        self.players = dict(_ABOUT)
        for name in named:
            if name not in self.players:
                self._made[name] = agent(name)
                self.players[name] = Player(name=name, players=[3, 4], about="a trained player", reviews=False)

    def best(self, players: int) -> str:
        """Return the name of the strongest agent for a table of so many."""
        return _BEST[players]

    def check(self, name: str, players: int) -> None:
        """Raise `AgentError` where there is no agent of that name for a table of so many."""
        there = [one.name for one in self.players.values() if players in one.players]
        if name not in self.players:
            raise AgentError(f"no player {name!r} here: there are {', '.join(there)}")
        if name not in there:
            raise AgentError(f"{name!r} does not play at tables of {players}: there are {', '.join(there)}")

    def seat(self, name: str, players: int) -> Agent:
        """Return an agent for a table of so many, which is loaded first; raises as `check` does."""
        self.check(name, players)
        if name not in self._made:
            self._made[name] = agent(name)
        return self._made[name]

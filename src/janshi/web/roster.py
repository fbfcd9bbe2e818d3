"""Who can be seated: the agents that ship with the package, and those that the command line names."""

from __future__ import annotations

from typing import Final

from janshi.agents.protocol import Agent, AgentError, Listener, Reviewer, check_players
from janshi.players import OTHER_GAMES, PLAYERS
from janshi.registry import agent, best_reviewer
from janshi.web.messages import Player


def _player(name: str, label: str, players: list[int], description: str, reviews: bool = True) -> Player:
    return Player(name=name, label=label, players=players, description=description, reviews=reviews)


_BUILT_IN: Final = {
    player.name: player
    for player in (
        _player("sl", "Imitator", [3], "learned from strong people's games"),
        _player("sl4", "Imitator", [4], "learned from strong people's games"),
        _player("rl", "Learner", [3], "an imitator that went on to learn by playing hands out"),
        _player("planner", "Planner", [3], "by rules: plans for the likeliest win"),
        _player("efficient", "Efficient", [3, 4], "by rules: the fastest way to tenpai"),
        _player("random", "Random", [3, 4], "plays at random", reviews=False),
    )
}
_UNTRAINED: Final = ("planner", "efficient", "random")


class Roster:
    """Agents by name. Files are known where the command line gave them (`add`), and nowhere else.

    >>> roster = Roster()
    >>> roster.best(4), roster.seat("efficient", 4).name
    ('sl4', 'efficient')
    """

    def __init__(self) -> None:
        self._made: dict[str, Agent] = {}
        self._files: dict[str, str] = {}
        self.players = {name: player for name, player in _BUILT_IN.items() if name in (*PLAYERS, *_UNTRAINED)}
        for name in PLAYERS:
            if name not in OTHER_GAMES:
                self.add(name)

    def add(self, name: str) -> str:
        """Make an agent known, by its name or as `janshi.registry.agent` takes it; return its name here.

        Raises `AgentError` where it cannot be loaded, or another one has its name already.
        """
        if name in self.players or name in self._files:
            return self._files.get(name, name)
        added = agent(name)
        if isinstance(added, Listener):
            raise AgentError(f"{name}: bots that speak mjai play in janshi arena, not at this table")
        if added.name in self.players:
            raise AgentError(f"{name}: another player is called {added.name!r} already")
        self._made[added.name], self._files[name] = added, added.name
        self.players[added.name] = Player(
            name=added.name,
            label=added.name,
            players=sorted(added.players),
            description="a player of your own",
            reviews=isinstance(added, Reviewer),
        )
        return added.name

    def argument(self, name: str) -> str:
        """Return how `janshi.registry.agent` is asked for an agent that has this name here."""
        return next((given for given, called in self._files.items() if called == name), name)

    def best(self, players: int) -> str:
        """Return the name of the agent that plays and reviews at a table of so many where none is named."""
        return best_reviewer(players)

    def check(self, name: str, players: int) -> None:
        """Raise `AgentError` where there is no agent of that name for a table of so many."""
        able = ", ".join(player.name for player in self.players.values() if players in player.players)
        if name not in self.players:
            raise AgentError(f"no player {name!r} here: there are {able}")
        if players not in self.players[name].players:
            raise AgentError(f"{name!r} does not play at tables of {players}: there are {able}")

    def seat(self, name: str, players: int) -> Agent:
        """Return an agent for a table of so many, which is loaded first; raises as `check` does."""
        self.check(name, players)
        if name not in self._made:
            self._made[name] = agent(name)
        check_players(self._made[name], players)
        return self._made[name]

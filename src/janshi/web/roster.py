"""Who can be seated: the agents that ship with the package, and those that the command line names."""

from __future__ import annotations

from typing import Any, Final, get_args

from janshi.agents.protocol import RIICHI_ONLY, Agent, AgentError, Listener, Reviewer, check_agent
from janshi.games import game_of
from janshi.players import PLAYERS, QUANTIZED
from janshi.registry import agent, best_reviewer
from janshi.web.messages import GameName, Player

#: Those that play Riichi alone, Sichuan mahjong alone, and both.
_RIICHI: Final[list[GameName]] = ["riichi"]
_SICHUAN: Final[list[GameName]] = ["sichuan"]
_BOTH: Final[list[GameName]] = ["riichi", "sichuan"]


def _player(
    name: str, label: str, players: list[int], games: list[GameName], description: str, reviews: bool = True
) -> Player:
    return Player(name=name, label=label, players=players, games=games, description=description, reviews=reviews)


_BUILT_IN: Final = {
    player.name: player
    for player in (
        _player("sl", "Imitator", [3], _RIICHI, "learned from strong people's games"),
        _player("sl4", "Imitator", [4], _RIICHI, "learned from strong people's games"),
        _player("sl-2026-11", "Earlier imitator", [3], _RIICHI, "the imitator of earlier versions"),
        _player("rl", "Learner", [3], _RIICHI, "an imitator that went on to learn by playing hands out"),
        _player("sichuan", "Sichuan AI", [4], _SICHUAN, "learned from its own games"),
        _player("planner", "Planner", [3], _RIICHI, "by rules: plans for the likeliest win"),
        _player("efficient", "Efficient", [3, 4], _BOTH, "by rules: the fastest way to tenpai"),
        _player("heuristic", "Heuristic", [4], _SICHUAN, "by rules: points for sets and pairs", reviews=False),
        _player("random", "Random", [3, 4], _BOTH, "plays at random", reviews=False),
    )
}
_UNTRAINED: Final = ("planner", "efficient", "heuristic", "random")


class Roster:
    """Agents by name. Files are known where the command line gave them (`add`), and nowhere else.

    >>> from janshi.games import rules_of
    >>> roster = Roster()
    >>> roster.best(rules_of("tenhou")), roster.seat("efficient", rules_of("sichuan")).name
    ('sl4', 'efficient')
    """

    def __init__(self) -> None:
        self._made: dict[str, Agent] = {}
        self._files: dict[str, str] = {}
        self.players = {name: player for name, player in _BUILT_IN.items() if name in (*PLAYERS, *_UNTRAINED)}
        for name in PLAYERS:
            if name not in QUANTIZED:
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
        games: frozenset[str] = getattr(added, "games", RIICHI_ONLY)
        self.players[added.name] = Player(
            name=added.name,
            label=added.name,
            players=sorted(added.players),
            games=[name for name in get_args(GameName) if name in games],
            description="a player of your own",
            reviews=isinstance(added, Reviewer),
        )
        return added.name

    def argument(self, name: str) -> str:
        """Return how `janshi.registry.agent` is asked for an agent that has this name here."""
        return next((given for given, called in self._files.items() if called == name), name)

    def best(self, rules: Any) -> str:
        """Return the name of the agent that plays and reviews at a table of such rules where none is named."""
        return best_reviewer(rules.players, game_of(rules).name)

    def check(self, name: str, rules: Any) -> None:
        """Raise `AgentError` where there is no agent of that name for a table of such rules."""
        game, players = game_of(rules).name, rules.players
        able = [
            player.name
            for player in self.players.values()
            if players in player.players and game in player.games
        ]
        if name not in self.players:
            raise AgentError(f"no player {name!r} here: there are {', '.join(able)}")
        if name not in able:
            what = f"at tables of {players}" if game in self.players[name].games else game
            raise AgentError(f"{name!r} does not play {what}: there are {', '.join(able)}")

    def seat(self, name: str, rules: Any) -> Agent:
        """Return an agent for a table of such rules, which is loaded first; raises as `check` does."""
        self.check(name, rules)
        if name not in self._made:
            self._made[name] = agent(name)
        check_agent(self._made[name], rules)
        return self._made[name]

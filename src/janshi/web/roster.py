"""The agents available at tables: those of the games' pages, and those given on the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from janshi.agents import Agent, AgentError, Listener, Reviewer, agent, best_reviewer, check_agent, games_of
from janshi.games import game_of, rules_of
from janshi.players import PLAYERS
from janshi.players.strength import read_ratings
from janshi.registries import suggestion
from janshi.web.messages import Player
from janshi.web.pages import pages


class Roster:
    """Agents by name. Agents in files, and bots, must be added with `add`.

    ``prepare`` is called with every bot before it plays.

    >>> from janshi.games import rules_of
    >>> roster = Roster()
    >>> roster.best(rules_of("tenhou")), roster.seat("efficient", rules_of("sichuan")).name
    ('sl4', 'efficient')
    >>> sorted(roster.players["efficient"].ratings)
    ['riichi 3', 'riichi 4', 'sichuan 4']
    """

    def __init__(self, prepare: Callable[[Agent], None] = lambda bot: None) -> None:
        self._prepare = prepare
        self._bots: WeakSet[Listener] = WeakSet()
        self._made: dict[str, Agent] = {}
        self._files: dict[str, str] = {}
        self.bots: set[str] = set()
        """Names of the bots."""
        self.players: dict[str, Player] = {}
        named = [player for page in pages().values() for player in page.players]
        # Trained players first, `random` last.
        for player in sorted(named, key=lambda player: (player.name not in PLAYERS, player.name == "random")):
            known = self.players.get(player.name, player)
            players = sorted({*known.players, *player.players})
            games = list(dict.fromkeys([*known.games, *player.games]))
            update = {"players": players, "games": games, "ratings": _ratings(player.name)}
            self.players[player.name] = known.model_copy(update=update)

    def add(self, name: str) -> str:
        """Add an agent, given as an argument of `janshi.agents.agent`; return its name in the roster.

        Raises `AgentError` if it cannot be loaded or its name is taken.
        """
        if name in self.players or name in self._files:
            return self._files.get(name, name)
        added = agent(name)
        is_bot = isinstance(added, Listener)
        # The name of a bot without an alias is its command, which is not for everyone who sees the table.
        shown = f"bot {1 + len(self.bots)}" if is_bot and added.name == name else added.name
        if shown in self.players:
            raise AgentError(f"{name}: another player already has the name {shown!r}")
        self._files[name] = shown
        if is_bot:
            self.bots.add(shown)
        else:
            self._made[shown] = added
        games = games_of(added)
        self.players[shown] = Player(
            name=shown,
            label=shown,
            players=sorted(added.players),
            games=[game for game in pages() if game in games],
            description="a bot of your own" if is_bot else "a player of your own",
            reviews=isinstance(added, Reviewer),
        )
        return shown

    def _bot(self, name: str) -> Agent:
        """Start a bot for one table, which closes it."""
        made = agent(self.argument(name))
        self._prepare(made)
        if isinstance(made, Listener):
            self._bots.add(made)
        return made

    def close(self) -> None:
        """End all bots at once, whatever they are doing; for the end of the program."""
        for bot in list(self._bots):
            close: Callable[[], None] | None = getattr(bot, "close", None)
            if close is not None:
                close()

    def argument(self, name: str) -> str:
        """Return the argument of `janshi.agents.agent` for an agent with this name in the roster."""
        return next((given for given, called in self._files.items() if called == name), name)

    def ratings(self) -> dict[str, dict[str, float]]:
        """Return ratings by the game with the number of players, and by the names that players have at tables."""
        found: dict[str, dict[str, float]] = {}
        for player in self.players.values():
            for kind, rating in player.ratings.items():
                found.setdefault(kind, {})[player.label] = rating
        return found

    def best(self, rules: Any) -> str:
        """Return the name of the default player and reviewer for a rule set."""
        try:
            return best_reviewer(rules.players, game_of(rules).name)
        except AgentError:  # no reviewer ships for this game
            return self.able(rules)[0]

    def able(self, rules: Any) -> list[str]:
        """Return the names of the agents that support a rule set."""
        game, players = game_of(rules).name, rules.players
        return [name for name, each in self.players.items() if players in each.players and game in each.games]

    def check(self, name: str, rules: Any) -> None:
        """Raise `AgentError` if no agent with this name supports the rules."""
        game, able = game_of(rules).name, self.able(rules)
        if name not in self.players:
            raise AgentError(f"no player {name!r}: there are {', '.join(able)}{suggestion(name, able)}")
        if name not in able:
            what = f"games of {rules.players} players" if game in self.players[name].games else game
            raise AgentError(f"{name!r} does not play {what}: choose from {', '.join(able)}, or other --rules")

    def seat(self, name: str, rules: Any) -> Agent:
        """Return an agent for a table, loaded on first use; a bot is another one for each table.

        Raises as `check` does.
        """
        self.check(name, rules)
        if name in self.bots:
            return self._bot(name)
        if name not in self._made:
            self._made[name] = agent(name)
        check_agent(self._made[name], rules)
        return self._made[name]


def _ratings(name: str) -> dict[str, int]:
    """Return the ratings of a shipped agent: see `Player.ratings`."""
    found = {}
    for each in read_ratings():
        if each.agent == name:
            rules = rules_of(each.rules)
            found[f"{game_of(rules).name} {rules.players}"] = round(each.rating)
    return found

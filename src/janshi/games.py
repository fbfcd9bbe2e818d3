"""The registered games, and the game of a rule set.

>>> game_of(rules_of("tenhou-sanma")).name
'riichi'
"""

from __future__ import annotations

from typing import Any, Final

from janshi import built_in
from janshi.core.errors import RuleError
from janshi.core.game import Game, GameError, Outcomes, RuleSet
from janshi.core.rules import REGISTERED, find_preset, preset_names, registered_rules
from janshi.registries import Registry, suggestion

__all__ = [
    "GAMES",
    "Game",
    "GameError",
    "Outcomes",
    "RuleError",
    "RuleSet",
    "game_of",
    "register",
    "register_rules",
    "registered_rules",
    "relative_of",
    "rules_of",
]

#: Every game by its name. Other packages add theirs by the entry points ``janshi.games`` or `register`.
GAMES: Final[Registry[Game]] = Registry("janshi.games", "game", built_in.GAMES, GameError)


def register(game: Game) -> Game:
    """Register a game, so that its rule sets can be played everywhere, and return it.

    Raises `GameError` if another game has its name.
    """
    return GAMES.register(game.name, game)


def register_rules(rules: Any) -> Any:
    """Register a rule set under its name, so that it can be used like a preset, and return it.

    Raises `GameError` for a value that is not a rule set, `RuleError` if another one has its name.
    """
    if REGISTERED.setdefault(rules_of(rules).name, rules) != rules or rules.name in game_of(rules).presets:
        raise RuleError(f"there are rules {rules.name!r} already: give yours another name")
    return rules


def game_of(rules: Any) -> Game:
    """Return the game of a rule set. Raises `GameError` for a value that is not a rule set."""
    for games in (GAMES.loaded, GAMES.values):  # the second imports the other games
        for game in games():
            if isinstance(rules, game.rules):
                return game
    raise GameError(f"{rules!r} is no rule set of {', '.join(GAMES)}")


def rules_of(rules: Any) -> Any:
    """Return a rule set, given as such or by the name of a preset or registered one with its game's suffixes.

    Raises `RuleError` for an unknown name, `GameError` for a value that is not a rule set.

    >>> rules_of("sichuan-cap3").cap
    3
    """
    if not isinstance(rules, str):
        game_of(rules)
        return rules
    for game in GAMES.values():
        found = find_preset(rules, {**game.presets, **registered_rules(game.rules)}, game.endings)
        if found is not None:
            return found
    there = "; ".join(preset_names(game.presets, game.endings) for game in GAMES.values())
    names = [name + ending for game in GAMES.values() for name in game.presets for ending in ("", *game.endings)]
    raise RuleError(f"no rules named {rules!r}; there are {there}{suggestion(rules, [*names, *REGISTERED])}")


def relative_of(rules: Any, players: int) -> Any:
    """Return the preset of the same family for a number of players, None if there is none.

    >>> relative_of(rules_of("mahjong-soul-sanma"), 4).name, relative_of(rules_of("sichuan"), 3)
    ('mahjong-soul', None)
    """
    words = set(rules.name.split("-"))

    def shared(preset: Any) -> tuple[int, int]:
        others = preset.name.split("-")
        return len(words.intersection(others)), -len(others)

    relatives = [preset for preset in game_of(rules).presets.values() if preset.players == players]
    closest = max(relatives, key=shared, default=None)
    return closest if closest is not None and shared(closest)[0] else None

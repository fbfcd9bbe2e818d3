"""The registered games, and the game of a rule set.

>>> game_of(rules_of("tenhou-sanma")).name
'riichi'
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from janshi import built_in
from janshi.core.errors import RuleError
from janshi.core.game import Game, GameError, Outcomes, RuleSet
from janshi.core.rules import find_preset, preset_names
from janshi.registries import Registry

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
    "rules_of",
]

T = TypeVar("T")

#: Every game by its name. Those of other packages are added by entry points ``janshi.games`` or by `register`.
GAMES: Final[Registry[Game]] = Registry("janshi.games", "game", built_in.GAMES, GameError)

#: Rule sets of one's own, by their names: see `register_rules`.
RULES: Final[dict[str, Any]] = {}


def register(game: Game) -> Game:
    """Make a game known, so that its rule sets can be played everywhere; returns it.

    Raises `GameError` where another game has its name.
    """
    return GAMES.register(game.name, game)


def register_rules(rules: Any) -> Any:
    """Make a rule set known by its own name, so that it can be named like a preset; returns it.

    Raises `GameError` for what is no rule set, `RuleError` where another one has its name.
    """
    if RULES.setdefault(rules_of(rules).name, rules) != rules or rules.name in game_of(rules).presets:
        raise RuleError(f"there are rules {rules.name!r} already: give yours another name")
    return rules


def registered_rules(kind: type[T]) -> dict[str, T]:
    """Return the registered rule sets of a class, by their names."""
    return {name: rules for name, rules in RULES.items() if isinstance(rules, kind)}


def game_of(rules: Any) -> Game:
    """Return the game that a rule set belongs to. Raises `GameError` for what is no rule set of any."""
    for games in (GAMES.loaded, GAMES.values):  # the second imports the others, which need not be
        for game in games():
            if isinstance(rules, game.rules):
                return game
    raise GameError(f"{rules!r} is no rule set of {', '.join(GAMES)}")


def rules_of(rules: Any) -> Any:
    """Return a rule set given as such, or by the name of a preset or of a registered one, with its game's endings.

    Raises `RuleError` for an unknown name, `GameError` for a value that is no rule set.

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
    raise RuleError(f"no rules named {rules!r}; there are {there}")

"""The games that there are, and which one a rule set belongs to.

>>> game_of(rules_of("tenhou-sanma")).name
'riichi'
"""

from __future__ import annotations

from typing import Any, Final

from janshi.core.errors import RuleError
from janshi.core.game import Game, Outcomes, RuleSet
from janshi.riichi.game import RIICHI
from janshi.sichuan.game import SICHUAN_GAME

__all__ = ["GAMES", "Game", "GameError", "Outcomes", "RuleError", "RuleSet", "game_of", "register", "rules_of"]

#: Every game by its name. Those of other packages are added by `register`.
GAMES: Final[dict[str, Game]] = {game.name: game for game in (RIICHI, SICHUAN_GAME)}


class GameError(ValueError):
    """A game or a rule set that there is not."""


def register(game: Game) -> Game:
    """Make a game known, so that its rule sets can be played everywhere; returns it.

    Raises `GameError` where another game has its name.
    """
    if GAMES.setdefault(game.name, game) is not game:
        raise GameError(f"there is a game {game.name!r} already")
    return game


def game_of(rules: Any) -> Game:
    """Return the game that a rule set belongs to. Raises `GameError` for what is no rule set of any."""
    for game in GAMES.values():
        if isinstance(rules, game.rules):
            return game
    raise GameError(f"{rules!r} is no rule set of {', '.join(GAMES)}")


def rules_of(rules: Any) -> Any:
    """Return a rule set given as such or by a preset's name, with the endings that the game knows.

    Raises `janshi.core.errors.RuleError` (or another game's error) for a name that no preset has, `GameError` for
    what is no rule set.

    >>> rules_of("sichuan-cap3").cap
    3
    """
    if not isinstance(rules, str):
        game_of(rules)
        return rules
    first, *others = GAMES.values()
    for game in others:
        if any(rules == name or rules.startswith(f"{name}-") for name in game.presets):
            return game.preset(rules)
    try:
        return first.preset(rules)
    except RuleError as error:
        names = ", ".join(name for game in others for name in game.presets)
        raise RuleError(f"{error}; {names}") from None

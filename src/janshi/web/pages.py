"""A game's support of tables in the browser.

A game needs the facets ``"page"`` (`GamePage`), ``"recorder"`` (`janshi.records.Recorder`) for its events, and
``"say"`` (`janshi.say.Say`) for decisions and hints.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from janshi.compiling import Prepared
from janshi.core.errors import RuleError
from janshi.core.game import Game
from janshi.core.rules import REGISTERED
from janshi.games import GAMES, game_of, rules_of
from janshi.registries import suggestion
from janshi.web.messages import Figures, Player


@dataclass(frozen=True, kw_only=True)
class GamePage:
    """A game's support of the browser: its facet ``"page"``."""

    presets: tuple[str, ...]
    """Names of the available rule sets."""
    lengths: tuple[str, ...]
    """Lengths of games, the default first."""
    at_length: Callable[[Any, str], Any]
    """``(rules, length)``: return the rules at another length."""
    players: tuple[Player, ...]
    """Agents that can be seated."""
    claim: int
    """Phase in which a seat may claim another's tile."""
    first: tuple[Prepared, ...]
    """Compiled functions of tables, hints and the best players."""
    people: tuple[Figures, ...] = ()
    """Figures of strong people, by number of players."""
    later: tuple[Prepared, ...] = ()
    """Compiled functions of the other players."""


def entries_of(game: Game) -> tuple[Prepared, ...]:
    """Return the compiled functions of a game's tables."""
    logs = () if game.event_logs is None else (game.event_logs,)
    return (game.begin_games, game.step, game.next_hands, game.refused, game.decisions, *logs)


def page_of(rules: Any) -> GamePage:
    """Return the page of a rule set's game. Raises `janshi.core.game.GameError` if it has none."""
    return cast("GamePage", game_of(rules).facet("page"))


def pages() -> dict[str, GamePage]:
    """Return the page of every game that has one, by the game's name."""
    return {name: game.facet("page") for name, game in GAMES.items() if "page" in game.facets}


def own_rules() -> dict[str, Any]:
    """Return the registered rule sets that are no presets, of games with a page, by name."""
    return {name: rules for name, rules in REGISTERED.items() if "page" in game_of(rules).facets}


def _names_of(rules: Any) -> set[str]:
    """Return the names of a rule set at all lengths."""
    page = page_of(rules)
    return {rules.name, *(page.at_length(rules, length).name for length in page.lengths)}


def played_rules(rules: Any) -> tuple[Any, str]:
    """Return the rules of a recorded game as a table plays them, and their length.

    Raises `RuleError` if tables do not offer these rules, and `janshi.core.game.GameError` for a game without a page.

    >>> played_rules(rules_of("tenhou-east-2009"))[1]
    'east'
    """
    for length in page_of(rules).lengths:
        with suppress(RuleError):
            played = rules_at(rules.name, length)
            if dataclasses.replace(played, name=rules.name) == rules:
                return played, length
    raise RuleError(f"the rules of this game ({rules.name}) cannot be played at this table")


def rules_at(name: str, length: str) -> Any:
    """Return the rule set with the given name at a length, which overrides that of the name.

    Raises `RuleError` for an unknown name or length, and `janshi.core.game.GameError` for a game without a page.

    >>> rules_at("tenhou-sanma", "hand").name, rules_at("tenhou-nored-east", "south").name
    ('tenhou-sanma-hand', 'tenhou-nored')
    >>> rules_at("sichuan-cap3", "four").hands
    4
    """
    own = (rules for rules in own_rules().values() if name in _names_of(rules))
    rules = next(own, None) or rules_of(name)
    page = page_of(rules)
    if length not in page.lengths:
        there = ", ".join(page.lengths) + suggestion(length, page.lengths)
        raise RuleError(f"no length {length!r} for rules {name!r}: there are {there}")
    return page.at_length(rules, length)

"""A game's support of tables in the browser.

A game with a layout of its own has the facets ``"page"`` (`GamePage`), ``"recorder"`` (`janshi.records.Recorder`) for
its events, and ``"say"`` (`janshi.say.Say`) for decisions and hints. Any other game is played in a plain layout,
without records, hints and reviews: see `janshi.web.plain` and `plain_page`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from janshi.agents import agent, description_of
from janshi.agents.random import random_legal_actions
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
    first: tuple[Prepared, ...]
    """Compiled functions of tables, hints and the best players."""
    claim: int = -1
    """Phase in which a seat may claim another's tile; −1: none."""
    people: tuple[Figures, ...] = ()
    """Figures of strong people, by number of players."""
    later: tuple[Prepared, ...] = ()
    """Compiled functions of the other players."""


def entries_of(game: Game) -> tuple[Prepared, ...]:
    """Return the compiled functions of a game's tables."""
    logs = () if game.event_logs is None else (game.event_logs,)
    return (game.begin_games, game.step, game.next_hands, game.refused, game.decisions, *logs)


def page_of(rules: Any) -> GamePage:
    """Return the page of a rule set's game."""
    return _page(game_of(rules))


def _page(game: Game) -> GamePage:
    return cast("GamePage", game.facet("page")) if "page" in game.facets else plain_page(game)


@cache
def plain_page(game: Game) -> GamePage:
    """Return the page of a game without the facet: all presets, whole games or single hands, and its own agents.

    >>> plain_page(GAMES["riichi"]).lengths
    ('game', 'hand')
    """

    def at_length(rules: Any, length: str) -> Any:
        whole = rules_of(rules.name.removesuffix("-hand"))
        return whole if length == "game" else game.single_hand(whole)

    own = game.facet("agents") if "agents" in game.facets else {}
    return GamePage(
        presets=tuple(game.presets),
        lengths=("game", "hand") if "-hand" in game.endings else ("game",),
        at_length=at_length,
        players=tuple(_plain_player(name, game) for name in dict.fromkeys((*own, "random"))),
        first=(*entries_of(game), game.views, random_legal_actions),
    )


def _plain_player(name: str, game: Game) -> Player:
    made = agent(name)
    return Player(
        name=name,
        label=name.capitalize(),
        players=sorted({rules.players for rules in game.presets.values()} & made.players),
        games=[game.name],
        description=description_of(made),
        reviews=False,
    )


def pages() -> dict[str, GamePage]:
    """Return the page of every game, by the game's name."""
    return {name: _page(game) for name, game in GAMES.items()}


def _names_of(rules: Any) -> set[str]:
    """Return the names of a rule set at all lengths."""
    page = page_of(rules)
    return {rules.name, *(page.at_length(rules, length).name for length in page.lengths)}


def played_rules(rules: Any) -> tuple[Any, str]:
    """Return the rules of a recorded game as a table plays them, and their length.

    Raises `RuleError` if tables do not offer these rules.

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

    Raises `RuleError` for an unknown name or length.

    >>> rules_at("tenhou-sanma", "hand").name, rules_at("tenhou-nored-east", "south").name
    ('tenhou-sanma-hand', 'tenhou-nored')
    >>> rules_at("sichuan-cap3", "four").hands
    4
    """
    own = (rules for rules in REGISTERED.values() if name in _names_of(rules))
    rules = next(own, None) or rules_of(name)
    page = page_of(rules)
    if length not in page.lengths:
        there = ", ".join(page.lengths) + suggestion(length, page.lengths)
        raise RuleError(f"no length {length!r} for rules {name!r}: there are {there}")
    return page.at_length(rules, length)

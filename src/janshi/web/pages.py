"""A game's support of tables in the browser: knowledge of a seat, lengths, players.

A game gives a `GamePage` as its facet ``"page"``, its events as its facet ``"recorder"`` (`janshi.records.Recorder`),
and what hints need as its facet ``"review"`` (`janshi.review.GameReview`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from janshi.compiling import Prepared
from janshi.core.errors import RuleError
from janshi.core.game import Game
from janshi.games import GAMES, RULES, game_of, rules_of
from janshi.review.model import Worth
from janshi.web.messages import Discard, Own, Player


class SeatKnowledge(Protocol):
    """Knowledge of a seat from the events sent to it, and from nothing else.

    The table itself is often further than what its players have been shown: all that they are shown of their hands
    between decisions comes from here, so that it cannot reveal more than the events do.
    """

    def follow(self, event: dict[str, Any]) -> None:
        """Take in one event as the seat sees it."""

    def own(self) -> Own:
        """Return what the seat knows of its hand between decisions."""
        ...

    def discards(self, tiles: Sequence[str]) -> list[Discard]:
        """Return those of the tiles (mjai names) after whose discard the hand is tenpai, with its waits."""
        ...

    def warm_up(self) -> None:
        """Compile what this calls."""


@dataclass(frozen=True, kw_only=True)
class GamePage:
    """A game's support of the browser: its facet ``"page"``."""

    presets: tuple[str, ...]
    """Names of the rule sets that are offered."""
    lengths: tuple[str, ...]
    """Of its games; the first is the usual one."""
    at_length: Callable[[Any, str], Any]
    """Returns rules at one of these lengths, whatever length they have."""
    players: tuple[Player, ...]
    """Agents that can be seated."""
    knowledge: Callable[[Any, int], SeatKnowledge]
    """``(rules, seat)``: what a seat works out."""
    claim: int
    """The phase in which a seat is asked about another's tile."""
    worth_of_win: Callable[[Any, Any], Worth | None] = lambda view, rules: None
    """``(view, rules)``: what the win that is offered is worth."""
    first: tuple[Prepared, ...]
    """What its tables call, its hints, and the best of its players …"""
    later: tuple[Prepared, ...] = ()
    """… and what other players call."""


def entries_of(game: Game) -> tuple[Prepared, ...]:
    """Return what tables of a game call."""
    logs = () if game.event_logs is None else (game.event_logs,)
    return (game.begin_games, game.step, game.next_hands, game.refused, game.decisions, *logs)


def page_of(rules: Any) -> GamePage:
    """Return what a rule set's game shows. Raises `janshi.core.game.GameError` where it has no page."""
    return cast("GamePage", game_of(rules).facet("page"))


def pages() -> dict[str, GamePage]:
    """Return the page of every game that has one, by the game's name."""
    return {name: game.facet("page") for name, game in GAMES.items() if "page" in game.facets}


def own_rules() -> dict[str, Any]:
    """Return the rule sets of games with a page that are known beside their presets, by name."""
    return {name: rules for name, rules in RULES.items() if "page" in game_of(rules).facets}


def _names_of(rules: Any) -> set[str]:
    """Names of rules by length."""
    page = page_of(rules)
    return {rules.name, *(page.at_length(rules, length).name for length in page.lengths)}


def rules_at(name: str, length: str) -> Any:
    """Return the rules of a name at a length, whatever length the name holds.

    Raises `RuleError` for an unknown name, or a length that its game does not have, and
    `janshi.core.game.GameError` for a game without a page.

    >>> rules_at("tenhou-sanma", "hand").name, rules_at("tenhou-nored-east", "south").name
    ('tenhou-sanma-hand', 'tenhou-nored')
    >>> rules_at("sichuan-cap3", "four").hands
    4
    """
    own = (rules for rules in own_rules().values() if name in _names_of(rules))
    rules = next(own, None) or rules_of(name)
    page = page_of(rules)
    if length not in page.lengths:
        raise RuleError(f"games by rules {name!r} are of length {', '.join(page.lengths)}, not {length!r}")
    return page.at_length(rules, length)

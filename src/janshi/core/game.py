"""`Game`: the interface of a game to tables, arenas and environments.

A game is played by *rule sets* (`janshi.core.rules`) on *states*, records of one table each. The state of every game
has these fields:

============ =============================================================================================
field        contents
============ =============================================================================================
``rules``    the rule set (`janshi.core.rules.rules_record`)
``actor``    the seat that must decide, −1 for none
``phase``    below ``Game.hand_over`` while a seat must decide, `Game.hand_over` after a hand,
             `Game.game_over` after the last
``seats``    an array of four records with ``points``
``wall``     the tiles in the order in which they are dealt
``seed`` …   the fields of `GameTable`
============ =============================================================================================

A game defines the rules of one table. Steps, masks, decisions, successive games and random play are derived from them
(`janshi.core.play`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Batched, Record, TableRecord, dtype_of, specialised, zeros
from janshi.core.play import GameTable, NothingShared, StepResult, derived, names_of
from janshi.core.rules import RuleSet, named_preset, write_rules
from janshi.registries import load

__all__ = ["Game", "GameError", "GameTable", "NothingShared", "Outcomes", "RuleSet", "StepResult"]


class GameError(ValueError):
    """An unknown game or rule set, or a facet that a game lacks."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Results of hands, one row each; arrays by seat have shape (n, players)."""

    dealer: NDArray[np.int8]  # seat that dealt, or began the hand (n)
    ended: NDArray[np.int8]  # the game's own code of the ending (n)
    drawn: NDArray[np.bool_]  # nobody has won (n)
    won: NDArray[np.bool_]
    dealt_in: NDArray[np.bool_]
    value: NDArray[np.int32]  # value of the winner's hand
    self_drawn: NDArray[np.bool_]  # has won by its own draw
    habits: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    """Other events of a seat in the hand, such as calls, by name (n, players)."""


def points_over_start(rules: Any, points: Sequence[int]) -> list[float]:
    """Return the result of a game for every seat: final points less starting points."""
    return [float(number - rules.start) for number in points]


#: Rows by seat in the records of every game, which templates go through.
_SEATS: Final = 4
_NEEDED: Final = ("rules", "actor", "phase", "seats", "seed", "clock", "games", "hand_number", "wall", "walls_given")
#: Rules for one table that templates call.
_OWN: Final = (
    "lay_wall",
    "begin_hand",
    "act",
    "is_legal",
    "write_view",
    "write_events",
    "count_legal",
    "nth_legal",
    "write_legal",
    "change_of",
)

_Rule: TypeAlias = Callable[..., Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game: see the module.

    Raises `TypeError` if the state lacks a required field, or has ``seats`` or ``before`` of fewer than four rows.
    """

    name: str
    module: str  # ``__name__`` of the game's module, with which its compiled code is cached
    rules: type  # the class of its rule sets
    presets: Mapping[str, Any]  # rule sets by name
    endings: Mapping[str, Mapping[str, Any]]
    """Suffixes of preset names and the fields that each changes; ``"-hand"`` is a single hand instead of a game."""
    actions: int  # size of the action space
    action_text: Callable[[int], str]  # describes an action
    passive_actions: tuple[int, ...] = ()  # default actions, in order of preference
    discards: int = 0  # number of the first actions, which are plain discards
    hand_over: int
    ending_text: Callable[[int], str]  # describes the ending of a hand, from the state's ``ended``
    view: type[Record]  # the information visible to one seat; its first fields are those of the state
    events: type[Record] | None = None  # the log of a hand as visible to one seat: ``rows`` and ``count``

    facets: Mapping[str, str] = field(default_factory=dict)
    """Addresses (``module:attribute``) of further features, by name: see `facet`."""

    # Plain functions over rules and arrays of states
    outcomes: Callable[[NDArray[Any]], Outcomes]  # ``(states)``: results of hands that are over
    final_points: Callable[[Any, Sequence[int]], list[float]] = points_over_start
    """``(rules, points)``: the results of a game, in the game's own unit."""
    by_rule: Callable[[Any, Batch[Any]], NDArray[np.int16] | None] = lambda rules, views: None
    """``(rules, views)``: the actions that agents are not asked for (n; −1: they are asked), or None without any."""

    # Rules for one table (`rule`, `part` or `leaf`); ``lookup`` is a `Shared` record of lookup tables
    lay_wall: _Rule  # ``(state) -> int``: put all tiles into ``state.wall``, in any order; return their number
    begin_hand: _Rule
    """``(state, lookup)``: deal from the wall, and continue to the first decision. If ``state.hand_number`` is not 0,
    dealer and round follow from the previous hand, which the state still contains."""
    act: _Rule
    """``(state, lookup, action)``: execute a legal action of the actor, add 1 to ``state.clock``, and continue to the
    next decision or the end of the hand."""
    is_legal: _Rule  # ``(state, action) -> bool``: whether the action is legal for the actor
    write_view: _Rule | None = None
    """``(state, seat (Int8), view)``; by default a view consists of its leading fields in common with the state, its
    ``hand`` and its ``seat``."""
    write_events: _Rule | None = None  # ``(state, seat (Int8), events)``
    count_legal: _Rule | None = None
    """``(state) -> int``; by default, this and the next two call ``is_legal`` for every action."""
    nth_legal: _Rule | None = None  # ``(state, number) -> int``: the legal action with that index, from 0
    write_legal: _Rule | None = None  # ``(state, mask)``
    change_of: _Rule | None = None
    """``(state, seat) -> int``: the change of a seat's points in the hand that is over. By default, the points less
    ``state.before[seat]``."""

    # Derived functions, compiled for many tables
    state: type[TableRecord] = field(init=False)
    """The record of a table, which is the first parameter of the game's rules."""
    lay_walls: Batched = field(init=False)  # ``(states)``: put all tiles in order
    begin_games: Batched = field(init=False)  # ``(states)``: start a game
    next_hands: Batched = field(init=False)
    """``(states)``: begin the next hand at tables where a hand is over and the game is not."""
    step: Batched = field(init=False)  # ``(states, actions (int16), goes_on, results)``: execute the actors' actions
    refused: Batched = field(init=False)  # ``(states, actions)``: number of illegal actions
    legal: Batched = field(init=False)  # ``(states, masks)``: legal actions of the actors
    views: Batched = field(init=False)  # ``(states, seats (int8), views)``: information visible to seats
    decisions: Batched = field(init=False)
    """``(states, views, masks, random words (n, 1))``: the actors' decisions."""
    event_logs: Batched | None = field(init=False)
    """``(states, seats, events)``: the logs of the hands as visible to seats."""
    play_randomly: Batched = field(init=False)
    """``(states, decisions)``: take that many random decisions; returns the number of hands ended."""
    names: dict[str, Any] = field(init=False, repr=False)  # globals of templates: see `specialised`

    def __post_init__(self) -> None:
        """Check the state's fields, and derive the compiled functions."""
        own = {name: getattr(self, name) for name in _OWN if getattr(self, name) is not None}
        names = names_of(own, self.view, self.actions, self.hand_over)
        fields: Mapping[str, Any] = dtype_of(names["State"]).fields or {}
        missing = [name for name in _NEEDED if name not in fields]
        if missing or "points" not in (fields["seats"][0].base.fields or {}):
            raise TypeError(f"game {self.name!r}: its state lacks {', '.join(missing) or 'seats with points'}")
        short = [name for name in ("seats", "before") if name in fields and fields[name][0].shape < (_SEATS,)]
        if short:
            raise TypeError(f"game {self.name!r}: {' and '.join(short)} need {_SEATS} rows for any number of players")
        if (self.events is None) != (self.write_events is None):
            raise TypeError(f"game {self.name!r}: `events` and `write_events` must be given together")
        made = {"state": names["State"], "names": names, "event_logs": None, **derived(names, self.module)}
        for name, value in made.items():
            object.__setattr__(self, name, value)

    @property
    def game_over(self) -> int:
        """Phase after the end of a game."""
        return self.hand_over + 1

    def preset(self, name: str) -> Any:
        """Return the preset with the given name. Raises `RuleError` for an unknown name."""
        return named_preset(name, self.presets, self.endings)

    def single_hand(self, rules: Any) -> Any:
        """Return the same rules for a single hand instead of a game."""
        return dataclasses.replace(rules, name=f"{rules.name.removesuffix('-hand')}-hand", **self.endings["-hand"])

    def wall(self, rules: Any) -> NDArray[np.int8]:
        """Return the tiles of a rule set's wall, ascending."""
        states = cast("NDArray[Any]", zeros(self.state, 1))
        write_rules(rules, states["rules"])
        tiles: NDArray[np.int8] = states["wall"][0, : self.lay_walls(states)]
        return np.sort(tiles)

    def passive(self, legal: NDArray[np.bool_]) -> int:
        """Return the default action, from a mask of legal ones."""
        return next((action for action in self.passive_actions if legal[action]), int(legal.argmax()))

    def specialised(self, template: _Rule, **names: Any) -> _Rule:
        """Return a template compiled for this game's tables: see `janshi.core.play` for the names that it may use."""
        return specialised(template, self.module, **self.names, **names)

    def facet(self, name: str) -> Any:
        """Return a feature of the game for a room above the table, such as ``"drawing"``.

        A facet is imported on first use. Raises `GameError` if the game does not have it.
        """
        if name not in self.facets:
            raise GameError(f"the game {self.name!r} has no {name}")
        return load(self.facets[name])

"""`Game`: all that a table, an arena or an environment needs to know of it.

A game is played from *rule sets* (`janshi.core.rules`) on *states*, records of one table each. What a state must hold,
whatever the game:

============ =============================================================================================
field        what
============ =============================================================================================
``rules``    the rule set (`janshi.core.rules.rules_record`)
``actor``    seat that the table waits for, −1 for none
``phase``    below ``Game.hand_over`` while a decision is waited for, `Game.hand_over` after a hand,
             `Game.game_over` after the last
``seats``    an array of four records with ``points``
``wall``     the tiles in the order of the game; dealt from as they lie
``seed`` …   the fields of `GameTable`
============ =============================================================================================

A game gives rules for one table; steps, masks, decisions, games that follow each other and random play are made of them
(`janshi.core.play`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batched, Record, TableRecord, dtype_of, specialised, zeros
from janshi.core.play import GameTable, NothingShared, StepResult, derived, names_of
from janshi.core.rules import RuleSet, named_preset, write_rules
from janshi.registries import load

__all__ = ["Game", "GameError", "GameTable", "NothingShared", "Outcomes", "RuleSet", "StepResult"]


class GameError(ValueError):
    """An unknown game or rule set, or a facet that a game lacks."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How hands ended, one row each; arrays by seat have shape (n, players)."""

    dealer: NDArray[np.int8]  # seat that dealt, or began the hand (n)
    ended: NDArray[np.int8]  # the game's own number of the ending (n)
    drawn: NDArray[np.bool_]  # nobody has won (n)
    won: NDArray[np.bool_]
    dealt_in: NDArray[np.bool_]
    value: NDArray[np.int32]  # what the winner's hand was worth
    self_drawn: NDArray[np.bool_]  # has won by a tile that it drew itself, not by another's
    habits: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    """Further things that a seat did in the hand, by name (n, players)."""


def points_over_start(rules: Any, points: Sequence[int]) -> list[float]:
    """Return what a game has brought every seat: points over those that it began with."""
    return [float(number - rules.start) for number in points]


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

    Raises `TypeError` where the state lacks a field that it must have.
    """

    name: str
    module: str  # the module that makes the game, ``__name__``: its compiled functions are kept with that module's
    rules: type  # the class of its rule sets
    presets: Mapping[str, Any]  # rule sets by name
    endings: Mapping[str, Mapping[str, Any]]
    """Endings of a preset's name and the fields that each changes; ``"-hand"`` is one hand instead of a game."""
    actions: int  # size of the action space
    action_text: Callable[[int], str]  # says what an action does
    passive_actions: tuple[int, ...] = ()  # actions that give least away, the best first
    hand_over: int
    ending_text: Callable[[int], str]  # says how a hand ended, from the state's ``ended``
    view: type[Record]  # what one seat may know; it begins with the same fields as the state
    events: type[Record] | None = None  # the log of a hand as one seat may know it: ``rows`` and ``count``
    hidden: type[Record] | None = None
    """What a seat may not see, the concealed tiles of the others: given to encoders for records, never at a table."""
    facets: Mapping[str, str] = field(default_factory=dict)
    """What else the game offers, by the room that asks for it, as addresses (``module:attribute``): see `facet`."""

    # Plain functions over rules and arrays of states
    outcomes: Callable[[NDArray[Any]], Outcomes]  # ``(states)``: how the hands ended that are over at some tables
    final_points: Callable[[Any, Sequence[int]], list[float]] = points_over_start
    """``(rules, points)``: the results of a game, in the game's own unit."""

    # Rules for one table (`rule`, `part` or `leaf`); ``lookup`` is a `Shared` record of lookup tables
    lay_wall: _Rule  # ``(state) -> int``: lay all tiles into ``state.wall``, in any order; return how many there are
    begin_hand: _Rule
    """``(state, lookup)``: deal from the wall and play on to the first decision. Where ``state.hand_number`` is not 0
    dealer and round follow from the hand before, as the state still holds it."""
    act: _Rule
    """``(state, lookup, action)``: let the actor do a legal action, add 1 to ``state.clock``, and play on to the next
    decision or the end of the hand."""
    is_legal: _Rule  # ``(state, action) -> bool``: whether the actor may do that
    write_view: _Rule | None = None
    """``(state, seat (Int8), view)``; without it a view is what it has in common with the state at the beginning, its
    ``hand`` and its ``seat``."""
    write_events: _Rule | None = None  # ``(state, seat (Int8), events)``
    count_legal: _Rule | None = None
    """``(state) -> int``; this and the next two ask for every action in turn where the game has no quicker ones."""
    nth_legal: _Rule | None = None  # ``(state, number) -> int``: the legal action that has so many others before it
    write_legal: _Rule | None = None  # ``(state, mask)``
    change_of: _Rule | None = None
    """``(state, seat) -> int``: by how much the hand that is over has changed a seat's points since its deal. Without
    it: the points less ``state.before[seat]``."""

    # What follows: compiled for many tables
    state: type[TableRecord] = field(init=False)
    """The record of a table, which is the first parameter of the game's rules."""
    lay_walls: Batched = field(init=False)  # ``(states)``: lay all tiles in order
    begin_games: Batched = field(init=False)  # ``(states)``: start a game
    next_hands: Batched = field(init=False)
    """``(states)``: go on to the next hand where one is over and the game is not."""
    step: Batched = field(init=False)  # ``(states, actions (int16), goes_on, results)``: do the actors' actions
    refused: Batched = field(init=False)  # ``(states, actions)``: how many of the actions are not legal
    legal: Batched = field(init=False)  # ``(states, masks)``: what the actors may do
    views: Batched = field(init=False)  # ``(states, seats (int8), views)``: what seats may know
    decisions: Batched = field(init=False)
    """``(states, views, masks, random words (n, 1))``: all that the actors are given for their decisions."""
    event_logs: Batched | None = field(init=False)
    """``(states, seats, events)``: the logs of the hands as seats may know them."""
    play_randomly: Batched = field(init=False)
    """``(states, decisions)``: so many random decisions; returns the hands ended."""
    names: dict[str, Any] = field(init=False, repr=False)  # what templates are compiled with: see `specialised`

    def __post_init__(self) -> None:
        """Refuse a state that no table could be made of; make what follows."""
        own = {name: getattr(self, name) for name in _OWN if getattr(self, name) is not None}
        names = names_of(own, self.view, self.actions, self.hand_over)
        fields: Mapping[str, Any] = dtype_of(names["State"]).fields or {}
        missing = [name for name in _NEEDED if name not in fields]
        if missing or "points" not in (fields["seats"][0].base.fields or {}):
            raise TypeError(f"game {self.name!r}: its state lacks {', '.join(missing) or 'seats with points'}")
        if (self.events is None) != (self.write_events is None):
            raise TypeError(f"game {self.name!r}: `events` and `write_events` belong together")
        made = {"state": names["State"], "names": names, "event_logs": None, **derived(names, self.module)}
        for name, value in made.items():
            object.__setattr__(self, name, value)

    @property
    def game_over(self) -> int:
        """The phase of a game that is over."""
        return self.hand_over + 1

    def preset(self, name: str) -> Any:
        """Return the rule set of a preset's name; raises `RuleError` in words where there is none."""
        return named_preset(name, self.presets, self.endings)

    def single_hand(self, rules: Any) -> Any:
        """Return the same rules for one hand instead of a game."""
        return dataclasses.replace(rules, name=f"{rules.name.removesuffix('-hand')}-hand", **self.endings["-hand"])

    def wall(self, rules: Any) -> NDArray[np.int8]:
        """Return the tiles of a rule set's wall, ascending."""
        states = cast("NDArray[Any]", zeros(self.state, 1))
        write_rules(rules, states["rules"])
        tiles: NDArray[np.int8] = states["wall"][0, : self.lay_walls(states)]
        return np.sort(tiles)

    def passive(self, legal: NDArray[np.bool_]) -> int:
        """Return the action that gives least away, from a mask of legal ones."""
        return next((action for action in self.passive_actions if legal[action]), int(legal.argmax()))

    def specialised(self, template: _Rule, **names: Any) -> _Rule:
        """Return what a template does at this game's tables: see `janshi.core.play` for the names that it may use."""
        return specialised(template, self.module, **self.names, **names)

    def facet(self, name: str) -> Any:
        """Return what the game offers to a room above the table, such as ``"drawing"``.

        Facets are imported when they are asked for. Raises `GameError` for one that the game does not have.
        """
        if name not in self.facets:
            raise GameError(f"the game {self.name!r} has no {name}")
        return load(self.facets[name])

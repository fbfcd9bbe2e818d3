"""`Game`: all that a table, an arena or an environment needs to know of a game.

A game is played from *rule sets* (frozen data with at least `RuleSet`'s fields) on *states*, records of one table each.
What a state must hold, whatever the game:

=================== ======================================================================================
field               what
=================== ======================================================================================
``actor``           seat that the table waits for, −1 for none
``phase``           below ``Game.hand_over`` while a decision is waited for, `Game.hand_over` after a hand,
                    `Game.game_over` after the last
``seats``           an array of records with ``points``
``seed``, ``clock`` seed of the walls; decisions taken since the table was made
``games``           games begun at this table, less one
``hand_number``     hands begun in this game, less one
``wall``            the tiles in the order of the game; dealt from as it lies where ``walls_given`` is 1
=================== ======================================================================================

The functions of a game are `janshi.compiling.batched` rules over one table each; see `Game` for their arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batched, Record, TableRecord, dtype_of


class RuleSet(Protocol):
    """What every rule set says of itself."""

    @property
    def name(self) -> str:
        """What results and records call it."""
        ...

    @property
    def players(self) -> int:
        """How many play."""
        ...

    @property
    def start(self) -> int:
        """Points that everybody begins a game with."""
        ...


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How hands ended, one row each; arrays by seat have shape (n, players)."""

    dealer: NDArray[np.int8]
    """Seat that dealt, or began the hand (n)."""
    ended: NDArray[np.int8]
    """The game's own number of the ending (n)."""
    drawn: NDArray[np.bool_]
    """Nobody has won (n)."""
    won: NDArray[np.bool_]
    dealt_in: NDArray[np.bool_]
    value: NDArray[np.int32]
    """What the winner's hand was worth."""
    self_drawn: NDArray[np.bool_]
    """Has won by a tile that it drew itself, not by another's."""
    habits: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    """Further things that a seat did in the hand, by name (n, players)."""


class StepResult(Record):
    """What a step has brought at one table of up to four players."""

    ended: Annotated[int, np.int8]
    """1 where it has ended a hand, 2 where it has ended the game."""
    change: Annotated[NDArray[np.int32], 4]
    """By how much the hand that ended has changed every seat's points since its deal."""
    points: Annotated[NDArray[np.int32], 4]
    """Every seat's points at the end of that hand."""


_NEEDED: Final = ("actor", "phase", "seats", "seed", "clock", "games", "hand_number", "wall", "walls_given")


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game: see the module.

    Raises `TypeError` where the state lacks a field that it must have.
    """

    name: str
    rules: type
    """The class of its rule sets."""
    preset: Callable[[str], Any]
    """Returns a rule set by its name; raises `ValueError` in words where there is none."""
    presets: tuple[str, ...]
    """Names of the rule sets that there are."""
    state: type[TableRecord]
    view: type[Record]
    """What one seat may know."""
    result: type[Record]
    """What a step brings: ``ended`` (1: a hand is over, 2: the game), ``change`` and ``points`` of the seats."""
    events: type[Record] | None = None
    """The log of a hand as one seat may know it: ``rows`` and ``count``."""
    hidden: type[Record] | None = None
    """What a seat may not see, the concealed tiles of the others: given to encoders for records, never at a table."""
    actions: int
    """Size of the action space."""
    action_text: Callable[[int], str]
    """Says what an action does."""
    hand_over: int
    game_over: int
    ending_text: Callable[[int], str]
    """Says how a hand ended, from the state's ``ended``."""
    passive: Callable[[NDArray[np.bool_]], int]
    """Returns the action that gives least away, from a mask of legal ones."""

    # Plain functions over rules and arrays of states
    write_rules: Callable[[Any, Any], None]
    """``(rules, record)``: writes a rule set into the states' field ``rules``."""
    wall: Callable[[Any], NDArray[np.int8]]
    """Returns the tiles of a rule set's wall, ascending."""
    outcomes: Callable[[NDArray[Any]], Outcomes]
    """``(states)``: how the hands ended that are over at some tables."""
    final_points: Callable[[Any, Sequence[int]], list[float]]
    """``(rules, points)``: the results of a game, in the game's own unit."""
    single_hand: Callable[[Any], Any]
    """Returns the same rules for one hand instead of a game."""

    # Compiled, over one table each
    begin_games: Batched
    """``(states)``: start a game."""
    next_hands: Batched
    """``(states)``: go on to the next hand where one is over and the game is not."""
    step: Batched
    """``(states, actions (int16), goes_on, results)``: do the actors' actions."""
    refused: Batched
    """``(states, actions)``: how many of the actions are not legal."""
    legal: Batched
    """``(states, masks)``: what the actors may do."""
    views: Batched
    """``(states, seats (int8), views)``: what seats may know."""
    decisions: Batched
    """``(states, views, masks, random words (n, 1))``: all that the actors are given for their decisions."""
    event_logs: Batched | None = None
    """``(states, seats, events)``: the logs of the hands as seats may know them."""
    play_randomly: Batched
    """``(states, decisions)``: so many random decisions; returns the hands ended."""

    def __post_init__(self) -> None:
        """Refuse a state that no table could be made of."""
        fields: Mapping[str, Any] = dtype_of(self.state).fields or {}
        missing = [name for name in _NEEDED if name not in fields]
        if missing or "points" not in (fields["seats"][0].base.fields or {}):
            raise TypeError(f"game {self.name!r}: its state lacks {', '.join(missing) or 'seats with points'}")
        if (self.events is None) != (self.event_logs is None):
            raise TypeError(f"game {self.name!r}: `events` and `event_logs` belong together")

"""Positions to look at: every decision of one hand, of a record or of a random game.

A hand is played again from its wall and its decisions (`janshi.records.replay.Script`), and at each decision kept is
what its seat may see (`View`), what it could do and what it did.

>>> hand = random_hand("tenhou-sanma", seed=3, number=1)
>>> first = hand.position(1)
>>> first.seat, first.kinds
(0, ('discard',))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch
from janshi.engine import actions
from janshi.engine.play import begin_games, next_hands, step_tables, write_keys, write_legal
from janshi.engine.state import HAND_OVER, State, View
from janshi.engine.tables import lookup
from janshi.records.model import Game
from janshi.records.replay import Replayer, Script
from janshi.records.sources import Damaged, read_games
from janshi.rules import Rules
from janshi.table import new_states, rules_of, views_of

_ONLY: Final = np.zeros(1, np.int64)

#: What can be decided, with the actions (first, last) that belong to each.
DECISION_ACTIONS: Final = (
    ("discard", ((actions.DISCARD, actions.TSUMOGIRI),)),
    ("pon", ((actions.PON, actions.DAIMINKAN - 1),)),
    ("kan", ((actions.DAIMINKAN, actions.DAIMINKAN), (actions.ANKAN, actions.ACTIONS - 1))),
    ("kita", ((actions.KITA, actions.KITA),)),
    ("riichi", ((actions.RIICHI, actions.RIICHI),)),
    ("chii", ((actions.CHII, actions.PON - 1),)),
    ("tsumo", ((actions.TSUMO, actions.TSUMO),)),
    ("ron", ((actions.RON, actions.RON),)),
    ("nine terminals", ((actions.NINE_TERMINALS, actions.NINE_TERMINALS),)),
)


class PositionError(ValueError):
    """A position that there is not: says in one line what there is instead."""


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """One decision of a hand."""

    decision: int  # in its hand, from 1
    seat: int
    possible: tuple[int, ...]  # actions (see `janshi.engine.actions`), ascending
    done: int  # the action taken
    events: int  # of the hand before it: rows of `janshi.records.Hand.events`
    view: Batch[View]  # (1,): what the seat may see

    @property
    def kinds(self) -> tuple[str, ...]:
        """What can be decided (`DECISION_ACTIONS`); after riichi there is nothing to decide about the discard."""
        one = cast("NDArray[Any]", self.view)[0]
        found = [
            name
            for name, spans in DECISION_ACTIONS
            if any(first <= action <= last for action in self.possible for first, last in spans)
        ]
        if one["seats"]["accepted"][self.seat] and "discard" in found:
            found.remove("discard")
        return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHand:
    """The decisions of one hand."""

    source: str
    rules: Rules
    number: int  # in its game, from 1
    positions: tuple[Position, ...]

    def position(self, decision: int | None = None, seat: int | None = None) -> Position:
        """Return a decision (from 1), or without a number the first one, of ``seat`` where one is named.

        Raises `PositionError` where there is no such decision, or where it is another seat's.
        """
        some = self.of_seat(seat)
        if decision is None:
            if not some:
                raise PositionError(f"hand {self.number}: seat {seat} has nothing to decide")
            return some[0]
        if not 1 <= decision <= len(self.positions):
            raise PositionError(f"hand {self.number} has {len(self.positions)} decisions, there is no {decision}")
        found = self.positions[decision - 1]
        if found not in some:
            mine = ", ".join(str(one.decision) for one in some) or "none"
            raise PositionError(f"decision {decision} is seat {found.seat}'s; those of seat {seat}: {mine}")
        return found

    def of_seat(self, seat: int | None) -> tuple[Position, ...]:
        """Return the decisions of a seat, or all. Raises `PositionError` where there is no such seat."""
        if seat is None:
            return self.positions
        if not 0 <= seat < self.rules.players:
            raise PositionError(
                f"there is no seat {seat}: {self.rules.players} players sit at 0 to {self.rules.players - 1}"
            )
        return tuple(one for one in self.positions if one.seat == seat)


def nth_game(path: str | Path, number: int = 1) -> Game:
    """Return a game (from 1) of a file, folder or archive; damaged ones do not count, games behind it are not read.

    Raises `PositionError` where there is none of that number.
    """
    games = 0
    damaged: list[Damaged] = []
    for found in read_games([path]):
        if isinstance(found, Damaged):
            damaged.append(found)
            continue
        games += 1
        if games == number:
            return found
    if damaged and not games:
        more = f", and {len(damaged) - 1} more that cannot be read" if len(damaged) > 1 else ""
        raise PositionError(f"{damaged[0]}{more}")
    beside = f" beside {len(damaged)} damaged" if damaged else ""
    raise PositionError(f"{path} holds {_many(games, 'game')}{beside}, there is no game {number}")


def hand_of_game(game: Game, number: int) -> PlayedHand:
    """Replay a hand (from 1) of a game.

    Raises `PositionError` where there is none of that number, or where it contradicts the rules.
    """
    if not 1 <= number <= len(game.hands):
        raise PositionError(f"{game.source} has {_many(len(game.hands), 'hand')}, there is no hand {number}")
    done = Replayer().replay(game, scripts=True)
    for script in done.scripts:
        if script.number == number - 1:
            return PlayedHand(game.source, game.rules, number, _of_script(game.rules, script))
    wrong = next(str(one) for one in done.mismatches if one.hand == number)
    raise PositionError(f"the hand cannot be replayed: {wrong}")


def random_hand(rules: Rules | str, seed: int, number: int) -> PlayedHand:
    """Play a game at random up to the end of a hand (from 1); the same seed always plays the same game.

    Raises `PositionError` where the game is over before, or where ``seed`` does not fit into 64 bits, and
    `janshi.rules.RuleError` for rules that there are not.
    """
    from janshi.agents.random import RandomAgent

    by = rules_of(rules)
    if not -(1 << 63) <= seed < 1 << 63:
        raise PositionError(f"seed {seed} does not fit into 64 bits")
    states = new_states(by, 1)
    table = cast("NDArray[Any]", states)
    table["seed"] = seed
    begin_games(states, lookup(), _ONLY)
    agent = RandomAgent()

    def choose(_: int, view: Batch[View], legal: NDArray[np.bool_]) -> int:
        keys = np.zeros(1, np.int64)
        write_keys(states, _ONLY, keys)
        return int(agent.act(view, legal, keys)[0])

    played = 1
    while True:
        found = _play(states, choose)
        if played == number:
            return PlayedHand(f"random game {seed} ({by.name})", by, number, found)
        if int(table["phase"][0]) != HAND_OVER:
            raise PositionError(f"random game {seed} has {_many(played, 'hand')}, there is no hand {number}")
        next_hands(states, lookup(), _ONLY)
        played += 1


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _of_script(rules: Rules, script: Script) -> tuple[Position, ...]:
    """Play a hand again as its script says."""
    return _play(script.begin(rules), lambda number, _view, _legal: int(script.actions[number]))


def _play(states: Batch[State], choose: Callable[[int, Batch[View], NDArray[np.bool_]], int]) -> tuple[Position, ...]:
    """Play a hand to its end; ``choose`` is given the decision's number from 0, the view and the legal actions."""
    table = cast("NDArray[Any]", states)
    ended = np.zeros(1, np.int8)
    change, points = np.zeros((1, 4), np.int32), np.zeros((1, 4), np.int32)
    found: list[Position] = []
    while int(table["phase"][0]) < HAND_OVER:
        seat = int(table["actor"][0])
        view = views_of(states, _ONLY, table["actor"].copy())
        legal = np.zeros((1, actions.ACTIONS), np.bool_)
        write_legal(states, _ONLY, legal)
        done = choose(len(found), view, legal)
        possible = tuple(int(action) for action in np.flatnonzero(legal[0]))
        found.append(Position(len(found) + 1, seat, possible, done, int(table["logged"][0]), view))
        step_tables(states, lookup(), np.array([done], np.int16), 0, 1, False, ended, change, points)
    return tuple(found)

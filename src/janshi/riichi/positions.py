"""Decisions of one hand, of a record or of a random game.

A hand is replayed from its wall and decisions (`janshi.riichi.records.replay.Script`). Each position holds the decision
as given to an agent (`janshi.table.DecisionBatch`, with the log of the hand so far), and the action taken.

>>> hand = random_hand("tenhou-sanma", seed=3, number=1)
>>> first = hand.position(1)
>>> first.seat, first.kinds
(0, ('discard',))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from janshi.agents.random import RandomAgent
from janshi.compiling import Batch
from janshi.games import game_of, rules_of
from janshi.records.recorder import Mismatch
from janshi.records.sources import LARGEST, MissingGameError, numbered_game
from janshi.riichi.actions import ACTIONS, Action
from janshi.riichi.records.model import Game
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.rules import Rules
from janshi.riichi.state import View
from janshi.riichi.wall import deal_slots
from janshi.table import DecisionBatch, Table, Tables
from janshi.tiles import parse_tiles

#: Kinds of decisions, with their actions (first, last).
DECISION_ACTIONS: Final = (
    ("discard", ((Action.DISCARD, Action.TSUMOGIRI),)),
    ("pon", ((Action.PON, Action.DAIMINKAN - 1),)),
    ("kan", ((Action.DAIMINKAN, Action.DAIMINKAN), (Action.ANKAN, ACTIONS - 1))),
    ("kita", ((Action.KITA, Action.KITA),)),
    ("riichi", ((Action.RIICHI, Action.RIICHI),)),
    ("chii", ((Action.CHII, Action.PON - 1),)),
    ("tsumo", ((Action.TSUMO, Action.TSUMO),)),
    ("ron", ((Action.RON, Action.RON),)),
    ("kyuushu kyuuhai", ((Action.KYUUSHU_KYUUHAI, Action.KYUUSHU_KYUUHAI),)),
)


class PositionError(ValueError):
    """A missing position. The message names the positions that exist."""


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """One decision of a hand."""

    decision: int  # its number in the hand, from 1
    done: int  # the action taken
    events: int  # of the hand before it: rows of `janshi.riichi.records.model.Hand.events`
    batch: DecisionBatch  # the decision as given to an agent (1), with the log of the hand so far

    @property
    def seat(self) -> int:
        """Seat to decide."""
        return int(self.batch.seats[0])

    @property
    def view(self) -> Batch[View]:
        """View of the seat (1,)."""
        return self.batch.views

    @property
    def possible(self) -> tuple[int, ...]:
        """Legal actions (`janshi.riichi.actions`), ascending."""
        return tuple(np.flatnonzero(self.batch.legal[0]).tolist())

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of the decision (`DECISION_ACTIONS`), without discards after riichi."""
        possible = self.possible
        names = [
            name
            for name, spans in DECISION_ACTIONS
            if any(first <= action <= last for action in possible for first, last in spans)
        ]
        view: Any = np.asarray(self.view)[0]
        if view["seats"]["accepted"][self.seat] and "discard" in names:
            names.remove("discard")
        return tuple(names)


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHand:
    """The decisions of one hand."""

    source: str  # file of the record, or description
    rules: Rules
    number: int  # number of the hand in its game, from 1
    positions: tuple[Position, ...]

    def position(self, decision: int | None = None, seat: int | None = None) -> Position:
        """Return a decision (from 1), by default the first, optionally of a ``seat``.

        Raises `PositionError` for a missing decision or one of another seat.
        """
        choice = self.of_seat(seat)
        if decision is None:
            if not choice:
                raise PositionError(f"hand {self.number}: seat {seat} has nothing to decide")
            return choice[0]
        if not 1 <= decision <= len(self.positions):
            raise PositionError(f"hand {self.number} has {len(self.positions)} decisions, there is no {decision}")
        position = self.positions[decision - 1]
        if position not in choice:
            own = ", ".join(str(other.decision) for other in choice) or "none"
            raise PositionError(f"decision {decision} is seat {position.seat}'s; those of seat {seat}: {own}")
        return position

    def of_seat(self, seat: int | None) -> tuple[Position, ...]:
        """Return the decisions of a seat, or all. Raises `PositionError` for an unknown seat."""
        if seat is None:
            return self.positions
        if not 0 <= seat < self.rules.players:
            raise PositionError(
                f"there is no seat {seat}: {self.rules.players} players sit at 0 to {self.rules.players - 1}"
            )
        return tuple(position for position in self.positions if position.seat == seat)


def nth_game(path: str | Path, number: int = 1, *, largest: int = LARGEST) -> Game:
    """Return a game (from 1) of a file, folder or archive, without counting damaged ones or reading further.

    ``largest``: maximum bytes of an unpacked record. Raises `PositionError` for a missing game.
    """
    try:
        game: Game = numbered_game(path, number, game="riichi", largest=largest)
    except MissingGameError as error:
        raise PositionError(str(error)) from None
    return game


def hand_of_game(game: Game, number: int) -> PlayedHand:
    """Replay a hand (from 1) of a game.

    Raises `PositionError` for a missing hand or one that contradicts the rules.
    """
    if not 1 <= number <= len(game.hands):
        raise PositionError(f"{game.source} has {_count(len(game.hands), 'hand')}, there is no hand {number}")
    replayed = Replayer().replay(game, scripts=True)
    for script in replayed.scripts:
        if script.number == number - 1:
            return _of_script(game, script)
    wrong = next(str(mismatch) for mismatch in replayed.mismatches if mismatch.hand == number)
    raise PositionError(f"the hand cannot be replayed: {wrong}")


def hands_of_game(game: Game) -> tuple[list[PlayedHand], list[Mismatch]]:
    """Replay all hands of a game; return those that match the rules, and the mismatches of the others."""
    replayed = Replayer().replay(game, scripts=True)
    return [_of_script(game, script) for script in replayed.scripts], replayed.mismatches


def random_hand(rules: Rules | str, seed: int, number: int) -> PlayedHand:
    """Play a game at random up to the end of a hand (from 1); a seed determines the game.

    Raises `PositionError` if the game ends earlier or ``seed`` exceeds 64 bits, and `janshi.riichi.rules.RuleError` for
    unknown rules.
    """
    checked = rules_of(rules)
    if not -(1 << 63) <= seed < 1 << 63:
        raise PositionError(f"seed {seed} does not fit into 64 bits")
    tables = Tables(checked, 1, [seed], auto_reset=False)
    agent = RandomAgent()
    played = 1
    while True:
        positions = _play(tables, lambda _, batch: int(agent.act(batch)[0]))
        if played == number:
            return PlayedHand(f"random game {seed} ({checked.name})", checked, number, positions)
        if tables.over[0]:
            raise PositionError(f"random game {seed} has {_count(played, 'hand')}, there is no hand {number}")
        tables.next_hand([0])
        played += 1


def dealt_hand(rules: Rules | str, tiles: str, seed: int = 0) -> DecisionBatch:
    """Return the first decision of a game whose first dealer begins with 14 tiles, the one just drawn last.

    ``seed``: of the rest of the wall, the dora indicator too. Raises `PositionError` for other tiles than a hand can
    hold, and `janshi.riichi.rules.RuleError` for rules that there are not.

    >>> dealt_hand("tenhou-sanma", "111999m123p789p55z").seats.tolist()
    [0]
    """
    checked = rules_of(rules)
    wall = game_of(checked).wall(checked).tolist()
    try:
        held = parse_tiles(tiles)
        for tile in held:
            wall.remove(tile)
    except ValueError:
        raise PositionError(f"{tiles}: no tiles of a hand by the rules {checked.name!r}") from None
    slots = deal_slots(checked.players, 0)[0]
    if len(held) != len(slots) + 1:
        raise PositionError(f"{tiles}: a dealer begins with {len(slots) + 1} tiles, these are {len(held)}")
    slots.append(len(wall) + len(held) - 1 - checked.players * len(slots))
    np.random.default_rng(seed).shuffle(wall)
    for slot, tile in sorted(zip(slots, held, strict=True)):
        wall.insert(slot, tile)
    return Table(checked, wall=wall).decision()


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _of_script(game: Game, script: Script) -> PlayedHand:
    """Replay the script of a hand."""
    tables = Tables(game.rules, 1, auto_reset=False)
    np.asarray(tables.states)[:] = np.asarray(script.begin(game.rules))
    positions = _play(tables, lambda number, _: int(script.actions[number]))
    return PlayedHand(game.source, game.rules, script.number + 1, positions)


def _play(tables: Tables, choose: Callable[[int, DecisionBatch], int]) -> tuple[Position, ...]:
    """Play the hand at a table to its end; ``choose`` receives the decision's number from 0, and the decision."""
    states: Any = np.asarray(tables.states)
    positions: list[Position] = []
    while not tables.hand_over[0]:
        batch = tables.decisions([0]).with_events()
        done = choose(len(positions), batch)
        positions.append(Position(len(positions) + 1, done, int(states["logged"][0]), batch))
        tables.step([done])
    return tuple(positions)

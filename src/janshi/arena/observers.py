"""Observers of a match: results of hands, records of games, events for agents that listen, progress.

All follow a `janshi.rollout.driver.Driver`. Results (`HandsRecorder`) are read through
`janshi.core.game.Game.outcomes`, records and events through the game's facet ``recorder``.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, Listener
from janshi.core.game import GameError
from janshi.core.rows import take_rows
from janshi.records.recorder import Recorder, recorder_of
from janshi.rollout.driver import Observer
from janshi.table import Tables


@dataclass(slots=True)
class Hands:
    """Every hand of a match, one row each; arrays by seat have shape (n, players)."""

    wall: NDArray[np.int64]
    """Number of the wall of its game (n)."""
    rotation: NDArray[np.int8]
    """At seat s sat agent (s − rotation) mod players (n)."""
    number: NDArray[np.int16]
    """Of the hand in its game, from 0 (n)."""
    dealer: NDArray[np.int8]
    """Seat that dealt, or began the hand (n)."""
    ended: NDArray[np.int8]
    """The game's number of the ending (n); in Riichi a `janshi.riichi.state.Ending`."""
    drawn: NDArray[np.bool_]
    """Nobody has won (n)."""
    change: NDArray[np.int32]
    """Change of the points from the deal to the end of the hand, in Riichi riichi sticks included."""
    won: NDArray[np.bool_]
    self_drawn: NDArray[np.bool_]
    """Has won by a tile that it drew itself."""
    dealt_in: NDArray[np.bool_]
    value: NDArray[np.int32]
    """Value of the winner's hand, in Riichi without honba and deposits."""
    habits: dict[str, NDArray[np.bool_]] = field(default_factory=dict)
    """Further things that a seat did in the hand, by name: in Riichi ``"riichi"`` and ``"called"``."""

    def __len__(self) -> int:
        return len(self.wall)

    @property
    def riichi(self) -> NDArray[np.bool_]:
        """Has declared riichi (n, players); raises `KeyError` in a game without."""
        return self.habits["riichi"]

    @property
    def called(self) -> NDArray[np.bool_]:
        """Has called a tile (n, players); raises `KeyError` in a game without."""
        return self.habits["called"]

    def part(self, rows: NDArray[Any]) -> Hands:
        """Return some of the hands (numbers or a mask of rows), in that order."""
        columns = {column.name: getattr(self, column.name)[rows] for column in _COLUMNS}
        return Hands(**columns, habits={name: column[rows] for name, column in self.habits.items()})

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the columns by name, for `of_arrays`."""
        columns = {column.name: getattr(self, column.name) for column in _COLUMNS}
        return columns | {_HABIT + name: column for name, column in self.habits.items()}

    @staticmethod
    def of_arrays(arrays: Mapping[str, NDArray[Any]]) -> Hands:
        """Return the hands whose columns `arrays` returned; other arrays are ignored."""
        habits = {name.removeprefix(_HABIT): array for name, array in arrays.items() if name.startswith(_HABIT)}
        return Hands(**{column.name: arrays[column.name] for column in _COLUMNS}, habits=habits)

    @staticmethod
    def joined(parts: Sequence[Hands]) -> Hands:
        """Return the hands of several matches of one game, at least one, as one table."""
        parts = [part for part in parts if len(part)] or parts[:1]
        columns = {column.name: np.concatenate([getattr(part, column.name) for part in parts]) for column in _COLUMNS}
        habits = {name: np.concatenate([part.habits[name] for part in parts]) for name in parts[0].habits}
        return Hands(**columns, habits=habits)


#: The columns of `Hands` that every game has.
_COLUMNS = tuple(column for column in fields(Hands) if column.name != "habits")
#: What the names of habits begin with among arrays.
_HABIT: Final = "habit "


class HandsRecorder(Observer):
    """Notes the result of every hand that is over.

    Args:
        tables: which the driver plays at.
        walls: number of each table's wall (n).
        rotations: by how many seats the agents sit further on at each table (n).
    """

    def __init__(self, tables: Tables, walls: NDArray[np.int64], rotations: NDArray[np.int8]) -> None:
        self._tables = tables
        self._walls = walls
        self._rotations = rotations
        self._number = np.zeros(len(tables), np.int16)
        self._start = np.full((len(tables), tables.rules.players), tables.rules.start, np.int32)
        self._parts: list[Hands] = []

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Note the hands that are over at some tables."""
        states = take_rows(self._tables.states, tables)
        result = self._tables.game.outcomes(states)
        points = states["seats"]["points"][:, : self._tables.rules.players]
        self._parts.append(
            Hands(
                wall=self._walls[tables],
                rotation=self._rotations[tables],
                number=self._number[tables],
                dealer=result.dealer,
                ended=result.ended,
                drawn=result.drawn,
                change=points - self._start[tables],
                won=result.won,
                self_drawn=result.self_drawn,
                dealt_in=result.dealt_in,
                value=result.value,
                habits=dict(result.habits),
            )
        )
        self._number[tables] += 1
        self._start[tables] = points

    def hands(self) -> Hands:
        """Return the hands noted so far (n), in the order in which they were over."""
        if not self._parts:
            self.hands_over(np.zeros(0, np.int64))
        self._parts = [Hands.joined(self._parts)]
        return self._parts[0]


class GamesRecorder(Observer):
    """Makes a record of every game and hands it on when the game is over.

    Args:
        tables: which the driver plays at; their walls come from their seeds.
        names: of the agents, in the order in which they sit at rotation 0.
        rotations: by how many seats they sit further on at each table (n).
        sources: what each table's record says of where it comes from (n).
        on_game: called with each record.

    Raises `AgentError` for a game without records.
    """

    def __init__(
        self,
        tables: Tables,
        names: Sequence[str],
        rotations: NDArray[np.int8],
        sources: Sequence[str],
        on_game: Callable[[Any], None],
    ) -> None:
        recorder = _recorder(tables, "games are not recorded")
        self._tables = tables
        self._states = cast("NDArray[Any]", tables.states)
        self._on_game = on_game
        self._recordings = [
            recorder.recording(tables.rules, seated(names, int(rotation)), source, lobby="arena")
            for rotation, source in zip(rotations, sources, strict=True)
        ]

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Record the hands that are over at some tables, and the games that end with them."""
        over = self._tables.over
        for table in tables.tolist():
            self._recordings[table].add_hand(self._states[table])
            if over[table]:
                self._on_game(self._recordings[table].game())


class Announcer(Observer):
    """Lets agents that listen hear what happens at their tables, as far as their seats may know it.

    Args:
        tables: which the driver plays at.
        agents: in the order in which they sit at rotation 0; those that listen are picked out.
        names: of all of them.
        rotations: by how many seats they sit further on at each table (n).

    Raises `AgentError` for a game without events.
    """

    def __init__(
        self, tables: Tables, agents: Sequence[Agent], names: Sequence[str], rotations: NDArray[np.int8]
    ) -> None:
        recorder = _recorder(tables, "agents that listen cannot play")
        states = cast("NDArray[Any]", tables.states)
        self._seen_by = recorder.seen_by
        self._stories = [
            recorder.story(states[table], tables.rules, seated(names, int(rotation)))
            for table, rotation in enumerate(rotations)
        ]
        self._listeners = [(number, agent) for number, agent in enumerate(agents) if isinstance(agent, Listener)]
        self._rotations = rotations
        self._players = tables.rules.players

    def started(self, tables: NDArray[np.int64]) -> None:
        """Announce the hands that were dealt at some tables."""
        self._announce(tables)

    def stepped(self, tables: NDArray[np.int64]) -> None:
        """Announce what has happened at some tables."""
        self._announce(tables)

    def _announce(self, tables: NDArray[np.int64]) -> None:
        for table in tables.tolist():
            events = self._stories[table].update()
            for number, listener in self._listeners:
                seat = (number + int(self._rotations[table])) % self._players
                listener.hear(table, seat, [self._seen_by(event, seat) for event in events])


class Progress(Observer):
    """Calls a function with the number of tables that are over, after each step.

    ``before`` is added to it.
    """

    def __init__(self, tables: Tables, call: Callable[[int], None], before: int = 0) -> None:
        self._tables = tables
        self._call = call
        self._before = before

    def stepped(self, tables: NDArray[np.int64]) -> None:
        """Say how many tables are over."""
        self._call(self._before + int(np.count_nonzero(self._tables.over)))


class WallsWatcher(Observer):
    """Calls a function with the numbers of the walls whose last rotation is over.

    Args:
        turns: rotations of each wall.
        call: called with numbers of walls (at least one).
        seconds: least time between two calls.
    """

    def __init__(self, turns: int, call: Callable[[NDArray[np.int64]], None], seconds: float) -> None:
        self._turns = turns
        self._over: Counter[int] = Counter()
        self._call = call
        self._seconds = seconds
        self._done: list[int] = []
        self._called = time.monotonic()

    def at(self, tables: Tables, walls: NDArray[np.int64]) -> WallsWatcher:
        """Watch the tables which the driver plays at next; ``walls``: number of each table's wall (n)."""
        self._tables, self._walls = tables, walls
        return self

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Count the games that are over at some tables."""
        for wall in self._walls[tables[self._tables.over[tables]]].tolist():
            self._over[wall] += 1
            if self._over[wall] == self._turns:
                self._done.append(wall)
        if self._done and time.monotonic() - self._called >= self._seconds:
            self.report()

    def report(self) -> None:
        """Call the function with the walls that it has not been called with, if there are any."""
        if self._done:
            done, self._done = np.array(self._done), []
            self._call(done)
            self._called = time.monotonic()


def seated(names: Sequence[str], rotation: int) -> list[str]:
    """Return the names of agents by seat where agent i sits at seat i + rotation.

    >>> seated("abc", 1)
    ['c', 'a', 'b']
    """
    return [names[(seat - rotation) % len(names)] for seat in range(len(names))]


def _recorder(tables: Tables, consequence: str) -> Recorder:
    try:
        return recorder_of(tables.rules)
    except GameError as error:
        raise AgentError(f"{error}: {consequence}") from None

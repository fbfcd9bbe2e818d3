"""Observers of a match: results of hands, records of games, events for agents that listen, progress.

All observe a `janshi.rollout.driver.Driver`. `HandsRecorder` reads results through `janshi.core.game.Game.outcomes`;
records and events come from the game's facet ``recorder``.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents.protocol import Agent, AgentError, Listener, Reporter
from janshi.core.game import GameError
from janshi.core.rows import take_rows
from janshi.records.recorder import Recorder, recorder_of
from janshi.rollout.driver import Observer
from janshi.table import Tables


@dataclass(slots=True)
class Hands:
    """The hands of a match, one row each; arrays by seat have shape (n, players)."""

    wall: NDArray[np.int64]
    """Wall of the hand's game (n)."""
    rotation: NDArray[np.int8]
    """Rotation (n); seat s belonged to agent (s − rotation) mod players."""
    number: NDArray[np.int16]
    """Index of the hand in its game (n)."""
    dealer: NDArray[np.int8]
    """Seat of the dealer, or of the first player to move (n)."""
    ended: NDArray[np.int8]
    """The game's code of the ending (n); in Riichi a `janshi.riichi.state.Ending`."""
    drawn: NDArray[np.bool_]
    """True for hands without a winner (n)."""
    change: NDArray[np.int32]
    """Change of the points from the deal to the end of the hand, in Riichi riichi sticks included."""
    won: NDArray[np.bool_]
    self_drawn: NDArray[np.bool_]
    """The seat won by self-draw."""
    dealt_in: NDArray[np.bool_]
    value: NDArray[np.int32]
    """Value of the winner's hand, in Riichi without honba and deposits."""
    habits: dict[str, NDArray[np.bool_]] = field(default_factory=dict)
    """Further properties of a seat's hand by name: in Riichi ``"riichi"`` and ``"called"``."""

    def __len__(self) -> int:
        return len(self.wall)

    @property
    def riichi(self) -> NDArray[np.bool_]:
        """True for seats that declared riichi (n, players); raises `KeyError` in a game without."""
        return self.habits["riichi"]

    @property
    def called(self) -> NDArray[np.bool_]:
        """True for seats that called a tile (n, players); raises `KeyError` in a game without."""
        return self.habits["called"]

    def part(self, rows: NDArray[Any]) -> Hands:
        """Return some of the hands (indices or a mask), in that order."""
        columns = {column.name: getattr(self, column.name)[rows] for column in _COLUMNS}
        return Hands(**columns, habits={name: column[rows] for name, column in self.habits.items()})

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the columns by name, for `of_arrays`."""
        columns = {column.name: getattr(self, column.name) for column in _COLUMNS}
        return columns | {_HABIT + name: column for name, column in self.habits.items()}

    @staticmethod
    def of_arrays(arrays: Mapping[str, NDArray[Any]]) -> Hands:
        """Return hands from the result of `arrays`; other arrays are ignored."""
        habits = {name.removeprefix(_HABIT): array for name, array in arrays.items() if name.startswith(_HABIT)}
        return Hands(**{column.name: arrays[column.name] for column in _COLUMNS}, habits=habits)

    @staticmethod
    def joined(parts: Sequence[Hands]) -> Hands:
        """Return the joined hands of one or more matches of one game."""
        parts = [part for part in parts if len(part)] or parts[:1]
        columns = {column.name: np.concatenate([getattr(part, column.name) for part in parts]) for column in _COLUMNS}
        habits = {name: np.concatenate([part.habits[name] for part in parts]) for name in parts[0].habits}
        return Hands(**columns, habits=habits)


#: Columns of `Hands` in every game.
_COLUMNS = tuple(column for column in fields(Hands) if column.name != "habits")
#: Prefix of habits among arrays.
_HABIT: Final = "habit "


class HandsRecorder(Observer):
    """Stores the result of every hand.

    Args:
        tables: tables of the driver.
        walls: wall of each table (n).
        rotations: rotation of the agents at each table (n).
    """

    def __init__(self, tables: Tables, walls: NDArray[np.int64], rotations: NDArray[np.int8]) -> None:
        self._tables = tables
        self._walls = walls
        self._rotations = rotations
        self._number = np.zeros(len(tables), np.int16)
        self._start = np.full((len(tables), tables.rules.players), tables.rules.start, np.int32)
        self._parts: list[Hands] = []

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Store the finished hands at some tables."""
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
        """Return the hands so far (n), in the order of their ends."""
        if not self._parts:
            self.hands_over(np.zeros(0, np.int64))
        self._parts = [Hands.joined(self._parts)]
        return self._parts[0]


class GamesRecorder(Observer):
    """Records every game and passes the record on at its end.

    Args:
        tables: tables of the driver, with walls from their seeds.
        names: names of the agents in the order of rotation 0.
        rotations: rotation of the agents at each table (n).
        sources: source of each table's record (n).
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
        """Record the finished hands at some tables, and the games that end with them."""
        over = self._tables.over
        for table in tables.tolist():
            self._recordings[table].add_hand(self._states[table])
            if over[table]:
                self._on_game(self._recordings[table].game())


class Announcer(Observer):
    """Passes the events of tables to listening agents, as far as visible from their seats.

    Args:
        tables: tables of the driver.
        agents: agents in the order of rotation 0, listening or not.
        names: names of all agents.
        rotations: rotation of the agents at each table (n).
        games: names of the games (n), for reports.

    Raises `AgentError` for a game without events.
    """

    def __init__(
        self,
        tables: Tables,
        agents: Sequence[Agent],
        names: Sequence[str],
        rotations: NDArray[np.int8],
        games: Sequence[str],
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
        self._players: int = tables.rules.players
        for table, game in enumerate(games):
            for number, listener in self._listeners:
                if isinstance(listener, Reporter):
                    listener.begin(table, self._seat(number, table), game)

    def started(self, tables: NDArray[np.int64]) -> None:
        """Announce the new hands at some tables."""
        self._announce(tables)

    def stepped(self, tables: NDArray[np.int64]) -> None:
        """Announce the events at some tables."""
        self._announce(tables)

    def _announce(self, tables: NDArray[np.int64]) -> None:
        for table in tables.tolist():
            events = self._stories[table].update()
            for number, listener in self._listeners:
                seat = self._seat(number, table)
                listener.hear(table, seat, [self._seen_by(event, seat) for event in events])

    def _seat(self, number: int, table: int) -> int:
        """Return the seat of an agent at a table."""
        return (number + int(self._rotations[table])) % self._players


class Progress(Observer):
    """Calls a function with ``before`` plus the number of finished tables after each step."""

    def __init__(self, tables: Tables, call: Callable[[int], None], before: int = 0) -> None:
        self._tables = tables
        self._call = call
        self._before = before

    def stepped(self, tables: NDArray[np.int64]) -> None:
        """Report the number of finished tables."""
        self._call(self._before + int(np.count_nonzero(self._tables.over)))


class WallsWatcher(Observer):
    """Calls a function with the walls whose last rotation is over.

    Args:
        turns: rotations of each wall.
        call: called with at least one wall.
        seconds: minimum time between two calls.
    """

    def __init__(self, turns: int, call: Callable[[NDArray[np.int64]], None], seconds: float) -> None:
        self._turns = turns
        self._over: Counter[int] = Counter()
        self._call = call
        self._seconds = seconds
        self._done: list[int] = []
        self._called = time.monotonic()

    def at(self, tables: Tables, walls: NDArray[np.int64]) -> WallsWatcher:
        """Watch the next tables of the driver; ``walls``: wall of each table (n)."""
        self._tables, self._walls = tables, walls
        return self

    def hands_over(self, tables: NDArray[np.int64]) -> None:
        """Count the finished games at some tables."""
        for wall in self._walls[tables[self._tables.over[tables]]].tolist():
            self._over[wall] += 1
            if self._over[wall] == self._turns:
                self._done.append(wall)
        if self._done and time.monotonic() - self._called >= self._seconds:
            self.report()

    def report(self) -> None:
        """Call the function with the finished walls that it does not know yet, if any."""
        if self._done:
            done, self._done = np.array(self._done), []
            self._call(done)
            self._called = time.monotonic()


def seated(names: Sequence[str], rotation: int) -> list[str]:
    """Return the names of agents by seat, with agent i in seat i + rotation.

    >>> seated("abc", 1)
    ['c', 'a', 'b']
    """
    return [names[(seat - rotation) % len(names)] for seat in range(len(names))]


def _recorder(tables: Tables, consequence: str) -> Recorder:
    try:
        return recorder_of(tables.rules)
    except GameError as error:
        raise AgentError(f"{error}: {consequence}") from None

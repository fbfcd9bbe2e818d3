"""A pool of players: versions, walls and results in one SQLite file.

A *wall* is a number and a seating: the game of that number's wall in every rotation of the seating. All walls use the
pool's seed, so that number and seating determine the games. A program claims walls before it plays them and saves each
in one transaction; several programs may run at once. A claim holds a lock that ends with its process
(`janshi.files.locked`), so that the next program plays the walls of a killed one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.files import LockedError, locked, replacing

_APPLICATION: Final = 0x4A52_4154
_VERSION: Final = 1
_TABLES: Final = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE versions (
    id INTEGER PRIMARY KEY, player TEXT NOT NULL, digest TEXT NOT NULL, is_current INTEGER NOT NULL,
    UNIQUE (player, digest)
);
CREATE TABLE walls (number INTEGER PRIMARY KEY, seating TEXT NOT NULL, claimed_by INTEGER, style TEXT);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, wall INTEGER NOT NULL REFERENCES walls, rotation INTEGER NOT NULL,
    ranking TEXT NOT NULL, points TEXT NOT NULL, UNIQUE (wall, rotation)
);
"""
#: Seconds to wait for another program's transaction.
_PATIENCE: Final = 60.0

#: Numbers of the versions at a table.
Seating = tuple[int, ...]


class PoolError(ValueError):
    """Raised for an unusable pool; the message is one line."""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a player, identified by the digest of its files."""

    number: int
    player: str
    digest: str
    is_current: bool

    @property
    def label(self) -> str:
        """The player's name, for a former version with the beginning of its digest."""
        return self.player if self.is_current else f"{self.player}@{self.digest[:7]}"


@dataclass(frozen=True, slots=True)
class Claim:
    """Consecutive walls of one seating that a program has claimed."""

    first: int
    walls: int
    seating: Seating


@dataclass(frozen=True, slots=True)
class WallResult:
    """Results of one wall: for each rotation the chairs from first to last place, and the points by chair."""

    number: int
    rankings: Sequence[Sequence[int]]
    points: Sequence[Sequence[float]]
    style: Sequence[Mapping[str, float]]
    """Counts of each chair's actions over all rotations."""


@dataclass(frozen=True, slots=True)
class Games:
    """Games of a pool: versions from the first to the last place (n, seats), and their walls (n)."""

    orders: NDArray[np.int64]
    walls: NDArray[np.int64]


class Pool:
    """A pool in a file. Raises `PoolError` if the file is not a pool.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Pool.create(Path(folder) / "pool.sqlite", "tenhou-sanma") as pool:
    ...         _ = pool.add({"efficient": "1", "random": "2"}), pool.add({"efficient": "3"})
    ...         [version.label for version in pool.versions()]
    ['efficient@1', 'random', 'efficient']
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise PoolError(f"{path}: no such pool; janshi rate add {path} NAME… makes one")
        self._db = _connected(self.path)
        settings = dict(self._db.execute("SELECT name, value FROM settings").fetchall())
        self.rules: str = settings["rules"]
        """Name of the rules."""
        self.seed = int(settings["seed"])
        """Seed of all walls."""

    @classmethod
    def create(cls, path: str | Path, rules: str, seed: int = 0) -> Pool:
        """Create a pool for games by some rules. Raises `PoolError` if the file exists."""
        path = Path(path)
        if path.exists():
            raise PoolError(f"{path} is there already")
        with replacing(path) as part:
            db = sqlite3.connect(part, isolation_level=None)
            db.executescript(f"{_TABLES} PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_VERSION};")
            db.execute("INSERT INTO settings VALUES ('rules', ?), ('seed', ?)", (rules, str(seed)))
            db.close()
        return cls(path)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # -----------------------------------------------------------------------------------------------------
    # Players

    def add(self, digests: Mapping[str, str]) -> list[str]:
        """Add players by name with the digests of their files; return the new and changed ones.

        A player with a changed digest becomes a new version. Former versions keep their games and no longer play.
        """
        new = []
        with self._transaction():
            for player, digest in digests.items():
                found = self._db.execute(
                    "SELECT is_current FROM versions WHERE player = ? AND digest = ?", (player, digest)
                ).fetchone()
                if found == (1,):
                    continue
                new.append(player)
                self._db.execute("UPDATE versions SET is_current = 0 WHERE player = ?", (player,))
                self._db.execute(
                    "INSERT INTO versions (player, digest, is_current) VALUES (?, ?, 1) "
                    "ON CONFLICT DO UPDATE SET is_current = 1",
                    (player, digest),
                )
        return new

    def versions(self) -> list[Version]:
        """Return all versions in the order of their addition."""
        rows = self._db.execute("SELECT id, player, digest, is_current FROM versions ORDER BY id").fetchall()
        return [Version(number, player, digest, bool(current)) for number, player, digest, current in rows]

    # -----------------------------------------------------------------------------------------------------
    # Playing

    @contextmanager
    def runner(self) -> Iterator[int]:
        """Yield a number that no other program of this pool has in the meantime."""
        with ExitStack() as stack:
            number = 0
            while True:
                try:
                    stack.enter_context(locked(self._lock(number)))
                    break
                except LockedError:
                    number += 1
            yield number

    def claim(
        self,
        runner: int,
        playable: Iterable[int],
        choose: Callable[[], tuple[Seating, int]],
        playing: Container[int] = (),
    ) -> Claim:
        """Claim the next walls for a program: those left by a killed one, or a new seating.

        Args:
            runner: the program's number, from `runner`.
            playable: versions that can play; left walls with other versions are dropped.
            choose: returns a seating and its number of walls.
            playing: walls that this program has claimed and plays.
        """
        alive = self._alive(runner)
        able = set(playable)
        with self._transaction():
            rows = self._db.execute(
                "SELECT number, seating, claimed_by FROM walls WHERE claimed_by IS NOT NULL ORDER BY number"
            ).fetchall()
            left: list[tuple[int, Seating]] = []
            for number, seating, owner in rows:
                if owner in alive or number in playing:
                    continue
                seats = tuple(json.loads(seating))
                if able.issuperset(seats):
                    left.append((number, seats))
                else:
                    self._db.execute("DELETE FROM walls WHERE number = ?", (number,))
            if left:
                first, seats = left[0]
                numbers = [
                    number for place, (number, each) in enumerate(left) if (number, each) == (first + place, seats)
                ]
                marks = ((runner, number) for number in numbers)
                self._db.executemany("UPDATE walls SET claimed_by = ? WHERE number = ?", marks)
                return Claim(first, len(numbers), seats)
            seats, count = choose()
            (first,) = self._db.execute("SELECT coalesce(max(number) + 1, 0) FROM walls").fetchone()
            self._db.executemany(
                "INSERT INTO walls (number, seating, claimed_by) VALUES (?, ?, ?)",
                ((first + wall, json.dumps(seats), runner) for wall in range(count)),
            )
        return Claim(first, count, seats)

    def claimed(self) -> list[Seating]:
        """Return the seatings of the walls in progress, one for each wall."""
        rows = self._db.execute("SELECT seating FROM walls WHERE claimed_by IS NOT NULL ORDER BY number").fetchall()
        return [tuple(json.loads(seating)) for (seating,) in rows]

    def save(self, result: WallResult) -> None:
        """Save a wall in one transaction, unless another program has saved it."""
        with self._transaction():
            style = json.dumps(list(map(dict, result.style)))
            saved = self._db.execute(
                "UPDATE walls SET claimed_by = NULL, style = ? WHERE number = ? AND claimed_by IS NOT NULL",
                (style, result.number),
            )
            if saved.rowcount == 0:
                return
            self._db.executemany(
                "INSERT INTO games (wall, rotation, ranking, points) VALUES (?, ?, ?, ?)",
                (
                    (result.number, rotation, json.dumps(list(ranking)), json.dumps(list(points)))
                    for rotation, (ranking, points) in enumerate(zip(result.rankings, result.points, strict=True))
                ),
            )

    # -----------------------------------------------------------------------------------------------------
    # Results

    def games(self, seats: int, after: int = 0) -> tuple[Games, int]:
        """Return the games saved after number ``after`` (0: all) and the number of the last one.

        ``seats``: number of seats at a table.
        """
        rows = self._db.execute(
            "SELECT games.id, wall, seating, ranking FROM games JOIN walls ON wall = number WHERE games.id > ? "
            "ORDER BY games.id",
            (after,),
        ).fetchall()
        orders = np.zeros((len(rows), seats), np.int64)
        for row, (_, _, seating, ranking) in enumerate(rows):
            sitting = json.loads(seating)
            orders[row] = [sitting[chair] for chair in json.loads(ranking)]
        walls = np.array([wall for _, wall, _, _ in rows], np.int64)
        return Games(orders, walls), rows[-1][0] if rows else after

    def last_walls(self) -> dict[Seating, int]:
        """Return the last played wall of each seating."""
        rows = self._db.execute("SELECT seating, max(number) FROM walls WHERE claimed_by IS NULL GROUP BY seating")
        return {tuple(json.loads(seating)): wall for seating, wall in rows}

    def points(self, wall: int) -> list[list[float]]:
        """Return the points at the end of a wall's games, by rotation and chair."""
        rows = self._db.execute("SELECT points FROM games WHERE wall = ? ORDER BY rotation", (wall,))
        return [json.loads(points) for (points,) in rows]

    def styles(self) -> dict[int, dict[str, float]]:
        """Return the counts of each version's style over all its games."""
        total: dict[int, dict[str, float]] = {}
        for seating, style in self._db.execute("SELECT seating, style FROM walls WHERE style IS NOT NULL"):
            for version, counts in zip(json.loads(seating), json.loads(style), strict=True):
                own = total.setdefault(version, {})
                for name, count in counts.items():
                    own[name] = own.get(name, 0) + count
        return total

    # -----------------------------------------------------------------------------------------------------

    def _lock(self, runner: int) -> Path:
        return self.path.with_name(f"{self.path.name}-{runner}")

    def _alive(self, runner: int) -> set[int]:
        """Return the numbers of running programs that have claimed walls, except this one."""
        rows = self._db.execute("SELECT DISTINCT claimed_by FROM walls WHERE claimed_by IS NOT NULL").fetchall()
        alive = set()
        for (owner,) in rows:
            if owner == runner:
                continue
            try:
                with locked(self._lock(owner)):
                    pass
            except LockedError:
                alive.add(owner)
        return alive

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Make an atomic write that excludes other writing programs."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


class _Connection(sqlite3.Connection):
    """A connection that says in words which pool another program keeps locked."""

    path: Path

    def execute(self, *statement: Any) -> sqlite3.Cursor:
        """See `sqlite3.Connection`. Raises `PoolError` if the file stays locked."""
        with self._in_words():
            return super().execute(*statement)

    def executemany(self, *statement: Any) -> sqlite3.Cursor:
        """See `execute`."""
        with self._in_words():
            return super().executemany(*statement)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            reason = f"{self.path} is locked by another program, for {_PATIENCE:.0f} seconds by now"
            raise PoolError(f"{reason}: let it finish or end it, then run this command again") from None


def _connected(path: Path) -> sqlite3.Connection:
    """Open a pool's file. Raises `PoolError` if it is not a pool, or another program keeps it locked."""
    db = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, factory=_Connection)
    db.path = path
    try:
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
    except sqlite3.DatabaseError as error:
        db.close()
        raise PoolError(f"{path} is no pool, or damaged ({error})") from None
    if application != _APPLICATION or version != _VERSION:
        db.close()
        reason = f"of another version of janshi (number {version})" if application == _APPLICATION else "no pool"
        raise PoolError(f"{path} is {reason}")
    return db


__all__ = ["Claim", "Games", "Pool", "PoolError", "Seating", "Version", "WallResult"]

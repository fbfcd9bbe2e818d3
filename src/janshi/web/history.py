"""Finished games and drills of the player of this machine, in an SQLite database.

Each game has its place, points and record, and the results of the player's hands as the engine counts them
(`janshi.core.game.Outcomes`), so that every game has figures without further code. Drills are decisions of reviews that
cost places; one that was answered correctly comes back after a longer time, `INTERVALS`, others the next day. The
database is in the folder of
games and reviews; nothing is sent anywhere.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     history = History(Path(folder) / "history.sqlite")
...     hand = StoredHand(won=True, self_drawn=False, dealt_in=False, value=8000, change=8300, habits={"riichi": True})
...     history.add(
...         FinishedGame(
...             id="AbcdEfgh-_12", ended=0.0, game="riichi", rules="tenhou", length="east", seat=1, names=list("abcd"),
...             place=1, points=33300, record="", hands=[hand],
...         )
...     )
...     [(figures.games, figures.mean_place, figures.win) for figures in history.figures()]
[(1, 1.0, 1.0)]
"""

from __future__ import annotations

import json
import logging
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final, TypeVar

from janshi.games import GAMES
from janshi.ratings.model import rating_of_places
from janshi.review.model import Decision
from janshi.web.messages import Figures, OwnRating, PastGame
from janshi.web.storage import digest

_Row = TypeVar("_Row")
_LOG: Final = logging.getLogger("janshi.web")

#: Games of a list at most.
MOST: Final = 200

#: Days until a drill comes back, by the number of correct answers in succession.
INTERVALS: Final = (1, 3, 7, 16, 35, 90)
_DAY: Final = 24 * 3600.0

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, ended REAL NOT NULL, game TEXT NOT NULL, rules TEXT NOT NULL, length TEXT NOT NULL,
    seat INTEGER NOT NULL, names TEXT NOT NULL, place INTEGER NOT NULL, points INTEGER NOT NULL, record TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS hands (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE, number INTEGER NOT NULL, won INTEGER NOT NULL,
    self_drawn INTEGER NOT NULL, dealt_in INTEGER NOT NULL, value INTEGER NOT NULL, change INTEGER NOT NULL,
    habits TEXT NOT NULL, PRIMARY KEY (game, number)
);
CREATE TABLE IF NOT EXISTS records (digest TEXT PRIMARY KEY, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS drills (
    id INTEGER PRIMARY KEY, record TEXT NOT NULL REFERENCES records (digest), seat INTEGER NOT NULL,
    decision INTEGER NOT NULL, best INTEGER NOT NULL, loss TEXT NOT NULL, correct INTEGER NOT NULL DEFAULT 0,
    due REAL NOT NULL, UNIQUE (record, seat, decision)
);
CREATE TABLE IF NOT EXISTS erased (id TEXT PRIMARY KEY);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredHand:
    """The results of the player's seat in a hand."""

    won: bool
    self_drawn: bool
    dealt_in: bool
    value: int
    """Value of the won hand, else 0."""
    change: int
    """Change of the points in the hand."""
    habits: Mapping[str, bool]
    """Other events of the seat by name, in Riichi ``riichi`` and ``called``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedGame:
    """A game that was played to its end."""

    id: str
    """Name of the table."""
    ended: float
    """Time of the end, in seconds since 1970."""
    game: str
    rules: str
    length: str
    seat: int
    names: Sequence[str]
    place: int
    points: int
    record: str
    """In the game's own format."""
    hands: Sequence[StoredHand]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drill:
    """A decision to practise."""

    id: int
    record: str
    """Record of the game in its own format."""
    seat: int
    decision: int
    """`janshi.review.model.Decision.number`."""
    best: int
    """The better action."""
    loss: str
    """`janshi.review.model.Loss` of the choice taken, as JSON."""


class History:
    """The database ``file``, created if it does not exist. Raises `sqlite3.Error` if it cannot be used."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with self._open() as database:
            database.executescript(_SCHEMA)
        file.chmod(0o600)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the database for one transaction."""
        with closing(sqlite3.connect(self._file, timeout=10)) as database, database:
            database.row_factory = sqlite3.Row
            database.execute("PRAGMA foreign_keys = ON")
            database.execute("PRAGMA secure_delete = ON")  # what is erased does not remain in the file
            yield database

    def add(self, game: FinishedGame) -> None:
        """Add a game, unless it is or was there: a finished game may be opened again, also after it was erased."""
        row = asdict(game) | {"names": json.dumps(list(game.names))}
        hands = row.pop("hands")
        with self._open() as database:
            known = "SELECT 1 FROM games WHERE id = :id UNION SELECT 1 FROM erased WHERE id = :id"
            if database.execute(known, {"id": game.id}).fetchone():
                return
            _insert(database, "games", row)
            for number, hand in enumerate(hands):
                habits = json.dumps(hand["habits"])
                _insert(database, "hands", hand | {"game": game.id, "number": number, "habits": habits})

    def games(self) -> list[PastGame]:
        """Return the games, the last one first, `MOST` at most; unreadable rows are left out and logged."""
        with self._open() as database:
            rows = database.execute("SELECT * FROM games ORDER BY ended DESC, id LIMIT ?", (MOST,)).fetchall()
        return list(_readable(_past_game, rows))

    def figures(self, ratings: Mapping[str, Mapping[str, float]] = {}) -> list[Figures]:
        """Return the figures of all games by game and number of players, of the most games first.

        ``ratings``: ratings of opponents by the game with the number of players (``riichi 3``) and their names.
        """
        with self._open() as database:
            games = database.execute("SELECT * FROM games ORDER BY ended").fetchall()
            hands = database.execute("SELECT * FROM hands").fetchall()
        hands_of: dict[str, list[StoredHand]] = defaultdict(list)
        for name, hand in _readable(_hand, hands):
            hands_of[name].append(hand)
        groups: dict[tuple[str, int], list[PastGame]] = defaultdict(list)
        for game in _readable(_past_game, games):
            groups[game.game, len(game.names)].append(game)
        found = []
        for (name, players), past in groups.items():
            own = [hand for game in past for hand in hands_of[game.id]]
            figures = figures_of(name, players, [game.place for game in past], own)
            rating = _own_rating(past, ratings.get(f"{name} {players}", {}))
            found.append(figures.model_copy(update={"rating": rating}))
        return sorted(found, key=lambda figures: -figures.games)

    def record(self, game: str) -> tuple[str, int] | None:
        """Return the record of a game and the player's seat, None for an unknown game."""
        with self._open() as database:
            row = database.execute("SELECT record, seat FROM games WHERE id = ?", (game,)).fetchone()
        return None if row is None else (row["record"], row["seat"])

    # -----------------------------------------------------------------------------------------------------
    # Drills

    def add_drills(self, record: str, decisions: Sequence[Decision], seat: int, now: float) -> int:
        """Add decisions with a loss of a record's seat, due at once; return how many are new."""
        key = digest(record)
        with self._open() as database:
            database.execute("INSERT OR IGNORE INTO records VALUES (?, ?)", (key, record))
            added = 0
            for each in decisions:
                assert each.loss is not None, "drills have a loss"
                loss = json.dumps(asdict(each.loss))
                added += database.execute(
                    "INSERT OR IGNORE INTO drills (record, seat, decision, best, loss, due) VALUES (?, ?, ?, ?, ?, ?)",
                    (key, seat, each.number, each.advice.best, loss, now),
                ).rowcount
        return added

    def drills(self, now: float, without: Collection[int] = ()) -> tuple[int, int]:
        """Return the numbers of drills that are due, and of all, ``without`` some."""
        with self._open() as database:
            due, total = database.execute(
                "SELECT total(due <= ?), count(*) FROM drills WHERE id NOT IN (SELECT value FROM json_each(?))",
                (now, json.dumps(list(without))),
            ).fetchone()
        return int(due), int(total)

    def next_drill(self, now: float, without: Collection[int] = ()) -> Drill | None:
        """Return the drill that has been due for the longest time, ``without`` some; None if there is none."""
        with self._open() as database:
            row = database.execute(
                "SELECT drills.id, seat, decision, best, loss, records.record FROM drills JOIN records "
                "ON drills.record = digest WHERE due <= ? AND drills.id NOT IN (SELECT value FROM json_each(?)) "
                "ORDER BY due, id LIMIT 1",
                (now, json.dumps(list(without))),
            ).fetchone()
        return None if row is None else Drill(**dict(row))

    def answer_drill(self, drill: int, correct: bool, now: float) -> None:
        """Note an answer: the drill comes back later. Unknown drills are ignored."""
        with self._open() as database:
            row = database.execute("SELECT correct FROM drills WHERE id = ?", (drill,)).fetchone()
            if row is not None:
                count = row["correct"] + 1 if correct else 0
                days = INTERVALS[min(count, len(INTERVALS) - 1)] if correct else INTERVALS[0]
                values = count, now + days * _DAY, drill
                database.execute("UPDATE drills SET correct = ?, due = ? WHERE id = ?", values)

    # -----------------------------------------------------------------------------------------------------

    def export(self) -> dict[str, Any]:
        """Return everything as plain data."""
        with self._open() as database:
            games = [dict(row) for row in database.execute("SELECT * FROM games ORDER BY ended")]
            hands = [dict(row) for row in database.execute("SELECT * FROM hands ORDER BY game, number")]
            drills = [dict(row) for row in database.execute("SELECT * FROM drills ORDER BY id")]
        for game in games:
            game["names"] = _plain(game["names"])
            own = [hand for hand in hands if hand["game"] == game["id"]]
            game["hands"] = [hand | {"habits": _plain(hand["habits"])} for hand in own]
        return {"games": games, "drills": drills}

    def erase(self) -> None:
        """Delete all games and drills; the names of their tables remain, so that none is added again."""
        with self._open() as database:
            database.execute("INSERT OR IGNORE INTO erased SELECT id FROM games")
            for table in ("games", "drills", "records"):
                database.execute(f"DELETE FROM {table}")


def _insert(database: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> None:
    """Insert a row, given by the names of its columns."""
    columns = ", ".join(values)
    places = ", ".join(f":{name}" for name in values)
    database.execute(f"INSERT INTO {table} ({columns}) VALUES ({places})", values)


def _readable(read: Callable[[sqlite3.Row], _Row], rows: Sequence[sqlite3.Row]) -> Iterator[_Row]:
    """Yield what ``read`` makes of rows; rows that it cannot read are left out and logged."""
    for row in rows:
        try:
            yield read(row)
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            _LOG.warning("janshi play: a row of the history is left out (%s): %s", next(iter(row)), error)


def _plain(text: str) -> Any:
    """Return the data of a column of JSON; the text itself if it is damaged."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _past_game(row: sqlite3.Row) -> PastGame:
    names = json.loads(row["names"])
    fields = {name: row[name] for name in ("id", "ended", "game", "rules", "length", "seat", "place", "points")}
    return PastGame(names=names, reviews=_reviews(row["game"]), **fields)


def _reviews(name: str) -> bool:
    """Return whether games of a game can be reviewed; the game may no longer be installed."""
    return name in GAMES and "review" in GAMES[name].facets and GAMES[name].facet("review").decisions is not None


def _hand(row: sqlite3.Row) -> tuple[str, StoredHand]:
    """Return the game of a hand, and the hand."""
    flags = {name: bool(row[name]) for name in ("won", "self_drawn", "dealt_in")}
    habits = {str(name): bool(happened) for name, happened in json.loads(row["habits"]).items()}
    return row["game"], StoredHand(value=int(row["value"]), change=int(row["change"]), habits=habits, **flags)


def _own_rating(games: Sequence[PastGame], ratings: Mapping[str, float]) -> OwnRating | None:
    """Return the player's rating by the whole games whose opponents all have one."""
    rated = []
    for game in games:
        opponents = [ratings.get(name) for seat, name in enumerate(game.names) if seat != game.seat]
        known = [rating for rating in opponents if rating is not None]
        if game.length != "hand" and len(known) == len(opponents):
            rated.append((game.place, known))
    if not rated:
        return None
    found = rating_of_places(rated)
    return OwnRating(rating=round(found.value), low=round(found.low), high=round(found.high), games=found.count)


def figures_of(game: str, players: int, places: Sequence[int], hands: Sequence[StoredHand]) -> Figures:
    """Return the figures of games, by the place in each and all their hands."""

    def mean(values: Sequence[float]) -> float | None:
        return fmean(values) if values else None

    habits = hands[0].habits if hands else {}
    return Figures(
        game=game,
        players=players,
        games=len(places),
        hands=len(hands),
        places=[places.count(place) for place in range(1, players + 1)],
        mean_place=fmean(places),
        win=mean([hand.won for hand in hands]),
        deal_in=mean([hand.dealt_in for hand in hands]),
        value=mean([hand.value for hand in hands if hand.won]),
        price=mean([-hand.change for hand in hands if hand.dealt_in]),
        habits={name: fmean(hand.habits.get(name, False) for hand in hands) for name in habits},
    )

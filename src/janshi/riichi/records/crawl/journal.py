"""The journal of a crawl: the state of every record, so that a crawl can end at any moment.

A record is ``found``, then ``fetched`` (its bytes lie in the journal), then ``stored`` (they lie in a shard); or it is
``failed`` (asking again would not help) or ``unanswered`` (it may help another day). A record is journalled as stored
only after its shard is written, and a shard is written from what the journal says of it: a crawl that dies in between
writes the same shard once more.
"""

from __future__ import annotations

import sqlite3
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import Final, NamedTuple

from janshi.files import replacing
from janshi.records.formats import Damaged
from janshi.riichi.records.crawl.config import CrawlError
from janshi.riichi.records.crawl.lists import flags_of_name, year_of

#: Name of the journal in the folder of a crawl.
NAME: Final = "crawl.sqlite"
_ENDING: Final = ".mjlog"
_VERSION: Final = 1
#: SQLite's errors of a place that cannot be written, not of a damaged journal.
_UNWRITABLE: Final = (
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY),
    *(sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM),
)
_TABLES: Final = """
CREATE TABLE lists (name TEXT PRIMARY KEY, size INTEGER NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
    name TEXT PRIMARY KEY, year INTEGER NOT NULL, flags INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'found', reason TEXT NOT NULL DEFAULT '', shard INTEGER
) WITHOUT ROWID;
CREATE INDEX by_state ON records (state, shard);
CREATE TABLE bodies (name TEXT PRIMARY KEY, data BLOB NOT NULL);
"""


class JournalEntry(NamedTuple):
    """One record in the journal."""

    name: str
    year: int
    state: str  # "found", "fetched", "stored", "failed" or "unanswered"
    reason: str  # of a failure


class CrawlJournal:
    """The journal in a folder, and the shards beside it. Raises `CrawlError` if the folder cannot be used.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, CrawlJournal(Path(folder)) as journal:
    ...     journal.add_list("scraw2019.zip", 0, ["2019010100gm-00b9-0000-0123abcd"])
    ...     [entry.state for entry in journal.entries([2019], 0, 0)]
    ['found']
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self._db = sqlite3.connect(folder / NAME, timeout=0.5, isolation_level="IMMEDIATE")
        except sqlite3.Error as error:
            raise self._unwritable(error) from None
        try:
            with self._writing():
                self._open()
        except CrawlError:
            self._db.close()
            raise
        except sqlite3.DatabaseError as error:
            self._db.close()
            if "locked" in str(error):
                raise CrawlError(f"another crawl uses {folder}") from None
            raise CrawlError(f"{folder / NAME} is not a journal of a crawl, or damaged ({error})") from None

    def _unwritable(self, error: Exception) -> CrawlError:
        """Return the error of a folder that cannot be written: what to do is free space, or write elsewhere."""
        full = getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL or getattr(error, "errno", 0) == ENOSPC
        why = "the disk is full" if full else f"it cannot be written ({error})"
        todo = "make room" if full else "mend that"
        return CrawlError(f"{self.folder}: {why}: {todo}, and run the same command again, which resumes")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Raise `CrawlError` where the folder cannot be written; a damaged or locked journal remains SQLite's error."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if (error.sqlite_errorcode & 0xFF) not in _UNWRITABLE:
                raise
            raise self._unwritable(error) from None
        except OSError as error:
            raise self._unwritable(error) from None

    def _open(self) -> None:
        # One crawl to a folder: the lock lasts until the journal is closed, or its process gone.
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version == 0:
            self._db.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")
        elif version != _VERSION:
            raise CrawlError(f"{self.folder / NAME} is a journal of another version of janshi (number {version})")

    def __enter__(self) -> CrawlJournal:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # -----------------------------------------------------------------------------------------------------
    # Lists and records

    def has_list(self, name: str, size: int = 0) -> bool:
        """Return whether a list of this name and size was read."""
        rows = self._db.execute("SELECT 1 FROM lists WHERE name = ? AND size = ? AND reason = ''", (name, size))
        return rows.fetchone() is not None

    def add_list(self, name: str, size: int, records: Iterable[str], damaged: dict[str, str] | None = None) -> None:
        """Note the records that a list links to, and its parts that could not be read, with reasons."""
        rows = ((record, year_of(record), flags_of_name(record)) for record in records)
        with self._writing(), self._db:
            self._db.executemany("INSERT OR IGNORE INTO records (name, year, flags) VALUES (?, ?, ?)", rows)
            self._db.execute("INSERT OR REPLACE INTO lists VALUES (?, ?, '')", (name, size))
            parts = ((f"{name}:{part}", size, reason) for part, reason in (damaged or {}).items())
            self._db.executemany("INSERT OR REPLACE INTO lists VALUES (?, ?, ?)", parts)

    def damaged_lists(self) -> list[tuple[str, str]]:
        """Return the parts of lists that could not be read, with reasons."""
        return self._db.execute("SELECT name, reason FROM lists WHERE reason <> '' ORDER BY name").fetchall()

    def entries(
        self, years: Sequence[int], mask: int, flags: int, limit: int | None = None, *, spread: bool = False
    ) -> list[JournalEntry]:
        """Return the records of some years whose flags under ``mask`` are ``flags``, in the order of their names.

        With a ``limit`` only so many: the first, or with ``spread`` those whose names end lowest, which are spread
        over all years alike.
        """
        marks = ", ".join("?" * len(years))
        order = "substr(name, -8), name" if spread else "name"
        rows = self._db.execute(
            f"SELECT name, year, state, reason FROM records WHERE year IN ({marks}) AND flags & ? = ? "
            f"ORDER BY {order} LIMIT ?",
            (*years, mask, flags, -1 if limit is None else limit),
        )
        return sorted(JournalEntry(*row) for row in rows)

    def add_record(self, name: str, data: bytes) -> None:
        """Keep the bytes of a record until it is stored."""
        with self._writing(), self._db:
            self._db.execute("INSERT OR REPLACE INTO bodies VALUES (?, ?)", (name, zlib.compress(data, 1)))
            self._db.execute("UPDATE records SET state = 'fetched', reason = '' WHERE name = ?", (name,))

    def add_failure(self, name: str, state: str, reason: str) -> None:
        """Note that a record could not be fetched: ``failed`` or ``unanswered``."""
        with self._writing(), self._db:
            self._db.execute("UPDATE records SET state = ?, reason = ? WHERE name = ?", (state, reason, name))

    # -----------------------------------------------------------------------------------------------------
    # Shards

    def waiting(self) -> list[str]:
        """Return the records that are fetched and not stored, in the order of their names."""
        return [name for (name,) in self._db.execute("SELECT name FROM records WHERE state = 'fetched' ORDER BY name")]

    def store(self, size: int) -> None:
        """Store all fetched records in shards of ``size``; the last shard is filled up first.

        Raises `CrawlError` if that one cannot be read, or a shard cannot be written.
        """
        shard, held = self._db.execute(
            "SELECT shard, count(*) FROM records WHERE state = 'stored' GROUP BY shard ORDER BY shard DESC LIMIT 1"
        ).fetchone() or (0, size)
        # A shard that was moved away is not begun again.
        space = max(0, size - held) if self._path(shard).exists() else 0
        names = self.waiting()
        while names:
            if space == 0:
                shard, space = shard + 1, size
            self.write_shard(shard, names[:space])
            self.note_shard(shard, names[:space])
            names, space = names[space:], 0

    def find_lost(self) -> list[Damaged]:
        """Return the shards that are damaged, and note their records as not fetched.

        A damaged file is renamed. Only the directories of shards are read. A shard that was moved away is not missed.
        """
        shards: dict[int, list[str]] = {}
        stored = self._db.execute("SELECT shard, name FROM records WHERE state = 'stored' ORDER BY shard, name")
        for shard, name in stored:
            shards.setdefault(shard, []).append(name)
        lost = []
        for shard, names in shards.items():
            path = self._path(shard)
            if not path.exists():
                continue
            reason = ""
            try:
                with zipfile.ZipFile(path) as archive:
                    held = set(archive.namelist())
                missing = [name for name in names if name + _ENDING not in held]
            except (zipfile.BadZipFile, OSError, ValueError, EOFError) as error:
                missing, reason = names, f" ({error}), now {path.name}.damaged"
            if missing:
                with self._writing(), self._db:
                    again = ((name,) for name in missing)
                    self._db.executemany("UPDATE records SET state = 'found', shard = NULL WHERE name = ?", again)
                if reason:
                    path.replace(path.with_name(f"{path.name}.damaged"))
                lost.append(Damaged(path.name, f"damaged{reason}: {len(missing):,} of its records are fetched again"))
        return lost

    def _path(self, shard: int) -> Path:
        return self.folder / f"records-{shard:05d}.zip"

    def write_shard(self, shard: int, names: Sequence[str]) -> None:
        """Write a shard: the records that the journal has in it already, and those named."""
        path = self._path(shard)
        stored = self._db.execute("SELECT name FROM records WHERE state = 'stored' AND shard = ?", (shard,)).fetchall()
        members: dict[str, bytes] = {}
        if stored:
            try:
                with zipfile.ZipFile(path) as archive:
                    members = {name: archive.read(name + _ENDING) for (name,) in stored}
            except (zipfile.BadZipFile, zlib.error, EOFError, KeyError) as error:
                raise CrawlError(f"{path} cannot be read ({error}): move it away, and run the crawl again") from None
        for name in names:
            (data,) = self._db.execute("SELECT data FROM bodies WHERE name = ?", (name,)).fetchone()
            members[name] = zlib.decompress(data)
        with (
            self._writing(),
            replacing(path) as part,
            zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive,
        ):
            for name in sorted(members):
                # Without a date: the same records always make the same bytes.
                info = zipfile.ZipInfo(name + _ENDING)
                info.external_attr = 0o644 << 16
                archive.writestr(info, members[name], zipfile.ZIP_DEFLATED)

    def note_shard(self, shard: int, names: Sequence[str]) -> None:
        """Note that records lie in a shard, and drop their bytes from the journal."""
        with self._writing(), self._db:
            self._db.executemany("DELETE FROM bodies WHERE name = ?", ((name,) for name in names))
            rows = ((shard, name) for name in names)
            self._db.executemany("UPDATE records SET state = 'stored', shard = ? WHERE name = ?", rows)

    def shards(self) -> int:
        """Return the number of shards."""
        return int(self._db.execute("SELECT count(DISTINCT shard) FROM records WHERE state = 'stored'").fetchone()[0])

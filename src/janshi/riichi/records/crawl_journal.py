"""The journal of a crawl: what was found, fetched, stored or failed, so that a crawl can end at any moment.

A record goes through ``found`` → ``fetched`` (its bytes lie in the journal) → ``stored`` (they lie in a shard), or to
``failed`` (asking again would not help) or ``unanswered`` (it may help another day). Which shard a record goes to is
journalled before the shard is written, and its bytes leave the journal only after: a crawl that dies in between writes
the same shard once more.
"""

from __future__ import annotations

import sqlite3
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from janshi.files import replacing
from janshi.riichi.records.crawl_config import ENDINGS, CrawlError
from janshi.riichi.records.crawl_lists import flags_of_name, year_of

#: Name of the journal in the folder of a crawl.
NAME: Final = "crawl.sqlite"
_VERSION: Final = 1
_TABLES: Final = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE lists (name TEXT PRIMARY KEY, size INTEGER NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records (
    name TEXT PRIMARY KEY, year INTEGER NOT NULL, flags INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'found', reason TEXT NOT NULL DEFAULT '', shard INTEGER
) WITHOUT ROWID;
CREATE INDEX by_state ON records (state, shard);
CREATE TABLE bodies (name TEXT PRIMARY KEY, data BLOB NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record in the journal."""

    name: str
    year: int
    flags: int
    state: str  # "found", "fetched", "stored", "failed" or "unanswered"
    reason: str  # why it failed


class Journal:
    """The journal in a folder, and the shards beside it. Raises `CrawlError` where the folder is not to be used.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Journal(Path(folder), "mjlog") as journal:
    ...     journal.add_list("scraw2019.zip", 0, ["2019010100gm-00b9-0000-0123abcd"])
    ...     [entry.state for entry in journal.entries([2019], 0, 0)]
    ['found']
    """

    def __init__(self, folder: Path, form: str) -> None:
        self.folder = folder
        self.form = form
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(folder / NAME, timeout=0.5, isolation_level="IMMEDIATE")
        try:
            self._open()
        except sqlite3.OperationalError as error:
            self._db.close()
            if "locked" in str(error):
                raise CrawlError(f"another crawl works in {folder}") from None
            raise CrawlError(f"{folder / NAME}: {error}") from None
        except sqlite3.DatabaseError:
            self._db.close()
            raise CrawlError(f"{folder / NAME} is no journal of a crawl, or damaged") from None
        except CrawlError:
            self._db.close()
            raise

    def _open(self) -> None:
        # One crawl to a folder: the lock lasts until the journal is closed, or its process gone.
        self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version == 0:
            self._db.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")
        elif version != _VERSION:
            raise CrawlError(f"{self.folder / NAME} is the journal of another version of janshi (number {version})")
        with self._db:
            self._db.execute("INSERT OR IGNORE INTO settings VALUES ('form', ?)", (self.form,))
        (form,) = self._db.execute("SELECT value FROM settings WHERE name = 'form'").fetchone()
        if form != self.form:
            raise CrawlError(f"{self.folder} holds records fetched as {form}: take another folder for {self.form}")

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    # -----------------------------------------------------------------------------------------------------
    # Lists

    def has_list(self, name: str, size: int = 0) -> bool:
        """Say whether a list of this name and size was read."""
        rows = self._db.execute("SELECT 1 FROM lists WHERE name = ? AND size = ? AND reason = ''", (name, size))
        return rows.fetchone() is not None

    def add_list(self, name: str, size: int, records: Iterable[str], damaged: dict[str, str] | None = None) -> None:
        """Note what a list links to, and what of it could not be read."""
        rows = ((record, year_of(record), flags_of_name(record)) for record in records)
        with self._db:
            self._db.executemany("INSERT OR IGNORE INTO records (name, year, flags) VALUES (?, ?, ?)", rows)
            self._db.execute("INSERT OR REPLACE INTO lists VALUES (?, ?, '')", (name, size))
            parts = ((f"{name}:{part}", size, reason) for part, reason in (damaged or {}).items())
            self._db.executemany("INSERT OR REPLACE INTO lists VALUES (?, ?, ?)", parts)

    def damaged_lists(self) -> list[tuple[str, str]]:
        """Return the parts of lists that could not be read, and why."""
        return self._db.execute("SELECT name, reason FROM lists WHERE reason <> '' ORDER BY name").fetchall()

    # -----------------------------------------------------------------------------------------------------
    # Records

    def entries(
        self, years: Iterable[int], mask: int, flags: int, limit: int | None = None, *, spread: bool = False
    ) -> list[Entry]:
        """Return the records of some years whose flags under ``mask`` are ``flags``, in the order of their names.

        With a ``limit`` only so many: the first, or with ``spread`` those whose names end lowest, which are spread
        over all years alike.
        """
        wanted = sorted(set(years))
        marks = ", ".join("?" * len(wanted))
        order = "substr(name, -8), name" if spread else "name"
        rows = self._db.execute(
            f"SELECT name, year, flags, state, reason FROM records WHERE year IN ({marks}) AND flags & ? = ? "
            f"ORDER BY {order} LIMIT ?",
            (*wanted, mask, flags, -1 if limit is None else limit),
        )
        return sorted((Entry(*row) for row in rows), key=lambda entry: entry.name)

    def years(self) -> list[int]:
        """Return the years that records are known of."""
        return [int(row[0]) for row in self._db.execute("SELECT DISTINCT year FROM records ORDER BY year")]

    def add_record(self, name: str, data: bytes) -> None:
        """Keep the bytes of a record until it is stored."""
        with self._db:
            self._db.execute("INSERT OR REPLACE INTO bodies VALUES (?, ?)", (name, zlib.compress(data, 1)))
            self._db.execute("UPDATE records SET state = 'fetched', reason = '' WHERE name = ?", (name,))

    def add_failure(self, name: str, state: str, reason: str) -> None:
        """Note that a record could not be had: ``failed`` or ``unanswered``."""
        with self._db:
            self._db.execute("UPDATE records SET state = ?, reason = ? WHERE name = ?", (state, reason, name))

    # -----------------------------------------------------------------------------------------------------
    # Shards

    def shard_path(self, shard: int) -> Path:
        """Return the place of a shard."""
        return self.folder / f"records-{shard:05d}.zip"

    def waiting(self) -> int:
        """Return how many records are fetched and not stored."""
        return int(self._db.execute("SELECT count(*) FROM records WHERE state = 'fetched'").fetchone()[0])

    def store(self, size: int) -> None:
        """Store all records that are fetched in shards of ``size``; the last one is filled up when more come."""
        self.plan(size)
        shards = self._db.execute(
            "SELECT DISTINCT shard FROM records WHERE state = 'fetched' AND shard IS NOT NULL ORDER BY shard"
        ).fetchall()
        for (shard,) in shards:
            self.write_shard(shard)
            self.note_shard(shard)

    def plan(self, size: int) -> None:
        """Say of every fetched record which shard it goes to."""
        with self._db:
            shard, held = self._db.execute(
                "SELECT shard, count(*) FROM records WHERE shard IS NOT NULL GROUP BY shard ORDER BY shard DESC LIMIT 1"
            ).fetchone() or (0, size)
            # A shard that was taken elsewhere is not begun again.
            space = max(0, size - held) if self.shard_path(shard).exists() else 0
            names = self._db.execute(
                "SELECT name FROM records WHERE state = 'fetched' AND shard IS NULL ORDER BY name"
            ).fetchall()
            rows = []
            for (name,) in names:
                if space == 0:
                    shard, space = shard + 1, size
                rows.append((shard, name))
                space -= 1
            self._db.executemany("UPDATE records SET shard = ? WHERE name = ?", rows)

    def write_shard(self, shard: int) -> None:
        """Write all records of a shard: those already in it, and those that wait. Raises `CrawlError`, `OSError`."""
        path = self.shard_path(shard)
        members = _read_shard(path) if path.exists() else {}
        waiting = self._db.execute("SELECT name, data FROM bodies JOIN records USING (name) WHERE shard = ?", (shard,))
        for name, data in waiting:
            members[name + ENDINGS[self.form]] = zlib.decompress(data)
        with replacing(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for member in sorted(members):
                archive.writestr(_info(member), members[member], zipfile.ZIP_DEFLATED)

    def note_shard(self, shard: int) -> None:
        """Note that a shard is written, and let the bytes go."""
        with self._db:
            self._db.execute("DELETE FROM bodies WHERE name IN (SELECT name FROM records WHERE shard = ?)", (shard,))
            self._db.execute("UPDATE records SET state = 'stored' WHERE shard = ? AND state = 'fetched'", (shard,))

    def shards(self) -> int:
        """Return the number of shards."""
        return int(self._db.execute("SELECT count(DISTINCT shard) FROM records WHERE state = 'stored'").fetchone()[0])


def _read_shard(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            return {info.filename: archive.read(info) for info in archive.infolist()}
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise CrawlError(f"{path} cannot be read ({error}): move it away and crawl on") from None


def _info(member: str) -> zipfile.ZipInfo:
    """The entry of a record in its shard, without a date: the same records always make the same bytes."""
    info = zipfile.ZipInfo(member)
    info.external_attr = 0o644 << 16
    return info

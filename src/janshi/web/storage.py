"""Games and reviews on disk, which a restarted server resumes.

The folder ``tables`` contains one file a game: a line of JSON with rules and seats, then a line for each choice,
written before the table continues. As the seed determines the walls, replaying these lines restores the table. The
folder ``reviews`` contains one file a review, with the uploaded record.

Only the owner can read the folder, as it contains the seeds of walls and the names in records. Of a player's key only a
digest is stored. A file that is damaged, or of another version of Janshi, is left unchanged, and requests for it fail.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     storage = Storage(Path(folder))
...     table = KeptTable(
...         rules="tenhou", length="hand", names=list("abcd"), agents={}, seat=0, seed=1, key=digest("secret")
...     )
...     journal = storage.begin("AbcdEfgh-_12", table)
...     for choice in (37, 4, NEXT):
...         journal.add(choice)
...     journal.close()
...     storage.resume("AbcdEfgh-_12").choices
[37, 4, 'next']
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import logging
import os
import re
import time
import zlib
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from janshi.files import LockedError, locked, replacing
from janshi.installing import naming_extra

with naming_extra(__name__):
    from platformdirs import user_state_dir
    from pydantic import BaseModel, ConfigDict, Field, ValidationError

#: Entries among the choices: begin the next hand, and the end of the game.
NEXT: Final = "next"
OVER: Final = "over"
Choice = int | str
#: Maximum numbers of games and reviews: of games the oldest finished ones are deleted first, of reviews the oldest.
_TABLES, _REVIEWS = 500, 64
#: Maximum size of all reviews in bytes.
_REVIEW_BYTES: Final = 64 << 20
#: Seconds from the last move until a game is deleted.
_KEPT: Final = 30 * 24 * 3600.0
_LIMITS: Final = f"the last {_TABLES} games are kept, for {_KEPT / 24 / 3600:.0f} days"
#: Maximum size of a game's file in bytes, far above any game's.
_LARGEST: Final = 1 << 20
#: Maximum size of the header of a packed table in bytes.
_HEADER: Final = 1 << 16
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{12}")
_LOG: Final = logging.getLogger("janshi.web")


class StorageError(Exception):
    """A stored game or review cannot be resumed."""


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    version: Literal[1] = 1


class KeptTable(_Kept):
    """The first line of a game's file."""

    rules: str
    """Argument of `janshi.web.pages.rules_at`."""
    length: str
    names: list[str]
    agents: dict[Annotated[int, Field(strict=False)], str]
    """Names in the roster, by seat."""
    seat: int | None
    """The player's seat; None: agents in all seats."""
    seed: Annotated[int, Field(ge=0, lt=1 << 63)]
    key: str
    """Digest of the player's key."""
    record: str | None = None
    """Record of the table at its beginning (`packed_record`); None: a new game."""


class KeptReview(_Kept):
    """A review's file."""

    record: str
    base64: bool
    game: int
    seat: int
    by: str | None


@dataclass(frozen=True, slots=True)
class Resumed:
    """A stored game: its table, the choices so far, and the journal for later ones."""

    table: KeptTable
    choices: list[Choice]
    journal: Journal


class Journal:
    """A game's file, locked against other processes, to which choices are appended.

    If the disk is full, the game continues without its journal.
    """

    def __init__(self, file: IO[bytes], lock: ExitStack) -> None:
        self._file: IO[bytes] | None = file
        self._lock = lock

    def add(self, choice: Choice) -> None:
        """Append a choice and flush it, so that it survives if the process is killed."""
        if self._file is None:
            return
        try:
            self._file.write(f"{choice}\n".encode())
            self._file.flush()
        except OSError as error:
            _LOG.warning("janshi play: cannot save a game any further: %s", error.strerror or error)
            self.close()

    def close(self) -> None:
        """Close the file and release the lock."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None
            self._lock.close()


class Storage:
    """The folder of games and reviews. Raises `OSError` if it cannot be created or written to."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = folder = Path(folder)
        self._tables, self._reviews = folder / "tables", folder / "reviews"
        for place in (folder, self._tables, self._reviews):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(self._tables / ".writable"):
            pass
        (self._tables / ".writable").unlink(missing_ok=True)

    # -----------------------------------------------------------------------------------------------------
    # Games

    def begin(self, name: str, table: KeptTable) -> Journal:
        """Create a game's file. Raises `OSError` if that fails."""
        path = self._tables / f"{name}.jsonl"
        with ExitStack() as lock:
            lock.enter_context(locked(path))
            with replacing(path) as part:
                part.write_bytes(table.model_dump_json().encode() + b"\n")
            path.chmod(0o600)
            return Journal(path.open("ab"), lock.pop_all())

    def resume(self, name: str) -> Resumed | None:
        """Return a game to resume, None for an unknown name.

        Raises `StorageError` if its file is damaged, of another version, or locked by another process.
        """
        path = self._path(name)
        if path is None:
            return None
        try:
            with ExitStack() as lock:
                lock.enter_context(locked(path))
                table, choices, size = _read(path)
                file = path.open("r+b")
                # Drop an incomplete last line, the trace of a killed process.
                file.truncate(size)
                file.seek(size)
                return Resumed(table, choices, Journal(file, lock.pop_all()))
        except LockedError:
            raise StorageError("another janshi process is playing this game: end that one first") from None
        except OSError as error:
            raise StorageError(f"this game cannot be read: {error.strerror or error}") from None

    def find(self, name: str) -> tuple[KeptTable, bool, float] | None:
        """Return a game's table, whether it is over, and the time of its last choice (seconds since 1970).

        Returns None for an unknown name; raises as `resume` does.
        """
        path = self._path(name)
        if path is None:
            return None
        try:
            table, choices, _ = _read(path)
            return table, choices[-1:] == [OVER], path.stat().st_mtime
        except OSError as error:
            raise StorageError(f"this game cannot be read: {error.strerror or error}") from None

    def _path(self, name: str) -> Path | None:
        """Return the path of a stored game, None for an unknown name."""
        path = self._tables / f"{name}.jsonl"
        return path if _NAME.fullmatch(name) and path.is_file() else None

    # -----------------------------------------------------------------------------------------------------
    # Reviews

    def keep_review(self, name: str, review: KeptReview) -> None:
        """Store a review's record. Raises `OSError` if that fails."""
        with replacing(self._reviews / f"{name}.json.gz") as part:
            part.write_bytes(gzip.compress(review.model_dump_json().encode(), 5))
        (self._reviews / f"{name}.json.gz").chmod(0o600)
        _clear_oldest(self._reviews, _REVIEWS, _REVIEW_BYTES, 0.0)

    def review(self, name: str) -> KeptReview | None:
        """Return a stored review, None for an unknown name. Raises `StorageError` for a damaged file."""
        path = self._reviews / f"{name}.json.gz"
        if not _NAME.fullmatch(name) or not path.is_file():
            return None
        try:
            with gzip.open(path) as file:
                return KeptReview.model_validate_json(file.read(8 << 20))
        except (OSError, EOFError, zlib.error, ValidationError):
            raise StorageError(f"this review's file is damaged, or of another version of Janshi: {path}") from None

    # -----------------------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """Delete old games and reviews, and those above the limits. Games in progress at a table are kept."""
        self._sweep_tables()
        _clear_oldest(self._reviews, _REVIEWS, _REVIEW_BYTES, time.time() - _KEPT)

    def _sweep_tables(self) -> None:
        """Delete old games, and above the limit first the finished ones, then those left longest ago."""
        with suppress(OSError):
            moved = {path: path.stat().st_mtime for path in self._tables.glob("[!.]*.jsonl")}
            old = [path for path in moved if moved[path] < time.time() - _KEPT]
            excess = len(moved) - len(old) - _TABLES
            if excess > 0:
                recent = sorted(moved.keys() - old, key=lambda path: (not _is_over(path), moved[path]))
                old += recent[:excess]
            for path in old:
                with suppress(LockedError), locked(path):
                    if not _is_over(path):
                        _LOG.warning("janshi play: the unfinished game %s is deleted: %s", path.stem, _LIMITS)
                    path.unlink(missing_ok=True)


def packed_record(record: NDArray[Any]) -> str:
    """Return a table's record (`janshi.table.Tables.states`) as text, with its layout.

    >>> import numpy as np
    >>> int(unpacked_record(packed_record(np.array([7])), np.dtype(int))[0])
    7
    """
    file = io.BytesIO()
    np.save(file, record, allow_pickle=False)
    return base64.b64encode(gzip.compress(file.getvalue(), mtime=0)).decode()


def unpacked_record(text: str, layout: np.dtype[Any]) -> NDArray[Any]:
    """Return a packed record. Raises `StorageError` if it is damaged or has another layout."""
    damaged = StorageError("the table in its file is damaged")
    try:
        # No more than one record is unpacked, whatever the text claims to contain.
        data = zlib.decompressobj(wbits=31).decompress(base64.b64decode(text), layout.itemsize + _HEADER)
        file = io.BytesIO(data)
        if np.lib.format.read_magic(file) != (1, 0):
            raise damaged
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    except (ValueError, EOFError, zlib.error):
        raise damaged from None
    if dtype != layout:
        raise StorageError("this game was begun by another version of Janshi and cannot be resumed")
    rest = data[file.tell() :]
    if shape != (1,) or len(rest) != layout.itemsize:
        raise damaged
    return np.frombuffer(bytearray(rest), layout)


def digest(key: str) -> str:
    """Return the digest of a key, by which it can be checked but not reconstructed."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _read(path: Path) -> tuple[KeptTable, list[Choice], int]:
    """Return the table and choices of a game's file, and the size of its complete lines in bytes."""
    damaged = StorageError(f"this game's file is damaged, or of another version of Janshi: {path}")
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise damaged
    size = data.rfind(b"\n") + 1
    try:
        first, *lines = data[:size].decode().split("\n")[:-1] or [""]
        return KeptTable.model_validate_json(first), [_choice(line) for line in lines], size
    except ValueError:  # includes pydantic's errors
        raise damaged from None


def _choice(line: str) -> Choice:
    return line if line in (NEXT, OVER) else int(line)


def _is_over(path: Path) -> bool:
    """Return whether a stored game has ended."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - len(OVER) - 2))
        return file.read() == f"\n{OVER}\n".encode()


def _clear_oldest(folder: Path, most: int, most_bytes: int, since: float) -> None:
    """Delete files last modified before ``since``, and the oldest ones above the limits."""
    with suppress(OSError):
        files = [(path.stat(), path) for path in folder.iterdir() if not path.name.startswith(".")]
        size = 0
        for number, (status, path) in enumerate(sorted(files, key=lambda file: -file[0].st_mtime)):
            size += status.st_size
            if number >= most or size > most_bytes or status.st_mtime < since:
                path.unlink(missing_ok=True)


def state_folder() -> Path:
    """Return the folder of games and reviews: ``JANSHI_STATE``, or ``janshi`` in the user's state folder."""
    return Path(os.environ.get("JANSHI_STATE") or user_state_dir("janshi", appauthor=False))

"""Games and reviews on disk: they outlive the server that began them.

One file a game, in ``tables``: a line of JSON that says what is played and who sits where, then a line for each choice
in turn, written before the table goes on. Walls come from the seed, so these lines are the whole game, and playing them
again leads to the same table. One file a review, in ``reviews``: the record that was handed in.

The folder is for its owner's eyes alone: it holds the seeds of walls and the names in records. Of the key that makes a
browser the player only a digest is kept. A file that is damaged, or of another version of Janshi, is left as it is, and
a request for it gets an error.

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

import gzip
import hashlib
import logging
import os
import re
import time
import zlib
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated, Final, Literal

from platformdirs import user_state_dir
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from janshi.files import LockedError, locked, replacing

#: On to the next hand, and the end of the game, among the choices.
NEXT: Final = "next"
OVER: Final = "over"
Choice = int | str
#: Games and reviews at most; the oldest go first.
_TABLES, _REVIEWS = 500, 64
#: Bytes of all reviews at most.
_REVIEW_BYTES: Final = 64 << 20
#: Seconds after its last move until a game is cleared away.
_KEPT: Final = 30 * 24 * 3600.0
#: Bytes of a game's file at most: no game is near it.
_LARGEST: Final = 1 << 20
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{12}")
_LOG: Final = logging.getLogger("janshi.web")


class StorageError(Exception):
    """Why a game or review that was kept cannot be gone on with."""


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    version: Literal[1] = 1


class KeptTable(_Kept):
    """The first line of a game's file."""

    rules: str
    """As `janshi.web.pages.rules_at` takes it."""
    length: str
    names: list[str]
    agents: dict[Annotated[int, Field(strict=False)], str]
    """By seat, named as the roster does."""
    seat: int | None
    """The player's; None: agents alone play."""
    seed: Annotated[int, Field(ge=0, lt=1 << 63)]
    key: str
    """Digest of the key that makes a browser the player."""


class KeptReview(_Kept):
    """A review's file."""

    record: str
    base64: bool
    game: int
    seat: int
    by: str | None


@dataclass(frozen=True, slots=True)
class Resumed:
    """A game that was kept: what is played, what was chosen so far, and where the next choices go."""

    table: KeptTable
    choices: list[Choice]
    journal: Journal


class Journal:
    """A game's file, to which choices are added; no other process may open it meanwhile.

    A disk that is full ends the keeping, not the game.
    """

    def __init__(self, file: IO[bytes], lock: ExitStack) -> None:
        self._file: IO[bytes] | None = file
        self._lock = lock

    def add(self, choice: Choice) -> None:
        """Write a choice down, so that it is still there when this process is killed the moment after."""
        if self._file is None:
            return
        try:
            self._file.write(f"{choice}\n".encode())
            self._file.flush()
        except OSError as error:
            _LOG.warning("janshi play: a game cannot be kept any further: %s", error.strerror or error)
            self.close()

    def close(self) -> None:
        """Add nothing more."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None
            self._lock.close()


class Storage:
    """The folder that keeps games and reviews. Raises `OSError` where it cannot be made or written to."""

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
        """Begin to keep a game. Raises `OSError` where that is not possible."""
        path = self._tables / f"{name}.jsonl"
        with ExitStack() as lock:
            lock.enter_context(locked(path))
            with replacing(path) as part:
                part.write_bytes(table.model_dump_json().encode() + b"\n")
            path.chmod(0o600)
            return Journal(path.open("ab"), lock.pop_all())

    def resume(self, name: str) -> Resumed | None:
        """Return a game to go on with, None where none is kept under that name.

        Raises `StorageError` where its file is damaged, of another version, or in another process's hands.
        """
        path = self._path(name)
        if path is None:
            return None
        try:
            with ExitStack() as lock:
                lock.enter_context(locked(path))
                table, choices, size = _read(path)
                file = path.open("r+b")
                # Killed in the middle of a line: that choice was not made.
                file.truncate(size)
                file.seek(size)
                return Resumed(table, choices, Journal(file, lock.pop_all()))
        except LockedError:
            raise StorageError("another janshi plays this game: end that one first") from None
        except OSError as error:
            raise StorageError(f"this game cannot be read: {error.strerror or error}") from None

    def find(self, name: str) -> tuple[KeptTable, bool, float] | None:
        """Return what is played in a game, whether it is over, and when it was gone on with (seconds since 1970).

        None where no such game is kept; raises as `resume` does.
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
        """The file of a game that is kept."""
        path = self._tables / f"{name}.jsonl"
        return path if _NAME.fullmatch(name) and path.is_file() else None

    # -----------------------------------------------------------------------------------------------------
    # Reviews

    def keep_review(self, name: str, review: KeptReview) -> None:
        """Keep a review's record. Raises `OSError` where that is not possible."""
        with replacing(self._reviews / f"{name}.json.gz") as part:
            part.write_bytes(gzip.compress(review.model_dump_json().encode(), 5))
        (self._reviews / f"{name}.json.gz").chmod(0o600)
        _clear_oldest(self._reviews, _REVIEWS, _REVIEW_BYTES, 0.0)

    def review(self, name: str) -> KeptReview | None:
        """Return a review that was kept, None where there is none. Raises `StorageError` where its file is damaged."""
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
        """Clear away the games that nobody has gone on with for long, and what is more than there may be."""
        _clear_oldest(self._tables, _TABLES, _TABLES * _LARGEST, time.time() - _KEPT)
        _clear_oldest(self._reviews, _REVIEWS, _REVIEW_BYTES, time.time() - _KEPT)


def digest(key: str) -> str:
    """Return what is kept of a key: enough to know it again, and nothing that opens a table."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _read(path: Path) -> tuple[KeptTable, list[Choice], int]:
    """Return what a game's file says, and how many of its bytes are whole lines."""
    damaged = StorageError(f"this game's file is damaged, or of another version of Janshi: {path}")
    with path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise damaged
    size = data.rfind(b"\n") + 1
    try:
        first, *lines = data[:size].decode().split("\n")[:-1] or [""]
        return KeptTable.model_validate_json(first), [_choice(line) for line in lines], size
    except ValueError:  # pydantic's errors are such
        raise damaged from None


def _choice(line: str) -> Choice:
    return line if line in (NEXT, OVER) else int(line)


def _clear_oldest(folder: Path, most: int, most_bytes: int, since: float) -> None:
    """Take away files that were written to before a time, and the oldest of those that are too many or too large."""
    with suppress(OSError):
        files = [(path.stat(), path) for path in folder.iterdir() if not path.name.startswith(".")]
        size = 0
        for number, (status, path) in enumerate(sorted(files, key=lambda file: -file[0].st_mtime)):
            size += status.st_size
            if number >= most or size > most_bytes or status.st_mtime < since:
                path.unlink(missing_ok=True)


def state_folder() -> Path:
    """Return the folder that keeps games and reviews: ``JANSHI_STATE``, or ``janshi`` where programs keep state."""
    return Path(os.environ.get("JANSHI_STATE") or user_state_dir("janshi", appauthor=False))

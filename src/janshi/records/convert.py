"""Conversion of records from one format to another, in bulk.

Every source becomes one file, or one member of an archive, with its name. Files are written atomically and existing
games are skipped, so that an interrupted conversion can be resumed. If another game has the name, the file is called
``name~2``, ``name~3`` and so on.
"""

from __future__ import annotations

import errno
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property, partial
from hashlib import sha1
from pathlib import Path
from typing import Any, Final

from janshi.files import locked, replacing
from janshi.games import game_of
from janshi.records.formats import FORMATS, Damaged, RecordError, RecordFormat, Remarks, writable, write_games
from janshi.records.recorder import RecordedGame, recorder_of
from janshi.records.sources import LARGEST, UNREADABLE, Source, read_bytes, read_source, sources, suffixes
from janshi.text import printable


@dataclass(slots=True)
class Converted:
    """Results of a conversion."""

    games: int = 0  # written
    files: int = 0  # written
    skipped: int = 0  # sources whose games were already there
    renamed: int = 0  # written files with another name because another game has theirs
    damaged: list[Damaged] = field(default_factory=list)
    remarks: Remarks = field(default_factory=Remarks)


def convert(
    paths: Iterable[str | Path],
    to: str,
    out: str | Path,
    *,
    rules: Any = None,
    progress: Callable[[Converted], None] | None = None,
    **settings: str | None,
) -> Converted:
    """Convert every record in ``paths`` (see `janshi.records.sources`) to the format ``to``.

    ``out`` is a folder, or an archive if it ends in ``.zip``. ``rules`` take the place of the records'. ``progress`` is
    called after every source. ``settings`` are those of the format (`janshi.records.formats.writable`). Damaged records
    are listed in the result. Files in ``out`` are not read, also where it lies below one of ``paths``. Raises
    `RecordError` for an unknown format or setting and where ``out`` is among ``paths`` or an archive below one of them,
    and `OSError` if it cannot be written, or is being written by another program.
    """
    wanted = writable(to, **settings)
    target = _target(out)
    done = Converted()
    inputs = list(paths)
    _refuse_inputs(inputs, target.path)
    own = target.path.resolve()
    inside = any(Path(path).resolve() in own.parents for path in inputs)
    with target:
        for source in sources(inputs):
            if isinstance(source, Damaged):
                done.damaged.append(source)
            elif not inside or own not in Path(source.path).resolve().parents:
                try:
                    _convert_one(source, wanted, target, done, rules)
                except OSError as error:
                    if error.errno not in _UNFIT:
                        raise
                    done.damaged.append(Damaged(source.name, f"cannot be written ({error.strerror})"))
            if progress is not None:
                progress(done)
    return done


def _refuse_inputs(paths: list[str | Path], out: Path) -> None:
    """Raise `RecordError` if a conversion would read its own output."""
    place = out.resolve()
    for path in paths:
        read = Path(path).resolve()
        if str(path) != "-" and (read == place or (isinstance(_target(out), _Archive) and read in place.parents)):
            raise RecordError(f"{out} is input and output: choose another output")


def _target(out: str | Path) -> _Place:
    return _Archive(Path(out)) if Path(out).suffix.lower() == ".zip" else _Folder(Path(out))


#: Error numbers due to a single name, not to the output place.
_UNFIT: Final = (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EINVAL, errno.ELOOP)
#: Maximum bytes of a name between two slashes, and of a whole path: systems allow 255 and some 4,000.
_LONGEST_PART, _LONGEST_NAME = 200, 1000


def _convert_one(source: Source, to: RecordFormat, present: _Place, done: Converted, rules: Any = None) -> None:
    games = []
    for game in read_source(source, game=to.game, rules=rules):
        if isinstance(game, Damaged):
            done.damaged.append(game)
        else:
            games.append(game)
            done.remarks.add(game.remarks)
    try:
        texts = write_games(games, to)
        contents = [_Content(partial(str.encode, text), text.encode()) for text in texts]
    except UnicodeEncodeError:
        done.damaged.append(Damaged(source.name, "a text that no file can hold (a lone surrogate)"))
        return
    except RecordError as error:
        done.damaged.append(Damaged(error.source or source.name, str(RecordError(error.reason, "", error.hand))))
        return
    if not texts:
        return
    number = 0
    stem = _stem(source.relative)
    while True:
        number += 1
        base = stem if number == 1 else f"{stem}~{number}"
        ending = to.suffixes[0]
        names = [base + ending, *(f"{base}-{game}{ending}" for game in range(2, len(texts) + 1))]
        there = [present.get(name) for name in names]
        if all(old is None or old.is_same(new) for old, new in zip(there, contents, strict=True)):
            break
    missing = [index for index, old in enumerate(there) if old is None]
    for index in missing:
        present.write(names[index], texts[index])
    done.files += len(missing)
    done.renamed += len(missing) if number > 1 else 0
    if missing:
        done.games += len(games)
    else:
        done.skipped += 1


def _stem(relative: str) -> str:
    """Return the base of a source's file names: its own name without suffixes, shortened if necessary."""
    stem = relative.removesuffix(".gz")
    for suffix in sorted(suffixes() - {"", ".gz"}):
        stem = stem.removesuffix(suffix)
    parts = [_shortened(printable(part), _LONGEST_PART) for part in stem.split("/")]
    return _shortened("/".join(parts), _LONGEST_NAME)


def _shortened(name: str, most: int) -> str:
    """Return a name of at most ``most`` bytes; a cut name ends in a hash, which keeps it unique."""
    data = name.encode()
    if len(data) <= most:
        return name
    return f"{data[: most - 20].decode(errors='ignore')}~{sha1(data, usedforsecurity=False).hexdigest()[:12]}"


class _Content:
    """The text of a file: its hash, and on request the games in it."""

    def __init__(self, read: Callable[[], bytes | None], data: bytes) -> None:
        self._read = read
        self.hash = sha1(data, usedforsecurity=False).digest()

    @cached_property
    def games(self) -> list[bytes]:
        """Return keys of these games; empty if none can be read."""
        try:
            games = list(read_bytes(self._read() or b""))
        except RecordError:
            return []
        return [recorder_of(game.rules).fingerprint(game) for game in games if not isinstance(game, Damaged)]

    def is_same(self, other: _Content) -> bool:
        """True if both contain the same games and at least one."""
        return self.hash == other.hash or (bool(self.games) and self.games == other.games)


class _Place(ABC):
    """An output place; each of its files is read at most once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open = ExitStack()
        self._contents: dict[str, _Content] = {}

    @abstractmethod
    def __enter__(self) -> _Place: ...

    def __exit__(self, *_: object) -> None:
        # Also after an interruption: complete files are kept, and the next run resumes from them.
        self._open.close()

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """Return a file's content, None if it does not exist; empty if it is too large to be a record."""

    @abstractmethod
    def has(self, name: str) -> bool:
        """Return whether a file exists."""

    @abstractmethod
    def save(self, name: str, text: str) -> None:
        """Write a file."""

    def get(self, name: str) -> _Content | None:
        """Return the content of the file of a name, None if it does not exist."""
        if name not in self._contents:
            data = self.read(name)
            if data is None:
                return None
            self._contents[name] = _Content(partial(self.read, name), data)
        return self._contents[name]

    def write(self, name: str, text: str) -> None:
        """Write a file and remember its content."""
        self.save(name, text)
        self._contents[name] = _Content(partial(self.read, name), text.encode())


class _Folder(_Place):
    """Output to a folder; every file is written beside its place and then moved there."""

    def __enter__(self) -> _Folder:
        self.path.mkdir(parents=True, exist_ok=True)
        self._open.enter_context(locked(self.path))
        return self

    def read(self, name: str) -> bytes | None:
        path = self.path / name
        if not path.exists():
            return None
        return path.read_bytes() if path.is_file() and path.stat().st_size <= LARGEST else b""

    def has(self, name: str) -> bool:
        return (self.path / name).is_file()

    def save(self, name: str, text: str) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8", newline="\n")


class _Archive(_Place):
    """Output to a .zip: a new archive with the content of the old one, moved into its place at the end."""

    def __enter__(self) -> _Archive:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists() and not zipfile.is_zipfile(self.path):
            raise OSError(f"{self.path}: the existing file is not an archive")
        with ExitStack() as stack:
            stack.enter_context(locked(self.path))
            part = stack.enter_context(replacing(self.path))
            self._zip = stack.enter_context(zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED))
            if self.path.exists():
                self._copy()
            self._names = set(self._zip.namelist())
            self._open = stack.pop_all()
        return self

    def _copy(self) -> None:
        """Copy the content of the old archive."""
        try:
            with zipfile.ZipFile(self.path) as old:
                for info in old.infolist():
                    self._zip.writestr(info, old.read(info))
        except UNREADABLE as error:
            raise OSError(f"{self.path}: the archive there is damaged ({error})") from None

    def read(self, name: str) -> bytes | None:
        if name not in self._names:
            return None
        return self._zip.read(name) if self._zip.getinfo(name).file_size <= LARGEST else b""

    def has(self, name: str) -> bool:
        return name in self._names

    def save(self, name: str, text: str) -> None:
        self._zip.writestr(name, text)
        self._names.add(name)


class GameWriter:
    """Writes single games to a folder or archive as they come; without a place it writes nothing.

    Games that the format does not support are written in the default format of their game (`Recorder.format`).
    ``settings`` are those of the format (`janshi.records.formats.writable`). Raises `RecordError` for an unknown format
    or setting and `OSError` if the place cannot be written.
    """

    def __init__(self, out: str | Path | None, to: str, **settings: str | None) -> None:
        self.format = writable(to, **settings)
        self._target = None if out is None else _target(out)

    def __enter__(self) -> GameWriter:
        if self._target is not None:
            self._target.__enter__()
        return self

    def __exit__(self, *failure: object) -> None:
        if self._target is not None:
            self._target.__exit__(*failure)

    def has(self, source: str, rules: Any) -> bool:
        """Return whether a game with this source and rules has been written."""
        return self._target is not None and self._target.has(source + self._form(rules).suffixes[0])

    def _form(self, rules: Any) -> RecordFormat:
        fits = game_of(rules).name == self.format.game
        return self.format if fits else FORMATS[recorder_of(rules).format]

    def write(self, game: RecordedGame) -> None:
        """Write one game under the name of its source."""
        if self._target is None:
            return
        to = self._form(game.rules)
        for text in write_games([game], to):
            self._target.write(game.source + to.suffixes[0], text)

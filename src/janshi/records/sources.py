"""Where records come from: files, folders, archives, standard input, in any mix.

`sources` lists the single records of all that, `read_source` reads the games of one, and `read_games` does
both. What cannot be read is named in one line (`Damaged`) and never stops the rest.
"""

from __future__ import annotations

import gzip
import io
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal, overload

from janshi.records.mjai import parse_mjai, read_mjai
from janshi.records.mjlog import read_mjlog
from janshi.records.model import Game, RecordError
from janshi.records.sichuan import SichuanGame, is_sichuan, read_sichuan
from janshi.records.tenhou6 import parse_tenhou6, read_tenhou6

#: Endings by which records are found in folders and archives; a file named by itself may end as it likes.
SUFFIXES: Final = frozenset((".mjlog", ".xml", ".json", ".jsonl", ".ndjson", ".mjson", ".mjai", ".gz", ""))

#: The largest record that is read, in bytes, once unpacked: some 20,000 games.
LARGEST: Final = 1 << 28


@dataclass(frozen=True, slots=True)
class Source:
    """One file that holds records, or one member of an archive. Small, and can be sent to another process."""

    path: str  # of the file or archive; "-" is standard input
    member: str = ""
    relative: str = ""  # place below the folder or archive that was asked for, to name what is made of it

    @property
    def name(self) -> str:
        """The name that messages use."""
        return f"{self.path}:{self.member}" if self.member else self.path

    @property
    def archive(self) -> str:
        """What results are counted by: the archive, or the folder of the file."""
        return self.path if self.member else str(Path(self.path).parent)

    def read(self) -> bytes:
        """Return the bytes, unpacked where they are gzip. Raises `RecordError` where they cannot be had."""
        try:
            if self.path == "-":
                data = sys.stdin.buffer.read()
            elif self.member:
                data = _read_member(self.path, self.member)
            else:
                data = Path(self.path).read_bytes()
            if data[:2] == b"\x1f\x8b":
                with gzip.open(io.BytesIO(data)) as stream:
                    data = stream.read(LARGEST + 1)
        except (
            OSError,
            EOFError,
            zlib.error,
            zipfile.BadZipFile,
            RuntimeError,
            NotImplementedError,
            KeyError,
        ) as error:
            raise RecordError(f"cannot be read ({_first_line(error)})", self.name) from None
        if len(data) > LARGEST:
            raise RecordError(f"too large: over {LARGEST >> 20} MiB in one record", self.name)
        return data


@dataclass(frozen=True, slots=True)
class Damaged:
    """A record that could not be read: which, and why in one line."""

    source: str
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]


@lru_cache(maxsize=4)
def _archive(path: str, changed: float) -> zipfile.ZipFile:
    """An archive, kept open while its members are read; ``changed`` keeps a new file from passing for the old."""
    return zipfile.ZipFile(path)


def _open_archive(path: str) -> zipfile.ZipFile:
    return _archive(path, Path(path).stat().st_mtime)


def _read_member(path: str, member: str) -> bytes:
    with _open_archive(path).open(member) as stream:
        return stream.read(LARGEST + 1)


def sources(paths: Iterable[str | Path]) -> Iterator[Source | Damaged]:
    """List the records in files, folders (with all below them) and .zip archives, in the order of their names.

    In folders and archives only files with the endings `SUFFIXES` count, and hidden ones do not. What
    cannot be opened comes as `Damaged`.
    """
    for path in paths:
        text = str(path)
        if text == "-":
            yield Source("-", relative="stdin")
        elif Path(text).is_dir():
            files = [file for file in sorted(Path(text).rglob("*")) if file.is_file() and not _is_hidden(file, text)]
            if not files:
                yield Damaged(text, "the folder holds no files")
            for file in files:
                relative = file.relative_to(text).as_posix()
                if file.suffix.lower() == ".zip":
                    yield from _members(str(file), relative[: -len(".zip")] + "/")
                elif file.suffix.lower() in SUFFIXES:
                    yield Source(str(file), relative=relative)
        elif Path(text).is_file():
            if zipfile.is_zipfile(text) or Path(text).suffix.lower() == ".zip":
                yield from _members(text, Path(text).stem + "/")
            else:
                yield Source(text, relative=Path(text).name)
        else:
            yield Damaged(text, "no such file or folder")


def _is_hidden(file: Path, below: str) -> bool:
    return any(part.startswith(".") for part in file.relative_to(below).parts)


def _members(path: str, prefix: str) -> Iterator[Source | Damaged]:
    try:
        names = sorted(info.filename for info in _open_archive(path).infolist() if not info.is_dir())
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        yield Damaged(path, f"the archive cannot be opened ({_first_line(error)})")
        return
    for name in names:
        # Names in an archive are another's text: what is made of them stays below the output folder.
        member = PurePosixPath(name.replace("\\", "/"))
        parts = [part for part in member.parts if part not in ("..", "/")]
        if member.suffix.lower() in SUFFIXES and not any(part.startswith((".", "__MACOSX")) for part in parts):
            yield Source(path, name, prefix + "/".join(parts))


@overload
def read_source(
    source: Source, *, with_walls: bool = True, sichuan: Literal[False] = False
) -> Iterator[Game | Damaged]: ...


@overload
def read_source(source: Source, *, sichuan: Literal[True]) -> Iterator[Game | SichuanGame | Damaged]: ...


def read_source(
    source: Source, *, with_walls: bool = True, sichuan: bool = False
) -> Iterator[Game | SichuanGame | Damaged]:
    """Read the games of one record; the format is known by its content, not its name.

    Of a record of several games (JSON lists, JSON lines, mjai) a damaged one does not hide the others. Records of
    Sichuan games are read where ``sichuan`` asks for them, and are damaged ones otherwise.
    """
    try:
        data = source.read()
        if sichuan and is_sichuan(data[:4000].decode("utf-8-sig", "replace")):
            yield from read_sichuan(data.decode("utf-8-sig", "replace"), source.name)
        else:
            yield from read_bytes(data, source.name, with_walls=with_walls)
    except RecordError as error:
        yield _damaged(error, source.name)


def _damaged(error: RecordError, name: str) -> Damaged:
    return Damaged(error.source or name, str(RecordError(error.reason, "", error.hand, error.event)))


def read_bytes(data: bytes, name: str = "", *, with_walls: bool = True) -> Iterator[Game | Damaged]:
    """Read the games in the bytes of a record, in any of the three formats.

    Raises `RecordError` where no game can be read from it at all.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"no text: byte {error.start + 1} is not UTF-8 (binary, or damaged)", name) from None
    start = text[:4000].lstrip()
    if not start:
        raise RecordError("empty", name)
    if is_sichuan(start):
        raise RecordError("a record of Sichuan mahjong: janshi replay reads these", name)
    if start.startswith("<"):
        yield read_mjlog(text, name, with_walls=with_walls)
        return
    mjai = _is_mjai(start)
    records: list[Any] = list(parse_mjai(text, name) if mjai else parse_tenhou6(text, name))
    for number, record in enumerate(records, start=1):
        # With several games in one record each is named by its number.
        game_name = f"{name}#{number}" if len(records) > 1 else name
        try:
            yield read_mjai(record, game_name) if mjai else read_tenhou6(record, game_name)
        except RecordError as error:
            yield _damaged(error, game_name)


def _is_mjai(start: str) -> bool:
    line = start.splitlines()[0]
    return line.startswith(("{", "[")) and '"type"' in line and '"log"' not in line


def read_games(
    paths: Iterable[str | Path],
    *,
    with_walls: bool = True,
    on_error: Callable[[Damaged], None] | None = None,
) -> Iterator[Game | Damaged]:
    """Read every game in files, folders, archives and standard input (``-``).

    Yields a `Game`, or `Damaged` for what cannot be read; with ``on_error`` that is called instead and only games
    come. Never raises for what a record holds.
    """
    for source in sources(paths):
        games = iter((source,)) if isinstance(source, Damaged) else read_source(source, with_walls=with_walls)
        for game in games:
            if isinstance(game, Damaged) and on_error is not None:
                on_error(game)
            else:
                yield game

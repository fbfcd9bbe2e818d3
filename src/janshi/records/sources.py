"""Sources of records: files, folders, archives and standard input.

`sources` lists the single records, `read_source` reads the games of one, and `read_games` does both. Unreadable records
are reported as `Damaged` with a one-line reason and do not stop the rest.
"""

from __future__ import annotations

import codecs
import gzip
import io
import lzma
import os
import struct
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from janshi.games import game_of
from janshi.records.formats import FORMATS, Damaged, RecordError, format_of, without_surrogates
from janshi.records.links import find_link
from janshi.records.recorder import recorder_of
from janshi.text import printable

#: Maximum bytes of an unpacked record: some 20,000 games.
LARGEST: Final = 1 << 28

#: Maximum characters of a path in a message.
_LONGEST_PATH: Final = 200

#: Exceptions from unpacking damaged or hostile bytes.
UNREADABLE: Final = (
    *(OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, struct.error),
    *(RuntimeError, NotImplementedError, KeyError, ValueError, MemoryError),
)


@dataclass(frozen=True, slots=True)
class Source:
    """A file with records, or a member of an archive; small and picklable."""

    path: str  # of the file or archive; "-" is standard input
    member: str = ""
    relative: str = ""  # path below the named folder or archive, for the names of outputs
    place: int = -1  # of a member among those of the archive, where another member has its name

    @property
    def name(self) -> str:
        """The name in messages, without control characters and lone surrogates."""
        return printable(f"{self.path}:{self.member}" if self.member else self.path)

    @property
    def archive(self) -> str:
        """Group of results: the archive, or the folder of the file."""
        return self.path if self.member else str(Path(self.path).parent)

    def read(self, largest: int = LARGEST) -> bytes:
        """Return the bytes, unpacked if they are gzip.

        Raises `RecordError` if they cannot be read, or are more than ``largest``; no more are ever unpacked.
        """
        try:
            data = self._packed(largest)
            if data[:2] == b"\x1f\x8b":
                data = _unpacked(data, largest)
        except RecordError:
            raise
        except UNREADABLE as error:
            raise RecordError(f"cannot be read ({_first_line(error)})", self.name) from None
        if len(data) > largest:
            raise RecordError(_too_large(largest), self.name)
        return data

    def _packed(self, largest: int) -> bytes:
        """Return the stored bytes, at most one more than ``largest``."""
        if self.path == "-":
            return sys.stdin.buffer.read(largest + 1)
        if self.member:
            return _read_member(self.path, self.member, self.place, largest)
        with Path(self.path).open("rb") as stream:
            if os.fstat(stream.fileno()).st_size > largest:
                raise RecordError(_too_large(largest), self.name)
            return stream.read(largest + 1)


def _unpacked(data: bytes, largest: int) -> bytes:
    """Return unpacked gzip, at most one byte more than ``largest``; of a cut file as much as it holds."""
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read(largest + 1)
    except EOFError:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data, largest + 1)


def _utf8(data: bytes) -> bytes:
    """Return a text that some editors save as UTF-16 in UTF-8; other bytes as they are."""
    if data[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return data
    try:
        return data.decode("utf-16").encode()
    except UnicodeError:
        return data


def _too_large(largest: int) -> str:
    return f"too large: over {largest >> 20} MiB in one record"


def _first_line(error: BaseException) -> str:
    return printable((str(error) or type(error).__name__).splitlines()[0])


@lru_cache(maxsize=4)
def _archive(path: str, changed: float) -> zipfile.ZipFile:
    """Return an archive, kept open while its members are read; ``changed`` distinguishes a new file from the old."""
    return zipfile.ZipFile(path)


def _open_archive(path: str) -> zipfile.ZipFile:
    return _archive(path, Path(path).stat().st_mtime)


def _read_member(path: str, member: str, place: int, largest: int) -> bytes:
    archive = _open_archive(path)
    with archive.open(member if place < 0 else archive.infolist()[place]) as stream:
        return stream.read(largest + 1)


def suffixes() -> frozenset[str]:
    """Return the suffixes of files and members with records; a file that is named directly may have any suffix.

    >>> sorted(suffixes())[:5]
    ['', '.bin', '.gz', '.json', '.jsonl']
    """
    return frozenset(("", ".gz", *(suffix for each in FORMATS.values() for suffix in each.suffixes)))


def sources(paths: Iterable[str | Path]) -> Iterator[Source | Damaged]:
    """List the records in files, folders (recursively) and .zip archives, in the order of their names.

    In folders and archives only files with suffixes of formats (`suffixes`) count, without hidden ones. Sources that
    cannot be opened or contain no record are yielded as `Damaged`.
    """
    for path in paths:
        text = str(path)
        try:
            yield from _sources_of(text)
        except OSError as error:
            yield Damaged(printable(text[:_LONGEST_PATH]), f"cannot be opened ({error.strerror or _first_line(error)})")


def _sources_of(text: str) -> Iterator[Source | Damaged]:
    path = Path(text)
    if text == "-":
        yield Source("-", relative="stdin")
    elif path.is_dir():
        yield from _below(path)
    elif path.is_file():
        if zipfile.is_zipfile(path) or path.suffix.lower() == ".zip":
            members = list(_members(text, path.stem + "/"))
            yield from members
            if not members:
                yield Damaged(printable(text), "the archive holds no records")
        else:
            yield Source(text, relative=path.name)
    else:
        # Paths lose the second slash of a link; only a review may fetch its record.
        link = find_link(text)
        advice = "" if link is None else f"this is a link, not a file: {link.advice or 'save its text as a file'}"
        yield Damaged(printable(text[:_LONGEST_PATH]), advice or "no such file or folder")


def _below(folder: Path) -> Iterator[Source | Damaged]:
    """List the records below a folder."""
    listed = 0
    endings = suffixes()
    for file in sorted(folder.rglob("*")):
        suffix = file.suffix.lower()
        if suffix not in endings and suffix != ".zip":
            continue
        if _is_hidden(file, str(folder)) or not file.is_file():
            continue
        relative = file.relative_to(folder).as_posix()
        if suffix == ".zip":
            for source in _members(str(file), relative[: -len(".zip")] + "/"):
                listed += 1
                yield source
        else:
            listed += 1
            yield Source(str(file), relative=relative)
    if not listed:
        yield Damaged(printable(str(folder)), "the folder holds no records")


def _is_hidden(file: Path, below: str) -> bool:
    return any(part.startswith(".") for part in file.relative_to(below).parts)


def _members(path: str, prefix: str) -> Iterator[Source | Damaged]:
    try:
        listed = enumerate(_open_archive(path).infolist())
        members = sorted((info.filename, place) for place, info in listed if not info.is_dir())
    except UNREADABLE as error:
        yield Damaged(printable(path), f"the archive cannot be opened ({_first_line(error)})")
        return
    endings = suffixes()
    times = Counter(name for name, _ in members)
    for name, place in members:
        # Names in an archive are untrusted: names of outputs must stay below the output folder.
        member = PurePosixPath(name.replace("\\", "/"))
        parts = [part for part in member.parts if part not in ("..", "/")]
        if member.suffix.lower() in endings and not any(part.startswith((".", "__MACOSX")) for part in parts):
            yield Source(path, name, prefix + "/".join(parts), place if times[name] > 1 else -1)


def read_source(
    source: Source, *, game: str | None = None, largest: int = LARGEST, rules: Any = None
) -> Iterator[Any]:
    """Yield the games of one record, and `Damaged` for unreadable ones; see `read_bytes`.

    ``largest``: maximum bytes of the unpacked record.
    """
    try:
        yield from read_bytes(source.read(largest), source.name, game=game, rules=rules)
    except RecordError as error:
        yield Damaged.of(error, source.name)
    except MemoryError:
        yield Damaged(source.name, "needs more memory than it may have")


def read_bytes(data: bytes, name: str = "", *, game: str | None = None, rules: Any = None) -> Iterator[Any]:
    """Yield the games in the bytes of a record; the content determines the format.

    A damaged game (`Damaged`) does not hide the others of the record. ``game`` restricts the games to one kind.
    ``rules`` take the place of the record's. Raises `RecordError` if no game can be read.
    """
    data = _utf8(data)
    found = format_of(data)
    wanted = game if rules is None else game_of(rules).name
    if wanted is not None and found.game != wanted:
        raise RecordError(f"a record of {found.game} ({found.name}), not of {wanted}", name)
    by_rules = rules is not None and found.read_by is not None
    for each in found.read_by(data, name, rules) if by_rules and found.read_by else found.read(data, name):
        if not isinstance(each, Damaged):
            _clean(each)
            if rules is not None and not by_rules:
                each = _with_rules(each, rules)
        yield each


def _clean(game: Any) -> None:
    """Make the texts around a game writable."""
    game.names = list(map(without_surrogates, game.names))
    name = without_surrogates(game.rules.name)
    if name != game.rules.name:
        game.rules = replace(game.rules, name=name)


def _with_rules(game: Any, rules: Any) -> Any:
    """Return a game by other rules than its record's, or as damaged if it cannot be played by them."""
    try:
        return recorder_of(rules).with_rules(game, rules)
    except RecordError as error:
        return Damaged.of(error, game.source)


def read_games(
    paths: Iterable[str | Path],
    *,
    game: str | None = None,
    largest: int = LARGEST,
    rules: Any = None,
) -> Iterator[Any]:
    """Read every game in files, folders, archives and standard input (``-``).

    Yields records of games (such as `janshi.riichi.records.RiichiGame`), and `Damaged` for unreadable ones. ``game``
    restricts the games to one kind. ``largest``: maximum bytes of an unpacked record. ``rules`` take the place of the
    records'. Never raises for the content of a record.
    """
    for source in sources(paths):
        if isinstance(source, Damaged):
            yield source
        else:
            yield from read_source(source, game=game, largest=largest, rules=rules)


class MissingGameError(ValueError):
    """Raised if a source does not contain the requested game; the message states what it contains."""


def numbered_game(
    path: str | Path, number: int = 1, *, game: str | None = None, largest: int = LARGEST, rules: Any = None
) -> Any:
    """Return one game (from 1) from a file, folder or archive, without reading further; ``game`` names its kind.

    ``rules`` take the place of the record's. Raises `MissingGameError` for a missing game.
    """
    return _numbered(read_games([path], game=game, largest=largest, rules=rules), number, str(path))


def numbered_game_of(data: bytes, name: str, number: int = 1, *, rules: Any = None) -> Any:
    """Return one game (from 1) from the bytes of a record, by given rules or its own.

    Raises `MissingGameError` for a missing game.
    """
    try:
        return _numbered(read_bytes(data, name, rules=rules), number, name)
    except RecordError as error:
        raise MissingGameError(str(error)) from None


def _numbered(found: Iterable[Any], number: int, where: str) -> Any:
    games = 0
    damaged: list[Damaged] = []
    for each in found:
        if isinstance(each, Damaged):
            damaged.append(each)
            continue
        games += 1
        if games == number:
            return each
    if damaged and not games:
        more = f", and {len(damaged) - 1} more that cannot be read" if len(damaged) > 1 else ""
        raise MissingGameError(f"{damaged[0]}{more}")
    beside = f" beside {len(damaged)} damaged" if damaged else ""
    held = "1 game" if games == 1 else f"{games} games"
    raise MissingGameError(f"{where} holds {held}{beside}, there is no game {number}")

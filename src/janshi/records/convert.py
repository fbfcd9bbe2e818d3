"""Converting records from one format to another, many at a time.

Every source becomes one file, or one member of an archive, named after it. Files appear whole or not at all,
and what is already there is passed over, so that an interrupted conversion goes on where it stopped.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from janshi.files import replacing
from janshi.records.mjai import write_mjai_text
from janshi.records.mjlog import write_mjlog
from janshi.records.model import Game, RecordError
from janshi.records.sichuan import SichuanGame, write_sichuan
from janshi.records.sources import Damaged, Source, read_source, sources
from janshi.records.tenhou6 import write_tenhou6_text

#: The formats that can be written, with the ending of their files.
FORMATS: Final = {"mjlog": ".mjlog", "tenhou6": ".json", "mjai": ".jsonl"}


@dataclass(slots=True)
class Converted:
    """What a conversion did."""

    games: int = 0  # written
    files: int = 0  # written
    skipped: int = 0  # sources whose file was already there
    damaged: list[Damaged] = field(default_factory=list)


def write_games(games: Sequence[Game], to: str) -> list[str]:
    """Return games as texts of a format: one text, except mjlog, which holds one game each.

    Raises `RecordError` for an unknown format or a game that contradicts itself.
    """
    if to == "mjlog":
        return [write_mjlog(game) for game in games]
    if to == "tenhou6":
        return [write_tenhou6_text(games)]
    if to == "mjai":
        return [write_mjai_text(games)]
    raise RecordError(f"no format {to!r}; there are {', '.join(FORMATS)}")


def convert(
    paths: Iterable[str | Path],
    to: str,
    out: str | Path,
    *,
    progress: Callable[[Converted], None] | None = None,
) -> Converted:
    """Convert every record in ``paths`` (see `janshi.records.sources`) to the format ``to``.

    ``out`` is a folder, or an archive where it ends in ``.zip``. ``progress`` is called after every source.
    Damaged records are listed in the result; raises `RecordError` for an unknown format and `OSError`
    where ``out`` cannot be written.
    """
    write_games([], to)
    target: _Folder | _Archive = _Archive(Path(out)) if Path(out).suffix.lower() == ".zip" else _Folder(Path(out))
    done = Converted()
    with target:
        for source in sources(paths):
            if isinstance(source, Damaged):
                done.damaged.append(source)
            else:
                _convert_one(source, to, target, done)
            if progress is not None:
                progress(done)
    return done


def _convert_one(source: Source, to: str, target: _Folder | _Archive, done: Converted) -> None:
    stem = source.relative.removesuffix(".gz")
    for suffix in (".mjlog", ".xml", ".json", ".jsonl", ".ndjson", ".mjson", ".mjai"):
        stem = stem.removesuffix(suffix)
    name = stem + FORMATS[to]
    if name in target:
        done.skipped += 1
        return
    games = []
    for game in read_source(source):
        if isinstance(game, Damaged):
            done.damaged.append(game)
        else:
            games.append(game)
    try:
        texts = write_games(games, to) if games else []
    except RecordError as error:
        done.damaged.append(Damaged(error.source or source.name, str(RecordError(error.reason, "", error.hand))))
        return
    # The first comes last: where it stands, all the games of the source do.
    for number in range(len(texts), 0, -1):
        target.write(name if number == 1 else f"{stem}-{number}{FORMATS[to]}", texts[number - 1])
        done.files += 1
    done.games += len(games)


class _Folder:
    """Output into a folder; every file is written beside its place and then moved there."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> _Folder:
        self.path.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __contains__(self, name: str) -> bool:
        return (self.path / name).exists()

    def write(self, name: str, text: str) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as part:
            part.write_text(text, encoding="utf-8", newline="\n")


class _Archive:
    """Output into a .zip: a new archive with all that the old one held, moved into its place at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> _Archive:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists() and not zipfile.is_zipfile(self.path):
            raise OSError(f"{self.path}: there is a file of that name that is no archive")
        self._replacement = replacing(self.path)
        self._zip = zipfile.ZipFile(self._replacement.__enter__(), "w", zipfile.ZIP_DEFLATED)
        if self.path.exists():
            with zipfile.ZipFile(self.path) as old:
                for info in old.infolist():
                    self._zip.writestr(info, old.read(info))
        self._names = set(self._zip.namelist())
        return self

    def __exit__(self, failure: object, *_: object) -> None:
        # Also after an interruption: what is whole is kept, and the next run goes on from there.
        self._zip.close()
        self._replacement.__exit__(None, None, None)

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def write(self, name: str, text: str) -> None:
        self._zip.writestr(name, text)
        self._names.add(name)


class GameWriter:
    """Writes single games into a folder or archive as they come; without a place it writes nothing.

    Raises `RecordError` for an unknown format and `OSError` where the place cannot be written.
    """

    def __init__(self, out: str | Path | None, to: str) -> None:
        write_games([], to)
        self.format = to
        self._target: _Folder | _Archive | None = None
        if out is not None:
            self._target = _Archive(Path(out)) if Path(out).suffix.lower() == ".zip" else _Folder(Path(out))

    def __enter__(self) -> GameWriter:
        if self._target is not None:
            self._target.__enter__()
        return self

    def __exit__(self, *failure: object) -> None:
        if self._target is not None:
            self._target.__exit__(*failure)

    def write(self, game: Game | SichuanGame) -> None:
        """Write one game under the name of its source; one of Sichuan mahjong in its only format."""
        if self._target is not None and isinstance(game, SichuanGame):
            self._target.write(game.source + ".jsonl", write_sichuan(game))
        elif self._target is not None and isinstance(game, Game):
            for text in write_games([game], self.format):
                self._target.write(game.source + FORMATS[self.format], text)

"""Parts of a match in a folder, from which an interrupted match resumes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, cast
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from janshi.files import replacing, save_text

_MATCH: Final = "match.json"
_PARTS: Final = "walls"


class SavedError(ValueError):
    """Raised for a folder with parts of another match, or with files that are not parts."""


class Parts:
    """Played runs of walls, in memory."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, int], Mapping[str, NDArray[Any]]] = {}

    def _keys(self) -> Iterable[tuple[int, int]]:
        return self._kept

    def _read(self, first: int, count: int) -> Mapping[str, NDArray[Any]]:
        return self._kept[first, count]

    def write(self, first: int, count: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Store the arrays of a part: walls ``first`` … ``first + count``."""
        self._kept[first, count] = arrays

    def spans(self) -> list[tuple[int, int]]:
        """Return first wall and number of walls of every part in order; of overlapping parts only the first."""
        spans: list[tuple[int, int]] = []
        end = 0
        for first, count in sorted(self._keys()):
            if first >= end:
                spans.append((first, count))
                end = first + count
        return spans

    def missing(self, walls: int, size: int) -> list[tuple[int, int]]:
        """Return first wall and length of the missing runs below ``walls``, each of at most ``size`` walls."""
        gaps = []
        end = 0
        for first, count in [*self.spans(), (walls, 0)]:
            stop = min(first, walls)
            gaps += [(start, min(size, stop - start)) for start in range(end, stop, size)]
            end = first + count
        return gaps

    def read(self) -> list[tuple[int, Mapping[str, NDArray[Any]]]]:
        """Return number of walls and arrays of every part in order."""
        return [(count, self._read(first, count)) for first, count in self.spans()]


class SavedParts(Parts):
    """Runs of walls in a folder, one file each, written atomically.

    Args:
        folder: the folder, created if necessary.
        match: settings that determine the results, as plain data.

    Raises `SavedError` if the folder contains parts of another match, and later for an unreadable file.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> SavedParts(folder, {"seed": 1}).write(0, 2, {"points": np.array([1, 2])})
    >>> saved = SavedParts(folder, {"seed": 1})
    >>> saved.missing(5, 2)
    [(2, 2), (4, 1)]
    >>> [(count, arrays["points"].tolist()) for count, arrays in saved.read()]
    [(2, [1, 2])]
    """

    def __init__(self, folder: str | Path, match: Mapping[str, Any]) -> None:
        super().__init__()
        self._folder = Path(folder) / _PARTS
        path = Path(folder) / _MATCH
        if path.exists():
            _compare(path, json.loads(json.dumps(match)))
        self._folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            save_text(json.dumps(match, indent=1), path)

    def _keys(self) -> Iterable[tuple[int, int]]:
        for path in self._folder.glob("*.npz"):
            first, _, count = path.stem.partition("-")
            if first.isdecimal() and count.isdecimal():
                yield int(first), int(count)

    def _path(self, first: int, count: int) -> Path:
        return self._folder / f"{first}-{count}.npz"

    def _read(self, first: int, count: int) -> Mapping[str, NDArray[Any]]:
        path = self._path(first, count)
        try:
            with np.load(path) as file:
                return dict(file.items())
        except (OSError, ValueError, EOFError, BadZipFile) as error:
            raise SavedError(f"{path} cannot be read ({error}): delete it, and its walls are played again") from None

    def write(self, first: int, count: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        """See `Parts`; writes the file in one step."""
        with replacing(self._path(first, count)) as part, part.open("wb") as file:
            np.savez_compressed(file, **cast("dict[str, Any]", arrays))


def _compare(path: Path, match: dict[str, Any]) -> None:
    """Raise `SavedError` if a file describes another match."""
    try:
        before = dict(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        raise SavedError(f"{path} describes no match: name another folder") from None
    for name in sorted(match.keys() | before.keys()):
        if match.get(name) != before.get(name):
            what = f"{name} {before.get(name)}, not {match.get(name)}"
            raise SavedError(f"{path.parent} holds walls of another match ({what}): name another folder")

"""Lookup tables of shanten: the distance of a hand from four sets and a pair.

The *index* of a suit is the number in base 5 whose digits are its nine counts (0 to 4), kind 1 as the lowest digit
(0 to 5⁹ − 1; for the seven honours 0 to 5⁷ − 1). Its ten *distances* are the numbers of tiles missing from m sets
(m = 0 … 4), without and with a pair. Sets that need a fifth tile of a kind do not count. Two million indices have only
140 different vectors of distances, so a table maps each index to a *class*. Pairs of classes (two suits together)
*join* into 215 classes, and a last table contains the tiles missing from the whole hand for two joined classes. The
distance of a hand takes seven reads and no search.

With three players, 2 to 8 man do not exist, so 1 and 9 man form no runs: they have a table of their own.

The tables take half a second to build and are stored in `janshi.compiling.cache_folder`.
"""

from __future__ import annotations

import threading
import zipfile
import zlib
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Shared, cache_folder, zeros
from janshi.files import replacing

#: Increment of a suit's index for one tile of a kind: 5 to the power of its rank in the suit, from 0.
WEIGHTS: Final = tuple(5 ** (kind % 9) for kind in range(34))

#: Version of the tables' content and layout, part of the file's name.
VERSION: Final = 1

# Distances are 0 to 14 (four triplets and a pair from an empty hand); 15: impossible.
_NEVER: Final = 15
_FORMS: Final = 10


class ShantenTables(Shared):
    """All tables as one record: see `shanten_tables`."""

    suit: Annotated[NDArray[np.uint8], 5**9]  # class of a suit's index
    honours: Annotated[NDArray[np.uint8], 5**7]  # class of the honours' index
    ends: Annotated[NDArray[np.uint8], 25]
    """Class of 1 and 9 man in three-player games: count of 1 man + 5 × count of 9 man."""
    joined: Annotated[NDArray[np.uint8], 256 * 256]  # joined class of two classes a and b, at ``a << 8 | b``
    missing: Annotated[NDArray[np.uint8], 5 * 256 * 256]
    """Tiles missing from s sets and a pair, for two joined classes x and y, at ``(s << 8 | x) << 8 | y``."""

    @classmethod
    def shared(cls) -> Batch[ShantenTables]:
        """Return the tables: see `shanten_tables`."""
        return shanten_tables()


def _targets(length: int, runs: bool) -> list[NDArray[np.int64]]:
    """Return the indices of exactly m sets, for m = 0 … 4, then of m sets and a pair."""
    weights = 5 ** np.arange(length)
    sets = [3 * np.eye(length, dtype=np.int64)]
    if runs:
        sets.append(np.array([[int(k <= j < k + 3) for j in range(length)] for k in range(length - 2)], np.int64))

    def add(counts: NDArray[np.int64], groups: NDArray[np.int64]) -> NDArray[np.int64]:
        sums = (counts[:, None] + groups[None]).reshape(-1, length)
        sums = sums[(sums <= 4).all(axis=1)]
        first = np.unique(sums @ weights, return_index=True)[1]
        return sums[first]

    unpaired = [np.zeros((1, length), np.int64)]
    for _ in range(4):
        unpaired.append(add(unpaired[-1], np.concatenate(sets)))
    paired = [add(counts, 2 * np.eye(length, dtype=np.int64)) for counts in unpaired]
    return [counts @ weights for counts in unpaired + paired]


def _distances(length: int, runs: bool) -> NDArray[np.int64]:
    """Return the ten distances of every index of ``length`` kinds, packed into one integer of four bits each.

    The distance to a target is the sum of the missing tiles over the kinds, so the minimum over all targets is computed
    kind by kind: a surplus tile costs 0, a missing tile costs 1.
    """
    table = np.full((5**length, _FORMS), _NEVER, np.uint8)
    for form, indices in enumerate(_targets(length, runs)):
        table[indices, form] = 0
    for rank in range(length):
        counts = table.reshape(-1, 5, 5**rank * _FORMS)
        for held in range(1, 5):
            np.minimum(counts[:, held], counts[:, held - 1], out=counts[:, held])
        for held in range(3, -1, -1):
            np.minimum(counts[:, held], counts[:, held + 1] + 1, out=counts[:, held])
    np.minimum(table, _NEVER, out=table)
    packed = np.zeros(5**length, np.int64)
    for form in range(_FORMS):
        packed |= table[:, form].astype(np.int64) << (4 * form)
    return packed


def _join(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the distances (…, 10) of two parts of a hand together, from those of each part (…, 10)."""
    shape = np.broadcast_shapes(first.shape, second.shape)
    joined = np.full(shape, _NEVER, np.int64)
    for a in range(5):
        for b in range(5 - a):
            plain, paired = a + b, 5 + a + b
            joined[..., plain] = np.minimum(joined[..., plain], first[..., a] + second[..., b])
            joined[..., paired] = np.minimum(joined[..., paired], first[..., 5 + a] + second[..., b])
            joined[..., paired] = np.minimum(joined[..., paired], first[..., a] + second[..., 5 + b])
    return joined


def build() -> Batch[ShantenTables]:
    """Compute the tables, an array of one record."""
    parts = [_distances(9, True), _distances(7, False), _distances(2, False)]
    classes, numbers = np.unique(np.concatenate(parts), return_inverse=True)
    forms = 4 * np.arange(_FORMS)
    vectors = classes[:, None] >> forms & 15
    pairs = (_join(vectors[:, None], vectors[None]) << forms).sum(axis=2)
    joined_classes, joined_numbers = np.unique(pairs, return_inverse=True)
    joined_vectors = joined_classes[:, None] >> forms & 15
    # Two joined classes are a whole hand, which needs a pair.
    missing = _join(joined_vectors[:, None], joined_vectors[None])[..., 5:]

    tables = zeros(ShantenTables, 1)
    record: Any = tables[0]
    suit, honours = 5**9, 5**9 + 5**7
    record["suit"][:] = numbers[:suit]
    record["honours"][:] = numbers[suit:honours]
    record["ends"][:] = numbers[honours:]
    count, joined_count = len(classes), len(joined_classes)
    record["joined"].reshape(256, 256)[:count, :count] = joined_numbers.reshape(count, count)
    record["missing"].reshape(5, 256, 256)[:, :joined_count, :joined_count] = np.moveaxis(missing, 2, 0)
    return tables


def _load(path: Path) -> Batch[ShantenTables] | None:
    """Read saved tables; None if the file is missing or damaged (the archive has checksums)."""
    tables = zeros(ShantenTables, 1)
    record: Any = tables[0]
    try:
        with np.load(path, allow_pickle=False) as saved:
            for name in ShantenTables.__annotations__:
                if saved[name].shape != record[name].shape or saved[name].dtype != np.uint8:
                    return None
                record[name][:] = saved[name]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None
    return tables


def _save(path: Path, tables: Batch[ShantenTables]) -> None:
    """Save tables atomically; errors such as a full disk are ignored."""
    record: Any = tables[0]
    try:
        with replacing(path) as part, part.open("wb") as file:
            np.savez_compressed(file, **{field: record[field] for field in ShantenTables.__annotations__})
    except OSError:
        return


_lock = threading.Lock()
_tables: Batch[ShantenTables] | None = None


def shanten_tables() -> Batch[ShantenTables]:
    """Return the tables, an array of one record, loaded from the cache folder or built and saved there.

    >>> shanten_tables().shape
    (1,)
    """
    global _tables
    with _lock:
        if _tables is None:
            path = cache_folder() / f"hand-tables-{VERSION}.npz"
            _tables = _load(path)
            if _tables is None:
                _tables = build()
                _save(path, _tables)
        return _tables

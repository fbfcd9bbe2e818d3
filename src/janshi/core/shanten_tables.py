"""Tables that shanten is read from: how far a hand is from its sets and its pair.

One suit of a hand, nine counts of 0 to 4, is one number in base 5, kind 1 as the lowest digit: its *index*
(0 to 5⁹ − 1; the seven honours likewise, 0 to 5⁷ − 1). All that matters of an index is how many tiles are
still missing to hold m sets (m = 0 … 4), without and with a pair: ten small numbers, its *distances*. A kind
has four tiles, so sets that would need a fifth do not count. Two million indices share only 140 different
distances, so the tables hold the number of a *class* for each index; two classes *joined* (all that two suits
together can hold) fall into 215 classes again, and a last table holds for two joined classes how many tiles
are missing from the whole hand. A hand's distance is seven reads, without any search.

In three-player games 2 to 8 man do not exist, so 1 and 9 man stand alone, as honours do: a table of their own.

The tables take half a second to build and are kept in `janshi.compiling.cache_folder`.
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

#: What one tile of a kind adds to the index of its suit: 5 to the power of its rank in the suit, from 0.
WEIGHTS: Final = tuple(5 ** (kind % 9) for kind in range(34))

#: Changes whenever the tables' content or layout changes, so that an old file is not taken for a new one.
VERSION: Final = 1

# Distances are 0 to 14 (four triplets and a pair of nothing held); 15 stands for "cannot be held at all".
_NEVER: Final = 15
_FORMS: Final = 10


class ShantenTables(Shared):
    """All tables as one record, so that compiled functions take one argument (see `shanten_tables`)."""

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
    """Return for m = 0 … 4 without a pair, then with one, the indices of exactly these sets (and pair)."""
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
    """Return the ten distances of every index of ``length`` kinds, four bits each in one integer.

    The distance to a target is the sum over the kinds of what is missing of each, so the least over all
    targets is found kind by kind: a tile too many costs nothing, a tile too few costs one.
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
    """Return the distances (…, 10) that two parts of a hand, of distances (…, 10) each, have together."""
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
    """Compute the tables: one `ShantenTables` record in an array."""
    parts = [_distances(9, True), _distances(7, False), _distances(2, False)]
    classes, numbers = np.unique(np.concatenate(parts), return_inverse=True)
    forms = 4 * np.arange(_FORMS)
    vectors = classes[:, None] >> forms & 15
    pairs = (_join(vectors[:, None], vectors[None]) << forms).sum(axis=2)
    joined_classes, joined_numbers = np.unique(pairs, return_inverse=True)
    joined_vectors = joined_classes[:, None] >> forms & 15
    # Two joined classes make a complete hand: only the form with a pair counts there.
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
    """Read saved tables; None where there are none or the file is damaged (the archive holds checksums)."""
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
    """Save tables in one step, so that another process never sees half a file; a full disk is no error."""
    record: Any = tables[0]
    try:
        with replacing(path) as part, part.open("wb") as file:
            np.savez_compressed(file, **{field: record[field] for field in ShantenTables.__annotations__})
    except OSError:
        return


_lock = threading.Lock()
_tables: Batch[ShantenTables] | None = None


def shanten_tables() -> Batch[ShantenTables]:
    """Return the tables, an array of one record: loaded from the cache folder, or built and saved there.

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

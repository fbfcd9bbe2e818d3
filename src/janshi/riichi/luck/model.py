"""The luck model: the probability of each ending of a hand for every tile that may be drawn next.

A network in NumPy reads all hands and the tiles left. One pass answers for all kinds that may be drawn: their common
features are read once, and a small layer reads the features of each kind.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.agents.policy import softmax
from janshi.arena.luck import LuckError
from janshi.riichi.luck.draws import Draws
from janshi.riichi.luck.endings import number_of_endings
from janshi.tensors import read_tensors

_NAMES: Final = ("common", "common bias", "shared", "kind", "bias", "ending", "direct", "ending bias")
#: Draws computed at once; their arrays stay in the processor's cache.
_DRAWS: Final = 128


class LuckModel:
    """The ending of hands by the tile that is drawn next.

    Args:
        players: three or four.
        weights: a file of ``research/make_luck.py``; by default the one that ships.

    Raises `LuckError` if there is no such file, or it holds something else.
    """

    def __init__(self, players: int, weights: str | Path | None = None) -> None:
        path = shipped(players) if weights is None else Path(weights)
        try:
            arrays, metadata = read_tensors(path)
            self.weights = {name: arrays[name].astype(np.float32) for name in _NAMES}
            self.changes = arrays["changes"].astype(np.float64)
            self.version = metadata.get("version") or hashlib.sha256(path.read_bytes()).hexdigest()[:8]
        except (OSError, KeyError, ValueError) as error:
            raise LuckError(f"{path} holds no weights of a luck model: {error}") from None
        if self.changes.shape != (number_of_endings(players), players):
            raise LuckError(f"{path} holds a luck model for another number of players")
        self.name = f"{path.stem}@{self.version}"

    def surprise(self, draws: Draws) -> NDArray[np.float32]:
        """Return the change of the probabilities of the endings by each tile drawn (n, endings).

        It is the probabilities after the tile less their mean over the tiles that could have come, each as likely as
        the other. Endings count seats from the one that drew.
        """
        parts = [self._surprise(draws, slice(first, first + _DRAWS)) for first in range(0, len(draws.drawn), _DRAWS)]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.changes)), np.float32)

    def expected(self, draws: Draws) -> NDArray[np.float32]:
        """Return the probabilities of the endings before each draw (n, endings)."""
        everything = slice(0, len(draws.drawn))
        rows, _, probabilities = self._each(draws, everything)
        return _means(draws.kinds[:, :, 0], rows, probabilities)

    def _surprise(self, draws: Draws, part: slice) -> NDArray[np.float32]:
        rows, kinds, probabilities = self._each(draws, part)
        came = probabilities[kinds == draws.drawn[part][rows]]
        change: NDArray[np.float32] = came - _means(draws.kinds[part, :, 0], rows, probabilities)
        return change

    def _each(self, draws: Draws, part: slice) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
        """Return draw, kind and probabilities (m, endings) of every kind that could come at some draws."""
        weights = self.weights
        common = draws.common[part].astype(np.float32) @ weights["common"] + weights["common bias"]
        np.maximum(common, 0, out=common)
        shared = common @ weights["shared"] + weights["bias"]
        direct = common @ weights["direct"] + weights["ending bias"]
        rows, kinds = np.nonzero(draws.kinds[part, :, 0] > 0)
        hidden = draws.kinds[part][rows, kinds].astype(np.float32) @ weights["kind"]
        hidden += shared[rows]
        np.maximum(hidden, 0, out=hidden)
        logits = hidden @ weights["ending"]
        logits += direct[rows]
        return rows, kinds, softmax(logits)


def _means(left: NDArray[np.int8], rows: NDArray[np.int64], probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the means of probabilities (m, endings) over the tiles that are left (n, 34): (n, endings)."""
    weights = left[left > 0].astype(np.float32)
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    sums = np.add.reduceat(probabilities * weights[:, None], starts)
    means: NDArray[np.float32] = sums / left.sum(axis=1, dtype=np.float32)[:, None]
    return means


def shipped(players: int) -> Path:
    """Return the file of the luck model that ships."""
    return Path(__file__).parents[2] / "players" / f"luck-{players}.safetensors"

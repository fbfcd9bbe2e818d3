"""Places by points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def ranks(points: NDArray[Any]) -> NDArray[np.int8]:
    """Return the rank of every seat (n, players) by its points (n, players): 1 for the most.

    Equal points share the better rank.

    >>> ranks(np.array([[12_000, -6_000, -6_000], [0, 0, 0]])).tolist()
    [[1, 2, 2], [1, 1, 1]]
    """
    better: NDArray[np.int8] = (points[:, None, :] > points[:, :, None]).sum(axis=2, dtype=np.int8) + np.int8(1)
    return better


def final_ranks(points: NDArray[Any]) -> NDArray[np.int8]:
    """Return the rank of every seat (n, players) at the end of a game; equal points rank in the order of the seats.

    >>> final_ranks(np.array([[25_000, 30_000, 25_000]])).tolist()
    [[2, 1, 3]]
    """
    order = np.argsort(-points, axis=1, kind="stable")
    return (np.argsort(order, axis=1, kind="stable") + 1).astype(np.int8)

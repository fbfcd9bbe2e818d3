"""Symmetries of observations of sanma: equivalent suits and terminals exchanged."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Bytes, Int64Rows, entry, leaf

_ALL: Final = (1 << 34) - 1


@leaf
def swapped(mask: int, low: int, high: int, width: int) -> int:
    """Return a mask with two blocks of bits of the same width exchanged."""
    block = (1 << width) - 1
    change = (mask >> low ^ mask >> high) & block
    return mask ^ (change << low | change << high)


@entry
def swap_kinds(columns: Int64Rows, turns: Bytes) -> None:
    """Turn observations of sanma: bit 0 of a turn swaps pin and sou, bit 1 swaps 1m and 9m."""
    for number in range(len(columns)):
        for column in range(columns.shape[1]):
            mask = int(columns[number, column])
            if mask != 0 and mask != _ALL:
                if int(turns[number]) & 1:
                    mask = swapped(mask, 9, 18, 9)
                if int(turns[number]) & 2:
                    mask = swapped(mask, 0, 8, 1)
                columns[number, column] = mask


def turned(columns: NDArray[np.int64], turns: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return observations of sanma (n, columns; masks) with equivalent tiles exchanged.

    Bit 0 of ``turns`` (n) swaps pin and sou, bit 1 swaps 1m and 9m; only all green distinguishes suits. Labels can be
    turned as masks of kinds (n, 1).

    >>> turned(np.full((1, 366), 1 << 9), np.array([3], np.uint8))[0, 0] == 1 << 18
    np.True_
    """
    result = np.ascontiguousarray(columns, np.int64).copy()
    swap_kinds(result, turns)
    return result


def turned_kinds(kinds: NDArray[np.int8], turns: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Return kinds (n) after turns (n).

    >>> turned_kinds(np.array([9, 0, 5], np.int8), np.array([1, 2, 0], np.uint8)).tolist()
    [18, 8, 5]
    """
    masks = np.int64(1) << kinds.astype(np.int64)
    return np.log2(turned(masks[:, None], turns)[:, 0].astype(np.float64)).astype(np.int8)

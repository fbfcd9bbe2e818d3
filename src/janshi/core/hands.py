"""Hands given as text: counts of the 34 kinds, and the ukeire after each discard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from janshi.tiles import KINDS, TileError, kind_of, parse_tiles, tile_text


class HandError(ValueError):
    """Tiles that no player can hold, or a wrong number of tiles."""


def tiles_of(text: str) -> list[int]:
    """Return the tiles of a text. Raises `HandError` for invalid text.

    >>> tiles_of("10p")
    [9, 35]
    """
    try:
        return parse_tiles(text)
    except TileError as error:
        raise HandError(str(error)) from error


def counts_of_text(text: str) -> NDArray[np.int8]:
    """Return the counts (34, int8) of tiles given as text; red fives count as fives.

    Raises `HandError` for invalid text or more than four tiles of a kind.

    >>> counts_of_text("055p")[13]
    np.int8(3)
    """
    counts = np.bincount([kind_of(tile) for tile in tiles_of(text)], minlength=KINDS)
    for kind in np.flatnonzero(counts > 4):
        raise HandError(f"{text!r} holds {tile_text(int(kind))} {counts[kind]} times: there are four of each tile")
    return counts.astype(np.int8)


@dataclass(frozen=True, slots=True)
class DiscardUkeire:
    """The ukeire of a hand after a discard, or of a hand that waits for a draw."""

    discard: int | None  # the kind discarded; None for a hand that waits for a draw
    shanten: int  # shanten after the discard
    accepted: tuple[int, ...]  # the kinds whose draw lowers that shanten
    left: int  # number of tiles of the accepted kinds that are neither in the hand nor visible


def discards_of(
    shanten: NDArray[Any], accepted: NDArray[Any], left: NDArray[Any], not_held: int
) -> list[DiscardUkeire]:
    """Return the ukeire of one hand, the best discard first.

    The arrays have a slot for each kind and a last one for the hand without a discard, which is used if every kind has
    shanten ``not_held``. The best discard has the least shanten and, among equals, the most tiles left.
    """
    as_it_is = len(shanten) - 1
    discards = []
    for slot in np.flatnonzero(shanten[:-1] != not_held).tolist() or [as_it_is]:
        mask = int(accepted[slot])
        kinds = tuple(kind for kind in range(as_it_is) if mask >> kind & 1)
        discards.append(DiscardUkeire(None if slot == as_it_is else slot, int(shanten[slot]), kinds, int(left[slot])))
    return sorted(discards, key=lambda row: (row.shanten, -row.left))

"""Tiles and who may hold them: a holder for each, compiled."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int8, Record, entry, leaf, row, rule, zeros
from janshi.rollout.sampling import SamplingError
from janshi.sichuan.state import TILES


class Fitting(Record):
    """Tiles to give to holders; the fields after ``given`` are scratch memory."""

    fits: Annotated[NDArray[np.int8], TILES * TILES]  # whether holder h may have tile t, at ``TILES * h + t``
    sizes: Annotated[NDArray[np.int8], TILES]  # tiles that each holder still gets
    holders: Int8  # their number
    tiles: Int8  # their number
    given: Annotated[NDArray[np.int8], TILES]  # the holder of each tile
    tried: Annotated[NDArray[np.int8], TILES]  # holders tried for a tile
    moving: Annotated[NDArray[np.int8], TILES]  # tiles on the path: each moves the one after it on
    asked: Annotated[NDArray[np.int8], TILES]  # the holder that each of them asks for
    moved: Annotated[NDArray[np.int8], TILES]  # the last tile of that holder that was moved on; −1: none yet


@leaf
def put(fitting: Fitting, depth: int, tile: int) -> None:
    """Put a tile at the end of the path."""
    fitting.moving[depth], fitting.asked[depth], fitting.moved[depth] = tile, -1, -1


@rule
def fit_tile(fitting: Fitting, tile: int) -> bool:
    """Give a tile to a holder; one without a free holder moves another one on. Returns False if none can move."""
    for holder in range(int(fitting.holders)):
        fitting.tried[holder] = 0
    depth = 0
    put(fitting, 0, tile)
    while depth >= 0:
        tile, holder, moved = int(fitting.moving[depth]), int(fitting.asked[depth]), int(fitting.moved[depth])
        if moved >= 0:  # it could not move on: it stays
            fitting.given[moved], fitting.given[tile] = holder, -1
        following = moved + 1 if holder >= 0 else int(fitting.tiles)
        while following < int(fitting.tiles) and int(fitting.given[following]) != holder:
            following += 1
        if following < int(fitting.tiles):
            fitting.moved[depth] = following
            fitting.given[following], fitting.given[tile] = -1, holder
            depth += 1
            put(fitting, depth, following)
            continue
        holder += 1
        while holder < int(fitting.holders) and (
            int(fitting.tried[holder]) or not int(fitting.fits[TILES * holder + tile])
        ):
            holder += 1
        if holder == int(fitting.holders):
            depth -= 1
            continue
        fitting.tried[holder], fitting.asked[depth], fitting.moved[depth] = 1, holder, -1
        if int(fitting.sizes[holder]) > 0:
            fitting.sizes[holder] -= 1
            fitting.given[tile] = holder
            return True
    return False


@rule
def fit_tiles(fitting: Fitting) -> bool:
    """Give all tiles to holders, those with the fewest possible ones first (augmenting paths); False if none fit."""
    for tile in range(int(fitting.tiles)):
        fitting.given[tile] = -1
    for wanted in range(int(fitting.holders) + 1):
        for tile in range(int(fitting.tiles)):
            possible = 0
            for holder in range(int(fitting.holders)):
                possible += int(fitting.fits[TILES * holder + tile])
            if possible == wanted and not fit_tile(fitting, tile):
                return False
    return True


@entry
def fit_all(fittings: Batch[Fitting]) -> bool:
    """Give the tiles of one record to holders; return whether they fit."""
    return fit_tiles(fittings[0])


def first_fit(fits: NDArray[np.bool_], sizes: list[int]) -> NDArray[np.int8]:
    """Return a holder for each tile; ``fits`` (holders, tiles), ``sizes``: how many tiles each holder has.

    Raises `SamplingError` if nothing fits.
    """
    fittings = zeros(Fitting, 1)
    fitting = row(fittings)
    fitting.holders, fitting.tiles = fits.shape
    fitting.fits.reshape(TILES, TILES)[: len(fits), : fits.shape[1]] = fits
    fitting.sizes[: len(sizes)] = sizes
    if not fit_all(fittings):
        raise SamplingError("no hands fit what was seen")
    return fitting.given[: fits.shape[1]].copy()

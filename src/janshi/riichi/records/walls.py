"""Tenhou's walls, rebuilt from the seed that newer mjlog records carry (``mt19937ar-sha512-n288-base64``).

The method, found by others and checked here against every deal with a seed: the base64 text is 624
little-endian 32-bit words, the key of the Mersenne twister's array initialisation. For each hand in turn 288
words are drawn, cut into 9 blocks of 32 words and each block hashed with SHA-512; the digests are 144
little-endian numbers r. From the ids in order, place i is swapped with place i + r[i] mod (N − i). The dice
are r[135] and r[136] mod 6. Tiles are dealt and drawn from the end of the list; the dead wall is its beginning.

Older records carry eight hexadecimal words per hand (``mt19937ar,…``): how walls come from those is not known here,
and such hands have none.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from janshi.records.formats import RecordError
from janshi.riichi.play.wall import dora_slot, wall_size
from janshi.riichi.records.model import RecordedHand, RecordedWin
from janshi.riichi.state import Event
from janshi.tiles import format_tiles, tile_of_id

_PREFIX: Final = "mt19937ar-sha512-n288-base64,"
_WORDS: Final = 288
#: Events that a replacement tile follows.
_REPLACED: Final = (Event.DAIMINKAN, Event.ANKAN, Event.KAKAN, Event.KITA)


@lru_cache(maxsize=2)
def _ids(players: int) -> tuple[int, ...]:
    """Return the ids of a full wall in order: all, or without 2m to 8m."""
    return tuple(identity for identity in range(136) if players == 4 or not 4 <= identity < 32)


@lru_cache(maxsize=2)
def _spans(players: int) -> NDArray[np.uint32]:
    count = len(_ids(players))
    return np.arange(count, 1, -1).astype(np.uint32)


def has_walls(seed: str) -> bool:
    """Return whether `walls` understands a seed."""
    return seed.startswith(_PREFIX)


def _numbers(seed: str, hands: int) -> NDArray[np.uint32]:
    """Return the 144 numbers of each hand, shape (hands, 144)."""
    try:
        key = np.frombuffer(base64.b64decode(seed[len(_PREFIX) :], validate=True), "<u4")
    except (binascii.Error, ValueError) as error:
        raise RecordError(f"the seed of the walls is damaged ({error})") from None
    if len(key) != 624:
        raise RecordError(f"the seed of the walls has {len(key)} words, not 624")
    twister = np.random.RandomState(key)
    words = twister.randint(0, 1 << 32, hands * _WORDS, np.uint32).astype("<u4").tobytes()
    sha512 = hashlib.sha512
    digests = [sha512(words[at : at + 128]).digest() for at in range(0, len(words), 128)]
    return np.frombuffer(b"".join(digests), "<u4").reshape(hands, 144)


def walls(seed: str, players: int, hands: int) -> NDArray[np.uint8] | None:
    """Return the walls of a game's first hands, or None if the seed is of another kind.

    Shape (hands, 136), with three players (hands, 108), of ids. Raises `RecordError` on a damaged seed.
    """
    if not has_walls(seed):
        return None
    ids, spans = _ids(players), _spans(players)
    numbers = _numbers(seed, hands)[:, : len(spans)]
    # The slot to swap with, for every slot of every hand at once; only the swaps themselves are serial.
    swaps = (numbers % spans + np.arange(len(spans), dtype=np.uint32)).tolist()
    made = bytearray()
    for others in swaps:
        wall = list(ids)
        for slot, other in enumerate(others):
            wall[slot], wall[other] = wall[other], wall[slot]
        made += bytes(wall)
    return np.frombuffer(made, np.uint8).reshape(hands, len(ids))


# ---------------------------------------------------------------------------------------------------------
# The slots of a wall


def deal_slots(players: int, dealer: int) -> NDArray[np.intp]:
    """Return the slots of the tiles dealt to each seat, shape (players, 13): three times four, then one."""
    slots = np.zeros((players, 13), np.intp)
    at = len(_ids(players)) - 1
    for start, count in ((0, 4), (4, 4), (8, 4), (12, 1)):
        for turn in range(players):
            for step in range(count):
                slots[(dealer + turn) % players, start + step] = at
                at -= 1
    return slots


def shown_slots(hand: RecordedHand) -> Iterator[tuple[int, int]]:
    """Yield the slots of the tiles that a hand has shown, with their ids."""
    players = len(hand.deal)
    yield from zip(deal_slots(players, hand.dealer).ravel().tolist(), hand.deal.ravel().tolist(), strict=True)
    yield dora_slot(players, 0), hand.dora
    live = len(_ids(players)) - 1 - 13 * players
    taken, turned, replacement = 0, 1, False
    for event, _, tile, *_rest in hand.events.tolist():
        if event == Event.DRAW:
            yield (taken ^ 1 if replacement else live), tile
            taken, live = (taken + 1, live) if replacement else (taken, live - 1)
            replacement = False
        elif event == Event.DORA:
            yield dora_slot(players, turned), tile
            turned += 1
        elif event in _REPLACED:
            replacement = True
    if isinstance(hand.outcome, list):
        longest = max((win.ura for win in hand.outcome), key=len)
        for number, tile in enumerate(longest):
            yield dora_slot(players, number) - 1, tile


def check_ura(wins: list[RecordedWin], wall: list[int], players: int) -> str | None:
    """Say in one line where an indicator under the dora is not the wall's (ids), or return None."""
    for win in wins:
        for number, tile in enumerate(win.ura):
            slot = dora_slot(players, number) - 1
            if wall[slot] != tile:
                return f"the wall's ura indicator {number + 1} is {wall[slot]}, not {tile}"
    return None


# ---------------------------------------------------------------------------------------------------------
# Walls of Mahjong Soul and Riichi City


def wall_slots(players: int, replacements: int) -> list[int]:
    """Return the slot in Tenhou's order of every tile behind those dealt, in Mahjong Soul's order.

    Draws come from the beginning. At the end lie replacement tiles (the last one first), then by twos the dora
    indicators with the ura indicator before each, which Tenhou has the other way round. With three players indicators
    lie where the last draws would be; ``replacements`` have taken their place.
    """
    size = wall_size(players)
    left = size - 13 * players - 1
    dead = (14 + replacements) // 2 * 2
    return [slot ^ 1 if slot < dead else slot for slot in range(left - 1, -1, -1)]


def wall_of_tiles(tiles: Sequence[int], hand: RecordedHand, reds: Sequence[int]) -> NDArray[np.uint8]:
    """Return the ids of a wall in Tenhou's order; tiles that the hand has not shown get the remaining ids.

    ``tiles`` (0–36) in Mahjong Soul's order: those behind the dealt ones, or all. Raises `RecordError` for another
    number of them, or too many of a kind.
    """
    tile_of = partial(tile_of_id, reds=reds)
    players = len(hand.deal)
    size = wall_size(players)
    left = size - 13 * players - 1
    if len(tiles) not in (left, size):
        raise RecordError(f"the wall has {len(tiles)} tiles, not {left} (or {size} with those dealt)")
    shown = dict(shown_slots(hand))
    wall = [shown.get(slot, -1) for slot in range(size)]
    free: dict[int, list[int]] = {}
    for identity in sorted({*range(136)} - {*shown.values()}, reverse=True):
        if players == 4 or not 4 <= identity < 32:
            free.setdefault(tile_of(identity), []).append(identity)
    missing = []
    replacements = sum(row[0] in _REPLACED for row in hand.events.tolist())
    for tile, slot in zip(tiles[-left:], wall_slots(players, replacements), strict=True):
        if wall[slot] >= 0 and tile_of(wall[slot]) == tile:
            continue
        if wall[slot] >= 0:
            free.setdefault(tile_of(wall[slot]), []).append(wall[slot])
        missing.append((slot, tile))
    for slot, tile in missing:
        if not free.get(tile):
            raise RecordError(f"the wall contains too many tiles {format_tiles([tile])}")
        wall[slot] = free[tile].pop()
    return np.array(wall, np.uint8)

"""Counter-based random numbers: Philox 4×32 with ten rounds.

Source: Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", 2011. The same seed and counter give the same
integers, compiled and in plain Python, in any order and on any number of threads.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from janshi.compiling import Int64, Record, batched, leaf, rule

_WORD: Final = 0xFFFFFFFF


class Stream(IntEnum):
    """Streams of random numbers that never share a counter."""

    WALLS = 0
    PLAY = 1  # random play by the engine
    GAMES = 2  # seeds of the later games at a table
    DECISIONS = 3  # the random word of each decision
    DICE = 4  # dice of a hand
    SAMPLES = 5  # hidden tiles
    RANDOM_AGENT = 16


@leaf
def philox(seed: int, stream: int, block: int, count: int) -> tuple[int, int, int, int]:
    """Return four random 32-bit numbers for a seed (64 bits) and a counter of three parts (32 bits each)."""
    c0 = count & _WORD
    c1 = block & _WORD
    c2 = stream & _WORD
    c3 = block >> 32 & _WORD
    k0 = seed & _WORD
    k1 = seed >> 32 & _WORD
    for _ in range(10):
        # The products have 64 bits. Compiled, they overflow into the sign bit, which the mask after the shift removes.
        p0 = 0xD2511F53 * c0
        p1 = 0xCD9E8D57 * c2
        c0, c2 = (p1 >> 32 & _WORD) ^ c1 ^ k0, (p0 >> 32 & _WORD) ^ c3 ^ k1
        c1, c3 = p1 & _WORD, p0 & _WORD
        k0 = k0 + 0x9E3779B9 & _WORD
        k1 = k1 + 0xBB67AE85 & _WORD
    return c0, c1, c2, c3


@leaf
def random_word(seed: int, stream: int, block: int, count: int) -> int:
    """Return one random number of 63 bits: see `philox`."""
    high, low, _c2, _c3 = philox(seed, stream, block, count)
    return (high & 0x7FFFFFFF) << 32 | low


@leaf
def below(word: int, limit: int) -> int:
    """Map a random 32-bit number to 0 … limit − 1."""
    return word * limit >> 32


class RandomNumbers(Record):
    """A sequence of random numbers, one after the other."""

    seed: Int64
    count: Int64  # numbers drawn


@leaf
def next_seed(numbers: RandomNumbers, stream: int) -> int:
    """Return the next number, of 63 bits."""
    word = random_word(int(numbers.seed), stream, 0, int(numbers.count))
    numbers.count = int(numbers.count) + 1
    return word


@leaf
def next_chance(numbers: RandomNumbers, stream: int) -> float:
    """Return the next number, at least 0 and below 1; its product with any number is below that number too."""
    return float(next_seed(numbers, stream) >> 11) / 4503599627370496.0


@leaf
def next_below(numbers: RandomNumbers, stream: int, limit: int) -> int:
    """Return the next number, from 0 to ``limit`` − 1."""
    word, _, _, _ = philox(int(numbers.seed), stream, 0, int(numbers.count))
    numbers.count = int(numbers.count) + 1
    return below(word, limit)


@rule
def following_seed(seed: Int64, games: Int64) -> Int64:
    """Return the seed of a table's game number ``games`` from the ``seed`` of the game before it."""
    return random_word(int(seed), Stream.GAMES, int(games), 0)


following_seeds = batched(following_seed, brief=True)

"""Tenpai hands drawn evenly from tiles: each set of physical tiles that is tenpai is as likely as the other; compiled.

Hands of sets and a pair are counted, not searched: shanten depends on the *classes* of the four suits alone
(`janshi.core.shanten_tables`), so that the sets of tiles of a suit, weighed by the ways to choose them, are summed by
*key*, which is size and class, then joined in two steps. A hand is drawn down the same way: sizes and classes, then the
tiles of each suit. Seven pairs and thirteen orphans are drawn kind by kind, and those of them left out that the first
way finds too.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Int16, Record, Rows, leaf, rule
from janshi.core.kinds import ALL_KINDS, ORPHANS_MASK
from janshi.core.random import RandomNumbers, Stream, next_chance
from janshi.core.shanten import standard_shanten
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.riichi.hands.concealed import clear_hand, take_all
from janshi.riichi.state import Hand

#: Most tiles of a hand that waits.
MOST: Final = 13
#: Sets of at most 13 tiles of nine kinds.
SUIT_SETS: Final = 286_550
#: Keys: a size and a class (8 bits).
KEYS: Final = (MOST + 1) << 8
#: Numbers of single tiles and of pairs in a hand drawn kind by kind, none to one more than fit.
_WIDTH: Final = MOST + 2


class Keys(Record):
    """The keys of parts of hands, ascending, with the number of parts of each."""

    keys: Annotated[NDArray[np.int16], KEYS]
    ways: Annotated[NDArray[np.float64], KEYS]
    of_size: Annotated[NDArray[np.int16], MOST + 2]  # the first key of each size
    count: Int16


class Suit(Record):
    """The sets of tiles of a suit, sorted by key."""

    keys: Keys
    first: Annotated[NDArray[np.int32], KEYS + 1]  # the first set of each key, whether there are any or not
    indices: Annotated[NDArray[np.int32], SUIT_SETS]  # the sets as indices in base 5: see `WEIGHTS`
    sums: Annotated[NDArray[np.float64], SUIT_SETS]  # ways to choose the tiles of a set and of those before it


class ByKinds(Record):
    """Hands of no, one or two tiles of each kind."""

    ahead: Annotated[NDArray[np.float64], 35 * _WIDTH * _WIDTH]
    """Ways to complete a hand, by the kind that comes next, the single tiles and the pairs before it."""


class Enumeration(Record):
    """The set of tiles of a suit that comes next: see `next_set`."""

    held: Annotated[NDArray[np.int8], 9]
    index: Annotated[NDArray[np.int32], 10]  # index of the tiles of each rank and those above it
    tiles: Annotated[NDArray[np.int32], 10]  # number of these tiles
    ways: Annotated[NDArray[np.float64], 10]  # ways to choose them


class TenpaiHands(Record):
    """Tenpai hands from tiles that are left: see `count_tenpai_hands`."""

    left: Annotated[NDArray[np.int8], 34]  # tiles of each kind that there are
    sanma: Int8  # 1 for three players
    suits: Annotated[Rows[Suit], 4]
    halves: Annotated[Rows[Keys], 2]
    dense: Annotated[NDArray[np.float64], KEYS]  # workspace: ways of every key
    pairs: ByKinds
    orphans: ByKinds
    enumeration: Enumeration
    hand: Hand  # drawn last


class HandsOfSize(Record):
    """The ways to make a tenpai hand of some size."""

    first: Annotated[NDArray[np.float64], KEYS]
    """Ways with each key of the first half and those before it."""
    ways: Annotated[NDArray[np.float64], 3]
    """Ways with sets and a pair, seven pairs, thirteen orphans."""
    tiles: Int8
    sets: Int8


# ---------------------------------------------------------------------------------------------------------
# Counting


@leaf
def choices(there: int, taken: int) -> float:
    """Return the ways to choose some of at most four equal tiles."""
    if taken > there:
        return 0.0
    ways = 1
    for number in range(taken):
        ways = ways * (there - number) // (number + 1)
    return float(ways)


@leaf
def first_kind(suit: int) -> int:
    """Return the first kind of a suit."""
    return 9 * suit


@leaf
def ranks_of(suit: int) -> int:
    """Return the number of kinds of a suit."""
    return 9 if suit < 3 else 7


@rule
def next_set(tenpai: TenpaiHands, suit: int, begins: bool) -> bool:
    """Go on to the next set of at most 13 tiles of a suit that can be chosen, or to the first; False after the last.

    The lowest rank counts up first; a rank at its end is emptied and the one above counts up.
    """
    each = tenpai.enumeration
    ranks = ranks_of(suit)
    rank = 0
    if begins:
        for other in range(9):
            each.held[other] = 0
        each.index[ranks], each.tiles[ranks], each.ways[ranks] = 0, 0, 1.0
        rank = ranks
    else:
        while rank < ranks:
            kind = first_kind(suit) + rank
            held = int(each.held[rank])
            if held < int(tenpai.left[kind]) and int(each.tiles[rank]) < MOST:
                each.held[rank] = held + 1
                break
            each.held[rank] = 0
            rank += 1
        if rank == ranks:
            return False
        rank += 1
    while rank > 0:
        rank -= 1
        kind = first_kind(suit) + rank
        held = int(each.held[rank])
        each.index[rank] = int(each.index[rank + 1]) + held * int(WEIGHTS[kind])
        each.tiles[rank] = int(each.tiles[rank + 1]) + held
        each.ways[rank] = each.ways[rank + 1] * choices(int(tenpai.left[kind]), held)
    return True


@leaf
def key_of_set(tenpai: TenpaiHands, tables: ShantenTables, suit: int) -> int:
    """Return the key of the set of tiles that comes next."""
    index = int(tenpai.enumeration.index[0])
    if suit == 3:
        number = int(tables.honours[index])
    elif suit == 0 and int(tenpai.sanma):
        number = int(tables.ends[index % 5 + 5 * (index // int(WEIGHTS[8]))])
    else:
        number = int(tables.suit[index])
    return int(tenpai.enumeration.tiles[0]) << 8 | number


@rule
def list_keys(tenpai: TenpaiHands, keys: Keys) -> None:
    """List the keys of which there are any, from the ways of all (``dense``)."""
    keys.count = 0
    for key in range(KEYS):
        if key & 255 == 0:
            keys.of_size[key >> 8] = int(keys.count)
        if tenpai.dense[key] > 0:
            keys.keys[int(keys.count)] = key
            keys.ways[int(keys.count)] = tenpai.dense[key]
            keys.count = int(keys.count) + 1
        tenpai.dense[key] = 0.0
    keys.of_size[MOST + 1] = int(keys.count)


@rule
def count_suit(tenpai: TenpaiHands, tables: ShantenTables, suit: int) -> None:
    """Sort the sets of tiles of a suit by key."""
    found = tenpai.suits[suit]
    for key in range(KEYS + 1):
        found.first[key] = 0
    more = next_set(tenpai, suit, True)
    while more:
        found.first[key_of_set(tenpai, tables, suit) + 1] += 1
        more = next_set(tenpai, suit, False)
    for key in range(KEYS):
        found.first[key + 1] += int(found.first[key])
    # Each key's first set moves to its end while the sets are placed, and is moved back.
    more = next_set(tenpai, suit, True)
    while more:
        key = key_of_set(tenpai, tables, suit)
        place = int(found.first[key])
        found.first[key] = place + 1
        found.indices[place] = int(tenpai.enumeration.index[0])
        tenpai.dense[key] += tenpai.enumeration.ways[0]
        found.sums[place] = tenpai.dense[key]
        more = next_set(tenpai, suit, False)
    for key in range(KEYS, 0, -1):
        found.first[key] = int(found.first[key - 1])
    found.first[0] = 0
    list_keys(tenpai, found.keys)


@rule
def count_half(tenpai: TenpaiHands, tables: ShantenTables, half: int) -> None:
    """Count the pairs of sets of two suits by size and joined class."""
    first, second = tenpai.suits[2 * half].keys, tenpai.suits[2 * half + 1].keys
    for one in range(int(first.count)):
        key = int(first.keys[one])
        for other in range(int(second.of_size[MOST + 1 - (key >> 8)])):
            joined = int(tables.joined[(key & 255) << 8 | int(second.keys[other]) & 255])
            size = (key >> 8) + (int(second.keys[other]) >> 8)
            tenpai.dense[size << 8 | joined] += first.ways[one] * second.ways[other]
    list_keys(tenpai, tenpai.halves[half])


@rule
def count_by_kinds(tenpai: TenpaiHands, found: ByKinds, kinds: int, singles: int, pairs: int) -> None:
    """Count hands of some kinds (bits) with given numbers of single tiles and of pairs, besides those counted."""
    area = _WIDTH * _WIDTH
    found.ahead[34 * area + singles * _WIDTH + pairs] = 1.0
    for kind in range(33, -1, -1):
        there = int(tenpai.left[kind]) if kinds >> kind & 1 else 0
        for one in range(_WIDTH):
            for two in range(_WIDTH):
                place = (kind + 1) * area + one * _WIDTH + two
                ways = found.ahead[place]
                if one + 1 < _WIDTH:
                    ways += choices(there, 1) * found.ahead[place + _WIDTH]
                if two + 1 < _WIDTH:
                    ways += choices(there, 2) * found.ahead[place + 1]
                found.ahead[place - area] = ways


@rule
def count_tenpai_hands(tenpai: TenpaiHands, tables: ShantenTables) -> None:
    """Count the parts of hands from the tiles that are left."""
    for place in range(35 * _WIDTH * _WIDTH):
        tenpai.pairs.ahead[place] = 0.0
        tenpai.orphans.ahead[place] = 0.0
    for suit in range(4):
        count_suit(tenpai, tables, suit)
    for half in range(2):
        count_half(tenpai, tables, half)
    count_by_kinds(tenpai, tenpai.pairs, ALL_KINDS, 1, 6)
    count_by_kinds(tenpai, tenpai.orphans, ORPHANS_MASK, 13, 0)
    count_by_kinds(tenpai, tenpai.orphans, ORPHANS_MASK, 11, 1)


@leaf
def is_tenpai(tables: ShantenTables, sets: int, first: int, second: int) -> bool:
    """Return whether two halves with some keys wait for the last tile."""
    return int(tables.missing[(sets << 8 | first & 255) << 8 | second & 255]) == 1


@rule
def count_of_size(tenpai: TenpaiHands, tables: ShantenTables, size: int, found: HandsOfSize) -> None:
    """Count tenpai hands of ``size`` tiles (3n + 1); of thirteen ones also seven pairs and thirteen orphans."""
    found.tiles, found.sets = size, size // 3
    one, two = tenpai.halves[0], tenpai.halves[1]
    total = 0.0
    for number in range(int(one.count)):
        rest = size - (int(one.keys[number]) >> 8)
        if rest >= 0:
            for other in range(int(two.of_size[rest]), int(two.of_size[rest + 1])):
                if is_tenpai(tables, size // 3, int(one.keys[number]), int(two.keys[other])):
                    total += one.ways[number] * two.ways[other]
        found.first[number] = total
    found.ways[0] = total
    found.ways[1] = tenpai.pairs.ahead[0] if size == MOST else 0.0
    found.ways[2] = tenpai.orphans.ahead[0] if size == MOST else 0.0


# ---------------------------------------------------------------------------------------------------------
# Drawing


@leaf
def place_suit(tenpai: TenpaiHands, suit: int, key: int, numbers: RandomNumbers) -> None:
    """Draw a set of tiles of a suit with some key."""
    found = tenpai.suits[suit]
    low, high = int(found.first[key]), int(found.first[key + 1]) - 1
    wanted = next_chance(numbers, Stream.SAMPLES) * found.sums[high]
    while low < high:
        middle = (low + high) // 2
        if found.sums[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    index = int(found.indices[low])
    for rank in range(ranks_of(suit)):
        take_all(tenpai.hand, first_kind(suit) + rank, index % 5)
        index //= 5


@rule
def place_half(tenpai: TenpaiHands, tables: ShantenTables, half: int, number: int, numbers: RandomNumbers) -> None:
    """Draw the tiles of two suits whose key has a number in ``halves``."""
    first, second = tenpai.suits[2 * half].keys, tenpai.suits[2 * half + 1].keys
    key = int(tenpai.halves[half].keys[number])
    wanted = next_chance(numbers, Stream.SAMPLES) * tenpai.halves[half].ways[number]
    one = other = -1
    for mine in range(int(first.count)):
        rest = (key >> 8) - (int(first.keys[mine]) >> 8)
        if rest < 0:
            break
        for theirs in range(int(second.of_size[rest]), int(second.of_size[rest + 1])):
            classes = (int(first.keys[mine]) & 255) << 8 | int(second.keys[theirs]) & 255
            if wanted >= 0 and int(tables.joined[classes]) == key & 255:
                one, other = mine, theirs
                wanted -= first.ways[mine] * second.ways[theirs]
        if wanted < 0:
            break
    place_suit(tenpai, 2 * half, int(first.keys[one]), numbers)
    place_suit(tenpai, 2 * half + 1, int(second.keys[other]), numbers)


@rule
def draw_of_sets(tenpai: TenpaiHands, tables: ShantenTables, of: HandsOfSize, numbers: RandomNumbers) -> None:
    """Draw a hand that waits for sets and a pair."""
    wanted = next_chance(numbers, Stream.SAMPLES) * of.ways[0]
    one, two = tenpai.halves[0], tenpai.halves[1]
    first = 0
    while of.first[first] <= wanted:
        first += 1
    wanted = next_chance(numbers, Stream.SAMPLES) * (of.first[first] - (of.first[first - 1] if first else 0.0))
    rest = int(of.tiles) - (int(one.keys[first]) >> 8)
    second = -1
    for other in range(int(two.of_size[rest]), int(two.of_size[rest + 1])):
        if wanted >= 0 and is_tenpai(tables, int(of.sets), int(one.keys[first]), int(two.keys[other])):
            second = other
            wanted -= one.ways[first] * two.ways[other]
    place_half(tenpai, tables, 0, first, numbers)
    place_half(tenpai, tables, 1, second, numbers)


@rule
def draw_by_kinds(tenpai: TenpaiHands, found: ByKinds, kinds: int, numbers: RandomNumbers) -> None:
    """Draw a hand of no, one or two tiles of each of some kinds (bits)."""
    ones = twos = 0
    for kind in range(34):
        there = int(tenpai.left[kind]) if kinds >> kind & 1 else 0
        place = ((kind + 1) * _WIDTH + ones) * _WIDTH + twos
        none = found.ahead[place]
        one = choices(there, 1) * found.ahead[place + _WIDTH] if there else 0.0
        two = choices(there, 2) * found.ahead[place + 1] if there else 0.0
        wanted = next_chance(numbers, Stream.SAMPLES) * (none + one + two)
        taken = int(wanted >= none) + int(wanted >= none + one)
        take_all(tenpai.hand, kind, taken)
        ones += int(taken == 1)
        twos += int(taken == 2)


@rule
def draw_tenpai_hand(tenpai: TenpaiHands, tables: ShantenTables, of: HandsOfSize, numbers: RandomNumbers) -> bool:
    """Draw a hand into ``tenpai.hand``; return whether it counts.

    A hand of seven pairs or thirteen orphans that is one of sets too does not: it is drawn in that way alone.
    """
    clear_hand(tenpai.hand)
    wanted = next_chance(numbers, Stream.SAMPLES) * (of.ways[0] + of.ways[1] + of.ways[2])
    if wanted < of.ways[0]:
        draw_of_sets(tenpai, tables, of, numbers)
    elif wanted < of.ways[0] + of.ways[1]:
        draw_by_kinds(tenpai, tenpai.pairs, ALL_KINDS, numbers)
    else:
        draw_by_kinds(tenpai, tenpai.orphans, ORPHANS_MASK, numbers)
    sanma = int(tenpai.sanma) == 1
    return wanted < of.ways[0] or standard_shanten(tables, tenpai.hand.concealed, int(of.sets), sanma) != 0

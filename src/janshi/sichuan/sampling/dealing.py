"""Sampling the tiles hidden from one seat, compiled: see `janshi.sichuan.sampling.hidden`.

What is known of the other seats is read from the seat's view and its log. The hidden tiles are dealt to *holders*: 0 to
2, the other seats in their order, and 3, the wall. They are then walked by swaps.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import (
    Batch,
    Int8,
    Int8s,
    Int16,
    Int64,
    Int64s,
    Record,
    Rows,
    batched,
    copy_record,
    entry,
    leaf,
    rule,
)
from janshi.core.random import Stream, below, philox
from janshi.core.shanten_tables import ShantenTables
from janshi.sichuan.hands.concealed import give, holds_void, take, void_shanten
from janshi.sichuan.play.moves import offer_tile, refresh_waits
from janshi.sichuan.play.steps import clear_hand, run
from janshi.sichuan.sampling.fitting import Fitting, fit_tiles
from janshi.sichuan.state import KINDS, TILES, Event, Events, Hand, Phase, State, View

#: Walks by which the weights of the classes are found, their steps in turn, and the steps before a sample.
CHAINS: Final = 64
ROUNDS: Final = (500, 300, 300, 300, 300, 1000)
STEPS: Final = 500
#: Classes of a hand: shanten 0, 1, 2, and more.
CLASSES: Final = 4
#: Number of discards from which on a hand counts as one of the last.
LAST_DISCARDS: Final = 20
#: Hands without and with the exchange, by calls, discards and class.
CELLS: Final = 2 * 5 * (LAST_DISCARDS + 1)
#: The holder that is the wall.
WALL: Final = 3


class Walk(Record):
    """A walk of the hidden tiles of one table among their holders."""

    hands: Annotated[Rows[Hand], 3]
    """Concealed tiles of each other seat; before the walk those that it holds for certain."""
    tiles: Annotated[NDArray[np.int8], TILES]  # the other hidden tiles
    holders: Annotated[NDArray[np.int8], TILES]  # of each of them
    barred: Annotated[NDArray[np.int8], 4]  # suit of which each holder has no tile, −1: none
    calls: Annotated[NDArray[np.int8], 3]  # melds of each other seat
    weights: Annotated[NDArray[np.float64], 3 * CLASSES]  # of the classes of each hand
    visits: Annotated[NDArray[np.int64], 3 * CLASSES]  # steps that each hand was in each class
    classes: Annotated[NDArray[np.int8], 3]
    count: Int16  # tiles


class OtherSeat(Record):
    """What is known of another seat."""

    kept: Annotated[NDArray[np.int8], KINDS]  # tiles that it holds for certain
    seat: Int8
    tiles: Int8  # concealed tiles
    barred: Int8  # the suit of which it holds no tile, −1: none
    void: Int8  # its void suit, −1: unknown
    calls: Int8
    discards: Int8
    won: Int8  # whether it has won


class HandCounts(Record):
    """Numbers of the shipped player's hands, by which sampled hands are as near to ready."""

    counts: Annotated[NDArray[np.int32], CELLS * CLASSES]


class HiddenTable(Record):
    """What is hidden from a seat that decides: see `read_hidden` and `prepare_hidden`."""

    public: View
    events: Events
    others: Annotated[Rows[OtherSeat], 3]
    left: Annotated[NDArray[np.int8], KINDS]  # tiles of each kind that the view does not show
    before: Annotated[NDArray[np.int32], 4]  # points at the deal
    last_kong: Annotated[NDArray[np.int32], 4]  # payment of each seat for the last kong
    drawn: Int8  # tile just drawn by the seat to move; for an added kong the one added if it was drawn
    begun: Walk  # before the tiles are dealt
    walk: Walk  # the last one
    chains: Annotated[NDArray[np.int8], CHAINS * TILES]  # holders from which samples are walked
    fitting: Fitting


class SampleNumbers(Record):
    """Random numbers of a sample."""

    seed: Int64  # of the table
    walk: Int64  # seed of the walk
    chain: Int16  # with which the walk begins
    order: Annotated[NDArray[np.int8], TILES]  # of the wall's tiles
    chances: Annotated[NDArray[np.float64], 3 * KINDS]
    """Of the kinds of each other seat to lie face down: the kind with the largest one does."""


# ---------------------------------------------------------------------------------------------------------
# What the seat has seen


@leaf
def laid_by(event: int) -> int:
    """Return how many tiles leave the hand with an event."""
    if event in (Event.DISCARD, Event.ADDED_KONG):
        return 1
    if event == Event.PUNG:
        return 2
    if event == Event.EXPOSED_KONG:
        return 3
    return 4 if event == Event.CONCEALED_KONG else 0


@rule
def read_other(hidden: HiddenTable, number: int) -> None:
    """Read what is known of another seat."""
    other = hidden.others[number]
    who = number + int(number >= int(hidden.public.seat))
    seat = hidden.public.seats[who]
    other.seat, other.void, other.barred = who, int(seat.void), -1
    other.calls, other.discards, other.won = int(seat.calls), int(seat.discards), int(seat.won) > 0
    other.tiles = 13 - 3 * int(seat.calls)
    for kind in range(KINDS):
        other.kept[kind] = 0
    drawn = 0
    for number_of_row in range(int(hidden.events.count)):
        place = 4 * number_of_row
        event, actor = int(hidden.events.rows[place]), int(hidden.events.rows[place + 1])
        tile, detail = int(hidden.events.rows[place + 2]), int(hidden.events.rows[place + 3])
        if event == Event.GIVE and actor == int(hidden.public.seat) and detail == who:
            other.kept[tile] += 1
        if actor == who and laid_by(event):
            other.kept[tile] -= laid_by(event)
        if actor == who and event == Event.DISCARD and int(seat.void) >= 0 and tile // 9 != int(seat.void):
            other.barred = int(seat.void)
        if actor == who and event == Event.WIN and detail < 0:
            other.tiles = int(other.tiles) + 1
            drawn |= 1 << tile
    for kind in range(KINDS):
        other.kept[kind] = max(int(other.kept[kind]), drawn >> kind & 1)


@rule
def read_payments(hidden: HiddenTable) -> None:
    """Read the points at the deal, and the payments for the last kong."""
    for seat in range(4):
        hidden.before[seat] = int(hidden.public.seats[seat].points)
        hidden.last_kong[seat] = 0
    for number in range(int(hidden.events.count)):
        place = 4 * number
        event, payer = int(hidden.events.rows[place]), int(hidden.events.rows[place + 1])
        receiver, points = int(hidden.events.rows[place + 2]), int(hidden.events.rows[place + 3])
        if Event.EXPOSED_KONG <= event <= Event.ADDED_KONG:
            for seat in range(4):
                hidden.last_kong[seat] = 0
        if event >= Event.WIN_PAY:
            hidden.before[payer] += points
            hidden.before[receiver] -= points
        if event == Event.KONG_PAY:
            hidden.last_kong[payer] = points


@entry
def read_hidden(views: Batch[View], events: Batch[Events], hidden: Batch[HiddenTable]) -> None:
    """Read what a seat has seen; all arrays have one record, and ``hidden`` is written."""
    own = hidden[0]
    copy_record(views[0], own.public)
    copy_record(events[0], own.events)
    for number in range(3):
        read_other(own, number)
    read_payments(own)
    for kind in range(KINDS):
        seen = int(own.public.hand.counts[kind]) + int(int(own.public.hand.laid) == kind)
        for who in range(4):
            seat = own.public.seats[who]
            seen += int(seat.discarded[kind])
            seen += 3 * (int(seat.pungs) >> kind & 1) + 4 * (int(seat.kongs) >> kind & 1)
        own.left[kind] = 4 - seen
    own.drawn = int(own.public.drawn)
    if int(own.public.phase) == Phase.CLAIM:
        last = 4 * (int(own.events.count) - 1)
        added = int(own.events.rows[last]) == Event.ADDED_KONG and int(own.events.rows[last + 3])
        own.drawn = int(own.events.rows[last + 2]) if added else -1


# ---------------------------------------------------------------------------------------------------------
# Walks


@leaf
def class_of(tables: ShantenTables, hand: Hand, calls: int) -> int:
    """Return the class of a hand: its shanten up to `CLASSES` − 1, which is also that of hands with void tiles."""
    if holds_void(hand):
        return CLASSES - 1
    return min(max(void_shanten(tables, hand.concealed, 4 - calls), 0), CLASSES - 1)


@rule
def hand_class(counts: Int8s, tables: ShantenTables, walk: Walk, void: Int8, calls: Int8) -> Int8:
    """Return the class of concealed tiles (27); ``walk`` is scratch memory."""
    clear_hand(walk.hands[0])
    walk.hands[0].void = void
    for kind in range(KINDS):
        for _ in range(int(counts[kind])):
            take(walk.hands[0], kind)
    return class_of(tables, walk.hands[0], calls)


@rule
def replace_tile(tables: ShantenTables, walk: Walk, holder: int, gone: int, come: int) -> float:
    """Replace a tile of a holder; return the weight of its hand's class after over that before."""
    if holder == WALL:
        return 1.0
    give(walk.hands[holder], gone)
    take(walk.hands[holder], come)
    before = int(walk.classes[holder])
    after = class_of(tables, walk.hands[holder], int(walk.calls[holder]))
    walk.classes[holder] = after
    ratio: float = walk.weights[CLASSES * holder + after] / walk.weights[CLASSES * holder + before]
    return ratio


@leaf
def restore(walk: Walk, holder: int, gone: int, come: int, before: int) -> None:
    """Undo `replace_tile`; ``before``: the class before."""
    if holder != WALL:
        give(walk.hands[holder], come)
        take(walk.hands[holder], gone)
        walk.classes[holder] = before


@rule
def walk_tiles(hidden: HiddenTable, tables: ShantenTables, chain: int, seed: int, steps: int) -> None:
    """Try ``steps`` swaps of hidden tiles between their holders in a chain (Metropolis), in ``hidden.walk``."""
    walk = hidden.walk
    copy_record(hidden.begun, walk)
    count = int(walk.count)
    for place in range(count):
        walk.holders[place] = int(hidden.chains[TILES * chain + place])
        if int(walk.holders[place]) != WALL:
            take(walk.hands[int(walk.holders[place])], int(walk.tiles[place]))
    for holder in range(3):
        walk.classes[holder] = class_of(tables, walk.hands[holder], int(walk.calls[holder]))
    for step in range(steps):
        here, there, chance, _ = philox(seed, Stream.PLAY, 0, step)
        one, two = below(here, count), below(there, count)
        mine, other = int(walk.holders[one]), int(walk.holders[two])
        gone, come = int(walk.tiles[one]), int(walk.tiles[two])
        if mine != other and gone != come and come // 9 != walk.barred[mine] and gone // 9 != walk.barred[other]:
            before, others = int(walk.classes[min(mine, 2)]), int(walk.classes[min(other, 2)])
            ratio = replace_tile(tables, walk, mine, gone, come)
            ratio *= replace_tile(tables, walk, other, come, gone)
            if chance < ratio * 4294967296.0:
                walk.holders[one], walk.holders[two] = other, mine
            else:
                restore(walk, mine, gone, come, before)
                restore(walk, other, come, gone, others)
        for holder in range(3):
            walk.visits[CLASSES * holder + int(walk.classes[holder])] += 1


@rule
def weigh_classes(hidden: HiddenTable, counts: HandCounts, visits: Walk) -> None:
    """Multiply the weight of each class by its share among the counted hands over its share among the visits."""
    exchange = int(hidden.public.rules.exchange) != 0
    for number in range(3):
        other = hidden.others[number]
        if int(other.won):
            continue
        cell = (5 * exchange + int(other.calls)) * (LAST_DISCARDS + 1) + min(int(other.discards), LAST_DISCARDS)
        counted = met = 0.0
        for each in range(CLASSES):
            counted += int(counts.counts[CLASSES * cell + each]) + 0.5
            met += int(visits.visits[CLASSES * number + each]) + 1.0
        for each in range(CLASSES):
            place = CLASSES * number + each
            wanted = (int(counts.counts[CLASSES * cell + each]) + 0.5) / counted
            hidden.begun.weights[place] *= wanted / ((int(visits.visits[place]) + 1.0) / met)


@rule
def deal_evenly(hidden: HiddenTable) -> int:
    """Find holders of the hidden tiles; return 1, 0 if none fit, or −1 for a contradiction."""
    walk, fitting = hidden.begun, hidden.fitting
    walk.count, fitting.holders = 0, 4
    wanted = int(hidden.public.left)
    fitting.sizes[WALL] = wanted
    walk.barred[WALL] = -1
    for number in range(3):
        other = hidden.others[number]
        walk.barred[number], walk.calls[number] = int(other.barred), int(other.calls)
        clear_hand(walk.hands[number])
        walk.hands[number].void = int(other.void)
        size = int(other.tiles)
        for kind in range(KINDS):
            for _ in range(int(other.kept[kind])):
                take(walk.hands[number], kind)
                size -= 1
        fitting.sizes[number] = size
        wanted += size
    for kind in range(KINDS):
        there = int(hidden.left[kind])
        for number in range(3):
            there -= int(hidden.others[number].kept[kind])
        if there < 0:
            return -1
        for _ in range(there):
            place = int(walk.count)
            walk.tiles[place] = kind
            for holder in range(4):
                fitting.fits[TILES * holder + place] = int(kind // 9 != int(walk.barred[holder]))
            walk.count = place + 1
    fitting.tiles = int(walk.count)
    if int(walk.count) != wanted:
        return -1
    return int(fit_tiles(fitting))


@entry
def prepare_hidden(
    tables: Batch[ShantenTables], counts: Batch[HandCounts], hidden: Batch[HiddenTable], seeds: Int64s
) -> int:
    """Find the weights under which hands are as near to ready as the shipped player's.

    Returns 1, 0 if no hands fit, or −1 if the view and the log contradict each other. All records are single ones.

    Args:
        tables: of shanten.
        counts: of the shipped player's hands.
        hidden: of `read_hidden`, written.
        seeds: of all walks (`CHAINS` for each of `ROUNDS`).
    """
    own = hidden[0]
    dealt = deal_evenly(own)
    if dealt < 1:
        return int(dealt)
    for place in range(3 * CLASSES):
        own.begun.weights[place] = 1.0
    for chain in range(CHAINS):
        for place in range(int(own.begun.count)):
            own.chains[TILES * chain + place] = int(own.fitting.given[place])
    for number in range(len(ROUNDS)):
        for place in range(3 * CLASSES):
            own.begun.visits[place] = 0
        for chain in range(CHAINS):
            walk_tiles(own, tables[0], chain, int(seeds[CHAINS * number + chain]), ROUNDS[number])
            for place in range(int(own.begun.count)):
                own.chains[TILES * chain + place] = int(own.walk.holders[place])
            # The next walk goes on counting.
            for place in range(3 * CLASSES):
                own.begun.visits[place] = int(own.walk.visits[place])
        if number:
            weigh_classes(own, counts[0], own.begun)
    return 1


# ---------------------------------------------------------------------------------------------------------
# Samples


@rule
def lay_down(hand: Hand, number: int, numbers: SampleNumbers) -> None:
    """Void the suit of which a hand has the fewest tiles, and lay one of them face down, if there is one."""
    suit, fewest = 0, TILES
    for each in range(3):
        size = 0
        for kind in range(9 * each, 9 * each + 9):
            size += int(hand.counts[kind])
        if size < fewest:
            suit, fewest = each, size
    hand.void = suit
    best = -1.0
    for kind in range(9 * suit, 9 * suit + 9):
        chance = float(numbers.chances[KINDS * number + kind])
        if int(hand.counts[kind]) and chance > best:
            hand.laid, best = kind, chance
    if int(hand.laid) >= 0:
        give(hand, int(hand.laid))


@rule
def sample_table(state: State, tables: ShantenTables, hidden: HiddenTable, numbers: SampleNumbers) -> None:
    """Write a table with sampled tiles; in `Phase.CLAIM` all seats are asked about the tile again."""
    view, walk = hidden.public, hidden.walk
    walk_tiles(hidden, tables, int(numbers.chain), int(numbers.walk), STEPS)
    copy_record(view, state)
    state.hand_number, state.legal, state.drawn = int(view.hand_number), int(view.legal), int(hidden.drawn)
    state.seed, state.next = int(numbers.seed), TILES - int(view.left)
    # Of the walk's tiles those of the wall come first.
    count = 0
    for place in range(int(walk.count)):
        if int(walk.holders[place]) == WALL:
            walk.tiles[count] = int(walk.tiles[place])
            count += 1
    for place in range(count):
        state.wall[TILES - count + place] = int(walk.tiles[int(numbers.order[place])])
    for place in range(4 * int(hidden.events.count)):
        state.log[place] = int(hidden.events.rows[place])
    state.logged = int(hidden.events.count)
    for seat in range(4):
        state.before[seat], state.last_kong[seat] = int(hidden.before[seat]), int(hidden.last_kong[seat])
    copy_record(view.hand, state.hands[int(view.seat)])
    for number in range(3):
        who = int(hidden.others[number].seat)
        hand = state.hands[who]
        clear_hand(hand)
        for kind in range(KINDS):
            for _ in range(int(walk.hands[number].counts[kind])):
                take(hand, kind)
        if int(hidden.others[number].void) < 0:
            lay_down(hand, number, numbers)
        else:
            hand.void = int(hidden.others[number].void)
        hand.shanten = 1
        refresh_waits(state, tables, who)
    if int(state.phase) == Phase.CLAIM:
        run(state, tables, int(offer_tile(state, int(state.tile), int(state.claimed))))


@entry
def sample_hidden(
    states: Batch[State], tables: Batch[ShantenTables], hidden: Batch[HiddenTable], numbers: Batch[SampleNumbers]
) -> None:
    """Sample tables at the decision.

    Args:
        states: tables (n), all zeros.
        tables: of shanten (1).
        hidden: of `prepare_hidden` (1).
        numbers: random numbers of each table (n).
    """
    for row in range(len(numbers)):
        sample_table(states[row], tables[0], hidden[0], numbers[row])


hand_classes = batched(hand_class)

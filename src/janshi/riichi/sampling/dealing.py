"""Sampling the tiles hidden from one seat, table by table, compiled: see `janshi.riichi.sampling.hidden`.

A sample is a *label* for every slot of the wall whose tile the seat has not seen there: the number of an unseen tile,
or, from the number of these on, a tile that is known to have lain in some slot of a seat.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int8, Int16Rows, Int16s, Int64s, Record, Rows, copy_record, entry, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.core.random import RandomNumbers, Stream, next_below, next_chance, next_seed
from janshi.core.shanten import waits_mask
from janshi.core.shanten_tables import ShantenTables
from janshi.riichi.play.steps import HandStart, begin_given_hand
from janshi.riichi.sampling.following import Followed, follow
from janshi.riichi.sampling.progress import WAITS, People, progress_cell, wait_class, write_shares
from janshi.riichi.sampling.seen import SLOTS, KnownTiles, Seen, read_seen
from janshi.riichi.sampling.tenpai import (
    HandsOfSize,
    TenpaiHands,
    choices,
    count_of_size,
    count_tenpai_hands,
    draw_tenpai_hand,
)
from janshi.riichi.sampling.walking import CHAINS, STEPS, Chains, Walk, find_weights, walk_hands
from janshi.riichi.state import Events, State, View

#: How often the hand of each of several seats in riichi is drawn again.
_SWEEPS: Final = 3
#: Tenpai hands by which the classes of waits of even hands are counted.
_POOL: Final = 4096
#: Share of a class among even hands below which it is rare.
_RARE: Final = 0.02
#: Walks for the weights that begin with the same hands of several seats in riichi, which take long to draw.
_TOGETHER: Final = 8
#: Attempts of a sample after which nothing fits.
_ROUNDS: Final = 200
#: Hands drawn for a seat in riichi after which none fits.
_DRAWS: Final = 4096


class InRiichi(Record):
    """The hands of a seat in riichi."""

    ways: HandsOfSize
    kept: Annotated[NDArray[np.float64], WAITS + 1]  # shares of the even hands of each class of waits that are kept
    held: Annotated[NDArray[np.int8], 34]  # the hand of the sample


class Hidden(Record):
    """What is hidden from a seat that decides: see `prepare_hidden`."""

    public: View
    seen: Seen
    riichi: Annotated[Rows[InRiichi], 4]  # by seat
    walk: Walk
    chains: Chains
    table: State  # the decision with sampled tiles; the hands are those of the last walk
    start: HandStart  # workspace of `deal_labels`
    numbers: RandomNumbers
    contents: Annotated[NDArray[np.int16], SLOTS]  # workspace: labels of a seat's slots
    order: Annotated[NDArray[np.int8], 3]  # the other seats in the order of the walk's labels, those in riichi first
    others: Int8
    in_riichi: Int8
    walks: Int8  # whether hands are walked


# ---------------------------------------------------------------------------------------------------------
# Seats in riichi


@rule
def riichi_class(hidden: Hidden, tables: ShantenTables, tenpai: TenpaiHands, who: int) -> int:
    """Return the class of the waits of the hand drawn last, `WAITS` if furiten; −1 if it does not fit what was seen."""
    seat, known, rules = hidden.public.seats[who], hidden.seen.known[who], hidden.public.rules
    mask = waits_mask(tables, tenpai.hand.concealed, int(hidden.riichi[who].ways.sets), int(rules.players) == 3)
    possible = mask
    if not int(rules.karaten_is_tenpai):
        for number in range(int(seat.calls)):
            possible &= ~(1 << int(seat.melds[number].kind))
    if possible == 0:
        return -1
    furiten = mask & int(known.before) != 0
    if mask & int(known.after) or (not furiten and mask & int(seat.passed)):
        return -1
    return WAITS if furiten else int(wait_class(mask))


@rule
def draw_riichi_hand(hidden: Hidden, tables: ShantenTables, tenpai: TenpaiHands, who: int) -> bool:
    """Draw a hand of a seat in riichi beside those of the others; return whether one was found."""
    for _ in range(_DRAWS):
        if draw_tenpai_hand(tenpai, tables, hidden.riichi[who].ways, hidden.numbers):
            number = riichi_class(hidden, tables, tenpai, who)
            kept = hidden.riichi[who].kept[number] if number >= 0 else 0.0
            for kind in range(34):
                taken = int(tenpai.hand.counts[kind])
                if taken:
                    there = int(tenpai.left[kind])
                    beside = 0
                    for seat in range(4):
                        beside += int(hidden.riichi[seat].held[kind]) if seat != who else 0
                    kept *= choices(there - beside, taken) / choices(there, taken)
            if next_chance(hidden.numbers, Stream.SAMPLES) < kept:
                for kind in range(34):
                    hidden.riichi[who].held[kind] = int(tenpai.hand.counts[kind])
                return True
    return False


@rule
def draw_riichi_hands(hidden: Hidden, tables: ShantenTables, tenpai: TenpaiHands) -> bool:
    """Draw the hands of all seats in riichi; return False if some leave none for another.

    Of several seats each in turn is drawn again beside the others' (Gibbs sampling).
    """
    count = int(hidden.in_riichi)
    for seat in range(4):
        for kind in range(34):
            hidden.riichi[seat].held[kind] = 0
    for sweep in range(1 + (_SWEEPS if count > 1 else 0)):
        for number in range(count):
            # A hand from before fits too. How often it stays depends on the others' hands alone.
            if not draw_riichi_hand(hidden, tables, tenpai, int(hidden.order[number])) and sweep == 0:
                return False
    return True


@rule
def find_kept(hidden: Hidden, tables: ShantenTables, tenpai: TenpaiHands, people: People, who: int) -> None:
    """Find the shares of the even hands that are kept, so that hands have the waits of people's."""
    own = hidden.riichi[who]
    total = 0.0
    for number in range(WAITS + 1):
        own.kept[number] = 1.0
        total += int(people.riichi[number])
    drawn = float(WAITS + 1)
    for _ in range(_POOL):
        if draw_tenpai_hand(tenpai, tables, own.ways, hidden.numbers):
            found = riichi_class(hidden, tables, tenpai, who)
            if found >= 0:
                own.kept[found] += 1.0
                drawn += 1.0
    most = 0.0
    for number in range(WAITS + 1):
        common = own.kept[number] / drawn >= _RARE
        own.kept[number] = int(people.riichi[number]) / total / (own.kept[number] / drawn)
        most = max(most, own.kept[number] if common else 0.0)
    for number in range(WAITS + 1):
        # Hands of a rare class are all kept, as waiting for enough of them would take too long.
        own.kept[number] = min(1.0, own.kept[number] / most)


# ---------------------------------------------------------------------------------------------------------
# Labels


@leaf
def swap_labels(walk: Walk, one: int, other: int) -> None:
    """Swap two labels."""
    walk.labels[one], walk.labels[other] = int(walk.labels[other]), int(walk.labels[one])


@leaf
def shuffle_labels(hidden: Hidden, first: int) -> None:
    """Shuffle the labels from a place on."""
    for place in range(int(hidden.walk.count) - 1, first, -1):
        swap_labels(hidden.walk, place, first + next_below(hidden.numbers, Stream.SAMPLES, place + 1 - first))


@rule
def deal_evenly(hidden: Hidden, tables: ShantenTables, tenpai: TenpaiHands) -> bool:
    """Sample the owners of the unseen tiles evenly; return False if no hands of the seats in riichi fit.

    Hands of seats in riichi may still not fit a kan made since.
    """
    walk = hidden.walk
    for place in range(int(walk.count)):
        walk.labels[place] = place
    shuffle_labels(hidden, 0)
    if int(hidden.in_riichi) and not draw_riichi_hands(hidden, tables, tenpai):
        return False
    first = 0
    for number in range(int(hidden.in_riichi)):
        held = hidden.riichi[int(hidden.order[number])].held
        for place in range(int(walk.count)):
            kind = kind_of_tile(int(walk.tiles[int(walk.labels[place])]))
            if place >= first and int(held[kind]):
                held[kind] -= 1
                swap_labels(walk, place, first)
                first += 1
    # Of equal tiles the first ones were taken: the others must not lie later than the rest.
    shuffle_labels(hidden, first)
    return True


@rule
def lay_in_slots(hidden: Hidden, known: KnownTiles, first: int, labels: Int16s) -> None:
    """Lay the tiles that a seat conceals and those that left its hand into its slots, each way alike.

    A tile that left lay among the first slots up to some number; as these numbers only grow, each is as free to choose
    a slot whatever those before it chose.
    """
    count, contents = int(hidden.walk.count), hidden.contents
    for slot in range(int(known.count)):
        contents[slot] = count + int(known.tiles[slot]) if int(known.tiles[slot]) >= 0 else -1
    for number in range(int(known.leaving)):
        free = 0
        for slot in range(int(known.among[number])):
            free += int(int(contents[slot]) < 0)
        chosen = next_below(hidden.numbers, Stream.SAMPLES, free)
        slot = 0
        while chosen > 0 or int(contents[slot]) >= 0:
            chosen -= int(int(contents[slot]) < 0)
            slot += 1
        contents[slot] = count + int(known.gone[number])
    for slot in range(int(known.count)):
        if int(contents[slot]) < 0:
            contents[slot] = int(hidden.walk.labels[first])
            first += 1
        labels[int(known.slots[slot])] = int(contents[slot])


@rule
def lay_labels(hidden: Hidden, labels: Int16s) -> None:
    """Lay the walk's labels into the slots (136)."""
    for slot in range(136):
        labels[slot] = -1
    first = 0
    for number in range(int(hidden.others)):
        known = hidden.seen.known[int(hidden.order[number])]
        lay_in_slots(hidden, known, first, labels)
        first += int(known.concealed)
    for number in range(int(hidden.seen.places_count)):
        labels[int(hidden.seen.places[number])] = int(hidden.walk.labels[first + number])


@rule
def deal_labels(state: State, tables: ShantenTables, hidden: Hidden, labels: Int16s, seed: int) -> None:
    """Deal the hand from a wall with the tiles of labels (136), and continue to its first decision."""
    copy_record(hidden.seen.start, hidden.start)
    count = int(hidden.seen.count)
    for slot in range(136):
        label = int(labels[slot])
        if label >= 0:
            hidden.start.wall[slot] = int(hidden.seen.unseen[label]) if label < count else label - count
    copy_record(hidden.public, state)
    state.seed = seed
    begin_given_hand(state, tables, hidden.start)


# ---------------------------------------------------------------------------------------------------------
# Samples


@rule
def sample_table(
    state: State, tables: ShantenTables, tenpai: TenpaiHands, hidden: Hidden, labels: Int16s, seed: int
) -> bool:
    """Sample the hidden tiles of a table at the decision, and their labels (136); return whether some fit."""
    hidden.numbers.seed, hidden.numbers.count = seed, 0
    for _ in range(_ROUNDS):
        if deal_evenly(hidden, tables, tenpai):
            if int(hidden.walks):
                walk_hands(hidden.table, tables, hidden.walk, next_seed(hidden.numbers, Stream.SAMPLES), STEPS)
            lay_labels(hidden, labels)
            deal_labels(state, tables, hidden, labels, next_seed(hidden.numbers, Stream.SAMPLES))
            log, until = hidden.seen.events, int(hidden.seen.events.count)
            if follow(state, tables, log, int(hidden.seen.seat), until) == Followed.TO_ITS_END:
                return True
    return False


@rule
def order_seats(hidden: Hidden) -> None:
    """Order the other seats, the next one first but those in riichi before all."""
    players = int(hidden.public.rules.players)
    for riichi in range(1, -1, -1):
        for step in range(1, players):
            seat = (int(hidden.seen.seat) + step) % players
            if int(hidden.seen.known[seat].riichi) == riichi:
                hidden.order[int(hidden.others)] = seat
                hidden.others = int(hidden.others) + 1
        if riichi:
            hidden.in_riichi = int(hidden.others)


@rule
def prepare_walk(hidden: Hidden, tables: ShantenTables, tenpai: TenpaiHands, people: People) -> None:
    """Find the weights of the walk of the hands of seats that are not in riichi."""
    first = in_riichi = 0
    for number in range(int(hidden.others)):
        seat = int(hidden.order[number])
        last = first + int(hidden.seen.known[seat].concealed)
        if number < int(hidden.in_riichi):
            in_riichi = last
        else:
            hidden.walk.bounds[2 * seat], hidden.walk.bounds[2 * seat + 1] = first, last
            write_shares(people, int(progress_cell(hidden.table, seat)), seat, hidden.walk.people)
        first = last
    for chain in range(CHAINS):
        if int(hidden.in_riichi) > 1 and chain % _TOGETHER:
            shuffle_labels(hidden, in_riichi)
        else:
            fits = deal_evenly(hidden, tables, tenpai)
            while not fits:
                fits = deal_evenly(hidden, tables, tenpai)
        for place in range(int(hidden.walk.count)):
            hidden.chains.labels[136 * chain + place] = int(hidden.walk.labels[place])
    find_weights(hidden.table, tables, hidden.walk, hidden.chains, hidden.numbers)
    hidden.walks = 1


@entry
def prepare_hidden(
    tables: Batch[ShantenTables],
    views: Batch[View],
    events: Batch[Events],
    people: Batch[People],
    tenpai: Batch[TenpaiHands],
    hidden: Batch[Hidden],
    labels: Int16Rows,
    evenly: bool,
) -> int:
    """Prepare samples of what is hidden from a seat; return 1, or 0 if no sample fits.

    All arrays have one record.

    Args:
        tables: of shanten.
        views: of the seat.
        events: the log of the hand as visible to the seat.
        people: how close to winning people's hands are.
        tenpai: written if another seat is in riichi.
        hidden: written; all zeros before.
        labels: workspace (136).
        evenly: leave hands as even samples are.
    """
    own = hidden[0]
    copy_record(views[0], own.public)
    copy_record(views[0], own.table)
    read_seen(views[0], events[0], own.table, own.seen)
    own.walk.count = int(own.seen.count)
    for place in range(int(own.seen.count)):
        own.walk.tiles[place] = int(own.seen.unseen[place])
    order_seats(own)
    if int(own.in_riichi):
        for kind in range(34):
            tenpai[0].left[kind] = int(own.seen.left[kind])
        tenpai[0].sanma = int(int(own.public.rules.players) == 3)
        count_tenpai_hands(tenpai[0], tables[0])
    for number in range(int(own.in_riichi)):
        seat = int(own.order[number])
        riichi = own.riichi[seat]
        count_of_size(tenpai[0], tables[0], int(own.seen.known[seat].concealed), riichi.ways)
        if riichi.ways.ways[0] + riichi.ways.ways[1] + riichi.ways.ways[2] == 0:
            return 0
        if evenly:
            for each in range(WAITS + 1):
                riichi.kept[each] = 1.0
        else:
            find_kept(own, tables[0], tenpai[0], people[0], seat)
    if not sample_table(own.table, tables[0], tenpai[0], own, labels[0], 0):
        return 0
    if int(own.in_riichi) < int(own.others) and not evenly:
        prepare_walk(own, tables[0], tenpai[0], people[0])
    return 1


@entry
def sample_hidden(
    states: Batch[State],
    tables: Batch[ShantenTables],
    tenpai: Batch[TenpaiHands],
    hidden: Batch[Hidden],
    labels: Int16Rows,
    seeds: Int64s,
) -> int:
    """Sample tables at the decision; return how many were sampled, less than all if none fits any more.

    Args:
        states: tables (n), all zeros.
        tables: of shanten (1).
        tenpai: of `prepare_hidden` (1).
        hidden: of `prepare_hidden` (1).
        labels: labels of the slots (n, 136), written.
        seeds: seed of each table (n).
    """
    for row in range(len(seeds)):
        if not sample_table(states[row], tables[0], tenpai[0], hidden[0], labels[row], int(seeds[row])):
            return row
    return len(seeds)


@entry
def deal_hidden(
    states: Batch[State], tables: Batch[ShantenTables], hidden: Batch[Hidden], labels: Int16Rows, seeds: Int64s
) -> None:
    """Deal tables (n) by labels (n, 136): see `deal_labels`."""
    for row in range(len(seeds)):
        deal_labels(states[row], tables[0], hidden[0], labels[row], int(seeds[row]))

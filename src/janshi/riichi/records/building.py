"""Hands from plain rows, compiled: the rule by which the readers of records know what a row means.

A reader writes what a record says as rows of eight numbers:

====== =======================================================================================================
column what
====== =======================================================================================================
0      `Event`, or `SET` for a set by Tenhou's 16-bit code
1      seat that acts
2      tile (0–36), or −1 where it follows; the low byte of the code of a `SET`
3      seat that a called tile comes from, else −1; the high byte of the code of a `SET`
4–7    tiles that a call or closed kan lays down from the hand, padded with −1; a closed kan may leave them out.
       `Event.DISCARD`: column 4 is a `DrawnTile`. `Event.DORA`: column 4 is a `Turned`
====== =======================================================================================================

`add_row` finds the ids of the tiles, follows what every seat holds, and refuses what cannot be (`RowFault`). Where
`Building.exact`, the rows contain ids instead of tiles. Riichi is accepted at the latest by the next draw or call.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import (
    Batch,
    Int8,
    Int16,
    Int16Rows,
    Int16s,
    Int32,
    Int32s,
    Int64,
    Record,
    Rows,
    entry,
    leaf,
    rule,
)
from janshi.core.kinds import kind_of_tile
from janshi.riichi.state import Ending, Event
from janshi.tiles import IDS, NORTH

#: Event of a row that is a set by Tenhou's code.
SET: Final = 11
#: Columns of a row, in the order of `janshi.riichi.records.model.RecordedHand.events`.
COLUMNS: Final = 8
#: Most rows of a hand.
MOST_ROWS: Final = 512
#: Draws, replacements included, after which a hand has run out: with three players, with four.
FULL_DRAWS: Final = (55, 70)
#: Most points that anybody gets for readiness.
_MOST_FOR_TENPAI: Final = 3000


class DrawnTile(IntEnum):
    """What a row says of a discard: whether it is the tile just drawn."""

    NO = 0
    YES = 1
    IF_EQUAL = 2  # it is, if it has the same face


class Turned(IntEnum):
    """Where an indicator was turned over."""

    HERE = 0
    BEFORE_DISCARD = 1  # before the latest discard
    AFTER_KAN = 2  # before the latest discard or, behind a kan, before the replacement draw


class RowFault(IntEnum):
    """Fault of a row; its text has the fields of `Building` that begin with ``fault_``."""

    text: str

    def __new__(cls, number: int, text: str = "") -> RowFault:
        """Create a member from its number and text."""
        fault = int.__new__(cls, number)
        fault._value_ = number
        fault.text = text
        return fault

    NONE = 0, ""
    TOO_MANY = 1, "too many tiles {tile}"
    SHORT_DEAL = 2, "seat {seat} is dealt {number} tiles, not 13"
    NO_SEAT = 3, "seat {seat} in a game of {number}"
    AFTER_END = 4, "events follow the end of the hand"
    WRONG_DRAW = 5, "seat {seat} draws with {number} concealed tiles, not {other}"
    EARLY_DISCARD = 6, "seat {seat} discards without a draw or call"
    NOT_HELD = 7, "seat {seat} uses {tile}, which is not in its hand"
    NOT_DRAWN = 8, "seat {seat} discards {tile} by tsumogiri, but has not drawn it"
    NOT_OFFERED = 9, "seat {seat} calls {tile}, which is not the last discard of seat {other}"
    NO_SET = 10, "{tile} and the tiles laid down by seat {seat} are not a {event}"
    NO_PON = 11, "seat {seat} adds {tile} to a missing pon"
    NO_TILE = 12, "{number} is not the number of a tile"
    NO_CODE = 13, "{number} is not the code of a set"
    MANY_REDS = 14, "{number} red fives of a suit: ids allow only one"
    TOO_LONG = 15, "more than {number} events in one hand"
    NO_EVENT = 16, "{number} is not the number of an event"


class Holder(Record):
    """What a seat holds."""

    ids: Annotated[NDArray[np.uint8], 16]  # of its concealed tiles, ascending
    count: Int8
    sets: Int8  # sets that it has laid down
    pons: Int64  # mask of the kinds of its pons


class Building(Record):
    """A hand as the rows of a record tell it."""

    rows: Annotated[NDArray[np.int16], MOST_ROWS * COLUMNS]  # by ids, as in `RecordedHand.events`
    deal: Annotated[NDArray[np.uint8], 52]  # ids dealt, 13 for each seat
    tiles: Annotated[NDArray[np.int8], IDS]  # tile (0–36) of each id in play, −1 for the others
    reds: Annotated[NDArray[np.int8], 3]  # red fives of each suit
    seats: Annotated[Rows[Holder], 4]
    count: Int16  # number of rows
    players: Int8
    exact: Int8  # whether rows contain ids
    indicator: Int16  # id of the first dora indicator
    indicators: Int8  # dora indicators turned over
    ura: Annotated[NDArray[np.uint8], 10]  # ids of the ura indicators
    uras: Int8
    drawn: Int16  # id drawn last, while its owner may discard it, else −1
    offered: Int16  # id that others may claim, −1 for none
    offerer: Int8
    declared: Int8  # seat whose riichi is not yet accepted, −1 for none
    accepted: Int8  # number of riichi accepted
    riichi: Annotated[NDArray[np.int8], 4]  # seats whose riichi was accepted, in order
    over: Int8  # whether the hand has an end, set by the reader
    reason: Int8  # `Ending` of a drawn hand by `conclude`
    shown: Int8  # bits of the seats whose hands are shown then, −1 if unknown
    fault: Int8  # `RowFault`
    fault_seat: Int16
    fault_tile: Int8
    fault_event: Int8
    fault_number: Int32
    fault_other: Int32


# ---------------------------------------------------------------------------------------------------------
# Ids


@rule
def refuse(hand: Building, fault: int, seat: int, tile: int, number: int, other: int) -> bool:
    """Write a fault; return False."""
    hand.fault = fault
    hand.fault_seat = seat
    hand.fault_tile = tile
    hand.fault_number = number
    hand.fault_other = other
    return False


@leaf
def face_of(hand: Building, identity: int) -> int:
    """Return the tile (0–36) of an id."""
    kind = identity // 4
    if identity % 4 == 0 and kind < 27 and kind % 9 == 4 and int(hand.reds[kind // 9]):
        return 34 + kind // 9
    return kind


@rule
def new_id(hand: Building, tile: int) -> int:
    """Return the id of a tile that turns up, where rows contain ids the number itself; −1 with a fault for none."""
    if int(hand.exact):
        if tile < 0 or tile >= IDS:
            refuse(hand, RowFault.NO_TILE, -1, -1, tile, -1)
            return -1
        hand.tiles[tile] = face_of(hand, tile)
        return tile
    if tile < 0 or tile >= 37:
        refuse(hand, RowFault.NO_TILE, -1, -1, tile, -1)
        return -1
    kind = kind_of_tile(tile)
    for identity in range(4 * kind, 4 * kind + 4):
        absent = int(hand.players) == 3 and 1 <= kind <= 7
        if int(hand.tiles[identity]) < 0 and face_of(hand, identity) == tile and not absent:
            hand.tiles[identity] = tile
            return identity
    refuse(hand, RowFault.TOO_MANY, -1, tile, -1, -1)
    return -1


@rule
def take_id(seat: Holder, identity: int) -> None:
    """Add an id to the concealed tiles of a seat."""
    place = int(seat.count)
    while place > 0 and int(seat.ids[place - 1]) > identity:
        seat.ids[place] = int(seat.ids[place - 1])
        place -= 1
    seat.ids[place] = identity
    seat.count += 1


@rule
def give_id(seat: Holder, identity: int) -> None:
    """Remove an id from the concealed tiles of a seat."""
    place = 0
    while int(seat.ids[place]) != identity:
        place += 1
    for number in range(place, int(seat.count) - 1):
        seat.ids[number] = int(seat.ids[number + 1])
    seat.count -= 1


@rule
def held_id(hand: Building, seat: int, tile: int, spare: int) -> int:
    """Return the id of a tile that a seat holds, not ``spare`` where there is another; −1 with a fault for none."""
    found = -1
    for number in range(int(hand.seats[seat].count)):
        identity = int(hand.seats[seat].ids[number])
        fits = identity == tile if int(hand.exact) else int(hand.tiles[identity]) == tile
        if fits and (found < 0 or found == spare):
            found = identity
    if found < 0:
        shown = tile
        if int(hand.exact) and 0 <= tile < IDS:
            shown = face_of(hand, tile)
        refuse(hand, RowFault.NOT_HELD, seat, shown, -1, -1)
    return found


# ---------------------------------------------------------------------------------------------------------
# Sets by Tenhou's code


@rule
def write_set(hand: Building, code: int, who: int, row: Int16s) -> bool:
    """Write the row of ids of a set by its 16-bit code; return whether it is one."""
    discarder = code & 3
    for column in range(COLUMNS):
        row[column] = -1
    row[1] = who
    if code & 0x4:
        first = (code >> 10) // 3
        kind = first // 7 * 9 + first % 7
        called = (code >> 10) % 3
        column = 4
        for step in range(3):
            identity = 4 * (kind + step) + (code >> (3 + 2 * step) & 3)
            if step == called:
                row[2] = identity
            else:
                row[column] = identity
                column += 1
        row[0] = Event.CHII
        if first > 20 or discarder != 3:
            return refuse(hand, RowFault.NO_CODE, who, -1, code, -1)
    elif code & 0x18:
        kind = (code >> 9) // 3
        fourth = 4 * kind + (code >> 5 & 3)
        if kind > 33 or discarder == 0:
            return refuse(hand, RowFault.NO_CODE, who, -1, code, -1)
        if code & 0x10 and not code & 0x8:
            row[0] = Event.KAKAN
            row[2] = fourth
            row[4] = fourth
            return True
        row[0] = Event.PON
        column = 4
        number = 0
        for identity in range(4 * kind, 4 * kind + 4):
            if identity != fourth:
                if number == (code >> 9) % 3:
                    row[2] = identity
                else:
                    row[column] = identity
                    column += 1
                number += 1
    else:
        tile = code >> 8
        if tile >= IDS:
            return refuse(hand, RowFault.NO_CODE, who, -1, code, -1)
        row[2] = tile
        if code & 0x20:
            row[0] = Event.KITA
            row[4] = tile
            return True
        row[0] = Event.DAIMINKAN if discarder else Event.ANKAN
        column = 4
        for identity in range(tile // 4 * 4, tile // 4 * 4 + 4):
            if identity != tile or discarder == 0:
                row[column] = identity
                column += 1
    if discarder:
        row[3] = (who + discarder) % 4
    return True


# ---------------------------------------------------------------------------------------------------------
# Events


@leaf
def between_turns(hand: Building, seat: int) -> int:
    """Return the number of concealed tiles of a seat between its turns."""
    return 13 - 3 * int(hand.seats[seat].sets)


@rule
def write_row(hand: Building, event: int, seat: int, tile: int, from_who: int, detail: int) -> None:
    """Add a row of ids; the columns from 5 on are empty."""
    first = COLUMNS * int(hand.count)
    for column in range(5, COLUMNS):
        hand.rows[first + column] = -1
    hand.rows[first] = event
    hand.rows[first + 1] = seat
    hand.rows[first + 2] = tile
    hand.rows[first + 3] = from_who
    hand.rows[first + 4] = detail
    hand.count += 1


@rule
def accept_riichi(hand: Building) -> None:
    """Accept the last declaration of riichi, if any."""
    if int(hand.declared) >= 0:
        write_row(hand, Event.ACCEPTED, int(hand.declared), -1, -1, -1)
        if int(hand.accepted) < 4:
            hand.riichi[int(hand.accepted)] = int(hand.declared)
            hand.accepted += 1
    hand.declared = -1


@rule
def add_draw(hand: Building, seat: int, tile: int) -> bool:
    """Add a draw from the wall or of a replacement tile."""
    held = int(hand.seats[seat].count)
    if held != between_turns(hand, seat):
        return refuse(hand, RowFault.WRONG_DRAW, seat, -1, held, between_turns(hand, seat))
    identity = new_id(hand, tile)
    if identity < 0:
        return False
    accept_riichi(hand)
    write_row(hand, Event.DRAW, seat, identity, -1, -1)
    take_id(hand.seats[seat], identity)
    hand.drawn = identity
    hand.offered = -1
    hand.offerer = -1
    return True


@rule
def add_discard(hand: Building, seat: int, tile: int, how: int) -> bool:
    """Add a discard; ``how``: a `DrawnTile`."""
    if int(hand.seats[seat].count) != between_turns(hand, seat) + 1:
        return refuse(hand, RowFault.EARLY_DISCARD, seat, -1, -1, -1)
    drawn = int(hand.drawn)
    face = face_of(hand, tile) if int(hand.exact) and 0 <= tile < IDS else tile
    fits = drawn >= 0 and (drawn == tile if int(hand.exact) else int(hand.tiles[drawn]) == tile)
    fits = fits and held_at(hand.seats[seat], drawn)
    identity = drawn
    if how == DrawnTile.YES and not fits:
        return refuse(hand, RowFault.NOT_DRAWN, seat, face, -1, -1)
    if how == DrawnTile.NO or not fits:
        identity = held_id(hand, seat, tile, drawn)
    if identity < 0:
        return False
    write_row(hand, Event.DISCARD, seat, identity, -1, 1 if identity == drawn else 0)
    give_id(hand.seats[seat], identity)
    hand.drawn = -1
    hand.offered = identity
    hand.offerer = seat
    return True


@rule
def held_at(seat: Holder, identity: int) -> bool:
    """Return whether a seat holds an id."""
    found = False
    for number in range(int(seat.count)):
        found = found or int(seat.ids[number]) == identity
    return found


@rule
def add_indicator(hand: Building, tile: int, turned: int) -> bool:
    """Add a dora indicator; ``turned``: a `Turned`."""
    identity = new_id(hand, tile)
    if identity < 0:
        return False
    number = int(hand.count)
    write_row(hand, Event.DORA, -1, identity, -1, -1)
    hand.indicators += 1
    if turned == Turned.HERE:
        return True
    while number > 0 and is_discard(int(hand.rows[COLUMNS * (number - 1)])):
        swap_rows(hand, number)
        number -= 1
    if turned == Turned.AFTER_KAN and number == int(hand.count) - 1 and number > 1:
        before = int(hand.rows[COLUMNS * (number - 2)])
        if int(hand.rows[COLUMNS * (number - 1)]) == Event.DRAW and is_replaced(before):
            swap_rows(hand, number)
    return True


@leaf
def is_discard(event: int) -> bool:
    """Return whether an event is a discard or the riichi that belongs to it."""
    return event == Event.DISCARD or event == Event.RIICHI or event == Event.ACCEPTED


@leaf
def is_replaced(event: int) -> bool:
    """Return whether a replacement draw follows an event; an indicator may stand between."""
    return Event.DAIMINKAN <= event <= Event.KITA or event == Event.DORA


@rule
def swap_rows(hand: Building, number: int) -> None:
    """Exchange a row and the one before it."""
    for column in range(COLUMNS * number, COLUMNS * (number + 1)):
        before = int(hand.rows[column - COLUMNS])
        hand.rows[column - COLUMNS] = int(hand.rows[column])
        hand.rows[column] = before


@rule
def is_set(hand: Building, event: int, called: int, row: Int16s) -> bool:
    """Return whether a called tile (−1 for none) and the tiles laid down in a row are the set of an event."""
    low = 99
    high = -1
    total = 0
    count = 0
    for column in range(3, COLUMNS):
        tile = called if column == 3 else int(row[column])
        if tile < 0:
            continue
        kind = tile // 4 if int(hand.exact) else kind_of_tile(tile)
        low = min(low, kind)
        high = max(high, kind)
        total += kind
        count += 1
    if event == Event.CHII:
        return count == 3 and high == low + 2 and total == 3 * low + 3 and high < 27 and low // 9 == high // 9
    return count == (3 if event == Event.PON else 4) and low == high


@rule
def complete_kan(hand: Building, seat: int, row: Int16s) -> bool:
    """Write all tiles of a kind that a seat holds into the row of a closed kan that names one of them."""
    named = int(row[2])
    if named < 0 or named >= (IDS if int(hand.exact) else 37):
        return refuse(hand, RowFault.NO_TILE, seat, -1, named, -1)
    kind = named // 4 if int(hand.exact) else kind_of_tile(named)
    column = 4
    for number in range(int(hand.seats[seat].count)):
        identity = int(hand.seats[seat].ids[number])
        if identity // 4 == kind and column < COLUMNS:
            row[column] = identity if int(hand.exact) else int(hand.tiles[identity])
            column += 1
    return True


@rule
def lay_set(hand: Building, event: int, seat: int, row: Int16s) -> bool:
    """Add a call, a kan or a kita."""
    tile = int(row[2])
    from_who = int(row[3])
    claimed = Event.CHII <= event <= Event.DAIMINKAN
    offered = int(hand.offered)
    holder = hand.seats[seat]
    face = face_of(hand, tile) if int(hand.exact) and 0 <= tile < IDS else tile
    if claimed:
        fits = offered >= 0 and (offered if int(hand.exact) else int(hand.tiles[offered])) == tile
        if not fits or int(hand.offerer) != from_who or seat == from_who:
            return refuse(hand, RowFault.NOT_OFFERED, seat, face, -1, from_who)
    elif event == Event.KITA or event == Event.KAKAN:
        for column in range(5, COLUMNS):
            row[column] = -1
        row[4] = NORTH if event == Event.KITA and not int(hand.exact) else tile
    if event == Event.KAKAN:
        kind = -1
        if tile >= 0:
            kind = tile // 4 if int(hand.exact) else kind_of_tile(tile)
        if kind < 0 or not int(holder.pons) >> kind & 1:
            return refuse(hand, RowFault.NO_PON, seat, face, -1, -1)
    if event == Event.ANKAN and int(row[4]) < 0 and not complete_kan(hand, seat, row):
        return False
    if event <= Event.ANKAN and not is_set(hand, event, tile if claimed else -1, row):
        hand.fault_event = event
        return refuse(hand, RowFault.NO_SET, seat, face, -1, -1)
    accept_riichi(hand)
    laid = 0
    for column in range(4, COLUMNS):
        if int(row[column]) >= 0:
            identity = held_id(hand, seat, int(row[column]), -1)
            if identity < 0:
                return False
            give_id(holder, identity)
            place = 4 + laid
            while place > 4 and int(row[place - 1]) > identity:
                row[place] = int(row[place - 1])
                place -= 1
            row[place] = identity
            laid += 1
    write_laid(hand, event, seat, row, laid)
    return True


@rule
def write_laid(hand: Building, event: int, seat: int, row: Int16s, laid: int) -> None:
    """Write the row of a set, whose ids are laid down in ascending order, and what it changes."""
    holder = hand.seats[seat]
    lowest = int(row[4])
    named = int(row[2]) if int(hand.exact) and event == Event.ANKAN else lowest
    if event != Event.KITA and event != Event.KAKAN:
        holder.sets += 1
    if event == Event.PON:
        holder.pons |= 1 << lowest // 4
    first = COLUMNS * int(hand.count)
    if Event.CHII <= event <= Event.DAIMINKAN:
        write_row(hand, event, seat, int(hand.offered), int(hand.offerer), lowest)
        hand.drawn = -1
        hand.offered = -1
        hand.offerer = -1
    else:
        write_row(hand, event, seat, named, -1, lowest)
        hand.offered = named
        hand.offerer = seat
    for number in range(1, laid):
        hand.rows[first + 4 + number] = int(row[4 + number])
        if event == Event.ANKAN and int(hand.drawn) == int(row[4 + number]):
            hand.offered = int(hand.drawn)
    if event == Event.ANKAN and int(hand.drawn) == lowest:
        hand.offered = lowest


@rule
def add_given(hand: Building, row: Int16s) -> bool:
    """Add one row; return False with a fault if it cannot be. The row is changed."""
    if int(hand.count) + 2 > MOST_ROWS:
        return refuse(hand, RowFault.TOO_LONG, -1, -1, MOST_ROWS - 2, -1)
    event = int(row[0])
    seat = int(row[1])
    if event == Event.ACCEPTED and int(hand.declared) < 0:
        return True
    if int(hand.over):
        return refuse(hand, RowFault.AFTER_END, -1, -1, -1, -1)
    if event == Event.ACCEPTED:
        accept_riichi(hand)
        return True
    if event == Event.DORA:
        return add_indicator(hand, int(row[2]), int(row[4]))
    if seat < 0 or seat >= int(hand.players):
        return refuse(hand, RowFault.NO_SEAT, seat, -1, int(hand.players), -1)
    if event == SET:
        if not write_set(hand, (int(row[3]) & 255) << 8 | int(row[2]) & 255, seat, row):
            return False
        event = int(row[0])
    if event == Event.DRAW:
        return add_draw(hand, seat, int(row[2]))
    if event == Event.DISCARD:
        return add_discard(hand, seat, int(row[2]), int(row[4]))
    if event == Event.RIICHI:
        write_row(hand, Event.RIICHI, seat, -1, -1, -1)
        hand.declared = seat
        return True
    if event < 0 or event > Event.KITA:
        return refuse(hand, RowFault.NO_EVENT, seat, -1, event, -1)
    return lay_set(hand, event, seat, row)


# ---------------------------------------------------------------------------------------------------------
# Called by Python and by the page


@entry(brief=True)
def begin_building(hands: Batch[Building], deal: Int16Rows, indicator: int) -> int:
    """Begin a hand, whose ``players``, ``reds`` and ``exact`` are set, with the seats' tiles (players, 13).

    Return its fault.
    """
    hand = hands[0]
    for identity in range(IDS):
        hand.tiles[identity] = -1
    hand.drawn = -1
    hand.offered = -1
    hand.offerer = -1
    hand.declared = -1
    hand.indicators = 1
    hand.fault = RowFault.NONE
    for suit in range(3):
        if int(hand.reds[suit]) > 1 and (suit or int(hand.players) == 4):
            refuse(hand, RowFault.MANY_REDS, -1, -1, int(hand.reds[suit]), -1)
            return int(hand.fault)
    hand.indicator = new_id(hand, indicator)
    for seat in range(int(hand.players)):
        for number in range(13):
            identity = new_id(hand, int(deal[seat, number]))
            if int(hand.fault):
                return int(hand.fault)
            hand.deal[13 * seat + number] = identity
            take_id(hand.seats[seat], identity)
    return int(hand.fault)


@entry(brief=True)
def add_rows(hands: Batch[Building], rows: Int16Rows) -> int:
    """Add rows (n, 8), which are changed; return their number, or that of those before the first fault."""
    for number in range(len(rows)):
        if not add_given(hands[0], rows[number]):
            return number
    return len(rows)


@entry(brief=True)
def show_ura(hands: Batch[Building], tiles: Int16s) -> int:
    """Add the ura indicators, which only the first call does; return the fault."""
    hand = hands[0]
    if int(hand.uras) == 0:
        for number in range(min(len(tiles), 10)):
            identity = new_id(hand, int(tiles[number]))
            if identity < 0:
                return int(hand.fault)
            hand.ura[number] = identity
            hand.uras += 1
    return 0


@entry(brief=True)
def conclude(hands: Batch[Building], deltas: Int32s, ending: int) -> None:
    """Write the ``reason`` of a hand without a winner and the seats ``shown`` into it.

    ``ending`` is the `Ending` that the record names, −1 if it names none, ``deltas`` (players,) are the payments.
    """
    hand = hands[0]
    if ending != Ending.TRIPLE_RON:
        accept_riichi(hand)
    reason = ending if ending >= 0 else reason_of(hand, deltas)
    hand.reason = reason
    everybody = (1 << int(hand.players)) - 1
    shown = 0
    if reason == Ending.EXHAUSTIVE:
        paid = False
        for seat in range(int(hand.players)):
            paid = paid or int(deltas[seat]) != 0
            if int(deltas[seat]) > 0:
                shown |= 1 << seat
        shown = shown if paid else -1
    elif reason == Ending.KYUUSHU_KYUUHAI:
        last = int(hand.rows[COLUMNS * (int(hand.count) - 1) + 1])
        shown = 1 << last if int(hand.count) and last >= 0 else -1
    elif reason == Ending.FOUR_RIICHI:
        shown = everybody
    elif reason == Ending.TRIPLE_RON:
        shown = everybody & ~(1 << int(hand.offerer)) if int(hand.offerer) >= 0 else everybody
    elif reason == Ending.NAGASHI_MANGAN:
        shown = -1
    hand.shown = shown


@rule
def reason_of(hand: Building, deltas: Int32s) -> int:
    """Return the reason of a drawn hand as far as it follows from the events."""
    draws = 0
    discards = 0
    kans = 0
    most = 0
    for number in range(int(hand.count)):
        event = int(hand.rows[COLUMNS * number])
        draws += 1 if event == Event.DRAW else 0
        discards += 1 if event == Event.DISCARD else 0
        kans += 1 if Event.DAIMINKAN <= event <= Event.KAKAN else 0
    for seat in range(int(hand.players)):
        most = max(most, int(deltas[seat]))
    if draws >= FULL_DRAWS[int(hand.players) - 3]:
        return Ending.NAGASHI_MANGAN if most > _MOST_FOR_TENPAI else Ending.EXHAUSTIVE
    if int(hand.count) and int(hand.rows[COLUMNS * (int(hand.count) - 1)]) == Event.DRAW:
        return Ending.KYUUSHU_KYUUHAI
    if int(hand.accepted) == int(hand.players):
        return Ending.FOUR_RIICHI
    if kans == 4:
        return Ending.FOUR_KANS
    return Ending.FOUR_WINDS if discards == int(hand.players) else Ending.TRIPLE_RON

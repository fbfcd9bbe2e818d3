"""The order of a hand whose record lists the events of every seat by themselves (tenhou.net/6), compiled.

How the lists interleave must be found: a call says whom it is from, and where several discards fit, the one is right
with which every list is used up.
"""

from __future__ import annotations

from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int8, Int16, Int16Rows, Int16s, Record, entry, rule
from janshi.riichi.records.building import COLUMNS, MOST_ROWS, DrawnTile
from janshi.riichi.state import Ending, Event

#: Results of `order_rows` below 0, in words in `FAULTS`.
NO_ORDER: Final = -1
OUT_OF_PATIENCE: Final = -2
TSUMOGIRI_AFTER_CALL: Final = -3
TOO_LONG: Final = -4
#: The reasons by their number, counted from −1 down.
FAULTS: Final = (
    "no order of draws, calls and discards is consistent",
    "no consistent order of draws, calls and discards was found in reasonable time",
    "tsumogiri after a call",
    "more events in one hand than any has",
)
#: Steps tried before the search is given up; a hand has about 70.
PATIENCE: Final = 50_000


class Ordering(Record):
    """What decides the order of a hand, and the search for it.

    A step is one row of a seat that takes a tile (draw or call) with the one behind it that gives one away, if any.
    """

    takes: Annotated[NDArray[np.int16], MOST_ROWS]  # row that takes, by step
    acts: Annotated[NDArray[np.int16], MOST_ROWS]  # row that gives, −1 for none
    order: Annotated[NDArray[np.int16], MOST_ROWS]  # steps in the order found
    lengths: Annotated[NDArray[np.int16], MOST_ROWS]  # by open choice: steps before it
    choices: Annotated[NDArray[np.int16], MOST_ROWS]  # … and the seats still to try
    first: Annotated[NDArray[np.int16], 5]  # first step of each seat
    nexts: Annotated[NDArray[np.int16], 4]  # next step of each seat
    count: Int16  # steps in ``order``
    open: Int16  # number of open choices
    shown: Int8  # dora indicators turned over
    players: Int8
    dealer: Int8
    at_once: Int8  # whether the indicator of an open kan is turned over at once
    ending: Int8  # `Ending`; a win is `Ending.RON`, self-drawn or not
    winner: Int8  # the first one, and whose tile it takes
    discarder: Int8


@rule
def read_steps(ordering: Ordering, rows: Int16Rows) -> None:
    """Find the steps of every seat in the rows, which stand seat by seat."""
    step = -1
    seat = 0
    for number in range(len(rows)):
        while seat < int(rows[number, 1]):
            seat += 1
            ordering.first[seat] = step + 1
        event = int(rows[number, 0])
        if event == Event.DRAW or Event.CHII <= event <= Event.DAIMINKAN:
            step += 1
            ordering.takes[step] = number
            ordering.acts[step] = -1
        else:
            ordering.acts[step] = number
    while seat < 4:
        seat += 1
        ordering.first[seat] = step + 1
    for each in range(4):
        ordering.nexts[each] = int(ordering.first[each])


@rule
def act_of(ordering: Ordering, rows: Int16Rows, step: int) -> int:
    """Return the event of a step that gives a tile away; −1 for none."""
    row = int(ordering.acts[step])
    return int(rows[row, 0]) if row >= 0 else -1


@rule
def goes_on(ordering: Ordering, rows: Int16Rows, step: int) -> bool:
    """Return whether the same seat draws next."""
    act = act_of(ordering, rows, step)
    return int(rows[int(ordering.takes[step]), 0]) == Event.DAIMINKAN or Event.ANKAN <= act <= Event.KITA


@rule
def given_tile(ordering: Ordering, rows: Int16Rows, step: int) -> int:
    """Return the tile that a step gives away; the drawn one where its row says so."""
    row = int(ordering.acts[step])
    tile = int(rows[row, 2])
    return tile if tile >= 0 else int(rows[int(ordering.takes[step]), 2])


@rule
def draws_next(ordering: Ordering, rows: Int16Rows, seat: int) -> bool:
    """Return whether the next step of a seat is a draw."""
    step = int(ordering.nexts[seat])
    return step < int(ordering.first[seat + 1]) and int(rows[int(ordering.takes[step]), 0]) == Event.DRAW


@rule
def seats_after(ordering: Ordering, rows: Int16Rows, seat: int) -> int:
    """Return the seats that may act after a seat's latest step, the likeliest lowest: four bits each, seat + 1."""
    step = int(ordering.nexts[seat]) - 1
    if goes_on(ordering, rows, step):
        return seat + 1 if draws_next(ordering, rows, seat) else 0
    if int(ordering.acts[step]) < 0:
        return 0
    tile = given_tile(ordering, rows, step)
    seats = 0
    shift = 0
    for runs in range(2):
        for other in range(int(ordering.players)):
            after = int(ordering.nexts[other])
            if other == seat or after >= int(ordering.first[other + 1]):
                continue
            row = int(ordering.takes[after])
            event = int(rows[row, 0])
            if event == Event.DRAW or int(rows[row, 2]) != tile or int(rows[row, 3]) != seat:
                continue
            if (event == Event.CHII) == (runs == 1):
                seats |= other + 1 << shift
                shift += 4
    turn = (seat + 1) % int(ordering.players)
    return seats | turn + 1 << shift if draws_next(ordering, rows, turn) else seats


@rule
def is_end(ordering: Ordering, rows: Int16Rows) -> bool:
    """Return whether every list is used up and the last step fits the result."""
    for seat in range(int(ordering.players)):
        if int(ordering.nexts[seat]) != int(ordering.first[seat + 1]):
            return False
    if int(ordering.count) == 0:
        return False
    step = int(ordering.order[int(ordering.count) - 1])
    seat = int(rows[int(ordering.takes[step]), 1])
    stops = int(ordering.acts[step]) < 0
    if int(ordering.ending) == Ending.RON:
        self_draw = int(ordering.winner) == int(ordering.discarder)
        return seat == int(ordering.discarder) and stops == self_draw
    # Kyuushu kyuuhai, which may have the name of any draw, are declared on a draw; all else ends with another act.
    first = int(ordering.ending) == Ending.EXHAUSTIVE and step == int(ordering.first[seat])
    return stops == (int(ordering.ending) == Ending.KYUUSHU_KYUUHAI) or first


@rule
def search(ordering: Ordering, rows: Int16Rows, patience: int) -> int:
    """Find the order of the steps; return 0, or why there is none."""
    dealer = int(ordering.dealer)
    ordering.count = 0
    ordering.open = 0
    if len(rows) == 0:
        return 0
    seats = dealer + 1 if int(ordering.first[dealer]) < int(ordering.first[dealer + 1]) else 0
    for _ in range(patience):
        if seats == 0 and is_end(ordering, rows):
            return 0
        while seats == 0:
            if int(ordering.open) == 0:
                return NO_ORDER
            ordering.open -= 1
            length = int(ordering.lengths[int(ordering.open)])
            seats = int(ordering.choices[int(ordering.open)])
            while int(ordering.count) > length:
                ordering.count -= 1
                step = int(ordering.order[int(ordering.count)])
                ordering.nexts[int(rows[int(ordering.takes[step]), 1])] = step
        seat = (seats & 15) - 1
        if seats >> 4:
            ordering.lengths[int(ordering.open)] = int(ordering.count)
            ordering.choices[int(ordering.open)] = seats >> 4
            ordering.open += 1
        ordering.order[int(ordering.count)] = int(ordering.nexts[seat])
        ordering.count += 1
        ordering.nexts[seat] += 1
        seats = seats_after(ordering, rows, seat)
    return OUT_OF_PATIENCE


@rule
def put_row(rows: Int16Rows, place: int, event: int, seat: int, tile: int) -> int:
    """Write a row with empty columns; return the number of the next one."""
    for column in range(COLUMNS):
        rows[place, column] = -1
    rows[place, 0] = event
    rows[place, 1] = seat
    rows[place, 2] = tile
    return place + 1


@rule
def turn_over(ordering: Ordering, doras: Int16s, count: int, ordered: Int16Rows, place: int) -> int:
    """Write rows of so many further indicators, as far as the list has them; return the number of the next row."""
    for _ in range(count):
        if int(ordering.shown) < len(doras):
            place = put_row(ordered, place, Event.DORA, -1, int(doras[int(ordering.shown)]))
            ordered[place - 1, 4] = 0
            ordering.shown += 1
    return place


@rule
def copy_row(rows: Int16Rows, row: int, ordered: Int16Rows, place: int) -> int:
    """Copy a row; return the number of the next one."""
    for column in range(COLUMNS):
        ordered[place, column] = int(rows[row, column])
    return place + 1


@entry(brief=True)
def order_rows(orderings: Batch[Ordering], rows: Int16Rows, doras: Int16s, patience: int, ordered: Int16Rows) -> int:
    """Write the rows of a hand in their order, with its indicators and riichi; return their number.

    ``rows`` (n, 8) stand seat by seat and are those of `janshi.riichi.records.building`; of a discard, tile −1 is the
    drawn one, and column 5 is 1 where riichi is declared. ``doras`` are all indicators. ``ordered`` has room for three
    times as many rows and ten. Returns a number below 0 if there is no order.
    """
    ordering = orderings[0]
    if len(rows) > MOST_ROWS:
        return TOO_LONG
    read_steps(ordering, rows)
    fault = search(ordering, rows, patience)
    if fault < 0:
        return fault
    place = 0
    pending = 0
    ordering.shown = 1
    for number in range(int(ordering.count)):
        step = int(ordering.order[number])
        take, act = int(ordering.takes[step]), int(ordering.acts[step])
        place = copy_row(rows, take, ordered, place)
        kan = act_of(ordering, rows, step)
        if goes_on(ordering, rows, step):
            # Indicators of earlier open kans are turned over now, a closed kan's own at once.
            if act >= 0:
                place = copy_row(rows, act, ordered, place)
            is_open = kan == Event.KAKAN or kan < 0
            pending += 1 if kan == Event.ANKAN or (is_open and int(ordering.at_once)) else 0
            place = turn_over(ordering, doras, pending, ordered, place)
            pending = 1 if is_open and not int(ordering.at_once) else 0
        elif act >= 0:
            place = turn_over(ordering, doras, pending, ordered, place)
            pending = 0
            seat = int(rows[act, 1])
            if int(rows[act, 5]) == 1:
                place = put_row(ordered, place, Event.RIICHI, seat, -1)
            if int(rows[act, 4]) == DrawnTile.YES and int(rows[take, 0]) != Event.DRAW:
                return TSUMOGIRI_AFTER_CALL
            place = copy_row(rows, act, ordered, place)
            ordered[place - 1, 2] = given_tile(ordering, rows, step)
            ordered[place - 1, 5] = -1
            last = number == int(ordering.count) - 1
            won = int(ordering.winner) != int(ordering.discarder) or int(ordering.ending) == Ending.TRIPLE_RON
            if int(rows[act, 5]) == 1 and not (last and won):
                place = put_row(ordered, place, Event.ACCEPTED, seat, -1)
    return place

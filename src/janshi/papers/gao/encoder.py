"""The planes of the `gao` thesis: 34 kinds × 4, cell k of a row being 1 where at least k of that tile are there.

A plane is kept as four masks of kinds, and a network lays them out as (planes, 34, 4). Players stand in the order own,
next, opposite, previous. Source: S. Gao's master thesis (University of Tokyo, 2019), tables 4.1, 5.1 and 6.1.

=============== =============================================================================================
encoder         planes
=============== =============================================================================================
gao-56          own hand 1, red fives 1, discards 4, calls 4, dora indicators 1, riichi of the others 3, round
                wind 1, own wind 1; past situation 1: own hand, discards, calls, indicators, riichi (13); past
                situations 2, 3, 4: own hand, discards, calls (9 each)
gao-68          the same with rank 4 and hand number 8 before the winds
gao-86          gao-68 with past situations 5 and 6
gao-sequence    22 steps, the situations of the own discard decisions of the hand in their order, the present one
                last; 16 planes each: own hand, discards, calls, indicators, riichi, red fives, winds. Steps that
                there are not are zeros at the end; of a longer hand the last 22 are shown
=============== =============================================================================================

Our readings where the thesis is open: a claimed discard lies in the caller's plane alone; past situation k is the table
at the k-th last discard decision of the player, zeros if there was none; the rank is that at the start of the hand,
equal points ranked by seat; West counts as South 4. Past situations are found by undoing the log of the hand, from the
present backwards.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import Int64s, leaf, rule
from janshi.core.kinds import ALL_KINDS, kind_of_tile
from janshi.encoders.base import Encoder
from janshi.riichi.actions import Action
from janshi.riichi.state import DiscardFlag, Event, Events, MeldForm, View

#: Masks of a plane; players.
CELLS: Final = 4
_SEATS: Final = 4

# The planes of a situation as they stand in a past one and in a step: own hand, discards, calls, indicators, riichi.
_HAND: Final = 0
_DISCARDS: Final = 1
_CALLS: Final = 5
_INDICATORS: Final = 9
_RIICHI: Final = 10
_SITUATION: Final = 13
#: Planes of an older past situation: own hand, discards, calls.
_SHORT: Final = 9

#: Planes of the present on the table; of rank and hand number.
_PRESENT: Final = 16
_RANKS: Final = 4
_HANDS: Final = 8
_OFF_TABLE: Final = _RANKS + _HANDS

#: Steps of a sequence: the longest hand of the thesis. Planes of a step.
STEPS: Final = 22
STEP: Final = 16
_RED_FIVES: Final = 13
_WINDS: Final = 14


# ---------------------------------------------------------------------------------------------------------
# Tiles in a plane


@leaf
def add_tile(columns: Int64s, plane: int, kind: int) -> None:
    """Put one more tile of a kind into a plane: the first empty cell of its row is filled."""
    bit = 1 << kind
    first = CELLS * plane
    columns[first + 3] |= columns[first + 2] & bit
    columns[first + 2] |= columns[first + 1] & bit
    columns[first + 1] |= columns[first] & bit
    columns[first] |= bit


@leaf
def remove_tile(columns: Int64s, plane: int, kind: int) -> None:
    """Take one tile of a kind out of a plane: the last full cell of its row is emptied."""
    bit = 1 << kind
    first = CELLS * plane
    columns[first] &= ~bit | columns[first + 1]
    columns[first + 1] &= ~bit | columns[first + 2]
    columns[first + 2] &= ~bit | columns[first + 3]
    columns[first + 3] &= ~bit


@leaf
def fill_plane(columns: Int64s, plane: int, kinds: int) -> None:
    """Fill whole rows of a plane."""
    for cell in range(CELLS):
        columns[CELLS * plane + cell] = kinds


@leaf
def copy_planes(columns: Int64s, source: int, target: int, planes: int) -> None:
    """Copy planes of one situation to another place."""
    for cell in range(CELLS * planes):
        columns[CELLS * target + cell] = columns[CELLS * source + cell]


# ---------------------------------------------------------------------------------------------------------
# The present


@leaf
def tile_of_meld(form: int, low: int, index: int) -> int:
    """Kind of a tile of a meld."""
    return low + index if form == MeldForm.CHII else low


@rule
def write_situation(view: View, columns: Int64s, first: int) -> None:
    """Write own hand, discards, calls, dora indicators and riichi of the others as planes from ``first`` on."""
    own = int(view.seat)
    for cell in range(CELLS):
        columns[CELLS * (first + _HAND) + cell] = int(view.hand.concealed.held[cell + 1])
    for step in range(_SEATS):
        seat = view.seats[(own + step) % _SEATS]
        for number in range(int(seat.discards)):
            if not int(seat.marks[number]) & DiscardFlag.CALLED:
                add_tile(columns, first + _DISCARDS + step, kind_of_tile(int(seat.river[number])))
        for number in range(int(seat.calls)):
            meld = seat.melds[number]
            form = int(meld.form)
            tiles = 3 if form == MeldForm.CHII or form == MeldForm.PON else 4
            for index in range(tiles):
                add_tile(columns, first + _CALLS + step, tile_of_meld(form, int(meld.kind), index))
        if step and int(seat.riichi):
            fill_plane(columns, first + _RIICHI + step - 1, ALL_KINDS)
    for number in range(int(view.shown)):
        add_tile(columns, first + _INDICATORS, kind_of_tile(int(view.indicators[number])))


@leaf
def red_rows(reds: int) -> int:
    """Kinds of the red fives of a hand, counted in four bits a suit."""
    rows = 0
    for suit in range(3):
        if reds >> 4 * suit & 15:
            rows |= 1 << 4 + 9 * suit
    return rows


@leaf
def reds_in_hand(view: View) -> int:
    """Red fives of the own hand, counted in four bits a suit."""
    return int(view.hand.reds[0]) | int(view.hand.reds[1]) << 4 | int(view.hand.reds[2]) << 8


@leaf
def write_winds(view: View, columns: Int64s, first: int) -> None:
    """Write round wind and own wind as two planes."""
    fill_plane(columns, first, 1 << 27 + int(view.kyoku) // 4)
    fill_plane(columns, first + 1, 1 << 27 + (int(view.seat) - int(view.dealer)) % _SEATS)


@leaf
def points_at_start(view: View, seat: int) -> int:
    """Points of a seat when the hand began: its riichi stick was laid down since."""
    return int(view.seats[seat].points) + (1000 if int(view.seats[seat].accepted) else 0)


@leaf
def write_off_table(view: View, columns: Int64s, first: int) -> None:
    """Write the own rank at the start of the hand and the hand number: planes of all zeros or all ones."""
    own = int(view.seat)
    rank = 0
    for seat in range(_SEATS):
        ahead = points_at_start(view, seat) - points_at_start(view, own)
        if ahead > 0 or (ahead == 0 and seat < own):
            rank += 1
    fill_plane(columns, first + rank, ALL_KINDS)
    fill_plane(columns, first + _RANKS + min(int(view.kyoku), _HANDS - 1), ALL_KINDS)


# ---------------------------------------------------------------------------------------------------------
# The past: events undone


@leaf
def reds_laid_down(view: View, event: int, tile: int, action: int) -> int:
    """Red fives that an own call took out of the hand, counted in four bits a suit."""
    kind = kind_of_tile(tile)
    if kind >= 27:
        return 0
    suit = kind // 9
    red_called = 1 if tile >= 34 else 0
    if event == Event.CHII:
        number = 1 if action >= Action.CHII_RED else 0
    elif event == Event.PON:
        number = action - Action.PON
    elif event == Event.KAKAN:
        number = red_called
    else:  # a kan of fives takes every red one that there is
        number = int(view.rules.red_fives[suit]) - (red_called if event == Event.DAIMINKAN else 0)
        if kind != 4 + 9 * suit:
            number = 0
    return number << 4 * suit


@rule
def undo_call(view: View, columns: Int64s, first: int, event: int, step: int, tile: int, action: int) -> None:
    """Undo a call or kan of the player ``step`` seats ahead: its tiles leave the calls, own ones return to the hand."""
    kind = kind_of_tile(tile)
    form = MeldForm.CHII if event == Event.CHII else MeldForm.PON
    low = kind - (action - Action.CHII) % 3 if event == Event.CHII else kind
    count = 3 if event == Event.CHII or event == Event.PON else 4
    if event == Event.KAKAN:
        count = 1
    claimed = event == Event.CHII or event == Event.PON or event == Event.DAIMINKAN
    for index in range(count):
        remove_tile(columns, first + _CALLS + step, tile_of_meld(form, low, index))
        if step == 0:
            add_tile(columns, first + _HAND, tile_of_meld(form, low, index))
    if step == 0 and claimed:
        remove_tile(columns, first + _HAND, kind)


@leaf
def undo_indicators(events: Events, columns: Int64s, first: int, number: int, shown: bool) -> int:
    """Undo indicators that were turned with discard ``number``, after it was decided; return the number before them."""
    while number > 0 and int(events.rows[4 * (number - 1)]) == Event.DORA:
        number -= 1
        if shown:
            remove_tile(columns, first + _INDICATORS, kind_of_tile(int(events.rows[4 * number + 2])))
    return number


@rule
def undo_to_discard(
    view: View, events: Events, columns: Int64s, first: int, after: int, reds: int, riichi: bool
) -> tuple[int, int]:
    """Undo events until the player's last discard before event ``after`` is undone.

    The planes from ``first`` on become what the player saw when deciding it. Returns the number of that event, −1
    where the player had not discarded, and the red fives of the hand. ``riichi``: there are planes of indicators and
    riichi.
    """
    own = int(view.seat)
    claimed = False
    for number in range(after - 1, -1, -1):
        event, tile = int(events.rows[4 * number]), int(events.rows[4 * number + 2])
        seat, action = int(events.rows[4 * number + 1]), int(events.rows[4 * number + 3])
        step = (seat - own) % _SEATS
        if event == Event.DISCARD:
            # A claimed tile lies in the caller's plane and has left it when the call was undone.
            if not claimed:
                remove_tile(columns, first + _DISCARDS + step, kind_of_tile(tile))
            claimed = False
            if step == 0:
                add_tile(columns, first + _HAND, kind_of_tile(tile))
                if tile >= 34:
                    reds += 1 << 4 * (tile - 34)
                return undo_indicators(events, columns, first, number, riichi), reds
        elif event == Event.DRAW:
            if step == 0:
                remove_tile(columns, first + _HAND, kind_of_tile(tile))
                if tile >= 34:
                    reds -= 1 << 4 * (tile - 34)
        elif event == Event.DORA:
            if riichi:
                remove_tile(columns, first + _INDICATORS, kind_of_tile(tile))
        elif event == Event.RIICHI:
            if riichi and step:
                fill_plane(columns, first + _RIICHI + step - 1, 0)
        elif event != Event.ACCEPTED:
            undo_call(view, columns, first, event, step, tile, action)
            claimed = event != Event.ANKAN and event != Event.KAKAN
            if step == 0:
                reds += reds_laid_down(view, event, tile, action)
    return -1, reds


@rule
def write_past(view: View, events: Events, columns: Int64s, first: int, past: int) -> None:
    """Write past situations from plane ``first`` on, where the first one holds the present as `write_situation` does.

    That becomes past situation 1, with indicators and riichi; the others follow without them.
    """
    number = int(events.count)
    target, source = first, first
    planes = _SITUATION
    for situation in range(past):
        if number >= 0:
            if situation:
                copy_planes(columns, source, target, _SHORT)
            number = undo_to_discard(view, events, columns, target, number, 0, situation == 0)[0]
        if number < 0:
            for cell in range(CELLS * planes):
                columns[CELLS * target + cell] = 0
        source = target
        target += planes
        planes = _SHORT


# ---------------------------------------------------------------------------------------------------------
# The encoders


@rule
def write_planes(view: View, events: Events, columns: Int64s, off_table: bool, past: int) -> None:
    """Write the planes of tables 4.1 and 6.1."""
    winds = _PRESENT - 2 + (_OFF_TABLE if off_table else 0)
    before = winds + 2
    write_situation(view, columns, before)
    copy_planes(columns, before, 0, 1)
    fill_plane(columns, 1, red_rows(reds_in_hand(view)))
    copy_planes(columns, before + _DISCARDS, 2, _SITUATION - 1)
    if off_table:
        write_off_table(view, columns, _PRESENT - 2)
    write_winds(view, columns, winds)
    write_past(view, events, columns, before, past)


@rule
def write_gao_56(view: View, events: Events, columns: Int64s) -> None:
    """Write the planes of table 4.1."""
    write_planes(view, events, columns, False, 4)


@rule
def write_gao_68(view: View, events: Events, columns: Int64s) -> None:
    """Write the planes of table 6.1."""
    write_planes(view, events, columns, True, 4)


@rule
def write_gao_86(view: View, events: Events, columns: Int64s) -> None:
    """Write the planes of table 6.1 with two more past situations (section 6.4)."""
    write_planes(view, events, columns, True, 6)


@rule
def write_gao_sequence(view: View, events: Events, columns: Int64s) -> None:
    """Write the situations of the own discard decisions so far, and the present one (table 5.1)."""
    before = min(int(view.seats[int(view.seat)].discards), STEPS - 1)
    reds = reds_in_hand(view)
    number = int(events.count)
    write_situation(view, columns, STEP * before)
    fill_plane(columns, STEP * before + _RED_FIVES, red_rows(reds))
    write_winds(view, columns, STEP * before + _WINDS)
    for step in range(before - 1, -1, -1):
        copy_planes(columns, STEP * (step + 1), STEP * step, STEP)
        number, reds = undo_to_discard(view, events, columns, STEP * step, number, reds, True)
        fill_plane(columns, STEP * step + _RED_FIVES, red_rows(reds))


# ---------------------------------------------------------------------------------------------------------
# Names

_WHOSE: Final = ("own", "next player's", "opposite player's", "previous player's")
_DISCARD_NAMES: Final = tuple(f"{whose} discards" for whose in _WHOSE)
_CALL_NAMES: Final = tuple(f"{whose} calls" for whose in _WHOSE)
_RIICHI_NAMES: Final = tuple(f"{whose} riichi" for whose in _WHOSE[1:])
_WIND_NAMES: Final = ("round wind", "own wind")


def plane_names(off_table: bool, past: int) -> tuple[str, ...]:
    """Return the content of each plane.

    >>> len(plane_names(False, 4)), len(plane_names(True, 4)), len(plane_names(True, 6))
    (56, 68, 86)
    """
    names = ["own hand", "red fives", *_DISCARD_NAMES, *_CALL_NAMES, "dora indicators", *_RIICHI_NAMES]
    if off_table:
        names += [f"rank {rank}" for rank in range(1, 5)]
        names += [f"{wind} {number}" for wind in ("East", "South") for number in range(1, 5)]
    names += _WIND_NAMES
    for situation in range(1, past + 1):
        shown = ["own hand", *_DISCARD_NAMES, *_CALL_NAMES]
        shown += ["dora indicators", *_RIICHI_NAMES] if situation == 1 else []
        names += [f"past {situation}, {name}" for name in shown]
    return tuple(names)


def step_names() -> tuple[str, ...]:
    """Return the content of each plane of a step.

    >>> len(step_names())
    16
    """
    return ("own hand", *_DISCARD_NAMES, *_CALL_NAMES, "dora indicators", *_RIICHI_NAMES, "red fives", *_WIND_NAMES)


def _columns(planes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{name}, cell {cell}" for name in planes for cell in range(1, CELLS + 1))


_FOUR: Final = frozenset({4})

GAO_56: Final = Encoder(
    name="gao-56", write=write_gao_56, columns=_columns(plane_names(False, 4)), players=_FOUR, symmetric=False
)
GAO_68: Final = Encoder(
    name="gao-68", write=write_gao_68, columns=_columns(plane_names(True, 4)), players=_FOUR, symmetric=False
)
GAO_86: Final = Encoder(
    name="gao-86", write=write_gao_86, columns=_columns(plane_names(True, 6)), players=_FOUR, symmetric=False
)
GAO_SEQUENCE: Final = Encoder(
    name="gao-sequence",
    write=write_gao_sequence,
    columns=_columns(tuple(f"step {step}, {name}" for step in range(1, STEPS + 1) for name in step_names())),
    players=_FOUR,
    symmetric=False,
)
#: The encoders of the thesis.
GAO: Final = (GAO_56, GAO_68, GAO_86, GAO_SEQUENCE)

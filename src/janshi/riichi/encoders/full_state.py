"""The whole state of a table, everything hidden included, as small whole numbers: for critics and control variates.

An all-seeing critic reads all hands and the wall that is left, and so predicts most of the luck of a hand that a player
cannot see (Li et al., 2022, "Actor-Critic Policy Optimization in a Large-Scale Imperfect-Information Game"). What it
predicts must never reach a player's decision; a baseline that is the same for all actions leaves policy gradients
unbiased.

Seats are counted from the one that is given: 0 itself, 1 next … 3 previous. Games of three leave the last one zero.

>>> from janshi.table import Tables
>>> tables = Tables("tenhou-sanma-hand", 2)
>>> full_states(tables.states, tables.actors).shape == (2, len(NUMBERS))
True
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8, Int8s, batched, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.core.shanten import hand_shanten
from janshi.core.shanten_tables import ShantenTables
from janshi.encoders.base import FullState, first_columns
from janshi.riichi.melds import copies_in_meld, kinds_of_meld
from janshi.riichi.scoring import dora_of
from janshi.riichi.state import Phase, State
from janshi.riichi.wall import dora_slot
from janshi.tiles import NORTH

_SEATS: Final = 4
_KINDS: Final = tuple(f"kind {kind}" for kind in range(34))
#: Draws of each seat, as long as nobody calls: those that are told apart from later ones.
SOON: Final = 4
#: Numbers of a seat, by group.
_SEAT_GROUPS: Final = {
    "hand": tuple(f"concealed {kind}" for kind in _KINDS),
    "waits": tuple(f"waits for {kind}" for kind in _KINDS),
    "melds": tuple(f"melded {kind}" for kind in _KINDS),
    "river": tuple(f"discarded {kind}" for kind in _KINDS),
    "soon": tuple(f"draws soon {kind}" for kind in _KINDS),
    "later": tuple(f"draws later {kind}" for kind in _KINDS),
    "shanten": tuple(f"shanten {shanten} or less" for shanten in range(5)),
    "plain": (
        *("points in thousands", "dealer", "riichi", "ippatsu", "calls", "open calls", "kitas", "discards"),
        *("red fives", "dora", "ura-dora", "furiten", "waits left in the wall", "others' draws that it waits for"),
    ),
    "win": tuple(f"draws a winning tile within {draws}" for draws in (1, 2, 3, 5, 8, 20)),
}
_WITHIN: Final = (1, 2, 3, 5, 8, 20)
_TABLE_GROUPS: Final = {
    "target": tuple(f"target {kind}" for kind in _KINDS),
    "dora": tuple(f"dora {kind}" for kind in _KINDS),
    "replacements": tuple(f"next replacement {kind}" for kind in _KINDS),
    "phase": tuple(f"phase {phase.name.lower()}" for phase in Phase),
    "turn": tuple(f"turn of seat {step}" for step in range(_SEATS)),
    "round": tuple(f"hand {number} of the game" for number in range(12)),
    "plain": ("tiles left", "honba", "deposits", "turn number", "indicators shown"),
}
_SEAT_NAMES: Final = tuple(name for names in _SEAT_GROUPS.values() for name in names)
#: Meaning of each number of a state.
NUMBERS: Final = (
    *(f"seat {step} {name}" for step in range(_SEATS) for name in _SEAT_NAMES),
    *(name for names in _TABLE_GROUPS.values() for name in names),
)
_SEAT_NUMBERS: Final = len(_SEAT_NAMES)
_HAND, _WAITS, _MELDS, _RIVER, _SOON, _LATER, _SHANTEN, _PLAIN, _WIN = first_columns(_SEAT_GROUPS)
_TARGET, _DORA, _REPLACEMENTS, _PHASE, _TURN, _ROUND, _TABLE_PLAIN = first_columns(
    _TABLE_GROUPS, _SEATS * _SEAT_NUMBERS
)
_NEXT_REPLACEMENTS: Final = 2


@leaf
def add_kinds(numbers: Int8s, first: int, mask: int) -> None:
    """Add 1 to the numbers of the kinds of a mask."""
    for kind in range(34):
        if mask >> kind & 1:
            numbers[first + kind] += 1


@rule
def write_concealed(state: State, tables: ShantenTables, seat: int, first: int, numbers: Int8s) -> None:
    """Write a seat's concealed tiles, waits and shanten."""
    hand = state.hands[seat]
    sanma = int(state.rules.players) == 3
    for kind in range(34):
        numbers[first + _HAND + kind] = int(hand.counts[kind])
    add_kinds(numbers, first + _WAITS, int(hand.waits))
    shanten = hand_shanten(tables, hand.concealed, 4 - int(state.seats[seat].calls), sanma)
    for number in range(5):
        numbers[first + _SHANTEN + number] = 1 if shanten <= number else 0


@rule
def write_shown(state: State, seat: int, first: int, numbers: Int8s) -> None:
    """Write a seat's melds, river and plain numbers."""
    shown = state.seats[seat]
    hand = state.hands[seat]
    for slot in range(int(shown.calls)):
        meld = shown.melds[slot]
        for kind in range(34):
            if kinds_of_meld(int(meld.form), int(meld.kind)) >> kind & 1:
                numbers[first + _MELDS + kind] += copies_in_meld(int(meld.form))
        numbers[first + _PLAIN + 8] += int(meld.reds)
    add_kinds(numbers, first + _RIVER, int(shown.river_mask))
    plain = first + _PLAIN
    numbers[plain] = min(max(int(shown.points) // 1000, -100), 120)
    numbers[plain + 1] = 1 if seat == int(state.dealer) else 0
    numbers[plain + 2] = int(shown.riichi)
    numbers[plain + 3] = int(shown.ippatsu)
    numbers[plain + 4] = int(shown.calls)
    numbers[plain + 5] = int(shown.opened)
    numbers[plain + 6] = int(shown.kitas)
    numbers[plain + 7] = int(shown.discards)
    for suit in range(3):
        numbers[plain + 8] += int(hand.reds[suit])
    missed = int(hand.waits) & (int(shown.river_mask) | int(shown.passed))
    numbers[plain + 11] = 1 if missed != 0 or int(hand.missed) else 0


@rule
def write_draws(state: State, own: int, numbers: Int8s) -> None:
    """Write each seat's draws in order as long as nobody calls, and the winning tiles of tenpai hands among them."""
    players = int(state.rules.players)
    for number in range(int(state.left)):
        kind = kind_of_tile(int(state.wall[int(state.next) - number]))
        drawer = (int(state.turn) + 1 + number) % players
        turns = number // players
        for seat in range(players):
            first = (seat - own) % players * _SEAT_NUMBERS
            if seat == drawer:
                numbers[first + (_SOON if turns < SOON else _LATER) + kind] += 1
            if not int(state.hands[seat].waits) >> kind & 1:
                continue
            numbers[first + _PLAIN + 12] += 1
            if seat != drawer:
                numbers[first + _PLAIN + 13] += 1
                continue
            for step in range(6):
                if turns < _WITHIN[step]:
                    numbers[first + _WIN + step] = 1


@rule
def write_dora_of_all(state: State, own: int, numbers: Int8s) -> None:
    """Write the dora, and how many dora and ura-dora each seat holds."""
    players = int(state.rules.players)
    for number in range(int(state.shown)):
        slot = dora_slot(players, number)
        dora = dora_of(kind_of_tile(int(state.wall[slot])), players == 3)
        ura = dora_of(kind_of_tile(int(state.wall[slot - 1])), players == 3)
        numbers[_DORA + dora] += 1
        for seat in range(players):
            first = (seat - own) % players * _SEAT_NUMBERS
            kitas = int(state.seats[seat].kitas)
            for step in range(2):
                kind = ura if step else dora
                held = int(numbers[first + _HAND + kind]) + int(numbers[first + _MELDS + kind])
                numbers[first + _PLAIN + 9 + step] += held + (kitas if kind == NORTH else 0)


@rule
def write_full_state(state: State, tables: ShantenTables, seat: Int8, numbers: Int8s) -> None:
    """Write the whole state as seen from a seat into zeros."""
    own = int(seat)
    players = int(state.rules.players)
    for step in range(players):
        other = (own + step) % players
        write_concealed(state, tables, other, step * _SEAT_NUMBERS, numbers)
        write_shown(state, other, step * _SEAT_NUMBERS, numbers)
    write_draws(state, own, numbers)
    write_dora_of_all(state, own, numbers)
    target = int(state.tile) if int(state.phase) == Phase.CLAIM else int(state.drawn)
    if target >= 0:
        numbers[_TARGET + kind_of_tile(target)] = 1
    for number in range(_NEXT_REPLACEMENTS):
        numbers[_REPLACEMENTS + kind_of_tile(int(state.wall[(int(state.replaced) + number) ^ 1]))] += 1
    numbers[_PHASE + int(state.phase)] = 1
    numbers[_TURN + (int(state.turn) - own) % players] = 1
    numbers[_ROUND + min(int(state.kyoku), 11)] = 1
    numbers[_TABLE_PLAIN] = int(state.left)
    numbers[_TABLE_PLAIN + 1] = min(int(state.honba), 20)
    numbers[_TABLE_PLAIN + 2] = min(int(state.deposits), 20)
    numbers[_TABLE_PLAIN + 3] = int(state.turns)
    numbers[_TABLE_PLAIN + 4] = int(state.shown)


_write_full_states: Final = batched(write_full_state)


def full_states(states: Any, seats: NDArray[np.int8], which: NDArray[np.int64] | None = None) -> NDArray[np.int8]:
    """Return the whole states of tables as seen from one seat each (n, numbers; int8): see `NUMBERS`.

    ``states``: tables (m); ``seats`` (n); ``which`` (n): their tables' numbers, by default all in order.
    """
    numbers = np.zeros((len(seats), len(NUMBERS)), np.int8)
    _write_full_states(states, np.ascontiguousarray(seats, np.int8), numbers, which=which)
    return numbers


#: The game's facet ``"full state"``.
FULL_STATE: Final = FullState(
    np.array([number for number, name in enumerate(NUMBERS) if not name.endswith(_KINDS)]), full_states
)

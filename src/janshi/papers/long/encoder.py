"""The arrays of the `long` paper: one position as 472 plain numbers, and the same with predictions added.

=========== =========================================================================================
numbers     what
=========== =========================================================================================
0           own seat, 0 to 3 (0 deals first)
1–34        own concealed tiles of each kind
35–170      discards of each kind, 34 of each player; called ones count too, the order is lost
171–426     calls: four of each player, each the 16 bits of Tenhou's code of it, most significant first
427–460     dora indicators of each kind
461         spare: the paper counts 35 places for 34 kinds
462, 463    round wind, own wind: 0 East … 3 North
464–467     riichi that each player has declared since the last own discard
468–471     riichi that each player has declared
472         `long-call` alone, for pon and chii: kind of the tile that may be called, −1 for none
then 9      where predictions are fed back (`with_yaku`): ten times the probability of each of `FED_BACK`
=========== =========================================================================================

Source: Long and Kaneko, Improving Mahjong Agent by Predicting Types of Yaku, table 1, which decides where the text
differs from it (there, winds are four numbers each). The paper does not say whose numbers come first: here a player's
own, then those of the next, the opposite and the previous one. Red fives are in the array only as far as the codes of
calls tell them; ranks, points, honba and deposits are not in it.

Tenhou's codes name tiles by their copies, 0 to 3. A view knows no copies but the red fives, which are the first of
their kind; of the plain ones the first are taken.
"""

from __future__ import annotations

import itertools
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int8s, leaf, rule
from janshi.core.kinds import kind_of_tile
from janshi.encoders.base import Encoder, Layout
from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.rules.record import RulesRecord
from janshi.riichi.rules.yaku import DORA, YakuId
from janshi.riichi.state import Event, Events, Meld, MeldForm, Phase, View
from janshi.tiles import KINDS, format_tiles

#: Numbers of a position without the called tile and predictions.
NUMBERS: Final = 472

# Where the groups begin
SEAT: Final = 0
HAND: Final = 1
DISCARDS: Final = 35
CALLS: Final = 171
INDICATORS: Final = 427
ROUND_WIND: Final = 462
OWN_WIND: Final = 463
LATE_RIICHI: Final = 464
RIICHI: Final = 468
CALLED_TILE: Final = 472

#: Yaku whose predictions are fed back, in their order. Source: table 10. The paper prints "Prevailing Wind (North)"
#: for the fourth: that yaku does not occur in games that end with the South round, and its section 2.4 calls the
#: second wind North, so that South is meant.
FED_BACK: Final = (
    int(YakuId.RIICHI),
    int(YakuId.TANYAO),
    int(YakuId.ROUND_WIND_EAST),
    int(YakuId.ROUND_WIND_SOUTH),
    int(YakuId.HAKU),
    int(YakuId.HATSU),
    int(YakuId.CHUN),
    int(YakuId.HONITSU),
    DORA,
)
#: Factor of a predicted probability. Source: section 4.2.4.
EMPHASIS: Final = 10.0
#: Ways to exchange the suits: the new suit of man, pin and sou.
SUITS: Final = np.array(list(itertools.permutations(range(3))), np.int64)


@leaf
def red_copies(rules: RulesRecord, kind: int) -> int:
    """Return the number of red copies of a kind, which come before the plain ones."""
    return int(rules.red_fives[kind // 9]) if kind < 27 and kind % 9 == 4 else 0


@leaf
def chii_code(rules: RulesRecord, meld: Meld) -> int:
    """Tenhou's code of a run: its lowest tile, which of the three was called, and their copies."""
    low = int(meld.kind)
    called = kind_of_tile(int(meld.tile)) - low
    code = (low // 9 * 7 + low % 9) * 3 + called << 10 | 0x4
    if int(meld.reds) == 0:
        for step in range(3):
            code |= red_copies(rules, low + step) << 3 + 2 * step
    return code


@leaf
def pon_code(rules: RulesRecord, meld: Meld) -> int:
    """Tenhou's code of a triplet, or of a kan added to one: which tile was called, and the copy not in the triplet.

    Of an added kan of fives a view does not tell whether the red one was added: it is taken to have been in the pon.
    """
    kind = int(meld.kind)
    reds = int(meld.reds)
    added = int(meld.form) == MeldForm.KAKAN
    fourth = 3 if added or reds == red_copies(rules, kind) else 0
    called = 0 if int(meld.tile) >= 34 else min(reds, 2)
    return kind * 3 + called << 9 | fourth << 5 | (0x10 if added else 0x8)


@rule
def call_code(rules: RulesRecord, meld: Meld, seat: int) -> int:
    """Return Tenhou's 16-bit code of a seat's call (`janshi.riichi.records.mjlog.decode_meld` reads it)."""
    discarder = (int(meld.discarder) - seat) % 4
    form = int(meld.form)
    if form == MeldForm.CHII:
        return chii_code(rules, meld) | discarder
    if form == MeldForm.PON or form == MeldForm.KAKAN:
        return pon_code(rules, meld) | discarder
    kind = int(meld.kind)
    plain = form == MeldForm.DAIMINKAN and int(meld.tile) < 34
    copy = red_copies(rules, kind) if plain else 0
    return 4 * kind + copy << 8 | (0 if form == MeldForm.ANKAN else discarder)


@rule
def write_late_riichi(view: View, events: Events, numbers: Int8s) -> None:
    """Write the riichi declared since the seat's own last discard (in this hand, if it has discarded none)."""
    own = int(view.seat)
    for back in range(int(events.count)):
        first = 4 * (int(events.count) - 1 - back)
        event = int(events.rows[first])
        seat = int(events.rows[first + 1])
        if event == Event.DISCARD and seat == own:
            return
        if event == Event.RIICHI:
            numbers[LATE_RIICHI + (seat - own) % 4] = 1


@rule
def write_seat(view: View, step: int, numbers: Int8s) -> None:
    """Write discards, calls and riichi of the player ``step`` seats after the own one."""
    number = (int(view.seat) + step) % 4
    seat = view.seats[number]
    discards = DISCARDS + 34 * step
    for index in range(int(seat.discards)):
        numbers[discards + kind_of_tile(int(seat.river[index]))] += 1
    calls = CALLS + 64 * step
    for index in range(4):
        code = call_code(view.rules, seat.melds[index], number) if index < int(seat.calls) else 0
        for bit in range(16):
            numbers[calls + 16 * index + bit] = code >> 15 - bit & 1
    numbers[RIICHI + step] = 1 if int(seat.riichi) else 0


@rule
def write_long(view: View, events: Events, numbers: Int8s) -> None:
    """Write the 472 numbers of a view."""
    numbers[SEAT] = int(view.seat)
    for kind in range(34):
        numbers[HAND + kind] = int(view.hand.counts[kind])
    for index in range(int(view.shown)):
        numbers[INDICATORS + kind_of_tile(int(view.indicators[index]))] += 1
    numbers[ROUND_WIND] = int(view.kyoku) // 4
    numbers[OWN_WIND] = (int(view.seat) - int(view.dealer)) % 4
    for step in range(4):
        write_seat(view, step, numbers)
    write_late_riichi(view, events, numbers)


@rule
def write_long_call(view: View, events: Events, numbers: Int8s) -> None:
    """Write the 472 numbers of a view, and the kind of the tile that may be called."""
    write_long(view, events, numbers)
    claims = int(view.phase) == Phase.CLAIM
    numbers[CALLED_TILE] = kind_of_tile(int(view.tile)) if claims else -1


def with_yaku(numbers: NDArray[Any], probabilities: NDArray[Any]) -> NDArray[np.float32]:
    """Return arrays with predictions of yaku appended: the 481 (of `long`) or 482 numbers (of `long-call`).

    ``numbers`` (n, 472 or 473) as `Encoder.encode` makes them, ``probabilities`` (n, 9) of the yaku of `FED_BACK`.
    Raises `ValueError` for other shapes. Source: section 4.2.4, table 1.

    >>> with_yaku(np.zeros((2, 473), np.int8), np.full((2, 9), 0.5)).shape
    (2, 482)
    """
    if numbers.ndim != 2 or numbers.shape[1] not in (NUMBERS, NUMBERS + 1):
        raise ValueError(f"arrays of {NUMBERS} or {NUMBERS + 1} numbers are wanted, not {numbers.shape}")
    if probabilities.shape != (len(numbers), len(FED_BACK)):
        wanted = (len(numbers), len(FED_BACK))
        raise ValueError(f"probabilities {probabilities.shape} do not fit the arrays: {wanted} are wanted")
    parts = (numbers.astype(np.float32), EMPHASIS * probabilities.astype(np.float32))
    return np.concatenate(parts, axis=1)


def exchanged_kinds(turns: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return for each of 34 kinds (n, 34) its kind after the suits are exchanged; ``turns`` (n): rows of `SUITS`.

    >>> exchanged_kinds(np.array([5], np.uint8))[0, [0, 17, 26, 33]].tolist()
    [18, 17, 8, 33]
    """
    kinds = np.tile(np.arange(KINDS), (len(turns), 1))
    kinds[:, :27] = (9 * SUITS[turns][:, :, None] + np.arange(9)).reshape(-1, 27)
    return kinds


def with_suits_exchanged(numbers: NDArray[Any], turns: NDArray[np.uint8]) -> NDArray[Any]:
    """Return arrays (n, 472 or 473) with the suits exchanged: see `exchanged_kinds`.

    A closed kan of 1m stays what Tenhou's code makes of it, sixteen zeros.
    """
    kinds = exchanged_kinds(turns)
    every, result = np.arange(len(numbers)), numbers.copy()
    for first in (HAND, *range(DISCARDS, CALLS, KINDS), INDICATORS):
        np.put_along_axis(result[:, first : first + KINDS], kinds, numbers[:, first : first + KINDS], axis=1)
    bits = numbers[:, CALLS:INDICATORS].reshape(len(numbers), (INDICATORS - CALLS) // 16, 16).astype(np.uint8)
    codes = np.packbits(bits, axis=2).view(">u2")[:, :, 0].astype(np.int64)
    # A suit has 7 · 3 runs by the tile that was called, 9 · 3 triplets likewise, and 9 · 4 tiles of kans.
    chii, pon = codes & 0x4 > 0, codes & 0x18 > 0
    shift, size = np.where(chii, 10, np.where(pon, 9, 8)), np.where(chii, 21, np.where(pon, 27, 36))
    suit = (codes >> shift) // size
    moved = SUITS[turns][every[:, None], np.minimum(suit, 2)]
    codes += np.where((suit < 3) & (codes > 0), (moved - suit) * size << shift, 0)
    result[:, CALLS:INDICATORS] = np.unpackbits(codes.astype(">u2").view(np.uint8), axis=1)
    if numbers.shape[1] > NUMBERS:
        called = numbers[:, CALLED_TILE]
        result[:, CALLED_TILE] = np.where(called < 0, -1, kinds[every, np.maximum(called, 0)])
    return result


def number_names() -> list[str]:
    """Return the name of each of the 472 numbers.

    >>> names = number_names()
    >>> len(names), names[1], names[35], names[171], names[471]
    (472, 'own 1m', 'own discards 1m', 'own call 1, bit 32768', 'player 3 ahead, riichi')
    """
    kinds = [format_tiles([kind]) for kind in range(34)]
    whose = ["own", *(f"player {step} ahead," for step in range(1, 4))]
    names = ["own seat", *(f"own {kind}" for kind in kinds)]
    names += [f"{player} discards {kind}" for player in whose for kind in kinds]
    for player in whose:
        names += [f"{player} call {number}, bit {1 << 15 - bit}" for number in range(1, 5) for bit in range(16)]
    names += [*(f"dora indicators {kind}" for kind in kinds), "spare", "round wind", "own wind"]
    names += [f"{player} riichi since the own last discard" for player in whose]
    return [*names, *(f"{player} riichi" for player in whose)]


def yaku_names() -> list[str]:
    """Return the name of each of the nine numbers that `with_yaku` adds.

    >>> yaku_names()[3]
    'predicted round wind south'
    """
    return [f"predicted {YAKU[number].name}" for number in FED_BACK]


#: The encoder of discards and of yaku.
LONG: Final = Encoder(
    name="long",
    write=write_long,
    columns=tuple(number_names()),
    layout=Layout.NUMBERS,
    players=frozenset({4}),
    symmetric=False,
)

#: The encoder of pon and chii.
LONG_CALL: Final = Encoder(
    name="long-call",
    write=write_long_call,
    columns=(*LONG.columns, "called tile"),
    layout=Layout.NUMBERS,
    players=frozenset({4}),
    symmetric=False,
    extends=LONG.name,
)

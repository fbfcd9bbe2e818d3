"""Our observation of Sichuan mahjong: what a seat sees, and what a player would work out from it, as small numbers.

First `FEATURES` numbers of each of the 27 kinds, then `COMMON` numbers of the position. None is above 16, so that a
dense network takes them as they are. Others come in turn order, next player first; what is not known of a suit is 0.
"""

from __future__ import annotations

from typing import Final

from janshi.analysis.sichuan import (
    HandAnalysis,
    TileCounts,
    count_tiles,
    flush_lacks,
    points_left,
    read_hand,
    shanten_with,
)
from janshi.compiling import Bytes, Workspace, leaf, rule
from janshi.core.bits import bit_count
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.encoders.base import Encoder, Layout
from janshi.sichuan.actions import Action
from janshi.sichuan.fan import evaluate, hold, hold_with
from janshi.sichuan.hand import ALL, pairs_of, suit_mask
from janshi.sichuan.state import KINDS, Offer, Phase, View
from janshi.sichuan.ukeire import AS_IT_IS, NOT_HELD, put_back, take_out, ukeire_of_hand
from janshi.tiles import tile_text

#: What the numbers of a kind say.
_OF_A_KIND: Final = (
    "held",
    "held twice",
    "held three times",
    "held four times",
    "own pung",
    "own kong",
    "other's pung",
    "other's kong",
    "river of next",
    "river of second",
    "river of third",
    "own river",
    "unseen",
    "target tile",
    "own void suit",
    "void suit of next",
    "void suit of second",
    "void suit of third",
    "own kong possible",
    "discard keeps shanten",
    "discard accepts most",
    "tiles accepted after discard (four in one)",
    "accepted",
    "points of waits after discard (powers of two)",
    "nearness of a full flush",
    "discard keeps nearness of a full flush",
    "own kong keeps shanten",
    "nearness without suit",
    "held beside",
    "held one further",
    "discard adds one to shanten",
    "possible discard",
)
#: What the numbers of the position say, and how many each needs.
_OF_THE_POSITION: Final = (
    ("phase", 5),
    ("robbing", 1),
    ("pung possible", 1),
    ("exposed kong possible", 1),
    ("win possible", 1),
    ("win passed", 1),
    ("shanten at most", 6),
    ("tiles left at least", 8),
    ("other has won", 3),
    ("melds", 4),
    ("all pungs lack at most", 5),
    ("seven pairs lack at most", 5),
    ("full flush lacks at most", 6),
    ("win worth at least", 5),
    ("pung helps", 1),
    ("exposed kong keeps shanten", 1),
    ("target tile is of the flush", 1),
    ("kongs and roots", 1),
    ("void tiles", 1),
    ("points of waits (powers of two)", 1),
    ("tiles accepted (four in one)", 1),
    ("kong money from others", 3),
)
#: Numbers of each kind.
FEATURES: Final = len(_OF_A_KIND)
#: Numbers of the position.
COMMON: Final = sum(count for _, count in _OF_THE_POSITION)
_FIRST: Final = KINDS * FEATURES
#: Where each of the position's numbers begins.
_AT: Final = tuple(_FIRST + sum(count for _, count in _OF_THE_POSITION[:row]) for row in range(len(_OF_THE_POSITION)))
_PHASE, _ROBBING, _PUNG, _KONG, _WIN, _PASSED, _SHANTEN, _WALL, _WON, _MELDS, _PUNGS, _PAIRS = _AT[:12]
_FLUSH, _WORTH, _PUNG_HELPS, _KONG_KEEPS, _IN_FLUSH, _ROOTS, _VOID, _POINTS, _ACCEPTED, _MONEY = _AT[12:]
_LEFT: Final = (1, 4, 8, 16, 24, 32, 40, 48)


class SichuanSight(Workspace):
    """What the encoder counts in a view."""

    tiles: TileCounts
    analysis: HandAnalysis


@leaf
def power_of(points: int) -> int:
    """0 for no points, else one more than the greatest power of two that they reach, up to 8."""
    power = 0
    while points > 0 and power < 8:
        power += 1
        points >>= 1
    return power


@leaf
def fill_steps(numbers: Bytes, first: int, count: int, steps: int) -> None:
    """Write 1 into the last of so many numbers that begin at ``first``: all but ``steps`` of them."""
    for step in range(max(steps, 0), count):
        numbers[first + step] = 1


@rule
def write_tiles(view: View, sight: SichuanSight, numbers: Bytes) -> None:
    """Write what lies where of each kind: features 0–18, 28 and 29, and void tiles, kongs and roots."""
    me, legal = int(view.seat), int(view.legal)
    own = view.seats[me]
    tiles = sight.tiles
    count_tiles(view, tiles)
    target = int(view.tile) if int(view.phase) == Phase.CLAIM else int(view.drawn)
    void = suit_mask(int(view.hand.void))
    roots = bit_count(int(own.kongs))
    for kind in range(KINDS):
        row = FEATURES * kind
        held = int(tiles.held[kind])
        numbers[row] = held
        for number in range(1, 4):
            numbers[row + number] = 1 if held > number else 0
        numbers[row + 4] = int(own.pungs) >> kind & 1
        numbers[row + 5] = int(own.kongs) >> kind & 1
        for step in range(3):
            seat = view.seats[(me + 1 + step) % 4]
            numbers[row + 6] |= int(seat.pungs) >> kind & 1
            numbers[row + 7] |= int(seat.kongs) >> kind & 1
            numbers[row + 8 + step] = int(seat.discarded[kind])
            numbers[row + 15 + step] = suit_mask(int(seat.void)) >> kind & 1
        numbers[row + 11] = int(own.discarded[kind])
        numbers[row + 12] = 4 - int(tiles.visible[kind])
        numbers[row + 13] = 1 if kind == target else 0
        numbers[row + 14] = void >> kind & 1
        numbers[row + 18] = legal >> Action.OWN_KONG + kind & 1
        for distance in range(1, 3):
            beside = 0
            if kind % 9 >= distance:
                beside += int(tiles.held[kind - distance])
            if kind % 9 + distance < 9:
                beside += int(tiles.held[kind + distance])
            numbers[row + 27 + distance] = beside
        if void >> kind & 1:
            numbers[_VOID] += held
        elif held == 4 or (held == 1 and int(own.pungs) >> kind & 1):
            roots += 1
    numbers[_ROOTS] = roots


@rule
def write_moment(view: View, numbers: Bytes) -> None:
    """Write the phase, what is possible, the wall, who has won, melds and kong money."""
    me, phase, legal = int(view.seat), int(view.phase), int(view.legal)
    if 0 <= phase <= Phase.CLAIM:
        numbers[_PHASE + phase] = 1
    numbers[_ROBBING] = 1 if phase == Phase.CLAIM and int(view.claimed) == Offer.ADDED_KONG else 0
    numbers[_PUNG] = legal >> Action.PUNG & 1
    numbers[_KONG] = legal >> Action.EXPOSED_KONG & 1
    numbers[_WIN] = legal >> Action.WIN & 1
    numbers[_PASSED] = 1 if int(view.hand.passed) > 0 else 0
    for step in range(8):
        numbers[_WALL + step] = 1 if int(view.left) >= _LEFT[step] else 0
    numbers[_MELDS] = int(view.seats[me].calls)
    for step in range(3):
        other = (me + 1 + step) % 4
        numbers[_WON + step] = 1 if int(view.seats[other].won) > 0 else 0
        numbers[_MELDS + 1 + step] = int(view.seats[other].calls)
        base = max(int(view.rules.base_points), 1)
        numbers[_MONEY + step] = min(max(int(view.kong_money[4 * me + other]), 0) // base, 16)


@rule
def points_after(view: View, analysis: HandAnalysis, slot: int) -> int:
    """What the waits after a discard (or of the hand as it is) promise: see `points_left`."""
    discarded = slot != AS_IT_IS and not suit_mask(int(analysis.hand.void)) >> slot & 1
    if discarded:
        take_out(analysis.hand.concealed, slot)
    points = points_left(view, analysis, int(analysis.ukeire.accepted[slot]))
    if discarded:
        put_back(analysis.hand.concealed, slot)
    return points


@rule
def write_discards(view: View, tables: ShantenTables, analysis: HandAnalysis, numbers: Bytes) -> int:
    """Write what the hand's discards lead to, features 19–23, 30 and 31; return the least shanten."""
    discards = int(view.legal) & ALL if int(view.phase) != Phase.CLAIM else 0
    ukeire = analysis.ukeire
    ukeire_of_hand(tables, analysis.hand, ukeire, discards)
    least = int(ukeire.shanten[AS_IT_IS]) if discards == 0 else NOT_HELD
    most = 0
    for kind in range(KINDS):
        shanten = int(ukeire.shanten[kind])
        if shanten < least:
            least = shanten
            most = 0
        if shanten == least:
            most = max(most, int(ukeire.left[kind]))
    accepted = int(ukeire.accepted[AS_IT_IS]) if discards == 0 else 0
    for kind in range(KINDS):
        row = FEATURES * kind
        shanten = int(ukeire.shanten[kind])
        numbers[row + 30] = 1 if shanten == least + 1 else 0
        numbers[row + 31] = discards >> kind & 1
        if shanten == least:
            left = int(ukeire.left[kind])
            numbers[row + 19] = 1
            numbers[row + 21] = min((left + 3) // 4, 16)
            if left == most:
                numbers[row + 20] = 1
                accepted |= int(ukeire.accepted[kind])
            if least == 0:
                numbers[row + 23] = power_of(points_after(view, analysis, kind))
    for kind in range(KINDS):
        numbers[FEATURES * kind + 22] = accepted >> kind & 1
    if discards == 0:
        most = int(ukeire.left[AS_IT_IS])
        if least == 0:
            numbers[_POINTS] = power_of(points_after(view, analysis, AS_IT_IS))
    numbers[_ACCEPTED] = min((most + 3) // 4, 16)
    fill_steps(numbers, _SHANTEN, 6, least)
    return least


@rule
def write_flush(view: View, tables: ShantenTables, sight: SichuanSight, numbers: Bytes) -> None:
    """Write how near a full flush is, and which discards keep it so: features 24 and 25."""
    analysis = sight.analysis
    best, least = -1, 99
    for suit in range(3):
        lacking = flush_lacks(tables, analysis, suit)
        if lacking < least:
            best, least = suit, lacking
        for kind in range(9 * suit, 9 * suit + 9):
            numbers[FEATURES * kind + 24] = max(9 - lacking, 0)
    if best < 0:
        return
    fill_steps(numbers, _FLUSH, 6, least - 1)
    target = int(view.tile)
    numbers[_IN_FLUSH] = 1 if target >= 0 and target // 9 == best else 0
    suits = analysis.hand.concealed.suits
    for kind in range(KINDS):
        keeps = True
        if kind // 9 == best and int(sight.tiles.held[kind]):
            suits[best] -= WEIGHTS[kind]
            keeps = flush_lacks(tables, analysis, best) == least
            suits[best] += WEIGHTS[kind]
        numbers[FEATURES * kind + 25] = 1 if keeps else 0


@rule
def write_forms(analysis: HandAnalysis, numbers: Bytes) -> None:
    """Write how many tiles all pungs and seven pairs lack."""
    hand = analysis.hand
    melds = int(hand.pungs) | int(hand.kongs)
    sets = 4 - bit_count(melds)
    triplets = min(bit_count(int(hand.concealed.held[3])), sets)
    pairs = bit_count(int(hand.concealed.held[2])) - triplets
    # A pair is one tile short of a pung; one more pair is what every hand needs.
    fill_steps(numbers, _PUNGS, 5, 2 * (sets - triplets) + 1 - min(pairs, sets - triplets + 1))
    if melds == 0:
        fill_steps(numbers, _PAIRS, 5, 7 - pairs_of(hand.concealed))


@rule
def write_voids(view: View, tables: ShantenTables, sight: SichuanSight, numbers: Bytes) -> None:
    """Write how near to ready the hand would be without each suit: feature 27."""
    for suit in range(3):
        read_hand(view, sight.tiles, sight.analysis, suit)
        ukeire_of_hand(tables, sight.analysis.hand, sight.analysis.ukeire, 0)
        for kind in range(9 * suit, 9 * suit + 9):
            numbers[FEATURES * kind + 27] = max(9 - int(sight.analysis.ukeire.shanten[AS_IT_IS]), 0)


@rule
def write_claims(view: View, tables: ShantenTables, analysis: HandAnalysis, shanten: int, numbers: Bytes) -> None:
    """Write what a win is worth, and what melds do to the ``shanten``: feature 26 as well."""
    legal, kind = int(view.legal), int(view.tile)
    claims = int(view.phase) == Phase.CLAIM
    if legal >> Action.WIN & 1:
        winning = analysis.winning
        winning.pungs = int(analysis.hand.pungs)
        winning.kongs = int(analysis.hand.kongs)
        winning.circumstances = 0
        winning.kind = kind if claims else max(int(view.drawn), 0)
        if claims:
            hold_with(analysis.hand.concealed, kind, winning)
        else:
            hold(analysis.hand.concealed, winning)
        points = evaluate(view.rules, winning, analysis.value) // max(int(view.rules.base_points), 1)
        for step in range(5):
            numbers[_WORTH + step] = 1 if points >= 1 << step else 0
    if legal >> Action.PUNG & 1:
        numbers[_PUNG_HELPS] = 1 if shanten_with(tables, analysis, 2, kind, True) < shanten else 0
    if legal >> Action.EXPOSED_KONG & 1:
        numbers[_KONG_KEEPS] = 1 if shanten_with(tables, analysis, 3, kind, False) <= shanten else 0
    kongs = legal >> Action.OWN_KONG & ~suit_mask(int(analysis.hand.void))
    for own in range(KINDS):
        if kongs >> own & 1:
            copies = 1 if int(analysis.hand.pungs) >> own & 1 else 4
            if shanten_with(tables, analysis, copies, own, False) <= shanten:
                numbers[FEATURES * own + 26] = 1


@rule
def write_sichuan(view: View, tables: ShantenTables, sight: SichuanSight, numbers: Bytes) -> None:
    """Write the observation: see the module."""
    write_tiles(view, sight, numbers)
    write_moment(view, numbers)
    phase = int(view.phase)
    if phase == Phase.EXCHANGE or phase == Phase.VOID:
        write_voids(view, tables, sight, numbers)
        return
    read_hand(view, sight.tiles, sight.analysis, int(view.hand.void))
    shanten = write_discards(view, tables, sight.analysis, numbers)
    write_flush(view, tables, sight, numbers)
    write_forms(sight.analysis, numbers)
    write_claims(view, tables, sight.analysis, shanten, numbers)


def _names() -> tuple[str, ...]:
    """What each number says."""
    kinds = [f"{tile_text(kind)} {what}" for kind in range(KINDS) for what in _OF_A_KIND]
    position = [
        what if count == 1 else f"{what} {number + 1}" for what, count in _OF_THE_POSITION for number in range(count)
    ]
    return (*kinds, *position)


SICHUAN: Final = Encoder(
    name="sichuan",
    write=write_sichuan,
    columns=_names(),
    layout=Layout.NUMBERS,
    kind_features=FEATURES,
    game="sichuan",
    players=frozenset({4}),
    symmetric=False,
)

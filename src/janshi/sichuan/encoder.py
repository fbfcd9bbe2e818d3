"""Observation of Sichuan mahjong: visible tiles and derived features as small numbers.

First `FEATURES` numbers of each of the 27 kinds, then `COMMON` numbers of the position. None is above 16, so that a
dense network needs no scaling. Opponents follow in turn order, next player first; an unknown suit is 0.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import Bytes, Workspace, leaf, rule
from janshi.core.bits import bit_count
from janshi.core.shanten_tables import WEIGHTS, ShantenTables
from janshi.encoders.base import Encoder, Layout
from janshi.sichuan.actions import Action
from janshi.sichuan.analysis import (
    HandAnalysis,
    TileCounts,
    count_tiles,
    flush_lacks,
    points_after,
    read_hand,
    shanten_with,
    shanten_with_own_kong,
)
from janshi.sichuan.hands.concealed import ALL, pairs_of, suit_mask
from janshi.sichuan.hands.scoring import evaluate, hold, hold_with
from janshi.sichuan.hands.ukeire import AS_IT_IS, NOT_HELD, ukeire_of_hand
from janshi.sichuan.state import KINDS, Offer, Phase, View
from janshi.tiles import tile_text

#: Meaning of the numbers of a kind.
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
#: Meaning of the numbers of the position, with their counts.
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
# Index of each among a kind's numbers.
_HELD, _TWICE, _THRICE, _FOUR, _OWN_PUNG, _OWN_KONG, _OTHERS_PUNG, _OTHERS_KONG = range(8)
_RIVERS, _OWN_RIVER, _UNSEEN, _TARGET, _OWN_VOID, _VOIDS, _KONG_POSSIBLE = 8, 11, 12, 13, 14, 15, 18
_KEEPS_SHANTEN, _ACCEPTS_MOST, _ACCEPTS, _ACCEPTED_KIND, _WAITS_POINTS, _NEAR_FLUSH, _KEEPS_FLUSH = range(19, 26)
_OWN_KONG_KEEPS, _NEAR_WITHOUT, _BESIDE, _FURTHER, _ADDS_ONE, _DISCARD = range(26, 32)
#: Numbers of the position.
COMMON: Final = sum(count for _, count in _OF_THE_POSITION)
_FIRST: Final = KINDS * FEATURES
#: First index of each of the position's numbers.
_AT: Final = tuple(_FIRST + sum(count for _, count in _OF_THE_POSITION[:row]) for row in range(len(_OF_THE_POSITION)))
_PHASE, _ROBBING, _PUNG, _KONG, _WIN, _PASSED, _SHANTEN, _WALL, _WON, _MELDS, _PUNGS, _PAIRS = _AT[:12]
_FLUSH, _WORTH, _PUNG_HELPS, _KONG_KEEPS, _IN_FLUSH, _ROOTS, _VOID, _POINTS, _ACCEPTED, _MONEY = _AT[12:]
_LEFT: Final = (1, 4, 8, 16, 24, 32, 40, 48)


class ObservationWorkspace(Workspace):
    """Workspace of the encoder."""

    tiles: TileCounts
    analysis: HandAnalysis


@leaf
def power_of(points: int) -> int:
    """Return 0 for no points, else one more than the highest power of two that they reach, up to 8."""
    power = 0
    while points > 0 and power < 8:
        power += 1
        points >>= 1
    return power


@leaf
def fill_steps(numbers: Bytes, first: int, count: int, steps: int) -> None:
    """Write 1 into all but the first ``steps`` of ``count`` numbers from ``first`` on."""
    for step in range(max(steps, 0), count):
        numbers[first + step] = 1


@leaf
def held_at_distance(tiles: TileCounts, kind: int, distance: int) -> int:
    """Return the tiles held of the two kinds of a suit at a distance from a kind."""
    held = 0
    if kind % 9 >= distance:
        held += int(tiles.held[kind - distance])
    if kind % 9 + distance < 9:
        held += int(tiles.held[kind + distance])
    return held


@rule
def write_tiles(view: View, workspace: ObservationWorkspace, numbers: Bytes) -> None:
    """Write the places of each kind's tiles, void tiles, kongs and roots."""
    me, legal = int(view.seat), int(view.legal)
    own = view.seats[me]
    tiles = workspace.tiles
    count_tiles(view, tiles)
    target = int(view.tile) if int(view.phase) == Phase.CLAIM else int(view.drawn)
    void = suit_mask(int(view.hand.void))
    roots = bit_count(int(own.kongs))
    for kind in range(KINDS):
        row = FEATURES * kind
        held = int(tiles.held[kind])
        numbers[row + _HELD] = held
        numbers[row + _TWICE] = 1 if held > 1 else 0
        numbers[row + _THRICE] = 1 if held > 2 else 0
        numbers[row + _FOUR] = 1 if held > 3 else 0
        numbers[row + _OWN_PUNG] = int(own.pungs) >> kind & 1
        numbers[row + _OWN_KONG] = int(own.kongs) >> kind & 1
        for step in range(3):
            seat = view.seats[(me + 1 + step) % 4]
            numbers[row + _OTHERS_PUNG] |= int(seat.pungs) >> kind & 1
            numbers[row + _OTHERS_KONG] |= int(seat.kongs) >> kind & 1
            numbers[row + _RIVERS + step] = int(seat.discarded[kind])
            numbers[row + _VOIDS + step] = suit_mask(int(seat.void)) >> kind & 1
        numbers[row + _OWN_RIVER] = int(own.discarded[kind])
        numbers[row + _UNSEEN] = 4 - int(tiles.visible[kind])
        numbers[row + _TARGET] = 1 if kind == target else 0
        numbers[row + _OWN_VOID] = void >> kind & 1
        numbers[row + _KONG_POSSIBLE] = legal >> Action.OWN_KONG + kind & 1
        numbers[row + _BESIDE] = held_at_distance(tiles, kind, 1)
        numbers[row + _FURTHER] = held_at_distance(tiles, kind, 2)
        if void >> kind & 1:
            numbers[_VOID] += held
        elif held == 4 or (held == 1 and int(own.pungs) >> kind & 1):
            roots += 1
    numbers[_ROOTS] = roots


@rule
def write_moment(view: View, numbers: Bytes) -> None:
    """Write the phase, possible actions, wall, winners, melds and kong payments."""
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
def write_discards(view: View, tables: ShantenTables, analysis: HandAnalysis, numbers: Bytes) -> int:
    """Write the effects of the discards; return the least shanten."""
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
        numbers[row + _ADDS_ONE] = 1 if shanten == least + 1 else 0
        numbers[row + _DISCARD] = discards >> kind & 1
        if shanten == least:
            left = int(ukeire.left[kind])
            numbers[row + _KEEPS_SHANTEN] = 1
            numbers[row + _ACCEPTS] = min((left + 3) // 4, 16)
            if left == most:
                numbers[row + _ACCEPTS_MOST] = 1
                accepted |= int(ukeire.accepted[kind])
            if least == 0:
                numbers[row + _WAITS_POINTS] = power_of(points_after(view, analysis, kind))
    for kind in range(KINDS):
        numbers[FEATURES * kind + _ACCEPTED_KIND] = accepted >> kind & 1
    if discards == 0:
        most = int(ukeire.left[AS_IT_IS])
        if least == 0:
            numbers[_POINTS] = power_of(points_after(view, analysis, AS_IT_IS))
    numbers[_ACCEPTED] = min((most + 3) // 4, 16)
    fill_steps(numbers, _SHANTEN, 6, least)
    return least


@rule
def write_flush(view: View, tables: ShantenTables, workspace: ObservationWorkspace, numbers: Bytes) -> None:
    """Write the nearness of a full flush, and the discards that keep it."""
    analysis = workspace.analysis
    best, least = -1, 99
    for suit in range(3):
        lacking = flush_lacks(tables, analysis, suit)
        if lacking < least:
            best, least = suit, lacking
        for kind in range(9 * suit, 9 * suit + 9):
            numbers[FEATURES * kind + _NEAR_FLUSH] = max(9 - lacking, 0)
    if best < 0:
        return
    fill_steps(numbers, _FLUSH, 6, least - 1)
    target = int(view.tile)
    numbers[_IN_FLUSH] = 1 if target >= 0 and target // 9 == best else 0
    suits = analysis.hand.concealed.suits
    for kind in range(KINDS):
        keeps = True
        if kind // 9 == best and int(workspace.tiles.held[kind]):
            suits[best] -= WEIGHTS[kind]
            keeps = flush_lacks(tables, analysis, best) == least
            suits[best] += WEIGHTS[kind]
        numbers[FEATURES * kind + _KEEPS_FLUSH] = 1 if keeps else 0


@rule
def write_forms(analysis: HandAnalysis, numbers: Bytes) -> None:
    """Write the number of tiles missing from all pungs and from seven pairs."""
    hand = analysis.hand
    melds = int(hand.pungs) | int(hand.kongs)
    sets = 4 - bit_count(melds)
    triplets = bit_count(int(hand.concealed.held[3]))
    pairs = bit_count(int(hand.concealed.held[2])) - triplets
    # A pair lacks one tile of a pung; every hand needs one more pair.
    fill_steps(numbers, _PUNGS, 5, 2 * (sets - triplets) + 1 - min(pairs, sets - triplets + 1))
    if melds == 0:
        fill_steps(numbers, _PAIRS, 5, 7 - pairs_of(hand.concealed))


@rule
def write_voids(view: View, tables: ShantenTables, workspace: ObservationWorkspace, numbers: Bytes) -> None:
    """Write the nearness of the hand to ready without each suit."""
    for suit in range(3):
        read_hand(view, workspace.tiles, workspace.analysis, suit)
        ukeire_of_hand(tables, workspace.analysis.hand, workspace.analysis.ukeire, 0)
        for kind in range(9 * suit, 9 * suit + 9):
            numbers[FEATURES * kind + _NEAR_WITHOUT] = max(9 - int(workspace.analysis.ukeire.shanten[AS_IT_IS]), 0)


@rule
def write_claims(view: View, tables: ShantenTables, analysis: HandAnalysis, shanten: int, numbers: Bytes) -> None:
    """Write the value of a win, and the effect of melds on the ``shanten``."""
    legal, kind = int(view.legal), int(view.tile)
    claims = int(view.phase) == Phase.CLAIM
    if legal >> Action.WIN & 1:
        winning = analysis.winning
        winning.kind = kind if claims else max(int(view.drawn), 0)
        if claims:
            hold_with(analysis.hand.concealed, kind, winning)
        else:
            hold(analysis.hand.concealed, winning)
        points = evaluate(view.rules, winning, analysis.value) // max(int(view.rules.base_points), 1)
        for step in range(5):
            numbers[_WORTH + step] = 1 if points >= 1 << step else 0
    if legal >> Action.PUNG & 1:
        numbers[_PUNG_HELPS] = 1 if shanten_with(tables, analysis, 2, kind) < shanten else 0
    if legal >> Action.EXPOSED_KONG & 1:
        numbers[_KONG_KEEPS] = 1 if shanten_with(tables, analysis, 3, kind) <= shanten else 0
    kongs = legal >> Action.OWN_KONG & ~suit_mask(int(analysis.hand.void))
    for own in range(KINDS):
        if kongs >> own & 1 and shanten_with_own_kong(tables, analysis, own) <= shanten:
            numbers[FEATURES * own + _OWN_KONG_KEEPS] = 1


@rule
def write_sichuan(view: View, tables: ShantenTables, workspace: ObservationWorkspace, numbers: Bytes) -> None:
    """Write the observation: see the module."""
    write_tiles(view, workspace, numbers)
    write_moment(view, numbers)
    phase = int(view.phase)
    if phase == Phase.EXCHANGE or phase == Phase.VOID:
        write_voids(view, tables, workspace, numbers)
        return
    read_hand(view, workspace.tiles, workspace.analysis, int(view.hand.void))
    shanten = write_discards(view, tables, workspace.analysis, numbers)
    write_flush(view, tables, workspace, numbers)
    write_forms(workspace.analysis, numbers)
    write_claims(view, tables, workspace.analysis, shanten, numbers)


def _names() -> tuple[str, ...]:
    """Return the meaning of each number."""
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

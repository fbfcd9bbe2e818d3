"""Impossible hands: tiles that cannot lie together, and circumstances that exclude each other.

The faults of tiles are found by counting. `Fault` is also the table of circumstances that exclude each other: each
fault has an error message and rows of signs (`Sign`) that never occur together. A hand that fills a row is impossible.
Python and the npm package both call the compiled `fault_of`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from janshi.compiling import leaf, rule
from janshi.riichi.melds import copies_in_meld
from janshi.riichi.rules import KanDora
from janshi.riichi.rules.record import RulesRecord
from janshi.riichi.state import MeldForm, Winning
from janshi.tiles import EAST, NORTH

#: Tiles of a complete hand, a kan counting three.
_COMPLETE: Final = 14
#: Most dora indicators: the first one, and one for each of four kans.
_MOST_INDICATORS: Final = 5


class Sign(IntEnum):
    """Circumstance of a win, or what the rules lack."""

    TSUMO = 0
    RON = 1
    DEALER = 2
    NO_RIICHI = 3
    RIICHI = 4  # of any kind
    DOUBLE_RIICHI = 5
    BOTH_RIICHI = 6
    IPPATSU = 7
    RINSHAN = 8
    CHANKAN = 9
    LAST = 10
    FIRST = 11
    MELDED = 12  # any meld, or a North set aside
    OPEN = 13  # a meld that is no closed kan
    NO_REPLACEMENT = 14  # neither a kan nor a North set aside
    COPIES = 15  # more of the winning tile, in the hand, a meld, set aside, or among the indicators
    URA = 16
    TWO_URA = 17
    MORE_URA = 18  # more ura than dora indicators
    TWO_DORA = 19  # two dora indicators or more
    FIVE_DORA = 20
    GAPS = 21  # an indicator after an empty place
    SIMPLES = 22  # a concealed tile that is neither terminal nor honour; looked for on chankan only
    # What the rules lack
    NO_RENHOU = 23
    NO_URA_DORA = 24
    NO_KAN_URA = 25
    NO_KAN_DORA = 26
    NO_IPPATSU_ON_LAST_DRAW = 27  # riichi needs too many tiles for the next own draw to be the last
    NO_IPPATSU_ON_LAST_DISCARD = 28
    NO_ROBBED_CLOSED_KAN = 29


class Fault(IntEnum):
    """Fault of an impossible hand: see `fault_of`."""

    text: str
    excluded: tuple[tuple[Sign, ...], ...]  # rows of signs that never occur together

    def __new__(cls, number: int, text: str, *excluded: tuple[Sign, ...]) -> Fault:
        """Make a member of a number, its error message, and rows of signs that exclude each other."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.text = text
        member.excluded = excluded
        return member

    NONE = 0, ""
    # Tiles, which `tiles_fault` counts
    MELDS = 1, "forms and kinds must be as many runs, triplets and kans as there are calls"
    WINNING_TILE = 2, "the winning tile is not among the concealed tiles"
    FIVE_OF_A_KIND = 3, "there are four of each tile, melds, kitas and indicators together"
    SMALL_MAN = 4, "three players have no 2m to 8m"
    CHII = 5, "the rules know no chii"
    KITA = 6, "the rules know no kita"
    NORTH = 7, "three players have no North seat"
    REDS = 8, "there are fewer red fives"
    TILES = 9, "a hand has at most 14 tiles, three for each meld"
    # Circumstances
    BOTH_RIICHI = 10, "riichi and double riichi exclude each other: name one of them", (Sign.BOTH_RIICHI,)
    OPEN_RIICHI = 11, "riichi needs a hand without calls (closed kans are no calls)", (Sign.RIICHI, Sign.OPEN)
    IPPATSU = (
        12,
        "ippatsu needs riichi, and no kan or kita after it",
        (Sign.IPPATSU, Sign.NO_RIICHI),
        (Sign.IPPATSU, Sign.RINSHAN),
    )
    DOUBLE_IPPATSU = (
        13,
        "ippatsu with double riichi is a win in the first two turns: nothing is called or set aside, one dora "
        "indicator is turned over, and the wall is not at its end",
        (Sign.DOUBLE_RIICHI, Sign.IPPATSU, Sign.MELDED),
        (Sign.DOUBLE_RIICHI, Sign.IPPATSU, Sign.TWO_DORA),
        (Sign.DOUBLE_RIICHI, Sign.IPPATSU, Sign.LAST),
    )
    LAST_IPPATSU = (
        14,
        "riichi needs more tiles left than are drawn before ippatsu ends: ippatsu never comes with this last tile",
        (Sign.IPPATSU, Sign.LAST, Sign.TSUMO, Sign.NO_IPPATSU_ON_LAST_DRAW),
        (Sign.IPPATSU, Sign.LAST, Sign.RON, Sign.NO_IPPATSU_ON_LAST_DISCARD),
    )
    RINSHAN = (
        15,
        "rinshan is a self-draw after a kan or kita, and never the last tile of the wall",
        (Sign.RINSHAN, Sign.RON),
        (Sign.RINSHAN, Sign.NO_REPLACEMENT),
        (Sign.RINSHAN, Sign.LAST),
    )
    CHANKAN = (
        16,
        "chankan is a ron, and never on the last discard",
        (Sign.CHANKAN, Sign.TSUMO),
        (Sign.CHANKAN, Sign.LAST),
    )
    ROBBED_COPIES = (
        17,
        "chankan takes the fourth tile of a kan: the others of its kind are in no hand, meld or indicator",
        (Sign.CHANKAN, Sign.COPIES),
    )
    FIFTH_KAN = (
        18,
        "chankan robs a kan, of which there are four at most, before its indicator is turned over: "
        "not with five indicators",
        (Sign.CHANKAN, Sign.FIVE_DORA),
    )
    FIRST = (
        19,
        "a win in the first turn is a self-draw (under rules with renhou also a ron of a non-dealer) "
        "with nothing called, set aside or declared",
        (Sign.FIRST, Sign.RON, Sign.NO_RENHOU),
        (Sign.FIRST, Sign.RON, Sign.DEALER),
        (Sign.FIRST, Sign.MELDED),
        (Sign.FIRST, Sign.RIICHI),
    )
    FIRST_AND_LAST = 20, "the first turn and the last tile exclude each other", (Sign.FIRST, Sign.LAST)
    FIRST_KAN = 21, "a win in the first turn follows no kan: it has one dora indicator", (Sign.FIRST, Sign.TWO_DORA)
    FIRST_CHANKAN = (
        22,
        "chankan in the first turn robs a closed kan: only thirteen orphans may, where the rules let them",
        (Sign.FIRST, Sign.CHANKAN, Sign.SIMPLES),
        (Sign.FIRST, Sign.CHANKAN, Sign.NO_ROBBED_CLOSED_KAN),
    )
    URA = (
        23,
        "ura-dora count for riichi only, and only if the rules have them",
        (Sign.URA, Sign.NO_RIICHI),
        (Sign.URA, Sign.NO_URA_DORA),
    )
    MORE_URA = 24, "there are more ura than dora indicators: each lies under one of them", (Sign.MORE_URA,)
    KAN_URA = 25, "the rules have no ura-dora of kans: there is one ura indicator", (Sign.TWO_URA, Sign.NO_KAN_URA)
    KAN_DORA = 26, "the rules have no kan dora: there is one dora indicator", (Sign.TWO_DORA, Sign.NO_KAN_DORA)
    GAPS = 27, "indicators stand one after the other, then −1 for each empty place", (Sign.GAPS,)


_ROWS: Final = [(fault, signs) for fault in Fault for signs in fault.excluded]
#: The fault of each row of the table.
_FAULTS: Final = tuple(int(fault) for fault, _ in _ROWS)
#: The rows that contain each `Sign`, and all rows, as masks.
_ROWS_WITH: Final = tuple(sum(1 << row for row, (_, signs) in enumerate(_ROWS) if sign in signs) for sign in Sign)
_ALL_ROWS: Final = (1 << len(_ROWS)) - 1


# ---------------------------------------------------------------------------------------------------------
# Tiles


@leaf
def add_open_tiles(hand: Winning) -> None:
    """Add the tiles of melds and kitas to the concealed tiles."""
    for index in range(int(hand.calls)):
        low, form = int(hand.kinds[index]), int(hand.forms[index])
        for offset in range(3):
            if offset == 0 or form == MeldForm.CHII:
                hand.counts[low + offset] += copies_in_meld(form)
    hand.counts[NORTH] += int(hand.kitas)


@leaf
def add_indicators(hand: Winning) -> None:
    """Add the indicators to the concealed tiles."""
    for index in range(5):
        if int(hand.dora[index]) >= 0:
            hand.counts[int(hand.dora[index])] += 1
        if int(hand.ura[index]) >= 0:
            hand.counts[int(hand.ura[index])] += 1


@leaf
def melds_fit(hand: Winning) -> bool:
    """Return whether there are as many melds as calls, and every chii is a run."""
    fit = True
    for index in range(4):
        form = int(hand.forms[index])
        low = int(hand.kinds[index])
        no_run = low >= 27 or low % 9 > 6
        if (form == 0) != (index >= int(hand.calls)) or (form == MeldForm.CHII and no_run):
            fit = False
    return fit


@leaf
def count_forms(hand: Winning, least: int, most: int) -> int:
    """Return the number of melds with a form between two."""
    count = 0
    for index in range(4):
        if least <= int(hand.forms[index]) <= most:
            count += 1
    return count


@rule
def tiles_fault(rules: RulesRecord, hand: Winning) -> int:
    """Return the `Fault` of a hand's tiles; its counts become those of all its tiles and the indicators."""
    tiles = 3 * int(hand.calls)
    for kind in range(34):
        tiles += int(hand.counts[kind])
    if tiles == _COMPLETE and int(hand.counts[int(hand.kind)]) == 0:
        return Fault.WINNING_TILE
    add_open_tiles(hand)
    reds = 0
    for suit in range(3):
        reds += min(int(hand.counts[9 * suit + 4]), int(rules.red_fives[suit]))
    add_indicators(hand)
    most = 0
    small = 0
    for kind in range(34):
        most = max(most, int(hand.counts[kind]))
        small += int(hand.counts[kind]) if 1 <= kind <= 7 else 0
    if most > 4:
        return Fault.FIVE_OF_A_KIND
    if int(rules.players) == 3 and small:
        return Fault.SMALL_MAN
    if count_forms(hand, MeldForm.CHII, MeldForm.CHII) and not int(rules.chii):
        return Fault.CHII
    if int(hand.kitas) and not int(rules.kita):
        return Fault.KITA
    if int(rules.players) == 3 and int(hand.seat_wind) == NORTH:
        return Fault.NORTH
    if int(hand.reds) > reds:
        return Fault.REDS
    return Fault.TILES if tiles > _COMPLETE else Fault.NONE


# ---------------------------------------------------------------------------------------------------------
# Circumstances


@leaf
def without(sign: int, present: bool) -> int:
    """Return the rows of the table that a hand does not fill, as it lacks a sign; none if the sign is present."""
    return 0 if present else _ROWS_WITH[sign]


@rule
def open_by_rules(rules: RulesRecord) -> int:
    """Return the rows that no hand fills, by what the rules have."""
    least, players, kita = int(rules.riichi_least_tiles), int(rules.players), int(rules.kita)
    rows = without(Sign.NO_RENHOU, int(rules.renhou) == 0)
    rows |= without(Sign.NO_URA_DORA, int(rules.ura_dora) == 0)
    rows |= without(Sign.NO_KAN_URA, int(rules.kan_ura) == 0)
    rows |= without(Sign.NO_KAN_DORA, int(rules.kan_dora) == KanDora.NONE)
    rows |= without(Sign.NO_ROBBED_CLOSED_KAN, int(rules.orphans_rob_closed_kan) == 0)
    # The others draw the next tiles after riichi, one each, and then its player. Kitas, which shorten the wall, do not
    # end ippatsu everywhere: published cases of three players contain it on the last discard.
    rows |= without(Sign.NO_IPPATSU_ON_LAST_DRAW, least > players and kita == 0)
    return rows | without(Sign.NO_IPPATSU_ON_LAST_DISCARD, least > players - 1 and kita == 0)


@leaf
def open_by_indicators(hand: Winning) -> int:
    """Return the rows that a hand does not fill by its indicators."""
    dora = 0
    ura = 0
    last_dora = 0
    last_ura = 0
    for index in range(5):
        if int(hand.dora[index]) >= 0:
            dora += 1
            last_dora = index + 1
        if int(hand.ura[index]) >= 0:
            ura += 1
            last_ura = index + 1
    rows = without(Sign.URA, ura > 0) | without(Sign.TWO_URA, ura > 1) | without(Sign.MORE_URA, ura > dora)
    rows |= without(Sign.TWO_DORA, dora > 1) | without(Sign.FIVE_DORA, dora == _MOST_INDICATORS)
    return rows | without(Sign.GAPS, last_dora + last_ura > dora + ura)


@leaf
def open_by_melds(hand: Winning) -> int:
    """Return the rows that a hand does not fill by its melds, and by its tiles, whose counts `tiles_fault` changed."""
    calls, kitas = int(hand.calls), int(hand.kitas)
    closed_kans = count_forms(hand, MeldForm.ANKAN, MeldForm.ANKAN)
    kans = count_forms(hand, MeldForm.DAIMINKAN, MeldForm.KAKAN)
    rows = without(Sign.MELDED, calls + kitas > 0) | without(Sign.OPEN, calls > closed_kans)
    rows |= without(Sign.NO_REPLACEMENT, kans + kitas == 0)
    return rows | without(Sign.COPIES, int(hand.counts[int(hand.kind)]) > 1)


@leaf
def open_by_win(hand: Winning) -> int:
    """Return the rows that a hand does not fill by the way it was won."""
    riichi = int(hand.riichi)
    rows = without(Sign.TSUMO, int(hand.tsumo) == 1) | without(Sign.RON, int(hand.tsumo) == 0)
    rows |= without(Sign.NO_RIICHI, riichi == 0) | without(Sign.RIICHI, riichi > 0)
    rows |= without(Sign.DOUBLE_RIICHI, riichi == 2) | without(Sign.BOTH_RIICHI, riichi == 3)
    rows |= without(Sign.IPPATSU, int(hand.ippatsu) == 1) | without(Sign.RINSHAN, int(hand.rinshan) == 1)
    rows |= without(Sign.CHANKAN, int(hand.chankan) == 1) | without(Sign.LAST, int(hand.last) == 1)
    return rows | without(Sign.FIRST, int(hand.first) == 1) | without(Sign.DEALER, int(hand.seat_wind) == EAST)


@leaf
def has_simples(hand: Winning) -> bool:
    """Return whether a concealed tile is neither terminal nor honour."""
    simples = 0
    for kind in range(27):
        simples += int(hand.counts[kind]) if 1 <= kind % 9 <= 7 else 0
    return simples > 0


@rule
def conditions_fault(open_rows: int, hand: Winning) -> int:
    """Return the `Fault` of circumstances that exclude each other, after `tiles_fault`.

    ``open_rows``: rows that the hand does not fill by the rules and by signs that are not looked for here.
    """
    filled = _ALL_ROWS & ~(open_rows | open_by_win(hand) | open_by_melds(hand) | open_by_indicators(hand))
    for row in range(len(_FAULTS)):
        if filled >> row == 0:
            break
        if filled >> row & 1:
            return _FAULTS[row]
    return Fault.NONE


@rule
def fault_of(rules: RulesRecord, open_rows: int, hand: Winning) -> int:
    """Return the `Fault` that makes a hand impossible. Its counts are changed.

    ``open_rows``: `open_by_rules` of the rules, the same for all hands.
    """
    if not melds_fit(hand):
        return Fault.MELDS
    simples = int(hand.chankan) == 1 and has_simples(hand)
    fault = tiles_fault(rules, hand)
    return fault if fault else conditions_fault(open_rows | without(Sign.SIMPLES, simples), hand)

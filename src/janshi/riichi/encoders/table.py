"""The whole table as visible to a seat, for networks over the whole action space.

The first columns describe each kind of tile: the own hand and the effects of its discards, dora, unseen tiles, every
river with its order, tedashi and riichi, safe tiles against each seat, melds, winds. The last `POSITION` columns are
the same for all kinds: legal actions, shanten, effects of calls, riichi, scores and their differences, rank, round,
tiles left. Numbers are encoded as reached thresholds.

Seats are counted from the own one: 0 own, 1 next … 3 previous; seat 3 is empty in games of three. The only input is a
`View`.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import Int64s, leaf, rule
from janshi.core.kinds import ALL_KINDS, kind_of_tile
from janshi.core.shanten import AS_IT_IS, NOT_HELD, Ukeire, ukeire_as_it_is, ukeire_of_discards
from janshi.core.shanten_tables import ShantenTables
from janshi.encoders.base import Encoder, first_columns
from janshi.riichi.actions import Action
from janshi.riichi.analysis.danger import danger_class
from janshi.riichi.analysis.visible import count_visible
from janshi.riichi.encoders.janshi import EncodingWorkspace, most_tiles, shanten_after_call, write_unseen
from janshi.riichi.hands.scoring import dora_of
from janshi.riichi.melds import copies_in_meld, kinds_of_meld
from janshi.riichi.state import DiscardFlag, MeldForm, Offer, Phase, Seat, View

_SEATS: Final = 4
_WHOSE: Final = ("own", "next", "opposite", "previous")

#: Thresholds of numbers.
TILES: Final = (2, 4, 6, 8, 12, 16, 20, 24, 32)
LEFT: Final = (1, 2, 4, 8, 12, 16, 20, 24, 30, 36, 42, 48, 54, 60)
POINTS: Final = (1000, 2000, 4000, 8000, 12000, 16000, 20000, 25000, 30000, 35000, 40000, 50000)
AHEAD: Final = (
    *(-24000, -16000, -12000, -8000, -5200, -3900, -2000, -1000, 0),
    *(1, 1001, 2001, 3901, 5201, 8001, 12001, 16001, 24001),
)
HONBA: Final = (1, 2, 3, 5)
DEPOSITS: Final = (1, 2, 3)
TURNS: Final = (4, 7, 10, 13, 16)

#: Columns of one seat's river and melds, and of safe tiles against it.
_RIVER: Final = (
    "discards",
    "discards of two or more",
    "discards from the hand",
    "discards 1 to 6",
    "discards 7 to 12",
    "later discards",
    "last discard",
    "last discard but one",
    "last discard but two",
    "last discard from the hand",
    "riichi discard",
    "dora or red five discarded",
    "melded tiles",
    "melded triplets",
    "melded kans",
    "red fives in melds",
)
_SAFE: Final = ("cannot win by", "no two-sided wait", "two two-sided waits, or safe", "seat wind")

_KIND_GROUPS: Final = {
    "target": ("target", "target is a red five"),
    "hand": (*(f"own tiles, {count} or more" for count in range(1, 5)), "own red fives"),
    "legal": ("legal discards", "closed kans", "added kans", "kan of the tile drawn"),
    "discards": ("discards that keep the shanten", "discards that raise it by one", "discards that accept most"),
    "accepting": tuple(f"discards that accept {count} or more" for count in TILES),
    "accepted": ("accepted after the best discards, or as it is", "accepted after any that keeps the shanten"),
    "furiten": ("tenpai by it, and furiten", "tenpai by it"),
    "dora": ("dora", "dora twice or more", "dora indicators", "red fives unseen"),
    "unseen": tuple(f"{count} or more unseen" for count in range(1, 5)),
    "winds": ("round wind", "own wind"),
    "rivers": tuple(f"{whose} {what}" for whose in _WHOSE for what in _RIVER),
    "safe": tuple(f"{whose} {what}" for whose in _WHOSE[1:] for what in _SAFE),
}
_SEAT: Final = (
    "riichi",
    "ippatsu",
    *(f"{count} or more calls" for count in range(1, 5)),
    "closed",
    *(f"{count} or more kitas" for count in range(1, 5)),
    "two tsumogiri in a row",
    "four tsumogiri in a row",
    "riichi by turn 6",
    "riichi after turn 12",
    *(f"{count} or more dora in sight" for count in range(1, 5)),
    "dealer",
    "nagashi",
)
_POSITION_GROUPS: Final = {
    "phase": ("turn", "discard after a call", "riichi declared", "claim", "claim of a kan or kita", "tile drawn"),
    "from": tuple(f"{whose} tile to claim" for whose in _WHOSE[1:]),
    "actions": tuple(f"action {number} possible" for number in range(Action.TSUMOGIRI, Action.ANKAN)),
    "kans": ("closed kan possible", "added kan possible"),
    "shanten": ("complete", *(f"shanten {number}" for number in range(5)), "shanten 5 or more"),
    "most": tuple(f"best discard or hand accepts {count} or more" for count in TILES),
    "calls": tuple(
        f"{call} {does}"
        for call in ("chii, low", "chii, middle", "chii, high", "pon")
        for does in ("lowers the shanten", "keeps the shanten")
    ),
    "missed": ("furiten until the next discard", "furiten to the end of the hand", "furiten by a discard"),
    "dora held": tuple(f"{count} or more dora held or melded" for count in range(1, 7)),
    "seats": tuple(f"{whose} {what}" for whose in _WHOSE for what in _SEAT),
    "points": tuple(f"own points {count} or more" for count in POINTS),
    "ahead": tuple(f"ahead of {whose} by {points} or more" for whose in _WHOSE[1:] for points in AHEAD),
    "rank": tuple(f"rank {rank}" for rank in range(1, _SEATS + 1)),
    "round": (*(f"hand {number} of the game" for number in range(1, 9)), "after the last hand"),
    "last": ("last hand", "game of East alone", "single hand"),
    "honba": tuple(f"{count} honba or more" for count in HONBA),
    "deposits": tuple(f"{count} deposits or more" for count in DEPOSITS),
    "left": tuple(f"{count} or more tiles to draw" for count in LEFT),
    "turns": tuple(f"turn {count} or later" for count in TURNS),
    "rules": ("three players", "no red fives", "closed tanyao alone"),
}


KIND_COLUMNS: Final = tuple(name for names in _KIND_GROUPS.values() for name in names)
POSITION_COLUMNS: Final = tuple(name for names in _POSITION_GROUPS.values() for name in names)
#: Number of columns that are the same for all kinds, the last ones.
POSITION: Final = len(POSITION_COLUMNS)
(
    _TARGET, _HAND, _LEGAL, _DISCARDS, _ACCEPTING, _ACCEPTED, _FURITEN, _DORA, _UNSEEN, _WINDS, _RIVERS,
    _SAFE_TILES,
) = first_columns(_KIND_GROUPS)
(
    _PHASE, _FROM, _ACTIONS, _KANS, _SHANTEN, _MOST, _CALLS, _MISSED, _DORA_HELD, _THREATS, _POINTS, _AHEAD, _RANK,
    _ROUND, _LAST, _HONBA, _DEPOSITS, _LEFT, _TURNS, _RULES,
) = first_columns(_POSITION_GROUPS, len(KIND_COLUMNS))
_RIVER_COLUMNS: Final = len(_RIVER)
_SAFE_COLUMNS: Final = len(_SAFE)
_SEAT_COLUMNS: Final = len(_SEAT)
_SIMPLE: Final = Action.ANKAN - Action.TSUMOGIRI


# ---------------------------------------------------------------------------------------------------------
# Marks


@leaf
def mark(columns: Int64s, column: int, holds: bool) -> None:
    """Fill a column of the position if a condition holds."""
    if holds:
        columns[column] = ALL_KINDS


@rule
def write_dora(view: View, columns: Int64s) -> None:
    """Write indicators and dora."""
    sanma = int(view.rules.players) == 3
    for number in range(int(view.shown)):
        indicator = kind_of_tile(int(view.indicators[number]))
        bit = 1 << dora_of(indicator, sanma)
        columns[_DORA + 1] |= columns[_DORA] & bit
        columns[_DORA] |= bit
        columns[_DORA + 2] |= 1 << indicator


# ---------------------------------------------------------------------------------------------------------
# The own hand


@rule
def write_own_tiles(view: View, columns: Int64s) -> None:
    """Write the own tiles, the target, and legal discards and kans."""
    claim = int(view.phase) == Phase.CLAIM
    target = int(view.tile) if claim else int(view.drawn)
    drawn = 0
    if target >= 0:
        columns[_TARGET] = 1 << kind_of_tile(target)
        columns[_TARGET + 1] = columns[_TARGET] if target >= 34 else 0
        drawn = 0 if claim else int(columns[_TARGET])
    for count in range(4):
        columns[_HAND + count] = int(view.hand.concealed.held[count + 1])
    simple = int(view.legal[0])
    columns[_LEGAL] = simple & ALL_KINDS
    for suit in range(3):
        five = 1 << 4 + 9 * suit
        if int(view.hand.reds[suit]):
            columns[_HAND + 4] |= five
        if simple >> 34 + suit & 1:
            columns[_LEGAL] |= five
    if simple >> Action.TSUMOGIRI & 1:
        columns[_LEGAL] |= drawn
    columns[_LEGAL + 1] = int(view.legal[1])
    columns[_LEGAL + 2] = int(view.legal[2])
    columns[_LEGAL + 3] = (int(view.legal[1]) | int(view.legal[2])) & drawn
    for action in range(_SIMPLE):
        mark(columns, _ACTIONS + action, simple >> Action.TSUMOGIRI + action & 1 == 1)
    mark(columns, _KANS, int(view.legal[1]) != 0)
    mark(columns, _KANS + 1, int(view.legal[2]) != 0)


@rule
def write_discards(view: View, ukeire: Ukeire, columns: Int64s) -> int:
    """Write the effects of the discards of a hand of 3n + 2 tiles; return the most tiles accepted."""
    least = NOT_HELD
    for kind in range(34):
        least = min(least, int(ukeire.shanten[kind]))
    most = most_tiles(ukeire, least)
    river = int(view.seats[int(view.seat)].river_mask)
    for kind in range(34):
        bit = 1 << kind
        if int(ukeire.shanten[kind]) == least + 1:
            columns[_DISCARDS + 1] |= bit
        if int(ukeire.shanten[kind]) != least:
            continue
        left, accepted = int(ukeire.left[kind]), int(ukeire.accepted[kind])
        columns[_DISCARDS] |= bit
        columns[_ACCEPTED + 1] |= accepted
        if left == most:
            columns[_DISCARDS + 2] |= bit
            columns[_ACCEPTED] |= accepted
        for step in range(len(TILES)):
            if left >= TILES[step]:
                columns[_ACCEPTING + step] |= bit
        if least == 0:
            columns[_FURITEN + 1] |= bit
            if accepted & (river | bit):
                columns[_FURITEN] |= bit
    return most


@leaf
def mark_call(columns: Int64s, column: int, after: int, shanten: int) -> None:
    """Write whether a call lowers or keeps the shanten."""
    mark(columns, column, after < shanten)
    mark(columns, column + 1, after == shanten)


@rule
def write_calls(view: View, tables: ShantenTables, sets: int, shanten: int, columns: Int64s) -> None:
    """Write the effects of the legal calls."""
    simple = int(view.legal[0])
    kind = kind_of_tile(int(view.tile))
    for step in range(3):
        if simple >> Action.CHII + step & 1 or simple >> Action.CHII_RED + step & 1:
            low = kind - step
            first = low + 1 if step == 0 else low
            second = low + 1 if step == 2 else low + 2
            after = shanten_after_call(view.hand, tables, sets, False, first, second)
            mark_call(columns, _CALLS + 2 * step, after, shanten)
    if simple >> Action.PON & 0b111:
        mark_call(columns, _CALLS + 6, shanten_after_call(view.hand, tables, sets, False, kind, kind), shanten)


@rule
def write_shanten(view: View, tables: ShantenTables, ukeire: Ukeire, columns: Int64s) -> None:
    """Write shanten and accepted tiles of the hand, of its discards, and after calls."""
    own = int(view.seat)
    sanma = int(view.rules.players) == 3
    sets = 4 - int(view.seats[own].calls)
    if int(view.phase) != Phase.CLAIM and int(view.turn) == own:
        ukeire_of_discards(tables, view.hand.concealed, sets, sanma, ukeire)
        most = write_discards(view, ukeire, columns)
        shanten = int(ukeire.shanten[AS_IT_IS])
    else:
        ukeire_as_it_is(tables, view.hand.concealed, sets, sanma, ukeire)
        most, shanten = int(ukeire.left[AS_IT_IS]), int(ukeire.shanten[AS_IT_IS])
        columns[_ACCEPTED] = int(ukeire.accepted[AS_IT_IS])
        if int(view.tile) >= 0:
            write_calls(view, tables, sets, shanten, columns)
    columns[_SHANTEN + min(max(shanten, -1), 5) + 1] = ALL_KINDS
    for step in range(len(TILES)):
        mark(columns, _MOST + step, most >= TILES[step])


# ---------------------------------------------------------------------------------------------------------
# Seats


@rule
def write_river(seat: Seat, columns: Int64s, first: int) -> None:
    """Write a seat's discards, called ones included."""
    discards = int(seat.discards)
    for number in range(discards):
        tile, marks = int(seat.river[number]), int(seat.marks[number])
        bit = 1 << kind_of_tile(tile)
        columns[first + 1] |= columns[first] & bit
        columns[first] |= bit
        columns[first + 3 + min(number // 6, 2)] |= bit
        if not marks & DiscardFlag.TSUMOGIRI:
            columns[first + 2] |= bit
            columns[first + 9] = bit
        if marks & DiscardFlag.DECLARES_RIICHI:
            columns[first + 10] = bit
        if number >= discards - 3:
            columns[first + 5 + discards - number] = bit
        if tile >= 34:
            columns[first + 11] |= bit
    columns[first + 11] |= columns[first] & columns[_DORA]


@rule
def write_melds(seat: Seat, columns: Int64s, first: int) -> int:
    """Write a seat's melds; return their dora and those of its kitas."""
    dora = 0
    for number in range(int(seat.calls)):
        meld = seat.melds[number]
        form, kinds = int(meld.form), kinds_of_meld(int(meld.form), int(meld.kind))
        columns[first + 12] |= kinds
        if form != MeldForm.CHII:
            columns[first + 13] |= kinds
        if form >= MeldForm.DAIMINKAN:
            columns[first + 14] |= kinds
        if int(meld.reds):
            columns[first + 15] |= 1 << int(meld.kind) // 9 * 9 + 4
        tiles = copies_in_meld(form)
        for level in range(2):
            for kind in range(34):
                if int(columns[_DORA + level]) & kinds & 1 << kind:
                    dora += tiles
        dora += int(meld.reds)
    return dora + int(seat.kitas)


@leaf
def tsumogiri_in_a_row(seat: Seat) -> int:
    """Return the number of a seat's last discards that were the tile just drawn."""
    number = int(seat.discards)
    while number > 0 and int(seat.marks[number - 1]) & DiscardFlag.TSUMOGIRI:
        number -= 1
    return int(seat.discards) - number


@rule
def write_seat(view: View, number: int, columns: Int64s, step: int, dora: int) -> None:
    """Write the threats of a seat."""
    seat = view.seats[number]
    first = _THREATS + _SEAT_COLUMNS * step
    riichi, turn = int(seat.riichi) > 0, int(seat.riichi_turn)
    mark(columns, first, riichi)
    mark(columns, first + 1, int(seat.ippatsu) > 0)
    for count in range(4):
        mark(columns, first + 2 + count, int(seat.calls) > count)
        mark(columns, first + 7 + count, int(seat.kitas) > count)
        mark(columns, first + 15 + count, dora > count)
    mark(columns, first + 6, int(seat.opened) == 0)
    row = tsumogiri_in_a_row(seat)
    mark(columns, first + 11, row >= 2)
    mark(columns, first + 12, row >= 4)
    mark(columns, first + 13, riichi and turn <= 6)
    mark(columns, first + 14, riichi and turn > 12)
    mark(columns, first + 19, number == int(view.dealer))
    mark(columns, first + 20, int(seat.nagashi) > 0)


@rule
def write_safe(view: View, number: int, ukeire: Ukeire, columns: Int64s, first: int) -> None:
    """Write the safety against a seat: kinds on which it cannot win, and possible two-sided waits."""
    seat = view.seats[number]
    cannot = int(seat.river_mask) | int(seat.passed)
    sanma = int(view.rules.players) == 3
    columns[first] = cannot
    for kind in range(27):
        sides = danger_class(cannot, sanma, kind, 4 - int(ukeire.visible[kind])) % 3
        if sides == 0 and not (sanma and kind < 9):
            columns[first + 1] |= 1 << kind
        if sides == 2:  # also for `SAFE`, which has another column
            columns[first + 2] |= 1 << kind
    columns[first + 3] = 1 << 27 + (number - int(view.dealer)) % int(view.rules.players)


@rule
def write_seats(view: View, ukeire: Ukeire, columns: Int64s) -> None:
    """Write rivers, melds and threats of all seats, and the unseen red fives."""
    players = int(view.rules.players)
    reds = int(columns[_HAND + 4])
    for step in range(players):
        number = (int(view.seat) + step) % players
        first = _RIVERS + _RIVER_COLUMNS * step
        write_river(view.seats[number], columns, first)
        dora = write_melds(view.seats[number], columns, first)
        write_seat(view, number, columns, step, dora)
        reds |= int(columns[first + 15])
        for index in range(int(view.seats[number].discards)):
            tile = int(view.seats[number].river[index])
            reds |= 1 << kind_of_tile(tile) if tile >= 34 else 0
        if step:
            write_safe(view, number, ukeire, columns, _SAFE_TILES + _SAFE_COLUMNS * (step - 1))
        else:
            held = own_dora(view, columns) + dora
            for count in range(6):
                mark(columns, _DORA_HELD + count, held > count)
    for suit in range(3):
        if int(view.rules.red_fives[suit]):
            columns[_DORA + 3] |= (1 << 4 + 9 * suit) & ~reds


@leaf
def own_dora(view: View, columns: Int64s) -> int:
    """Return the dora among the own concealed tiles, red fives included."""
    count = int(view.hand.reds[0]) + int(view.hand.reds[1]) + int(view.hand.reds[2])
    for level in range(2):
        for kind in range(34):
            if int(columns[_DORA + level]) >> kind & 1:
                count += int(view.hand.counts[kind])
    return count


# ---------------------------------------------------------------------------------------------------------
# The position


@rule
def write_scores(view: View, columns: Int64s) -> None:
    """Write own points, differences to the others, and rank."""
    own, players = int(view.seat), int(view.rules.players)
    points = int(view.seats[own].points)
    rank = 0
    for step in range(len(POINTS)):
        mark(columns, _POINTS + step, points >= POINTS[step])
    for ahead in range(1, players):
        number = (own + ahead) % players
        difference = points - int(view.seats[number].points)
        if difference < 0 or (difference == 0 and number < own):
            rank += 1
        for step in range(len(AHEAD)):
            mark(columns, _AHEAD + len(AHEAD) * (ahead - 1) + step, difference >= AHEAD[step])
    columns[_RANK + rank] = ALL_KINDS


@rule
def write_round(view: View, columns: Int64s) -> None:
    """Write round, honba, deposits, tiles left, and relevant rules."""
    players, length = int(view.rules.players), int(view.rules.length)
    wind, number = int(view.kyoku) // 4, int(view.kyoku) % 4
    columns[_WINDS] = 1 << 27 + min(wind, 3)
    columns[_WINDS + 1] = 1 << 27 + (int(view.seat) - int(view.dealer)) % players
    columns[_ROUND + (4 * wind + number if wind < 2 else 8)] = ALL_KINDS
    mark(columns, _LAST, wind >= length or (wind == length - 1 and number == players - 1))
    mark(columns, _LAST + 1, length == 1)
    mark(columns, _LAST + 2, length == 0)
    for step in range(len(HONBA)):
        mark(columns, _HONBA + step, int(view.honba) >= HONBA[step])
    for step in range(len(DEPOSITS)):
        mark(columns, _DEPOSITS + step, int(view.deposits) >= DEPOSITS[step])
    for step in range(len(LEFT)):
        mark(columns, _LEFT + step, int(view.left) >= LEFT[step])
    for step in range(len(TURNS)):
        mark(columns, _TURNS + step, int(view.turns) >= TURNS[step])
    reds = view.rules.red_fives
    mark(columns, _RULES, players == 3)
    mark(columns, _RULES + 1, int(reds[0]) + int(reds[1]) + int(reds[2]) == 0)
    mark(columns, _RULES + 2, int(view.rules.open_tanyao) == 0)


@rule
def write_asked(view: View, columns: Int64s) -> None:
    """Write the phase, and whether the own hand is furiten."""
    own, phase = int(view.seat), int(view.phase)
    claim = phase == Phase.CLAIM
    mark(columns, _PHASE, phase == Phase.TURN)
    mark(columns, _PHASE + 1, phase == Phase.CALLED_DISCARD)
    mark(columns, _PHASE + 2, phase == Phase.RIICHI_DISCARD)
    mark(columns, _PHASE + 3, claim)
    mark(columns, _PHASE + 4, claim and int(view.claimed) != Offer.DISCARD)
    mark(columns, _PHASE + 5, int(view.drawn) >= 0)
    step = (int(view.turn) - own) % int(view.rules.players)
    if claim and step:
        columns[_FROM + step - 1] = ALL_KINDS
    missed = int(view.hand.missed)
    mark(columns, _MISSED, missed == 1)
    mark(columns, _MISSED + 1, missed == 2)
    mark(columns, _MISSED + 2, int(view.hand.waits) & int(view.seats[own].river_mask) != 0)


@rule
def write_table(view: View, tables: ShantenTables, workspace: EncodingWorkspace, columns: Int64s) -> None:
    """Write the table as visible to a seat into one row of masks."""
    ukeire = workspace.ukeire
    count_visible(view, ukeire)
    write_asked(view, columns)
    write_own_tiles(view, columns)
    write_shanten(view, tables, ukeire, columns)
    write_dora(view, columns)
    write_unseen(view, ukeire, columns, _UNSEEN)
    write_seats(view, ukeire, columns)
    write_scores(view, columns)
    write_round(view, columns)


#: The encoder of the whole table.
TABLE: Final = Encoder(
    name="table", write=write_table, columns=(*KIND_COLUMNS, *POSITION_COLUMNS), position_columns=POSITION
)

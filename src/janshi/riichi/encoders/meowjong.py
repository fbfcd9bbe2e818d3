"""The observation of the `meowjong` papers: 34 kinds × 366 columns of zeros and ones.

A row is a kind of tile. A column is stored as one 34-bit mask, and expanded for networks. Values other than tiles (bits
of a number, flags) fill all rows of a column; numbers have their most significant bit first. The only input is a
`View`, so that no hidden information enters. Source: table 3.2 of the dissertation, columns in the order of the
conference paper's table III; in sanma the fourth player's columns are empty.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import Int64s, rule
from janshi.core.kinds import ALL_KINDS, kind_of_tile
from janshi.encoders.base import Encoder, first_columns
from janshi.riichi.state import MeldForm, Phase, View
from janshi.tiles import NORTH


def _bits(what: str, count: int) -> tuple[str, ...]:
    return tuple(f"{what}, bit {2 ** (count - 1 - index)}" for index in range(count))


def _sets(whose: str) -> tuple[str, ...]:
    names: list[str] = []
    for number in range(1, 5):
        names += [f"{whose} set {number}, {copy} or more" for copy in range(1, 5)]
        names += _bits(f"{whose} set {number}, turn", 5)
    return tuple(names)


def _numbered(what: str, count: int) -> tuple[str, ...]:
    return tuple(f"{what} {number}" for number in range(1, count + 1))


_AHEAD: Final = tuple(f"player {step} ahead," for step in range(1, 4))
#: Names of the columns, by group.
_NAMES: Final = {
    "target": ("target",),
    "own tiles": tuple(f"own tiles, {copy} or more" for copy in range(1, 5)),
    "red fives": ("own red fives",),
    "own sets": _sets("own"),
    "own kitas": _numbered("own kita", 4),
    "own discards": _numbered("own discard", 30),
    "dora indicators": _numbered("dora indicator", 5),
    "riichi of the others": tuple(
        name for whose in _AHEAD for name in (f"{whose} riichi", *_bits(f"{whose} riichi turn", 5))
    ),
    "scores": tuple(name for whose in ("own", *_AHEAD) for name in _bits(f"{whose} score in hundreds", 11)),
    **{what: _bits(what, 4) for what in ("round", "honba", "deposits")},
    "own wind": ("own wind",),
    **{
        f"{whose} {group}": names
        for whose in _AHEAD
        for group, names in (
            ("sets", _sets(whose)),
            ("kitas", _numbered(f"{whose} kita", 4)),
            ("discards", _numbered(f"{whose} discard", 30)),
        )
    },
}
_FIRST: Final = first_columns(_NAMES)
#: Groups of columns: name, first column, count.
GROUPS: Final = tuple((name, first, len(_NAMES[name])) for name, first in zip(_NAMES, _FIRST, strict=True))
TARGET, HAND, REDS, OWN_SETS, OWN_KITAS, OWN_RIVER, DORA, RIICHI, SCORES, ROUND, HONBA, DEPOSITS, WIND, OTHERS = (
    _FIRST[:14]
)
#: Columns of an observation.
COLUMNS: Final = sum(map(len, _NAMES.values()))
#: Columns of one set; of an opponent (sets, kitas, river); offsets of its kitas and river.
SET: Final = 9
OTHER: Final = 70
KITAS: Final = 36
RIVER: Final = 40
#: Most discards in the columns.
_DISCARDS: Final = 30


@rule
def write_bits(columns: Int64s, first: int, number: int, bits: int) -> None:
    """Write a number in bits over all rows, most significant first; too large numbers are all ones."""
    number = min(max(number, 0), (1 << bits) - 1)
    for index in range(bits):
        columns[first + index] = ALL_KINDS if number >> bits - 1 - index & 1 else 0


@rule
def write_player(view: View, number: int, columns: Int64s, sets: int, kitas: int, river: int) -> None:
    """Write a seat's melds, kitas and discards; the last three arguments are the first columns of each group."""
    seat = view.seats[number]
    for index in range(int(seat.calls)):
        meld = seat.melds[index]
        low = int(meld.kind)
        first = sets + SET * index
        if int(meld.form) == MeldForm.CHII:
            columns[first] = 0b111 << low
        else:
            for copy in range(3 if int(meld.form) == MeldForm.PON else 4):
                columns[first + copy] = 1 << low
        write_bits(columns, first + 4, int(meld.turn), 5)
    for index in range(int(seat.kitas)):
        columns[kitas + index] = 1 << NORTH
    for index in range(min(int(seat.discards), _DISCARDS)):
        columns[river + index] = 1 << kind_of_tile(int(seat.river[index]))


@rule
def write_hand(view: View, columns: Int64s) -> None:
    """Write the seat's own tiles and the target: the tile to claim, or the one just drawn."""
    hand = view.hand
    target = int(view.tile) if int(view.phase) == Phase.CLAIM else int(view.drawn)
    for copy in range(4):
        columns[HAND + copy] = int(hand.concealed.held[copy + 1])
    if target >= 0:
        kind = kind_of_tile(target)
        columns[TARGET] = 1 << kind
        if int(view.phase) != Phase.CLAIM:
            columns[HAND + int(hand.counts[kind]) - 1] &= ~(1 << kind)
    for suit in range(3):
        if int(hand.reds[suit]):
            columns[REDS] |= 1 << 4 + 9 * suit


@rule
def write_meowjong(view: View, columns: Int64s) -> None:
    """Write the observation of a view into one row of masks."""
    own = int(view.seat)
    players = int(view.rules.players)
    write_hand(view, columns)
    write_player(view, own, columns, OWN_SETS, OWN_KITAS, OWN_RIVER)
    for index in range(int(view.shown)):
        columns[DORA + index] = 1 << kind_of_tile(int(view.indicators[index]))
    for step in range(1, players):
        number = (own + step) % players
        seat = view.seats[number]
        riichi = RIICHI + 6 * (step - 1)
        if int(seat.riichi):
            columns[riichi] = ALL_KINDS
            write_bits(columns, riichi + 1, int(seat.riichi_turn), 5)
        first = OTHERS + OTHER * (step - 1)
        write_player(view, number, columns, first, first + KITAS, first + RIVER)
    for step in range(players):
        points = int(view.seats[(own + step) % players].points)
        write_bits(columns, SCORES + 11 * step, points // 100, 11)
    write_bits(columns, ROUND, int(view.kyoku), 4)
    write_bits(columns, HONBA, int(view.honba), 4)
    write_bits(columns, DEPOSITS, int(view.deposits), 4)
    columns[WIND] = 1 << 27 + (own - int(view.dealer)) % players


def column_names() -> list[str]:
    """Return the names of the 366 columns.

    >>> names = column_names()
    >>> len(names), names[0], names[46], names[-1]
    (366, 'target', 'own discard 1', 'player 3 ahead, discard 30')
    """
    return [name for names in _NAMES.values() for name in names]


#: The encoder of the papers.
MEOWJONG: Final = Encoder(name="meowjong", write=write_meowjong, columns=tuple(column_names()))

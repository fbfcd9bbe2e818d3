"""Contents of a drawing of a table, from a seat's view or with all hands open; the source of SVG and text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from janshi.drawing.picture import HIDDEN, MeldTile, RiverTile, SeatPicture, check_seat, laid, one_record
from janshi.riichi.state import DiscardFlag, MeldForm, Offer, Phase, State
from janshi.table import Table
from janshi.tiles import NORTH, red_of, sort_key

#: Names of the winds, by number.
WIND_NAMES: Final = ("East", "South", "West", "North")

_FIVES: Final = (4, 13, 22)
_FULL_PHASES: Final = (Phase.TURN, Phase.CALLED_DISCARD, Phase.RIICHI_DISCARD)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSnapshot(SeatPicture):
    """One seat's part of the table; kitas are laid aside."""

    wind: int  # 0 East … 3 North
    points: int
    riichi: bool  # its stick is on the table
    asked: bool  # the table waits for this seat
    discarders: tuple[int, ...]  # discarder of each meld's tile; for a closed kan the seat itself


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """A table as visible to one seat, or with all hands open."""

    players: int
    kyoku: int
    honba: int
    deposits: int
    left: int
    indicators: tuple[int, ...]
    over: bool
    seats: tuple[SeatSnapshot, ...]  # the lower one first, then in turn order


def round_text(kyoku: int) -> str:
    """Return the name of a round: ``round_text(5) == "South 2"``."""
    return f"{WIND_NAMES[kyoku // 4 % 4]} {kyoku % 4 + 1}"


def snapshot_of_view(view: Any) -> TableSnapshot:
    """Read a seat's view: a `janshi.riichi.state.View`, or an array of one."""
    record = one_record(view)
    own = int(record["seat"])
    hands: list[list[int]] = [[] for _ in range(4)]
    hands[own] = _concealed(record["hand"])
    return _read(record, own, hands)


def snapshot_of_table(table: Table | State, seat: int = 0) -> TableSnapshot:
    """Read a table with all hands open, ``seat`` below. Raises `ValueError` for an unknown seat."""
    record = one_record(table.state if isinstance(table, Table) else table)
    check_seat(seat, int(record["rules"]["players"]))
    return _read(record, seat, [_concealed(hand) for hand in record["hands"]])


def _concealed(hand: Any) -> list[int]:
    tiles: list[int] = []
    for kind, count in enumerate(hand["counts"].tolist()):
        reds = int(hand["reds"][kind // 9]) if kind in _FIVES else 0
        tiles += _copies(kind, count, reds)
    return tiles


def _copies(kind: int, count: int, reds: int) -> list[int]:
    return ([red_of(kind)] * reds if reds else []) + [kind] * (count - reds)


def _read(record: Any, below: int, hands: list[list[int]]) -> TableSnapshot:
    players = int(record["rules"]["players"])
    order = [(below + step) % players for step in range(players)]
    sides = (0, 1, 2, 3) if players == 4 else (0, 1, 3)
    return TableSnapshot(
        players=players,
        kyoku=int(record["kyoku"]),
        honba=int(record["honba"]),
        deposits=int(record["deposits"]),
        left=int(record["left"]),
        indicators=tuple(record["indicators"][: int(record["shown"])].tolist()),
        over=int(record["phase"]) >= Phase.HAND_OVER,
        seats=tuple(_seat(record, who, side, hands[who]) for who, side in zip(order, sides, strict=True)),
    )


def _seat(record: Any, who: int, side: int, hand: list[int]) -> SeatSnapshot:
    seat, phase, players = record["seats"][who], int(record["phase"]), int(record["rules"]["players"])
    melds = [seat["melds"][number] for number in range(int(seat["calls"]))]
    own_turn = int(record["turn"]) == who
    # At the end of a hand no tile is offered only after a self-draw or an abort on the own turn.
    full = own_turn and (phase in _FULL_PHASES or (phase >= Phase.HAND_OVER and int(record["tile"]) < 0))
    drawn = int(record["drawn"])
    apart = drawn if full and phase != Phase.CALLED_DISCARD and (not hand or drawn in hand) else None
    if not hand:
        hand = [HIDDEN] * (13 - 3 * len(melds) + (1 if full else 0))
        apart = HIDDEN if apart is not None else None
    shown = sorted(hand, key=sort_key)
    if apart is not None:
        shown.remove(apart)
    return SeatSnapshot(
        seat=who,
        side=side,
        wind=(who - int(record["dealer"])) % players,
        points=int(seat["points"]),
        riichi=bool(seat["accepted"]),
        # Only the seat asked about a tile learns so, because it reveals part of its hand.
        asked=int(record["actor"]) == who and (phase < Phase.CLAIM or (phase == Phase.CLAIM and HIDDEN not in shown)),
        hand=tuple(shown),
        drawn=apart,
        melds=tuple(_meld(meld, who, players) for meld in melds),
        discarders=tuple(int(meld["discarder"]) for meld in melds),
        aside=(NORTH,) * int(seat["kitas"]),
        river=_river(seat, own_turn and phase == Phase.CLAIM and int(record["claimed"]) == Offer.DISCARD),
    )


def _river(seat: Any, offered: bool) -> tuple[RiverTile, ...]:
    """Return a seat's discards; ``offered``: the last one may be claimed."""
    river: list[RiverTile] = []
    sideways = False
    count = int(seat["discards"])
    for number in range(count):
        marks = int(seat["marks"][number])
        sideways = sideways or bool(marks & DiscardFlag.DECLARES_RIICHI)
        drawn, called = bool(marks & DiscardFlag.TSUMOGIRI), bool(marks & DiscardFlag.CALLED)
        signs = "'" * drawn + "!" * sideways + "^" * called
        last = offered and number == count - 1
        river.append(RiverTile(int(seat["river"][number]), drawn, sideways, called, last, signs))
        sideways = sideways and called
    return tuple(river)


def _meld(meld: Any, who: int, players: int) -> tuple[MeldTile, ...]:
    """Return a meld's tiles from left to right.

    The record does not tell which tile of an added kan was added: a red five that was not called is put in the pon.
    """
    form, kind, called, reds = (int(meld[name]) for name in ("form", "kind", "tile", "reds"))
    if form == MeldForm.CHII:
        kinds = [kind, kind + 1, kind + 2]
        tiles = [red_of(member) if reds and member in _FIVES else member for member in kinds]
    else:
        count = 4 if form in (MeldForm.DAIMINKAN, MeldForm.ANKAN, MeldForm.KAKAN) else 3
        tiles = _copies(kind, count, reds)
    if form == MeldForm.ANKAN:
        # The outer two tiles are face down; a red five is visible.
        return (MeldTile(HIDDEN), MeldTile(tiles[0]), MeldTile(tiles[1]), MeldTile(HIDDEN))
    tiles.remove(called)
    added = tiles.pop() if form == MeldForm.KAKAN else None
    return laid(tiles, called, (int(meld["discarder"]) - who) % players, players, added)

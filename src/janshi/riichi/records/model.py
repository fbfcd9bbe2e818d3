"""The model of a game record, made by every reader and taken by every writer.

A `RiichiGame` is a list of `RecordedHand`s. The events of a hand are one integer array, so that compiled code can
replay it. Tiles are ids (0–135, see `janshi.tiles`), seats are 0 to 3 with seat 0 the first dealer of the
game, amounts are points. In a game of three the absent fourth seat is omitted; "the four-seat
ring" below still has it between seat 2 and seat 0, as Tenhou counts.

Columns of `RecordedHand.events`, an int16 array of shape (n, 8):

====== ====================================================================================================
column what
====== ====================================================================================================
0      `Event`; wins and drawn hands are in `RecordedHand.outcome`
1      seat that acts (-1 for `Event.DORA`)
2      tile id: drawn, discarded, called, added, set aside, turned over; of a closed kan the id that the
       record names it by; -1 for the two riichi events
3      seat that the called tile comes from (chii, pon, open kan), else -1
4–7    the ids that the caller lays down from the hand (closed kan: all four; added kan and kita: the one
       tile), padded with -1. `Event.DISCARD`: column 4 is 1 where the tile just drawn is discarded
       (tsumogiri), else 0
====== ====================================================================================================
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from functools import lru_cache
from hashlib import sha1
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from janshi.records.formats import CutHand, RecordError, Remarks, without_surrogates
from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.rules import PRESETS, TENHOU, KanDora, Length, Rules, preset
from janshi.riichi.state import Ending, Event
from janshi.tiles import IDS, tile_of_id

#: Columns of `RecordedHand.events`.
COLUMNS: Final = 8
#: Note (`RiichiGame.notes`) on a record that ends before its game.
UNFINISHED: Final = "the record ends before the game does"
#: Ignored (`RiichiGame.ignored`): points or a result at the end of a game that no game has.
WRONG_RESULT: Final = "impossible result of a game"
#: Ignored: a yaku that is not known by its name or number, and a wall that is none of the hand's.
UNKNOWN_YAKU: Final = "unknown yaku"
WRONG_WALL: Final = "wall from which the hand cannot come"


class Limit(IntEnum):
    """Limit of a winning hand, numbered as Tenhou does."""

    NONE = 0
    MANGAN = 1
    HANEMAN = 2
    BAIMAN = 3
    SANBAIMAN = 4
    YAKUMAN = 5


def limit_of_basic(basic: int) -> Limit:
    """Return the limit that basic points stand for.

    >>> limit_of_basic(1920).name, limit_of_basic(2000).name
    ('NONE', 'MANGAN')
    """
    return Limit(bisect_right((2000, 3000, 4000, 6000, 8000), basic))


class RecordedMeld(NamedTuple):
    """An open or closed set, or a kita, as a winner's hand shows it."""

    event: Event  # CHII, PON, DAIMINKAN, ANKAN, KAKAN or KITA
    tiles: tuple[int, ...]  # ids, ascending: three, four, or one for kita
    called: int = -1  # id taken from another seat; of a closed kan the id that the record names it by
    discarder: int = 0  # seat it was taken from, counted from the owner in the four-seat ring (1 the next); 0: nobody
    added: int = -1  # of an added kan: the id added


@dataclass(slots=True)
class RecordedWin:
    """One winner of a hand. Amounts in points, exactly as the record gives them."""

    who: int
    from_who: int  # the same as `who` for a self-draw
    pao: int | None  # seat that pays for a yakuman that it has fed
    tile: int  # id of the winning tile
    hand: tuple[int, ...]  # ids of the concealed tiles with the winning one, ascending
    melds: tuple[RecordedMeld, ...]  # the latest first, as Tenhou writes them
    dora: tuple[int, ...]  # ids of all indicators turned over
    ura: tuple[int, ...]  # ids of those under them; empty if the record shows none
    han: int  # sum of `yaku`; 0 for a yakuman
    fu: int  # as recorded; -1 where the record does not say (JSON writes none with a limit)
    points: int  # value of the hand as recorded, all payers together, without honba and deposits
    limit: Limit
    yaku: tuple[tuple[int, int], ...]  # (Tenhou's number of the yaku, han), in the record's order
    yakuman: tuple[int, ...]  # Tenhou's numbers; empty for a counted yakuman
    deltas: tuple[int, ...]  # change of every seat's points, honba and deposits included
    scores: tuple[int, ...]  # every seat's points before it (riichi sticks already paid)
    honba: int
    deposits: int  # riichi sticks that the winner takes
    chips: tuple[tuple[int, int], ...] = ()  # (Tenhou's number of what they are for, chips from each payer)
    chip_deltas: tuple[int, ...] = ()  # change of every seat's chips; empty if the record does not say


@dataclass(slots=True)
class Drawn:
    """A hand without a winner."""

    reason: Ending  # one of the draws, `Ending.EXHAUSTIVE` to `Ending.NAGASHI_MANGAN`
    deltas: tuple[int, ...]  # change of every seat's points
    scores: tuple[int, ...]  # every seat's points before it (riichi sticks already paid)
    shown: tuple[int, ...] | None  # seats whose hands are shown; None if the record does not say
    honba: int
    deposits: int  # riichi sticks on the table, those of this hand included


@dataclass(slots=True, eq=False)
class RecordedHand:
    """One hand (kyoku): its deal, events and end. See the module's text for `events`."""

    round: int  # 0–3 East, 4–7 South, 8–11 West; four to a wind also with three players, as Tenhou counts
    honba: int
    deposits: int  # riichi sticks on the table at the start
    dealer: int
    scores: list[int]  # points before the hand
    deal: NDArray[np.uint8]  # (players, 13) ids as dealt; the dealer's fourteenth tile is the first DRAW
    dora: int  # id of the first indicator
    dice: tuple[int, int] | None  # 0 to 5 each
    events: NDArray[np.int16]  # (n, 8)
    outcome: list[RecordedWin] | Drawn
    exact: bool = True  # ids are the record's own (mjlog); otherwise the reader chose them
    wall: NDArray[np.uint8] | None = None  # all ids in Tenhou's order (see `janshi.riichi.records.walls`), where known
    chips: tuple[int, ...] = ()  # every seat's chips before the hand; empty if the record does not say

    @property
    def wins(self) -> list[RecordedWin]:
        """The winners; empty for a drawn hand."""
        return self.outcome if isinstance(self.outcome, list) else []

    @property
    def changes(self) -> Sequence[RecordedWin | Drawn]:
        """The changes of points at the end of the hand, in order."""
        return self.outcome if isinstance(self.outcome, list) else [self.outcome]

    def points_after(self) -> list[int]:
        """Return the points of every seat after the hand."""
        last = self.changes[-1]
        return [points + delta for points, delta in zip(last.scores, last.deltas, strict=True)]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RecordedHand):
            return NotImplemented
        mine, theirs = ([getattr(hand, each.name) for each in fields(hand)] for hand in (self, other))
        return all(
            np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in zip(mine, theirs, strict=True)
        )


@dataclass(slots=True)
class RiichiGame:
    """One game as a record tells it."""

    source: str  # file, or archive and member
    format: str  # name of the format in `janshi.records.FORMATS`
    players: int
    rules: Rules
    names: list[str]
    hands: list[RecordedHand]
    flags: int | None = None  # Tenhou's type of game (`rules_of_flags`)
    lobby: str = ""
    ref: str = ""  # Tenhou's, or Mahjong Soul's, name of the record
    dan: list[int] | None = None  # Tenhou's ranks: 0 newcomer, 1–9 ninth to first kyū, 10–19 dan, 20 tenhōi
    rates: list[float] | None = None
    sex: list[str] | None = None
    seed: str = ""  # seed of the walls as recorded
    custom: str = ""  # rule text of a lobby with rules of its own: see `janshi.riichi.records.lobby`
    final_scores: list[int] | None = None  # points at the end, deposits left over given out
    final_points: list[float] | None = None  # result with uma and oka, in thousands
    final_chips: tuple[int, ...] = ()  # every seat's chips at the end; empty if the record does not say
    cut: list[CutHand] = field(default_factory=list)  # hands that cannot be read, which are not among `hands`
    ignored: dict[str, int] = field(default_factory=dict)  # what play does not need and was passed over: how often
    notes: dict[str, int] = field(default_factory=dict)  # what the record does not say and was assumed

    @property
    def is_single_hand(self) -> bool:
        """True if the rules end the game after one hand, as those of matches of hands do."""
        return self.rules.length is Length.SINGLE_HAND

    @property
    def remarks(self) -> Remarks:
        """What is said of the game beside its play."""
        return Remarks([f"{self.source}, {hand}" for hand in self.cut], dict(self.ignored), dict(self.notes))

    def ignore(self, what: str) -> None:
        """Count a part of the record that is passed over: a name or label that play does not need."""
        self.ignored[what] = self.ignored.get(what, 0) + 1

    def note(self, what: str) -> None:
        """Note an assumption about what the record does not say."""
        self.notes[what] = self.notes.get(what, 0) + 1

    def number_of(self, index: int) -> int:
        """Return the number in the record (from 1) of a hand of `hands`, which lacks the cut ones."""
        number = index + 1
        for hand in self.cut:
            number += hand.number <= number
        return number

    def cut_hand(self, number: int, error: RecordError) -> None:
        """Leave out a hand (from 1) that cannot be read. Hands are cut in ascending order."""
        self.cut.append(CutHand(number, error.reason, error.event))

    def check_hands(self) -> None:
        """Raise `RecordError` if no hand could be read."""
        if not self.hands and not self.cut:
            raise RecordError("the record contains no hand", self.source)
        if not self.hands:
            first = self.cut[0]
            raise RecordError(first.reason, self.source, first.number, first.event, tuple(self.cut))


# Tenhou's type of a game, bit by bit
HUMAN: Final = 0x01
NO_RED: Final = 0x02
NO_OPEN_TANYAO: Final = 0x04
EAST_SOUTH: Final = 0x08
SANMA: Final = 0x10
SPECIAL_ROOM: Final = 0x20  # with UPPER_ROOM: the phoenix table
FAST: Final = 0x40  # at parlour tables of East only: 30,000 points at the start, and an ordinary honba
UPPER_ROOM: Final = 0x80
HIDDEN_DISCARDS: Final = 0x100  # private lobbies and tournaments; nothing that is counted is different
PARLOUR_CHIPS: Final = 0x200  # a parlour table with chips of 2,000 points, with PARLOUR of 5,000
PARLOUR: Final = 0x400  # a parlour table; alone: without chips
TOUTENKOU: Final = 0x800  # a sanma with rules of its own
#: Bits of all known types.
KNOWN_FLAGS: Final = 0x0FFF


#: The year in Tenhou's name of a record, ``2009030823gm-00b9-0000-2d7e0696``.
_YEAR: Final = re.compile(r"(20\d\d)\d{6}gm-")
#: Flags of a type that decide the rules.
RULE_FLAGS: Final = SANMA | EAST_SOUTH | NO_RED | NO_OPEN_TANYAO | FAST | PARLOUR_CHIPS | PARLOUR


def rules_of_flags(flags: int, name: str = "") -> Rules:
    """Return the preset that Tenhou's type of a game asks for; ``name`` is the record's, which tells the year.

    Raises `RecordError` for a type whose rules are not known here.

    >>> rules_of_flags(185).players, rules_of_flags(169).red_fives, rules_of_flags(225).length.name
    (3, (1, 1, 1), 'EAST')
    >>> rules_of_flags(0x0229).name, rules_of_flags(0x0621).name, rules_of_flags(0x0641).name
    ('tenhou-parlour-chips2', 'tenhou-parlour-east-chips5-honba500', 'tenhou-parlour-east-chips5-start30')
    """
    if flags & TOUTENKOU:
        raise RecordError(f"type of game {flags:#06x}: 東天紅 (sanma with rules of its own) is not supported")
    if flags & ~KNOWN_FLAGS:
        raise RecordError(f"type of game {flags:#06x}: unknown type")
    year = _YEAR.search(name)
    return _rules_of(flags & RULE_FLAGS, year is not None and int(year[1]) < 2010)


@lru_cache(maxsize=64)
def _rules_of(flags: int, early: bool) -> Rules:
    name = "tenhou-sanma" if flags & SANMA else "tenhou"
    parlour = flags & (PARLOUR | PARLOUR_CHIPS)
    if parlour:
        name += "-parlour"
    if not flags & EAST_SOUTH:
        name += "-east"
    if flags & NO_RED:
        name += "-nored"
    if flags & NO_OPEN_TANYAO:
        name += "-noopen"
    if flags & PARLOUR_CHIPS:
        name += "-chips5" if flags & PARLOUR else "-chips2"
    if parlour and not flags & EAST_SOUTH:
        name += "-start30" if flags & FAST and not flags & SANMA else "-honba500"
    if early:
        name += "-2009"
    return preset(name)


def flags_of(game: RiichiGame) -> int:
    """Return Tenhou's type of a game: as recorded, or by the rules (an ordinary room, human players)."""
    if game.flags is not None:
        return game.flags
    rules = game.rules
    return (
        HUMAN
        | (0 if any(rules.red_fives) else NO_RED)
        | (0 if rules.open_tanyao else NO_OPEN_TANYAO)
        | (EAST_SOUTH if rules.length == TENHOU.length else 0)
        | (SANMA if rules.players == 3 else 0)
        | _parlour_flags(rules)
    )


def _parlour_flags(rules: Rules) -> int:
    if "-parlour" not in rules.name:
        return 0
    fast = FAST if "-start30" in rules.name else 0
    if not rules.chip_value:
        return PARLOUR | fast
    return PARLOUR_CHIPS | (PARLOUR if rules.chip_value > 2000 else 0) | fast


def row_of(event: int, seat: int, tile: int = -1, from_who: int = -1, *own: int) -> tuple[int, ...]:
    """Return one row of `RecordedHand.events`."""
    return (int(event), seat, tile, from_who, *own, *(-1,) * (4 - len(own)))


_MOST_POINTS: Final = 10_000_000
_MOST_CHIPS: Final = 100_000
#: Events of a hand: 70 draws, as many discards and some more, calls, riichi and indicators are under 250.
_MOST_EVENTS: Final = 400
#: Players' rates are below 4,000, results (in thousands of points) below 1,000; far greater ones overflow in formats.
_GREATEST_RATE: Final = 1e6
#: Letters of a text that surrounds a game: the seed of the walls has some 3,400.
_LONGEST_TEXT: Final = 1 << 14


def check_hand(hand: RecordedHand, players: int) -> None:
    """Raise `RecordError` if a number of a hand is out of its range; every reader calls it."""
    if not (0 <= hand.round < 16 and 0 <= hand.dealer < players):
        raise RecordError(f"round {hand.round} with dealer {hand.dealer} in a game of {players}")
    _check_money("scores", hand.scores, players)
    _check_sticks(hand.honba, hand.deposits)
    if len(hand.events) > _MOST_EVENTS:
        raise RecordError(f"{len(hand.events)} events in one hand")
    _check_chips(hand.chips, players)
    if not 1 <= len(hand.changes) <= 3:
        raise RecordError(f"{len(hand.changes)} winners")
    for change in hand.changes:
        _check_money("scores", change.scores, players)
        _check_money("payments", change.deltas, players)
        _check_sticks(change.honba, change.deposits)
        if isinstance(change, RecordedWin):
            _check_win(change, players)


def check_game(game: RiichiGame) -> RiichiGame:
    """Return the game with its facts around the hands made writable; every reader calls it last.

    Lone surrogates, which no file can hold, become U+FFFD. Missing names are filled in; ranks, rates and
    sexes are removed unless present for every seat, impossible results are ignored. Raises `RecordError` for a text
    that is too long.
    """
    players = game.players
    names = [without_surrogates(name) for name in game.names[:players]]
    game.names = [*names, *(f"P{seat}" for seat in range(len(names), players))]
    game.lobby, game.ref, game.seed, game.custom = map(
        without_surrogates, (game.lobby, game.ref, game.seed, game.custom)
    )
    game.dan = game.dan if game.dan is not None and len(game.dan) == players else None
    game.rates = game.rates if game.rates is not None and len(game.rates) == players else None
    sex = None if game.sex is None else [without_surrogates(letters) for letters in game.sex]
    game.sex = sex if sex is not None and len(sex) == players else None
    for text in (*game.names, game.lobby, game.ref, game.seed, game.custom, *(game.sex or ())):
        if len(text) > _LONGEST_TEXT:
            raise RecordError(f"a name or text of {len(text)} letters")
    if any(not abs(rate) <= _GREATEST_RATE for rate in game.rates or ()):
        game.rates = None
        game.ignore("impossible rates of players")
    if not _has_possible_result(game):
        game.final_scores, game.final_points, game.final_chips = None, None, ()
        game.ignore(WRONG_RESULT)
    return game


def _has_possible_result(game: RiichiGame) -> bool:
    """Return whether points, result and chips at the end, if known, are those of a game."""
    points = game.final_points
    try:
        if game.final_scores is not None:
            _check_money("final scores", game.final_scores, game.players)
        _check_chips(game.final_chips, game.players)
    except RecordError:
        return False
    return points is None or (len(points) == game.players and all(abs(result) <= _GREATEST_RATE for result in points))


def _check_money(what: str, amounts: Sequence[int], players: int) -> None:
    if len(amounts) != players:
        raise RecordError(f"{len(amounts)} {what} for {players} players")
    for amount in amounts:
        if amount % 100 or not -_MOST_POINTS <= amount <= _MOST_POINTS:
            raise RecordError(f"{what} of {amount} points")


def _check_chips(chips: Sequence[int], players: int) -> None:
    if len(chips) not in (0, players) or any(abs(count) > _MOST_CHIPS for count in chips):
        raise RecordError(f"{len(chips)} numbers of chips for {players} players, or too many chips")


def _check_sticks(honba: int, deposits: int) -> None:
    if not (0 <= honba < 1000 and 0 <= deposits < 1000):
        raise RecordError(f"{honba} honba and {deposits} riichi sticks")


def _check_win(win: RecordedWin, players: int) -> None:
    counts = (len(win.hand), 14), (len(win.melds), 8), (len(win.dora), 10), (len(win.ura), 10), (len(win.yaku), 55)
    if any(count > most for count, most in (*counts, (len(win.yakuman), 55))):
        raise RecordError("a win with too many tiles, sets or yaku")
    for seat in (win.who, win.from_who, win.pao or 0):
        if not 0 <= seat < players:
            raise RecordError(f"seat {seat} in a game of {players}")
    for tile in (win.tile, *win.hand, *win.dora, *win.ura):
        if not 0 <= tile < IDS:
            raise RecordError(f"{tile} is not a tile id")
    for number in (*(number for number, _ in win.yaku), *win.yakuman):
        if not 0 <= number < len(YAKU):
            raise RecordError(f"{number} is not a yaku")
    _check_chips(win.chip_deltas, players)
    if len(win.chips) > len(YAKU) or any(not 0 <= count <= _MOST_CHIPS for _, count in win.chips):
        raise RecordError("a win with too many chips")
    if not (0 <= win.points <= _MOST_POINTS and -1 <= win.fu <= 1000 and 0 <= win.han <= 1000):
        raise RecordError(f"a win of {win.han} han, {win.fu} fu and {win.points} points")


#: Beginning of the note on a length that no record says.
GUESSED_LENGTH: Final = "length of the game guessed: "


def with_rules(game: RiichiGame, rules: Rules) -> RiichiGame:
    """Return a game by other rules than those of its record.

    There are no red fives where the record shows none. Raises `RecordError` for rules of another number of players.
    """
    if rules.players != game.players:
        raise RecordError(f"a game of {game.players} players, and rules of {rules.players}", game.source)
    shown = any(game.rules.red_fives) or all(hand.exact for hand in game.hands)
    if any(rules.red_fives) and not shown:
        rules = replace(rules, red_fives=(0, 0, 0), name=f"{rules.name}-nored")
    notes = {note: times for note, times in game.notes.items() if not note.startswith(GUESSED_LENGTH)}
    return replace(game, rules=rules, flags=None, custom="", notes=notes)


#: Fields in which the rules of clubs differ most often, with their other value.
_SINGLE_CHANGES: Final[tuple[dict[str, Any], ...]] = (
    {"rounded_mangan": True},
    {"ippatsu": False},
    {"ura_dora": False, "kan_ura": False},
    {"kan_ura": False},
    {"kan_dora": KanDora.NONE, "closed_kan_dora_at_once": False},
    {"kan_dora": KanDora.AT_ONCE},
    {"double_wind_fu": 2},
    {"multiple_ron": 1},
)


def alternatives(game: RiichiGame) -> list[Rules]:
    """Return rules by which a game may be played whose record does not name its rules; none if it names them.

    First the presets, then the record's rules with a usual change, whose names contain a space.
    """
    if game.flags is not None:
        return []
    others = [replace(rules, length=game.rules.length) for rules in PRESETS.values() if rules.players == game.players]
    for change in _SINGLE_CHANGES:
        words = ", ".join(f"{name}={value!s}" for name, value in change.items())
        others.append(replace(game.rules, **change, name=f"{game.rules.name} with {words}"))
    return [rules for rules in others if rules != replace(game.rules, name=rules.name)]


# ---------------------------------------------------------------------------------------------------------
# Sets


def meld_row(meld: RecordedMeld, who: int) -> tuple[int, ...]:
    """Return the row of `RecordedHand.events` that makes a set (for an added kan: the addition)."""
    if meld.event == Event.ANKAN:
        tile, from_who, own = meld.called, -1, meld.tiles
    elif meld.event == Event.KAKAN:
        tile, from_who, own = meld.added, -1, (meld.added,)
    elif meld.event == Event.KITA:
        tile, from_who, own = meld.tiles[0], -1, meld.tiles
    else:
        own = tuple(identity for identity in meld.tiles if identity != meld.called)
        tile, from_who = meld.called, (who + meld.discarder) % 4
    return row_of(meld.event, who, tile, from_who, *own)


def meld_of(row: Sequence[int], melds: list[RecordedMeld]) -> RecordedMeld | None:
    """Return the set that a row of `RecordedHand.events` makes, None for another event.

    The set joins its seat's earlier ones, ``melds``; a kan added to a pon takes the pon's place.
    """
    event, who, tile, from_who, *columns = row
    if not Event.CHII <= event <= Event.KITA:
        return None
    if event == Event.KAKAN:
        place, pon = next(
            (place, pon) for place, pon in enumerate(melds) if (pon.event, pon.called // 4) == (Event.PON, tile // 4)
        )
        melds[place] = RecordedMeld(Event.KAKAN, tuple(sorted((*pon.tiles, tile))), pon.called, pon.discarder, tile)
        return melds[place]
    own = [identity for identity in columns if identity >= 0]
    if event <= Event.DAIMINKAN:
        meld = RecordedMeld(Event(event), tuple(sorted((*own, tile))), tile, (from_who - who) % 4)
    else:
        meld = RecordedMeld(Event(event), tuple(sorted(own)), tile if event == Event.ANKAN else -1)
    melds.append(meld)
    return meld


# ---------------------------------------------------------------------------------------------------------
# Comparing


def difference(first: RiichiGame, second: RiichiGame, *, exact: bool = False) -> str | None:
    """Say in one line where two games differ, or return None if they are the same game.

    Compares what is played, in tiles; with ``exact`` in ids. What one of the two does not say (fu with a
    limit, ura-dora, dice, seats shown) is not compared, nor are names, ranks and formats.
    """
    if len(first.hands) != len(second.hands):
        return f"{len(first.hands)} hands, and {len(second.hands)}"
    if first.players != second.players:
        return f"{first.players} players, and {second.players}"
    if any(first.rules.red_fives) != any(second.rules.red_fives):
        return f"red fives {first.rules.red_fives}, and {second.rules.red_fives}"
    both = [[_compared(hand, game.rules, exact) for hand in game.hands] for game in (first, second)]
    for number, (mine, other) in enumerate(zip(*both, strict=True), start=1):
        for what, left in mine.items():
            if left != other[what]:
                return f"hand {number}, {what}: {_where(left, other[what])}"
    for what, a, b in (
        ("final scores", first.final_scores, second.final_scores),
        ("final points", first.final_points, second.final_points),
    ):
        if a is not None and b is not None and a != b:
            return f"{what}: {a}, and {b}"
    return None


def fingerprint(game: RiichiGame) -> bytes:
    """Return 20 bytes that are equal for two records of one game: a hash of names and compared facts."""
    hands = [_compared(hand, game.rules) for hand in game.hands]
    parts = [game.players, any(game.rules.red_fives), game.names, hands]
    return sha1(repr(parts).encode("utf-8", "replace"), usedforsecurity=False).digest()


def _compared(hand: RecordedHand, rules: Rules, exact: bool = False) -> dict[str, Any]:
    """Return the compared facts of a hand, with tiles in place of ids unless ``exact``."""

    def name(identity: int) -> int:
        return identity if exact or identity < 0 else tile_of_id(identity, rules.red_fives)

    def names(ids: Iterable[int]) -> list[int]:
        return sorted(map(name, ids))

    events = []
    for event, seat, tile, from_who, *own in hand.events.tolist():
        # A record may name a closed kan by any of its four tiles.
        shown = tile // 4 if event == Event.ANKAN and not exact else name(tile)
        events.append((event, seat, shown, from_who, own if event == Event.DISCARD else names(own)))
    outcome: list[Any] = []
    for change in hand.changes:
        outcome += [change.deltas, change.scores, change.honba, change.deposits]
        if isinstance(change, Drawn):
            outcome.append(change.reason)
            continue
        for meld in change.melds:
            called = -1 if meld.event == Event.ANKAN else name(meld.called)
            outcome.append((meld.event, names(meld.tiles), called, meld.discarder, name(meld.added)))
        outcome += [
            (change.who, change.from_who, change.pao, name(change.tile)),
            names(change.hand),
            [name(identity) for identity in change.dora],
            (change.han, change.points, change.limit, sorted(change.yaku), sorted(change.yakuman)),
        ]
    start = {name: getattr(hand, name) for name in ("round", "honba", "deposits", "dealer", "scores")}
    deal = [names(row) for row in hand.deal.tolist()]
    return {**start, "deal": deal, "dora": name(hand.dora), "events": events, "outcome": outcome}


def _where(left: Any, right: Any) -> str:
    if isinstance(left, list) and isinstance(right, list):
        for number, (a, b) in enumerate(zip(left, right, strict=False), start=1):
            if a != b:
                return f"number {number} is {a}, and {b}"
        return f"{len(left)} entries, and {len(right)}"
    return f"{left}, and {right}"

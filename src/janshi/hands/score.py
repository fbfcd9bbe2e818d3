"""What a winning hand is worth: for one hand in words, and for arrays of hands.

>>> value = score("123m456p789s1122z2z", riichi=True, seat="S")
>>> value.han, value.fu, value.points, [yaku.name for yaku, _ in value.yaku]
(2, 40, 2600, ['riichi', 'own wind south'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Bools, Int8s, dtype_of, entry, leaf, row, rule, zeros
from janshi.engine.payments import ron_payment, tsumo_payment
from janshi.engine.rulebook import Rulebook, write_rules
from janshi.engine.score import evaluate
from janshi.engine.state import ANKAN, CHII, DAIMINKAN, PON, Value, Winning
from janshi.engine.tables import Lookup, lookup
from janshi.hands.counts import HandError
from janshi.rules import Rules, preset
from janshi.tiles import NORTH, TileError, format_tiles, is_red, kind_of, parse_tiles, tile_text
from janshi.yaku import DORA, RED_FIVES, URA_DORA, YAKU, Yaku

_WINDS: Final = "ESWN"
_LIMITS: Final = ((8000, "yakuman"), (6000, "sanbaiman"), (4000, "baiman"), (3000, "haneman"), (2000, "mangan"))


@dataclass(frozen=True, slots=True)
class Score:
    """What a hand is worth and who pays."""

    yaku: tuple[tuple[Yaku, int], ...]
    """Yaku with their han (a yakuman has 13 each), dora, ura-dora and red fives last."""
    han: int
    """0 for a yakuman that is not counted."""
    fu: int
    yakuman: int
    """How many yakuman, double ones counting two; 0 for a counted yakuman."""
    limit: str
    """``""``, ``"mangan"`` … ``"yakuman"``."""
    basic: int
    """Basic points (kihonten)."""
    points: int
    """What the winner gets for the hand and its honba, without deposits."""
    payments: dict[str, int]
    """Who pays how much, honba included: ``feeder``, or ``dealer`` and ``others`` (each of them)."""


#: Least and most that the fields of `Winning` hold, in their order; the last ones are truths.
_RANGES: Final = {
    "counts": (0, 4),
    "forms": (0, 5),
    "kinds": (0, 33),
    "dora": (-1, 33),
    "ura": (-1, 33),
    "calls": (0, 4),
    "kind": (0, 33),
    "seat_wind": (27, 30),
    "round_wind": (27, 30),
    "reds": (0, 14),
    "kitas": (0, 4),
    "tsumo": (0, 1),
    "riichi": (0, 2),
    "ippatsu": (0, 1),
    "rinshan": (0, 1),
    "chankan": (0, 1),
    "last": (0, 1),
    "first": (0, 1),
}

# What makes a hand impossible, see `fault_of`
_NO_MELDS: Final = 1
_WINNING_TILE: Final = 2
_FIVE_OF_A_KIND: Final = 3
_SMALL_MAN: Final = 4
_NO_CHII: Final = 5
_NO_KITA: Final = 6
_NO_NORTH: Final = 7
_REDS: Final = 8
_OPEN_RIICHI: Final = 9
_IPPATSU: Final = 10
_RINSHAN: Final = 11
_CHANKAN: Final = 12
_FIRST: Final = 13
_URA: Final = 14
_FAULTS: Final = {
    _NO_MELDS: "forms and kinds must be as many runs, triplets and kans as there are calls",
    _WINNING_TILE: "the winning tile is not among the concealed tiles",
    _FIVE_OF_A_KIND: "there are four of each tile, melds, kitas and indicators together",
    _SMALL_MAN: "three players have no 2m to 8m",
    _NO_CHII: "the rules know no chii",
    _NO_KITA: "the rules know no kita",
    _NO_NORTH: "three players have no North seat",
    _REDS: "there are not so many red fives",
    _OPEN_RIICHI: "riichi needs a hand without calls (closed kans are no calls)",
    _IPPATSU: "ippatsu needs riichi, and no kan or kita after it",
    _RINSHAN: "rinshan is a self-draw after a kan or kita, and never the last tile of the wall",
    _CHANKAN: "chankan is a ron, and never on the last discard",
    _FIRST: "a win in the first turn is a self-draw with nothing called, set aside or declared",
    _URA: "ura-dora count for riichi only, and only where the rules have them",
}


@leaf
def lay_melds(hand: Winning, times: int) -> None:
    """Lay melds and kitas to the concealed tiles (``times`` 1), or take them off again (−1)."""
    for one in range(int(hand.calls)):
        kind = int(hand.kinds[one])
        form = int(hand.forms[one])
        if form == CHII:
            hand.counts[kind] += times
            hand.counts[kind + 1] += times
            hand.counts[kind + 2] += times
        else:
            hand.counts[kind] += times * (3 if form == PON else 4)
    hand.counts[NORTH] += times * int(hand.kitas)


@leaf
def lay_indicators(hand: Winning, times: int) -> None:
    """The same with the indicators."""
    for one in range(5):
        if int(hand.dora[one]) >= 0:
            hand.counts[int(hand.dora[one])] += times
        if int(hand.ura[one]) >= 0:
            hand.counts[int(hand.ura[one])] += times


@rule
def fault_of(rules: Rulebook, hand: Winning) -> int:
    """Return what makes a hand impossible, as a number of `_FAULTS`; 0 where nothing does."""
    calls = int(hand.calls)
    sanma = int(rules.players) == 3
    opened = chiis = kans = 0
    for one in range(4):
        form = int(hand.forms[one])
        low = int(hand.kinds[one])
        if (form == 0) != (one >= calls) or (form == CHII and (low >= 27 or low % 9 > 6)):
            return _NO_MELDS
        chiis += 1 if form == CHII else 0
        kans += 1 if form >= DAIMINKAN else 0
        opened += 1 if form and form != ANKAN else 0
    tiles = 3 * calls
    for kind in range(34):
        tiles += int(hand.counts[kind])
    if tiles == 14 and int(hand.counts[int(hand.kind)]) == 0:
        return _WINNING_TILE
    lay_melds(hand, 1)
    fives = 0
    for suit in range(3):
        fives += min(int(hand.counts[9 * suit + 4]), int(rules.red_fives[suit]))
    lay_indicators(hand, 1)
    most = 0
    small = 0
    for kind in range(34):
        most = max(most, int(hand.counts[kind]))
        small += int(hand.counts[kind]) if 1 <= kind <= 7 else 0
    lay_indicators(hand, -1)
    lay_melds(hand, -1)
    if most > 4:
        return _FIVE_OF_A_KIND
    if sanma and small:
        return _SMALL_MAN
    if chiis and not int(rules.chii):
        return _NO_CHII
    if int(hand.kitas) and not int(rules.kita):
        return _NO_KITA
    if sanma and int(hand.seat_wind) == NORTH:
        return _NO_NORTH
    if int(hand.reds) > fives:
        return _REDS
    riichi = int(hand.riichi)
    if riichi and opened:
        return _OPEN_RIICHI
    if int(hand.ippatsu) and (not riichi or int(hand.rinshan)):
        return _IPPATSU
    if int(hand.rinshan) and (not int(hand.tsumo) or int(hand.last) or kans + int(hand.kitas) == 0):
        return _RINSHAN
    if int(hand.chankan) and (int(hand.tsumo) or int(hand.last)):
        return _CHANKAN
    if int(hand.first) and (not int(hand.tsumo) or calls or int(hand.kitas) or riichi):
        return _FIRST
    if int(hand.ura[0]) >= 0 and not (riichi and int(rules.ura_dora)):
        return _URA
    return 0


@entry
def _evaluate_all(
    books: Batch[Rulebook],
    lookups: Batch[Lookup],
    hands: Batch[Winning],
    values: Batch[Value],
    wins: Bools,
    faults: Int8s,
) -> None:
    for number in range(len(hands)):
        faults[number] = fault_of(books[0], hands[number])
        if faults[number] == 0:
            wins[number] = evaluate(books[0], lookups[0], hands[number], values[number])


@entry
def payment(basic: int, winner_deals: bool, payer_deals: bool, players: int, tsumo_loss: bool, tsumo: bool) -> int:
    """What one payer gives for basic points: the feeder, or one of those who pay a self-draw."""
    if tsumo:
        return tsumo_payment(basic, winner_deals, payer_deals, players, tsumo_loss)
    return ron_payment(basic, winner_deals)


def _book(rules: Rules) -> Batch[Rulebook]:
    books = zeros(Rulebook, 1)
    write_rules(rules, cast("NDArray[Any]", books)[0])
    return books


def new_winnings(count: int) -> Batch[Winning]:
    """Return ``count`` empty `Winning` records for `score_hands`: no indicators, won by ron, East in an East round.

    >>> new_winnings(2)["dora"].tolist()[0]
    [-1, -1, -1, -1, -1]
    """
    hands = zeros(Winning, count)
    array = cast("NDArray[Any]", hands)
    array["dora"] = array["ura"] = -1
    array["seat_wind"] = array["round_wind"] = 27
    return hands


def score_hands(
    hands: Batch[Winning] | NDArray[Any], rules: Rules | str = "tenhou"
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return what many hands are worth: `Value` records (n,) and whether each is a win (n, bool).

    A hand that is not complete or has no yaku is no win, and has no points. Raises `HandError` where the array is
    not one of `Winning` records, or a hand in it cannot be: numbers out of range, five tiles of a kind, a winning
    tile that is not there, circumstances that exclude each other.

    >>> values, wins = score_hands(new_winnings(3))
    >>> wins.tolist()
    [False, False, False]
    """
    array = np.require(cast("NDArray[Any]", hands), requirements=["C", "W"])  # tiles are moved about in it
    if array.dtype != dtype_of(Winning) or array.ndim != 1:
        raise HandError("score_hands takes an array (n,) of Winning records: make one with new_winnings(n)")
    named = preset(rules) if isinstance(rules, str) else rules
    return _evaluated(array, named, "hand {} of the array: ")


def _evaluated(array: NDArray[Any], rules: Rules, which: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Values and wins; ``which`` begins the error of a hand that cannot be, and takes its number."""
    _check_ranges(array, which)
    values = zeros(Value, len(array))
    wins = np.zeros(len(array), np.bool_)
    faults = np.zeros(len(array), np.int8)
    _evaluate_all(_book(rules), lookup(), cast("Batch[Winning]", array), values, wins, faults)
    for number in np.flatnonzero(faults):
        raise HandError(which.format(number) + _FAULTS[int(faults[number])])
    return cast("NDArray[Any]", values), wins


def _check_ranges(array: NDArray[Any], which: str) -> None:
    """Refuse numbers that would lead outside the tables."""
    if not len(array):
        return
    numbers = array.view(np.int8).reshape(len(array), -1)  # all fields are int8
    fields = [name for name in _RANGES for _ in range(array.dtype[name].itemsize)]
    least = np.array([_RANGES[name][0] for name in fields], np.int8)
    most = np.array([_RANGES[name][1] for name in fields], np.int8)
    for place in np.flatnonzero((numbers.min(axis=0) < least) | (numbers.max(axis=0) > most)):
        column = numbers[:, place]
        wrong = ((column < least[place]) | (column > most[place])).argmax()
        raise HandError(f"{which.format(wrong)}{fields[place]} must lie between {least[place]} and {most[place]}")


def score(
    tiles: str,
    win: str | None = None,
    *,
    melds: Sequence[str] = (),
    closed_kans: Sequence[str] = (),
    tsumo: bool = False,
    riichi: bool = False,
    double_riichi: bool = False,
    ippatsu: bool = False,
    rinshan: bool = False,
    chankan: bool = False,
    last: bool = False,
    first: bool = False,
    seat: str = "E",
    round_wind: str = "E",
    dora: str = "",
    ura: str = "",
    kitas: int = 0,
    honba: int = 0,
    rules: Rules | str = "tenhou",
) -> Score:
    """Return what one winning hand is worth.

    Args:
        tiles: concealed tiles, the winning one included: ``"123m456p789s1122z2z"``.
        win: the winning tile; the last one of ``tiles`` where it is not said.
        melds: called sets, each as text: ``"555p"`` pon, ``"123s"`` chii, ``"7777z"`` open or added kan.
        closed_kans: closed kans, likewise.
        tsumo: won by self-draw, otherwise by ron.
        riichi: riichi was declared.
        double_riichi: … in the first turn.
        ippatsu: won within a turn of riichi.
        rinshan: self-draw of a replacement tile.
        chankan: ron on a tile added to a kan.
        last: the last tile of the wall (haitei) or the last discard (houtei).
        first: self-draw in the first turn, nothing called: heavenly or earthly hand.
        seat: own wind, E, S, W or N; E is the dealer.
        round_wind: wind of the round.
        dora: the indicators turned over, as tiles.
        ura: those under them, for riichi.
        kitas: Norths set aside.
        honba: counters on the table.
        rules: a rule set or a preset's name; its number of players counts.

    Raises:
        HandError: the tiles cannot be a hand, it is not complete, has no yaku, or cannot be won like that.
    """
    book = preset(rules) if isinstance(rules, str) else rules
    hands = new_winnings(1)
    hand = row(hands)
    concealed = _tiles(tiles)
    called = [_meld(text, False) for text in melds] + [_meld(text, True) for text in closed_kans]
    if not concealed:
        raise HandError("a winning hand holds at least its pair")
    if not 0 <= kitas <= 4 or honba < 0:
        raise HandError(f"{kitas} kitas, {honba} honba: there are 0 to 4 kitas, and honba from 0 on")
    wanted = 14 - 3 * len(called)
    if len(concealed) != wanted:
        raise HandError(f"{tiles!r} has {len(concealed)} tiles: with {len(called)} melds a winning hand has {wanted}")
    winning = concealed[-1] if win is None else _one(win)
    if kind_of(winning) not in map(kind_of, concealed):
        raise HandError(f"the winning tile {tile_text(winning)} is not in {tiles!r}")
    counts = np.bincount([kind_of(one) for one in concealed], minlength=34)
    held = counts.copy()
    for form, meld in called:
        for one in meld:
            held[kind_of(one)] += 1
        number = int(hand.calls)
        hand.forms[number], hand.kinds[number] = form, min(map(kind_of, meld))
        hand.calls = number + 1
    held[30] += kitas
    if (held > 4).any():
        kind = int(held.argmax())
        raise HandError(f"{tile_text(kind)} is there {held[kind]} times: there are four of each tile")
    reds = [one for one in [*concealed, *(one for _, meld in called for one in meld)] if is_red(one)]
    for one in reds:
        there = book.red_fives[kind_of(one) // 9]
        if reds.count(one) > there:
            raise HandError(f"rules {book.name!r} have {there} of {tile_text(one)}, not {reds.count(one)}")
    hand.counts[:] = counts
    hand.kind = kind_of(winning)
    hand.reds = len(reds)
    hand.seat_wind, hand.round_wind = _wind(seat, book.players), _wind(round_wind, 4)
    hand.tsumo, hand.ippatsu, hand.rinshan = tsumo, ippatsu, rinshan
    hand.riichi = 2 if double_riichi else int(riichi)
    hand.chankan, hand.last, hand.first, hand.kitas = chankan, last, first, kitas
    for name, text, shown in (("dora", dora, hand.dora), ("ura", ura, hand.ura)):
        indicators = _tiles(text)
        if len(indicators) > 5:
            raise HandError(f"{len(indicators)} {name} indicators: there are five at most")
        shown[: len(indicators)] = [kind_of(one) for one in indicators]
    values, wins = _evaluated(cast("NDArray[Any]", hands), book, "")
    if not wins[0]:
        from janshi.hands.shanten import shanten

        far = shanten(counts, calls=len(called), players=book.players)
        what = "has no yaku" if far < 0 else f"is not complete (shanten {far})"
        raise HandError(f"{tiles!r} {what}")
    return _told(values[0], hand, book, honba)


def _told(value: Any, hand: Winning, rules: Rules, honba: int) -> Score:
    closed = all(int(form) in (0, ANKAN) for form in hand.forms)
    yaku = [
        (YAKU[number], YAKU[number].closed if closed else YAKU[number].open)
        for number in range(52)
        if int(value["yaku"]) >> number & 1
    ]
    if not value["yakuman"]:
        extra = ((DORA, value["dora"]), (URA_DORA, value["ura"]), (RED_FIVES, value["red"]))
        yaku += [(YAKU[number], int(han)) for number, han in extra if han]
    basic = int(value["basic"])
    limit = next((name for least, name in _LIMITS if basic >= least), "")
    deals = int(hand.seat_wind) == 27

    def pay(payer_deals: bool) -> int:
        share = payment(basic, deals, payer_deals, rules.players, rules.tsumo_loss, bool(hand.tsumo))
        return share + honba * (rules.honba_each if hand.tsumo else rules.honba_ron)

    if not hand.tsumo:
        payments = {"feeder": pay(False)}
        points = payments["feeder"]
    elif deals:
        payments = {"others": pay(False)}
        points = payments["others"] * (rules.players - 1)
    else:
        payments = {"dealer": pay(True), "others": pay(False)}
        points = payments["dealer"] + payments["others"] * (rules.players - 2)
    return Score(
        tuple(yaku), int(value["han"]), int(value["fu"]), int(value["yakuman"]), limit, basic, points, payments
    )


def _tiles(text: str) -> list[int]:
    try:
        return parse_tiles(text)
    except TileError as error:
        raise HandError(str(error)) from None


def _one(text: str) -> int:
    tiles = _tiles(text)
    if len(tiles) != 1:
        raise HandError(f"{text!r} is not one tile")
    return tiles[0]


def _wind(name: str, players: int) -> int:
    if len(name) != 1 or name.upper() not in _WINDS[:players]:
        raise HandError(f"{name!r} is no wind: {', '.join(_WINDS[:players])}")
    return 27 + _WINDS.index(name.upper())


def _meld(text: str, closed: bool) -> tuple[int, list[int]]:
    tiles = sorted(_tiles(text), key=kind_of)
    kinds = [kind_of(one) for one in tiles]
    same = len(set(kinds)) == 1
    if same and len(kinds) == 4:
        return (ANKAN if closed else DAIMINKAN), tiles
    if closed:
        raise HandError(f"{text!r} is no closed kan: that is four tiles of a kind")
    if same and len(kinds) == 3:
        return PON, tiles
    low = kinds[0] if kinds else 0
    if len(kinds) == 3 and kinds == [low, low + 1, low + 2] and low < 27 and low % 9 < 7:
        return CHII, tiles
    raise HandError(f"{text!r} ({format_tiles(tiles)}) is no run, triplet or kan")

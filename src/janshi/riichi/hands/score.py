"""Scores of winning hands, for single hands and for arrays of hands.

>>> value = score("123m456p789s1122z2z", riichi=True, seat="S")
>>> value.han, value.fu, value.points, [yaku.name for yaku, _ in value.yaku]
(2, 40, 2600, ['riichi', 'own wind south'])
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Bools, Int8s, Workspace, copy_record, dtype_of, entry, row, zeros
from janshi.core.hands import HandError, tiles_of
from janshi.core.rules import type_problems, write_rules
from janshi.riichi.hands.faults import Fault, fault_of, open_by_rules
from janshi.riichi.hands.fu import write_fu
from janshi.riichi.hands.scoring import evaluate
from janshi.riichi.hands.worth import LIMITS, ScoreNumbers, write_score
from janshi.riichi.hands.yaku import YAKU, Yaku
from janshi.riichi.rules import Rules, preset
from janshi.riichi.rules.record import RulesRecord
from janshi.riichi.state import FuParts, FuSource, MeldForm, Reading, Value, Winning
from janshi.tiles import NORTH, format_tiles, is_red, kind_of, tile_text, to_mjai

_WINDS: Final = "ESWN"


class FuPart(NamedTuple):
    """One source of the fu of a hand."""

    source: str  # a `FuSource` in lower case: ``"base"``, ``"closed_triplet"`` …
    fu: int
    tile: str | None  # the kind of a set or the pair as in mjai, else None


@dataclass(frozen=True, slots=True)
class Score:
    """Value and payments of a hand."""

    yaku: tuple[tuple[Yaku, int], ...]  # yaku with their han (a yakuman has 13 each), dora, ura-dora and red fives last
    han: int  # 0 for a yakuman that is not counted
    fu: int
    yakuman: int  # number of yakuman, double ones counting two; 0 for a counted yakuman
    limit: str  # ``""``, ``"mangan"`` … ``"yakuman"``
    basic: int  # basic points (kihonten)
    points: int  # gain of the winner by hand and honba, without deposits
    payments: dict[str, int]
    """Payments with honba by payer: ``discarder``, or ``dealer`` and ``others`` (each of them)."""
    fu_parts: tuple[FuPart, ...] = ()
    """Sources of the fu: see `fu_parts`. Only `score` writes them."""


#: Ranges of the fields of `Winning`, in their order.
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
    "riichi": (0, 3),  # 3: both
    "ippatsu": (0, 1),
    "rinshan": (0, 1),
    "chankan": (0, 1),
    "last": (0, 1),
    "first": (0, 1),
}


class ScoreWorkspace(Workspace):
    """Workspace: a copy of a hand, so that the caller's records stay unchanged."""

    hand: Winning
    reading: Reading


@entry(brief=True)
def _evaluate_all(
    rules: Batch[RulesRecord],
    workspaces: Batch[ScoreWorkspace],
    hands: Batch[Winning],
    values: Batch[Value],
    wins: Bools,
    faults: Int8s,
) -> None:
    workspace = workspaces[0]
    open_rows = open_by_rules(rules[0])
    for number in range(len(hands)):
        copy_record(hands[number], workspace.hand)
        faults[number] = fault_of(rules[0], open_rows, workspace.hand)
        if faults[number] == 0:
            copy_record(hands[number], workspace.hand)
            wins[number] = evaluate(rules[0], workspace.hand, workspace.reading, values[number])


@entry(brief=True)
def _fu_parts_all(
    rules: Batch[RulesRecord],
    workspaces: Batch[ScoreWorkspace],
    hands: Batch[Winning],
    values: Batch[Value],
    parts: Batch[FuParts],
) -> None:
    workspace = workspaces[0]
    for number in range(len(hands)):
        copy_record(hands[number], workspace.hand)
        evaluate(rules[0], workspace.hand, workspace.reading, values[number])
        write_fu(rules[0], workspace.hand, workspace.reading, values[number], parts[number])


@entry(brief=True)
def _score_all(
    rules: Batch[RulesRecord], hands: Batch[Winning], values: Batch[Value], honba: int, scores: Batch[ScoreNumbers]
) -> None:
    for number in range(len(hands)):
        write_score(rules[0], hands[number], values[number], honba, scores[number])


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
    """Return the values of hands, `Value` records (n,), and whether each is a win (n, bool).

    A hand that is incomplete or without yaku is no win and has no points. Raises `HandError` for an array of other
    records or an impossible hand: numbers out of range, five tiles of a kind, a missing winning tile, contradictory
    circumstances.

    >>> values, wins = score_hands(new_winnings(3))
    >>> wins.tolist()
    [False, False, False]
    """
    array = np.require(cast("NDArray[Any]", hands), requirements=["C", "W"])  # for compiled code
    if array.dtype != dtype_of(Winning) or array.ndim != 1:
        raise HandError("score_hands takes an array (n,) of Winning records: make one with new_winnings(n)")
    ruleset = preset(rules) if isinstance(rules, str) else rules
    return _evaluated(array, ruleset, "hand {} of the array: ")


def _evaluated(array: NDArray[Any], rules: Rules, which: str) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return values and wins; ``which`` begins the error of an impossible hand, and takes its number."""
    _check_ranges(array, which)
    values, wins, faults = evaluated(array, rules)
    for number in np.flatnonzero(faults):
        raise HandError(which.format(number) + tuple(Fault)[faults[number]].text)
    return values, wins


def evaluated(array: NDArray[Any], rules: Rules) -> tuple[NDArray[Any], NDArray[np.bool_], NDArray[np.int8]]:
    """Return the values of hands in range as `score_hands` does, and the `Fault` of each (n,).

    A hand with a fault is no win.
    """
    records = zeros(RulesRecord, 1)
    write_rules(rules, cast("NDArray[Any]", records)[0])
    values = zeros(Value, len(array))
    wins = np.zeros(len(array), np.bool_)
    faults = np.zeros(len(array), np.int8)
    _evaluate_all(records, zeros(ScoreWorkspace, 1), cast("Batch[Winning]", array), values, wins, faults)
    return cast("NDArray[Any]", values), wins, faults


def fu_parts(hand: NDArray[Any], rules: Rules) -> tuple[int, tuple[FuPart, ...]]:
    """Return the fu of one possible hand (`Winning` records of length 1), and the sources in the order of counting.

    The sources belong to the reading that has the hand's value. Their sum, rounded up to tens, is the fu, except 25 of
    seven pairs. Yakuman, renhou and hands without a yaku have no sources.

    >>> [(part.source, part.fu) for part in score("123m456p789s1122z2z", riichi=True, seat="S").fu_parts]
    [('base', 20), ('closed_ron', 10), ('open_triplet', 4), ('pair', 2)]
    """
    records, values, parts = zeros(RulesRecord, 1), zeros(Value, 1), zeros(FuParts, 1)
    write_rules(rules, cast("NDArray[Any]", records)[0])
    _fu_parts_all(records, zeros(ScoreWorkspace, 1), cast("Batch[Winning]", hand), values, parts)
    (found,) = cast("NDArray[Any]", parts)
    columns = (found[name][: found["count"]].tolist() for name in ("sources", "fu", "kinds"))
    return int(cast("NDArray[Any]", values)["fu"][0]), tuple(
        FuPart(FuSource(source).name.lower(), fu, to_mjai(kind) if kind >= 0 else None)
        for source, fu, kind in zip(*columns, strict=True)
    )


def _check_ranges(array: NDArray[Any], which: str) -> None:
    """Raise `HandError` for numbers outside `_RANGES`, which would exceed lookup tables."""
    if not len(array):
        return
    numbers = array.view(np.int8).reshape(len(array), -1)  # all fields are int8
    fields = [name for name in _RANGES for _ in range(array.dtype[name].itemsize)]
    least = np.array([_RANGES[name][0] for name in fields], np.int8)
    most = np.array([_RANGES[name][1] for name in fields], np.int8)
    for byte in np.flatnonzero((numbers.min(axis=0) < least) | (numbers.max(axis=0) > most)):
        column = numbers[:, byte]
        wrong = ((column < least[byte]) | (column > most[byte])).argmax()
        raise HandError(f"{which.format(wrong)}{fields[byte]} must lie between {least[byte]} and {most[byte]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class WinConditions:
    """Circumstances of a win, and the state of the table."""

    tsumo: bool = False  # won by self-draw instead of ron
    riichi: bool = False
    double_riichi: bool = False  # riichi in the first turn
    ippatsu: bool = False  # won within a turn of riichi
    rinshan: bool = False  # self-draw of a replacement tile
    chankan: bool = False  # ron on a tile added to a kan
    last: bool = False  # the last tile of the wall (haitei) or the last discard (houtei)
    first: bool = False
    """Won in the first turn, nothing called: heavenly or earthly hand; by ron renhou, where the rules have it."""
    seat: str = "E"  # own wind, E, S, W or N; E is the dealer
    round_wind: str = "E"
    dora: str = ""  # dora indicators, as tiles
    ura: str = ""  # ura indicators, for riichi
    kitas: int = 0  # Norths set aside
    honba: int = 0  # counters on the table

    def __post_init__(self) -> None:
        """Convert NumPy numbers; raise `HandError` for a value of another type or out of range."""
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if isinstance(value, np.generic):
                object.__setattr__(self, name, value.item())
        for problem in type_problems(self):
            raise HandError(problem)
        if not 0 <= self.kitas <= 4 or self.honba < 0:
            raise HandError(f"{self.kitas} kitas, {self.honba} honba: there are 0 to 4 kitas, and honba from 0 on")


#: Conditions that are fields of a `Winning` record.
_FLAGS: Final = ("tsumo", "ippatsu", "rinshan", "chankan", "last", "first", "kitas")


def score(
    tiles: str,
    win: str | None = None,
    *,
    melds: Sequence[str] = (),
    closed_kans: Sequence[str] = (),
    conditions: WinConditions | None = None,
    rules: Rules | str = "tenhou",
    **options: Any,
) -> Score:
    """Return the score of one winning hand.

    Args:
        tiles: concealed tiles, the winning one included: ``"123m456p789s1122z2z"``.
        win: the winning tile; by default the last one of ``tiles``.
        melds: called sets, each as text: ``"555p"`` pon, ``"123s"`` chii, ``"7777z"`` open or added kan.
        closed_kans: closed kans as text.
        conditions: circumstances of the win; by default a plain ron of the dealer.
        rules: a rule set or a preset's name; its number of players counts.
        options: fields of `WinConditions` that differ from ``conditions``: ``riichi=True, seat="S"``.

    Raises:
        HandError: the hand is impossible, incomplete, without yaku, or contradicts its circumstances; an option is of
            another type than the field of `WinConditions`.
        TypeError: an unknown option.
    """
    ruleset = preset(rules) if isinstance(rules, str) else rules
    won = dataclasses.replace(conditions or WinConditions(), **options)
    concealed = tiles_of(tiles)
    called = [_meld(text, False) for text in melds] + [_meld(text, True) for text in closed_kans]
    held = [*concealed, *(tile for _, meld in called for tile in meld)]
    hands = new_winnings(1)
    hand = row(hands)
    hand.kind = _winning_kind(tiles, concealed, win, len(called))
    _check_tiles(held, won, ruleset)
    hand.counts[:] = _counts(concealed)
    hand.calls = len(called)
    for number, (form, meld) in enumerate(called):
        hand.forms[number], hand.kinds[number] = form, min(map(kind_of, meld))
    hand.reds = sum(map(is_red, held))
    _write_conditions(hand, won, ruleset)
    values, wins = _evaluated(cast("NDArray[Any]", hands), ruleset, "")
    if not wins[0]:
        from janshi.riichi.hands.shanten import shanten

        away = shanten(hand.counts, calls=len(called), players=ruleset.players)
        what = "has no yaku" if away < 0 else f"is not complete (shanten {away})"
        raise HandError(f"{tiles!r} {what}")
    _, parts = fu_parts(cast("NDArray[Any]", hands), ruleset)
    return _score_of(cast("NDArray[Any]", hands), values, ruleset, won.honba, parts)


def _counts(tiles: Sequence[int]) -> NDArray[np.int64]:
    """Return the tiles of each kind (34)."""
    return np.bincount([kind_of(tile) for tile in tiles], minlength=34)


def _winning_kind(text: str, concealed: Sequence[int], win: str | None, calls: int) -> int:
    """Return the kind of the winning tile, by default the last of the concealed ones."""
    if not concealed:
        raise HandError("a winning hand holds at least its pair")
    if len(concealed) != 14 - 3 * calls:
        wanted = f"with {calls} melds a winning hand has {14 - 3 * calls}"
        raise HandError(f"{text!r} has {len(concealed)} tiles: {wanted}")
    winning = concealed[-1] if win is None else _tile(win)
    if winning not in (concealed if is_red(winning) else map(kind_of, concealed)):
        raise HandError(f"the winning tile {tile_text(winning)} is not in {text!r}")
    return kind_of(winning)


def _check_tiles(held: Sequence[int], won: WinConditions, rules: Rules) -> None:
    """Raise `HandError` for more tiles than exist. The compiled `fault_of` counts the indicators, but no red ones."""
    counts = _counts(held)
    counts[NORTH] += won.kitas
    if (counts > 4).any():
        kind = int(counts.argmax())
        raise HandError(f"{tile_text(kind)} is there {counts[kind]} times: there are four of each tile")
    tiles = [*held, *tiles_of(won.dora), *tiles_of(won.ura)]
    for tile in filter(is_red, tiles):
        most = rules.red_fives[kind_of(tile) // 9]
        if tiles.count(tile) > most:
            raise HandError(f"rules {rules.name!r} have {most} of {tile_text(tile)}, not {tiles.count(tile)}")


def _write_conditions(hand: Winning, won: WinConditions, rules: Rules) -> None:
    hand.seat_wind, hand.round_wind = _wind(won.seat, rules.players), _wind(won.round_wind, 4)
    for name in _FLAGS:
        setattr(hand, name, getattr(won, name))
    hand.riichi = int(won.riichi) + 2 * int(won.double_riichi)  # both: 3, a fault
    for name, text, shown in (("dora", won.dora, hand.dora), ("ura", won.ura, hand.ura)):
        indicators = tiles_of(text)
        if len(indicators) > 5:
            raise HandError(f"{len(indicators)} {name} indicators: there are five at most")
        shown[: len(indicators)] = [kind_of(tile) for tile in indicators]


def _score_of(
    hands: NDArray[Any], values: NDArray[Any], rules: Rules, honba: int, parts: tuple[FuPart, ...]
) -> Score:
    """Return the value of one hand with yaku, `Winning` and `Value` records of length 1, in words."""
    records, scores = zeros(RulesRecord, 1), zeros(ScoreNumbers, 1)
    write_rules(rules, cast("NDArray[Any]", records)[0])
    _score_all(records, cast("Batch[Winning]", hands), cast("Batch[Value]", values), honba, scores)
    numbers, worth = np.asarray(scores)[0], np.asarray(scores)["worth"][0]
    value = {name: int(values[name][0]) for name in ("han", "fu", "yakuman", "basic")}
    payments = {payer: int(numbers[payer]) for payer in ("discarder", "dealer", "others") if numbers[payer]}
    return Score(
        yaku=tuple((YAKU[name], han) for name, han in worth["fans"][["name", "fan"]][: worth["fans_count"]].tolist()),
        limit=LIMITS[numbers["limit"]],
        points=int(worth["points"]),
        payments=payments,
        fu_parts=parts,
        **value,
    )


def _tile(text: str) -> int:
    tiles = tiles_of(text)
    if len(tiles) != 1:
        raise HandError(f"{text!r} is not one tile")
    return tiles[0]


def _wind(name: str, players: int) -> int:
    if len(name) != 1 or name.upper() not in _WINDS[:players]:
        raise HandError(f"{name!r} is no wind: {', '.join(_WINDS[:players])}")
    return 27 + _WINDS.index(name.upper())


def _meld(text: str, closed: bool) -> tuple[int, list[int]]:
    """Return the form and tiles of a called set or kan."""
    tiles = sorted(tiles_of(text), key=kind_of)
    kinds = [kind_of(tile) for tile in tiles]
    same = len(set(kinds)) == 1
    if same and len(kinds) == 4:
        return (MeldForm.ANKAN if closed else MeldForm.DAIMINKAN), tiles
    if closed:
        raise HandError(f"{text!r} is no closed kan: that is four tiles of a kind")
    if same and len(kinds) == 3:
        return MeldForm.PON, tiles
    low = kinds[0] if kinds else 0
    if len(kinds) == 3 and kinds == [low, low + 1, low + 2] and low < 27 and low % 9 < 7:
        return MeldForm.CHII, tiles
    raise HandError(f"{text!r} ({format_tiles(tiles)}) is no run, triplet or kan")


#: Compiled functions of values, for `janshi.compiling.prepare`.
ENTRIES: Final = (_evaluate_all, _fu_parts_all, _score_all)

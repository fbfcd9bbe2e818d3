"""Hands of Sichuan mahjong: fan and value, waits and their values, shanten and ukeire under a void suit.

A hand is text (``"123m45566p"``) with its pungs and kongs, or a row of an array of `SichuanHand` records. Its void
suit is ``"m"``, ``"p"``, ``"s"``, or None.

>>> value = fan("11223344m556677p")
>>> value.fan, value.points, [name for name, _ in value.fans]
(2, 4, ['seven pairs'])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import (
    Batch,
    Int8,
    Int32,
    Int32Rows,
    Record,
    Workspace,
    batched,
    dtype_of,
    entry,
    leaf,
    rule,
    zeros,
)
from janshi.core.bits import bit_count
from janshi.core.hands import DiscardUkeire, HandError, counts_of_text, discards_of, tiles_of
from janshi.core.rules import write_rules
from janshi.core.shanten_tables import WEIGHTS, ShantenTables, shanten_tables
from janshi.core.shape import Shape
from janshi.say.records import WorthRow
from janshi.sichuan.hands.circumstances import check_circumstances
from janshi.sichuan.hands.concealed import ALL, SUIT, suit_mask, void_shanten, waits_of
from janshi.sichuan.hands.scoring import evaluate, hold, hold_with
from janshi.sichuan.hands.ukeire import AS_IT_IS, NOT_HELD, Ukeire, VoidHand, read_shape, ukeire_of_hand
from janshi.sichuan.hands.worth import write_fans
from janshi.sichuan.rules import Rules, preset
from janshi.sichuan.rules.record import RulesRecord
from janshi.sichuan.state import KINDS, Fan, Value, Winning
from janshi.tiles import tile_text

_SUITS: Final = "mps"
#: Names of the sources of fan.
FAN_NAMES: Final = tuple(fan.name.lower().replace("_", " ") for fan in Fan)
_CIRCUMSTANCES: Final = {fan.name.lower(): 1 << fan for fan in Fan if Fan.AFTER_KONG <= fan <= Fan.EARTH}


_SELF_DRAW: Final = 1 << Fan.SELF_DRAW
_CONCEALED: Final = 1 << Fan.CONCEALED


class SichuanHand(Record):
    """A hand and the circumstances of its win, for `value_hands` and `value_waits`."""

    counts: Annotated[NDArray[np.int8], KINDS]  # concealed tiles of each kind, of a complete hand with the winning tile
    void: Int8  # the void suit: 0 characters, 1 dots, 2 bamboo; −1: not given
    kind: Int8  # the winning tile
    pungs: Int32  # mask of the kinds of its pungs
    kongs: Int32
    circumstances: Int32
    """Bits of `janshi.sichuan.state.Fan.AFTER_KONG` … ``EARTH``, ``SELF_DRAW``, and for a hand whose only melds are
    concealed kongs ``CONCEALED``; one without melds is concealed."""


class Tools(Workspace):
    """Workspace of the functions below."""

    concealed: Shape
    winning: Winning
    value: Value
    hand: VoidHand


@leaf
def read_counts(hand: SichuanHand, shape: Shape) -> int:
    """Write the shape of the concealed tiles; return their number with three for a meld, −1 for an invalid hand."""
    pungs, kongs = int(hand.pungs), int(hand.kongs)
    tiles = 3 * bit_count(pungs | kongs)
    wrong = pungs & kongs
    once = twice = thrice = four = 0
    for suit in range(3):
        index = 0
        for kind in range(9 * suit, 9 * suit + 9):
            count = int(hand.counts[kind])
            wrong |= count & ~7 | (count + 3) & ~7
            tiles += count
            index += count * WEIGHTS[kind]
            once |= int(count > 0) << kind
            twice |= int(count > 1) << kind
            thrice |= int(count > 2) << kind
            four |= int(count > 3) << kind
        shape.suits[suit] = index
    shape.held[1], shape.held[2], shape.held[3], shape.held[4] = once, twice, thrice, four
    wrong |= pungs & twice | kongs & once
    return -1 if wrong else tiles


@leaf
def has_three_suits(kinds: int) -> bool:
    """Return whether kinds are of all three suits."""
    return kinds & SUIT != 0 and kinds & SUIT << 9 != 0 and kinds & SUIT << 18 != 0


@leaf
def circumstances_of(hand: SichuanHand) -> int:
    """Return the circumstances of a hand; one without melds is concealed."""
    return int(hand.circumstances) | (0 if int(hand.pungs) | int(hand.kongs) else 1 << Fan.CONCEALED)


@rule
def value_hand(rules: RulesRecord, tables: ShantenTables, hand: SichuanHand, tools: Tools, value: Value) -> int:
    """Write the value of a hand, 0 points if it is not complete; return 1 for an invalid hand."""
    value.points = 0
    value.fan = 0
    tiles = read_counts(hand, tools.concealed)
    kind = int(hand.kind)
    if tiles != 14 or kind < 0 or kind >= KINDS or int(hand.counts[kind]) == 0:
        return 1
    pungs, kongs = int(hand.pungs), int(hand.kongs)
    kinds = int(tools.concealed.held[1]) | pungs | kongs
    if kinds & suit_mask(int(hand.void)) or has_three_suits(kinds):
        return 0
    if void_shanten(tables, tools.concealed, 4 - bit_count(pungs | kongs)) < 0:
        tools.winning.pungs = pungs
        tools.winning.kongs = kongs
        tools.winning.kind = kind
        tools.winning.circumstances = circumstances_of(hand)
        hold(tools.concealed, tools.winning)
        evaluate(rules, tools.winning, value)
    return 0


@entry(brief=True)
def value_all(
    rules: Batch[RulesRecord],
    tables: Batch[ShantenTables],
    hands: Batch[SichuanHand],
    tools: Batch[Tools],
    values: Batch[Value],
) -> int:
    """Value hands; return the index of the first invalid one, −1 if there is none."""
    for number in range(len(hands)):
        if value_hand(rules[0], tables[0], hands[number], tools[0], values[number]):
            return number
    return -1


@entry(brief=True)
def value_all_waits(
    rules: Batch[RulesRecord],
    tables: Batch[ShantenTables],
    hands: Batch[SichuanHand],
    tools: Batch[Tools],
    points: Int32Rows,
) -> int:
    """Value the waits of hands; return the index of the first invalid one, −1 if there is none."""
    for number in range(len(hands)):
        hand = hands[number]
        shape = tools[0].concealed
        for kind in range(KINDS):
            points[number, kind] = 0
        if read_counts(hand, shape) != 13:
            return number
        pungs, kongs = int(hand.pungs), int(hand.kongs)
        waits = waits_of(tables[0], shape, int(hand.void), pungs, kongs)
        if waits and not has_three_suits(int(shape.held[1]) | pungs | kongs):
            winning = tools[0].winning
            winning.pungs = pungs
            winning.kongs = kongs
            winning.circumstances = circumstances_of(hand)
            for kind in range(KINDS):
                if waits >> kind & 1:
                    winning.kind = kind
                    hold_with(shape, kind, winning)
                    points[number, kind] = evaluate(rules[0], winning, tools[0].value)
    return -1


@entry(brief=True)
def worth_all(rules: Batch[RulesRecord], values: Batch[Value], worths: Batch[WorthRow]) -> None:
    """Write what values are worth."""
    for number in range(len(values)):
        write_fans(rules[0], values[number], worths[number])


@rule
def ukeire_of_record(tables: ShantenTables, hand: SichuanHand, tools: Tools, out: Ukeire) -> Int8:
    """Write the ukeire of a hand; return 1 for an invalid hand."""
    tiles = read_counts(hand, tools.concealed)
    void = int(hand.void)
    discards = 0
    if tiles == 14:
        held = int(tools.concealed.held[1])
        discards = held & suit_mask(void)
        discards = discards if discards else held
    read_shape(tools.concealed, void, int(hand.pungs), int(hand.kongs), tools.hand)
    ukeire_of_hand(tables, tools.hand, out, discards)
    return 0 if tiles == 13 or tiles == 14 else 1


_ukeire_all = batched(ukeire_of_record, brief=True)

#: Compiled functions used below, for `janshi.compiling.prepare`.
ENTRIES: Final = (value_all, value_all_waits, worth_all, _ukeire_all)

# ---------------------------------------------------------------------------------------------------------
# Arrays


def _rules_of(rules: Rules | str) -> Rules:
    return preset(rules) if isinstance(rules, str) else rules


def _rules_record(rules: Rules | str) -> Batch[RulesRecord]:
    records = zeros(RulesRecord, 1)
    write_rules(_rules_of(rules), cast("NDArray[Any]", records)[0])
    return records


def new_hands(count: int) -> NDArray[Any]:
    """Return ``count`` empty `SichuanHand` records (``count``,), no suit void.

    >>> new_hands(2)["void"].tolist()
    [-1, -1]
    """
    hands = cast("NDArray[Any]", zeros(SichuanHand, count))
    hands["void"] = -1
    return hands


#: Valid bits of the masks of a `SichuanHand`.
_MASKS: Final = {"pungs": ALL, "kongs": ALL, "circumstances": sum(_CIRCUMSTANCES.values()) | _SELF_DRAW | _CONCEALED}


def _checked(hands: Any) -> Batch[SichuanHand]:
    array = np.require(hands, requirements=["C", "W"])
    if array.dtype != dtype_of(SichuanHand) or array.ndim != 1:
        raise HandError("hands are an array (n,) of SichuanHand records: make one with new_hands(n)")
    if ((array["void"] < -1) | (array["void"] > 2)).any():
        raise HandError("void is 0 (characters), 1 (dots), 2 (bamboo) or −1")
    for name, mask in _MASKS.items():
        for number in np.flatnonzero(array[name] & ~mask):
            raise HandError(f"hand {number} of the array: {name} is a mask within {mask:#x}, not {array[name][number]}")
    return cast("Batch[SichuanHand]", array)


def own_tiles(hands: NDArray[Any]) -> NDArray[np.int8]:
    """Return the number of tiles of each kind in hands, melds included (n, 27; int8)."""
    kinds = np.arange(KINDS)
    melded = 3 * (hands["pungs"][:, None] >> kinds & 1) + 4 * (hands["kongs"][:, None] >> kinds & 1)
    return (hands["counts"] + melded).astype(np.int8)


def _refuse(number: int, tiles: str, more: str = "") -> None:
    """Raise `HandError` for a hand of an array, unless its number is −1."""
    if number >= 0:
        raise HandError(
            f"hand {number} of the array is no hand: {tiles} tiles, three for each meld, at most four of a kind{more}"
        )


def value_hands(hands: NDArray[Any], rules: Rules | str = "sichuan") -> NDArray[Any]:
    """Return the values of hands (n,) of 14 tiles, as `janshi.sichuan.state.Value` records (n,).

    An incomplete hand, or one with tiles of its void suit or of three suits, has 0 points. Raises `HandError` for an
    array of another type or an impossible hand.

    >>> hands = new_hands(1)
    >>> hands["counts"][0, :5] = 3, 3, 3, 3, 2
    >>> hands["kind"] = 4
    >>> value_hands(hands)["fan"].tolist(), value_hands(hands, "sichuan-novikov")["fan"].tolist()
    ([3], [4])
    """
    array = _checked(hands)
    values = zeros(Value, len(hands))
    wrong = value_all(_rules_record(rules), shanten_tables(), array, zeros(Tools, 1), values)
    _refuse(wrong, "14", ", the winning one among the concealed")
    return cast("NDArray[Any]", values)


def value_waits(hands: NDArray[Any], rules: Rules | str = "sichuan") -> NDArray[np.int32]:
    """Return the values of hands (n,) of 13 tiles with each kind (n, 27; int32), 0 for kinds that do not complete them.

    Raises `HandError` as `value_hands` does.

    >>> hands = new_hands(1)
    >>> hands["counts"][0, :5] = 3, 3, 3, 3, 1
    >>> np.flatnonzero(value_waits(hands)[0]).tolist(), value_waits(hands)[0, :6].tolist()
    ([1, 2, 3, 4, 5], [0, 8, 8, 8, 8, 4])
    """
    array = _checked(hands)
    points = np.empty((len(hands), KINDS), np.int32)
    _refuse(value_all_waits(_rules_record(rules), shanten_tables(), array, zeros(Tools, 1), points), "13")
    return points


def values_of_waits(hand: NDArray[Any], rules: Rules | str) -> Iterator[tuple[int, Any]]:
    """Yield the waits of one hand of 13 tiles with the `janshi.sichuan.state.Value` of a plain win."""
    kinds = np.flatnonzero(value_waits(hand, rules)[0])
    complete = np.repeat(hand, len(kinds))
    complete["counts"][np.arange(len(kinds)), kinds] += 1
    complete["kind"] = kinds
    yield from zip(kinds.tolist(), value_hands(complete, rules), strict=True)


def _with_visible(seen: NDArray[np.int8], visible: Any) -> NDArray[Any]:
    """Return the counts of hands (n, 27) and visible tiles together."""
    counts = np.asarray(visible)
    if counts.shape not in (seen.shape, (1, KINDS)) or counts.dtype.kind not in "iu":
        raise HandError(
            f"visible tiles are whole numbers ({len(seen)}, {KINDS}): these are {counts.dtype} {counts.shape}"
        )
    if ((counts < 0) | (counts > 4)).any():
        raise HandError("visible tiles: counts are 0 to 4")
    together: NDArray[Any] = seen + counts.astype(np.int8)
    for number in np.flatnonzero((together > 4).any(axis=1)):
        raise HandError(f"hand {number} of the array and the visible tiles have more than four of a kind")
    return together


def ukeire_arrays(hands: NDArray[Any], visible: NDArray[Any] | None = None) -> NDArray[Any]:
    """Return the ukeire of hands (n,) of 13 or 14 tiles, as `janshi.sichuan.hands.ukeire.Ukeire` records (n,).

    ``visible`` (n, 27; whole numbers): tiles seen outside the hands and their melds, or one row for all. A hand with
    tiles of its void suit may only discard these. Raises `HandError` as `value_hands` does, and for visible tiles of
    another shape or out of range.

    >>> hands = new_hands(1)
    >>> hands["counts"][0, :5] = 3, 3, 3, 3, 1
    >>> ukeire_arrays(hands)["left"][0, 27]
    np.int16(10)
    """
    array = _checked(hands)
    out = cast("NDArray[Any]", zeros(Ukeire, len(hands)))
    seen = own_tiles(hands)
    out["visible"] = seen if visible is None else _with_visible(seen, visible)
    wrong = np.flatnonzero(_ukeire_all(array, out))
    _refuse(int(wrong[0]) if len(wrong) else -1, "13 or 14")
    return out


# ---------------------------------------------------------------------------------------------------------
# One hand as text


@dataclass(frozen=True, slots=True)
class FanValue:
    """Value of a complete hand."""

    fans: tuple[tuple[str, int], ...]  # names of the sources of fan, with the fan of each
    fan: int  # total fan, before the cap
    points: int  # payment of the discarder; on a self-draw each player still in pays ``each``
    each: int


def _meld_mask(texts: Sequence[str], size: int) -> int:
    """Return the mask of pungs (size 3) or kongs (4)."""
    mask = 0
    for text in texts:
        tiles = _parse(text)
        if len(tiles) != size or len(set(tiles)) != 1:
            raise HandError(f"{text!r} is no {'pung' if size == 3 else 'kong'}: {size} equal tiles")
        mask |= 1 << tiles[0]
    return mask


def _parse(text: str) -> list[int]:
    tiles = tiles_of(text)
    if any(tile >= KINDS for tile in tiles):
        raise HandError(f"{text!r}: Sichuan has no honours and no red fives")
    return tiles


def hand_record(
    tiles: str,
    *,
    pungs: Sequence[str] = (),
    kongs: Sequence[str] = (),
    concealed_kongs: Sequence[str] = (),
    void: str | None = None,
) -> NDArray[Any]:
    """Return one hand in text as an array of one `SichuanHand`.

    ``pungs``, ``kongs`` (exposed and added ones) and ``concealed_kongs`` are texts such as ``"555p"`` and ``"5555p"``;
    ``void`` is the void suit, of which none may be held. Raises `HandError` for an invalid hand.

    >>> int(hand_record("12345678m11p", pungs=["555p"], void="s")["void"][0])
    2
    """
    if void is not None and (len(void) != 1 or void not in _SUITS):
        raise HandError(f"void is 'm', 'p' or 's', not {void!r}")
    _parse(tiles)
    hand = new_hands(1)
    hand["counts"][0] = counts_of_text(tiles)[:KINDS]
    hand["void"] = -1 if void is None else _SUITS.index(void)
    hand["pungs"] = _meld_mask(pungs, 3)
    hand["kongs"] = _meld_mask([*kongs, *concealed_kongs], 4)
    hand["circumstances"] = 0 if pungs or kongs else _CONCEALED
    melds = len(pungs) + len(kongs) + len(concealed_kongs)
    if bin(int(hand["pungs"][0] | hand["kongs"][0])).count("1") != melds:
        raise HandError("two melds of one kind: there are four of each tile")
    count = int(hand["counts"].sum()) + 3 * melds
    if count not in (13, 14):
        raise HandError(f"{tiles!r} and {melds} melds are {count} tiles, three for each meld: not 13 or 14")
    held = own_tiles(hand)[0]
    for kind in np.flatnonzero(held > 4).tolist():
        raise HandError(f"{tile_text(kind)} is there {held[kind]} times, melds included: there are four of each tile")
    return hand


def _circumstances(names: Sequence[str]) -> int:
    bits = 0
    for name in names:
        if name not in _CIRCUMSTANCES:
            raise HandError(f"no circumstance {name!r}; there are {', '.join(_CIRCUMSTANCES)}")
        bits |= _CIRCUMSTANCES[name]
    return bits


def _suits_held(hand: NDArray[Any]) -> list[str]:
    """Return the suits of a hand, melds included."""
    held = own_tiles(hand)[0].reshape(3, 9).any(axis=1)
    return [suit for suit, has in zip(_SUITS, held, strict=True) if has]


def fan_value(value: Any, rules: Rules) -> FanValue:
    """Return a `janshi.sichuan.state.Value` record in words."""
    worths = zeros(WorthRow, 1)
    worth_all(_rules_record(rules), cast("Batch[Value]", np.reshape(value, 1)), worths)
    (worth,) = np.asarray(worths)
    fans = worth["fans"][["name", "fan"]][: worth["fans_count"]].tolist()
    numbers = (int(worth[name]) for name in ("fan", "points", "each"))
    return FanValue(tuple((FAN_NAMES[name], fan) for name, fan in fans), *numbers)


def fan(
    tiles: str,
    win: str | None = None,
    *,
    self_drawn: bool = False,
    circumstances: Sequence[str] = (),
    rules: Rules | str = "sichuan",
    **melds: Any,
) -> FanValue:
    """Return the value of one complete hand.

    Args:
        tiles: concealed tiles, the winning one included: ``"123m45566p"``.
        win: the winning tile; by default the last one of ``tiles``.
        self_drawn: whether it is self-drawn, which changes the payments, and the value where the rules say so.
        circumstances: of ``after_kong``, ``kong_discard``, ``robbing``, ``last_tile``, ``heaven``, ``earth``.
        rules: a rule set or a preset's name.
        melds: ``pungs``, ``kongs``, ``concealed_kongs`` and ``void`` as in `hand_record`.

    Raises:
        HandError: the hand is invalid or incomplete, or the circumstances contradict it.

    >>> fan("11m", pungs=["222m", "333p"], kongs=["5555p", "6666p"], self_drawn=True).each
    17
    """
    ruleset = _rules_of(rules)
    hand = hand_record(tiles, **melds)
    winning = _parse(tiles)[-1:] if win is None else _parse(win)
    if len(winning) != 1:
        raise HandError(f"{win!r} is not one tile")
    hand["kind"] = winning
    hand["circumstances"] |= _circumstances(circumstances) | (_SELF_DRAW if self_drawn else 0)
    if int(hand["counts"].sum()) % 3 != 2:
        raise HandError(f"{tiles!r} waits for a tile: a complete hand has 14, three for each meld")
    if hand["counts"][0, int(hand["kind"][0])] == 0:
        raise HandError(f"the winning tile {win} is not among {tiles!r}")
    check_circumstances(hand[0], ruleset, self_drawn)
    value = value_hands(hand, ruleset)[0]
    if not value["points"]:
        suits, void = _suits_held(hand), melds.get("void")
        if void in suits:
            raise HandError(f"{tiles!r} has tiles of the void suit {void}")
        if len(suits) == 3:
            raise HandError(f"{tiles!r} has three suits: one must be void")
        away = int(ukeire_arrays(hand)["shanten"][0, AS_IT_IS])
        raise HandError(f"{tiles!r} is not complete (shanten {away})")
    return fan_value(value, ruleset)


def is_complete(
    tiles: str,
    *,
    pungs: Sequence[str] = (),
    kongs: Sequence[str] = (),
    concealed_kongs: Sequence[str] = (),
    void: str | None = None,
) -> bool:
    """Return whether a hand is complete, in at most two suits. Raises `HandError` for an invalid hand.

    >>> is_complete("123456789m12399s"), is_complete("123456789m12399s", void="s")
    (True, False)
    """
    hand = hand_record(tiles, pungs=pungs, kongs=kongs, concealed_kongs=concealed_kongs, void=void)
    if int(hand["counts"].sum()) % 3 != 2:
        return False
    hand["kind"] = _parse(tiles)[-1]
    return bool(value_hands(hand)["points"][0])


def waits(
    tiles: str,
    *,
    pungs: Sequence[str] = (),
    kongs: Sequence[str] = (),
    concealed_kongs: Sequence[str] = (),
    void: str | None = None,
    rules: Rules | str = "sichuan",
) -> dict[int, FanValue]:
    """Return the kinds that complete a hand of 13 tiles, each with the value of a plain win.

    A kind of which the player holds all four, melds included, is no wait. Raises `HandError` for an invalid hand.

    >>> {tile_text(kind): value.points for kind, value in waits("1122334455667m").items()}
    {'1m': 4, '4m': 4, '7m': 16}
    """
    ruleset = _rules_of(rules)
    hand = hand_record(tiles, pungs=pungs, kongs=kongs, concealed_kongs=concealed_kongs, void=void)
    if int(hand["counts"].sum()) % 3 != 1:
        raise HandError(f"{tiles!r} has a tile to discard: a hand waits with 13, three for each meld")
    return {kind: fan_value(value, ruleset) for kind, value in values_of_waits(hand, ruleset)}


def ukeire(
    tiles: str,
    visible: str | None = None,
    *,
    pungs: Sequence[str] = (),
    kongs: Sequence[str] = (),
    concealed_kongs: Sequence[str] = (),
    void: str | None = None,
) -> list[DiscardUkeire]:
    """Return the ukeire of one hand after each discard, the best first, or of a hand that waits for a draw.

    ``visible``: tiles seen outside the hand and its melds. If the hand holds tiles of the void suit, only these may be
    discarded. Raises `HandError` for an invalid hand.

    >>> best = ukeire("123456m1155578p9s", void="s")[0]
    >>> tile_text(best.discard), best.shanten, best.left
    ('9s', 0, 8)
    """
    hand = hand_record(tiles, pungs=pungs, kongs=kongs, concealed_kongs=concealed_kongs, void=void)
    if void is None and len(_suits_held(hand)) == 3:
        raise HandError(f"{tiles!r} has three suits: say which is void, 'm', 'p' or 's'")
    seen = None if visible is None else counts_of_text(visible)[None, :KINDS]
    table = ukeire_arrays(hand, seen)[0]
    return discards_of(table["shanten"], table["accepted"], table["left"], NOT_HELD)

"""Fan of a winning hand, and its value.

No fan depends on the division of a hand into sets: other divisions of all pungs and seven pairs are never worth more,
and a root is any four of a kind. Fan are therefore read from masks of the kinds held, without a search.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf, rule
from janshi.core.bits import bit_count
from janshi.core.shape import Shape
from janshi.sichuan.hand import SUIT
from janshi.sichuan.rules import GoldenWait
from janshi.sichuan.rules_record import RulesRecord
from janshi.sichuan.state import Fan, Value, Winning

#: Number of sources of fan.
FANS: Final = 12


@leaf
def one_suit(kinds: int) -> bool:
    """Return whether kinds are of one suit."""
    return kinds & ~SUIT == 0 or kinds & ~(SUIT << 9) == 0 or kinds & ~(SUIT << 18) == 0


@leaf
def hold_with(shape: Shape, kind: int, winning: Winning) -> None:
    """Write concealed tiles and the winning tile into a winning hand."""
    bit = 1 << kind
    for count in range(1, 5):
        held = int(shape.held[count])
        winning.held[count] = held | bit
        if held & bit == 0:
            bit = 0


@leaf
def hold(shape: Shape, winning: Winning) -> None:
    """Write concealed tiles, which include the winning tile, into a winning hand."""
    for count in range(1, 5):
        winning.held[count] = int(shape.held[count])


@rule
def count_fan(rules: RulesRecord, hand: Winning, value: Value) -> None:
    """Write how often each source of fan counts in a complete hand."""
    once, twice = int(hand.held[1]), int(hand.held[2])
    thrice, four = int(hand.held[3]), int(hand.held[4])
    melds = int(hand.pungs) | int(hand.kongs)
    won = 1 << int(hand.kind)
    # All concealed kinds are pungs except one, the pair.
    pair = twice & ~thrice
    pungs = once == twice and four == 0 and bit_count(pair) == 1
    golden = pungs and pair == won
    if int(rules.golden_wait_form) == GoldenWait.FOUR_MELDS:
        golden = golden and thrice == 0
    pairs = melds == 0 and once == twice and thrice == four
    roots = bit_count(four | int(hand.pungs) & once)
    if pairs and not int(rules.more_roots_in_pairs):
        roots = min(roots, 1)
    value.times[Fan.ALL_PUNGS] = 1 if pungs else 0
    value.times[Fan.FULL_FLUSH] = 1 if one_suit(once | melds) else 0
    value.times[Fan.SEVEN_PAIRS] = 1 if pairs else 0
    value.times[Fan.GOLDEN_WAIT] = 1 if golden else 0
    value.times[Fan.KONG] = bit_count(int(hand.kongs))
    value.times[Fan.ROOT] = roots
    for fan in range(Fan.AFTER_KONG, FANS):
        value.times[fan] = int(hand.circumstances) >> fan & 1
    if int(value.times[Fan.LAST_TILE]) and not int(rules.kong_discard_and_last):
        value.times[Fan.KONG_DISCARD] = 0


@leaf
def total_fan(rules: RulesRecord, value: Value) -> int:
    """Return the fan of everything that counts; heaven and earth only if they are not worth the cap."""
    times = value.times
    total = int(times[Fan.ALL_PUNGS]) * int(rules.all_pungs) + int(times[Fan.FULL_FLUSH]) * int(rules.full_flush)
    total += int(times[Fan.SEVEN_PAIRS]) * int(rules.seven_pairs)
    total += int(times[Fan.GOLDEN_WAIT]) * int(rules.golden_wait)
    total += int(times[Fan.KONG]) * int(rules.kong) + int(times[Fan.ROOT]) * int(rules.root)
    total += int(times[Fan.AFTER_KONG]) * int(rules.after_kong)
    total += int(times[Fan.KONG_DISCARD]) * int(rules.kong_discard)
    total += int(times[Fan.ROBBING]) * int(rules.robbing) + int(times[Fan.LAST_TILE]) * int(rules.last_tile)
    if not int(rules.heaven_is_cap):
        total += int(times[Fan.HEAVEN]) * int(rules.heaven) + int(times[Fan.EARTH]) * int(rules.earth)
    return total


@leaf
def points_of_fan(rules: RulesRecord, fan: int) -> int:
    """Return the points of fan: base times two to their power, capped."""
    cap = int(rules.cap)
    return int(rules.base_points) << (fan if cap < 0 else min(fan, cap))


@rule
def evaluate(rules: RulesRecord, hand: Winning, value: Value) -> int:
    """Write the value of a complete hand; return its points."""
    count_fan(rules, hand, value)
    fan = total_fan(rules, value)
    value.fan = fan
    first = int(value.times[Fan.HEAVEN]) | int(value.times[Fan.EARTH])
    if first and int(rules.heaven_is_cap):
        fan = int(rules.cap)
    value.points = points_of_fan(rules, fan)
    return int(value.points)

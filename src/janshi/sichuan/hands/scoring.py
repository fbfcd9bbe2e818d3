"""Fan of a winning hand, and its value.

No fan depends on the division of a hand into sets: other divisions of all pungs and seven pairs are never worth more,
a root is any four of a kind, and runs and pungs that all have a terminal follow from the counts. Fan are therefore read
from masks of the kinds held, without a search.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf, rule
from janshi.core.bits import bit_count
from janshi.core.shape import Shape
from janshi.sichuan.hands.concealed import SUIT
from janshi.sichuan.rules import GoldenWait
from janshi.sichuan.rules.record import RulesRecord
from janshi.sichuan.state import Fan, Value, Winning

#: Number of sources of fan.
FANS: Final = 17
#: Kinds 1 and 9, and 2, 5 and 8, of all suits.
_TERMINALS: Final = 0b100000001 * 0b1000000001000000001
_JIANG: Final = 0b010010010 * 0b1000000001000000001
#: Kinds 4, 5 and 6 of all suits.
_MIDDLE: Final = 0b000111000 * 0b1000000001000000001


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


@leaf
def copies(hand: Winning, kind: int) -> int:
    """Return the number of concealed tiles of a kind."""
    number = 0
    for count in range(1, 5):
        number += int(hand.held[count]) >> kind & 1
    return number


@rule
def has_terminals(hand: Winning) -> bool:
    """Return whether every set and the pair of a complete hand contain a terminal.

    Tiles 2, 3, 7 and 8 are then parts of runs 123 and 789, whose number they determine; what is left of 1 and 9 are
    pungs and the pair.
    """
    if (int(hand.pungs) | int(hand.kongs)) & ~_TERMINALS or int(hand.held[1]) & _MIDDLE:
        return False
    pairs = 0
    for suit in range(3):
        for end in range(2):
            first = 9 * suit + 8 * end
            step = 1 - 2 * end
            runs = copies(hand, first + step)
            left = copies(hand, first) - runs
            if runs != copies(hand, first + 2 * step) or left < 0 or left == 1 or left == 4:
                return False
            pairs += 1 if left == 2 else 0
    return pairs == 1


@leaf
def count_local_fan(rules: RulesRecord, hand: Winning, value: Value) -> None:
    """Write the sources of fan that count at some tables only, after the others."""
    kinds = int(hand.held[1]) | int(hand.pungs) | int(hand.kongs)
    jiang = kinds & ~_JIANG == 0
    terminals = int(rules.terminals) > 0 and has_terminals(hand)
    if terminals and int(value.times[Fan.SEVEN_PAIRS]):
        # Another division of the same tiles: the one of more fan counts.
        terminals = int(rules.terminals) > int(rules.seven_pairs)
        value.times[Fan.SEVEN_PAIRS] = 0 if terminals else 1
    value.times[Fan.TERMINALS] = 1 if terminals else 0
    value.times[Fan.JIANG] = 1 if int(rules.jiang) and jiang else 0
    simples = kinds & _TERMINALS == 0 and not (int(rules.jiang) and jiang)
    value.times[Fan.ALL_SIMPLES] = 1 if int(rules.all_simples) and simples else 0
    circumstances = int(hand.circumstances)
    value.times[Fan.CONCEALED] = circumstances >> Fan.CONCEALED & 1 if int(rules.concealed) else 0
    value.times[Fan.SELF_DRAW] = circumstances >> Fan.SELF_DRAW & 1 if int(rules.self_draw) else 0


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
    for fan in range(Fan.AFTER_KONG, Fan.EARTH + 1):
        value.times[fan] = int(hand.circumstances) >> fan & 1
    if int(value.times[Fan.LAST_TILE]) and not int(rules.kong_discard_and_last):
        value.times[Fan.KONG_DISCARD] = 0
    count_local_fan(rules, hand, value)


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
    total += int(times[Fan.TERMINALS]) * int(rules.terminals) + int(times[Fan.JIANG]) * int(rules.jiang)
    total += int(times[Fan.ALL_SIMPLES]) * int(rules.all_simples) + int(times[Fan.CONCEALED]) * int(rules.concealed)
    total += int(times[Fan.SELF_DRAW]) * int(rules.self_draw)
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

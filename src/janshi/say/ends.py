"""How played hands end for a seat: the end of each, and figures of many with their intervals.

A game's rule ``ends`` (`janshi.say.Say`) fills a `HandEnd` from a table whose hand is over. `sum_up` computes from the
ends after each option of a decision what is known of the options, and `janshi.say.losses` what a choice costs.
"""

from __future__ import annotations

import math
from typing import Annotated, Final

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Batch, Int8, Int32, Record, Rows, copy_record, entry, leaf, rule
from janshi.say.records import KINDS
from janshi.say.words import Name, OrNone

#: At least the number of the sources of han or fan of a game.
HAN_SOURCES: Final = 60
#: Share of the wins from which on a source or a tile is named.
_NAMED: Final = 0.05
#: Minimum number of values for an interval of their mean: see `janshi.statistics`.
_LEAST: Final = 5
#: Numbers of confidence sequences: see `janshi.statistics.confidence_sequence`.
_LEAST_OF_SEQUENCE: Final = 64
_TUNED: Final = 500
#: 97.5 % of a normal distribution lies below.
_Z: Final = 1.959963984540054
#: 97.5 % of Student's t with 4, 5 … degrees of freedom lies below.
_STUDENT: Final = (
    *(2.7764451051977934, 2.5705818356363146, 2.4469118511449786, 2.364624251592784, 2.306004135204166),
    *(2.262157162798205, 2.228138851986274, 2.200985160091639, 2.1788128296672284, 2.1603686564627913),
    *(2.144786687917804, 2.131449545559776, 2.1199052992212546, 2.1098155778333156, 2.1009220402410382),
    *(2.0930240544083087, 2.085963447265864, 2.0796138447276795, 2.0738730679040254, 2.0686576104190486),
    *(2.0638985616280245, 2.0595385527532972, 2.0555294386428735, 2.0518305164802846, 2.0484071417952454),
    *(2.045229642132703, 2.0422724563012378),
)
_NOTHING: Final = math.nan

#: What a hand may have. `SOURCE`, `TILE` and `DEALT_TO` mean that of a number (``key``).
ALL, WON, TSUMO, RON, DEALT_IN, DRAWN, TENPAI, OTHERS, SOURCE, TILE, DEALT_TO, NEVER = range(12)
#: Numbers of a hand. `SOURCE_HAN` means that of a number (``key``).
VALUE, HAN, SOURCE_HAN, COST, POINTS, WORTH, DIFFERENCE = range(7)


class HandEnd(Record):
    """The end of a hand for a seat."""

    points: Annotated[float, np.float64]  # change of points
    worth: Annotated[float, np.float64]  # what options are compared by: points, or those of the final place
    difference: Annotated[float, np.float64]  # worth minus that of the best option: written by `sum_up`
    value: Int32  # points of the won hand, else 0
    han: Annotated[NDArray[np.int8], HAN_SOURCES]  # han or fan of the won hand by source
    tile: Int8  # kind that completed the won hand, else −1
    dealt_to: Int8  # bits of the seats that won on the seat's tiles
    won: Int8
    self_drawn: Int8
    drawn: Int8  # nobody won
    tenpai: Int8  # in an exhaustive draw


class EstimateRow(Record):
    """A figure with its 95 % interval: see `janshi.statistics.Estimate`."""

    value: Annotated[float, np.float64]
    low: Annotated[float, np.float64]
    high: Annotated[float, np.float64]
    count: Int32


class FiguresRow(Record):
    """Two figures of the hands that have something."""

    share: EstimateRow
    average: EstimateRow
    key: Int8  # number of the source, kind or seat


class WonWithRow(Record):
    """See `janshi.review.model.WonWith`."""

    name: Annotated[Int8, Name("fan")]
    share: Annotated[float, np.float64]
    han: Annotated[float, np.float64]


class WonOnRow(Record):
    """See `janshi.review.model.WonOn`."""

    tile: Annotated[Int8, Name("tile")]
    share: Annotated[float, np.float64]
    points: Annotated[float, np.float64]


class DealtToRow(Record):
    """See `janshi.review.model.DealtInTo`."""

    seat: Int8
    rate: Annotated[float, np.float64]
    points: Annotated[float, np.float64]


class EndsNumbers(Record):
    """Rounded figures of an option: see `janshi.review.model.Ends`."""

    samples: Int32
    win: Annotated[float, np.float64]
    value: Annotated[float, np.float64, OrNone()]
    han: Annotated[float, np.float64, OrNone()]
    yaku: Annotated[Rows[WonWithRow], HAN_SOURCES]
    yaku_count: Int8
    tiles: Annotated[Rows[WonOnRow], KINDS]
    tiles_count: Int8
    deal_in: Annotated[float, np.float64]
    price: Annotated[float, np.float64, OrNone()]
    to: Annotated[Rows[DealtToRow], 4]
    to_count: Int8
    draw: Annotated[float, np.float64]
    tenpai: Annotated[float, np.float64, OrNone()]
    draw_points: Annotated[float, np.float64, OrNone()]
    others: Annotated[float, np.float64]
    others_points: Annotated[float, np.float64, OrNone()]
    points: Annotated[float, np.float64]
    place: Annotated[float, np.float64, OrNone()]


class OptionFigures(Record):
    """Figures of an option: see `janshi.rollout.playouts.OptionResult` and `janshi.rollout.ends.HandEnds`."""

    win: EstimateRow
    tsumo: EstimateRow
    ron: EstimateRow
    value: EstimateRow
    deal_in: EstimateRow
    price: EstimateRow
    points: EstimateRow
    worth: EstimateRow
    difference: EstimateRow
    han: EstimateRow
    draw: EstimateRow
    tenpai: EstimateRow
    draw_points: EstimateRow
    others: EstimateRow
    others_points: EstimateRow
    never: EstimateRow  # rate of what no hand had
    never_won: EstimateRow  # share of what no won hand had
    sources: Annotated[Rows[FiguresRow], HAN_SOURCES]
    tiles: Annotated[Rows[FiguresRow], KINDS]
    dealt_to: Annotated[Rows[FiguresRow], 4]
    sources_count: Int8
    tiles_count: Int8
    dealt_to_count: Int8
    ends: EndsNumbers


# ---------------------------------------------------------------------------------------------------------
# Hands


@leaf
def has(hand: HandEnd, what: int, key: int) -> bool:
    """Return whether a hand has something."""
    won = int(hand.won) == 1
    if what <= RON:
        return what == ALL or (won and (what == WON or (int(hand.self_drawn) == 1) == (what == TSUMO)))
    if what <= TENPAI:
        if what == DEALT_IN:
            return int(hand.dealt_to) != 0
        return int(hand.drawn) == 1 if what == DRAWN else int(hand.tenpai) == 1
    if what == OTHERS:
        return not won and int(hand.drawn) == 0 and int(hand.dealt_to) == 0
    if what == SOURCE:
        return int(hand.han[key]) > 0
    if what == TILE:
        return int(hand.tile) == key
    return what == DEALT_TO and int(hand.dealt_to) >> key & 1 == 1


@leaf
def number_of(hand: HandEnd, what: int, key: int) -> float:
    """Return a number of a hand."""
    if what == VALUE:
        return float(hand.value)
    if what == HAN:
        total = 0
        for source in range(HAN_SOURCES):
            total += int(hand.han[source])
        return float(total)
    if what == SOURCE_HAN:
        return float(hand.han[key])
    if what <= POINTS:
        return float(hand.points) if what == POINTS else -float(hand.points)
    return float(hand.worth) if what == WORTH else float(hand.difference)


# ---------------------------------------------------------------------------------------------------------
# Figures of the hands in the rows from ``first`` to before ``last``


@rule
def write_rate(hands: Batch[HandEnd], first: int, last: int, of: int, what: int, key: int, out: EstimateRow) -> None:
    """Write the share of the hands with something among some, with Wilson's interval."""
    hits = 0
    number = 0
    for row in range(first, last):
        if has(hands[row], of, key):
            number += 1
            hits += 1 if has(hands[row], what, key) else 0
    out.count = number
    out.value = _NOTHING
    out.low = _NOTHING
    out.high = _NOTHING
    if number:
        share = hits / number
        square = _Z * _Z
        middle = (share + square / (2 * number)) / (1 + square / number)
        spread = math.sqrt((share * (1 - share) + square / (4 * number)) / number)
        reach = _Z / (1 + square / number) * spread
        out.value = share
        # The interval contains the rate itself; at 0 and 1 rounding could exclude it.
        out.low = min(max(0.0, middle - reach), share)
        out.high = max(min(1.0, middle + reach), share)


@rule
def write_mean(hands: Batch[HandEnd], first: int, last: int, of: int, what: int, key: int, out: EstimateRow) -> None:
    """Write the mean of a number of some hands with the interval of Student's t."""
    total = 0.0
    number = 0
    for row in range(first, last):
        if has(hands[row], of, key):
            total += number_of(hands[row], what, key)
            number += 1
    out.count = number
    out.value = total / number if number else _NOTHING
    out.low = _NOTHING
    out.high = _NOTHING
    if number >= _LEAST:
        middle = total / number
        squares = 0.0
        for row in range(first, last):
            if has(hands[row], of, key):
                apart = number_of(hands[row], what, key) - middle
                squares += apart * apart
        reach = student(number - 1) * (math.sqrt(squares / (number - 1)) / math.sqrt(number))
        out.low = middle - reach
        out.high = middle + reach


@leaf
def student(freedom: int) -> float:
    """Return below what 97.5 % of Student's t lies: above 30 degrees by the expansion of Fisher and Cornish."""
    if freedom < 4 + len(_STUDENT):
        return float(_STUDENT[freedom - 4])
    z = _Z
    square = z * z
    first = (square + 1) * z / 4
    second = ((5 * square + 16) * square + 3) * z / 96
    third = (((3 * square + 19) * square + 17) * square - 15) * z / 384
    fourth = ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) * z / 92160
    return z + (first + (second + (third + fourth / freedom) / freedom) / freedom) / freedom


@rule
def write_groups(hands: Batch[HandEnd], first: int, last: int, out: OptionFigures) -> None:
    """Write the figures by source of han, winning tile and seat dealt in to."""
    out.sources_count = 0
    out.tiles_count = 0
    out.dealt_to_count = 0
    for what in range(SOURCE, DEALT_TO + 1):
        for key in range(HAN_SOURCES if what == SOURCE else KINDS if what == TILE else 4):
            found = False
            for row in range(first, last):
                found = found or has(hands[row], what, key)
            if not found:
                continue
            if what == SOURCE:
                group = out.sources[int(out.sources_count)]
                out.sources_count += 1
                write_rate(hands, first, last, WON, SOURCE, key, group.share)
                write_mean(hands, first, last, WON, SOURCE_HAN, key, group.average)
                group.key = key
            elif what == TILE:
                group = out.tiles[int(out.tiles_count)]
                out.tiles_count += 1
                write_rate(hands, first, last, WON, TILE, key, group.share)
                write_mean(hands, first, last, TILE, VALUE, key, group.average)
                group.key = key
            else:
                group = out.dealt_to[int(out.dealt_to_count)]
                out.dealt_to_count += 1
                write_rate(hands, first, last, ALL, DEALT_TO, key, group.share)
                write_mean(hands, first, last, DEALT_TO, COST, key, group.average)
                group.key = key


@rule
def write_figures(hands: Batch[HandEnd], first: int, last: int, out: OptionFigures) -> None:
    """Write all figures of an option."""
    write_rate(hands, first, last, ALL, WON, 0, out.win)
    write_rate(hands, first, last, ALL, TSUMO, 0, out.tsumo)
    write_rate(hands, first, last, ALL, RON, 0, out.ron)
    write_mean(hands, first, last, WON, VALUE, 0, out.value)
    write_rate(hands, first, last, ALL, DEALT_IN, 0, out.deal_in)
    write_mean(hands, first, last, DEALT_IN, COST, 0, out.price)
    write_mean(hands, first, last, ALL, POINTS, 0, out.points)
    write_mean(hands, first, last, ALL, WORTH, 0, out.worth)
    write_mean(hands, first, last, ALL, DIFFERENCE, 0, out.difference)
    write_mean(hands, first, last, WON, HAN, 0, out.han)
    write_rate(hands, first, last, ALL, DRAWN, 0, out.draw)
    write_rate(hands, first, last, DRAWN, TENPAI, 0, out.tenpai)
    write_mean(hands, first, last, DRAWN, POINTS, 0, out.draw_points)
    write_rate(hands, first, last, ALL, OTHERS, 0, out.others)
    write_mean(hands, first, last, OTHERS, POINTS, 0, out.others_points)
    write_rate(hands, first, last, ALL, NEVER, 0, out.never)
    write_rate(hands, first, last, WON, NEVER, 0, out.never_won)
    write_groups(hands, first, last, out)


# ---------------------------------------------------------------------------------------------------------
# Rounded figures


@leaf
def rounded(number: float, scale: float) -> float:
    """Return a number rounded to whole parts of 1 / ``scale``, exact halves to the even one."""
    scaled = number * scale
    whole = float(np.rint(scaled))
    if abs(scaled - whole) == 0.5 and scale > 1:
        # What the product lost by its own rounding decides, by Dekker's method.
        split = number * 134217729.0
        high = split - (split - number)
        low = number - high
        lost = high * scale - scaled + low * scale
        if lost != 0:
            whole = scaled + 0.5 if lost > 0 else scaled - 0.5
    return whole / scale + 0.0  # not −0.0


@rule
def write_ends(figures: OptionFigures, placed: int, out: EndsNumbers) -> None:
    """Write the rounded figures of an option; ``placed``: options are compared by minus the final place."""
    out.samples = int(figures.win.count)
    out.win = rounded(figures.win.value, 1e4)
    out.value = rounded(figures.value.value, 1.0)
    out.han = rounded(figures.han.value, 1e2)
    out.deal_in = rounded(figures.deal_in.value, 1e4)
    out.price = rounded(figures.price.value, 1.0)
    out.draw = rounded(figures.draw.value, 1e4)
    out.tenpai = rounded(figures.tenpai.value, 1e4)
    out.draw_points = rounded(figures.draw_points.value, 1.0)
    out.others = rounded(figures.others.value, 1e4)
    out.others_points = rounded(figures.others_points.value, 1.0)
    out.points = rounded(figures.points.value, 1.0)
    out.place = rounded(-figures.worth.value, 1e4) if placed else _NOTHING
    write_sources(figures, out)
    write_tiles(figures, out)
    write_seats(figures, out)


@rule
def write_sources(figures: OptionFigures, out: EndsNumbers) -> None:
    """Write the sources of han by their share, those of one win in twenty or more."""
    out.yaku_count = 0
    for number in range(int(figures.sources_count)):
        found = figures.sources[number]
        if found.share.value < _NAMED:
            continue
        share = rounded(found.share.value, 1e4)
        place = int(out.yaku_count)
        while place > 0 and share > out.yaku[place - 1].share:
            copy_record(out.yaku[place - 1], out.yaku[place])
            place -= 1
        out.yaku[place].name = int(found.key)
        out.yaku[place].share = share
        out.yaku[place].han = rounded(found.average.value, 1e2)
        out.yaku_count += 1


@rule
def write_tiles(figures: OptionFigures, out: EndsNumbers) -> None:
    """Write the winning tiles by their share, those of one win in twenty or more."""
    out.tiles_count = 0
    for number in range(int(figures.tiles_count)):
        found = figures.tiles[number]
        if found.share.value < _NAMED:
            continue
        share = rounded(found.share.value, 1e4)
        place = int(out.tiles_count)
        while place > 0 and share > out.tiles[place - 1].share:
            copy_record(out.tiles[place - 1], out.tiles[place])
            place -= 1
        out.tiles[place].tile = int(found.key)
        out.tiles[place].share = share
        out.tiles[place].points = rounded(found.average.value, 1.0)
        out.tiles_count += 1


@rule
def write_seats(figures: OptionFigures, out: EndsNumbers) -> None:
    """Write the seats dealt in to, the most frequent first."""
    out.to_count = 0
    for number in range(int(figures.dealt_to_count)):
        found = figures.dealt_to[number]
        share = rounded(found.share.value, 1e4)
        place = int(out.to_count)
        while place > 0 and share > out.to[place - 1].rate:
            copy_record(out.to[place - 1], out.to[place])
            place -= 1
        out.to[place].seat = int(found.key)
        out.to[place].rate = share
        out.to[place].points = rounded(found.average.value, 1.0)
        out.to_count += 1


# ---------------------------------------------------------------------------------------------------------
# Options of a decision


@leaf
def logarithm(number: float) -> float:
    """Return the natural logarithm, in every place the same digits."""
    scaled = number
    twos = 0
    while scaled > 1.4142135623730951:
        scaled /= 2
        twos += 1
    while scaled < 0.7071067811865476:
        scaled *= 2
        twos -= 1
    ratio = (scaled - 1) / (scaled + 1)
    total = 0.0
    for term in range(23, 0, -2):
        total = total * ratio * ratio + 1 / term
    return 2 * ratio * total + twos * 0.6931471805599453


@rule
def is_below_zero(hands: Batch[HandEnd], first: int, last: int, error: float) -> bool:
    """Return whether the mean of the differences is below 0 by `janshi.statistics.confidence_sequence`."""
    doubled = -2 * logarithm(error)
    scale = (doubled + logarithm(doubled + 1)) / _TUNED
    about = -hands[first].difference
    total = 0.0
    squares = 0.0
    for row in range(first, last):
        number = row - first + 1
        apart = -hands[row].difference - about
        total += apart
        squares += apart * apart
        if number >= _LEAST_OF_SEQUENCE:
            mean = total / number
            variance = max(squares / number - mean * mean, 0.0) * number / (number - 1)
            spread = number * scale + 1
            wide = variance * 2 * spread / (number * number * scale)
            if about + mean - math.sqrt(wide * (logarithm(spread) / 2 - logarithm(error))) > 0:
                return True
    return False


@entry(brief=True)
def sum_up(hands: Batch[HandEnd], placed: int, error: float, results: Batch[OptionFigures]) -> int:
    """Write what is known of the options of a decision.

    Args:
        hands: ends of the hands, by option and sample (options · n); ``difference`` is written.
        placed: 1 if options are compared by minus the final place.
        error: error probability of the test; 0: no test.
        results: by option.

    Return 1 if the first option of the highest mean worth is better than every other one, by confidence sequences of
    differences, else 0.
    """
    options = len(results)
    count = len(hands) // options
    best = 0
    most = 0.0
    for option in range(options):
        total = 0.0
        for sample in range(count):
            total += hands[option * count + sample].worth
        if option == 0 or total > most:
            best = option
            most = total
    decided = options > 1 and error > 0
    for option in range(options):
        first = option * count
        for sample in range(count):
            hands[first + sample].difference = hands[first + sample].worth - hands[best * count + sample].worth
        if option != best and decided:
            decided = is_below_zero(hands, first, first + count, error / (options - 1))
        write_figures(hands, first, first + count, results[option])
        write_ends(results[option], placed, results[option].ends)
    return 1 if decided else 0

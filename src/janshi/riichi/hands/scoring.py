"""Value of a winning hand: its best reading, yaku, han, fu and limit.

A *reading* divides the concealed tiles into sets and a pair. The pair and the triplets determine the runs, so the
readings are all pairs combined with all choices among the kinds held three times. Sets are masks over the 34 kinds
(triplets by their kind, runs by their lowest kind), so that most yaku take a few bit operations.

Yaku are bits at the numbers of `janshi.riichi.rules.yaku.YakuId`; `janshi.riichi.hands.yaku` has their conditions.
Source: the rules of Tenhou; differences are fields of the `RulesRecord`.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from janshi.compiling import leaf, rule
from janshi.core.bits import bit_count, bits_set
from janshi.core.kinds import ORPHANS_MASK
from janshi.riichi.hands.yaku import (
    YAKU,
    YAKUMAN,
    chiitoitsu,
    local_yaku,
    pinfu,
    yaku_of_concealed,
    yaku_of_gates,
    yaku_of_kinds,
    yaku_of_orphans,
    yaku_of_sets,
    yaku_of_win,
)
from janshi.riichi.melds import kinds_of_meld, tiles_in_meld
from janshi.riichi.rules.record import RulesRecord
from janshi.riichi.rules.yaku import EXTRA_HAN, YakuId, mask_of
from janshi.riichi.state import MeldForm, Reading, Value, Winning
from janshi.tiles import EAST, NORTH, WHITE


class Completed(IntEnum):
    """Part completed by the winning tile, as the lowest, middle or highest tile of a run."""

    PAIR = 1
    TRIPLET = 2
    RUN_LOWEST = 3
    RUN_MIDDLE = 4
    RUN_HIGHEST = 5


def _with_han_bit(bit: int, *, closed: bool) -> int:
    """Return the mask of the yaku with a bit set in their han (closed or open); renhou and yakuman count otherwise."""
    others = set(YakuId) - {*EXTRA_HAN, *YAKUMAN, YakuId.RENHOU}
    return mask_of(number for number in others if (YAKU[number].closed if closed else YAKU[number].open) >> bit & 1)


_CLOSED_1: Final = _with_han_bit(0, closed=True)
_CLOSED_2: Final = _with_han_bit(1, closed=True)
_CLOSED_4: Final = _with_han_bit(2, closed=True)
_OPEN_1: Final = _with_han_bit(0, closed=False)
_OPEN_2: Final = _with_han_bit(1, closed=False)
_OPEN_4: Final = _with_han_bit(2, closed=False)
_YAKUMAN: Final = mask_of(YAKUMAN)
#: Yakuman that count twice if the rules have double yakuman.
_DOUBLE_YAKUMAN: Final = mask_of(number for number in YAKUMAN if YAKU[number].double)
#: Yakuman with a double form, which has the next number.
_PLAIN_FORMS: Final = 1 << YakuId.SUUANKOU | 1 << YakuId.CHUUREN_POUTOU | 1 << YakuId.KOKUSHI_MUSOU
_RENHOU: Final = 1 << YakuId.RENHOU
#: Basic points and han of a mangan.
_MANGAN: Final = 2000
_MANGAN_HAN: Final = 5
_FIRST_TURN: Final = 1 << YakuId.TENHOU | 1 << YakuId.CHIIHOU


# ---------------------------------------------------------------------------------------------------------
# Dora, han, points


@leaf
def dora_of(indicator: int, sanma: bool) -> int:
    """Return the dora of an indicator: the next kind of its suit, winds and dragons in their circles.

    With three players 1 man is followed by 9 man.
    """
    if indicator >= WHITE:
        return WHITE + (indicator - WHITE + 1) % 3
    if indicator >= EAST:
        return EAST + (indicator - EAST + 1) % 4
    if sanma and indicator < 9:
        return 8 - indicator
    return indicator // 9 * 9 + (indicator % 9 + 1) % 9


@leaf
def han_of(yaku: int, closed: bool) -> int:
    """Return the han of a set of yaku, without dora."""
    if closed:
        return bits_set(yaku & _CLOSED_1) + 2 * bits_set(yaku & _CLOSED_2) + 4 * bits_set(yaku & _CLOSED_4)
    return bits_set(yaku & _OPEN_1) + 2 * bits_set(yaku & _OPEN_2) + 4 * bits_set(yaku & _OPEN_4)


@leaf
def basic_points(rules: RulesRecord, han: int, fu: int) -> int:
    """Return the basic points (kihonten) of han and fu that are no yakuman."""
    if han >= 13 and int(rules.counted_yakuman):
        return 8000
    if han >= 11:
        return 6000
    if han >= 8:
        return 4000
    if han >= 6:
        return 3000
    points = fu << han + 2 if han < 5 else 2000
    if points >= 2000 or (points == 1920 and int(rules.rounded_mangan)):
        return 2000
    return points


@rule
def count_dora(rules: RulesRecord, hand: Winning, value: Value) -> None:
    """Count dora (kitas among them), ura-dora and red fives."""
    sanma = int(rules.players) == 3
    dora = int(hand.kitas)
    ura = 0
    for slot in range(10):
        indicator = int(hand.dora[slot]) if slot < 5 else int(hand.ura[slot - 5])
        if indicator >= 0:
            kind = dora_of(indicator, sanma)
            tiles = int(hand.counts[kind]) + (int(hand.kitas) if kind == NORTH else 0)
            for meld in range(int(hand.calls)):
                tiles += tiles_in_meld(int(hand.forms[meld]), int(hand.kinds[meld]), kind)
            if slot < 5:
                dora += tiles
            else:
                ura += tiles
    value.dora = dora
    value.ura = ura
    value.red = int(hand.reds)


# ---------------------------------------------------------------------------------------------------------
# Readings


@leaf
def double_forms(yakuman: int) -> int:
    """Return yakuman in their double form if they have one."""
    plain = yakuman & _PLAIN_FORMS
    return yakuman & ~plain | plain << 1


@leaf
def keep_best(rules: RulesRecord, reading: Reading, value: Value, yaku: int, fu: int, part: int) -> None:
    """Keep a reading that is worth more than the best so far: points, then han, then fu.

    ``part``: the part completed by the winning tile, 0 for a hand without sets.
    """
    if yaku == 0:
        return
    yakuman = yaku & _YAKUMAN
    if yakuman:
        if int(rules.first_turn_doubles) and yakuman & _FIRST_TURN:
            yakuman = double_forms(yakuman)
        yaku = yakuman
        han = 0
        count = bits_set(yakuman)
        doubles = bits_set(yakuman & _DOUBLE_YAKUMAN) if int(rules.double_yakuman) else 0
        if int(rules.multiple_yakuman):
            count += doubles
        else:
            count = 2 if doubles else 1
        basic = 8000 * count
    else:
        others = yaku & ~_RENHOU
        han = han_of(others, int(reading.closed) == 1) + int(reading.dora)
        count = 0
        basic = basic_points(rules, han, fu) if others else 0
        if yaku != others and basic < _MANGAN:  # renhou is worth more than all the others
            others, han, fu, basic = _RENHOU, _MANGAN_HAN, 30, _MANGAN
        yaku = others
    best = int(value.basic)
    if basic > best or (basic == best and (han > int(value.han) or (han == int(value.han) and fu > int(value.fu)))):
        value.yaku = yaku
        value.han = han
        value.fu = fu
        value.yakuman = count
        value.basic = basic
        reading.best_triplets = reading.triplets
        reading.best_pair = reading.pair
        reading.best_part = part


@leaf
def called_fu(form: int, kind: int) -> int:
    """Return the fu of a meld: triplets of terminals and honours have twice as many."""
    if form == MeldForm.CHII:
        return 0
    unit = 4 if ORPHANS_MASK >> kind & 1 else 2
    if form == MeldForm.PON:
        return unit
    return unit * (8 if form == MeldForm.ANKAN else 4)


@leaf
def wait_fu(part: int, rank: int) -> int:
    """Return the fu of the wait by the completed part and the winning tile's rank: pair, closed and edge waits."""
    edge = (part == Completed.RUN_LOWEST and rank == 6) or (part == Completed.RUN_HIGHEST and rank == 2)
    return 2 if part in (Completed.PAIR, Completed.RUN_MIDDLE) or edge else 0


@leaf
def win_fu(rules: RulesRecord, hand: Winning, closed: bool) -> int:
    """Return the fu of the kind of win: self-draw, or ron of a closed hand."""
    if int(hand.tsumo):
        return 0 if int(hand.rinshan) and not int(rules.replacement_fu) else 2
    return 10 if closed else 0


@leaf
def pair_fu(rules: RulesRecord, hand: Winning, pair: int) -> int:
    """Return the fu of the pair: dragons, seat wind and round wind."""
    if pair == int(hand.seat_wind):
        return int(rules.double_wind_fu) if pair == int(hand.round_wind) else 2
    return 2 if pair >= WHITE or pair == int(hand.round_wind) else 0


@rule
def value_reading(rules: RulesRecord, hand: Winning, reading: Reading, value: Value) -> None:
    """Value one reading: each set or pair that the winning tile can have completed."""
    pair = int(reading.pair)
    triplets = int(reading.triplets)
    runs = int(reading.runs)
    closed = int(reading.closed) == 1
    tsumo = int(hand.tsumo) == 1
    all_triplets = triplets | int(reading.called_triplets)
    all_runs = runs | int(reading.called_runs)
    base = int(reading.common) | yaku_of_sets(hand, reading, all_triplets, all_runs)
    if int(rules.local_yaku):
        base |= local_yaku(reading, all_triplets, all_runs) & int(rules.local_yaku)
    # Concealed triplets have four fu each, eight of terminals and honours.
    triplets_fu = 4 * (bit_count(triplets) + bit_count(triplets & ORPHANS_MASK))
    sets_fu = 20 + int(reading.called_fu) + triplets_fu + pair_fu(rules, hand, pair)
    base_fu = sets_fu + win_fu(rules, hand, closed)
    won = int(hand.kind)
    rank = won % 9
    for part in range(Completed.PAIR, Completed.RUN_HIGHEST + 1):
        yaku = base
        wait = wait_fu(part, rank)
        fu = base_fu + wait
        concealed = bit_count(triplets) + int(reading.closed_kans)
        if part == Completed.PAIR:
            if pair != won:
                continue
        elif part == Completed.TRIPLET:
            if not triplets >> won & 1:
                continue
            if not tsumo:  # the triplet counts as an open one
                concealed -= 1
                fu -= 4 if ORPHANS_MASK >> won & 1 else 2
        else:
            position = part - Completed.RUN_LOWEST
            if won >= EAST or rank < position or not runs >> won - position & 1:
                continue
            if pinfu(closed, all_triplets, sets_fu, wait):
                yaku |= 1 << YakuId.PINFU
                fu = 20 if tsumo else 30
        yaku |= yaku_of_concealed(concealed, part == Completed.PAIR)
        fu = (fu + 9) // 10 * 10
        if fu == 20 and not yaku >> YakuId.PINFU & 1:
            fu = 30
        keep_best(rules, reading, value, yaku, fu, part)


@leaf
def read_runs(hand: Winning, reading: Reading) -> bool:
    """Divide what remains beside pair and triplets into runs; return False if tiles are left.

    The tiles of the pair are out of ``hand.counts``.
    """
    runs = 0
    equal = 0
    before = 0  # runs that begin one kind before
    earlier = 0  # … and two kinds
    for kind in range(34):
        if kind % 9 == 0 or kind >= EAST:
            if before or earlier:
                return False
            before = earlier = 0
        begun = int(hand.counts[kind]) - (3 if int(reading.triplets) >> kind & 1 else 0) - before - earlier
        if begun < 0 or (begun > 0 and kind >= EAST):
            return False
        if begun:
            runs |= 1 << kind
            equal += begun // 2
        earlier = before
        before = begun
    reading.runs = runs
    reading.equal_runs = equal
    return True


@rule
def value_readings(rules: RulesRecord, hand: Winning, reading: Reading, value: Value) -> None:
    """Value all readings of sets and a pair."""
    for pair in range(34):
        if int(hand.counts[pair]) < 2:
            continue
        # Every group of kinds must divide into threes once the pair is out.
        first = pair // 9 * 9
        tiles = 0
        for kind in range(first, min(first + 9, 34)):
            tiles += int(hand.counts[kind])
        if tiles % 3 != 2:
            continue
        hand.counts[pair] -= 2
        reading.pair = pair
        triples = 0
        for kind in range(34):
            if int(hand.counts[kind]) >= 3:
                triples |= 1 << kind
        # All choices of triplets: the subsets of ``triples``.
        chosen = triples
        while True:
            reading.triplets = chosen
            if read_runs(hand, reading):
                value_reading(rules, hand, reading, value)
            if chosen == 0:
                break
            chosen = (chosen - 1) & triples
        hand.counts[pair] += 2


@leaf
def read_melds(hand: Winning, reading: Reading) -> None:
    """Write the part of the melds in every reading of the hand."""
    triplets = runs = fu = kans = closed_kans = 0
    for meld in range(int(hand.calls)):
        form = int(hand.forms[meld])
        kind = int(hand.kinds[meld])
        if form == MeldForm.CHII:
            runs |= 1 << kind
        else:
            triplets |= 1 << kind
            fu += called_fu(form, kind)
            if form != MeldForm.PON:
                kans += 1
                closed_kans += 1 if form == MeldForm.ANKAN else 0
    reading.called_triplets = triplets
    reading.called_runs = runs
    reading.called_fu = fu
    reading.kans = kans
    reading.closed_kans = closed_kans
    reading.closed = 1 if closed_kans == int(hand.calls) else 0


@rule
def evaluate(rules: RulesRecord, hand: Winning, reading: Reading, value: Value) -> bool:
    """Write the value of a hand; return False if it is not complete or has no yaku.

    ``hand.counts`` is changed meanwhile and restored.
    """
    value.yaku = 0
    value.han = 0
    value.fu = 0
    value.yakuman = 0
    value.basic = 0
    calls = int(hand.calls)
    held = 0
    pairs = 0
    tiles = 3 * calls
    for kind in range(34):
        count = int(hand.counts[kind])
        tiles += count
        if count:
            held |= 1 << kind
            pairs += 1 if count == 2 else 0
    if tiles != 14:
        return False
    present = held
    for meld in range(calls):
        present |= kinds_of_meld(int(hand.forms[meld]), int(hand.kinds[meld]))
    read_melds(hand, reading)
    closed = int(reading.closed) == 1
    count_dora(rules, hand, value)
    reading.dora = int(value.dora) + int(value.ura) + int(value.red)
    reading.present = present
    common = yaku_of_win(rules, hand, closed) | yaku_of_kinds(rules, present, closed)
    if calls == 0 and held == ORPHANS_MASK:
        keep_best(rules, reading, value, yaku_of_orphans(hand) | common & _FIRST_TURN, 30, 0)
        return True
    if chiitoitsu(calls, pairs):
        keep_best(rules, reading, value, common | 1 << YakuId.CHIITOITSU, 25, 0)
    reading.common = common | yaku_of_gates(hand, present)
    value_readings(rules, hand, reading, value)
    if int(value.yaku) == _RENHOU:  # a mangan by itself: dora add nothing
        value.dora = 0
        value.ura = 0
        value.red = 0
    return int(value.yaku) != 0

"""What a winning hand is worth: its best reading, yaku, han, fu and limit.

A *reading* divides the concealed tiles into sets and a pair. Once the pair and the triplets are chosen, what is left
falls into runs in one way only, so all readings are: each possible pair, each choice among the kinds held three times.
Sets are kept as masks over the 34 kinds (triplets by their kind, runs by their lowest kind), so that most yaku are a
few bit operations.

Yaku have Tenhou's numbers (0–51). Source: the rules of Tenhou; what differs elsewhere is asked of the `Rulebook`.
"""

from __future__ import annotations

from typing import Final

from janshi.compiling import leaf, rule
from janshi.engine.rulebook import Rulebook
from janshi.engine.shanten import ORPHANS_MASK, bit_count
from janshi.engine.state import ANKAN, CHII, PON, Value, Winning
from janshi.engine.tables import Lookup
from janshi.tiles import NORTH

_TSUMO: Final = 1 << 0
_RIICHI: Final = 1 << 1
_IPPATSU: Final = 1 << 2
_CHANKAN: Final = 1 << 3
_RINSHAN: Final = 1 << 4
_HAITEI: Final = 1 << 5
_HOUTEI: Final = 1 << 6
_PINFU: Final = 1 << 7
_TANYAO: Final = 1 << 8
_IIPEIKOU: Final = 1 << 9
_OWN_WIND: Final = 10
_ROUND_WIND: Final = 14
_WHITE: Final = 18
_DOUBLE_RIICHI: Final = 1 << 21
_CHIITOITSU: Final = 1 << 22
_CHANTA: Final = 1 << 23
_ITTSUU: Final = 1 << 24
_SANSHOKU: Final = 1 << 25
_DOUKOU: Final = 1 << 26
_SANKANTSU: Final = 1 << 27
_TOITOI: Final = 1 << 28
_SANANKOU: Final = 1 << 29
_SHOUSANGEN: Final = 1 << 30
_HONROUTOU: Final = 1 << 31
_RYANPEIKOU: Final = 1 << 32
_JUNCHAN: Final = 1 << 33
_HONITSU: Final = 1 << 34
_CHINITSU: Final = 1 << 35
_TENHOU: Final = 1 << 37
_CHIIHOU: Final = 1 << 38
_DAISANGEN: Final = 1 << 39
_SUUANKOU: Final = 1 << 40
_SUUANKOU_TANKI: Final = 1 << 41
_TSUUIISOU: Final = 1 << 42
_RYUUIISOU: Final = 1 << 43
_CHINROUTOU: Final = 1 << 44
_CHUUREN: Final = 1 << 45
_JUNSEI: Final = 1 << 46
_KOKUSHI: Final = 1 << 47
_KOKUSHI_13: Final = 1 << 48
_DAISUUSHII: Final = 1 << 49
_SHOUSUUSHII: Final = 1 << 50
_SUUKANTSU: Final = 1 << 51

#: Yakuman that count twice where the rules have double yakuman.
_DOUBLE: Final = _SUUANKOU_TANKI | _JUNSEI | _KOKUSHI_13 | _DAISUUSHII
_YAKUMAN: Final = ((1 << 52) - 1) & ~((1 << 36) - 1)

# Han of the yaku, as masks: each yaku is in the mask of every han it has, closed and open.
_ONE: Final = (
    _TSUMO | _RIICHI | _IPPATSU | _CHANKAN | _RINSHAN | _HAITEI | _HOUTEI | _PINFU | _TANYAO | _IIPEIKOU
) | ((1 << 21) - (1 << 10))
_TWO: Final = (
    _DOUBLE_RIICHI | _CHIITOITSU | _DOUKOU | _SANKANTSU | _TOITOI | _SANANKOU | _SHOUSANGEN | _HONROUTOU
)
_TWO_LESS_OPEN: Final = _CHANTA | _ITTSUU | _SANSHOKU
_THREE_LESS_OPEN: Final = _RYANPEIKOU | _JUNCHAN | _HONITSU
_SIX_LESS_OPEN: Final = _CHINITSU

_HONOURS: Final = 0b1111111 << 27
_WINDS: Final = 0b1111 << 27
_DRAGONS: Final = 0b111 << 31
_TERMINALS: Final = ORPHANS_MASK & ~_HONOURS
_GREEN: Final = 1 << 19 | 1 << 20 | 1 << 21 | 1 << 23 | 1 << 25 | 1 << 32
_SUIT: Final = (1 << 9) - 1
#: Lowest kinds of the runs with a terminal: 123 and 789 of each suit.
_END_RUNS: Final = 1 | 1 << 6 | 1 << 9 | 1 << 15 | 1 << 18 | 1 << 24
#: Every lowest kind of a run.
_STRAIGHT: Final = 1 | 1 << 3 | 1 << 6


@leaf
def count_bits(mask: int) -> int:
    """Number of bits set in a mask of up to 63 bits."""
    return bit_count(mask & 0x3FFFFFFFF) + bit_count(mask >> 34)


@leaf
def dora_of(indicator: int, sanma: bool) -> int:
    """Kind that an indicator makes dora: the next of its suit, winds and dragons in their circles.

    With three players 1 man is followed by 9 man.
    """
    if indicator >= 31:
        return 31 + (indicator - 30) % 3
    if indicator >= 27:
        return 27 + (indicator - 26) % 4
    if sanma and indicator < 9:
        return 8 - indicator
    return indicator // 9 * 9 + (indicator % 9 + 1) % 9


@leaf
def han_of(yaku: int, closed: bool) -> int:
    """Han of a set of yaku, without dora."""
    less = 0 if closed else 1
    return (
        count_bits(yaku & _ONE)
        + 2 * count_bits(yaku & _TWO)
        + (2 - less) * count_bits(yaku & _TWO_LESS_OPEN)
        + (3 - less) * count_bits(yaku & _THREE_LESS_OPEN)
        + (6 - less) * count_bits(yaku & _SIX_LESS_OPEN)
    )


@leaf
def basic_points(rules: Rulebook, han: int, fu: int) -> int:
    """Basic points (kihonten) of han and fu that are no yakuman."""
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
def count_dora(rules: Rulebook, hand: Winning, value: Value) -> None:
    """Count dora (kitas among them), ura-dora and red fives."""
    sanma = int(rules.players) == 3
    dora = int(hand.kitas)
    ura = 0
    for which in range(10):
        indicator = int(hand.dora[which]) if which < 5 else int(hand.ura[which - 5])
        if indicator >= 0:
            kind = dora_of(indicator, sanma)
            found = int(hand.counts[kind]) + (int(hand.kitas) if kind == NORTH else 0)
            for one in range(int(hand.calls)):
                low = int(hand.kinds[one])
                form = int(hand.forms[one])
                if form == CHII:
                    found += 1 if low <= kind <= low + 2 else 0
                elif low == kind:
                    found += 3 if form == PON else 4
            if which < 5:
                dora += found
            else:
                ura += found
    value.dora = dora
    value.ura = ura
    value.red = int(hand.reds)


@leaf
def common_yaku(rules: Rulebook, hand: Winning, present: int, closed: bool) -> int:
    """Yaku that no reading changes: circumstances and kinds of tiles."""
    yaku = 0
    tsumo = int(hand.tsumo) == 1
    if int(hand.riichi):
        yaku |= _DOUBLE_RIICHI if int(hand.riichi) == 2 else _RIICHI
        if int(hand.ippatsu) and int(rules.ippatsu):
            yaku |= _IPPATSU
    if tsumo and closed:
        yaku |= _TSUMO
    if int(hand.chankan):
        yaku |= _CHANKAN
    if int(hand.rinshan):
        yaku |= _RINSHAN
    if int(hand.last):
        yaku |= _HAITEI if tsumo else _HOUTEI
    if present & ORPHANS_MASK == 0 and (closed or int(rules.open_tanyao)):
        yaku |= _TANYAO
    if present & ~ORPHANS_MASK == 0:
        yaku |= _HONROUTOU
    suits = (1 if present & _SUIT else 0) + (1 if present >> 9 & _SUIT else 0) + (1 if present >> 18 & _SUIT else 0)
    if suits == 1:
        yaku |= _HONITSU if present & _HONOURS else _CHINITSU
    if present & ~_HONOURS == 0:
        yaku |= _TSUUIISOU
    if present & ~_TERMINALS == 0:
        yaku |= _CHINROUTOU
    if present & ~_GREEN == 0:
        yaku |= _RYUUIISOU
    if int(hand.first) and tsumo:
        yaku |= _TENHOU if int(hand.seat_wind) == 27 else _CHIIHOU
    return yaku


@leaf
def nine_gates(hand: Winning, present: int) -> int:
    """Nine gates: 1112345678999 of one suit and any tile of it, all concealed; pure where that tile is drawn last."""
    if int(hand.calls) or present & _HONOURS:
        return 0
    low = 0 if present & _SUIT else (9 if present >> 9 & _SUIT else 18)
    if present & ~(_SUIT << low):
        return 0
    for place in range(9):
        if int(hand.counts[low + place]) < (3 if place % 8 == 0 else 1):
            return 0
    kind = int(hand.kind)
    return _JUNSEI if int(hand.counts[kind]) == (4 if kind % 9 % 8 == 0 else 2) else _CHUUREN


@leaf
def set_yaku(hand: Winning, triplets: int, runs: int, pair: int, kans: int, present: int) -> int:
    """Yaku of the sets, concealed or not: ``triplets`` and ``runs`` are masks of all sets."""
    yaku = 0
    if triplets & _HONOURS:
        yaku |= (triplets >> 31 & 0b111) << _WHITE
        if triplets >> int(hand.seat_wind) & 1:
            yaku |= 1 << _OWN_WIND + int(hand.seat_wind) - 27
        if triplets >> int(hand.round_wind) & 1:
            yaku |= 1 << _ROUND_WIND + int(hand.round_wind) - 27
        dragons = bit_count(triplets & _DRAGONS)
        if dragons == 3:
            yaku |= _DAISANGEN
        elif dragons == 2 and pair >= 31:
            yaku |= _SHOUSANGEN
        winds = bit_count(triplets & _WINDS)
        if winds == 4:
            yaku |= _DAISUUSHII
        elif winds == 3 and 27 <= pair < 31:
            yaku |= _SHOUSUUSHII
    if kans == 4:
        yaku |= _SUUKANTSU
    elif kans == 3:
        yaku |= _SANKANTSU
    if runs == 0:
        yaku |= _TOITOI
    else:
        for suit in range(3):
            if runs >> 9 * suit & _STRAIGHT == _STRAIGHT:
                yaku |= _ITTSUU
        if runs & runs >> 9 & runs >> 18 & _SUIT:
            yaku |= _SANSHOKU
        if runs & ~_END_RUNS == 0 and triplets & ~ORPHANS_MASK == 0 and ORPHANS_MASK >> pair & 1:
            yaku |= _CHANTA if present & _HONOURS else _JUNCHAN
    if triplets & triplets >> 9 & triplets >> 18 & _SUIT:
        yaku |= _DOUKOU
    return yaku


@leaf
def keep_best(rules: Rulebook, value: Value, yaku: int, fu: int, closed: bool, extra: int) -> None:
    """Keep a reading where it is worth more than the best one so far: points, then han, then fu."""
    if yaku == 0:
        return
    yakuman = yaku & _YAKUMAN
    if yakuman:
        yaku = yakuman
        han = 0
        count = count_bits(yakuman)
        doubles = count_bits(yakuman & _DOUBLE) if int(rules.double_yakuman) else 0
        if int(rules.multiple_yakuman):
            count += doubles
        else:
            count = 2 if doubles else 1
        basic = 8000 * count
    else:
        if yaku & _JUNCHAN:
            yaku &= ~_CHANTA
        han = han_of(yaku, closed) + extra
        count = 0
        basic = basic_points(rules, han, fu)
    best = int(value.basic)
    if basic > best or (basic == best and (han > int(value.han) or (han == int(value.han) and fu > int(value.fu)))):
        value.yaku = yaku
        value.han = han
        value.fu = fu
        value.yakuman = count
        value.basic = basic


@rule
def read_sets(
    rules: Rulebook,
    hand: Winning,
    value: Value,
    common: int,
    closed: bool,
    extra: int,
    pair: int,
    triplets: int,
    once: int,
    twice: int,
    thrice: int,
    four: int,
    present: int,
) -> None:
    """Value one reading: each set or pair that the winning tile can have completed.

    ``triplets`` are the concealed ones, ``once`` … ``four`` the concealed runs held at least so many times.
    """
    all_triplets = triplets
    all_runs = once
    kans = 0
    concealed = bit_count(triplets)
    open_runs = False
    fu = 20
    for one in range(int(hand.calls)):
        form = int(hand.forms[one])
        kind = int(hand.kinds[one])
        if form == CHII:
            all_runs |= 1 << kind
            open_runs = True
        else:
            all_triplets |= 1 << kind
            unit = 4 if ORPHANS_MASK >> kind & 1 else 2
            if form == PON:
                fu += unit
            else:
                kans += 1
                fu += unit * (8 if form == ANKAN else 4)
                concealed += 1 if form == ANKAN else 0
    fu += 4 * concealed_triplet_units(triplets)
    if pair >= 31:
        fu += 2
    if pair == int(hand.seat_wind):
        fu += int(rules.double_wind_fu) if pair == int(hand.round_wind) else 2
    elif pair == int(hand.round_wind):
        fu += 2
    yaku = common | set_yaku(hand, all_triplets, all_runs, pair, kans, present)
    if closed:
        doubled = bit_count(twice) + bit_count(four)
        if doubled == 2:
            yaku |= _RYANPEIKOU
        elif doubled == 1:
            yaku |= _IIPEIKOU
    tsumo = int(hand.tsumo) == 1
    won = int(hand.kind)
    place = won % 9
    flat = fu == 20 and closed and not open_runs and all_triplets == 0
    if tsumo:
        if not (int(hand.rinshan) and not int(rules.replacement_fu)):
            fu += 2
    elif closed:
        fu += 10
    # The winning tile completes the pair (1), a triplet (2), or the run that begins 0, 1 or 2 kinds below it (3, 4, 5).
    for completes in range(1, 6):
        mine = yaku
        total = fu
        quads = concealed
        if completes == 1:
            if pair != won:
                continue
            total += 2
        elif completes == 2:
            if not triplets >> won & 1:
                continue
            if not tsumo:
                quads -= 1
                total -= 4 if ORPHANS_MASK >> won & 1 else 2
        else:
            below = completes - 3
            if won >= 27 or place < below or not once >> won - below & 1:
                continue
            edge = (below == 0 and place == 6) or (below == 2 and place == 2)
            if below == 1 or edge:
                total += 2
            elif flat:
                mine |= _PINFU
                total = 20 if tsumo else 30
        if quads == 4:
            mine |= _SUUANKOU_TANKI if completes == 1 else _SUUANKOU
        elif quads == 3:
            mine |= _SANANKOU
        total = (total + 9) // 10 * 10
        if total == 20 and not mine & _PINFU:
            total = 30
        keep_best(rules, value, mine, total, closed, extra)


@leaf
def concealed_triplet_units(triplets: int) -> int:
    """Sum over concealed triplets: 1 for simples, 2 for terminals and honours (four fu each)."""
    return bit_count(triplets) + bit_count(triplets & ORPHANS_MASK)


@rule
def read_all(
    rules: Rulebook, hand: Winning, value: Value, common: int, closed: bool, extra: int, present: int
) -> None:
    """Value all readings of sets and a pair."""
    for pair in range(34):
        if int(hand.counts[pair]) < 2:
            continue
        # Every group of kinds must divide into threes once the pair is out.
        first = pair // 9 * 9
        total = 0
        for kind in range(first, min(first + 9, 34)):
            total += int(hand.counts[kind])
        if total % 3 != 2:
            continue
        hand.counts[pair] -= 2
        triples = 0
        for kind in range(34):
            if int(hand.counts[kind]) >= 3:
                triples |= 1 << kind
        # All choices of triplets: the subsets of ``triples``.
        chosen = triples
        while True:
            once = twice = thrice = four = 0
            fits = True
            before = 0  # runs begun one kind before
            earlier = 0  # … and two
            for kind in range(34):
                if kind % 9 == 0 or kind >= 27:
                    if before or earlier:
                        fits = False
                    before = earlier = 0
                begun = int(hand.counts[kind]) - (3 if chosen >> kind & 1 else 0) - before - earlier
                if begun < 0 or (begun > 0 and kind >= 27):
                    fits = False
                    break
                bit = 1 << kind
                if begun:
                    once |= bit
                    if begun > 1:
                        twice |= bit
                    if begun > 2:
                        thrice |= bit
                    if begun > 3:
                        four |= bit
                earlier = before
                before = begun
            if fits:
                read_sets(
                    rules, hand, value, common, closed, extra, pair, chosen, once, twice, thrice, four, present
                )
            if chosen == 0:
                break
            chosen = (chosen - 1) & triples
        hand.counts[pair] += 2


@rule
def evaluate(rules: Rulebook, lookup: Lookup, hand: Winning, value: Value) -> bool:
    """Write what a hand is worth; return False where it is not complete or has no yaku.

    The tiles of ``hand.counts`` are moved about in between, and as they were in the end.
    """
    value.yaku = 0
    value.han = 0
    value.fu = 0
    value.yakuman = 0
    value.basic = 0
    present = 0
    pairs = 0
    tiles = 3 * int(hand.calls)
    for kind in range(34):
        count = int(hand.counts[kind])
        tiles += count
        if count:
            present |= 1 << kind
            pairs += 1 if count == 2 else 0
    if tiles != 14:
        return False
    concealed = present
    closed = True
    calls = int(hand.calls)
    for one in range(calls):
        form = int(hand.forms[one])
        present |= (0b111 if form == CHII else 1) << int(hand.kinds[one])
        closed = closed and form == ANKAN
    count_dora(rules, hand, value)
    extra = int(value.dora) + int(value.ura) + int(value.red)
    common = common_yaku(rules, hand, present, closed)
    if calls == 0 and concealed == ORPHANS_MASK:
        thirteen = _KOKUSHI_13 if int(hand.counts[int(hand.kind)]) == 2 else _KOKUSHI
        keep_best(rules, value, thirteen | common & (_TENHOU | _CHIIHOU), 30, True, extra)
        return True
    if calls == 0 and pairs == 7:
        keep_best(rules, value, common | _CHIITOITSU, 25, True, extra)
    gates = nine_gates(hand, present)
    read_all(rules, hand, value, common | gates, closed, extra, present)
    return int(value.yaku) != 0

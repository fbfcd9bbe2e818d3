"""The yaku, one place each: names, han, and the condition of a hand that has it.

Conditions are functions of what they ask about: the `Winning` hand and its circumstances, ``kinds`` (mask of all kinds
of the hand and its melds), ``triplets`` (of their kinds, kans too) and ``runs`` (of their lowest kinds), concealed or
called, the kind of the ``pair``. Below each section a function adds up its yaku. Source: the rules of Tenhou;
differences are fields of the `RulesRecord`.

A new yaku is a number in `janshi.riichi.rules.yaku.YakuId`, and here a condition and a term of the section's sum.

>>> YAKU[7].name, YAKU[7].english, YAKU[34].closed, YAKU[34].open
('pinfu', 'all runs', 3, 2)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from janshi.compiling import leaf, part
from janshi.core.bits import bit_count
from janshi.core.kinds import DRAGONS, HONOURS, ORPHANS_MASK, WINDS
from janshi.riichi.rules.record import RulesRecord
from janshi.riichi.rules.yaku import YakuId
from janshi.riichi.state import Reading, Winning
from janshi.tiles import EAST, NORTH, WHITE

T = TypeVar("T")

#: Han of a yakuman.
_YAKUMAN_HAN: Final = 13
_TERMINALS: Final = ORPHANS_MASK & ~HONOURS
#: 23468s and green dragons.
_GREEN: Final = 1 << 19 | 1 << 20 | 1 << 21 | 1 << 23 | 1 << 25 | 1 << 32
#: The kinds of one suit.
_SUIT: Final = (1 << 9) - 1
#: Lowest kinds of the runs with a terminal: 123 and 789 of each suit.
_END_RUNS: Final = 1 | 1 << 6 | 1 << 9 | 1 << 15 | 1 << 18 | 1 << 24
#: Lowest kinds of the runs 123, 456 and 789 of one suit.
_STRAIGHT: Final = 1 | 1 << 3 | 1 << 6


class Yaku(NamedTuple):
    """A yaku with its names and han: 13 is a yakuman, 0 open han mean closed hands only."""

    name: str
    english: str
    japanese: str  # as Tenhou writes it
    chinese: str
    closed: int
    open: int
    soul: int = 0
    """Its number at Mahjong Soul (``fans``); 0 if it has none. All own winds share one, as do those of the round."""
    double: bool = False  # whether this yakuman counts twice if the rules have double yakuman


_rows: Final[dict[YakuId, Yaku]] = {}


def yaku(number: YakuId, *names: str, **numbers: Any) -> Callable[[T], T]:
    """Add the row of the yaku whose condition follows: see the fields of `Yaku`."""
    _rows[number] = Yaku(*names, **numbers)  # type: ignore[arg-type]  # `Yaku` refuses wrong numbers of fields
    return lambda condition: condition


# ---------------------------------------------------------------------------------------------------------
# How the hand was won


@yaku(
    YakuId.MENZEN_TSUMO, "menzen tsumo", "concealed self-draw", "門前清自摸和", "门前清自摸和",
    closed=1, open=0, soul=1,
)
@part
def menzen_tsumo(hand: Winning, closed: bool) -> bool:
    """Self-draw of a closed hand."""
    return closed and int(hand.tsumo) != 0


@yaku(YakuId.RIICHI, "riichi", "riichi", "立直", "立直", closed=1, open=0, soul=2)
@part
def riichi(hand: Winning) -> bool:
    """Riichi."""
    return int(hand.riichi) == 1


@yaku(YakuId.DOUBLE_RIICHI, "double riichi", "double riichi", "両立直", "两立直", closed=2, open=0, soul=18)
@part
def double_riichi(hand: Winning) -> bool:
    """Riichi with the first discard, nothing called before."""
    return int(hand.riichi) == 2


@yaku(YakuId.IPPATSU, "ippatsu", "one shot", "一発", "一发", closed=1, open=0, soul=30)
@part
def ippatsu(rules: RulesRecord, hand: Winning) -> bool:
    """A win within a turn of riichi, nothing called meanwhile."""
    return int(hand.riichi) != 0 and int(hand.ippatsu) != 0 and int(rules.ippatsu) != 0


@yaku(YakuId.CHANKAN, "chankan", "robbing a kan", "槍槓", "抢杠", closed=1, open=1, soul=3)
@part
def chankan(hand: Winning) -> bool:
    """Ron on the tile of a kan."""
    return int(hand.chankan) != 0


@yaku(YakuId.RINSHAN_KAIHOU, "rinshan kaihou", "after a kan", "嶺上開花", "岭上开花", closed=1, open=1, soul=4)
@part
def rinshan_kaihou(hand: Winning) -> bool:
    """Self-draw of a replacement tile."""
    return int(hand.rinshan) != 0


@yaku(YakuId.HAITEI, "haitei", "last draw", "海底摸月", "海底摸月", closed=1, open=1, soul=5)
@part
def haitei(hand: Winning) -> bool:
    """Self-draw of the last tile."""
    return int(hand.last) != 0 and int(hand.tsumo) != 0


@yaku(YakuId.HOUTEI, "houtei", "last discard", "河底撈魚", "河底捞鱼", closed=1, open=1, soul=6)
@part
def houtei(hand: Winning) -> bool:
    """Ron on the last discard."""
    return int(hand.last) != 0 and int(hand.tsumo) == 0


@yaku(YakuId.RENHOU, "renhou", "hand of man", "人和", "人和", closed=5, open=0, soul=59)
@part
def renhou(rules: RulesRecord, hand: Winning) -> bool:
    """Ron before the own first draw, nothing called; a mangan, if the rules have it."""
    return int(hand.first) != 0 and int(hand.tsumo) == 0 and int(rules.renhou) != 0


@yaku(YakuId.TENHOU, "tenhou", "heavenly hand", "天和", "天和", closed=13, open=0, soul=35)
@part
def tenhou(hand: Winning) -> bool:
    """The dealer's first tile completes the hand."""
    return int(hand.first) != 0 and int(hand.tsumo) != 0 and int(hand.seat_wind) == EAST


@yaku(YakuId.CHIIHOU, "chiihou", "earthly hand", "地和", "地和", closed=13, open=0, soul=36)
@part
def chiihou(hand: Winning) -> bool:
    """Another seat's first draw completes the hand, nothing called before."""
    return int(hand.first) != 0 and int(hand.tsumo) != 0 and int(hand.seat_wind) != EAST


@leaf
def yaku_of_win(rules: RulesRecord, hand: Winning, closed: bool) -> int:
    """Return the yaku of how the hand was won."""
    return (
        menzen_tsumo(hand, closed) << YakuId.MENZEN_TSUMO
        | riichi(hand) << YakuId.RIICHI
        | double_riichi(hand) << YakuId.DOUBLE_RIICHI
        | ippatsu(rules, hand) << YakuId.IPPATSU
        | chankan(hand) << YakuId.CHANKAN
        | rinshan_kaihou(hand) << YakuId.RINSHAN_KAIHOU
        | haitei(hand) << YakuId.HAITEI
        | houtei(hand) << YakuId.HOUTEI
        | renhou(rules, hand) << YakuId.RENHOU
        | tenhou(hand) << YakuId.TENHOU
        | chiihou(hand) << YakuId.CHIIHOU
    )


# ---------------------------------------------------------------------------------------------------------
# Its kinds, however they are divided


@leaf
def one_suit(kinds: int) -> bool:
    """Return whether the kinds, honours aside, are of one suit."""
    return (kinds & _SUIT != 0) + (kinds >> 9 & _SUIT != 0) + (kinds >> 18 & _SUIT != 0) == 1


@yaku(YakuId.TANYAO, "tanyao", "all simples", "断幺九", "断幺九", closed=1, open=1, soul=12)
@part
def tanyao(rules: RulesRecord, kinds: int, closed: bool) -> bool:
    """No terminals and honours; in an open hand if the rules have it."""
    return kinds & ORPHANS_MASK == 0 and (closed or int(rules.open_tanyao) != 0)


@yaku(YakuId.HONROUTOU, "honroutou", "terminals and honours only", "混老頭", "混老头", closed=2, open=2, soul=24)
@part
def honroutou(kinds: int) -> bool:
    """Terminals and honours only."""
    return kinds & ~ORPHANS_MASK == 0


@yaku(YakuId.HONITSU, "honitsu", "half flush", "混一色", "混一色", closed=3, open=2, soul=27)
@part
def honitsu(kinds: int) -> bool:
    """One suit and honours."""
    return one_suit(kinds) and kinds & HONOURS != 0


@yaku(YakuId.CHINITSU, "chinitsu", "full flush", "清一色", "清一色", closed=6, open=5, soul=29)
@part
def chinitsu(kinds: int) -> bool:
    """One suit."""
    return one_suit(kinds) and kinds & HONOURS == 0


@yaku(YakuId.TSUUIISOU, "tsuuiisou", "all honours", "字一色", "字一色", closed=13, open=13, soul=39)
@part
def tsuuiisou(kinds: int) -> bool:
    """Honours only."""
    return kinds & ~HONOURS == 0


@yaku(YakuId.CHINROUTOU, "chinroutou", "all terminals", "清老頭", "清老头", closed=13, open=13, soul=41)
@part
def chinroutou(kinds: int) -> bool:
    """Terminals only."""
    return kinds & ~_TERMINALS == 0


@yaku(YakuId.RYUUIISOU, "ryuuiisou", "all green", "緑一色", "绿一色", closed=13, open=13, soul=40)
@part
def ryuuiisou(kinds: int) -> bool:
    """Green tiles only."""
    return kinds & ~_GREEN == 0


@leaf
def yaku_of_kinds(rules: RulesRecord, kinds: int, closed: bool) -> int:
    """Return the yaku of the kinds of a hand."""
    return (
        tanyao(rules, kinds, closed) << YakuId.TANYAO
        | honroutou(kinds) << YakuId.HONROUTOU
        | honitsu(kinds) << YakuId.HONITSU
        | chinitsu(kinds) << YakuId.CHINITSU
        | tsuuiisou(kinds) << YakuId.TSUUIISOU
        | chinroutou(kinds) << YakuId.CHINROUTOU
        | ryuuiisou(kinds) << YakuId.RYUUIISOU
    )


# ---------------------------------------------------------------------------------------------------------
# Hands that are not divided into sets


@yaku(YakuId.CHIITOITSU, "chiitoitsu", "seven pairs", "七対子", "七对子", closed=2, open=0, soul=25)
@part
def chiitoitsu(calls: int, pairs: int) -> bool:
    """Seven different pairs."""
    return calls == 0 and pairs == 7


@yaku(YakuId.KOKUSHI_MUSOU, "kokushi musou", "thirteen orphans", "国士無双", "国士无双", closed=13, open=0, soul=42)
@part
def kokushi_musou(hand: Winning) -> bool:
    """One of each terminal and honour, and another one; the winning tile was missing."""
    return int(hand.counts[int(hand.kind)]) == 1


@yaku(
    YakuId.KOKUSHI_MUSOU_13_SIDED, "kokushi musou 13-sided", "thirteen orphans, thirteen-sided wait",
    "国士無双１３面", "国士无双十三面",
    closed=13, open=0, soul=49, double=True,
)
@part
def kokushi_musou_13_sided(hand: Winning) -> bool:
    """… and the winning tile is the other one: any of the thirteen completed the hand."""
    return int(hand.counts[int(hand.kind)]) == 2


@leaf
def yaku_of_orphans(hand: Winning) -> int:
    """Return the yaku of a concealed hand of all terminals and honours."""
    return kokushi_musou(hand) << YakuId.KOKUSHI_MUSOU | kokushi_musou_13_sided(hand) << YakuId.KOKUSHI_MUSOU_13_SIDED


@yaku(YakuId.CHUUREN_POUTOU, "chuuren poutou", "nine gates", "九蓮宝燈", "九莲宝灯", closed=13, open=0, soul=45)
@part
def chuuren_poutou(hand: Winning) -> bool:
    """1112345678999 of a suit and any tile of it, concealed (`has_nine_gates`)."""
    return int(hand.counts[int(hand.kind)]) != (4 if int(hand.kind) % 9 % 8 == 0 else 2)


@yaku(
    YakuId.JUNSEI_CHUUREN_POUTOU, "junsei chuuren poutou", "pure nine gates", "純正九蓮宝燈", "纯正九莲宝灯",
    closed=13, open=0, soul=47, double=True,
)
@part
def junsei_chuuren_poutou(hand: Winning) -> bool:
    """… and that tile is the winning one: any of the nine completed the hand."""
    return int(hand.counts[int(hand.kind)]) == (4 if int(hand.kind) % 9 % 8 == 0 else 2)


@leaf
def has_nine_gates(hand: Winning, kinds: int) -> bool:
    """Return whether a hand is concealed and has 1112345678999 of one suit and any tile of it."""
    if int(hand.calls) or kinds & HONOURS or not one_suit(kinds):
        return False
    low = 0 if kinds & _SUIT else (9 if kinds >> 9 & _SUIT else 18)
    gates = True
    for rank in range(9):
        gates = gates and int(hand.counts[low + rank]) >= (3 if rank % 8 == 0 else 1)
    return gates


@leaf
def yaku_of_gates(hand: Winning, kinds: int) -> int:
    """Return nine gates."""
    if not has_nine_gates(hand, kinds):
        return 0
    return chuuren_poutou(hand) << YakuId.CHUUREN_POUTOU | junsei_chuuren_poutou(hand) << YakuId.JUNSEI_CHUUREN_POUTOU


# ---------------------------------------------------------------------------------------------------------
# Triplets and pairs of honours


@yaku(YakuId.SEAT_WIND_EAST, "own wind east", "own wind east", "自風 東", "自风 东", closed=1, open=1, soul=10)
@yaku(YakuId.SEAT_WIND_SOUTH, "own wind south", "own wind south", "自風 南", "自风 南", closed=1, open=1, soul=10)
@yaku(YakuId.SEAT_WIND_WEST, "own wind west", "own wind west", "自風 西", "自风 西", closed=1, open=1, soul=10)
@yaku(YakuId.SEAT_WIND_NORTH, "own wind north", "own wind north", "自風 北", "自风 北", closed=1, open=1, soul=10)
@part
def seat_wind(hand: Winning, triplets: int) -> bool:
    """A triplet of the own wind."""
    return triplets >> int(hand.seat_wind) & 1 != 0


@yaku(YakuId.ROUND_WIND_EAST, "round wind east", "round wind east", "場風 東", "场风 东", closed=1, open=1, soul=11)
@yaku(YakuId.ROUND_WIND_SOUTH, "round wind south", "round wind south", "場風 南", "场风 南", closed=1, open=1, soul=11)
@yaku(YakuId.ROUND_WIND_WEST, "round wind west", "round wind west", "場風 西", "场风 西", closed=1, open=1, soul=11)
@yaku(YakuId.ROUND_WIND_NORTH, "round wind north", "round wind north", "場風 北", "场风 北", closed=1, open=1, soul=11)
@part
def round_wind(hand: Winning, triplets: int) -> bool:
    """A triplet of the wind of the round."""
    return triplets >> int(hand.round_wind) & 1 != 0


@yaku(YakuId.HAKU, "haku", "white dragon", "役牌 白", "役牌 白", closed=1, open=1, soul=7)
@part
def haku(triplets: int) -> bool:
    """A triplet of white dragons."""
    return triplets >> WHITE & 1 != 0


@yaku(YakuId.HATSU, "hatsu", "green dragon", "役牌 發", "役牌 发", closed=1, open=1, soul=8)
@part
def hatsu(triplets: int) -> bool:
    """A triplet of green dragons."""
    return triplets >> WHITE + 1 & 1 != 0


@yaku(YakuId.CHUN, "chun", "red dragon", "役牌 中", "役牌 中", closed=1, open=1, soul=9)
@part
def chun(triplets: int) -> bool:
    """A triplet of red dragons."""
    return triplets >> WHITE + 2 & 1 != 0


@yaku(YakuId.SHOUSANGEN, "shousangen", "little three dragons", "小三元", "小三元", closed=2, open=2, soul=23)
@part
def shousangen(triplets: int, pair: int) -> bool:
    """Two triplets of dragons and a pair of them."""
    return bit_count(triplets & DRAGONS) == 2 and pair >= WHITE


@yaku(YakuId.DAISANGEN, "daisangen", "big three dragons", "大三元", "大三元", closed=13, open=13, soul=37)
@part
def daisangen(triplets: int) -> bool:
    """Three triplets of dragons."""
    return bit_count(triplets & DRAGONS) == 3


@yaku(YakuId.SHOUSUUSHII, "shousuushii", "little four winds", "小四喜", "小四喜", closed=13, open=13, soul=43)
@part
def shousuushii(triplets: int, pair: int) -> bool:
    """Three triplets of winds and a pair of them."""
    return bit_count(triplets & WINDS) == 3 and EAST <= pair <= NORTH


@yaku(YakuId.DAISUUSHII, "daisuushii", "big four winds", "大四喜", "大四喜", closed=13, open=13, soul=50, double=True)
@part
def daisuushii(triplets: int) -> bool:
    """Four triplets of winds."""
    return bit_count(triplets & WINDS) == 4


@leaf
def yaku_of_honours(hand: Winning, triplets: int, pair: int) -> int:
    """Return the yaku of triplets and pairs of honours."""
    return (
        seat_wind(hand, triplets) << YakuId.SEAT_WIND_EAST + int(hand.seat_wind) - EAST
        | round_wind(hand, triplets) << YakuId.ROUND_WIND_EAST + int(hand.round_wind) - EAST
        | haku(triplets) << YakuId.HAKU
        | hatsu(triplets) << YakuId.HATSU
        | chun(triplets) << YakuId.CHUN
        | shousangen(triplets, pair) << YakuId.SHOUSANGEN
        | daisangen(triplets) << YakuId.DAISANGEN
        | shousuushii(triplets, pair) << YakuId.SHOUSUUSHII
        | daisuushii(triplets) << YakuId.DAISUUSHII
    )


# ---------------------------------------------------------------------------------------------------------
# Sets


@leaf
def in_each_set(triplets: int, runs: int, pair: int) -> bool:
    """Return whether each set and the pair contain a terminal or honour, and at least one set is a run."""
    return runs != 0 and runs & ~_END_RUNS == 0 and triplets & ~ORPHANS_MASK == 0 and ORPHANS_MASK >> pair & 1 != 0


@yaku(YakuId.IIPEIKOU, "iipeikou", "twin runs", "一盃口", "一杯口", closed=1, open=0, soul=13)
@part
def iipeikou(reading: Reading) -> bool:
    """Two equal runs, closed."""
    return int(reading.closed) != 0 and int(reading.equal_runs) == 1


@yaku(YakuId.RYANPEIKOU, "ryanpeikou", "twice twin runs", "二盃口", "二杯口", closed=3, open=0, soul=28)
@part
def ryanpeikou(reading: Reading) -> bool:
    """Twice two equal runs, closed."""
    return int(reading.closed) != 0 and int(reading.equal_runs) == 2


@yaku(YakuId.ITTSUU, "ittsuu", "full straight", "一気通貫", "一气通贯", closed=2, open=1, soul=16)
@part
def ittsuu(runs: int) -> bool:
    """123, 456 and 789 of a suit."""
    return (
        runs & _STRAIGHT == _STRAIGHT or runs >> 9 & _STRAIGHT == _STRAIGHT or runs >> 18 & _STRAIGHT == _STRAIGHT
    )


@yaku(
    YakuId.SANSHOKU_DOUJUN, "sanshoku doujun", "three-coloured runs", "三色同順", "三色同顺",
    closed=2, open=1, soul=17,
)
@part
def sanshoku_doujun(runs: int) -> bool:
    """The same run of each suit."""
    return runs & runs >> 9 & runs >> 18 & _SUIT != 0


@yaku(
    YakuId.SANSHOKU_DOUKOU, "sanshoku doukou", "three-coloured triplets", "三色同刻", "三色同刻",
    closed=2, open=2, soul=19,
)
@part
def sanshoku_doukou(triplets: int) -> bool:
    """The same triplet of each suit."""
    return triplets & triplets >> 9 & triplets >> 18 & _SUIT != 0


@yaku(YakuId.CHANTA, "chanta", "terminal or honour in each set", "混全帯幺九", "混全带幺九", closed=2, open=1, soul=15)
@part
def chanta(kinds: int, in_each: bool) -> bool:
    """A terminal or honour in each set and the pair (`in_each_set`), with honours."""
    return in_each and kinds & HONOURS != 0


@yaku(YakuId.JUNCHAN, "junchan", "terminal in each set", "純全帯幺九", "纯全带幺九", closed=3, open=2, soul=26)
@part
def junchan(kinds: int, in_each: bool) -> bool:
    """A terminal in each set and the pair."""
    return in_each and kinds & HONOURS == 0


@yaku(YakuId.TOITOI, "toitoi", "all triplets", "対々和", "对对和", closed=2, open=2, soul=21)
@part
def toitoi(runs: int) -> bool:
    """Triplets only."""
    return runs == 0


@yaku(YakuId.SANKANTSU, "sankantsu", "three kans", "三槓子", "三杠子", closed=2, open=2, soul=20)
@part
def sankantsu(kans: int) -> bool:
    """Three kans."""
    return kans == 3


@yaku(YakuId.SUUKANTSU, "suukantsu", "four kans", "四槓子", "四杠子", closed=13, open=13, soul=44)
@part
def suukantsu(kans: int) -> bool:
    """Four kans."""
    return kans == 4


@leaf
def yaku_of_runs(reading: Reading, triplets: int, runs: int) -> int:
    """Return the yaku of a hand with runs."""
    kinds = int(reading.present)
    in_each = in_each_set(triplets, runs, int(reading.pair))
    return (
        iipeikou(reading) << YakuId.IIPEIKOU
        | ryanpeikou(reading) << YakuId.RYANPEIKOU
        | ittsuu(runs) << YakuId.ITTSUU
        | sanshoku_doujun(runs) << YakuId.SANSHOKU_DOUJUN
        | chanta(kinds, in_each) << YakuId.CHANTA
        | junchan(kinds, in_each) << YakuId.JUNCHAN
    )


@leaf
def yaku_of_sets(hand: Winning, reading: Reading, triplets: int, runs: int) -> int:
    """Return the yaku of sets and a pair."""
    kans = int(reading.kans)
    return (
        (yaku_of_runs(reading, triplets, runs) if runs else 0)
        | (yaku_of_honours(hand, triplets, int(reading.pair)) if triplets & HONOURS else 0)
        | toitoi(runs) << YakuId.TOITOI
        | sanshoku_doukou(triplets) << YakuId.SANSHOKU_DOUKOU
        | sankantsu(kans) << YakuId.SANKANTSU
        | suukantsu(kans) << YakuId.SUUKANTSU
    )


# ---------------------------------------------------------------------------------------------------------
# Sets by the one that the winning tile completes


@yaku(YakuId.PINFU, "pinfu", "all runs", "平和", "平和", closed=1, open=0, soul=14)
@part
def pinfu(closed: bool, triplets: int, fu: int, wait: int) -> bool:
    """Runs, a pair without fu and a wait at both ends of a run, closed: ``fu`` without those of the win are 20."""
    return closed and triplets == 0 and fu == 20 and wait == 0


@yaku(YakuId.SANANKOU, "sanankou", "three concealed triplets", "三暗刻", "三暗刻", closed=2, open=2, soul=22)
@part
def sanankou(concealed: int) -> bool:
    """Three concealed triplets; one completed by ron counts as an open one."""
    return concealed == 3


@yaku(YakuId.SUUANKOU, "suuankou", "four concealed triplets", "四暗刻", "四暗刻", closed=13, open=0, soul=38)
@part
def suuankou(concealed: int, by_pair: bool) -> bool:
    """Four concealed triplets."""
    return concealed == 4 and not by_pair


@yaku(
    YakuId.SUUANKOU_TANKI, "suuankou tanki", "four concealed triplets, waiting on the pair", "四暗刻単騎", "四暗刻单骑",
    closed=13, open=0, soul=48, double=True,
)
@part
def suuankou_tanki(concealed: int, by_pair: bool) -> bool:
    """Four concealed triplets, and the winning tile completes the pair."""
    return concealed == 4 and by_pair


@leaf
def yaku_of_concealed(concealed: int, by_pair: bool) -> int:
    """Return the yaku of a number of concealed triplets."""
    return (
        sanankou(concealed) << YakuId.SANANKOU
        | suuankou(concealed, by_pair) << YakuId.SUUANKOU
        | suuankou_tanki(concealed, by_pair) << YakuId.SUUANKOU_TANKI
    )


# ---------------------------------------------------------------------------------------------------------
# Local yaku, which count if `Rules.local_yaku` contains them


@yaku(YakuId.UUMENSAI, "uumensai", "all types", "五門斉", "五门齐", closed=2, open=2)
@part
def uumensai(kinds: int) -> bool:
    """All three suits, a wind and a dragon."""
    suits = kinds & _SUIT != 0 and kinds >> 9 & _SUIT != 0 and kinds >> 18 & _SUIT != 0
    return suits and kinds & WINDS != 0 and kinds & DRAGONS != 0


@yaku(YakuId.SANRENKOU, "sanrenkou", "three triplets in a row", "三連刻", "三连刻", closed=2, open=2)
@part
def sanrenkou(triplets: int) -> bool:
    """Three triplets of a suit whose numbers follow each other."""
    for suit in range(3):
        of_suit = triplets >> 9 * suit & _SUIT
        if of_suit & of_suit >> 1 & of_suit >> 2:
            return True
    return False


@leaf
def local_yaku(reading: Reading, triplets: int, runs: int) -> int:
    """Return the local yaku of sets and a pair."""
    return (
        uumensai(int(reading.present)) << YakuId.UUMENSAI
        | sanrenkou(triplets) << YakuId.SANRENKOU
    )


# ---------------------------------------------------------------------------------------------------------
# Han that are no yaku

_rows[YakuId.DORA] = Yaku("dora", "dora", "ドラ", "宝牌", closed=1, open=1, soul=31)
_rows[YakuId.URA_DORA] = Yaku("ura-dora", "ura-dora", "裏ドラ", "里宝牌", closed=1, open=1, soul=33)
_rows[YakuId.RED_FIVES] = Yaku("aka-dora", "red fives", "赤ドラ", "赤宝牌", closed=1, open=1, soul=32)

#: Every yaku by its number.
YAKU: Final = tuple(_rows[number] for number in YakuId)
#: Numbers of the yakuman.
YAKUMAN: Final = tuple(int(number) for number in YakuId if YAKU[number].closed == _YAKUMAN_HAN)

"""The yaku, one row each: number, names, han, and number at Mahjong Soul.

A new yaku is a row here and a condition in `janshi.riichi.hands.scoring`; names, han, records and the page use the row.

>>> YAKU[7].name, YAKU[7].english, YAKU[34].closed, YAKU[34].open
('pinfu', 'all runs', 3, 2)
>>> YakuId.PINFU.row is YAKU[7]
True
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any, Final, NamedTuple

#: Han of a yakuman.
_YAKUMAN_HAN: Final = 13


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


class YakuId(IntEnum):
    """Numbers of the yaku (up to 54 Tenhou's): indices in `YAKU`, and bits in masks."""

    row: Yaku

    def __new__(cls, number: int, *row: Any) -> YakuId:
        """Make a member of a number and the fields of its `Yaku`."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.row = Yaku(*row)
        return member

    MENZEN_TSUMO = 0, "menzen tsumo", "concealed self-draw", "門前清自摸和", "门前清自摸和", 1, 0, 1
    RIICHI = 1, "riichi", "riichi", "立直", "立直", 1, 0, 2
    IPPATSU = 2, "ippatsu", "one shot", "一発", "一发", 1, 0, 30
    CHANKAN = 3, "chankan", "robbing a kan", "槍槓", "抢杠", 1, 1, 3
    RINSHAN_KAIHOU = 4, "rinshan kaihou", "after a kan", "嶺上開花", "岭上开花", 1, 1, 4
    HAITEI = 5, "haitei", "last draw", "海底摸月", "海底摸月", 1, 1, 5
    HOUTEI = 6, "houtei", "last discard", "河底撈魚", "河底捞鱼", 1, 1, 6
    PINFU = 7, "pinfu", "all runs", "平和", "平和", 1, 0, 14
    TANYAO = 8, "tanyao", "all simples", "断幺九", "断幺九", 1, 1, 12
    IIPEIKOU = 9, "iipeikou", "twin runs", "一盃口", "一杯口", 1, 0, 13
    SEAT_WIND_EAST = 10, "own wind east", "own wind east", "自風 東", "自风 东", 1, 1, 10
    SEAT_WIND_SOUTH = 11, "own wind south", "own wind south", "自風 南", "自风 南", 1, 1, 10
    SEAT_WIND_WEST = 12, "own wind west", "own wind west", "自風 西", "自风 西", 1, 1, 10
    SEAT_WIND_NORTH = 13, "own wind north", "own wind north", "自風 北", "自风 北", 1, 1, 10
    ROUND_WIND_EAST = 14, "round wind east", "round wind east", "場風 東", "场风 东", 1, 1, 11
    ROUND_WIND_SOUTH = 15, "round wind south", "round wind south", "場風 南", "场风 南", 1, 1, 11
    ROUND_WIND_WEST = 16, "round wind west", "round wind west", "場風 西", "场风 西", 1, 1, 11
    ROUND_WIND_NORTH = 17, "round wind north", "round wind north", "場風 北", "场风 北", 1, 1, 11
    HAKU = 18, "haku", "white dragon", "役牌 白", "役牌 白", 1, 1, 7
    HATSU = 19, "hatsu", "green dragon", "役牌 發", "役牌 发", 1, 1, 8
    CHUN = 20, "chun", "red dragon", "役牌 中", "役牌 中", 1, 1, 9
    DOUBLE_RIICHI = 21, "double riichi", "double riichi", "両立直", "两立直", 2, 0, 18
    CHIITOITSU = 22, "chiitoitsu", "seven pairs", "七対子", "七对子", 2, 0, 25
    CHANTA = 23, "chanta", "terminal or honour in each set", "混全帯幺九", "混全带幺九", 2, 1, 15
    ITTSUU = 24, "ittsuu", "full straight", "一気通貫", "一气通贯", 2, 1, 16
    SANSHOKU_DOUJUN = 25, "sanshoku doujun", "three-coloured runs", "三色同順", "三色同顺", 2, 1, 17
    SANSHOKU_DOUKOU = 26, "sanshoku doukou", "three-coloured triplets", "三色同刻", "三色同刻", 2, 2, 19
    SANKANTSU = 27, "sankantsu", "three kans", "三槓子", "三杠子", 2, 2, 20
    TOITOI = 28, "toitoi", "all triplets", "対々和", "对对和", 2, 2, 21
    SANANKOU = 29, "sanankou", "three concealed triplets", "三暗刻", "三暗刻", 2, 2, 22
    SHOUSANGEN = 30, "shousangen", "little three dragons", "小三元", "小三元", 2, 2, 23
    HONROUTOU = 31, "honroutou", "terminals and honours only", "混老頭", "混老头", 2, 2, 24
    RYANPEIKOU = 32, "ryanpeikou", "twice twin runs", "二盃口", "二杯口", 3, 0, 28
    JUNCHAN = 33, "junchan", "terminal in each set", "純全帯幺九", "纯全带幺九", 3, 2, 26
    HONITSU = 34, "honitsu", "half flush", "混一色", "混一色", 3, 2, 27
    CHINITSU = 35, "chinitsu", "full flush", "清一色", "清一色", 6, 5, 29
    RENHOU = 36, "renhou", "hand of man", "人和", "人和", 5, 0, 59  # a mangan
    TENHOU = 37, "tenhou", "heavenly hand", "天和", "天和", 13, 0, 35
    CHIIHOU = 38, "chiihou", "earthly hand", "地和", "地和", 13, 0, 36
    DAISANGEN = 39, "daisangen", "big three dragons", "大三元", "大三元", 13, 13, 37
    SUUANKOU = 40, "suuankou", "four concealed triplets", "四暗刻", "四暗刻", 13, 0, 38
    SUUANKOU_TANKI = (
        *(41, "suuankou tanki", "four concealed triplets, waiting on the pair", "四暗刻単騎", "四暗刻单骑"),
        *(13, 0, 48, True),
    )
    TSUUIISOU = 42, "tsuuiisou", "all honours", "字一色", "字一色", 13, 13, 39
    RYUUIISOU = 43, "ryuuiisou", "all green", "緑一色", "绿一色", 13, 13, 40
    CHINROUTOU = 44, "chinroutou", "all terminals", "清老頭", "清老头", 13, 13, 41
    CHUUREN_POUTOU = 45, "chuuren poutou", "nine gates", "九蓮宝燈", "九莲宝灯", 13, 0, 45
    JUNSEI_CHUUREN_POUTOU = (
        *(46, "junsei chuuren poutou", "pure nine gates", "純正九蓮宝燈", "纯正九莲宝灯"),
        *(13, 0, 47, True),
    )
    KOKUSHI_MUSOU = 47, "kokushi musou", "thirteen orphans", "国士無双", "国士无双", 13, 0, 42
    KOKUSHI_MUSOU_13_SIDED = (
        *(48, "kokushi musou 13-sided", "thirteen orphans, thirteen-sided wait", "国士無双１３面", "国士无双十三面"),
        *(13, 0, 49, True),
    )
    DAISUUSHII = 49, "daisuushii", "big four winds", "大四喜", "大四喜", 13, 13, 50, True
    SHOUSUUSHII = 50, "shousuushii", "little four winds", "小四喜", "小四喜", 13, 13, 43
    SUUKANTSU = 51, "suukantsu", "four kans", "四槓子", "四杠子", 13, 13, 44
    # Han that are no yaku
    DORA = 52, "dora", "dora", "ドラ", "宝牌", 1, 1, 31
    URA_DORA = 53, "ura-dora", "ura-dora", "裏ドラ", "里宝牌", 1, 1, 33
    RED_FIVES = 54, "aka-dora", "red fives", "赤ドラ", "赤宝牌", 1, 1, 32
    # Local yaku, which count if `Rules.local_yaku` contains them
    UUMENSAI = 55, "uumensai", "all types", "五門斉", "五门齐", 2, 2
    SANRENKOU = 56, "sanrenkou", "three triplets in a row", "三連刻", "三连刻", 2, 2


YAKU: Final = tuple(number.row for number in YakuId)
#: Han that are no yaku.
DORA: Final = int(YakuId.DORA)
URA_DORA: Final = int(YakuId.URA_DORA)
RED_FIVES: Final = int(YakuId.RED_FIVES)
EXTRA_HAN: Final = (DORA, URA_DORA, RED_FIVES)
#: Numbers of the yakuman.
YAKUMAN: Final = tuple(int(number) for number in YakuId if number.row.closed == _YAKUMAN_HAN)
#: Local yaku by their names: see `janshi.riichi.rules.Rules.local_yaku`.
LOCAL: Final = {number.row.name: number for number in YakuId if number > RED_FIVES}


def mask_of(numbers: Iterable[int]) -> int:
    """Return the mask of some yaku.

    >>> mask_of([YakuId.RIICHI, YakuId.PINFU])
    130
    """
    return sum(1 << number for number in numbers)


def yaku_in(mask: int) -> list[YakuId]:
    """Return the yaku of a mask in ascending order.

    >>> [number.name for number in yaku_in(130)]
    ['RIICHI', 'PINFU']
    """
    return [number for number in YakuId if mask >> number & 1]

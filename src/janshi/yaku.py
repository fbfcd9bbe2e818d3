"""Names of the yaku, at Tenhou's numbers (0–54).

>>> YAKU[7].name, YAKU[7].english, YAKU[34].closed, YAKU[34].open
('pinfu', 'all runs', 3, 2)
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple


class Yaku(NamedTuple):
    """A yaku: what it is called and its han; 13 stands for a yakuman, 0 for "not with calls"."""

    name: str
    english: str
    closed: int
    open: int


class YakuId(IntEnum):
    """Tenhou's numbers of the yaku: indices in `YAKU`, and bits of masks of yaku."""

    MENZEN_TSUMO = 0
    RIICHI = 1
    IPPATSU = 2
    CHANKAN = 3
    RINSHAN_KAIHOU = 4
    HAITEI = 5
    HOUTEI = 6
    PINFU = 7
    TANYAO = 8
    IIPEIKOU = 9
    SEAT_WIND_EAST = 10
    SEAT_WIND_SOUTH = 11
    SEAT_WIND_WEST = 12
    SEAT_WIND_NORTH = 13
    ROUND_WIND_EAST = 14
    ROUND_WIND_SOUTH = 15
    ROUND_WIND_WEST = 16
    ROUND_WIND_NORTH = 17
    HAKU = 18
    HATSU = 19
    CHUN = 20
    DOUBLE_RIICHI = 21
    CHIITOITSU = 22
    CHANTA = 23
    ITTSUU = 24
    SANSHOKU_DOUJUN = 25
    SANSHOKU_DOUKOU = 26
    SANKANTSU = 27
    TOITOI = 28
    SANANKOU = 29
    SHOUSANGEN = 30
    HONROUTOU = 31
    RYANPEIKOU = 32
    JUNCHAN = 33
    HONITSU = 34
    CHINITSU = 35
    RENHOU = 36
    TENHOU = 37
    CHIIHOU = 38
    DAISANGEN = 39
    SUUANKOU = 40
    SUUANKOU_TANKI = 41
    TSUUIISOU = 42
    RYUUIISOU = 43
    CHINROUTOU = 44
    CHUUREN_POUTOU = 45
    JUNSEI_CHUUREN_POUTOU = 46
    KOKUSHI_MUSOU = 47
    KOKUSHI_MUSOU_13_SIDED = 48
    DAISUUSHII = 49
    SHOUSUUSHII = 50
    SUUKANTSU = 51


YAKU: Final = (
    Yaku("menzen tsumo", "concealed self-draw", 1, 0),
    Yaku("riichi", "riichi", 1, 0),
    Yaku("ippatsu", "one shot", 1, 0),
    Yaku("chankan", "robbing a kan", 1, 1),
    Yaku("rinshan kaihou", "after a kan", 1, 1),
    Yaku("haitei", "last draw", 1, 1),
    Yaku("houtei", "last discard", 1, 1),
    Yaku("pinfu", "all runs", 1, 0),
    Yaku("tanyao", "all simples", 1, 1),
    Yaku("iipeikou", "twin runs", 1, 0),
    Yaku("own wind east", "own wind east", 1, 1),
    Yaku("own wind south", "own wind south", 1, 1),
    Yaku("own wind west", "own wind west", 1, 1),
    Yaku("own wind north", "own wind north", 1, 1),
    Yaku("round wind east", "round wind east", 1, 1),
    Yaku("round wind south", "round wind south", 1, 1),
    Yaku("round wind west", "round wind west", 1, 1),
    Yaku("round wind north", "round wind north", 1, 1),
    Yaku("haku", "white dragon", 1, 1),
    Yaku("hatsu", "green dragon", 1, 1),
    Yaku("chun", "red dragon", 1, 1),
    Yaku("double riichi", "double riichi", 2, 0),
    Yaku("chiitoitsu", "seven pairs", 2, 0),
    Yaku("chanta", "terminal or honour in each set", 2, 1),
    Yaku("ittsuu", "full straight", 2, 1),
    Yaku("sanshoku doujun", "three-coloured runs", 2, 1),
    Yaku("sanshoku doukou", "three-coloured triplets", 2, 2),
    Yaku("sankantsu", "three kans", 2, 2),
    Yaku("toitoi", "all triplets", 2, 2),
    Yaku("sanankou", "three concealed triplets", 2, 2),
    Yaku("shousangen", "little three dragons", 2, 2),
    Yaku("honroutou", "terminals and honours only", 2, 2),
    Yaku("ryanpeikou", "twice twin runs", 3, 0),
    Yaku("junchan", "terminal in each set", 3, 2),
    Yaku("honitsu", "half flush", 3, 2),
    Yaku("chinitsu", "full flush", 6, 5),
    Yaku("renhou", "hand of man", 5, 0),  # a mangan
    Yaku("tenhou", "heavenly hand", 13, 0),
    Yaku("chiihou", "earthly hand", 13, 0),
    Yaku("daisangen", "big three dragons", 13, 13),
    Yaku("suuankou", "four concealed triplets", 13, 0),
    Yaku("suuankou tanki", "four concealed triplets, waiting on the pair", 13, 0),
    Yaku("tsuuiisou", "all honours", 13, 13),
    Yaku("ryuuiisou", "all green", 13, 13),
    Yaku("chinroutou", "all terminals", 13, 13),
    Yaku("chuuren poutou", "nine gates", 13, 0),
    Yaku("junsei chuuren poutou", "pure nine gates", 13, 0),
    Yaku("kokushi musou", "thirteen orphans", 13, 0),
    Yaku("kokushi musou 13-sided", "thirteen orphans, thirteen-sided wait", 13, 0),
    Yaku("daisuushii", "big four winds", 13, 13),
    Yaku("shousuushii", "little four winds", 13, 13),
    Yaku("suukantsu", "four kans", 13, 13),
    Yaku("dora", "dora", 1, 1),
    Yaku("ura-dora", "ura-dora", 1, 1),
    Yaku("aka-dora", "red fives", 1, 1),
)

#: Behind the yaku: what counts as han without being one.
DORA: Final = 52
URA_DORA: Final = 53
RED_FIVES: Final = 54
#: Numbers of the yakuman.
YAKUMAN: Final = tuple(range(YakuId.TENHOU, DORA))

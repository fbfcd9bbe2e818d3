"""Numbers of the yaku. `janshi.riichi.hands.yaku` has their names, han and conditions."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final


class YakuId(IntEnum):
    """Numbers of the yaku (up to 54 Tenhou's): indices in `janshi.riichi.hands.yaku.YAKU`, and bits in masks."""

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
    # Han that are no yaku
    DORA = 52
    URA_DORA = 53
    RED_FIVES = 54
    # Local yaku, which count if `janshi.riichi.rules.Rules.local_yaku` contains them
    UUMENSAI = 55
    SANRENKOU = 56


#: Han that are no yaku.
DORA: Final = int(YakuId.DORA)
URA_DORA: Final = int(YakuId.URA_DORA)
RED_FIVES: Final = int(YakuId.RED_FIVES)
EXTRA_HAN: Final = (DORA, URA_DORA, RED_FIVES)
#: Local yaku by their names: see `janshi.riichi.rules.Rules.local_yaku`.
LOCAL: Final = {number.name.lower(): number for number in YakuId if number > RED_FIVES}


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

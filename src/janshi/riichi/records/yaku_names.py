"""Names of yaku in other programs' records: romaji, English and Japanese, in their usual spellings.

A name is a label: readers pass over unknown ones.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

from janshi.riichi.hands.yaku import YAKU
from janshi.riichi.rules.yaku import YakuId

#: Other names by yaku, as Mahjong Soul, Tenhou, the first mjai server and common glossaries write them.
_ALIASES: Final = {
    YakuId.MENZEN_TSUMO: "tsumo, menzenchin tsumo, menzenchin tsumoho, fully concealed hand, 門前清自摸, 自摸",
    YakuId.RIICHI: "reach, ready hand, リーチ",
    YakuId.IPPATSU: "first turn win",
    YakuId.CHANKAN: "robbing the kan, 搶槓",
    YakuId.RINSHAN_KAIHOU: "rinshan, after kan, dead wall draw, king's tile draw, 嶺上",
    YakuId.HAITEI: "haitei raoyue, under the sea, last tile draw, bottom of the sea, 海底",
    YakuId.HOUTEI: "houtei raoyui, under the river, last tile claim, bottom of the river, 河底",
    YakuId.PINFU: "no-points hand, no points, all sequences",
    YakuId.TANYAO: "tanyaochu, タンヤオ, 断么九",
    YakuId.IIPEIKOU: "pure double sequence, pure double chow, double run",
    YakuId.HAKU: "yakuhai haku, sangenpai haku, white dragons, 白",
    YakuId.HATSU: "yakuhai hatsu, sangenpai hatsu, green dragons, 發, 発, 役牌 発",
    YakuId.CHUN: "yakuhai chun, sangenpai chun, red dragons, 中",
    YakuId.DOUBLE_RIICHI: "double reach, daburu riichi, daburi, ダブル立直, ダブルリーチ, 両リーチ",
    YakuId.CHIITOITSU: "chiitoi, 七対",
    YakuId.CHANTA: (
        "honchan, honchantaiyao, honchan taiyaochuu, half outside hand, mixed outside hand, common ends, outside hand, "
        "混全帯么九, チャンタ"
    ),
    YakuId.ITTSUU: "ittsu, ikkitsuukan, ikki tsuukan, pure straight, straight, 一通, 一気通貫",
    YakuId.SANSHOKU_DOUJUN: "sanshoku, mixed triple sequence, mixed triple chow, three color straight, 三色",
    YakuId.SANSHOKU_DOUKOU: "triple triplets, three color triplets, mixed triple triplets",
    YakuId.SANKANTSU: "three quads",
    YakuId.TOITOI: "toitoihou, all pons, 対々, 対対和, トイトイ",
    YakuId.SANANKOU: "three closed triplets",
    YakuId.SHOUSANGEN: "small three dragons",
    YakuId.HONROUTOU: "all terminals and honors, all terminals and honours",
    YakuId.RYANPEIKOU: "twice pure double sequence, twice pure double chow, two double runs, 両盃口",
    YakuId.JUNCHAN: (
        "junchantaiyao, junchan taiyaochuu, fully outside hand, pure outside hand, perfect ends, 純全帯么九, 純チャン"
    ),
    YakuId.HONITSU: "honiisou, honiso, half-flush, common flush, ホンイツ",
    YakuId.CHINITSU: "chiniisou, chiniso, full-flush, perfect flush, チンイツ",
    YakuId.RENHOU: "blessing of man",
    YakuId.TENHOU: "blessing of heaven, heavenly win",
    YakuId.CHIIHOU: "blessing of earth, earthly win, hand of earth",
    YakuId.DAISANGEN: "three great dragons",
    YakuId.SUUANKOU: "four closed triplets",
    YakuId.SUUANKOU_TANKI: (
        "single-wait four concealed triplets, four concealed triplets single wait, four closed triplets single wait"
    ),
    YakuId.TSUUIISOU: "all honors",
    YakuId.RYUUIISOU: "all-green",
    YakuId.CHUUREN_POUTOU: "chuuren, chuuren poutoun, 九連宝燈, 九蓮宝灯",
    YakuId.JUNSEI_CHUUREN_POUTOU: "true nine gates, nine-sided nine gates, junsei chuuren, 純正九連宝燈, 純正九蓮宝灯",
    YakuId.KOKUSHI_MUSOU: "kokushi",
    YakuId.KOKUSHI_MUSOU_13_SIDED: (
        "kokushi musou juusanmen, kokushi juusanmen machi, thirteen-wait thirteen orphans, "
        "thirteen orphans 13-sided wait, 国士無双十三面, 国士無双十三面待ち"
    ),
    YakuId.DAISUUSHII: "four big winds, four great winds",
    YakuId.SHOUSUUSHII: "four little winds, four small winds, small four winds",
    YakuId.SUUKANTSU: "four quads",
    # Tenhou counts kitas among the dora; others print them apart.
    YakuId.DORA: "kita, nukidora, nuki dora, north, 抜きドラ, 北ドラ, 拔北",
    YakuId.URA_DORA: "ura, underside dora, 裏",
    YakuId.RED_FIVES: "red five, red dora, aka, akapai, 赤",
}
_WINDS: Final = (("east", "ton", "東"), ("south", "nan", "南"), ("west", "sha", "xia", "西"), ("north", "pei", "北"))
_SEAT_WIND: Final = ("seat wind", "own wind", "jikaze", "自風", "門風")
_ROUND_WIND: Final = ("prevalent wind", "prevailing wind", "round wind", "table wind", "bakaze", "場風")
#: Letters of a long vowel, and of the short one as which it is compared.
_LONG: Final = (("uu", "u"), ("ou", "o"), ("oo", "o"), ("ii", "i"), ("ei", "e"))


def yaku_named(name: str, seat_wind: int | None = None, round_wind: int | None = None) -> YakuId | None:
    """Return the yaku of a name, None if it is unknown.

    Case, spaces, hyphens and the length of romaji vowels do not matter. ``seat_wind`` and ``round_wind`` (0 East to 3
    North) decide names such as "seat wind", which do not say the wind.

    >>> yaku_named("All Simples").name, yaku_named("ryuuiisou") == yaku_named("Ryuiso") == yaku_named("緑一色")
    ('TANYAO', True)
    >>> yaku_named("Seat Wind", seat_wind=1).name, yaku_named("seat wind") is yaku_named("luck") is None
    ('SEAT_WIND_SOUTH', True)
    """
    key = _key(name)
    for general, first, wind in (
        (_SEAT_WIND, YakuId.SEAT_WIND_EAST, seat_wind),
        (_ROUND_WIND, YakuId.ROUND_WIND_EAST, round_wind),
    ):
        if wind is not None and key in map(_key, general):
            return YakuId(first + wind)
    return _names().get(key)


@cache
def _names() -> dict[str, YakuId]:
    names = {}
    for yaku in YakuId:
        spellings = (YAKU[yaku].japanese, YAKU[yaku].english, YAKU[yaku].name, *_ALIASES.get(yaku, "").split(", "))
        names.update({_key(spelling): yaku for spelling in spellings if spelling})
    for kinds, first in ((_SEAT_WIND, YakuId.SEAT_WIND_EAST), (_ROUND_WIND, YakuId.ROUND_WIND_EAST)):
        for wind, words in enumerate(_WINDS):
            for kind in kinds:
                names.update({_key(kind + word): YakuId(first + wind) for word in words})
    return names


def _key(name: str) -> str:
    """Return the form of a name in which spellings are compared."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    key = "".join(letter for letter in plain if letter.isalnum() and not unicodedata.combining(letter))
    for long, short in _LONG:
        key = key.replace(long, short)
    return key

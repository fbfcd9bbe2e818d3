"""Example hands of the yaku for the page's list; the last tile wins.

Tests score each example with the engine. The generated file of the page contains them (``tools/make_tiles.py``).
"""

from __future__ import annotations

from typing import Final

from janshi.riichi.rules.yaku import YakuId

#: Concealed tiles of a winning hand by the yaku that it shows; yaku of circumstances and of kans have none.
EXAMPLES: Final = {
    YakuId.PINFU: "234m678m345p99p78s6s",
    YakuId.TANYAO: "234m66m555p678p34s2s",
    YakuId.IIPEIKOU: "112233m456p99p78s9s",
    YakuId.SEAT_WIND_EAST: "234m678p99p456s11z1z",
    YakuId.ROUND_WIND_EAST: "234m678p99p456s11z1z",
    YakuId.HAKU: "234m678p99p456s55z5z",
    YakuId.HATSU: "234m678p99p456s66z6z",
    YakuId.CHUN: "234m678p99p456s77z7z",
    YakuId.CHIITOITSU: "1155m2288p3399s4z4z",
    YakuId.CHANTA: "123m999m789p11z78s9s",
    YakuId.ITTSUU: "123456m88p234s78m9m",
    YakuId.SANSHOKU_DOUJUN: "234m234p99p678p23s4s",
    YakuId.SANSHOKU_DOUKOU: "333m333p99p678p33s3s",
    YakuId.TOITOI: "222m444p99p777p66s6s",
    YakuId.SANANKOU: "222m444p777p99p34s5s",
    YakuId.SHOUSANGEN: "234m678p555z77z66z6z",
    YakuId.HONROUTOU: "1199m1199p1199s4z4z",
    YakuId.RYANPEIKOU: "223344m667788p5s5s",
    YakuId.JUNCHAN: "123m999m789p11p78s9s",
    YakuId.HONITSU: "123456m999m44z11z1z",
    YakuId.CHINITSU: "123456m99m234m78m9m",
    YakuId.DAISANGEN: "234m99p555z777z66z6z",
    YakuId.SUUANKOU: "222m444p777p66s99s9s",
    YakuId.TSUUIISOU: "1122334455667z7z",
    YakuId.RYUUIISOU: "223344s666s66z88s8s",
    YakuId.CHINROUTOU: "111m999m111p99s99p9p",
    YakuId.CHUUREN_POUTOU: "1112345567899m9m",
    YakuId.KOKUSHI_MUSOU: "199m19p19s123456z7z",
    YakuId.DAISUUSHII: "99m111z222z333z44z4z",
    YakuId.SHOUSUUSHII: "234m11z222z333z44z4z",
}

"""Texts of results in records of tenhou.net/6: how a hand ends, the value of a win, and its yaku.

Tenhou writes Japanese; converters and editors write English, romaji or other spellings. Texts are labels: unknown ones
of a win are ignored, and what a win is worth then follows from its payments.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from janshi.riichi.hands.yaku import YAKUMAN
from janshi.riichi.records.model import Limit
from janshi.riichi.records.yaku_names import yaku_named
from janshi.riichi.state import Ending

LIMITS: Final = ("", "満貫", "跳満", "倍満", "三倍満", "役満")
ALL_TENPAI: Final = "全員聴牌"
NOBODY_TENPAI: Final = "全員不聴"
#: Tenhou's names of drawn hands.
REASON_NAMES: Final = {
    Ending.EXHAUSTIVE: "流局",
    Ending.NAGASHI_MANGAN: "流し満貫",
    Ending.KYUUSHU_KYUUHAI: "九種九牌",
    Ending.FOUR_WINDS: "四風連打",
    Ending.FOUR_RIICHI: "四家立直",
    Ending.FOUR_KANS: "四槓散了",
    Ending.TRIPLE_RON: "三家和了",
}
#: Other names of results; a win is `Ending.RON`, self-drawn or not.
_ENDINGS: Final = {
    Ending.RON: "和了, 和, agari, ron, tsumo, win, hora, hule, ロン, ツモ, 自摸, 荣和, 栄和",
    Ending.EXHAUSTIVE: (
        "全員聴牌, 全員不聴, ryuukyoku, draw, exhaustive draw, no winner, 荒牌流局, 荒牌平局, 流局聴牌, all tenpai, "
        "all noten, nobody tenpai"
    ),
    Ending.NAGASHI_MANGAN: "流局満貫, mangan at draw, nagashi mangan, nagashi, 流满",
    Ending.KYUUSHU_KYUUHAI: (
        "九种九牌, nine terminal abortion, nine terminals, nine different terminals, kyuushu kyuuhai"
    ),
    Ending.FOUR_WINDS: "四风连打, four wind abortion, four winds, suufon renda, suufuu renda",
    Ending.FOUR_RIICHI: "四人立直, 四家リーチ, four riichi abortion, four riichi, suucha riichi",
    Ending.FOUR_KANS: "四開槓, 四杠散了, four kan abortion, four kans, suukaikan, suukan sanra",
    Ending.TRIPLE_RON: "三家和, three ron abortion, triple ron, sanchahou",
}
#: Words of limits, the first that occurs decides.
_LIMIT_WORDS: Final = (
    (Limit.YAKUMAN, ("役満", "役满", "yakuman")),
    (Limit.SANBAIMAN, ("三倍満", "三倍满", "sanbaiman")),
    (Limit.BAIMAN, ("倍満", "倍满", "baiman")),
    (Limit.HANEMAN, ("跳満", "跳满", "haneman")),
    (Limit.MANGAN, ("満貫", "满贯", "mangan")),
)
#: Maximum letters of a text, so that patterns take no time.
_LONGEST: Final = 60
_HAN_WORDS: Final = r"飜|翻|番|han|fan"
_YAKU: Final = re.compile(
    rf"(?P<name>.+?)\s*\(?\s*(?:(?P<han>\d+)\s*(?:{_HAN_WORDS})|(?P<yakuman>[^()]*(?:役満|役满|yakuman)))\s*\)?",
    re.IGNORECASE,
)
_FU: Final = re.compile(r"(\d+)\s*(?:符|fu)", re.IGNORECASE)
_POINTS: Final = re.compile(r"(\d+)(?:\s*[-/]\s*(\d+))?\s*(?:点|點|points?|pts)?\s*(∀|all|オール)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Labels:
    """Yaku of a win by its texts."""

    yaku: tuple[tuple[int, int], ...]  # empty if one of them is not known
    yakuman: tuple[int, ...]
    han: int
    unknown: int = 0  # number of texts that name no known yaku


def ending_named(text: Any) -> Ending | None:
    """Return how a hand ends, None for an unknown text. A win is `Ending.RON`, self-drawn or not.

    >>> ending_named("和了") == ending_named("Agari"), ending_named("Mangan at Draw").name, ending_named("不明")
    (True, 'NAGASHI_MANGAN', None)
    """
    return _NAMES.get(_key(text)) if isinstance(text, str) else None


def _key(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text[:_LONGEST]).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


_NAMES: Final = {_key(name): ending for ending, name in REASON_NAMES.items()} | {
    _key(name): ending for ending, names in _ENDINGS.items() for name in names.split(", ")
}


def labels_of(texts: list[Any], seat_wind: int, round_wind: int) -> Labels:
    """Return the yaku of a win by their texts, such as ``平和(1飜)``, ``Riichi (1 han)`` or ``大三元(役満)``.

    Winds are 0 East to 3 North.

    >>> labels_of(["Pinfu(1飜)", "ドラ(2飜)"], 0, 0), labels_of(["大三元(役満)"], 0, 0).yakuman
    (Labels(yaku=((7, 1), (52, 2)), yakuman=(), han=3, unknown=0), (39,))
    """
    counted: dict[int, int] = {}
    yakuman = []
    unknown = total = 0
    for text in texts:
        short = text if isinstance(text, str) and len(text) <= _LONGEST else ""
        number, han, is_yakuman = _label(short, seat_wind, round_wind)
        total += han
        if number < 0:
            unknown += 1
        elif is_yakuman:
            yakuman.append(number)
        else:
            counted[number] = counted.get(number, 0) + han
    if unknown:
        return Labels((), (), total if total <= _MOST_HAN else 0, unknown)
    return Labels(() if yakuman else tuple(counted.items()), tuple(yakuman), 0 if yakuman else total)


@lru_cache(maxsize=4096)
def _label(text: str, seat_wind: int, round_wind: int) -> tuple[int, int, bool]:
    """Return the number of a yaku by its text (-1 for an unknown one), its han, and whether it is a yakuman."""
    match = _YAKU.fullmatch(unicodedata.normalize("NFKC", text).strip())
    if match is None:
        return -1, 0, False
    number = yaku_named(match["name"], seat_wind, round_wind)
    han = int(match["han"] or 0)
    return (-1, han, False) if number is None else (int(number), han, match["yakuman"] is not None or number in YAKUMAN)


#: Above this a sum of han is that of no hand.
_MOST_HAN: Final = 1000


def value_of(text: Any, players: int, self_draw: bool) -> tuple[int, int, Limit] | None:
    """Return fu, points of all payers together, and limit, from a text like ``40符3飜5200点``.

    None if the text names no points, or not those of every payer.

    >>> value_of("40符3飜5200点", 4, False), value_of("Mangan 2000-4000点", 4, True)
    ((40, 5200, <Limit.NONE: 0>), (-1, 8000, <Limit.MANGAN: 1>))
    """
    plain = unicodedata.normalize("NFKC", text).casefold() if isinstance(text, str) and len(text) <= _LONGEST else ""
    fu = _FU.search(plain)
    amount = re.sub(rf"\d+\s*(?:符|fu|{_HAN_WORDS})", " ", plain)
    at = re.search(r"\d", amount)
    match = _POINTS.fullmatch(amount, at.start()) if at else None
    if match is None or max(map(len, match.groups(""))) > 7:
        return None
    value = int(match[1])
    if match[3]:
        value *= players - 1
    elif self_draw and match[2]:
        value = (players - 2) * value + int(match[2])
    elif self_draw:
        return None
    limit = next((limit for limit, words in _LIMIT_WORDS if any(word in plain for word in words)), Limit.NONE)
    return int(fu[1]) if fu and len(fu[1]) < 4 else -1, value, limit

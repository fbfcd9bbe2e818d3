"""Rules of a record of kobalab's programs: named in it, by its title, or as seen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from janshi.riichi.records.tenhou6_rules import rules_of_disp
from janshi.riichi.rules import KOBALAB, KanDora, Kuikae, Length, Rules, preset

#: Truths among Majiang's rules by the equivalent field of `Rules`.
_TRUTHS: Final = {
    "クイタンあり": "open_tanyao",
    "流し満貫あり": "nagashi_mangan",
    "トビ終了あり": "tobi",
    "オーラス止めあり": "dealer_stops_leading",
    "一発あり": "ippatsu",
    "裏ドラあり": "ura_dora",
    "カン裏あり": "kan_ura",
    "ダブル役満あり": "double_yakuman",
    "役満の複合あり": "multiple_yakuman",
    "数え役満あり": "counted_yakuman",
    "切り上げ満貫あり": "rounded_mangan",
}
_LENGTHS: Final = {0: Length.SINGLE_HAND, 1: Length.EAST, 2: Length.EAST_SOUTH}
_KUIKAE: Final = {0: Kuikae.SAME_RUN, 1: Kuikae.SAME_TILE, 2: Kuikae.ALLOWED}
#: A red five in a text of tiles, as in ``m340``, ``p5-06`` or ``s0_``.
_RED: Final = re.compile("[mps][1-9+=-]*0")


class PaipuRules(NamedTuple):
    """Rules of a record."""

    rules: Rules
    length_named: bool
    custom: str = ""
    """Rules that the record names and the engine does not have; they concern what follows a hand."""


def rules_of_paipu(record: dict[str, Any], title: str) -> PaipuRules:
    """Return the rules of a record: those it names in ``rule``, or Tenhou's by a title such as ``四鳳南喰赤``.

    Otherwise they are Majiang's own with the record's points at the start, and with red fives only if one is seen.
    """
    reds = _RED.search(json.dumps(record["log"])) is not None
    named = _named_rules(record, title)
    if named is not None:
        if reds and not any(named.rules.red_fives):
            return named._replace(rules=replace(named.rules, red_fives=KOBALAB.red_fives))
        return named
    rules = KOBALAB if reds else preset("kobalab-nored")
    points = _points_at_start(record["log"])
    if points is not None and points != rules.start:
        rules = replace(rules, name=f"{rules.name}-room", start=points, oka=max(0, 4 * (rules.target - points)))
    return PaipuRules(rules, False)


def _named_rules(record: dict[str, Any], title: str) -> PaipuRules | None:
    """Return the rules that a record or its title names; None if it names none."""
    if isinstance(record.get("rule"), dict):
        return _of_rule(record["rule"])
    flags, rules = rules_of_disp(title.split("\n", 1)[0].removeprefix("四").removesuffix("－"), 4, title)
    return None if flags is None else PaipuRules(rules, True)


def _points_at_start(log: Any) -> int | None:
    """Return everybody's points before the first hand of a game; None where they are not equal whole hundreds."""
    try:
        points = log[0][0]["qipai"]["defen"]
        return int(points[0]) if points == [points[0]] * 4 and int(points[0]) % 100 == 0 and points[0] >= 0 else None
    except (LookupError, TypeError, ValueError):
        return None


def _of_rule(rule: dict[str, Any]) -> PaipuRules:
    """Return the rules that the object ``rule`` names; of the others Majiang's own stand."""
    changes = dict(_changes(rule))
    changes["oka"] = max(0, 4 * (KOBALAB.target - changes.get("start", KOBALAB.start)))
    changed = replace(KOBALAB, **changes)
    rules = changed if changed == KOBALAB else replace(changed, name="kobalab-room")
    unknown = [f"{name} {rule[name]}" for name, values in _UNSUPPORTED.items() if rule.get(name) in values]
    return PaipuRules(rules, rule.get("場数") in _LENGTHS, ", ".join(unknown))


#: Values of rules about what follows a hand that the engine does not have.
_UNSUPPORTED: Final = {"場数": (4,), "連荘方式": (0, 3), "延長戦方式": (2, 3)}


def _changes(rule: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield fields of `Rules` with their values, as far as the record names them."""
    for name, field in _TRUTHS.items():
        if name in rule:
            yield field, bool(rule[name])
    for name, field, values in (
        ("場数", "length", _LENGTHS),
        ("喰い替え許可レベル", "kuikae", _KUIKAE),
        ("最大同時和了数", "multiple_ron", {1: 1, 2: 3, 3: 3}),
        ("最大同時和了数", "triple_ron_aborts", {1: False, 2: True, 3: False}),
        ("連荘方式", "dealer_repeats_tenpai", {1: False, 2: True}),
        ("延長戦方式", "extension", {0: False, 1: True}),
        ("リーチ後暗槓許可レベル", "riichi_kan", {0: False, 1: True, 2: True}),
        ("リーチ後暗槓許可レベル", "riichi_kan_keeps_sets", {0: False, 1: True, 2: False}),
        ("ツモ番なしリーチあり", "riichi_least_tiles", {True: 0, False: 4}),
        ("トビ終了あり", "riichi_least_points", {True: 1000, False: 0}),
        ("ノーテン罰あり", "noten_payment", {True: 3000, False: 0}),
    ):
        if rule.get(name) in values:
            yield field, values[rule[name]]
    for draw in ("kyuushu_kyuuhai", "four_winds", "four_riichi", "four_kans"):
        yield draw, bool(rule.get("途中流局あり", True))
    for liability in ("pao_dragons", "pao_winds"):
        yield liability, bool(rule.get("役満パオあり", True))
    later = KanDora.BEFORE_DISCARD if rule.get("カンドラ後乗せ", True) else KanDora.AT_ONCE
    yield "kan_dora", later if rule.get("カンドラあり", True) else KanDora.NONE
    if "赤牌" in rule:
        yield "red_fives", tuple(int(rule["赤牌"].get(suit) or 0) for suit in "mps")
    if "配給原点" in rule:
        yield "start", int(rule["配給原点"])
    if "順位点" in rule:
        yield "uma", tuple(round(1000 * float(points)) for points in rule["順位点"])

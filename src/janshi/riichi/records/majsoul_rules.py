"""Rules of a record of Mahjong Soul, and the names of unsupported rules.

Ranked rooms play by the preset. Rooms of friends and tournaments carry ``detail_rule``: its differences from the
preset become another rule set. Event modes with unsupported rules are rejected by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from janshi.records.formats import RecordError
from janshi.riichi.rules import MAHJONG_SOUL, MAHJONG_SOUL_SANMA, KanDora, Kuikae, Length, Rules

#: Lengths by the last digit of ``mode.mode``; its tens digit is 0 with four players, 1 with three.
_LENGTHS: Final = {0: Length.SINGLE_HAND, 1: Length.EAST, 2: Length.EAST_SOUTH, 3: Length.EAST, 4: Length.SINGLE_HAND}

#: Numbers of ranked and casual rooms (``meta.mode_id``); those behind them are events.
_ROOMS: Final = frozenset((*range(1, 13), 13, 14, *range(15, 33)))

#: Fields of ``detail_rule`` that switch on unsupported rules, with the names of the rules.
_EVENTS: Final = {
    "guyi_mode": "local yaku",
    "dora3_mode": "three dora indicators at the start",
    "begin_open_mode": "hands dealt open",
    "jiuchao_mode": "mirror battle",
    "muyu_mode": "dragon eye",
    "xuezhandaodi": "play after a win (xuezhan)",
    "huansanzhang": "exchange of three tiles",
    "chuanma": "Sichuan rules",
    "reveal_discard": "hidden discards",
    "field_spell_mode": "field spells",
    "zhanxing": "astrology",
    "tianming_mode": "fate battle",
    "yongchang_mode": "chanting",
    "hunzhiyiji_mode": "soul strike",
    "wanxiangxiuluo_mode": "ten thousand changes",
    "beishuizhizhan_mode": "last resort",
    "amusement_switches": "amusement mode",
}
#: The same, as the start of a hand tells it (``RecordNewRound``).
_EVENT_FIELDS: Final = {"muyu": "dragon eye", "field_spell": "field spells", "yongchang": "chanting"}

#: Records that only event modes have, and their modes.
EVENT_RECORDS: Final = {
    "ChangeTile": "exchange of tiles",
    "SelectGap": "Sichuan rules",
    "GangResult": "Sichuan rules",
    "GangResultEnd": "Sichuan rules",
    "HuleXueZhanMid": "play after a win (xuezhan)",
    "HuleXueZhanEnd": "play after a win (xuezhan)",
    "HuleXueLiuMid": "play after a win (xueliu)",
    "HuleXueLiuEnd": "play after a win (xueliu)",
    "RevealTile": "hidden discards",
    "UnveilTile": "hidden discards",
    "LockTile": "hidden discards",
    "NewCard": "astrology",
    "FillAwaitingTiles": "astrology",
}

#: Prefix of a rule known only by its number.
UNKNOWN_RULE: Final = "field "

#: Boolean fields of ``detail_rule`` by the equivalent field of `Rules`.
_TRUTHS: Final = {
    "can_jifei": "tobi",
    "have_liujumanguan": "nagashi_mangan",
    "have_qieshangmanguan": "rounded_mangan",
    "have_li_dora": "ura_dora",
    "have_gang_li_dora": "kan_ura",
    "have_sifenglianda": "four_winds",
    "have_sigangsanle": "four_kans",
    "have_sijializhi": "four_riichi",
    "have_jiuzhongjiupai": "kyuushu_kyuuhai",
    "have_sanjiahele": "triple_ron_aborts",
    "have_helezhongju": "dealer_stops_leading",
    "have_tingpailianzhuang": "dealer_repeats_tenpai",
    "have_tingpaizhongju": "dealer_stops_tenpai",
    "have_yifa": "ippatsu",
    "have_nanruxiru": "extension",
}
#: Truths that give a field of `Rules` one value.
_SWITCHES: Final[dict[str, tuple[str, object]]] = {
    "disable_leijiyiman": ("counted_yakuman", False),
    "disable_multi_yukaman": ("multiple_yakuman", False),
    "disable_composite_yakuman": ("multiple_yakuman", False),
    "disable_double_yakuman": ("double_yakuman", False),
    "disable_angang_guoshi": ("orphans_rob_closed_kan", False),
    "have_toutiao": ("multiple_ron", 1),
    "ming_dora_immediately_open": ("kan_dora", KanDora.AT_ONCE),
    "enable_shiti": ("kuikae", Kuikae.ALLOWED),
    "enable_nontsumo_liqi": ("riichi_least_tiles", 0),
    "disable_double_wind_four_fu": ("double_wind_fu", 2),
    "enable_renhe": ("renhou", True),
}
#: Fields with a single supported value.
_FIXED: Final = {
    "liqibang_value": 1000,
    "fanfu": 1,
    "have_biao_dora": True,
    "have_gang_biao_dora": True,
    "have_helelianzhuang": True,
    "enable_baopai_extend_settings": 0,
    "tianbian_value": 0,
}


def event_of_start(start: dict[str, Any]) -> str | None:
    """Name the event mode that the start of a hand shows; None if it shows none."""
    return next((mode for name, mode in _EVENT_FIELDS.items() if start.get(name)), None)


def rules_of_head(head: dict[str, Any], players: int) -> Rules:
    """Return the rules named by the head of a record. Raises `RecordError` with the names of unsupported rules."""
    config = head.get("config") or {}
    mode = config.get("mode") or {}
    number = int(mode.get("mode") or 0)
    rules = MAHJONG_SOUL_SANMA if players == 3 else MAHJONG_SOUL
    if number:
        if number >= 20 or number % 10 not in _LENGTHS or (number >= 10) != (players == 3):
            raise RecordError(f"mode {number} of Mahjong Soul in a game of {players} is not supported")
        length = _LENGTHS[number % 10]
        rules = replace(rules, length=length, name=rules.name + _ENDINGS[length])
    room = int((config.get("meta") or {}).get("mode_id") or 0)
    if room and room not in _ROOMS:
        raise RecordError(f"event mode of Mahjong Soul (room {room}) is not supported")
    detail = mode.get("detail_rule") or {}
    if not isinstance(detail, dict):
        raise RecordError("the rules of the room (detail_rule) must be an object")
    _refuse(detail)
    changes = dict(_changes(detail, rules)) if detail and config.get("category") != RANKED else {}
    changed = replace(rules, **changes)
    return rules if changed == rules else replace(changed, name=f"{rules.name}-room")


#: ``config.category``: 1 rooms of friends, 2 ranked, 4 tournaments.
RANKED: Final = 2
_ENDINGS: Final = {Length.SINGLE_HAND: "-hand", Length.EAST: "-east", Length.EAST_SOUTH: ""}


def _refuse(detail: dict[str, Any]) -> None:
    for name, mode in _EVENTS.items():
        if detail.get(name):
            raise RecordError(f"event mode of Mahjong Soul ({mode}) is not supported")
    unknown = next((name for name, value in detail.items() if name.startswith(UNKNOWN_RULE) and value), None)
    if unknown is not None:
        raise RecordError(f"a room of Mahjong Soul with {unknown} of its detail_rule is not supported")
    for name, value in _FIXED.items():
        if detail.get(name, value) not in (value, 0, None):
            raise RecordError(f"a room of Mahjong Soul with {name} {detail[name]} is not supported")


def _changes(detail: dict[str, Any], rules: Rules) -> Iterator[tuple[str, Any]]:
    """Yield fields of `Rules` with their values, as far as the rules of a room name them.

    What is false may be absent. Tournaments name every rule, rooms of friends a few: of the others the preset's stand.
    """
    tournament = any(name in detail for name in _TRUTHS)
    for name, field in _TRUTHS.items():
        if tournament or name in detail:
            yield field, bool(detail.get(name))
    for name, (field, value) in _SWITCHES.items():
        if detail.get(name):
            yield field, value
    room = tournament or bool(detail.get("time_fixed"))
    if (room or "shiduan" in detail) and rules.players == 4:
        yield "open_tanyao", bool(detail.get("shiduan"))
    if (room or "have_zimosun" in detail) and rules.players == 3:
        yield "tsumo_loss", bool(detail.get("have_zimosun"))
    if "dora_count" in detail:
        yield "red_fives", _reds(int(detail["dora_count"] or 0), rules.players)
    yield from _amounts(detail, rules)


def _reds(count: int, players: int) -> tuple[int, int, int]:
    if count not in ((0, 2) if players == 3 else (0, 3)):
        raise RecordError(f"a room of Mahjong Soul with {count} red fives is not supported")
    each = int(count > 0)
    return (each if players == 4 else 0, each, each)


def _amounts(detail: dict[str, Any], rules: Rules) -> Iterator[tuple[str, Any]]:
    """Yield the amounts that the rules of a room name: where a field is 0 or absent, the preset's stands."""
    for name, field in (("init_point", "start"), ("fandian", "target"), ("jingsuanyuandian", "results_from")):
        if detail.get(name):
            yield field, int(detail[name])
    honba = int(detail.get("changbang_value") or 0)
    if honba:
        each = honba // (rules.players - 1)
        yield "honba_each", each
        yield "honba_ron", each * (rules.players - 1)
    noten = int(detail.get("noting_fafu_1") or 0)
    if noten:
        # What each of the noten pays where one is tenpai; the whole is the same however many are.
        yield "noten_payment", noten * (rules.players - 1)
    uma = [int(detail.get(f"shunweima_{place}") or 0) for place in range(2, rules.players + 1)]
    if any(uma):
        unit = 1000 if all(abs(points) < 100 for points in uma) else 1
        yield "uma", (-sum(uma) * unit, *(points * unit for points in uma))

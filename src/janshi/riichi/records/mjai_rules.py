"""Rules of a game as the first event of mjai names them.

Janshi writes the name of a preset in its own field: ``"janshi": {"rules": "tenhou"}``; until 2026 ``rules`` held it.
The package jansou writes the name of its preset in ``preset`` and every rule in the object ``rules``
(``jansou.core.rules.Rules``). The first mjai server writes ``kyoku_first``: 4 for East only, 0 for East and South.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from janshi.riichi.records.extras import FIELD
from janshi.riichi.rules import TENHOU_OF, KanDora, Kuikae, Length, RuleError, Rules, preset

#: Value of ``kyoku_first`` by the length of a game.
KYOKU_FIRST: Final = {Length.EAST: 4, Length.EAST_SOUTH: 0}

#: jansou's presets that have another name here.
_PRESETS: Final = {
    "tenhou-3p": "tenhou-sanma",
    "mahjong-soul-3p": "mahjong-soul-sanma",
    "renmei": "jpml-a",
}
#: Fields of jansou's rules, and the fields of `Rules` with the same meaning and values.
_SAME: Final = {
    "starting_points": "start",
    "sudden_death_target": "target",
    "honba_value": "honba_each",
    "double_wind_fu": "double_wind_fu",
    "kiriage_mangan": "rounded_mangan",
    "kazoe_yakuman": "counted_yakuman",
    "multiple_yakuman": "multiple_yakuman",
    "double_yakuman": "double_yakuman",
    "ura_dora": "ura_dora",
    "nuki_dora": "kita",
    "closed_kan_indicator_immediate": "closed_kan_dora_at_once",
    "closed_kan_after_riichi": "riichi_kan",
    "kuitan": "open_tanyao",
    "kokushi_ankan_chankan": "orphans_rob_closed_kan",
    "abort_kyuushu_kyuuhai": "kyuushu_kyuuhai",
    "abort_suufon_renda": "four_winds",
    "abort_suucha_riichi": "four_riichi",
    "abort_suukaikan": "four_kans",
    "abort_sanchahou": "triple_ron_aborts",
    "nagashi_mangan": "nagashi_mangan",
    "ippatsu": "ippatsu",
    "noten_penalty_pool": "noten_payment",
    "dealer_repeat_on_tenpai": "dealer_repeats_tenpai",
    "pao_daisangen": "pao_dragons",
    "pao_daisuushi": "pao_winds",
    "pao_suukantsu": "pao_kans",
    "pao_honba_to_liable": "pao_pays_ron_honba",
    "agari_yame": "dealer_stops_leading",
    "sudden_death": "extension",
    "rank_ties_shared": "ties_share_uma",
    "leftover_deposits_to_first": "first_takes_deposits",
}
_LENGTHS: Final = {"E": Length.EAST, "S": Length.EAST_SOUTH}


def rules_named(start: dict[str, Any]) -> Rules | None:
    """Return the rules that the event `start_game` names; None if it names none that are known here.

    >>> rules_named({"type": "start_game", "janshi": {"rules": "ema"}}).name
    'ema'
    >>> rules_named({"type": "start_game", "preset": "tenhou", "rules": {"kiriage_mangan": True}}).rounded_mangan
    True
    """
    own = start.get(FIELD)
    if isinstance(own, dict) and isinstance(own.get("rules"), str):
        return _preset(own["rules"])
    rules = start.get("rules")
    if isinstance(rules, str):
        return _preset(rules)
    named = start.get("preset")
    base = _preset(_PRESETS.get(named, named)) if isinstance(named, str) else None
    return base if not isinstance(rules, dict) else _changed(base, rules)


def length_named(start: dict[str, Any]) -> Length | None:
    """Return the length that `start_game` says by ``kyoku_first``; None if it does not."""
    return next((length for length, first in KYOKU_FIRST.items() if start.get("kyoku_first") == first), None)


def _preset(name: str) -> Rules | None:
    try:
        return preset(name)
    except RuleError:
        return None


def _changed(base: Rules | None, given: dict[str, Any]) -> Rules | None:
    """Return rules with the values of jansou's object; what it does not have is as in ``base`` or at Tenhou."""
    players = given.get("player_count", 4 if base is None else base.players)
    if players not in TENHOU_OF:
        return None
    if base is None or base.players != players:
        base = TENHOU_OF[players]
    try:
        changed = replace(base, **dict(_values(base, given)))
    except (RuleError, TypeError):
        return None
    return base if changed == base else replace(changed, name=f"{base.name}-changed")


def _values(base: Rules, given: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield fields of `Rules` with the values of jansou's object.

    Where jansou has a truth for several values of ours, the value of ``base`` stands unless it contradicts.
    """
    for theirs, ours in _SAME.items():
        if theirs in given:
            yield ours, given[theirs]
    if given.get("game_length") in _LENGTHS:
        yield "length", _LENGTHS[given["game_length"]]
    if "honba_value" in given:
        yield "honba_ron", given["honba_value"] * (base.players - 1)
    if "allow_negative_scores" in given:
        yield "tobi", not given["allow_negative_scores"]
    reds = (int(base.players == 4), 1, 1)
    for theirs, ours, holds, values in (
        ("aka_dora", "red_fives", any(base.red_fives), ((0, 0, 0), reds)),
        ("kuikae_ban", "kuikae", base.kuikae != Kuikae.ALLOWED, (Kuikae.ALLOWED, Kuikae.SAME_RUN)),
        ("multiple_ron", "multiple_ron", base.multiple_ron > 1, (1, 3)),
        ("riichi_without_draw", "riichi_least_tiles", base.riichi_least_tiles < base.players, (base.players, 1)),
    ):
        if theirs in given and bool(given[theirs]) != holds:
            yield ours, values[bool(given[theirs])]
    yield from _kan_dora(base, given)


def _kan_dora(base: Rules, given: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what depends on dora indicators of kans: without them neither is turned over."""
    if not given.get("kan_dora", base.kan_dora != KanDora.NONE):
        yield from (("kan_dora", KanDora.NONE), ("closed_kan_dora_at_once", False), ("kan_ura", False))
    elif "open_kan_indicator_immediate" in given:
        yield "kan_dora", KanDora.AT_ONCE if given["open_kan_indicator_immediate"] else KanDora.BEFORE_DISCARD

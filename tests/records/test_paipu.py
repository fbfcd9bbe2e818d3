"""Records of kobalab's programs: generated games, and a real record."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

import pytest
from made_games import play
from paipu_records import write_paipu
from tests.cases import few_or_many

from janshi.riichi.records import Damaged, RecordError, RiichiGame, difference, read_bytes
from janshi.riichi.records.paipu import parse_paipu, read_paipu
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import KOBALAB, KanDora, Kuikae, Length, preset

Record = dict[str, Any]


@lru_cache(maxsize=8)
def played(rules: str = "kobalab", seed: int = 1, player: str = "mixed") -> RiichiGame:
    """Return a game of the engine."""
    return play(rules, seed, player).game("made here")


def record(rules: str = "kobalab", seed: int = 1, qijia: int = 0) -> Record:
    """Return a fresh record of a game."""
    return copy.deepcopy(write_paipu(played(rules, seed), qijia))


def read(value: Any) -> list[Any]:
    """Return what the bytes of a record contain, as a command reads them."""
    return list(read_bytes(json.dumps(value, ensure_ascii=False).encode(), "a.json"))


@few_or_many("seeds", range(1), range(1, 11))
def test_a_record_is_the_game_it_was_written_from(seeds: range) -> None:
    for seed, (rules, player) in product(seeds, (("kobalab", "mixed"), ("kobalab-nored", "random"))):
        game = played(rules, seed, player)
        (back,) = read(write_paipu(game, seed % 4))
        assert difference(game, back) is None
        assert (back.names, back.rules, back.format, back.ref) == (game.names, game.rules, "paipu", "of a test")
        assert Replayer().replay(back).mismatches == []


def test_names_and_results_are_in_the_order_of_the_table() -> None:
    (moved,) = read(record(qijia=2))
    assert record(qijia=2)["player"][2] == "a\n(someone)"
    assert (moved.names, moved.final_scores) == (["a", "b", "c", "d"], played().final_scores)


def test_games_of_a_list_and_of_lines_are_read_each() -> None:
    first, second = record(), record(seed=2)
    lines = "\n".join(json.dumps(each) for each in (first, second))
    for games in (read([first, second]), [read_paipu(game) for game in parse_paipu(lines)]):
        assert [len(game.hands) for game in games] == [len(first["log"]), len(second["log"])]


def test_a_damaged_game_does_not_hide_the_others() -> None:
    damaged = record()
    damaged["qijia"] = 9
    games = read([damaged, record()])
    assert [type(game) for game in games] == [Damaged, RiichiGame]
    assert str(games[0]) == "a.json#1: qijia is 9, not a seat from 0 to 3"


def test_the_winning_draw_may_be_absent() -> None:
    """Converters of tenhou.net/6 leave it out, and name the value of a ron for a self-draw."""
    value = copy.deepcopy(write_paipu(played("kobalab", 1, "efficient")))
    changed = 0
    for log in value["log"]:
        last = log[-1].get("hule")
        if last is not None and last["baojia"] is None and "zimo" in log[-2]:
            del log[-2], last["baojia"]
            last["defen"] -= 100
            changed += 1
    (game,) = read(value)
    assert changed
    assert difference(played("kobalab", 1, "efficient"), game) is None


def test_a_ron_may_lack_the_discarder() -> None:
    value = record(seed=2)
    rons = [log[-1]["hule"] for log in value["log"] if log[-1].get("hule", {}).get("baojia") is not None]
    for ron in rons:
        del ron["baojia"]
    (game,) = read(value)
    assert rons
    assert difference(played(seed=2), game) is None


def test_yaku_with_other_names_are_the_same() -> None:
    value = record(seed=2)
    names = {"両立直": "ダブル立直", "自風 ": "役牌 自風", "場風 ": "役牌 場風", "役牌 ": "翻牌 "}
    for log in value["log"]:
        for label in log[-1].get("hule", {}).get("hupai", ()):
            for old, new in names.items():
                if label["name"].startswith(old):
                    label["name"] = new if "風" in new else label["name"].replace(old, new)
    (game,) = read(value)
    assert difference(played(seed=2), game) is None


def test_rules_of_the_record_are_recognised() -> None:
    rule = {"配給原点": 30000, "順位点": ["12.0", "4.0", "-4.0", "-12.0"], "赤牌": {"m": 1, "p": 1, "s": 1}}
    rule |= {"クイタンあり": False, "喰い替え許可レベル": 1, "場数": 1, "途中流局あり": False, "最大同時和了数": 1}
    rule |= {"カンドラあり": False, "切り上げ満貫あり": True, "トビ終了あり": False, "ツモ番なしリーチあり": True}
    changes: Record = {"start": 30_000, "oka": 0, "uma": (12_000, 4_000, -4_000, -12_000), "open_tanyao": False}
    changes |= {"kuikae": Kuikae.SAME_TILE, "length": Length.EAST, "multiple_ron": 1, "triple_ron_aborts": False}
    changes |= {"kan_dora": KanDora.NONE, "rounded_mangan": True, "tobi": False, "riichi_least_points": 0}
    changes |= dict.fromkeys(("kyuushu_kyuuhai", "four_winds", "four_riichi", "four_kans"), False)
    game = read_paipu(record() | {"rule": rule})
    assert game.rules == replace(KOBALAB, name="kobalab-room", riichi_least_tiles=0, **changes)
    assert read_paipu(record() | {"rule": {"場数": 2}}).rules == KOBALAB


def test_red_fives_are_as_seen() -> None:
    (game,) = read(write_paipu(played("kobalab-nored", 2, "random")))
    assert game.rules == preset("kobalab-nored")


def test_a_single_hand_with_a_result_is_a_game() -> None:
    game = played("kobalab-hand", 4)
    (back,) = read(write_paipu(game))
    assert back.rules.length == Length.SINGLE_HAND
    assert Replayer().replay(back).mismatches == []


def test_a_part_of_a_game_is_no_mismatch() -> None:
    value = record()
    for name in ("defen", "point", "rank"):
        del value[name]
    value["log"] = value["log"][:2]
    (game,) = read(value)
    assert (len(game.hands), game.final_scores) == (2, None)
    assert Replayer().replay(game).mismatches == []


@pytest.mark.parametrize("text", ['{"qipai": 1}', '[{"log": 1, "qipai": 2}]', '["qipai"]'])
def test_other_json_is_no_paipu(text: str) -> None:
    with pytest.raises(RecordError, match="not a paipu"):
        list(read_bytes(text.encode(), "a.json"))

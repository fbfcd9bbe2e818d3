"""Rules of tournament lobbies, and of tables that other programs name."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from made_games import make_game
from tests.claims import cases_of

from janshi.riichi.records import read_mjlog, read_tenhou6_text, write_games, write_mjlog
from janshi.riichi.records.lobby import UNSUPPORTED, custom_of, parts_of
from janshi.riichi.records.mjai import read_mjai_text
from janshi.riichi.records.model import RiichiGame
from janshi.riichi.records.replay import Replayer
from janshi.riichi.records.tenhou6 import write_tenhou6
from janshi.riichi.records.tenhou6_rules import rules_of_record
from janshi.riichi.rules import TENHOU, TENHOU_SANMA, KanDora, Length, Rules

#: One bit of ``csrule``, and the field of the rules that it changes.
BITS: list[tuple[int, int, dict[str, Any]]] = [
    (0, 0x1, {"nagashi_mangan": False}),
    (0, 0x2, {"rounded_mangan": True}),
    (0, 0x4, {"tobi": False}),
    (0, 0x8, {"kan_dora": KanDora.AT_ONCE}),
    (0, 0x28, {"kan_dora": KanDora.NONE, "closed_kan_dora_at_once": False}),
    (0, 0x40, {"ura_dora": False, "kan_ura": False}),
    (0, 0x80, {"kan_ura": False}),
    (0, 0x100, {"four_winds": False}),
    (0, 0x200, {"four_kans": False}),
    (0, 0x400, {"four_riichi": False}),
    (0, 0x800, {"kyuushu_kyuuhai": False}),
    (0, 0x1000, {"triple_ron_aborts": False}),
    (0, 0x2000, {"multiple_ron": 1}),
    (0, 0x4000, {"dealer_stops_leading": False}),
    (0, 0x8000, {"dealer_stops_tenpai": False}),
    (0, 0x20000, {"dealer_repeats_tenpai": False}),
    (0, 0x80000, {"ippatsu": False}),
    (0, 0x200000, {"extension": False}),
    (0, 0x1000000, {"renhou": True}),
    (0, 0x2000000, {"riichi_least_tiles": 1}),
    (0, 0x4000000, {"riichi_kan_keeps_sets": True}),
    (0, 0x8000000, {"karaten_is_tenpai": False}),
    (1, 0x1, {"double_wind_fu": 2}),
    (1, 0x2, {"ties_share_uma": True}),
    (1, 0x4, {"first_takes_deposits": False}),
    (1, 0x8, {"pao_kans": True}),
    (1, 0x10, {"counted_yakuman": False}),
]


def lobby_game(kind: int, csrule: list[str]) -> RiichiGame:
    """Return a game of an mjlog of a tournament lobby."""
    text = write_mjlog(make_game(3 if kind & 0x10 else 4, 1))
    start, _, rest = text.partition("<GO ")
    head = f'<GO type="{kind}" lobby="18940" rule=",,{kind:04x},0,0,0,0" csrule="{",".join(csrule)}"/>'
    return read_mjlog(f"{start}{head}{rest.partition('/>')[2]}")


def csrule(**parts: str) -> list[str]:
    """Return ``csrule`` with parts by number (``p4="30000"``)."""
    return [parts.get(f"p{number}", "") for number in range(40)]


@pytest.mark.parametrize(("word", "bits", "changes"), BITS)
def test_every_bit_of_a_lobby_is_read(word: int, bits: int, changes: dict[str, Any]) -> None:
    game = lobby_game(9, csrule(**{f"p{word}": f"{bits:08X}"}))
    assert game.rules == replace(TENHOU, **changes, name="tenhou-lobby")
    assert not game.notes


@pytest.mark.parametrize(("bits", "changes"), [(0x400000, {"kita": False}), (0x800000, {"tsumo_loss": False})])
def test_bits_for_three_players_are_read(bits: int, changes: dict[str, Any]) -> None:
    rules = lobby_game(25, csrule(p0=f"{bits:08x}")).rules
    assert rules == replace(TENHOU_SANMA, **changes, name="tenhou-sanma-lobby")
    assert lobby_game(9, csrule(p0=f"{bits:08x}")).rules == TENHOU


@pytest.mark.parametrize(*cases_of("messages", "amounts"))
def test_amounts_of_a_lobby_are_read(parts: dict[str, str], changes: dict[str, Any]) -> None:
    rules = lobby_game(9, csrule(**parts)).rules
    assert {name: json.loads(json.dumps(getattr(rules, name))) for name in changes} == changes
    assert rules.name == ("tenhou-lobby" if rules != TENHOU else "tenhou")


@pytest.mark.parametrize(*cases_of("messages", "rules that are not supported"))
def test_rules_of_a_lobby_that_are_not_supported_are_noted(parts: dict[str, str], words: str) -> None:
    game = lobby_game(9, csrule(**parts))
    assert game.notes == {UNSUPPORTED + words: 1}
    game.hands[1].honba += 5
    assert not [mismatch for mismatch in Replayer().replay(game).mismatches if mismatch.sequel]


@pytest.mark.parametrize("value", ["zz", "-1", "1e9", "x" * 5000, "٣٠٠٠٠", "100.5"])
def test_strange_parts_of_a_lobby_change_nothing(value: str) -> None:
    parts = {f"p{number}": value for number in range(40) if value != "-1" or number < 20}
    assert lobby_game(9, csrule(**parts)).rules.start == TENHOU.start


def test_rules_of_a_lobby_survive_every_format() -> None:
    game = lobby_game(9, csrule(p0="00000002", p4="30000"))
    (tenhou6,) = read_tenhou6_text(write_games([game], "tenhou6")[0])
    (mjai,) = read_mjai_text(write_games([game], "mjai")[0])
    assert game.rules == tenhou6.rules == mjai.rules == read_mjlog(write_mjlog(tenhou6)).rules
    assert game.custom == tenhou6.custom == read_mjlog(write_mjlog(mjai)).custom


def test_only_rule_and_csrule_become_attributes() -> None:
    game = lobby_game(9, csrule(p0="00000002"))
    game.custom = 'a b=1;x"y=2;rule=,,0009;csrule=00000002,<>'
    back = read_mjlog(write_mjlog(game))
    assert parts_of(back.custom) == {"rule": ["", "", "0009"], "csrule": ["00000002", ""]}


@pytest.mark.parametrize(
    "rule",
    [
        ["", "", "000b", "0", "0", "0", "0"],
        ["202308022100", "202309302300", "000B"],
        "202308022100,202309302300,000b,0,0,0,0",
        "000b",
    ],
)
def test_a_rule_may_be_a_list_or_a_text(rule: Any) -> None:
    record = write_tenhou6(make_game(4, 1), extras=False) | {"rule": rule, "csrule": csrule(p0="00000008", p4="30000")}
    (game,) = read_tenhou6_text(json.dumps(record))
    assert (game.flags, game.rules.red_fives, game.rules.length) == (11, (0, 0, 0), Length.EAST_SOUTH)
    assert (game.rules.kan_dora, game.rules.start) == (KanDora.AT_ONCE, 30_000)
    assert custom_of(rule, record["csrule"]).endswith(game.custom.partition("csrule=")[2])


@pytest.mark.parametrize("rule", [[], [3], {}, None, 7, "", "x", [None, {}, []], {"disp": None, "aka": "x"}])
def test_a_rule_of_any_shape_is_read(rule: Any) -> None:
    record = write_tenhou6(make_game(4, 1), extras=False) | {"rule": rule, "csrule": {}}
    (game,) = read_tenhou6_text(json.dumps(record))
    assert not game.cut


def test_red_fives_that_the_type_excludes_are_plain() -> None:
    game = make_game(4, 1)
    record = write_tenhou6(game, extras=False)
    assert "51" in json.dumps(record["log"])
    (read,) = read_tenhou6_text(json.dumps(record | {"rule": ["", "", "000b"]}))
    assert read.rules.red_fives == (0, 0, 0)
    assert not read.cut
    assert read.ignored["red fives in a hand of a game without"] > 0


@pytest.mark.parametrize(
    ("disp", "players", "name", "length"),
    [
        ("Jade Room East", 4, "mahjong-soul-east", Length.EAST),
        ("Throne Room South Red", 4, "mahjong-soul", Length.EAST_SOUTH),
        ("3-Player Gold Room South", 3, "mahjong-soul-sanma", Length.EAST_SOUTH),
        ("玉の間東喰赤", 4, "mahjong-soul-east", Length.EAST),
        ("玉之间 四人南", 4, "mahjong-soul", Length.EAST_SOUTH),
        ("Friendly East Aka Nashi", 4, "mahjong-soul-east", Length.EAST),
        ("四鳳南喰赤", 4, "tenhou", Length.EAST_SOUTH),
        ("三鳳南喰赤", 3, "tenhou-sanma", Length.EAST_SOUTH),
        ("三般東喰赤", 3, "tenhou-sanma-east", Length.EAST),
        ("鳳東喰赤速", 4, "tenhou-east", Length.EAST),
        ("般 南 喰 赤", 4, "tenhou", Length.EAST_SOUTH),
        ("tenhou-parlour", 4, "tenhou-parlour", Length.EAST_SOUTH),
        ("Club East", 4, "tenhou-east", Length.EAST),
        ("Club 半荘", 4, "tenhou", Length.EAST_SOUTH),
    ],
)
def test_the_name_of_a_table_says_rules_and_length(disp: str, players: int, name: str, length: Length) -> None:
    named = rules_of_record({"rule": {"disp": disp}}, players, "")
    assert (named.rules.name, named.rules.length, named.length) == (name, length, True)


@pytest.mark.parametrize(("ref", "name"), [("2018010100gm-00a9-0000-0a1b2c3d", "tenhou"), ("", "tenhou")])
def test_tenhous_name_of_a_record_says_its_type(ref: str, name: str) -> None:
    named = rules_of_record({"rule": {"disp": ""}, "ref": ref}, 4, "")
    assert (named.rules.name, named.flags, named.length) == (name, 0xA9 if ref else None, bool(ref))


def east_game(disp: str, hands: int) -> Rules:
    """Return the rules of a game of so many hands, each another's deal, at a table."""
    record = write_tenhou6(make_game(4, 2), extras=False)
    record["log"] = [[[number, *record["log"][0][0][1:]], *record["log"][0][1:]] for number in range(hands)]
    del record["sc"]
    (game,) = read_tenhou6_text(json.dumps(record | {"rule": {"disp": disp, "aka": 1}}))
    guessed = [note for note in game.notes if note.startswith("length of the game guessed")]
    assert bool(guessed) == (disp == "")
    return game.rules


def test_the_length_is_guessed_only_if_nothing_says_it() -> None:
    assert east_game("Jade Room East", 5).length == Length.EAST
    assert east_game("", 5).length == Length.EAST_SOUTH
    assert east_game("玉の間南", 4).length == Length.EAST_SOUTH


def test_results_and_uma_of_a_lobby_are_those_of_the_record(field) -> None:
    from janshi.riichi.rules import final_points

    game = read_mjlog((field / "tournament_csrule.mjlog").read_text("utf-8"))
    assert not Replayer().replay(game).mismatches
    assert final_points(game.rules, game.final_scores) == game.final_points

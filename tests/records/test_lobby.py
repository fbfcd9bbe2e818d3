"""Rules of tournament lobbies, and of tables that other programs name."""

from __future__ import annotations

import json
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
from janshi.riichi.rules import TENHOU, KanDora, Length, Rules


def lobby_text(kind: str = "9", csrule: str = "CSRULE") -> str:
    """Return a game in an mjlog of a tournament lobby."""
    text = write_mjlog(make_game(3 if int(kind) & 0x10 else 4, 1))
    start, _, rest = text.partition("<GO ")
    head = f'<GO type="{kind}" lobby="18940" rule=",,{int(kind):04x},0,0,0,0" csrule="{csrule}"/>'
    return f"{start}{head}{rest.partition('/>')[2]}"


def lobby_game(csrule: list[str]) -> RiichiGame:
    return read_mjlog(lobby_text(csrule=",".join(csrule)))


def csrule(**parts: str) -> list[str]:
    """Return ``csrule`` with parts by number (``p4="30000"``)."""
    return [parts.get(f"p{number}", "") for number in range(40)]


@pytest.mark.parametrize(*cases_of("messages", "amounts"))
def test_amounts_of_a_lobby_are_read(parts: dict[str, str], changes: dict[str, Any]) -> None:
    rules = lobby_game(csrule(**parts)).rules
    assert {name: json.loads(json.dumps(getattr(rules, name))) for name in changes} == changes
    assert rules.name == ("tenhou-lobby" if rules != TENHOU else "tenhou")


@pytest.mark.parametrize(*cases_of("messages", "rules that are not supported"))
def test_rules_of_a_lobby_that_are_not_supported_are_noted(parts: dict[str, str], words: str) -> None:
    game = lobby_game(csrule(**parts))
    assert game.notes == {UNSUPPORTED + words: 1}
    game.hands[1].honba += 5
    assert not [mismatch for mismatch in Replayer().replay(game).mismatches if mismatch.sequel]


@pytest.mark.parametrize("value", ["zz", "-1", "1e9", "x" * 5000, "٣٠٠٠٠", "100.5"])
def test_strange_parts_of_a_lobby_change_nothing(value: str) -> None:
    parts = {f"p{number}": value for number in range(40) if value != "-1" or number < 20}
    assert lobby_game(csrule(**parts)).rules.start == TENHOU.start


def test_rules_of_a_lobby_survive_every_format() -> None:
    game = lobby_game(csrule(p0="00000002", p4="30000"))
    (tenhou6,) = read_tenhou6_text(write_games([game], "tenhou6")[0])
    (mjai,) = read_mjai_text(write_games([game], "mjai")[0])
    assert game.rules == tenhou6.rules == mjai.rules == read_mjlog(write_mjlog(tenhou6)).rules
    assert game.custom == tenhou6.custom == read_mjlog(write_mjlog(mjai)).custom


def test_only_rule_and_csrule_become_attributes() -> None:
    game = lobby_game(csrule(p0="00000002"))
    game.custom = 'a b=1;x"y=2;rule=,,0009;csrule=00000002,<>'
    back = read_mjlog(write_mjlog(game))
    assert parts_of(back.custom) == {"rule": ["", "", "0009"], "csrule": ["00000002", ""]}


@pytest.mark.parametrize(*cases_of("messages", "a rule may be a list or a text"))
def test_a_rule_may_be_a_list_or_a_text(rule: Any) -> None:
    record = write_tenhou6(make_game(4, 1), extras=False) | {"rule": rule, "csrule": csrule(p0="00000008", p4="30000")}
    (game,) = read_tenhou6_text(json.dumps(record))
    assert (game.flags, game.rules.red_fives, game.rules.length) == (11, (0, 0, 0), Length.EAST_SOUTH)
    assert (game.rules.kan_dora, game.rules.start) == (KanDora.AT_ONCE, 30_000)
    assert custom_of(rule, record["csrule"]).endswith(game.custom.partition("csrule=")[2])


def test_red_fives_that_the_type_excludes_are_plain() -> None:
    game = make_game(4, 1)
    record = write_tenhou6(game, extras=False)
    assert "51" in json.dumps(record["log"])
    (read,) = read_tenhou6_text(json.dumps(record | {"rule": ["", "", "000b"]}))
    assert read.rules.red_fives == (0, 0, 0)
    assert not read.cut
    assert read.ignored["red fives in a hand of a game without"] > 0


@pytest.mark.parametrize(*cases_of("messages", "names of tables"))
def test_the_name_of_a_table_says_rules_and_length(disp: str, players: int, name: str, length: str) -> None:
    named = rules_of_record({"rule": {"disp": disp}}, players, "")
    assert (named.rules.name, named.rules.length, named.length) == (name, Length[length], True)


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

"""Small records of other programs (``shared/field``), and records by given rules."""

from __future__ import annotations

import gzip
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from made_games import make_game
from tests.claims import cases_of
from typer.testing import CliRunner

from janshi.arena import play_match
from janshi.cli import app
from janshi.records import convert
from janshi.records.formats import Remarks
from janshi.records.sources import read_bytes, read_games
from janshi.records.verify import Tally, verify
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset.hands import read_hands
from janshi.riichi.records import RiichiGame, read_tenhou6_text, viewer_address, write_games
from janshi.riichi.records.model import UNFINISHED
from janshi.riichi.records.replay import WRONG_LABELS
from janshi.riichi.records.tenhou6 import write_tenhou6
from janshi.riichi.rules import Length, preset
from janshi.sichuan.records.jsonl import play_random_game, write_sichuan

RUNNER = CliRunner()


def tally_of(path: Path, *options: str) -> tuple[Tally, int]:
    """Return the results of ``janshi replay`` and its exit code."""
    done = RUNNER.invoke(app, ["replay", "--json", str(path), *options])
    (values,) = json.loads(done.stdout).values()
    values["remarks"] = Remarks(**values["remarks"])
    return Tally(**values), done.exit_code


@pytest.mark.parametrize(*cases_of("messages", "records of other programs"))
def test_records_of_other_programs_replay(
    name: str, games: int, hands: int, cut: int, code: int, options: list[str], field: Path
) -> None:
    """``hands`` are equal ones."""
    tally, exit_code = tally_of(field / name, *options)
    assert not tally.mismatches
    assert not tally.damaged
    assert (tally.games, tally.hands, len(tally.remarks.cut), exit_code) == (games, hands, cut, code)


@pytest.mark.parametrize("name", ["paipu.json", "paipu-as-tenhou6.txt"])
def test_rules_that_fit_are_suggested(name: str, field: Path) -> None:
    done = RUNNER.invoke(app, ["replay", str(field / name)], env={"COLUMNS": "200"})
    assert done.exit_code == 1
    assert "fits with --rules jpml-a (1 game)" in done.stdout


def test_hands_beside_a_cut_one_are_reviewed_and_learned_from(field: Path) -> None:
    path = field / "cut_in_hand_8.mjlog"
    assert len(set(read_hands([path], 4).games)) == 1
    done = RUNNER.invoke(app, ["review", str(path), "--by", "efficient", "--hands", "0", "--json"])
    notes = json.loads(done.stdout)["notes"]
    assert [note.partition(" is not")[0] for note in notes if "cannot be read" in note] == ["hand 8"]


def test_wrong_labels_are_counted(field: Path) -> None:
    tally, _ = tally_of(field / "paipu-as-tenhou6.txt", "--rules", "jpml-a")
    assert tally.remarks.ignored[WRONG_LABELS] > 0


def test_a_game_without_its_end_is_noted(field: Path) -> None:
    tally, _ = tally_of(field / "riichi-city.json")
    assert tally.remarks.notes[UNFINISHED] == 1


# ---------------------------------------------------------------------------------------------------------
# Variants of tenhou.net/6


def plain(seed: int = 1, **changes: Any) -> dict[str, Any]:
    """Return a record of tenhou.net/6 as a converter writes it."""
    record = write_tenhou6(make_game(4, seed), extras=False)
    return {name: value for name, value in {**record, **changes}.items() if value is not None}


def test_three_players_may_have_four_names_or_three_places() -> None:
    record = write_tenhou6(make_game(3, 1), extras=False)
    record["name"] = ["A", "B", "C", "AI"]
    for log in record["log"]:
        log[1] = [*log[1][:3], 35_000]
    assert next(read_tenhou6_text(json.dumps(record))).players == 3
    record["log"] = [[*log[:13], log[16]] for log in record["log"]]
    game = next(read_tenhou6_text(json.dumps(record)))
    assert (game.players, game.cut, game.names) == (3, [], ["A", "B", "C"])


@pytest.mark.parametrize(
    "form", ["bom", "spaces", "quoted", "address", "address without a site", "shortcut", "words", "indented", "utf-16"]
)
def test_a_record_in_any_wrapping_is_read(form: str) -> None:
    text = json.dumps(plain(), ensure_ascii=False)
    wrapped = {
        "bom": "\ufeff  " + text,
        "spaces": f"\n\n   {text}  \r\n\r\n",
        "quoted": quote(text),
        "address": viewer_address(make_game(4, 1)) + "&ts=3",
        "address without a site": "#json=" + quote(text),
        "shortcut": "[InternetShortcut]\r\nURL=" + viewer_address(make_game(4, 1)) + "\r\n",
        "words": "our game of Sunday:\n\n" + viewer_address(make_game(4, 1)),
        "indented": json.dumps(plain(), indent=2),
        "utf-16": text,
    }[form]
    (game,) = read_bytes(wrapped.encode("utf-16" if form == "utf-16" else "utf-8"), "x")
    assert len(game.hands) == 4


@pytest.mark.parametrize(
    "text", ["[]", "[[]]", "[1]", '{"log": []}', '[{"log": [[]]}]', '{"log": [null]}', "null", "7"]
)
def test_json_of_another_shape_is_refused_in_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    done = RUNNER.invoke(app, ["replay", str(tmp_path / "x.json")])
    assert done.exit_code == 1
    assert isinstance(done.exception, SystemExit)


# ---------------------------------------------------------------------------------------------------------
# Several objects, several members


def test_hands_of_one_game_in_lines_are_joined() -> None:
    record = plain(sc=None)
    lines = [json.dumps({**record, "log": [log]}) for log in record["log"]]
    (game,) = read_tenhou6_text("\n".join(lines))
    (whole,) = read_tenhou6_text(json.dumps(record))
    assert game.hands == whole.hands
    assert [len(game.hands) for game in read_tenhou6_text("\n".join(lines * 2))] == [4, 4]
    named = enumerate(record["log"])
    others = [json.dumps({**record, "log": [log], "name": [str(number)] * 4}) for number, log in named]
    assert [len(game.hands) for game in read_tenhou6_text("\n".join(others))] == [1, 1, 1, 1]


def test_members_of_one_name_are_all_read(tmp_path: Path) -> None:
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as stream:
        stream.writestr("a.mjlog", write_games([make_game(4, 1)], "mjlog")[0])
        with pytest.warns(UserWarning, match="Duplicate name"):
            stream.writestr("a.mjlog", write_games([make_game(4, 2)], "mjlog")[0])
    assert len({game.hands[0].deal.tobytes() for game in read_games([path])}) == 2
    assert convert([path], "mjai", tmp_path / "out").games == 2


def test_a_conversion_does_not_read_its_own_output(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.mjlog").write_text(write_games([make_game(4, 1)], "mjlog")[0])
    for _ in range(3):
        convert([tmp_path / "in"], "mjai", tmp_path / "in" / "converted")
    assert [path.name for path in (tmp_path / "in").rglob("*.jsonl")] == ["a.jsonl"]


def test_a_lone_surrogate_stops_no_conversion(tmp_path: Path) -> None:
    sichuan = write_sichuan(play_random_game("sichuan", seed=1))
    head, _, rest = sichuan.partition("\n")
    wrong: list[dict[str, Any]] = [{"names": ["\ud800", "b", "c", "d"]}, {"rules": {"name": "\ud800"}}, {}]
    for number, changes in enumerate(wrong):
        (tmp_path / f"{number}.jsonl").write_text(json.dumps(json.loads(head) | changes) + "\n" + rest)
    done = convert(sorted(tmp_path.glob("*.jsonl")), "janshi-sichuan", tmp_path / "out")
    assert (done.games, done.damaged) == (3, [])
    assert [(game.names[0], game.rules.name) for game in read_games(sorted(tmp_path.glob("*.jsonl")))] == [
        *(("\ufffd", "sichuan"), ("a", "\ufffd"), ("a", "sichuan"))
    ]


def test_a_packed_record_that_is_cut_keeps_its_first_hands(tmp_path: Path) -> None:
    data = gzip.compress(write_games([make_game(4, 1)], "mjlog")[0].encode())
    (tmp_path / "cut.mjlog.gz").write_bytes(data[: len(data) * 3 // 4])
    (game,) = read_games([tmp_path / "cut.mjlog.gz"])
    assert 0 < len(game.hands) < 4
    assert len(game.cut) == 1


# ---------------------------------------------------------------------------------------------------------
# Given rules


@pytest.mark.parametrize("form", ["tenhou6", "mjai", "mjlog"])
def test_given_rules_take_the_place_of_the_records(form: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(write_games([make_game(4, 1)], form)[0])
    rules = preset("tenhou-east")
    (game,) = read_games([path], rules=rules)
    assert game.rules == rules
    assert read_hands([path], 4, rules=rules).rules == (rules,)
    convert([path], "tenhou6", tmp_path / "out", rules=rules)
    (again,) = read_games([tmp_path / "out"])
    assert again.rules.length == Length.EAST
    (tally,) = verify([path], rules=preset("tenhou-sanma")).values()
    assert "rules of 3" in str(tally.damaged[0])


def test_a_change_of_one_rule_is_suggested_if_no_preset_fits(tmp_path: Path) -> None:
    rules = replace(preset("mahjong-soul"), name="club", ura_dora=False, kan_ura=False)
    games: list[RiichiGame] = []
    play_match([EfficientAgent() for _ in range(4)], rules, 1, seed=5, on_game=games.append)
    record = write_tenhou6(games[0], extras=False) | {"rule": {"disp": "Jade Room South", "aka": 1}}
    path = tmp_path / "club.json"
    path.write_text(json.dumps(record))
    (tally,) = verify([path]).values()
    assert tally.mismatches
    assert "mahjong-soul with ura_dora=False, kan_ura=False" in tally.fits
    printed = RUNNER.invoke(app, ["replay", str(path)], env={"COLUMNS": "200"}).stdout
    assert "fits with --rules FILE.py:NAME, mahjong-soul with" in printed


def test_rules_of_another_game_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.mjlog"
    path.write_text(write_games([make_game(4, 1)], "mjlog")[0])
    done = RUNNER.invoke(app, ["replay", str(path), "--rules", "sichuan"])
    assert done.exit_code == 1
    assert "a record of riichi (mjlog), not of sichuan" in done.output


@pytest.mark.parametrize("command", ["replay", "review", "convert", "dataset"])
def test_unknown_rules_are_named(command: str, tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "out")] if command in ("convert", "dataset") else []
    done = RUNNER.invoke(app, [command, str(tmp_path), "--rules", "nonsense", *out])
    assert done.exit_code != 0
    assert "no rules named 'nonsense'" in str(done.exception) + done.output


def test_rules_of_a_file_decide_a_replay(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import dataclasses\nfrom janshi.riichi.rules import TENHOU\n"
        "MINE = dataclasses.replace(TENHOU, name='mine-for-a-replay', noten_payment=6000)\n"
    )
    path = tmp_path / "game.mjlog"
    path.write_text(write_games([make_game(4, 1)], "mjlog")[0])
    done = RUNNER.invoke(app, ["replay", str(path), "--rules", f"{tmp_path / 'mine.py'}:MINE"])
    assert done.exit_code == 1
    assert "payments" in done.output

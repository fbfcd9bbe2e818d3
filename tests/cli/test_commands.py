"""The command line as a user meets it: answers, exit codes, errors in one line."""

import json
from pathlib import Path

from typer.testing import CliRunner

from janshi.cli import app

RUN = CliRunner()


def test_hand_answers_in_json() -> None:
    result = RUN.invoke(app, ["hand", "123m456p789s1122z", "--json"])
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert answer["shanten"] == 0
    assert answer["discards"] == [{"discard": None, "shanten": 0, "accepted": ["1z", "2z"], "left": 4}]


def test_hand_answers_in_words() -> None:
    result = RUN.invoke(app, ["hand", "123m456p789s1122z3z"])
    assert result.exit_code == 0
    assert "tenpai" in result.stdout
    assert "3z" in result.stdout


def test_impossible_hand_is_one_line() -> None:
    result = RUN.invoke(app, ["hand", "11111m"])
    assert result.exit_code == 2
    assert result.stderr.startswith("janshi hand: ")
    assert result.stderr.count("\n") == 1


def test_convert_names_damaged_files_and_fails(tmp_path: Path) -> None:
    broken = tmp_path / "broken.mjlog"
    broken.write_bytes(b"\x00\x01")
    result = RUN.invoke(app, ["convert", str(broken), "--out", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "broken.mjlog" in result.stderr


def test_convert_refuses_an_unknown_format(tmp_path: Path) -> None:
    result = RUN.invoke(app, ["convert", str(tmp_path), "--to", "nothing", "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "Traceback" not in result.output

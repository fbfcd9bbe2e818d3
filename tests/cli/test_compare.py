"""``janshi compare`` as a user meets it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.cli import app

RUN = CliRunner(env={"COLUMNS": "120"})
COMMAND = ["compare", "efficient", "random", "--hands", "4", "--others", "random"]


def test_tables() -> None:
    result = RUN.invoke(app, COMMAND)
    assert result.exit_code == 0, result.output
    for words in ("efficient vs 2 random", "Multinomial test", "Sign test", "efficient minus random", "Total"):
        assert words in result.stdout


def test_json_and_files_say_the_same(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    result = RUN.invoke(app, [*COMMAND, "--json", "--out", str(out)])
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    assert said == json.loads((out / "compare.json").read_text())
    assert (said["players"], said["others"], said["rules"], said["walls"]) == (
        ["efficient", "random"],
        "random",
        "tenhou-sanma-hand",
        4,
    )
    assert sorted(path.name for path in out.iterdir()) == ["compare.json", "scores.png", "scores.svg"]


def test_four_players() -> None:
    result = RUN.invoke(app, ["compare", "efficient", "random", "--rules", "tenhou", "--hands", "2"])
    assert result.exit_code == 0, result.output
    assert "4th %" in result.stdout
    assert "North" in result.stdout


@pytest.mark.parametrize("command", ["compare efficient random --hands 1", "arena efficient random random --hands 1"])
def test_one_wall_has_no_interval_and_says_no_nan(command: str) -> None:
    result = RUN.invoke(app, command.split())
    assert result.exit_code == 0
    assert "nan" not in result.stdout

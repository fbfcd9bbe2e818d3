"""The command ``janshi paper meowjong compare``."""

import json
from math import nan
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.cli import app
from janshi.papers.meowjong.comparing import verdict
from janshi.papers.single_hands import Difference, HandComparison
from janshi.statistics import Estimate

RUN = CliRunner(env={"COLUMNS": "120"})
COMMAND = ["paper", "meowjong", "compare", "efficient", "random", "--hands", "4", "--others", "random"]


def test_tables() -> None:
    result = RUN.invoke(app, COMMAND)
    assert result.exit_code == 0, result.output
    for words in ("efficient vs 2 random", "Multinomial test", "Sign test", "efficient minus random", "Total"):
        assert words in result.stdout
    assert result.stdout.startswith("No verdict on efficient and random: too few walls for an interval.")


@pytest.mark.parametrize(
    ("intervals", "said"),
    [
        ([(120, 20, 220)], "a is better than b: +120 points a hand (+20 to +220) against 0."),
        ([(120, 20, 220), (9, 1, 17)], "a is better than b: +120 points a hand (+20 to +220) against 0; +9 points"),
        ([(-120, -220, -20)], "a is worse than b: -120 points a hand (-220 to -20) against 0."),
        ([(120, -20, 220)], "No difference between a and b is shown: +120 points a hand (-20 to +220) against 0."),
        ([(120, 20, 220), (-9, -17, -1)], "No difference between a and b is shown: "),
        ([(120, nan, nan)], "No verdict on a and b: too few walls for an interval."),
    ],
)
def test_the_verdict(intervals: list[tuple[float, float, float]], said: str) -> None:
    first = Estimate(0.0, 0.0, 0.0, 1)
    rows = [
        Difference(str(number), "Total", Estimate(value, low, high, 9), first)
        for number, (value, low, high) in enumerate(intervals)
    ]
    told = verdict(HandComparison(("a", "b"), None, "rules", 1, 9, False, differences=tuple(rows)))
    assert told.startswith(said)


def test_json_and_files_agree(tmp_path: Path) -> None:
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
    result = RUN.invoke(app, [*COMMAND[:5], "--rules", "tenhou", "--hands", "2"])
    assert result.exit_code == 0, result.output
    assert "4th %" in result.stdout
    assert "North" in result.stdout


def test_one_wall_has_no_interval_and_prints_no_nan() -> None:
    result = RUN.invoke(app, [*COMMAND[:5], "--hands", "1"])
    assert result.exit_code == 0
    assert "nan" not in result.stdout

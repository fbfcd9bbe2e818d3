"""The command ``janshi compare``."""

import json
from math import inf, nan
from pathlib import Path

import pytest
from typer.testing import CliRunner

from janshi.arena import Answer, Comparison, Difference, Estimate, Style
from janshi.cli.compare import verdict
from tests.claims import cases_of
from tests.commands import janshi

RUN = CliRunner(env={"COLUMNS": "120"})
COMMAND = ["compare", "efficient", "random", "--walls", "8", "--rules", "tenhou-sanma-east"]


def test_tables() -> None:
    result = janshi(*COMMAND, "--others", "efficient")
    for words in ("efficient vs 2 random", "random vs 2 efficient", "mean place", "efficient minus random"):
        assert words in result.stdout
    assert result.stdout.startswith("efficient is better than random: mean place -")
    assert "8 games in each seat" in result.stdout


def comparison(rows: list[tuple[Answer, float, float, float]], until: float | None = None) -> Comparison:
    none = Estimate(0.0, 0.0, 0.0, 1)
    differences = tuple(
        Difference(str(number), none, none, None, Estimate(value, low, high, 900), None, answer)
        for number, (answer, value, low, high) in enumerate(rows)
    )
    style = Style((), (), ())
    return Comparison(
        ("a", "b"), None, "rules", 3, 1, 900, False, until, 0.02, "place", None, (), differences, (), style
    )


BETTER, WORSE, EQUAL, OPEN = Answer.BETTER, Answer.WORSE, Answer.EQUAL, Answer.OPEN


@pytest.mark.parametrize(
    ("rows", "until", "said"),
    [
        (
            [(BETTER, 0.12, 0.02, 0.22)],
            None,
            "a is better than b: mean place -0.120 (-0.220 to -0.020) against 0; 900 walls, 95 % intervals.",
        ),
        (
            [(WORSE, -0.12, -0.22, -0.02)],
            0.01,
            "a is worse than b: mean place +0.120 (+0.020 to +0.220) against 0; 900 walls, wrong with a probability of "
            "0.01 at most.",
        ),
        ([(EQUAL, 0, -0.01, 0.01)], 0.01, "a and b differ by less than 0.02: "),
        ([(OPEN, 0, -0.1, 0.1)], None, "No difference between a and b is shown: "),
        ([(BETTER, 0.1, 0.1, 0.2), (WORSE, -0.1, -0.2, -0.1)], None, "No difference between a and b is shown: "),
        ([(OPEN, 0.12, nan, nan)], None, "No verdict on a and b: too few walls for an interval (900 walls)."),
        ([(OPEN, 0.12, -inf, inf)], 0.01, "No verdict on a and b: too few walls for an interval (900 walls)."),
    ],
)
def test_the_verdict(rows: list[tuple[Answer, float, float, float]], until: float | None, said: str) -> None:
    assert verdict(comparison(rows, until)).startswith(said)


def test_json_and_file_agree(tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder"
    result = janshi(*COMMAND, "--json", "--out", out, "--until", "0.05")
    said = json.loads(result.stdout)
    assert said == json.loads((out / "compare.json").read_text())
    assert (said["players"], said["rules"], said["walls"]) == (["efficient", "random"], "tenhou-sanma-east", 8)
    assert said["standings"][0]["place"]["value"] < 2


@pytest.mark.parametrize(*cases_of("messages", "one wall has no interval and prints no nan"))
def test_one_wall_has_no_interval_and_prints_no_nan(command: str) -> None:
    result = janshi(*command.split())
    assert "nan" not in result.stdout
    assert "inf" not in result.stdout

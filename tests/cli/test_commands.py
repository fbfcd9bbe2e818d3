"""The command line: output, exit codes, one-line errors."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from janshi.cli import app
from janshi.records import Source, Tally
from janshi.sample import SAMPLE
from tests.commands import janshi

RUN = CliRunner()
#: Hands that cannot be, which the npm package's tests read too.
LISTED = json.loads((Path(__file__).parents[2] / "npm" / "test" / "impossible-hands.json").read_text())


def test_hand_answers_in_json() -> None:
    result = janshi("hand", "123m456p789s1122z", "--json")
    answer = json.loads(result.stdout)
    assert answer["shanten"] == 0
    assert answer["discards"] == [{"discard": None, "shanten": 0, "accepted": ["1z", "2z"], "left": 4}]


def test_hand_answers_in_words() -> None:
    result = janshi("hand", "123m456p789s1122z3z")
    assert "tenpai" in result.stdout
    assert "3z" in result.stdout


def test_convert_names_damaged_files_and_fails(tmp_path: Path) -> None:
    broken = tmp_path / "broken.mjlog"
    broken.write_bytes(b"\x00\x01")
    result = janshi("convert", broken, "--out", tmp_path / "out", code=1)
    assert "broken.mjlog" in result.stderr


def test_hand_scores_a_complete_hand() -> None:
    command = ["hand", "123m456p789s1122z2z", "--riichi", "--seat", "S", "--honba", "1"]
    result = janshi(*command, "--json")
    answer = json.loads(result.stdout)
    assert (answer["han"], answer["fu"], answer["points"]) == (2, 40, 2900)
    shown = RUN.invoke(app, command)
    assert "2 han 40 fu" in shown.stdout
    assert "the discarder pays 2,900" in shown.stdout
    assert "40 fu: base 20, closed ron 10, open triplet (S) 4, pair (E) 2" in shown.stdout
    assert answer["fu_parts"][-1] == ["pair", 2, "E"]


@pytest.mark.parametrize("case", LISTED, ids=str)
def test_hand_refuses_a_hand_that_cannot_be(case: dict[str, Any]) -> None:
    options = {"melds": "--meld", "closed_kans": "--kan", "kitas": "--kita"}
    command = ["hand", case["tiles"]]
    for name, value in case.items():
        if name not in ("tiles", "words"):
            option = options.get(name, f"--{name.replace('_', '-')}")
            for each in value if isinstance(value, list) else [value]:
                command += [option] if each is True else [option, str(each)]
    result = janshi(*command, code=2)
    assert "Traceback" not in result.stderr


def test_hand_counts_melds_and_indicators_among_the_visible_tiles() -> None:
    def tiles_left(*options: str) -> int:
        (row,) = json.loads(RUN.invoke(app, ["hand", "23m456p789s11z", *options, "--json"]).stdout)["discards"]
        return int(row["left"])

    assert tiles_left("--meld", "999p") == 8
    assert tiles_left("--meld", "111m") == 5
    assert tiles_left("--meld", "999p", "--dora", "14m") == 6
    refused = janshi("hand", "23m456p789s11z", "--meld", "1111z", code=2)
    assert "more than four 1z" in refused.stderr


def test_arena_writes_records_that_replay(tmp_path: Path) -> None:
    games = tmp_path / "games"
    command = ["arena", "random", "random", "random", "--rules", "tenhou-sanma-east", "--games", "1"]
    result = janshi(*command, "--records", games, "--json")
    assert json.loads(result.stdout)["games"][0]["games"] == 3
    replayed = janshi("replay", games, "--json")
    (tally,) = json.loads(replayed.stdout).values()
    assert (tally["games"], tally["mismatches"]) == (3, [])
    table = RUN.invoke(app, ["replay", str(games)])
    assert "3 games in" in table.stdout


def test_replay_names_damaged_files_and_fails(tmp_path: Path) -> None:
    (tmp_path / "broken.mjlog").write_bytes(b"<mjloggm ver='2.3'><INIT")
    result = janshi("replay", tmp_path, code=1)
    assert "damaged: " in result.stderr
    assert "broken.mjlog" in result.stderr
    janshi("replay", tmp_path / "missing", code=1)


def test_an_interrupted_replay_shows_its_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("janshi.records.verify")

    replay_sources = module.replay_sources
    calls = []

    def once(some: list[Source], rules: object) -> Tally:
        if calls:
            raise KeyboardInterrupt
        calls.append(some)
        return replay_sources(some[:2])

    monkeypatch.setattr(module, "replay_sources", once)
    monkeypatch.setattr(module, "_CHUNK", 2)
    result = janshi("replay", SAMPLE, code=130)
    assert "interrupted" in result.stderr
    assert "2 games in" in result.stdout

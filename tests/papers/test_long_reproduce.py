"""The `long` paper on games of our own at the smallest scale: what its report says, and that it survives a kill."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("jinja2")

from typer.testing import CliRunner

from janshi.agents import EfficientAgent
from janshi.arena import MatchConfig, play_match
from janshi.cli import app
from janshi.papers.long import figures
from janshi.papers.long.networks import PREDICTED
from janshi.papers.long.scales import SCALES
from janshi.papers.long.stages import PAPER, STAGES, gain
from janshi.papers.registry import PAPERS
from janshi.papers.runner import Options, digest_of, run_stages
from janshi.records.convert import GameWriter
from janshi.registry import agent
from janshi.riichi.rules import preset
from tests.learn.made import Caller

RUN = CliRunner(env={"COLUMNS": "160"})


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Two years of games; half of the players call what they can."""
    folder = tmp_path_factory.mktemp("games")
    seated = [EfficientAgent(), Caller(), EfficientAgent(), Caller()]
    for year, walls in ((2020, 6), (2021, 10)):
        with GameWriter(folder / f"made-{year}", "mjlog") as writer:
            once = MatchConfig(rotations=1)  # the same walls again would be both learned from and tested on
            play_match(seated, preset("tenhou-east"), walls, seed=year, config=once, on_game=writer.write)
    return folder


@pytest.fixture(scope="module")
def finished(games, tmp_path_factory):
    """A run that nothing interrupts: its folder, what it printed."""
    out = tmp_path_factory.mktemp("finished") / "out"
    result = RUN.invoke(app, command(games, out))
    assert result.exit_code == 0, result.output + result.stderr
    return out, result.stdout


def command(games: Path, out: Path) -> list[str]:
    return ["reproduce", "long", "--records", str(games), "--out", str(out), "--scale", "tiny"]


def read(folder: Path):
    def never(name: str) -> None:
        raise AssertionError(f"{name} in report.json")

    return json.loads((folder / "report.json").read_text(), parse_constant=never)


def without_times(report):
    """A report without what depends on the clock."""
    if isinstance(report, dict):
        return {name: without_times(value) for name, value in report.items() if name != "seconds"}
    return [without_times(value) for value in report] if isinstance(report, list) else report


def test_the_page_stands_alone_and_has_every_section(finished):
    out, printed = finished
    page = (out / "report.html").read_text()
    for name in ("short", "limits", "records", "networks", "yaku", "discards", "calls", "matches", "time"):
        assert f'<section id="{name}">' in page
        assert f'href="#{name}"' in page
    assert not re.findall(r'(?:src|href)="([^"#][^"]*)"', page)
    assert "<script" not in page
    for words in ("Tables 2 to 5", "Tables 6 and 7", "Tables 8 and 9", "Table 10", "All forty", "McNemar", "whole"):
        assert words in page, words
    for number in range(1, 7):
        assert f"Figure {number}: " in page
    assert page.count("<svg") == 7
    text = re.sub(r"<svg.*?</svg>", "", page, flags=re.S)
    assert not re.search(r"\b(nan|inf|None|Undefined)\b", re.sub(r"<[^>]+>", " ", text))
    assert "paper 66.81" in " ".join(printed.split())


def test_numbers_come_with_what_they_were_counted_over(finished):
    stages = read(finished[0])["stages"]
    assert list(stages) == [stage.name for stage in STAGES]
    sizes = stages["records"]["sizes"]
    for decision in ("discard", "pon", "chii"):
        networks = stages[decision]["networks"]
        assert set(networks) == {"without", "with"}
        for network in networks.values():
            test = network["test"]
            accuracy = test["accuracy"]
            assert 0 < accuracy["count"] <= sizes["test"][decision]["situations"]
            assert accuracy["low"] <= accuracy["value"] <= accuracy["high"]
            assert network["samples"] >= 0.9 * getattr(SCALES["tiny"], _samples(decision))
            if decision != "discard":
                table = test["confusion"]
                assert sum(map(sum, table)) == accuracy["count"]
                right = sum(table[number][number] for number in range(len(table)))
                assert right / accuracy["count"] == pytest.approx(accuracy["value"])
                call = test["call"]["confusion"]
                assert call[0][0] == table[0][0]
                assert sum(map(sum, call)) == accuracy["count"]
        found = stages[decision]["gain"]
        difference = networks["with"]["test"]["accuracy"]["value"] - networks["without"]["test"]["accuracy"]["value"]
        assert found["difference"]["value"] == pytest.approx(difference)
        assert (found["better"] - found["worse"]) / found["situations"] == pytest.approx(difference)
    assert set(stages["yaku"]["table"]) == set(map(str, PREDICTED))
    assert sizes["training"]["yaku"]["situations"] > 0


def _samples(decision: str) -> str:
    return "discard_samples" if decision == "discard" else "call_samples"


def test_its_player_can_be_seated(finished):
    player = agent(str(finished[0] / "06-matches" / "player" / "with"))
    match = play_match([player, *[EfficientAgent()] * 3], preset("tenhou-hand"), 1)
    assert len(match.hands.change) == 4


def test_the_same_command_again_does_nothing_twice(finished, games):
    out, _ = finished
    before, written = read(out), {path: path.stat().st_mtime_ns for path in out.rglob("*.safetensors")}
    assert written
    events = []
    options = Options(SCALES["tiny"], (games,))
    results = run_stages(PAPER, options, out, digest_of([games]), lambda event: events.append(event.state))
    assert events == ["skipped"] * len(STAGES)  # the page alone is drawn again each time
    assert results == before["stages"]
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*.safetensors")} == written


@pytest.mark.long
def test_killed_in_three_stages_it_ends_with_the_same_report(finished, games, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(finished[0] / "01-records", out / "01-records")
    for sign in ("02-yaku/stage.json", "03-discard/without.json", "05-chii/with/player.json"):
        process = start(games, out)
        until = time.monotonic() + 120
        while not (out / sign).exists() and process.poll() is None:
            assert time.monotonic() < until, f"no {sign}"
            time.sleep(0.01)
        process.kill()
        process.wait()
        assert (out / sign).exists()
    process = start(games, out)
    errors = process.communicate()[1]
    assert process.returncode == 0, errors
    assert without_times(read(out)) == without_times(read(finished[0]))


def start(games: Path, out: Path) -> "subprocess.Popen[str]":
    code = "from janshi.cli import main; main()"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    words = [sys.executable, "-c", code, *command(games, out)]
    return subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def test_one_game_is_too_few(tmp_path):
    with GameWriter(tmp_path / "games", "mjlog") as writer:
        once = MatchConfig(rotations=1)
        play_match([EfficientAgent()] * 4, preset("tenhou-hand"), 1, config=once, on_game=writer.write)
    result = RUN.invoke(app, command(tmp_path / "games", tmp_path / "out"))
    assert result.exit_code == 2
    assert "too few records" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_gain_is_mcnemars():
    """Twelve situations that one alone has right, two the other: the exact two-sided probability is known."""
    import numpy as np

    from janshi.papers.long.tasks import Answers

    labels = np.zeros(20, np.int64)
    right, wrong = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)
    without = np.stack([*[wrong] * 12, *[right] * 2, *[right] * 6])
    fed = np.stack([*[right] * 12, *[wrong] * 2, *[right] * 6])
    hands = np.ones((20, 34), np.int8)
    groups = np.arange(20)
    result = gain(Answers(without, labels, hands, groups), Answers(fed, labels, hands, groups))
    assert (result["better"], result["worse"]) == (12, 2)
    assert result["p"] == pytest.approx(2 * (1 + 14 + 91) / 2**14)
    assert result["difference"]["value"] == pytest.approx(0.5)


def test_what_the_paper_prints_fits_together():
    """Accuracy of pon from its tables to a hundredth of a percent; F1 from precision and recall."""
    for number, table in enumerate(figures.CONFUSION["pon"]):
        assert (table[0] + table[3]) / sum(table) == pytest.approx(figures.ACCURACY["pon"][number], abs=1e-4)
    for _, precision, recall, f1 in figures.YAKU.values():
        assert 2 * precision * recall / (precision + recall) == pytest.approx(f1, abs=1e-4)


def test_scales_are_known_without_torch():
    assert [scale.name for scale in PAPERS["long"].scales()] == ["tiny", "small", "medium", "full"]

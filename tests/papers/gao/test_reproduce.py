"""A whole reproduction on games of our own at the smallest scale: what it says, and that it survives what ends it."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("jinja2")

from tools import study_situations
from typer.testing import CliRunner

from janshi.agents import EfficientAgent
from janshi.arena import play_match
from janshi.cli import app
from janshi.papers.gao import figures
from janshi.papers.gao.decisions import DECISIONS
from janshi.papers.gao.scales import SCALES
from janshi.papers.gao.stages import PAPER, STAGES
from janshi.papers.registry import PAPERS
from janshi.papers.runner import Options, ReproduceError, digest_of, run_stages
from janshi.records.convert import GameWriter
from janshi.registry import agent
from janshi.riichi.rules import preset
from tests.learn.made import Caller

RUN = CliRunner(env={"COLUMNS": "160"})
NETWORKS = {"tile", "off-table-68", "off-table-86", "sequential", "sequential-masked"}


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Games of two years, with calls and with riichi.

    Each wall is played in four rotations of the seats, which stand together: a fifth of five walls is one wall. Games
    of "ai" are those of programs, for the test apart.
    """
    folder = tmp_path_factory.mktemp("games")
    for year, walls, player in ((2018, 2, Caller()), (2024, 5, EfficientAgent()), ("ai", 1, EfficientAgent())):
        with GameWriter(folder / f"made-{year}", "mjlog") as writer:
            play_match([player] * 4, preset("tenhou-east"), walls, seed=len(str(year)) * walls, on_game=writer.write)
    return folder


@pytest.fixture(scope="module")
def finished(games, tmp_path_factory):
    """A run that nothing interrupts: its folder, what it printed."""
    out = tmp_path_factory.mktemp("finished") / "out"
    result = RUN.invoke(app, command(games, out))
    assert result.exit_code == 0, result.output + result.stderr
    return out, result.stdout


def command(games: Path, out: Path) -> list[str]:
    return ["reproduce", "gao", "--records", str(games), "--out", str(out), "--scale", "tiny"]


def read(folder: Path):
    return json.loads((folder / "report.json").read_text())


def without_times(report):
    """A report without what depends on the clock."""
    if isinstance(report, dict):
        return {name: without_times(value) for name, value in report.items() if "seconds" not in name}
    return [without_times(value) for value in report] if isinstance(report, list) else report


# ---------------------------------------------------------------------------------------------------------
# The report


def test_the_page_stands_alone_and_has_every_section(finished):
    out, printed = finished
    page = (out / "report.html").read_text()
    for name in ("short", "limits", "records", "discards", "calls", "ablations", "matches", "time"):
        assert f'<section id="{name}">' in page
        assert f'href="#{name}"' in page
    assert set(re.findall(r'(?:src|href)="([^"#][^"]*)"', page)) == set()
    assert "<script" not in page
    assert "url(http" not in page
    for words in ("Table 6.2", "Table 7.1", "Table 7.2", "Table 7.3", "Ablations", "made-2024/", "learns from padding"):
        assert words in page, words
    assert page.count("<svg") == 4
    text = re.sub(r"<svg.*?</svg>", "", page, flags=re.S)
    assert not re.search(r"\b(nan|inf|None|Undefined)\b", re.sub(r"<[^>]+>", " ", text))
    assert "paper 69.48" in printed
    assert "paper 76.85" in printed


def test_numbers_come_with_what_they_were_counted_over(finished):
    report = read(finished[0])
    stages = report["stages"]
    assert list(stages) == [stage.name for stage in STAGES]
    assert set(stages["discards"]["networks"]) == NETWORKS
    assert set(stages["calls"]["networks"]) == set(DECISIONS[1:])
    ablations = {"as-it-is", "without-riichi-planes", "dora-tiles", "with-pooling"}
    assert set(stages["ablations"]["networks"]) == ablations
    sizes = stages["records"]["sizes"]
    for network in stages["discards"]["networks"].values():
        test = network["test"]
        assert 0 < test["all"]["top"][0]["count"] <= sizes["discard"]["test"]["situations"]
        assert 0 < test["one a hand"]["top"][0]["count"] <= sizes["discard"]["test"]["hands"]
        tops = [top["value"] for top in test["all"]["top"]]
        assert tops == sorted(tops)
        assert test["masked"]["top"][0]["value"] >= test["all"]["top"][0]["value"]
        assert sum(map(sum, test["classes"]["confusion"])) == test["all"]["top"][0]["count"]
        assert network["situations"] > 0
    for decision, network in stages["calls"]["networks"].items():
        classes = network["test"]["classes"]
        assert len(classes["confusion"]) == {"pon": 2, "chii": 4, "riichi": 2}[decision]
        labels = [sum(row[column] for row in classes["confusion"]) for column in range(len(classes["confusion"]))]
        assert classes["majority"]["value"] == pytest.approx(max(labels) / sum(labels))
    padded = [point for point in stages["discards"]["networks"]["sequential"]["curve"] if point.get("development")]
    assert set(padded[-1]["development"]) == {"discard", "discard with padding"}
    blocks = {(block["player"], block["against"]) for block in stages["matches"]["blocks"]}
    assert {("gao", "efficient"), ("efficient", "gao"), ("gao", "Random")} <= blocks


def test_games_of_programs_are_tested_on_apart_and_not_learned_from(finished):
    stages = read(finished[0])["stages"]
    assert list(stages["records"]["machines"]["archives"]) == ["made-ai"]
    for part in stages["records"]["sets"].values():
        assert "made-ai" not in part["archives"]
    for stage in ("discards", "calls"):
        for network in stages[stage]["networks"].values():
            assert network["machines"]["all"]["top"][0]["count"] > 0
    assert "Apart: games of programs" in (finished[0] / "report.html").read_text()


def test_no_game_is_learned_from_and_tested_on(finished):
    stages = read(finished[0])["stages"]
    assert stages["records"]["sets"]["test"]["archives"].keys() == {"made-2024"}
    assert "a fifth of the" in stages["records"]["rule"]


def test_the_player_can_be_seated(finished):
    player = agent(str(finished[0] / "05-matches" / "player"))
    match = play_match([player, *[EfficientAgent()] * 3], preset("tenhou-hand"), 1)
    assert match.hands.change.shape == (4, 4)


def test_what_the_thesis_prints_fits_together():
    assert figures.accuracy("pon") == pytest.approx(0.8832, abs=5e-5)
    assert figures.accuracy("chii") == pytest.approx(0.9062, abs=5e-5)
    assert figures.accuracy("riichi") == pytest.approx(0.7685, abs=5e-5)
    for decision, table in figures.CONFUSION.items():
        assert sum(map(sum, table)) == figures.TESTED[decision]
    ((_, missed), (wrong, right)) = figures.CONFUSION["pon"]
    assert right / (right + wrong) == pytest.approx(0.8146, abs=5e-5)
    assert right / (right + missed) == pytest.approx(0.7821, abs=5e-5)
    called = [row[1:] for row in figures.CONFUSION["chii"][1:]]
    right_kind = sum(row[place] for place, row in enumerate(called))
    assert right_kind / sum(map(sum, called)) == pytest.approx(0.9611, abs=5e-5)


def test_it_has_four_scales():
    assert [scale.name for scale in PAPERS["gao"].scales()] == ["tiny", "small", "medium", "full"]


# ---------------------------------------------------------------------------------------------------------
# Going on


def test_the_same_command_again_does_nothing_twice(finished, games):
    """The stages alone: the page is drawn again each time."""
    events = []
    options = Options(SCALES["tiny"], (games,))
    results = run_stages(PAPER, options, finished[0], digest_of([games]), lambda event: events.append(event.state))
    assert events == ["skipped"] * len(STAGES)
    assert results == read(finished[0])["stages"]


@pytest.mark.long
def test_killed_in_three_stages_it_ends_with_the_same_report(finished, games, tmp_path):
    out = tmp_path / "out"
    for sign in ("02-discards/tile.json", "03-calls/pon.json", "05-matches/stage.json"):
        process = start(games, out)
        until = time.monotonic() + 240
        while not (out / sign).exists():
            assert process.poll() is None, f"ended before {sign}"
            assert time.monotonic() < until, f"no {sign}"
            time.sleep(0.01)
        process.kill()
        process.wait()
        assert not (out / sign.split("/")[0] / "result.json").exists()
    process = start(games, out)
    assert process.wait(240) == 0
    assert without_times(read(out)) == without_times(read(finished[0]))


def start(games: Path, out: Path) -> "subprocess.Popen[bytes]":
    code = "from janshi.cli import main; main()"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3] / "src")}
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-c", code, *command(games, out)], env=environment, **silent)


# ---------------------------------------------------------------------------------------------------------
# What goes wrong


def test_more_situations_than_a_scale_has_can_be_learned_from(finished, tmp_path):
    out, _ = finished
    result = study_situations.trained(out, tmp_path / "long", "off-table-68", 300)
    assert 200 <= result["samples"] <= 600
    assert result["test"]["all"]["top"][0]["count"] > 0
    lines = study_situations.table(result).splitlines()
    assert lines[0].split()[0] == f"{result['curve'][0]['samples']:,}"
    assert " of " in lines[-1]
    with pytest.raises(ReproduceError, match="no network 'hexagonal': there are tile, off-table-68"):
        study_situations.trained(out, tmp_path / "long", "hexagonal", 300)
    with pytest.raises(ReproduceError, match=r"holds no report\.json"):
        study_situations.trained(tmp_path, tmp_path / "long", "tile", 300)


def test_too_few_records_are_said(games, tmp_path):
    game = sorted((games / "made-2024").iterdir())[0]
    result = RUN.invoke(app, ["reproduce", "gao", "--records", str(game), "--out", str(tmp_path), "--scale", "tiny"])
    assert result.exit_code == 2
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("janshi reproduce: too few records")


def test_games_of_three_are_no_records(tmp_path):
    from janshi.sample import SAMPLE

    result = RUN.invoke(app, ["reproduce", "gao", "--records", str(SAMPLE), "--out", str(tmp_path), "--scale", "tiny"])
    assert result.exit_code == 2
    assert "no hand of 4 players" in result.stderr

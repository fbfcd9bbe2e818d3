"""A whole reproduction on games of our own at the smallest scale: what it says, and that it survives what ends it."""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("jinja2")

from typer.testing import CliRunner

from janshi.agents import EfficientAgent
from janshi.arena import play_match
from janshi.cli import app
from janshi.papers.meowjong import figures
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.networks import KERNELS
from janshi.papers.meowjong.orphans import ENDS
from janshi.papers.meowjong.records import enough
from janshi.papers.meowjong.scales import SCALES
from janshi.papers.meowjong.stages import PAPER, STAGES
from janshi.papers.records import divide, first_games
from janshi.papers.runner import Options, digest_of, run_stages
from janshi.records.convert import GameWriter
from janshi.riichi.rules import preset

RUN = CliRunner(env={"COLUMNS": "160"})


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Two years of games."""
    folder = tmp_path_factory.mktemp("games")
    agent = EfficientAgent()
    for year, walls in ((2020, 4), (2021, 1)):
        with GameWriter(folder / f"made-{year}", "mjlog") as writer:
            play_match([agent] * 3, preset("tenhou-sanma-east"), walls, seed=year, on_game=writer.write)
    return folder


@pytest.fixture(scope="module")
def finished(games, tmp_path_factory):
    """A run that nothing interrupts: its folder, what it printed."""
    out = tmp_path_factory.mktemp("finished") / "out"
    result = RUN.invoke(app, command(games, out))
    assert result.exit_code == 0, result.output + result.stderr
    return out, result.stdout


def command(games: Path, out: Path) -> list[str]:
    return ["reproduce", "meowjong", "--records", str(games), "--out", str(out), "--scale", "tiny"]


def read(folder: Path):
    def never(name: str) -> None:
        raise AssertionError(f"{name} in report.json")

    return json.loads((folder / "report.json").read_text(), parse_constant=never)


def without_times(report):
    """A report without what depends on the clock."""
    if isinstance(report, dict):
        return {name: without_times(value) for name, value in report.items() if name != "seconds"}
    return [without_times(value) for value in report] if isinstance(report, list) else report


# ---------------------------------------------------------------------------------------------------------
# The report


def test_the_page_stands_alone_and_has_every_section(finished):
    out, printed = finished
    page = (out / "report.html").read_text()
    sections = ("short", "limits", "records", "kernels", "networks", "ours", "reinforce", "matches", "tests", "time")
    for name in sections:
        assert f'<section id="{name}">' in page
        assert f'href="#{name}"' in page
    outside = set(re.findall(r'(?:src|href)="([^"#][^"]*)"', page))
    assert outside == {figures.LINKS["conference paper"]}
    assert "<script" not in page
    assert "@import" not in page
    assert "url(http" not in page
    for words in (
        "riichi can never be declared",
        "equal points share the better place",
        "a fraction of the papers",
        "Weights begin as Keras",
        "all numbers have 32 bits",
        "Batches are the papers'",
        "Table 3.7",
        "Held out by example, and by game",
        "always the most frequent, %",
        "among the possible, %",
        "one prediction",
        "at α = 0.05",
        "at α/2 = 0.025",
        "accepted",
        "Hands dropped for impossible discards",
        "places shared",
        "East's 50 % taken out",
        "impossible first choices in",
        "Discount and learning rate of the papers",
        "Table 3.3",
        "Table 3.4",
        "Table V",
        "Table 4.1",
        "situations trained on",
        "Table VIII",
        "Table IX",
        "Table X",
        "Table XI",
        "Table 4.6",
        "Paired differences",
    ):
        assert words in page, words
    # Heat map, five learning curves, two of ours, five of each REINFORCE, four box plots and more.
    assert page.count("<svg") >= 1 + 5 + 2 + 10 + 4
    text = re.sub(r"<svg.*?</svg>", "", page, flags=re.S)
    assert not re.search(r"\b(nan|inf|None|Undefined)\b", re.sub(r"<[^>]+>", " ", text))
    assert "report:" in printed
    assert "paper 65.81" in printed


def test_numbers_come_with_what_they_were_counted_over(finished):
    report = read(finished[0])
    stages = report["stages"]
    assert list(stages) == [stage.name for stage in STAGES]
    for decision in DECISIONS:
        size = stages["records"]["sizes"][decision]
        for name in ("training", "development", "test"):
            assert size[name]["examples"] > 0
        ours = stages["ours"]["test"][decision]["top"][0]
        assert ours["count"] == size["test"]["examples"]
        assert ours["low"] - 1e-9 <= ours["value"] <= ours["high"] + 1e-9
        for stage in ("five", "scaled"):
            network = stages[stage]["networks"][decision]
            assert network["samples"] > 0
            assert 0 < network["test"]["top"][0]["count"] <= size["test"]["examples"]
            assert len(network["curve"]) >= 1
            assert network["prediction"]["seconds"] > 0
            assert network["test"]["majority"]["count"] == network["test"]["top"][0]["count"]
            # The kernel is one that the search chose, where it searched.
            tied = stages["search"]["tied"].get(decision, [list(KERNELS[decision])])
            assert network["kernel"] in tied
        check = stages["records"]["means"][decision]["check"]
        assert abs(check["relative error"]) < 1e-9
    matches = stages["matches"]
    for part, mine in (("papers", ("SL", "RL")), ("ours", ("our SL", "our RL"))):
        blocks = {(block["player"], block["against"]) for block in matches[part]["blocks"]}
        everybody = {(player, other) for player in mine for other in (*mine, "Random")} | {("Random", "Random")}
        assert blocks == everybody - {(mine[1], mine[1])}
    # Plus: SL-scaled ends better than SL.
    assert matches["scaled"]["players"] == ["SL-scaled", "SL"]
    assert {row["against"] for row in matches["scaled"]["signs"]} == {"Random"}
    for start in stages["records"]["starts"]:
        assert sum(start[end] for end in ENDS) <= start["hands"]
    assert [run["discount"] for run in stages["rl-search"]["runs"]] == [0.99]
    assert set(stages["splits"]["decisions"]) == {"pon"}
    page = (finished[0] / "report.html").read_text()
    accuracy = stages["ours"]["test"]["discard"]["unmasked"]
    assert f"{100 * accuracy['value']:.2f}<span" in page
    assert report["machine"]["cores"] >= 1
    assert all(stage["seconds"] >= 0 for stage in stages.values())


def test_weights_of_the_papers_networks_do_not_stay(finished):
    out, _ = finished
    left = sorted(str(path) for path in out.glob("0[34578]*/*/best.safetensors"))
    assert left == []
    assert (out / "06-ours" / "player" / "player.onnx").exists()
    assert (out / "09-steady" / "player" / "player.onnx").exists()


def test_what_the_papers_print_fits_together():
    """To a hundredth of a percent: 10 of 15,000 are printed as 0.06 %."""
    for name, seats in figures.COUNTS.items():
        for seat, counts in seats.items():
            rates = [count / sum(counts) for count in counts]
            assert np.allclose(rates, figures.RATES[name][seat], atol=1e-4), (name, seat)
        parts = [seats[seat] for seat in ("East", "South", "West")]
        assert tuple(np.sum(parts, axis=0)) == seats["Total"]
    for plus, minus, null, n, _, _ in figures.SIGNS.values():
        assert n - (plus + minus + null) in (0, 1)


# ---------------------------------------------------------------------------------------------------------
# Going on


def test_the_same_command_again_does_nothing_twice(finished, games):
    """The stages alone: the page is drawn again each time."""
    out, _ = finished
    before = {path: path.stat().st_mtime_ns for path in out.glob("*/result.json")}
    events = []
    options = Options(SCALES["tiny"], (games,))
    results = run_stages(PAPER, options, out, digest_of([games]), lambda event: events.append(event.state))
    assert events == ["skipped"] * len(STAGES)
    assert results == read(out)["stages"]
    assert {path: path.stat().st_mtime_ns for path in out.glob("*/result.json")} == before


@pytest.mark.long
def test_killed_in_three_stages_it_ends_with_the_same_report(finished, games, tmp_path):
    """What the papers' networks do not follow from is taken over, which tries the skipping too."""
    out = tmp_path / "out"
    for name in ("01-records", "02-search", "06-ours", "09-steady"):
        shutil.copytree(finished[0] / name, out / name)
    for sign in ("03-five/pon.json", "07-papers-rl/stage.json", "10-matches/papers.json"):
        process = start(games, out)
        until = time.monotonic() + 120
        while not (out / sign).exists():
            assert process.poll() is None, f"ended before {sign}"
            assert time.monotonic() < until, f"no {sign}"
            time.sleep(0.01)
        process.kill()
        process.wait()
        assert not (out / sign.split("/")[0] / "result.json").exists()
    process = start(games, out)
    assert process.wait(120) == 0
    assert without_times(read(out)) == without_times(read(finished[0]))


def start(games: Path, out: Path) -> "subprocess.Popen[bytes]":
    code = "from janshi.cli import main; main()"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-c", code, *command(games, out)], env=environment, **silent)


def test_ctrl_c_says_how_it_goes_on(games, tmp_path, monkeypatch):
    def stop(paths, players, progress):
        raise KeyboardInterrupt

    monkeypatch.setattr("janshi.papers.records.read_hands", stop)
    result = RUN.invoke(app, command(games, tmp_path / "out"))
    assert result.exit_code == 130
    assert "the same command goes on" in result.stderr


def test_another_choice_is_refused_and_harms_nothing(finished, games):
    out, _ = finished
    before = (out / "report.json").read_text()
    for changes, words in (
        (["--seed", "1"], "another choice of seed (0 there, 1 now)"),
        (["--scale", "small"], "another choice of scale"),
        (["--records", str(games / "made-2020")], "another choice of records"),
    ):
        result = RUN.invoke(app, [*command(games, out), *changes])
        assert result.exit_code == 2
        assert words in result.stderr
    assert (out / "report.json").read_text() == before


# ---------------------------------------------------------------------------------------------------------
# Records


@pytest.fixture(scope="module")
def hands(games):
    from janshi.learn.dataset import read_hands

    return read_hands([games], 3)


def test_the_newest_year_is_tested_on(hands):
    learned, tested, rule = divide(hands, 0)
    assert {learned.names[game].split("/")[0] for game in learned.games} == {"made-2020"}
    assert {tested.names[game].split("/")[0] for game in tested.games} == {"made-2021"}
    assert "2021" in rule
    assert len(learned) + len(tested) == len(hands)


def test_games_of_the_years_before_make_the_test_set_a_tenth(hands):
    """A hand of the newest year is less than a tenth of them: the last games of the year before join it."""
    order = sorted(range(len(hands.names)), key=lambda game: hands.names[game])
    names = list(hands.names)
    for place, game in enumerate(order):
        names[game] = f"all.zip:{2021 if game == order[-1] else 2020}01{place + 1:02}00gm.mjlog"
    of_newest = np.flatnonzero(hands.games == order[-1])
    few = dataclasses.replace(hands.part(np.setdiff1d(np.arange(len(hands)), of_newest[1:])), names=tuple(names))
    assert len(few) > 20
    learned, tested, rule = divide(few, 0)
    last_learned = max(names[game] for game in learned.games)
    tested_games = sorted(set(tested.games.tolist()), key=lambda game: names[game])
    assert last_learned < names[tested_games[0]]
    assert len(learned) + len(tested) == len(few)
    without_the_last_to_join = len(tested) - (tested.games == tested_games[0]).sum()
    assert without_the_last_to_join < len(few) / 10 <= len(tested)
    assert f"{len(tested_games) - 1} games of the years before" in rule


def test_odd_games_are_left_out_and_one_year_is_split_by_game(hands):
    odd = tuple(name.replace("made-2021/", "made-odd.zip:2022010100gm") for name in hands.names)
    learned, tested, rule = divide(dataclasses.replace(hands, names=odd), 0)
    assert "one year" in rule
    assert not set(learned.games.tolist()) & set(tested.games.tolist())
    used = {odd[game] for game in (*learned.games.tolist(), *tested.games.tolist())}
    assert used == {name for name in odd if "odd" not in name}


def test_as_many_hands_as_it_takes(hands):
    from janshi.papers.meowjong.labels import sizes

    first = first_games(hands, 20, 1)
    games = set(first.games.tolist())
    assert len(first) == np.isin(hands.games, list(games)).sum() >= 20

    few = enough(hands, "pon", 15, 1)
    assert 15 <= sizes(few)["pon"].examples < 30
    assert enough(hands, "pon", None, 1) is hands


# ---------------------------------------------------------------------------------------------------------
# What goes wrong


def test_bad_input_is_one_line(tmp_path, games):
    (tmp_path / "empty").mkdir()
    out = ["--out", str(tmp_path / "out")]
    for arguments, words in (
        (["nobody", "--records", str(games)], "no paper 'nobody'"),
        (["meowjong", "--records", str(games), "--scale", "huge"], "no scale 'huge'"),
        (["meowjong"], "name records by --records"),
        (["meowjong", "--train", str(games)], "name records by --records"),
        (["meowjong", "--records", str(tmp_path / "none")], "no such file or folder"),
        (["meowjong", "--records", str(tmp_path / "empty"), "--scale", "tiny"], "no hand of 3 players"),
    ):
        result = RUN.invoke(app, ["reproduce", *arguments, *out])
        assert result.exit_code == 2, arguments
        last = result.stderr.strip().splitlines()[-1]
        assert last.startswith("janshi reproduce: "), result.stderr
        assert words in last
        assert "Traceback" not in result.stderr


def test_too_few_records_are_said(games, tmp_path):
    game = sorted((games / "made-2020").iterdir())[0]
    result = RUN.invoke(
        app, ["reproduce", "meowjong", "--records", str(game), "--out", str(tmp_path), "--scale", "tiny"]
    )
    assert result.exit_code == 2
    assert "too few records" in result.stderr


def test_nothing_is_tested_on_that_was_learned_from(games, tmp_path):
    year = str(games / "made-2020")
    command = ["reproduce", "meowjong", "--train", year, "--test", year, "--out", str(tmp_path), "--scale", "tiny"]
    result = RUN.invoke(app, command)
    assert result.exit_code == 2
    assert "both learned from and tested on" in result.stderr


def test_records_are_named_one_by_one(games, tmp_path):
    """``--train`` and ``--test`` say which is which: the first stage alone."""
    years = {"training": (games / "made-2021",), "test": (games / "made-2020",)}
    options = Options(SCALES["tiny"], **years)
    first_stage = dataclasses.replace(PAPER, stages=STAGES[:1])
    result = run_stages(first_stage, options, tmp_path, "records", lambda event: None)["records"]
    assert list(result["sets"]["training"]["archives"]) == ["made-2021"]
    assert list(result["sets"]["test"]["archives"]) == ["made-2020"]

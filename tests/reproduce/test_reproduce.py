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

from janshi.agents import agent
from janshi.arena import play_match
from janshi.cli import app
from janshi.observe.decisions import DECISIONS
from janshi.records.convert import GameWriter
from janshi.reproduce import paper
from janshi.reproduce.records import divide, enough, first_games
from janshi.reproduce.run import Event, Options, ReproduceError, Run, Stage, digest_of, run_stages
from janshi.reproduce.scales import SCALES
from janshi.reproduce.stages import STAGES
from janshi.rules import preset

RUN = CliRunner(env={"COLUMNS": "160"})


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Two years of games."""
    place = tmp_path_factory.mktemp("games")
    one = agent("efficient")
    for year, many in ((2020, 6), (2021, 3)):
        with GameWriter(place / f"made-{year}", "mjlog") as writer:
            play_match([one] * 3, preset("tenhou-sanma-east"), many, seed=year, on_game=writer.write)
    return place


@pytest.fixture(scope="module")
def whole(games, tmp_path_factory):
    """A run that nothing interrupts: its folder, what it printed."""
    out = tmp_path_factory.mktemp("whole") / "out"
    result = RUN.invoke(app, command(games, out))
    assert result.exit_code == 0, result.output + result.stderr
    return out, result.stdout


def command(games: Path, out: Path) -> list[str]:
    return ["reproduce", "meowjong", "--records", str(games), "--out", str(out), "--scale", "tiny"]


def read(folder: Path):
    def never(name: str) -> None:
        raise AssertionError(f"{name} in report.json")

    return json.loads((folder / "report.json").read_text(), parse_constant=never)


def without_times(said):
    """A report without what depends on the clock."""
    if isinstance(said, dict):
        return {name: without_times(one) for name, one in said.items() if name != "seconds"}
    return [without_times(one) for one in said] if isinstance(said, list) else said


# ---------------------------------------------------------------------------------------------------------
# The report


def test_the_page_stands_alone_and_has_every_section(whole):
    out, printed = whole
    page = (out / "report.html").read_text()
    sections = ("short", "limits", "records", "kernels", "networks", "ours", "reinforce", "matches", "tests", "time")
    for name in sections:
        assert f'<section id="{name}">' in page
        assert f'href="#{name}"' in page
    outside = set(re.findall(r'(?:src|href)="([^"#][^"]*)"', page))
    assert outside == {paper.LINKS["conference paper"]}
    assert "<script" not in page
    assert "@import" not in page
    assert "url(http" not in page
    for words in (
        "riichi can never be declared",
        "share the better place",
        "a fraction of the papers",
        "Table 3.3",
        "Table 3.4",
        "Table V",
        "Table 4.1",
        "Table VIII",
        "Table IX",
        "Table X",
        "Table XI",
        "Table 4.6",
        "Paired differences",
    ):
        assert words in page, words
    # Heat map, five learning curves, two of ours, four of each REINFORCE, three box plots and more.
    assert page.count("<svg") >= 1 + 5 + 2 + 8 + 3
    text = re.sub(r"<svg.*?</svg>", "", page, flags=re.S)
    assert not re.search(r"\b(nan|inf|None|Undefined)\b", re.sub(r"<[^>]+>", " ", text))
    assert "report:" in printed
    assert "paper 65.81" in printed


def test_numbers_come_with_what_they_were_counted_over(whole):
    said = read(whole[0])
    stages = said["stages"]
    assert list(stages) == [one.name for one in STAGES]
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
        check = stages["records"]["means"][decision]["check"]
        assert abs(check["relative error"]) < 1e-9
    blocks = [(one["player"], one["against"]) for one in stages["matches"]["ours"]["blocks"]]
    assert set(blocks) == {
        ("SL", "SL"), ("RL", "SL"), ("SL", "RL"), ("Random", "Random"), ("RL", "Random"), ("SL", "Random"),
    }  # fmt: skip
    others = [(one["player"], one["against"]) for one in stages["matches"]["papers"]["blocks"]]
    assert set(others) == {("Random", "Random"), ("Five", "Random"), ("Five scaled", "Random")}
    assert {one["against"] for one in stages["matches"]["papers"]["signs"]} == {"Random"}
    page = (whole[0] / "report.html").read_text()
    accuracy = stages["ours"]["test"]["discard"]["top"][0]
    assert f"{100 * accuracy['value']:.2f}<span" in page
    assert said["machine"]["cores"] >= 1
    assert all(one["seconds"] >= 0 for one in stages.values())


def test_weights_of_the_papers_networks_do_not_stay(whole):
    out, _ = whole
    left = sorted(path.parent.name for path in out.glob("0[34]*/*/*.safetensors"))
    assert left == []
    assert (out / "05-ours" / "player" / "player.onnx").exists()
    assert (out / "07-steady" / "player" / "player.onnx").exists()


def test_what_the_papers_print_fits_together():
    """To a hundredth of a percent: 10 of 15,000 are printed as 0.06 %."""
    for name, seats in paper.COUNTS.items():
        for seat, counts in seats.items():
            rates = [one / sum(counts) for one in counts]
            assert np.allclose(rates, paper.RATES[name][seat], atol=1e-4), (name, seat)
        parts = [seats[seat] for seat in ("East", "South", "West")]
        assert tuple(np.sum(parts, axis=0)) == seats["Total"]
    for plus, minus, null, n, _, _ in paper.SIGNS.values():
        assert n - (plus + minus + null) in (0, 1)


# ---------------------------------------------------------------------------------------------------------
# Going on


def test_the_same_command_again_does_nothing_twice(whole, games):
    out, _ = whole
    before = (out / "report.json").read_text()
    begun = time.perf_counter()
    result = RUN.invoke(app, [*command(games, out), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == json.loads(before)
    assert time.perf_counter() - begun < 15


def test_killed_in_three_stages_it_ends_with_the_same_report(whole, games, tmp_path):
    """What comes before the networks is taken over, which tries the skipping too."""
    out = tmp_path / "out"
    for name in ("01-records", "02-search"):
        shutil.copytree(whole[0] / name, out / name)
    for sign in ("03-five/pon.json", "06-papers-rl/stage.json", "08-matches/ours.json"):
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
    assert without_times(read(out)) == without_times(read(whole[0]))


def start(games: Path, out: Path) -> "subprocess.Popen[bytes]":
    code = "from janshi.cli import main; main()"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-c", code, *command(games, out)], env=environment, **silent)


def test_ctrl_c_says_how_it_goes_on(games, tmp_path, monkeypatch):
    def stop(paths, players, progress):
        raise KeyboardInterrupt

    monkeypatch.setattr("janshi.reproduce.records.read_hands", stop)
    result = RUN.invoke(app, command(games, tmp_path / "out"))
    assert result.exit_code == 130
    assert "the same command goes on" in result.stderr


def test_another_choice_is_refused_and_harms_nothing(whole, games):
    out, _ = whole
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
# The runner by itself


def stages_of(log: list[str], version: int = 0) -> tuple[Stage, ...]:
    """Three stages: the second leaves a file that the third reads."""

    def first(run: Run):
        log.append("first")
        return {"value": 1.5, "none": float("nan")}

    def second(run: Run):
        log.append("second")
        (run.folder / "weights").write_text("x")
        return {}

    def third(run: Run):
        log.append("third")
        (run.places["second"] / "weights").read_text()
        return {"twice": 2 * run.results["first"]["value"]}

    settings = ("walls",) if version == 0 else ("walls", "paper_walls")
    return (
        Stage("first", "First", first),
        Stage("second", "Second", second, (), (), ("weights",), "third"),
        Stage("third", "Third", third, settings, ("first", "second")),
    )


def test_stages_are_done_once_and_weights_are_deleted(tmp_path):
    log: list[str] = []
    options = Options(SCALES["tiny"])
    heard: list[Event] = []
    found = run_stages(stages_of(log), options, tmp_path, "records", heard.append)
    assert log == ["first", "second", "third"]
    assert found["first"]["none"] is None
    assert found["third"]["twice"] == 3.0
    assert not (tmp_path / "02-second" / "weights").exists()
    again = run_stages(stages_of(log), options, tmp_path, "records", heard.append)
    assert log == ["first", "second", "third"]
    assert again == found
    assert [one.state for one in heard if one.state != "running"] == ["done"] * 3 + ["skipped"] * 3


def test_what_another_version_did_is_done_again_with_what_it_needs(tmp_path):
    """The third stage has another digest, and the weights that it needs are gone: the second is done again too."""
    log: list[str] = []
    options = Options(SCALES["tiny"])
    run_stages(stages_of(log), options, tmp_path, "records", lambda event: None)
    (tmp_path / "03-third" / "left").write_text("of the other version")
    log.clear()
    run_stages(stages_of(log, 1), options, tmp_path, "records", lambda event: None)
    assert log == ["second", "third"]
    assert not (tmp_path / "03-third" / "left").exists()


def test_half_a_result_does_not_count(tmp_path):
    log: list[str] = []
    options = Options(SCALES["tiny"], keep=True)
    run_stages(stages_of(log), options, tmp_path, "records", lambda event: None)
    assert (tmp_path / "02-second" / "weights").exists()
    result = tmp_path / "01-first" / "result.json"
    result.write_text(result.read_text()[:20])
    log.clear()
    run_stages(stages_of(log), options, tmp_path, "records", lambda event: None)
    assert log == ["first"]


# ---------------------------------------------------------------------------------------------------------
# Records


@pytest.fixture(scope="module")
def hands(games):
    from janshi.learn.dataset import read_hands

    return read_hands([games], 3)


def test_the_newest_year_is_tested_on(hands):
    learned, tested, rule = divide(hands, 0)
    assert {learned.names[one].split("/")[0] for one in learned.games} == {"made-2020"}
    assert {tested.names[one].split("/")[0] for one in tested.games} == {"made-2021"}
    assert "2021" in rule
    assert len(learned) + len(tested) == len(hands)


def test_odd_games_are_left_out_and_one_year_is_split_by_game(hands):
    odd = tuple(name.replace("made-2021/", "made-odd.zip:2022010100gm") for name in hands.names)
    learned, tested, rule = divide(dataclasses.replace(hands, names=odd), 0)
    assert "one year" in rule
    assert not set(learned.games.tolist()) & set(tested.games.tolist())
    used = {odd[one] for one in (*learned.games.tolist(), *tested.games.tolist())}
    assert used == {name for name in odd if "odd" not in name}


def test_as_many_hands_as_it_takes(hands):
    some = first_games(hands, 20, 1)
    whole = set(some.games.tolist())
    assert len(some) == np.isin(hands.games, list(whole)).sum() >= 20
    from janshi.learn.dataset import sizes

    few = enough(hands, "pon", 15, 1)
    assert 15 <= sizes(few)["pon"].examples < 30
    assert enough(hands, "pon", None, 1) is hands


def test_digests_know_content_and_names_not_places(tmp_path):
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "one").write_text("1")
    assert digest_of([tmp_path / "a"]) == digest_of([tmp_path / "b"])
    (tmp_path / "b" / "one").write_text("2")
    assert digest_of([tmp_path / "a"]) != digest_of([tmp_path / "b"])
    with pytest.raises(ReproduceError, match="no such file"):
        digest_of([tmp_path / "c"])


# ---------------------------------------------------------------------------------------------------------
# What goes wrong


def test_bad_input_is_one_line(tmp_path, games):
    (tmp_path / "empty").mkdir()
    out = ["--out", str(tmp_path / "out")]
    for arguments, words in (
        (["nobody", "--records", str(games)], "no system 'nobody'"),
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
    one = sorted((games / "made-2020").iterdir())[0]
    result = RUN.invoke(
        app, ["reproduce", "meowjong", "--records", str(one), "--out", str(tmp_path), "--scale", "tiny"]
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
    found = run_stages(STAGES[:1], options, tmp_path, "records", lambda event: None)["records"]
    assert list(found["sets"]["training"]["archives"]) == ["made-2021"]
    assert list(found["sets"]["test"]["archives"]) == ["made-2020"]

"""Whole reproductions on agents' games at the smallest scale: reports, and resumption after kills."""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("jinja2")

from janshi.agents import agent
from janshi.arena import MatchConfig, play_match
from janshi.papers.gao import figures as gao_figures
from janshi.papers.gao.labels import DECISIONS as GAO_DECISIONS
from janshi.papers.long import figures as long_figures
from janshi.papers.long.networks import PREDICTED
from janshi.papers.long.stages import gain, train_decision
from janshi.papers.meowjong import figures
from janshi.papers.meowjong.decisions import DECISIONS
from janshi.papers.meowjong.labels import sizes
from janshi.papers.meowjong.networks import KERNELS
from janshi.papers.meowjong.orphans import ENDS
from janshi.papers.meowjong.records import enough
from janshi.papers.records import divide, first_games
from janshi.papers.registry import PAPERS
from janshi.papers.runner import Options, Stage, digest_of, run_stages
from janshi.papers.tasks import NetworkAnswers
from janshi.records.convert import GameWriter
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.dataset import read_hands
from janshi.riichi.rules import preset
from janshi.sample import SAMPLE
from tests.claims import VECTORS
from tests.commands import janshi
from tests.learn.made import Caller
from tests.papers.tiny import without_times

LONG = pytest.mark.long
EFFICIENT = EfficientAgent()
MIXED = [EFFICIENT, Caller(), EFFICIENT, Caller()]


class Case(NamedTuple):
    """A paper's records, the content of its page, and files of the stages in which it is killed."""

    games: tuple[tuple[str, list, int, int], ...]
    """Year, players, walls, seed."""
    rules: str
    sections: str
    words: list[str]
    plots: int
    printed: str
    signs: list[str]
    links: tuple[str, ...] = ()
    rotations: int | None = None
    copied: Sequence[str] = ()
    """Stages that a killed run is given."""


#: Records and links of each paper. Each wall is played in four consecutive rotations of the seats: a fifth of five
#: walls is one wall. Games of "ai" are those of programs, a separate test set.
GAMES: dict[str, dict[str, Any]] = {
    "meowjong": {
        "games": (("2020", [EFFICIENT] * 3, 4, 2020), ("2021", [EFFICIENT] * 3, 1, 2021)),
        **{"rules": "tenhou-sanma-east", "links": tuple(figures.LINKS.values())},
    },
    "gao": {
        "games": (("2018", [Caller()] * 4, 2, 8), ("2024", [EFFICIENT] * 4, 5, 20), ("ai", [EFFICIENT] * 4, 1, 2)),
        "rules": "tenhou-east",
    },
    # One rotation: the same walls would be in the training and the test set.
    "long": {"games": (("2020", MIXED, 6, 2020), ("2021", MIXED, 10, 2021)), "rules": "tenhou-east", "rotations": 1},
}
CASES = {name: Case(**GAMES[name], **row) for name, row in json.loads((VECTORS / "papers.json").read_text()).items()}


class Finished(NamedTuple):
    """An uninterrupted run."""

    games: Path
    out: Path
    printed: str

    @property
    def stages(self):
        return read(self.out)["stages"]

    @property
    def page(self):
        return (self.out / "report.html").read_text()


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Return the folder of a paper's records."""
    made: dict[str, Path] = {}

    def games(name: str) -> Path:
        if name not in made:
            case, made[name] = CASES[name], tmp_path_factory.mktemp(name)
            config = MatchConfig() if case.rotations is None else MatchConfig(rotations=case.rotations)
            for year, players, walls, seed in case.games:
                with GameWriter(made[name] / f"made-{year}", "mjlog") as writer:
                    play_match(players, preset(case.rules), walls, seed=seed, config=config, on_game=writer.write)
        return made[name]

    return games


@pytest.fixture(scope="module")
def finished(records, tmp_path_factory):
    """Return the finished run of a paper."""
    done: dict[str, Finished] = {}

    def run(name: str) -> Finished:
        if name not in done:
            out = tmp_path_factory.mktemp("finished") / name
            result = janshi(*command(name, records(name), out))
            done[name] = Finished(records(name), out, " ".join(result.stdout.split()))
        return done[name]

    return run


def command(name: str, games: Path | None, out: Path) -> list[str]:
    given = [] if games is None else ["--records", str(games)]
    return ["reproduce", name, *given, "--out", str(out), "--scale", "tiny"]


def read(folder: Path):
    def never(name: str) -> None:
        raise AssertionError(f"{name} in report.json")

    return json.loads((folder / "report.json").read_text(), parse_constant=never)


# ---------------------------------------------------------------------------------------------------------
# Every paper

#: One paper runs in each test run, the others before a release.
ONE_SHORT = [pytest.param(name, marks=() if name == "gao" else LONG) for name in CASES]


@pytest.mark.parametrize("name", ONE_SHORT)
def test_the_page_is_self_contained_and_has_every_section(name, finished):
    case, run = CASES[name], finished(name)
    page = run.page
    for section in case.sections.split():
        assert f'<section id="{section}">' in page
        assert f'href="#{section}"' in page
    assert set(re.findall(r'(?:src|href)="([^"#][^"]*)"', page)) == set(case.links)
    for words in ("<script", "@import", "url(http"):
        assert words not in page
    for words in case.words:
        assert words in page, words
    assert page.count("<svg") >= case.plots
    text = re.sub(r"<svg.*?</svg>", "", page, flags=re.S)
    assert not re.search(r"\b(nan|inf|None|Undefined)\b", re.sub(r"<[^>]+>", " ", text))
    assert case.printed in run.printed
    assert "report:" in run.printed
    assert list(run.stages) == [stage.name for stage in PAPERS[name].load_stages()]
    assert list(PAPERS[name].scales) == ["tiny", "small", "medium", "full"]


@pytest.mark.parametrize("name", ONE_SHORT)
def test_the_same_command_repeats_no_stage(name, finished):
    """This holds for the stages; the page is always rendered again."""
    run, paper, events = finished(name), PAPERS[name], []
    files = [*run.out.glob("*/result.json"), *run.out.rglob("*.safetensors")]
    before = {path: path.stat().st_mtime_ns for path in files}
    options = Options(paper.scales["tiny"], (run.games,))
    results = run_stages(paper, options, run.out, digest_of([run.games]), lambda event: events.append(event.state))
    assert events == ["skipped"] * len(paper.load_stages())
    assert results == run.stages
    assert {path: path.stat().st_mtime_ns for path in files} == before


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_killed_in_its_stages_it_ends_with_the_same_report(name, finished, tmp_path):
    """Finished stages that the killed ones do not depend on are copied, which also tests skipping."""
    run, out = finished(name), tmp_path / "out"
    for stage in CASES[name].copied:
        shutil.copytree(run.out / stage, out / stage)
    killed_at(CASES[name].signs, name, run.games, out)
    assert without_times(read(out)) == without_times(read(run.out))


@pytest.mark.long
def test_the_paper_without_records_survives_kills_too(tmp_path):
    assert start("sichuan", None, tmp_path / "whole").wait(240) == 0
    training = "02-training/player/checkpoint.safetensors"
    signs = ("01-parameters/pair-5.json", training, "03-variants/slow.json", "04-matches/match-1.json")
    killed_at(signs, "sichuan", None, tmp_path / "killed")
    assert without_times(read(tmp_path / "killed")) == without_times(read(tmp_path / "whole"))


def killed_at(signs: tuple[str, ...], name: str, games: Path | None, out: Path) -> None:
    """Kill a run when each of the files exists, and finally let it end."""
    for sign in signs:
        process = start(name, games, out)
        until = time.monotonic() + 240
        while not (out / sign).exists():
            assert process.poll() is None, f"ended before {sign}"
            assert time.monotonic() < until, f"no {sign}"
            time.sleep(0.01)
        process.kill()
        process.wait()
        assert not (out / sign.split("/")[0] / "result.json").exists()
    assert start(name, games, out).wait(240) == 0


def start(name: str, games: Path | None, out: Path) -> "subprocess.Popen[bytes]":
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-m", "janshi", *command(name, games, out)], env=environment, **silent)


@pytest.mark.parametrize(
    ("name", "player"), [("gao", "05-matches/player"), pytest.param("long", "06-matches/player/with", marks=LONG)]
)
def test_its_player_can_play(name, player, finished):
    match = play_match([agent(str(finished(name).out / player)), *[EFFICIENT] * 3], preset("tenhou-hand"), 1)
    assert match.hands.change.shape == (4, 4)


# ---------------------------------------------------------------------------------------------------------
# Meowjong


@LONG
def test_figures_of_meowjong_have_sample_sizes(finished):
    run = finished("meowjong")
    report, stages = read(run.out), run.stages
    for decision in DECISIONS:
        size = stages["records"]["sizes"][decision]
        for name in ("training", "development", "test"):
            assert size[name]["examples"] > 0
        for stage in ("five", "scaled"):
            network = stages[stage]["networks"][decision]
            assert network["samples"] > 0
            assert 0 < network["test"]["top"][0]["count"] <= size["test"]["examples"]
            assert len(network["curve"]) >= 1
            assert network["prediction"]["seconds"] > 0
            assert network["test"]["majority"]["count"] == network["test"]["top"][0]["count"]
            # The kernel is one of the search's choices, if it searched.
            tied = stages["search"]["tied"].get(decision, [list(KERNELS[decision])])
            assert network["kernel"] in tied
        check = stages["records"]["means"][decision]["check"]
        assert abs(check["relative error"]) < 1e-9
    matches = stages["matches"]
    for part, mine in (("papers", ("SL", "RL")), ("shipped", ("efficient", "sl"))):
        blocks = {(block["player"], block["against"]) for block in matches[part]["blocks"]}
        everybody = {(player, other) for player in mine for other in (*mine, "Random")} | {("Random", "Random")}
        assert blocks == everybody - {(mine[1], mine[1])}
    # Plus: SL-scaled has the better place than SL.
    assert matches["scaled"]["players"] == ["SL-scaled", "SL"]
    assert {row["against"] for row in matches["scaled"]["signs"]} == {"Random"}
    for start in stages["records"]["starts"]:
        assert sum(start[end] for end in ENDS) <= start["hands"]
    assert [run["discount"] for run in stages["rl-search"]["runs"]] == [0.99]
    assert set(stages["splits"]["decisions"]) == {"pon"}
    accuracy = stages["five"]["networks"]["discard"]["test"]["unmasked"]
    assert f"{100 * accuracy['value']:.2f}<span" in run.page
    assert report["machine"]["cores"] >= 1
    assert all(stage["seconds"] >= 0 for stage in stages.values())


def test_the_papers_printed_figures_are_consistent():
    """Up to a hundredth of a percent: 10 of 15,000 are printed as 0.06 %."""
    for name, seats in figures.COUNTS.items():
        for seat, counts in seats.items():
            rates = [count / sum(counts) for count in counts]
            assert np.allclose(rates, figures.RATES[name][seat], atol=1e-4), (name, seat)
        parts = [seats[seat] for seat in ("East", "South", "West")]
        assert tuple(np.sum(parts, axis=0)) == seats["Total"]
    for plus, minus, null, n, _, _ in figures.SIGNS.values():
        assert n - (plus + minus + null) in (0, 1)


# ---------------------------------------------------------------------------------------------------------
# Gao


def test_figures_of_gao_have_sample_sizes(finished):
    stages = finished("gao").stages
    networks = {"tile", "off-table-68", "off-table-86", "off-table-86-all", "sequential", "sequential-masked"}
    assert set(stages["discards"]["networks"]) == networks
    variants = {f"{decision}-{kind}" for decision in GAO_DECISIONS[1:] for kind in ("all", "trunk-all")}
    variants.add("riichi-trunk-unfiltered")
    assert set(stages["calls"]["networks"]) == set(GAO_DECISIONS[1:]) | variants
    ablations = {"as-it-is", "without-riichi-planes", "dora-tiles", "with-pooling"}
    assert set(stages["ablations"]["networks"]) == ablations
    sizes = stages["records"]["sizes"]
    for network in stages["discards"]["networks"].values():
        test = network["test"]
        assert 0 < test["all"]["top"][0]["count"] <= sizes["discard"]["test"]["hands"]
        tops = [top["value"] for top in test["all"]["top"]]
        assert tops == sorted(tops)
        assert test["masked"]["top"][0]["value"] >= test["all"]["top"][0]["value"]
        assert sum(map(sum, test["classes"]["confusion"])) == test["all"]["top"][0]["count"]
        assert network["situations"] > 0
    for name, network in stages["calls"]["networks"].items():
        classes = network["test"]["classes"]
        assert len(classes["confusion"]) == {"pon": 2, "chii": 4, "riichi": 2}[name.partition("-")[0]]
        labels = [sum(row[column] for row in classes["confusion"]) for column in range(len(classes["confusion"]))]
        assert classes["majority"]["value"] == pytest.approx(max(labels) / sum(labels))
    padded = [point for point in stages["discards"]["networks"]["sequential"]["curve"] if point.get("development")]
    assert set(padded[-1]["development"]) == {"discard", "discard with padding"}
    blocks = {(block["player"], block["against"]) for block in stages["matches"]["blocks"]}
    assert {("gao", "efficient"), ("efficient", "gao"), ("gao", "Random")} <= blocks


def test_games_of_programs_are_a_separate_test_set(finished):
    stages = finished("gao").stages
    assert list(stages["records"]["machines"]["archives"]) == ["made-ai"]
    for part in stages["records"]["sets"].values():
        assert "made-ai" not in part["archives"]
    for stage in ("discards", "calls"):
        for network in stages[stage]["networks"].values():
            assert network["machines"]["all"]["top"][0]["count"] > 0
    assert "Games of programs" in finished("gao").page


def test_no_game_is_in_both_training_and_test_set(finished):
    stages = finished("gao").stages
    assert stages["records"]["sets"]["test"]["archives"].keys() == {"made-2024"}
    assert "a fifth of the" in stages["records"]["rule"]


def test_the_thesiss_printed_figures_are_consistent():
    assert gao_figures.accuracy("pon") == pytest.approx(0.8832, abs=5e-5)
    assert gao_figures.accuracy("chii") == pytest.approx(0.9062, abs=5e-5)
    assert gao_figures.accuracy("riichi") == pytest.approx(0.7685, abs=5e-5)
    for decision, table in gao_figures.CONFUSION.items():
        assert sum(map(sum, table)) == gao_figures.TESTED[decision]
    ((_, missed), (wrong, right)) = gao_figures.CONFUSION["pon"]
    assert right / (right + wrong) == pytest.approx(0.8146, abs=5e-5)
    assert right / (right + missed) == pytest.approx(0.7821, abs=5e-5)
    called = [row[1:] for row in gao_figures.CONFUSION["chii"][1:]]
    right_kind = sum(row[place] for place, row in enumerate(called))
    assert right_kind / sum(map(sum, called)) == pytest.approx(0.9611, abs=5e-5)


# ---------------------------------------------------------------------------------------------------------
# Long


@LONG
def test_figures_of_long_have_sample_sizes(finished):
    stages, scale = finished("long").stages, PAPERS["long"].scales["tiny"]
    sizes = stages["records"]["sizes"]
    for decision in ("discard", "pon", "chii"):
        networks = stages[decision]["networks"]
        assert set(networks) == {"without", "with"} | ({"one-hot"} if decision == "chii" else set())
        for network in networks.values():
            test = network["test"]
            accuracy = test["accuracy"]
            assert 0 < accuracy["count"] <= sizes["test"][decision]["situations"]
            assert accuracy["low"] <= accuracy["value"] <= accuracy["high"]
            assert network["samples"] >= 0.9 * (scale.discard_samples if decision == "discard" else scale.call_samples)
            if decision != "discard":
                table = test["confusion"]
                assert sum(map(sum, table)) == accuracy["count"]
                right = sum(table[number][number] for number in range(len(table)))
                assert right / accuracy["count"] == pytest.approx(accuracy["value"])
        found = stages[decision]["gain"]
        difference = networks["with"]["test"]["accuracy"]["value"] - networks["without"]["test"]["accuracy"]["value"]
        assert found["difference"]["value"] == pytest.approx(difference)
        assert (found["better"] - found["worse"]) / found["situations"] == pytest.approx(difference)
    assert set(stages["yaku"]["table"]) == set(map(str, PREDICTED))
    assert sizes["training"]["yaku"]["situations"] > 0


@pytest.mark.long
def test_a_network_of_long_trained_alone_is_that_of_the_whole_run(finished, records, tmp_path):
    paper, folder = PAPERS["long"], records("long")
    chii = Stage("chii", "Chii", partial(train_decision, "chii", names=("one-hot",)))
    alone = dataclasses.replace(paper, stages=(paper.load_stages()[0], chii))
    options = Options(paper.scales["tiny"], (folder,))
    results = run_stages(alone, options, tmp_path, digest_of((folder,)), lambda event: None)
    networks = json.loads(json.dumps(results["chii"]["networks"]))
    assert results["chii"]["gain"] is None
    assert without_times(networks) == {"one-hot": without_times(finished("long").stages["chii"]["networks"]["one-hot"])}


def test_the_gain_is_mcnemars():
    """Twelve situations only the one has right, two only the other: the exact two-sided probability is known."""
    labels = np.zeros(20, np.int64)
    right, wrong = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)
    without = np.stack([*[wrong] * 12, *[right] * 2, *[right] * 6])
    fed = np.stack([*[right] * 12, *[wrong] * 2, *[right] * 6])
    possible = np.ones((20, 2), np.bool_)
    groups = np.arange(20)
    result = gain(NetworkAnswers(without, labels, possible, groups), NetworkAnswers(fed, labels, possible, groups))
    assert (result["better"], result["worse"]) == (12, 2)
    assert result["p"] == pytest.approx(2 * (1 + 14 + 91) / 2**14)
    assert result["difference"]["value"] == pytest.approx(0.5)


def test_longs_printed_figures_are_consistent():
    """Accuracy of pon from its tables to a hundredth of a percent; F1 from precision and recall."""
    for number, table in enumerate(long_figures.CONFUSION["pon"]):
        assert (table[0] + table[3]) / sum(table) == pytest.approx(long_figures.ACCURACY["pon"][number], abs=1e-4)
    for _, precision, recall, f1 in long_figures.YAKU.values():
        assert 2 * precision * recall / (precision + recall) == pytest.approx(f1, abs=1e-4)


# ---------------------------------------------------------------------------------------------------------
# Errors


def test_ctrl_c_prints_how_to_resume(records, tmp_path, monkeypatch):
    def stop(paths, players, progress):
        raise KeyboardInterrupt

    monkeypatch.setattr("janshi.papers.records.read_hands", stop)
    result = janshi(*command("meowjong", records("meowjong"), tmp_path / "out"), code=130)
    assert "run the same command to resume" in result.stderr


def test_another_choice_is_refused_without_damage(finished):
    games, out, _ = finished("gao")
    before = (out / "report.json").read_text()
    for changes, words in (
        (["--seed", "1"], "another choice of seed (0 there, 1 now)"),
        (["--scale", "small"], "another choice of scale"),
        (["--records", str(games / "made-2018")], "another choice of records"),
    ):
        result = janshi(*command("gao", games, out), *changes, code=2)
        assert words in result.stderr
    assert (out / "report.json").read_text() == before


def test_bad_input_is_one_line(tmp_path, records):
    (tmp_path / "empty").mkdir()
    games, out = records("meowjong"), ["--out", str(tmp_path / "out")]
    for arguments, words in (
        (["nobody", "--records", str(games)], "no paper 'nobody'"),
        (["meowjong", "--records", str(games), "--scale", "huge"], "no scale 'huge'"),
        (["meowjong"], "name records by --records"),
        (["meowjong", "--train", str(games)], "name records by --records"),
        (["meowjong", "--records", str(tmp_path / "none")], "no such file or folder"),
        (["meowjong", "--records", str(tmp_path / "empty"), "--scale", "tiny"], "no hand of 3 players"),
        (["gao", "--records", str(SAMPLE), "--scale", "tiny", "--out", str(tmp_path / "gao")], "no hand of 4 players"),
    ):
        result = janshi("reproduce", *out, *arguments, code=2)
        last = result.stderr.strip().splitlines()[-1]
        assert last.startswith("janshi reproduce: "), result.stderr
        assert words in last
        assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("name", "year"), [("meowjong", "2020"), ("gao", "2024"), pytest.param("long", "2020", marks=LONG)]
)
def test_too_few_records_are_reported(name, year, records, tmp_path):
    game = sorted((records(name) / f"made-{year}").iterdir())[0]
    result = janshi(*command(name, game, tmp_path), code=2)
    assert result.stderr.strip().splitlines()[-1].startswith("janshi reproduce: too few records")


def test_training_and_test_records_must_differ(records, tmp_path):
    year = str(records("meowjong") / "made-2020")
    words = ["reproduce", "meowjong", "--train", year, "--test", year, "--out", str(tmp_path), "--scale", "tiny"]
    result = janshi(*words, code=2)
    assert "in the training and the test set" in result.stderr


def test_records_are_named_by_set(records, tmp_path):
    """``--train`` and ``--test`` name the sets; only the first stage runs."""
    games, paper = records("meowjong"), PAPERS["meowjong"]
    years = {"training": (games / "made-2021",), "test": (games / "made-2020",)}
    options = Options(paper.scales["tiny"], **years)
    first_stage = dataclasses.replace(paper, stages=paper.load_stages()[:1])
    result = run_stages(first_stage, options, tmp_path, "records", lambda event: None)["records"]
    assert list(result["sets"]["training"]["archives"]) == ["made-2021"]
    assert list(result["sets"]["test"]["archives"]) == ["made-2020"]


# ---------------------------------------------------------------------------------------------------------
# Records


@pytest.fixture(scope="module")
def hands(records):
    return read_hands([records("meowjong")], 3)


def test_the_newest_year_is_the_test_set(hands):
    learned, tested, rule = divide(hands, 0)
    assert {learned.names[game].split("/")[0] for game in learned.games} == {"made-2020"}
    assert {tested.names[game].split("/")[0] for game in tested.games} == {"made-2021"}
    assert "2021" in rule
    assert len(learned) + len(tested) == len(hands)


def test_games_of_the_years_before_make_the_test_set_a_tenth(hands):
    """If the newest year has less than a tenth of the hands, the last games of the previous year join it."""
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


def test_games_are_added_up_to_the_number_of_hands(hands):
    first = first_games(hands, 20, 1)
    games = set(first.games.tolist())
    assert len(first) == np.isin(hands.games, list(games)).sum() >= 20

    few = enough(hands, "pon", 15, 1)
    assert 15 <= sizes(few)["pon"].examples < 30
    assert enough(hands, "pon", None, 1) is hands

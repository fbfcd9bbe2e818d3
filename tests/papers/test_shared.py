"""Common parts of the papers: held-out games, measures of classifiers, and the page."""

import dataclasses
import json
import re

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("jinja2")

from janshi.papers.measures import classified
from janshi.papers.page import Report
from janshi.papers.records import enough_hands, hold_out
from janshi.papers.runner import Options, ReproduceError
from janshi.papers.sheets import sheet
from janshi.riichi.dataset import read_hands
from tests.learn.made import make_games


@dataclasses.dataclass(frozen=True)
class Scale:
    name: str = "tiny"
    description: str = "a second"


@pytest.fixture(scope="module")
def hands(tmp_path_factory):
    folder = make_games(tmp_path_factory.mktemp("games") / "made", "tenhou-sanma-east", 10)
    return read_hands([folder], 3)


def named(hands, names):
    return dataclasses.replace(hands, names=tuple(names[number] for number in range(len(hands.names))))


def test_a_fifth_of_the_newest_year_is_held_out_by_name(hands):
    count = len(hands.names)
    assert count >= 10
    names = [f"four-2024.zip:{99 - number}.mjlog" for number in range(count)]
    names[0] = "four-2018.zip:00.mjlog"
    renamed = named(hands, names)
    learned, tested, rule = hold_out(renamed)
    held = sorted({renamed.names[game] for game in tested.games.tolist()})
    assert held == sorted(names[1:])[: round(0.2 * (count - 1))]
    assert not set(learned.games.tolist()) & set(tested.games.tolist())
    assert len(learned) + len(tested) == len(hands)
    assert held[0] in rule
    assert held[-1] in rule


def test_odd_and_rare_games_and_those_of_programs_are_left_out(hands):
    count = len(hands.names)
    names = [f"four-2024.zip:{number}" for number in range(count)]
    names[:3] = ["four-odd.zip:1", "four-rare.zip:1", "four-ai.zip:1"]
    learned, tested, rule = hold_out(named(hands, names))
    used = {names[game] for game in (*learned.games.tolist(), *tested.games.tolist())}
    assert used == set(names[3:])
    assert "3 games of archives named odd, rare or ai" in rule
    with pytest.raises(ReproduceError, match="odd, rare or ai"):
        hold_out(named(hands, [f"four-ai.zip:{number}" for number in range(count)]))


def test_games_of_programs_are_learned_from_where_they_are_wanted(hands):
    names = [f"four-2024.zip:{number}" for number in range(len(hands.names))]
    names[:3] = ["four-ai.zip:1", "four-ai.zip:2", "four-odd.zip:1"]
    learned, tested, _ = hold_out(named(hands, names), programs=True)
    assert {names[game] for game in learned.games.tolist()} >= set(names[:2])
    assert not {names[game] for game in tested.games.tolist()} & set(names[:3])
    assert names[2] not in {names[game] for game in learned.games.tolist()}


def test_as_many_hands_as_hold_enough_situations(hands):
    situations = np.repeat(np.arange(len(hands)), np.arange(len(hands)) % 3)
    part = enough_hands(hands, situations, 5, seed=1)
    place = {(game, number): hand for hand, (game, number) in enumerate(zip(hands.games, hands.numbers, strict=True))}
    chosen = [place[key] for key in zip(part.games, part.numbers, strict=True)]
    assert len(set(chosen)) == len(part)
    assert 5 <= sum(hand % 3 for hand in chosen) < 5 + 2


def test_rows_of_a_confusion_are_answers():
    answers, labels = np.array([2, 2, 0, 1, 0, 0]), np.array([2, 0, 0, 2, 0, 0])
    result = classified(answers, labels, 3)
    assert result.confusion == ((3, 0, 0), (0, 0, 1), (1, 0, 1))
    assert result.precision == (1.0, 0.0, 0.5)
    assert result.recall == (0.75, None, 0.5)
    assert result.f1[2] == pytest.approx(0.5)
    assert (result.accuracy.value, result.accuracy.count) == (pytest.approx(4 / 6), 6)
    assert result.majority.value == pytest.approx(4 / 6)


def test_a_page_is_self_contained_and_report_json_names_its_source(tmp_path):
    report = Report("dice", {"accuracy": 0.5})
    rate = {"value": 0.25, "low": 0.2, "high": 0.3, "count": 1200}

    @report.sheet
    def counts(results):
        return sheet("Counts", "what | how often | share, %", [["sixes", 1200, rate], ["ones"]])

    @report.sheet
    def nothing(results):
        return None

    results = {"records": {"seconds": 61.0}}
    text = report.write(results, Options(Scale()), tmp_path, {"records": "Records"}).read_text()
    assert re.search(r"<!doctype html>.*</html>", text, flags=re.S)
    for words in ("scale tiny", "1,200", "25.00", "20.00 to 30.00", "1.0 min"):
        assert words in text
    assert report.summary(results).rows[1][1].text == "–"
    stored = json.loads((tmp_path / "report.json").read_text())
    assert stored["scale"] == {"name": "tiny", "description": "a second"}
    assert stored["paper"] == {"accuracy": 0.5}

"""What the papers share: which games are held out, measures of classifiers, and the page."""

import dataclasses
import re

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("jinja2")

from janshi.learn.dataset import read_hands
from janshi.papers.measures import classified
from janshi.papers.page import report_json, save_report
from janshi.papers.records import enough_hands, hold_out
from janshi.papers.runner import Options, ReproduceError
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


def test_odd_rare_and_machines_games_are_left_out(hands):
    count = len(hands.names)
    names = [f"four-2024.zip:{number}" for number in range(count)]
    names[:3] = ["four-odd.zip:1", "four-rare.zip:1", "four-ai.zip:1"]
    learned, tested, rule = hold_out(named(hands, names))
    used = {names[game] for game in (*learned.games.tolist(), *tested.games.tolist())}
    assert used == set(names[3:])
    assert "3 games of archives named odd, rare or ai" in rule
    with pytest.raises(ReproduceError, match="odd, rare or ai"):
        hold_out(named(hands, [f"four-ai.zip:{number}" for number in range(count)]))


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


def test_a_page_is_whole_and_report_json_says_where_it_comes_from(tmp_path):
    report = report_json("meowjong", {"records": {"seconds": 61.0}}, Options(Scale()), {"accuracy": 0.5})
    page = save_report(report, "page.html.j2", {}, tmp_path).read_text()
    assert re.search(r"<!doctype html>.*</html>", page, flags=re.S)
    assert "scale tiny" in page
    assert (tmp_path / "report.json").is_file()
    assert report["scale"] == {"name": "tiny", "description": "a second"}
    assert report["paper"] == {"accuracy": 0.5}

"""Figures: deterministic SVG with text, several on one page."""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from janshi.arena.figures import FigureError, bar_plot, box_plot, heat_map, line_plot, save, svg

SCORES = {"SL, East": np.array([-8000, 0, 0, 1300, 12_000]), "SL, South": np.array([0, 0, 3900])}
FIGURES = {
    "box": lambda: box_plot(SCORES, "Scores", families=["East", "South"]),
    "line": lambda: line_plot(
        {"East": (range(5), [0.1, 0.2, 0.4, 0.5, 0.5]), "South": (range(5), [0.1, 0.3, 0.3, 0.4, 0.6])},
        "Wins",
        "episode",
        "rate",
        bands={"East": (np.zeros(5), np.ones(5))},
    ),
    "heat": lambda: heat_map(np.arange(6).reshape(2, 3) / 10, ["2", "3"], ["2", "3", "4"], "Search"),
    "bar": lambda: bar_plot({"SL": [70, 10], "RL": [80, 5]}, ["1st", "3rd"], "Places", "%"),
}


@pytest.fixture(params=FIGURES)
def draw(request):
    return FIGURES[request.param]


def test_the_same_figure_is_the_same_text(draw):
    figure = draw()
    assert svg(figure) == svg(figure) == svg(draw())


def test_svg_fits_into_a_page(draw):
    text = svg(draw())
    assert text.startswith("<svg ")
    assert "max-width:720px" in text
    assert "<dc:date>" not in text
    ElementTree.fromstring(text)
    pointed = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', text))
    assert pointed == set(re.findall(r' id="([^"]*)"', text))


def test_a_long_title_stays_within_the_figure():
    title = "papers' network and setting: points a hand, East's 50 % taken out (100 hands in each seat)"
    figure = line_plot({"East": ([0, 1], [0, 1])}, title, "episode", "points a hand")
    (shown,) = figure.axes[0].findobj(lambda part: title.split(":")[0] in getattr(part, "get_text", str)())
    assert " ".join(shown.get_text().split()) == title
    assert shown.get_window_extent().x1 <= figure.bbox.x1
    assert "East's 50 % taken out" in svg(figure)


def test_figures_on_one_page_do_not_share_ids():
    names = [set(re.findall(r' id="([^"]*)"', svg(one()))) for one in FIGURES.values()]
    assert sum(map(len, names)) == len(set().union(*names))


def test_words_and_numbers_stay_text():
    words = {
        "box": ["Scores", "SL, East", "10,000", "East"],
        "line": ["Wins", "episode", "rate", "South"],
        "heat": ["Search", "0.50", "0.00"],
        "bar": ["Places", "%", "RL", "3rd"],
    }
    for name, expected in words.items():
        text = svg(FIGURES[name]())
        for word in expected:
            assert f">{word}<" in text, (name, word)


def test_names_are_neither_formulas_nor_markup():
    text = svg(box_plot({"a$b$ <c> & d": np.arange(3)}, "$1"))
    ElementTree.fromstring(text)
    assert ">a$b$ &lt;c&gt; &amp; d<" in text


def test_files(draw, tmp_path: Path):
    figure = draw()
    for ending in ("svg", "png"):
        save(figure, tmp_path / f"one.{ending}")
        save(draw(), tmp_path / f"two.{ending}")
        assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()
    assert (tmp_path / "one.png").read_bytes()[:4] == b"\x89PNG"
    # Bytes 16 to 19 of a PNG are its width.
    assert int.from_bytes((tmp_path / "one.png").read_bytes()[16:20], "big") == 1200
    assert "<svg" in (tmp_path / "one.svg").read_text()
    with pytest.raises(FigureError, match=r"as \.svg or \.png"):
        save(figure, tmp_path / "one.bmp")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.png", "one.svg", "two.png", "two.svg"]


def test_missing_values_stay_white():
    assert ">–<" in svg(heat_map([[np.nan, 1.0]], ["row"], ["a", "b"], "Search"))
    svg(heat_map([[np.nan]], ["row"], ["a"], "Search"))
    svg(line_plot({"a": ([1, 2, 3], [0.1, np.nan, 0.3])}, "t", "x", "y"))


def test_one_value_is_a_figure_too():
    svg(box_plot({"a": np.array([5])}, "t"))
    svg(line_plot({"a": ([1], [2])}, "t", "x", "y"))
    svg(heat_map([[1.0]], ["a"], ["b"], "t"))


@pytest.mark.parametrize(
    ("draw", "said"),
    [
        (lambda: box_plot({}, "t"), "one group at least"),
        (lambda: box_plot({"a": np.zeros(0)}, "t"), "values in each"),
        (lambda: box_plot(SCORES, "t", families=["East"]), "2 groups, but 1 families"),
        (lambda: line_plot({}, "t", "x", "y"), "one series"),
        (lambda: line_plot({"a": ([1, 2], [1])}, "t", "x", "y"), "a: points that do not fit"),
        (lambda: line_plot({"a": ([1], [1])}, "t", "x", "y", bands={"b": ([1], [1])}), "bands without a line: b"),
        (lambda: line_plot({"a": ([1], [1])}, "t", "x", "y", bands={"a": ([1, 2], [1])}), "do not fit"),
        (lambda: heat_map([[1.0]], ["a"], ["b", "c"], "t"), "1 rows and 2 columns"),
        (lambda: heat_map(np.zeros((0, 0)), [], [], "t"), "0 rows"),
        (lambda: bar_plot({}, ["a"], "t", "y"), "one series"),
        (lambda: bar_plot({"a": [1, 2]}, ["a"], "t", "y"), "do not fit"),
    ],
)
def test_invalid_figures_are_refused(draw, said):
    with pytest.raises(FigureError, match=said):
        draw()


def test_a_missing_matplotlib_is_reported(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(FigureError, match=r"drawing needs matplotlib: .*pip install .*\[report\]"):
        box_plot(SCORES, "t")

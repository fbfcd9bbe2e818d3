"""Records and tables in a notebook: HTML pages, and automatic displays in IPython."""

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from janshi.agents import RandomAgent
from janshi.arena import compare, play_match
from janshi.displays import register
from janshi.riichi.agents import EfficientAgent
from janshi.riichi.drawing.notebook import steps_html
from janshi.riichi.drawing.snapshot import snapshot_of_table
from janshi.riichi.drawing.table import body_of, open_table_svg
from janshi.riichi.positions import nth_game
from janshi.riichi.records.replay import Replayer
from janshi.riichi.rules import preset
from janshi.sample import SAMPLE
from janshi.table import Table, Tables

CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture(scope="module")
def game():
    return nth_game(SAMPLE, 1)


@pytest.fixture(scope="module")
def page(game):
    return steps_html(game)


def data_of(page):
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.DOTALL)[1])


def bodies(data, hand):
    """Return the pictures of a hand, assembled like by the page's script."""
    last = []
    for start, end, between in data["hands"][hand]["frames"]:
        last = [*last[:start], *between, *last[len(last) - end :]]
        yield "".join(data["elements"][number] for number in last)


def test_every_hand_can_be_stepped_through(game, page):
    data = data_of(page)
    scripts = Replayer().replay(game, scripts=True).scripts
    assert [len(hand["frames"]) for hand in data["hands"]] == [len(script.actions) + 1 for script in scripts]
    assert [len(hand["captions"]) for hand in data["hands"]] == [len(script.actions) + 1 for script in scripts]


def test_a_hand_begins_with_its_deal_and_open_hands(game, page):
    script = Replayer().replay(game, scripts=True).scripts[0]
    first = next(bodies(data_of(page), 0))
    assert first == body_of(snapshot_of_table(script.begin(game.rules)))
    assert first.count('"#tile-back"') == 4


def test_every_picture_is_well_formed_and_has_its_tiles(page):
    data = data_of(page)
    defined = set(re.findall(r'<symbol id="(tile-\w+)"', page))
    for number in range(len(data["hands"])):
        for body in bodies(data, number):
            used = {use.get("href")[1:] for use in ElementTree.fromstring(f"<g>{body}</g>").iter("use")}
            assert used <= defined


def test_a_hand_ends_with_the_result_of_its_record(game, page):
    for hand, record in zip(data_of(page)["hands"], game.hands, strict=True):
        last = hand["captions"][-1]
        assert "hand over" in last
        if isinstance(record.outcome, list):
            assert f"seat {record.outcome[0].who} wins {record.outcome[0].points:,} points" in last


def test_one_hand_alone(game, page):
    assert data_of(steps_html(game, hand=2))["hands"] == [
        {**data_of(page)["hands"][1], "frames": data_of(steps_html(game, hand=2))["hands"][0]["frames"]}
    ]


def test_a_page_is_small_and_self_contained(page):
    assert len(page) < 600_000
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|src=|@import|fetch\(", page)


def test_a_hand_that_cannot_be_replayed_is_named(game):
    broken = nth_game(SAMPLE, 1)
    broken.hands[1].events[0, 2] = broken.hands[1].deal[0][0]
    text = steps_html(broken)
    assert re.search(r"<p>left out: .*hand 2", text)
    assert len(data_of(text)["hands"]) == len(game.hands) - 1
    assert steps_html(broken, hand=2).startswith("<p>left out: ")


@pytest.mark.parametrize(
    ("wrong", "message"), [({"hand": 99}, "there is no hand 99"), ({"seat": 3}, "there is no seat 3")]
)
def test_unknown_hands_and_seats_are_refused(game, wrong, message):
    with pytest.raises(ValueError, match=message):
        steps_html(game, **wrong)


def test_a_source_with_marks_of_html_is_shown_as_it_is():
    odd = nth_game(SAMPLE, 1)
    odd.source = "<script>alert(1)</script>"
    assert "<script>alert" not in steps_html(odd, hand=1)


class FakeFormatter:
    """A formatter of IPython: displays by module and name of a class."""

    def __init__(self):
        self.displays = {}

    def for_type_by_name(self, module, name, display):
        self.displays[module, name] = display

    def __call__(self, shown):
        return self.displays[type(shown).__module__, type(shown).__name__](shown)


def test_a_notebook_shows_tables_and_games(game, page):
    svg, html = FakeFormatter(), FakeFormatter()
    register(SimpleNamespace(formatters={"image/svg+xml": svg, "text/html": html}))
    table = Table("tenhou", 1)
    assert svg(table) == open_table_svg(table)
    assert html(game) == page


#: A notebook's code, with a minimal IPython.
NOTEBOOK = """
import sys, types
shown = {}
formatter = lambda mime: types.SimpleNamespace(for_type_by_name=lambda *key: shown.update({key[:2]: key[2]}))
shell = types.SimpleNamespace(display_formatter=types.SimpleNamespace(
    formatters={mime: formatter(mime) for mime in ("image/svg+xml", "text/html")}))
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
import janshi.table
print(sorted(shown), any(name.startswith("janshi.drawing") for name in sys.modules))
print(shown["janshi.table", "Table"](janshi.table.Table("tenhou", 1))[:4])
"""


def test_in_a_notebook_importing_the_table_is_enough():
    done = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "[('janshi.arena.compare', 'Comparison'), ('janshi.arena.matches', 'Match'), ('janshi.riichi.records.model', "
        "'RiichiGame'), ('janshi.table', 'Table'), ('janshi.table', 'Tables')] False",
        "<svg",
    ]


def test_tables_and_records_do_not_load_the_drawings():
    code = (
        "import sys, janshi.table, janshi.riichi.records; "
        "print(any('.drawing' in name for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_page_steps_in_a_browser(page, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api", reason="steps in a browser, which needs playwright")
    if not CHROMIUM.exists():
        pytest.skip(f"steps in a browser, and there is no {CHROMIUM}")
    file = tmp_path / "page.html"
    file.write_text(f"<!doctype html><meta charset=utf-8>{page}{page}", encoding="utf-8")
    wrong = []
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        tab = browser.new_page()
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.goto(file.as_uri())
        second = tab.locator(".janshi-steps").nth(1)
        second.locator("select").select_option(index=1)
        second.get_by_label("one step on").click()
        caption = second.locator(".janshi-said").inner_text()
        shown = second.locator(".janshi-table use[width]").count()
        browser.close()
    assert wrong == []
    data = data_of(page)
    assert caption.endswith(data["hands"][1]["captions"][1].split(" · ")[1])
    assert shown == list(bodies(data, 1))[1].count("<use ")


def test_a_notebook_shows_many_tables_and_results():
    html = FakeFormatter()
    register(SimpleNamespace(formatters={"image/svg+xml": FakeFormatter(), "text/html": html}))
    tables = Tables("tenhou-sanma", 6)
    page = html(tables)
    assert "6 tables of tenhou-sanma, 0 of them at the end of a hand" in page
    assert page.count("<svg") == 4
    assert open_table_svg(tables.states[3]) in page
    assert html(Tables("sichuan", 6)).count("<svg") == 4
    rules, agents = preset("tenhou-sanma-hand"), [EfficientAgent("<b>"), RandomAgent(), RandomAgent("other")]
    text = html(play_match(agents, rules, 5, seed=3))
    assert text.count("<tr>") == 4
    assert "<td>&lt;b&gt;</td><td>15</td>" in text
    result = compare(agents[0], agents[1], rules, walls=5, seed=3)
    text = html(result)
    assert text.count("<tr>") == 1 + len(result.standings) + 1 + len(result.differences)
    assert f"{result.differences[-1].points.value:+,.0f} ±" in text

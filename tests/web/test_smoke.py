"""The page in a real browser in a minute: a hand, the game of a plug-in, a saved report, accessibility.

`tests.web.test_browser`, `tests.web.test_review_page`, `tests.web.test_lesson` and `tests.web.test_accessibility` test
the rest. ``JANSHI_CHROMIUM`` names the browser (``/usr/bin/chromium``); without one these tests are skipped.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from janshi.review.model import Review
from tests.web.conftest import DESKTOP, PHONE, Opened, OpenedFile
from tests.web.pages import (
    READY,
    check_a_hand_by_clicks,
    check_accessibility,
    check_names_and_edges,
    fits,
    scores,
    seat_at,
    stands,
)


def test_a_hand_is_played_by_clicks_reloaded_saved_and_played_again_on_a_phone(open_page: Opened) -> None:
    check_a_hand_by_clicks(open_page, PHONE, "tenhou", 100_000)


def test_the_start_page_and_a_table_are_accessible(open_page: Opened) -> None:
    page = open_page(DESKTOP)
    page.wait_for_selector(".quick-buttons")
    check_accessibility(page)
    seat_at(page, agents=["efficient"])
    page.wait_for_selector(READY)
    check_accessibility(page)


TINY = Path(__file__).parents[1] / "games" / "tiny.py"


@pytest.fixture
def plugged() -> Iterator[str]:
    """Yield the address of ``janshi play`` with the toy game as a plug-in."""
    options = ["play", "--no-browser", "--no-keep", "--port", "0", "--pace", "0", "--rules", "tiny-duel"]
    command = [sys.executable, "-m", "janshi", "--plugin", str(TINY), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield next(found[0] for line in server.stdout if (found := re.search(r"http://\S+/", line)))
        server.kill()


@pytest.mark.parametrize("size", [pytest.param(DESKTOP, marks=pytest.mark.later), PHONE], ids=["desktop", "phone"])
def test_a_game_of_a_plug_in_is_played_by_clicks_without_a_layout_of_its_own(
    open_page: Opened, plugged: str, size: tuple[int, int]
) -> None:
    page = open_page(size, at=plugged)
    page.wait_for_selector(".plain-table")  # the table of the command line
    page.goto(f"{plugged}#/")
    selects = page.locator("form.choice select")
    selects.nth(0).select_option("tiny")
    selects.nth(1).select_option("Whole game")
    page.locator("form.choice [type=submit]").click()
    log, done = page.locator(".plain-log li"), 0
    while not page.query_selector(".panel.end"):
        page.wait_for_selector(".plain-choice .call, .panel .primary")
        if page.query_selector(".panel"):
            # The next hand also begins by itself, so the button may go at any time.
            page.evaluate("document.querySelector('.panel:not(.end) .primary')?.click()")
            continue
        assert "hand: counts" in page.inner_text(".plain-views")
        check_names_and_edges(page, size[0])
        page.locator(".plain-choice .call").last.click()
        done += 1
        expect(log.filter(has_text="You: ")).to_have_count(done)
    assert log.last.inner_text() == "Hand 1 begins."
    assert sum(scores(page)) == 30
    check_accessibility(page)


#: True if the board and the text of the decision are visible and not covered.
IN_SIGHT = """() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    const seen = (name, y) => {
        const at = document.elementFromPoint(box(name).x + box(name).width / 3, y);
        return at !== null && document.querySelector(name).contains(at);
    };
    const [board, why] = [box(".board"), box(".here .why p")];
    const head = box(".here-head");
    return [seen(".board", board.top + 5), seen(".board", board.bottom - 5), seen(".here-head", head.top + 5),
        seen(".here .why p", why.top + 3), document.querySelector(".tab-panel").scrollTop === 0];
}"""


@pytest.mark.parametrize(
    "size", [pytest.param(DESKTOP, marks=pytest.mark.later), PHONE], ids=["desktop", "phone"]
)
def test_a_saved_report_opens_from_disk_and_a_moment_with_the_board_in_sight(
    open_file: OpenedFile, report: Path, review: Review, size: tuple[int, int]
) -> None:
    page = open_file(report, size)
    expect(page.locator(".review-rating strong")).to_have_text(f"{review.report.rating:.1f}")
    expect(page.locator(".review-about")).to_have_text("Tenhou, three players · Imitator")
    expect(page.locator(".moment")).to_have_count(len(review.report.moments))
    for tab in ("decision", "list", "hands", "game"):
        page.click(f"#tab-{tab}")
        assert fits(page), tab
    for rank in (2, len(review.report.moments) - 1):
        page.click("#tab-game")
        page.locator(".moment").nth(rank).scroll_into_view_if_needed()
        page.locator(".moment-go").nth(rank).click()
        stands(page, review.decisions[review.report.moments[rank]].event)
        assert page.evaluate(IN_SIGHT) == [True] * 5

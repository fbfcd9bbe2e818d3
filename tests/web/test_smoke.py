"""The page in a real browser in a minute: a hand, a saved report, accessibility.

`tests.web.test_browser`, `tests.web.test_review_page`, `tests.web.test_lesson` and `tests.web.test_accessibility` test
the rest. ``JANSHI_CHROMIUM`` names the browser (``/usr/bin/chromium``); without one these tests are skipped.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from janshi.review.model import Review
from tests.web.conftest import DESKTOP, PHONE, Opened, OpenedFile
from tests.web.pages import READY, check_a_hand_by_clicks, check_accessibility, fits, seat_at, stands


def test_a_hand_is_played_by_clicks_reloaded_saved_and_played_again_on_a_phone(open_page: Opened) -> None:
    check_a_hand_by_clicks(open_page, PHONE, "tenhou", 100_000)


def test_the_start_page_and_a_table_are_accessible(open_page: Opened) -> None:
    page = open_page(DESKTOP)
    page.wait_for_selector(".quick-buttons")
    check_accessibility(page)
    seat_at(page, agents=["efficient"])
    page.wait_for_selector(READY)
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

"""The pages without violations of the accessibility rules of axe, in a real browser.

``JANSHI_CHROMIUM`` names the browser (``/usr/bin/chromium``); without one these tests are skipped.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.conftest import DESKTOP, PHONE, Opened, OpenedFile
from tests.web.pages import READY, check_accessibility, play, seat_at

pytestmark = pytest.mark.later
LOOKS = pytest.mark.parametrize(
    ("size", "colours"),
    [
        (DESKTOP, "light"),
        (PHONE, "dark"),
        pytest.param(DESKTOP, "dark", marks=pytest.mark.long),
        pytest.param(PHONE, "light", marks=pytest.mark.long),
    ],
    ids=["desktop-light", "phone-dark", "desktop-dark", "phone-light"],
)


@LOOKS
def test_the_start_page_and_own_games(open_page: Opened, size: tuple[int, int], colours: str) -> None:
    page = open_page(size, color_scheme=colours)
    page.wait_for_selector(".quick-buttons")
    check_accessibility(page)
    for place, shown in {"history": "h1", "drills": ".notice .button", "review": "h1"}.items():
        page.evaluate(f"location.hash = '#/{place}'")
        page.wait_for_selector(shown)
        check_accessibility(page)
    for step, exercise in {6: ".lesson-tiles", 9: ".lesson-options"}.items():
        page.evaluate(f"location.hash = '#/lesson?step={step}'")
        page.click(f"{exercise} button >> nth=0")
        check_accessibility(page)


@pytest.mark.parametrize(
    ("rules", "size"), [("tenhou-sanma", DESKTOP), ("sichuan-exchange", PHONE)], ids=["sanma-desktop", "sichuan-phone"]
)
@pytest.mark.parametrize("colours", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_a_table(open_page: Opened, rules: str, size: tuple[int, int], colours: str) -> None:
    page = open_page(size, color_scheme=colours)
    seat_at(page, rules=rules, agents=["efficient"])
    page.wait_for_selector(READY)
    check_accessibility(page)
    page.keyboard.press("h")
    page.wait_for_selector(".advice")
    page.click(".term-guide summary")
    page.click(".advice .term >> nth=0")
    page.wait_for_selector(".term-about")
    check_accessibility(page)
    page.keyboard.press("Escape")
    play(page)
    page.wait_for_selector(".panel")
    check_accessibility(page)


@pytest.mark.parametrize("size", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)], ids=["desktop", "phone"])
@pytest.mark.parametrize("colours", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_a_review(open_file: OpenedFile, measured: Path, size: tuple[int, int], colours: str) -> None:
    page = open_file(measured, size, color_scheme=colours)
    page.locator(".ends-more summary").first.click()
    for tab in ("game", "decision", "list", "hands"):
        page.click(f"#tab-{tab}")
        check_accessibility(page)

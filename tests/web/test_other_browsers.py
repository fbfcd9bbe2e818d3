"""The page in Firefox and in WebKit: a hand by clicks and keys, own games, drills and a review.

Needed are selenium and ``firefox`` with ``geckodriver``, or ``WebKitWebDriver`` (Debian: ``webkit2gtk-driver``) on a
display (``xvfb-run``). Browsers that are not installed are skipped.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

pytest.importorskip("selenium")

from selenium import webdriver
from selenium.common.exceptions import ElementNotInteractableException, StaleElementReferenceException
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from janshi.sample import SAMPLE
from tests.web.pages import READY

pytestmark = pytest.mark.long

DRIVERS = {"firefox": "geckodriver", "webkit": "WebKitWebDriver"}
#: Windows; browsers make the second one as narrow as they can.
SIZES = {"desktop": (1280, 880), "narrow": (390, 880)}
LISTEN = """
window.failures = [];
addEventListener("error", (event) => failures.push(event.message));
addEventListener("unhandledrejection", (event) => failures.push(String(event.reason)));
console.error = (...said) => failures.push(said.join(" "));
"""


class Window:
    """A browser's window."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def all(self, which: str) -> list[Any]:
        """Return the visible elements of a selector."""
        return [each for each in self.driver.find_elements(By.CSS_SELECTOR, which) if each.is_displayed()]

    def first(self, which: str) -> Any:
        """Wait for a visible element and return it."""
        stale = [StaleElementReferenceException]
        return WebDriverWait(self.driver, 60, ignored_exceptions=stale).until(lambda _: self.all(which), which)[0]

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def show(self, place: str, which: str) -> None:
        """Go to a page, wait for an element, and check the page."""
        self.driver.execute_script(f"location.hash = '#/{place}'")
        self.check(which)

    def check(self, which: str) -> None:
        """Wait for an element; the page must fit the window and have had no error."""
        self.first(which)
        assert self.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        assert self.driver.execute_script("return failures") == []


@pytest.fixture(params=DRIVERS)
def window(request: pytest.FixtureRequest, address: str) -> Iterator[Window]:
    """Yield a window with the start page."""
    if shutil.which(DRIVERS[request.param]) is None:
        pytest.skip(f"{DRIVERS[request.param]} is not installed")
    if request.param == "webkit" and not {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ):
        pytest.skip("WebKitGTK needs a display (xvfb-run)")
    driver: Any
    if request.param == "firefox":
        options = webdriver.FirefoxOptions()
        options.add_argument("-headless")
        driver = webdriver.Firefox(options)
    else:
        driver = webdriver.WebKitGTK()
    driver.get(address)
    driver.execute_script(LISTEN)
    yield Window(driver)
    driver.quit()


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_hand_is_played_and_a_game_reviewed(window: Window, size: tuple[int, int]) -> None:
    window.driver.set_window_size(*size)
    window.check("form")
    length = window.driver.find_element(By.XPATH, "//label[contains(., 'Length')]//select")
    Select(length).select_by_value("hand")
    window.first("form button[type=submit]").click()
    window.check(READY)
    window.press("h")
    window.check(".advice")
    for step in range(200):
        window.first(READY)
        if window.all(".panel"):
            break
        with suppress(StaleElementReferenceException, ElementNotInteractableException):  # the page was faster
            if step % 2 == 0:
                (window.all(".call:enabled") or window.all(".hand-tile:enabled"))[0].click()
            elif window.all(".call.pass"):
                window.press("x")
            else:
                window.press(Keys.END, Keys.ENTER)
    window.check(".panel.result")
    window.press(Keys.ENTER)
    window.check(".panel.end")
    window.show("history", ".past-games li")
    window.show("drills", ".notice .button")
    window.show("review", ".drop")
    window.driver.find_element(By.CSS_SELECTOR, ".drop input").send_keys(str(SAMPLE))
    window.check(".seat-choice")
    window.first(".upload .primary").click()
    window.check(".review .moment")
    for tab, shown in {"list": ".difference", "hands": ".hand-row", "decision": ".here"}.items():
        window.first(f"#tab-{tab}").click()
        window.check(shown)
    window.press("n")
    window.first(".what-if-start").click()
    window.check(".what-if-table tbody tr")

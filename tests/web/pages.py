"""The page in a browser: tables, clicks, and what is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright import sync_api
from playwright.sync_api import expect

from tests.web.conftest import Opened

#: Actions in order of preference.
WANTED = ("tsumo", "ron", "win", "riichi", "kita", "ankan", "pon", "chi", "pass", "void_m")
READY = ".calls button:enabled, .hand-tile:enabled, .panel .primary"


def seat_at(page: Any, **table: Any) -> dict[str, Any]:
    """Open a table like the lobby, with the test's settings."""
    wanted = {"rules": "tenhou-sanma", "length": "hand", "seat": 0, "seed": 5, "name": "Mori", **table}
    made = requested(page, "api/tables", wanted)
    sit(page, made, wanted)
    return made


def requested(page: Any, address: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return the server's answer to a request of the page."""
    answer: dict[str, Any] = page.evaluate(
        """([address, body]) => fetch(address, {
            method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
        }).then((answer) => answer.json())""",
        [address, body],
    )
    return answer


def sit(page: Any, made: dict[str, Any], asked: dict[str, Any]) -> None:
    """Open a table of the page."""
    page.evaluate(
        """([{table, key}, asked]) => {
            localStorage.setItem("janshi.tables", JSON.stringify([{id: table, key, asked}]));
            history.replaceState(null, "", "#/table/" + table);
        }""",
        [made, asked],
    )
    page.reload()
    page.wait_for_selector(".board")


def length_of(rules: str) -> str:
    """Return the length of a game of several hands."""
    return "four" if "sichuan" in rules else "east"


def click_on(page: Any) -> str:
    """Perform the next action by a click; return it."""
    page.wait_for_selector(READY)
    if page.query_selector(".panel"):
        kind = "end" if page.query_selector(".panel.end") else "result"
        if kind == "result":
            page.locator(".panel .primary").click()
            page.wait_for_selector(".panel.result", state="detached")
        return kind
    give = page.query_selector(".call.give")
    if give:
        wanted = page.locator(".hand-tile:enabled:not(.chosen)") if give.is_disabled() else page.locator(".call.give")
        wanted.first.click()
        return "give"
    for name in WANTED:
        call = page.query_selector(f".call.{name}")
        if call:
            call.click()
            return name
    page.locator(".hand-tile:enabled").last.click()
    return "discard"


def play(page: Any, most: int = 1000) -> list[str]:
    """Play by clicks until the game is over; return the actions."""
    done: list[str] = []
    while len(done) < most:
        try:
            done.append(click_on(page))
        except sync_api.Error as error:  # the page was faster: the element to click is gone
            if "not attached" not in str(error) and "detached" not in str(error):
                raise
        if done and done[-1] == "end":
            return done
    raise AssertionError(f"no end after {most} steps")


def scores(page: Any) -> list[int]:
    return [int(text) for text in page.locator(".panel.end tbody td:nth-child(3)").all_inner_texts()]


def what_lies(page: Any) -> dict[str, Any]:
    """Return the tiles that the page shows."""
    shown: dict[str, Any] = page.evaluate(
        """() => {
            const tiles = (which) => [...document.querySelectorAll(which)].map((one) => one.dataset.tile);
            const scores = [...document.querySelectorAll(".score")].map((one) => one.textContent);
            const [hand, rivers, laid] = [".own-tiles .tile", ".river .tile", ".laid .tile"].map(tiles);
            const held = tiles(".edge-hand .tile").length;
            return {hand, rivers, laid, held, scores};
        }"""
    )
    return shown


NAMELESS = """() => [...document.querySelectorAll("button, a[href], input, select, [role=img], [role=group]")]
    .filter((one) => {
        const label = one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent;
        return !(label ?? "").trim();
    })
    .map((one) => one.outerHTML.slice(0, 200))"""


EDGES = """() => [...document.querySelectorAll(".hand-tile, .river .tile, .laid .tile, .call")]
    .map((one) => one.getBoundingClientRect()).map((box) => [box.left, box.right])"""


def check_names_and_edges(page: Any, width: int) -> None:
    """Check that all elements have names and fit the page."""
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for left, right in page.evaluate(EDGES):
        assert 0 <= left < right <= width


def check_a_hand_by_clicks(open_page: Opened, size: tuple[int, int], rules: str, total: int) -> None:
    """Play a hand with a reload in between, save its record, begin another one, and open the own games."""
    page = open_page(size)
    page.wait_for_selector("form")
    check_names_and_edges(page, size[0])
    seat_at(page, rules=rules)
    done: list[str] = []
    while done[-1:] != ["end"]:
        kind = click_on(page)
        if kind not in done:
            check_names_and_edges(page, size[0])
        done.append(kind)
        if len(done) == 8:
            page.wait_for_timeout(50)
            page.wait_for_selector(READY)
            before = what_lies(page)
            page.reload()
            page.wait_for_selector(READY)
            assert what_lies(page) == before
    assert done[-2:] == ["result", "end"]
    assert sum(scores(page)) == total
    with page.expect_download() as saved:
        page.get_by_role("button", name=re.compile("^Save the record")).last.click()
    assert Path(saved.value.path()).read_text()
    old = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: url != old)
    page.wait_for_selector(READY)
    page.goto(f"{page.url.split('#')[0]}#/")
    page.click("a[href='#/history']")
    expect(page.locator(".past-games li").first).to_be_visible()
    check_names_and_edges(page, size[0])


def stands(page: Any, event: int) -> None:
    """Wait until the page shows the position after a number of events."""
    expect(page.locator(".seek input")).to_have_value(str(event))


def fits(page: Any) -> bool:
    """Return whether all elements fit the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def check_accessibility(page: Any) -> None:
    """Fail if axe finds a violation of its rules on the page as it is shown."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    found = axe.Axe().run(page).response["violations"]
    assert [(each["id"], node["html"]) for each in found for node in each["nodes"]] == []

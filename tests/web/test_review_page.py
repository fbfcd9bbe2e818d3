"""Reviews in a real browser: upload of a record, navigation, saved reports, hints.

``JANSHI_CHROMIUM`` names the browser (``/usr/bin/chromium``); without one these tests are skipped.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import expect

from janshi.records.links import LinkError
from janshi.review.model import Review
from janshi.riichi.positions import nth_game
from janshi.riichi.records import viewer_address
from janshi.riichi.records.crawl import links
from janshi.sample import SAMPLE
from janshi.sichuan.records.jsonl import write_sichuan
from tests.sichuan.test_game_review import game_of
from tests.web.conftest import DESKTOP, PHONE, Opened, OpenedFile
from tests.web.pages import fits, seat_at, stands

pytestmark = pytest.mark.later
SIZES = pytest.mark.parametrize(
    "size", [pytest.param(DESKTOP, marks=pytest.mark.long), PHONE], ids=["desktop", "phone"]
)


def at(page: Any) -> int:
    """Return the number of events before the shown position."""
    return int(page.input_value(".seek input"))


# ---------------------------------------------------------------------------------------------------------
# The saved report


def test_moments_and_differences_link_to_their_decisions_and_back(
    open_file: OpenedFile, report: Path, review: Review
) -> None:
    page = open_file(report)
    start = at(page)
    first = review.decisions[review.report.moments[0]]
    page.click(".moment >> nth=0 >> .moment-hand .tile >> nth=0", force=True)  # the whole card is a link
    stands(page, first.event)
    expect(page.locator("#tab-decision")).to_have_attribute("aria-selected", "true")
    assert page.inner_text(".here-number").startswith(f"Decision {first.number + 1} of")
    for marked in (".review-surface .mark-best", ".review-surface .mark-done", ".candidates tbody tr"):
        assert page.locator(marked).count() >= 1
    page.click("#tab-list")
    differ = [one for one in review.decisions if not one.agrees]
    expect(page.locator(".difference")).to_have_count(len(differ))
    costs = [f"cost {round(100 * one.cost)} %" for one in sorted(differ, key=lambda one: (-one.cost, one.number))]
    assert page.locator(".difference .cost").all_inner_texts()[:5] == costs[:5]
    page.select_option(".differences select", "time")
    page.locator(".difference").first.click()
    stands(page, differ[0].event)
    page.go_back()
    stands(page, first.event)
    page.go_back()
    stands(page, start)
    expect(page.locator("#tab-game")).to_have_attribute("aria-selected", "true")
    page.go_forward()
    stands(page, first.event)


def test_a_term_of_a_reason_opens_its_meaning_and_escape_closes_it(open_file: OpenedFile, report: Path) -> None:
    page = open_file(report, PHONE)
    page.click("#tab-decision")
    page.keyboard.press("n")
    term = page.locator(".here .term", has_text="shanten").first
    height = page.evaluate("document.documentElement.scrollHeight")
    term.focus()
    expect(term).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    expect(term).to_have_attribute("aria-expanded", "true")
    meaning = page.locator(".term-about:popover-open")
    expect(meaning).to_contain_text("needs to become tenpai")
    expect(meaning).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollHeight") == height
    page.keyboard.press("Escape")
    expect(meaning).to_have_count(0)
    expect(term).to_have_attribute("aria-expanded", "false")
    expect(term).to_be_focused()


def test_mistakes_by_kind_are_beside_those_of_strong_people(open_file: OpenedFile, measured: Path) -> None:
    page = open_file(measured, PHONE)
    rows = page.locator(".mistakes tbody tr")
    expect(rows).to_have_text(["shape20.400.01", "all20.400.03"])
    assert fits(page)


@SIZES
def test_a_moment_names_its_causes_and_opens_how_the_hand_ends_by_keys(
    open_file: OpenedFile, measured: Path, size: tuple[int, int]
) -> None:
    page = open_file(measured, size)
    start = at(page)
    moment = page.locator(".moment").first
    sentence = "Wins 20 % instead of 40 %: waits for 4 tiles instead of 8 tiles."
    expect(moment.locator(".measured")).to_contain_text(sentence)
    table = moment.locator(".ends")
    expect(table).to_be_hidden()
    moment.locator("summary").focus()
    page.keyboard.press("Enter")
    wins, _, yaku, tiles, *_ = table.locator("tbody tr").all()
    expect(wins).to_have_text("Wins20 %40 %")
    expect(yaku.locator("td").first).to_have_text("riichi 81 %dora 1.3tanyao 40 %")
    expect(tiles.locator("td").first.locator(".tile")).to_have_count(2)
    assert fits(page)
    moment.locator("summary").click()
    expect(table).to_be_hidden()
    assert at(page) == start, "the card does not lead to the decision"
    page.locator(".moment-go").first.click(force=True)
    page.locator(".here .ends-more summary").click()
    expect(page.locator(".here .ends tbody tr")).to_have_count(10)
    assert fits(page)


def test_the_course_of_the_game_links_to_its_hands(open_file: OpenedFile, report: Path, review: Review) -> None:
    page = open_file(report)
    starts = [number + 1 for number, event in enumerate(review.events) if event["type"] == "start_kyoku"]
    for chart in (0, 1):
        page.click("#tab-game")
        hands = page.locator(".course figure").nth(chart).locator("[role=button]")
        expect(hands).to_have_count(len(starts) + 1)
        hands.nth(1).press("Enter")
        stands(page, starts[1])


def test_keys_step_a_game_plays_by_itself_and_a_link_leads_to_the_same_position(
    open_file: OpenedFile, report: Path, review: Review
) -> None:
    page = open_file(report)
    starts = [place + 1 for place, event in enumerate(review.events) if event["type"] == "start_kyoku"]
    differ = [one.event for one in review.decisions if not one.agrees]
    stands(page, starts[0])
    page.keyboard.press("ArrowRight")
    stands(page, starts[0] + 1)
    page.keyboard.press("ArrowLeft")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    stands(page, [one.event for one in review.decisions if one.event > starts[0]][2])
    page.keyboard.press("End")
    stands(page, starts[1])
    page.keyboard.press("n")
    after = next(one for one in differ if one > starts[1])
    stands(page, after)
    page.keyboard.press("p")
    before = max(one for one in differ if one < after)
    stands(page, before)
    page.select_option(".view-controls select", "1")
    page.wait_for_timeout(400)
    again = open_file(report, place=page.evaluate("location.hash"))
    stands(again, before)
    assert again.input_value(".view-controls select") == "1"
    hidden = again.locator(".edge-hand .tile[data-tile='?']").count()
    assert hidden >= 10 * (review.players - 1), "two hands are not seen"
    page.check(".view-controls input")
    page.wait_for_timeout(400)
    opened = open_file(report, place=page.evaluate("location.hash"))
    expect(opened.locator(".edge-hand .tile[data-tile='?']")).to_have_count(0)
    page.select_option(".speed select", "0.2")
    page.click(".step.go")
    some_later = "|".join(map(str, range(before + 3, len(review.events))))
    expect(page.locator(".seek input")).to_have_value(re.compile(f"^({some_later})$"))
    page.click(".step.go")
    stopped = at(page)
    page.wait_for_timeout(500)
    assert at(page) == stopped


def test_the_end_of_a_hand_shows_its_result_and_enter_goes_on(
    open_file: OpenedFile, report: Path, review: Review
) -> None:
    page = open_file(report)
    starts = [place + 1 for place, event in enumerate(review.events) if event["type"] == "start_kyoku"]
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".panel.result")
    page.keyboard.press("Enter")
    stands(page, starts[1])
    page.click("#tab-hands")
    page.click(".hand-row >> nth=1")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".panel.result .payments")
    page.click(".panel .primary")
    page.wait_for_selector(".panel.result", state="detached")


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_every_step_of_a_game_can_be_drawn_in_both_languages(
    open_file: OpenedFile, report: Path, review: Review, theme: str
) -> None:
    page = open_file(report, color_scheme=theme)
    page.click(".menu summary")
    page.select_option(".menu select >> nth=0", "ja")
    expect(page.locator("#tab-decision")).to_have_text("選択")
    page.click("#tab-decision")
    for _ in range(len(review.decisions)):
        page.keyboard.press("Shift+ArrowRight")
    stands(page, review.decisions[-1].event)


# ---------------------------------------------------------------------------------------------------------
# Through the server


def hand_in(page: Any, text: str) -> None:
    """Paste a record into the upload page."""
    page.click(".to-review a")
    page.fill(".paste textarea", text)
    page.click(".paste button")
    page.wait_for_selector(".seat-choice")


@SIZES
def test_a_link_is_reviewed_and_the_report_saved(
    open_page: Opened,
    open_file: OpenedFile,
    tmp_path: Path,
    size: tuple[int, int],
) -> None:
    game = nth_game(SAMPLE, 1)
    page = open_page(size)
    hand_in(page, viewer_address(game))
    expect(page.locator(".seat-choice label")).to_have_count(game.players)
    page.check(".seat-choice input >> nth=1")
    page.select_option(".fields select", "efficient")
    assert fits(page)
    page.click(".upload .primary")
    page.wait_for_selector(".review")
    expect(page.locator(".review-who select")).to_have_value("1")
    page.click("#tab-decision")
    page.keyboard.press("Shift+ArrowRight")
    page.click(".what-if-start")
    expect(page.locator(".what-if-table tbody tr")).to_have_count(2, timeout=60_000)
    page.click(".what-if-options button[aria-pressed=false] >> nth=0")
    expect(page.locator(".what-if-table tbody tr")).to_have_count(3, timeout=60_000)
    assert fits(page)
    with page.expect_download() as saving:
        page.click(".save")
    file = tmp_path / "saved.html"
    saving.value.save_as(file)
    saved = open_file(file, size)
    assert saved.inner_text(".review-rating") == page.inner_text(".review-rating")
    expect(saved.locator(".save")).to_have_count(0)
    saved.click("#tab-decision")
    saved.keyboard.press("Shift+ArrowRight")
    expect(saved.locator(".candidates")).not_to_have_count(0)
    expect(saved.locator(".what-if-start, .play-from")).to_have_count(0)
    page.click(".play-from")
    page.wait_for_url("**#/table/*")
    page.wait_for_selector(".play .hand-tile, .play-hand button")
    page.go_back()
    page.wait_for_selector(".play-from")


def test_a_file_is_dropped_and_another_seat_selected(open_page: Opened) -> None:
    page = open_page()
    page.click(".to-review a")
    page.set_input_files(".drop input", SAMPLE)
    page.wait_for_selector(".seat-choice")
    page.select_option(".fields select", "efficient")
    page.click(".upload .primary")
    page.wait_for_selector(".review")
    page.click("#tab-decision")
    page.keyboard.press("n")
    page.select_option(".review-who select", "2")
    # The current review stays until the other one is loaded.
    chosen = '.review-who option[value="2"]:checked'
    page.wait_for_url("**seat=2**")
    page.wait_for_selector(chosen, state="attached")
    page.reload()
    page.wait_for_selector(chosen, state="attached")
    assert "seat=2" in page.url


def test_a_real_record_is_reviewed(open_page: Opened, records: Path) -> None:
    with zipfile.ZipFile(records / "four-2020.zip") as archive:
        name = next(one for one in archive.namelist() if not one.endswith("/"))
        data = archive.read(name)
    page = open_page()
    page.click(".to-review a")
    page.set_input_files(".drop input", {"name": name, "mimeType": "application/octet-stream", "buffer": data})
    page.wait_for_selector(".seat-choice")
    page.click(".upload .primary")
    page.wait_for_selector(".review", timeout=60_000)
    page.click(".moment >> nth=0")
    assert page.locator(".why p").count() >= 1


def test_a_game_of_sichuan_is_reviewed_in_points_and_played_on(open_page: Opened) -> None:
    page = open_page()
    hand_in(page, write_sichuan(game_of("sichuan-exchange", 5)))
    page.click(".upload .primary")
    page.wait_for_selector(".review")
    page.click("#tab-hands")
    expect(page.locator(".tab-panel")).to_contain_text("Hand 1")
    page.click("#tab-game")
    expect(page.locator(".summary")).to_contain_text("points in total", timeout=120_000)
    page.click("#tab-decision")
    for _ in range(8):
        page.keyboard.press("n")
    page.click(".what-if-start")
    expect(page.locator(".what-if-table")).to_contain_text("Points", timeout=60_000)
    expect(page.locator(".what-if-table")).not_to_contain_text("Place")


def test_unsuitable_records_are_refused_with_help_and_without_console_errors(
    open_page: Opened,
    address: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fetch(name: str) -> bytes:
        raise LinkError(f"{links.SITE}/0/log/?{name} cannot be fetched. Save that page as a file, and open the file.")

    monkeypatch.setattr(links, "fetch_tenhou", fetch)
    page = open_page(at=f"{address}#/review")
    named = "2019010100gm-00b9-0000-0123abcd"
    for text, words in (
        ("this is no record", "record"),
        (f"https://tenhou.net/0/?log={named}&tw=1", "and open the file"),
    ):
        page.fill(".paste textarea", text)
        page.click(".paste button")
        expect(page.locator(".warning")).to_contain_text(words)
    expect(page.locator(".warning a")).to_have_attribute("href", f"https://tenhou.net/0/log/?{named}")
    page.goto(f"{address}#/review/nothing")
    page.wait_for_selector(".notice[role=alert]")
    expect(page.locator(".notice")).to_contain_text("no longer stored")


@SIZES
def test_a_hint_shows_bars_and_candidates(open_page: Opened, size: tuple[int, int]) -> None:
    page = open_page(size)
    seat_at(page)
    page.wait_for_selector(".hand-tile:enabled")
    page.click(".hint-button")
    page.wait_for_selector(".advice .candidates")
    assert (
        page.locator(".play-hand .tile-bar .mark-best").count() + page.locator(".calls-table .mark-best").count() >= 1
    )
    assert page.inner_text(".advice .why").startswith("It would choose")
    assert fits(page)
    page.locator(".hand-tile:enabled").last.click()
    page.wait_for_selector(".advice", state="detached")

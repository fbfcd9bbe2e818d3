"""Hints during play, and reviews of uploaded or finished games."""

from __future__ import annotations

import asyncio
import base64
import gzip
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from janshi.records.links import Link
from janshi.riichi.records import read_mjai_text, viewer_address
from janshi.riichi.records.crawl import links
from janshi.web.links import BusyError, LinkReader
from janshi.web.table_manager import Setup
from tests.records import fake_site
from tests.web.conftest import Browser


@pytest.fixture(scope="module")
def played(browser: Browser) -> dict[str, Any]:
    """Return a table after a whole game, as Tenhou's formats do not support single hands."""
    made = browser.open(rules="tenhou-sanma", length="east", seat=1, name="Aki")
    with browser.tab() as tab:
        tab.join(made)
        tab.play_on()
    return made


def record(browser: Browser, made: dict[str, Any], to: str) -> str:
    """Return the record of a table's game."""
    return browser.client.get(f"/api/tables/{made['table']}/record", params={"key": made["key"], "format": to}).text


@pytest.mark.parametrize("to", ["mjai", "tenhou6", "mjlog", "link", "gzip"])
def test_a_record_is_reviewed(browser: Browser, played: dict[str, Any], to: str) -> None:
    text = record(browser, played, to if to in ("mjai", "tenhou6", "mjlog") else "mjai")
    wanted: dict[str, Any] = {"record": text, "seat": 1, "by": "efficient"}
    if to == "link":
        (game,) = read_mjai_text(text)
        wanted["record"] = viewer_address(game)
    if to == "gzip":
        wanted |= {"record": base64.b64encode(gzip.compress(text.encode())).decode(), "base64": True}
    made = browser.client.post("/api/reviews", json=wanted)
    assert made.status_code == 200, made.text
    assert (made.json()["game"], made.json()["seats"][1]) == ("riichi", "Aki")
    review = browser.client.get(f"/api/reviews/{made.json()['review']}").json()
    assert (review["seat"], review["by"], review["players"]) == (1, "efficient", 3)
    assert review["decisions"]
    assert "/tmp" not in review["source"]
    other = browser.client.get(f"/api/reviews/{made.json()['review']}", params={"seat": 0, "by": "sl"}).json()
    assert (other["seat"], other["by"]) == (0, "sl")


def test_losses_are_measured_once_and_kept(
    browser: Browser, played: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("onnxruntime")
    monkeypatch.setattr("janshi.review.losses.HANDS", 100)
    wanted = {"record": record(browser, played, "mjai"), "seat": 1, "by": "sl"}
    address = f"/api/reviews/{browser.client.post('/api/reviews', json=wanted).json()['review']}"
    plain = browser.client.get(address).json()
    assert plain["report"]["losses"] is None
    measured = browser.client.get(f"{address}/losses").json()
    losses = [each["loss"] for each in measured["decisions"] if each["loss"]]
    assert measured["report"]["losses"]["measured"] == len(losses) > 0
    assert browser.client.get(f"{address}/losses").json() == measured
    assert browser.client.get(address).json() == measured, "later readers see them at once"
    gone = browser.client.get("/api/reviews/unknown/losses")
    assert (gone.status_code, "no longer stored" in gone.json()["reason"]) == (404, True)


def test_a_decision_is_played_on_a_batch_at_a_time(browser: Browser, played: dict[str, Any]) -> None:
    pytest.importorskip("onnxruntime")
    wanted = {"record": record(browser, played, "mjai"), "seat": 1, "by": "efficient"}
    address = f"/api/reviews/{browser.client.post('/api/reviews', json=wanted).json()['review']}"
    review = browser.client.get(address).json()
    assert review["plays_on"]
    decision = next(each for each in review["decisions"] if len(each["options"]) > 2)
    options = [each["action"] for each in decision["options"][:2]]
    asked = {"seat": 1, "decision": decision["number"], "options": options}
    first, second = (browser.client.post(f"{address}/playouts", json=asked).json() for _ in range(2))
    assert (first["samples"], second["samples"], first["finished"]) == (32, 96, False)
    assert [each["action"] for each in second["options"]] == options
    for each in second["options"]:
        assert 1 <= each["place"]["low"] <= each["place"]["value"] <= each["place"]["high"] <= 3
        assert 0 <= each["win"]["low"] <= each["win"]["high"] <= 1
    assert min(each["behind"]["value"] for each in second["options"]) == 0
    wrong = {"decision": 9999}, {"options": [*options, 9]}, {"options": [options[0]] * 2}, {"seat": 3}
    for change, status in zip(wrong, (400, 400, 400, 400), strict=True):
        answer = browser.client.post(f"{address}/playouts", json=asked | change)
        assert answer.status_code == status, answer.text
        assert answer.json()["reason"]
    assert browser.client.post("/api/reviews/unknown/playouts", json=asked).status_code == 404


def test_a_game_that_is_played_is_not_reviewed(browser: Browser) -> None:
    made = browser.open(rules="tenhou-sanma")
    refused = (made["key"], 409, "after the end of the game"), ("x", 404, "belongs to another browser")
    for key, status, reason in refused:
        answer = browser.client.post(f"/api/tables/{made['table']}/review", params={"key": key})
        assert (answer.status_code, reason in answer.json()["reason"]) == (status, True)


def test_the_game_just_played_is_reviewed_and_can_be_saved_as_a_page(
    browser: Browser, played: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made = browser.client.post(f"/api/tables/{played['table']}/review", params={"key": played["key"]}).json()
    review = browser.client.get(f"/api/reviews/{made['review']}").json()
    assert (review["seat"], review["by"], review["names"][1]) == (1, "sl", "Aki")
    monkeypatch.setattr("janshi.web.server.STATIC", tmp_path)
    answer = browser.client.get(f"/api/reviews/{made['review']}/report.html")
    assert (answer.status_code, "npm run build" in answer.json()["reason"]) == (503, True)
    page = '<head><title>x</title><script src="a.js"></script><link rel="stylesheet" href="a.css"></head>'
    for name, text in (("index.html", page), ("a.js", "1"), ("a.css", "b{}")):
        (tmp_path / name).write_text(text)
    answer = browser.client.get(f"/api/reviews/{made['review']}/report.html", params={"seat": 2})
    assert answer.status_code == 200
    assert 'id="review"' in answer.text
    assert "attachment" in answer.headers["content-disposition"]


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"record": ""}, "empty"),
        ({"record": "nothing"}, "the record"),
        ({"record": "<mjloggm>"}, "incomplete"),
        ({"record": "!", "base64": True}, "not valid base64"),
        ({"record": base64.b64encode(b"PK\x03\x04 broken").decode(), "base64": True}, "the record"),
        ({"record": base64.b64encode(b"\x1f\x8b broken").decode(), "base64": True}, "cannot be read"),
        ({"record": "/etc/passwd"}, "the record"),
        ({"record": "x", "game": 0}, "game: "),
        ({"record": "x", "seat": 4}, "seat: "),
        ({}, "record: "),
    ],
)
def test_invalid_records_are_refused(browser: Browser, wanted: Any, reason: str) -> None:
    answer = browser.client.post("/api/reviews", json=wanted)
    assert answer.status_code == 400
    assert reason in answer.json()["reason"]
    assert "/tmp" not in answer.json()["reason"]


def test_a_refusal_has_an_ordinary_status_code(browser: Browser) -> None:
    """Browsers report other status codes as errors in their console."""
    ask = {"headers": {"Janshi-Status": ""}}
    for answer, status, reason in (
        (browser.client.post("/api/reviews", json={"record": "nothing"}, **ask), "400", "the record"),
        (browser.client.post("/api/reviews", json={}, **ask), "400", "record: "),
        (browser.client.get("/api/reviews/nothing", **ask), "404", "no longer stored"),
        (browser.client.get("/api/nothing", **ask), "404", "not found"),
    ):
        assert (answer.status_code, answer.headers["Janshi-Status"]) == (200, status)
        assert reason in answer.json()["reason"]
    assert "Janshi-Status" not in browser.client.get("/api/site", **ask).headers


def test_unknown_seats_and_reviewers_are_refused(browser: Browser, played: dict[str, Any]) -> None:
    text = record(browser, played, "mjai")
    for wrong, reason in (
        ({"seat": 3}, "there is no seat 3"),
        ({"by": "random"}, "cannot review"),
        ({"by": "/etc/passwd"}, "no player"),
        ({"game": 2}, "there is no game 2"),
    ):
        answer = browser.client.post("/api/reviews", json={"record": text, **wrong})
        assert (answer.status_code, reason in answer.json()["reason"]) == (400, True), answer.text
    made = browser.client.post("/api/reviews", json={"record": text}).json()["review"]
    for query, reason in (({"seat": 3}, "no seat 3"), ({"by": "x"}, "no player"), ({"seat": "x"}, "query.seat")):
        answer = browser.client.get(f"/api/reviews/{made}", params=query)
        assert (answer.status_code, reason in answer.json()["reason"]) == (400, True), answer.text
    answer = browser.client.get("/api/reviews/nothing")
    assert (answer.status_code, "no longer stored" in answer.json()["reason"]) == (404, True)


def test_a_hint_shows_the_best_players_choice(browser: Browser) -> None:
    with browser.tab() as tab:
        tab.join(browser.open(rules="tenhou-sanma"))
        ask = tab.asked()
        tab.say({"type": "hint", "number": ask["number"]})
        told = tab.hear_of("advised")
        assert told["number"] == ask["number"]
        possible = [one["action"] for one in ask["options"]]
        assert told["advice"]["by"] == "sl"
        assert told["advice"]["best"] in possible
        assert {one["action"] for one in told["advice"]["preferences"]} <= set(possible)
        assert "waits for the answer" in tab.refused({"type": "hint", "number": ask["number"] + 1})
        tab.play_on()
        tab.say({"type": "hint", "number": 1})
        while tab.hear_of("refused")["reason"] != "the table is not waiting for you now":
            pass


def test_hints_can_be_switched_off(serving: Callable[..., Any]) -> None:
    with serving(Setup(pace=0.0, hints=False)) as browser, browser.tab() as tab:
        tab.join(browser.open(rules="tenhou-sanma"))
        assert tab.refused({"type": "hint", "number": tab.asked()["number"]}) == "hints are switched off"


def test_a_game_given_at_the_start_is_reviewed(
    browser: Browser, played: dict[str, Any], serving: Callable[..., Any]
) -> None:
    (game,) = read_mjai_text(record(browser, played, "mjai"))
    with serving(Setup(review=game)) as other:
        name = other.client.get("/api/site").json()["review"]
        assert other.client.get(f"/api/reviews/{name}").json()["names"][1] == "Aki"


NAME = "2019010100gm-00b9-0000-0123abcd"


@pytest.fixture
def tenhou(
    browser: Browser, played: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[fake_site.Site]:
    """Provide a local site with one record in place of Tenhou."""
    text = record(browser, played, "mjlog")
    with fake_site.serving(fake_site.Site({NAME: text.encode()})) as site:
        monkeypatch.setattr(links, "SITE", site.url)
        monkeypatch.setattr(links, "cache_folder", lambda: tmp_path)
        monkeypatch.setattr(links, "TIMEOUT", 0.5)
        monkeypatch.setattr("janshi.riichi.records.crawl.crawler.check_record", lambda data, name: None)
        yield site


def test_the_record_of_a_pasted_link_is_fetched_and_kept(browser: Browser, tenhou: fake_site.Site) -> None:
    for _ in range(2):
        made = browser.client.post("/api/reviews", json={"record": f"https://tenhou.net/3/?log={NAME}&tw=1"})
        assert made.status_code == 200, made.text
        assert (made.json()["seat"], made.json()["seats"][1]) == (1, "Aki")
    assert tenhou.asked == {NAME: 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("https://game.mahjongsoul.com/?paipu=240101-01234567-89ab-cdef-0123-456789abcdef", "Mahjong Soul shows"),
        ("https://www.riichicity.com/x", "Riichi City shows"),
        ("http://127.0.0.1:8000/api/site", "no records of 127.0.0.1"),
        ("http://169.254.169.254/latest/meta-data/?log=" + NAME, "no records of 169.254.169.254"),
        ("http://evil.example/tenhou.net/0/?log=x", "no records of evil.example"),
    ],
)
def test_other_links_are_refused_with_what_to_do(
    browser: Browser, tenhou: fake_site.Site, text: str, words: str
) -> None:
    answer = browser.client.post("/api/reviews", json={"record": text})
    assert answer.status_code == 400
    assert words in answer.json()["reason"]
    assert not tenhou.asked


def test_a_site_that_hangs_holds_up_nobody_else(
    browser: Browser, tenhou: fake_site.Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "TIMEOUT", 2.0)
    tenhou.moods[NAME] = [fake_site.hang]
    answers: list[Any] = []
    asking = threading.Thread(
        target=lambda: answers.append(browser.client.post("/api/reviews", json={"record": f"tenhou.net/0/?log={NAME}"}))
    )
    asking.start()
    while not tenhou.asked:
        time.sleep(0.01)
    assert browser.client.get("/api/site").status_code == 200
    assert asking.is_alive()
    asking.join()
    assert (answers[0].status_code, tenhou.asked) == (400, {NAME: 1})
    assert "no answer within" in answers[0].json()["reason"]


async def _asks(reader: LinkReader, link: Link, count: int) -> list[Any]:
    """Ask for a link several times, each asker leaving at once but the last."""
    asked = [asyncio.ensure_future(reader.record(link)) for _ in range(count)]
    await asyncio.sleep(0.05)
    for each in asked[:-1]:
        each.cancel()
    return await asyncio.gather(*asked, return_exceptions=True)


def test_askers_that_leave_still_count() -> None:
    fetched: list[float] = []

    def fetch() -> bytes:
        fetched.append(time.monotonic())
        time.sleep(0.05)
        return b"record"

    reader = LinkReader(pause=0.1)
    *_, last = asyncio.run(_asks(reader, Link(name="a", advice="", fetch=fetch), 12))
    reader.close()
    assert isinstance(last, BusyError)
    assert len(fetched) <= 8
    assert all(later - earlier > 0.1 for earlier, later in pairwise(fetched))

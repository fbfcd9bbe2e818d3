"""Tables that begin at a decision of a reviewed game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from janshi.games import rules_of
from janshi.records import recorder_of
from janshi.web.storage import Storage
from janshi.web.table_manager import Setup
from tests.cases import mostly_long
from tests.web.conftest import Browser

SEAT = 1


@pytest.fixture(scope="module")
def start(serving: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Any]:
    """Return a function that serves stored tables without pauses."""
    folder = tmp_path_factory.mktemp("state")
    return lambda: serving(Setup(pace=0.0, storage=Storage(folder)))


def reviewed(browser: Browser, rules: str, length: str) -> tuple[str, dict[str, Any]]:
    """Play a game; return the id of its review, and the review."""
    made = browser.open(rules=rules, length=length, seat=SEAT, agents=["efficient"])
    with browser.tab() as tab:
        tab.join(made)
        tab.play_on()
    kept = browser.client.post(f"/api/tables/{made['table']}/review", params={"key": made["key"]}).json()
    name: str = kept["review"]
    return name, browser.client.get(f"/api/reviews/{name}", params={"by": "efficient"}).json()


def seen(events: list[dict[str, Any]], rules: str) -> Iterator[dict[str, Any]]:
    """Yield the events of one hand as visible to the seat, with sorted hands."""
    for event in events:
        shown = recorder_of(rules_of(rules)).seen_by(event, SEAT)
        yield {**shown, "tehais": [sorted(hand) for hand in shown["tehais"]]} if "tehais" in shown else shown


@pytest.mark.parametrize(
    ("rules", "length", "phase", "choice"),
    mostly_long(
        [
            ("tenhou-sanma", "east", 20, "discard"),
            ("tenhou", "east", 30, "discard"),
            ("sichuan", "four", 30, "discard"),
            ("sichuan", "four", 1, "void_m"),
            ("sichuan-exchange", "hand", 1, "give"),
            ("sichuan-exchange", "four", 10, "void_m"),
            ("sichuan-novikov", "hand", 0, "lay"),
        ],
        lambda rules, length, phase, choice: (rules, choice) in (
            ("tenhou-sanma", "discard"), ("sichuan-exchange", "give")
        ),
    ),
)
def test_a_table_shows_the_hand_so_far_asks_for_the_decision_and_resumes(
    start: Callable[[], Any], rules: str, length: str, phase: int, choice: str
) -> None:
    with start() as browser:
        name, review = reviewed(browser, rules, length)
        decision = next(each for each in review["decisions"][phase:] if each["options"][0]["name"] == choice)
        answer = browser.client.post(
            f"/api/reviews/{name}/tables", json={"seat": SEAT, "decision": decision["number"], "name": "Mori"}
        )
        assert answer.status_code == 200, answer.text
        made = answer.json()
        with browser.tab() as tab:
            welcome = tab.join(made)
            assert (welcome["names"][SEAT], welcome["length"]) == ("Mori", length)
            events = review["events"][: decision["event"]]
            hand = max(number for number, event in enumerate(events) if event["type"] == "start_kyoku")
            assert list(seen(welcome["events"][1:], rules)) == list(seen(events[hand:], rules))
            assert tab.asked()["options"] == decision["options"]
            tab.answer()
            tab.hear()
            before = tab.events()
    with start() as browser, browser.tab() as tab:
        assert tab.join(made)["events"][: len(before)] == before
        assert tab.play_on()["type"] == "end_game"
        key = {"key": made["key"]}
        again = browser.client.post(f"/api/tables/{made['table']}/review", params=key).json()["review"]
        assert browser.client.get(f"/api/reviews/{again}", params={"by": "efficient"}).json()["notes"] == []


def test_hidden_tiles_differ_from_table_to_table(start: Callable[[], Any], tmp_path: Path) -> None:
    with start() as browser:
        name, review = reviewed(browser, "tenhou-sanma", "hand")
        wanted = {"seat": SEAT, "decision": review["decisions"][0]["number"]}
        later = set()
        for _ in range(3):
            with browser.tab() as tab:
                tab.join(browser.client.post(f"/api/reviews/{name}/tables", json=wanted).json())
                tab.play_on()
            later.add(str(tab.events()[-3:]))
        assert len(later) > 1
        for wrong in ({"decision": 9999}, {"seat": 3}):
            refused = browser.client.post(f"/api/reviews/{name}/tables", json=wanted | wrong)
            assert (refused.status_code, bool(refused.json()["reason"])) == (400, True)
        assert browser.client.post("/api/reviews/unknown/tables", json=wanted).status_code == 404

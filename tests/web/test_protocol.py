"""Messages between browser and server."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from janshi.riichi.records import read_mjai_text, read_mjlog, read_tenhou6_text
from janshi.web.messages import NewTable
from janshi.web.table_manager import Setup
from tests.web.conftest import Browser

#: Readers of records by format.
READ: dict[str, Any] = {
    "mjai": read_mjai_text,
    "tenhou6": read_tenhou6_text,
    "mjlog": lambda text: [read_mjlog(text)],
}


@pytest.mark.parametrize(
    ("rules", "length", "hands"), [("tenhou-sanma", "hand", 1), ("tenhou", "hand", 1), ("tenhou-sanma", "east", 3)]
)
def test_a_game_is_played_to_its_end_and_its_record_downloaded(
    browser: Browser, rules: str, length: str, hands: int
) -> None:
    made = browser.open(rules=rules, length=length, name="Aki")
    address, key = f"/api/tables/{made['table']}/record", {"key": made["key"]}
    early = browser.client.get(address, params=key)
    assert (early.status_code, early.json()) == (409, {"reason": "the record is available after the end of the game"})
    with browser.tab() as tab:
        welcome = tab.join(made)
        assert welcome["names"][made["seat"]] == "Aki"
        assert sum(tab.play_on()["scores"]) in (105_000, 100_000)
    events = tab.events()
    assert [event["type"] for event in events].count("end_kyoku") >= hands
    assert not [message for message in tab.heard if message["type"] == "refused"]
    numbers = [message["first"] for message in tab.heard if message["type"] == "happened"]
    assert numbers == list(range(len(welcome["events"]), len(events)))
    for to, read in READ.items() if hands == 1 else []:
        answer = browser.client.get(address, params={**key, "format": to})
        assert (answer.status_code, "attachment" in answer.headers["content-disposition"]) == (200, True)
        (game,) = read(answer.text)
        assert (len(game.hands), game.players) == (1, 3 if "sanma" in rules else 4)


def test_a_reload_resumes_the_game(browser: Browser) -> None:
    made = browser.open(rules="tenhou-sanma")
    with browser.tab() as tab:
        tab.join(made)
        tab.answer()
        waited_for = tab.asked()
        events = tab.events()
        own = [message for message in tab.heard if message["type"] == "own"][-1:]
    with browser.tab() as tab:
        again = tab.join(made, received=3)
        assert (again["first"], again["events"], again["ask"]) == (3, events[3:], waited_for)
        assert own == [] or again["own"] == own[0]
    with browser.tab() as tab:
        assert tab.join(made)["events"] == events
        tab.play_on()
    with browser.tab() as tab:
        assert tab.join(made, received=10_000)["first"] == 0


def test_the_newer_of_two_tabs_takes_the_seat(browser: Browser) -> None:
    made = browser.open(rules="tenhou-sanma")
    with browser.tab() as older:
        older.join(made)
        with browser.tab() as newer:
            newer.join(made)
            told = older.hear_of("refused")
            assert told["fatal"]
            assert "another window" in told["reason"]
            newer.play_on()


def test_watching_agents_shows_all_hands(browser: Browser) -> None:
    made = browser.open(rules="tenhou-sanma", watch=True, agents=["efficient", "random"])
    assert made["seat"] is None
    with browser.tab() as tab:
        welcome = tab.join({**made, "key": ""})
        assert welcome["names"] == ["Efficient", "Random", "Efficient"]
        tab.say({"type": "set_pace", "seconds": 0.0})
        assert tab.play_on()["type"] == "end_game"
    events = tab.events()
    assert all("?" not in hand for event in events if event["type"] == "start_kyoku" for hand in event["tehais"])


def test_a_watched_table_can_be_paused_and_stepped(serving: Callable[..., Any]) -> None:
    with serving(Setup()) as browser, browser.tab() as tab:
        tab.join(browser.open(rules="tenhou-sanma", watch=True))
        tab.say({"type": "set_pace", "paused": True, "seconds": 10.0})
        assert tab.hear_of("pace") == {"type": "pace", "paused": True, "seconds": 10.0}
        told = len([message for message in tab.heard if message["type"] == "happened"])
        for _ in range(5):
            tab.say({"type": "set_pace", "step": True})
            assert tab.hear()["type"] == "happened"
        assert len([message for message in tab.heard if message["type"] == "happened"]) == told + 5
        tab.say({"type": "set_pace", "paused": False, "seconds": 0.0})
        assert tab.play_on()["type"] == "end_game"


def test_the_seat_is_random_unless_named(browser: Browser) -> None:
    assert browser.open(rules="tenhou", seat=3)["seat"] == 3
    assert {browser.open(rules="tenhou", seat=None)["seat"] for _ in range(40)} == {0, 1, 2, 3}


def test_a_seed_decides_the_walls(browser: Browser) -> None:
    starts = []
    for seed in (5, 5, 6, None, None):
        with browser.tab() as tab:
            starts.append(tab.join(browser.open(rules="tenhou-sanma", seed=seed)) and tab.asked() and tab.heard)
    hands = [
        next(event for message in heard for event in message.get("events", []) if event["type"] == "start_kyoku")
        for heard in starts
    ]
    assert hands[0] == hands[1]
    assert all(hands[one] != hands[other] for one, other in ((0, 2), (0, 3), (3, 4)))


def test_the_seed_of_the_command_line_stays_on_the_server(serving: Callable[..., Any]) -> None:
    begin = NewTable(rules="tenhou-sanma", seat=0)
    hands = []
    for _ in range(2):
        with serving(Setup(begin=begin, seed=987_654_321, pace=0.0)) as browser:
            site = browser.client.get("/api/site")
            assert "987654321" not in site.text
            with browser.tab() as tab:
                tab.join(browser.open(**site.json()["begin"]))
                tab.asked()
                hands.append(tab.events()[1]["tehais"])
    assert hands[0] == hands[1]


def test_a_failing_agent_ends_its_table_with_a_message(serving: Callable[..., Any]) -> None:
    class Broken:
        name = "random"
        players = frozenset({3, 4})

        def act(self, batch: Any) -> Any:
            raise RuntimeError("no more")

    setup = Setup(pace=0.0)
    setup.roster._made["random"] = Broken()
    with serving(setup) as browser, browser.tab() as tab:
        made = browser.open(rules="tenhou-sanma", seat=2, agents=["random"])
        told = tab.join(made)
        told = told if told["type"] == "refused" else tab.hear_of("refused")
        assert (told["fatal"], told["reason"]) == (True, "this table has stopped: no more")
        with browser.tab() as other:
            other.join(browser.open(rules="tenhou-sanma", agents=["efficient"]))
            assert other.play_on()["type"] == "end_game"


def test_tables_are_refused_with_a_message_if_preparation_fails(serving: Callable[..., Any]) -> None:
    def fail() -> None:
        raise OSError("no space left")

    with serving(Setup(), prepare=[fail]) as browser:
        answer = browser.client.post("/api/tables", json={"rules": "tenhou-sanma"})
        assert answer.status_code == 503
        assert answer.json() == {"reason": "no table can be opened: no space left"}


def test_without_a_bundle_the_page_explains_the_build_and_a_new_one_is_served(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr("janshi.web.server.STATIC", tmp_path)
    answer = browser.client.get("/")
    assert (answer.status_code, "npm run build" in answer.text) == (503, True)
    (tmp_path / "index.html").write_text("the page")
    assert browser.client.get("/").text == "the page"
    style = tmp_path / "app.css"
    for number, text in enumerate(("one", "two")):
        style.write_text(text)
        os.utime(style, (number, number))
        answer = browser.client.get("/app.css")
        assert (answer.text, answer.headers["content-type"].split(";")[0]) == (text, "text/css")
        assert answer.headers["last-modified"] == f"Thu, 01 Jan 1970 00:00:0{number} GMT"

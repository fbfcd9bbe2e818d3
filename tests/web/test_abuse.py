"""Invalid messages to the server: refused with a message, without changes of the table."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect

from janshi.web import connection, game_table, table_manager
from janshi.web.table_manager import Setup
from tests.claims import cases_of
from tests.web.conftest import Browser, Tab


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    """Yield a tab at a table that waits for it; the table must still wait afterwards and play to the end."""
    made = browser.open(rules="tenhou-sanma")
    with browser.tab() as one:
        one.join(made)
        waited_for = one.asked()
        yield one
        with browser.tab() as after:
            assert after.join(made)["ask"] == waited_for
            after.play_on()


NO_MESSAGES = (
    *("", "{", "[]", "null", "3", '"act"', "\x00", '{"type": "act"', '{"type": "act"}', '{"type": "shout"}', "{}"),
    *('{"type": 3}', '{"type": "next", "more": 1}', '{"type": "act", "number": 1, "action": "x"}'),
    *('{"type": "act", "number": 1, "action": -1}', '{"type": "act", "number": "1", "action": 1}'),
    *('{"type": "act", "number": 1, "action": 1.5}', '{"type": "act", "number": 1, "action": null}'),
    *('{"type": "act", "number": 1e400, "action": 1}', '{"type": "hint", "number": NaN}'),
    *('{"type": "set_pace", "seconds": 11}', '{"type": "set_pace", "seconds": NaN}'),
    *("[" * 1000, '{"a":' * 300, '{"type": "join", "table": 1, "key": []}'),
)


def test_invalid_messages_are_refused(tab: Tab) -> None:
    for text in NO_MESSAGES:
        tab.socket.send_text(text)
        told = tab.hear_of("refused")
        assert told["reason"].startswith("invalid message: ")
        assert not told["fatal"]
        assert len(told["reason"]) < 400
    tab.socket.send_bytes(b"\xff\x00")
    assert tab.hear_of("refused")["reason"] == "messages must be text (JSON), not bytes"


_VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
_MESSAGES = st.fixed_dictionaries(
    {"type": st.sampled_from(["act", "next", "hint", "set_pace", "join", "ask", ""])},
    optional={
        name: st.integers(-2, 130) | _VALUES
        for name in ("number", "action", "paused", "seconds", "step", "table", "key", "received", "more")
    },
)


def test_every_message_has_an_answer_and_the_table_continues(browser: Browser) -> None:
    made = browser.open(rules="tenhou-sanma")

    @settings(max_examples=50, deadline=None, derandomize=True)
    @given(_MESSAGES.filter(lambda one: one["type"] != "act") | st.text(max_size=40))
    def say(said: Any) -> None:
        with browser.tab() as tab:
            before = tab.join(made)["ask"]
            tab.socket.send_text(said if isinstance(said, str) else json.dumps(said))
            assert tab.hear()["type"] in ("refused", "advised")
            assert before is not None

    say()
    with browser.tab() as tab:
        tab.join(made)
        tab.play_on()


def test_currently_impossible_messages_are_refused(tab: Tab) -> None:
    ask = tab.asked()
    impossible = next(one for one in range(122) if one not in [option["action"] for option in ask["options"]])
    reason = tab.refused({"type": "act", "number": ask["number"], "action": impossible})
    assert reason.startswith(f"action {impossible} is not possible now; possible actions: discard ")
    for number in (0, ask["number"] + 1, 1 << 62):
        assert "decision" in tab.refused({"type": "act", "number": number, "action": ask["options"][0]["action"]})
    assert tab.refused({"type": "next"}) == "the hand is not over"
    assert tab.refused({"type": "set_pace", "paused": True}) == "only watched tables have a pace"
    assert "joined" in tab.refused({"type": "join", "table": "a", "key": "b"})


def test_an_answer_counts_once(browser: Browser) -> None:
    with browser.tab() as tab:
        tab.join(browser.open(rules="tenhou-sanma"))
        ask = tab.asked()
        tab.ask = None
        said = {"type": "act", "number": ask["number"], "action": ask["options"][-1]["action"]}
        tab.say(said)
        assert "wait" in tab.refused(said)
        tab.play_on()


def test_a_message_that_is_too_long_ends_the_connection(tab: Tab) -> None:
    tab.socket.send_text("x" * (connection.LONGEST + 1))
    told = tab.hear_of("refused")
    reason = "a message of 2049 characters exceeds the limit of 2048"
    assert told == {"type": "refused", "reason": reason, "fatal": True, "cause": None}
    with pytest.raises(WebSocketDisconnect):
        tab.hear()


def test_a_flood_is_refused_and_then_the_connection_ends(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    made = browser.open(rules="tenhou-sanma")
    with monkeypatch.context() as patch, browser.tab() as tab:
        patch.setattr(connection, "RATE", 0.0)  # as if no time went by
        tab.join(made)
        waited_for = tab.asked()
        for _ in range(200):
            tab.say({"type": "next"})
        already = len(tab.heard)
        with pytest.raises(WebSocketDisconnect):
            tab.hear_all()
    reasons = [message["reason"] for message in tab.heard[already:]]
    assert reasons[0] == "the hand is not over"
    assert any(reason.startswith("message ignored") for reason in reasons)
    assert reasons[-1] == "too many messages: the connection ends"
    assert len(reasons) < 100
    with browser.tab() as after:
        assert after.join(made)["ask"] == waited_for


def test_a_connection_must_begin_with_join_in_time(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    for first in ({"type": "next"}, {"type": "act", "number": 1, "action": 1}):
        with browser.tab() as tab:
            tab.say(first)
            told = tab.hear()
            assert (told["reason"], told["fatal"]) == ("the first message must be join", True)
    monkeypatch.setattr(connection, "_JOIN_WITHIN", 0.05)
    with browser.tab() as tab:
        assert tab.hear()["reason"] == "no join within 0 s"


def test_a_seat_requires_its_key(browser: Browser) -> None:
    made = browser.open(rules="tenhou-sanma")
    for key in ("", "x", made["key"][:-1], made["key"] + "x", "ключ"):
        with browser.tab() as tab:
            assert tab.join({**made, "key": key})["cause"] == "wrong_key"
    for table in ("", "nothing", "../" + made["table"]):
        with browser.tab() as tab:
            assert tab.join({**made, "table": table})["reason"].startswith("this table no longer exists")
    record = browser.client.get(f"/api/tables/{made['table']}/record", params={"key": "x"})
    assert (record.status_code, "belongs to another browser" in record.json()["reason"]) == (404, True)


def test_setting_the_pace_requires_the_key(browser: Browser) -> None:
    made = browser.open(rules="tenhou-sanma", watch=True)
    with browser.tab() as tab:
        tab.join({**made, "key": ""})
        reason = "only the browser that opened this table can set its pace"
        assert tab.refused({"type": "set_pace", "paused": True}) == reason
        assert tab.refused({"type": "next"}) == "a watched table continues automatically"
        assert tab.refused({"type": "act", "number": 0, "action": 0}) == "the table is not waiting for you now"


@pytest.mark.parametrize(*cases_of("messages", "impossible tables"))
def test_an_impossible_table_is_refused(browser: Browser, wanted: Any, reason: str) -> None:
    answer = browser.client.post("/api/tables", json=wanted)
    assert answer.status_code == 400
    assert reason in answer.json()["reason"]


def test_a_request_without_json_or_too_long_is_refused(browser: Browser) -> None:
    for body in (b"", b"{", b"\xff", b"[" * 5000, b'{"name": "\\ud800"}'):
        answer = browser.client.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400
        assert answer.json()["reason"]
    answer = browser.client.post("/api/tables", json={"name": "x" * 20_000})
    assert (answer.status_code, "exceeds the limit of 16384" in answer.json()["reason"]) == (413, True)
    answer = browser.client.post("/api/tables", content=iter([b"{}"]))
    assert (answer.status_code, answer.json()["reason"]) == (411, "the request must have a Content-Length header")


@pytest.mark.parametrize("number", [1 << 63, 1 << 64, 10**30, -1])
def test_numbers_beyond_64_bits_are_refused(browser: Browser, number: int) -> None:
    asked: list[tuple[str, str, Any]] = [
        ("POST", f"/api/drills/{number}", {"correct": True}),
        ("GET", f"/api/reviews/x?seat={number}", None),
        ("POST", "/api/reviews/x/playouts", {"seat": 0, "decision": number, "options": [1]}),
        ("POST", "/api/reviews/x/playouts", {"seat": 0, "decision": 1, "options": [number]}),
        ("POST", "/api/reviews/x/tables", {"seat": 0, "decision": number}),
        ("POST", "/api/reviews", {"record": "x", "game": number}),
    ]
    for method, path, body in asked:
        answer = browser.client.request(method, path, json=body)
        assert (answer.status_code, list(answer.json())) == (400, ["reason"]), path


def test_files_outside_the_bundle_are_not_served(browser: Browser) -> None:
    for path in ("/../server.py", "/%2e%2e/server.py", "/..%2fserver.py", "//etc/passwd", "/a%00b", "/api/x"):
        answer = browser.client.get(path)
        assert (answer.status_code, answer.json()) == (404, {"reason": "not found"})
    for path in ("/" + "a" * 5000, "/" + "a/" * 5000, "/api/reviews/" + "a" * 5000, "/%ed%a0%80"):
        answer = browser.client.get(path)
        assert (answer.status_code, list(answer.json())) == (404, ["reason"])


def test_more_tables_than_allowed_are_refused(serving: Callable[..., Any]) -> None:
    with serving(Setup(pace=0.0, most=2)) as browser:
        first = browser.open(rules="tenhou-sanma")
        browser.open(rules="tenhou-sanma")
        answer = browser.client.post("/api/tables", json={"rules": "tenhou-sanma"})
        assert (answer.status_code, answer.json()["reason"]) == (503, "2 tables are open already: finish one first")
        with browser.tab() as tab:
            tab.join(first)
            tab.play_on()
        give_up = time.monotonic() + 20  # the table is over just after the end has been shown
        while browser.client.post("/api/tables", json={"rules": "tenhou-sanma"}).status_code == 503:
            assert time.monotonic() < give_up
            time.sleep(0.05)
        with browser.tab() as tab:
            assert "no longer exists" in tab.join(first)["reason"]


class Clock:
    """A replacement of the module `time` that advances by ``step`` seconds with each call."""

    def __init__(self) -> None:
        self.now = self.step = 0.0
        self.asked = 0

    def monotonic(self) -> float:
        self.asked += 1
        self.now += self.step
        return self.now

    def time(self) -> float:
        return time.time()

    def wait_for_sweeps(self) -> None:
        """Wait until the server has checked for empty tables again."""
        before = self.asked
        while self.asked < before + 3:  # leaving a table asks too
            time.sleep(0.01)


def test_abandoned_tables_are_removed(
    serving: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(table_manager, "_SWEEP_EVERY", 0.01)
    monkeypatch.setattr(table_manager, "time", clock)
    monkeypatch.setattr(game_table, "time", clock)
    with serving(Setup(pace=0.0, idle=10.0)) as browser:
        made = browser.open(rules="tenhou-sanma")
        clock.wait_for_sweeps()  # no time goes by: it is waited for
        with browser.tab() as tab:
            tab.join(made)
            clock.step = 100.0
            clock.wait_for_sweeps()
            tab.play_on()
        clock.wait_for_sweeps()
        with browser.tab() as tab:
            assert "no longer exists" in tab.join(made)["reason"]

"""What browser and server say to each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi")

from fastapi.testclient import TestClient

from janshi.web.desk import Setup
from janshi.web.server import create_app


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(Setup(pace=0.0)), base_url="http://127.0.0.1") as made:
        yield made


def play(client: TestClient, made: dict[str, Any]) -> list[dict[str, Any]]:
    """Play a table to its end by first options; return all messages."""
    heard: list[dict[str, Any]] = []
    with client.websocket_connect("ws://127.0.0.1/ws") as socket:
        socket.send_json({"type": "join", "table": made["table"], "key": made["key"]})
        while True:
            heard.append(message := socket.receive_json())
            ask = message["ask"] if message["type"] == "welcome" else message if message["type"] == "ask" else None
            if ask is not None:
                action = ask["options"][-1]["action"]
                socket.send_json({"type": "act", "number": ask["number"], "action": action})
            kinds = [event["type"] for event in message.get("events", [])]
            if "end_game" in kinds:
                return heard
            if "end_kyoku" in kinds:
                socket.send_json({"type": "next"})


@pytest.mark.parametrize(("rules", "length"), [("tenhou-sanma", "hand"), ("tenhou", "hand"), ("tenhou-sanma", "east")])
def test_a_game_is_played_to_its_end(client: TestClient, rules: str, length: str) -> None:
    made = client.post("/api/tables", json={"rules": rules, "length": length}).json()
    heard = play(client, made)
    assert heard[0]["type"] == "welcome"
    assert not [message for message in heard if message["type"] == "refused"]
    events = [event for message in heard for event in message.get("events", [])]
    assert [event["type"] for event in events][:2] == ["start_game", "start_kyoku"]
    record = client.get(f"/api/tables/{made['table']}/record", params={"key": made["key"], "format": "mjai"})
    assert record.status_code == 200

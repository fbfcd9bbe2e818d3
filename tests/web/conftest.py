"""Servers and browsers for the tests of the table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import pytest

pytest.importorskip("fastapi")

from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from janshi.web.server import create_app
from janshi.web.table_manager import Setup

HERE = "127.0.0.1"


class Tab:
    """A browser tab at a table."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.ask: dict[str, Any] | None = None

    def join(self, made: dict[str, Any], received: int = 0) -> dict[str, Any]:
        """Join a table; return the answer."""
        self.say({"type": "join", "table": made["table"], "key": made["key"], "received": received})
        return self.hear()

    def say(self, message: dict[str, Any]) -> None:
        self.socket.send_json(message)

    def hear(self) -> dict[str, Any]:
        """Return the next message."""
        received = self.socket.portal.call(self._receive)
        self.socket._raise_on_close(received)
        message: dict[str, Any] = json.loads(received["text"])
        self.heard.append(message)
        if message["type"] == "ask":
            self.ask = message
        elif message["type"] == "welcome":
            self.ask = message["ask"]
        return message

    async def _receive(self) -> Any:
        with anyio.fail_after(240):
            return await self.socket._send_rx.receive()

    def events(self) -> list[dict[str, Any]]:
        """Return all events heard so far."""
        return [event for message in self.heard for event in message.get("events", [])]

    def hear_of(self, *kinds: str) -> dict[str, Any]:
        """Receive messages until one of these kinds; return it."""
        while (message := self.hear())["type"] not in kinds:
            pass
        return message

    def asked(self) -> dict[str, Any]:
        """Receive messages until the table waits for this tab; return the question."""
        while self.ask is None:
            self.hear()
        return self.ask

    def answer(self, action: int | None = None) -> None:
        """Answer the question (by its last option)."""
        ask, self.ask = self.asked(), None
        self.say({"type": "act", "number": ask["number"], "action": action or ask["options"][-1]["action"]})

    def hear_all(self) -> None:
        """Receive messages until the server ends the connection."""
        while True:
            self.hear()

    def refused(self, message: dict[str, Any]) -> str:
        """Send a message that is refused; return the reason."""
        self.say(message)
        answer = self.hear_of("refused")
        assert not answer["fatal"]
        return str(answer["reason"])

    def play_on(self) -> dict[str, Any]:
        """Play to the end of the game; return its last event."""
        seen = 0
        while True:
            events = [event for message in self.heard[seen:] for event in message.get("events", [])]
            seen = len(self.heard)
            for event in events:
                if event["type"] == "end_game":
                    return event
                if event["type"] == "end_kyoku":
                    self.say({"type": "next"})
            if self.ask is not None:
                self.answer()
            self.hear()


class Browser:
    """A browser: requests and tabs."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def open(self, **wanted: Any) -> dict[str, Any]:
        """Open a table, by default at the dealer's seat and with known walls."""
        answer = self.client.post("/api/tables", json={"seat": 0, "seed": 5, **wanted})
        assert answer.status_code == 200, answer.text
        made: dict[str, Any] = answer.json()
        return made

    @contextmanager
    def tab(self, address: str = f"ws://{HERE}/ws", **headers: str) -> Iterator[Tab]:
        """Open a tab that has not joined a table yet."""
        with self.client.websocket_connect(address, headers=headers) as socket:
            yield Tab(socket)


@pytest.fixture(scope="session")
def serving() -> Callable[..., Any]:
    """Return a function that serves a setup."""

    @contextmanager
    def started(setup: Setup, **more: Any) -> Iterator[Browser]:
        with TestClient(create_app(setup, **more), base_url=f"http://{HERE}") as client:
            yield Browser(client)

    return started


@pytest.fixture(scope="module")
def browser(serving: Callable[..., Any]) -> Iterator[Browser]:
    """Return a browser of a server without pauses."""
    with serving(Setup(pace=0.0)) as made:
        yield made

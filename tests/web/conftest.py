"""Servers and browsers for the tests of the table."""

from __future__ import annotations

import dataclasses
import json
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")

import uvicorn
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

from janshi.agents import agent
from janshi.review import review_game
from janshi.review.losses import with_losses
from janshi.review.model import Cause, DealtInTo, Ends, Loss, Reason, Review, WonOn, WonWith
from janshi.riichi.positions import nth_game
from janshi.sample import SAMPLE
from janshi.web.history import History
from janshi.web.report import report_html
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


# ---------------------------------------------------------------------------------------------------------
# Chromium

DESKTOP, PHONE = (1280, 800), (380, 800)
Opened = Callable[..., Any]
OpenedFile = Callable[..., Any]


@contextmanager
def serve(pace: float) -> Iterator[str]:
    """Serve tables with these pauses, and reviews with few playouts; yield the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("janshi.review.losses.HANDS", 256)
        setup = Setup(pace=pace, history=History(Path(folder) / "history.sqlite"))
        config = uvicorn.Config(create_app(setup), host="127.0.0.1", port=port, log_level="warning")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/"
        server.should_exit = True
        thread.join(timeout=10)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Yield the address of a server without pauses."""
    with serve(0.0) as at:
        yield at


@pytest.fixture
def open_page(chromium: Any, address: str) -> Iterator[Opened]:
    """Yield a function that opens pages; at the end none may have had an error."""
    contexts: list[Any] = []
    errors: list[str] = []

    def opened(size: tuple[int, int] = DESKTOP, at: str = address, touch: bool = False, **more: Any) -> Any:
        view = {"width": size[0], "height": size[1]}
        options = {"locale": "en-GB", "reduced_motion": "reduce", **more}
        context = chromium.new_context(viewport=view, has_touch=touch, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.goto(at)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture(scope="module")
def review() -> Review:
    """Return a review of a generated game."""
    return review_game(nth_game(SAMPLE, 1), 0, agent("sl"))


#: How a hand ends, for reports without playouts.
ENDS = Ends(
    samples=128,
    win=0.4,
    value=5300.0,
    han=3.4,
    yaku=[WonWith("riichi", 0.81, 0.81), WonWith("dora", 0.7, 1.3), WonWith("tanyao", 0.4, 0.4)],
    tiles=[WonOn("3p", 0.6, 5200.0), WonOn("C", 0.4, 3900.0)],
    deal_in=0.12,
    price=5200.0,
    to=[DealtInTo(1, 0.09, 5800.0), DealtInTo(2, 0.03, 3900.0)],
    draw=0.2,
    tenpai=0.7,
    draw_points=300.0,
    others=0.28,
    others_points=-1200.0,
    points=1100.0,
    place=1.9,
)


@pytest.fixture(scope="module")
def measured(review: Review, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The saved report of the review with two measured losses."""
    waits = Reason("win", 0.2, 0.4, [Cause("wait", 4, 8)])
    losses = {
        number: Loss(0.2, 0.1, 0.3, True, 128, [waits], "shape", [dataclasses.replace(ENDS, win=0.2), ENDS])
        for number in (3, 5)
    }
    file = tmp_path_factory.mktemp("measured") / "review.html"
    file.write_text(report_html(with_losses(review, losses, {"shape": 0.014, "call": 0.02})), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def report(review: Review, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its saved report."""
    file = tmp_path_factory.mktemp("report") / "review.html"
    file.write_text(report_html(review), encoding="utf-8")
    return file


@pytest.fixture
def open_file(chromium: Any) -> Iterator[OpenedFile]:
    """Yield a function that opens files without a network; no page may have had an error or a request."""
    contexts: list[Any] = []
    errors: list[str] = []

    def opened(file: Path, size: tuple[int, int] = DESKTOP, place: str = "", **more: Any) -> Any:
        context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, locale="en-GB", **more)
        contexts.append(context)
        context.set_offline(True)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda said: errors.append(said.text) if said.type in ("error", "warning") else None)
        page.on(
            "request", lambda asked: errors.append(asked.url) if not asked.url.startswith(("file:", "data:")) else None
        )
        page.goto(f"{file.as_uri()}{place}")
        page.wait_for_selector(".board")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert errors == []

"""Writes the pictures of docs/: a table, a hint at it, and a review, of games that agents play. Needs a built page.

    python web/tools/pictures.py

``JANSHI_CHROMIUM`` names the browser (``/usr/bin/chromium``).
"""

from __future__ import annotations

import io
import os
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from fixtures import play
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from janshi.records.mjai import read_mjai
from janshi.registry import agent
from janshi.review import review_game
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.table import DecisionBatch, Tables
from janshi.web.report import report_html
from janshi.web.roster import Roster
from janshi.web.server import create_app
from janshi.web.storage import KeptTable, Storage, digest
from janshi.web.table_manager import Setup

DOCS = Path(__file__).parents[2] / "docs"
CHROMIUM = os.environ.get("JANSHI_CHROMIUM", "/usr/bin/chromium")
SIZE = (1280, 800)
NAME, KEY = "picture-0001", "picture"
#: The game that is reviewed: rules, seed, who plays, and which of the moments worth a look is shown.
REVIEWED: tuple[str, int, tuple[str, ...], int] = ("tenhou-sanma-east", 1, ("efficient", "sl", "sl"), 2)
#: The table: rules, who plays; own discards so far, at least.
RULES, PLAYERS, DISCARDS = "tenhou-sanma-hand", ("sl", "sl", "sl"), 7


class Choices(Observer):
    """Keeps the choices of one table, as far as the first of seat 0 with another seat's riichi on the table."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.taken: list[int] = []
        self.reached = False

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """Keep a choice until that decision."""
        seats = np.asarray(self.tables.states)[0]["seats"]
        own = int(batch.seats[0]) == 0 and bool(batch.legal[0, :37].any()) and not seats["accepted"][0]
        own = own and self.taken.count(-1) >= DISCARDS
        self.reached = self.reached or (own and bool(seats["accepted"][1:3].any()))
        if not self.reached:
            self.taken.append(int(actions[0]))
            if int(batch.seats[0]) == 0 and int(actions[0]) <= 37:
                self.taken.append(-1)  # a discard of one's own, for the count


def choices() -> tuple[int, list[int]]:
    """Return a seed, and the choices that lead to a decision under a riichi."""
    players = {name: agent(name) for name in set(PLAYERS)}
    for seed in range(200):
        tables = Tables(RULES, 1, [seed], auto_reset=False)
        taken = Choices(tables)
        Driver(tables, Seating.same([players[name] for name in PLAYERS], 1), [taken], next_hands=False).run()
        if taken.reached:
            return seed, [choice for choice in taken.taken if choice >= 0]
    raise AssertionError("no such position in 200 hands")


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the table; give its address."""
    seed, taken = choices()
    storage = Storage(folder)
    kept = KeptTable(
        rules=RULES,
        length="hand",
        names=["You", "Imitator", "Imitator"],
        agents=dict(enumerate(PLAYERS[1:], start=1)),
        seat=0,
        seed=seed,
        key=digest(KEY),
    )
    journal = storage.begin(NAME, kept)
    for choice in taken:
        journal.add(choice)
    journal.close()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = uvicorn.Config(create_app(Setup(storage=storage)), host="127.0.0.1", port=port, log_level="warning")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/#/table/{NAME}?key={KEY}"
    server.should_exit = True
    thread.join()


def save(page: Page, name: str) -> None:
    """Write what a page shows, in few colours."""
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(DOCS / name, optimize=True)


def take_table(page: Page, address: str) -> None:
    """Take the pictures of the table, without a hint and with one."""
    page.goto(address)
    page.wait_for_selector(".hand-tile:enabled")
    save(page, "table.png")
    page.keyboard.press("h")
    page.wait_for_selector(".advice")
    save(page, "hint.png")


def take_review(page: Page, folder: Path) -> None:
    """Take the picture of a review, at one of the moments worth a look."""
    rules, seed, players, moment = REVIEWED
    events = play(rules, seed, players)
    roster = Roster()
    events[0]["names"] = [roster.players[name].label for name in players]
    review = review_game(read_mjai(events, "made"), 0, agent("sl"))
    event = review.decisions[review.report.moments[moment]].event
    file = folder / "review.html"
    file.write_text(report_html(review), encoding="utf-8")
    page.goto(f"{file.as_uri()}#at={event}")
    page.wait_for_selector(".candidates")
    save(page, "review.png")


def main() -> None:
    """Take the pictures."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        view: Any = {"width": SIZE[0], "height": SIZE[1]}
        page = browser.new_page(viewport=view, locale="en-GB", reduced_motion="reduce")
        with served(folder / "state") as address:
            take_table(page, address)
        take_review(page, folder)
        browser.close()


if __name__ == "__main__":
    main()

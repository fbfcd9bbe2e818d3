"""Writes the pictures of docs/: tables, a hint, and a review, of games that agents play. Needs a built page.

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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from fixtures import play
from janshi.sichuan.review.advice import hand_of, seen_outside
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from janshi.agents import agent
from janshi.review import review_game
from janshi.riichi.records.mjai import read_mjai
from janshi.rollout.driver import Driver, Observer, Seating
from janshi.sichuan.hands.score import ukeire_arrays
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


@dataclass(frozen=True)
class Position:
    """A table of which pictures are taken: the first decision of seat 0 that ``shows`` what is wanted."""

    rules: str
    players: Sequence[str]
    shows: Callable[[Any, Any], bool]
    """Of the table's record, and of the view of seat 0, which is to discard."""

    @property
    def names(self) -> list[str]:
        """Who sits at the table, as it says it."""
        return ["You", *(Roster().players[name].label for name in self.players[1:])]


def under_riichi(state: Any, view: Any) -> bool:
    """Another is in riichi, seven turns on."""
    seats = state["seats"]
    return not seats["accepted"][0] and bool(seats["accepted"][1:3].any()) and int(seats["discards"][0]) >= 7


def after_a_win(state: Any, view: Any) -> bool:
    """One of the others has won, seat 0 is ready or can be, and has a meld."""
    seats = state["seats"]
    ready = int(ukeire_arrays(hand_of(view), seen_outside(view)[None])["shanten"][0, :27].min()) == 0
    return ready and int(seats["calls"][0]) > 0 and not seats["won"][0] and int(state["winners"]) == 1


#: Tables by their pictures.
TABLES = {
    "": Position("tenhou-sanma-hand", ("sl", "sl", "sl"), under_riichi),
    "sichuan-": Position("sichuan", ("sichuan", "sichuan", "efficient", "heuristic"), after_a_win),
}


class Choices(Observer):
    """Keeps the choices of one table, as far as the position that is wanted."""

    def __init__(self, tables: Tables, position: Position) -> None:
        self.tables, self.position = tables, position
        self.taken: list[int] = []
        self.reached = False

    def decided(self, batch: DecisionBatch, actions: NDArray[np.int16]) -> None:
        """Keep a choice until that decision."""
        own = int(batch.seats[0]) == 0 and bool(batch.legal[0, :27].sum() > 3)
        state, view = np.asarray(self.tables.states)[0], np.asarray(batch.views)[0]
        self.reached = self.reached or (own and self.position.shows(state, view))
        if not self.reached:
            self.taken.append(int(actions[0]))


def choices(position: Position) -> tuple[int, list[int]]:
    """Return a seed, and the choices that lead to a position."""
    players = {name: agent(name) for name in set(position.players)}
    for seed in range(200):
        tables = Tables(position.rules, 1, [seed], auto_reset=False)
        taken = Choices(tables, position)
        seating = Seating.same([players[name] for name in position.players], 1)
        Driver(tables, seating, [taken], next_hands=False).run()
        if taken.reached:
            return seed, taken.taken
    raise AssertionError("no such position in 200 hands")


@contextmanager
def served(folder: Path, position: Position) -> Iterator[str]:
    """Serve a table; give its address."""
    seed, taken = choices(position)
    storage = Storage(folder)
    kept = KeptTable(
        rules=position.rules,
        length="hand",
        names=position.names,
        agents=dict(enumerate(position.players[1:], start=1)),
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


def take_table(page: Page, address: str, prefix: str) -> None:
    """Take the pictures of a table, without a hint and with one."""
    page.goto(address)
    page.wait_for_selector(".hand-tile:enabled")
    if not prefix:
        save(page, "table.png")
    page.keyboard.press("h")
    page.wait_for_selector(".advice")
    save(page, "sichuan-table.png" if prefix else "hint.png")


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
        for prefix, position in TABLES.items():
            with served(folder / f"{prefix}state", position) as address:
                take_table(page, address, prefix)
        take_review(page, folder)
        browser.close()


if __name__ == "__main__":
    main()

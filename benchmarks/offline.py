"""Measure the page without a server over loopback: transfer, first decision, the players' decisions, a review.

    python benchmarks/offline.py web/offline/dist [--games 3] [--runs 5]

Needs Chromium (``JANSHI_CHROMIUM``, by default on the path) and the built page (``npm run build`` in ``web/offline/``).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import threading
import time
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

from janshi.agents import agent
from janshi.records import recorder_of
from janshi.table import Table

#: Notes the time of every choice that the page stores.
NOTE = """
globalThis.noted = [];
globalThis.Worker = class extends Worker {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => data.kind === "add" && noted.push(performance.now()));
  }
};
"""
SIT = """async (wanted) => {
    const made = await janshiAsk("api/tables", wanted);
    localStorage.setItem("janshi.tables", JSON.stringify([{id: made.table, key: made.key, asked: wanted}]));
    location.hash = "#/table/" + made.table;
}"""


REVIEW = """async (record) => {
    const start = performance.now();
    const { review } = await janshiAsk("api/reviews", { record });
    await janshiAsk(`api/reviews/${review}?seat=0`);
    const first = performance.now();
    await janshiAsk(`api/reviews/${review}?seat=1`);
    const second = performance.now();
    await janshiAsk(`api/reviews/${review}/losses?seat=1`);
    return [first - start, second - first, performance.now() - second];
}"""


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that prints nothing."""

    def log_message(self, *_: Any) -> None: ...


def first_decision(context: Any, address: str) -> float:
    """Return the seconds from the address to the first own decision, as dealer of a hand of sanma."""
    page = context.new_page()
    start = time.perf_counter()
    page.goto(f"{address}?pace=0")
    page.wait_for_selector("form")
    page.evaluate(SIT, {"rules": "tenhou-sanma", "length": "hand", "seat": 0, "seed": 7})
    page.wait_for_selector(".hand-tile:enabled")
    taken = time.perf_counter() - start
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.close()
    return taken


def first_decisions(browser: Any, address: str, runs: int) -> None:
    """Print the median of first decisions, of browsers that see the page for the first time and for the second."""
    times: list[tuple[float, float]] = []
    for _ in range(runs):
        context = browser.new_context()
        times.append((first_decision(context, address), first_decision(context, address)))
        context.close()
    cold, stored = np.median(times, axis=0)
    print(f"first own decision, medians of {runs}: {cold:.1f} s cold, {stored:.1f} s stored")


def whole_game() -> str:
    """Return the mjai record of an East–South game of four rule-based players."""
    player, table = agent("efficient"), Table("tenhou", 1)
    story = recorder_of(table.rules).story(table.record, table.rules, list("ABCD"))
    story.update()
    while not table.over:
        if table.hand_over:
            table.next_hand()
        else:
            table.act(int(player.act(table.decision())[0]))
        story.update()
    return "\n".join(map(json.dumps, story.events))


def reviews(browser: Any, address: str, runs: int) -> None:
    """Print the medians of a browser's first review of a game, of one of another seat, and of its losses."""
    times: list[list[float]] = []
    record = whole_game()
    for _ in range(runs):
        page = browser.new_page()
        page.goto(f"{address}?pace=0")
        page.wait_for_selector("form")
        times.append([seconds / 1000 for seconds in page.evaluate(REVIEW, record)])
        page.close()
    first, second, losses = np.median(times, axis=0)
    print(f"review of an East–South game of four, medians of {runs}: {first:.1f} s, the next seat {second:.1f} s")
    print(f"its losses: {losses:.0f} s")


def decisions(context: Any, address: str, rules: str, games: int) -> None:
    """Print how long decisions take in games that the page plays with itself."""
    page = context.new_page()
    page.add_init_script(NOTE)
    page.goto(f"{address}?pace=0")
    page.wait_for_selector("form")
    times: list[float] = []
    for seed in range(games):
        page.evaluate("noted.length = 0")
        page.evaluate(SIT, {"rules": rules, "length": "hand", "watch": True, "seed": seed})
        page.wait_for_selector(".panel", timeout=120_000)
        times += np.diff(page.evaluate("noted")).tolist()
    page.close()
    low, middle, high = np.percentile(times, [5, 50, 95])
    print(f"{rules}: {len(times)} decisions, {low:.0f} / {middle:.0f} / {high:.0f} ms (5, 50, 95 %)")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site", type=Path, help="Folder of the built page.")
    parser.add_argument("--games", type=int, default=3, help="Hands of each game that the page plays with itself.")
    parser.add_argument("--runs", type=int, default=5, help="Runs of which first decisions and reviews are medians.")
    options = parser.parse_args()
    others = ("sl4-int8.onnx", "outcomes-4.onnx", "sichuan.onnx", "sw.js")
    loaded = [path for path in options.site.rglob("*") if path.is_file() and path.name not in others]
    print(f"transfer for sanma, packed: {sum(len(gzip.compress(path.read_bytes())) for path in loaded):,} bytes")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(options.site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    path = os.environ.get("JANSHI_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as browsers:
        browser = browsers.chromium.launch(executable_path=path, args=["--no-sandbox"])
        first_decisions(browser, address, options.runs)
        reviews(browser, address, options.runs)
        context = browser.new_context()
        for rules in ("tenhou-sanma", "tenhou", "sichuan"):
            decisions(context, address, rules, options.games)
        browser.close()


if __name__ == "__main__":
    main()

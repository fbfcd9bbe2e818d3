"""Writes docs/review.png: a review of a game that agents play, in Debian's Chromium. Needs a built page."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from fixtures import play
from PIL import Image
from playwright.sync_api import sync_playwright

from janshi.records.mjai import read_mjai
from janshi.registry import agent
from janshi.review import review_game
from janshi.web.report import report_html

PICTURE = Path(__file__).parents[2] / "docs" / "review.png"
RULES, SEED, PLAYERS = "tenhou-sanma-east", 1, ("efficient", "sl", "rl")
QUIET = ("--no-sandbox", "--disable-gpu")
#: Which of the moments worth a look: a discard under a riichi, where speed and danger disagree.
MOMENT = 2


def main() -> None:
    """Play, review, take the picture."""
    review = review_game(read_mjai(play(RULES, SEED, PLAYERS), "made"), 0, agent("sl"))
    event = review.decisions[review.report.moments[MOMENT]].event
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "review.html"
        file.write_text(report_html(review), encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce")
        page.goto(f"{file.as_uri()}#at={event}")
        page.wait_for_selector(".candidates")
        picture = Image.open(io.BytesIO(page.screenshot()))
        browser.close()
    picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()

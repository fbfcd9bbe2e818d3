"""Writes reviews of single hands that agents play, for the tests of the review page."""

from __future__ import annotations

import dataclasses
import json
from itertools import takewhile
from pathlib import Path

from fixtures import play

from janshi.agents import agent
from janshi.review import review_game
from janshi.review.model import Review
from janshi.riichi.records.mjai import read_mjai

FOLDER = Path(__file__).parent.parent / "src" / "review" / "fixtures"
#: Name, rules, seed, players by seat, whose decisions, by whom.
HANDS = (
    ("sanma", "tenhou-sanma-east", 1, ("efficient", "sl", "sl"), 0, "sl-2026-11"),
    ("four", "tenhou-east", 1, ("random", "efficient", "efficient", "efficient"), 0, "efficient"),
)


def review_of_hand(rules: str, seed: int, names: tuple[str, ...], seat: int, by: str) -> Review:
    """Return the review of a game's first hand."""
    events = list(takewhile(lambda event: event["type"] != "end_kyoku", play(rules, seed, names)))
    game = read_mjai([*events, {"type": "end_kyoku"}], "made")
    return review_game(game, seat, agent(by))


def main() -> None:
    """Write every review."""
    FOLDER.mkdir(exist_ok=True)
    for name, *hand in HANDS:
        review = dataclasses.asdict(review_of_hand(*hand))
        (FOLDER / f"{name}.json").write_text(json.dumps(review, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()

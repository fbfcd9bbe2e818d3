"""Writes games that agents play as mjai events, for the tests of the page: complete, and as one seat sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from janshi.agents import agent
from janshi.games import rules_of
from janshi.records import recorder_of
from janshi.rollout.driver import Driver, Seating
from janshi.table import Tables

FOLDER = Path(__file__).parent.parent / "src" / "table" / "fixtures"
#: Name, rules, seed, players by seat: those at random call much, the others win.
GAMES = (
    ("sanma", "tenhou-sanma-east", 3, ("efficient", "sl", "random")),
    ("four", "tenhou-east", 4, ("efficient", "efficient", "random", "efficient")),
    ("sichuan", "sichuan-exchange", 11, ("efficient", "heuristic", "efficient", "random")),
    ("sichuan-novikov", "sichuan-novikov", 4, ("heuristic", "efficient", "efficient", "heuristic")),
)


def play(rules: str, seed: int, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the events of a game."""
    tables = Tables(rules, 1, seed, auto_reset=False)
    agents = {name: agent(name) for name in names}
    driver = Driver(tables, Seating.same([agents[name] for name in names], 1), next_hands=False)
    story = recorder_of(tables.rules).story(np.asarray(tables.states)[0], tables.rules, names)
    story.update()
    while not tables.over[0]:
        driver.run()
        story.update()
        tables.next_hand([0])
        story.update()
    return story.events


def main() -> None:
    """Write every game, one line an event."""
    FOLDER.mkdir(exist_ok=True)
    for name, rules, seed, names in GAMES:
        events = play(rules, seed, names)
        seen = [recorder_of(rules_of(rules)).seen_by(event, 0) for event in events]
        for stem, written in ((name, events), (f"{name}-seen", seen)):
            lines = ",\n".join(json.dumps(event, separators=(",", ":")) for event in written)
            (FOLDER / f"{stem}.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()

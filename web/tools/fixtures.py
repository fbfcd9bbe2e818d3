"""Writes games that programs play here as mjai events, for the tests of the page: whole, and as one seat sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from janshi.agents import agent
from janshi.engine.play import write_keys
from janshi.records.live import Story, seen_by
from janshi.table import Tables

PLACE = Path(__file__).parent.parent / "src" / "table" / "fixtures"
#: Name, rules, seed, players by seat: those at random call much, the others win.
GAMES = (
    ("sanma", "tenhou-sanma-east", 3, ("efficient", "rl", "random")),
    ("four", "tenhou-east", 4, ("efficient", "efficient", "random", "efficient")),
)


def play(rules: str, seed: int, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the events of a game."""
    tables = Tables(rules, 1, seed, auto_reset=False)
    players, only = [agent(name) for name in names], np.zeros(1, np.int64)
    story = Story(tables.states[0], tables.rules, names)
    story.update()
    while True:
        while (actor := int(tables.actors[0])) >= 0:
            keys = np.zeros(1, np.int64)
            write_keys(tables.states, only, keys)
            tables.step(players[actor].act(tables.views(), tables.legal(), keys))
            story.update()
        story.update()
        if story.events[-1]["type"] == "end_game":
            return story.events
        tables.next_hand(only)
        story.update()


def main() -> None:
    """Write every game: the whole, one line an event."""
    PLACE.mkdir(exist_ok=True)
    for name, rules, seed, names in GAMES:
        events = play(rules, seed, names)
        seen = [seen_by(event, 0) for event in events]
        for ending, told in ((name, events), (f"{name}-seen", seen)):
            lines = ",\n".join(json.dumps(event, separators=(",", ":")) for event in told)
            (PLACE / f"{ending}.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()

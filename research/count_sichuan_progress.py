"""Count how near to ready the hands of Sichuan's shipped player are, for the sampling of hidden hands.

    python research/count_sichuan_progress.py [--games 4000]
    python research/count_sichuan_progress.py --check 300

Writes ``src/janshi/sichuan/progress.json``: the number of hands without and with the exchange, by melds (0 to 4),
discards and class of shanten. ``--check`` compares the shares of ready hands among real and sampled ones instead.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np

from janshi.agents import agent
from janshi.compiling import zeros
from janshi.sichuan.rules import Exchange
from janshi.sichuan.sampling.dealing import CLASSES, LAST_DISCARDS, Walk, hand_classes
from janshi.sichuan.sampling.hidden import PROGRESS, HiddenHands
from janshi.sichuan.state import Phase
from janshi.table import Tables

RULES = ("sichuan-hand", "sichuan-exchange-hand", "sichuan-novikov-hand")


def count_hands(tables: Tables, counts: Any) -> None:
    """Count the hands of the seats still in that are not to move, at tables where a seat is."""
    states: Any = np.asarray(tables.states)
    for seat in range(4):
        waits = (states["phase"] == Phase.TURN) & (states["turn"] != seat) & (states["seats"]["won"][:, seat] == 0)
        rows = np.flatnonzero(waits)
        hands, public = states["hands"][rows, seat], states["seats"][rows, seat]
        scratch = zeros(Walk, len(rows))
        counted = np.ascontiguousarray(hands["counts"])
        classes = hand_classes(counted, scratch, hands["void"].copy(), public["calls"].copy())
        np.add.at(counts, (public["calls"], np.minimum(public["discards"], LAST_DISCARDS), classes), 1)


def check(rules: str, games: int) -> None:
    """Print the shares of ready hands of seats still in, among real and sampled ones, by their discards."""
    tables = Tables(rules, games, seeds=77, auto_reset=False)
    player, draw = agent("sichuan"), np.random.default_rng(4)
    found = []
    while len(open_tables := np.flatnonzero(tables.actors >= 0)):
        batch = tables.decisions(open_tables).with_events()
        for row in draw.choice(len(batch), min(3, len(batch)), replace=False).tolist():
            state: Any = np.asarray(tables.states)[open_tables[row]]
            if state["phase"] >= Phase.TURN:
                hands = HiddenHands(batch.part([row])).sample(32, draw).states["hands"]["waits"]
                for who in np.flatnonzero((np.arange(4) != batch.seats[row]) & (state["seats"]["won"] == 0)).tolist():
                    ready = state["hands"]["waits"][who] != 0, (hands[:, who] != 0).mean()
                    found.append((int(state["seats"]["discards"][who]), *ready))
        tables.step_some(open_tables, player.act(batch))
    shares = np.array(found, np.float64)
    for first, last in ((0, 99), (0, 4), (4, 8), (8, 12), (12, 99)):
        rows = shares[(shares[:, 0] >= first) & (shares[:, 0] < last)]
        print(f"{rules}, discards {first} to {last - 1}: {len(rows)} hands, ready {rows[:, 1].mean():.3f} really, "
              f"{rows[:, 2].mean():.3f} sampled")


def main() -> None:
    """Play and write the file, or check it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4000, help="Hands of each rule set.")
    parser.add_argument("--check", type=int, help="Hands of two rule sets by which the sampled hands are checked.")
    options = parser.parse_args()
    if options.check:
        for rules in RULES[:2]:
            check(rules, options.check)
        return
    games = options.games
    player = agent("sichuan")
    counts = np.zeros((2, 5, LAST_DISCARDS + 1, CLASSES), np.int64)
    for rules in RULES:
        tables = Tables(rules, games, seeds=1, auto_reset=False)
        while len(open_tables := np.flatnonzero(tables.actors >= 0)):
            tables.step_some(open_tables, player.act(tables.decisions(open_tables)))
            count_hands(tables, counts[int(tables.rules.exchange != Exchange.OFF)])
    text = json.dumps({"player": "sichuan", "rules": RULES, "games": games, "counts": counts.tolist()})
    PROGRESS.write_text(text + "\n", encoding="utf-8")
    print(f"{counts.sum():,} hands")


if __name__ == "__main__":
    main()

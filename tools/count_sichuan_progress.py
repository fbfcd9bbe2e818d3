"""Count how near to ready the hands of Sichuan's shipped player are, for the sampling of hidden hands.

    python tools/count_sichuan_progress.py [--games 4000]

Writes ``src/janshi/sichuan/progress.json``: the number of hands without and with the exchange, by melds (0 to 4),
discards and class of shanten.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np

from janshi.agents import agent
from janshi.compiling import zeros
from janshi.sichuan.rules import Exchange
from janshi.sichuan.sampling import CLASSES, LAST_DISCARDS, PROGRESS, Walk, hand_classes
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


def main() -> None:
    """Play and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=4000, help="Hands of each rule set.")
    games = parser.parse_args().games
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

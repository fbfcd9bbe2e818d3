"""Count how often tiles of each class were waited for by a riichi: ``src/janshi/review/waits.json``.

    python tools/count_waits.py PATH…

The records are games of three and of four players in files, folders or archives. See `janshi.review.risk`.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any, cast

import numpy as np

from janshi.compiling import Batch, ByteRows, Bytes, Int64s, entry, zeros
from janshi.engine.play import act, begin_hand, write_view
from janshi.engine.shanten import Ukeire
from janshi.engine.state import CALLED_DISCARD, HAND_OVER, TURN, State, View
from janshi.engine.tables import Lookup, lookup
from janshi.files import save_text
from janshi.observe.decisions import discard_kinds
from janshi.observe.janshi import count_visible
from janshi.records import Game, read_games
from janshi.records.replay import Replayer, Script
from janshi.review.risk import CLASSES, RATES, ROWS, class_words, danger_class
from janshi.table import SHARED, bytes_of, new_states


@entry
def count_hand(
    states: Batch[State],
    state_bytes: ByteRows,
    views: Batch[View],
    view_bytes: ByteRows,
    lookups: Batch[Lookup],
    taken: Bytes,
    room: Batch[Ukeire],
    counts: Int64s,
) -> int:
    """Play a hand and add to the counts (class, row, waited for and all); return the seats that declared riichi."""
    state, view = states[0], views[0]
    begin_hand(state, lookups[0])
    for step in range(len(taken)):
        who = int(state.actor)
        own = state.seats[who]
        turn = int(state.phase) in (TURN, CALLED_DISCARD)
        threatened = False
        for seat in range(int(state.rules.players)):
            threatened = threatened or (seat != who and int(state.seats[seat].accepted) == 1)
        if turn and threatened and not int(own.riichi):
            for byte in range(view_bytes.shape[1]):
                view_bytes[0, byte] = state_bytes[0, byte]
            write_view(state, who, view)
            count_visible(view, room[0])
            kinds = discard_kinds(int(state.legal[0]), int(state.drawn))
            row = min(int(own.discards) // 6, 2)
            for seat in range(int(state.rules.players)):
                other = state.seats[seat]
                if seat == who or not int(other.accepted):
                    continue
                cannot = int(other.river_mask) | int(other.passed)
                waits = int(state.hands[seat].waits)
                can_win = int(state.hands[seat].missed) == 0 and waits & int(other.river_mask) == 0
                for kind in range(34):
                    if kinds >> kind & 1:
                        unseen = 4 - int(room[0].visible[kind])
                        found = danger_class(cannot, int(state.rules.players) == 3, kind, unseen)
                        if found >= 0:
                            at = 2 * (3 * found + row)
                            counts[at] += 1 if can_win and waits >> kind & 1 else 0
                            counts[at + 1] += 1
        act(state, lookups[0], int(taken[step]))
        if int(state.phase) >= HAND_OVER:
            break
    declared = 0
    for seat in range(4):
        declared += int(state.seats[seat].accepted)
    return declared


class Waits:
    """Counts over many games of as many players."""

    def __init__(self) -> None:
        self.counts = np.zeros(2 * CLASSES * ROWS, np.int64)
        self.met: Counter[str] = Counter()

    def add(self, game: Game, scripts: list[Script]) -> None:
        """Count the hands of a game."""
        states, views = new_states(game.rules, 1), zeros(View, 1)
        table = cast("Any", states)[0]
        self.met["games"] += 1
        for script in scripts:
            table["wall"][: len(script.wall)], table["walls_given"] = script.wall, 1
            for name in ("kyoku", "honba", "deposits", "dealer"):
                table[name] = getattr(script, name)
            table["seats"]["points"][: len(script.scores)] = script.scores
            self.met["hands"] += 1
            self.met["riichi"] += count_hand(
                states,
                bytes_of(states),
                views,
                bytes_of(views)[:, :SHARED],
                lookup(),
                script.actions,
                zeros(Ukeire, 1),
                self.counts,
            )


def main(paths: list[str]) -> None:
    """Count, write, and print what was found."""
    found = {3: Waits(), 4: Waits()}
    replayer = Replayer()
    for game in read_games(paths):
        if isinstance(game, Game) and not game.custom:
            found[game.players].add(game, replayer.replay(game, scripts=True).scripts)
    said = {
        "source": "records of Tenhou, mostly of the phoenix room, 2009 to 2026, and of programs at its tables",
        "met": {str(players): dict(one.met) for players, one in found.items()},
        "layout": "counts[players][class][row] = [waited for, all]; classes: janshi.review.risk",
        "counts": {str(players): one.counts.reshape(CLASSES, ROWS, 2).tolist() for players, one in found.items()},
    }
    save_text(json.dumps(said) + "\n", RATES)
    for players, one in found.items():
        print(f"{players} players: {dict(one.met)}")
        for number, rows in enumerate(one.counts.reshape(CLASSES, ROWS, 2)):
            if rows[:, 1].any():
                shares = "  ".join(f"{100 * hits / max(met, 1):5.1f} % of {met:7,}" for hits, met in rows)
                print(f"{class_words(number):<32} {shares}")


if __name__ == "__main__":
    main(sys.argv[1:])

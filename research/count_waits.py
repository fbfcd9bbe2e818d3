"""Count the waits of riichi by class of tile: ``src/janshi/riichi/analysis/waits.json``.

    python research/count_waits.py PATH…

The records are games of three and of four players in files, folders or archives. See `janshi.riichi.analysis.danger`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int64s, Record, Workspace, batched, dtype_of, leaf, rule
from janshi.core.shanten import Ukeire
from janshi.core.shanten_tables import ShantenTables
from janshi.files import save_text
from janshi.riichi.analysis.danger import CLASSES, ENDS, HONOURS, RATES, ROWS, danger_class
from janshi.riichi.analysis.discards import discard_kinds
from janshi.riichi.analysis.visible import count_visible
from janshi.riichi.play.steps import act, write_view
from janshi.riichi.records import RiichiGame, read_games
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.state import Phase, State, View

#: Maximum number of actions of a hand.
_MOST_ACTIONS = 1024


class Actions(Record):
    """The actions of a hand."""

    taken: Annotated[NDArray[np.int16], _MOST_ACTIONS]
    count: Annotated[int, np.int32]


class CountWorkspace(Workspace):
    """Workspace of the counting."""

    seen: View
    ukeire: Ukeire


def class_words(number: int) -> str:
    """Return the description of a class of tiles.

    >>> class_words(4), class_words(16)
    ('2 and 8, 1 two-sided wait left', 'honour, 1 unseen')
    """
    if number >= HONOURS:
        what, unseen = ("honour", number - HONOURS) if number < ENDS else ("1m and 9m of sanma", number - ENDS)
        return f"{what}, {unseen} unseen"
    rank, sides = divmod(number, 3)
    tiles = "5" if rank == 4 else f"{rank + 1} and {9 - rank}"
    return f"{tiles}, {sides} two-sided wait{'' if sides == 1 else 's'} left"


@leaf
def faces_accepted_riichi(state: State, seat: int) -> bool:
    """Return whether another seat's riichi stick is on the table."""
    result = False
    for other in range(int(state.rules.players)):
        result = result or (other != seat and int(state.seats[other].accepted) == 1)
    return result


@rule
def count_against(state: State, workspace: CountWorkspace, other: int, kinds: int, counts: Int64s) -> None:
    """Add the actor's kinds against one seat in riichi, by class and row: waits, and all."""
    row = min(int(state.seats[int(state.actor)].discards) // 6, ROWS - 1)
    seat, hand = state.seats[other], state.hands[other]
    cannot = int(seat.river_mask) | int(seat.passed)
    can_win = int(hand.missed) == 0 and int(hand.waits) & int(seat.river_mask) == 0
    sanma = int(state.rules.players) == 3
    for kind in range(34):
        if kinds >> kind & 1:
            number = danger_class(cannot, sanma, kind, 4 - int(workspace.ukeire.visible[kind]))
            if number >= 0:
                index = 2 * (ROWS * number + row)
                counts[index] += 1 if can_win and int(hand.waits) >> kind & 1 else 0
                counts[index + 1] += 1


@rule
def count_hand(
    state: State, tables: ShantenTables, workspace: CountWorkspace, actions: Actions, counts: Int64s
) -> int:
    """Play a hand and add to the counts; return the seats that declared riichi."""
    for step in range(int(actions.count)):
        actor = int(state.actor)
        turn = int(state.phase) in (Phase.TURN, Phase.CALLED_DISCARD)
        if turn and not int(state.seats[actor].riichi) and faces_accepted_riichi(state, actor):
            write_view(state, actor, workspace.seen)
            count_visible(workspace.seen, workspace.ukeire)
            kinds = discard_kinds(int(state.legal[0]), int(state.drawn))
            for other in range(int(state.rules.players)):
                if other != actor and int(state.seats[other].accepted):
                    count_against(state, workspace, other, kinds, counts)
        act(state, tables, int(actions.taken[step]))
        if int(state.phase) >= Phase.HAND_OVER:
            break
    declared = 0
    for seat in range(4):
        declared += int(state.seats[seat].accepted)
    return declared


_count_hands = batched(count_hand)


class Waits:
    """Counts over games with one number of players."""

    def __init__(self) -> None:
        self.counts = np.zeros((1, 2 * CLASSES * ROWS), np.int64)
        self.met: Counter[str] = Counter()

    def add(self, game: RiichiGame, scripts: list[Script]) -> None:
        """Count the hands of a game."""
        self.met["games"] += 1
        for script in scripts:
            actions = np.zeros(1, dtype_of(Actions))
            actions["taken"][0, : len(script.actions)] = script.actions
            actions["count"] = len(script.actions)
            self.met["hands"] += 1
            self.met["riichi"] += _count_hands(script.begin(game.rules), actions, self.counts)


def main(paths: list[str]) -> None:
    """Count, write, and print the shares."""
    waits = {3: Waits(), 4: Waits()}
    replayer = Replayer()
    for game in read_games(paths):
        if isinstance(game, RiichiGame) and not game.custom:
            waits[game.players].add(game, replayer.replay(game, scripts=True).scripts)
    if not any(counted.met for counted in waits.values()):
        sys.exit("no game was read")
    counts = {str(players): counted.counts.reshape(CLASSES, ROWS, 2).tolist() for players, counted in waits.items()}
    metadata: dict[str, Any] = {
        "source": "records of Tenhou, mostly of the phoenix room, 2009 to 2026, and of programs at its tables",
        "met": {str(players): dict(counted.met) for players, counted in waits.items()},
        "layout": "counts[players][class][row] = [waited for, all]; classes: janshi.riichi.analysis.danger",
        "counts": counts,
    }
    save_text(json.dumps(metadata) + "\n", RATES)
    for players, counted in waits.items():
        print(f"{players} players: {dict(counted.met)}")
        for number, rows in enumerate(counted.counts.reshape(CLASSES, ROWS, 2)):
            if rows[:, 1].any():
                shares = "  ".join(f"{100 * hits / max(met, 1):5.1f} % of {met:7,}" for hits, met in rows)
                print(f"{class_words(number):<32} {shares}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="+", help="records")
    main(parser.parse_args().paths)

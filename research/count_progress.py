"""Count the shanten of people's hands: ``src/janshi/riichi/sampling/progress.json``.

    python research/count_progress.py PATH…

The records are games of three and of four players in files, folders or archives. See `janshi.riichi.sampling.progress`.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from janshi.compiling import Int64s, Record, batched, dtype_of, rule
from janshi.core.shanten_tables import ShantenTables
from janshi.files import save_text
from janshi.riichi.play.steps import act
from janshi.riichi.records import RiichiGame, read_games
from janshi.riichi.records.replay import Replayer, Script
from janshi.riichi.sampling.progress import CLASSES, COUNTS, SHAPE, WAITS, hand_class, progress_cell, wait_class
from janshi.riichi.state import Phase, State

#: Maximum number of actions of a hand.
_MOST_ACTIONS = 1024


class Actions(Record):
    """The actions of a hand."""

    taken: Annotated[NDArray[np.int16], _MOST_ACTIONS]
    count: Annotated[int, np.int32]


@rule
def count_hand(state: State, tables: ShantenTables, actions: Actions, counts: Int64s, riichi: Int64s) -> None:
    """Play a hand and add the other seats' hands, and waits in riichi, to the counts at each turn."""
    for step in range(int(actions.count)):
        actor = int(state.actor)
        if int(state.phase) in (Phase.TURN, Phase.CALLED_DISCARD):
            for other in range(int(state.rules.players)):
                if other != actor and int(state.seats[other].riichi):
                    waits = int(state.hands[other].waits)
                    riichi[WAITS if waits & int(state.seats[other].river_mask) else wait_class(waits)] += 1
                elif other != actor:
                    counts[CLASSES * progress_cell(state, other) + hand_class(state, tables, other)] += 1
        act(state, tables, int(actions.taken[step]))
        if int(state.phase) >= Phase.HAND_OVER:
            break


_count_hands = batched(count_hand)


def count(game: RiichiGame, scripts: list[Script], counts: NDArray[np.int64], riichi: NDArray[np.int64]) -> None:
    """Add the hands of a game to the counts (1, cells · classes; 1, classes of waits and furiten)."""
    for script in scripts:
        actions = np.zeros(1, dtype_of(Actions))
        actions["taken"][0, : len(script.actions)] = script.actions
        actions["count"] = len(script.actions)
        _count_hands(script.begin(game.rules), actions, counts, riichi)


def main(paths: list[str]) -> None:
    """Count, write, and print the shares of tenpai by turn."""
    counts = {players: np.zeros((1, CLASSES * int(np.prod(SHAPE))), np.int64) for players in (3, 4)}
    riichi = {players: np.zeros((1, WAITS + 1), np.int64) for players in (3, 4)}
    games = {3: 0, 4: 0}
    replayer = Replayer()
    for game in read_games(paths):
        if isinstance(game, RiichiGame) and not game.custom:
            games[game.players] += 1
            count(game, replayer.replay(game, scripts=True).scripts, counts[game.players], riichi[game.players])
    if not any(games.values()):
        sys.exit("no game was read")
    metadata: dict[str, Any] = {
        "source": "records of Tenhou, mostly of the phoenix room, 2009 to 2022",
        "games": games,
        "layout": "hands[players]: cells × classes, flattened; riichi[players]: classes of waits, furiten; "
        "see janshi.riichi.sampling.progress",
        "riichi": {str(players): counted[0].tolist() for players, counted in riichi.items()},
        "hands": {str(players): counted.reshape(-1).tolist() for players, counted in counts.items()},
    }
    save_text(json.dumps(metadata, separators=(",", ":")) + "\n", COUNTS)
    for players, counted in counts.items():
        print(f"{players} players: {games[players]:,} games, {int(counted.sum()):,} hands")
        print(f"waits in riichi, furiten last: {riichi[players][0].tolist()}")
        by_turn = counted.reshape(*SHAPE, CLASSES).sum(axis=(1, 2, 3))
        for turn, row in enumerate(by_turn):
            shares = "  ".join(f"{100 * number / max(1, row.sum()):5.1f}" for number in row)
            print(f"turn {turn:2}: {int(row.sum()):9,} hands, % by class {shares}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("paths", nargs="+", help="records")
    main(parser.parse_args().paths)

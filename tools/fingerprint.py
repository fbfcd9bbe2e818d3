"""Hash the behaviour of the engine and of players, to compare two versions.

    python tools/fingerprint.py games [--count 20000]
    python tools/fingerprint.py records FILE…
    python tools/fingerprint.py players [--decisions 10000] NAME:PRESET[:PRESET…]…

Each line ends in a hash. Two versions with the same behaviour print the same lines.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from janshi.games import GAMES
from janshi.table import Tables

#: Common fields of all games' states.
FIELDS = ("actor", "phase", "clock", "games", "hand_number", "wall")


def digest(arrays: Iterable[Any]) -> str:
    """Return 16 hexadecimal digits over the bytes of some arrays."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]


def hash_games(count: int) -> None:
    """Play random games of every preset."""
    for game in GAMES.values():
        for preset in game.presets:
            tables = Tables(preset, count, seeds=11, auto_reset=False)
            for _ in range(6):
                game.play_randomly(tables.states, 150)
            states = np.asarray(tables.states)
            print("games", preset, digest([*(states[name] for name in FIELDS), states["seats"]["points"]]), flush=True)


def hash_records(paths: list[Path]) -> None:
    """Replay records with every check."""
    from janshi.riichi.dataset import read_hands

    for path in paths:
        for players in (3, 4):
            try:
                hands = read_hands([path], players)
            except ValueError as error:
                print("records", path.name, players, "none:", type(error).__name__, flush=True)
                continue
            parts = [hands.walls, hands.starts, hands.taken, hands.bounds, hands.games]
            print("records", path.name, players, len(hands), digest(parts), flush=True)


def hash_players(names: list[str], decisions: int) -> None:
    """Hash players' answers in games among themselves."""
    from janshi.agents import agent

    for name in names:
        player, *presets = name.split(":")
        for preset in presets:
            tables = Tables(preset, 50, seeds=5)
            acting = agent(player)
            answers, asked = [], 0
            while asked < decisions:
                batch = tables.decisions()
                actions = np.asarray(acting.act(batch), np.int16)
                answers.append(actions)
                asked += len(batch)
                tables.step(actions)
            print("players", player, preset, asked, digest(answers), flush=True)


def main() -> None:
    """Run the part named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("games", "records", "players"))
    parser.add_argument("names", nargs="*", help="Files, or players as NAME:PRESET[:PRESET…].")
    parser.add_argument("--count", type=int, default=20_000, help="Random games of each preset.")
    parser.add_argument("--decisions", type=int, default=10_000, help="Answers of each player.")
    options = parser.parse_args()
    if options.what == "games":
        hash_games(options.count)
    elif options.what == "records":
        hash_records([Path(name) for name in options.names])
    else:
        hash_players(options.names, options.decisions)


if __name__ == "__main__":
    main()

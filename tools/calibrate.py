"""Find the temperature at which a player's shares are those of people: `janshi.players.TEMPERATURES`.

    python tools/calibrate.py PLAYER RECORDS [GAMES]

For each temperature: how well the shares foretell what people did (mean −log of the share; less is better), how often
people took the first choice, and the mean share of it. At the right one the first is least and the other two are equal.
Records that the player has not learned from, please. Wins and nine terminals, where nothing is weighed, do not count.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from janshi.agents import agent
from janshi.agents.meowjong import MeowjongAgent
from janshi.engine import actions
from janshi.observe.positions import Position, hands_of_game
from janshi.records import Game, read_games

TEMPERATURES = (0.6, 0.7, 0.75, 0.8, 0.9, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0)
FORCED = {actions.TSUMO, actions.RON, actions.NINE_TERMINALS}
#: Shares below that count as that.
LEAST = 1e-4


def decisions(paths: list[str], games: int) -> Iterator[Position]:
    """Yield what people decided."""
    some = (one for one in read_games(paths) if isinstance(one, Game))
    for game in islice(some, games):
        for hand in hands_of_game(game)[0]:
            yield from (one for one in hand.positions if not FORCED & set(one.possible))


def same(drawn: NDArray[np.int8], done: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the other action that comes to the same as each: a tile just drawn, and the same one from the hand."""
    other = np.where(done == drawn, actions.TSUMOGIRI, done)
    return np.where(done == actions.TSUMOGIRI, drawn, other)


def main(name: str, path: str, games: str = "40") -> None:
    """Print one line for each temperature."""
    player = agent(name)
    if not isinstance(player, MeowjongAgent):
        raise SystemExit(f"{name} has no temperature")
    found = list(decisions([path], int(games)))
    views = np.concatenate([cast("NDArray[Any]", one.view) for one in found])
    legal = np.zeros((len(found), actions.ACTIONS), np.bool_)
    for row, one in enumerate(found):
        legal[row, list(one.possible)] = True
    done = np.array([one.done for one in found])
    rows, other = np.arange(len(done)), same(views["drawn"], done)
    print(f"{len(done):,} decisions")
    for temperature in TEMPERATURES:
        player.temperature = temperature
        shares = player.preferences(cast("Any", views), legal)
        share = shares[rows, done] + np.where(other != done, shares[rows, other], 0)
        first = shares.max(axis=1)
        loss = -np.log(np.maximum(share, LEAST)).mean()
        agreed = (share > first - 1e-6).mean()
        print(f"{temperature:5.2f}  loss {loss:.4f}  agreed {agreed:.3f}  mean share {first.mean():.3f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Find the temperature at which a player's probabilities are those of people.

    python research/calibrate.py PLAYER RECORDS [GAMES]

The script prints for each temperature the log-loss of people's actions, the frequency of the first choice, and its mean
probability. At the right temperature the log-loss is minimal and the other two are equal. Use records outside the
player's training set. Wins and kyuushu kyuuhai, which have no alternatives, do not count.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from janshi.agents import agent
from janshi.papers.meowjong.agent import MeowjongAgent
from janshi.riichi.actions import Action
from janshi.riichi.positions import hands_of_game
from janshi.riichi.records import RiichiGame, read_games
from janshi.riichi.review.game import decision_batches
from janshi.table import DecisionBatch

TEMPERATURES = (0.6, 0.7, 0.75, 0.8, 0.9, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0)
FORCED = {Action.TSUMO, Action.RON, Action.KYUUSHU_KYUUHAI}
#: Lower bound of probabilities.
LEAST = 1e-4


def decisions(paths: list[str], count: int) -> Iterator[tuple[DecisionBatch, NDArray[np.int64]]]:
    """Yield people's decisions, and the actions that they took (n)."""
    games = (game for game in read_games(paths) if isinstance(game, RiichiGame))
    for game in islice(games, count):
        positions = [position for hand in hands_of_game(game)[0] for position in hand.positions]
        weighed = [position for position in positions if not FORCED & set(position.possible)]
        done = np.array([position.done for position in weighed])
        row = 0
        for batch in decision_batches(weighed):
            yield batch, done[row : row + len(batch)]
            row += len(batch)


def equal_actions(drawn: NDArray[np.int8], done: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the equivalent of each action: the discard of the drawn tile, or of an equal one from the hand."""
    other = np.where(done == drawn, Action.TSUMOGIRI, done)
    return np.where(done == Action.TSUMOGIRI, drawn, other)


def shares_of(
    player: MeowjongAgent, batch: DecisionBatch, done: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the probabilities of the actions taken and of the first choices (n each)."""
    shares = player.preferences(batch)
    rows, other = np.arange(len(done)), equal_actions(np.asarray(batch.views)["drawn"], done)
    return shares[rows, done] + np.where(other != done, shares[rows, other], 0), shares.max(axis=1)


def main(name: str, path: str, games: str = "40") -> None:
    """Print one line for each temperature."""
    player = agent(name)
    if not isinstance(player, MeowjongAgent):
        raise SystemExit(f"{name} has no temperature")
    asked = list(decisions([path], int(games)))
    print(f"{sum(len(batch) for batch, _ in asked):,} decisions")
    for temperature in TEMPERATURES:
        player.temperature = temperature
        parts = [shares_of(player, batch, done) for batch, done in asked]
        share, first = (np.concatenate(column) for column in zip(*parts, strict=True))
        loss = -np.log(np.maximum(share, LEAST)).mean()
        agreed = (share > first - 1e-6).mean()
        print(f"{temperature:5.2f}  loss {loss:.4f}  agreed {agreed:.3f}  mean share {first.mean():.3f}", flush=True)


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

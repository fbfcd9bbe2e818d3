"""Interface between learning and a game's records: hands to learn from, and tasks.

A game that can be learned from records names a `Dataset` as its facet ``"dataset"``. A game without one learns from its
own games alone (`janshi.learn.runs`).

>>> dataset_of("riichi").network
'suits'
>>> dataset_of("sichuan")
Traceback (most recent call last):
    ...
janshi.learn.datasets.DatasetError: sichuan is not learned from records: the game 'sichuan' has no dataset
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from janshi.encoders import Encoder
from janshi.games import GAMES, GameError


class DatasetError(ValueError):
    """Records that hold nothing to learn from."""


class Hands(Protocol):
    """Hands of recorded games of one number of players."""

    rules: tuple[Any, ...]
    """The rule sets that they were played by."""
    skipped: int
    """Games left out: damaged, contradicting the rules, or of other numbers of players."""

    def __len__(self) -> int: ...

    @property
    def players(self) -> int:
        """Number of players."""
        ...

    def split(self, share: float, seed: int) -> tuple[Hands, Hands]:
        """Return the hands of most games, and those of a share of them."""
        ...

    def sample(self, share: float, seed: int) -> Hands:
        """Return the hands of a share of the games."""
        ...

    def decisions(self, which: NDArray[np.int64], encoder: Encoder) -> Any:
        """Return the decisions of some of the hands, as the game's tasks take them."""
        ...

    def turns(self, encoder: Encoder) -> int:
        """Return in how many ways its observations can be turned into others as good; 1: in none."""
        ...

    def save(self, folder: str | Path) -> None:
        """Write the hands into a folder, which the dataset's ``read`` takes."""
        ...


@dataclass(frozen=True, slots=True)
class Dataset:
    """Records of a game as material for learning: its facet ``"dataset"``."""

    read: Callable[..., Any]
    """``(paths, players, progress=None, cluster=None)``: hands of records, or of one folder that `Hands.save` wrote."""
    task: Callable[..., Any]
    """``(network's configuration, options…)``: every decision by one masked policy, a `janshi.learn.tasks.Task`."""
    network: str
    """Kind of network that is trained by default: a name of `janshi.learn.networks.NETWORKS`."""
    counts: Callable[[Any], Mapping[str, tuple[int, int]]]
    """``(hands)``: how often each kind of decision could be made, and how often it was answered with yes."""
    play: Callable[..., Any]
    """``(player, rules, games, seed, folder=…, explore=0.0, team=None, progress=None)``: the hands of games that a
    player, given by name, plays in all seats, kept in a folder, where an interrupted call goes on."""
    single_hand: Callable[[int], Any]
    """``(players)``: the rules of a single hand, by which players are compared."""


def dataset_of(game: str) -> Dataset:
    """Return the dataset of a game. Raises `DatasetError` where it has none."""
    try:
        dataset: Dataset = GAMES[game].facet("dataset")
    except GameError as error:
        raise DatasetError(f"{game} is not learned from records: {error}") from None
    return dataset

"""Interface between learning and a game's records: hands and tasks.

A game with support for learning from records provides a `Dataset` as its facet ``"dataset"``. Other games are learned
by self-play only (`janshi.learn.runs`).

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
    """Raised for records without anything to learn from, and for games without a dataset."""


class RecordedHands(Protocol):
    """Hands of recorded games of one number of players."""

    rules: tuple[Any, ...]
    """Rule sets of the hands."""
    skipped: int
    """Number of skipped games: damaged, contradicting the rules, or with another number of players."""

    def __len__(self) -> int: ...

    @property
    def players(self) -> int:
        """Number of players."""
        ...

    def split(self, share: float, seed: int) -> tuple[RecordedHands, RecordedHands]:
        """Return the hands of most games, and those of the remaining share."""
        ...

    def sample(self, share: float, seed: int) -> RecordedHands:
        """Return the hands of a share of the games."""
        ...

    def decisions(self, which: NDArray[np.int64], encoder: Encoder) -> Any:
        """Return the decisions of some hands, as the game's tasks take them."""
        ...

    def turns(self, encoder: Encoder) -> int:
        """Return the number of equivalent forms of an observation (symmetries); 1 if there is no other."""
        ...

    def save(self, folder: str | Path) -> None:
        """Write the hands to a folder that the dataset's ``read`` accepts."""
        ...


@dataclass(frozen=True, slots=True)
class Dataset:
    """Records of a game as material for learning: its facet ``"dataset"``."""

    read: Callable[..., Any]
    """``(paths, players, of=(), progress=None, cluster=None, rules=None)``: hands of records, or of a folder written by
    `RecordedHands.save`. ``of``: parts of names; games with players of such names are learned from their seats only.
    ``rules`` take the place of the records'."""
    task: Callable[..., Any]
    """``(network's configuration, options…)``: a `janshi.learn.tasks.Task`, one masked policy for every decision."""
    network: str
    """Default kind of network: a name of `janshi.learn.networks.NETWORKS`."""
    counts: Callable[[Any], Mapping[str, tuple[int, int]]]
    """``(hands)``: for each kind of decision the number of occasions, and of those answered with yes."""
    play: Callable[..., Any]
    """``(player, rules, games, seed, folder=…, explore=0.0, team=None, progress=None)``: the hands of games that a
    player, given by name, plays in all seats; an interrupted call resumes from ``folder``."""
    single_hand: Callable[[int], Any]
    """``(players)``: the rules of a single hand, used for comparisons."""


def dataset_of(game: str) -> Dataset:
    """Return the dataset of a game. Raises `DatasetError` if it has none."""
    try:
        dataset: Dataset = GAMES[game].facet("dataset")
    except GameError as error:
        raise DatasetError(f"{game} is not learned from records: {error}") from None
    return dataset

"""How played hands end for a seat: what it wins with, whom it deals in to, payments at draws and at wins of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from janshi.statistics import Estimate, mean, rate


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHands:
    """Hands that were played to their ends, for one seat: arrays whose first axis is the hand."""

    won: NDArray[np.bool_]
    self_drawn: NDArray[np.bool_]
    value: NDArray[np.float64]
    """Points of the won hand, else 0."""
    drawn: NDArray[np.bool_]
    """Whether nobody won."""
    tenpai: NDArray[np.bool_]
    """Whether the seat was tenpai in an exhaustive draw."""
    tile: NDArray[np.int8]
    """The kind that completed the won hand, else −1."""
    han: NDArray[np.int8]
    """Han or fan of the won hand by source (n, sources)."""
    dealt_to: NDArray[np.bool_]
    """Seats that won on the seat's tiles (n, players)."""
    points: NDArray[np.float64]
    """Change of points."""

    @property
    def dealt_in(self) -> NDArray[np.bool_]:
        """Whether the seat dealt in."""
        return np.asarray(self.dealt_to.any(axis=1))

    def part(self, which: slice) -> PlayedHands:
        """Return some of the hands."""
        return PlayedHands(*(getattr(self, column.name)[which] for column in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence[PlayedHands]) -> PlayedHands:
        """Return the hands of several parts, in their order."""
        return cls(*(np.concatenate([getattr(part, column.name) for part in parts]) for column in fields(cls)))


@dataclass(frozen=True, slots=True)
class SourceOfWins:
    """A yaku, or another source of han or fan, of the won hands."""

    share: Estimate
    """Share of the won hands that have it."""
    han: Estimate
    """Mean han or fan that it adds to a won hand."""


@dataclass(frozen=True, slots=True)
class TileOfWins:
    """A kind that completed won hands."""

    share: Estimate
    points: Estimate
    """Value of these hands."""


@dataclass(frozen=True, slots=True)
class SeatDealtTo:
    """Deal-ins to one seat."""

    rate: Estimate
    points: Estimate
    """Cost of these hands."""


@dataclass(frozen=True, slots=True)
class HandEnds:
    """How hands end for a seat."""

    han: Estimate
    """Han or fan of a won hand."""
    sources: dict[str, SourceOfWins]
    tiles: dict[int, TileOfWins]
    """By kind."""
    dealt_to: dict[int, SeatDealtTo]
    """By seat."""
    draw: Estimate
    """Probability of a draw."""
    tenpai: Estimate
    """Share of the draws at which the seat is tenpai."""
    draw_points: Estimate
    """Change of points at a draw."""
    others: Estimate
    """Probability of a win of other seats alone without a deal-in."""
    others_points: Estimate
    """Change of points at such a win."""


def hand_ends(hands: PlayedHands, sources: Sequence[str]) -> HandEnds:
    """Return how some hands end; ``sources``: names of the columns of ``hands.han``."""
    won, drawn = hands.won, hands.drawn
    han, tile, value = hands.han[won], hands.tile[won], hands.value[won]
    others = ~won & ~drawn & ~hands.dealt_in
    return HandEnds(
        han=mean_of(han.sum(axis=1)),
        sources={
            sources[number]: SourceOfWins(rate(han[:, number] > 0), mean_of(han[:, number]))
            for number in np.flatnonzero(han.any(axis=0)).tolist()
        },
        tiles={kind: TileOfWins(rate(tile == kind), mean_of(value[tile == kind])) for kind in np.unique(tile).tolist()},
        dealt_to={
            seat: SeatDealtTo(rate(hands.dealt_to[:, seat]), mean_of(-hands.points[hands.dealt_to[:, seat]]))
            for seat in np.flatnonzero(hands.dealt_to.any(axis=0)).tolist()
        },
        draw=rate(drawn),
        tenpai=rate(hands.tenpai[drawn]),
        draw_points=mean_of(hands.points[drawn]),
        others=rate(others),
        others_points=mean_of(hands.points[others]),
    )


def mean_of(values: NDArray[np.generic]) -> Estimate:
    """Return the mean of independent values."""
    return mean(values, np.arange(len(values)))

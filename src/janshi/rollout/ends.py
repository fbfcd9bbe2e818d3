"""How played hands end for a seat: what it wins with, whom it deals in to, payments at draws and at wins of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from janshi.say.ends import EndsNumbers
from janshi.say.events import TILE_NAMES
from janshi.say.words import in_words
from janshi.statistics import Estimate


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
    words: dict[str, Any]
    """All figures, rounded, by the names of `janshi.review.model.Ends`."""


_FIGURES: Final = ("han", "draw", "tenpai", "draw_points", "others", "others_points")


def hand_ends(figures: Any, sources: Sequence[str]) -> HandEnds:
    """Return how the hands end from an `OptionFigures` record; ``sources``: names of the sources of han or fan."""

    def groups(field: str) -> Iterator[tuple[int, Estimate, Estimate]]:
        for row in figures[field][: figures[f"{field}_count"]]:
            yield int(row["key"]), estimate_of(row["share"]), estimate_of(row["average"])

    return HandEnds(
        sources={sources[number]: SourceOfWins(*both) for number, *both in groups("sources")},
        tiles={kind: TileOfWins(*both) for kind, *both in groups("tiles")},
        dealt_to={seat: SeatDealtTo(*both) for seat, *both in groups("dealt_to")},
        words=in_words(figures["ends"], EndsNumbers, {"fan": sources, "tile": TILE_NAMES}, {}),
        **{name: estimate_of(figures[name]) for name in _FIGURES},
    )


def estimate_of(row: Any) -> Estimate:
    """Return a figure of an `OptionFigures` record."""
    return Estimate(*row.tolist())

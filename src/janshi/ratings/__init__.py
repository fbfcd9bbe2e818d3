"""Ratings: a pool of players, games chosen by their expected information, a ladder with intervals."""

from janshi.agents.versions import digest_of
from janshi.ratings.choosing import Chooser
from janshi.ratings.model import Ladder, fit
from janshi.ratings.playing import Runner, wall_results
from janshi.ratings.pool import Pool, PoolError, Version, WallResult
from janshi.ratings.standings import LadderRow, Standings, standings

__all__ = [
    "Chooser",
    "Ladder",
    "LadderRow",
    "Pool",
    "PoolError",
    "Runner",
    "Standings",
    "Version",
    "WallResult",
    "digest_of",
    "fit",
    "standings",
    "wall_results",
]

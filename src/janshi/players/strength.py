"""The measured strength of the shipped agents, with the commands of ``research/measure_agents.py``.

>>> "sichuan" in {strength.agent for strength in read_strengths()}
True
>>> {rating.rating for rating in read_ratings() if rating.agent == "random"}
{0.0}
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

_FILE: Final = Path(__file__).with_name("strength.json")


@dataclass(frozen=True, slots=True)
class Strength:
    """One agent's mean change of points a hand against others, on shared walls with the seats rotated."""

    agent: str
    against: str
    """Agent in all other seats."""
    rules: str
    hands: int
    points: float
    reach: float
    """Half of the 95 % interval of ``points``."""
    first: float
    """Rate of first places in hands with a winner."""
    command: str
    """Command that reproduces the figures."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One agent's rating in a pool (`janshi.ratings`) in which ``random`` is rated 0."""

    agent: str
    rules: str
    rating: float
    low: float
    """Lower end of the 95 % interval."""
    high: float
    games: int
    """Whole games of the agent."""
    command: str
    """Commands that play the same games, separated by ``&&``."""


def read_strengths() -> list[Strength]:
    """Return all strengths measured over hands."""
    return [Strength(**fields) for fields in _read()["hands"]]


def read_ratings() -> list[Rating]:
    """Return the ratings of all pools."""
    return [Rating(**fields) for fields in _read()["ratings"]]


def write_strengths(strengths: Sequence[Strength], ratings: Sequence[Rating]) -> None:
    """Write the file of `read_strengths` and `read_ratings`."""
    from janshi.files import save_text

    content = {"hands": [asdict(each) for each in strengths], "ratings": [asdict(each) for each in ratings]}
    save_text(json.dumps(content, indent=1) + "\n", _FILE)


def _read() -> dict[str, list[dict[str, Any]]]:
    content: dict[str, list[dict[str, Any]]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return content

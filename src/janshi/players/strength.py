"""How strong the agents are that ship: what ``tools/measure_agents.py`` has measured, with the commands.

>>> "sichuan" in {strength.agent for strength in read_strengths()}
True
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

_FILE: Final = Path(__file__).with_name("strength.json")


@dataclass(frozen=True, slots=True)
class Strength:
    """One agent's mean change of points a hand against others, on shared walls with the seats rotated."""

    agent: str
    against: str
    """All other seats."""
    rules: str
    hands: int
    points: float
    reach: float
    """Half of the 95 % interval of ``points``."""
    first: float
    """Rate of first places of hands with a winner."""
    command: str
    """What measures it again, to the same figures."""

    def as_json(self) -> dict[str, Any]:
        """Return the fields by name."""
        return asdict(self)


def read_strengths() -> list[Strength]:
    """Return everything that was measured."""
    return [Strength(**fields) for fields in json.loads(_FILE.read_text(encoding="utf-8"))]


def write_strengths(strengths: list[Strength]) -> None:
    """Write the file that `read_strengths` reads."""
    from janshi.files import save_text

    save_text(json.dumps([strength.as_json() for strength in strengths], indent=1) + "\n", _FILE)

"""Trained players of the package: ONNX networks, described in ``README.md`` beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
#: Files of the players by name.
PLAYERS: Final = {path.stem: path for path in sorted(_HERE.glob("*.onnx"), key=lambda path: path.stem)}
#: Temperatures of players' logits at which the mean probability of the first choice equals its frequency among people
#: (``research/calibrate.py``; 40 games of Tenhou's phoenix room in 2026, sanma, 12,000 decisions not used in training).
TEMPERATURES: Final = {"sl-2026-11": 1.5}


def describe(name: str) -> str:
    """Return a short description of a shipped player; empty for another one.

    >>> describe("sl4")
    'trained on games of people and of the strongest programs, for four players'
    """
    descriptions: dict[str, str] = json.loads((_HERE / "descriptions.json").read_text(encoding="utf-8"))
    return descriptions.get(name, "")

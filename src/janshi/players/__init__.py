"""Trained players that ship with the package: networks as ONNX, described in ``README.md`` beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
#: Files of the players by name.
PLAYERS: Final = {path.stem: path for path in sorted(_HERE.glob("*.onnx"), key=lambda path: path.stem)}
#: Players that are others' networks in eight-bit integers, and whose.
QUANTIZED: Final = {name: name.removesuffix("-int8") for name in PLAYERS if name.endswith("-int8")}
#: What a player's logits are divided by so that its shares are those of people: at these the mean share of its first
#: choice is how often people do that (``tools/calibrate.py``; 40 games of Tenhou's phoenix room in 2026, sanma, 12,000
#: decisions that it was not trained on).
TEMPERATURES: Final = {"sl-2026-11": 1.5}


def describe(name: str) -> str:
    """Return what a player is, in a few words; nothing for one that does not ship.

    >>> describe("sl4")
    "trained on people's games, for four players"
    """
    descriptions: dict[str, str] = json.loads((_HERE / "descriptions.json").read_text(encoding="utf-8"))
    return descriptions.get(name, "")

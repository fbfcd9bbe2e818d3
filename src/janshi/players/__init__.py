"""Trained players that ship with the package: networks as ONNX, described in ``README.md`` beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
#: Files of the players by name.
PLAYERS: Final = {path.stem: path for path in sorted(_HERE.glob("*.onnx"))}

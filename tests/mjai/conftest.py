"""Bots for the tests."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

BOTS = Path(__file__).parent / "bots"


def command(name: str, *arguments: object) -> str:
    """Return the command that runs one of these bots."""
    words = [sys.executable if name.endswith(".py") else "node", BOTS / name, *arguments]
    return shlex.join(str(word) for word in words)

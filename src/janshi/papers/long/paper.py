"""The `long` paper, as ``janshi reproduce long`` does it."""

from __future__ import annotations

from typing import Final

from janshi.papers.long.scales import SCALES
from janshi.papers.runner import Paper

PAPER: Final = Paper(
    "long",
    "Long",
    "janshi.papers.long.stages:STAGES",
    SCALES,
    "janshi.papers.long.report:REPORT",
)

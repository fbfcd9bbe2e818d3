"""The `gao` thesis, as ``janshi reproduce gao`` does it."""

from __future__ import annotations

from typing import Final

from janshi.papers.gao.scales import SCALES
from janshi.papers.runner import Paper

PAPER: Final = Paper(
    "gao",
    "Gao",
    "janshi.papers.gao.stages:STAGES",
    SCALES,
    "janshi.papers.gao.report:REPORT",
)

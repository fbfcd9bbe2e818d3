"""The `sichuan` paper on Sichuan mahjong, as ``janshi reproduce sichuan`` does it."""

from __future__ import annotations

from typing import Final

from janshi.papers.runner import Paper
from janshi.papers.sichuan.scales import SCALES

PAPER: Final = Paper(
    "sichuan",
    "Sichuan",
    "janshi.papers.sichuan.stages:STAGES",
    SCALES,
    "janshi.papers.sichuan.report:REPORT",
    needs_records=False,
)

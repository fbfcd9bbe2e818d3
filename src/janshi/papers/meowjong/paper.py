"""The `meowjong` papers: ``janshi reproduce meowjong``."""

from __future__ import annotations

from typing import Final

from janshi.papers.meowjong.scales import SCALES
from janshi.papers.runner import Paper

PAPER: Final = Paper(
    "meowjong",
    "Meowjong",
    "janshi.papers.meowjong.stages:STAGES",
    SCALES,
    "janshi.papers.meowjong.report:REPORT",
)

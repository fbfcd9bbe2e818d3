"""The `meowjong` papers: ``janshi reproduce meowjong`` and ``janshi paper meowjong``."""

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
    commands={
        "dataset": "janshi.papers.meowjong.commands:make_examples",
        "train": "janshi.papers.meowjong.commands:train_decision",
        "reinforce": "janshi.papers.meowjong.commands:reinforce_player",
        "compare": "janshi.papers.meowjong.comparing:compare_hands_of",
    },
)

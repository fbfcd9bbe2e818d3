"""The `meowjong` papers, as ``janshi reproduce meowjong`` does them, and commands for what is theirs alone."""

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
        "train": "janshi.papers.meowjong.commands:train_decisions",
        "reinforce": "janshi.papers.meowjong.commands:reinforce_player",
        "search": "janshi.papers.meowjong.commands:search_kernels",
        "compare": "janshi.papers.meowjong.comparing:compare_hands_of",
    },
)
